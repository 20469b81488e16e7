"""Worlds with weights: what the rest of a run can still see, and how likely it is.

A world is written as a row: one value for each slot of the layout. A slot that a row leaves as it was holds ``KEEP``: its
value is found where the row came from. Weights are whole numbers; a weight divided by the total is a chance. The weights
of a distribution need not add up to its total: what is missing has gone another way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import lcm
from typing import Any, Final, TypeAlias

from attrs import evolve

from enfilade.core.run import Refused
from enfilade.core.values import Performed, Reading, Tally

Row: TypeAlias = tuple[Any, ...]
Slots: TypeAlias = tuple[int, ...]


class _Keep:
    """What stands in a row for a value that did not change."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "KEEP"


KEEP: Final = _Keep()


class Added(tuple[Any, ...]):
    """What a row adds to the end of a list, whatever that held before."""

    __slots__ = ()

    def to(self, before: Any) -> Any:
        """The list with it: itself an addition, where what was there before is not known."""
        if before is KEEP:
            return self
        longer = (*before, *self)
        return Added(longer) if type(before) is Added else longer


class More:
    """What a row adds to a number, whatever that was before."""

    __slots__ = ("amount",)

    def __init__(self, amount: Any) -> None:
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return isinstance(other, More) and self.amount == other.amount

    def __hash__(self) -> int:
        return hash(("more", self.amount))

    def to(self, before: Any) -> Any:
        """The number with it: itself an addition, where what was there before is not known."""
        if before is KEEP:
            return self
        return More(before.amount + self.amount) if type(before) is More else before + self.amount


CHANGES: Final = frozenset((Added, More))
"""What stands in a row for a value that has changed in a way that is known, from one that is not."""


def changed(before: Any, value: Any) -> Any:
    """A value after what a row says of it, which may be a change of the one before, or nothing."""
    if value is KEEP:
        return before
    return value.to(before) if type(value) in CHANGES else value


class Frozen(dict[Any, Any]):
    """A map that can stand in a row."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


def frozen_value(value: Any) -> Any:
    """A value as it can stand in a row."""
    kind = type(value)
    if kind is int or kind is str or kind is bool or value is None:
        return value
    if kind is tuple:
        return value if all(type(each) in _PLAIN for each in value) else tuple(map(frozen_value, value))
    if kind is Tally:
        return Tally(value.total, Frozen(value.amounts))
    if kind is Performed:
        return Performed(value.effect, Frozen({name: frozen_value(arg) for name, arg in value.args.items()}))
    if isinstance(value, Mapping) and kind is not Frozen:
        return Frozen({key: frozen_value(each) for key, each in value.items()})
    return value


_PLAIN: Final = (int, str, bool, type(None))


def with_parts(value: Any, parts: frozenset[str]) -> Any:
    """What was read on a chart, with only some of its parts; a list of readings likewise; anything else as it is."""
    if type(value) is Reading:
        nothing: dict[str, Any] = dict.fromkeys(_PARTS - parts)
        return evolve(value, **nothing, edge=(), chart="")
    if type(value) is tuple and value and all(type(each) is Reading for each in value):
        return tuple(with_parts(each, parts) for each in value)
    return value


_PARTS: Final = frozenset(
    ("code", "row", "column", "base_column", "shift", "roll", "modified", "roll_modifier", "reader")
)


class Worlds:
    """Rows of one layout with their weights.

    Attributes:
        slots: The layout.
        rows: The weight of each row.
        total: What the weights are divided by.
    """

    __slots__ = ("rows", "slots", "total")

    def __init__(self, slots: Slots, rows: dict[Row, int], total: int) -> None:
        self.slots = slots
        self.rows = rows
        self.total = total


def no_worlds() -> Worlds:
    """None at all."""
    return Worlds((), {}, 1)


def one_world(writes: Mapping[int, Any] | None = None) -> Worlds:
    """A single world in which some slots have changed."""
    if not writes:
        return Worlds((), {(): 1}, 1)
    return Worlds(tuple(writes), {tuple(writes.values()): 1}, 1)


class Flow:
    """Where worlds went: on to the next step, to the end of the procedure, or into a refusal.

    Attributes:
        done: Those that go on.
        stopped: Those whose procedure was stopped.
        refused: Those that the rules refused.
        refusal: The first refusal, if there is one.
    """

    __slots__ = ("done", "refusal", "refused", "stopped")

    def __init__(
        self,
        done: Worlds,
        stopped: Worlds | None = None,
        refused: Worlds | None = None,
        refusal: Refused | None = None,
    ) -> None:
        self.done = done
        self.stopped = stopped
        self.refused = refused
        self.refusal = refusal

    def aside(self) -> Flow:
        """The same without those that go on."""
        return Flow(no_worlds(), self.stopped, self.refused, self.refusal)


def merged(parts: Iterable[Worlds | None]) -> Worlds:
    """Several distributions as one."""
    present = [part for part in parts if part is not None and part.rows]
    if not present:
        return no_worlds()
    if len(present) == 1:
        return present[0]
    slots = tuple(dict.fromkeys(slot for part in present for slot in part.slots))
    total = lcm(*(part.total for part in present))
    rows: dict[Row, int] = {}
    for part in present:
        scale = total // part.total
        places = None if part.slots == slots else [_place(part.slots, slot) for slot in slots]
        for row, weight in part.rows.items():
            key = row if places is None else tuple([KEEP if place < 0 else row[place] for place in places])
            rows[key] = rows.get(key, 0) + weight * scale
    return Worlds(slots, rows, total)


def _place(slots: Slots, slot: int) -> int:
    return slots.index(slot) if slot in slots else -1


def projected(worlds: Worlds, keep: Mapping[int, bool]) -> Worlds:
    """The same with only some slots; rows that then agree are one."""
    kept = [place for place, slot in enumerate(worlds.slots) if keep[slot]]
    if len(kept) == len(worlds.slots):
        return worlds
    rows: dict[Row, int] = {}
    for row, weight in worlds.rows.items():
        key = tuple([row[place] for place in kept])
        rows[key] = rows.get(key, 0) + weight
    return Worlds(tuple(worlds.slots[place] for place in kept), rows, worlds.total)
