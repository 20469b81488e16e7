"""The shape of a chart: its required lines, the width of its rows, its pages and its surplus columns."""

from __future__ import annotations

from itertools import pairwise

from enfilade.check.charts.axes import AxisType
from enfilade.check.charts.chart_layout import UNREADABLE, ChartLayout, codes_run_together
from enfilade.check.charts.labels import index_of
from enfilade.check.context import Context, note_of
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Label as Mark
from enfilade.limits import in_force
from enfilade.syntax import tree as t
from enfilade.values.types import Num, Unknown


def has_shape(ctx: Context, tree: t.Chart, layout: ChartLayout) -> bool:
    """Whether a chart has all its required lines; reports a missing one."""
    if _has_unparsed_header(ctx, tree, layout) or tree.like is not None:
        return False
    down = layout.axes.get("down")
    cells = sum(len(row.cells) for page in layout.tables for row in page.rows)
    if cells > in_force().cells:
        ctx.report("chart-too-large", f"a chart may have at most {in_force().cells} cells", tree.name.span)
        return False
    if not layout.tables or not layout.tables[0].rows or (down is None and not layout.is_one_row):
        has_rows = bool(layout.tables and layout.tables[0].rows)
        what = "`down` line" if down is None else "rows"
        more = "; a chart without `down` may have only one row below its header" if down is None and has_rows else ""
        ctx.report(
            "chart-shape",
            f"the chart `{tree.name.name}` has no {what}",
            tree.name.span,
            f"add a `down` line (`down 2d6`), a header row and rows{more}",
        )
        return False
    if layout.width < 1:
        ctx.report("chart-shape", "a header row needs a corner cell and at least one column",
                        layout.tables[0].rows[0].span)  # fmt: skip
        return False
    return True


def _has_unparsed_header(ctx: Context, tree: t.Chart, layout: ChartLayout) -> bool:
    """Whether a header row or a page line could not be parsed; if so, the rows may be under the wrong header."""
    source = tree.span.source
    rows = layout.tables[0].rows if layout.tables else []
    end = rows[0].span.start if rows else len(source.text)
    lost = [each for each in ctx.unread.lost if each.span.source is source and each.span.start <= tree.span.start]
    lines = [line for each in lost if tree.span.start < each.span.end for line in each.lines]
    return any(source.text[line:].lstrip(" \t").startswith("|") == (line < end) for line in lines)


def check_shape(ctx: Context, layout: ChartLayout, across: AxisType | None, find: AxisType | None) -> None:
    """Check that columns, pages and rows fit each other."""
    header = layout.tables[0].rows[0]
    if across is None and find is None and layout.width != 1:
        ctx.report(
            "chart-shape",
            f"the chart has {layout.width} columns, but no `across` line to choose one",
            header.span,
            "add `across ...`",
        )
    if across is not None and find is not None:
        ctx.report("chart-shape", "a chart can't have both `across` and `find`", layout.axes["find"].span, "delete one")
    if across is None and layout.headers:
        ctx.report("chart-shape", "header rows need an `across` line", layout.headers[0].span, "add `across ...`")
    for page in layout.tables:
        head = page.rows[0] if page.rows else None
        if len(page.rows) < 2:
            span = head.span if head is not None else page.labels[0].span
            ctx.report("chart-shape", "this header row has no rows below it", span)
        if not page.rows:
            continue
        if page is layout.tables[0] and layout.has_wrong_header:
            _report_ragged_header(ctx, page.rows[0], page.rows[1])
            continue
        if len(page.rows[0].cells) != len(header.cells) and page.rows[0] is not header:
            continue  # The header of this page is reported.
        for row in page.rows[1:]:
            if len(row.cells) - 1 != layout.width and not layout.has_wrong_header:
                _report_ragged_row(ctx, layout, header, row)


def _report_ragged_row(ctx: Context, layout: ChartLayout, header: t.Row, row: t.Row) -> None:
    """Report a row with too few or too many cells: which cell is missing, where a bar is, or the first one too many."""
    count = len(row.cells) - 1
    span, advice = row.span, []
    lost = layout.lost_bars(row)
    known = {cell.text for page in layout.tables for other in page.rows[1:] for cell in other.cells[1:]}
    for cell in lost:
        codes = cell.text.split() if " " in cell.text else codes_run_together(cell.text, known)
        advice.append(f"`{cell.text}` looks like {' and '.join(codes)}: a bar is missing")
    if lost:
        span = lost[0].span
    elif count < layout.width:
        missing = ", ".join(f"`{cell.text}`" for cell in header.cells[count + 1 :])
        cells = "cell" if count + 1 == layout.width else "cells"
        merged = _merged_cell(header, row)
        advice.append(merged or f"the {cells} for {missing} {'is' if cells == 'cell' else 'are'} missing")
    else:
        span = row.cells[layout.width + 1].span
        advice.append("the header has no column for this cell: delete the cell, or add a column")
    ctx.report(
        "ragged-row",
        f"this row has {count_text(count, 'cell')}, but the header has {count_text(layout.width, 'column')}",
        span,
        *advice,
        labels=(Mark(header.span, f"{layout.width} columns"),),
    )


