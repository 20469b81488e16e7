"""Coverage of an axis: gaps, overlaps and labels out of reach are reported.

Labels that can't be read are reported first. Gaps are then not reported, because an unread label may fill them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from attrs import evolve, field, frozen

from enfilade.check.charts.axes import AxisType
from enfilade.check.charts.chart_edges import check_edge, edges_of, passes_limit, total_of_block
from enfilade.check.charts.label_advice import faces_advice, is_zero_for_ten, other_dice, overlap_advice, zero_advice
from enfilade.check.context import Context
from enfilade.check.demand import attached_blocks
from enfilade.check.types import coverage
from enfilade.check.types.coverage import Labelled, Run
from enfilade.check.types.satisfiability import find_unmet
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Label as Mark
from enfilade.diagnostics.diagnostic import Subject
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes
from enfilade.values import intervals
from enfilade.values.types import Bound, CodeOf, Listed, Num, Word

MAX_LISTED = 3

# A label of numbers, which is not the heading of a column.
_A_LABEL: Final = re.compile(r"\d+(?:\s*(?:-|–|\.\.|,)\s*\d*)*\+?")


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
        cells: The cells of each label, by the place of the label.
    """

    chart: t.Chart
    what: str
    axis: AxisType
    natural: Num | None
    read: list[Labelled]
    is_whole: bool
    limits: tuple[ir.Limit, ...] = ()
    cells: Mapping[int, tuple[str, ...]] = field(factory=dict)

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
    both = '"a, b"' if labels.what == "page" else "a, b"
    if missing and labels.is_whole:
        ctx.report(
            "table-gap",
            f"no {labels.what} of {labels.chart.name.name} covers {', '.join(missing)}",
            labels.chart.name.span,
            f"add a {labels.what}, or put two words in one label: `{both}`",
            about=_missing_rows(labels, missing),
        )
    for word in dict.fromkeys(word for word in taken if taken.count(word) > 1):
        first, second, *_ = [each for each in labels.read if word in each.match.words] * 2
        if labels.what == "column" and first.text == second.text:
            continue
        ctx.report(
            "table-overlap",
            f"`{word}` is in two {labels.what}s",
            second.span,
            labels=(Mark(first.span, "the other label"),),
        )


def _check_numbers(ctx: Context, labels: AxisLabels, num: Num) -> None:
    if labels.axis.mode != "contains":
        _check_thresholds(ctx, labels, num)
    elif not num.whole:
        ctx.report(
            "axis-fraction",
            f"the value may be a fraction, but {labels.what} labels match only whole numbers",
            labels.axis.span,
            f"write `{labels.what} at or below`, `{labels.what} at or above`, or round the value",
        )
        return
    elif _check_bands(ctx, labels, num):
        return
    if labels.what != "page" and labels.is_whole:
        _check_edge(ctx, labels, "below", coverage.reaches_below(labels.matches, num, labels.axis.mode), num)
        _check_edge(ctx, labels, "above", coverage.reaches_above(labels.matches, num, labels.axis.mode), num)


def _check_bands(ctx: Context, labels: AxisLabels, num: Num) -> bool:
    """Check labels that are bands; return whether they seem to be thresholds, whose ends nobody can tell."""
    gaps = _possible_gaps(ctx, labels, num) if labels.is_whole else []
    ends = _uncovered_ends(labels, num)
    gaps = [*ends[0], *gaps, *ends[1]]
    overlaps = coverage.overlaps_of(labels.read)
    unreachable = [label for label in labels.read if coverage.out_of_reach(label.match, num)]
    if labels.what == "column" and attached_blocks(ctx, labels.chart.name.name, "shift"):
        unreachable = []
    if gaps and not overlaps and _report_other_dice(ctx, labels, gaps, unreachable, num):
        return False
    report_overlaps(ctx, labels.what, overlaps, gaps, labels.cells)
    if len(gaps) > len(overlaps):
        _report_gaps(ctx, labels, gaps[len(overlaps) :])
    if unreachable:
        _report_unreachable(ctx, labels, unreachable, num)
    return len(gaps) > len(overlaps) + 1 and _are_single(labels)


def _are_single(labels: AxisLabels) -> bool:
    """Whether each label but the last is one number."""
    return all(band.low == band.high for match in labels.matches[:-1] for band in match.bands)


