"""Introspection of a ruleset: procedures and events with their inputs, outputs and refusals, as data and JSON Schema.

The descriptions suffice to build a form, a command line or a client in another language. This module must not run any
rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from attrs import field, frozen

from enfilade.core import ir
from enfilade.core.graph import analysis, graph_of
from enfilade.core.inputs import declared_input, external_names
from enfilade.core.traits import REFUSES, Unit
from enfilade.core.walk import nodes
from enfilade.door import with_doors
from enfilade.frozen import frozen_json
from enfilade.source.shipped import is_of_library
from enfilade.values.json_data import to_json
from enfilade.values.types import ListOf, MapOf, RecordOf, Type, Unknown, describe

JsonSchema: TypeAlias = Mapping[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_EXACT = "^[+-]?[0-9]+(/[0-9]+|\\.[0-9]+)?$"


@with_doors
@frozen
class InputField:
    """A fact that a procedure takes, a field of a record, or an option.

    Attributes:
        name: The name that callers use.
        type: The type in the words of the language: ``0..2``, ``set of clear, woods``.
        json_schema: The type as JSON Schema.
        required: Whether the value is required: it has no default.
        default: The default, as plain data.
        label: The label in the rules.
        cites: The citations of its line.
        assumed: The author's reason for a decision that the rulebook leaves open.
        domain: The type as data: an instance of a class of ``enfilade.types``.
    """

    name: str
    type: str
    json_schema: JsonSchema = field(repr=False, converter=frozen_json)
    required: bool
    default: Any = field(converter=frozen_json)
    label: str | None
    cites: tuple[str, ...]
    assumed: str | None
    domain: Type = field(default=Unknown(), repr=False)

    def to_json(self) -> dict[str, Any]:
        """Return the description as plain data."""
        return {
            "name": self.name, "type": self.type, "required": self.required, "default": self.default,
            "label": self.label, "cites": list(self.cites), "assumed": self.assumed, "schema": self.json_schema,
        }  # fmt: skip


@with_doors
@frozen
class Output:
    """A named output of a procedure.

    Attributes:
        name: The name of the output.
        type: The type in the words of the language.
        label: The label in the rules.
        cites: The citations of the line that gives the output.
        domain: The type as data: an instance of a class of ``enfilade.types``.
    """

    name: str
    type: str
    label: str | None
    cites: tuple[str, ...]
    domain: Type = field(default=Unknown(), repr=False)

    def to_json(self) -> dict[str, Any]:
        """Return the description as plain data."""
        return {"name": self.name, "type": self.type, "label": self.label, "cites": list(self.cites)}


@with_doors
@frozen
class Refusal:
    """A refusal that the rules may give.

    Attributes:
        slug: The name of the refusal.
        message: The sentence of the refusal.
        cites: The citations of its line.
    """

    slug: str
    message: str
    cites: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the description as plain data."""
        return {"slug": self.slug, "message": self.message, "cites": list(self.cites)}


@with_doors
@frozen
class Procedure:
    """A procedure of a ruleset.

    Attributes:
        name: The name that callers use.
        label: The label in the rules.
        cites: The citations of its heading.
        inputs: The facts that the procedure can use, in the order of declaration.
        outputs: The outputs, in the order in which the procedure gives them.
        refusals: The refusals of the procedure and of everything that it calls.
    """

    name: str
    label: str | None
    cites: tuple[str, ...]
    inputs: tuple[InputField, ...]
    outputs: tuple[Output, ...]
    refusals: tuple[Refusal, ...]
    _records: JsonSchema = field(repr=False, eq=False)

    def json_schema(self) -> dict[str, Any]:
        """Describe the facts of a call as JSON Schema.

        Returns:
            The schema of an object with the facts by name.
        """
        schema: dict[str, Any] = {
            "$schema": _DIALECT,
            "title": self.label or self.name,
            "type": "object",
            "properties": {each.name: each.json_schema for each in self.inputs},
            "required": [each.name for each in self.inputs if each.required],
            "additionalProperties": False,
        }
        return schema | ({"$defs": dict(self._records)} if self._records else {})

    def to_json(self) -> dict[str, Any]:
        """Return the description as plain data."""
        return {
            "name": self.name, "label": self.label, "cites": list(self.cites),
            "inputs": [each.to_json() for each in self.inputs],
            "outputs": [each.to_json() for each in self.outputs],
            "refusals": [each.to_json() for each in self.refusals],
            "schema": self.json_schema(),
        }  # fmt: skip


