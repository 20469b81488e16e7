"""Printed charts as data: labels and codes as on the reference card."""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen

from enfilade.api.outcome_values import value_text
from enfilade.api.table_layout import html_table
from enfilade.core import ir
from enfilade.door import door, with_doors

NOTHING_STARTS: Final = "•"


@frozen
class HeaderRow:
    """A row of column labels that is in force under a condition.

    Attributes:
        when: The condition as its author wrote it; ``None`` if the row is always in force.
        bands: The label of each column; ``None`` if no label starts in the column.
        label: The text printed before the row.
    """

    when: str | None
    bands: tuple[str | None, ...]
    label: str | None = None


@frozen
class Page:
    """The cells of one page of a chart.

    Attributes:
        labels: The labels that select the page, one for each page axis; empty for a chart with a single page.
        cells: The printed cells, row by row; a cell with several values is a tuple of them.
    """

    labels: tuple[str, ...]
    cells: tuple[tuple[str | tuple[str, ...], ...], ...]


@frozen
class Beside:
    """A column printed next to the bands of header rows that charts share.

    Attributes:
        name: The name of the column.
        title: The title of the column.
        cells: The cells, row by row.
    """

    name: str
    title: str
    cells: tuple[str, ...]


@frozen
class SurplusColumns:
    """Columns that are printed but never looked up.

    Attributes:
        columns: The labels of the columns.
        pages: The cells: page by page, row by row.
        why: The reason why the columns are never looked up.
    """

    columns: tuple[str, ...]
    pages: tuple[tuple[tuple[str, ...], ...], ...]
    why: str | None


@with_doors
@frozen
class ChartTable:
    """A chart as printed, or header rows that charts share.

    Attributes:
        name: The name of the chart.
        title: The title of the chart.
        cites: The citations of the chart.
        corner: The text above the row labels.
        rows: The labels of the rows.
        columns: The labels of the columns.
        inside: The labels of the values in a cell, if cells have several values.
        headers: The rows of column labels that are in force under conditions.
        pages: The cells, page by page. Illegible cells have the value that an erratum gives them.
        restored: The illegible cells: page, row and column of each, counted from 0.
        beside: The columns printed next to the bands of shared header rows.
        surplus: The columns that are printed but never looked up.
        errata: The corrected cells, a sentence for each.
        is_shared: Whether this is a set of header rows that charts share, with the bands as cells.
    """

    name: str
    title: str
    cites: tuple[str, ...]
    corner: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    inside: tuple[str, ...]
    headers: tuple[HeaderRow, ...]
    pages: tuple[Page, ...]
    restored: tuple[tuple[int, int, int], ...] = ()
    beside: tuple[Beside, ...] = ()
    surplus: SurplusColumns | None = None
    errata: tuple[str, ...] = ()
    is_shared: bool = False

    def _repr_html_(self) -> str:
        return chart_html(layout_of_table(self))

    @property
    def cells(self) -> tuple[tuple[str | tuple[str, ...], ...], ...]:
        """The cells of the first page; most charts have only one."""
        return self.pages[0].cells

    def to_json(self) -> dict[str, Any]:
        """Return the chart as plain data, without empty optional parts."""
        data: dict[str, Any] = {
            "name": self.name, "title": self.title, "rows": list(self.rows), "columns": list(self.columns)
        }  # fmt: skip
        if self.inside:
            data["inside"] = list(self.inside)
        if self.headers:
            data["headers"] = [_header_data(row) for row in self.headers]
        if self.beside:
            data["beside"] = {each.name: {"title": each.title, "cells": list(each.cells)} for each in self.beside}
        if self.surplus is not None:
            cells = _lists(self.surplus.pages[0] if len(self.surplus.pages) == 1 else self.surplus.pages)
            data["surplus"] = {"columns": list(self.surplus.columns), "cells": cells, "why": self.surplus.why}
        if len(self.pages) == 1:
            data["cells"] = _lists(self.cells)
        else:
            data["pages"] = [{"labels": list(page.labels), "cells": _lists(page.cells)} for page in self.pages]
        return data | ({"errata": list(self.errata)} if self.errata else {})


def _header_data(row: HeaderRow) -> dict[str, Any]:
    label = {} if row.label is None else {"label": row.label}
    return {"when": row.when, "bands": list(row.bands)} | label


def _lists(cells: Any) -> Any:
    return [_lists(cell) for cell in cells] if isinstance(cells, tuple) else cells


def table_of(chart: ir.Chart) -> ChartTable:
    """Return a chart as printed."""
    note = chart.note
    return ChartTable(
        chart.name, note.label or chart.name, note.cites, chart.corner, chart.down.labels, chart.columns,
        () if chart.inside is None else chart.inside.labels, () if chart.across is None else _headers(chart.across),
        tuple(_pages(chart)), tuple(sorted(chart.restored)), (), _surplus(chart.surplus),
        tuple(erratum_text(chart, erratum) for erratum in chart.errata),
    )  # fmt: skip


