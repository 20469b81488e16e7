"""Terminal layout of a line: visible characters and their widths in columns.

For `render`. It must not know about diagnostics, and nothing that it returns may contain a control character.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from operator import attrgetter
from typing import Final

from attrs import frozen

from enfilade.door import door
from enfilade.source.confusables import forbidden

TAB_STOP: Final = 4
WINDOW: Final = 100

_ELLIPSIS: Final = "..."
_LINE_CONTROL: Final = re.compile(r"[\t\r\n]")


@frozen
class Cell:
    """One character of a source line, as it is shown.

    Attributes:
        shown: The visible text for it: never empty, several characters for a tab.
        column: Its first terminal column, from 0.
        width: Its width in terminal columns.
    """

    shown: str
    column: int
    width: int

    @property
    def end(self) -> int:
        """The terminal column after it."""
        return self.column + self.width


_COLUMN: Final = attrgetter("column")
_END: Final = attrgetter("end")


@frozen
class Window:
    """The part of a long line that is shown.

    Attributes:
        text: The visible text, with an ellipsis for each part left out.
        shift: How many columns the window is shifted to the left of the line.
        first: The first column of the line that is shown.
        last: The column after the last one that is shown.
    """

    text: str
    shift: int
    first: int
    last: int


@door
def visible(text: str, most: int | None = None) -> str:
    """Show control characters and invisible ones by their code points.

    Args:
        text: Any text, perhaps hostile.
        most: How many of its characters are shown; all if not given.

    Returns:
        One line of text without control characters.

    Examples:
        >>> visible("night\\x1b[2J")
        'night<U+001B>[2J'
        >>> visible("night", 2)
        'ni...'
    """
    if most is not None and len(text) > most:
        text = f"{text[:most]}..."
    if text.isprintable() and text.isascii():
        return text
    hidden = {char for _, char in forbidden(text)} | set(_LINE_CONTROL.findall(text))
    return text.translate({ord(char): f"<U+{ord(char):04X}>" for char in hidden})


def width_of(char: str) -> int:
    """Count the terminal columns of one visible character.

    Args:
        char: The character.

    Returns:
        0 for a combining mark, 2 for an East Asian wide form, else 1.
    """
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


@lru_cache(maxsize=4)
def cells_of(line: str) -> tuple[Cell, ...]:
    """Lay out a source line. A line with many mistakes is laid out once.

    Args:
        line: The line without its line end.

    Returns:
        A cell for each character.
    """
    return tuple(_cells(line))


def _cells(line: str) -> Iterator[Cell]:
    column = 0
    for char in line:
        if char == "\t":
            width = TAB_STOP - column % TAB_STOP
            shown = " " * width
        else:
            shown = visible(char)
            width = sum(map(width_of, shown))
        yield Cell(shown, column, width)
        column += width


def window_around(cells: tuple[Cell, ...], first: int, last: int, room: int = WINDOW) -> Window:
    """Choose the part of a line to show.

    Args:
        cells: The line.
        first: The column of the place that must be seen.
        last: The column after that place.
        room: How many columns may be shown.

    Returns:
        The whole line if it fits into *room*, else the part around the place.
    """
    total = cells[-1].end if cells else 0
    if total <= room:
        return Window("".join(cell.shown for cell in cells), 0, 0, total)
    room -= 2 * len(_ELLIPSIS)
    spare = max(room - (last - first), room // 2)
    start = max(0, min(first - spare // 2, total - room))
    # Wide characters and tabs that cross the border are left out: the border moves to the next whole cell.
    kept = cells[bisect_left(cells, start, key=_COLUMN) : bisect_right(cells, start + room, key=_END)]
    return _cut(kept, total) if kept else Window(_ELLIPSIS, first - len(_ELLIPSIS), first, first)


def _cut(kept: tuple[Cell, ...], total: int) -> Window:
    first, last = kept[0].column, kept[-1].end
    before = _ELLIPSIS if first > 0 else ""
    after = _ELLIPSIS if last < total else ""
    text = before + "".join(cell.shown for cell in kept) + after
    return Window(text, first - len(before), first, last)
