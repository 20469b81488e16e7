"""Texts, places in them and look-alike letters.

For every later stage to point at a place. It must not know the grammar, beyond what a comment and a label
look like.
"""

from enfilade.source.confusables import LookAlike, fold, forbidden, protected_ranges
from enfilade.source.shipped import shipped_dir
from enfilade.source.text import MAX_SOURCE_BYTES, SourceError, SourceFile, Span

__all__ = [
    "MAX_SOURCE_BYTES",
    "LookAlike",
    "SourceError",
    "SourceFile",
    "Span",
    "fold",
    "forbidden",
    "protected_ranges",
    "shipped_dir",
]
