"""Plain steps, without dice, choices or loops: run by the evaluator in one state, compiled if possible.

A step that only copies a local copies its column, for all states at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from enfilade.core.run import Refused, Stopped
from enfilade.engines.odds.analysis.plan import Step
from enfilade.engines.odds.dice.tails import Undecided
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import (
    UNCHANGED,
    Distribution,
    Flow,
    no_states,
    one_state,
    projected,
)
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.rows import Found
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.states.transitions import written

Execute: TypeAlias = Callable[[Context, Step, CallFrame], None]


def run_plain(ctx: Context, step: Step, frame: CallFrame, live: LiveSlots, origin: Origin) -> Flow:
    """Run a plain step from one state."""
    ctx.evaluator.begin(origin, frame.depth, frame.facts)
    return _flow(ctx, step, frame, live, execute)


def found_in_all(
    ctx: Context, step: Step, frame: CallFrame, states: Distribution, live: LiveSlots, origin: Origin
) -> Found:
    """What comes of a compiled plain step in each state of a distribution."""
    ctx.rows.locals(frame.depth).assigned = step.assigns

    def run() -> Flow:
        return _flow(ctx, step, frame, live, _execute_at_hand)

    reads = ctx.live_slots(step.reads, frame.depth)
    return Found(ctx.rows.results(states, origin, reads, frame.depth, frame.facts, run))


def _flow(ctx: Context, step: Step, frame: CallFrame, live: LiveSlots, execute: Execute) -> Flow:
    """What comes of a step in the evaluator's state."""
    ctx.meter.look()
    try:
        execute(ctx, step, frame)
    except Stopped:
        return Flow(no_states(), written(ctx, ctx.live_slots(frame.end, frame.depth)))
    except Refused as refusal:
        return Flow(no_states(), None, one_state(), refusal)
    except Undecided as undecided:
        ctx.cut(undecided.source)
        return Flow(no_states())
    return Flow(written(ctx, live))


def _execute_at_hand(ctx: Context, step: Step, frame: CallFrame) -> None:
    """Run a compiled step in the state whose values are at hand."""
    rows, writes = ctx.rows, ctx.evaluator.writes
    locals_ = rows.locals(frame.depth)
    try:
        step.code(rows, frame.depth, locals_)
    finally:
        for name in step.assigns:
            value = locals_.pop(name, UNCHANGED)
            if value is not UNCHANGED:
                writes[locals_.slots[name]] = value
        ctx.meter.products += rows.steps >> 3


def execute(ctx: Context, step: Step, frame: CallFrame) -> None:
    """Run a plain step in the evaluator's state; the changes become writes of the evaluator."""
    evaluator = ctx.evaluator
    code = ctx.planner.code(step)
    if code:
        code(evaluator.shared, frame.depth, evaluator.locals(frame.depth))
        ctx.meter.products += evaluator.shared.steps >> 3
    else:
        evaluator._body(step.body, evaluator.frame(frame.depth))
        ctx.meter.count(evaluator.steps >> 3)


def copy_column(
    ctx: Context, states: Distribution, names: tuple[str, str], frame: CallFrame, live: LiveSlots
) -> Distribution | None:
    """Copy a local in all states at once.

    Args:
        ctx: The context.
        states: The states.
        names: The source and the target local.
        frame: The frame of both.
        live: The live slots afterwards.

    Returns:
        The states; ``None`` if some state does not hold the local itself.
    """
    source, target = (ctx.local(frame, name) for name in names)
    slots = states.slots
    if source not in slots or target in slots or live.parts[source] is not None:
        return None
    place = slots.index(source)
    if any(row[place] is UNCHANGED for row in states.rows):
        return None
    if not live[source]:
        renamed = (*slots[:place], target, *slots[place + 1 :])
        return projected(Distribution(renamed, states.rows, states.total), live)
    rows = {(*row, row[place]): weight for row, weight in states.rows.items()}
    return projected(Distribution((*slots, target), rows, states.total), live)
