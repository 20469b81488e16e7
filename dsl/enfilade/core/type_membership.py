"""Type membership: one test of whether a value belongs to a type, for inputs, effect parameters and record fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

from enfilade.core.types import (
    Bool,
    Bound,
    ListOf,
    MapOf,
    Maybe,
    Num,
    RecordOf,
    Type,
    Word,
    WordSet,
    describe,
)
from enfilade.core.values import Ref
from enfilade.limits import check_time

_LONG: Final = 1_000
"""The time is checked before so long a list: it takes as long as hundreds of steps."""


def belongs(type_: Type, value: Any) -> bool:
    """Whether a converted value belongs to a type.

    Examples:
        >>> belongs(Num(0, 2), 3)
        False
    """
    match type_:
        case Num(low, high, whole):
            if type(value) is not int and (whole or type(value) is not Fraction):
                return False
            return (low is None or low <= value) and (high is None or value <= high)
        case Bool():
            return type(value) is bool
        case Word(words):
            return value in words
        case WordSet(words):
            return isinstance(value, (tuple, frozenset)) and all(word in words for word in value)
        case ListOf(of, least):
            if not isinstance(value, tuple) or len(value) < least:
                return False
            if len(value) >= _LONG:
                check_time()
            return all(belongs(of, item) for item in value)
        case RecordOf(record, optional):
            return (value is None and optional) or (isinstance(value, Ref) and value.record == record)
        case Maybe(of):
            return value is None or belongs(of, value)
        case MapOf(Word(words), of):
            return isinstance(value, Mapping) and value.keys() == set(words) and _all_belong(of, value.values())
        case _:
            return True


def _all_belong(of: Type, values: Iterable[Any]) -> bool:
    return all(belongs(of, value) for value in values)


def misfit_text(name: str, key: str, type_: Type, value: Any) -> str:
    """Say why a field can't become a value: the value, or the first wrong entry of a map, and what is allowed.

    Args:
        name: The name of the field.
        key: The key of the record.
        type_: The type of the field.
        value: The value, which does not belong to the type.
    """
    if isinstance(type_, MapOf) and isinstance(type_.key, Word) and isinstance(value, Mapping):
        for word in type_.key.words:
            if word not in value:
                return f"{name} of {key} would have no entry for {word}"
            if not belongs(type_.value, value[word]):
                return misfit_text(f"{word} in {name}", key, type_.value, value[word])
    return f"{name} of {key} would become {value}, but must be {allowed_text(type_)}"


def allowed_values(type_: Type) -> str:
    """List the allowed values of a type in the notation of the rules, as the data of a fault has them.

    Examples:
        >>> allowed_values(Num(1, None)), allowed_values(Maybe(Num(0, 2)))
        ('1..', '0..2 or none')
    """
    match type_:
        case Bool():
            return "yes or no"
        case Word(words):
            return ", ".join(words)
        case WordSet(words):
            return "any of " + ", ".join(words)
        case Maybe(of):
            return f"{allowed_values(of)} or none"
        case _:
            return describe(type_)


def allowed_text(type_: Type) -> str:
    """List the allowed values of a type in a player's words, as questions and messages show them.

    Examples:
        >>> allowed_text(Num(1, None)), allowed_text(ListOf(Num(1, None), 1)), allowed_text(Maybe(Num(0, 2)))
        ('1 or more', 'one or more whole numbers from 1', '0 to 2, or none')
    """
    match type_:
        case Num(low, high, whole):
            return _number_text(low, high, whole=whole)
        case Maybe(of):
            return f"{allowed_text(of)}, or none"
        case RecordOf(record, optional):
            return f"{record}, or none" if optional else record
        case ListOf(of, least):
            return f"{_COUNTS.get(least, f'{least} or more')} {_several_text(of)}"
        case MapOf(Word(words), value):
            return f"{allowed_text(value)}, for each of {', '.join(words)}"
        case _:
            return allowed_values(type_)


_COUNTS: Final = {0: "any number of", 1: "one or more", 2: "two or more"}


def _number_text(low: Bound, high: Bound, *, whole: bool) -> str:
    kind = "" if whole else "a number, "
    if low is None and high is None:
        return "a whole number" if whole else "a number"
    if low is None or high is None:
        return kind + (f"{low} or more" if high is None else f"{high} or less")
    return kind + (str(low) if low == high else f"{low} to {high}")


def _several_text(type_: Type) -> str:
    """The elements of a list, in the plural: ``whole numbers from 1``."""
    match type_:
        case Num(low, high, whole):
            start = "" if low is None else f" from {low}"
            return ("whole numbers" if whole else "numbers") + start + ("" if high is None else f" to {high}")
        case Word(words):
            return f"words from {', '.join(words)}"
        case RecordOf(record):
            return f"{record.removesuffix('y')}ies" if record.endswith("y") else f"{record}s"
        case _:
            return f"values, each {allowed_text(type_)}"
