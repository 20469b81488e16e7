"""Validation and conversion of the facts and options that a caller gives.

All input of a run passes through here. Numbers stay exact, records become part of the state, and nothing is clamped,
rounded or dropped. This module must not request missing facts: the run requests a fact when the rules first read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from enfilade.core import ir
from enfilade.diagnostics.suggest import nearest
from enfilade.door import read_argument
from enfilade.errors import InputError, InputFault
from enfilade.values.data import Ref, State
from enfilade.values.json_data import to_json
from enfilade.values.numbers import Unfit, shorten
from enfilade.values.records import FactReader, fault_of, key_names
from enfilade.values.types import ListOf, RecordOf


def external_names(inputs: tuple[str, ...]) -> dict[str, str]:
    """Map the caller's name of each fact to its name in the core: unambiguous names omit the procedure.

    Examples:
        >>> external_names(("range", "volley.lives"))
        {'range': 'range', 'lives': 'volley.lives'}
    """
    short = [name.rpartition(".")[2] for name in inputs]
    return {(own if short.count(own) == 1 else name): name for own, name in zip(short, inputs, strict=True)}


def declared_input(program: ir.Program, name: str) -> ir.Input:
    """The declaration of a fact by its name in the core."""
    procedure, dot, own = name.partition(".")
    return program.procedures[procedure].facts[own] if dot else program.facts[name]


def convert_facts(
    program: ir.Program, inputs: tuple[str, ...], given: Mapping[str, Any]
) -> tuple[dict[str, Any], State]:
    """Convert the facts that a caller gives.

    A fact that the procedure does not use is an error, even if the ruleset declares it for other procedures: it is
    usually a slip or the wrong procedure.

    Args:
        program: The ruleset.
        inputs: The facts that may be given, by their names in the core.
        given: The facts, by the caller's names. A record is a mapping, an attrs object, a dataclass or a named
            tuple; its key is its ``name`` or ``key``, or generated: ``unit1`` in a list, else the fact's own
            name. A list of records may be a mapping from key to fields. A key may replace a record that is
            described elsewhere.

    Returns:
        The given facts, by their names in the core, and the initial state of a run.

    Raises:
        InputError: A value is outside its domain; all faults are listed, in the order of declaration.
    """
    reader = FactReader(program.records)
    names = external_names(inputs)
    facts = _read(program, reader, names, given)
    for external in given:
        if external not in names:
            reader.add_fault(_unknown_fact(program, str(external), given[external], names))
    records = reader.finish()
    return facts, State(records, decks_at_start(program))


def _read(
    program: ir.Program, reader: FactReader, names: Mapping[str, str], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Read the facts that a caller gives, and the defaults of facts that are records."""
    facts: dict[str, Any] = {}
    for external, name in names.items():
        declared = declared_input(program, name)
        if external in given:
            facts[name] = reader.read(declared.type, given[external], external, declared.default)
        elif isinstance(declared.type, RecordOf) and declared.default is not None:
            # A record must be in the state before the run begins.
            facts[name] = reader.read(declared.type, declared.default, external)
    return facts


