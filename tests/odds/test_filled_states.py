"""Before a loop compares states, the values of unchanged fields and decks are written out in them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from enfilade.core.values import Ref
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import UNCHANGED, Distribution, no_states
from enfilade.engines.odds.states.slots import Origin, SlotTable
from enfilade.engines.odds.steps.loops import filled


def test_a_state_with_an_unchanged_field_equals_the_one_that_has_its_value() -> None:
    slots = SlotTable()
    steps, deck, local = (
        slots.number("field", Ref("unit", "a"), "steps"),
        slots.number("deck", "chits"),
        slots.number("local", 1, "die"),
    )
    ctx = cast(Context, SimpleNamespace(slots=slots))
    start: dict[int, Any] = {steps: 2, deck: (1, 2), local: 6}
    origin = Origin((), {}, cast(Any, SimpleNamespace(base=start.__getitem__)))
    layout = (steps, deck, local)
    states = Distribution(
        layout, {(2, UNCHANGED, 1): 1, (UNCHANGED, (1, 2), 1): 2, (1, (), UNCHANGED): 3, (UNCHANGED, (), 1): 4}, 10
    )
    found = filled(ctx, states, origin)
    assert (found.slots, found.total) == (layout, 10)
    assert found.rows == {(2, (1, 2), 1): 3, (1, (), UNCHANGED): 3, (2, (), 1): 4}


def test_no_states_read_nothing() -> None:
    ctx = cast(Context, SimpleNamespace(slots=SlotTable()))
    assert not filled(ctx, no_states(), Origin((), {}, cast(Any, None))).rows
