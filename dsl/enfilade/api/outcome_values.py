"""The outcomes of a distribution as values: hashable whatever they are, in their order, and as people read them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, TypeAlias

from attrs import define, field, frozen

from enfilade.api.outcome import Effect
from enfilade.api.plain_data import plain
from enfilade.core.json_values import to_json
from enfilade.core.types import CodeOf, ListOf, MapOf, Maybe, RollOf, Type, Word, WordSet
from enfilade.core.values import ChartRef, Performed, Reading, Roll, State, Tally

Key: TypeAlias = tuple[Any, ...]
_NUMBERS: Final = re.compile(r"(\d+)")


class Entries(Mapping[Any, Any]):
    """A mapping that never changes and can be an outcome; it equals any mapping with the same entries.

    Examples:
        >>> Entries({"gun": 1})["gun"], Entries({"gun": 1}) == {"gun": 1}
        (1, True)
    """

    __slots__ = ("_entries", "_hash")

    def __init__(self, entries: Mapping[Any, Any]) -> None:
        """Keep the entries, each as a value that can be an outcome."""
        self._entries = {as_outcome(key): as_outcome(value) for key, value in entries.items()}
        self._hash = hash(frozenset(self._entries.items()))

    def __getitem__(self, key: Any) -> Any:
        """The value of a key."""
        return self._entries[key]

    def __iter__(self) -> Iterator[Any]:
        """The keys, in the order in which they were given."""
        return iter(self._entries)

    def __len__(self) -> int:
        """How many entries there are."""
        return len(self._entries)

    def __hash__(self) -> int:
        """Agree with equality."""
        return self._hash

    def __repr__(self) -> str:
        """Show the entries."""
        return repr(self._entries)

    def __reduce__(self) -> tuple[type[Entries], tuple[dict[Any, Any]]]:
        """Pickle as entries."""
        return Entries, (self._entries,)


def as_outcome(value: Any) -> Any:
    """Give a value of the core, or of a caller, as an outcome: plain data that can be the key of a mapping.

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
    """The records of a state: by kind, then by key, then by field."""
    records: dict[str, dict[str, Mapping[str, Any]]] = {}
    for ref, fields in state.records.items():
        records.setdefault(ref.record, {})[ref.key] = fields
    return records


def value_text(value: Any) -> str:
    """An outcome as people read it.

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


def output_text(value: Any) -> str:
    """An output of a procedure in words: any value that an outcome or a caller's data may hold."""
    return value_text(as_outcome(value))


def _inner(value: Any) -> str:
    return f"({value_text(value)})" if isinstance(value, (tuple, Entries)) and value else value_text(value)


# --------------------------------------------------------------------------------------------------------- order


@frozen
class Order:
    """How outcomes follow each other.

    Numbers ascend, no comes before yes, none before all, and text goes by its letters and numbers; words that are
    declared in an order have that.

    Attributes:
        words: Words in their order: codes from mild to severe, then those that no severity counts.
        severe: How many of the words are in an order of severity.
        parts: The order of each part, where outcomes are several values together.
    """

    words: tuple[str, ...] = ()
    severe: int = 0
    parts: tuple[Order, ...] = ()

    def key(self) -> Sorting:
        """What sorts outcomes."""
        return Sorting(self)

    def rank(self, value: Any) -> Any:
        """Where a number or a code stands: what ``at_least`` compares; ``None`` where it has no such place."""
        if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
            return value
        severe = self.words[: self.severe]
        return severe.index(value) if isinstance(value, str) and value in severe else None


ANY_ORDER: Final = Order()


@define
class Sorting:
    """The key of each outcome under an order."""

    order: Order
    _ranks: dict[str, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._ranks = {word: rank for rank, word in reversed(list(enumerate(self.order.words)))}

    def __call__(self, value: Any) -> Key:
        """The key of one outcome."""
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
    """A key by which numbers in a text count as numbers.

    Examples:
        >>> sorted(["16", "2", "45+"], key=natural)
        ['2', '16', '45+']
    """
    pieces = _NUMBERS.split(text)
    return tuple((int(piece) if index % 2 else 0, piece) for index, piece in enumerate(pieces))


def order_of(type_: Type) -> Order:
    """The order in which values of a type follow each other."""
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
