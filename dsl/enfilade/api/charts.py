"""A chart as it is printed, as data: labels and codes as the card has them."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from enfilade.core import ir


@frozen
class HeaderRow:
    """A row of labels that is in force under a condition.

    Attributes:
        when: The condition as its author wrote it; ``None`` where the row always holds.
        bands: What each column stands for; ``None`` where nothing starts in it.
    """

    when: str | None
    bands: tuple[str | None, ...]


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
class ChartTable:
    """A chart as it is printed.

    Attributes:
        name: Its name.
        title: Its title.
        cites: Its citations.
        corner: What stands above the row labels.
        rows: The labels of the rows.
        columns: The labels of the columns.
        inside: The labels of the values in a cell, where there are several.
        headers: The rows of labels that hold under conditions.
        pages: The cells.
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
            data["headers"] = [{"when": row.when, "bands": list(row.bands)} for row in self.headers]
        if len(self.pages) == 1:
            return data | {"cells": _lists(self.cells)}
        pages = [{"labels": list(page.labels), "cells": _lists(page.cells)} for page in self.pages]
        return data | {"pages": pages}


def _lists(cells: Any) -> Any:
    return [_lists(cell) for cell in cells] if isinstance(cells, tuple) else cells


def table_of(chart: ir.Chart) -> ChartTable:
    """Give a chart as it is printed."""
    note = chart.note
    return ChartTable(
        chart.name, note.label or chart.name, note.cites, chart.corner, chart.down.labels, chart.columns,
        () if chart.inside is None else chart.inside.labels, () if chart.across is None else _headers(chart.across),
        tuple(_pages(chart)),
    )  # fmt: skip


def _headers(axis: ir.Axis) -> tuple[HeaderRow, ...]:
    """The rows of labels that are printed beside those of the chart itself."""
    return tuple(_header(header) for header in axis.headers if header.printed)


def _header(header: ir.Header) -> HeaderRow:
    condition = header.condition
    when = None if condition is None or condition.span is None else " ".join(condition.span.text.split())
    return HeaderRow(when, header.printed)


def _pages(chart: ir.Chart) -> list[Page]:
    labels = {index: key for key, index in chart.page_index.items()}
    return [Page(_page_labels(chart, labels.get(n, ())), _cells(chart, n)) for n in range(len(chart.printed))]


def _page_labels(chart: ir.Chart, key: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(axis.labels[index] for axis, index in zip(chart.pages, key, strict=bool(key)))


def _cells(chart: ir.Chart, page: int) -> tuple[tuple[str | tuple[str, ...], ...], ...]:
    if chart.inside is None:
        return chart.printed[page]
    return tuple(tuple(tuple(str(value) for value in cell) for cell in row) for row in chart.cells[page])
