"""Effects and called procedures: a new frame, its steps, and the return to the caller."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from enfilade.core import ir
from enfilade.core.values import FrozenMap
from enfilade.engines.odds.analysis.plan import Block, Step
from enfilade.engines.odds.analysis.variables import output, parts_of
from enfilade.engines.odds.dice.tails import Undecided
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import (
    UNCHANGED,
    Distribution,
    Flow,
    Row,
    frozen_value,
    merged,
    no_states,
    one_state,
    projected,
)
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.states.transitions import joined


@frozen
class Begun:
    """An effect or a procedure that begins.

    Attributes:
        start: The slots changed before its first step: its parameters, or the facts that the call gives.
        frame: Its frame.
        block: Its steps.
        outputs: The outputs that the caller reads.
    """

    start: dict[int, Any]
    frame: CallFrame
    block: Block
    outputs: tuple[str, ...] = ()


def perform(ctx: Context, s: ir.Perform, step: Step, frame: CallFrame, live: LiveSlots, origin: Origin) -> Flow:
    """Perform an effect from one state."""
    begun = begin_effect(ctx, s, step, frame, origin)
    if begun is None:
        return Flow(no_states())
    flow = ctx.run_one(begun.start, begun.block, begun.frame, live, origin)
    flow.done = projected(flow.done, live)
    return flow


def begin_effect(ctx: Context, s: ir.Perform, step: Step, frame: CallFrame, origin: Origin) -> Begun | None:
    """The effect with its parameters; ``None`` if they are undecided."""
    evaluator = ctx.evaluator
    evaluator.begin(origin, frame.depth, frame.facts)
    evaluator.catching = True
    try:
        evaluator._statement(s, evaluator.frame(frame.depth))
    except Undecided:
        ctx.is_exact = False
        return None
    finally:
        evaluator.catching = False
    assert evaluator.caught is not None
    inner = ctx.inner_frame(frame, ("effect", s.effect), frame.static, frame.given, frame.end)
    start = dict(evaluator.writes)
    for name, value in evaluator.caught.items():
        start[ctx.local(inner, name)] = frozen_value(value)
    return Begun(start, inner, ctx.planner.effect(s.effect, step.live, frame.end))


def call(ctx: Context, s: ir.CallProcedure, step: Step, frame: CallFrame, live: LiveSlots, origin: Origin) -> Flow:
    """Call a procedure from one state."""
    begun = begin_call(ctx, s, step, frame, origin)
    if begun is None:
        return Flow(no_states())
    # Its outputs are live at its end, until they become a local of the caller.
    flow = ctx.run_one(
        begun.start, begun.block, begun.frame, ctx.live_slots(begun.frame.end, begun.frame.depth), origin
    )
    ended = with_outputs(ctx, merged([flow.done, flow.stopped]), s.local, begun.outputs, frame, live)
    if flow.refused is None:
        return Flow(ended)
    if s.if_refused is None:
        return Flow(ended, None, flow.refused, flow.refusal)
    # A refused call is undone, and the caller continues.
    back = one_state(undone(ctx, s, frame))
    back = Distribution(back.slots, {row: sum(flow.refused.rows.values()) for row in back.rows}, flow.refused.total)
    return joined([Flow(ended), ctx.run(back, step.blocks[0], frame, origin)], live)


def undone(ctx: Context, s: ir.CallProcedure, frame: CallFrame) -> dict[int, Any]:
    """The local of a refused call: it has no outputs."""
    return {} if s.local is None else {ctx.local(frame, s.local): FrozenMap()}


def begin_call(ctx: Context, s: ir.CallProcedure, step: Step, frame: CallFrame, origin: Origin) -> Begun | None:
    """The procedure with the facts that the call gives; ``None`` if they are undecided."""
    evaluator, own = ctx.evaluator, f"{s.procedure}."
    evaluator.begin(origin, frame.depth, frame.facts)
    env = evaluator.frame(frame.depth)
    try:
        given = {name: frozen_value(evaluator.value(arg, env)) for name, arg in s.args}
    except Undecided:
        ctx.is_exact = False
        return None
    facts = {name: ctx.slots.number("fact", frame.depth + 1, name) for name in given}
    static = {name: value for name, value in frame.static.items() if not name.startswith(own)}
    passed = {name: slot for name, slot in frame.given.items() if not name.startswith(own)}
    wanted = frozenset() if s.local is None else parts_of(step.live, s.local)
    outputs = ctx.program.procedures[s.procedure].outputs
    names = tuple(outputs) if "" in wanted else tuple(name for name in outputs if name in wanted)
    end = ctx.planner.ending(step.live, frame.end, s.local, names)
    inner = ctx.inner_frame(frame, ("call", id(s)), static, passed | facts, end)
    start = {facts[name]: value for name, value in given.items()}
    return Begun(start, inner, ctx.planner.procedure(s.procedure, end), names)


def with_outputs(
    ctx: Context, states: Distribution, local: str | None, names: tuple[str, ...], frame: CallFrame, live: LiveSlots
) -> Distribution:
    """The states with the outputs of a call as a local of the caller."""
    if local is None:
        return projected(states, live)
    slot = ctx.local(frame, local)
    places = {}
    for name in names:
        given = ctx.slots.number("local", frame.depth + 1, output(name))
        if given in states.slots:
            places[name] = states.slots.index(given)
    rows: dict[Row, int] = {}
    for row, weight in states.rows.items():
        outputs = FrozenMap({name: row[place] for name, place in places.items() if row[place] is not UNCHANGED})
        key = (*row, outputs)
        rows[key] = rows.get(key, 0) + weight
    return projected(Distribution((*states.slots, slot), rows, states.total), live)


def outputs_of(ctx: Context, names: tuple[str, ...], depth: int) -> FrozenMap:
    """The outputs of a call that ends in the evaluator's state."""
    writes, number = ctx.evaluator.writes, ctx.slots.number
    slots = {name: number("local", depth, output(name)) for name in names}
    return FrozenMap({name: frozen_value(writes[slot]) for name, slot in slots.items() if slot in writes})
