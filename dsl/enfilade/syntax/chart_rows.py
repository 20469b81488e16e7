"""Splits chart rows into cells. The lexer returns a row as one token; the checker interprets its cells."""

from __future__ import annotations

import re

from lark import Token

from enfilade.source.text import SourceFile, Span
from enfilade.syntax.fault import SyntaxFault
from enfilade.syntax.tree import Code, Row

_COMMENT = re.compile(r"\s*(--(\s.*)?)?$")


def parse_row(source: SourceFile, token: Token) -> Row:
    """Split ``| 2 | M | M1 |``, or cells between tabs, into cells without surrounding blanks.

    Raises:
        SyntaxFault: The row does not end with a bar.
    """
    start = token.start_pos or 0
    if token.type == "TAB_TEXT":
        text = token.rstrip()
        if "\t" not in text:
            raise SyntaxFault(
                "row-not-closed",
                "this row has no cells after its label",
                start,
                start + len(text),
                "separate the cells with bars",
            )
        return Row(_cut(source, text, start, "\t"), True, Span(source, start, start + len(text)))
    end = token.rfind("|")
    if end == 0 or not _COMMENT.match(token, end + 1):
        last = start + len(token.rstrip())
        raise SyntaxFault("row-not-closed", "this row does not end with a bar", last - 1, last, "end it with `|`")
    return Row(_cut(source, token[1:end], start + 1, "|"), False, Span(source, start, start + end + 1))


def _cut(source: SourceFile, text: str, start: int, mark: str) -> tuple[Code, ...]:
    cells = []
    for piece in text.split(mark):
        inner = piece.strip()
        at = start + (piece.find(inner) if inner else 0)
        cells.append(Code(inner, Span(source, at, at + max(len(inner), 1))))
        start += len(piece) + 1
    return tuple(cells)
