"""Steps that happen at the same time: each part starts from the same state, and their changes are joined."""

from __future__ import annotations

from typing import Any

from enfilade.core import ir
from enfilade.core.evaluate import merge_field
from enfilade.engines.odds.analysis.plan import Step
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import (
    UNCHANGED,
    Distribution,
    Flow,
    Row,
    merged,
    no_states,
    one_state,
    projected,
)
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.slots import Origin
from enfilade.errors import RuleError


def together(ctx: Context, s: ir.Together, step: Step, frame: CallFrame, live: LiveSlots, origin: Origin) -> Flow:
    """Run the parts of a simultaneous step from one state."""
    ends = ctx.slots.number("ends", id(step), frame.depth)
    states = one_state({ends: ()})
    refused: list[Distribution | None] = []
    refusal = None
    for block in step.blocks:
        flow = ctx.run(states, block, frame, origin)
        refused.append(flow.refused)
        refusal = refusal or flow.refusal
        parts = [_part_ended(ctx, flow.done, ends, stopped=False)]
        if flow.stopped is not None:
            parts.append(_part_ended(ctx, flow.stopped, ends, stopped=True))
        states = merged(parts)
    done, stopped = _all_ended(ctx, states, ends, s, origin)
    result = Flow(projected(done, live), stopped if stopped.rows else None)
    if any(part is not None and part.rows for part in refused):
        result.refused, result.refusal = merged(refused), refusal
    return result


def _part_ended(ctx: Context, states: Distribution, ends: int, *, stopped: bool) -> Distribution:
    """Move the changes of a part to the slot *ends*, and restore the fields and decks of the start."""
    names = ctx.slots.names
    state = [place for place, slot in enumerate(states.slots) if names[slot][0] in ("field", "deck")]
    other = [place for place, slot in enumerate(states.slots) if place not in state and slot != ends]
    if not states.rows:
        return states
    at = states.slots.index(ends)
    rows: dict[Row, int] = {}
    for row, weight in states.rows.items():
        changed = tuple((states.slots[place], row[place]) for place in state if row[place] is not UNCHANGED)
        key = (*(row[place] for place in other), (*row[at], (stopped, changed)))
        rows[key] = rows.get(key, 0) + weight
    return Distribution((*(states.slots[place] for place in other), ends), rows, states.total)


def _all_ended(
    ctx: Context, states: Distribution, ends: int, s: ir.Together, origin: Origin
) -> tuple[Distribution, Distribution]:
    """Join the changes of all parts; return the states that continue, and those in which a part stopped."""
    if not states.rows:
        return states, no_states()
    at = states.slots.index(ends)
    done: list[Distribution] = []
    stopped: list[Distribution] = []
    for row, weight in states.rows.items():
        changes = joined_changes(ctx, row[at], s, origin)
        slots = (*(slot for slot in states.slots if slot != ends), *changes)
        new = (*(value for place, value in enumerate(row) if place != at), *changes.values())
        stops = any(stop for stop, _ in row[at])
        (stopped if stops else done).append(Distribution(slots, {new: weight}, states.total))
    return merged(done), merged(stopped)


def joined_changes(ctx: Context, ends: tuple[Any, ...], s: ir.Together, origin: Origin) -> dict[int, Any]:
    """The changes of all parts joined, as the reference evaluator joins whole states.

    Raises:
        RuleError: The changes contradict each other.
    """
    found: dict[int, Any] = {}
    changes = [dict(changed) for _, changed in ends]
    for slot in dict.fromkeys(slot for changed in changes for slot in changed):
        before = origin.base(slot)
        after = [changed[slot] for changed in changes if changed.get(slot, before) != before]
        if not after:
            found[slot] = before
            continue
        name = ctx.slots.names[slot]
        if name[0] == "field":
            found[slot] = merge_field(name[1], name[2], before, after, s.note)
            ctx.evaluator._check_field(name[1], name[2], found[slot], s.note)
        elif len(after) > 1:
            raise RuleError(f"two parts that happen together both draw from {name[1]}", s.note.cites)
        else:
            found[slot] = after[0]
    return found
