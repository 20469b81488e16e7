"""Dispatch: runs an entry as an answer, a command, a definition, a procedure, a piece or an expression.

The first kind that fits wins, so an answer to the rules is never taken for another kind of entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Final

from attrs import evolve

from enfilade import AmbiguousEntry, DrawQuestion, EnfiladeError, FactQuestion, InputError, RollQuestion
from enfilade.language import Line, is_listed, line, only_beginning
from enfilade.tools import code_lines
from enfilade_repl import pieces, runs
from enfilade_repl.commands import COMMANDS, find_command
from enfilade_repl.commands.command import Command
from enfilade_repl.commands.play import play_again
from enfilade_repl.definition_text import is_definition, is_facts_alone
from enfilade_repl.definitions import define
from enfilade_repl.entry import EntryError, either, first_word, types_of, with_name, with_quotes
from enfilade_repl.expressions import UnknownWord, evaluate, is_expression
from enfilade_repl.games import game_named
from enfilade_repl.journal import Journal
from enfilade_repl.session import Session
from enfilade_repl.settings import Settings
from enfilade_repl.suggestions import raise_unknown

_SHORTEST: Final = 3
_LONGEST_CODE: Final = 20
_QUOTED: Final = re.compile(r'"([^"]+)"')
_APART: Final = re.compile(r"[\W_]+")
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
    asked = session.state
    text = _name_first(session, _chosen_way(session, text))
    before = session.state
    try:
        yield from _run_completed(session, text)
        if session.state is before and text and before is not asked:
            # A question or a look at something leaves the choice open.
            session.state = asked
    except AmbiguousEntry as wrong:
        if before.asks or not wrong.text or wrong.text not in text or not session.chooses:
            raise
        # The same numbers may stand among the dice behind the facts.
        start = re.search(rf"(?<!\S){re.escape(wrong.text)}(?!\w)", text)
        at = text.index(wrong.text) if start is None else start.start()
        head, tail = text[:at].rstrip(" ,"), text[at + len(wrong.text) :]
        entries = (f"{head} {each}{tail}".strip() for each in wrong.readings)
        session.state = evolve(before, ways=tuple(entries))
        several = f"can be read in {len(wrong.readings)} ways:"
        told = several if len(wrong.readings) > 1 else "names a fact in part. Is this meant?"
        yield line(("label", f"`{wrong.text}` {told}"))
        yield from (line(("label", f"  {at}  "), each) for at, each in enumerate(session.state.ways, 1))


def _chosen_way(session: Session, text: str) -> str:
    """What the last entry means, if this one is the number of a reading; any other entry leaves the question."""
    ways = session.state.ways
    if not ways:
        return text
    number = "1" if len(ways) == 1 and text.strip().casefold() in ("y", "yes") else text.strip()
    if number and not number.isdigit() and find_command(first_word(number)[0]) is None:
        having = _ways_with(session, number)
        is_another = first_word(with_name(number, session.names()))[0] in session.names()
        if len(having) > 1 and not is_another:
            places = " and ".join(map(str, having)) if len(having) < len(ways) else f"1 to {len(ways)}"
            raise EntryError(f"`{number}` is a part of the readings {places}", "type the number of one")
        # Words that only one reading has choose it, as its number does.
        number = str(having[0]) if len(having) == 1 else number
    if number.isdigit() and number not in map(str, range(1, len(ways) + 1)):
        raise EntryError(
            f"there is no reading {number}", f"type {'1 to ' if len(ways) > 1 else ''}{len(ways)}; Enter plays none"
        )
    session.state = evolve(session.state, ways=())
    if number.isdigit():
        # `undo` and the log name what was chosen.
        session.entry = ways[int(number) - 1]
        return session.entry
    return "" if number == "cancel" else text


def _ways_with(session: Session, text: str) -> list[int]:
    """The numbers of the readings that have some words, or the facts that these words are."""
    words = _words(text)
    numbered = list(enumerate(session.state.ways, 1))
    said = [at for at, way in numbered if f" {words}" in f" {_words(way)}"]
    return said or [at for at, way in numbered if _has_facts(session, way, text)]


def _words(text: str) -> str:
    return " ".join(_APART.split(text.casefold())).strip()


def _has_facts(session: Session, way: str, text: str) -> bool:
    """Whether a reading plays a combat with the facts that a typed text gives."""
    name, rest = first_word(way)
    procedure = name if name in session.names() else _last_procedure(session) if name == "again" else None
    if procedure is None:
        return False
    read = partial(evolve(session.reader, asks=True).facts, session.ruleset.rules.inputs(procedure))
    try:
        typed = [read(text)]
    except AmbiguousEntry as wrong:
        typed = [read(each) for each in wrong.readings]
    except EntryError:
        return False
    facts = read(session.reader.split(rest)[0])
    return any(all(facts.get(fact) == value for fact, value in each.items()) for each in typed)


def _name_first(session: Session, text: str) -> str:
    """An entry with the name of its procedure before its facts: `16 town direct fire on 7` is `direct_fire 16 town on 7`."""
    first, _ = first_word(text.strip())
    names, playable = session.names(), session.playable()
    begins = not first and not text[:1].isdigit()
    if (
        session.state.asks
        or begins
        or find_command(first) is not None
        or first_word(with_name(text, names))[0] in names
    ):
        return text
    if is_definition(text) and not runs.BEGINS_WITH_DICE.match(text):
        return text
    words = {
        word for name in playable for type_ in types_of(session.ruleset.rules, name).values() for word in type_.words
    }
    for name in sorted({*playable} - words, key=len, reverse=True):
        found = re.search(rf"(?<![\w-]){name.replace('_', '[ _-]+')}(?![\w(-])", text, re.IGNORECASE)
        if found is not None:
            around = (text[: found.start()], text[found.end() :])
            return f"{name} {runs.in_order(session, around)}"
    return text


def _run_completed(session: Session, text: str) -> Iterator[Line]:
    try:
        yield from _run(session, text)
    except UnknownWord as wrong:
        whole = _completed(session, text, wrong.word)
        if whole is None and not wrong.word:
            _raise_fault_of_facts(session, text.strip())
        if whole is None:
            raise_unknown(session, wrong.word, text.strip(), _command_names())
        yield from _run(session, whole)


def _completed(session: Session, text: str, word: str) -> str | None:
    """The entry that is meant: `use` and the game that it names, or its first word in full.

    The first word is completed if it is the beginning of one procedure or command alone.
    """
    game = game_named(text)
    if game is not None:
        return f"use {game}"
    first, rest = first_word(text.strip())
    if first != word or len(word) < _SHORTEST or session.state.asks:
        return None
    # What stands behind a command that takes nothing is no part of it.
    names = [*(each.name for each in COMMANDS if each.shape or not rest), *session.playable()]
    full = only_beginning(word, names)
    return None if full is None else f"{full} {rest}".strip()


def _raise_fault_of_facts(session: Session, text: str) -> None:
    """Raise the error of an entry that begins with a number as one of facts, which names the word that is unknown."""
    playable = list(session.playable())
    name = _last_procedure(session) or (playable[0] if len(playable) == 1 else None)
    if name is not None:
        with suppress(InputError):
            runs.would_begin(session, name, text)


def _last_procedure(session: Session) -> str | None:
    """The procedure that facts alone change: the one that was refused, or the last one that was played."""
    refused = session.refused.refused if session.refused is not None else None
    played = [done.procedure for done in session.state.resolutions[-1:]]
    last = refused.run.procedure if refused is not None else next(iter(played), None)
    return last if last in session.names() else None


def _command_names() -> list[str]:
    return [command.name for command in COMMANDS]


def _run(session: Session, text: str) -> Iterable[Line]:
    # `why?` is `why`, and `?` alone is help.
    stripped = with_quotes(text.strip().rstrip("? ") or text.strip(), session.state.pieces)
    if stripped.startswith(("--", "#")) and "\n" not in stripped:
        return ()
    if stripped.startswith("/"):
        return _command(session, stripped[1:].strip())
    word, rest = first_word(stripped)
    is_command = find_command(word) is not None or stripped.startswith("?")
    if session.state.asks:
        pending = None if session.state.form is not None else session.state.pending
        answers = not is_command or (pending is not None and is_listed(pending.question, stripped))
        return _answer(session, stripped) if answers else _command(session, stripped)
    if not stripped:
        return ()
    has_dice_first = runs.BEGINS_WITH_DICE.match(stripped) is not None
    if has_dice_first and not session.reader.split(stripped)[0]:
        raise EntryError("no roll is being asked for", "dice stand behind the facts of a combat")
    if is_definition(text) and not is_facts_alone(text) and not has_dice_first:
        return define(session, text)
    if is_command:
        return _command(session, stripped)
    stripped = _with_procedure(session, stripped)
    word, rest = first_word(stripped)
    if _is_result_code(session, stripped):
        return _command(session, f"help {stripped}")
    if word in session.names() and _changes_last(session, word, rest):
        meanings = f"change the last combat, or play {word}"
        raise either(text.strip(), meanings, f"again {word} {rest}", f"{word}: {rest}")
    return _of_ruleset(session, word, rest, stripped) or _expression(session, word, rest, stripped)


def _with_procedure(session: Session, text: str) -> str:
    """An entry with the name of its procedure as it is written: `artillery fire at 4 hexes` is no `artillery_fire_at`.

    Raises:
        AmbiguousEntry: Both procedures can be played with what stands behind them.
    """
    names = session.names()
    whole = with_name(text, names)
    name, _ = first_word(whole)
    shorter = with_name(text, [each for each in names if name.startswith(f"{each}_")])
    if first_word(shorter)[0] not in {*names} - {name} or name not in names:
        return whole
    found = [(each, runs.missing(session, each)) for each in (whole, shorter)]
    fewest = min((missing for _, missing in found if missing is not None), default=None)
    best = [each for each, missing in found if missing == fewest]
    if fewest is not None and len(best) > 1:
        (long, of_long), (short, of_short) = map(first_word, best)
        raise either(text, f"play {long} or {short}", f"{long}: {of_long}", f"{short}: {of_short}")
    return best[0]


def _answer(session: Session, text: str) -> Iterator[Line]:
    """Answer the open question; if the text begins with a procedure, say how to stop this combat first."""
    try:
        yield from runs.answer(session, text)
    except (EntryError, InputError) as wrong:
        if first_word(with_name(text, session.names()))[0] in session.names():
            hint = f"type `cancel` to stop it, and then `{text}`"
            raise EntryError(f"`{text}` can't be played while another combat is being played", hint) from None
        if isinstance(wrong, InputError) and any(fault.allowed == "nothing more" for fault in wrong.errors):
            raise EntryError(
                str(wrong), "`cancel` stops this combat; then give it no more dice than it rolls"
            ) from None
        if isinstance(wrong, InputError) and _asks_for_fact_with_dice(session, wrong):
            raise EntryError(str(wrong), "`cancel` stops this combat; then give it the dice that it rolls") from None
        is_word = " " in text or text[:1].isalpha()
        if isinstance(wrong, EntryError) and is_word and _asks_for_dice(session):
            raise EntryError(str(wrong), f"{wrong.hint}; `cancel` stops the combat that is being played") from None
        raise


def _asks_for_fact_with_dice(session: Session, wrong: InputError) -> bool:
    """Whether a fact is asked for, and dice that were typed before it are wrong."""
    pending = session.state.pending
    question = None if pending is None or session.state.form is not None else pending.run.question
    return isinstance(question, FactQuestion) and not any(fault.is_about(question.key) for fault in wrong.errors)


def _asks_for_dice(session: Session) -> bool:
    pending = session.state.pending
    return pending is not None and isinstance(pending.run.question, (RollQuestion, DrawQuestion))


def _is_result_code(session: Session, text: str) -> bool:
    """Whether a text is a result code of the ruleset in use, and neither a number nor another name of the rules."""
    ruleset = session.state.ruleset
    if ruleset is None or text.replace(" ", "").isdigit() or text in {*session.names(), *session.state.pieces}:
        return False
    named = {symbol.name for symbol in ruleset.rules.symbols}
    return len(text) <= _LONGEST_CODE and text not in named and bool(code_lines(ruleset.rules, text))


def _command(session: Session, text: str) -> Iterable[Line]:
    word, rest = ("?", text[1:].strip()) if text.startswith("?") else first_word(text)
    if not word:
        raise EntryError("type a command after the `/`", "`help` lists them")
    command = find_command(word)
    if command is None:
        raise_unknown(session, word or text, text, _command_names())
    if rest and not command.shape:
        raise EntryError(f"nothing stands behind `{command.name}`", f"type `{command.name}` alone")
    if session.state.asks and not command.while_asking:
        raise EntryError(f"`{command.name}` doesn't work while a question is open", "`cancel` stops the combat")
    return _while_asking(session, command, rest) if session.state.asks else command.run(session, rest)


def _while_asking(session: Session, command: Command, text: str) -> Iterator[Line]:
    """Run a command while a question is open; if the command needs the answer, say so."""
    try:
        yield from command.run(session, text)
    except InputError as wrong:
        pending = session.state.pending
        question = None if pending is None else pending.run.question
        if not isinstance(question, FactQuestion) or not any(fault.parameter == question.key for fault in wrong.errors):
            raise
        hint = f"answer the question first, then type `{command.title}`"
        raise EntryError(f"`{command.title}` needs {question.key}", hint) from None


def _of_ruleset(session: Session, word: str, rest: str, text: str) -> Iterable[Line] | None:
    """Run an entry that begins with a name of the ruleset in use or of a piece; ``None`` for any other entry."""
    if session.state.ruleset is None:
        return None
    rules = session.state.ruleset.rules
    if word in session.names() and not rest.startswith("("):
        return runs.play(session, word, rest.removeprefix(":").lstrip())
    if word in rules.records and rest[:1] not in ("(", "."):
        return pieces.enter_piece(session, word, rest)
    kinds = [kind for kind in rules.records if word in kind.split("_")]
    if len(kinds) == 1 and ":" in rest:
        return pieces.enter_piece(session, kinds[0], rest)
    quoted = _QUOTED.match(text)
    word, rest = (quoted[1], text[quoted.end() :].strip()) if quoted else (word, rest)
    piece = session.state.pieces.get(word)
    if piece is None:
        return None
    if not rest:
        return (pieces.piece_line(piece),)
    if piece.kind not in rules.records:
        raise EntryError(
            f"{word} is a {piece.kind}, but the rules no longer have {piece.kind} records",
            f"`drop {word}` takes the piece off the table",
        )
    if rest.startswith(":") or _are_fields(session, piece.kind, rest):
        return pieces.enter_piece(session, piece.kind, f'"{word}": {rest.removeprefix(":")}')
    return None


def _changes_last(session: Session, word: str, rest: str) -> bool:
    """Whether the name of a procedure with a value is a fact of the last combat, too."""
    last = _last_procedure(session)
    inputs = session.ruleset.rules.inputs(last) if last is not None else {}
    facts, _, _ = session.reader.split(rest)
    if word not in inputs or not facts or facts.startswith(":"):
        return False
    try:
        session.reader.value(inputs[word].domain, facts, word)
    except EnfiladeError:
        return False
    return True


def _are_fields(session: Session, kind: str, text: str) -> bool:
    """Whether a text gives fields of a record: ``steps 2``, ``2 steps``, ``artillery``."""
    if first_word(text)[0] in session.ruleset.rules.records[kind].fields:
        return True
    try:
        return bool(text[0].isalnum() and session.reader.fields(kind, text))
    except EntryError:
        return False


def _expression(session: Session, word: str, rest: str, text: str) -> Iterable[Line]:
    if rest.startswith(":"):
        records = session.state.ruleset.rules.records if session.state.ruleset is not None else {}
        kinds = f" (kinds: {', '.join(records)})" if records else ""
        raise EntryError(f"there is no piece {word}", f"type `KIND {word}: FIELDS` to add this piece{kinds}")
    if _DICE_ALONE.fullmatch(text):
        raise EntryError("no roll is being asked for", "type the name of a procedure to play it")
    played = None if is_expression(session, text) else _facts_alone(session, text)
    if played is None and text.isdigit() and session.playable():
        raise EntryError(
            f"{text} is only a number", f"a combat begins with its name, such as `{next(iter(session.playable()))}`"
        )
    return evaluate(session, text) if played is None else played


def _facts_alone(session: Session, text: str) -> Iterable[Line] | None:
    """Play facts without a procedure: the last combat with these changes, or the only procedure there is."""
    before = session.state
    try:
        if before.resolutions or session.refused is not None:
            return tuple(play_again(session, text, is_command=False))
    except AmbiguousEntry:
        raise
    except EntryError:
        session.state = before
    names = list(session.playable())
    first, rest = first_word(text)
    facts = rest if len(names) == 1 and first in names[0].split("_") else text
    try:
        if len(names) != 1 or not runs.would_begin(session, names[0], facts):
            return None
    except AmbiguousEntry:
        raise
    except EnfiladeError:
        return None
    return runs.play(session, names[0], facts)