@with_doors
@frozen
class EventKind:
    """An event that a host may report.

    Attributes:
        name: The name that callers use.
        label: The label in the rules.
        cites: The citations of its line.
        inputs: The facts that the reactions and the procedures they start can use.
    """

    name: str
    label: str | None
    cites: tuple[str, ...]
    inputs: tuple[InputField, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the description as plain data."""
        inputs = [each.to_json() for each in self.inputs]
        return {"name": self.name, "label": self.label, "cites": list(self.cites), "inputs": inputs}


# ----------------------------------------------------------------------------------------------- from the core


def describe_procedure(program: ir.Program, name: str) -> Procedure:
    """Describe a procedure."""
    procedure = program.procedures[name]
    note = procedure.note
    return Procedure(
        name, note.label, note.cites, describe_inputs(program, procedure.inputs),
        tuple(_outputs(procedure)), tuple(_refusals(program, procedure)), _record_schemas(program, procedure.inputs),
    )  # fmt: skip


def describe_event(program: ir.Program, name: str) -> EventKind:
    """Describe an event."""
    note = program.events[name]
    return EventKind(name, note.label, note.cites, describe_inputs(program, event_inputs(program, name)))


def event_inputs(program: ir.Program, event: str) -> tuple[str, ...]:
    """Return the facts that an event takes, for its reactions and the procedures they start, in order of declaration."""
    reactions = [reaction for reaction in program.reactions if reaction.event == event]
    starts = [line for reaction in reactions for line in reaction.lines if isinstance(line, ir.Start)]
    used = {name for reaction in reactions for name in reaction.inputs}
    for start in starts:
        used |= set(program.procedures[start.procedure].inputs) - {name for name, _ in start.args}
    own = sorted(used - set(program.facts))
    return (*own, *(name for name in program.facts if name in used))


def inputs_of(program: ir.Program, name: str) -> tuple[str, ...]:
    """Return the facts that a procedure takes, or an event if no procedure has this name."""
    return program.procedures[name].inputs if name in program.procedures else event_inputs(program, name)


def describe_inputs(program: ir.Program, inputs: tuple[str, ...]) -> tuple[InputField, ...]:
    """Describe facts, with the names that callers use."""
    names = external_names(inputs)
    return tuple(describe_input(declared_input(program, name), external) for external, name in names.items())


def describe_input(declared: ir.Input, name: str) -> InputField:
    """Describe a fact or a field of a record."""
    note = declared.note
    default = to_json(declared.default) if declared.has_default else None
    schema: dict[str, Any] = dict(declared.type.schema())
    if note.label:
        schema["description"] = note.label
    if declared.has_default:
        schema["default"] = default
    elif isinstance(declared.type, MapOf):
        schema["required"] = [word for word in declared.type.entries if word not in (declared.default or {})]
    kind = describe(declared.type)
    return InputField(
        name, kind, schema, not declared.has_default, default, note.label, note.cites, note.assumed, declared.type
    )


def describe_option(option: ir.OptionDecl) -> InputField:
    """Describe an option of a ruleset."""
    declared = ir.Input(option.name, option.type, True, option.default, option.note)
    return describe_input(declared, option.name)


def _outputs(procedure: ir.Procedure) -> Iterator[Output]:
    notes = {node.name: node.note for node in nodes(procedure.body) if isinstance(node, ir.Give)}
    for name, type_ in procedure.outputs.items():
        note = notes.get(name, ir.NO_NOTE)
        yield Output(name, describe(type_), note.label, note.cites, type_)


# -------------------------------------------------------------------------------------------------- JSON Schema


def _record_schemas(program: ir.Program, inputs: Iterable[str]) -> JsonSchema:
    waiting = [declared_input(program, name).type for name in inputs]
    found: dict[str, Any] = {}
    while waiting:
        type_ = waiting.pop(0)
        if isinstance(type_, ListOf):
            waiting.append(type_.of)
        elif isinstance(type_, RecordOf) and type_.record not in found:
            found[type_.record] = _record_schema(program.records[type_.record])
            waiting += [field.type for field in program.records[type_.record].fields.values()]
    return found


def _record_schema(record: ir.RecordDecl) -> JsonSchema:
    fields = {name: describe_input(declared, name) for name, declared in record.fields.items()}
    properties = {name: each.json_schema for name, each in fields.items()}
    named = {} if "name" in fields else {"name": {"type": "string", "description": "its name"}}
    return {
        "type": "object",
        **({"description": record.note.label} if record.note.label else {}),
        "properties": {**named, **properties},
        "required": [name for name, each in fields.items() if each.required],
        "additionalProperties": False,
    }


# ----------------------------------------------------------------------------------------------------- refusals


def _refusals(program: ir.Program, procedure: ir.Procedure) -> Iterator[Refusal]:
    """Return the refusals of a procedure and of everything it uses, each slug once, without refusals that it handles."""
    found = analysis(program, _Refusals).of(("procedure", procedure.name))
    return (Refusal(slug, note.label or "", note.cites) for slug, note in found.items())


class _Refusals:
    """Finds refusals, each declaration's own only once."""

    def __init__(self, program: ir.Program) -> None:
        self._graph = graph_of(program)
        self._own: dict[Unit, tuple[tuple[str, ir.Note] | Unit, ...]] = {}

    def of(self, unit: Unit) -> dict[str, ir.Note]:
        """Find the refusals of a declaration and of those it uses, without refusals that a caller handles.

        The search is depth-first, with a stack of its own: procedures may call each other in a chain of any length.
        """
        seen, slugs = {unit}, dict[str, ir.Note]()
        waiting = [iter(self._items(unit))]
        while waiting:
            match next(waiting[-1], None):
                case None:
                    waiting.pop()
                case (str() as slug, ir.Note() as note):
                    slugs.setdefault(slug, note)
                case used if used not in seen:
                    seen.add(used)
                    waiting.append(iter(self._items(used)))
        return slugs

    def _items(self, unit: Unit) -> tuple[tuple[str, ir.Note] | Unit, ...]:
        """The refusals of one declaration and the declarations whose refusals it passes on, in the order of the text."""
        if unit not in self._own:
            self._own[unit] = tuple(self._found(unit))
        return self._own[unit]

    def _found(self, unit: Unit) -> Iterator[tuple[str, ir.Note] | Unit]:
        for node in self._graph.nodes(unit):
            match node:
                case ir.Refuse(slug, _, note):
                    yield slug, note
                case ir.Edge():
                    yield from ((action.value, node.note) for action in node.actions if action.act == "refuse")
            yield from (use.unit for use in self._graph.own_edges(node) if use.passes & REFUSES)


def is_own(program: ir.Program, note: ir.Note) -> bool:
    """Whether a declaration belongs to the ruleset itself, not to a module of the standard library."""
    source = None if note.span is None else note.span.source
    return source is None or not is_of_library(source.path) or source.text == program.sources[0]
