"""Prints charts on a terminal as in the rulebook, and marks the cells that were read.

The cell that was read has the style ``read``, and brackets mark it on terminals without colour. The rest of its row and
column, with their labels, has the style ``line``. Brackets replace blanks between columns, so nothing moves.
A chart that is wider than the terminal is cut into blocks of columns, each with the row labels before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Final, TypeAlias

from attrs import field, frozen

from enfilade import ChartRead, ChartTable
from enfilade.language import NO_LINE, Fragment, Line, folded, line, width
from enfilade.tools import NOTHING_STARTS, ChartLayout, layout_of_table

READ: Final = "read"
LINE: Final = "line"
_GAP: Final = 2

Span: TypeAlias = tuple[int, int]


@frozen
class _Piece:
    """One cell or label of the printed table: its text, its style, and the parts of the text that were read."""

    text: str
    style: str = ""
    read: tuple[Span, ...] = ()


@frozen
class _Marks:
    """The readings, by page, row, column and the value inside the cell.

    Attributes:
        readings: The readings of this chart.
    """

    readings: tuple[ChartRead, ...]
    rows: frozenset[tuple[int, int]] = field(init=False)
    columns: frozenset[tuple[int, int]] = field(init=False)

    @rows.default
    def _find_rows(self) -> frozenset[tuple[int, int]]:
        return frozenset((each.page, each.row) for each in self.readings if each.row is not None)

    @columns.default
    def _find_columns(self) -> frozenset[tuple[int, int]]:
        return frozenset((each.page, each.column) for each in self.readings if each.column is not None)

    def cell(self, page: int, row: int, column: int, text: str) -> _Piece:
        """A cell with its marks."""
        found = [each for each in self.readings if (each.page, each.row, each.column) == (page, row, column)]
        style = LINE if (page, row) in self.rows or (page, column) in self.columns else ""
        if not found:
            return _Piece(text, style)
        inside = {each.inside for each in found}
        whole = ((0, len(text)),)
        return _Piece(text, style, whole if None in inside else _stretches(text, {n for n in inside if n is not None}))

    def row_label(self, page: int, row: int, text: str) -> _Piece:
        """The label of a row."""
        return _Piece(text, LINE if (page, row) in self.rows else "")

    def column_label(self, page: int, column: int, text: str) -> _Piece:
        """The label of a column."""
        return _Piece(text, LINE if (page, column) in self.columns else "")

    def band(self, header: int, column: int | None, text: str) -> _Piece:
        """The band of a header row in a column, or the row's label if *column* is ``None``."""
        held = {each.column for each in self.readings if each.header == header}
        return _Piece(text, LINE if held and (column is None or column in held) else "")


def _stretches(text: str, numbers: set[int]) -> tuple[Span, ...]:
    """The positions of the values with these numbers in a cell; adjacent values are merged."""
    found: list[Span] = []
    start = 0
    for number, value in enumerate(text.split(" ")):
        end = start + len(value)
        if number in numbers:
            joined = bool(found) and found[-1][1] + 1 == start
            found.append((found.pop()[0], end) if joined else (start, end))
        start = end + 1
    return tuple(found)


def chart_lines(table: ChartTable, readings: Iterable[ChartRead], width: int) -> tuple[Line, ...]:
    """Print a chart, and mark the cells that were read.

    Args:
        table: The chart from ``Ruleset.chart``.
        readings: The readings from ``Outcome.readings``; readings of other charts are ignored.
        width: The maximum width of a line, in terminal columns.

    Returns:
        The lines, none wider than *width*, unless that is less than a few letters.
    """
    layout = layout_of_table(table)
    marks = _Marks(tuple(each for each in readings if each.chart == table.name))
    lines = list(folded(line(("title", layout.title)), width))
    for number, (label, _) in enumerate(layout.pages):
        if label is not None:
            lines += [NO_LINE, *folded(line(f"page {label}"), width)]
        lines += _page(layout, number, marks, width)
    for remark in layout.remarks:
        lines += folded(line(("hint", remark)), width)
    return tuple(lines)


# -------------------------------------------------------------------------------------------------------- one page


