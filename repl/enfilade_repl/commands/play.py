"""The commands of play: `play`, `roll`, `again`, `reroll`, `all`, `cancel`, `undo`, `redo`, `seed`, `luck`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve

from enfilade import DrawQuestion, RollQuestion
from enfilade.language import Line, line
from enfilade_repl.entry import EntryError, first_word
from enfilade_repl.expressions import evaluate
from enfilade_repl.luck import luck_lines, thrown
from enfilade_repl.runs import begin, current, go_on, play
from enfilade_repl.session import Session
from enfilade_repl.situation import Situation, changed
from enfilade_repl.state import Resolution


def play_named(session: Session, text: str) -> Iterable[Line]:
    """Play the procedure or event that the text begins with."""
    name, rest = first_word(text)
    names = ", ".join(session.names())
    if name not in session.names():
        wrong = f"there is no procedure {name}" if name else "say what is played"
        raise EntryError(wrong, f"there are {names}" if names else "use RULESET")
    return play(session, name, rest)


def roll(session: Session, text: str) -> Iterable[Line]:
    """Play a procedure with all its dice rolled, or roll dice."""
    name, rest = first_word(text)
    if name in session.names():
        return play(session, name, rest, rolls=True)
    if not text:
        raise EntryError("say what is rolled", "roll 2d6, or roll PROCEDURE facts")
    return evaluate(session, text)


def play_again(session: Session, text: str) -> Iterator[Line]:
    """Play the last combat again with new dice."""
    done = session.last
    _refuse_other_rules(session, done)
    here = Situation(session.ruleset.rules, done.procedure, current(session, done))
    given = changed(session, here, text) if text else here.given
    begin(session, done.procedure, given, entry=session.entry)
    yield from go_on(session)


def reroll(session: Session, text: str) -> Iterator[Line]:
    """Replace the last combat by a replay with new dice."""
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
            f"the last one was played with {done.ruleset.name}", f"use {done.ruleset.place or done.ruleset.name}"
        )
    if done.procedure not in ruleset.rules.names("procedure"):
        raise EntryError(f"the rules have no {done.procedure} any more")


def roll_all(session: Session, text: str) -> Iterator[Line]:
    """Roll the dice of the open question and of all later rolls of the run."""
    pending = session.state.pending
    if (
        pending is None
        or session.state.form is not None
        or not isinstance(pending.question, (RollQuestion, DrawQuestion))
    ):
        raise EntryError("all is for a roll that is asked")
    session.state = evolve(session.state, pending=evolve(pending, rolls=True))
    yield from go_on(session)


def cancel(session: Session, text: str) -> Iterable[Line]:
    """Cancel the pending combat."""
    if not session.state.asks:
        raise EntryError("nothing is being played")
    session.state = evolve(session.state, pending=None, form=None)
    return (line(("hint", "given up")),)


def undo(session: Session, text: str) -> Iterable[Line]:
    """Undo the last answer, or the last entry that changed something."""
    table = session.state
    if table.form is not None:
        session.state = evolve(table, form=None)
        return (line(("hint", "taken back: the record that was being described")),)
    if table.pending is None:
        return (line(("hint", f"taken back: {_headed(session.undo())}")),)
    run = table.pending.run
    given = [entry for entry in run.log if not entry.forced]
    if not given and table.pending.earlier is not None:
        session.state = table.pending.earlier
        return (line(("hint", "taken back: the last answer of the combat before")),)
    if not given:
        return cancel(session, "")
    back = run.undo()
    session.state = evolve(table, pending=evolve(table.pending, run=back, rolls=False, told=len(back.explain().steps)))
    return (line(("hint", f"taken back: {given[-1].name}")),)


def redo(session: Session, text: str) -> Iterable[Line]:
    """Redo the entry that was undone last."""
    return (line(("hint", f"done again: {_headed(session.redo())}")),)


def _headed(entry: str) -> str:
    """The first line of an entry."""
    first, _, more = entry.partition("\n")
    return f"{first} ..." if more else first


def seed(session: Session, text: str) -> Iterable[Line]:
    """Show or set the seed of the dice."""
    if not text:
        return (line(("label", "seed "), session.state.seed, ("hint", f"; next throw {session.state.throw}")),)
    if session.state.asks:
        raise EntryError("the seed can be set when this is over")
    # `undo` does not take back a change of the seed, because a transcript begins with the seed.
    session.settle(evolve(session.state, seed=text.strip(), throw=1))
    return (line(("label", "seed "), text.strip()),)


def show_luck(session: Session, text: str) -> Iterable[Line]:
    """Compare the dice of the session with their expectation."""
    rolls = [(made.dice, made.faces) for done in session.state.resolutions for made in done.outcome.rolls]
    return luck_lines(thrown(rolls))
