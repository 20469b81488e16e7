"""The commands about odds: `odds`, `plot`, `sample`, `least`, `matters`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from attrs import evolve

from enfilade import Decision, Distribution, LimitError, NeedsPolicy, Odds, OddsError, UsageError
from enfilade.language import Line, line, number_text, read_values, value_text
from enfilade_repl.entry import EntryError, first_word, types_of
from enfilade_repl.session import Session
from enfilade_repl.situation import (
    Clauses,
    Situation,
    _can_be_asked,
    _is_situation,
    asked,
    changed,
    clauses,
    drawn,
    first_output,
    instead_of,
    situation,
    told_game,
)

_CHANCE: Final = re.compile(r"(?P<fact>\w+)\s+(?P<chance>\d[\d./]*\s*%?)\s+of\s+(?P<of>.+)")


def plot(session: Session, text: str) -> Iterator[Line]:
    """Plot the chance of a condition, or the mean of a number, over the values of a fact."""
    return odds(session, text, plots=True)


def odds(session: Session, text: str, *, plots: bool = False) -> Iterator[Line]:
    """Show the odds of a result or of a question in a situation, or for each value of a fact.

    Args:
        session: The session.
        text: The typed arguments.
        plots: Whether to plot the odds over the values of a fact.
    """
    said = clauses(text)
    if said.aim is None and any(way != "random" for way in said.players.values()):
        raise EntryError("say what is aimed at", f"odds best {next(iter(said.players))} aim QUESTION")
    if said.head and not _is_situation(session, said.head):
        # `lowest 2 of 4d10` is one expression; `M or worse` is a question without its `of`.
        whole = f"{said.head} of {said.of}" if said.of else said.head
        is_question = said.of is None and _can_be_asked(session, whole)
        said = evolve(said, head="", of=whole) if is_question else evolve(said, head=whole, of=None)
    here = asked(session, said.head)
    yield from told_game(session, here.rules.name, here.procedure)
    question = said.of or ("turns" if said.until is not None else first_output(here))
    call = {**here.call(session), "players": said.players or None, "aim": said.aim}
    try:
        if said.by:
            if said.is_of_several:
                raise EntryError("`by` goes with one combat", "leave out `plus`, `then`, `for` and `until`")
            by = dict(_varied(here, each) for each in said.by)
            grid = here.rules.grid(
                here.procedure, by=by, of=question, condition=said.given, parts=session.parts, **call
            )
            draw = grid.plot if plots else grid.text
            yield from drawn(draw(session.columns, plain=session.plain))
            return
        if plots:
            raise EntryError("say what is varied", "plot by fire_value 1..45 of M or worse")
        asking = _asking(session, here, said, call)
        found = _answer(asking, question)
        for text in said.plus:
            other = {**call, "given": changed(session, here, text)}
            found = found + _answer(_asking(session, here, said, other), question)
    except NeedsPolicy as wrong:
        raise EntryError(f"the odds hang on what {wrong.player} chooses ({wrong.choice})", instead_of(wrong)) from None
    except LimitError as wrong:
        raise EntryError(str(wrong), instead_of(wrong)) from None
    yield from drawn(found.text(session.columns, plain=session.plain))
    if said.aim is not None:
        yield from _decisions(asking.decisions, said.aim)


def _answer(asking: Odds, question: str) -> Distribution:
    return asking.result if question == "result" else asking.of(question)


def _asking(session: Session, here: Situation, said: Clauses, call: Mapping[str, Any]) -> Odds:
    """The odds of a situation, with the procedures that follow it, and under its conditions."""
    asking = here.rules.odds(here.procedure, **call)
    if (said.when is not None or said.carry) and len(said.then) != 1:
        raise EntryError("`when` and `carry` go with one `then`")
    carry = {fact: expression for fact, _, expression in (each.partition(" ") for each in said.carry)}
    for text in said.then:
        procedure, facts = first_word(text)
        if procedure not in here.rules.names("procedure"):
            raise EntryError(f'there is no procedure "{procedure}"', "odds charge_roll then melee")
        given = session.reader.facts(types_of(here.rules, procedure), facts)
        asking = asking.then(procedure, when=said.when, carry=carry, given=given)
    if said.until is not None:
        asking = asking.until(said.until, at_most=said.turns)
    elif said.turns is not None:
        asking = asking.turns(said.turns)
    for condition in said.given:
        asking = asking.given(condition)
    return asking


def sample(session: Session, text: str) -> Iterator[Line]:
    """Estimate odds by simulation if exact odds take too long: `sample 100000 of M or worse`."""
    found = re.match(r"(\d[\d_]*)\s*(.*)", text)
    trials = int(found[1].replace("_", "")) if found else _TRIALS
    said = clauses(found[2] if found else text)
    if said.is_of_several:
        raise EntryError("a sample is of one combat; `odds` takes `plus`, `then`, `for` and `until`")
    if said.by or said.aim or any(way != "random" for way in said.players.values()):
        raise EntryError("a sample takes a situation, `of`, `given` and `random PLAYER`")
    if said.head and said.of and not _is_situation(session, said.head):
        said = evolve(said, head=f"{said.head} of {said.of}", of=None)
    here = asked(session, said.head)
    yield from told_game(session, here.rules.name, here.procedure)
    drawn_from = f"{session.state.dice_of(session.state.throw)} sample"
    counted = here.rules.sample(
        here.procedure,
        trials=trials,
        seed=drawn_from,
        condition=said.given,
        players=said.players or None,
        **here.call(session),
    )
    yield from drawn(counted.of(said.of or first_output(here)).text(session.columns, plain=session.plain))


_TRIALS: Final = 10_000


def _varied(here: Situation, text: str) -> tuple[str, list[Any] | None]:
    fact, values = first_word(text)
    if not values:
        return fact, None
    try:
        return fact, list(read_values(here.rules, here.types.get(fact), values))
    except UsageError as wrong:
        raise EntryError(str(wrong)) from None


def _decisions(decisions: tuple[Decision, ...], aim: str) -> Iterator[Line]:
    for decision in decisions[:_MOST_DECISIONS]:
        known = ", ".join(f"{name} {value_text(value)}" for name, value in decision.known)
        yield line(("player", decision.player), f": {decision.name}{f' after {known}' if known else ''}")
        for option, value in decision.options:
            mark = ("ok", "  chosen") if option == decision.chosen else ("", "")
            yield line(f"  {value_text(option)}: {number_text(Fraction(value))} of {aim}", mark)
    if len(decisions) > _MOST_DECISIONS:
        yield line(("hint", f"and {len(decisions) - _MOST_DECISIONS} more choices"))


_MOST_DECISIONS: Final = 12


def least(session: Session, text: str) -> Iterator[Line]:
    """Find the least value of a fact that gives a condition a certain chance: `least fire_value 50% of M or worse`."""
    text, _, within = text.partition(" within ")
    found = _CHANCE.fullmatch(text.strip())
    if found is None:
        raise EntryError("say a fact, a chance and a condition", "least fire_value 50% of M or worse")
    here = situation(session)
    yield from told_game(session, here.rules.name, here.procedure)
    values = None if not within else _varied(here, f"{found['fact']} {within}")[1]
    given = {name: value for name, value in here.given.items() if name != found["fact"]}
    answer = here.rules.least(
        found["fact"], here.procedure, chance=found["chance"].replace(" ", ""), of=found["of"], within=values,
        **{**here.call(session), "given": given},
    )  # fmt: skip
    yield line(("name", found["fact"]), " ", ("result", str(answer)))


def matters(session: Session, text: str) -> Iterator[Line]:
    """Show the effect of each modifier on the odds: `matters of M or worse`."""
    said = clauses(text)
    here = asked(session, said.head)
    yield from told_game(session, here.rules.name, here.procedure)
    try:
        found = here.rules.matters(here.procedure, of=said.of or first_output(here), **here.call(session))
    except (NeedsPolicy, LimitError, OddsError) as wrong:
        if said.of is None and not isinstance(wrong, (NeedsPolicy, LimitError)):
            raise EntryError("say of what", "matters of CONDITION, or of a number") from None
        raise EntryError(str(wrong), instead_of(wrong)) from None
    yield from drawn(str(found))
