"""Renders coverage as text.

For the command line. It must not run anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from enfilade.door import door
from enfilade.tools.coverage import Count, Coverage
from enfilade.tools.coverage_items import Item

_LINE = 100


@door
def coverage_text(coverage: Coverage) -> str:
    """Render coverage: a line for each kind, then the items never used.

    Args:
        coverage: The coverage to render.

    Returns:
        Lines, without a final line end.
    """
    counts = [count for count in coverage.counts if count.total]
    width = max((len(count.kind) for count in counts), default=0)
    digits = max((len(str(count.total)) for count in counts), default=0)
    lines = [
        f"  {count.kind:<{width}}  {count.used:>{digits}} of {count.total:>{digits}}  {count.percent:>3}%"
        for count in counts
    ]
    never = [line for count in counts if count.never for line in _never(count)]
    return "\n".join([*lines, *(["  never used:", *never] if never else [])])


def _never(count: Count) -> Iterator[str]:
    kind = count.kind
    for of, items in groupby(sorted(count.never, key=lambda item: item.of), key=lambda item: item.of):
        if kind == "cells":
            yield f"    cells of {of}"
            yield from _cell_lines(list(items))
            continue
        names = [item.name for item in items]
        front = f"    {kind} of {of}: " if names != [of] else f"    {kind}: "
        yield from _wrapped(front, names)


def _cell_lines(items: list[Item]) -> Iterator[str]:
    """The cells of one chart, a line for each row."""

    def row_of(item: Item) -> tuple[str, str]:
        return item.parts.get("page", ""), item.parts["row"]

    for (page, row), cells in groupby(items, key=row_of):
        names = [_cell_name(cell) for cell in cells]
        front = f"      {page + ', ' if page else ''}row {row}: "
        yield from _wrapped(front, names)


def _cell_name(cell: Item) -> str:
    inside = cell.parts.get("inside")
    column = cell.parts.get("column", "")
    return column if inside is None else f"{column}/{inside}"


def _wrapped(front: str, names: list[str]) -> Iterator[str]:
    """Wrap a heading and a list of names to lines of limited length."""
    mark = "; " if any("," in name for name in names) else ", "
    line = front
    for index, name in enumerate(names):
        piece = name + (mark if index < len(names) - 1 else "")
        if len(line) + len(piece) > _LINE and line.strip():
            yield line.rstrip()
            line = " " * len(front)
        line += piece
    yield line.rstrip()
