"""Which facts a procedure looks at whatever happens, once nothing refuses it.

A fact is demanded when the rules first look at it. Those that are looked at on every way through may as well be asked
for before the first die is rolled, so that nobody rolls for a call that can't be completed. It must not name a fact
that some way leaves out. Where some facts are known already, the ways that they close are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NoReturn, TypeAlias

from attrs import frozen

from enfilade.core import ir
from enfilade.core.asking import FactRequest
from enfilade.core.evaluate import Machine
from enfilade.core.ground import Frame
from enfilade.core.values import State
from enfilade.core.walk import bound_in, locals_in, nodes
from enfilade.errors import EnfiladeError

Facts = frozenset[str]
NONE: Facts = frozenset()

Settled = Callable[[ir.Expr], bool | None]
"""What a condition comes to with the facts that are known; ``None`` where that is not settled."""

_Declared: TypeAlias = tuple[str, str]
"""A declaration: its kind and its name."""


def certain_facts(program: ir.Program, procedure: str) -> tuple[str, ...]:
    """The facts that a procedure always looks at, whatever is known; :class:`Demands` is for whoever asks again.

    Args:
        program: The ruleset.
        procedure: The procedure's name.
    """
    return Demands(program).certain(procedure)


class Demands:
    """Tells the facts that procedures always look at.

    A run asks after every answer, so what does not hang on what is known is found once.

    Args:
        program: The ruleset.
    """

    __slots__ = ("_always", "_plain", "_program")

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._always = _Search(program, _stopping(program))
        self._plain = _Plain(program)

    def certain(
        self, procedure: str, options: Mapping[str, Any] | None = None, facts: Mapping[str, Any] | None = None
    ) -> tuple[str, ...]:
        """The facts that a procedure always looks at.

        Args:
            procedure: Its name.
            options: The value of every option, where it is known.
            facts: The facts that were given, by their names in the core, where some are known.

        Returns:
            Their names in the core, its own first, then in the order of declaration.
        """
        search = self._always
        if options is not None:
            search = search.settled_by(self._plain.settled_by(options, facts or {}))
        found = search.procedure(procedure)
        program = self._program
        own = [name for name in program.procedures[procedure].inputs if name in found]
        return tuple(dict.fromkeys((*own, *(name for name in program.facts if name in found), *sorted(found))))


class _Search:
    """Finds the facts that declarations always look at.

    Nothing is known of a declaration at first, and what is found makes those that use it be gone through again, until
    there is nothing more to find: so declarations may come back to themselves, and be as many as they like.

    Args:
        program: The ruleset.
        stopping: The effects and results that may stop the procedure that performs them.
        settled: Which conditions are settled already.
        always: What finds the same with no condition settled; ``None`` for this one.
    """

    def __init__(
        self, program: ir.Program, stopping: frozenset[_Declared], settled: Settled | None = None,
        always: _Search | None = None,
    ) -> None:  # fmt: skip
        self._program = program
        self._stopping = stopping
        self._settled = settled or _nothing_settled
        self._always = always
        self._known: dict[_Declared, Facts] = {}
        self._users: dict[_Declared, set[_Declared]] = {}
        # Of the declaration at hand: what it uses, and what of this was never met before.
        self._used: set[_Declared] = set()
        self._new: list[_Declared] = []

    def settled_by(self, settled: Settled) -> _Search:
        """A search with some conditions settled."""
        return _Search(self._program, self._stopping, settled, self)

    def procedure(self, name: str) -> Facts:
        """Those of a procedure."""
        key = ("procedure", name)
        if key not in self._known:
            self._find(key)
        return self._known[key]

    def _find(self, key: _Declared) -> None:
        """Go through a declaration and all that it uses, those that are used first where that can be."""
        self._known[key] = NONE
        waiting = {key: None}
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

    def _once(self, key: _Declared) -> Facts:
        """What is known of a declaration that another uses."""
        self._used.add(key)
        if key not in self._known:
            self._known[key] = NONE
            self._new.append(key)
        return self._known[key]

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
        """Those of some statements, and whether the procedure may stop within them."""
        found = NONE
        for statement in body:
            more, stops = self._statement(statement)
            found |= more
            if stops:
                return found, True
        return found, False

    def _statement(self, s: ir.Statement) -> tuple[Facts, bool]:
        match s:
            case ir.Stop():
                return NONE, True
            case ir.Branch():
                held, stops = self._body(s.body)
                other, stops_too = self._body(s.otherwise)
                facts, may_stop = held & other, stops or stops_too
                if (settled := self._settled(s.condition)) is not None:
                    facts, may_stop = (held, stops) if settled else (other, stops_too)
                return self._expr(s.condition) | facts, may_stop
            case ir.Loop():
                return self._expr(s.over), self._body(s.body)[1]
            case ir.Repeat():
                body, stops = self._body(s.body)
                if s.times is not None:
                    return self._expr(s.times), stops
                return body | (NONE if stops else self._maybe(s.until)), stops
            case ir.Together():
                parts = [self._body(part) for part in s.parts]
                return self._union(facts for facts, _ in parts), any(stops for _, stops in parts)
            case ir.CallProcedure():
                # A fact of its own that the call does not give has its default, which nobody is asked for.
                own = {f"{s.procedure}.{name}" for name in self._program.procedures[s.procedure].facts}
                given = own | {name for name, _ in s.args}
                called = NONE if s.if_refused is not None else self._called(s.procedure, given) - given
                stops = s.if_refused is not None and self._body(s.if_refused)[1]
                return called | self._exprs(arg for _, arg in s.args), stops
            case ir.Perform():
                facts = self._exprs(arg for _, arg in s.args) | self._once(("effect", s.effect))
                return facts, ("effect", s.effect) in self._stopping
            case ir.ApplyResults():
                return self._expr(s.reading) | self._maybe(s.readers), ("results", s.chart) in self._stopping
            case _:
                return self._plain(s), False

    def _called(self, procedure: str, given: Iterable[str]) -> Facts:
        """Those of a procedure that is called: what is settled here may differ there, where facts are given."""
        if given and self._always is not None:
            return self._always.procedure(procedure)
        return self._once(("procedure", procedure))

    def _plain(self, s: ir.Statement) -> Facts:
        match s:
            case ir.Refuse():
                return self._expr(s.condition)
            case ir.RollDice():
                return self._exprs(group.count for group in s.groups)
            case ir.DrawCards():
                return self._expr(s.count)
            case ir.SetLocal() | ir.Give():
                return self._expr(s.value)
            case ir.SetField():
                return self._expr(s.of) | self._expr(s.value)
            case ir.Choose():
                return self._expr(s.among) | self._maybe(s.count)
            case _:
                return NONE

    # -- expressions ------------------------------------------------------------------------------------------

    def _union(self, parts: Iterable[Facts]) -> Facts:
        return NONE.union(*parts)

    def _exprs(self, expressions: Iterable[ir.Expr]) -> Facts:
        return self._union(self._expr(e) for e in expressions)

    def _maybe(self, e: ir.Expr | None) -> Facts:
        return NONE if e is None else self._expr(e)

    def _expr(self, e: ir.Expr) -> Facts:
        match e:
            case ir.Fact():
                return frozenset((e.name,))
            case ir.Field() | ir.Part() | ir.Not():
                return self._expr(e.of)
            case ir.Op():
                return self._exprs(e.args)
            case ir.All() | ir.Any_():
                return self._exprs(self._looked_at(e.items, isinstance(e, ir.All)))
            case ir.If():
                held, other = self._expr(e.value), self._expr(e.otherwise)
                settled = self._settled(e.condition)
                return self._expr(e.condition) | (held & other if settled is None else held if settled else other)
            case ir.Items():
                return self._exprs(e.items)
            case ir.Over() | ir.MapOver():
                return self._expr(e.over)
            case ir.Sort():
                return self._expr(e.over) | self._maybe(e.take)
            case ir.Define():
                return self._exprs(e.args) | self._once(("define", e.name))
            case ir.SumModifiers():
                return self._exprs(e.args) | self._maybe(e.reader) | self._once(("modifiers", e.block))
            case ir.Look():
                parts = self._exprs(e.args) | self._maybe(e.roll) | self._maybe(e.reader)
                return parts | self._once(("chart", e.chart))
            case ir.LookIn():
                return self._expr(e.chart) | self._maybe(e.roll) | self._maybe(e.reader)
            case _:
                return NONE

    def _looked_at(self, items: tuple[ir.Expr, ...], going_on: bool) -> tuple[ir.Expr, ...]:
        """The conditions that are sure to be looked at: those up to the first that may end it."""
        for count, item in enumerate(items, 1):
            if self._settled(item) is not going_on:
                return items[:count]
        return items

    # -- charts and modifiers ---------------------------------------------------------------------------------

    def _chart(self, chart: ir.Chart) -> Facts:
        axes = [*chart.pages, chart.down]
        across = chart.across
        # A row that is searched has columns, and no header that a value finds.
        if across is not None and across.value is not None:
            axes.append(across)
        # It is searched where no code was given past its edge.
        if chart.find is not None and not _may_give(chart, "row"):
            axes.append(chart.find)
        values = self._union(self._maybe(axis.value) for axis in axes)
        headers = self._maybe(across.headers[0].condition) if across in axes and across.headers else NONE
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
                inner = self._section(item) if self._settled(item.condition) else NONE
                return self._expr(item.condition) | inner
            case ir.Section():
                return self._section(item)

    def _section(self, section: ir.Section) -> Facts:
        # What a block comes to is bounded at its end alone.
        return self._union(self._item(item) for item in section.items if not isinstance(item, ir.Net))


def _may_give(chart: ir.Chart, axis: str) -> bool:
    """Whether some edge of an axis may give a code."""
    edges = [edge for name, edge in chart.edges.items() if name.startswith(axis)]
    return any(action.act == "gives" for edge in edges for action in edge.actions)


def _stopping(program: ir.Program) -> frozenset[_Declared]:
    """The effects and results that say ``stop``, or come to one that does: the procedure that uses them may end there."""
    bodies: dict[_Declared, Any] = {("effect", name): each.body for name, each in program.effects.items()}
    bodies |= {("results", name): each.entries for name, each in program.results.items()}
    users: dict[_Declared, list[_Declared]] = {}
    waiting: list[_Declared] = []
    for at, body in bodies.items():
        for node in nodes(body):
            if isinstance(node, ir.Stop):
                waiting.append(at)
            elif isinstance(node, (ir.Perform, ir.ApplyResults)):
                users.setdefault(_performed(node), []).append(at)
    found: set[_Declared] = set()
    while waiting:
        at = waiting.pop()
        if at not in found:
            found.add(at)
            waiting += users.get(at, ())
    return frozenset(found)


def _performed(s: ir.Perform | ir.ApplyResults) -> _Declared:
    return ("effect", s.effect) if isinstance(s, ir.Perform) else ("results", s.chart)


# ---------------------------------------------------------------------------------------------- what is settled


class _Plain:
    """Settles conditions over options and facts; those that look at records, dice or locals stay open.

    Args:
        program: The ruleset; a fact that has a default there is known.
    """

    __slots__ = ("_known", "_program")

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        # By identity: to compare expressions is to walk through them.
        self._known: dict[int, bool] = {}

    def settled_by(self, options: Mapping[str, Any], facts: Mapping[str, Any]) -> Settled:
        """Settle conditions by what is known.

        Args:
            options: The value of every option.
            facts: The facts that were given, by their names in the core.
        """
        machine = Machine(self._program, options, facts, State(), _Unasked())
        values: dict[int, bool | None] = {}

        def settled(condition: ir.Expr) -> bool | None:
            key = id(condition)
            if key not in values:
                values[key] = _value(machine, condition) if self._holds_for(condition) else None
            return values[key]

        return settled

    def _holds_for(self, condition: ir.Expr) -> bool:
        key = id(condition)
        if key not in self._known:
            self._known[key] = _is_plain(self._program, condition)
        return self._known[key]


def _value(machine: Machine, condition: ir.Expr) -> bool | None:
    try:
        value = machine.value(condition, Frame())
    except (_Unknown, EnfiladeError):
        return None
    return value if isinstance(value, bool) else None


_PLAIN: Final = (
    ir.Const, ir.Fact, ir.Option, ir.Op, ir.All, ir.Any_, ir.Not, ir.If, ir.Items, ir.Over, ir.Define, ir.Local,
)  # fmt: skip


def _is_plain(program: ir.Program, condition: ir.Expr) -> bool:
    """Whether a condition looks at facts and options alone, in what it uses too."""
    if not locals_in(condition) <= bound_in(condition):
        return False
    waiting: list[Any] = [condition]
    seen: set[str] = set()
    while waiting:
        for node in nodes(waiting.pop()):
            if not isinstance(node, _PLAIN):
                return False
            if isinstance(node, ir.Define) and node.name not in seen:
                seen.add(node.name)
                waiting.append(program.definitions[node.name].body)
    return True


class _Unknown(Exception):
    """A fact that is not known yet."""


@frozen
class _Unasked:
    """Answers nothing."""

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


def _nothing_settled(condition: ir.Expr) -> None:
    return None
