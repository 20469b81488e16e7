"""The parts of a line of rules: its margin, its step number, its code and its comment."""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from enfilade.source.text import SourceFile

_LINE: Final = re.compile(r"([ \t]*)((?:\d+\.[ \t]+)?)(.*?)([ \t]*(?:(?<!\S)--(?:[ \t].*)?)?)", re.DOTALL)
_KEYWORD: Final = re.compile(r"[A-Za-z]\w*")


@frozen
class CodeLine:
    """One line of a text.

    Attributes:
        number: Its number, from 1.
        start: The offset of its code.
        step: The number of its step, with the blanks behind it.
        code: What is between the margin, with the number of a step, and the comment.
        keyword: The first word of the declaration that the line belongs to.
        margin: The column in which the code begins.
    """

    number: int
    start: int
    step: str
    code: str
    keyword: str
    margin: int


def code_line(source: SourceFile, number: int) -> CodeLine:
    """The parts of a line.

    Examples:
        >>> code_line(SourceFile("a.rules", "procedure main\\n  1. stop -- now\\n"), 2)
        CodeLine(number=2, start=20, step='1. ', code='stop', keyword='procedure', margin=5)
    """
    found = _LINE.fullmatch(source.line_text(number))
    margin, step, code = ("", "", "") if found is None else found.group(1, 2, 3)
    head = next((n for n in range(number, 0, -1) if source.line_text(n)[:1].strip()), number)
    keyword = _KEYWORD.match(source.line_text(head))
    at = len(margin) + len(step)
    return CodeLine(number, source.line_span(number).start + at, step, code, keyword[0] if keyword else "", at)
