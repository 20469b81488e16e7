"""Transitions: a memoised step (kernel) applied to every state of a distribution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from enfilade.core.run import Refused
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import (
    PLAIN,
    Distribution,
    Flow,
    Row,
    frozen_value,
    merged,
    no_states,
    one_state,
    projected,
    with_parts,
)
from enfilade.engines.odds.states.kernels import Finds, spliced
from enfilade.engines.odds.states.live_slots import AllSlots, LiveSlots, SlotSet
from enfilade.engines.odds.states.slots import Origin
from enfilade.errors import LimitError

_CALL: Final = 100
_ALL: Final = AllSlots(live=True)
_NOTHING: Final = AllSlots(live=False)


def apply(ctx: Context, kernel: Finds, states: Distribution, live: SlotSet, origin: Origin) -> Flow:
    """Apply a kernel to a distribution; only the live slots of the result are kept."""
    try:
        return _applied(ctx, kernel, states, live, origin)
    except LimitError:
        ctx.meter.met(states)
        raise


def _applied(ctx: Context, kernel: Finds, states: Distribution, live: SlotSet, origin: Origin) -> Flow:
    index = {slot: place for place, slot in enumerate(states.slots)}
    done: list[tuple[Row, int, Distribution]] = []
    stopped: list[tuple[Row, int, Distribution]] = []
    refused: list[tuple[Row, int, Distribution]] = []
    refusal: Refused | None = None
    size = 0
    for row, weight in states.rows.items():
        flow: Flow = kernel.find(row, index, origin)
        if flow.done.rows:
            done.append((row, weight, flow.done))
            size += len(flow.done.rows)
        if flow.stopped is not None:
            stopped.append((row, weight, flow.stopped))
        if flow.refused is not None:
            refused.append((row, weight, flow.refused))
            refusal = refusal or flow.refusal
    ctx.meter.products += _CALL
    ctx.meter.count(size + len(states.rows))
    slots, total = states.slots, states.total
    flow = Flow(spliced(done, slots, total, live, ctx.meter) if done else no_states())
    if stopped:
        # The step that stopped these states has already dropped their dead slots.
        flow.stopped = spliced(stopped, slots, total, _ALL, ctx.meter)
    if refused:
        flow.refused = spliced(refused, slots, total, _NOTHING, ctx.meter)
        flow.refusal = refusal
    return flow


def joined(flows: list[Flow], live: Mapping[int, bool]) -> Flow:
    """The sum of several flows; states that continue keep only their live slots."""
    done = merged([projected(flow.done, live) for flow in flows])
    stopped = [flow.stopped for flow in flows if flow.stopped is not None]
    refused = [flow.refused for flow in flows if flow.refused is not None]
    refusal = next((flow.refusal for flow in flows if flow.refusal is not None), None)
    return Flow(done, merged(stopped) if stopped else None, merged(refused) if refused else None, refusal)


def written(ctx: Context, live: LiveSlots, extra: Mapping[int, Any] | None = None) -> Distribution:
    """One state from the evaluator's writes to live slots and some further changes."""
    kept = live_writes(ctx, live)
    if extra:
        kept.update(extra)
    return one_state(kept)


def live_writes(ctx: Context, live: LiveSlots) -> dict[int, Any]:
    """The evaluator's writes to live slots."""
    kept: dict[int, Any] = {}
    parts_of = live.parts
    for slot, value in ctx.evaluator.writes.items():
        if live[slot]:
            parts = parts_of[slot]
            if parts is not None:
                value = with_parts(value, parts)
            kept[slot] = value if type(value) in PLAIN else frozen_value(value)
    return kept
