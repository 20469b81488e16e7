"""Shows a chart as it is printed: as text, Markdown, CSV, or data.

Labels and codes are those of the printed page, errata not applied: they are noted below. It must not read a chart.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final

from attrs import frozen

from enfilade.core import ir
from enfilade.core.evaluate import text_of

FORMATS: Final = ("text", "markdown", "csv", "json")
_NOTHING: Final = "•"


@frozen
class Grid:
    """A chart as rows of text.

    Attributes:
        title: What is printed above it.
        headers: The header rows under conditions: its words, and a band for each column, ``None`` for no band.
        head: The corner and the column labels.
        pages: For each page its label, ``None`` where there is one page only, and its rows with their labels.
        remarks: The errata, one sentence each.
    """

    title: str
    headers: tuple[tuple[str, tuple[str | None, ...]], ...]
    head: tuple[str, ...]
    pages: tuple[tuple[str | None, tuple[tuple[str, ...], ...]], ...]
    remarks: tuple[str, ...]


def grid_of(chart: ir.Chart) -> Grid:
    """Lay out a chart as rows of text."""
    title = chart.note.label or chart.name
    headers = () if chart.across is None else conditional_headers(chart.across)
    labels = page_labels(chart)
    pages = tuple(
        (label, tuple((name, *row) for name, row in zip(chart.down.labels, page, strict=False)))
        for label, page in zip(labels or (None,), chart.printed, strict=False)
    )
    errata = tuple(erratum_text(chart, erratum) for erratum in chart.errata)
    return Grid(title, headers, (chart.corner, *column_labels(chart)), pages, errata)


# ------------------------------------------------------------------------------------------ parts of a chart


def column_labels(chart: ir.Chart) -> tuple[str, ...]:
    """The printed labels of the columns; a chart of one column has a heading there, which finds nothing."""
    return (_heading(chart),) if chart.across is None else chart.across.labels


def _heading(chart: ir.Chart) -> str:
    # The core keeps no label that finds nothing, so it is read in the text.
    if chart.note.span is None:
        return ""
    below = chart.note.span.source.text[chart.note.span.end :]
    row = re.search(rf"^[^\S\n]*\|?[^\S\n]*{re.escape(chart.corner)}[^\S\n]*[|\t]([^|\t\n]*)", below, re.MULTILINE)
    return row.group(1).strip() if row else ""


def page_labels(chart: ir.Chart) -> tuple[str, ...]:
    """What each page is for, empty where there is one page only."""
    names: dict[int, list[str]] = {}
    for key, page in sorted(chart.page_index.items()):
        words = ", ".join(axis.labels[index] for axis, index in zip(chart.pages, key, strict=True))
        names.setdefault(page, []).append(words)
    return tuple(" or ".join(names[page]) for page in sorted(names))


def conditional_headers(axis: ir.Axis) -> tuple[tuple[str, tuple[str | None, ...]], ...]:
    """The header rows that depend on a condition, each with the words of that condition and its bands."""
    if len(axis.headers) == 1 and axis.headers[0].condition is None:
        return ()
    return tuple(
        ("otherwise" if header.condition is None else _on_one_line(text_of(header.condition)), _bands(header))
        for header in axis.headers
    )


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _bands(header: ir.Header) -> tuple[str | None, ...]:
    printed = []
    if header.note.span is not None:
        printed = [cell.strip() for cell in header.note.span.text.split("|")[1:]]
    if len(printed) < len(header.matches):
        printed = [match_text(match) for match in header.matches]
    return tuple(None if match is None else text for match, text in zip(header.matches, printed, strict=False))


def match_text(match: ir.Match | None) -> str:
    """What a label stands for.

    Examples:
        >>> match_text(ir.Match((ir.Band(1, 4), ir.Band(9, None))))
        '1..4, 9+'
    """
    return _NOTHING if match is None else ", ".join([*map(_band_text, match.bands), *match.words])


def _band_text(band: ir.Band) -> str:
    if band.high is None:
        return "any" if band.low is None else f"{_bound(band.low)}+"
    if band.low is None:
        return f"..{_bound(band.high)}"
    return _bound(band.low) if band.low == band.high else f"{_bound(band.low)}..{_bound(band.high)}"


def _bound(number: int | Fraction) -> str:
    return str(number)


def erratum_text(chart: ir.Chart, erratum: ir.Erratum) -> str:
    """What a cell reads instead of what is printed."""
    place = f"row {chart.down.labels[erratum.row]}"
    columns = column_labels(chart)
    if chart.across is not None:
        place += f", column {columns[erratum.column]}"
    if len(chart.printed) > 1:
        place += f", page {page_labels(chart)[erratum.page]}"
    if erratum.inside is not None and chart.inside is not None:
        place += f", {chart.inside.labels[erratum.inside]}"
    value = erratum.value
    reads = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    when = "" if erratum.condition is None else f" when {_on_one_line(text_of(erratum.condition))}"
    why = f" ({erratum.note.label})" if erratum.note.label else ""
    return f"erratum: {place} reads {reads}{when}{why}"


# ------------------------------------------------------------------------------------------------- the formats


def chart_as_text(chart: ir.Chart) -> str:
    """Lay out a chart in aligned columns."""
    grid = grid_of(chart)
    conditions = [(f"when {words}", *(band or _NOTHING for band in bands)) for words, bands in grid.headers]
    rows = [row for _, page in grid.pages for row in page]
    widths = _widths([*conditions, grid.head, *rows])
    lines = [grid.title, *(_aligned(row, widths) for row in conditions)]
    for label, page in grid.pages:
        lines += [] if label is None else ["", f"page {label}"]
        lines += [_aligned(grid.head, widths), "-" * (sum(widths) + 2 * len(widths) - 2)]
        lines += [_aligned(row, widths) for row in page]
    return "\n".join([*lines, *grid.remarks])


def _widths(rows: Iterable[tuple[str, ...]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def _aligned(row: tuple[str, ...], widths: list[int]) -> str:
    first = row[0].ljust(widths[0])
    return "  ".join([first, *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]).rstrip()


def chart_as_markdown(chart: ir.Chart) -> str:
    """Lay out a chart as a Markdown table, or one for each page."""
    grid = grid_of(chart)
    lines = [f"**{_escaped(grid.title)}**"]
    for label, page in grid.pages:
        lines += ["", *([] if label is None else [f"*{_escaped(label)}*", ""])]
        lines += [_bars(grid.head), _bars(("---", *("---:" for _ in grid.head[1:])))]
        lines += [_bars((f"when {words}", *(b or _NOTHING for b in bands))) for words, bands in grid.headers]
        lines += [_bars(row) for row in page]
    return "\n".join([*lines, *(["", *map(_escaped, grid.remarks)] if grid.remarks else [])])


def _bars(row: Iterable[str]) -> str:
    return "| " + " | ".join(map(_escaped, row)) + " |"


def _escaped(text: str) -> str:
    return re.sub(r"([\\|*_<>`])", r"\\\1", text)


def chart_as_csv(chart: ir.Chart) -> str:
    """Lay out a chart as comma-separated values; with several pages, the page stands in the first column."""
    grid = grid_of(chart)
    paged = grid.pages[0][0] is not None
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    front = ("page",) if paged else ()
    writer.writerows((*front, f"when {words}", *(band or "" for band in bands)) for words, bands in grid.headers)
    writer.writerow((*front, *grid.head))
    for label, page in grid.pages:
        writer.writerows((*((label,) if paged else ()), *row) for row in page)
    return out.getvalue().rstrip("\n")


def chart_as_json(chart: ir.Chart) -> dict[str, Any]:
    """Give a chart as plain data.

    Returns:
        ``name``, ``title``, ``rows``, ``columns``, ``cells`` (a list for each row). Only where the chart has such:
        ``inside`` (and then each cell is a list), ``pages`` (and then ``cells`` is a list for each page),
        ``headers`` under conditions, and ``errata``.
    """
    grid = grid_of(chart)
    cells = [[[_cell(chart, text) for text in row[1:]] for row in page] for _, page in grid.pages]
    data: dict[str, Any] = {"name": chart.name, "title": grid.title}
    data |= {"rows": list(chart.down.labels), "columns": list(grid.head[1:])}
    if chart.inside is not None:
        data["inside"] = list(chart.inside.labels)
    if chart.pages:
        data["pages"] = list(page_labels(chart))
    data["cells"] = cells if chart.pages else cells[0]
    if grid.headers:
        data["headers"] = [{"when": words, "bands": list(bands)} for words, bands in grid.headers]
    if grid.remarks:
        data["errata"] = list(grid.remarks)
    return data


def _cell(chart: ir.Chart, text: str) -> str | list[str]:
    return text if chart.inside is None else text.replace("/", " ").split()
