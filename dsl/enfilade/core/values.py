"""The values that rules compute with. All are immutable and compare by what they hold.

Numbers are ``int`` or ``Fraction``, never ``float``; a fraction that is whole is an ``int``. A word, a code and a
printed label are ``str``; yes and no are ``bool``; ``none`` is ``None``; a list is a ``tuple``; a set of words is a
tuple in the order of their declaration; a map is a ``dict`` that nobody changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from attrs import field, frozen

from enfilade.core.types import Bool, ChartOf, ListOf, Nothing, Num, RecordOf, Type, Unknown, Word

Number: TypeAlias = int | Fraction


@frozen(cache_hash=True)
class Ref:
    """A record by its key; its fields are in the state.

    References are looked up many times in a run, so each keeps its hash.
    """

    record: str
    key: str


@frozen
class Roll:
    """What dice showed.

    Attributes:
        faces: As printed on the dice, in the order in which they were rolled.
        values: What each counts.
    """

    faces: tuple[Any, ...]
    values: tuple[Any, ...]

    @property
    def total(self) -> Number:
        """The sum of the values; symbols have none."""
        total: Number = sum(value for value in self.values if not isinstance(value, str))
        return total

    @property
    def natural(self) -> Any:
        """The first value, before any modifier."""
        return self.values[0] if self.values else 0


@frozen
class Tally:
    """What a block of modifiers came to: each that counted with its amount, in the order of the file."""

    total: Number
    amounts: Mapping[str, Number]

    @property
    def names(self) -> tuple[str, ...]:
        """The modifiers that counted."""
        return tuple(self.amounts)


@frozen
class Reading:
    """What was read on a chart.

    Attributes:
        chart: The chart's name.
        code: The cell, or what an edge of the chart gives.
        row: The label of the row; ``None`` off the chart.
        column: The label of the column; ``None`` off the chart, or where there are no columns.
        base_column: The label of the column before any shift.
        shift: The net column shift.
        roll: The value that finds the row, before modifiers.
        modified: The same after them.
        roll_modifier: What was added.
        reader: The record that reads, if any.
        edge: The edges that decided something, in the words of the chart's lines.
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


@frozen
class Performed:
    """An effect that was performed."""

    effect: str
    args: Mapping[str, Any]


@frozen
class ChartRef:
    """A chart, as a cell of another."""

    name: str


@frozen
class State:
    """All that effects change: the fields of records, and what is left in decks."""

    records: Mapping[Ref, Mapping[str, Any]] = field(factory=dict)
    decks: Mapping[str, tuple[Any, ...]] = field(factory=dict)

    def with_field(self, ref: Ref, name: str, value: Any) -> State:
        """The state with one field of one record changed."""
        record = {**self.records[ref], name: value}
        return State({**self.records, ref: record}, self.decks)

    def with_deck(self, deck: str, left: tuple[Any, ...]) -> State:
        """The state with other cards left in one deck."""
        return State(self.records, {**self.decks, deck: left})


def exact(number: Number) -> Number:
    """An ``int`` where the number is whole.

    Examples:
        >>> exact(Fraction(4, 2))
        2
    """
    if type(number) is Fraction and number.denominator == 1:
        return number.numerator
    return number


def type_of(value: Any) -> Type:
    """The narrowest type of a constant; ``Unknown`` for what no constant is, and for a list of unlike values.

    Examples:
        >>> type_of((1, 4))
        ListOf(of=Num(low=1, high=4, whole=True), least=2)
    """
    if isinstance(value, bool):
        return Bool()
    if isinstance(value, (int, Fraction)):
        return Num(value, value, type(value) is int)
    if isinstance(value, str):
        return Word((value,))
    if isinstance(value, tuple):
        return ListOf(_type_of_each(value), len(value))
    if isinstance(value, Ref):
        return RecordOf(value.record)
    if isinstance(value, ChartRef):
        return ChartOf((value.name,))
    return Nothing() if value is None else Unknown()


def _type_of_each(values: tuple[Any, ...]) -> Type:
    types = [type_of(value) for value in values]
    numbers = [each for each in values if isinstance(each, (int, Fraction)) and not isinstance(each, bool)]
    if numbers and len(numbers) == len(values):
        return Num(min(numbers), max(numbers), all(type(each) is int for each in numbers))
    if values and all(isinstance(each, str) for each in values):
        return Word(tuple(dict.fromkeys(values)))
    return types[0] if len(set(types)) == 1 else Unknown()
