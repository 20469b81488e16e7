"""Distributions over states: the live variables of each state, with its weight.

A state (also called a world: a possible world) is a row with one value for each slot of the layout. A row holds
``UNCHANGED`` for a slot that still has the value from the state where the step began, its origin. Weights are whole
numbers; a weight divided by the total is a chance. The weights of a distribution may add up to less: the missing states
stopped, were refused, or became the remainder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from operator import attrgetter, itemgetter
from typing import Any, Final, TypeAlias

from attrs import evolve

from enfilade.core.run import Refused
from enfilade.engines.odds.analysis.demands import ELEMENTS, NUMBER, is_unordered
from enfilade.values.data import FrozenMap, Performed, Reading, Ref, Tally

Row: TypeAlias = tuple[Any, ...]
Slots: TypeAlias = tuple[int, ...]


class _Unchanged:
    """Marks an unchanged value in a row."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNCHANGED"


UNCHANGED: Final = _Unchanged()


class Appended(tuple[Any, ...]):
    """A change relative to an unknown list: these items are appended."""

    __slots__ = ()

    def to(self, before: Any) -> Any:
        """The list after the change; still an ``Appended`` if the list before is unknown."""
        if before is UNCHANGED:
            return self
        longer = (*before, *self)
        return Appended(longer) if type(before) is Appended else longer


class Increment:
    """A change relative to an unknown number: this amount is added."""

    __slots__ = ("amount",)

    def __init__(self, amount: Any) -> None:
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Increment) and self.amount == other.amount

    def __hash__(self) -> int:
        return hash(("increment", self.amount))

    def to(self, before: Any) -> Any:
        """The number after the change; still an ``Increment`` if the number before is unknown."""
        if before is UNCHANGED:
            return self
        return Increment(before.amount + self.amount) if type(before) is Increment else before + self.amount


DELTAS: Final = frozenset((Appended, Increment))
"""The changes that are relative to a value that may be unknown."""


def updated(before: Any, value: Any) -> Any:
    """The value after a change: a new value, a relative change, or ``UNCHANGED``."""
    if value is UNCHANGED:
        return before
    return value.to(before) if type(value) in DELTAS else value


