"""Outcomes of distributions as values: conversion to hashable data, sort order, and text for people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, TypeAlias

from attrs import define, field, frozen

from enfilade.api.outcome import Effect
from enfilade.api.plain_data import plain
from enfilade.door import late_door, with_doors
from enfilade.frozen import FrozenMap
from enfilade.values.data import ChartRef, Performed, Reading, Roll, State, Tally
from enfilade.values.json_data import to_json
from enfilade.values.types import CodeOf, ListOf, MapOf, Maybe, RollOf, Type, Word, WordSet

Key: TypeAlias = tuple[Any, ...]
_NUMBERS: Final = re.compile(r"(\d+)")


@with_doors
class Entries(Mapping[Any, Any]):
    """An immutable, hashable mapping; equal to any mapping with the same entries.

    Examples:
        >>> Entries({"gun": 1})["gun"], Entries({"gun": 1}) == {"gun": 1}
        (1, True)
    """

    __slots__ = ("_entries", "_hash")

    def __init__(self, entries: Mapping[Any, Any]) -> None:
        """Create a mapping; keys and values are converted to outcomes."""
        self._entries = {as_outcome(key): as_outcome(value) for key, value in entries.items()}
        self._hash = hash(frozenset(self._entries.items()))

    def __getitem__(self, key: Any) -> Any:
        """Return the value of a key."""
        return self._entries[key]

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the keys, in the given order."""
        return iter(self._entries)

    def __len__(self) -> int:
        """The number of entries."""
        return len(self._entries)

    def __hash__(self) -> int:
        """Return a hash consistent with equality."""
        return self._hash

    def __repr__(self) -> str:
        """Show the entries."""
        return repr(self._entries)

    def __reduce__(self) -> tuple[type[Entries], tuple[dict[Any, Any]]]:
        """Pickle the entries."""
        return Entries, (self._entries,)


@late_door
def as_outcome(value: Any) -> Any:
    """Convert a value of the core, or of a caller, to an outcome: plain, hashable data.

    Examples:
        >>> as_outcome([1, {"gun": [2]}])
        (1, {'gun': (2,)})
    """
    match value:
        case None | bool() | int() | str() | Fraction() | Entries() | Effect():
            return value
        case Performed():
            return Effect(value.effect, value.args)
        case ChartRef():
            return value.name
        case State():
            return Entries(records_of(value))
        case tuple() | list():
            return tuple(as_outcome(item) for item in value)
        case set() | frozenset():
            return tuple(sorted((as_outcome(item) for item in value), key=str))
        case Mapping():
            return Entries(value)
    return plain(value)


def records_of(state: State) -> dict[str, dict[str, Mapping[str, Any]]]:
    """Return the records of a state: by kind, then by key, then by field."""
    records: dict[str, dict[str, Mapping[str, Any]]] = {}
    for ref, fields in state.records.items():
        records.setdefault(ref.record, {})[ref.key] = fields
    return records


@late_door
def value_text(value: Any) -> str:
    """Return an outcome as text for people.

    Examples:
        >>> value_text((True, None, "M2")), value_text(Entries({"gun": 1, "rifles": 2}))
        ('yes, none, M2', 'gun: 1, rifles: 2')
    """
    match value:
        case bool():
            return "yes" if value else "no"
        case None:
            return "none"
        case tuple():
            return (
                ", ".join(f"({value_text(item)})" if isinstance(item, tuple) else value_text(item) for item in value)
                or "nothing"
            )
        case Entries():
            pairs = (f"{value_text(key)}: {_inner(item)}" for key, item in value.items())
            return ", ".join(pairs) or "nothing"
        case Effect():
            return " ".join([value.effect, *(f"{name} {_inner(arg)}" for name, arg in value.args.items())])
        case int() | str() | Fraction():
            return str(value)
        case Reading():
            return value_text(value.code)
        case Tally():
            return str(value.total)
        case Roll():
            return " ".join(str(face) for face in value.faces)
    return str(to_json(value))


