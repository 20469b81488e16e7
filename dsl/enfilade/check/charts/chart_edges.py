"""Edges of a chart: whether a value or a column shift can pass them, and whether the chart has a rule for that case."""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.check.charts.axes import AxisType, check_label
from enfilade.check.context import Context
from enfilade.check.demand import attached_blocks
from enfilade.check.types import coverage
from enfilade.check.types.coverage import Labelled
from enfilade.core import ir
from enfilade.core.chart_labels import highest, lowest
from enfilade.diagnostics.diagnostic import Subject
from enfilade.syntax import tree as t
from enfilade.values import intervals
from enfilade.values.types import Num, TallyOf, Unknown


def edges_of(chart: t.Chart) -> list[t.Edge]:
    """The edges that a chart states."""
    return [item.line for item in chart.items if isinstance(item.line, t.Edge)]


def check_edge(ctx: Context, name: str, reached: bool, num: Num, end: Labelled, chart: t.Chart, dice: bool) -> None:
    """Report a reachable edge without a rule; warn of a rule for an unreachable edge."""
    edge = next((edge for edge in edges_of(chart) if edge.where == name), None)
    what, side = name.split()
    if reached and edge is None:
        value = num.low if side == "below" else num.high
        shown = "without limit" if value is None else f"as {'low' if side == 'below' else 'high'} as {value}"
        ctx.report(
            "edge-unsaid",
            f"the value can be {side} every label ({shown}), but the chart has no rule for this",
            end.span,
            f"add a line `{name} stays`, `{name} gives CODE` or `{name} refuse SLUG`",
            about=Subject((name,)),
        )
    if not reached and edge is not None and not (what == "row" and (dice or _has_stray_modifiers(ctx))):
        ctx.warn("edge-unreachable", f"no value can be {side} the {what} labels", edge.span)


def check_limits(ctx: Context, chart: t.Chart, what: str, axis: AxisType) -> tuple[ir.Limit, ...]:
    """The numbers from which on a value is off the chart: ``column 6:1 or more gives DE``."""
    found = []
    for edge in edges_of(chart):
        if edge.at is None or not edge.where.startswith(what) or not isinstance(axis.type, Num):
            continue
        label = check_label(ctx, edge.at, axis)
        side = edge.where.split()[1]
        end = None if label is None else (lowest if (side == "above") is edge.included else highest)(label.match)
        if label is not None and end is None:
            end = (highest if (side == "above") is edge.included else lowest)(label.match)
        if end is not None:
            found.append(ir.Limit(side, end, edge.included))
    return tuple(found)


def passes_limit(limits: Sequence[ir.Limit], side: str, num: Num) -> bool | None:
    """Whether a value can be off the chart because of a limit; ``None`` if that side has none."""
    limit = next((each for each in limits if each.side == side), None)
    if limit is None:
        return None
    end = num.high if side == "above" else num.low
    beyond = end is None or (end > limit.at if side == "above" else end < limit.at)
    return beyond or (limit.included and end == limit.at)


def check_header_edges(
    ctx: Context, headers: Sequence[ir.Header], axis: AxisType, tree: t.Chart, limits: Sequence[ir.Limit]
) -> None:
    """Check the column edges of header rows whose bands do not cover every value."""
    if not isinstance(axis.type, Num):
        return
    present = [[m for m in header.matches if m is not None] for header in headers]
    if not any(present):
        return
    end = Labelled("", ir.Match(), axis.span)
    below = any(coverage.reaches_below(matches, axis.type, axis.mode) for matches in present if matches)
    above = any(coverage.reaches_above(matches, axis.type, axis.mode) for matches in present if matches)
    for side, reached in (("below", below), ("above", above)):
        passed = passes_limit(limits, side, axis.type)
        check_edge(ctx, f"column {side}", reached if passed is None else passed, axis.type, end, tree, False)


def check_shift_edges(ctx: Context, tree: t.Chart) -> None:
    """Check the edges that column shifts can reach."""
    total = Num(0, 0)
    for block in attached_blocks(ctx, tree.name.name, "shift"):
        total = intervals.add(total, total_of_block(block))
    stated = {edge.where: edge for edge in edges_of(tree)}
    for side, reached in (
        ("left", total.low is None or total.low < 0),
        ("right", total.high is None or total.high > 0),
    ):
        name = f"shift {side}"
        if reached and name not in stated:
            ctx.report(
                "edge-unsaid",
                f"modifiers can shift the column past the {side} edge of {tree.name.name}, but the chart has no rule for this",
                tree.name.span,
                f"add a line `shift off {side} stays`, `gives CODE` or `refuse SLUG`",
                about=Subject((f"shift off {side}",)),
            )
        if not reached and name in stated and not ctx.query(_has_stray_modifiers):
            ctx.warn("edge-unreachable", f"no modifier shifts to the {side}", stated[name].span)


def _has_stray_modifiers(ctx: Context) -> bool:
    """Whether any modifier has an unknown amount or chart."""
    if ctx.unknown_modifiers:
        return True
    charts = [chart.name for block in ctx.symbols.modifiers.values() for chart in block.charts]
    return any(name not in ctx.symbols.charts for name in charts)


def check_stray_edges(
    ctx: Context, tree: t.Chart, down: AxisType, across: AxisType | None, find: AxisType | None
) -> None:
    """Warn of rules for edges of an axis without edges: an axis of words, or columns that are not looked up."""
    column = across if find is None else find
    for edge in edges_of(tree):
        what = edge.where.split()[0]
        axis = down if what == "row" else column
        if what == "shift" and across is not None:
            continue
        if axis is None or what == "shift":
            ctx.warn("edge-unreachable", "this chart has no columns to look up", edge.span)
        elif not isinstance(axis.type, (Num, Unknown)):
            ctx.warn("edge-unreachable", f"the {what}s are words, so no value is below or above them", edge.span)


def total_of_block(block: ir.ModBlock) -> Num:
    """The range of the total of a block of modifiers."""
    return block.type.total if isinstance(block.type, TallyOf) else Num()