def frozen_value(value: Any) -> Any:
    """A hashable copy of a value, so that it can be part of a row."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is tuple:
        return value if PLAIN.issuperset(map(type, value)) else tuple(map(frozen_value, value))
    if kind is Tally:
        return Tally(value.total, FrozenMap(value.amounts))
    if kind is Performed:
        return Performed(value.effect, FrozenMap({name: frozen_value(arg) for name, arg in value.args.items()}))
    if isinstance(value, Mapping) and kind is not FrozenMap:
        return FrozenMap({key: frozen_value(each) for key, each in value.items()})
    return value


PLAIN: Final = frozenset((int, str, bool, type(None)))
"""The types of values that are hashable as they are."""
_ORDERED: Final = frozenset((int, str, Fraction))
_NAMED: Final = frozenset((int, str, bool, type(None), Fraction, Ref))


def with_parts(value: Any, parts: frozenset[str]) -> Any:
    """Remove unread parts from a chart reading or a list of readings, and what is not read of a list: its order or its elements."""
    if type(value) is Reading:
        return _reading(value, parts)
    if any(part.startswith(ELEMENTS) for part in parts):
        return in_standard_order(value) if is_unordered(parts) else value
    if type(value) is tuple and value and all(type(each) is Reading for each in value):
        return tuple([_reading(each, parts) for each in value])
    return (None,) * len(value) if parts == {NUMBER} and type(value) is tuple else value


@lru_cache(maxsize=1_000)
def _getter(parts: frozenset[str]) -> Callable[[Reading], Any]:
    return attrgetter(*sorted(parts & _PARTS)) if parts & _PARTS else lambda _: ()


_READINGS: Final[dict[Any, Reading]] = {}
"""Readings with some parts removed; equal ones are one object, so that their hash is computed once."""


def _reading(value: Reading, parts: frozenset[str]) -> Reading:
    key = (parts, _getter(parts)(value))
    found = _READINGS.get(key)
    if found is None:
        if len(_READINGS) > _MOST_READINGS:
            _READINGS.clear()
        nothing: dict[str, Any] = dict.fromkeys(_PARTS - parts)
        found = _READINGS[key] = evolve(value, **nothing, edge=())
    return found


def in_standard_order(value: Any) -> Any:
    """A list as a multiset: its numbers, words and records in an order of their own. Other values stay the same."""
    if type(value) is not tuple or len(value) < 2:
        return value
    kinds = set(map(type, value))
    if len(kinds) == 1 and kinds <= _ORDERED:
        return tuple(sorted(value))
    return tuple(sorted(value, key=repr)) if kinds <= _NAMED else value


_MOST_READINGS: Final = 10_000
_PARTS: Final = frozenset(
    ("code", "row", "column", "base_column", "shift", "roll", "modified", "roll_modifier", "reader", "chart", "page")
)


def taking(places: Sequence[int]) -> Callable[[Row], Row]:
    """The function that takes the values at some places of a row."""
    if len(places) > 1:
        return itemgetter(*places)
    return (lambda row: (row[places[0]],)) if places else _nothing


def _nothing(row: Row) -> Row:
    return ()


class Distribution:
    """States of one layout with their weights.

    Attributes:
        slots: The layout: the slot at each position of a row.
        rows: The weight of each state.
        total: The number by which a weight is divided to give a chance.
    """

    __slots__ = ("rows", "slots", "total")

    def __init__(self, slots: Slots, rows: dict[Row, int], total: int) -> None:
        self.slots = slots
        self.rows = rows
        self.total = total


def no_states() -> Distribution:
    """The empty distribution."""
    return Distribution((), {}, 1)


def one_state(writes: Mapping[int, Any] | None = None) -> Distribution:
    """One state with weight 1, in which some slots have changed."""
    if not writes:
        return Distribution((), {(): 1}, 1)
    return Distribution(tuple(writes), {tuple(writes.values()): 1}, 1)


def with_changes(states: Distribution, changes: Mapping[int, Any]) -> Distribution:
    """The states after the same changes in each of them."""
    if not changes:
        return states
    slots = (*states.slots, *(slot for slot in changes if slot not in states.slots))
    places = [(slots.index(slot), value) for slot, value in changes.items()]
    fill = (UNCHANGED,) * (len(slots) - len(states.slots))
    rows: dict[Row, int] = {}
    for row, weight in states.rows.items():
        new = [*row, *fill]
        for place, value in places:
            new[place] = updated(new[place], value)
        key = tuple(new)
        rows[key] = rows.get(key, 0) + weight
    return Distribution(slots, rows, states.total)


def without(states: Distribution, slot: int) -> Distribution:
    """The states without a slot; states that become equal are merged."""
    at = states.slots.index(slot)
    rows: dict[Row, int] = {}
    for row, weight in states.rows.items():
        key = (*row[:at], *row[at + 1 :])
        rows[key] = rows.get(key, 0) + weight
    return Distribution((*states.slots[:at], *states.slots[at + 1 :]), rows, states.total)


class Flow:
    """The result of steps: the states that go on, that stopped the procedure, and that the rules refused.

    Attributes:
        done: The states that continue with the next step.
        stopped: The states in which the procedure stopped.
        refused: The states that the rules refused.
        refusal: The first refusal.
    """

    __slots__ = ("done", "refusal", "refused", "stopped")

    def __init__(
        self,
        done: Distribution,
        stopped: Distribution | None = None,
        refused: Distribution | None = None,
        refusal: Refused | None = None,
    ) -> None:
        self.done = done
        self.stopped = stopped
        self.refused = refused
        self.refusal = refusal

    def exits(self) -> Flow:
        """The flow without the states that continue."""
        return Flow(no_states(), self.stopped, self.refused, self.refusal)


def merged(parts: Iterable[Distribution | None]) -> Distribution:
    """The sum of several distributions; equal states are merged."""
    present = [part for part in parts if part is not None and part.rows]
    if not present:
        return no_states()
    if len(present) == 1:
        return present[0]
    slots = tuple(dict.fromkeys(slot for part in present for slot in part.slots))
    total = lcm(*(part.total for part in present))
    rows: dict[Row, int] = {}
    for part in present:
        scale = total // part.total
        places = None if part.slots == slots else [_place(part.slots, slot) for slot in slots]
        for row, weight in part.rows.items():
            key = row if places is None else tuple([UNCHANGED if place < 0 else row[place] for place in places])
            rows[key] = rows.get(key, 0) + weight * scale
    return Distribution(slots, rows, total)


def in_lowest_terms(states: Distribution) -> Distribution:
    """The same states with the smallest whole weights."""
    common = gcd(states.total, *states.rows.values())
    if common == 1:
        return states
    rows = {row: weight // common for row, weight in states.rows.items()}
    return Distribution(states.slots, rows, states.total // common)


def _place(slots: Slots, slot: int) -> int:
    return slots.index(slot) if slot in slots else -1


def projected(dist: Distribution, live: Mapping[int, bool]) -> Distribution:
    """The marginal distribution over the live slots; states that become equal are merged."""
    kept = [place for place, slot in enumerate(dist.slots) if live[slot]]
    if len(kept) == len(dist.slots):
        return dist
    rows: dict[Row, int] = {}
    take, get = taking(kept), rows.get
    for row, weight in dist.rows.items():
        key = take(row)
        rows[key] = get(key, 0) + weight
    return Distribution(take(dist.slots), rows, dist.total)
