"""The commands about odds: `odds`, `grid`, `plot`, `sample`, `least`, `matters`, `sensitivity`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from attrs import evolve

from enfilade import (
    Decision,
    Distribution,
    InputError,
    LimitError,
    Matters,
    NeedsPolicy,
    Odds,
    OddsError,
    Sensitivity,
    UsageError,
)
from enfilade.language import (
    Line,
    line,
    number_text,
    read_policies,
    read_values,
    value_text,
    with_underscores,
)
from enfilade.types import record_kind
from enfilade_repl.clauses import Clauses, clauses
from enfilade_repl.entry import EntryError, first_word, varied_name
from enfilade_repl.odds_answers import drawn, example, in_terms, instead_of
from enfilade_repl.session import Session
from enfilade_repl.situation import (
    Situation,
    asked,
    can_be_asked,
    changed,
    first_output,
    is_about_a_code,
    is_situation,
    outputs_of,
    question_of,
    situation,
    tell_game,
)

_HAS_DICE: Final = re.compile(r"\b\d*d\d+\b")
_CHANCE: Final = re.compile(r"(?P<fact>[A-Za-z_][\w. ]*?)\s+(?P<chance>\d[\d./]*\s*%?)\s+of\s+(?P<of>.+)")


def plot(session: Session, text: str) -> Iterator[Line]:
    """Plot the chance of a condition, or the mean of a number, over the values of a fact."""
    return odds(session, text, plots=True)


def grid(session: Session, text: str) -> Iterator[Line]:
    """Show the chance of a condition for each value of one or two facts."""
    if not clauses(text).by:
        raise EntryError("name the fact to vary", example(session, "grid by {fact}"))
    return odds(session, text)


def odds(session: Session, text: str, *, plots: bool = False) -> Iterator[Line]:
    """Show the odds of a result or of a question in a situation, or for each value of a fact.

    Args:
        session: The session.
        text: The typed arguments.
        plots: Whether to plot the odds over the values of a fact.
    """
    said = _with_range(session, clauses(text))
    if said.aim is None and any(way != "random" for way in said.players.values()):
        raise EntryError("name an aim", f"for example, `odds best {next(iter(said.players))} aim QUESTION`")
    if not said.head and said.of and _HAS_DICE.search(said.of):
        said = evolve(said, head=said.of, of=None)
    if said.head and not is_situation(session, said.head):
        # `lowest 2 of 4d10` is one expression; `M or worse` is a question without its `of`.
        whole = f"{said.head} of {said.of}" if said.of else said.head
        is_question = said.of is None and (is_about_a_code(session, whole) or can_be_asked(session, whole))
        said = evolve(said, head="", of=whole) if is_question else evolve(said, head=whole, of=None)
    here = asked(session, said.head)
    tell_game(session, here.rules.name, here.procedure)
    here, said = _with_given_facts(session, here, said)
    question = (
        question_of(here, said.of, said.aim)
        if said.of
        else ("turns" if said.until is not None else first_output(here, said.aim))
    )
    policy = read_policies(said.policies)
    call = {**here.call(session), "players": said.players or None, "policy": policy, "aim": said.aim}
    try:
        if said.by:
            if said.is_of_several:
                raise EntryError("`by` works only for a single combat", "leave out `plus`, `then`, `for` and `until`")
            by = dict(_varied(here, each) for each in said.by)
            grid = here.rules.grid(
                here.procedure, by=by, of=question, condition=said.given, parts=session.parts, **call
            )
            grid = in_terms(session, grid)
            draw = grid.plot if plots else grid.text
            yield from drawn(draw(session.columns, plain=session.plain), question, said.of)
            return
        if plots:
            raise EntryError("name the fact to vary", example(session, "plot by {fact} of QUESTION"))
        asking = _asking(session, here, said, call)
        found = _answer(asking, question)
        for text in said.plus:
            other = changed(session, here, text)
            found = found + _answer(_asking(session, other, said, {**call, "given": dict(other.given)}), question)
    except InputError as wrong:
        if said.of is None or not any(fault.is_about("question") for fault in wrong.errors):
            raise
        why = (
            str(wrong).partition("; expected")[0]
            if said.of == question
            else f"the question `{said.of}` can't be answered"
        )
        known = "" if "the outputs are" in why else f"the outputs are {', '.join(outputs_of(here))}"
        raise EntryError(why, known) from None
    except NeedsPolicy as wrong:
        raise EntryError(f"the odds depend on a choice of {wrong.player} ({wrong.choice})", instead_of(wrong)) from None
    except LimitError as wrong:
        raise EntryError(str(wrong), instead_of(wrong)) from None
    yield from drawn(in_terms(session, found).text(session.columns, plain=session.plain), question, said.of)
    if said.aim is not None:
        yield from _decisions(asking.decisions, said.aim)


def _with_given_facts(session: Session, here: Situation, said: Clauses) -> tuple[Situation, Clauses]:
    """The situation with the facts after `given`, such as `given range 1`, and the clauses with the other conditions."""
    conditions = []
    for text in said.given:
        try:
            facts = session.reader.facts(here.inputs, text)
        except EntryError:
            conditions.append(text)
            continue
        here = evolve(here, given={**here.given, **facts})
    return here, evolve(said, given=tuple(conditions))


def _with_range(session: Session, said: Clauses) -> Clauses:
    """The clauses, with `strength 1..12` understood as `by strength 1..12`."""
    found = _RANGED.fullmatch(said.head)
    if found is None or (not session.state.resolutions and session.state.pending is None):
        return said
    here = situation(session)
    is_varied = with_underscores(found[1], here.variables, begins=True) in here.variables
    return evolve(said, head="", by=(*said.by, said.head)) if is_varied else said


_RANGED: Final = re.compile(r"([A-Za-z_][\w. ]*?)\s+\d+(?:\.\.|-|\s+to\s+)\d+")


def _answer(asking: Odds, question: str) -> Distribution:
    return asking.result if question == "result" else asking.of(question)


def _asking(session: Session, here: Situation, said: Clauses, call: Mapping[str, Any]) -> Odds:
    """The odds of a situation, with the procedures that follow it, and under its conditions."""
    asking = here.rules.odds(here.procedure, **call)
    if (said.when is not None or said.carry) and len(said.then) != 1:
        raise EntryError("`when` and `carry` need exactly one `then`")
    carry = {fact: expression for fact, _, expression in (each.partition(" ") for each in said.carry)}
    for text in said.then:
        procedure, facts = first_word(text)
        if procedure not in here.rules.names("procedure"):
            known = ", ".join(here.rules.names("procedure"))
            raise EntryError(f'there is no procedure "{procedure}"', f"the procedures are {known}")
        given = session.reader.facts(here.rules.inputs(procedure), facts)
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
        raise EntryError("`sample` plays a single combat; for `plus`, `then`, `for` and `until`, use `odds`")
    if said.by or said.aim or any(way != "random" for way in said.players.values()):
        raise EntryError("`sample` accepts only facts, `of`, `given`, `policy` and `random PLAYER`")
    if said.head and said.of and not is_situation(session, said.head):
        said = evolve(said, head=f"{said.head} of {said.of}", of=None)
    here = asked(session, said.head)
    tell_game(session, here.rules.name, here.procedure)
    drawn_from = f"{session.state.dice_of(session.state.throw)} sample"
    counted = here.rules.sample(
        here.procedure,
        trials=trials,
        seed=drawn_from,
        condition=said.given,
        players=said.players or None,
        policy=read_policies(said.policies),
        **here.call(session),
    )
    question = question_of(here, said.of) if said.of else first_output(here)
    yield from drawn(counted.of(question).text(session.columns, plain=session.plain), question, said.of)


_TRIALS: Final = 10_000


def _varied(here: Situation, text: str) -> tuple[str, list[Any] | None]:
    name, values = varied_name(with_underscores(text, here.variables, begins=True))
    if name not in here.variables and f"{name}s" in here.variables:
        name = f"{name}s"
    if not values:
        return name, None
    try:
        return name, list(read_values(here.rules, here.variables.get(name), values))
    except UsageError as wrong:
        raise EntryError(str(wrong)) from None


def _decisions(decisions: Sequence[Decision], aim: str) -> Iterator[Line]:
    every, decisions = len(decisions), [decision for decision in decisions if decision.matters]
    for decision in decisions[:_MOST_DECISIONS]:
        known = ", ".join(f"{name} {value_text(value)}" for name, value in decision.known)
        yield line(("player", decision.player), f": {decision.name}{f' after {known}' if known else ''}")
        for (option, value), mark in zip(decision.options, decision.marks, strict=True):
            yield line(f"  {value_text(option)}: {number_text(Fraction(value))} of {aim}", ("ok", mark and f"  {mark}"))
    if len(decisions) > _MOST_DECISIONS:
        yield line(("hint", f"And {len(decisions) - _MOST_DECISIONS} more choices."))
    if every > len(decisions):
        count = every - len(decisions)
        yield line(("hint", f"In {count} {'choices' if count > 1 else 'choice'}, all options have the same value."))


_MOST_DECISIONS: Final = 12


def least(session: Session, text: str) -> Iterator[Line]:
    """Find the least value of a fact that gives a condition a certain chance: `least fire_value 50% of M or worse`."""
    text, _, within = text.partition(" within ")
    found = _CHANCE.fullmatch(text.strip())
    if found is None:
        _, _, condition = f" {text}".partition(" of ")
        form = f"least {{fact}} 50% of {condition.strip() or '{condition}'}"
        raise EntryError("give a fact, a chance and a condition", example(session, form, text))
    here = situation(session)
    fact = with_underscores(found["fact"], here.variables)
    tell_game(session, here.rules.name, here.procedure)
    values = None if not within else _varied(here, f"{fact} {within}")[1]
    given = {name: value for name, value in here.given.items() if name != fact}
    answer = here.rules.least(
        fact, here.procedure, chance=found["chance"].replace(" ", ""), of=question_of(here, found["of"]), within=values,
        **{**here.call(session), "given": given},
    )  # fmt: skip
    given_kinds = dict.fromkeys(filter(None, map(record_kind, here.types.values())))
    kinds = [kind for kind in given_kinds if fact in here.rules.records[kind].fields and fact not in here.types]
    of_all = f" of every {' and '.join(kinds)}" if kinds else ""
    yield line(("name", fact), f"{of_all} ", ("result", str(in_terms(session, answer))))


def matters(session: Session, text: str) -> Iterator[Line]:
    """Show the effect of each modifier on the odds: `matters of M or worse`."""
    return _effects(session, text, "matters")


def sensitivity(session: Session, text: str) -> Iterator[Line]:
    """Show what moves the odds most, over its range: `sensitivity of M or worse`."""
    return _effects(session, text, "sensitivity")


def _effects(session: Session, text: str, command: str) -> Iterator[Line]:
    said = clauses(text)
    here = asked(session, said.head)
    tell_game(session, here.rules.name, here.procedure)
    call = {
        **here.call(session),
        "of": question_of(here, said.of, said.aim) if said.of else first_output(here, said.aim),
        "players": said.players or None,
        "aim": said.aim,
    }
    try:
        if command == "matters":
            found: Matters | Sensitivity = here.rules.matters(here.procedure, **call)
        else:
            by = dict(_varied(here, each) for each in said.by)
            found = here.rules.sensitivity(here.procedure, by=by, parts=session.parts, **call)
    except (NeedsPolicy, LimitError, OddsError) as wrong:
        if said.of is None and not isinstance(wrong, (NeedsPolicy, LimitError)):
            raise EntryError("give a question", f"type `{command} of`, then a condition or a number") from None
        raise EntryError(str(wrong), instead_of(wrong)) from None
    yield from drawn(str(in_terms(session, found)), call["of"], said.of)
