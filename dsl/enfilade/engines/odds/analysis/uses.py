"""Uses: the variables that expressions and declarations read. The liveness analysis is built on them.

``core.traits`` has the reads of a single node, and ``core.graph`` has the declarations reachable from a declaration.
This module adds precision: the parts of a local that are read, and the sums that need only a running total. The
analysis may find too many variables, never too few.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from enfilade.core import ir, traits
from enfilade.core.graph import graph_of
from enfilade.core.traits import DECK, EFFECT, FACT, FIELD, LOCAL, Action, Node, Unit, traits_of
from enfilade.core.walk import children, nodes
from enfilade.engines.odds.analysis.running_totals import Sums
from enfilade.engines.odds.analysis.variables import (
    ALL,
    NONE,
    RUN,
    RUNNING,
    SUMMED,
    TOUCHED,
    Variable,
    Variables,
    of_local,
    reads_facts,
)

_MOST: Final = 20_000
_SHARED: Final = (FACT, FIELD, DECK, EFFECT)
_REPEATS: Final = Action.LOOP | Action.JOIN | Action.CATCH


class Uses:
    """The uses of a ruleset, memoised.

    Attributes:
        written: The fields that some step changes.
        sums: The sums that running totals can replace.
        effects: The effects that some expression of the ruleset reads.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.graph = graph_of(program)
        everything = [traits_of(node, program) for unit in self.graph.units for node in self.graph.nodes(unit)]
        self.written = frozenset(name for each in everything for kind, name in each.writes if kind == FIELD)
        self.effects = frozenset(name for each in everything for kind, name in each.reads if kind == EFFECT)
        self.sums = Sums(program, self.written)
        self._declared: dict[Unit, Variables] = {}
        self._direct: dict[Unit, Variables] = {}
        self._expressions: dict[int, tuple[ir.Expr, Variables]] = {}

    # -- expressions ------------------------------------------------------------------------------------------

    def of(self, *expressions: ir.Expr | None) -> Variables:
        """The variables that some expressions read."""
        found = NONE
        for e in expressions:
            if e is not None:
                found |= self._one(e)
        return found

    def _one(self, e: ir.Expr) -> Variables:
        kept = self._expressions.get(id(e))
        if kept is None or kept[0] is not e:
            if len(self._expressions) >= _MOST:
                self._expressions.clear()
            found: set[Variable] = set()
            self._visit(e, found)
            kept = self._expressions[id(e)] = e, frozenset(found)
        return kept[1]

    def _visit(self, e: ir.Expr, found: set[Variable]) -> None:
        self._own(e, found)
        match e:
            case ir.Local():
                found.add((RUN, e.name) if e.name.startswith(RUNNING) else (LOCAL, e.name, ALL))
            case ir.Part(ir.Local() as of, name):
                found.add((LOCAL, of.name, name))
            case ir.Over() | ir.MapOver() | ir.Sort():
                self._over(e, found)
            case _:
                self._visit_all(children(e), found)

    def _own(self, node: Node, found: set[Variable]) -> None:
        """The shared variables that a node and the declarations that it uses read; not those of its children."""
        own = traits_of(node, self.program)
        found.update((kind, name) for kind, name in own.reads if kind in _SHARED)
        for use in own.uses:
            found |= self.declared(*use.unit)

    def _visit_all(self, expressions: Iterable[ir.Expr], found: set[Variable]) -> None:
        for e in expressions:
            self._visit(e, found)

    def _over(self, e: ir.Over | ir.MapOver | ir.Sort, found: set[Variable]) -> None:
        if self.sums.of_effects(e) is not None:
            # The running total is added to the sum, and the sum itself is empty.
            return
        if isinstance(e, ir.Over) and self.sums.number(e) is not None:
            self._sum(e, found)
            return
        inner: set[Variable] = set()
        self._visit_all((part for part in children(e) if part is not e.over), inner)
        element = of_local(frozenset(inner), e.var)
        found |= inner - element
        keeps = isinstance(e, ir.Sort) or (isinstance(e, ir.Over) and e.how == "filter")
        if isinstance(e.over, ir.Local) and not keeps:
            # Only the parts used here are read from each element.
            parts = {variable[2] for variable in element} or {"count"}
            found |= {(LOCAL, e.over.name, part) for part in parts}
        else:
            self._visit(e.over, found)

    def _sum(self, e: ir.Over, found: set[Variable]) -> None:
        """A sum that a running total can replace: of the fields that the rules change, only the sum is read."""
        fields = self.sums.fields(e)
        found |= {(SUMMED, name) for name in fields}
        for variable in self.of(e.where, e.body):
            if variable[0] == FIELD and variable[1] in fields:
                found.add((SUMMED, variable[1]))
            elif variable[:2] != (LOCAL, e.var):
                found.add(variable)
        self._visit(e.over, found)

    # -- declarations -----------------------------------------------------------------------------------------

    def declared(self, kind: str, name: str) -> Variables:
        """The shared variables that a declaration and everything that it reaches read, and the fields they change."""
        unit = (kind, name)
        if unit not in self._declared:
            reached = self.graph.reached(unit) if unit in self.graph.units else ()
            self._declared[unit] = NONE.union(*(self._directly(each) for each in reached))
        return self._declared[unit]

    def _directly(self, unit: Unit) -> Variables:
        if unit not in self._direct:
            own = [traits_of(node, self.program) for node in self.graph.nodes(unit)]
            read = {(kind, name) for each in own for kind, name in each.reads if kind in _SHARED}
            touched = {(TOUCHED, name) for each in own for kind, name in each.writes if kind == FIELD}
            self._direct[unit] = frozenset(read | touched)
        return self._direct[unit]

    def reads_facts(self, parts: Any) -> bool:
        """Whether steps or expressions, or the declarations that they use, read a fact."""
        found: set[Variable] = set()
        for node in nodes(parts):
            self._own(node, found)
        return reads_facts(frozenset(found))

    # -- side effects -----------------------------------------------------------------------------------------

    def chooses(self, body: ir.Statement) -> bool:
        """Whether a step may leave a choice to a player."""
        return self.graph.does(body, Action.CHOOSE)

    def is_plain(self, s: ir.Statement) -> bool:
        """Whether the evaluator alone can run a step: it has no roll, draw, choice, loop or call that may be undone."""
        return not isinstance(s, ir.Stop) and not self.graph.does(s, traits.ASKS | _REPEATS)
