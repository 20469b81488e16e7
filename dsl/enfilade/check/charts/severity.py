"""Monotonicity of severity along rows and columns, which finds scanning errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from attrs import frozen

from enfilade.core import ir


@frozen
class Break:
    """Two cells in the wrong order: page, row and column index of each, and the index of the value inside."""

    first: tuple[int, int, int]
    second: tuple[int, int, int]
    inside: int | None
    codes: tuple[str, str]


def breaks_of(chart: ir.Chart, rule: tuple[str, str, str | None]) -> Iterator[Break]:
    """Find every pair of neighbours that breaks a rule.

    Args:
        chart: The chart.
        rule: Its shape (``never falls``, ``falls then rises`` ...), its direction, and the label of the turn.
    """
    shape, way, turn = rule
    if way == "inside":
        yield from _breaks_inside(chart, shape)
        return
    for page, rows in enumerate(chart.cells):
        for line in _lines(rows, way):
            for inside in range(len(chart.inside.labels)) if chart.inside else (None,):
                ranked = [(at, _code_at(rows, at, inside)) for at in line]
                yield from _breaks_along(chart, page, ranked, shape, _turn_index(chart, way, turn), inside)


def _ranks(chart: ir.Chart) -> Mapping[str, Any]:
    """The rank of each code. Numbers without a `severity` line have their own order; an absent number has no rank."""
    if chart.severity or chart.cell_kind != "numbers":
        return {code: rank for rank, code in enumerate(chart.severity)}
    cells = [cell for page in chart.cells for row in page for cell in row]
    values = [n for cell in cells for n in (cell if isinstance(cell, tuple) else (cell,))]
    return {str(n): n for n in values if n is not None}


def _lines(rows: Sequence[Sequence[object]], way: str) -> Iterator[list[tuple[int, int]]]:
    height, width = len(rows), len(rows[0]) if rows else 0
    if way in ("right", "left"):
        for row in range(height):
            line = [(row, column) for column in range(width)]
            yield line if way == "right" else line[::-1]
    else:
        for column in range(width):
            line = [(row, column) for row in range(height)]
            yield line if way == "down" else line[::-1]


def _turn_index(chart: ir.Chart, way: str, turn: str | None) -> int | None:
    if turn is None:
        return None
    axis = chart.across if way in ("right", "left") else chart.down
    labels = axis.labels if axis else ()
    return labels.index(turn) if turn in labels else None


def _code_at(rows: Sequence[Sequence[object]], at: tuple[int, int], inside: int | None) -> str:
    cell = rows[at[0]][at[1]]
    return str(cell if inside is None or not isinstance(cell, tuple) else cell[inside])


def _breaks_along(
    chart: ir.Chart,
    page: int,
    ranked: list[tuple[tuple[int, int], str]],
    shape: str,
    turn: int | None,
    inside: int | None,
) -> Iterator[Break]:
    order = _ranks(chart)
    present = [(index, at, code) for index, (at, code) in enumerate(ranked) if code in order]
    rising = {"never falls": True, "never rises": False}.get(shape)
    turned = False
    for (_, at, code), (index, next_at, next_code) in pairwise(present):
        step = order[next_code] - order[code]
        if rising is not None:
            bad = step < 0 if rising else step > 0
        else:
            down_first = shape.startswith("falls")
            after = index > turn if turn is not None else turned
            wrong = (step > 0) if down_first != after else (step < 0)
            turned = turned or (turn is None and wrong)
            bad = wrong and (turn is not None or after)
        if bad:
            yield Break((page, *at), (page, *next_at), inside, (code, next_code))


def _breaks_inside(chart: ir.Chart, shape: str) -> Iterator[Break]:
    order = _ranks(chart)
    for page, rows in enumerate(chart.cells):
        for row, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                codes = [code for code in (cell if isinstance(cell, tuple) else (cell,)) if code in order]
                for a, b in pairwise(codes):
                    step = order[b] - order[a]
                    if step < 0 if shape == "never falls" else step > 0:
                        yield Break((page, row, column), (page, row, column), None, (a, b))
