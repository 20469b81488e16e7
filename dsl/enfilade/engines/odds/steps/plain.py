"""Plain steps, without dice, choices or loops: run by the evaluator in one state, compiled if possible.

A step that only copies a local copies its column, for all states at once.
"""

from __future__ import annotations

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
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.states.transitions import written


def run_plain(ctx: Context, step: Step, frame: CallFrame, live: LiveSlots, origin: Origin) -> Flow:
    """Run a plain step from one state."""
    evaluator = ctx.evaluator
    evaluator.begin(origin, frame.depth, frame.facts)
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


def execute(ctx: Context, step: Step, frame: CallFrame) -> None:
    """Run a plain step in the evaluator's state; the changes become writes of the evaluator."""
    evaluator = ctx.evaluator
    code = step.code or ctx.planner.code(step)
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
