"""Coverage of an axis: gaps, overlaps and labels out of reach are reported.

Labels that can't be read are reported first. Gaps are then not reported, because an unread label may fill them.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from enfilade.check import coverage, intervals
from enfilade.check.axes import AxisType
from enfilade.check.chart_edges import check_edge, edges_of, passes_limit, total_of_block
from enfilade.check.context import Context
from enfilade.check.coverage import Labelled, Run
from enfilade.check.demand import attached_blocks
from enfilade.check.satisfiability import find_unmet
from enfilade.core import ir
from enfilade.core.types import CodeOf, Num, Word
from enfilade.diagnostics.diagnostic import Label as Mark
from enfilade.syntax import tree as t


@frozen
class AxisLabels:
    """The labels of one axis.

    Attributes:
        chart: The chart.
        what: ``row``, ``column`` or ``page``.
        axis: The axis; the range of its value includes modifiers.
        natural: The range of the dice before any modifier, if dice are looked up.
        read: The labels that could be read.
        is_whole: Whether all labels could be read.
        limits: The numbers from which on a value is off the chart.
    """

    chart: t.Chart
    what: str
    axis: AxisType
    natural: Num | None
    read: list[Labelled]
    is_whole: bool
    limits: tuple[ir.Limit, ...] = ()

    @property
    def matches(self) -> list[ir.Match]:
        """The values that each label matches."""
        return [label.match for label in self.read]

    @property
    def edges(self) -> list[t.Edge]:
        """The edges that the chart states."""
        return edges_of(self.chart)

    def states(self, side: str) -> bool:
        """Whether the chart says what happens on one side of the labels."""
        return f"{self.what} {side}" in [edge.where for edge in self.edges]


def with_modifiers(ctx: Context, axis: AxisType, tree: t.Chart, purpose: str) -> AxisType:
    """The axis with the range of its value widened by modifiers."""
    num = axis.type
    if not isinstance(num, Num):
        return axis
    for block in attached_blocks(ctx, tree.name.name, purpose):
        num = intervals.add(num, total_of_block(block))
    return evolve(axis, type=num)


def check_cover(ctx: Context, labels: AxisLabels) -> None:
    """Check the labels against the values that can be looked up."""
    if isinstance(labels.axis.type, Num) and labels.read:
        _check_numbers(ctx, labels, labels.axis.type)
    elif isinstance(labels.axis.type, (Word, CodeOf)):
        words = labels.axis.type.words if isinstance(labels.axis.type, Word) else labels.axis.type.codes
        _check_words(ctx, labels, words)


def _check_words(ctx: Context, labels: AxisLabels, words: tuple[str, ...]) -> None:
    taken = [word for match in labels.matches for word in match.words]
    missing = [word for word in words if word not in taken]
    if missing and labels.is_whole:
        ctx.report(
            "table-gap",
            f"the {labels.what}s of {labels.chart.name.name} do not cover {', '.join(missing)}",
            labels.chart.name.span,
            f"add a {labels.what} for it, or write it beside another: `a, b`",
        )
    for word in dict.fromkeys(word for word in taken if taken.count(word) > 1):
        first, second, *_ = [each for each in labels.read if word in each.match.words] * 2
        if labels.what == "column" and first.text == second.text:
            continue
        ctx.report(
            "table-overlap",
            f"`{word}` stands in two {labels.what}s",
            second.span,
            labels=(Mark(first.span, "the other"),),
        )


def _check_numbers(ctx: Context, labels: AxisLabels, num: Num) -> None:
    if labels.axis.mode != "contains":
        _check_thresholds(ctx, labels, num)
    elif not num.whole:
        ctx.report(
            "axis-fraction",
            f"the value may be a fraction, and a {labels.what} label takes whole numbers only",
            labels.axis.span,
            f"write `{labels.what} at or below`, `{labels.what} at or above`, or round it",
        )
        return
    else:
        _check_bands(ctx, labels, num)
    if labels.what != "page" and labels.is_whole:
        _check_edge(ctx, labels, "below", coverage.reaches_below(labels.matches, num, labels.axis.mode), num)
        _check_edge(ctx, labels, "above", coverage.reaches_above(labels.matches, num, labels.axis.mode), num)


def _check_bands(ctx: Context, labels: AxisLabels, num: Num) -> None:
    gaps = coverage.gaps_of(labels.matches, num) if labels.is_whole else []
    ends = _uncovered_ends(labels, num)
    gaps = [*ends[0], *gaps, *ends[1]]
    overlaps = coverage.overlaps_of(labels.read)
    report_overlaps(ctx, labels.what, overlaps, gaps)
    if len(gaps) > len(overlaps):
        _report_gaps(ctx, labels, gaps[len(overlaps) :])
    if labels.what == "column" and attached_blocks(ctx, labels.chart.name.name, "shift"):
        return
    for label in labels.read:
        if coverage.out_of_reach(label.match, num):
            _report_unreachable(ctx, labels, label, num)


def _uncovered_ends(labels: AxisLabels, num: Num) -> tuple[list[Run], list[Run]]:
    """For dice and pages, the values below and above all labels, except on sides where the chart states an edge."""
    reach = num if labels.what == "page" else labels.natural
    if reach is None or not labels.is_whole:
        return [], []
    low, high = coverage.span_of(labels.matches)
    below = low is not None and (reach.low is None or reach.low < low) and not labels.states("below")
    above = high is not None and (reach.high is None or reach.high > high) and not labels.states("above")
    return (
        [Run(reach.low, low - 1)] if below and low is not None else [],
        [Run(high + 1, reach.high)] if above and high is not None else [],
    )


def report_overlaps(ctx: Context, what: str, overlaps: Sequence[coverage.Overlap], gaps: Sequence[Run] = ()) -> None:
    """Report values that two labels match. A gap next to an overlap is part of the same mistake."""
    for index, overlap in enumerate(overlaps):
        if what == "column" and overlap.first.text == overlap.second.text:
            # A repeated label was already reported.
            continue
        help_ = [f"nothing takes {gaps[index]}"] if index < len(gaps) else []
        ctx.report(
            "table-overlap",
            f"two {what}s take {overlap.value}",
            overlap.second.span,
            *help_,
            labels=(Mark(overlap.first.span, "the other"),),
        )


def _report_gaps(ctx: Context, labels: AxisLabels, gaps: list[Run]) -> None:
    what, first = labels.what, gaps[0]
    before = [each for each in labels.read if first.low is not None and coverage.ends_before(each.match, first.low)]
    span = before[-1].span if before else labels.read[0].span
    shown = ", ".join(map(str, gaps))
    help_ = f"add a {what} for it, or let a label take it: `6,7` or `6..7`"
    if any(gap.low is None or gap.high is None for gap in gaps):
        help_ = f"add a {what} for it, or state the range: `{what}s 1..3 of ...`"
    single = all(band.low == band.high for match in labels.matches[:-1] for band in match.bands)
    more = [f"are they thresholds? then write `{what} at or below`"] if len(gaps) > 1 and single else []
    name = labels.chart.name.name
    ctx.report("table-gap", f"the {what}s of {name} do not cover {shown}", span, help_, *more)


def _report_unreachable(ctx: Context, labels: AxisLabels, label: Labelled, num: Num) -> None:
    ctx.warn(
        "unreachable",
        f"the {labels.what} `{label.text}` can never be reached",
        label.span,
        f"the value is {Run(num.low, num.high)}",
    )


def _check_thresholds(ctx: Context, labels: AxisLabels, num: Num) -> None:
    starts = coverage.thresholds_of(labels.read, labels.axis.mode)
    for first, second in coverage.equal_thresholds(starts):
        report_overlaps(ctx, labels.what, [coverage.Overlap(coverage.start_of(starts, second), first, second)])
    turn = coverage.turn_of(starts)
    if turn is not None:
        ctx.warn(
            "label-order",
            f"the {labels.what}s rise and fall: `{turn[1].text}` stands after `{turn[0].text}`",
            turn[1].span,
            "a value goes to the nearest label on its side, wherever that stands",
        )
    if labels.what == "column" and attached_blocks(ctx, labels.chart.name.name, "shift"):
        return
    for label in coverage.thresholds_out_of_reach(starts, labels.axis.mode, num):
        _report_unreachable(ctx, labels, label, num)


def _check_edge(ctx: Context, labels: AxisLabels, side: str, reached: bool, num: Num) -> None:
    end = labels.read[0] if side == "below" else labels.read[-1]
    natural = labels.natural
    left = [] if natural is None or labels.axis.mode != "contains" else _uncovered_ends(labels, num)
    if left and left[0 if side == "below" else 1]:
        return
    passed = passes_limit(labels.limits, side, num)
    if passed is not None and labels.axis.mode == "contains":
        _check_limit_gap(ctx, labels, side, num)
    reached = reached if passed is None else passed
    check_edge(ctx, f"{labels.what} {side}", reached, num, end, labels.chart, labels.axis.is_given)


def _check_limit_gap(ctx: Context, labels: AxisLabels, side: str, num: Num) -> None:
    """Report numbers between the last label and the limit."""
    limit = next(each for each in labels.limits if each.side == side)
    low, high = coverage.span_of(labels.matches)
    step = 0 if limit.included else 1
    if side == "above" and high is not None and high + 1 < limit.at + step:
        _report_gaps(ctx, labels, [Run(high + 1, limit.at + step - 1)])
    if side == "below" and low is not None and low - 1 > limit.at - step:
        _report_gaps(ctx, labels, [Run(limit.at - step + 1, low - 1)])


def check_header_gap(ctx: Context, headers: Sequence[ir.Header], axis: AxisType) -> None:
    """Warn if the conditions of all header rows can be false together."""
    conditions = [header.condition for header in headers if header.condition is not None]
    if len(conditions) < len(headers):
        return
    left = find_unmet(conditions, ctx.input_types)
    if left is not None or len(headers) == 1:
        values = {True: "yes", False: "no"}
        shown = ", ".join(f"{name} is {values.get(value, value)}" for name, value in left or [])
        ctx.warn(
            "header-gap",
            f"no header row holds when {shown}" if shown else "this header row may not hold, and there is no other",
            headers[0].note.span or axis.span,
            "add one without `when`",
        )
