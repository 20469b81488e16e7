"""Definitions typed at the prompt: they extend the ruleset in use, or form a new ruleset.

A definition is checked like a file, and added only if it has no errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from attrs import evolve

import enfilade
from enfilade import Ruleset
from enfilade.language import Line, line
from enfilade_repl.definition_text import leaves, name_of, record_without_fields, scratch_text
from enfilade_repl.entry import EntryError
from enfilade_repl.session import Session
from enfilade_repl.state import LoadedRuleset

_HOW: Final = (
    "These lines define part of the rules. Indent the lines below the first; an empty line ends the definition, "
    "`cancel` discards it. Nothing was defined: the Up key brings your lines back."
)


def define(session: Session, text: str) -> Iterator[Line]:
    """Add a definition; it replaces an earlier one of the same name. `cancel` or `help` as its last line leaves it."""
    if leaves(text):
        yield line(("hint", _HOW if leaves(text) == "help" else "Cancelled. Nothing was defined."))
        return
    record = record_without_fields(text.strip())
    if record is not None:
        help_ = f"indent the fields of the record in the lines below; to save combats to a file, type `record {record}.rules`"
        raise EntryError(f"the record {record} has no fields", help_)
    old = session.state.ruleset or LoadedRuleset(of_its_own(""), None)
    name = name_of(text)
    kept = tuple(each for each in old.scratch if name_of(each) != name)
    new = with_scratch(old, (*kept, text.strip("\n")))
    session.state = evolve(session.state, ruleset=new)
    replaced = "replaced" if len(kept) < len(old.scratch) else "defined"
    yield line(("ok", f"{replaced} "), ("name", name))
    for found in new.rules.diagnostics:
        # Procedures may follow.
        if found.span.source == new.rules.sources[0] and found.code != "nothing-to-play":
            yield line(("warning", f"warning[{found.code}]: {found.message}"))


def with_scratch(ruleset: LoadedRuleset, scratch: tuple[str, ...]) -> LoadedRuleset:
    """Replace the typed definitions of a loaded ruleset.

    Raises:
        RulesetError: The definitions have errors.
    """
    text = scratch_text(scratch)
    if ruleset.base is None:
        rules = of_its_own(text)
    else:
        base = ruleset.base.with_options(**{name: ruleset.rules.options[name] for name in ruleset.base.options})
        rules = base.extended(text) if scratch else base
    return evolve(ruleset, rules=rules, scratch=scratch)


def file_text(ruleset: LoadedRuleset, name: str, base: str | None) -> str:
    """The typed definitions as a rules file: a variant of the ruleset in use, or a new ruleset.

    Args:
        ruleset: The ruleset in use with its typed definitions.
        name: The name of the file.
        base: The name with which the file extends the ruleset in use; ``None`` if there is no ruleset.
    """
    extends = "" if base is None else f" extends {base}"
    called = re.sub(r"\W", "_", name, flags=re.ASCII)
    called = called if called[:1].isalpha() else f"ruleset_{called}"
    return f"enfilade 1.1\nruleset {called}{extends}\n\n{scratch_text(ruleset.scratch)}"


def of_its_own(text: str) -> Ruleset:
    """Compile typed definitions to a new ruleset that extends no other."""
    return enfilade.load(text=f"enfilade 1.1\nruleset scratch\n{text}")
