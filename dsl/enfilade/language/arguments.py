"""Parses command-line arguments (facts, dice, choices and options as ``name=value``) to plain data.

A thin layer over ``EntryReader``: it adds JSON and dotted names. Values are not validated here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from decimal import Decimal
from typing import Any

from enfilade.api.describe import inputs_of
from enfilade.api.prepared import PreparedRules
from enfilade.api.ruleset import Ruleset
from enfilade.core.inputs import with_described_records
from enfilade.door import door
from enfilade.errors import EntryError, UsageError
from enfilade.values.numbers import Unfit
from enfilade.values.types import Bool, ListOf, MapOf, RecordOf, Type, WordSet

# `1..4`; players also write `1-4` and `1 to 4`.
_RANGE = re.compile(r"(-?\d{1,9})(?:\.\.|-|\s+to\s+)(-?\d{1,9})")
_MOST_VALUES = 1_000_000
# Words and whole numbers, with commas between them.
_SIMPLE = re.compile(r"[A-Za-z_]\w*(?:,[A-Za-z_]\w*)*|\d{1,9}(?:,\d{1,9})*", re.ASCII)


@door
def read_facts(rules: Ruleset, procedure: str, words: Iterable[str]) -> dict[str, Any]:
    """Read facts.

    Args:
        rules: The ruleset.
        procedure: The procedure or event; if its name is unknown, no facts are read.
        words: ``fire_value=16``, ``ranges=1,2``, ``night``, ``units.gun.steps=2``, ``units=[{"name": "gun"}]``.

    Returns:
        The facts by name.

    Raises:
        UsageError: A word is not a fact, or its value can't be read.
    """
    is_known = procedure in rules.names("procedure", "event")
    types = {name: field.domain for name, field in rules.inputs(procedure).items()} if is_known else {}
    facts: dict[str, Any] = {}
    fields: list[tuple[list[str], str | None]] = []
    for word in words if is_known else ():
        name, equals, value = word.partition("=")
        path = [piece.strip() for piece in name.split(".")]
        if not all(path):
            blanks = ", without blanks around `=`" if word == "=" else ""
            raise UsageError(f"`{word}` is not a fact; write name=value{blanks}")
        if len(path) > 1:
            fields.append((path, value if equals else None))
        elif path[0] in facts or any(_fact_of(types, first) == path[0] for (first, *_), _ in fields):
            raise UsageError(f"{path[0]} is given twice{'' if path[0] in facts else _FIELDS_GIVE}")
        else:
            joined = next((each for each in types if f",{each}=" in value.replace(" ", "")), None)
            if joined is not None:
                raise UsageError(f"put a blank between facts, not a comma: {word.replace(',', ' ')}")
            facts[path[0]] = read_value(rules, types.get(path[0]), value if equals else "yes", path[0])
    return _with_fields(rules, procedure, types, facts, fields)


def _with_fields(
    rules: Ruleset,
    procedure: str,
    types: Mapping[str, Type],
    facts: dict[str, Any],
    fields: Iterable[tuple[list[str], str | None]],
) -> dict[str, Any]:
    """The facts with other values of some fields; a record that is given by its name has the default fields."""
    owners = {_fact_of(types, first) for (first, *_), _ in fields}
    if any(isinstance(types.get(name), RecordOf) and isinstance(facts.get(name), str) for name in owners):
        facts = with_described_records(rules.program, inputs_of(rules.program, procedure), facts)
    for path, value in fields:
        _put(rules, types, facts, path, value)
    return facts


@door
def read_changes(
    rules: Ruleset, procedure: str, types: Mapping[str, Type | None], words: Iterable[str]
) -> dict[str, Any]:  # fmt: skip
    """Read changes of what can be varied: ``terrain=town``, ``target.steps=2``, ``low_edge=stays``, ``night``.

    Args:
        rules: The ruleset.
        procedure: The procedure.
        types: The result of ``Ruleset.variables``.
        words: The arguments. Those that are not variables are facts: records that only this situation has.

    Returns:
        The values by name.

    Raises:
        UsageError: A value can't be read.
    """
    pairs = [(word, *(piece.strip() for piece in word.partition("="))) for word in words]
    facts = read_facts(rules, procedure, [word for word, name, *_ in pairs if name not in types])
    changes = {
        name: read_value(rules, types[name], value if equals else "yes", name)
        for _, name, equals, value in pairs
        if name in types
    }
    return facts | changes


_FIELDS_GIVE = "; give the whole record, or one field at a time"


def _put(rules: Ruleset, types: Mapping[str, Type], facts: dict[str, Any], path: list[str], value: str | None) -> None:
    """Set one field of a record, one entry of a map, or one record of a list.

    Examples: ``target.morale=5``, ``units.gun.steps=2``, ``unit.gun.steps=2``, ``target.boxes.hull=2``, ``units.gun=(steps 2)``.
    """
    name = _fact_of(types, path[0])
    type_ = types.get(name)
    steps = list(_types_along(rules, type_, path[1:]))
    if len(steps) < len(path) - 1:
        raise UsageError(f"{'.'.join(path)} is not a field of a record; {_fields_of(rules, types)}")
    if isinstance(type_, ListOf) and isinstance(facts.get(name), list):
        # `units=b3,c2 units.b3.steps=3`: names first, then their fields.
        facts[name] = {key: {} for key in facts[name]}
    into, at = facts, name
    for piece in path[1:]:
        into, at = into.setdefault(at, {}), piece
        if not isinstance(into, dict):
            raise UsageError(f"{name} is already given as a whole")
    if isinstance(type_, ListOf) and len(path) == 2:
        into.setdefault(at, {}).update({} if value is None else _fields_in(rules, steps[-1], path, value))
    else:
        into[at] = read_value(rules, steps[-1], "yes" if value is None else value)


def _fields_in(rules: Ruleset, type_: Type | None, path: list[str], value: str) -> dict[str, Any]:
    """The fields of a record of a list: ``units.gun=(steps 2)``."""
    place, is_in_brackets = ".".join(path), value.strip().startswith("(")
    found = read_value(rules, type_, f"{path[1]} {value}" if is_in_brackets else value, place)
    if not isinstance(found, dict) or not (is_in_brackets or value.strip().startswith("{")):
        raise UsageError(f"`{place}={value}` does not describe the record {path[1]}; write {place}=(FIELD VALUE, ...)")
    return {name: each for name, each in found.items() if name != "name"}


def _types_along(rules: Ruleset, type_: Type | None, path: list[str]) -> Iterator[Type | None]:
    """The type behind each piece of a path: a record of a list, a field of a record, an entry of a map.

    It ends before the first piece that leads nowhere; the type of an unknown field is ``None``.
    """
    for piece in path:
        match type_:
            case ListOf(RecordOf() as of):
                type_ = of
            case RecordOf(record):
                field = rules.records[record].fields.get(piece)
                type_ = None if field is None else field.domain
            case MapOf(_, value):
                type_ = value
            case _:
                return
        yield type_


def _fields_of(rules: Ruleset, types: Mapping[str, Type]) -> str:
    """How to give the fields of the records of this procedure: ``units.NAME.steps=...``."""
    ways = []
    for name, type_ in types.items():
        record = type_.of if isinstance(type_, ListOf) else type_
        if isinstance(record, RecordOf) and rules.records[record.record].fields:
            field = next(iter(rules.records[record.record].fields))
            ways.append(f"{name}.{'NAME.' if isinstance(type_, ListOf) else ''}{field}=...")
    return f"write {' or '.join(ways)}" if ways else "no fact here is a record"


def _fact_of(types: Mapping[str, Type], name: str) -> str:
    """The fact with this name, or the only list of records of the kind with this name."""
    if name in types:
        return name
    lists = [fact for fact, type_ in types.items() if type_ == ListOf(RecordOf(name))]
    return lists[0] if len(lists) == 1 else name


@door
def read_value(rules: PreparedRules, type_: Type | None, text: str, name: str = "it") -> Any:
    """Read one value: a value of the language, or JSON.

    Args:
        rules: The ruleset.
        type_: The declared type; ``None`` if it is unknown.
        text: The text after ``=``.
        name: The name of the fact, for messages.

    Returns:
        Data for the library.

    Raises:
        UsageError: The text can't be parsed.
    """
    text = text.strip()
    if type_ is None:
        # The library reports the unknown name, with the value as it was typed.
        return text
    if not text and isinstance(type_, Bool):
        raise UsageError(f"{name} needs a value; for yes, leave out the `=`")
    if _SIMPLE.fullmatch(text) and text not in ("none", "nothing"):
        with suppress(Unfit):
            return _simple(type_, text)
    if text[:1] in ("{", '"') or (text[:1] == "[" and _is_json(text)):
        return read_json(text, "the value")
    from enfilade.api.entries import EntryReader

    with _as_usage():
        return EntryReader(rules, keys=True).value(type_, text, name)


def _simple(type_: Type, text: str) -> Any:
    """Read words and whole numbers as their types do, without importing the parser of entries.

    Importing the parser would take as long as everything else in ``enfilade resolve``.

    Raises:
        Unfit: Only the parser can read it, or nothing.
    """
    if isinstance(type_, ListOf):
        return [_simple(type_.of, piece) for piece in text.split(",")]
    if isinstance(type_, WordSet):
        return list(type_.read(text.split(",")))
    return text if isinstance(type_, RecordOf) else type_.read(text)


@contextmanager
def _as_usage() -> Iterator[None]:
    try:
        yield
    except EntryError as wrong:
        raise UsageError(f"{wrong}; {wrong.hint}" if wrong.hint else str(wrong)) from wrong


def _is_json(text: str) -> bool:
    # `[town, woods]` is a list as the language writes it.
    return re.match(r"\[\s*[\]\[{\"\d-]", text) is not None


@door
def read_json(text: str, what: str) -> Any:
    """Read JSON with exact numbers.

    Args:
        text: The text.
        what: Its name in messages.

    Raises:
        UsageError: It is not JSON.
    """
    try:
        return json.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as wrong:
        raise UsageError(f"{what} is not valid JSON: {wrong}") from wrong


@door
def read_known_answers(parts: Iterable[str] | None) -> Any:
    """Read dice or choices that are known in advance: ``4,3`` in the order asked, or by name, ``fire_roll=4,3``.

    Args:
        parts: The typed arguments; ``None`` if there are none.

    Returns:
        A list, a mapping from name to answers, or ``None`` if there are no arguments.

    Raises:
        UsageError: Some answers have a name and some do not.

    Examples:
        >>> read_known_answers(["4,3"]), read_known_answers(["morale[gun]=2", "fire_roll=4 3"])
        ([4, 3], {'morale[gun]': [2], 'fire_roll': [4, 3]})
    """
    if parts is None:
        return None
    listed: list[Any] = []
    named: dict[str, list[Any]] = {}
    for part in parts:
        name, equals, answers = part.rpartition("=")
        items = _answers(answers)
        if equals:
            named.setdefault(name.strip(), []).extend(items)
        else:
            listed += items
    if listed and named:
        raise UsageError("give all answers in the order asked, or all by name")
    return named or listed


@door
def read_policies(parts: Iterable[str] | None) -> dict[str, str] | None:
    """Read policies for odds: ``pushes: first_sixes is 0``, the name of a choice and an expression.

    Args:
        parts: The typed policies; ``None`` if there are none.

    Raises:
        UsageError: A policy has no name, or a choice has two policies.

    Examples:
        >>> read_policies(["pushes: first_sixes is 0"])
        {'pushes': 'first_sixes is 0'}
    """
    policies: dict[str, str] = {}
    for part in parts or ():
        name, colon, expression = (piece.strip() for piece in part.partition(":"))
        if not (name and colon and expression):
            raise UsageError(f'"{part}" is not a policy; write CHOICE: EXPRESSION, such as `pushes: first_sixes is 0`')
        if name in policies:
            raise UsageError(f"{name} has two policies; give only one")
        policies[name] = expression
    return policies or None


def _answers(text: str) -> list[Any]:
    if re.fullmatch(r"[\d,\s]{,100}", text):
        return [int(piece) for piece in re.findall(r"\d+", text)]
    from enfilade.api.entries import read_answers

    with _as_usage():
        return read_answers(text)


@door
def read_options(rules: Ruleset, words: Iterable[str]) -> dict[str, Any]:
    """Read options: ``flanking_fire``, ``flanking_fire=no``, ``low_edge=no_effect``.

    Args:
        rules: The ruleset.
        words: The arguments.

    Returns:
        The options by name.
    """
    options: dict[str, Any] = {}
    fields = {field.name: field for field in rules.option_fields}
    for word in words:
        name, equals, value = word.partition("=")
        declared = fields.get(name.strip())
        options[name.strip()] = (
            read_value(rules, None if declared is None else declared.domain, value) if equals else True
        )
    return options


@door
def read_values(rules: Ruleset, type_: Type | None, text: str) -> Iterator[Any]:
    """Read several values of a fact: ``1..45``, ``1..10,20``, ``town,woods``; ``;`` separates lists.

    Args:
        rules: The ruleset.
        type_: The type of the fact; ``None`` if unknown.
        text: The typed values.

    Raises:
        UsageError: The end of a range is missing or below its start, or there are no values.

    Examples:
        >>> import enfilade
        >>> list(read_values(enfilade.load("fire_combat"), None, "1..3"))
        [1, 2, 3]
    """
    pieces = text.split(";") if ";" in text else text.split(",")
    for piece in pieces:
        found = _RANGE.fullmatch(piece.strip())
        if found is None and not piece.strip():
            raise UsageError(f'"{text}" has no values; write 1..45, or a list')
        if found is None:
            yield read_value(rules, type_, piece)
            continue
        low, high = int(found[1]), int(found[2])
        if not 0 <= high - low < _MOST_VALUES:
            raise UsageError(f"{piece.strip()} is not a range; write the lower end first")
        yield from range(low, high + 1)
