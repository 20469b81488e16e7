"""Marks behind the codes of some cells, and notes on rows and columns."""

from __future__ import annotations

from enfilade.check.charts.chart_layout import ChartLayout
from enfilade.check.charts.labels import index_of
from enfilade.check.context import Context, Mark, MarkedCell, note_of, similar
from enfilade.check.expressions.fields import RESERVED_PARTS
from enfilade.check.scope import Scope
from enfilade.check.types.expected_types import check_condition
from enfilade.core import ir
from enfilade.syntax import tree as t

MAX_LISTED = 12


def check_notes(
    ctx: Context, layout: ChartLayout, what: str, labels: tuple[str, ...]
) -> tuple[tuple[int, ir.Note], ...]:
    """The notes on the rows or columns of a chart, each with the index of its label."""
    found = []
    for line in layout.notes:
        for code in line.labels if line.what == what else ():
            index = index_of(code.text, labels)
            if index is not None:
                found.append((index, note_of(line.tail, line.span)))
                continue
            close = similar(code.text, labels)
            help_ = f"did you mean `{close}`?" if close else "it has " + ", ".join(labels[:MAX_LISTED])
            ctx.report("no-cell", f"the chart has no {what} `{code.text}`", code.span, help_)
    return tuple(found)


def note_marks(ctx: Context, tree: t.Chart, layout: ChartLayout, chart: ir.Chart) -> None:
    """Note the cells with each mark: ``shot.captured`` is yes there, if the condition of the mark is true."""
    marks: dict[str, Mark] = {}
    for line in layout.marks:
        name = line.name.name
        if not line.sign.text:
            help_ = f"write the sign that is printed after the codes, such as `mark * {name}`"
            ctx.report("chart-shape", "a mark needs a sign", line.sign.span, help_)
            continue
        if name in RESERVED_PARTS or name in marks or name in [part.name for part in layout.parts]:
            ctx.report("duplicate-name", f"a reading already has a part named `{name}`", line.name.span)
        condition = None
        if line.condition is not None:
            condition = check_condition(ctx, line.condition, Scope(f"chart {tree.name.name}"))
        places = layout.marked.get(line.sign.text, set())
        if not places:
            ctx.warn("unused-code", f"no cell has the mark `{line.sign.text}`", line.sign.span)
        marks[name] = Mark(condition, _marked_cells(chart, places))
    ctx.marks[tree.name.name] = marks


def _marked_cells(chart: ir.Chart, places: set[tuple[int, int, int]]) -> tuple[MarkedCell, ...]:
    """The page and the labels of each place; places beyond the header of a damaged chart have none."""
    rows = chart.down.labels
    cells = [
        (str(page) if chart.pages else None, rows[row], column)
        for page, row, at in places if row < len(rows) for column in _labels_at(chart.across, at)
    ]  # fmt: skip
    return tuple(sorted(cells, key=str))


def _labels_at(across: ir.Axis | None, column: int) -> tuple[str | None, ...]:
    return (None,) if across is None else across.labels[column : column + 1]
