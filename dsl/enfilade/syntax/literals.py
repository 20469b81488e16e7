"""Plain data to literals of the syntax tree: the inverse of ``check/types/literals.py``.

Used for recorded examples, first rulesets, and facts shown at a prompt. ``unparse`` prints the nodes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from enfilade.syntax import tree as t
from enfilade.syntax.special_prints import as_number, is_plain_name
from enfilade.syntax.unexpected import KEYWORDS

_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?|[0-9]+/[1-9][0-9]*")
_LONGEST_NUMBER: Final = 4_000
"""The characters of the longest text that looks like a number: Python reads no whole number of more than 4,300 digits."""


def given_item_from(name: str, data: Any) -> t.GivenItem:
    """Make a fact, a field or an option with its value; a value of yes is left out.

    Args:
        name: Its name.
        data: Its value, as for ``value_from``.
    """
    return t.GivenItem(t.Ident(name), None if data is True else value_from(data))


def value_from(data: Any) -> t.Value:
    """Make a literal as it is written after ``given``.

    Args:
        data: A number, a string, a boolean, ``None``, a list, or a record: a mapping whose first entry is its name.
            A string that looks like a number becomes a number, because JSON has no exact fractions.
    """
    match data:
        case None | bool():
            return t.Value("constant", "none" if data is None else "yes" if data else "no", (), ())
        case int() | Fraction():
            return t.Value("number", data, (), ())
        case Decimal():
            return t.Value("number", Fraction(data), (), ())
        case Mapping():
            return _record(data) if _is_named(data) else t.Value("record", None, (), _fields(data))
        case list() | tuple():
            return t.Value("list", None, tuple(map(value_from, data)), ())
    text = str(data)
    if len(text) <= _LONGEST_NUMBER and _NUMBER.fullmatch(text):
        return t.Value("number", Fraction(text), (), ())
    return t.Value("name" if is_plain_name(text) else "text", text, (), ())


def _is_named(data: Mapping[str, Any]) -> bool:
    """Whether a mapping is a record with its name, and not a map from words to values."""
    first = next(iter(data), None)
    return first in ("name", "key") and isinstance(data[first], (str, int))


def _fields(data: Mapping[str, Any]) -> tuple[t.GivenItem, ...]:
    return tuple(given_item_from(str(name), value) for name, value in data.items())


def _record(data: Mapping[str, Any]) -> t.Value:
    (_, name), *fields = data.items()
    if not fields:
        return t.Value("name", str(name), (), ())
    return t.Value("record", str(name), (), tuple(given_item_from(field, each) for field, each in fields))


def expression_from(data: Any, *, quoted: bool = False) -> t.Expr:
    """Make an expression as it is written in a condition.

    Args:
        data: A number, a string, a boolean, ``None``, or a tuple of these.
        quoted: Whether to quote every string: printed labels may look like words of the rules.
    """
    match data:
        case None | bool():
            return t.Constant("none" if data is None else "yes" if data else "no")
        case int() | Fraction() if data < 0:
            return t.Negative(expression_from(-data))
        case int() | Fraction() if "/" in as_number(data):
            return t.Paren(t.Chain(t.Number(data.numerator), (("/", t.Number(data.denominator)),)))
        case int() | Fraction():
            return t.Number(data)
        case tuple():
            return t.ListOf(tuple(expression_from(each, quoted=quoted) for each in data))
    text = str(data)
    return t.Name(text) if is_plain_name(text) and text not in KEYWORDS and not quoted else t.Text(text)
