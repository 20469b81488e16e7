"""The facts that a procedure certainly needs, unless it refuses: a must-analysis over the program graph.

A fact is requested when the rules first read it. A fact that every path reads can also be requested before the first
die is rolled, so nobody rolls for a call that can't be completed. A fact that some path does not read must not be
included. Conditions over known facts are decided first, which rules out paths.

The lattice is the sets of facts, ordered by inclusion; the least fixpoint is found with a worklist, so declarations may
be recursive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from threading import RLock
from typing import Any, Final, NoReturn, TypeAlias

from attrs import frozen

from enfilade.core import ir
from enfilade.core.evaluate import Machine
from enfilade.core.graph import ProgramGraph, analysis, graph_of
from enfilade.core.requests import FactRequest
from enfilade.core.run import Frame
from enfilade.core.traits import FACT, LOCAL, OPTION, Action, Runs, Traits, Unit, traits_of
from enfilade.core.walk import bound_in, locals_in, nodes
from enfilade.errors import EnfiladeError
from enfilade.values.data import State

Facts: TypeAlias = frozenset[str]
NONE: Final[Facts] = frozenset()
_MOST: Final = 100
"""How many results are kept."""

Decide: TypeAlias = Callable[[ir.Expr], bool | None]
"""The value of a condition, given the known facts; ``None`` if they don't decide it."""


def certain_facts(program: ir.Program, procedure: str) -> tuple[str, ...]:
    """The facts that a procedure always reads, whatever facts are given.

    Args:
        program: The ruleset.
        procedure: The procedure's name.
    """
    return needed_facts_of(program).certain(procedure)


def needed_facts_of(program: ir.Program) -> NeededFacts:
    """The analysis of a program, made once."""
    return analysis(program, NeededFacts)


