"""Exact numbers: what a caller may give as a number, and the error for what does not belong to a type."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from numbers import Number as NumberLike
from typing import Any, Final, TypeAlias

from enfilade.door import late_door
from enfilade.limits import LEAST_BITS, in_force

Number: TypeAlias = int | Fraction

_WITH_UNIT: Final = re.compile(r"([-+]?\d{1,9}(?:\.\d{1,9})?) ?[A-Za-z'\"]{1,20}")
_DECIMAL = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?\Z")
_FRACTION = re.compile(r"[+-]?[0-9]+/[0-9]+\Z")
_MAX_TEXT: Final = 1_300
_MAX_EXPONENT: Final = 1_300


class Unfit(Exception):
    """The given value does not belong to the type.

    Attributes:
        reason: The reason, as the end of a sentence that begins with the parameter: ``is 3``.
        value: The wrong value, or the wrong part of it.
        helps: A suggestion, such as the correct spelling of a word.
    """

    def __init__(self, reason: str, value: Any, helps: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.value = value
        self.helps = helps


def exact(number: Number) -> Number:
    """Turn a whole fraction into an ``int``.

    Examples:
        >>> exact(Fraction(4, 2))
        2
    """
    if type(number) is Fraction and number.denominator == 1:
        return number.numerator
    return number


def to_number(given: Any) -> Number:
    """Convert a number exactly; a float is read as its shortest decimal.

    Raises:
        Unfit: The value is not a number, not finite, or too large.

    Examples:
        >>> to_number(0.1)
        Fraction(1, 10)
    """
    if isinstance(given, bool) or given is None:
        raise Unfit(f"is {shorten(given)}, which is not a number", given)
    if isinstance(given, str):
        return _checked(_from_text(given.strip()), given)
    if isinstance(given, float):
        return _checked(_from_float(given), given)
    if isinstance(given, Decimal):
        return _checked(_from_decimal(given), given)
    if isinstance(given, Fraction):
        return _checked(exact(given), given)
    if hasattr(given, "__index__"):
        return _checked(given.__index__(), given)
    raise Unfit(f"is {shorten(given)}, which is not a number", given)


def _from_text(text: str) -> Number:
    if len(text) <= _MAX_TEXT and _DECIMAL.match(text):
        return _from_decimal(Decimal(text))
    if len(text) <= _MAX_TEXT and _FRACTION.match(text) and text.partition("/")[2].strip("0"):
        return exact(Fraction(text))
    unit = _WITH_UNIT.fullmatch(text)
    meant = f" (did you mean {unit[1]}?)" if unit is not None else ""
    raise Unfit(f"is {shorten(text)}, which is not a number{meant}", text)


def _from_float(given: float) -> Number:
    if not math.isfinite(given):
        raise Unfit(f"is {given}, which is not a finite number", given)
    return exact(Fraction(repr(float(given))))


def _from_decimal(given: Decimal) -> Number:
    if not given.is_finite():
        raise Unfit(f"is {given}, which is not a finite number", given)
    # A short exponent can stand for a number that fills the memory, so check it before building the fraction.
    if given and (abs(given.adjusted()) > _MAX_EXPONENT or len(given.as_tuple().digits) > _MAX_TEXT):
        raise Unfit("is too large or has too many digits", given)
    return exact(Fraction(given))


def _checked(number: Number, given: Any) -> Number:
    bits = max(number.numerator.bit_length(), number.denominator.bit_length())
    if bits <= LEAST_BITS or bits <= in_force().bits:
        return number
    raise Unfit("is too large or has too many digits", given)


@late_door
def shorten(value: Any) -> str:
    """Write a given value as the caller wrote it, cut to a length that fits a message."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, int) and value.bit_length() > 200:
        return "a very large number"
    if not isinstance(value, (str, NumberLike, list, tuple, dict, set, frozenset, bytes)):
        return f"a {type(value).__name__}"
    text = str(value) if isinstance(value, (str, NumberLike)) else repr(value)
    text = "".join(letter if letter.isprintable() else "?" for letter in text[:81])
    return text if len(text) <= 80 else text[:77] + "..."
