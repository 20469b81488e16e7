"""Monotonicity of severity: cells that break the author's severity rule for rows or columns."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

from attrs import evolve

from enfilade.check.charts.chart_layout import ChartLayout
from enfilade.check.charts.severity import Break, breaks_of
from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Label as Mark
from enfilade.syntax import tree as t

Spot: TypeAlias = tuple[int, int, int]
Found: TypeAlias = tuple[t.SeverityRule, Break]
MAX_MARKED = 6
MAX_SHOWN = 4


def check_severity_rules(
    ctx: Context, layout: ChartLayout, down: ir.Axis, across: ir.Axis | None
) -> tuple[tuple[str, str, str | None], ...]:
    """Check the rules for severity along rows and columns."""
    if layout.rules and layout.order is None and layout.kind != "numbers":
        codes = {cell.text: None for page in layout.tables for row in page.rows[1:] for cell in row.cells[1:]}
        order = " < ".join(list(codes)[:MAX_SHOWN])
        help_ = f"write `severity {order}{' < ...' if len(codes) > MAX_SHOWN else ''}`, from mild to severe"
        ctx.report("no-severity", "this rule needs a line with the order of the codes", layout.rules[0].span, help_)
        return ()
    for rule in layout.rules:
        axis = across if rule.way in ("right", "left") else down
        if rule.at is not None and (axis is None or rule.at.text not in axis.labels):
            ctx.report("no-cell", f"there is no label `{rule.at.text}`", rule.at.span)
    return tuple((rule.shape, rule.way, None if rule.at is None else rule.at.text) for rule in layout.rules)


def check_severity(ctx: Context, layout: ChartLayout, chart: ir.Chart) -> None:
    """Warn of each cell that breaks a rule, with unconditional errata applied."""
    if layout.is_ragged or not chart.severity_rules or not chart.cells or not _has_all_values(chart):
        return
    mended = evolve(chart, cells=_with_errata(chart))
    pairs = zip(chart.severity_rules, layout.rules, strict=True)
    breaks = [(line, found) for rule, line in pairs for found in breaks_of(mended, rule)]
    for group in _by_cell(breaks):
        _report_breaks(ctx, layout, group)


def _report_breaks(ctx: Context, layout: ChartLayout, group: list[Found]) -> None:
    rule, first = group[0]
    counts = Counter(spot for _, found in group for spot in {found.first, found.second})
    spot = max((first.second, *counts), key=lambda each: counts[each])
    others = [each for each in dict.fromkeys(s for _, f in group for s in (f.first, f.second)) if each != spot]
    marks = [Mark(cell.span, f"`{cell.text}`") for cell in (_cell_at(layout, each) for each in others[:MAX_MARKED])]
    rules = dict.fromkeys(line.span for line, _ in group)
    a, b = first.codes
    ctx.warn(
        "severity-break",
        f"`{b}` after `{a}` breaks the rule `severity {rule.shape} {_direction_text(rule.way)}`",
        _cell_at(layout, spot).span,
        "correct the cell, or, if it is printed this way, add an `erratum`",
        labels=(*marks, *(Mark(span, "the rule") for span in rules)),
    )


def _has_all_values(chart: ir.Chart) -> bool:
    """Whether each cell has a value for each label of the inside axis; a missing value was already reported."""
    wanted = len(chart.inside.labels) if chart.inside else None
    cells = [cell for page in chart.cells for row in page for cell in row]
    return wanted is None or all(isinstance(cell, tuple) and len(cell) == wanted for cell in cells)


def _with_errata(chart: ir.Chart) -> tuple[Any, ...]:
    """The cells with unconditional errata applied."""
    pages = [[list(row) for row in page] for page in chart.cells]
    for erratum in chart.errata:
        if erratum.condition is not None:
            continue
        row = pages[erratum.page][erratum.row]
        if erratum.inside is None:
            row[erratum.column] = erratum.value
        else:
            cell = list(row[erratum.column])
            cell[erratum.inside] = erratum.value
            row[erratum.column] = tuple(cell)
    return tuple(tuple(tuple(row) for row in page) for page in pages)


def _by_cell(breaks: list[Found]) -> list[list[Found]]:
    """Group the breaks that share a cell: one wrong cell breaks its row and its column."""
    groups: list[tuple[set[Spot], list[Found]]] = []
    for each in breaks:
        spots = {each[1].first, each[1].second}
        joined = [group for group in groups if group[0] & spots]
        groups = [group for group in groups if not group[0] & spots]
        members = [one for group in joined for one in group[1]]
        groups.append((spots.union(*(group[0] for group in joined)), [*members, each]))
    return [members for _, members in groups]


def _cell_at(layout: ChartLayout, at: Spot) -> t.Code:
    page, row, column = at
    return layout.tables[page].rows[row + 1].cells[column + 1]


def _direction_text(way: str) -> str:
    return f"to the {way}" if way in ("right", "left") else way