class NeededFacts:
    """Finds the facts that procedures always read. Threads may share it.

    A run asks again after each answer, mostly with the same facts, so the last findings are kept.

    Args:
        program: The ruleset.
    """

    __slots__ = ("_always", "_decidable", "_found", "_lock", "_program")

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._always = _MustRead(program)
        self._decidable = _Decidable(program)
        self._found: dict[object, tuple[str, ...]] = {}
        self._lock = RLock()

    def certain(
        self, procedure: str, options: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> tuple[str, ...]:
        """The facts that a procedure always reads.

        Args:
            procedure: Its name.
            options: The value of every option, if known.
            facts: The facts given so far, by their names in the core.

        Returns:
            Their names in the core, its own first, then in the order of declaration.
        """
        known = None if options is None else (tuple(options.items()), tuple((facts or {}).items()))
        with self._lock:
            try:
                found = self._found.get((procedure, known))
            except TypeError:
                # A fact that is not hashable, such as a map.
                return self._certain(procedure, options, facts or {})
            if found is None:
                if len(self._found) >= _MOST:
                    self._found.clear()
                found = self._found[procedure, known] = self._certain(procedure, options, facts or {})
            return found

    def _certain(self, procedure: str, options: Mapping[str, Any] | None, facts: Mapping[str, Any]) -> tuple[str, ...]:
        search = self._always
        if options is not None:
            search = search.under(self._decidable.under(options, facts))
        found, program = search.procedure(procedure), self._program
        own = [name for name in program.procedures[procedure].inputs if name in found]
        return tuple(dict.fromkeys((*own, *(name for name in program.facts if name in found), *sorted(found))))


class _MustRead:
    """The facts that each declaration is certain to read.

    The set of each declaration is empty at first. When it grows, the declarations that use it are visited again,
    until nothing changes.

    Args:
        program: The ruleset.
        decide: Which conditions are decided already.
        always: The same analysis with no condition decided; ``None`` for this one.
    """

    def __init__(self, program: ir.Program, decide: Decide | None = None, always: _MustRead | None = None) -> None:
        self._program = program
        self._graph: ProgramGraph = graph_of(program)
        self._decide = decide or _nothing_decided
        self._always = always
        self._known: dict[Unit, Facts] = {}
        self._users: dict[Unit, set[Unit]] = {}
        # The declarations that the visited declaration uses, and which of these have not been visited yet.
        self._used: set[Unit] = set()
        self._new: list[Unit] = []

    def under(self, decide: Decide) -> _MustRead:
        """The analysis with some conditions decided."""
        return _MustRead(self._program, decide, self)

    def procedure(self, name: str) -> Facts:
        """The facts that a procedure always reads."""
        unit = ("procedure", name)
        if unit not in self._known:
            self._find(unit)
        return self._known[unit]

    def _find(self, unit: Unit) -> None:
        """Visit a declaration and everything it uses, callees first if possible."""
        self._known[unit] = NONE
        waiting = {unit: None}
        while waiting:
            at, _ = waiting.popitem()
            self._used, self._new = set(), []
            found = self._declared(*at)
            for used in self._used:
                self._users.setdefault(used, set()).add(at)
            if self._new:
                waiting |= dict.fromkeys((at, *self._new))
            elif found != self._known[at]:
                self._known[at] = found
                waiting |= dict.fromkeys(self._users.get(at, ()))

    def _once(self, unit: Unit) -> Facts:
        """The facts found so far for a declaration used by another declaration."""
        self._used.add(unit)
        if unit not in self._known:
            self._known[unit] = NONE
            self._new.append(unit)
        return self._known[unit]

    def _declared(self, kind: str, name: str) -> Facts:
        program = self._program
        match kind:
            case "procedure":
                return self._body(program.procedures[name].body)[0]
            case "effect":
                return self._body(program.effects[name].body)[0]
            case "define":
                return self._expr(program.definitions[name].body)
            case "modifiers":
                return self._union(self._item(item) for item in program.modifiers[name].items)
        return self._chart(program.charts[name])

    # -- statements -------------------------------------------------------------------------------------------

    def _body(self, body: ir.Body) -> tuple[Facts, bool]:
        """The facts that some statements read, and whether the procedure may stop within them."""
        found = NONE
        for statement in body:
            more, stops = self._statement(statement)
            found |= more
            if stops:
                return found, True
        return found, False

    def _statement(self, s: ir.Statement) -> tuple[Facts, bool]:
        traits = traits_of(s, self._program)
        found = self._exprs(traits.always) | self._through(s, traits)
        blocks = [self._body(block) for block in traits.blocks]
        if isinstance(s, ir.Branch) and (decided := self._decide(s.condition)) is not None:
            blocks = [blocks[0] if decided else blocks[1]]
        stops = self._may_stop(traits) or any(stops for _, stops in blocks)
        if traits.runs is Runs.ONE_OF:
            found |= blocks[0][0].intersection(*(facts for facts, _ in blocks))
        elif traits.runs in (Runs.EACH, Runs.AT_LEAST_ONCE):
            found |= self._union(facts for facts, _ in blocks)
            found |= NONE if stops else self._exprs(traits.after)
        return found, stops

    def _may_stop(self, traits: Traits) -> bool:
        own = Action.STOP in traits.actions
        return own or any(Action.STOP in self._graph.unit_may(use.unit) & use.passes for use in traits.uses)

    def _through(self, s: ir.Statement, traits: Traits) -> Facts:
        """The facts read by the declarations that a statement is certain to use."""
        found = self._union(self._once(use.unit) for use in traits.uses if use.certain and use.unit[0] != "procedure")
        if isinstance(s, ir.CallProcedure) and s.if_refused is None:
            # If the call omits a fact that the callee declares itself, the default is used: it is never requested.
            own = {f"{s.procedure}.{name}" for name in self._program.procedures[s.procedure].facts}
            given = own | {name for name, _ in s.args}
            found |= self._called(s.procedure, given) - given
        return found

    def _called(self, procedure: str, given: Iterable[str]) -> Facts:
        """The facts of a callee. If the call gives facts, a condition decided here may differ in the callee."""
        if given and self._always is not None:
            return self._always.procedure(procedure)
        return self._once(("procedure", procedure))

    # -- expressions ------------------------------------------------------------------------------------------

    def _union(self, parts: Iterable[Facts]) -> Facts:
        return NONE.union(*parts)

    def _exprs(self, expressions: Iterable[ir.Expr]) -> Facts:
        return self._union(self._expr(e) for e in expressions)

    def _expr(self, e: ir.Expr) -> Facts:
        match e:
            case ir.All() | ir.Any_():
                return self._exprs(self._evaluated(e.items, isinstance(e, ir.All)))
            case ir.If():
                value, otherwise = self._expr(e.value), self._expr(e.otherwise)
                decided = self._decide(e.condition)
                either = value & otherwise if decided is None else value if decided else otherwise
                return self._expr(e.condition) | either
        traits = traits_of(e, self._program)
        used = self._union(self._once(use.unit) for use in traits.uses if use.certain)
        own = frozenset(name for kind, name in traits.reads if kind == FACT)
        return own | used | self._exprs(traits.always)

    def _evaluated(self, items: tuple[ir.Expr, ...], goes_on: bool) -> tuple[ir.Expr, ...]:
        """The conditions that are always evaluated: those up to the first condition that may short-circuit."""
        for count, item in enumerate(items, 1):
            if self._decide(item) is not goes_on:
                return items[:count]
        return items

    # -- charts and modifiers ---------------------------------------------------------------------------------

    def _chart(self, chart: ir.Chart) -> Facts:
        axes = [*chart.pages, chart.down]
        across = chart.across
        # A chart with `find` has columns, but no value selects a header.
        if across is not None and across.value is not None:
            axes.append(across)
        # A row is searched unless an edge gives a code.
        if chart.find is not None and not _may_give(chart, "row"):
            axes.append(chart.find)
        values = self._exprs(axis.value for axis in axes if axis.value is not None)
        condition = across.headers[0].condition if across is not None and across in axes and across.headers else None
        headers = NONE if condition is None else self._expr(condition)
        blocks = (*chart.shifts, *chart.roll_modifiers)
        return values | headers | self._union(self._once(("modifiers", block)) for block in blocks)

    def _item(self, item: ir.ModItem) -> Facts:
        match item:
            case ir.Modifier():
                return self._expr(item.condition)
            case ir.Net():
                return self._expr(item.amount)
            case ir.Section() if item.kind == "for each":
                return NONE
            case ir.Section() if item.kind == "when" and item.condition is not None:
                inner = self._section(item) if self._decide(item.condition) else NONE
                return self._expr(item.condition) | inner
            case ir.Section():
                return self._section(item)

    def _section(self, section: ir.Section) -> Facts:
        # The bounds of a sum are evaluated only at the end of its block.
        return self._union(self._item(item) for item in section.items if not isinstance(item, ir.Net))


def _may_give(chart: ir.Chart, axis: str) -> bool:
    """Whether some edge of an axis may give a code."""
    edges = [edge for name, edge in chart.edges.items() if name.startswith(axis)]
    return any(action.act == "gives" for edge in edges for action in edge.actions)


# ------------------------------------------------------------------------------------------- decidable conditions


class _Decidable:
    """Evaluates conditions over options and facts; conditions that read records, dice or locals stay undecided.

    Args:
        program: The ruleset; a fact with a default is known.
    """

    __slots__ = ("_is_plain", "_program")

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        # By identity: comparing expressions would walk through them.
        self._is_plain: dict[int, bool] = {}

    def under(self, options: Mapping[str, Any], facts: Mapping[str, Any]) -> Decide:
        """Evaluate conditions from the known facts.

        Args:
            options: The value of every option.
            facts: The facts given so far, by their names in the core.
        """
        machine = Machine(self._program, options, facts, State(), _Unasked())
        values: dict[int, bool | None] = {}

        def decide(condition: ir.Expr) -> bool | None:
            key = id(condition)
            if key not in values:
                values[key] = _value(machine, condition) if self._plain(condition) else None
            return values[key]

        return decide

    def _plain(self, condition: ir.Expr) -> bool:
        key = id(condition)
        if key not in self._is_plain:
            self._is_plain[key] = _is_plain(self._program, condition)
        return self._is_plain[key]


def _value(machine: Machine, condition: ir.Expr) -> bool | None:
    try:
        value = machine.value(condition, Frame())
    except (_Unknown, EnfiladeError):
        return None
    return value if isinstance(value, bool) else None


def _is_plain(program: ir.Program, condition: ir.Expr) -> bool:
    """Whether a condition, with the definitions it uses, reads only facts and options."""
    if not locals_in(condition) <= bound_in(condition):
        return False
    graph = graph_of(program)
    reached = graph.reached_from(condition)
    if any(kind != "define" for kind, _ in reached):
        return False
    found = (node for root in (condition, *(graph.declared(unit).body for unit in reached)) for node in nodes(root))
    return all(kind in (FACT, OPTION, LOCAL) for node in found for kind, _ in traits_of(node, program).reads)


class _Unknown(Exception):
    """A fact that is not known yet."""


@frozen
class _Unasked:
    """An asker that answers no request."""

    def fact(self, request: FactRequest) -> NoReturn:
        raise _Unknown

    def roll(self, request: Any) -> NoReturn:
        raise _Unknown

    def draw(self, request: Any) -> NoReturn:
        raise _Unknown

    def choose(self, request: Any) -> NoReturn:
        raise _Unknown

    def forced(self, request: Any) -> None:
        """Nothing to do."""


def _nothing_decided(condition: ir.Expr) -> None:
    return None
