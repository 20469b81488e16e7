"""The symbol table of a ruleset: every declared name with its kind, label, type and position in the text.

It serves completion, highlighting, hover and help. For the inputs and outputs of procedures see ``describe``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from enfilade.api.describe import InputField, describe_input
from enfilade.core import ir
from enfilade.core.modifiers import modifiers_in
from enfilade.door import with_doors
from enfilade.frozen import FrozenMap
from enfilade.source.text import Span
from enfilade.values.records import key_names
from enfilade.values.types import Type


@frozen
class Symbol:
    """A declared name.

    Attributes:
        kind: fact, record, field, option, player, die, deck, chart, columns, modifiers, modifier, effect, definition,
            procedure or event.
        name: The name.
        owner: The record of a field, or the block of a modifier; empty for other kinds.
        label: The label in the rules.
        cites: The citations of its declaration.
        domain: The type of a fact, field or option, or the codes of a chart; ``None`` for other kinds.
        span: The place of the declaration in the text; ``None`` for built-in names.
    """

    kind: str
    name: str
    owner: str = ""
    label: str | None = None
    cites: tuple[str, ...] = ()
    domain: Type | None = field(default=None, repr=False)
    span: Span | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """The first line of the declaration; empty for built-in names."""
        return "" if self.span is None else self.span.text.partition("\n")[0].rstrip("\r")


@with_doors
@frozen
class RecordKind:
    """A kind of record, such as a unit, a target or a leader.

    Attributes:
        name: The name of the kind, such as ``unit``.
        label: The label in the rules.
        cites: The citations of its heading.
        key: The name of the field that holds the name of a record.
        fields: The other fields by name.
    """

    name: str
    label: str | None
    cites: tuple[str, ...]
    key: str
    fields: Mapping[str, InputField] = field(eq=False, converter=FrozenMap)

    def to_json(self) -> dict[str, Any]:
        """Return the description as plain data."""
        return {
            "name": self.name, "label": self.label, "cites": list(self.cites), "key": self.key,
            "fields": [each.to_json() for each in self.fields.values()],
        }  # fmt: skip


def describe_record(record: ir.RecordDecl) -> RecordKind:
    """Describe a kind of record."""
    fields = {name: describe_input(declared, name) for name, declared in record.fields.items()}
    key = next(iter(key_names(record)), "name")
    return RecordKind(record.name, record.note.label, record.note.cites, key, fields)


def describe_records(program: ir.Program) -> Mapping[str, RecordKind]:
    """Describe the kinds of records of a program, by name."""
    return FrozenMap({name: describe_record(record) for name, record in program.records.items()})


def symbols_of(program: ir.Program) -> tuple[Symbol, ...]:
    """Return every declared name of a program, by kind, in the order of declaration."""
    return tuple(_symbols(program))


def _symbols(program: ir.Program) -> Iterator[Symbol]:
    yield from (_symbol("procedure", each.name, each.note) for each in program.procedures.values() if not each.helper)
    yield from (_symbol("event", name, note) for name, note in program.events.items())
    yield from (_symbol("fact", name, each.note, each.type) for name, each in program.facts.items())
    for record in program.records.values():
        yield _symbol("record", record.name, record.note)
        for name, each in record.fields.items():
            yield _symbol("field", name, each.note, each.type, owner=record.name)
    yield from (_symbol("option", each.name, each.note, each.type) for each in program.options.values())
    yield from (_symbol("chart", each.name, each.note, each.code_type) for each in program.charts.values())
    yield from (_symbol("columns", each.name, each.note) for each in program.columns.values())
    for block in program.modifiers.values():
        yield _symbol("modifiers", block.name, block.note)
        for modifier in modifiers_in(block.items):
            yield _symbol("modifier", modifier.name, modifier.note, owner=block.name)
    yield from (_symbol("effect", each.name, each.note) for each in program.effects.values())
    yield from (_symbol("definition", each.name, each.note) for each in program.definitions.values())
    yield from (_symbol("die", each.name, each.note) for each in program.dice.values())
    yield from (_symbol("deck", each.name, each.note) for each in program.decks.values())
    yield from (Symbol("player", name) for name in program.players)


def _symbol(kind: str, name: str, note: ir.Note, domain: Type | None = None, *, owner: str = "") -> Symbol:
    return Symbol(kind, name, owner, note.label, note.cites, domain, note.span)
