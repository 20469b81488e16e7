"""Expressions over distributions: values and conditions, compiled and memoised.

An expression is compiled once for each ruleset. Its values are memoised for each frame, keyed by the slots it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from enfilade.core import ir
from enfilade.core.run import Frame
from enfilade.engines.odds.dice.tails import Undecided
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import Distribution, frozen_value, merged, no_states
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.kernels import Finds, Kernel
from enfilade.engines.odds.states.rows import Found
from enfilade.engines.odds.states.slots import Origin
from enfilade.errors import LimitError
from enfilade.values.types import Type

_UNTYPED: Final[Mapping[str, Type]] = {}


def value_of(ctx: Context, e: ir.Expr, env: Frame, kinds: Mapping[str, Type] = _UNTYPED) -> Any:
    """The value of an expression in the evaluator's state.

    Args:
        ctx: The context.
        e: The expression.
        env: The locals.
        kinds: The types of the locals, as far as they are known.

    Raises:
        Undecided: The value differs between the numbers of a tail.
    """
    evaluator = ctx.evaluator
    code = ctx.planner.expression(e, kinds)
    if not code:
        return evaluator.value(e, env)
    return code(evaluator.shared, evaluator.depth, env.locals)


def required(ctx: Context, e: ir.Expr, env: Frame) -> Any:
    """The value of an expression that may not be ``none``.

    Raises:
        RuleError: It is ``none``.
    """
    value = value_of(ctx, e, env)
    return ctx.evaluator.needed(e, env) if value is None else value


def decided(ctx: Context, value: Callable[[], Any]) -> tuple[Any, ...]:
    """A tuple with a value, or an empty tuple if the value is undecided."""
    try:
        return (value(),)
    except Undecided as undecided:
        ctx.cut(undecided.source)
        return ()


def value_kernel(ctx: Context, key: Any, e: ir.Expr, frame: CallFrame, kinds: Mapping[str, Type] = _UNTYPED) -> Kernel:
    """The kernel of an expression: its decided value."""

    def value() -> Any:
        return frozen_value(value_of(ctx, e, ctx.evaluator.frame(frame.depth), kinds))

    def run(origin: Origin) -> tuple[Any, ...]:
        ctx.evaluator.begin(origin, frame.depth, frame.facts)
        return decided(ctx, value)

    return ctx.kernel((*key, id(frame)), frame, ctx.planner.facts_read_by(e), run)


def _found(ctx: Context, code: Any, e: ir.Expr, states: Distribution, frame: CallFrame, origin: Origin) -> Found:
    """The decided value of a compiled expression in each of many states."""
    rows, depth = ctx.rows, frame.depth
    locals_ = rows.locals(depth)

    def value() -> Any:
        return frozen_value(code(rows, depth, locals_))

    reads = ctx.live_slots(ctx.planner.read_by(e), depth)
    return Found(rows.results(states, origin, reads, depth, frame.facts, lambda: decided(ctx, value)))


def grouped(
    ctx: Context,
    key: Any,
    e: ir.Expr,
    states: Distribution,
    frame: CallFrame,
    origin: Origin,
    kinds: Mapping[str, Type] = _UNTYPED,
) -> dict[Any, Distribution]:
    """Group the states by the value of an expression; states without a decided value are left out."""
    code = ctx.planner.expression(e, kinds) if ctx.rows.pays(states) else None
    values: Finds = _found(ctx, code, e, states, frame, origin) if code else value_kernel(ctx, key, e, frame, kinds)
    index = {slot: place for place, slot in enumerate(states.slots)}
    groups: dict[Any, Distribution] = {}
    try:
        for row, weight in states.rows.items():
            found = values.find(row, index, origin)
            if found:
                group = groups.get(found[0])
                if group is None:
                    group = groups[found[0]] = Distribution(states.slots, {}, states.total)
                group.rows[row] = weight
        ctx.meter.count(len(states.rows))
    except LimitError:
        ctx.meter.met(states)
        raise
    return groups


def split(groups: Mapping[Any, Distribution]) -> tuple[Distribution, Distribution]:
    """The states in which a condition is true, and those in which it is false, from the groups by its value."""
    true = [group for value, group in groups.items() if value]
    false = [group for value, group in groups.items() if not value]
    return merged(true) if true else no_states(), merged(false) if false else no_states()
