"""The values that rules compute with. All are immutable and compare by content.

Numbers are ``int`` or ``Fraction``, never ``float``; whole numbers are always ``int``. Words, codes and printed
labels are ``str``; yes and no are ``bool``; ``none`` is ``None``; a list is a ``tuple``; a set of words is a tuple in
the order of declaration; a map is a ``dict`` that is never modified, and in a fact or a field a ``FrozenMap``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from enfilade.frozen import FrozenMap as FrozenMap
from enfilade.values.numbers import Number as Number
from enfilade.values.numbers import exact as exact


@frozen(cache_hash=True)
class Ref:
    """A reference to a record by its key; the state holds its fields.

    A run looks references up many times, so each caches its hash.
    """

    record: str
    key: str


@frozen
class Roll:
    """The result of rolling dice.

    Attributes:
        faces: The faces as printed, in the order rolled.
        values: The value of each face.
    """

    faces: tuple[Any, ...]
    values: tuple[Any, ...]

    @property
    def total(self) -> Number:
        """The sum of the values; symbols count 0."""
        total: Number = sum(value for value in self.values if not isinstance(value, str))
        return total

    @property
    def natural(self) -> Any:
        """The first value, before any modifier."""
        return self.values[0] if self.values else 0


@frozen(cache_hash=True)
class Tally:
    """The sum of a block of modifiers, with the amount of each applied modifier in the order of the file."""

    total: Number
    amounts: Mapping[str, Number]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the applied modifiers."""
        return tuple(self.amounts)


@frozen(cache_hash=True)
class Reading:
    """The result of a chart lookup.

    Attributes:
        chart: The chart's name.
        code: The content of the cell, or the code that an edge of the chart gives.
        row: The label of the row; ``None`` off the chart.
        column: The label of the column; ``None`` off the chart, or if the chart has no columns.
        base_column: The label of the column before any shift.
        shift: The net column shift.
        roll: The value that selects the row, before modifiers.
        modified: The value after modifiers.
        roll_modifier: The sum of the die roll modifiers.
        reader: The record that reads the chart, if any.
        edge: The names of the edges that the lookup passed.
        page: The number of the page, from 0, as a label.
    """

    chart: str
    code: Any
    row: str | None = None
    column: str | None = None
    base_column: str | None = None
    shift: Number = 0
    roll: Any = None
    modified: Any = None
    roll_modifier: Number = 0
    reader: Ref | None = None
    edge: tuple[str, ...] = ()
    page: str = "0"


@frozen
class Performed:
    """An effect that was performed."""

    effect: str
    args: Mapping[str, Any]


@frozen
class ChartRef:
    """A reference to a chart, as the cell of another chart."""

    name: str


@frozen
class State:
    """The state that effects change: the fields of records and the cards left in decks.

    ``None`` stands for a deck with numbers of cards from facts that was not used yet.
    """

    records: Mapping[Ref, Mapping[str, Any]] = field(factory=dict)
    decks: Mapping[str, tuple[Any, ...] | None] = field(factory=dict)

    def with_field(self, ref: Ref, name: str, value: Any) -> State:
        """A copy of the state with one field of one record changed."""
        record = {**self.records[ref], name: value}
        return State({**self.records, ref: record}, self.decks)

    def with_deck(self, deck: str, left: tuple[Any, ...] | None) -> State:
        """A copy of the state with the cards of one deck replaced."""
        return State(self.records, {**self.decks, deck: left})
