"""What is kept of a roll: the few values that the rules read of it, in the place of its faces.

The rules are searched for everything that they read of a roll. Where each of these readings is worked out from the pool
alone, and from what does not change after the roll, it is worked out with the roll, and the roll's faces are forgotten. A
reading becomes a local of its own. A list that is taken from a pool (`let kept = lowest 2 of dice.values`) is looked
through: what is read of it is read of the pool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final, TypeAlias

from attrs import evolve, field, frozen

from enfilade.core import ir
from enfilade.core.rewrite import replaced
from enfilade.core.types import Bool, CodeOf, Num, RecordOf, Type, Word
from enfilade.core.walk import bound_in, locals_in, nodes, seen_only_through
from enfilade.engines.odds.needs import DECK, EFFECT, FIELD, Needs

SUM: Final = "sum"
FIRST: Final = "first"
UNORDERED: Final = "unordered"

Op: TypeAlias = ir.Over | ir.Sort


@frozen
class Stream:
    """The values of a pool, and what is done with them one after the other: left out, replaced, put in order.

    Attributes:
        part: ``values`` or ``faces``.
        operations: In order; at most one sorts.
    """

    part: str
    operations: tuple[Op, ...] = ()

    @property
    def sort(self) -> ir.Sort | None:
        """What puts them in order."""
        return next((op for op in self.operations if isinstance(op, ir.Sort)), None)


@frozen
class Aggregate:
    """A value that is kept of a roll.

    Attributes:
        local: Where it is kept.
        kind: ``SUM`` is added up die by die, ``FIRST`` is the first die, ``UNORDERED`` does not depend on the order.
        expression: What the rules read.
        stream: What a sum is taken over; ``None`` for the total.
        how: How: total, count, sum, any, all, none.
        last: The expression that a sum ends with, which has what each element adds.
    """

    local: str
    kind: str
    expression: ir.Expr
    stream: Stream | None = None
    how: str = "total"
    last: ir.Expr | None = None


@frozen
class PoolPlan:
    """What is kept of a roll.

    Attributes:
        aggregates: The values, or ``None`` where the rules read the dice themselves.
        derived: What is kept of these in their place, where the rules only ask whether something holds of them: the
            locals, and what holds.
    """

    aggregates: tuple[Aggregate, ...] | None = None
    derived: tuple[tuple[str, ir.Expr], ...] = ()

    @property
    def locals(self) -> tuple[str, ...]:
        """The locals that hold what is kept."""
        if self.derived:
            return tuple(name for name, _ in self.derived)
        return tuple(each.local for each in self.aggregates or ())


@frozen
class Rewritten:
    """Steps in which readings of pools are locals, and the plan of each roll by the identity of its step."""

    bodies: tuple[ir.Body, ...]
    pools: dict[int, PoolPlan] = field(factory=dict)


def plan_pools(bodies: tuple[ir.Body, ...], needs: Needs, written: set[str], kinds: Mapping[str, Type]) -> Rewritten:
    """Find what is read of each roll.

    Args:
        bodies: The steps of a procedure or an effect, or of the lines of some results.
        needs: What expressions read.
        written: The fields that some effect changes.
        kinds: The types of the locals, as far as they are known.
    """
    rolls = [node for node in nodes(bodies) if isinstance(node, ir.RollDice)]
    plans: dict[str, PoolPlan] = {}
    for name in dict.fromkeys(roll.local for roll in rolls):
        bodies, plans[name] = _planned(bodies, name, needs, written)
        bodies, plans[name] = _derived(bodies, name, plans[name], needs, written, kinds)
    found = {id(node): plans[node.local] for node in nodes(bodies) if isinstance(node, ir.RollDice)}
    return Rewritten(bodies, found)


# ---------------------------------------------------------------------------------------- lists taken from pools


def looked_through(bodies: tuple[ir.Body, ...], needs: Needs) -> tuple[ir.Body, ...]:
    """Put what a local holds in its place, where it is a list taken from a pool; the local may then be idle."""
    rolls = {node.local for node in nodes(bodies) if isinstance(node, ir.RollDice)}
    for _ in range(_ROUNDS if rolls else 0):
        before = bodies
        bodies = replaced(bodies, lambda node: _expanded(node, rolls, needs))
        lists = _lists(bodies, rolls)
        bodies = replaced(bodies, partial(_in_place, lists))
        if bodies is before:
            break
    return bodies


_ROUNDS: Final = 8


def _in_place(values: dict[str, ir.Expr], node: Any) -> Any:
    return values.get(node.name) if type(node) is ir.Local else None


def _lists(bodies: tuple[ir.Body, ...], rolls: set[str]) -> dict[str, ir.Expr]:
    assigned = _assignments(bodies)
    found: dict[str, ir.Expr] = {}
    for node in nodes(bodies):
        if isinstance(node, (ir.SetLocal, ir.Give)):
            name = node.local if isinstance(node, ir.SetLocal) else f"give {node.name}"
            roll = _stream_of_any(node.value, rolls) if len(assigned[name]) == 1 else None
            if roll is not None and _is_steady(node.value, roll, assigned):
                found[name] = node.value
    return found


def _stream_of_any(e: ir.Expr, rolls: set[str]) -> str | None:
    names = {node.of.name for node in nodes(e) if isinstance(node, ir.Part) and isinstance(node.of, ir.Local)} & rolls
    if len(names) != 1 or not isinstance(e, (ir.Over, ir.Sort)):
        return None
    (name,) = names
    return name if stream_of(e, name) is not None else None


def _is_steady(e: ir.Expr, roll: str, assigned: dict[str, list[int]]) -> bool:
    free = locals_in(e) - bound_in(e) - {roll}
    return len(assigned.get(roll, ())) == 1 and all(len(assigned.get(name, ())) <= 1 for name in free)


def _expanded(node: Any, rolls: set[str], needs: Needs) -> Any:
    """A definition that is given the values of a pool, written out."""
    if not isinstance(node, ir.Define) or not any(_mentions(arg, rolls) for arg in node.args):
        return None
    definition = needs.program.definitions[node.name]
    args = dict(zip(definition.params, node.args, strict=True))
    body = definition.body
    bound = bound_in(body)
    if bound & locals_in(node.args) or bound & set(args):
        return None
    return replaced(body, lambda inner: args.get(inner.name) if type(inner) is ir.Local else None)


def _mentions(e: ir.Expr, rolls: set[str]) -> bool:
    return any(
        isinstance(node, ir.Part) and isinstance(node.of, ir.Local) and node.of.name in rolls for node in nodes(e)
    )


# -------------------------------------------------------------------------------------------- what is read of one


def _planned(bodies: tuple[ir.Body, ...], roll: str, needs: Needs, written: set[str]) -> tuple[Any, PoolPlan]:
    steady = _Steady(bodies, roll, needs, written)
    found: dict[ir.Expr, Aggregate] = {}
    taken = locals_in(bodies)

    def replace(node: Any) -> Any:
        aggregate = aggregate_of(node, roll)
        if aggregate is not None and not steady.holds(aggregate):
            aggregate = aggregate_of(steady.settled(node), roll)
        if aggregate is None or not steady.holds(aggregate):
            return None
        if aggregate.expression not in found:
            local = f"{roll}#{len(found)}"
            while local in taken:
                local += "#"
            found[aggregate.expression] = evolve(aggregate, local=local)
        return ir.Local(found[aggregate.expression].local, node.span)

    rewritten = replaced(bodies, replace)
    if roll in locals_in(rewritten):
        return bodies, PoolPlan()
    return rewritten, PoolPlan(tuple(found.values()))


_HOLDS: Final = frozenset(("<", "<=", ">", ">=", "is", "is not", "within", "even", "odd"))
_HARMLESS: Final = _HOLDS | {"add", "subtract", "multiply", "negative", "at least", "at most", "has"}


def _derived(
    bodies: Any, roll: str, plan: PoolPlan, needs: Needs, written: set[str], kinds: Mapping[str, Type]
) -> tuple[Any, PoolPlan]:
    """Keep only whether something holds of a roll, where that is all that the rules ask."""
    if not plan.aggregates:
        return bodies, plan
    locals_ = {each.local for each in plan.aggregates}
    steady = _Steady(bodies, roll, needs, written)
    found: dict[ir.Expr, str] = {}

    def replace(node: Any) -> Any:
        if not _asks_whether(node) or not locals_in(node) & locals_:
            return None
        if not all(_is_harmless(part, kinds, locals_) for part in nodes(node)) or not steady.is_settled(node, locals_):
            return None
        found.setdefault(node, f"{roll}?{len(found)}")
        return ir.Local(found[node], node.span)

    rewritten = replaced(bodies, replace)
    if not found or locals_in(rewritten) & locals_:
        return bodies, plan
    return rewritten, PoolPlan(plan.aggregates, tuple((name, e) for e, name in found.items()))


def _asks_whether(node: Any) -> bool:
    return isinstance(node, (ir.All, ir.Any_, ir.Not)) or (isinstance(node, ir.Op) and node.name in _HOLDS)


def _is_harmless(node: Any, kinds: Mapping[str, Type], locals_: set[str]) -> bool:
    """Whether it has a value whatever it is asked of, so that it may be asked earlier."""
    match node:
        case ir.Op():
            return node.name in _HARMLESS
        case ir.Field(ir.Local(name)):
            kind = kinds.get(name)
            return isinstance(kind, RecordOf) and not kind.optional
        case ir.Local(name):
            return name in locals_ or isinstance(kinds.get(name), (Num, Bool, Word, CodeOf, RecordOf))
    return isinstance(node, (ir.Const, ir.Fact, ir.Option, ir.All, ir.Any_, ir.Not))


def is_kept_of(local: str, roll: str) -> bool:
    """Whether a local is a roll, or something that is kept of it."""
    return local == roll or local.startswith((f"{roll}#", f"{roll}?"))


class _Steady:
    """Says which expressions come to the same at the roll as where they are read."""

    def __init__(self, bodies: tuple[ir.Body, ...], roll: str, needs: Needs, written: set[str]) -> None:
        self.roll = roll
        self.needs = needs
        self.written = written
        self.assigned = _assignments(bodies)
        self.bound = bound_in(bodies)
        self.place = min(self.assigned[roll])
        self._values = {
            assigned(node): node.value for node in nodes(bodies) if isinstance(node, (ir.SetLocal, ir.Give))
        }

    def is_settled(self, e: ir.Expr, known: set[str]) -> bool:
        """Whether an expression comes to the same at the roll, given some locals that are known then."""
        free = locals_in(e) - known
        if "reader" in free or free & self.bound or self.roll in free:
            return False
        return not self._changes(e) and all(max(self.assigned.get(name, [-1])) < self.place for name in free)

    def settled(self, e: ir.Expr) -> ir.Expr:
        """The same with what later locals hold in their place, where that does not hang on the roll."""
        for _ in range(_ROUNDS):
            before = e
            e = replaced(e, lambda node: self._value(node.name) if type(node) is ir.Local else None)
            if e is before:
                break
        return e

    def _value(self, name: str) -> ir.Expr | None:
        value = self._values.get(name)
        if value is None or len(self.assigned[name]) != 1 or max(self.assigned[name]) < self.place:
            return None
        return None if self._changes(value) or self.roll in locals_in(value) else value

    def _changes(self, e: ir.Expr) -> bool:
        """Whether an expression looks at what may change."""
        return any(
            token[0] in (DECK, EFFECT) or (token[0] == FIELD and token[1] in self.written) for token in self.needs.of(e)
        )

    def holds(self, aggregate: Aggregate) -> bool:
        e = aggregate.expression
        free = locals_in(e) - bound_in(e) - {self.roll}
        pools = sum(isinstance(node, ir.Local) and node.name == self.roll for node in nodes(e))
        if pools != 1 or "reader" in free or free & self.bound:
            return False
        if any(max(self.assigned.get(name, [-1])) > self.place for name in free):
            return False
        return not self._changes(e)


def _assignments(bodies: tuple[ir.Body, ...]) -> dict[str, list[int]]:
    """Where each local gets a value, by the number of the step in the text."""
    found: dict[str, list[int]] = {}
    for place, node in enumerate(nodes(bodies)):
        name = assigned(node)
        if name is not None:
            found.setdefault(name, []).append(place)
    return found


def assigned(node: Any) -> str | None:
    """The local that a step gives a value."""
    match node:
        case ir.SetLocal() | ir.RollDice() | ir.DrawCards() | ir.Choose() | ir.Loop() | ir.CallProcedure():
            return node.local
        case ir.Give():
            return f"give {node.name}"
    return None


# ---------------------------------------------------------------------------------------------------- patterns


def aggregate_of(e: Any, roll: str) -> Aggregate | None:
    """The aggregate that an expression is, if it is one."""
    match e:
        case ir.Part(ir.Local(name), "total") if name == roll:
            return Aggregate("", SUM, e)
        case ir.Part(ir.Local(name), "natural") if name == roll:
            return Aggregate("", FIRST, e)
        case ir.Op("doubles", (ir.Local(name),)) if name == roll:
            return Aggregate("", UNORDERED, e)
        case ir.Over("count" | "sum" | "any" | "all" | "none"):
            stream = stream_of(e.over, roll)
            return None if stream is None else Aggregate("", SUM, e, stream, e.how, e)
        case ir.Over("highest" | "lowest"):
            stream = stream_of(e.over, roll)
            return None if stream is None else Aggregate("", UNORDERED, e, _to_the_first(stream, e))
        case ir.Op("has", (over, _)):
            stream = stream_of(over, roll)
            return None if stream is None else Aggregate("", SUM, e, stream, "has", e)
        case ir.Op("item", (_, over)) | ir.Op("first" | "last", (_, over)):
            stream = stream_of(over, roll)
            return None if stream is None or stream.sort is None else Aggregate("", UNORDERED, e, stream)
        case ir.Over("filter" | "list") | ir.Sort():
            stream = stream_of(e, roll)
            return None if stream is None or stream.sort is None else Aggregate("", UNORDERED, e, stream)
    return None


def _to_the_first(stream: Stream, e: ir.Over) -> Stream | None:
    """The highest or lowest of a stream, as the first of it in order."""
    if stream.sort is not None:
        return None
    kept = () if e.where is None else (ir.Over("filter", e.var, e.over, e.where),)
    first = ir.Sort(e.var, e.over, e.body, e.how == "highest", ir.Const(1))
    return Stream(stream.part, (*stream.operations, *kept, first))


def stream_of(e: ir.Expr, roll: str) -> Stream | None:
    """The values of a pool with what is done with them, if an expression is that."""
    operations: list[Op] = []
    while isinstance(e, (ir.Over, ir.Sort)):
        if isinstance(e, ir.Over) and e.how not in ("filter", "list"):
            return None
        operations.insert(0, e)
        e = e.over
    if sum(isinstance(op, ir.Sort) for op in operations) > 1:
        return None
    match e:
        case ir.Part(ir.Local(name), "values" | "faces" as part) if name == roll:
            # What is done with each element may not look at the pool itself.
            inside = [node for op in operations for node in _beside_over(op)]
            if any(isinstance(node, ir.Local) and node.name == roll for node in inside):
                return None
            return Stream(part, tuple(operations))
    return None


def _beside_over(op: Op) -> Iterator[Any]:
    parts = (op.key, op.take) if isinstance(op, ir.Sort) else (op.body, op.where, op.default)
    return nodes(tuple(part for part in parts if part is not None))


# ------------------------------------------------------------------------------------------------------- hands

_COUNTED: Final = frozenset(("count", "sum", "any", "all", "none", "highest", "lowest"))


def hands_without_order(body: ir.Body) -> frozenset[str]:
    """The hands of cards whose order nobody looks at."""
    hands = {node.local for node in nodes(body) if isinstance(node, ir.DrawCards)}
    return seen_only_through(body, hands, _looked_over)


def _looked_over(node: Any) -> Any:
    """The list that is looked at without its order, if a node does that."""
    match node:
        case ir.Over(how) if how in _COUNTED:
            return node.over
        case ir.Op("has", (over, _)):
            return over
        case ir.Sort(var, over, ir.Local(name)) if name == var:
            return over
    return None
