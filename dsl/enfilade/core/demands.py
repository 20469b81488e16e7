"""Which facts a procedure looks at whatever happens, once nothing refuses it.

A fact is demanded when the rules first look at it. Those that are looked at on every way through may as well be asked
for before the first die is rolled, so that nobody rolls for a call that can't be completed. It must not name a fact
that some way leaves out. Where some facts are known already, the ways that they close are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NoReturn

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


def certain_facts(program: ir.Program, procedure: str, settled: Settled | None = None) -> tuple[str, ...]:
    """The facts that a procedure always looks at.

    Args:
        program: The ruleset.
        procedure: The procedure's name.
        settled: Which conditions are settled already.

    Returns:
        Their names in the core, its own first, then in the order of declaration.
    """
    found = Demands(program, settled or _nothing_settled).procedure(procedure)
    own = [name for name in program.procedures[procedure].inputs if name in found]
    return tuple(dict.fromkeys((*own, *(name for name in program.facts if name in found), *sorted(found))))


class Demands:
    """Finds the facts that are always looked at, declaration by declaration."""

    def __init__(self, program: ir.Program, settled: Settled) -> None:
        self._program = program
        self._settled = settled
        self._known: dict[tuple[str, str], Facts] = {}

    def procedure(self, name: str) -> Facts:
        """Those of a procedure."""
        return self._once(("procedure", name))

    def _once(self, key: tuple[str, str]) -> Facts:
        if key not in self._known:
            # What goes back to itself is looked at for nothing new.
            self._known[key] = NONE
            self._known[key] = self._declared(*key)
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
                return self._items(program.modifiers[name].items)
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
                return self._exprs(arg for _, arg in s.args) | self._once(("effect", s.effect)), False
            case _:
                return self._plain(s), False

    def _called(self, procedure: str, given: Iterable[str]) -> Facts:
        """Those of a procedure that is called: what is settled here may differ there, where facts are given."""
        return Demands(self._program, _nothing_settled).procedure(procedure) if given else self.procedure(procedure)

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
            case ir.ApplyResults():
                return self._expr(s.reading) | self._maybe(s.readers)
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
        axes = [*chart.pages, chart.down, *(axis for axis in (chart.across, chart.find) if axis is not None)]
        values = self._union(self._maybe(axis.value) for axis in axes)
        # A row that is searched has columns, and no header that a value finds.
        headers = self._union(
            self._maybe(axis.headers[0].condition) for axis in axes if axis is chart.across and axis.headers
        )
        blocks = (*chart.shifts, *chart.roll_modifiers)
        return values | headers | self._union(self._once(("modifiers", block)) for block in blocks)

    def _items(self, items: tuple[ir.ModItem, ...]) -> Facts:
        return self._union(self._item(item) for item in items)

    def _item(self, item: ir.ModItem) -> Facts:
        match item:
            case ir.Modifier():
                return self._expr(item.condition)
            case ir.Net():
                return self._expr(item.amount)
            case ir.Section() if item.kind == "for each":
                return NONE
            case ir.Section() if item.kind == "when" and item.condition is not None:
                inner = self._items(item.items) if self._settled(item.condition) else NONE
                return self._expr(item.condition) | inner
            case ir.Section():
                return self._items(item.items)


# ---------------------------------------------------------------------------------------------- what is settled


def settled_by(program: ir.Program, options: Mapping[str, Any], facts: Mapping[str, Any]) -> Settled:
    """Settle conditions over options and facts; those that look at records, dice or locals stay open.

    Args:
        program: The ruleset; a fact that has a default there is known.
        options: The value of every option.
        facts: The facts that were given, by their names in the core.
    """
    machine = Machine(program, options, facts, State(), _Unasked())
    known: dict[int, bool | None] = {}

    def settled(condition: ir.Expr) -> bool | None:
        if id(condition) not in known:
            known[id(condition)] = _value(machine, condition) if _is_plain(program, condition) else None
        return known[id(condition)]

    return settled


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
