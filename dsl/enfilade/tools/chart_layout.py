"""Renders a chart as printed: as text, Markdown, CSV or JSON data.

Labels and codes are those of the printed page; errata are not applied but noted below. It must not look up values.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from attrs import frozen

from enfilade.api.charts import NOTHING_STARTS, ChartTable, HeaderRow, SurplusColumns, table_of, table_of_columns
from enfilade.api.ruleset import Ruleset
from enfilade.core import ir

FORMATS: Final = ("text", "markdown", "csv", "json")


Printable: TypeAlias = ir.Chart | ir.Columns


@frozen
class ChartLayout:
    """A chart as rows of text.

    Attributes:
        title: The title above the chart.
        headers: The conditional header rows: the condition in words, and a band or ``None`` for each column.
        head: The corner and the column labels.
        pages: For each page its label (``None`` for a single page), and its rows with their labels.
        remarks: The errata, one sentence each.
    """

    title: str
    headers: tuple[tuple[str, tuple[str | None, ...]], ...]
    head: tuple[str, ...]
    pages: tuple[tuple[str | None, tuple[tuple[str, ...], ...]], ...]
    remarks: tuple[str, ...]


def layout_of(chart: Printable) -> ChartLayout:
    """Lay out a chart, or header rows that charts share, as rows of text."""
    if isinstance(chart, ir.Columns):
        return layout_of_table(table_of_columns(chart))
    return _layout(table_of(chart), chart.printed)


def layout_of_table(table: ChartTable) -> ChartLayout:
    """Lay out a chart as rows of text; surplus columns come last, in brackets."""
    if table.is_shared:
        return _layout_of_columns(table)
    return _layout(table, tuple(tuple(tuple(map(_cell_text, row)) for row in page.cells) for page in table.pages))


def _cell_text(cell: str | tuple[str, ...]) -> str:
    return cell if isinstance(cell, str) else " ".join(cell)


def _layout(table: ChartTable, printed: tuple[tuple[tuple[str, ...], ...], ...]) -> ChartLayout:
    surplus = table.surplus
    beyond = surplus.columns if surplus else ()
    headers = tuple((_before(row), (*row.bands, *(None for _ in beyond))) for row in table.headers)
    pages = []
    for number, (page, cells) in enumerate(zip(table.pages, printed, strict=True)):
        more = surplus.pages[number] if surplus else tuple(() for _ in cells)
        rows = zip(table.rows, cells, more, strict=False)
        pages.append((", ".join(page.labels) or None, tuple((label, *row, *rest) for label, row, rest in rows)))
    head = (table.corner, *table.columns, *(f"({label})" for label in beyond))
    return ChartLayout(table.title, headers, head, tuple(pages), (*table.errata, *_surplus_text(surplus)))


def _layout_of_columns(table: ChartTable) -> ChartLayout:
    beyond = table.surplus.pages[0] if table.surplus else tuple(() for _ in table.rows)
    labels = tuple(f"({label})" for label in (table.surplus.columns if table.surplus else ()))
    rows = tuple(
        (label, *cells, *rest, *(each.cells[number] for each in table.beside))
        for number, (label, cells, rest) in enumerate(zip(table.rows, table.pages[0].cells, beyond, strict=True))
    )
    head = ("", *table.columns, *labels, *(each.title for each in table.beside))
    return ChartLayout(
        table.title, (), head, ((None, tuple((*map(str, row),) for row in rows)),), _surplus_text(table.surplus)
    )


def _before(row: HeaderRow) -> str:
    """The first cell of a header row: its label or its condition."""
    return row.label or (f"when {row.when}" if row.when else "otherwise")


def _surplus_text(surplus: SurplusColumns | None) -> tuple[str, ...]:
    if surplus is None:
        return ()
    names = ", ".join(surplus.columns)
    word = "columns" if len(surplus.columns) > 1 else "column"
    return (f"{word} {names}: printed, and never looked up" + (f" ({surplus.why})" if surplus.why else ""),)


# ------------------------------------------------------------------------------------------------- the formats


def chart_text(rules: Ruleset, name: str, form: str = "text") -> str:
    """Lay out a chart of a ruleset as it is printed.

    Args:
        rules: The ruleset.
        name: The chart, or header rows that charts share.
        form: ``text``, ``markdown`` or ``csv``.

    Raises:
        InputError: There is no such chart.
    """
    rules.chart(name)
    program = rules.program
    lay_out = {"text": chart_as_text, "markdown": chart_as_markdown, "csv": chart_as_csv}[form]
    return lay_out(program.charts.get(name) or program.columns[name])


def chart_as_text(chart: Printable) -> str:
    """Lay out a chart in aligned columns."""
    layout = layout_of(chart)
    conditions = [(words, *(band or NOTHING_STARTS for band in bands)) for words, bands in layout.headers]
    rows = [row for _, page in layout.pages for row in page]
    widths = _widths([*conditions, layout.head, *rows])
    lines = [layout.title, *(_aligned(row, widths) for row in conditions)]
    for label, page in layout.pages:
        lines += [] if label is None else ["", f"page {label}"]
        lines += [_aligned(layout.head, widths), "-" * (sum(widths) + 2 * len(widths) - 2)]
        lines += [_aligned(row, widths) for row in page]
    return "\n".join([*lines, *layout.remarks])


def _widths(rows: Iterable[tuple[str, ...]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def _aligned(row: tuple[str, ...], widths: list[int]) -> str:
    first = row[0].ljust(widths[0])
    return "  ".join([first, *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]).rstrip()


def chart_as_markdown(chart: Printable) -> str:
    """Lay out a chart as Markdown, with a table for each page."""
    layout = layout_of(chart)
    lines = [f"**{_escaped(layout.title)}**"]
    for label, page in layout.pages:
        lines += ["", *([] if label is None else [f"*{_escaped(label)}*", ""])]
        lines += [_bars(layout.head), _bars(("---", *("---:" for _ in layout.head[1:])))]
        lines += [_bars((words, *(b or NOTHING_STARTS for b in bands))) for words, bands in layout.headers]
        lines += [_bars(row) for row in page]
    return "\n".join([*lines, *(["", *map(_escaped, layout.remarks)] if layout.remarks else [])])


def _bars(row: Iterable[str]) -> str:
    return "| " + " | ".join(map(_escaped, row)) + " |"


def _escaped(text: str) -> str:
    return re.sub(r"([\\|*_<>`])", r"\\\1", text)


def chart_as_csv(chart: Printable) -> str:
    """Lay out a chart as comma-separated values; a chart with several pages has the page in the first column."""
    layout = layout_of(chart)
    paged = layout.pages[0][0] is not None
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    front = ("page",) if paged else ()
    writer.writerows((*front, words, *(band or "" for band in bands)) for words, bands in layout.headers)
    writer.writerow((*front, *layout.head))
    for label, page in layout.pages:
        writer.writerows((*((label,) if paged else ()), *row) for row in page)
    return out.getvalue().rstrip("\n")


def chart_as_json(chart: Printable) -> dict[str, Any]:
    """Convert a chart, or header rows that charts share, to plain data.

    Returns:
        ``name``, ``title``, ``rows``, ``columns`` and ``cells``, a list for each row. If the chart has them:
        ``inside`` (each cell is then a list), conditional ``headers``, ``pages`` (instead of ``cells``), ``errata``,
        ``surplus`` columns that are never looked up, and the values ``beside`` shared header rows.
    """
    return (table_of_columns(chart) if isinstance(chart, ir.Columns) else table_of(chart)).to_json()