def _possible_gaps(ctx: Context, labels: AxisLabels, num: Num) -> list[Run]:
    """The gaps between labels; for a single unmodified die, only those that it can show: no face of a d66 is 17."""
    gaps = coverage.gaps_of(labels.matches, num)
    dice = labels.axis.dice
    if num != labels.natural or len(dice) != 1 or not isinstance(dice[0].count, ir.Const) or dice[0].count.value != 1:
        return gaps
    faces = ctx.dice[dice[0].die].faces
    if faces is None:
        return gaps
    return [gap for gap in gaps if any(gap.low <= face.value <= gap.high for face in faces)]


def _report_other_dice(
    ctx: Context, labels: AxisLabels, gaps: list[Run], unreachable: list[Labelled], num: Num
) -> bool:
    """Report labels that are those of other dice, or a 0 that means ten: one mistake, whatever else it causes."""
    natural = labels.natural
    if natural is None:
        return False
    reach = Run(natural.low, natural.high)
    if len(gaps) == len(unreachable) == 1 and is_zero_for_ten(unreachable[0], gaps[0], natural):
        label = unreachable[0]
        message = f"the {labels.what} `{label.text}` is never read: the dice show {reach}"
        ctx.report("table-gap", message, label.span, zero_advice(label, natural))
        return True
    if not labels.axis.dice or num != natural:
        return False
    low, high = _ends_of(labels.read)
    if low == 0 and natural.low == 1 and gaps == [Run(natural.high, natural.high)]:
        help_ = faces_advice(natural)
    elif (dice := other_dice(labels.read, labels.axis.dice)) and not _are_within(low, high, natural):
        help_ = f"did you mean `{dice}`?"
    elif unreachable and all(gap.low == natural.low or gap.high == natural.high for gap in gaps):
        help_ = "change the labels or the dice"
    else:
        return False
    message = f"the {labels.what}s of {labels.chart.name.name} are {Run(low, high)}, but the dice show {reach}"
    ctx.report("table-gap", message, labels.axis.span, help_)
    return True


def _ends_of(labels: Sequence[Labelled]) -> tuple[Bound, Bound]:
    bands = [band for label in labels for band in label.match.bands]
    ends = [end for band in bands for end in (band.low, band.high) if end is not None]
    return (min(ends), max(ends)) if ends else (None, None)


def _are_within(low: Bound, high: Bound, natural: Num) -> bool:
    """Whether the dice can show both ends of the labels."""
    return not coverage.out_of_reach(ir.Match((ir.Band(low, low),)), natural) and not coverage.out_of_reach(
        ir.Match((ir.Band(high, high),)), natural
    )


def _uncovered_ends(labels: AxisLabels, num: Num) -> tuple[list[Run], list[Run]]:
    """For dice and pages, the values below and above all labels, except on sides where the chart states an edge."""
    reach = num if labels.what == "page" else labels.natural
    if reach is None or not labels.is_whole:
        return [], []
    low, high = coverage.span_of(labels.matches)
    below = low is not None and (reach.low is None or reach.low < low) and not labels.states("below")
    above = high is not None and (reach.high is None or reach.high > high) and not labels.states("above")
    ends = (
        [Run(reach.low, low - 1)] if below and low is not None else [],
        [Run(high + 1, reach.high)] if above and high is not None else [],
    )
    if not isinstance(reach, Listed):
        return ends
    return ([Run(each, each) for each in reach.values if below and low is not None and each < low],
            [Run(each, each) for each in reach.values if above and high is not None and each > high])  # fmt: skip


def report_overlaps(
    ctx: Context,
    what: str,
    overlaps: Sequence[coverage.Overlap],
    gaps: Sequence[Run] = (),
    cells: Mapping[int, tuple[str, ...]] | None = None,
) -> None:
    """Report values that two labels match. A gap next to an overlap is part of the same mistake."""
    for index, overlap in enumerate(overlaps):
        if what == "column" and overlap.first.text == overlap.second.text:
            # A repeated label was already reported.
            continue
        help_ = [*overlap_advice(what, overlap, cells or {})]
        help_ += [f"no {what} covers {gaps[index]}"] if index < len(gaps) else []
        ctx.report(
            "table-overlap",
            f"two {what}s cover {overlap.value}",
            overlap.second.span,
            *help_,
            labels=(Mark(overlap.first.span, "the other label"),),
        )


