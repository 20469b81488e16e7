"""Type membership: one test of whether a value belongs to a type, for inputs, effect parameters and record fields."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from enfilade.core.types import (
    Bool,
    ListOf,
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
        case _:
            return True


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
