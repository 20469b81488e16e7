"""Suggestions: what to type instead of an entry that can't be understood.

A whole line is suggested only if it works: the suggestion reads its facts and begins its procedure first. Helper
procedures and those of imported modules are never suggested.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NoReturn

from enfilade import EnfiladeError
from enfilade.files import shipped_names
from enfilade.language import nearest, only_beginning
from enfilade_repl.entry import EntryError, first_word, types_of
from enfilade_repl.runs import would_begin
from enfilade_repl.session import Session

# What to type for words that people expect to be commands: some of them only a shell has.
_MEANT: Final = {
    "new": "to make a ruleset, type `enfilade new FILE.rules` in a shell, then `load FILE.rules` here",
    "fmt": "`enfilade fmt FILE.rules` in a shell formats a file",
    "resume": "`open last` continues the last session",
    "continue": "`open last` continues the last session",
    "drm": "`modifiers` prints the modifiers",
    **dict.fromkeys(("status", "state"), "`table` shows the pieces, `log` the combats of this session"),
    "list": "`procedures`, `facts`, `charts` and `table` show lists",
    "rules": "`card` prints the charts, modifiers and results; `rule` lists the citations",
    "clear": "Ctrl-L clears the screen; `drop NAME` takes a piece off the table",
    "ledger": "`enfilade ledger RULESET` in a shell prints a ledger",
}
_SHORTEST: Final = 3
_MOST_NAMED: Final = 3


def raise_unknown(session: Session, word: str, text: str, commands: Iterable[str]) -> NoReturn:
    """Report an entry that is neither a command nor an expression, and suggest what to type.

    Args:
        session: The session.
        word: The word that is unknown; empty if the entry begins with a number.
        text: The whole entry.
        commands: The names of the commands.

    Raises:
        EntryError: Always.
    """
    message = f'there is no command "{word}"' if word else f'"{text}" is neither a command nor an expression'
    if word.casefold() in _MEANT:
        raise EntryError(f"{message} here", _MEANT[word.casefold()])
    hint = next(_hints(session, word, text, commands), None)
    raise EntryError(message, hint or _first_step(session))


def _hints(session: Session, word: str, text: str, commands: Iterable[str]) -> Iterator[str]:
    """The suggestions that fit, the best one first."""
    played = session.playable()
    begun, rest = first_word(text.strip())
    alike = [name for name in played if word and word.casefold() in name.split("_")][:_MOST_NAMED]
    if alike:
        lines = [f"{name} {rest}" for name in alike if begun == word and rest and _works(session, name, rest)]
        yield f"type {_either(lines or alike)} to play"
    game = only_beginning(word, shipped_names())
    if game is not None and len(word) >= _SHORTEST and (not rest or not played):
        yield f"`use {game}` starts the game {game}"
    lines = [f"{name} {text}" for name in played if _works(session, name, text)][:_MOST_NAMED]
    if lines:
        yield f"type {_either(lines)}"
    close = nearest(word, [*commands, *played, *session.state.pieces, *shipped_names()])
    if close:
        yield f"did you mean `{f'use {close}' if close in shipped_names() and close not in played else close}`?"
    facts = [fact for name in played for fact in types_of(session.ruleset.rules, name)]
    fact = word if word in facts else nearest(word, facts)
    if fact:
        yield f"`{fact}` is a fact; `help {fact}` explains it"


def _works(session: Session, name: str, text: str) -> bool:
    """Whether a procedure can be played with the facts in a text."""
    try:
        return would_begin(session, name, text)
    except EnfiladeError:
        return False


def _either(entries: Iterable[str]) -> str:
    *first, last = (f"`{entry}`" for entry in entries)
    return f"{', '.join(first)} or {last}" if first else last


def _first_step(session: Session) -> str:
    """What to begin with, if nothing resembles the entry."""
    played = session.playable()
    first = "`games` lists the games"
    if played:
        several = len(played) > _MOST_NAMED
        first = (
            f"begin with the name of a procedure, such as `{next(iter(played))}`"
            if several
            else f"type {_either(played)} to play"
        )
    return f"{first}; `help` lists all commands"
