"""Column plots in text: a number over the values of a fact, one column for each value.

The labels of the axis are exact; only the heights of the columns are rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from enfilade.api.exact_numbers import decimal, percent

_EIGHTHS: Final = "▁▂▃▄▅▆▇█"
_WIDEST: Final = 4


def plotted(
    values: Sequence[str], heights: Sequence[Fraction | None], *, width: int, height: int = 10, percents: bool, plain: bool
) -> str:  # fmt: skip
    """Draw a column above each value.

    Args:
        values: The labels below the columns; if there is too little room, only some are written.
        heights: The height of each column; ``None`` for no column.
        width: The width in columns of text.
        height: The number of lines of the highest column.
        percents: Whether the heights are chances, from 0 to 1.
        plain: Whether to use only ASCII characters.

    Examples:
        >>> print(plotted(["1", "2"], [Fraction(1, 2), Fraction(1)], width=20, height=2, percents=True, plain=True))
        100 % |    ####
         50 % |########
              +--------
               1   2
    """
    known = [each for each in heights if each is not None]
    top = Fraction(1) if percents else max([*known, Fraction(1)])
    bottom = min([*known, Fraction(0)])
    marks = [bottom + (top - bottom) * Fraction(line, height) for line in range(height, 0, -1)]
    labels = [percent(mark, 0) if percents else decimal(mark, 2) for mark in marks]
    longest = max(map(len, labels))
    room = max(width - longest - 2, 1)
    # If there is too little room, only every second or third column is drawn.
    step = -(-len(values) // room)
    values, heights = values[::step], heights[::step]
    widest = _WIDEST if all(map(_is_number, values)) else max(_WIDEST, *(len(value) + 1 for value in values))
    wide = max(1, min(widest, room // max(len(values), 1)))
    lines = []
    for number, label in enumerate(labels):
        shown = label if number % 2 == 0 or height <= 4 else ""
        cells = (_cell(each, height - number - 1, height, bottom, top, plain=plain) * wide for each in heights)
        lines.append(f"{shown.rjust(longest)} |{''.join(cells)}".rstrip())
    return "\n".join([*lines, f"{' ' * longest} +{'-' * (wide * len(values))}", *_below(values, wide, longest + 2)])


def _cell(value: Fraction | None, line: int, height: int, bottom: Fraction, top: Fraction, *, plain: bool) -> str:
    """Return the part of a column on one line."""
    if value is None or top == bottom:
        return " "
    filled = (value - bottom) / (top - bottom) * height - line
    if filled <= 0:
        return " "
    if plain:
        return "#" if filled >= Fraction(1, 2) else "."
    return _EIGHTHS[min(7, max(0, int(filled * 8) - 1))]


def _is_number(value: str) -> bool:
    return value.lstrip("-").replace("/", "").isdigit()


def _below(values: Sequence[str], wide: int, indent: int) -> list[str]:
    """Return the labels under the columns: of numbers as many as fit, of words all, on several lines."""
    rows = [""]
    for at, value in enumerate(values):
        start = at * wide
        free = next((number for number, row in enumerate(rows) if not row or len(row) < start), None)
        if free is None and not _is_number(value):
            free = len(rows)
            rows.append("")
        if free is not None:
            rows[free] = rows[free].ljust(start) + value
    return [f"{' ' * indent}{row}".rstrip() for row in rows]
