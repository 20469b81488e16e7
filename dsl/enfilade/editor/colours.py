"""Semantic tokens: the tokens of a text, with what each name refers to."""

from __future__ import annotations

from collections.abc import Iterable

from enfilade.editor.answers import TextToken
from enfilade.editor.keys import Occurrence
from enfilade.source.text import SourceFile
from enfilade.syntax.tokens import tokens


def tokens_of(source: SourceFile, occurrences: Iterable[Occurrence]) -> tuple[TextToken, ...]:
    """The tokens of a text without blanks and marks; each name has the kind of what it refers to, or
    ``name`` if that is not known."""
    names = {each.span.start: each for each in occurrences}
    found = []
    for token in tokens(source.text):
        at = names.get(token.start)
        span = source.span(token.start, token.end)
        if at is not None and at.span == span:
            found.append(TextToken(span, at.key.kind, at.declares))
        elif token.kind not in ("blank", "mark", "bar"):
            found.append(TextToken(span, token.kind))
    return tuple(found)
