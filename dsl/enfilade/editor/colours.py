"""Semantic tokens: the tokens of a text, with what each name refers to.

The tokens of each part of a text are kept from version to version as plain tuples, which the garbage collector need not
follow: a large text has more tokens than anything else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from enfilade.bind.names import Occurrence
from enfilade.source.text import SourceFile
from enfilade.syntax.tokens import tokens

Lexed: TypeAlias = tuple[tuple[int, int, str], ...]
"""Start, end and kind of each token of a part."""
Coloured: TypeAlias = tuple[tuple[int, int, str, bool], ...]
"""The same without blanks and marks, with the kind of what a name refers to, and whether the name is declared here."""


def lexed(source: SourceFile) -> Lexed:
    """Tokenise a part of a text."""
    return tuple((each.start, each.end, each.kind) for each in tokens(source.text))


def coloured(found: Lexed, occurrences: Iterable[Occurrence]) -> Coloured:
    """The tokens of a part with its names; a name keeps the kind ``name`` if what it refers to is not known."""
    names = {each.span[1:]: each for each in occurrences}
    told = []
    for start, end, kind in found:
        at = names.get((start, end))
        if at is not None:
            told.append((start, end, at.key.kind, at.declares))
        elif kind not in ("blank", "mark", "bar"):
            told.append((start, end, kind, False))
    return tuple(told)
