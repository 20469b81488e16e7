"""Rewriting of rolls: the values that the rules read from a roll become locals, and the faces are dropped.

The steps are searched for every use of a roll. If each use is an aggregate (see ``aggregates``) that depends on the pool and
on values that do not change after the roll, it is computed with the roll. A list taken from a pool
(``let kept = lowest 2 of dice.values``) is first replaced by its expression, and so is a definition that takes the
values of a pool as an argument (inlining).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from attrs import evolve, field, frozen

from enfilade.core import ir
from enfilade.core.rewrite import replaced
from enfilade.core.walk import bound_in, locals_in, nodes
from enfilade.engines.odds.analysis.aggregates import Aggregate, PoolPlan, aggregate_of, stream_of
from enfilade.engines.odds.analysis.steady import Steady, assignments, may_change
from enfilade.engines.odds.analysis.uses import Uses
from enfilade.limits import check_time
from enfilade.values.types import Bool, CodeOf, Num, RecordOf, Type, Word

_ROUNDS: Final = 8
_TESTS: Final = frozenset(("<", "<=", ">", ">=", "is", "is not", "within", "even", "odd"))
_TOTAL_FUNCTIONS: Final = _TESTS | {"add", "subtract", "multiply", "negative", "absolute", "at least", "at most", "has"}


@frozen
class Rewritten:
    """Rewritten steps, and the plan of each roll by the identity of its statement."""

    bodies: tuple[ir.Body, ...]
    pools: dict[int, PoolPlan] = field(factory=dict)


def plan_pools(bodies: tuple[ir.Body, ...], uses: Uses, kinds: Mapping[str, Type]) -> Rewritten:
    """Find the values that replace each roll, and rewrite the steps.

    Args:
        bodies: The steps of a procedure or an effect, or of the lines of some results.
        uses: The uses of the ruleset.
        kinds: The types of the locals, as far as they are known.
    """
    rolls = [node for node in nodes(bodies) if isinstance(node, ir.RollDice)]
    plans: dict[str, PoolPlan] = {}
    for name in dict.fromkeys(roll.local for roll in rolls):
        check_time()
        bodies, plans[name] = _planned(bodies, name, uses)
        bodies, plans[name] = _derived(bodies, name, plans[name], uses, kinds)
    found = {id(node): plans[node.local] for node in nodes(bodies) if isinstance(node, ir.RollDice)}
    return Rewritten(bodies, found)


def inline_lists(bodies: tuple[ir.Body, ...], uses: Uses) -> tuple[ir.Body, ...]:
    """Inline the locals that hold a list taken from a pool; such a local may then be dead."""
    rolls = {node.local for node in nodes(bodies) if isinstance(node, ir.RollDice)}
    for _ in range(_ROUNDS if rolls else 0):
        before = bodies
        bodies = replaced(bodies, lambda node: _expanded(node, rolls, uses))
        lists = _lists(bodies, rolls, uses)
        bodies = replaced(bodies, partial(_in_place, lists))
        if bodies is before:
            break
    return bodies


def _in_place(values: dict[str, ir.Expr], node: Any) -> Any:
    return values.get(node.name) if type(node) is ir.Local else None


def _lists(bodies: tuple[ir.Body, ...], rolls: set[str], uses: Uses) -> dict[str, ir.Expr]:
    assigned = assignments(bodies, uses.program)
    found: dict[str, ir.Expr] = {}
    for node in nodes(bodies):
        if isinstance(node, (ir.SetLocal, ir.Give)):
            name = node.local if isinstance(node, ir.SetLocal) else f"give {node.name}"
            roll = _stream_of_any(node.value, rolls) if len(assigned[name]) == 1 else None
            if roll is not None and _is_steady(node.value, roll, assigned) and not may_change(node.value, uses):
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


def _expanded(node: Any, rolls: set[str], uses: Uses) -> Any:
    """The body of a definition that is given the values of a pool (inlining)."""
    if not isinstance(node, ir.Define) or not any(_mentions(arg, rolls) for arg in node.args):
        return None
    definition = uses.program.definitions[node.name]
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


def _planned(bodies: tuple[ir.Body, ...], roll: str, uses: Uses) -> tuple[Any, PoolPlan]:
    taken = locals_in(bodies)
    if roll not in taken:
        return bodies, PoolPlan(())
    steady = Steady(bodies, roll, uses)
    found: dict[ir.Expr, Aggregate] = {}

    def replace(node: Any) -> Any:
        aggregate = aggregate_of(node, roll)
        if aggregate is not None and not steady.is_steady(aggregate):
            aggregate = aggregate_of(steady.inlined(node), roll)
        if aggregate is None or not steady.is_steady(aggregate):
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


def _derived(bodies: Any, roll: str, plan: PoolPlan, uses: Uses, kinds: Mapping[str, Type]) -> tuple[Any, PoolPlan]:
    """Keep only the truth values of conditions on a roll, if the rules read nothing else from the roll."""
    if not plan.aggregates:
        return bodies, plan
    locals_ = {each.local for each in plan.aggregates}
    steady = Steady(bodies, roll, uses)
    found: dict[ir.Expr, str] = {}

    def replace(node: Any) -> Any:
        if not _is_condition(node) or not locals_in(node) & locals_:
            return None
        if not all(_is_total(part, kinds, locals_) for part in nodes(node)) or not steady.is_known_at_roll(
            node, locals_
        ):
            return None
        found.setdefault(node, f"{roll}?{len(found)}")
        return ir.Local(found[node], node.span)

    rewritten = replaced(bodies, replace)
    if not found or locals_in(rewritten) & locals_:
        return bodies, plan
    return rewritten, PoolPlan(plan.aggregates, tuple((name, e) for e, name in found.items()))


def _is_condition(node: Any) -> bool:
    return isinstance(node, (ir.All, ir.Any_, ir.Not)) or (isinstance(node, ir.Op) and node.name in _TESTS)


def _is_total(node: Any, kinds: Mapping[str, Type], locals_: set[str]) -> bool:
    """Whether a node is total: it never fails, so it may be evaluated earlier."""
    match node:
        case ir.Op():
            return node.name in _TOTAL_FUNCTIONS
        case ir.Field(ir.Local(name)):
            kind = kinds.get(name)
            return isinstance(kind, RecordOf) and not kind.optional
        case ir.Local(name):
            return name in locals_ or isinstance(kinds.get(name), (Num, Bool, Word, CodeOf, RecordOf))
    return isinstance(node, (ir.Const, ir.Fact, ir.Option, ir.All, ir.Any_, ir.Not))
