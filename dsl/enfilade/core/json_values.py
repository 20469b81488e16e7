"""Conversion of core values to JSON data and back.

Whole numbers become numbers, fractions become strings such as ``"15/2"``, and a record becomes its key. A string alone
does not show its type, so ``from_json`` takes the type as an argument.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from attrs import fields

from enfilade.core import ir
from enfilade.core.types import (
    EffectOf,
    ListOf,
    MapOf,
    Maybe,
    Num,
    OutputsOf,
    ReadingOf,
    RecordOf,
    RollOf,
    TallyOf,
    Type,
    WordSet,
)
from enfilade.core.values import ChartRef, FrozenMap, Number, Performed, Reading, Ref, Roll, Tally, exact
from enfilade.limits import check_time

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


def from_json(type_: Type, data: Any, program: ir.Program) -> Any:
    """Convert plain data back to a value.

    Args:
        type_: The type of the value.
        data: The result of ``to_json``.
        program: The ruleset that declares effects and procedures.

    Returns:
        The value.

    Raises:
        ValueError, KeyError, TypeError: The data don't fit the type.

    Examples:
        >>> from_json(ListOf(Num(whole=False)), ["15/2", 3], None)  # type: ignore[arg-type]
        (Fraction(15, 2), 3)
    """
    if data is None:
        return None
    match type_:
        case Num():
            return _number(data)
        case RecordOf(record):
            return Ref(record, data)
        case WordSet():
            return tuple(data)
        case ListOf(of):
            return tuple(from_json(of, item, program) for item in data)
        case Maybe(of):
            return from_json(of, data, program)
        case MapOf(key, value):
            pairs = data.items()
            return FrozenMap({_key_from(key, k, program): from_json(value, item, program) for k, item in pairs})
        case _:
            return _composite_from(type_, data, program)


def _composite_from(type_: Type, data: Any, program: ir.Program) -> Any:
    match type_:
        case RollOf():
            values = tuple(_number(value) if _is_numeric(type_.value) else value for value in data["values"])
            return Roll(tuple(data["faces"]), values)
        case TallyOf():
            amounts = {name: _number(amount) for name, amount in data["amounts"].items()}
            return Tally(_number(data["total"]), amounts)
        case ReadingOf():
            return _reading(type_, data, program)
        case EffectOf(effect):
            params = {param.name: param.type for param in program.effects[effect].params}
            return Performed(effect, {name: from_json(t, data[name], program) for name, t in params.items()})
        case OutputsOf(procedure):
            outputs = program.procedures[procedure].outputs
            return {name: from_json(outputs[name], item, program) for name, item in data.items()}
        case _:
            return data


def _reading(type_: ReadingOf, data: Mapping[str, Any], program: ir.Program) -> Reading:
    kept = {name: data[name] for name in _READING}
    kept["code"] = from_json(type_.code, data["code"], program)
    for name in ("shift", "roll_modifier", "roll", "modified"):
        kept[name] = _number_or_word(data[name])
    if type_.reader is not None and data["reader"] is not None:
        kept["reader"] = Ref(type_.reader, data["reader"])
    return Reading(**kept, edge=tuple(data["edge"]))


def _is_numeric(type_: Type) -> bool:
    return isinstance(type_, Num)


def _number(data: Any) -> Number:
    if isinstance(data, bool) or not isinstance(data, (int, str)):
        raise TypeError(f"{data!r} is not a JSON number")
    return exact(Fraction(data))


def _number_or_word(data: Any) -> Any:
    try:
        return _number(data)
    except (TypeError, ValueError):
        return data


def _key_from(type_: Type, key: str, program: ir.Program) -> Any:
    if key in ("yes", "no") and not isinstance(type_, RecordOf) and not hasattr(type_, "words"):
        return key == "yes"
    return from_json(type_, key, program)
