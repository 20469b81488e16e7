"""Liveness analysis: which variables are read later. A backward dataflow analysis over steps.

A variable is live before a step if the step reads it, or if it is live after the step and the step does not assign it. For
a loop the analysis is repeated until nothing is added (a fixpoint). A step that only computes a dead value reads nothing
(strong liveness), so the values that it alone would read are dead too.

Variables that are not live are dropped from the states, which keeps distributions small.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeAlias, assert_never

from enfilade.core import ir
from enfilade.core.traits import DECK, FACT, FIELD, LOCAL, Runs, Traits, Unit, traits_of
from enfilade.engines.odds.analysis.aggregates import PoolPlan
from enfilade.engines.odds.analysis.commuting_rounds import read_of_list
from enfilade.engines.odds.analysis.demands import NUMBER, Demand, is_unordered
from enfilade.engines.odds.analysis.endings import at_end_of_call
from enfilade.engines.odds.analysis.purity import Purity
from enfilade.engines.odds.analysis.steady import is_kept_of
from enfilade.engines.odds.analysis.thresholds import is_threshold
from enfilade.engines.odds.analysis.uses import Uses
from enfilade.engines.odds.analysis.variables import (
    ALL,
    NONE,
    TOUCHED,
    Variables,
    demands_of_field,
    has_field,
    of_local,
    output,
    parts_of,
    shared,
)

RunsDeclaration: TypeAlias = ir.Perform | ir.ApplyResults | ir.CallProcedure


class Declarations(Protocol):
    """What is known of declarations and their steps (see ``called``)."""

    def read_by(self, unit: Unit, live: Variables, end: Variables) -> Variables:
        """What a declaration reads, given the variables live after it and at the end of the procedure."""

    def always_fits(self, s: ir.SetField) -> bool:
        """Whether the new value of a field always belongs to the type of the field."""


class Liveness:
    """The live variables of a ruleset.

    Args:
        uses: The uses of the ruleset.
        declarations: What is known of declarations. Without it, a declaration reads everything that its text reads, and no
            change of a field is dead.

    Attributes:
        remembered: The variables live before each body, by the identity of the body.

    In every method, *live* are the variables that are live after the step, and *end* those that are live at the end of the
    procedure, where a ``stop`` leads.
    """

    def __init__(self, uses: Uses, declarations: Declarations | None = None) -> None:
        self._uses = uses
        self._declarations = declarations
        self._purity = Purity(uses.graph)
        self.remembered: dict[tuple[int, Variables, Variables], tuple[ir.Body, Variables]] = {}
        self._pools: dict[int, tuple[ir.RollDice, PoolPlan]] = {}

    def learn(self, pools: Iterable[tuple[ir.RollDice, PoolPlan]]) -> None:
        """Register the values that replace rolls: computing these values reads variables too."""
        self.remembered.clear()
        self._pools.update({id(roll): (roll, pool) for roll, pool in pools})

    def before(self, s: ir.Statement, live: Variables, end: Variables) -> Variables:
        """The variables that are live before a step."""
        if self.is_dead(s, live):
            return live
        if isinstance(s, ir.Stop):
            return end
        does = traits_of(s, self._uses.program)
        inner, after = self._before_blocks(s, live, end), NONE if does.runs is Runs.ONE_OF else live
        read = None
        if isinstance(s, ir.Loop):
            inner -= of_local(inner, s.local)
            read = read_of_list(s, inner, live, self._uses)
        # After a refusal, the steps read the old value of the local that the call would have assigned, so inner stays.
        found = inner | self._unassigned(s, does, inner | after)
        found |= self._read_by(s, does, live, end) if read is None else read
        # An effect or a result may stop the procedure.
        return found | end if isinstance(s, (ir.Perform, ir.ApplyResults)) else found

    def _unassigned(self, s: ir.Statement, does: Traits, found: Variables) -> Variables:
        """Variables without those that a step assigns."""
        if isinstance(s, ir.RollDice):
            return self._uses.tests.without_local(_without_roll(found, s), s.local)
        for kind, name in does.writes:
            if kind == LOCAL:
                found = self._uses.tests.without_local(found - of_local(found, name), name)
            elif kind == DECK and (kind, name) not in does.reads:
                found -= {(DECK, name)}
        return found

    def _read_by(self, s: ir.Statement, does: Traits, live: Variables, end: Variables) -> Variables:
        """The variables that a step reads itself, and the fields that it changes."""
        uses = self._uses
        found = self._read_by_expressions(s, does, live)
        found |= {(DECK, name) for kind, name in does.reads if kind == DECK}
        found |= {(TOUCHED, name) for kind, name in does.writes if kind == FIELD}
        match s:
            case ir.RollDice():
                tests = NONE.union(*(uses.of(rule.test) - {(LOCAL, rule.var, ALL)} for rule in s.rules))
                return found | self._read_with_roll(s) | tests
            case ir.ApplyResults():
                return self._applied(s) | self._declared(s, live, end)
            case ir.CallProcedure():
                given = {(FACT, name) for name, _ in s.args}
                return found | (self._declared(s, live, end) - given)
            case ir.Perform():
                return found | self._declared(s, live, end)
        return found.union(*(uses.declared(*use.unit) for use in does.uses))

    def _declared(self, s: RunsDeclaration, live: Variables, end: Variables) -> Variables:
        """The shared variables that the declaration which a step runs reads."""
        unit, after, ending = self.declaration(s, live, end)
        if self._declarations is None:
            return self._uses.declared(*unit)
        return self._declarations.read_by(unit, after, ending)

    def declaration(self, s: RunsDeclaration, live: Variables, end: Variables) -> tuple[Unit, Variables, Variables]:
        """The declaration that a step runs, with the live variables after it and where a ``stop`` in it leads."""
        match s:
            case ir.CallProcedure():
                after = at_end_of_call(s, live, end, self._uses)
                return ("procedure", s.procedure), after, after
            case ir.Perform():
                return ("effect", s.effect), shared(live), shared(end)
            case ir.ApplyResults():
                return ("results", s.chart), shared(live), shared(end)
            case _:
                assert_never(s)

    def _read_by_expressions(self, s: ir.Statement, does: Traits, live: Variables) -> Variables:
        """The variables that the expressions of a step read; those for a list may be read without its order."""
        match s:
            case ir.SetLocal():
                return self._uses.of_list(s.value, _demand(parts_of(live, s.local)))
            case ir.Give():
                return self._uses.of_list(s.value, _demand(parts_of(live, output(s.name))))
            case ir.SetField() if (FIELD, s.field) not in live:
                demand = _demand(demands_of_field(live, s.field))
                if demand == frozenset({NUMBER}) and not (self._declarations and self._declarations.always_fits(s)):
                    # Whether the value belongs to the type of the field depends on its elements.
                    demand = None
                return self._uses.of(s.of) | self._uses.of_list(s.value, demand)
        return self._uses.of(*does.always)

    def _read_with_roll(self, s: ir.RollDice) -> Variables:
        """The variables that are read to compute a roll's replacement values."""
        found = self._pools.get(id(s))
        if found is None or found[0] is not s:
            return NONE
        return _without_roll(self._uses.of(*found[1].expressions), s)

    def _applied(self, s: ir.ApplyResults) -> Variables:
        if isinstance(s.reading, ir.Local):
            name = s.reading.name
            return self._uses.of(s.readers) | {(LOCAL, name, "code"), (LOCAL, name, "reader")}
        return self._uses.of(s.reading, s.readers)

    # -- blocks -----------------------------------------------------------------------------------------------

    def _before_blocks(self, s: ir.Statement, live: Variables, end: Variables) -> Variables:
        return NONE.union(*(self.before_body(body, after, end) for body, after in self.blocks(s, live, end)))

    def before_body(self, body: ir.Body, live: Variables, end: Variables) -> Variables:
        """The variables that are live before some steps; memoised, because nested loops need them repeatedly."""
        key = (id(body), live, end)
        found = self.remembered.get(key)
        if found is None or found[0] is not body:
            before = live
            for statement in reversed(body):
                before = self.before(statement, before, end)
            found = self.remembered[key] = body, before
        return found[1]

    def blocks(self, s: ir.Statement, live: Variables, end: Variables) -> list[tuple[ir.Body, Variables]]:
        """The blocks of a step, each with the variables that are live after it."""
        match s:
            case ir.Branch():
                return [(s.body, live), (s.otherwise, live)]
            case ir.Loop():
                return [(s.body, self._before_any((s.body,), live, end))]
            case ir.Repeat():
                return [(s.body, self._before_any((s.body,), live | self._uses.of(s.until), end))]
            case ir.Together():
                # The join reads each field and deck that a part changes, and a part that stops waits for the others.
                after = self._before_any(s.parts, live | self._uses.state | end, end)
                return [(part, after) for part in s.parts]
            case ir.CallProcedure():
                return [] if s.if_refused is None else [(s.if_refused, live)]
        return []

    def _before_any(self, bodies: tuple[ir.Body, ...], live: Variables, end: Variables) -> Variables:
        """The variables live before and after each of some bodies, if any of the bodies may run next (a fixpoint)."""
        while True:
            more = live.union(*(self.before_body(body, live, end) for body in bodies))
            if more == live:
                return live
            live = more

    # -- dead steps -------------------------------------------------------------------------------------------

    def is_dead(self, s: ir.Statement, live: Variables) -> bool:
        """Whether a step only computes values that are never read."""
        match s:
            case ir.SetLocal():
                return not of_local(live, s.local) and self._purity.is_pure(s.value)
            case ir.Give():
                return not of_local(live, output(s.name)) and self._purity.is_pure(s.value)
            case ir.SetField() if self._declarations is not None:
                # A value outside the range of its field is a mistake of the rules that a question must report.
                is_read = has_field(live, s.field) or not self._declarations.always_fits(s)
                return not is_read and self._purity.is_pure(s.of) and self._purity.is_pure(s.value)
            case ir.Branch():
                inner = (*s.body, *s.otherwise)
                return all(self.is_dead(each, live) for each in inner) and self._purity.is_pure(s.condition)
        return False


def _demand(parts: frozenset[str]) -> Demand:
    return parts if parts and (is_unordered(parts) or all(map(is_threshold, parts))) else None


def _without_roll(variables: Variables, s: ir.RollDice) -> Variables:
    """Variables other than a roll and the values that replace it."""
    return frozenset(each for each in variables if not (each[0] == LOCAL and is_kept_of(each[1], s.local)))
