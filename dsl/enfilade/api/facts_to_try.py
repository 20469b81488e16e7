"""The values of facts and options that a search over situations tries, simple ones first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, islice
from random import Random
from typing import Any, Final

from attrs import frozen

from enfilade.api.values_to_try import label_ends, listed_values
from enfilade.core import ir
from enfilade.core.graph import analysis
from enfilade.values.types import ListOf, Maybe, Num, RecordOf, Type, WordSet

_MOST_NUMBERS: Final = 24
_SMALL: Final = 6
_MOST_IN_RECORD: Final = 8
_MOST_RECORDS: Final = 40


@frozen
class Tried:
    """The values of one fact or option to try.

    Attributes:
        values: The values, without the default.
        whole: Whether these and the default are all values that there are.
    """

    values: tuple[Any, ...]
    whole: bool


def values_to_search(program: ir.Program, type_: Type, random: Random) -> Tried | None:
    """Return the values of a type to try; ``None`` if there is no way to list any.

    Numbers without an end, or with many values, are tried at small values and where a chart label begins or ends. Sets
    have at most two words, lists one or two elements, and records differ from the simplest one in a few fields.

    Args:
        program: The ruleset.
        type_: The type of the fact or option.
        random: Draws the fields of records.
    """
    match type_:
        case ListOf(RecordOf(record), least):
            return Tried(tuple([one] * max(least, 1) for one in _records(program, record, random)), False)
        case RecordOf(record):
            return Tried(tuple(_records(program, record, random)), False)
        case ListOf(of, least):
            found = _simple(program, of)
            if found is None:
                return None
            ones = [[value] * max(least, 1) for value in found.values]
            pairs = [[*pair] for pair in islice(combinations(found.values[:_SMALL], 2), _MOST_IN_RECORD)]
            return Tried((*([] if least else [[]]), *ones, *(pairs if least <= 2 else [])), False)
    return _simple(program, type_)


def _simple(program: ir.Program, type_: Type) -> Tried | None:
    match type_:
        case Maybe(of):
            found = _simple(program, of)
            return None if found is None else Tried((None, *found.values), found.whole)
        case WordSet(words):
            sets = [[*each] for size in range(3) for each in combinations(words, size)]
            return Tried(tuple(sets), len(words) <= 2)
    found_values = listed_values(type_, program)
    if found_values is None:
        return None
    values = found_values.values
    whole = not found_values.open_end and (not isinstance(type_, Num) or type_.whole)
    if len(values) <= _MOST_NUMBERS:
        return Tried(values, whole)
    ends = analysis(program, label_ends)
    wanted = {*values[:_SMALL], values[-1], *(value for value in values if value in ends)}
    stride = max(1, len(wanted) // _MOST_NUMBERS)
    return Tried(tuple(sorted(wanted)[::stride]), False)


def _records(program: ir.Program, record: str, random: Random) -> Iterator[dict[str, Any]]:
    """Records: the simplest one, then one for each other value of a field, then some with several fields changed."""
    fields: dict[str, tuple[Any, ...]] = {}
    base: dict[str, Any] = {}
    for name, declared in program.records[record].fields.items():
        found = None if isinstance(declared.type, RecordOf) else _simple(program, declared.type)
        if found is None or not found.values:
            continue
        fields[name] = found.values[:_MOST_IN_RECORD]
        if not declared.has_default:
            base[name] = (
                found.values[min(1, len(found.values) - 1)] if isinstance(declared.type, Num) else found.values[0]
            )
    yield base
    changes = [(name, value) for name, values in fields.items() for value in values if base.get(name) != value]
    yield from ({**base, name: value} for name, value in changes)
    for _ in range(min(_MOST_RECORDS, len(changes)) if len(fields) > 1 else 0):
        yield {**base, **dict(random.sample(changes, min(2, len(changes))))}


def situation_text(given: Mapping[str, Any]) -> str:
    """Return facts as people write them: ``fire_value 16, night, terrain town, units (kind mortar)``.

    Examples:
        >>> situation_text({"fire_value": 16, "night": True, "terrain": ["town"], "units": [{"kind": "mg", "steps": 2}]})
        'fire_value 16, night, terrain town, units (kind mg, steps 2)'
        >>> situation_text({"night": False, "ranges": [1, 1], "terrain": []})
        'night no, ranges [1, 1], terrain []'
    """
    return ", ".join(name if value is True else f"{name} {_value_text(value)}" for name, value in given.items())


def _value_text(value: Any) -> str:
    match value:
        case False:
            return "no"
        case True:
            return "yes"
        case None:
            return "none"
        case Mapping():
            return f"({', '.join(name if inner is True else f'{name} {_value_text(inner)}' for name, inner in value.items())})"
        case [one]:
            return _value_text(one)
        case list() | tuple():
            return f"[{', '.join(map(_value_text, value))}]"
    return str(value)
