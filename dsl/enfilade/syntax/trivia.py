"""What the tree leaves out: comments, blank lines and how far each line is indented.

For ``fmt``, which works on lines. A scan of its own, apart from the parser, whose tokens hold no comments. It must not
judge: a text that can't be parsed is scanned as well as any other.
"""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from enfilade.syntax.indentation import width_of

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
# A quote or a pair of brackets is passed over as one piece; so a `--` in a label or a citation is no comment.
_PIECE: Final = re.compile(r'"[^"]*"|\[(?:[^\]"]|"[^"]*")*\]|(?P<comment>(?<!\S)--(?!\S))')


@frozen
class Line:
    """One line of a text.

    Attributes:
        start: The place of its first character that is no blank.
        column: How far it is indented, a tab going to the next multiple of eight.
        code: What is neither blank at an end nor comment; empty on a line without code.
        comment: The comment with its dashes, empty where there is none.
        is_row: Whether it begins with a bar.
    """

    start: int
    column: int
    code: str
    comment: str
    is_row: bool

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands on it."""
        return not self.code and not self.comment


def scan_lines(text: str) -> tuple[Line, ...]:
    """Cut a text into its lines.

    Args:
        text: The text, with line ends of any kind.

    Returns:
        A line for each line end, and one for what follows the last.

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
    # A line with cells at its end, such as `header ... | 1 | 2 |`, may hold dashes in them.
    begin = bar if re.fullmatch(r"\s*(--(\s.*)?)?", content[bar:]) else after
    for match in _PIECE.finditer(content, begin):
        if match["comment"] is not None:
            return match.start()
    return len(content)
