"""The `given` lines of an example, as the plain data that a caller would pass.

A name in place of a record is that record's key. It creates the record, with its defaults, unless the example writes
the record out elsewhere, or the name is the value of a field: a field only refers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from enfilade.check.context import Context
from enfilade.check.type_relations import has_unknown, is_known, is_list_of
from enfilade.core import ir
from enfilade.core.types import ListOf, Num, RecordOf, Type
from enfilade.syntax import tree as t

_CONSTANTS: Mapping[str, Any] = {"yes": True, "no": False, "none": None}


def plain_value(value: t.Value) -> Any:
    """A value as plain data, whatever it is for."""
    match value.kind:
        case "constant":
            return _CONSTANTS[str(value.scalar)]
        case "list":
            return [plain_value(item) for item in value.items]
    return value.scalar


class GivenReader:
    """Reads the ``given`` lines of one example.

    Attributes:
        facts: Each fact's value, as a caller would pass it.
        keys: The kind of each record, by its key.
        unclear: Names that may be keys, in what is given for no known fact.
    """

    def __init__(self, ctx: Context, inputs: Mapping[str, ir.Input], items: list[t.GivenItem]) -> None:
        self.ctx = ctx
        self.inputs = inputs
        self.facts: dict[str, Any] = {}
        self.keys: dict[str, str] = {}
        self.unclear: set[str] = set()
        self._written = {str(value.scalar) for item in items for value in _records_in(item.value)}
        for item in items:
            self._item(item)

    def _item(self, item: t.GivenItem) -> None:
        name = item.name.name
        declared = self.inputs.get(name)
        if declared is not None:
            self.facts[name] = self._value(item.value, declared.type, None)
            if isinstance(declared.type, RecordOf) and isinstance(self.facts[name], dict):
                self.keys[self.facts[name].setdefault("name", name)] = declared.type.record
        elif name in self.ctx.records:
            self._record_item(item)
        else:
            self.ctx.unknown("fact or record", item.name, [*self.inputs, *self.ctx.records])
        if declared is None or not is_known(declared.type):
            self.unclear.update(_names_in(item.value))

    def _record_item(self, item: t.GivenItem) -> None:
        """``unit gun (steps 2)``: one more of the only list of such records."""
        record = item.name.name
        lists = [name for name, fact in self.inputs.items() if is_list_of(fact.type, record)]
        if not lists and has_unknown(self.inputs):
            return
        if len(lists) != 1 or item.value is None:
            self.ctx.report(
                "which-list",
                f"there are {len(lists)} facts that are a list of {record}",
                item.span,
                *([f"name the fact: `given {lists[0]} [{record}1 (...), ...]`"] if lists else []),
            )
            return
        self.facts.setdefault(lists[0], []).append(self._value(item.value, RecordOf(record), None))

    def _value(self, value: t.Value | None, type_: Type, within: str | None) -> Any:
        """A value; *within* is the record in a field of which it stands."""
        if value is None:
            return True
        if value.kind == "list":
            inner = type_.of if isinstance(type_, ListOf) else type_
            return [self._value(item, inner, within) for item in value.items]
        if value.kind == "record":
            return self._record(value, type_)
        if value.kind == "name" and isinstance(type_, RecordOf) and within is None:
            return self._named(str(value.scalar), type_.record)
        return plain_value(value)

    def _named(self, key: str, record: str) -> Any:
        if key in self._written or key in self.keys:
            return key
        self.keys[key] = record
        return {"name": key}

    def _record(self, value: t.Value, type_: Type) -> Any:
        record = type_.record if isinstance(type_, RecordOf) else ""
        fields = self.ctx.records[record].fields if record else {}
        out: dict[str, Any] = {}
        if value.scalar is not None:
            out["name"] = value.scalar
            if record:
                self.keys[str(value.scalar)] = record
            else:
                self.unclear.add(str(value.scalar))
        for item in value.fields:
            field = fields.get(item.name.name)
            if field is None and item.name.name != "name":
                if not record:
                    continue
                self.ctx.unknown(f"field of {record}", item.name, list(fields))
                continue
            out[item.name.name] = self._value(item.value, Num() if field is None else field.type, record)
        return out


def _names_in(value: t.Value | None) -> Iterator[str]:
    """All names that stand in a value."""
    if value is None:
        return
    if value.scalar is not None:
        yield str(value.scalar)
    for item in (*value.items, *(field.value for field in value.fields)):
        yield from _names_in(item)


def _records_in(value: t.Value | None) -> Iterator[t.Value]:
    """The records that are written out, with a key, in a value."""
    if value is None:
        return
    if value.kind == "record" and value.scalar is not None:
        yield value
    for item in value.items:
        yield from _records_in(item)
