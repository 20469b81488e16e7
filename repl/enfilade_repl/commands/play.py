"""The commands of play: `play`, `roll`, `again`, `reroll`, `all`, `cancel`, `undo`, `redo`, `seed`, `luck`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from attrs import evolve

from enfilade import AmbiguousEntry, DrawQuestion, RollQuestion
from enfilade.language import Line, line
from enfilade_repl.commands.author import use
from enfilade_repl.entry import EntryError, either, first_word, types_of, with_name
from enfilade_repl.expressions import evaluate
from enfilade_repl.games import game_named
from enfilade_repl.luck import luck_lines, thrown
from enfilade_repl.runs import answer, begin, current, facts_text, go_on, play, read_line
from enfilade_repl.session import Session, Step
from enfilade_repl.situation import Situation, read_changes, with_changes
from enfilade_repl.state import Resolution


def play_named(session: Session, text: str) -> Iterable[Line]:
    """Play the procedure or event that the text begins with, or start the game that it names."""
    name, rest = first_word(with_name(text, session.names()))
    playable = session.playable()
    if not text and len(playable) == 1:
        return play(session, next(iter(playable)), "")
    names = ", ".join(playable)
    game = game_named(text) if name not in session.names() else None
    if game is not None:
        return use(session, game)
    if name not in session.names():
        wrong = f"there is no procedure {name}" if name else "name a procedure"
        raise EntryError(wrong, f"the procedures are {names}" if names else "choose a game first: `games` lists them")
    return play(session, name, rest)


def roll(session: Session, text: str) -> Iterable[Line]:
    """Roll the dice of the open question; otherwise play a procedure with all its dice rolled, or roll dice."""
    if session.state.asks:
        if text or not _asks_for_dice(session):
            raise EntryError("`roll` has to wait until this question is answered", "`cancel` stops the combat")
        return answer(session, "")
    name, rest = first_word(with_name(text, session.names()))
    if name in session.names():
        return play(session, name, rest, rolls=True)
    if text in ("again", "it again"):
        return play_again(session, "")
    if not text:
        raise EntryError("name the dice or a procedure", "for example, `roll 2d6` or `roll PROCEDURE`")
    return evaluate(session, text)


def play_again(session: Session, text: str, *, is_command: bool = True) -> Iterator[Line]:
    """Play the last combat again with new dice, or with changed facts, also one that the rules have just refused.

    Args:
        session: The session.
        text: The facts that change, then dice and choices.
        is_command: Whether the player typed `again`; facts alone are an error of another kind if they can't be read.

    Raises:
        EntryError: The facts can't be read.
    """
    refused = session.refused.refused if session.refused is not None else None
    if refused is None:
        _refuse_other_rules(session, session.last)
        here = Situation(session.ruleset.rules, session.last.procedure, current(session, session.last))
    else:
        known = types_of(refused.ruleset.rules, refused.run.procedure)
        given = {name: value for name, value in refused.run.facts.items() if name in known}
        here = Situation(session.ruleset.rules, refused.run.procedure, given)
    try:
        changes, dice, choices = read_line(session, text, partial(_facts_that_change, session, here))
    except AmbiguousEntry as wrong:
        if not is_command and text.startswith(wrong.text):
            # A reading may begin with the name of a procedure, too.
            wrong.readings = tuple(f"again {each}" for each in wrong.readings)
        raise
    if not changes and not is_command:
        raise EntryError("there are no facts to change")
    before = {name: value for name, value in here.given.items() if name not in changes}
    if not is_command:
        _ask_if_whole(here, changes, before, text)
    there = with_changes(here, changes) if changes else here
    again = session.last if refused is None else None
    begin(session, here.procedure, there.given, entry=session.entry, dice=dice, choices=choices, again=again)
    said = [f"again with {facts_text(session, changes)}" if changes else "again"]
    said += [f"as before {facts_text(session, before)}"] if before else []
    yield line(("hint", f"{here.procedure} {'; '.join(said)}"))
    yield from go_on(session)


def _ask_if_whole(here: Situation, changes: Mapping[str, Any], before: Mapping[str, Any], text: str) -> None:
    """Ask whether facts alone are a new combat, if they give all that it needs and the last one had other facts, too.

    Raises:
        AmbiguousEntry: They may be one.
    """
    inputs = here.inputs
    needed = {name for name, each in inputs.items() if each.required}
    differs = any(name in inputs and value != inputs[name].default for name, value in before.items())
    if len(changes) > 1 and needed and needed <= changes.keys() and differs:
        raise either(text, "be a new combat, or change the last one", f"{here.procedure}: {text}", f"again {text}")


def _facts_that_change(session: Session, here: Situation, text: str) -> dict[str, Any]:
    if not text:
        return {}
    try:
        return read_changes(session, here, text, of_rules=False)
    except AmbiguousEntry:
        raise
    except EntryError:
        if not _changes_rules(session, here, text):
            raise
    raise EntryError(
        "`again` can change only facts and fields", "`option NAME VALUE` sets an option of the rules in use"
    )


def _changes_rules(session: Session, here: Situation, text: str) -> bool:
    """Whether a text changes an option or a definition."""
    try:
        return bool(read_changes(session, here, text))
    except EntryError:
        return False


def reroll(session: Session, text: str) -> Iterator[Line]:
    """Replace the last combat by a replay with new dice."""
    if session.state.asks and _asks_for_dice(session):
        yield from answer(session, "")
        return
    if session.state.asks:
        raise EntryError("`reroll` has to wait until this question is answered", "`cancel` stops the combat")
    done = session.last
    _refuse_other_rules(session, done)
    begin(
        session, done.procedure, done.given, entry=done.entry, throw=session.most_throws + 1, rolls=True, instead=done
    )
    yield from go_on(session)


def _refuse_other_rules(session: Session, done: Resolution) -> None:
    """Raise an error if the last combat was played with rules other than those in use."""
    ruleset = session.ruleset
    if ruleset.name != done.ruleset.name:
        raise EntryError(
            f"the last combat was played with {done.ruleset.name}",
            f"`use {done.ruleset.place or done.ruleset.name}` switches back to that ruleset",
        )
    if done.procedure not in ruleset.rules.names("procedure"):
        raise EntryError(f"the rules no longer have the procedure {done.procedure}")


def _asks_for_dice(session: Session) -> bool:
    """Whether the open question is a roll or a draw."""
    pending = session.state.pending
    if pending is None or session.state.form is not None:
        return False
    return isinstance(pending.question, (RollQuestion, DrawQuestion))


def roll_all(session: Session, text: str) -> Iterator[Line]:
    """Roll the dice of the open question and of all later rolls of the run."""
    pending = session.state.pending
    if pending is None or not _asks_for_dice(session):
        raise EntryError("`all` works only when a roll is being asked for")
    session.state = evolve(session.state, pending=evolve(pending, rolls=True))
    yield from go_on(session)


def cancel(session: Session, text: str) -> Iterable[Line]:
    """Cancel the pending combat."""
    if not session.state.asks:
        raise EntryError("no combat is being played")
    session.state = evolve(session.state, pending=None, form=None)
    return (line(("hint", "Cancelled.")),)


def undo(session: Session, text: str) -> Iterable[Line]:
    """Undo the last answer, or the last entry that changed something."""
    table = session.state
    if table.form is not None:
        session.state = evolve(table, form=None)
        return (line(("hint", "Taken back: the record that you were describing.")),)
    if table.pending is None and session.refused is not None:
        return _reopen(session, session.refused)
    if table.pending is None:
        return (line(("hint", f"Taken back: {_headed(session.undo())}")),)
    run = table.pending.run
    given = [entry for entry in run.log if not entry.forced]
    if not given and table.pending.earlier is not None:
        session.state = table.pending.earlier
        return (line(("hint", "Taken back: the last answer of the previous combat.")),)
    if not given:
        return cancel(session, "")
    back = run.undo()
    session.state = evolve(table, pending=evolve(table.pending, run=back, rolls=False, told=len(back.explain().steps)))
    return (line(("hint", f"Taken back: {given[-1].name}")),)


def _reopen(session: Session, refused: Step) -> Iterable[Line]:
    """Return to the last question of a combat that the rules refused; the changes before it stay."""
    session.refused = None
    if not refused.state.asks:
        return (line(("hint", "The refused combat changed nothing. Type `undo` again to undo the entry before it.")),)
    session.state = refused.state
    return (line(("hint", "Taken back: the last answer of the refused combat.")),)


def redo(session: Session, text: str) -> Iterable[Line]:
    """Redo the entry that was undone last."""
    return (line(("hint", f"Done again: {_headed(session.redo())}")),)


def _headed(entry: str) -> str:
    """The first line of an entry."""
    first, _, more = entry.partition("\n")
    return f"{first} ..." if more else first


def seed(session: Session, text: str) -> Iterable[Line]:
    """Show or set the seed of the dice."""
    if not text:
        return (line(("label", "seed "), session.state.seed, ("hint", f"; next throw {session.state.throw}")),)
    if session.state.asks:
        raise EntryError("finish this combat before you set the seed")
    # `undo` does not take back a change of the seed, because a transcript begins with the seed.
    session.settle(evolve(session.state, seed=text.strip(), throw=1))
    return (line(("label", "seed "), text.strip()),)


def show_luck(session: Session, text: str) -> Iterable[Line]:
    """Compare the dice of the session with their expectation."""
    rolls = [(made.dice, made.faces) for done in session.state.resolutions for made in done.outcome.rolls]
    return luck_lines(thrown(rolls))