def table_of_columns(columns: ir.Columns) -> ChartTable:
    """Return shared header rows as printed: one row each, with the bands as cells."""
    headers = tuple(HeaderRow(_words(line.condition), line.bands, line.note.label) for line in columns.lines)
    rows = tuple(row.label or row.when or "" for row in headers)
    cells = tuple(tuple(band or NOTHING_STARTS for band in row.bands) for row in headers)
    beside = tuple(
        Beside(name, note.label or name, tuple(line.beside[index] for line in columns.lines))
        for index, (name, note) in enumerate(columns.beside)
    )
    surplus = None
    if columns.surplus:
        beyond = tuple(line.surplus for line in columns.lines)
        surplus = SurplusColumns(columns.surplus, (beyond,), columns.surplus_note.assumed or columns.surplus_note.label)
    return ChartTable(
        columns.name, columns.note.label or columns.name, columns.note.cites, "", rows, columns.labels, (), headers,
        (Page((), cells),), (), beside, surplus, is_shared=True,
    )  # fmt: skip


def _surplus(pages: tuple[ir.Surplus, ...]) -> SurplusColumns | None:
    if not pages:
        return None
    note = pages[0].note
    return SurplusColumns(pages[0].labels, tuple(page.cells for page in pages), note.assumed or note.label)


def _headers(axis: ir.Axis) -> tuple[HeaderRow, ...]:
    """Return the printed rows of column labels, without the chart's own labels."""
    return tuple(_header(header) for header in axis.headers if header.printed)


def _header(header: ir.Header) -> HeaderRow:
    return HeaderRow(_words(header.condition), header.printed, header.note.label)


def _words(condition: ir.Expr | None) -> str | None:
    """Return a condition as its author wrote it."""
    return None if condition is None or condition.span is None else " ".join(condition.span.text.split())


def _pages(chart: ir.Chart) -> list[Page]:
    return [Page(labels, _cells(chart, number)) for number, labels in enumerate(_labels_of_pages(chart))]


def _labels_of_pages(chart: ir.Chart) -> list[tuple[str, ...]]:
    keys = {index: key for key, index in chart.page_index.items()}
    return [_page_labels(chart, keys.get(number, ())) for number in range(len(chart.printed))]


def _page_labels(chart: ir.Chart, key: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(axis.labels[index] for axis, index in zip(chart.pages, key, strict=bool(key)))


def _cells(chart: ir.Chart, page: int) -> tuple[tuple[str | tuple[str, ...], ...], ...]:
    if chart.inside is None:
        return chart.printed[page]
    return tuple(tuple(tuple(str(value) for value in cell) for cell in row) for row in chart.cells[page])


# ---------------------------------------------------------------------------------------------------------- errata


def erratum_text(chart: ir.Chart, erratum: ir.Erratum) -> str:
    """Return the sentence of an erratum: the cell, its correct value and the reason."""
    text = f"{erratum_place(chart, erratum)} {erratum_reading(chart, erratum)}"
    text += "" if erratum.condition is None else f" when {_words(erratum.condition)}"
    if _is_restored(chart, erratum):
        return f"{text} ({erratum.note.assumed or erratum.note.label or 'ruled'})"
    return f"erratum: {text}" + (f" ({erratum.note.label})" if erratum.note.label else "")


def erratum_place(chart: ir.Chart, erratum: ir.Erratum) -> str:
    """Return the place of the corrected cell in words."""
    place = f"row {chart.down.labels[erratum.row]}"
    if chart.across is not None:
        place += f", column {chart.across.labels[erratum.column]}"
    if len(chart.printed) > 1:
        place += f", page {', '.join(_labels_of_pages(chart)[erratum.page])}"
    if erratum.inside is not None and chart.inside is not None:
        place += f", {chart.inside.labels[erratum.inside]}"
    return place


def cell_text(value: Any) -> str:
    """Return the value of a cell as text; the values of a cell with several are separated by blanks."""
    return " ".join(map(value_text, value if isinstance(value, tuple) else (value,)))


def erratum_reading(chart: ir.Chart, erratum: ir.Erratum) -> str:
    """Return the correct value of a cell in words."""
    reads = cell_text(erratum.value)
    if _is_restored(chart, erratum):
        return f"is illegible in print: the rules use {reads}"
    return f"reads {reads}"


def _is_restored(chart: ir.Chart, erratum: ir.Erratum) -> bool:
    return (erratum.page, erratum.row, erratum.column) in chart.restored


# --------------------------------------------------------------------------------------------- a chart as rows of text


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


@door
def layout_of_table(table: ChartTable) -> ChartLayout:
    """Lay out a chart as rows of text; surplus columns come last, in brackets."""
    if table.is_shared:
        return _layout_of_columns(table)
    return layout_of_printed(
        table, tuple(tuple(tuple(map(_cell_text, row)) for row in page.cells) for page in table.pages)
    )


def _cell_text(cell: str | tuple[str, ...]) -> str:
    return cell if isinstance(cell, str) else " ".join(cell)


def layout_of_printed(table: ChartTable, printed: tuple[tuple[tuple[str, ...], ...], ...]) -> ChartLayout:
    """Lay out a chart with other texts in its cells: by page, row and column."""
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
    return (f"{word} {names}: printed but never used" + (f" ({surplus.why})" if surplus.why else ""),)


def chart_html(layout: ChartLayout) -> str:
    """Lay out a chart as HTML, for notebooks."""
    above = [[words, *(band or NOTHING_STARTS for band in bands)] for words, bands in layout.headers]
    rows: list[tuple[str, ...]] = []
    for label, page in layout.pages:
        rows += [(label, *[""] * (len(layout.head) - 1))] if label else []
        rows += page
    return html_table(layout.title, layout.head, rows, above=above, notes=layout.remarks)
