"""Whether the labels of a chart cover what is looked up, and whether it says what happens past its edges.

Labels that can't be read are reported first, and then nothing is said of gaps: they may lie where such a label stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import evolve, frozen

from enfilade.check import coverage, intervals
from enfilade.check.axes import Axes, AxisType
from enfilade.check.base import Base
from enfilade.check.context import similar
from enfilade.check.coverage import Labelled, Run
from enfilade.check.labels import match_label
from enfilade.check.possible import unmet
from enfilade.core import ir
from enfilade.core.types import CodeOf, Num, TallyOf, Type, Unknown, Word
from enfilade.diagnostics.diagnostic import Label as Mark
from enfilade.syntax import tree as t


@frozen
class Labels:
    """The labels of one axis.

    Attributes:
        chart: The chart.
        what: Row, column or page.
        axis: What is looked up, modifiers included.
        natural: The range of the dice before any modifier, where dice are looked up.
        read: The labels that could be read.
        is_whole: Whether that is all of them.
    """

    chart: t.Chart
    what: str
    axis: AxisType
    natural: Num | None
    read: list[Labelled]
    is_whole: bool

    @property
    def matches(self) -> list[ir.Match]:
        """What the labels stand for."""
        return [label.match for label in self.read]

    @property
    def edges(self) -> list[t.Edge]:
        """The edges that the chart states."""
        return edges_of(self.chart)

    def states(self, side: str) -> bool:
        """Whether the chart says what happens on one side of the labels."""
        return f"{self.what} {side}" in [edge.where for edge in self.edges]


def edges_of(chart: t.Chart) -> list[t.Edge]:
    """The edges that a chart states."""
    return [item.line for item in chart.items if isinstance(item.line, t.Edge)]


class Covering(Axes, Base):
    """Checks labels and edges."""

    def label(self, code: t.Code, axis: AxisType) -> Labelled | None:
        """A label as what it stands for; ``None`` where it can't be read."""
        if isinstance(axis.type, Unknown):
            return None
        match = match_label(code.text, axis.type, axis.mode, axis.die)
        if match is None:
            code = _piece(code, axis.type)
            words = axis.values if isinstance(axis.type, Word) else None
            close = similar(code.text, words) if words else None
            help_ = f"did you mean `{close}`?" if close else "write `7`, `3..5`, `6,7`, `12+`, or a word of that fact"
            self.ctx.report("label", f"the label `{code.text}` does not fit what is looked up", code.span, help_)
            return None
        empty = next((band for band in match.bands if coverage.is_empty(band)), None)
        if empty is not None:
            self.ctx.report(
                "empty-range",
                f"there is no number from {empty.low} to {empty.high}",
                code.span,
                f"write `{empty.high}..{empty.low}`",
            )
            return None
        return Labelled(code.text, match, code.span)

    def with_modifiers(self, axis: AxisType, tree: t.Chart, purpose: str) -> AxisType:
        """An axis with the range that modifiers give it."""
        num = axis.type
        if not isinstance(num, Num):
            return axis
        for block in self.attached(tree.name.name, purpose):
            num = intervals.add(num, total_of_block(block))
        return evolve(axis, type=num)

    # -- gaps and overlaps ------------------------------------------------------------------------------------

    def check_cover(self, labels: Labels) -> None:
        """Hold labels against what is looked up."""
        if isinstance(labels.axis.type, Num) and labels.read:
            self._check_numbers(labels, labels.axis.type)
        elif isinstance(labels.axis.type, (Word, CodeOf)):
            words = labels.axis.type.words if isinstance(labels.axis.type, Word) else labels.axis.type.codes
            self._check_words(labels, words)

    def _check_words(self, labels: Labels, words: tuple[str, ...]) -> None:
        taken = [word for match in labels.matches for word in match.words]
        missing = [word for word in words if word not in taken]
        if missing and labels.is_whole:
            self.ctx.report(
                "table-gap",
                f"the {labels.what}s of {labels.chart.name.name} do not cover {', '.join(missing)}",
                labels.chart.name.span,
                f"add a {labels.what} for it, or write it beside another: `a, b`",
            )
        for word in dict.fromkeys(word for word in taken if taken.count(word) > 1):
            first, second, *_ = [each for each in labels.read if word in each.match.words] * 2
            if labels.what == "column" and first.text == second.text:
                continue
            self.ctx.report(
                "table-overlap",
                f"`{word}` stands in two {labels.what}s",
                second.span,
                labels=(Mark(first.span, "the other"),),
            )

    def _check_numbers(self, labels: Labels, num: Num) -> None:
        if labels.axis.mode != "contains":
            self._check_thresholds(labels, num)
        elif not num.whole:
            self.ctx.report(
                "axis-fraction",
                f"the value may be a fraction, and a {labels.what} label takes whole numbers only",
                labels.axis.span,
                f"write `{labels.what} at or below`, `{labels.what} at or above`, or round it",
            )
            return
        else:
            self._check_bands(labels, num)
        if labels.what != "page" and labels.is_whole:
            self._edge(labels, "below", coverage.reaches_below(labels.matches, num, labels.axis.mode), num)
            self._edge(labels, "above", coverage.reaches_above(labels.matches, num, labels.axis.mode), num)

    def _check_bands(self, labels: Labels, num: Num) -> None:
        gaps = coverage.gaps_of(labels.matches, num) if labels.is_whole else []
        ends = self._ends_left(labels, num)
        gaps = [*ends[0], *gaps, *ends[1]]
        overlaps = coverage.overlaps_of(labels.read)
        self.report_overlaps(labels.what, overlaps, gaps)
        if len(gaps) > len(overlaps):
            self._gaps(labels, gaps[len(overlaps) :])
        if labels.what == "column" and self.attached(labels.chart.name.name, "shift"):
            return
        for label in labels.read:
            if coverage.out_of_reach(label.match, num):
                self._unreachable(labels, label, num)

    def _ends_left(self, labels: Labels, num: Num) -> tuple[list[Run], list[Run]]:
        """What dice show, or a page is looked up by, outside of all labels, where the chart does not say more."""
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

    def report_overlaps(self, what: str, overlaps: Sequence[coverage.Overlap], gaps: Sequence[Run] = ()) -> None:
        """Report what two labels take; a gap beside it is the other half of the same slip."""
        for index, overlap in enumerate(overlaps):
            if what == "column" and overlap.first.text == overlap.second.text:
                # That one label stands twice was said.
                continue
            help_ = [f"nothing takes {gaps[index]}"] if index < len(gaps) else []
            self.ctx.report(
                "table-overlap",
                f"two {what}s take {overlap.value}",
                overlap.second.span,
                *help_,
                labels=(Mark(overlap.first.span, "the other"),),
            )

    def _gaps(self, labels: Labels, gaps: list[Run]) -> None:
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
        self.ctx.report("table-gap", f"the {what}s of {name} do not cover {shown}", span, help_, *more)

    def _unreachable(self, labels: Labels, label: Labelled, num: Num) -> None:
        self.ctx.warn(
            "unreachable",
            f"the {labels.what} `{label.text}` can never be reached",
            label.span,
            f"the value is {Run(num.low, num.high)}",
        )

    def _check_thresholds(self, labels: Labels, num: Num) -> None:
        starts = coverage.thresholds_of(labels.read, labels.axis.mode)
        for first, second in coverage.equal_thresholds(starts):
            self.report_overlaps(labels.what, [coverage.Overlap(coverage.start_of(starts, second), first, second)])
        turn = coverage.turn_of(starts)
        if turn is not None:
            self.ctx.warn(
                "label-order",
                f"the {labels.what}s rise and fall: `{turn[1].text}` stands after `{turn[0].text}`",
                turn[1].span,
                "a value goes to the nearest label on its side, wherever that stands",
            )
        if labels.what == "column" and self.attached(labels.chart.name.name, "shift"):
            return
        for label in coverage.thresholds_out_of_reach(starts, labels.axis.mode, num):
            self._unreachable(labels, label, num)

    # -- edges ------------------------------------------------------------------------------------------------

    def _edge(self, labels: Labels, side: str, reached: bool, num: Num) -> None:
        end = labels.read[0] if side == "below" else labels.read[-1]
        natural = labels.natural
        left = [] if natural is None or labels.axis.mode != "contains" else self._ends_left(labels, num)
        if left and left[0 if side == "below" else 1]:
            return
        self.check_edge(f"{labels.what} {side}", reached, num, end, labels.chart, bool(labels.axis.dice))

    def check_edge(self, name: str, reached: bool, num: Num, end: Labelled, chart: t.Chart, dice: bool) -> None:
        """Ask for an edge that can be reached, and doubt one that can't."""
        edge = next((edge for edge in edges_of(chart) if edge.where == name), None)
        what, side = name.split()
        if reached and edge is None:
            value = num.low if side == "below" else num.high
            shown = "any number" if value is None else str(value)
            self.ctx.report(
                "edge-unsaid",
                f"the value can be {side} every label (it goes to {shown}), and the chart "
                "does not say what happens then",
                end.span,
                f"add a line `{name} stays`, `{name} gives CODE` or `{name} refuse slug`",
            )
        if not reached and edge is not None and not (what == "row" and (dice or self._has_stray_modifiers())):
            self.ctx.warn("edge-unreachable", f"nothing can be {side} the {what}s", edge.span)

    def check_header_edges(self, headers: Sequence[ir.Header], axis: AxisType, tree: t.Chart) -> None:
        """Ask for the edges that some header row leaves open."""
        if not isinstance(axis.type, Num):
            return
        present = [[m for m in header.matches if m is not None] for header in headers]
        if not any(present):
            return
        end = Labelled("", ir.Match(), axis.span)
        below = any(coverage.reaches_below(matches, axis.type, axis.mode) for matches in present if matches)
        above = any(coverage.reaches_above(matches, axis.type, axis.mode) for matches in present if matches)
        self.check_edge("column below", below, axis.type, end, tree, False)
        self.check_edge("column above", above, axis.type, end, tree, False)

    def check_header_gap(self, headers: Sequence[ir.Header], axis: AxisType) -> None:
        """Doubt header rows of which none may be in force."""
        conditions = [header.condition for header in headers if header.condition is not None]
        if len(conditions) < len(headers):
            return
        types = {name: fact.type for name, fact in self.ctx.facts.items()}
        types |= {name: option.type for name, option in self.ctx.options.items()}
        left = unmet(conditions, types)
        if left is not None or len(headers) == 1:
            values = {True: "yes", False: "no"}
            shown = ", ".join(f"{name} is {values.get(value, value)}" for name, value in left or [])
            self.ctx.warn(
                "header-gap",
                f"no header row holds when {shown}" if shown else "this header row may not hold, and there is no other",
                headers[0].note.span or axis.span,
                "add one without `when`",
            )

    def check_shift_edges(self, tree: t.Chart) -> None:
        """Ask for the sides to which modifiers can shift."""
        total = Num(0, 0)
        for block in self.attached(tree.name.name, "shift"):
            total = intervals.add(total, total_of_block(block))
        stated = {edge.where: edge for edge in edges_of(tree)}
        for side, reached in (
            ("left", total.low is None or total.low < 0),
            ("right", total.high is None or total.high > 0),
        ):
            name = f"shift {side}"
            if reached and name not in stated:
                self.ctx.report(
                    "edge-unsaid",
                    f"modifiers can shift off the {side} of {tree.name.name}, and the chart does not "
                    "say what happens then",
                    tree.name.span,
                    f"add a line `shift off {side} stays`, `gives CODE` or `refuse slug`",
                )
            if not reached and name in stated and not self._has_stray_modifiers():
                self.ctx.warn("edge-unreachable", f"no modifier shifts to the {side}", stated[name].span)

    def _has_stray_modifiers(self) -> bool:
        """Whether some modifier is not known: its amount, or the chart that it is for."""
        if self.ctx.has_unclear_modifiers:
            return True
        charts = [chart.name for block in self.ctx.symbols.modifiers.values() for chart in block.charts]
        return any(name not in self.ctx.symbols.charts for name in charts)

    def check_stray_edges(self, tree: t.Chart, down: AxisType, across: AxisType | None, find: AxisType | None) -> None:
        """Doubt edges of what has none: words, or columns that nothing finds."""
        column = across if find is None else find
        for edge in edges_of(tree):
            what = edge.where.split()[0]
            axis = down if what == "row" else column
            if what == "shift" and across is not None:
                continue
            if axis is None or what == "shift":
                self.ctx.warn("edge-unreachable", "the chart has no columns to look up", edge.span)
            elif not isinstance(axis.type, (Num, Unknown)):
                self.ctx.warn("edge-unreachable", f"words are not below or above the {what}s", edge.span)


def _piece(code: t.Code, type_: Type) -> t.Code:
    """The one of several words of a label that is wrong."""
    for piece in re.split(r"\s*,\s*", code.text) if isinstance(type_, Word) else ():
        at = code.span.text.find(piece)
        if at >= 0 and match_label(piece, type_, "contains", None) is None:
            return t.Code(piece, code.span.at(at, at + len(piece)))
    return code


def total_of_block(block: ir.ModBlock) -> Num:
    """The range of what a block of modifiers comes to."""
    return block.type.total if isinstance(block.type, TallyOf) else Num()
