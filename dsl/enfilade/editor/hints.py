"""Inlay hints: what the text of a chart does not say itself, for an editor to show within its lines.

The range of the value that finds a row or a column, and the exact chance of each row of a chart with dice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Final

from attrs import evolve

from enfilade.api.exact_numbers import over, percent
from enfilade.api.weights import Weights, added_often
from enfilade.check.charts.axes import is_dice
from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.chart_labels import end_label, find_label
from enfilade.editor.answers import Hint
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.types import Num, describe

# Larger pools have so many totals that nobody prints a row for each.
_MOST_FACES: Final = 1_000
_MODIFIED: Final = "the chance without die roll modifiers"


def hints_of(
    ctx: Context,
    program: ir.Program,
    declarations: Iterable[t.Declaration],
    within: Span,
    place: Callable[[Span], Span],
) -> Iterator[Hint]:
    """The hints in a part of a text.

    Args:
        ctx: The context of the check.
        program: The program as far as it could be checked.
        declarations: The declarations of the text.
        within: The part.
        place: Converts a place in a declaration to one in the text.
    """
    for each in declarations:
        tree = each.declaration if isinstance(each, t.Replace) else each
        chart = program.charts.get(tree.name.name) if isinstance(tree, t.Chart) else None
        whole = place(each.span)
        if chart is None or whole.end < within.start or within.end < whole.start:
            continue
        assert isinstance(tree, t.Chart)
        for hint in _of_chart(ctx, program, tree, chart):
            at = place(hint.span)
            if within.start <= at.end <= within.end:
                yield evolve(hint, span=at)


def _of_chart(ctx: Context, program: ir.Program, tree: t.Chart, chart: ir.Chart) -> Iterator[Hint]:
    axes = {"down": chart.down, "across": chart.across, "inside": chart.inside, "find": chart.find}
    # The lines that a chart shares with another one are in its symbol.
    shared = (item.line for item in ctx.symbols.charts[chart.name].items)
    rolled = any(isinstance(line, t.AxisLine) and line.way == "down" and is_dice(ctx, line.axis) for line in shared)
    chances = _chances(program, chart) if rolled else {}
    note = _MODIFIED if chart.roll_modifiers else ""
    for item in tree.items:
        if isinstance(item.line, t.AxisLine):
            yield from _range(item.line, axes.get(item.line.way))
        for row in item.rows:
            if row.cells and row.cells[0].text in chances:
                end = row.span.start + len(row.span.text.rstrip())
                yield Hint(Span(row.span.source, row.span.start, end), chances[row.cells[0].text], "chance", note)


def _range(line: t.AxisLine, axis: ir.Axis | None) -> Iterator[Hint]:
    """The numbers that an axis is looked up with, unless its line states them."""
    value = line.axis.value
    if axis is None or axis.value is None or value is None or line.axis.stated is not None:
        return
    if isinstance(axis.value.type, Num):
        yield Hint(value.span, f": {describe(axis.value.type)}", "range")


def _chances(program: ir.Program, chart: ir.Chart) -> dict[str, str]:
    """The chance of each row that a roll can reach, by the label of the row."""
    weights = _weights(program, chart.dice)
    found: Counter[int] = Counter()
    for value, weight in weights.items():
        row = _row(chart, value)
        if row is not None:
            found[row] += weight
    total = sum(weights.values())
    texts = ((row, f"{over(weight, total)}  {percent(Fraction(weight, total))}") for row, weight in found.items())
    return {chart.down.labels[row]: text for row, text in texts}


def _row(chart: ir.Chart, value: Any) -> int | None:
    """The row of a roll; ``None`` if it is off the chart and does not stay on its edge."""
    matches = chart.down.headers[0].matches
    row = find_label(chart.down.mode, matches, value, chart.down.limits)
    if isinstance(row, int):
        return row
    edge = chart.edges.get(f"row {row}")
    stays = edge is not None and all(action.act == "stays" for action in edge.actions)
    return end_label(matches, row) if stays else None


def _weights(program: ir.Program, groups: tuple[ir.DiceGroup, ...]) -> Weights:
    """The weight of each total of the dice of an axis, or of each face of a single die; empty if there are too many."""
    for group in groups:
        die, count = program.dice[group.die], group.count
        if isinstance(count, ir.Const) and count.value * die.count <= _MOST_FACES:
            faces = Counter(_values(die))
            return faces if count.value == 1 else added_often(faces, count.value)
    return {}


def _values(die: ir.Die) -> Iterable[Any]:
    """What each face counts; a face without a value, such as a word, counts as printed."""
    if die.faces is None:
        return range(1, die.count + 1)
    return [face.printed if face.value is None else face.value for face in die.faces]
