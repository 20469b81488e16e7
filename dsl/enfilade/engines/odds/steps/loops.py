"""Rounds of a loop that repeats the same steps, memoised by whole states."""

from __future__ import annotations

from math import lcm
from typing import Final

from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import UNCHANGED, Distribution, Flow, Row
from enfilade.engines.odds.states.kernels import Kernel
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.states.transitions import apply

_ROUND: Final = 40


def run_round(ctx: Context, kernel: Kernel, states: Distribution, live: LiveSlots, origin: Origin) -> Flow:
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
