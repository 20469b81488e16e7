"""Paths into the facts that hold records and maps: ``target.steps``, ``units.gun.steps``, ``boxes.hull``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import evolve, frozen

from enfilade.core import ir
from enfilade.errors import InputError, InputFault
from enfilade.values.numbers import shorten
from enfilade.values.types import ListOf, MapOf, RecordOf, Type

_KEYS: Final = ("key", "name")


@frozen
class Path:
    """The names from a fact to a value within it.

    Attributes:
        names: The names.
        type: The type of the value.
        in_record: Whether the last name is a field of a record.
    """

    names: tuple[str, ...]
    type: Type
    in_record: bool


def path_types(program: ir.Program, type_: Type, given: Any) -> Iterator[Path]:
    """Yield the paths into a fact, with the type of the value at the end of each.

    Args:
        program: The ruleset.
        type_: The type of the fact.
        given: The fact, as a caller gives it: the names of the records in a list come from it.
    """
    match type_:
        case RecordOf(record):
            for name, declared in program.records[record].fields.items():
                yield Path((name,), declared.type, in_record=True)
                if isinstance(declared.type, MapOf):
                    inside = path_types(program, declared.type, None)
                    yield from (evolve(each, names=(name, *each.names)) for each in inside)
        case ListOf(RecordOf() as of):
            for name, _ in names_in(given):
                yield from (evolve(each, names=(name, *each.names)) for each in path_types(program, of, None))
        case MapOf(_, value):
            for word in type_.entries:
                yield Path((word,), value, in_record=False)


def names_in(given: Any) -> Iterator[tuple[str, Any]]:
    """Yield the records that a caller describes in a list or a mapping, with their names."""
    if isinstance(given, Mapping):
        yield from ((str(name), fields) for name, fields in given.items())
        return
    for item in given if isinstance(given, (list, tuple)) else ():
        if isinstance(item, Mapping):
            name = name_of(item)
            if name is not None:
                yield name, item


def name_of(record: Any) -> str | None:
    """Return the name of a record, if a caller describes it with one."""
    if not isinstance(record, Mapping):
        return None
    return next((str(record[key]) for key in _KEYS if key in record), None)


def with_value(given: Any, name: str, path: Sequence[str], value: Any) -> Any:
    """Return a fact with another value at the end of a path.

    Args:
        given: The fact, as a caller gives it; ``None`` if it is not given.
        name: The name of the fact, for messages.
        path: The names within it.
        value: The value.

    Raises:
        InputError: The fact is an object of the caller's program, or the name of a record that is described elsewhere.
    """
    if not path:
        return value
    first, *rest = path
    if isinstance(given, (list, tuple)):
        named = {id(item): key for key, item in names_in(given)}
        return [with_value(item, name, rest, value) if named.get(id(item)) == first else item for item in given]
    if given is not None and not isinstance(given, Mapping):
        allowed = "a mapping from field to value"
        text = f"{name} is {shorten(given)}; to vary a field of {name}, give {name} as {allowed}"
        if isinstance(given, (str, int)):
            text = (
                f"{name} is {shorten(given)}, the name of a record; vary a field of the fact that describes this record"
            )
        raise InputError([InputFault(name, given, allowed, text)])
    inside = dict(given or {})
    inside[first] = with_value(inside.get(first), name, rest, value)
    return inside