def _merged_cell(header: t.Row, row: t.Row) -> str | None:
    """What to write if a cell of a row is printed across several columns, as its width in the text shows."""
    cuts = [at for at, char in enumerate(row.span.text) if char == "|"]
    if len(cuts) != len(row.cells) + 1 or header.span.source is not row.span.source:
        return None
    shift = header.span.source.line_column(header.span.start)[1] - row.span.source.line_column(row.span.start)[1]
    middles = [(each.span.start + each.span.end) / 2 - header.span.start + shift for each in header.cells]
    across = [[n for n, at in enumerate(middles) if start < at < end] for start, end in pairwise(cuts)]
    if [n for each in across for n in each] != list(range(len(header.cells))) or not all(across):
        return None
    wide = next(n for n, each in enumerate(across) if len(each) > 1)
    columns = " and ".join(f"`{header.cells[n].text}`" for n in across[wide])
    cells = [cell.text for cell, each in zip(row.cells, across, strict=True) for _ in each]
    return f"if `{row.cells[wide].text}` is printed across {columns}, write it in each: `| {' | '.join(cells)} |`"


def _report_ragged_header(ctx: Context, header: t.Row, row: t.Row) -> None:
    """Report the header as wrong, because all rows have the same width."""
    corner = len(header.cells) + 1 == len(row.cells)
    labels = " | ".join(each.text for each in header.cells)
    helps = [f"the first cell stands over the labels of the rows: `| rows | {labels} |`"] if corner else []
    ctx.report(
        "ragged-row",
        f"the header has {count_text(len(header.cells) - 1, 'column')}, but each row has {len(row.cells) - 1} cells",
        header.span,
        *helps,
        labels=(Mark(row.span, f"{len(row.cells) - 1} cells"),),
    )


def check_surplus(ctx: Context, layout: ChartLayout) -> tuple[ir.Surplus, ...]:
    """Check the surplus columns, which are printed and never looked up."""
    if not layout.surplus:
        return ()
    present = {cell.text for page in layout.beyond for cell in (page.rows[0].cells if page.rows else ())}
    for label in (label for line in layout.surplus for label in line.labels):
        if label.text not in present:
            ctx.report("no-cell", f"the chart has no column `{label.text}`", label.span)
    note = note_of(layout.surplus[0].tail, layout.surplus[0].span)
    texts = [tuple(tuple(cell.text for cell in row.cells) for row in page.rows) for page in layout.beyond]
    return tuple(ir.Surplus(rows[0] if rows else (), rows[1:], note) for rows in texts)


def check_readable(ctx: Context, layout: ChartLayout) -> None:
    """Report illegible cells (``??``) that no erratum restores."""
    if any(not _finds_cell(layout, erratum) for erratum in layout.errata):
        return  # A misplaced erratum may be meant for this cell, and has a diagnostic of its own.
    for page in layout.tables:
        for row in page.rows[1:]:
            for at, cell in enumerate(row.cells[1 : layout.width + 1], start=1):
                if cell.text == UNREADABLE:
                    where = f"row {row.cells[0].text}, column {page.rows[0].cells[at].text}"
                    message = "this cell is illegible, and no erratum gives its content"
                    help_ = f'add a line `erratum {where} reads CODE assumed "why"`'
                    ctx.report("unread-cell", message, cell.span, help_)


def check_page_headers(ctx: Context, layout: ChartLayout, across: ir.Axis | None) -> None:
    """Check that every page has the same header row."""
    if across is not None and any(None in header.matches for header in across.headers) and not layout.headers:
        return
    for page in layout.tables:
        head = page.rows[0] if page.rows else None
        if head is None or [c.text for c in head.cells[1:]] == [c.text for c in layout.columns]:
            continue
        first = layout.tables[0].rows[0]
        help_ = "if the columns differ, write two charts; a chart with `cells charts` can choose between them"
        if head.cells[0].text in [row.cells[0].text for row in layout.tables[0].rows[1:]]:
            help_ = f"write the header row here too: `{first.span.text.strip()}`"
        marks = (Mark(first.span, "the first page"),)
        ctx.report("page-header", "all pages must have the same header row", head.span, help_, labels=marks)


def check_modifier_targets(ctx: Context, tree: t.Chart, down: AxisType, across: AxisType | None) -> None:
    """Report modifiers of a chart that has no columns to shift, or no number to add to."""
    if ctx.unread.is_part_of(tree.span):
        return
    for purpose, of in (("shift", across), ("roll", down)):
        fits = of is not None and (purpose == "shift" or isinstance(of.type, (Num, Unknown)))
        if fits:
            continue
        for block in [each for each in ctx.symbols.modifiers.values() if each.purpose == purpose]:
            for chart in block.charts:
                if chart.name == tree.name.name:
                    why = "has no columns to shift" if purpose == "shift" else "looks up words, not numbers"
                    other = "shift columns of" if purpose == "roll" else "add to roll of"
                    is_possible = across is not None if purpose == "roll" else isinstance(down.type, Num)
                    helps = [f"write `{other} {chart.name}`"] if is_possible else []
                    ctx.report("modifiers-target", f"`{chart.name}` {why}", chart.span, *helps)


def count_text(count: int, what: str) -> str:
    """A count with its noun: ``1 cell``, ``2 cells``."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _finds_cell(layout: ChartLayout, erratum: t.Erratum) -> bool:
    columns = [code.text for code in layout.columns]
    rows = [row.cells[0].text for page in layout.tables for row in page.rows[1:]]
    return index_of(erratum.place.column.text, columns) is not None and (
        index_of(erratum.place.row.text, list(dict.fromkeys(rows))) is not None
    )
