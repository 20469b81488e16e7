"""Values as JSON data.

Whole numbers become numbers, fractions become strings such as ``"15/2"``, and a record becomes its key. A type reads
them again as it reads what any caller gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from attrs import fields

from enfilade.limits import check_time
from enfilade.values.data import ChartRef, Performed, Reading, Ref, Roll, Tally

_READING = tuple(part.name for part in fields(Reading) if part.name != "edge")


def to_json(value: Any) -> Any:
    """Convert a value to plain data.

    Args:
        value: A value of the core, or a value that a caller gave.

    Returns:
        ``None``, a boolean, a number, a string, a list or a dictionary; for any other value a string.

    Examples:
        >>> to_json((Fraction(15, 2), Ref("unit", "gun")))
        ['15/2', 'gun']
    """
    match value:
        case None | bool() | str() | int():
            return value
        case Fraction():
            return str(value)
        case Ref():
            return value.key
        case ChartRef():
            return value.name
        case tuple() | list():
            check_time()
            return [to_json(item) for item in value]
        case Mapping():
            return {_key(key): to_json(item) for key, item in value.items()}
        case _:
            return _composite(value)


def _composite(value: Any) -> Any:
    match value:
        case Roll():
            dice = {"faces": to_json(value.faces), "values": to_json(value.values)}
            return dice | {"total": to_json(value.total)}
        case Tally():
            return {"total": to_json(value.total), "amounts": to_json(value.amounts)}
        case Reading():
            return {name: to_json(getattr(value, name)) for name in _READING} | {"edge": list(value.edge)}
        case Performed():
            return {"effect": value.effect, **to_json(value.args)}
        case float() | Decimal():
            return str(value)
        case set() | frozenset():
            return sorted((to_json(item) for item in value), key=str)
        case _:
            # The repr of an object may hold its memory address.
            return f"a {type(value).__name__}"


def _key(key: Any) -> str:
    plain = to_json(key)
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    return "none" if plain is None else str(plain)
