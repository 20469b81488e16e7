"""Parsing and formatting of exact fractions, without floats."""

from __future__ import annotations

import re
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from enfilade.door import late_door, require_between
from enfilade.errors import InputError, InputFault
from enfilade.values.numbers import shorten

_WRITTEN: Final = re.compile(r"\d{1,1000}(\.\d{1,1000})?(/\d{1,1000})?")
_CHUNK: Final = 10**1000


def chance_of(value: Any, name: str = "chance") -> Fraction:
    """Read a chance: a ``Fraction``, a whole number, a ``Decimal``, or a string such as ``1/2``, ``0.5`` and ``50%``.

    Args:
        value: The chance. Floats are rejected, because 0.1 is not exact as a float.
        name: The name of the parameter, for messages.

    Raises:
        InputError: The value is not an exact number from 0 to 1.

    Examples:
        >>> chance_of("50 %"), chance_of("0.25"), chance_of(1)
        (Fraction(1, 2), Fraction(1, 4), Fraction(1, 1))
    """
    read = _read(value)
    if read is None or not 0 <= read <= 1:
        allowed = "a fraction from 0 to 1"
        hint = '; write it as "1/2" or "0.5"' if isinstance(value, float) else ""
        if read is not None and 1 < read <= _MOST_PERCENT:
            hint = f"; did you mean {read}%?"
        raise InputError([InputFault(name, value, allowed, f"{name} is {shorten(value)}; allowed: {allowed}{hint}")])
    return read


_MOST_PERCENT: Final = 100


def _read(value: Any) -> Fraction | None:
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, Decimal):
        return Fraction(value) if value.is_finite() and abs(value.adjusted()) <= _CHUNK.bit_length() else None
    if not isinstance(value, str):
        return None
    text = value.strip()
    percent = text.endswith("%")
    text = text.removesuffix("%").strip()
    above, _, below = text.partition("/")
    if not _WRITTEN.fullmatch(text) or (below and not int(below)):
        return None
    return Fraction(above) / (int(below) if below else 1) / (100 if percent else 1)


def digits(number: int) -> str:
    """Return all digits of a whole number, beyond the limit of Python's ``str``.

    Examples:
        >>> digits(-36), len(digits(10**5000))
        ('-36', 5001)
    """
    limit = getattr(sys, "get_int_max_str_digits", lambda: 0)()
    if number < 0:
        return f"-{digits(-number)}"
    if not limit or number.bit_length() < limit * 3:
        return str(number)
    pieces = []
    while number:
        number, rest = divmod(number, _CHUNK)
        pieces.append(str(rest).zfill(1000))
    return "".join(reversed(pieces)).lstrip("0")


def over(above: int, below: int) -> str:
    """Return a fraction as text, unreduced.

    Examples:
        >>> over(4, 36), over(1, 1)
        ('4/36', '1')
    """
    return digits(above) if below == 1 else f"{digits(above)}/{digits(below)}"


def written(value: Fraction) -> str:
    """Return a fraction as text, reduced.

    Examples:
        >>> written(Fraction(4, 36))
        '1/9'
    """
    return over(value.numerator, value.denominator)


@late_door
def percent(value: Fraction, places: int = 2) -> str:
    """Return a chance in percent, rounded; only 0 and 1 are shown as 0 % and 100 %.

    Args:
        value: The chance, from 0 to 1.
        places: The number of decimals, up to 1,000.

    Examples:
        >>> percent(Fraction(1, 9)), percent(Fraction(1, 10**9)), percent(Fraction(1))
        ('11.11 %', '<0.01 %', '100.00 %')
    """
    scale: int = 10 ** require_between("places", places, 0, _MOST_PLACES)
    hundredths = round(value * 100 * scale)
    if value > 0 and hundredths == 0:
        return f"<{_point(1, places)} %"
    if value < 1 and hundredths >= 100 * scale:
        return f">{_point(100 * scale - 1, places)} %"
    return f"{_point(hundredths, places)} %"


@late_door
def decimal(value: Fraction, places: int = 4) -> str:
    """Return a number as a decimal, rounded.

    Args:
        value: The number.
        places: The maximum number of decimals, up to 1,000; trailing zeros are dropped.

    Examples:
        >>> decimal(Fraction(-35, 18)), decimal(Fraction(7))
        ('-1.9444', '7')
    """
    rounded = round(value * 10 ** require_between("places", places, 0, _MOST_PLACES))
    text = ("-" if rounded < 0 else "") + _point(abs(rounded), places)
    return text.rstrip("0").rstrip(".") if places else text


def _point(number: int, places: int) -> str:
    text = digits(number).zfill(places + 1)
    return f"{text[:-places]}.{text[-places:]}" if places else text


_MOST_PLACES: Final = 1_000

SHORT: Final = 15
"""The maximum length of an exact fraction in texts for people."""


def shortened(text: str, most: int = SHORT) -> str:
    """Return a fraction as text; a long one shows the first digits of both numbers.

    Examples:
        >>> shortened("21/31"), shortened("45645338457/100000000000")
        ('21/31', '4564.../1000...')
    """
    above, slash, below = text.partition("/")
    return f"{_begun(above)}{slash}{_begun(below)}" if len(text) > most else text


def _begun(digits: str) -> str:
    return digits if len(digits) <= 7 else f"{digits[:4]}..."


LEFT_OUT: Final = "long fractions are omitted; JSON output has them in full"
CUT: Final = "long fractions are shortened; JSON output has them in full"


@late_door
def number_text(value: Fraction) -> str:
    """Return a number for people: as a decimal, and also as a fraction if that is short.

    Examples:
        >>> number_text(Fraction(29, 36)), number_text(Fraction(2))
        ('29/36, 0.8056', '2')
    """
    text = written(value)
    return decimal(value) if value.denominator == 1 or len(text) > SHORT else f"{text}, {decimal(value)}"


@late_door
def chance_text(value: Fraction, shown: str = "") -> str:
    """Return a chance for people: in percent, and also as a fraction if that is short.

    Args:
        value: The chance.
        shown: The chance over another denominator, preferred if it is short.

    Examples:
        >>> chance_text(Fraction(2, 9), "8/36"), chance_text(Fraction(1, 10**20))
        ('8/36, 22.22 %', '<0.01 %')
    """
    text = next((each for each in (shown, written(value)) if each and len(each) <= SHORT), "")
    return f"{text}, {percent(value)}" if text else percent(value)
