"""Refusals must come before the first roll or choice: a refused action costs nothing.

A forward may-analysis over each body: "a request may come before this point". It uses the program graph's summaries
for calls, effects and results. A path that stops does not reach the statements after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from enfilade.check.context import Context
from enfilade.check.types.ruled_out import may_refuse
from enfilade.core import ir
from enfilade.core.graph import ProgramGraph, graph_of
from enfilade.core.traits import ASKS, Action, Runs, Traits, traits_of
from enfilade.diagnostics.diagnostic import Diagnostic, Severity

_BEFORE = "put the refusal before the first roll, draw or choice"
_EARLIER = "refuse this case in a step before the roll: `refuse SLUG when CONDITION`"
_IF_REFUSED = "add a line for this case below: `if refused: ...`"


def late_refusals(ctx: Context, program: ir.Program, graph: ProgramGraph) -> list[Diagnostic]:
    """A diagnostic for each refusal that may come after a roll, a draw or a choice."""
    found: list[Diagnostic] = []
    for name, procedure in program.procedures.items():
        parts = _parts_of(program, graph, name)
        found += ctx.kept("late refusals", parts, partial(_late_in, program, procedure))
    others = _AskedBefore(program, found)
    for effect in program.effects.values():
        others.body(effect.body, False)
    for results in program.results.values():
        for entry in results.entries:
            for line in entry.lines:
                others.body(line.body, False)
    for chart in program.charts.values():
        others.rows(chart)
    return found


def _parts_of(program: ir.Program, graph: ProgramGraph, name: str) -> Iterator[Any]:
    """What the refusals of a procedure depend on."""
    unit = ("procedure", name)
    yield program.procedures[name]
    yield from map(graph.declared, sorted(graph.reached(unit) - {unit}))
    yield from program.facts.values()
    yield from program.options.values()


def _late_in(program: ir.Program, procedure: ir.Procedure) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    _AskedBefore(program, found).body(procedure.body, False)
    return found


class _AskedBefore:
    """Walks bodies in order of execution.

    Args:
        program: The ruleset.
        found: The list that receives diagnostics.
    """

    def __init__(self, program: ir.Program, found: list[Diagnostic]) -> None:
        self._program = program
        self._graph = graph_of(program)
        self._found = found
        self._refused: set[str] = set()

    def body(self, body: ir.Body, asked: bool) -> bool | None:
        """Walk a body.

        Returns:
            Whether a request may have come before its end; ``None`` if its end is never reached.
        """
        now: bool | None = asked
        for statement in body:
            if now is None:
                return None
            now = self._statement(statement, now)
        return now

    def rows(self, chart: ir.Chart) -> None:
        """Report a refusal that depends on a roll."""
        for edge in chart.edges.values():
            if chart.dice and edge.name.startswith("row") and any(a.act == "refuse" for a in edge.actions):
                self._report("this edge would refuse the combat after the dice are rolled", edge.note, _BEFORE)

    def _statement(self, s: ir.Statement, asked: bool) -> bool | None:
        traits = traits_of(s, self._program)
        may = traits.actions
        for use in traits.uses:
            may |= self._graph.unit_may(use.unit) & use.passes
        if asked:
            self._refuses_late(s, may)
        if isinstance(s, ir.Refuse):
            self._refused.add(s.slug)
        if Action.STOP in traits.actions:
            return None
        return self._blocks(traits, asked, asked or bool(may & ASKS))

    def _blocks(self, traits: Traits, before: bool, after: bool) -> bool | None:
        """Walk the blocks of a statement.

        Args:
            traits: The traits of the statement.
            before: Whether a request may have come before it.
            after: Whether a request may have come before its blocks, by the statement itself or earlier.
        """
        match traits.runs:
            case Runs.NO_BLOCKS:
                return after
            case Runs.ONE_OF:
                held, otherwise = (self.body(block, before) for block in traits.blocks)
                return _joined(held, otherwise)
            case Runs.IF_REFUSED:
                # A refusal comes before every request of the callee.
                return _joined(after, self.body(traits.blocks[0], before))
            case Runs.ANY_NUMBER | Runs.AT_LEAST_ONCE:
                # A request in one round comes before a refusal in the next round.
                asks = bool(self._graph.may(traits.blocks) & ASKS)
                after_a_round = self.body(traits.blocks[0], before or asks)
                return before or bool(after_a_round)
            case Runs.EACH:
                asked = before
                for part in traits.blocks:
                    asked = self.body(part, asked) is not False or asked
                return asked

    def _refuses_late(self, s: ir.Statement, may: Action) -> None:
        refuses = Action.REFUSE in may
        match s:
            case ir.Refuse():
                self._report(f"`refuse {s.slug}` can be reached after a roll or a choice", s.note, _BEFORE)
            case ir.Must():
                self._report(f"`{s.parameter} must be` can be reached after a roll or a choice", s.note, _BEFORE)
            case ir.CallProcedure() if refuses and may_refuse(self._program, s):
                self._report(
                    f"`{s.procedure}` can refuse the combat here, after a roll or a choice", s.note, _IF_REFUSED
                )
            case ir.Perform() | ir.ApplyResults() if refuses:
                name = s.effect if isinstance(s, ir.Perform) else f"apply {s.chart}"
                self._report(f"`{name}` can refuse the combat here, after a roll or a choice", s.note, _BEFORE)
            case ir.SetLocal() | ir.Give() | ir.SetField():
                self._reads(s)

    def _reads(self, s: ir.SetLocal | ir.Give | ir.SetField) -> None:
        """Report charts that refuse off an edge, unless an earlier step has already refused that case."""
        for slug in sorted(self._refused_off_edges(s.value) - self._refused):
            message = f"a chart used here can refuse the combat ({slug}) after a roll or a choice"
            self._report(message, s.note, _EARLIER, Severity.WARNING)

    def _refused_off_edges(self, e: ir.Expr) -> frozenset[str]:
        """The slugs with which the charts that an expression reads may refuse off their columns."""
        charts = [self._program.charts[name] for kind, name in self._graph.reached_from(e) if kind == "chart"]
        edges = [edge for chart in charts for edge in chart.edges.values() if not edge.name.startswith("row")]
        return frozenset(action.value for edge in edges for action in edge.actions if action.act == "refuse")

    def _report(self, message: str, note: ir.Note, help_: str, severity: Severity = Severity.ERROR) -> None:
        if note.span is not None:
            self._found.append(Diagnostic("late-refusal", message, note.span, severity, helps=(help_,)))


def _joined(one: bool | None, other: bool | None) -> bool | None:
    """The join of two paths: whether a request may have come on either; a path that stops has no part in it."""
    if one is None or other is None:
        return other if one is None else one
    return one or other
