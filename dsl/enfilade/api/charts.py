"""A chart as it is printed, as data: labels and codes as the card has them."""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen

from enfilade.core import ir

NOTHING_STARTS: Final = "•"


@frozen
class HeaderRow:
    """A row of labels that is in force under a condition.

    Attributes:
        when: The condition as its author wrote it; ``None`` where the row always holds.
        bands: What each column stands for; ``None`` where nothing starts in it.
        label: What is printed before it.
    """

    when: str | None
    bands: tuple[str | None, ...]
    label: str | None = None


@frozen
class Page:
    """The cells of one page of a chart.

    Attributes:
        labels: The labels that choose it, one for each way to choose; none where there is one page.
        cells: The printed cells, row by row; a cell with several values is a tuple of them.
    """

    labels: tuple[str, ...]
    cells: tuple[tuple[str | tuple[str, ...], ...], ...]


@frozen
class Beside:
    """What is printed beside the bands of header rows that charts share.

    Attributes:
        name: Its name.
        title: Its title.
        cells: What stands there, row by row.
    """

    name: str
    title: str
    cells: tuple[str, ...]


@frozen
class SurplusColumns:
    """Columns that are printed and never looked up.

    Attributes:
        columns: Their labels.
        pages: Their cells: page by page, row by row.
        why: Why they are never looked up.
    """

    columns: tuple[str, ...]
    pages: tuple[tuple[tuple[str, ...], ...], ...]
    why: str | None


@frozen
class ChartTable:
    """A chart as it is printed, or header rows that charts share.

    Attributes:
        name: Its name.
        title: Its title.
        cites: Its citations.
        corner: What stands above the row labels.
        rows: The labels of the rows.
        columns: The labels of the columns.
        inside: The labels of the values in a cell, where there are several.
        headers: The rows of labels that hold under conditions.
        pages: The cells. One that can't be read stands here as an erratum reads it.
        restored: Those cells: page, row and column of each, counted from 0.
        beside: What is printed beside the bands of shared header rows.
        surplus: The columns that are printed and never looked up.
        errata: The cells that read otherwise than printed, a sentence for each.
        is_shared: Whether it is header rows that charts share: its cells are their bands.
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

    @property
    def cells(self) -> tuple[tuple[str | tuple[str, ...], ...], ...]:
        """The cells of the first page, which is the only one of most charts."""
        return self.pages[0].cells

    def to_json(self) -> dict[str, Any]:
        """Give the chart as plain data; what it does not have is left out."""
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
    """Give a chart as it is printed."""
    note = chart.note
    return ChartTable(
        chart.name, note.label or chart.name, note.cites, chart.corner, chart.down.labels, chart.columns,
        () if chart.inside is None else chart.inside.labels, () if chart.across is None else _headers(chart.across),
        tuple(_pages(chart)), tuple(sorted(chart.restored)), (), _surplus(chart.surplus),
        tuple(erratum_text(chart, erratum) for erratum in chart.errata),
    )  # fmt: skip


def table_of_columns(columns: ir.Columns) -> ChartTable:
    """Give header rows that charts share as they are printed: a row for each, its bands as cells."""
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
    """The rows of labels that are printed beside those of the chart itself."""
    return tuple(_header(header) for header in axis.headers if header.printed)


def _header(header: ir.Header) -> HeaderRow:
    return HeaderRow(_words(header.condition), header.printed, header.note.label)


def _words(condition: ir.Expr | None) -> str | None:
    """A condition as its author wrote it."""
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
    """What a cell reads instead of what is printed, and why."""
    text = f"{erratum_place(chart, erratum)} {erratum_reading(chart, erratum)}"
    text += "" if erratum.condition is None else f" when {_words(erratum.condition)}"
    if _is_restored(chart, erratum):
        return f"{text} ({erratum.note.assumed or erratum.note.label or 'ruled'})"
    return f"erratum: {text}" + (f" ({erratum.note.label})" if erratum.note.label else "")


def erratum_place(chart: ir.Chart, erratum: ir.Erratum) -> str:
    """Which cell an erratum is about."""
    place = f"row {chart.down.labels[erratum.row]}"
    if chart.across is not None:
        place += f", column {chart.across.labels[erratum.column]}"
    if len(chart.printed) > 1:
        place += f", page {', '.join(_labels_of_pages(chart)[erratum.page])}"
    if erratum.inside is not None and chart.inside is not None:
        place += f", {chart.inside.labels[erratum.inside]}"
    return place


def erratum_reading(chart: ir.Chart, erratum: ir.Erratum) -> str:
    """How a cell is read instead of what is printed."""
    value = erratum.value
    reads = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    if _is_restored(chart, erratum):
        return f"can't be read: it is read as {reads}"
    return f"reads {reads}"


def _is_restored(chart: ir.Chart, erratum: ir.Erratum) -> bool:
    return (erratum.page, erratum.row, erratum.column) in chart.restored
