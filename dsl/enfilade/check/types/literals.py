"""Conversion of literals of the language to the plain data that a caller would pass.

It converts the ``given`` lines of examples and, through ``api/entries.py``, facts typed at a prompt or a command line.

A name can replace a record: it is the record's key. The name creates a record with default fields, unless the example
describes that record elsewhere. In the value of a field, a name refers to a record and never creates one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from enfilade.bind.names import Key, NameRecord
from enfilade.check.types.type_relations import is_known, is_list_of, unclear_list_text
from enfilade.core import ir
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes
from enfilade.values.types import ListOf, MapOf, Num, RecordOf, Type

_CONSTANTS: Mapping[str, Any] = {"yes": True, "no": False, "none": None}


class Declared(Protocol):
    """The context that a reader needs, such as the checker's: the known records, and a method to report mistakes."""

    @property
    def records(self) -> Mapping[str, ir.RecordDecl]:
        """The record types, by name."""

    @property
    def names(self) -> NameRecord:
        """What is noted of names."""

    def report(self, code: str, message: str, span: Span, *helps: str) -> None:
        """Report an error."""

    def unknown(self, what: str, name: t.Ident, known: list[str]) -> None:
        """Report an undeclared name."""


def plain_value(value: t.Value) -> Any:
    """A value as plain data, whatever its type."""
    match value.kind:
        case "constant":
            return _CONSTANTS[str(value.scalar)]
        case "list":
            return [plain_value(item) for item in value.items]
    return value.scalar


class GivenReader:
    """Reads the items of one example or one entry.

    Attributes:
        facts: The value of each fact, as a caller would pass it.
        keys: The record type of each key.
        unclear: The names in values of unknown facts, which may be keys.
    """

    def __init__(self, declared: Declared, types: Mapping[str, Type], items: list[t.GivenItem]) -> None:
        self.declared = declared
        self.types = types
        self.facts: dict[str, Any] = {}
        self.keys: dict[str, str] = {}
        self.unclear: set[str] = set()
        self._written = {
            str(value.scalar) for item in items for value in _values_in(item.value) if value.kind == "record"
        }
        for item in items:
            self._item(item)

    def _item(self, item: t.GivenItem) -> None:
        name = item.name.name
        type_ = self.types.get(name)
        if type_ is not None:
            self.facts[name] = self.value(item.value, type_, name)
        elif name in self.declared.records:
            self._record_item(item)
        else:
            self.declared.unknown("fact or record", item.name, [*self.types, *self.declared.records])
        if type_ is None or not is_known(type_):
            self.unclear.update(str(value.scalar) for value in _values_in(item.value))

    def _record_item(self, item: t.GivenItem) -> None:
        """Read ``unit gun (steps 2)``: one more record for the only list of such records."""
        record = item.name.name
        lists = [name for name, type_ in self.types.items() if is_list_of(type_, record)]
        if not lists and not all(map(is_known, self.types.values())):
            return
        if len(lists) != 1 or item.value is None:
            message = f"the name of the {record} is missing" if len(lists) == 1 else unclear_list_text(record, lists)
            help_ = [f"name the fact: `given {lists[0]} [{record}1 (...), ...]`"] if lists else []
            self.declared.report("which-list", message, item.span, *help_)
            return
        value = self.value(item.value, RecordOf(record), lists[0], listed=True)
        others = self.facts.get(lists[0], [])
        # What is no list was reported already.
        self.facts[lists[0]] = [*others, value] if isinstance(others, list) else others

    def value(
        self, value: t.Value | None, type_: Type, fact: str, *, listed: bool = False, within: str | None = None
    ) -> Any:
        """Convert a value.

        Args:
            value: The literal; ``None`` is yes.
            type_: The declared type.
            fact: The name of the fact or field.
            listed: Whether it is an item of a list.
            within: The type of the record that encloses it, if any.
        """
        if value is None:
            return {"name": fact} if isinstance(type_, RecordOf) and within is None else True
        if isinstance(type_, MapOf) and value.kind == "record":
            return self.entries(value, type_, fact)
        if value.kind == "list":
            inner = type_.of if isinstance(type_, ListOf) else type_
            return [self.value(item, inner, fact, listed=True, within=within) for item in value.items]
        if value.kind == "record":
            return self.record(value, type_.record if isinstance(type_, RecordOf) else "", fact, listed=listed)
        if value.kind == "name" and isinstance(type_, RecordOf) and within is None:
            return self.named(value, type_.record, fact)
        if value.kind == "name" and value.scalar in type_.words:
            self.declared.names.note(value.span, Key("word", str(value.scalar)), type_)
        return self.scalar(value)

    def entries(self, value: t.Value, type_: MapOf, fact: str) -> dict[str, Any]:
        """Convert a map: ``(hull 3, engine 1)``."""
        words = type_.key.words
        out: dict[str, Any] = {}
        for item in value.fields:
            if item.name.name not in words:
                self.declared.unknown(f"word in {fact}", item.name, list(words))
            self.declared.names.note(item.name.span, Key("word", item.name.name))
            out[item.name.name] = self.value(item.value, type_.value, item.name.name)
        return out

    def scalar(self, value: t.Value) -> Any:
        """Convert a number, a text, a constant or the name of a word."""
        return plain_value(value)

    def named(self, value: t.Value, record: str, fact: str) -> Any:
        """Convert a record that is given by its name alone."""
        key = str(value.scalar)
        if key in self._written or key in self.keys:
            return key
        self.keys[key] = record
        return {"name": key}

    def record(self, value: t.Value, record: str, fact: str, *, listed: bool) -> Any:
        """Convert a record that is written out; a single record has the name of its fact."""
        fields = self.fields(record, value.fields)
        key = fields.get("name", fact if record and not listed else None) if value.scalar is None else value.scalar
        if record and key is not None:
            self.keys[str(key)] = record
        elif value.scalar is not None:
            self.unclear.add(str(value.scalar))
        return fields if key is None else {"name": key, **fields}

    def fields(self, record: str, items: tuple[t.GivenItem, ...]) -> dict[str, Any]:
        """Convert the fields of a record."""
        declared = self.declared.records[record].fields if record else {}
        out: dict[str, Any] = {}
        for item in items:
            name = item.name.name
            field = declared.get(name)
            if field is not None:
                self.declared.names.note(item.name.span, Key("field", name, record), field.type)
            if field is not None or name == "name":
                out[name] = self.value(item.value, Num() if field is None else field.type, name, within=record)
            elif record:
                self.declared.unknown(f"field of {record}", item.name, list(declared))
        return out


def _values_in(value: t.Value | None) -> Iterator[t.Value]:
    """The values in a value that have a scalar."""
    return (node for node in nodes(value) if isinstance(node, t.Value) and node.scalar is not None)
