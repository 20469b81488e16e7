"""What a sweep may vary: facts, fields of records, options, definitions, choices and the strategies of players.

Grids, ``least``, comparisons and ``sensitivity`` find variables here by the names that people write, and apply values to
them here. Every surface reads the types of its entries from the same table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NoReturn, TypeAlias, assert_never

from attrs import evolve, field, frozen

from enfilade.api.exact_numbers import written
from enfilade.api.loaded_program import load_variant
from enfilade.api.prepared import PreparedRules
from enfilade.api.record_paths import name_of, path_types, with_value
from enfilade.api.shared_settings import Situations
from enfilade.api.situations import WAYS, choice_names
from enfilade.api.symbols import symbols_of
from enfilade.core import ir
from enfilade.core.graph import analysis
from enfilade.core.inputs import declared_input, external_names, with_described_records
from enfilade.diagnostics.suggest import nearest
from enfilade.errors import InputError, InputFault, RulesetError
from enfilade.values.numbers import shorten
from enfilade.values.types import ListOf, RecordOf, Type, Word, describe

_MOST_VARIANTS: Final = 64
_PREFIXES: Final = ("option", "define", "choice", "player")
_NUMBER: Final = re.compile(r"-?\d{1,30}(\.\d{1,30})?")
_HEAD: Final = re.compile(r"\w+\s*(\([^)]*\))?")


@frozen
class FactVariable:
    """A fact."""

    name: str
    type: Type


@frozen
class FieldVariable:
    """A field of a record, or of several records: ``target.steps``, ``gun.steps``, ``steps`` of all.

    Attributes:
        name: The name as people write it.
        type: The type of the field.
        paths: For each record the fact, the names within it, and the field.
    """

    name: str
    type: Type
    paths: tuple[tuple[str, ...], ...]


@frozen
class OptionVariable:
    """An option of the ruleset."""

    name: str
    type: Type
    option: str


@frozen
class DefinitionVariable:
    """A definition, which is replaced by a constant value."""

    name: str
    type: Type
    definition: str


@frozen
class ChoiceVariable:
    """A choice of a player; its values depend on the situation."""

    name: str
    choice: str
    type: None = None


@frozen
class PlayerVariable:
    """The strategy of a player: best, worst or random."""

    name: str
    player: str
    type: Type = field(default=Word(WAYS))


Variable: TypeAlias = (
    FactVariable | FieldVariable | OptionVariable | DefinitionVariable | ChoiceVariable | PlayerVariable
)
Variables: TypeAlias = Mapping[str, Variable]


# ----------------------------------------------------------------------------------------------------------- names


def variables_of(situations: Situations) -> Variables:
    """Return all variables of a situation, by name.

    A name means the first of these: a fact, a field, an option, a definition, a choice, a player. The others of this
    name are found by their full names, such as ``option fog``.
    """
    found: dict[str, Variable] = {}
    for each in _all(situations):
        if each.name not in found:
            found[each.name] = each
        else:
            full = f"{_prefix(each)} {each.name}"
            found[full] = evolve(each, name=full)
    return found


def _prefix(variable: Variable) -> str:
    match variable:
        case OptionVariable():
            return "option"
        case DefinitionVariable():
            return "define"
        case ChoiceVariable():
            return "choice"
        case PlayerVariable():
            return "player"
        case FactVariable() | FieldVariable():
            return "field"
        case _:
            assert_never(variable)


def _all(situations: Situations) -> Iterator[Variable]:
    program = situations.playing.program
    facts = {
        name: declared_input(program, own).type
        for name, own in external_names(program.procedures[situations.procedure].inputs).items()
    }
    yield from (FactVariable(name, type_) for name, type_ in facts.items())
    yield from _fields(program, facts, _described_facts(situations))
    yield from (OptionVariable(name, each.type, name) for name, each in program.options.items())
    yield from (DefinitionVariable(name, each.type, name) for name, each in program.definitions.items())
    yield from (ChoiceVariable(name, name) for name in analysis(program, choice_names))
    yield from (PlayerVariable(name, name) for name in program.players)


def _fields(program: ir.Program, facts: Mapping[str, Type], given: Mapping[str, Any]) -> Iterator[Variable]:
    """The fields of the records of a situation: by path, by the name of the record, and for all records."""
    shared: dict[str, tuple[Type, list[tuple[str, ...]]]] = {}
    kinds = [
        type_.of.record for type_ in facts.values() if isinstance(type_, ListOf) and isinstance(type_.of, RecordOf)
    ]
    for fact, type_ in facts.items():
        kind = type_.of.record if isinstance(type_, ListOf) and isinstance(type_.of, RecordOf) else ""
        for path in path_types(program, type_, given.get(fact)):
            whole, last = (fact, *path.names), path.names[-1]
            yield FieldVariable(".".join(whole), path.type, (whole,))
            names = {last} if path.in_record else set()
            if kind and kinds.count(kind) == 1:
                names.add(".".join((kind, *path.names)))
            owner = path.names[0] if kind else name_of(given.get(fact))
            if owner is not None and path.in_record:
                names.add(f"{owner}.{last}")
            for name in sorted(names):
                shared.setdefault(name, (path.type, []))[1].append(whole)
    yield from (FieldVariable(name, type_, tuple(paths)) for name, (type_, paths) in shared.items())


def _described_facts(situations: Situations) -> dict[str, Any]:
    """The facts of a situation, with a description of each record, so that its fields can vary."""
    program = situations.rules.program
    try:
        return with_described_records(program, program.procedures[situations.procedure].inputs, situations.facts)
    except InputError:
        # Another value of a variable may mend what is wrong.
        return dict(situations.facts)


def find_variable(variables: Variables, name: Any) -> Variable:
    """Return a variable by name.

    Raises:
        InputError: There is none of this name.
    """
    found = variables.get(name) if isinstance(name, str) else None
    if found is None and isinstance(name, str):
        prefix, _, own = name.partition(" ")
        plain = variables.get(own.strip())
        if prefix in _PREFIXES and plain is not None and _prefix(plain) == prefix:
            found = plain
    return _unknown(variables, name) if found is None else found


def _unknown(variables: Variables, name: Any) -> NoReturn:
    close = nearest(str(name), variables)
    facts = [each.name for each in variables.values() if isinstance(each, FactVariable)]
    allowed = ", ".join(facts) or "no facts"
    meant = f"; did you mean {close}?" if close else f"; there are {allowed}"
    if "=" in str(name):
        meant = f"; write the name of what varies alone, without a value: {str(name).partition('=')[0]}"
    what = "no given record has the field" if "." in str(name) else "there is no fact"
    raise InputError([InputFault("fact", name, allowed, f"{what} {shorten(name)}{meant}")])


# ---------------------------------------------------------------------------------------------------------- values


def changed(situations: Situations, variables: Variables, changes: Mapping[str, Any]) -> Situations:
    """Return a situation with other values of some variables.

    Args:
        situations: The situation.
        variables: Its variables.
        changes: The values, by the names of the variables.

    Raises:
        InputError: A name is unknown, or a value is not possible.
    """
    facts: dict[str, Any] = {}
    others: list[tuple[Variable, Any]] = []
    for name, value in changes.items():
        variable = variables.get(name)
        if type(variable) is FactVariable:
            facts[name] = value
        else:
            others.append((find_variable(variables, name), value))
    here = evolve(situations, facts={**situations.facts, **facts}) if facts else situations
    for variable, value in others:
        here = _changed(here, variable, value)
    return here


def _changed(here: Situations, variable: Variable, value: Any) -> Situations:
    match variable:
        case FactVariable(name):
            return evolve(here, facts={**here.facts, name: value})
        case FieldVariable(_, _, paths):
            facts = _described_facts(here)
            for fact, *rest in paths:
                facts[fact] = with_value(facts.get(fact), fact, rest, value)
            return evolve(here, facts=facts)
        case OptionVariable(_, _, option):
            return evolve(here, options={**(here.options or {}), option: value})
        case DefinitionVariable():
            return evolve(here, rules=_with_definition(here.rules, variable, value))
        case ChoiceVariable(name, choice):
            return evolve(here, choices=_with_choice(here.choices, name, choice, value))
        case PlayerVariable(_, player):
            return evolve(here, players={**(here.players or {}), player: value})
        case _:
            assert_never(variable)


def _with_choice(choices: Any, name: str, choice: str, value: Any) -> Mapping[str, Any]:
    if choices and not isinstance(choices, Mapping):
        text = f"to vary {name}, give the choices by name, not in order"
        raise InputError([InputFault("choices", choices, "a mapping from choice to value", text)])
    return {**(choices or {}), choice: value}


class _Variants(dict[tuple[str, str], PreparedRules]):
    """The variants of a program in which definitions have other values."""

    def __init__(self, program: ir.Program) -> None:
        super().__init__()


def _with_definition(rules: PreparedRules, variable: DefinitionVariable, value: Any) -> PreparedRules:
    """Return the variant of a ruleset in which a definition is constant; the variant is checked as a whole.

    Raises:
        InputError: The value has no literal in a definition, or the rules don't allow it.
    """
    body = _body(variable, value)
    known = analysis(rules.program, _Variants)
    key = (variable.definition, body)
    if key not in known:
        text = f"replace define {_head(rules.program, variable.definition)}{body}\n"
        try:
            made = PreparedRules(load_variant(rules.loaded, text, "varied"))
        except RulesetError as wrong:
            why = wrong.diagnostics[0].message if wrong.diagnostics else str(wrong)
            raise _impossible(variable, value, f"the rules don't allow this value: {why}") from wrong
        if len(known) >= _MOST_VARIANTS:
            known.clear()
        known[key] = made
    return known[key]


def _impossible(variable: DefinitionVariable, value: Any, why: str) -> InputError:
    text = f"{variable.name} can't be {shorten(value)}; {why}"
    return InputError([InputFault(variable.name, value, describe(variable.type), text)])


def _body(variable: DefinitionVariable, value: Any) -> str:
    """The text of a constant: a word stays one of the words that the definition can be."""
    match value, variable.type:
        case bool(), _:
            return f" = {'yes' if value else 'no'}"
        case None, _:
            return " = none"
        case int() | Fraction() | Decimal(), _:
            return f" = {written(Fraction(value))}"
        case str(), Word(words) if value in words:
            *cases, last = (value, *(word for word in words if word != value))
            return "".join(f'\n  "{each}" when yes' for each in cases) + f'\n  "{last}" otherwise'
        case str(), Word(words):
            raise _impossible(variable, value, f"allowed: {', '.join(words)}")
        case str(), _ if _NUMBER.fullmatch(value):
            return f" = {value}"
    raise _impossible(variable, value, "a definition can be set to a number, one of its words, yes, no or none")


def _head(program: ir.Program, definition: str) -> str:
    """The name of a definition and its parameters, as they are in the text."""
    for each in analysis(program, symbols_of):
        if (each.kind, each.name) == ("definition", definition) and each.span is not None:
            found = _HEAD.match(each.span.source.text, each.span.start)
            return found[0] if found is not None else definition
    return definition
