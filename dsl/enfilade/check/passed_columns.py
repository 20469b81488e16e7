"""The order of columns that shifts walk through, and columns that are passed through and read as another."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from enfilade.check import coverage
from enfilade.check.axes import AxisType, check_label
from enfilade.check.chart_layout import ChartLayout
from enfilade.check.context import Context, similar
from enfilade.check.coverage import Labelled
from enfilade.check.labels import index_of
from enfilade.core.chart_labels import highest, lowest
from enfilade.diagnostics.diagnostic import Label as Mark
from enfilade.values.types import Type, Word


def with_passed_columns(
    ctx: Context, layout: ChartLayout, printed: Sequence[Labelled | None], across: AxisType
) -> tuple[list[Labelled | None], list[int]]:
    """Add the columns that are read as another: ``column 7:1, 8:1 reads 6:1``.

    Args:
        ctx: The context.
        layout: The chart.
        printed: The labels of the printed columns.
        across: The axis of the columns.

    Returns:
        The labels of all columns in the order of the printed ones, and the index of the printed column for each.
    """
    found = [(label, index) for index, label in enumerate(printed) if label is not None]
    texts = [code.text for code in layout.columns]
    for line in layout.passed:
        target = index_of(line.reads.text, texts)
        if target is None:
            close = similar(line.reads.text, texts)
            help_ = f"did you mean `{close}`?" if close else "it has " + ", ".join(texts)
            ctx.report("no-cell", f"the chart has no column `{line.reads.text}`", line.reads.span, help_)
            continue
        labels = [check_label(ctx, code, across) for code in line.labels]
        found += [(label, target) for label in labels if label is not None]
    falls = _falls([label for label, _ in found[: len(printed)]])
    found.sort(key=lambda each: _start(each[0]), reverse=falls)
    return [label for label, _ in found], [index for _, index in found]


def _start(label: Labelled) -> tuple[bool, object]:
    low = lowest(label.match) if label.match.bands else None
    return (low is not None, low or 0)


def _rank(label: Labelled, order: Sequence[str]) -> int | None:
    """The rank of the lowest word of a label."""
    return min((order.index(word) for word in label.match.words if word in order), default=None)


def _low_end(label: Labelled) -> int | Fraction | None:
    """The lower end of a label, or its upper end if it is open below; none for words."""
    if not label.match.bands:
        return None
    low = lowest(label.match)
    return highest(label.match) if low is None else low


def _falls(labels: Sequence[Labelled]) -> bool:
    starts = [low for label in labels if label.match.bands and (low := lowest(label.match)) is not None]
    return len(starts) > 1 and starts[0] > starts[-1]


def check_order(ctx: Context, labels: Sequence[Labelled], type_: Type) -> None:
    """Report columns out of order in a chart with column shifts: a shift moves from each column to its neighbour."""
    order = type_.order if isinstance(type_, Word) else ()
    ends = [(_rank(label, order) if order else _low_end(label), label) for label in labels]
    starts = [(end, label) for end, label in ends if end is not None]
    turn = coverage.turn_of(starts)
    if turn is not None:
        ctx.report(
            "label-order",
            f"columns must be in order for shifts, but `{turn[1].text}` follows `{turn[0].text}`",
            turn[1].span,
            "put the columns in order, from low to high",
            labels=(Mark(turn[0].span, "before it"),),
        )
