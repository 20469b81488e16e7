"""Uses: the variables that expressions and declarations read. The liveness analysis is built on them.

``core.traits`` has the reads of a single node, and ``core.graph`` has the declarations reachable from a declaration.
This module adds precision: the parts of a local that are read, and the sums that need only a running total. The
analysis may find too many variables, never too few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from typing import Any, Final

from enfilade.core import ir, traits
from enfilade.core.graph import ProgramGraph, graph_of
from enfilade.core.rewrite import replaced
from enfilade.core.traits import DECK, EFFECT, FACT, FIELD, LOCAL, Action, Node, Unit, traits_of
from enfilade.core.walk import children, locals_in, nodes
from enfilade.engines.odds.analysis.demands import ELEMENTS, NUMBER, WHOLE, Demand, Tests, is_demand
from enfilade.engines.odds.analysis.running_totals import Sums
from enfilade.engines.odds.analysis.thresholds import Thresholds, is_threshold
from enfilade.engines.odds.analysis.variables import (
    ALL,
    DEMANDED,
    NONE,
    RUN,
    RUNNING,
    SUMMED,
    TOUCHED,
    Variable,
    Variables,
    of_local,
)
from enfilade.values.types import OutputsOf, RollOf

_MOST: Final = 20_000
_SHARED: Final = (FACT, FIELD, DECK, EFFECT)
_REPEATS: Final = Action.LOOP | Action.CATCH
_COUNTED: Final = frozenset(("count", "sum", "product", "highest", "lowest"))
_SEARCHED: Final = frozenset(("any", "all", "none"))
_WITH_STEPS: Final = frozenset(("procedure", "effect", "results"))
_MAY_FAIL: Final = frozenset(
    ("divide", "mod", "item", "with item", "entry", "with entry", "die", "without cards", "with cards")
)


class Uses:
    """The uses of a ruleset, memoised.

    Attributes:
        written: The fields that some step changes.
        state: The same fields and all decks: what the join of simultaneous parts may read.
        sums: The sums that running totals can replace.
        tests: The tests that the rules make of elements of lists.
        thresholds: What the rules compare numbers with that only rise.
        effects: The effects that some expression of the ruleset reads.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.graph = graph_of(program)
        everything = [traits_of(node, program) for unit in self.graph.units for node in self.graph.nodes(unit)]
        self.written = frozenset(name for each in everything for kind, name in each.writes if kind == FIELD)
        decks = ((DECK, name) for name in program.decks)
        self.state: Variables = frozenset({*((FIELD, name) for name in self.written), *decks})
        self.effects = frozenset(name for each in everything for kind, name in each.reads if kind == EFFECT)
        self.sums = Sums(program, self.written)
        self.tests = Tests()
        self.thresholds = Thresholds(program, self.written, _assignments(self.graph))
        self._declared: dict[Unit, Variables] = {}
        self._direct: dict[Unit, Variables] = {}
        self._expressions: dict[tuple[int, Demand], tuple[ir.Expr, Variables]] = {}
        self._has_totals = True

    def without_totals(self) -> Uses:
        """The same uses, but a sum reads the fields and effects that it adds up."""
        found = copy(self)
        found._expressions, found._has_totals = {}, False
        return found

    # -- expressions ------------------------------------------------------------------------------------------

    def of(self, *expressions: ir.Expr | None) -> Variables:
        """The variables that some expressions read."""
        found = NONE
        for e in expressions:
            if e is not None:
                found |= self.of_list(e, None)
        return found

    def of_list(self, e: ir.Expr, demand: Demand) -> Variables:
        """The variables that an expression reads if there is this demand for its value."""
        key = (id(e), demand)
        kept = self._expressions.get(key)
        if kept is None or kept[0] is not e:
            if len(self._expressions) >= _MOST:
                self._expressions.clear()
            found: set[Variable] = set()
            self._visit(e, found, demand)
            kept = self._expressions[key] = e, frozenset(found)
        return kept[1]

    def _visit(self, e: ir.Expr, found: set[Variable], demand: Demand = None) -> None:
        if demand and not self.thresholds.is_closed(demand) and any(map(is_threshold, demand)):
            if isinstance(e, ir.Op) and self._raised(e, found, demand):
                return
            demand = demand if isinstance(e, ir.If) else None
        if isinstance(e, ir.Field) and demand is not None and e.name in self.written:
            found |= {(DEMANDED, e.name, each) for each in demand}
            self._visit(e.of, found)
            return
        if not isinstance(e, ir.Define):
            self._own(e, found)
        match e:
            case ir.Local():
                parts = (ALL,) if demand is None else demand
                found |= {(RUN, e.name)} if e.name.startswith(RUNNING) else {(LOCAL, e.name, part) for part in parts}
            case ir.Part(ir.Local() as of, name):
                self._part(of, name, found, demand)
            case ir.Over() | ir.MapOver() | ir.Sort():
                self._over(e, found, demand)
            case ir.Define() if self._inlined(e, found, demand):
                pass
            case ir.Op() if self._compared(e, found) or (demand is not None and self._raised(e, found, demand)):
                pass
            case ir.Op("has", (over, other)):
                self._visit(over, found, WHOLE)
                self._visit(other, found)
            case ir.Op("selections", (over, *bounds)):
                self._visit(over, found, WHOLE)
                self._visit_all(bounds, found)
            case ir.Op("as much as possible" | "just enough", (amount, over, values)) if over == values:
                self._visit(amount, found)
                self._visit(over, found, WHOLE)
            case ir.Op("is" | "is not", (over, other)) if _is_empty_list(other):
                self._visit(over, found, frozenset({NUMBER}))
            case ir.Op("doubles", (roll,)):
                self._visit(roll, found, WHOLE)
            case ir.Op("followed", (first, second)) if demand is not None:
                self._visit(first, found, demand)
                self._visit(second, found, demand)
            case ir.Op("without", (first, second)) if demand is not None:
                self._visit(first, found, WHOLE)
                self._visit(second, found, WHOLE)
            case ir.If(condition, value, otherwise) if demand is not None:
                self._visit(condition, found)
                self._visit(value, found, demand)
                self._visit(otherwise, found, demand)
            case ir.Define():
                self._own(e, found)
                self._visit_all(e.args, found)
            case _:
                self._visit_all(children(e), found)

    def _inlined(self, e: ir.Define, found: set[Variable], demand: Demand) -> bool:
        """Visit the body of a definition that reads a rising field, maybe only to compare it."""
        unit, definition = ("define", e.name), self.program.definitions[e.name]
        reads_rising = any(self.thresholds.is_rising(*each) for each in self.declared(*unit))
        if not reads_rising or any(unit in self.graph.reached(each) for each in self.graph.uses(unit)):
            return False
        args = dict(zip(definition.params, e.args, strict=True))
        body = replaced(definition.body, lambda node: args.get(node.name) if type(node) is ir.Local else None)
        self._visit(body, found, demand)
        return True

    def _compared(self, e: ir.Op, found: set[Variable]) -> bool:
        """Visit a comparison that reads a rising number only up to a threshold."""
        compared = self.thresholds.compared(e)
        if compared is None:
            return False
        number, demand = compared
        self._number(number, found, frozenset({demand}))
        self._visit_all((part for part in e.args if part is not number), found)
        return True

    def _raised(self, e: ir.Op, found: set[Variable], demand: frozenset[str]) -> bool:
        """Visit an addition to a number that is read only up to thresholds."""
        added = self.thresholds.added(e)
        if added is None or not all(map(is_threshold, demand)):
            return False
        self._number(added.number, found, demand)
        self._visit(added.amount, found)
        return True

    def _number(self, e: ir.Field | ir.Local, found: set[Variable], demand: frozenset[str]) -> None:
        if isinstance(e, ir.Field):
            found |= {(DEMANDED, e.name, each) for each in demand}
            self._visit(e.of, found)
        else:
            found |= {(LOCAL, e.name, each) for each in demand}

    def _part(self, of: ir.Local, name: str, found: set[Variable], demand: Demand) -> None:
        if demand is None:
            found.add((LOCAL, of.name, name))
        elif isinstance(of.type, OutputsOf):
            found |= {(LOCAL, of.name, name, each) for each in demand}
        elif isinstance(of.type, RollOf) and name in ("values", "faces"):
            found |= {(LOCAL, of.name, each) for each in (demand if name == "values" else WHOLE)}
        else:
            found.add((LOCAL, of.name, name))

    def _own(self, node: Node, found: set[Variable]) -> None:
        """The shared variables that a node and the declarations that it uses read; not those of its children."""
        own = traits_of(node, self.program)
        found.update((kind, name) for kind, name in own.reads if kind in _SHARED)
        for use in own.uses:
            found |= self.declared(*use.unit)

    def _visit_all(self, expressions: Iterable[ir.Expr], found: set[Variable]) -> None:
        for e in expressions:
            self._visit(e, found)

    def _over(self, e: ir.Over | ir.MapOver | ir.Sort, found: set[Variable], demand: Demand) -> None:
        if self._has_totals and self.sums.of_effects(e) is not None:
            # The running total is added to the sum, and the sum itself is empty.
            return
        if self._has_totals and isinstance(e, ir.Over) and self.sums.number(e) is not None:
            self._sum(e, found)
            return
        inner: set[Variable] = set()
        self._visit_all((part for part in children(e) if part is not e.over), inner)
        element = of_local(frozenset(inner), e.var)
        found |= self.tests.without_local(frozenset(inner) - element, e.var)
        parts = {variable[2] for variable in element}
        keeps = isinstance(e, ir.Sort) or (isinstance(e, ir.Over) and e.how == "filter")
        if isinstance(e.over, ir.Local) and not keeps and _are_of_readings(parts):
            # Only the parts used here are read from each element.
            found |= {(LOCAL, e.over.name, part) for part in parts}
        else:
            self._visit(e.over, found, self._demand(e, demand))

    def _demand(self, e: ir.Over | ir.MapOver | ir.Sort, demand: Demand) -> Demand:
        """The demand for the list that an expression goes through."""
        match e:
            case ir.Sort():
                if demand is not None and e.take is None:
                    return demand | self.tested(e.var, e.key)
                return WHOLE if e.key == ir.Local(e.var) else None
            case ir.Over("filter" | "list"):
                if demand is None:
                    return None
                return self.tested(e.var, e.where, e.body) | (demand if e.how == "filter" else {NUMBER})
            case ir.Over(how) if how in _COUNTED or (how in _SEARCHED and not _may_fail(e)):
                return self.tested(e.var, e.where, e.body)
        return None

    def tested(self, var: str, *tests: ir.Expr | None) -> frozenset[str]:
        """The demand of some expressions for the element in a local."""
        found = {NUMBER}
        for test in tests:
            if test is not None and var in locals_in(test):
                is_steady = all(self._is_constant(variable) for variable in self.of(test))
                found.add(self.tests.number(test, var) if is_steady else ELEMENTS)
        return frozenset(found)

    def _is_constant(self, variable: Variable) -> bool:
        """Whether only an assignment to a local changes a variable."""
        return variable[0] in (LOCAL, FACT) or (variable[0] == FIELD and variable[1] not in self.written)

    def _sum(self, e: ir.Over, found: set[Variable]) -> None:
        """A sum that a running total can replace: of the fields that the rules change, only the sum is read."""
        fields = self.sums.fields(e)
        found |= {(SUMMED, name) for name in fields}
        for variable in self.of(e.where, e.body):
            if variable[0] in (FIELD, DEMANDED) and variable[1] in fields:
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
            self._direct[unit] = frozenset(read | touched | self._totals(unit))
        return self._direct[unit]

    def _totals(self, unit: Unit) -> set[Variable]:
        """The running totals of effects that the steps of a declaration read."""
        numbers = {self.sums.of_effects(node) for node in self.graph.nodes(unit)} if unit[0] in _WITH_STEPS else set()
        return {(RUN, f"{RUNNING}{number}") for number in numbers if number is not None}

    def all_in(self, parts: Any) -> Variables:
        """Everything that steps or expressions, and the declarations that they use, may read, dead or not."""
        found: set[Variable] = set()
        for node in nodes(parts):
            self._own(node, found)
            if isinstance(node, ir.Local):
                found.add((RUN, node.name) if node.name.startswith(RUNNING) else (LOCAL, node.name, ALL))
        return frozenset(found) | (self.state if self.graph.does(parts, Action.JOIN) else NONE)

    def facts_in(self, parts: Any) -> frozenset[str]:
        """The facts that steps or expressions, and the declarations that they use, read."""
        return frozenset(each[1] for each in self.all_in(parts) if each[0] == FACT)

    # -- side effects -----------------------------------------------------------------------------------------

    def chooses(self, body: ir.Statement) -> bool:
        """Whether a step may leave a choice to a player."""
        return self.graph.does(body, Action.CHOOSE)

    def is_plain(self, s: ir.Statement) -> bool:
        """Whether the evaluator alone can run a step: it has no roll, draw, choice, loop or call that may be undone."""
        return not isinstance(s, ir.Stop) and not self.graph.does(s, traits.ASKS | _REPEATS)


def _assignments(graph: ProgramGraph) -> Iterator[ir.SetField | ir.SetLocal]:
    for unit in graph.units:
        yield from (node for node in graph.nodes(unit) if isinstance(node, (ir.SetField, ir.SetLocal)))


def _are_of_readings(parts: set[str]) -> bool:
    """Whether these parts of an element are parts of a reading of a chart."""
    return bool(parts) and ALL not in parts and not any(map(is_demand, parts))


def _is_empty_list(e: ir.Expr) -> bool:
    return e in (ir.Items(()), ir.Const(()))


def _may_fail(e: ir.Over) -> bool:
    """Whether a search may fail at some element: then its order decides whether it does."""
    return any(isinstance(node, ir.Op) and node.name in _MAY_FAIL for node in nodes((e.body, e.where or e.body)))