def facts_text(facts: Mapping[str, Any]) -> str:
    """Return the values of some variables as people write them: ``terrain town night yes``."""
    return " ".join(f"{name} {fact_text(value)}" for name, value in facts.items()) or "as it is"


def fact_text(value: Any) -> str:
    """Return a fact as people write it."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(sorted(map(fact_text, value)) if isinstance(value, (set, frozenset)) else map(fact_text, value))
    return value_text(value) if isinstance(value, (bool, int, str, Fraction)) or value is None else str(to_json(value))


@late_door
def output_text(value: Any) -> str:
    """Return an output of a procedure as text: any value of an outcome or of a caller's data."""
    return value_text(as_outcome(value))


def _inner(value: Any) -> str:
    return f"({value_text(value)})" if isinstance(value, (tuple, Entries)) and value else value_text(value)


# --------------------------------------------------------------------------------------------------------- order


@frozen
class Order:
    """The sort order of outcomes.

    Numbers ascend, no comes before yes, and none comes first. Words with a declared order keep it; other text is in
    natural order (numbers in it count as numbers).

    Attributes:
        words: The words in order: codes from mild to severe, then codes without a severity.
        severe: How many of the words have a severity.
        parts: For joint outcomes, the order of each part.
        labels: The labels that people read instead of codes without letters, such as ``No effect`` for ``-``.
    """

    words: tuple[str, ...] = ()
    severe: int = 0
    parts: tuple[Order, ...] = ()
    labels: Mapping[str, str] = field(factory=FrozenMap, converter=FrozenMap)

    def text(self, value: Any) -> str:
        """Return an outcome as text for people.

        Examples:
            >>> Order(("-", "M"), 2, labels={"-": "No effect"}).text("-")
            'No effect'
        """
        if self.parts and isinstance(value, tuple) and len(self.parts) == len(value):
            return ", ".join(each._told(part) for each, part in zip(self.parts, value, strict=True))
        return self._told(value)

    def _told(self, value: Any) -> str:
        return self.labels.get(value, value) if isinstance(value, str) else value_text(value)

    def key(self) -> Sorting:
        """Return the sort key function."""
        return Sorting(self)

    def rank(self, value: Any) -> Any:
        """Return the rank of a number or a code, for ``at_least``; ``None`` if a value has no rank."""
        if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
            return value
        severe = self.words[: self.severe]
        return severe.index(value) if isinstance(value, str) and value in severe else None


ANY_ORDER: Final = Order()


@define
class Sorting:
    """The sort key function of an order."""

    order: Order
    _ranks: dict[str, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._ranks = {word: rank for rank, word in reversed(list(enumerate(self.order.words)))}

    def __call__(self, value: Any) -> Key:
        """Return the sort key of an outcome."""
        match value:
            case None:
                return (0,)
            case bool():
                return (1, value)
            case int() | Fraction():
                return (2, value)
            case str():
                return (3, self._ranks[value]) if value in self._ranks else (4, natural(value))
            case tuple():
                parts = self.order.parts
                keys = [each.key() for each in parts] if len(parts) == len(value) else [self] * len(value)
                return (5, tuple(key(item) for key, item in zip(keys, value, strict=True)))
            case Entries():
                return (6, tuple((natural(value_text(key)), self(item)) for key, item in value.items()))
        return (7, natural(value_text(value)))


def natural(text: str) -> Key:
    """Return a sort key for natural order: numbers in a text count as numbers.

    Examples:
        >>> sorted(["16", "2", "45+"], key=natural)
        ['2', '16', '45+']
    """
    pieces = _NUMBERS.split(text)
    return tuple((int(piece) if index % 2 else 0, piece) for index, piece in enumerate(pieces))


def order_of(type_: Type) -> Order:
    """Return the sort order for values of a type."""
    match type_:
        case CodeOf(codes, order):
            return Order(tuple(dict.fromkeys((*order, *codes))), len(order))
        case Word(words) | WordSet(words):
            return Order(words)
        case Maybe(of) | ListOf(of) | RollOf(of):
            return order_of(of)
        case MapOf(_, value):
            return order_of(value)
    return ANY_ORDER
