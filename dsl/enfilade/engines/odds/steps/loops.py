"""Loops: for each element of a list, and a number of times.

*For each* runs one kernel for each element, memoised by the slots that it reads. States whose lists end alike are merged.

*A number of times.* A round depends only on the state, not on the number of the round. States with the same number of
rounds left are processed together, whatever their count was. So a loop with a rolled count costs as many rounds as its
highest count. A loop *until* a condition holds is in ``markov_chain``.
"""

from __future__ import annotations

from math import lcm
from typing import Final

from enfilade.core import ir
from enfilade.engines.odds.analysis.plan import Step
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import UNCHANGED, Distribution, Flow, Row, merged, no_states, projected
from enfilade.engines.odds.states.expressions import grouped, split, value_kernel
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.kernels import Kernel
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.states.transitions import apply, joined
from enfilade.engines.odds.steps.fold_records import fold
from enfilade.errors import RuleError

_ROUND: Final = 40


def for_each(ctx: Context, states: Distribution, step: Step, s: ir.Loop, frame: CallFrame, origin: Origin) -> Flow:
    """Run the steps of a loop for each element of its list."""
    over = value_kernel(ctx, (id(step), "over"), s.over, frame, step.kinds)
    live = ctx.live_slots(step.blocks[0].live, frame.depth)
    variable = ctx.local(frame, s.local)
    flows: list[Flow] = []
    waiting = {elements: [group] for elements, group in grouped(ctx, over, states, origin).items()}
    # The longest lists first: states with the same elements still to come are processed together.
    for length in range(max(map(len, waiting), default=0), 0, -1):
        for elements in [each for each in waiting if len(each) == length]:
            element, rest = elements[0], elements[1:]
            kernel = ctx.kernel(
                (id(step), id(frame), element),
                lambda round_origin: ctx.run_one({}, step.blocks[0], frame, live, round_origin),
                {variable: element},
            )
            flow = apply(ctx, kernel, merged(waiting.pop(elements)), live, origin)
            flows.append(flow.exits())
            group = flow.done
            if step.foldable and element not in rest:
                group = fold(ctx, group, element, step, frame, origin)
            waiting.setdefault(rest, []).append(group)
    flows.append(Flow(merged(waiting.get((), []))))
    return joined(flows, ctx.live_slots(step.live, frame.depth))


def repeat_times(
    ctx: Context, states: Distribution, step: Step, s: ir.Repeat, frame: CallFrame, origin: Origin
) -> Flow:
    """Repeat steps a number of times, or until a condition is true after a round.

    Raises:
        RuleError: The number is ``none``.
    """
    assert s.times is not None
    live = ctx.live_slots(step.blocks[0].live, frame.depth)
    counts = value_kernel(ctx, (id(step), "times"), s.times, frame)
    waiting = grouped(ctx, counts, states, origin)
    if None in waiting:
        raise RuleError("none stands where a value is needed: the number of times")
    kernel = ctx.kernel(
        (id(step), id(frame)), lambda round_origin: ctx.run_one({}, step.blocks[0], frame, live, round_origin)
    )
    # Keep only the slots that a round, or a step after the loop, reads.
    reached: dict[int, list[Distribution]] = {max(left, 0): [] for left in waiting}
    for left, group in waiting.items():
        reached[max(left, 0)].append(projected(group, live))
    flows: list[Flow] = []
    ended: list[Distribution] = []
    current = no_states()
    for left in range(max(reached, default=0), 0, -1):
        current = merged([current, *reached.get(left, [])])
        flow = _round(ctx, kernel, current, live, origin)
        if flow.stopped is not None or flow.refused is not None:
            flows.append(flow.exits())
        current = flow.done
        if s.until is not None and current.rows:
            over, current = split(ctx, (id(step), "until"), s.until, current, frame, origin, step.kinds)
            ended.append(projected(over, live))
        if not current.rows and left - 1 not in reached and not any(other < left for other in reached):
            break
    flows.append(Flow(merged([current, *reached.get(0, []), *ended])))
    return joined([joined(flows, live)], ctx.live_slots(step.live, frame.depth))


def _round(ctx: Context, kernel: Kernel, states: Distribution, live: LiveSlots, origin: Origin) -> Flow:
    """One round, memoised by whole states without a decision tree: most states occurred in an earlier round."""
    key = (id(kernel), states.slots)
    known = origin.rounds.get(key)
    if known is None:
        flow = apply(ctx, kernel, states, live, origin)
        flow.done = filled(ctx, flow.done, origin)
        if flow.stopped is None and flow.refused is None and flow.done.slots == states.slots:
            origin.rounds[key] = {}
        return flow
    fresh = [row for row in states.rows if row not in known]
    for row in fresh:
        single = apply(ctx, kernel, Distribution(states.slots, {row: 1}, 1), live, origin)
        if single.stopped is not None or single.refused is not None or single.done.slots != states.slots:
            del origin.rounds[key]
            return apply(ctx, kernel, states, live, origin)
        done = filled(ctx, single.done, origin)
        known[row] = done.total, list(done.rows.items())
    moves = [(weight, known[row]) for row, weight in states.rows.items()]
    every = lcm(*{total for _, (total, _) in moves}) if moves else 1
    rows: dict[Row, int] = {}
    get = rows.get
    size = 0
    for weight, (total, onward) in moves:
        scaled = weight if total == every else weight * (every // total)
        size += len(onward)
        for row, times in onward:
            rows[row] = get(row, 0) + scaled * times
    ctx.meter.count(size + _ROUND)
    return Flow(Distribution(states.slots, rows, states.total * every))


def filled(ctx: Context, states: Distribution, origin: Origin) -> Distribution:
    """The states with the values of unchanged fields and decks written out, so that equal states are equal rows."""
    if not states.rows:
        return states
    names = ctx.slots.names
    fill = [origin.base(slot) if names[slot][0] in ("field", "deck") else UNCHANGED for slot in states.slots]
    rows: dict[Row, int] = {}
    for row, weight in states.rows.items():
        key = row
        if UNCHANGED in row:
            key = tuple([before if value is UNCHANGED else value for value, before in zip(row, fill, strict=True)])
        rows[key] = rows.get(key, 0) + weight
    return Distribution(states.slots, rows, states.total)
