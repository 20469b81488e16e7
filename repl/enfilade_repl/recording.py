"""Records the combats of a session as examples: a variant of their ruleset that `enfilade test` runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from enfilade import RecordKind
from enfilade.files import SUFFIX, is_name
from enfilade.language import typed_field
from enfilade.tools import NoFile, example_of, tried_out
from enfilade.types import record_kind
from enfilade_repl.definitions import file_text
from enfilade_repl.entry import EntryError, types_of
from enfilade_repl.state import LoadedRuleset, Resolution

# ------------------------------------------------------------------------------------------------ as they are typed


def facts_text(done: Resolution) -> str:
    """The facts of a combat as a person types them."""
    given = given_without_defaults(done).items()
    return ", ".join(f"{name} no" if value is False else typed_field(name, value) for name, value in given)


def given_without_defaults(done: Resolution) -> dict[str, Any]:
    """The facts of a combat; fields of records that equal their default are left out."""
    types = types_of(done.ruleset.rules, done.procedure)
    records = done.ruleset.rules.records
    return {
        name: _without_defaults(records.get(record_kind(types[name]) or ""), value)
        for name, value in done.given.items()
    }


def _without_defaults(declared: RecordKind | None, value: Any) -> Any:
    if declared is None:
        return value
    if isinstance(value, list):
        return [_without_defaults(declared, item) for item in value]
    if not isinstance(value, Mapping):
        return value
    fields = declared.fields
    return {
        name: each for name, each in value.items()
        if name not in fields or fields[name].required or fields[name].default != each
    }  # fmt: skip


def changed_options(done: Resolution) -> Iterator[tuple[str, Any]]:
    """The options of a combat that differ from their defaults."""
    rules = done.ruleset.rules
    yield from ((name, rules.options[name]) for name in rules.changed_options)


# --------------------------------------------------------------------------------------------------------- a file


@frozen
class Recorded:
    """A file of examples.

    Attributes:
        text: The text of the file.
        left_out: The numbers of the combats that do not pass as examples.
    """

    text: str
    left_out: tuple[int, ...]


def examples_file(resolutions: tuple[Resolution, ...], path: Path) -> Recorded:
    """Write combats as examples in a variant of the ruleset of the last combat.

    Args:
        resolutions: The combats; those of other rulesets are left out.
        path: The path that the file will have.

    Raises:
        EntryError: The file could not find the rules, or no example passes.
    """
    ruleset = resolutions[-1].ruleset
    same = {number: done for number, done in enumerate(resolutions, 1) if done.ruleset.name == ruleset.name}
    known = ruleset.rules.names("procedure")
    examples = {
        number: example_of(
            done.ruleset.rules,
            done.outcome,
            given_without_defaults(done),
            dict(changed_options(done)),
            f"played {number}",
        )
        for number, done in same.items()
        if done.procedure in known
    }
    head = file_text(ruleset, path.stem, extended_name(ruleset, path))
    try:
        file = tried_out(path, head, examples, all_examples=bool(ruleset.scratch))
    except NoFile as wrong:
        hint = "write the file in the folder of the rules" if wrong.module else ""
        raise EntryError(f"{path} can't be used with the rules: {wrong}", hint) from wrong
    if not file.numbers:
        raise EntryError("none of the combats can be written as an example in a separate file")
    return Recorded(file.text, tuple(number for number in same if number not in file.numbers))


def extended_name(ruleset: LoadedRuleset, path: Path) -> str | None:
    """The name after ``extends`` with which a file finds a ruleset; ``None`` if there is no ruleset to extend.

    Args:
        ruleset: The ruleset.
        path: The path of the file.

    Raises:
        EntryError: The file could not find the ruleset.
    """
    if ruleset.base is None:
        return None
    name = ruleset.base.name if ruleset.path is None else _name_beside(ruleset.path, path)
    if path.stem == name:
        raise EntryError(
            f"{path} would extend itself, because the rules to extend are also called {name}", "choose another name"
        )
    return name


def _name_beside(rules: Path, path: Path) -> str:
    """The name with which a file finds rules in the same folder."""
    if not is_name(rules.stem) or rules.suffix != SUFFIX:
        raise EntryError(
            f"no file can extend {rules}",
            f"rename the file: the name may contain only letters, digits and _, and must end in {SUFFIX}",
        )
    own = rules.resolve().parent
    if path.resolve().parent not in (own, own.parent if own.name == rules.stem else None):
        raise EntryError(
            f"{path} can't find the rules in {rules}", f"write the file in the folder of the rules: {own / path.name}"
        )
    return rules.stem
