"""Charts that search a row (`find`): the cell that contains a value decides the column."""

from __future__ import annotations

from typing import TypeAlias

from enfilade.check.charts.axes import AxisType
from enfilade.check.charts.axis_coverage import report_overlaps
from enfilade.check.charts.cells import padded_row
from enfilade.check.charts.chart_layout import ChartLayout
from enfilade.check.charts.labels import EMPTY, numbers_of
from enfilade.check.context import Context
from enfilade.check.types import coverage
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Subject
from enfilade.syntax import tree as t
from enfilade.values.types import Num

Finders: TypeAlias = tuple[tuple[tuple[ir.Match | None, ...], ...], ...]


def check_finders(ctx: Context, layout: ChartLayout, find: AxisType | None) -> Finders:
    """Read the cells of a chart with `find`: the numbers that each cell contains."""
    if find is None:
        return ()
    stated = {edge.where for edge in layout.edges}
    pages = [page.rows[1:] for page in layout.tables]
    return tuple(tuple(_check_row(ctx, stated, layout, row, find) for row in rows) for rows in pages)


def _check_row(
    ctx: Context, stated: set[str], layout: ChartLayout, row: t.Row, find: AxisType
) -> tuple[ir.Match | None, ...]:
    cells = padded_row(row, layout.width)
    filled = [cell for cell in cells if cell is not None and cell.text not in (*EMPTY, "-")]
    labels = {cell.span.start: _check_cell_numbers(ctx, cell, find) for cell in filled}
    present = [label for label in labels.values() if label is not None]
    overlaps = coverage.overlaps_of(present)
    report_overlaps(ctx, "cell", overlaps)
    if present and len(present) == len(filled) and not overlaps:
        _check_coverage(ctx, stated, find, present, row)
    found = [None if cell is None else labels.get(cell.span.start) for cell in cells]
    return tuple(None if label is None else label.match for label in found)


def _check_cell_numbers(ctx: Context, cell: t.Code, find: AxisType) -> coverage.Labelled | None:
    match = numbers_of(cell.text, "contains", find.die)
    if match is None or any(coverage.is_empty(band) for band in match.bands):
        ctx.report("label", f"`{cell.text}` is not a range of numbers", cell.span)
        return None
    return coverage.Labelled(cell.text, match, cell.span)


def _check_coverage(
    ctx: Context, stated: set[str], find: AxisType, labels: list[coverage.Labelled], row: t.Row
) -> None:
    if not isinstance(find.type, Num):
        return
    matches = [label.match for label in labels]
    for gap in coverage.gaps_of(matches, find.type):
        ctx.report("table-gap", f"this row does not cover {gap}", row.span)
    for name, reached in (
        ("column below", coverage.reaches_below(matches, find.type, "contains")),
        ("column above", coverage.reaches_above(matches, find.type, "contains")),
    ):
        if reached and name not in stated:
            # Reported once for all rows.
            stated.add(name)
            ctx.report(
                "edge-unsaid",
                f"the value can be {name.split()[1]} every cell of this row",
                row.span,
                f"add a line `{name} stays`, or limit the value: `but within ...`",
                about=Subject((name,)),
            )
