"""Effects and called procedures: a new frame, its steps, and the return to the caller."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from enfilade.core import ir
from enfilade.engines.odds.analysis.endings import outputs_read
from enfilade.engines.odds.analysis.plan import Block, Step
from enfilade.engines.odds.analysis.variables import output
from enfilade.engines.odds.dice.tails import Undecided
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import (
    UNCHANGED,
    Distribution,
    Row,
    frozen_value,
    projected,
)
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.slots import Origin
from enfilade.values.data import FrozenMap


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


def begin_effect(ctx: Context, s: ir.Perform, step: Step, frame: CallFrame, origin: Origin) -> Begun | None:
    """The effect with its parameters; ``None`` if they are undecided."""
    evaluator = ctx.evaluator
    evaluator.begin(origin, frame.depth, frame.facts)
    evaluator.catching = True
    try:
        evaluator._statement(s, evaluator.frame(frame.depth))
    except Undecided as undecided:
        ctx.cut(undecided.source)
        return None
    finally:
        evaluator.catching = False
    assert evaluator.caught is not None
    inner = ctx.inner_frame(frame, ("effect", s.effect), frame.given, frame.end)
    start = dict(evaluator.writes)
    for name, value in evaluator.caught.items():
        start[ctx.local(inner, name)] = frozen_value(value)
    return Begun(start, inner, ctx.planner.effect(s.effect, step.live, frame.end))


def undone(ctx: Context, s: ir.CallProcedure, frame: CallFrame) -> dict[int, Any]:
    """The local of a refused call: it has no outputs."""
    return {} if s.local is None else {ctx.local(frame, s.local): FrozenMap()}


def begin_call(ctx: Context, s: ir.CallProcedure, step: Step, frame: CallFrame, origin: Origin) -> Begun | None:
    """The procedure with the facts that the call gives; ``None`` if they are undecided."""
    evaluator = ctx.evaluator
    evaluator.begin(origin, frame.depth, frame.facts)
    env = evaluator.frame(frame.depth)
    try:
        given = {name: frozen_value(evaluator.value(arg, env)) for name, arg in s.args}
    except Undecided as undecided:
        ctx.cut(undecided.source)
        return None
    facts = {name: ctx.slots.number("fact", frame.depth + 1, name) for name in given}
    passed = {name: slot for name, slot in frame.given.items() if not name.startswith(f"{s.procedure}.")}
    end = ctx.planner.at_end_of_call(s, step.live, frame.end)
    inner = ctx.inner_frame(frame, ("call", id(s)), passed | facts, end, s.procedure)
    start = {facts[name]: value for name, value in given.items()}
    return Begun(start, inner, ctx.planner.procedure(s.procedure, end), outputs_read(s, step.live, ctx.program))


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
