"""Dispatch: runs an entry as an answer, a command, a definition, a procedure, a piece or an expression.

The first kind that fits wins, so an answer to the rules is never taken for another kind of entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NoReturn

from enfilade.language import Line, is_listed, nearest
from enfilade_repl import pieces, runs
from enfilade_repl.commands import COMMANDS, find_command
from enfilade_repl.definition_text import is_definition
from enfilade_repl.definitions import define
from enfilade_repl.entry import EntryError, first_word
from enfilade_repl.expressions import UnknownWord, evaluate
from enfilade_repl.journal import Journal
from enfilade_repl.session import Session
from enfilade_repl.settings import Settings

# What to type for words that other programs, or the commands of a shell, have.
_MEANT: Final = {
    "games": "`use` lists the rulesets",
    "rulesets": "`use` lists the rulesets",
    "whatif": "write `what if FACTS`, such as `what if terrain woods`",
    "grid": "write `odds by FACT VALUES`, such as `odds by fire_value 1..45`",
    "describe": "`help` and the name of a procedure describes it",
    "resolve": "type the name of the procedure, or `play` and its name",
}
_DICE_ALONE: Final = re.compile(r"\d+(?:[\s,+]+\d+)+")


def new_session(
    *, seed: str | None = None, settings: Settings | None = None, journal: Journal | None = None,
    progress: Callable[[int], None] | None = None, columns: int = 80,
) -> Session:  # fmt: skip
    """Make a session that can run every kind of entry.

    Args:
        seed: The seed of the dice; random if not given.
        settings: The player's settings.
        journal: The journal that records the entries; in memory only if not given.
        progress: Called with the amount of work done so far on a long computation.
        columns: The maximum width of tables and drawings.
    """
    return Session(interpret, seed=seed, settings=settings, journal=journal, progress=progress, columns=columns)


def interpret(session: Session, text: str) -> Iterator[Line]:
    """Run an entry.

    Args:
        session: The session.
        text: The entry.

    Yields:
        The lines to show.

    Raises:
        EntryError: The entry can't be run.
    """
    try:
        yield from _run(session, text)
    except UnknownWord as wrong:
        _unknown(session, wrong.word)


def _run(session: Session, text: str) -> Iterable[Line]:
    stripped = text.strip()
    if stripped.startswith(("--", "#")) and "\n" not in stripped:
        return ()
    if stripped.startswith("/"):
        return _command(session, stripped[1:].strip())
    word, rest = first_word(stripped)
    is_command = find_command(word) is not None or stripped.startswith("?")
    if session.state.asks:
        pending = None if session.state.form is not None else session.state.pending
        answers = not is_command or (pending is not None and is_listed(pending.question, stripped))
        return runs.answer(session, stripped) if answers else _command(session, stripped)
    if not stripped:
        return ()
    if is_definition(text):
        return define(session, text)
    if is_command:
        return _command(session, stripped)
    return _of_ruleset(session, word, rest) or _expression(session, word, rest, stripped)


def _command(session: Session, text: str) -> Iterable[Line]:
    word, rest = ("?", text[1:].strip()) if text.startswith("?") else first_word(text)
    if not word:
        raise EntryError("say which command", "help lists them")
    command = find_command(word)
    if command is None:
        _unknown(session, word or text)
    if session.state.asks and not command.while_asking:
        raise EntryError(f"{command.name} has to wait until this is answered", "cancel gives it up")
    return command.run(session, rest)


def _of_ruleset(session: Session, word: str, rest: str) -> Iterable[Line] | None:
    """Run an entry that begins with a name of the ruleset in use or of a piece; ``None`` for any other entry."""
    if session.state.ruleset is None:
        return None
    rules = session.state.ruleset.rules
    if word in session.names() and not rest.startswith("("):
        return runs.play(session, word, rest)
    if word in rules.records and rest[:1] not in ("(", "."):
        return pieces.enter_piece(session, word, rest)
    piece = session.state.pieces.get(word)
    if piece is None:
        return None
    if not rest:
        return (pieces.piece_line(piece),)
    if piece.kind not in rules.records:
        raise EntryError(f"{word} is a {piece.kind}, and the rules have no {piece.kind} any more", f"drop {word}")
    if rest.startswith(":") or first_word(rest)[0] in rules.records[piece.kind].fields:
        return pieces.enter_piece(session, piece.kind, f"{word}: {rest.removeprefix(':')}")
    return None


def _expression(session: Session, word: str, rest: str, text: str) -> Iterable[Line]:
    if rest.startswith(":"):
        records = session.state.ruleset.rules.records if session.state.ruleset is not None else {}
        kinds = f" (kinds: {', '.join(records)})" if records else ""
        raise EntryError(f"there is no piece {word}", f"KIND {word}: fields puts one on the table{kinds}")
    if _DICE_ALONE.fullmatch(text):
        raise EntryError("no dice are asked for", "type the name of a procedure")
    return evaluate(session, text)


def _unknown(session: Session, word: str) -> NoReturn:
    """Raise an error for an unknown word, and suggest what is written for it, or the nearest known word."""
    names: list[str] = [command.name for command in COMMANDS]
    if session.state.ruleset is not None:
        names += [*session.names(), *session.state.pieces]
    close = nearest(word, names)
    if word.casefold() in _MEANT:
        raise EntryError(f"there is no {word}", _MEANT[word.casefold()])
    raise EntryError(f"there is no {word}", f"did you mean {close}?" if close else "help lists what can be typed")
