"""The parts of a line of rules: its margin, its step number, its code and its comment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from attrs import evolve, frozen

from enfilade.source.text import SourceFile

_LINE: Final = re.compile(r"([ \t]*)((?:\d+\.[ \t]+)?)(.*?)([ \t]*(?:(?<!\S)--(?:[ \t].*)?)?)", re.DOTALL)
_TAIL: Final = re.compile(r'(?:[ \t]+(?:"[^"]*"|\[[^\]]*\]))+$')
_CONDITION: Final = re.compile(r"(?:(?:otherwise[ \t]+)?when\b[^\":]*|otherwise):[ \t]+(?=\S)")
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


def code_lines(source: SourceFile, number: int) -> Iterator[CodeLine]:
    """A line; and the same without the condition before its step, and without its label and citations.

    Examples:
        >>> [each.code for each in code_lines(SourceFile("a.rules", "  when night: stop [7.2]"), 1)]
        ['when night: stop [7.2]', 'when night: stop', 'stop [7.2]', 'stop']
    """
    whole = code_line(source, number)
    condition = _CONDITION.match(whole.code)
    length = 0 if condition is None else len(condition[0])
    for at in (0, length) if length else (0,):
        line = evolve(
            whole,
            start=whole.start + at,
            step=whole.step + whole.code[:at],
            code=whole.code[at:],
            margin=whole.margin + at,
        )
        yield line
        if tail := _TAIL.search(line.code):
            yield evolve(line, code=line.code[: tail.start()])
