"""Serialisation of a checked program as JSON, so that shipped rulesets load without being checked again.

It stores the attrs classes of nodes, types, values and diagnostics by their fields, and rejects all other classes.
Compound values become arrays whose first item is a tag. Spans and the names and texts of sources are stored by the
number of their source, because a ruleset may be in another folder when it is loaded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from enum import Enum
from fractions import Fraction
from types import ModuleType
from typing import Any, Final

from attrs import Attribute, fields, has

from enfilade.core import ir
from enfilade.diagnostics import diagnostic
from enfilade.frozen import FrozenMap
from enfilade.source.text import SourceFile, Span
from enfilade.values import data, types

_MODULES: Final = (ir, types, data, diagnostic)

TUPLE, LIST, DICT, FROZENSET, FRACTION, ENUM, SPAN, NAME, TEXT, SHARED, MAP, FIRST_CLASS = range(12)


class Unstorable(TypeError):
    """A value that this module can't store."""


class Mismatch(ValueError):
    """Stored data that don't fit the classes of this version of the library."""


def store(value: object, sources: Sequence[SourceFile]) -> dict[str, Any]:
    """Turn a value of the core into plain data.

    Args:
        value: Nodes, types, values or diagnostics, in tuples, lists, mappings and frozen sets.
        sources: The sources that spans may point into.

    Returns:
        Data for ``json.dumps``.

    Raises:
        Unstorable: A part has a class that is not stored, or a span points into another source.
    """
    writer = _Writer(sources)
    tree = writer.encode(value)
    classes = [[name, [each.name for each in _fields_of(_classes()[name])]] for name in writer.classes]
    return {"classes": classes, "shared": writer.shared, "value": tree}


def restore(data: dict[str, Any], sources: Sequence[SourceFile]) -> Any:
    """Rebuild the value that ``store`` was given.

    Args:
        data: The result of ``store``.
        sources: The sources, in the same order.

    Raises:
        Mismatch: A class no longer exists or has other fields.
    """
    known = _classes()
    makers: list[Any] = []
    for name, names in data["classes"]:
        if name not in known or [each.name for each in _fields_of(known[name])] != names:
            raise Mismatch(f"the stored fields of {name} differ from the fields in this version")
        makers.append(known[name])
    decode = _decoder(makers, sources, shared := [])
    for item in data["shared"]:
        shared.append(decode(item))
    return decode(data["value"])


def _classes() -> dict[str, type]:
    """The classes that may be stored, by module and name."""
    return {
        f"{module.__name__.rpartition('.')[2]}.{name}": each
        for module in _MODULES
        for name, each in vars(module).items()
        if _is_own(each, module)
    }


def _is_own(each: object, module: ModuleType) -> bool:
    return isinstance(each, type) and each.__module__ == module.__name__ and (has(each) or issubclass(each, Enum))


def _fields_of(cls: Any) -> tuple[Attribute[Any], ...]:
    """The fields that the constructor takes; computed fields are not stored."""
    return () if issubclass(cls, Enum) else tuple(each for each in fields(cls) if each.init)


class _Writer:
    """Encodes values; numbers classes and shared parts in the order of first use."""

    def __init__(self, sources: Sequence[SourceFile]) -> None:
        self.numbers = {source: number for number, source in enumerate(sources)}
        self.special = {source.text: [TEXT, number] for source, number in self.numbers.items()}
        self.special.update((source.name, [NAME, number]) for source, number in self.numbers.items())
        self.names = {cls: name for name, cls in _classes().items()}
        self.classes: dict[str, int] = {}
        self.shared: list[Any] = []
        self.known: dict[str, list[int]] = {}

    def encode(self, value: object) -> Any:
        match value:
            case None | bool() | int():
                return value
            case str():
                return self.special.get(value, value)
            case Span(source, start, end):
                return self.encode_span(source, start, end)
            case Fraction():
                return [FRACTION, value.numerator, value.denominator]
        if type(value) is tuple:
            return [TUPLE, *map(self.encode, value)]
        if type(value) is list:
            return [LIST, *map(self.encode, value)]
        if isinstance(value, dict) and type(value) in (dict, FrozenMap):
            tag = DICT if type(value) is dict else MAP
            return [tag, *(self.encode(part) for pair in value.items() for part in pair)]
        if type(value) is frozenset:
            return [FROZENSET, *sorted(map(self.encode, value))]
        return self.encode_object(value)

    def encode_span(self, source: SourceFile, start: int, end: int) -> list[int]:
        if source not in self.numbers:
            raise Unstorable(f"{source.name} is not one of the stored sources")
        return [SPAN, self.numbers[source], start, end]

    def encode_object(self, value: object) -> list[Any]:
        name = self.names.get(type(value))
        if name is None or any(each.kw_only for each in _fields_of(type(value))):
            raise Unstorable(f"a {type(value).__name__} can't be stored")
        number = FIRST_CLASS + self.classes.setdefault(name, len(self.classes))
        if isinstance(value, Enum):
            return [ENUM, number, value.name]
        data = [number, *(self.encode(getattr(value, each.name)) for each in _fields_of(type(value)))]
        return self.share(data) if type(value) is ir.Note or type(value).__module__ == types.__name__ else data

    def share(self, data: list[Any]) -> list[int]:
        """Store equal types and notes once. Nodes are not shared: engines tell them apart by identity."""
        key = json.dumps(data)
        if key not in self.known:
            self.known[key] = [SHARED, len(self.shared)]
            self.shared.append(data)
        return self.known[key]


def _decoder(makers: list[Any], sources: Sequence[SourceFile], shared: list[Any]) -> Callable[[Any], Any]:
    """The inverse of ``_Writer.encode``; one closure for speed, because it runs for each of some ten thousand nodes."""

    def decode(data: Any) -> Any:
        if data.__class__ is not list:
            return data
        tag = data[0]
        if tag == SHARED:
            return shared[data[1]]
        if tag == SPAN:
            return Span(sources[data[1]], data[2], data[3])
        if tag == ENUM:
            return makers[data[1] - FIRST_CLASS][data[2]]
        parts = [part if part.__class__ is not list else decode(part) for part in data[1:]]
        if tag >= FIRST_CLASS:
            return makers[tag - FIRST_CLASS](*parts)
        if tag == TUPLE:
            return tuple(parts)
        if tag == DICT:
            return dict(zip(parts[::2], parts[1::2], strict=True))
        if tag == MAP:
            return FrozenMap(zip(parts[::2], parts[1::2], strict=True))
        if tag == LIST:
            return parts
        if tag == FROZENSET:
            return frozenset(parts)
        if tag == FRACTION:
            return Fraction(*parts)
        if tag == NAME:
            return sources[parts[0]].name
        if tag == TEXT:
            return sources[parts[0]].text
        raise Mismatch(f"the stored data have an unknown tag {tag}")

    return decode
