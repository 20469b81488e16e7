"""The shape of a chart: its required lines, the width of its rows, its pages and its surplus columns."""

from __future__ import annotations

from enfilade.check.axes import AxisType
from enfilade.check.context import Context, note_of
from enfilade.check.draft import UNREADABLE, Draft
from enfilade.check.labels import index_of
from enfilade.core import ir
from enfilade.core.types import Num, Unknown
from enfilade.diagnostics.diagnostic import Label as Mark
from enfilade.syntax import tree as t

MAX_CELLS = 100_000


def has_shape(ctx: Context, tree: t.Chart, draft: Draft) -> bool:
    if _has_lost_header(ctx, tree, draft) or tree.like is not None:
        return False
    down = draft.axes.get("down")
    cells = sum(len(row.cells) for page in draft.tables for row in page.rows)
    if cells > MAX_CELLS:
        ctx.report("chart-too-large", f"a chart has at most {MAX_CELLS} cells", tree.name.span)
        return False
    if down is None or not draft.tables or not draft.tables[0].rows:
        what = "`down` line" if down is None else "rows"
        ctx.report(
            "chart-shape",
            f"the chart `{tree.name.name}` has no {what}",
            tree.name.span,
            "say what finds the row (`down 2d6`), and give a header row and rows",
        )
        return False
    if draft.width < 1:
        ctx.report("chart-shape", "a header row has a corner and at least one column",
                        draft.tables[0].rows[0].span)  # fmt: skip
        return False
    return True


def _has_lost_header(ctx: Context, tree: t.Chart, draft: Draft) -> bool:
    """Whether a line was not read without which no row is where it seems to be: a header, or a page."""
    source = tree.span.source
    rows = draft.tables[0].rows if draft.tables else []
    end = rows[0].span.start if rows else len(source.text)
    lost = [each for each in ctx.lost if each.span.source is source and each.span.start <= tree.span.start]
    lines = [line for each in lost if tree.span.start < each.span.end for line in each.lines]
    return any(source.text[line:].lstrip(" \t").startswith("|") == (line < end) for line in lines)


def check_shape(ctx: Context, draft: Draft, across: AxisType | None, find: AxisType | None) -> None:
    header = draft.tables[0].rows[0]
    if across is None and find is None and draft.width != 1:
        ctx.report(
            "chart-shape",
            f"the chart has {draft.width} columns, and no `across` line says what finds one",
            header.span,
            "add `across ...`",
        )
    if across is not None and find is not None:
        ctx.report("chart-shape", "a chart has `across` or `find`, not both", draft.axes["find"].span, "leave one out")
    if across is None and draft.headers:
        ctx.report("chart-shape", "header rows need an `across` line", draft.headers[0].span, "add `across ...`")
    for page in draft.tables:
        head = page.rows[0] if page.rows else None
        if len(page.rows) < 2:
            span = head.span if head is not None else page.labels[0].span
            ctx.report("chart-shape", "a header row without rows below it", span)
        if page is draft.tables[0] and draft.has_wrong_header:
            _report_ragged_header(ctx, page.rows[0], page.rows[1])
            continue
        for row in page.rows[1:]:
            if len(row.cells) - 1 != draft.width and not draft.has_wrong_header:
                ctx.report(
                    "ragged-row",
                    f"this row has {count_text(len(row.cells) - 1, 'cell')}, and the header {draft.width}",
                    row.span,
                    *(f"is a bar missing in `{cell.text}`?" for cell in draft.lost_bars(row)),
                    labels=(Mark(header.span, f"{draft.width} columns"),),
                )


def _report_ragged_header(ctx: Context, header: t.Row, row: t.Row) -> None:
    """All rows agree with one another: the header is wrong."""
    ctx.report(
        "ragged-row",
        f"the header has {len(header.cells) - 1} columns, and each row {len(row.cells) - 1} cells",
        header.span,
        labels=(Mark(row.span, f"{len(row.cells) - 1} cells"),),
    )


def check_surplus(ctx: Context, draft: Draft) -> tuple[ir.Surplus, ...]:
    """The columns that are printed and never looked up."""
    if not draft.surplus:
        return ()
    present = {cell.text for page in draft.beyond for cell in (page.rows[0].cells if page.rows else ())}
    for label in (label for line in draft.surplus for label in line.labels):
        if label.text not in present:
            ctx.report("no-cell", f"the chart has no column `{label.text}`", label.span)
    note = note_of(draft.surplus[0].tail, draft.surplus[0].span)
    texts = [tuple(tuple(cell.text for cell in row.cells) for row in page.rows) for page in draft.beyond]
    return tuple(ir.Surplus(rows[0] if rows else (), rows[1:], note) for rows in texts)


def check_readable(ctx: Context, draft: Draft) -> None:
    """A cell that can't be read needs an erratum that says how it is read."""
    if any(not _finds_cell(draft, erratum) for erratum in draft.errata):
        return  # It may be the one for this cell: its own mistake is told.
    for page in draft.tables:
        for row in page.rows[1:]:
            for at, cell in enumerate(row.cells[1 : draft.width + 1], start=1):
                if cell.text == UNREADABLE:
                    where = f"row {row.cells[0].text}, column {page.rows[0].cells[at].text}"
                    message = "this cell can't be read, and nothing says how it is read"
                    help_ = f'add a line `erratum {where} reads CODE assumed "why"`'
                    ctx.report("unread-cell", message, cell.span, help_)


def check_page_headers(ctx: Context, draft: Draft, across: ir.Axis | None) -> None:
    if across is not None and any(None in header.matches for header in across.headers) and not draft.headers:
        return
    for page in draft.tables:
        head = page.rows[0] if page.rows else None
        if head is not None and [c.text for c in head.cells[1:]] != [c.text for c in draft.columns]:
            ctx.report("page-header", "each page starts with the same header row", head.span)


def check_modifier_targets(ctx: Context, tree: t.Chart, down: AxisType, across: AxisType | None) -> None:
    """Modifiers need something to shift, or a number to add to."""
    if ctx.is_damaged(tree.span):
        return
    for purpose, of in (("shift", across), ("roll", down)):
        fits = of is not None and (purpose == "shift" or isinstance(of.type, (Num, Unknown)))
        trees = [each for each in ctx.symbols.modifiers.values() if each.purpose == purpose]
        for block in trees if not fits else []:
            for chart in block.charts:
                if chart.name == tree.name.name:
                    why = "has no columns to shift" if purpose == "shift" else "is read with words, not numbers"
                    ctx.report("modifiers-target", f"`{chart.name}` {why}", chart.span)


def count_text(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _finds_cell(draft: Draft, erratum: t.Erratum) -> bool:
    columns = [code.text for code in draft.columns]
    rows = [row.cells[0].text for page in draft.tables for row in page.rows[1:]]
    return index_of(erratum.place.column.text, columns) is not None and (
        index_of(erratum.place.row.text, list(dict.fromkeys(rows))) is not None
    )
