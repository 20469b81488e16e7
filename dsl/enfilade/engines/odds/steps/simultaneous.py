"""Steps that happen at the same time: each part starts from the same state, and their changes are joined."""

from __future__ import annotations

from enfilade.core import ir
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import (
    UNCHANGED,
    Distribution,
    Row,
    frozen_value,
    merged,
    with_changes,
    without,
)
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.steps.tasks import Bindings


def changes_of(ctx: Context, states: Distribution) -> Bindings:
    """The fields and decks that have changed in a single state."""
    (row,) = states.rows
    names = ctx.slots.names
    return tuple(
        (slot, value)
        for slot, value in zip(states.slots, row, strict=True)
        if names[slot][0] in ("field", "deck") and value is not UNCHANGED
    )


def part_ended(ctx: Context, states: Distribution, ends: int, start: Bindings, *, stopped: bool) -> Distribution:
    """Move the changes of a part to the slot *ends*, and restore the fields and decks of the start."""
    names = ctx.slots.names
    state = [place for place, slot in enumerate(states.slots) if names[slot][0] in ("field", "deck")]
    other = [place for place, slot in enumerate(states.slots) if place not in state and slot != ends]
    at = states.slots.index(ends)
    rows: dict[Row, int] = {}
    for row, weight in states.rows.items():
        changed = tuple((states.slots[place], row[place]) for place in state if row[place] is not UNCHANGED)
        key = (*(row[place] for place in other), (*row[at], (stopped, changed)))
        rows[key] = rows.get(key, 0) + weight
    ended = Distribution((*(states.slots[place] for place in other), ends), rows, states.total)
    return with_changes(ended, dict(start))


def all_ended(
    ctx: Context, states: Distribution, ends: int, s: ir.Together, origin: Origin
) -> tuple[Distribution, Distribution | None]:
    """Join the changes of all parts; return the states that continue, and those in which a part stopped."""
    at, index = states.slots.index(ends), {slot: place for place, slot in enumerate(states.slots)}
    done: list[Distribution] = []
    stopped: list[Distribution] = []
    for row, weight in states.rows.items():
        ctx.evaluator.begin(Origin(row, index, origin), 0, {})
        ctx.evaluator.join({}, (dict(changed) for _, changed in row[at]), s.note)
        changes = {slot: frozen_value(value) for slot, value in ctx.evaluator.writes.items()}
        state = without(Distribution(states.slots, {row: weight}, states.total), ends)
        stops = any(stop for stop, _ in row[at])
        (stopped if stops else done).append(with_changes(state, changes))
    return merged(done), merged(stopped) if stopped else None
