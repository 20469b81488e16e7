"""The commands for rulesets and their authors: `games`, `procedures`, `use`, `load`, `reload`, `option`, `check`, `test`, `diff`, `definitions`, `forget`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import evolve

from enfilade import EnfiladeError, InputError, Ruleset, RulesetError, UsageError
from enfilade.files import find_one, is_of_library, is_shipped, shipped_names, shipped_titles
from enfilade.language import (
    Line,
    diagnostic_lines,
    in_columns,
    line,
    lines_of,
    read_options,
    read_patience,
    refusal_line,
    unknown_name,
    value_text,
)
from enfilade.terminal import counted
from enfilade.tools import run_ruleset_examples
from enfilade.types import Bool
from enfilade_repl.clauses import clauses
from enfilade_repl.definition_text import name_of
from enfilade_repl.definitions import with_scratch
from enfilade_repl.entry import EntryError
from enfilade_repl.games import game_meant
from enfilade_repl.journal import SUFFIX
from enfilade_repl.odds_answers import drawn
from enfilade_repl.same_dice import outputs_beside, thrown_alike
from enfilade_repl.session import Session
from enfilade_repl.state import InactiveRuleset, LoadedRuleset, Resolution


def games(session: Session, text: str) -> Iterator[Line]:
    """List the shipped rulesets with their titles."""
    yield from in_columns([[("name", name), ("", title)] for name, title in shipped_titles().items()])
    yield line(("hint", "`use NAME` starts a game; `load FILE.rules` uses your own file."))


def procedures(session: Session, text: str) -> Iterator[Line]:
    """List the procedures and events of the ruleset in use with their titles."""
    yield line(("title", session.ruleset.rules.title))
    yield from in_columns([[("name", name), ("", label)] for name, label in session.playable().items()])
    yield line(("hint", "Type a name to play; `help NAME` lists the facts that you can add."))


def facts(session: Session, text: str) -> Iterator[Line]:
    """List the facts of each procedure and event, or of one."""
    rules, names = session.ruleset.rules, session.playable()
    wanted = text.strip()
    if wanted and wanted not in session.names():
        unknown_name(wanted, names, "there is no procedure")
    for name in [wanted] if wanted else names:
        yield line(("title", name))
        rows = [
            [("", " "), ("name", fact), ("", " ".join(filter(None, (field.label, f"({field.domain.allowed})"))))]
            for fact, field in rules.inputs(name).items()
        ]
        yield from in_columns(rows)


def use(session: Session, text: str) -> Iterator[Line]:
    """Load a ruleset; if it is a file of the player, watch it for changes."""
    place = text.strip().strip('"')
    if not place:
        raise EntryError("name a ruleset", f"the shipped rulesets are {', '.join(shipped_names())}")
    place = game_meant(place) or place
    session_file = place if place.endswith(SUFFIX) else f"{place}{SUFFIX}"
    if place not in shipped_names() and not Path(place).is_dir() and Path(session_file).is_file():
        hint = f"`open {session_file.removesuffix(SUFFIX)}` continues it"
        raise EntryError(f"{session_file} is a saved session, not a ruleset", hint)
    rules = session.load(place)
    ruleset = LoadedRuleset(rules, rules, place, watched_path(rules))
    ruleset = _change_ruleset(session, ruleset)
    rules = ruleset.rules
    yield line(("title", rules.title))
    yield line(("label", "procedures "), ", ".join(session.playable()) or "none")
    if rules.charts:
        yield line(("label", "charts     "), ", ".join(rules.charts))
    if rules.option_fields:
        yield line(("label", "options    "), ", ".join(option_text(session, each.name) for each in rules.option_fields))
    warnings = len(rules.diagnostics)
    # The warnings of a shipped game are not the player's to mend.
    if warnings and ruleset.path is not None:
        yield line(("warning", counted(warnings, "warning")), ("hint", " (`check` shows them)"))


def _change_ruleset(session: Session, ruleset: LoadedRuleset) -> LoadedRuleset:
    """Switch rulesets: keep the old one with its pieces, and restore the pieces and options of the new one."""
    table = session.state
    inactive = dict(table.inactive)
    if table.ruleset is not None and (table.pieces or table.ruleset.scratch or _set_options(table.ruleset)):
        inactive[table.ruleset.name] = InactiveRuleset(table.ruleset, table.pieces)
        if table.ruleset.name != ruleset.name:
            what = counted(len(table.pieces), "piece") if table.pieces else "options and definitions"
            session.say(line(("hint", f"set aside until you use {table.ruleset.name} again: {what}")))
    back = inactive.pop(ruleset.name, None)
    if back is not None:
        ruleset = _as_it_was(ruleset, back.ruleset)
        pieces = counted(len(back.pieces), "piece")
        session.say(line(("hint", f"restored: {pieces}, options and definitions")))
    session.state = evolve(table, ruleset=ruleset, pieces={} if back is None else back.pieces, inactive=inactive)
    return ruleset


def _set_options(ruleset: LoadedRuleset) -> bool:
    """Whether an option differs from its default."""
    return bool(ruleset.rules.changed_options)


def _as_it_was(new: LoadedRuleset, old: LoadedRuleset) -> LoadedRuleset:
    """Restore the previous options and definitions of a reloaded ruleset."""
    assert new.base is not None
    kept = {name: value for name, value in old.rules.options.items() if name in new.base.options}
    base = new.base.with_options(**kept)
    return with_scratch(evolve(new, rules=base, base=base), old.scratch)


def option_text(session: Session, name: str) -> str:
    """An option with its value."""
    ruleset = session.ruleset
    return f"{name} {value_text(ruleset.rules.options[name])}"


def option(session: Session, text: str) -> Iterator[Line]:
    """Show the options, or set one."""
    ruleset = session.ruleset
    fields = {each.name: each for each in ruleset.rules.option_fields}
    name, _, value = text.strip().partition(" ")
    if not name:
        rows = [
            [
                ("name", each.name),
                ("code", value_text(ruleset.rules.options[each.name])),
                ("hint", each.domain.allowed),
                ("", each.label or ""),
            ]
            for each in fields.values()
        ]
        yield from in_columns(rows) or (line(("hint", "This ruleset has no options.")),)
        return
    declared = fields.get(name)
    if not value.strip() and declared is not None and not isinstance(declared.domain, Bool):
        yield line(
            ("name", name),
            " ",
            ("code", value_text(ruleset.rules.options[name])),
            ("hint", f"  {fields[name].domain.allowed}"),
        )
        return
    word = f"{name}={value.strip()}" if value.strip() else name
    rules = ruleset.rules.with_options(**read_options(ruleset.rules, [word]))
    session.state = evolve(session.state, ruleset=evolve(ruleset, rules=rules))
    yield line(("name", name), " ", ("code", value_text(rules.options[name])))


# ------------------------------------------------------------------------------------------------------ read again


def reload(session: Session, text: str) -> Iterator[Line]:
    """Read the file again, and replay the last combat with the same dice."""
    old = session.ruleset
    if old.base is None:
        raise EntryError("no ruleset was loaded from a file")
    try:
        base = session.load(old.place)
    except RulesetError as wrong:
        if not wrong.diagnostics:
            raise
        yield from diagnostic_lines(wrong.diagnostics, errors_alone=True, columns=session.columns)
        yield line(("error", f"{old.place} has errors."), ("hint", " The last version without errors stays in use."))
        session.code = 1
        return
    new = _as_it_was(evolve(old, rules=base, base=base, path=watched_path(base)), old)
    session.replace_ruleset(old, new)
    yield line(("ok", f"{old.place} read again:"), ("hint", f" {counted(len(base.diagnostics), 'warning')}."))
    yield from diagnostic_lines(base.diagnostics, columns=session.columns)
    if session.state.resolutions:
        yield from _tried_again(session, session.last, new)


def _tried_again(session: Session, done: Resolution, ruleset: LoadedRuleset) -> Iterator[Line]:
    """Replay the last combat with the new rules and the same dice."""
    try:
        after = thrown_alike(ruleset.rules, done, done.given)
    except (EntryError, InputError) as wrong:
        yield line(("hint", f"{done.procedure} can't be played again with the same dice: {wrong}."))
        return
    except EnfiladeError as wrong:
        yield line(("error", f"{done.procedure}: {wrong}"))
        return
    if after.refusal is not None:
        yield refusal_line(after)
        return
    same = f"{done.procedure} has the same result."
    yield from outputs_beside(
        done.outcome.outputs, after.outputs, (done.procedure, "before", "now"), session.columns, all_same=same
    )


# --------------------------------------------------------------------------------------------------- check and test


def check(session: Session, text: str) -> Iterator[Line]:
    """Show the warnings of the checker."""
    found = session.ruleset.rules.diagnostics
    yield from diagnostic_lines(found, columns=session.columns)
    yield line(("ok" if not found else "warning", counted(len(found), "warning")))


def test(session: Session, text: str) -> Iterator[Line]:
    """Run the examples."""
    passed = failed = 0
    for result in run_ruleset_examples(session.ruleset.rules):
        passed, failed = passed + result.passed, failed + (not result.passed)
        yield from diagnostic_lines(result.diagnostics, columns=session.columns)
    session.code = 1 if failed else 0
    style = "error" if failed else "ok"
    yield line((style, f"{counted(passed + failed, 'example')}: {passed} passed, {failed} failed"))


# ---------------------------------------------------------------------------------------------------- definitions


def diff(session: Session, text: str) -> Iterator[Line]:
    """Show what another ruleset changes in the one in use; without a name, what the definitions of the prompt change."""
    said, ruleset = clauses(text), session.ruleset
    place = said.head.strip().strip('"')
    if place:
        old, new = ruleset.rules, session.load(game_meant(place) or place)
    elif ruleset.base is not None and ruleset.scratch:
        old, new = ruleset.base, ruleset.rules
    else:
        raise EntryError("name the other ruleset", "for example: `diff house_rules.rules`")
    limits = old.limits.with_patience(read_patience(session.settings["patience"]))
    try:
        found = old.diff(new, of=(said.of,) if said.of else (), limits=limits)
    except InputError as wrong:
        raise EntryError(str(wrong)) from wrong
    yield from drawn(found.text())


def definitions(session: Session, text: str) -> Iterable[Line]:
    """Show the definitions typed at the prompt."""
    scratch = session.state.ruleset.scratch if session.state.ruleset is not None else ()
    if not scratch:
        return (line(("hint", "Nothing was defined in this session.")),)
    return tuple(each for definition in scratch for each in (*lines_of(definition, "source"), ()))[:-1]


def forget(session: Session, text: str) -> Iterator[Line]:
    """Remove a definition typed at the prompt."""
    ruleset = session.ruleset
    wanted = text.strip()
    found = [each for each in ruleset.scratch if wanted in (name_of(each), name_of(each).partition(" ")[2])]
    # A single word of the name is enough if it matches only one definition.
    found = found or [each for each in ruleset.scratch if wanted and re.search(rf"\b{re.escape(wanted)}\b", each)]
    if len(found) > 1:
        raise EntryError(f"{wanted} matches several definitions", "; ".join(map(name_of, found)))
    kept = tuple(each for each in ruleset.scratch if each not in found)
    if len(kept) == len(ruleset.scratch):
        names = ", ".join(map(name_of, ruleset.scratch))
        raise EntryError(
            f'"{wanted}" was not defined in this session',
            f"the definitions are {names}" if names else "you have not defined anything yet",
        )
    session.state = evolve(session.state, ruleset=with_scratch(ruleset, kept))
    yield line(("hint", f"Forgotten: {wanted}"))


def watched_again(session: Session) -> Iterator[Line]:
    """Watch the rules file of an opened session, and report if the file has changed since the session was saved."""
    ruleset = session.state.ruleset
    if ruleset is None or ruleset.base is None or ruleset.path is not None:
        return
    try:
        source = find_one(ruleset.place)
    except UsageError:
        return
    if source.path is None or is_shipped(source.path):
        return
    session.replace_ruleset(ruleset, evolve(ruleset, path=source.path))
    if source.text != ruleset.base.sources[0].text:
        yield line(
            ("warning", f"{ruleset.place} has changed since the session was saved."),
            ("hint", " `reload` reads the file again."),
        )


def watched_path(rules: Ruleset) -> Path | None:
    """The file of a ruleset that an author may change."""
    path = rules.sources[0].path
    if path is None or is_of_library(path) or is_shipped(path):
        return None
    return path