def _page(layout: ChartLayout, page: int, marks: _Marks, room: int) -> Iterator[Line]:
    """The lines of one page, in as many blocks as needed; header rows are printed on the first page only."""
    headers = layout.headers if page == 0 else ()
    heads = [
        [marks.band(at, None, label), *(marks.band(at, n, band or NOTHING_STARTS) for n, band in enumerate(bands))]
        for at, (label, bands) in enumerate(headers)
    ]
    heads.append(
        [_Piece(layout.head[0]), *(marks.column_label(page, n, text) for n, text in enumerate(layout.head[1:]))]
    )
    rows = [
        [marks.row_label(page, at, label), *(marks.cell(page, at, n, text) for n, text in enumerate(cells))]
        for at, (label, *cells) in enumerate(layout.pages[page][1])
    ]
    widths = _widths([*heads, *rows], room)
    for number, columns in enumerate(_blocks(widths, room)):
        if number:
            yield NO_LINE
        chosen = [widths[0], *(widths[at] for at in columns)]
        for row in heads:
            yield from _row([row[0], *(row[at] for at in columns)], chosen)
        yield line("-" * (sum(chosen) + _GAP * len(columns)))
        for row in rows:
            yield from _row([row[0], *(row[at] for at in columns)], chosen)


def _widths(rows: Sequence[Sequence[_Piece]], room: int) -> list[int]:
    """The width of each column: that of its widest piece, unless the other columns would not fit."""
    natural = [max(width(piece.text) for piece in column) for column in zip(*rows, strict=True)]
    if _total(natural) <= room:
        return natural
    label = min(natural[0], max(room * 2 // 5, 1))
    return [label, *(min(each, max(room - label - _GAP - 1, 1)) for each in natural[1:])]


def _total(widths: Sequence[int]) -> int:
    """The width of a row, including a bracket after it."""
    return sum(widths) + _GAP * (len(widths) - 1) + 1


def _blocks(widths: Sequence[int], room: int) -> Iterator[range]:
    """The columns of one block: as many as fit side by side."""
    start = 1
    while start < len(widths):
        ends = accumulate((_GAP + each for each in widths[start:]), initial=widths[0] + 1)
        fitting = sum(1 for end in ends if end <= room) - 1
        yield range(start, min(start + max(fitting, 1), len(widths)))
        start += max(fitting, 1)


# --------------------------------------------------------------------------------------------------------- one row


def _row(row: Sequence[_Piece], widths: Sequence[int]) -> Iterator[Line]:
    """A row; text too wide for its column continues on the lines below."""
    broken = [_broken(piece, room) for piece, room in zip(row, widths, strict=True)]
    for at in range(max(map(len, broken))):
        yield _line([pieces[at] if at < len(pieces) else _Piece("") for pieces in broken], widths)


def _line(row: Sequence[_Piece], widths: Sequence[int]) -> Line:
    """One line of a row: the label is aligned left, all other cells right."""
    letters: list[Fragment] = []
    read: list[Span] = []
    for at, (piece, room) in enumerate(zip(row, widths, strict=True)):
        blanks = [("", " ")] * (room - width(piece.text))
        letters += [] if at == 0 else [("", " ")] * _GAP + blanks
        read += [(len(letters) + start, len(letters) + end) for start, end in piece.read]
        letters += [(piece.style, letter) for letter in piece.text]
        letters += blanks if at == 0 else []
    letters.append(("", " "))
    for start, end in read:
        marked = ["[", *(letter for _, letter in letters[start:end]), "]"]
        letters[start - 1 : end + 1] = [(READ, letter) for letter in marked]
    return _joined(letters)


def _joined(letters: Sequence[Fragment]) -> Line:
    """A line of styled letters, merged into few fragments, without trailing blanks."""
    fragments = [(style, "".join(letter for _, letter in each)) for style, each in groupby(letters, itemgetter(0))]
    if fragments[-1][0] == "":
        fragments[-1] = ("", fragments[-1][1].rstrip(" "))
    return line(*fragments)


def _broken(piece: _Piece, room: int) -> list[_Piece]:
    """A piece, wrapped to the width of its column."""
    if width(piece.text) <= room:
        return [piece]
    lines = [""]
    for word in piece.text.split():
        if lines[-1] and width(lines[-1]) + 1 + width(word) <= room:
            lines[-1] += f" {word}"
            continue
        lines += _cut(word, room)
    return [_Piece(text, piece.style, ((0, len(text)),) if piece.read else ()) for text in lines if text]


def _cut(word: str, room: int) -> list[str]:
    """A word, split into pieces that fit."""
    pieces = [""]
    for letter in word:
        if pieces[-1] and width(pieces[-1]) + width(letter) > room:
            pieces.append("")
        pieces[-1] += letter
    return pieces
