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
    """The facts of a resolution as they are typed."""
    return ", ".join(_typed(name, value) for name, value in said_of(done).items())


def _typed(name: str, value: Any) -> str:
    if value is None:
        return f"{name} none"
    if value is False:
        return f"{name} no"
    return typed_field(name, value)


def said_of(done: Resolution) -> dict[str, Any]:
    """The facts of a resolution, its records without the fields that have their defaults."""
    types = types_of(done.ruleset.rules, done.procedure)
    records = done.ruleset.rules.records
    return {name: _said(records.get(record_kind(types[name]) or ""), value) for name, value in done.given.items()}


def _said(declared: RecordKind | None, value: Any) -> Any:
    if declared is None:
        return value
    if isinstance(value, list):
        return [_said(declared, item) for item in value]
    if not isinstance(value, Mapping):
        return value
    fields = declared.fields
    return {
        name: each for name, each in value.items()
        if name not in fields or fields[name].required or fields[name].default != each
    }  # fmt: skip


def options_of(done: Resolution) -> Iterator[tuple[str, Any]]:
    """The options of a resolution that were not as the rules have them."""
    rules = done.ruleset.rules
    yield from ((name, rules.options[name]) for name in rules.changed_options)


# --------------------------------------------------------------------------------------------------------- a file


@frozen
class Recorded:
    """What is to be written.

    Attributes:
        text: The file.
        left_out: The numbers of the resolutions that do not come to the same with it.
    """

    text: str
    left_out: tuple[int, ...]


def examples_file(resolutions: tuple[Resolution, ...], path: Path) -> Recorded:
    """A rules file with an example for each resolution, as a variant of the ruleset of the last of them.

    Args:
        resolutions: The resolutions; those of another ruleset are left out.
        path: Where the file is to lie.

    Raises:
        EntryError: The file would not find the rules, or nothing can be written.
    """
    ruleset = resolutions[-1].ruleset
    same = {number: done for number, done in enumerate(resolutions, 1) if done.ruleset.name == ruleset.name}
    known = ruleset.rules.names("procedure")
    examples = {
        number: example_of(done.ruleset.rules, done.outcome, said_of(done), dict(options_of(done)), f"played {number}")
        for number, done in same.items()
        if done.procedure in known
    }
    head = file_text(ruleset, path.stem, extended_name(ruleset, path))
    try:
        file = tried_out(path, head, examples, all_examples=bool(ruleset.scratch))
    except NoFile as wrong:
        hint = "write it beside them" if wrong.module else ""
        raise EntryError(f"{path} would not go with the rules: {wrong}", hint) from wrong
    if not file.numbers:
        raise EntryError("nothing of what was resolved comes to the same in a file of its own")
    return Recorded(file.text, tuple(number for number in same if number not in file.numbers))


def extended_name(ruleset: LoadedRuleset, path: Path) -> str | None:
    """The name by which a file finds the ruleset that it extends; ``None`` where it extends none.

    Args:
        ruleset: The ruleset.
        path: The file that extends it.

    Raises:
        EntryError: It would not find it.
    """
    if ruleset.base is None:
        return None
    name = ruleset.base.name if ruleset.path is None else _name_beside(ruleset.path, path)
    if path.stem == name:
        raise EntryError(f"{path} would extend itself, for the rules are called {name} too", "choose another name")
    return name


def _name_beside(rules: Path, path: Path) -> str:
    """The name by which a file finds rules that lie beside it."""
    if not is_name(rules.stem) or rules.suffix != SUFFIX:
        raise EntryError(f"no file can extend {rules}", f"call it by letters, digits and _ alone, and {SUFFIX}")
    own = rules.resolve().parent
    if path.resolve().parent not in (own, own.parent if own.name == rules.stem else None):
        raise EntryError(f"{path} would not find the rules in {rules}", f"write it beside them: {own / path.name}")
    return rules.stem
