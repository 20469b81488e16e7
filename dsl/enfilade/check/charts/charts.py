"""Charts: printed tables lowered to axes, cells and edges."""

from __future__ import annotations

from functools import partial

from attrs import evolve

from enfilade.check.charts.axes import AxisType, check_axis, is_dice
from enfilade.check.charts.axis_coverage import with_modifiers
from enfilade.check.charts.cell_marks import note_marks
from enfilade.check.charts.cells import check_cell, check_cells, split_cells
from enfilade.check.charts.chart_axes import axis_note, check_columns, check_pages, check_rows, inside_axis
from enfilade.check.charts.chart_edges import check_stray_edges
from enfilade.check.charts.chart_layout import ChartLayout, layout_of, transpose
from enfilade.check.charts.chart_shape import (
    check_modifier_targets,
    check_page_headers,
    check_readable,
    check_shape,
    check_surplus,
    has_shape,
)
from enfilade.check.charts.code_parts import note_code_parts
from enfilade.check.charts.errata import check_errata
from enfilade.check.charts.row_search import check_finders
from enfilade.check.charts.severity_rules import check_severity, check_severity_rules
from enfilade.check.context import ChartValue, Context, note_of
from enfilade.check.expressions.chart_values import values_given_to
from enfilade.check.scope import Scope
from enfilade.check.types.expected_types import check_condition
from enfilade.check.types.satisfiability import POISON
from enfilade.check.types.written_types import parameter_scope
from enfilade.core import ir
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.types import Unknown, Word


def check_chart(ctx: Context, tree: t.Chart) -> ir.Chart | None:
    """Check a chart; ``None`` if it has no axis, no rows or no columns."""
    layout = layout_of(tree, partial(_report_duplicate, ctx))
    scope, params = parameter_scope(ctx, tree.params, f"chart {tree.name.name}")
    if not has_shape(ctx, tree, layout):
        return None
    across_line = layout.axes.get("across")
    has_columns_alone = layout.is_one_row and "down" not in layout.axes
    if across_line is not None and has_columns_alone and is_dice(ctx, across_line.axis):
        transpose(layout)
    types = {way: _without_dice(ctx, line, check_axis(ctx, line.axis, scope)) for way, line in layout.axes.items()}
    if "find" in types and types["find"].dice and "down" in types and types["down"].dice:
        message = "the dice are on the `down` line already"
        ctx.report("dice-axis", message, layout.axes["find"].span, "delete the dice from one of the two lines")
        types["find"] = evolve(types["find"], type=Unknown(), dice=(), node=POISON)
    if "down" not in types:
        types["down"] = _only_row(layout)
    page_types = [_without_dice(ctx, line, check_axis(ctx, line.axis, scope)) for line in layout.pages]
    params = _take_values(ctx, tree, types, page_types, "down" not in layout.axes, params)
    if across_line is not None and is_dice(ctx, across_line.axis) and not has_columns_alone:
        # The dice belong on the `down` line: what the chart is read with is unclear.
        values = ctx.chart_values[tree.name.name]
        ctx.chart_values[tree.name.name] = tuple(evolve(value, type=Unknown()) for value in values)
    _check_inside(ctx, layout, types)
    return _check_parts(ctx, tree, layout, types, page_types, scope, params)


def _only_row(layout: ChartLayout) -> AxisType:
    """The axis of a chart with columns alone: it always finds the only row."""
    label = layout.tables[0].rows[1].cells[0]
    word = Word((label.text,))
    return AxisType(ir.Const(label.text, label.span, word), word, "contains", None, (), None, [], label.span)


def _take_values(
    ctx: Context,
    tree: t.Chart,
    types: dict[str, AxisType],
    page_types: list[AxisType],
    has_columns_alone: bool,
    params: tuple[str, ...],
) -> tuple[str, ...]:
    """Note the values that are given where the chart is read; return its parameters with those that hold them."""
    find = types.get("find")
    finds_roll = find is not None and find.is_given
    axes: list[tuple[str, str | None, AxisType]] = []
    if find is not None and find.is_typed:
        axes.append(("find", None, find))
    for way in ("down", "across", "inside"):
        if way in types and not (way == "down" and has_columns_alone):
            axes.append((way, None if way == "down" and not finds_roll else way, types[way]))
    axes += [("pages", f"page {at}", type_) for at, type_ in enumerate(page_types, start=1)]
    more = values_given_to(ctx, tree, is_rolled=bool(types["down"].dice or (find is not None and find.dice)))
    more -= sum(type_.is_typed for _, _, type_ in axes)
    values: list[ChartValue] = []
    for way, slot, type_ in axes:
        is_default = not type_.is_typed and type_.node is not None and more > 0
        if type_.is_typed or is_default:
            more -= is_default
            values.append(ChartValue(way, type_.type, type_.node if is_default else None, slot))
            node = None if slot is None else ir.Local(slot, type_.span, type_.type)
            _put(types, page_types, way, type_, evolve(type_, node=node))
    ctx.chart_values[tree.name.name] = tuple(values)
    return (*params, *(value.slot for value in values if value.slot is not None))


def _put(types: dict[str, AxisType], page_types: list[AxisType], way: str, before: AxisType, after: AxisType) -> None:
    if way == "pages":
        page_types[next(at for at, each in enumerate(page_types) if each is before)] = after
    elif way != "find":
        types[way] = after