def with_described_records(program: ir.Program, inputs: tuple[str, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """Describe the records that a caller gives by their keys alone, so that their fields can be set.

    Args:
        program: The ruleset.
        inputs: The facts that may be given, by their names in the core.
        given: The facts, by the caller's names.

    Returns:
        The facts, with the same meaning.

    Raises:
        InputError: A value is outside its domain.
    """
    reader = FactReader(program.records)
    _read(program, reader, external_names(inputs), given)
    reader.finish()
    return {name: _described(program, reader.created, name, value) for name, value in given.items()}


def _described(program: ir.Program, created: Mapping[str, Ref], name: str, value: Any) -> Any:
    """A fact in which each record that is created from its key is a mapping; a list of such records becomes a mapping
    from key to fields."""
    if name in created:
        return _keyed(program, created[name])
    if not isinstance(value, (list, tuple)):
        return value
    refs = [created.get(f"{name}[{n}]") for n, _ in enumerate(value, 1)]
    if refs and all(refs):
        return {ref.key: {} for ref in refs if ref is not None}
    return [item if ref is None else _keyed(program, ref) for ref, item in zip(refs, value, strict=True)]


def _keyed(program: ir.Program, ref: Ref) -> dict[str, Any]:
    """A description of a record with nothing but its key."""
    return {next(iter(key_names(program.records[ref.record])), "name"): ref.key}


def decks_at_start(program: ir.Program) -> dict[str, tuple[Any, ...] | None]:
    """The cards of each deck; ``None`` for a deck that the rules put together when they first use it."""
    return {deck.name: deck.cards if deck.contents is None else None for deck in program.decks.values()}


def _unknown_fact(program: ir.Program, name: str, value: Any, names: Mapping[str, str]) -> InputFault:
    allowed = ", ".join(names) or "no facts"
    if name in program.facts:
        return InputFault(name, value, allowed, f"{name} is not used here; facts used: {allowed}")
    if name in program.options:
        return InputFault(name, value, allowed, f"{name} is an option, not a fact", is_option=True)
    close = nearest(name, names)
    meant = f"; did you mean {close}?" if close else f"; there are {allowed}"
    return InputFault(name, value, allowed, f"there is no fact {shorten(name)}{meant}")


def facts_to_data(program: ir.Program, facts: Mapping[str, Any], state: State) -> dict[str, Any]:
    """Convert facts to plain data, the inverse of ``convert_facts``.

    Args:
        program: The ruleset.
        facts: The facts, by their names in the core.
        state: The state that holds the records.

    Returns:
        The facts, by their names in the core. A record that is a fact or in a list of a fact is described at its
        first such use; any other record where a field first names it. Elsewhere its key is used.
    """
    facts_of_records = (item for value in facts.values() for item in (value if isinstance(value, tuple) else (value,)))
    told: dict[Ref, bool] = {item: False for item in facts_of_records if isinstance(item, Ref)}
    return {name: _fact_to_data(program, value, state, told) for name, value in facts.items()}


def _fact_to_data(
    program: ir.Program, value: Any, state: State, told: dict[Ref, bool], is_field: bool = False
) -> Any:  # fmt: skip
    """A value of a fact or a field; *told* are the records of facts, and whether they are described yet."""
    if isinstance(value, tuple):
        return [_fact_to_data(program, item, state, told, is_field) for item in value]
    if not isinstance(value, Ref) or (value in told if is_field else told[value]):
        return to_json(value)
    told[value] = True
    fields = {name: _fact_to_data(program, of, state, told, True) for name, of in state.records[value].items()}
    return {**_keyed(program, value), **fields}


def convert_record(
    program: ir.Program,
    record: str,
    name: str,
    fields: Mapping[str, Any],
    among: Mapping[str, tuple[str, Mapping[str, Any]]],
) -> dict[str, Any]:
    """Validate and convert one record, which may refer to others.

    Args:
        program: The ruleset.
        record: The kind of record.
        name: Its key.
        fields: Its fields, as a caller gives them.
        among: The other records: from each key to its kind and fields.

    Returns:
        The given fields, as plain data.

    Raises:
        InputError: A field is unknown, missing or outside its domain; all faults are listed.
    """
    reader = FactReader(program.records)
    for called, (kind, given) in {**among, name: (record, fields)}.items():
        reader.read(ListOf(RecordOf(kind)), {called: given}, kind)
    taken = reader.finish()[Ref(record, name)]
    return {field: to_json(value) for field, value in taken.items() if field in fields}


def convert_options(program: ir.Program, given: Any) -> dict[str, Any]:
    """Convert the options that a caller sets.

    Args:
        program: The ruleset.
        given: A mapping from option to value.

    Returns:
        The value of every option of the ruleset.

    Raises:
        ArgumentError: It is no mapping.
        InputError: An option is unknown, or its value is not allowed.
    """
    given = read_argument("options", given, "Mapping[str, Any]")
    faults: list[InputFault] = []
    options = {name: option.default for name, option in program.options.items()}
    for name, value in given.items():
        option = program.options.get(name)
        if option is None:
            faults.append(_unknown_option(program, name, value))
            continue
        try:
            options[name] = option.type.read(value)
        except Unfit as unfit:
            faults.append(fault_of(name, option.type, unfit))
    if faults:
        raise InputError(faults)
    return options


def _unknown_option(program: ir.Program, name: str, value: Any) -> InputFault:
    close = nearest(str(name), program.options)
    meant = f"; did you mean {close}?" if close else ""
    allowed = ", ".join(program.options) or "no options"
    return InputFault(str(name), value, allowed, f"there is no option {shorten(name)}{meant}")
