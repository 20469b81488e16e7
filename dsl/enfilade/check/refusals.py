"""Refusals stand before the first roll or choice: a refused action costs nothing.

Each procedure is walked once on all its ways, with what it calls, performs and applies. A way that stops asks nothing
of what stands below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.diagnostics.diagnostic import Diagnostic, Severity

Key: TypeAlias = tuple[str, str]

_BEFORE = "refuse before anything is rolled or chosen"
_EARLIER = "refuse the same in a step before the roll: the edge then never comes to it"
_IF_REFUSED = "say what happens then: a line `if refused: ...` below"


def late_refusals(program: ir.Program) -> list[Diagnostic]:
    """A diagnostic for each refusal that may come after a roll, a draw or a choice."""
    search = _Search(program)
    for procedure in program.procedures.values():
        search.refused = set()
        search.body(procedure.body, False)
    search.refused = set()
    for effect in program.effects.values():
        search.body(effect.body, False)
    for results in program.results.values():
        for entry in results.entries:
            for line in entry.lines:
                search.body(line.body, False)
    for chart in program.charts.values():
        search.rows(chart)
    return search.found


class _Search:
    """What each body asks and refuses, found once for each declaration."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.found: list[Diagnostic] = []
        self.refused: set[str] = set()
        self._edges: dict[Key, frozenset[str]] = {}
        self._facts = self._found_facts()

    def body(self, body: ir.Body, asked: bool) -> bool | None:
        """Walk a body; whether something has been asked at its end, or ``None`` where its end is never reached."""
        now: bool | None = asked
        for statement in body:
            if now is None:
                return None
            now = self._statement(statement, now)
        return now

    def rows(self, chart: ir.Chart) -> None:
        """Look for a refusal that depends on what was rolled."""
        for edge in chart.edges.values():
            if chart.dice and edge.name.startswith("row") and any(a.act == "refuse" for a in edge.actions):
                self._report("this refuses after the roll that finds the row", edge.note, _BEFORE)

    def _statement(self, s: ir.Statement, asked: bool) -> bool | None:
        match s:
            case ir.Refuse():
                if asked:
                    self._report(f"`refuse {s.slug}` may come after a roll or a choice", s.note, _BEFORE)
                self.refused.add(s.slug)
            case ir.SetLocal() | ir.Give() | ir.SetField() if asked:
                self._reads(s)
            case ir.RollDice() | ir.DrawCards() | ir.Choose():
                return True
            case ir.Stop():
                return None
            case ir.Branch():
                return _either(self.body(s.body, asked), self.body(s.otherwise, asked))
            case ir.Loop() | ir.Repeat():
                # What the last round asked comes before what the next one refuses.
                after = self.body(s.body, asked or self._asks(s.body))
                return asked or bool(after)
            case ir.Together():
                return self._parts(s, asked)
            case ir.CallProcedure():
                return self._call(s, asked)
            case ir.Perform() | ir.ApplyResults():
                asks, refuses = self._of_declared(s)
                if refuses and asked:
                    name = s.effect if isinstance(s, ir.Perform) else f"apply {s.chart}"
                    self._report(f"`{name}` may refuse here, after a roll or a choice", s.note, _BEFORE)
                return asked or asks
        return asked

    def _reads(self, s: ir.SetLocal | ir.Give | ir.SetField) -> None:
        """Look for charts that refuse off an edge, where no step refused the same before."""
        for slug in sorted(self._refused_by(s.value) - self.refused):
            message = f"a chart that is read here may refuse {slug}, after a roll or a choice"
            self._report(message, s.note, _EARLIER, Severity.WARNING)

    def _refused_by(self, e: ir.Expr) -> frozenset[str]:
        """The slugs that the columns of the charts refuse which an expression reads."""
        slugs: set[str] = set()
        for node in nodes(e):
            match node:
                case ir.Look():
                    slugs |= self._of_chart(node.chart)
                case ir.Define():
                    slugs |= self._of_definition(node.name)
        return frozenset(slugs)

    def _of_chart(self, name: str) -> frozenset[str]:
        edges = self.program.charts[name].edges.values()
        acts = [action for edge in edges if not edge.name.startswith("row") for action in edge.actions]
        return frozenset(action.value for action in acts if action.act == "refuse")

    def _of_definition(self, name: str) -> frozenset[str]:
        key = ("define", name)
        if key not in self._edges:
            self._edges[key] = frozenset()
            self._edges[key] = self._refused_by(self.program.definitions[name].body)
        return self._edges[key]

    def _parts(self, s: ir.Together, asked: bool) -> bool:
        for part in s.parts:
            asked = self.body(part, asked) is not False or asked
        return asked

    def _call(self, s: ir.CallProcedure, asked: bool) -> bool | None:
        asks, refuses = self._of("procedure", s.procedure)
        if refuses and asked and s.if_refused is None:
            self._report(f"`{s.procedure}` may refuse here, after a roll or a choice", s.note, _IF_REFUSED)
        if s.if_refused is None:
            return asked or asks
        # A refusal stands before all that the callee asks.
        return _either(asked or asks, self.body(s.if_refused, asked))

    def _report(self, message: str, note: ir.Note, help_: str, severity: Severity = Severity.ERROR) -> None:
        if note.span is not None:
            self.found.append(Diagnostic("late-refusal", message, note.span, severity, helps=(help_,)))

    # -- what declarations do ---------------------------------------------------------------------------------

    def _asks(self, body: ir.Body) -> bool:
        return any(self._does(s)[0] for s in _statements(body))

    def _of_declared(self, s: ir.Perform | ir.ApplyResults) -> tuple[bool, bool]:
        return self._of("effect", s.effect) if isinstance(s, ir.Perform) else self._of("results", s.chart)

    def _of(self, kind: str, name: str) -> tuple[bool, bool]:
        """Whether a declaration may ask, and whether it may refuse."""
        return self._facts.get((kind, name), (False, False))

    def _found_facts(self) -> dict[Key, tuple[bool, bool]]:
        """What each declaration may do, looked at again until nothing is added: they may go in circles."""
        bodies: dict[Key, ir.Body] = {("procedure", name): p.body for name, p in self.program.procedures.items()}
        bodies |= {("effect", name): effect.body for name, effect in self.program.effects.items()}
        for name, results in self.program.results.items():
            lines = [line for entry in results.entries for line in entry.lines]
            bodies["results", name] = tuple(s for line in lines for s in line.body)
        self._facts, before = {}, None
        while before != self._facts:
            before = dict(self._facts)
            for key, body in bodies.items():
                does = [self._does(s) for s in _statements(body)]
                self._facts[key] = (any(asks for asks, _ in does), any(refuses for _, refuses in does))
        return self._facts

    def _does(self, s: ir.Statement) -> tuple[bool, bool]:
        match s:
            case ir.Refuse():
                return False, True
            case ir.RollDice() | ir.DrawCards() | ir.Choose():
                return True, False
            case ir.CallProcedure():
                asks, refuses = self._of("procedure", s.procedure)
                return asks, refuses and s.if_refused is None
            case ir.Perform() | ir.ApplyResults():
                return self._of_declared(s)
        return False, False


def _either(one: bool | None, other: bool | None) -> bool | None:
    """Whether something has been asked where two ways meet; a way that stops does not get there."""
    if one is None or other is None:
        return other if one is None else one
    return one or other


def _statements(body: ir.Body) -> Iterator[ir.Statement]:
    """Every statement of a body, those in its blocks included."""
    waiting = list(body)
    while waiting:
        s = waiting.pop()
        yield s
        match s:
            case ir.Branch():
                waiting += [*s.body, *s.otherwise]
            case ir.Loop() | ir.Repeat():
                waiting += s.body
            case ir.Together():
                waiting += [inner for part in s.parts for inner in part]
            case ir.CallProcedure():
                waiting += s.if_refused or ()
