"""Completes commands and their arguments."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from enfilade.files import shipped_names
from enfilade.language import Named, value_text, visible, vocabulary_of
from enfilade_repl.commands import COMMANDS, find_command
from enfilade_repl.completion.facts import Candidate, Offer, begun, last_word, matching, sheet_of
from enfilade_repl.completion.questions import (
    compare_after,
    facts_after,
    least_after,
    odds_after,
    what_after,
    worth_after,
)
from enfilade_repl.entry import first_word
from enfilade_repl.journal import SUFFIX, kept_sessions
from enfilade_repl.session import Session
from enfilade_repl.settings import SETTINGS

_PLAYED: Final = (("on", "the faces rolled"), ("choosing", "the options chosen"))
_MOST_FILES: Final = 500


def of_commands(session: Session, text: str) -> Iterator[Candidate]:
    """Complete the commands that are available now, and their arguments."""
    word, rest = begun(text)
    asks = session.state.asks
    if rest is None:
        offered = (each for each in COMMANDS if each.while_asking or not asks)
        yield from matching(word, ((each.name, each.help) for each in offered))
        return
    command = find_command(word)
    if command is not None and (command.while_asking or not asks):
        # A completer for this command takes precedence over the completer for its kind of argument.
        complete = _AFTER_COMMAND.get(command.name) or _AFTER[command.completes]
        yield from complete(session, rest)


def played(session: Session, named: Mapping[str, Named], text: str) -> Iterator[Candidate]:
    """Complete facts, and options after `choosing`; dice are never completed."""
    said = re.split(r"(?<!\S)(on|choosing)\s", text)
    if len(said) > 1:
        chosen = said[-2] == "choosing"
        pieces = ((each.name, each.described()) for each in session.state.pieces.values())
        yield from matching(last_word(said[-1]), pieces if chosen else (_PLAYED[1],) if " " in said[-1] else ())
        return
    yield from sheet_of(session, named, _PLAYED).offers(text)


def _none(session: Session, text: str) -> Iterator[Candidate]:
    yield from ()


def _rulesets(session: Session, text: str) -> Iterator[Candidate]:
    yield from matching(text, ((name, "shipped") for name in shipped_names()))
    yield from _files(text, (".rules",))


def _files_to_load(session: Session, text: str) -> Iterator[Candidate]:
    yield from _files(text, (".rules",))


def _files_to_save(session: Session, text: str) -> Iterator[Candidate]:
    yield from _files(text, (".rules", SUFFIX))


def _files(text: str, endings: tuple[str, ...]) -> Iterator[Candidate]:
    """The files and folders that begin with a typed path."""
    folder, _, name = text.rpartition("/")
    place = Path(f"{folder}/" if "/" in text else ".").expanduser()
    try:
        with os.scandir(place) as entries:
            found = sorted((each.name, each.is_dir()) for each, _ in zip(entries, range(_MOST_FILES), strict=False))
    except OSError:
        return
    for each, is_folder in found:
        hidden = each.startswith(".") and not name.startswith(".")
        if each.startswith(name) and not hidden and each == visible(each) and (is_folder or each.endswith(endings)):
            yield Candidate(f"{each}/" if is_folder else each, len(name), "folder" if is_folder else "")


def _sessions(session: Session, text: str) -> Iterator[Candidate]:
    kept = kept_sessions(session.folder) if session.folder is not None else ()
    latest = [("last", "the previous session")] if kept else []
    yield from matching(text, [*latest, *((path.stem, "") for path in kept)])
    yield from _files(text, (SUFFIX,))


def _procedures(session: Session, text: str) -> Iterator[Candidate]:
    ruleset = session.state.ruleset
    if ruleset is None:
        return
    word, rest = begun(text)
    known = vocabulary_of(ruleset.rules)
    if rest is None:
        yield from matching(word, ((name, known.labels.get(name, "")) for name in known.facts))
    elif word in known.facts:
        yield from played(session, known.facts[word], rest)


def _pieces(session: Session, text: str) -> Iterator[Candidate]:
    yield from matching(text, ((each.name, each.described()) for each in session.state.pieces.values()))


def _charts(session: Session, text: str) -> Iterator[Candidate]:
    ruleset = session.state.ruleset
    if ruleset is not None:
        labels = vocabulary_of(ruleset.rules).labels
        yield from matching(text, ((name, labels.get(name, "")) for name in ruleset.rules.charts))


def _why(session: Session, text: str) -> Iterator[Candidate]:
    word, rest = begun(text)
    ruleset = session.state.ruleset
    if rest is None:
        yield from matching(
            word, (("short", "in one line"), ("all", "every step"), ("not", "why a modifier did not apply"))
        )
    elif word == "not" and ruleset is not None:
        known = vocabulary_of(ruleset.rules)
        yield from matching(rest, ((name, known.labels.get(name, "")) for name in known.modifiers))


def _cites(session: Session, text: str) -> Iterator[Candidate]:
    ruleset = session.state.ruleset
    if ruleset is not None:
        yield from matching(text, ((cite, "") for cite in ruleset.rules.citations))


def _options(session: Session, text: str) -> Iterator[Candidate]:
    ruleset = session.state.ruleset
    if ruleset is None:
        return
    options = vocabulary_of(ruleset.rules).options
    word, rest = begun(text)
    if rest is None:
        values = ruleset.rules.options
        yield from matching(
            word, ((each.name, f"{value_text(values[each.name])}; {each.text}") for each in options.values())
        )
    elif word in options:
        yield from matching(rest, options[word].domain.offers())


def _settings(session: Session, text: str) -> Iterator[Candidate]:
    word, rest = begun(text)
    if rest is None:
        yield from matching(word, ((each.name, each.help) for each in SETTINGS))
        return
    values = next((each.values for each in SETTINGS if each.name == word), ())
    yield from matching(rest, ((value, "as it is" if value == session.settings[word] else "") for value in values))


def _help(session: Session, text: str) -> Iterator[Candidate]:
    yield from matching(text, names_of_all(session))


def names_of_all(session: Session) -> Iterator[Offer]:
    """Every topic of help."""
    yield from ((command.name, command.help) for command in COMMANDS)
    yield from ((piece.name, piece.described()) for piece in session.state.pieces.values())
    ruleset = session.state.ruleset
    if ruleset is not None:
        known = vocabulary_of(ruleset.rules)
        yield ruleset.name, ruleset.rules.title
        yield from known.labels.items()
        named = [*known.facts.values(), known.options]
        yield from ((each.name, each.text) for group in named for each in group.values())


def _log(session: Session, text: str) -> Iterator[Candidate]:
    done = enumerate(session.state.resolutions, 1)
    yield from matching(text, ((str(number), each.entry) for number, each in done))


def _defined(session: Session, text: str) -> Iterator[Candidate]:
    ruleset = session.state.ruleset
    heads = (first_word(each) for each in (ruleset.scratch if ruleset is not None else ()))
    yield from matching(text, ((f"{word} {first_word(rest)[0]}", "defined here") for word, rest in heads))


def _share(session: Session, text: str) -> Iterator[Candidate]:
    yield from matching(text, (("markdown", "with headings and tables"),))
    yield from _files(text.removeprefix("markdown "), (".txt", ".md"))


_AFTER: Final[Mapping[str, Callable[[Session, str], Iterator[Candidate]]]] = {
    "": _none, "rulesets": _rulesets, "files": _files_to_save, "charts": _charts, "procedures": _procedures,
    "pieces": _pieces, "facts": facts_after, "modifiers": _why, "cites": _cites, "options": _options, "settings": _settings,
    "names": _help, "questions": odds_after, "sessions": _sessions,
}  # fmt: skip
_AFTER_COMMAND: Final[Mapping[str, Callable[[Session, str], Iterator[Candidate]]]] = {
    "load": _files_to_load, "what": what_after, "compare": compare_after, "least": least_after, "worth": worth_after, "log": _log,
    "forget": _defined, "share": _share,
}  # fmt: skip
