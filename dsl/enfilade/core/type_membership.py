"""Type membership: one test of whether a value belongs to a type, for inputs, effect parameters and record fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from enfilade.core.types import (
    Bool,
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
            return all(word in words for word in value)
        case ListOf(of, least):
            return isinstance(value, tuple) and len(value) >= least and all(belongs(of, item) for item in value)
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
                return f"{name} of {key} would have no {word}"
            if not belongs(type_.value, value[word]):
                return misfit_text(f"{word} in {name}", key, type_.value, value[word])
    return f"{name} of {key} would become {value}, but is {allowed_text(type_)}"


def allowed_text(type_: Type) -> str:
    """List the allowed values of a type, as a message shows them."""
    match type_:
        case Bool():
            return "yes or no"
        case Word(words):
            return ", ".join(words)
        case WordSet(words):
            return "any of " + ", ".join(words)
        case Maybe(of):
            return f"{allowed_text(of)} or none"
        case _:
            return describe(type_)