def _report_gaps(ctx: Context, labels: AxisLabels, gaps: list[Run]) -> None:
    what, first = labels.what, gaps[0]
    before = [each for each in labels.read if first.low is not None and coverage.ends_before(each.match, first.low)]
    span = before[-1].span if before else labels.read[0].span
    shown = ", ".join(map(str, gaps))
    help_ = f"add a {what}, or extend a label: `6,7` or `6..7`"
    rows = [row for item in labels.chart.items for row in item.rows]
    if what == "row" and rows and _A_LABEL.fullmatch(rows[0].cells[0].text):
        span, help_ = (
            rows[0].span,
            "the first row of a chart is its header: put a header row above this row, such as `| Die | Result |`",
        )
    elif any(gap.low is None or gap.high is None for gap in gaps):
        help_ = f"add a {what}, or state the range: `{what}s 1..3 of ...`"
    first_label = labels.read[0].text if labels.read else ""
    more = (
        [
            f"if `{first_label}` stands for {first_label} and more, write `{what} at or below`; if it stands for up to "
            f"{first_label}, `{what} at or above`"
        ]
        if len(gaps) > 1 and _are_single(labels)
        else []
    )
    name = labels.chart.name.name
    has_header = span is not rows[0].span if rows else True
    about = _missing_rows(labels, map(str, gaps)) if has_header else None
    ctx.report("table-gap", f"no {what} of {name} covers {shown}", span, help_, *more, about=about)


def _missing_rows(labels: AxisLabels, missing: Iterable[str]) -> Subject | None:
    """The labels that rows are missing for."""
    return Subject(tuple(missing)) if labels.what == "row" else None


def _report_unreachable(ctx: Context, labels: AxisLabels, unreachable: list[Labelled], num: Num) -> None:
    """Warn of labels out of reach: once, however many there are."""
    if labels.axis.dice and num == labels.natural and ctx.query(is_read_with_a_value, labels.chart.name.name):
        return
    first, *others = unreachable
    texts = ", ".join(f"`{label.text}`" for label in unreachable[:MAX_LISTED])
    more = f" and {len(unreachable) - MAX_LISTED} more" if len(unreachable) > MAX_LISTED else ""
    source = "the dice show" if labels.axis.dice and num == labels.natural else "the value is"
    it, is_ = ("them", "are") if others else ("it", "is")
    block = "add to roll" if labels.what == "row" else "shift"
    led = f", or declare modifiers (`{block}`) that make {it} reachable" if labels.axis.dice or block == "shift" else ""
    ctx.warn(
        "unreachable",
        f"the {labels.what}{'s' if others else ''} {texts}{more} {is_} never read",
        first.span,
        f"{source} {Run(num.low, num.high)}: delete {it}{led}",
    )


def is_read_with_a_value(ctx: Context, chart: str) -> bool:
    """Whether some step reads a chart with something else than a roll: `read damage with die - armour`."""
    symbols = ctx.symbols
    for body in (*symbols.procedures.values(), *symbols.effects.values(), *symbols.results.values()):
        found = list(nodes(body))
        rolls = {each.name.name for each in found if isinstance(each, t.Roll)}
        if any(
            isinstance(each, t.Read) and each.chart.name == chart and each.roll is not None
            and not (isinstance(each.roll, t.Name) and each.roll.name in rolls)
            for each in found
        ):  # fmt: skip
            return True
    return False


def _check_thresholds(ctx: Context, labels: AxisLabels, num: Num) -> None:
    starts = coverage.thresholds_of(labels.read, labels.axis.mode)
    for first, second in coverage.equal_thresholds(starts):
        overlap = coverage.Overlap(coverage.start_of(starts, second), first, second)
        report_overlaps(ctx, labels.what, [overlap], (), labels.cells)
    is_shifted = labels.what == "column" and bool(attached_blocks(ctx, labels.chart.name.name, "shift"))
    turn = coverage.turn_of(starts)
    if turn is not None and not is_shifted:
        ctx.warn(
            "label-order",
            f"the {labels.what}s are out of order: `{turn[1].text}` follows `{turn[0].text}`",
            turn[1].span,
            "put the labels in order; the results of lookups stay the same",
        )
    if is_shifted:
        return
    unreachable = coverage.thresholds_out_of_reach(starts, labels.axis.mode, num)
    if unreachable:
        _report_unreachable(ctx, labels, unreachable, num)


def _check_edge(ctx: Context, labels: AxisLabels, side: str, reached: bool, num: Num) -> None:
    end = labels.read[0] if side == "below" else labels.read[-1]
    natural = labels.natural
    left = [] if natural is None or labels.axis.mode != "contains" else _uncovered_ends(labels, num)
    if left and left[0 if side == "below" else 1]:
        return
    passed = passes_limit(labels.limits, side, num)
    if passed and labels.axis.mode == "contains":
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
            f"no header row applies when {shown}"
            if shown
            else "this header row does not always apply, and there is no other header row",
            headers[0].note.span or axis.span,
            "add a header row without `when`",
        )
