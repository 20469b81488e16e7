"""Trivia: comments, blank lines and indentation, which the syntax tree leaves out.

For ``fmt``, which works on lines. The scan is separate from the parser, whose tokens include no comments. It works
even on texts that can't be parsed.
"""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from enfilade.syntax.indentation import width_of

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
# A quoted text or a pair of brackets is skipped as a whole: `--` in a label or a citation starts no comment.
_PIECE: Final = re.compile(r'"[^"]*"|\[(?:[^\]"]|"[^"]*")*\]|(?P<comment>(?<!\S)--(?!\S))')


@frozen
class Line:
    """One line of a text.

    Attributes:
        start: The offset of its first character that is not a blank.
        column: Its indentation in columns; a tab advances to the next multiple of eight.
        code: Its text without the comment and surrounding blanks; may be empty.
        comment: The comment with its dashes; may be empty.
        is_row: Whether it is a chart row that starts with a bar.
    """

    start: int
    column: int
    code: str
    comment: str
    is_row: bool

    @property
    def is_blank(self) -> bool:
        """Whether it has neither code nor a comment."""
        return not self.code and not self.comment


def scan_lines(text: str) -> tuple[Line, ...]:
    """Split a text into lines.

    Args:
        text: The text, with line ends of any kind.

    Returns:
        A line for each line end, and one for the text after the last line end.

    Examples:
        >>> [(line.column, line.code, line.comment) for line in scan_lines("facts -- known\\n  night  yes/no")]
        [(0, 'facts', '-- known'), (2, 'night  yes/no', '')]
    """
    lines = []
    start = 0
    for end in _LINE_END.finditer(text):
        lines.append(_scan(text[start : end.start()], start))
        start = end.end()
    return (*lines, _scan(text[start:], start))


def _scan(line: str, start: int) -> Line:
    content = line.lstrip(" \t")
    blank = line[: len(line) - len(content)]
    is_row = content.startswith("|")
    cut = _comment_start(content, content.rfind("|") + 1 if is_row else 0)
    return Line(start + len(blank), width_of(blank), content[:cut].rstrip(), content[cut:].rstrip(), is_row)


def _comment_start(content: str, after: int) -> int:
    bar = content.rfind("|") + 1
    # The cells at the end of a line, such as `header ... | 1 | 2 |`, may contain dashes.
    begin = bar if re.fullmatch(r"\s*(--(\s.*)?)?", content[bar:]) else after
    for match in _PIECE.finditer(content, begin):
        if match["comment"] is not None:
            return match.start()
    return len(content)
