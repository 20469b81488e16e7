"""Renders a chart as printed: as text, Markdown, CSV or JSON data.

Labels and codes are those of the printed page; errata are not applied but noted below. It must not look up values.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from enfilade.api.charts import (
    NOTHING_STARTS,
    ChartLayout,
    layout_of_printed,
    layout_of_table,
    table_of,
    table_of_columns,
)
from enfilade.api.ruleset import Ruleset
from enfilade.core import ir
from enfilade.door import door

FORMATS: Final = ("text", "markdown", "csv", "json")

_BEGINS_A_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_PLAIN: Final = re.compile(r"-|[+-]\d+(\.\d+)?")


Printable: TypeAlias = ir.Chart | ir.Columns


def layout_of(chart: Printable) -> ChartLayout:
    """Lay out a chart, or header rows that charts share, as rows of text."""
    if isinstance(chart, ir.Columns):
        return layout_of_table(table_of_columns(chart))
    return layout_of_printed(table_of(chart), chart.printed)


# ------------------------------------------------------------------------------------------------- the formats


@door
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
    """Lay out a chart as comma-separated values; a chart with several pages has the page in the first column.

    Cells that a spreadsheet would take for a formula begin with an apostrophe.
    """
    layout = layout_of(chart)
    paged = layout.pages[0][0] is not None
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    front = ("page",) if paged else ()
    rows: list[tuple[str | None, ...]] = [(*front, words, *bands) for words, bands in layout.headers]
    rows.append((*front, *layout.head))
    for label, page in layout.pages:
        rows += [(*((label,) if paged else ()), *row) for row in page]
    writer.writerows([csv_cell(cell or "") for cell in row] for row in rows)
    return out.getvalue().rstrip("\n")


@door
def csv_cell(text: str) -> str:
    """Return a cell of comma-separated values that no spreadsheet takes for a formula.

    Numbers and a dash by itself stay as they are.

    Examples:
        >>> csv_cell("=1+1"), csv_cell("-"), csv_cell("-2"), csv_cell("+1/2"), csv_cell("-M")
        ("'=1+1", '-', '-2', "'+1/2", "'-M")
    """
    is_formula = text[:1] in _BEGINS_A_FORMULA and not _PLAIN.fullmatch(text)
    return f"'{text}" if is_formula else text


def chart_as_json(chart: Printable) -> dict[str, Any]:
    """Convert a chart, or header rows that charts share, to plain data.

    Returns:
        ``name``, ``title``, ``rows``, ``columns`` and ``cells``, a list for each row. If the chart has them:
        ``inside`` (each cell is then a list), conditional ``headers``, ``pages`` (instead of ``cells``), ``errata``,
        ``surplus`` columns that are never looked up, and the values ``beside`` shared header rows.
    """
    return (table_of_columns(chart) if isinstance(chart, ir.Columns) else table_of(chart)).to_json()
