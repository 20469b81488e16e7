"""Errata: cells whose value differs from the printed one."""

from __future__ import annotations

from typing import Any

from enfilade.check.charts.cells import check_cell
from enfilade.check.charts.chart_layout import ChartLayout
from enfilade.check.charts.chart_shape import count_text
from enfilade.check.charts.labels import index_of
from enfilade.check.context import Context, note_of, similar
from enfilade.check.scope import Scope
from enfilade.check.types.expected_types import check_condition
from enfilade.core import ir
from enfilade.syntax import tree as t

MAX_LISTED = 12


def check_errata(
    ctx: Context, layout: ChartLayout, axes: tuple[ir.Axis, ir.Axis | None, ir.Axis | None], scope: Scope
) -> tuple[ir.Erratum, ...]:
    """Check the errata; *axes* are down, across and inside."""
    out = []
    for erratum in layout.errata:
        place = _check_place(ctx, erratum.place, layout, axes[0], axes[2])
        condition = None if erratum.condition is None else check_condition(ctx, erratum.condition, scope)
        if place is None or not layout.pieces(erratum.reads.text):
            continue
        value = _check_value(ctx, erratum, layout, axes[2], place[3])
        out.append(ir.Erratum(*place, value, condition, note_of(erratum.tail, erratum.span)))
    return tuple(out)


def _check_value(
    ctx: Context, erratum: t.Erratum, layout: ChartLayout, inside: ir.Axis | None, within: int | None
) -> Any:
    pieces = [t.Code(piece, erratum.reads.span) for piece in layout.pieces(erratum.reads.text)]
    # The check of the cells reports mistakes in the codes.
    with ctx.silently():
        values = tuple(check_cell(ctx, piece, layout.kind) for piece in pieces)
    wanted = len(inside.labels) if inside is not None and within is None else 1
    if len(values) != wanted:
        ctx.report(
            "cell-values",
            f"this erratum has {count_text(len(values), 'value')}, but {wanted} are needed",
            erratum.reads.span,
        )
    return (values * wanted)[:wanted] if inside is not None and within is None else values[0]


def _check_place(
    ctx: Context, place: t.Place, layout: ChartLayout, down: ir.Axis, inside: ir.Axis | None
) -> tuple[int, int, int, int | None] | None:
    row = _find_label(ctx, place.row, down.labels, "row")
    column = _find_label(ctx, place.column, tuple(code.text for code in layout.columns), "column")
    page = _find_page(ctx, place, layout)
    within = None
    for what, code in place.rest:
        if what == "inside":
            within = _find_label(ctx, code, inside.labels if inside else (), "value inside")
            if within is None:
                return None
    return None if row is None or column is None or page is None else (page, row, column, within)


def _find_page(ctx: Context, place: t.Place, layout: ChartLayout) -> int | None:
    named = [code for what, code in place.rest if what == "page"]
    if not named and len(layout.tables) == 1:
        return 0
    texts = [code.text for code in named]
    for number, page in enumerate(layout.tables):
        if [label.text for label in page.labels] == texts:
            return number
    labels = tuple(", ".join(label.text for label in page.labels) for page in layout.tables)
    if named:
        _find_label(ctx, t.Code(", ".join(texts), named[0].span), labels, "page")
    else:
        ctx.report("no-cell", "this erratum does not name a page", place.span, "add the page: `..., page LABEL`")
    return None


def _find_label(ctx: Context, code: t.Code, labels: tuple[str, ...], what: str) -> int | None:
    found = index_of(code.text, labels)
    if found is not None:
        return found
    close = similar(code.text, labels)
    ctx.report(
        "no-cell",
        f"the chart has no {what} `{code.text}`",
        code.span,
        f"did you mean `{close}`?" if close else "it has " + ", ".join(labels[:MAX_LISTED]),
    )
    return None
