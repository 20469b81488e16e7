"""Values given where a chart is read: ``read numbers with all``, ``numbers(all)``.

An axis that states only a type (``down 0..14``) always needs one. Of a chart without dice, the value of the first axis
may be given too; what that axis says is then the default.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from attrs import frozen

from enfilade.check.context import ChartValue, Context
from enfilade.check.scope import Scope
from enfilade.check.types import coverage
from enfilade.check.types.coercions import coerce
from enfilade.check.types.expected_types import check_expression
from enfilade.check.types.reports import report_mismatch
from enfilade.check.types.type_relations import is_assignable
from enfilade.check.types.written_types import parameter_types
from enfilade.core import ir
from enfilade.core.rewrite import replaced
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes
from enfilade.values.types import Listed, Num, RollOf, Unknown, Word, with_article


@frozen
class GivenValues:
    """The arguments of one lookup, and the value or roll that finds the row if the chart itself does not say it."""

    args: tuple[ir.Expr, ...]
    row: ir.Expr | None


def takes_row_value(ctx: Context, chart: str) -> bool:
    """Whether the value that finds the row, or stands in it, is given where a chart is read, and is no roll."""
    return any(value.slot is None for value in ctx.chart_values.get(chart, ()))


def check_chart_values(
    ctx: Context, chart: ir.Chart, args: tuple[t.Expr, ...], key: t.Expr | None, span: Span, scope: Scope
) -> GivenValues | None:
    """Check the arguments of a lookup and the values that find its row, column or page.

    Args:
        ctx: The context.
        chart: The chart.
        args: The arguments in parentheses: those of the parameters first.
        key: The value after ``with`` or ``for``, if any.
        span: The place of the lookup.
        scope: The names visible there.

    Returns:
        The values, or ``None`` if their number is wrong.
    """
    types = parameter_types(ctx, "chart", chart.name)
    values = ctx.chart_values.get(chart.name, ())
    given = [*([] if key is None else [key]), *args[len(types) :]]
    if len(args) < len(types) or len(given) > len(values):
        _report_count(ctx, chart, len(types), len(args) + (key is not None), span)
        return None
    nodes = tuple(_check_argument(ctx, arg, type_, scope) for arg, type_ in zip(args, types, strict=False))
    bound = dict(zip(chart.params, nodes, strict=False))
    found: list[ir.Expr] = []
    # What is left after the values without a default is given to the first axes with one.
    more = len(given) - sum(value.default is None for value in values)
    for value in values:
        is_given = bool(given) and (value.default is None or more > 0)
        more -= is_given and value.default is not None
        if is_given:
            found.append(_check_value(ctx, chart, value, given.pop(0), scope))
        elif value.default is None:
            _report_missing(ctx, chart, value, span)
            return None
        else:
            found.append(_with_arguments(value.default, bound))
    rows = [node for value, node in zip(values, found, strict=True) if value.slot is None]
    extra = tuple(node for value, node in zip(values, found, strict=True) if value.slot is not None)
    return GivenValues((*nodes, *extra), rows[0] if rows else None)


def values_given(ctx: Context, chart: str) -> dict[str, ChartValue]:
    """The values without a default, by the names of their words, or of their axes."""
    found: dict[str, ChartValue] = {}
    for value in ctx.chart_values.get(chart, ()):
        name = value.type.name if isinstance(value.type, Word) and value.type.name else value.way
        if value.default is None:
            found[value.way if name in found else name] = value
    return found


def look_up_values(
    ctx: Context, chart: str, args: tuple[ir.Expr, ...], given: tuple[ir.Expr, ...]
) -> tuple[ir.Expr | None, tuple[ir.Expr, ...]]:
    """The value that finds the row, if it is given, and the arguments of a lookup that gives all values.

    Args:
        ctx: The context.
        chart: The chart.
        args: The arguments of its parameters.
        given: The values without a default, in the order of `values_given`.
    """
    bound = dict(zip((p.name.name for p in ctx.symbols.charts[chart].params), args, strict=True))
    left = list(given)
    row: ir.Expr | None = None
    for value in ctx.chart_values.get(chart, ()):
        node = left.pop(0) if value.default is None else _with_arguments(value.default, bound)
        if value.slot is None:
            row = node
        else:
            args = (*args, node)
    return row, args


def _with_arguments(default: ir.Expr, bound: dict[str, ir.Expr]) -> ir.Expr:
    return replaced(default, lambda node: bound.get(node.name) if isinstance(node, ir.Local) else None)


def _check_argument(ctx: Context, tree: t.Expr, type_: Any, scope: Scope) -> ir.Expr:
    typed = check_expression(ctx, tree, scope, type_)
    if not isinstance(type_, RollOf):
        typed = coerce(typed)
    if not is_assignable(typed.type, type_):
        report_mismatch(ctx, type_, typed.type, tree.span)
    return typed.node


def _check_value(ctx: Context, chart: ir.Chart, value: ChartValue, tree: t.Expr, scope: Scope) -> ir.Expr:
    typed = coerce(check_expression(ctx, tree, scope, value.type))
    if isinstance(typed.type, Unknown) or isinstance(value.type, Unknown):
        return typed.node
    if isinstance(typed.type, Num) and isinstance(value.type, Num):
        if not _is_covered(chart, value, value.type, typed.type):
            _report_range(ctx, chart, value, typed.type, tree.span)
    elif isinstance(typed.type, Word) and isinstance(value.type, Word):
        other = [word for word in typed.type.words if word not in value.type.words]
        if other:
            message = f"`{chart.name}` has no {_LABELS[value.way]} for {', '.join(other)}"
            ctx.report("roll-mismatch", message, tree.span)
    elif not is_assignable(typed.type, value.type):
        report_mismatch(ctx, value.type, typed.type, tree.span)
    return typed.node


def _is_covered(chart: ir.Chart, value: ChartValue, stated: Num, got: Num) -> bool:
    """Whether the chart has a cell, or an edge, for every number that is given for one of its axes.

    An axis that lists its values says that others can't come, so one of them is an error in play.
    """
    if isinstance(stated, Listed):
        return any(map(got.has, stated.values))
    if value.slot is None:
        return covers(got, range_of_rows(stated, chart), chart)
    axis = {"across": chart.across, "down": chart.down}.get(value.way)
    is_labelled = axis is not None and len(axis.headers) == 1
    wanted = range_of_labels(stated, axis) if axis is not None and is_labelled else stated
    return covers(got, wanted, chart, {"across": "column", "down": "row"}.get(value.way))


def range_of_rows(stated: Num, chart: ir.Chart) -> Num:
    """The numbers that have a row: those that the axis itself can have, and those of the labels."""
    return stated if chart.finds_roll else range_of_labels(stated, chart.down)


def range_of_labels(stated: Num, axis: ir.Axis) -> Num:
    """The numbers that an axis itself can have, and those of its labels."""
    matches = [match for match in axis.headers[0].matches if match is not None]
    if not matches:
        return stated
    low, high = coverage.span_of(matches)
    is_open = (axis.mode == "above", axis.mode == "below")
    return Num(
        None if is_open[0] or low is None or stated.low is None else min(low, stated.low),
        None if is_open[1] or high is None or stated.high is None else max(high, stated.high),
    )


def covers(got: Num, wanted: Num, chart: ir.Chart, what: str | None = "") -> bool:
    """Whether the chart has a row or a cell, or an edge, for every number of a range; *what* has the edges."""
    what = what if what != "" else "column" if chart.finds_roll else "row"
    low = wanted.low is None or (got.low is not None and got.low >= wanted.low) or f"{what} below" in chart.edges
    high = wanted.high is None or (got.high is not None and got.high <= wanted.high) or f"{what} above" in chart.edges
    return low and high


_LABELS = {"down": "row", "find": "cell", "across": "column", "inside": "value in a cell", "pages": "page"}


def _report_range(ctx: Context, chart: ir.Chart, value: ChartValue, got: Num, span: Span) -> None:
    edge = {"across": "column", "find": "column", "down": "row"}.get(value.way)
    ctx.report(
        "roll-mismatch",
        f"`{chart.name}` needs {with_article(value.type)}, but this is {with_article(got)}",
        span,
        f"limit the value with `but within ...`, or add `{edge} below ...` or `{edge} above ...` to the chart"
        if edge is not None
        else "limit the value with `but within ...`",
    )


def _report_count(ctx: Context, chart: ir.Chart, declared: int, given: int, span: Span) -> None:
    values = ctx.chart_values.get(chart.name, ())
    names = [*chart.params[:declared], *(value.way for value in values)]
    count = f"{len(names)} argument" + ("" if len(names) == 1 else "s") if names else "no arguments"
    wanted = f"{chart.name}({', '.join(names)})" if names else chart.name
    ctx.report("arguments", f"`{chart.name}` takes {count}, but gets {given}", span, f"write `{wanted}`")


def _report_missing(ctx: Context, chart: ir.Chart, value: ChartValue, span: Span) -> None:
    example = {Word: "WORD", Num: "NUMBER"}.get(type(value.type), "VALUE")
    ctx.report(
        "arguments",
        f"the `{value.way}` line of `{chart.name}` has only a type, so a value is needed here",
        span,
        f"write `read {chart.name} with {example} as ...`, or `{chart.name}({example})` in an expression",
    )


def values_given_to(ctx: Context, tree: t.Chart, *, is_rolled: bool) -> int:
    """The most values of axes that some step or expression gives a chart; a roll is none of them."""
    found = [args + (has_key and not is_rolled) for args, has_key in ctx.query(_readings_with_values, tree.name.name)]
    return max(found, default=0)


def _readings_with_values(ctx: Context, chart: str) -> frozenset[tuple[int, bool]]:
    if ctx.read_with_values is None:
        ctx.read_with_values = {}
        for name, args, has_key in _values_in_readings(ctx):
            ctx.read_with_values.setdefault(name, set()).add((args, has_key))
    return frozenset(ctx.read_with_values.get(chart, ()))


def _values_in_readings(ctx: Context) -> Iterator[tuple[str, int, bool]]:
    """For each reading, the chart, the values after those of its parameters, and whether one stands after `with`."""
    counts = {name: len(tree.params) for name, tree in ctx.symbols.charts.items()}
    selecting = {
        name
        for name, tree in ctx.symbols.charts.items()
        if any(isinstance(item.line, t.CellsLine) and item.line.kind == "charts" for item in tree.items)
    }
    trees = ctx.symbols.declarations
    for node in (node for tree in trees for node in ctx.kept("readings", (tree,), partial(_readings_in, tree))):
        name = node.chart.name if isinstance(node, t.Read) else node.name.name
        has_key = isinstance(node, t.Read) and (
            (node.roll is not None and name not in selecting) or (node.each is None and node.readers is not None)
        )
        if name in counts:
            yield name, max(0, len(node.args) - counts[name]), has_key


def _readings_in(tree: t.Declaration) -> tuple[t.Read | t.Invoke, ...]:
    # The rows of a chart are many, and read nothing.
    inside: Any = tuple(item.line for item in tree.items) if isinstance(tree, t.Chart) else tree
    return tuple(node for node in nodes(inside) if isinstance(node, (t.Read, t.Invoke)))