def _report_duplicate(ctx: Context, what: str, span: Span) -> None:
    ctx.report("duplicate-name", f"the chart has two `{what}` lines", span)


def _without_dice(ctx: Context, line: t.AxisLine, type_: AxisType) -> AxisType:
    if line.way not in ("down", "find") and type_.dice:
        ctx.report(
            "dice-axis",
            f"`{line.way}` can't be dice, because a roll selects the row",
            line.span,
            "put the dice on the `down` line",
        )
        return evolve(type_, type=Unknown(), dice=(), values=None)
    return type_


def _check_inside(ctx: Context, layout: ChartLayout, types: dict[str, AxisType]) -> None:
    if "inside" in types and types["inside"].values is None:
        if not isinstance(types["inside"].type, Unknown):
            ctx.report(
                "inside-open",
                "the values inside a cell must be words, or numbers of a limited range",
                layout.axes["inside"].span,
                "state the range: `inside 1..3 of ...`",
            )
        types["inside"] = evolve(types["inside"], values=())


def _check_parts(
    ctx: Context,
    tree: t.Chart,
    layout: ChartLayout,
    types: dict[str, AxisType],
    page_types: list[AxisType],
    scope: Scope,
    params: tuple[str, ...],
) -> ir.Chart:
    across, find = types.get("across"), types.get("find")
    check_readable(ctx, layout)
    check_shape(ctx, layout, across, find)
    # Die roll modifiers add to the dice; without dice, to the number that is found in the row.
    adds_to_find = find is not None and types["down"].node is not None
    check_modifier_targets(ctx, tree, find if adds_to_find and find is not None else types["down"], across)
    if adds_to_find and find is not None:
        find = with_modifiers(ctx, find, tree, "roll")
    down = check_rows(ctx, types["down"], tree, layout, is_rolled=not adds_to_find)
    across_axis = check_columns(ctx, across, find, layout, tree, scope)
    check_page_headers(ctx, layout, across_axis)
    check_stray_edges(ctx, tree, types["down"], across, find)
    inside = inside_axis(types.get("inside"), layout)
    cut, printed = split_cells(ctx, layout, inside)
    code_type, values = check_cells(ctx, tree, layout, cut, inside)
    ctx.names.types[tree.name.span] = code_type
    pages, page_index = check_pages(ctx, layout, page_types, tree)
    chart = ir.Chart(
        name=tree.name.name,
        params=params,
        pages=pages,
        page_index=page_index,
        down=down,
        across=across_axis,
        inside=inside,
        find=None if find is None else ir.Axis(find.node, "contains", (), (), axis_note(layout.axes["find"])),
        finders=check_finders(ctx, layout, find),
        cells=values,
        printed=printed,
        cell_kind=layout.kind,
        code_type=code_type,
        severity=layout.severity,
        severity_rules=check_severity_rules(ctx, layout, down, across_axis),
        edges=_check_edges(ctx, layout, scope),
        errata=check_errata(ctx, layout, (down, across_axis, inside), scope),
        shifts=(),
        roll_modifiers=(),
        corner=layout.tables[0].rows[0].cells[0].text,
        dice=types["down"].dice or (() if find is None else find.dice),
        note=note_of(tree.tail, tree.name.span),
        columns=tuple(code.text for code in layout.tables[0].rows[0].cells[1:]),
        restored=_restored(layout),
        surplus=check_surplus(ctx, layout),
        marks=tuple((mark.sign.text, note_of(mark.tail, mark.span)) for mark in layout.marks),
    )
    check_severity(ctx, layout, chart)
    note_code_parts(ctx, tree, layout, chart)
    note_marks(ctx, tree, layout, chart)
    return chart


def _check_edges(ctx: Context, layout: ChartLayout, scope: Scope) -> dict[str, ir.Edge]:
    edges: dict[str, ir.Edge] = {}
    for edge in layout.edges:
        if edge.where in edges:
            ctx.report("duplicate-name", f"the chart has two lines for `{edge.where}`", edge.span)
        actions = tuple(_check_action(ctx, action, layout, scope) for action in edge.actions)
        edges[edge.where] = ir.Edge(edge.where, actions, note_of(edge.tail, edge.span))
    return edges


def _check_action(ctx: Context, action: t.EdgeAction, layout: ChartLayout, scope: Scope) -> ir.EdgeAction:
    condition = None if action.condition is None else check_condition(ctx, action.condition, scope)
    if action.act != "gives" or action.name is None:
        return ir.EdgeAction(action.act, action.name, condition)
    # The check of the cells has reported its mistakes.
    with ctx.silently():
        value = check_cell(
            ctx,
            t.Code(action.name, action.span),
            "codes" if "find" in layout.axes and layout.kind != "words" else layout.kind,
        )
    return ir.EdgeAction(action.act, value, condition)


def _restored(layout: ChartLayout) -> frozenset[tuple[int, int, int]]:
    """The positions of illegible cells that an erratum restores."""
    marks = {id(cell) for cell in layout.restored}
    return frozenset(
        (page, row, column)
        for page, table in enumerate(layout.tables)
        for row, line in enumerate(table.rows[1:])
        for column, cell in enumerate(line.cells[1:])
        if id(cell) in marks
    )
