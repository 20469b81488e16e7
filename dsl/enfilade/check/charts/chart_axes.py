"""The labels of a chart lowered to axes: rows, columns, header rows, inside values, pages."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from enfilade.check.charts.axes import AxisType, check_label
from enfilade.check.charts.axis_coverage import (
    AxisLabels,
    check_cover,
    check_header_gap,
    report_overlaps,
    with_modifiers,
)
from enfilade.check.charts.cell_marks import check_notes
from enfilade.check.charts.chart_edges import check_header_edges, check_limits, check_shift_edges
from enfilade.check.charts.chart_layout import ChartLayout
from enfilade.check.charts.chart_shape import count_text
from enfilade.check.charts.column_order import check_order
from enfilade.check.charts.labels import EMPTY, match_label
from enfilade.check.context import Context, note_of
from enfilade.check.demand import attached_blocks
from enfilade.check.scope import Scope
from enfilade.check.types import coverage
from enfilade.check.types.expected_types import check_condition
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Label as Mark
from enfilade.syntax import tree as t
from enfilade.values.types import Num


def check_rows(ctx: Context, type_: AxisType, tree: t.Chart, layout: ChartLayout, *, is_rolled: bool = True) -> ir.Axis:
    """Check the row labels: every page must print those of the first page."""
    printed = [[row.cells[0] for row in page.rows] for page in layout.tables]
    first = printed[0][1:]
    labelled = [check_label(ctx, code, type_) for code in first]
    present = [label for label in labelled if label is not None]
    natural = type_.type if type_.is_given and isinstance(type_.type, Num) else None
    type_ = with_modifiers(ctx, type_, tree, "roll") if is_rolled else type_
    noted = len(ctx.diagnostics)
    limits = check_limits(ctx, tree, "row", type_)
    cells = {row.cells[0].span.start: tuple(cell.text for cell in row.cells[1:]) for row in layout.tables[0].rows[1:]}
    whole = len(present) == len(labelled)
    check_cover(ctx, AxisLabels(tree, "row", type_, natural, present, whole, limits, cells))
    layout.lacks_rows = any(d.code == "table-gap" for d in ctx.diagnostics[noted:])
    texts_of_rows = tuple(code.text for code in first)
    for other in printed[1:]:
        # A page that begins with the first row has no header, which is reported elsewhere.
        texts = tuple(code.text for code in other)
        if None not in labelled and texts_of_rows not in (texts, texts[1:]):
            _report_page_rows(ctx, first, other[1:], tree)
    header = ir.Header(tuple(None if label is None else label.match for label in labelled))
    note = axis_note(layout.axes["down"]) if "down" in layout.axes else ir.NO_NOTE
    notes = check_notes(ctx, layout, "row", texts_of_rows)
    return ir.Axis(type_.node, type_.mode, texts_of_rows, (header,), note, limits, notes=notes)


def _report_page_rows(ctx: Context, first: list[t.Code], other: list[t.Code], tree: t.Chart) -> None:
    """Report the first row label of a page that is not that of the first page."""
    wanted, found = [code.text for code in first], [code.text for code in other]
    at = next(index for index in range(max(len(wanted), len(found))) if wanted[index:][:1] != found[index:][:1])
    place = other[min(at, len(other) - 1)] if other else tree.name
    span = place.span
    if at >= len(wanted):
        help_ = f"delete the row `{found[at]}`, or add it to the first page"
    elif at >= len(found) or found[at] in wanted:
        help_ = f"the row `{wanted[at]}` of the first page is missing here"
    else:
        help_ = f"the first page has the row `{wanted[at]}` here: split rows until all pages have the same rows"
    ctx.report("page-rows", "all pages must have the same row labels", span, help_)


def check_columns(
    ctx: Context, across: AxisType | None, find: AxisType | None, layout: ChartLayout, tree: t.Chart, scope: Scope
) -> ir.Axis | None:
    """Check the column labels, or the header rows if the chart has them instead."""
    columns = layout.columns
    texts = tuple(code.text for code in columns)
    _distinct_columns(ctx, columns)
    notes = check_notes(ctx, layout, "column", texts)
    if across is None:
        return ir.Axis(None, "contains", texts, (), notes=notes) if find is not None else None
    lines = [(line, line.cells) for line in layout.headers] or across.headers
    limits = check_limits(ctx, tree, "column", across)
    if lines:
        is_shifted = bool(attached_blocks(ctx, tree.name.name, "shift"))
        headers = tuple(check_header(ctx, line, cells, across, len(texts), scope, is_shifted) for line, cells in lines)
        check_header_edges(ctx, headers, across, tree, limits)
        check_header_gap(ctx, headers, across)
    else:
        labelled = [check_label(ctx, code, across) for code in columns]
        headers = (ir.Header(tuple(None if label is None else label.match for label in labelled)),)
        present = [label for label in labelled if label is not None]
        whole = len(present) == len(labelled) and not layout.has_wrong_header
        check_cover(ctx, AxisLabels(tree, "column", across, None, present, whole, limits))
        if attached_blocks(ctx, tree.name.name, "shift"):
            check_order(ctx, present, across.type)
    check_shift_edges(ctx, tree)
    note = axis_note(layout.axes["across"])
    return ir.Axis(across.node, across.mode, texts, headers, note, limits, notes=notes)


def _distinct_columns(ctx: Context, columns: Sequence[t.Code]) -> None:
    seen: dict[str, t.Code] = {}
    for code in columns:
        if code.text in seen and code.text not in EMPTY:
            ctx.report(
                "duplicate-column",
                f"the column `{code.text}` is repeated",
                code.span,
                labels=(Mark(seen[code.text].span, "first here"),),
            )
        seen.setdefault(code.text, code)


def check_header(
    ctx: Context,
    line: t.HeaderLine,
    cells: tuple[t.Code, ...],
    axis: AxisType,
    width: int,
    scope: Scope,
    is_shifted: bool = False,
) -> ir.Header:
    """Check one header row: its condition and its labels."""
    condition = None if line.condition is None else check_condition(ctx, line.condition, scope)
    if len(cells) != width:
        few = ("write `•` for a column where no label begins",) if len(cells) < width else ()
        message = (
            f"this header row has {count_text(len(cells), 'label')}, but the chart has {count_text(width, 'column')}"
        )
        ctx.report("ragged-row", message, line.span, *few)
    labels = [None if code.text in EMPTY else check_label(ctx, code, axis) for code in cells]
    matches = tuple(None if label is None else label.match for label in labels)
    if is_shifted:
        check_order(ctx, [label for label in labels if label is not None], axis.type)
    if axis.mode == "contains" and isinstance(axis.type, Num):
        present = [label for label in labels if label is not None]
        whole = len(present) == len([code for code in cells if code.text not in EMPTY])
        gaps = coverage.gaps_of([label.match for label in present], axis.type) if whole else []
        overlaps = coverage.overlaps_of(present)
        report_overlaps(ctx, "column", overlaps, gaps)
        for gap in gaps[len(overlaps) :]:
            ctx.report("table-gap", f"this header row does not cover {gap}", line.span)
    texts = tuple(None if code.text in EMPTY else code.text for code in cells)
    short = (None,) * (width - len(cells))
    note = note_of(line.tail, line.span)
    return ir.Header((matches + short)[:width], condition, note, (texts + short)[:width])


def inside_axis(type_: AxisType | None, layout: ChartLayout) -> ir.Axis | None:
    """The axis of the values inside a cell."""
    if type_ is None or type_.values is None:
        return None
    matches = tuple(match_label(text, type_.type, "contains", None) for text in type_.values)
    return ir.Axis(type_.node, "contains", type_.values, (ir.Header(matches),), axis_note(layout.axes["inside"]))


def check_pages(
    ctx: Context, layout: ChartLayout, types: list[AxisType], tree: t.Chart
) -> tuple[tuple[ir.Axis, ...], dict[tuple[int, ...], int]]:
    """Check the page labels; return the axes and the page for each combination of their labels."""
    if not types:
        if len(layout.tables) > 1:
            ctx.report("chart-shape", "a chart with pages needs a `pages` line", tree.name.span, "add `pages ...`")
        return (), {}
    axes, index = [], {}
    for way, type_ in enumerate(types):
        codes = {page.labels[way].text: page.labels[way] for page in layout.tables if len(page.labels) > way}
        labels = [check_label(ctx, code, type_) for code in codes.values()]
        present = [label for label in labels if label is not None]
        check_cover(ctx, AxisLabels(tree, "page", type_, None, present, len(present) == len(labels)))
        header = ir.Header(tuple(None if label is None else label.match for label in labels))
        axes.append(ir.Axis(type_.node, "contains", tuple(codes), (header,), axis_note(layout.pages[way])))
    for number, page in enumerate(layout.tables):
        if len(page.labels) != len(types):
            ctx.report(
                "chart-shape",
                f"this page needs {count_text(len(types), 'label')}",
                page.labels[0].span if page.labels else tree.name.span,
            )
            continue
        key = tuple(axes[way].labels.index(label.text) for way, label in enumerate(page.labels))
        if key in index:
            names = ", ".join(label.text for label in page.labels)
            ctx.report("duplicate-name", f"the page {names} is repeated", page.labels[0].span)
        index[key] = number
    for key in product(*(range(len(axis.labels)) for axis in axes)):
        if key not in index:
            names = ", ".join(axis.labels[at] for axis, at in zip(axes, key, strict=True))
            ctx.report("table-gap", f"the chart has no page for {names}", tree.name.span)
    return tuple(axes), index


def axis_note(line: t.AxisLine) -> ir.Note:
    """The label, citations and assumption of an axis line, or an empty note."""
    note = note_of(line.tail, line.span)
    return note if note.label or note.cites or note.assumed else ir.NO_NOTE
