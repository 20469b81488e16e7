"""What a player is asked for matters: for every fact that a shipped procedure ever asks there is a situation in which another
answer changes how it ends."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest
from tests.repl.answers import some_value

import enfilade
from enfilade.api.questions import ChoiceQuestion, FactQuestion
from enfilade.api.ruleset import Ruleset
from enfilade.api.runs import Run
from enfilade.errors import InputError, RuleError
from enfilade_repl.entry import types_of

SHIPPED: Final = ("bombardment", "emperor_musketry", "fire_combat", "franco_prussian", "infantry_attacks")
QUICK: Final = ("charge_roll", "spread_kills")
TRIES: Final = 3_000
LEAST: Final = 10
KNOWN: Final[Mapping[str, tuple[int, ...]]] = {"volley": (733, 178, 89), "infantry_fire": (127,)}
"""Seeds of situations in which a fact changes the end that seldom does; they are tried first."""


def procedures() -> Iterator[Any]:
    for name in SHIPPED:
        for procedure in enfilade.load(name).procedures:
            yield pytest.param(name, procedure.name, marks=() if procedure.name in QUICK else pytest.mark.thorough)


def played(rules: Ruleset, procedure: str, seed: int, said: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """How a run ends whose facts are all asked, with what it marks on them; and what was asked.

    *said* goes before what the seed would say.
    """
    types = types_of(rules, procedure)
    run: Run = rules.begin(procedure, seed=seed, ask_all=True)
    asked: dict[str, Any] = {}
    while (question := run.question) is not None:
        if isinstance(question, FactQuestion):
            dice = random.Random(f"{seed} {question.key}")
            value = (
                said[question.key]
                if question.key in said
                else some_value(rules, types[question.key], dice, question.key)
            )
            asked[question.key] = value
            run = run.answer(value)
        elif isinstance(question, ChoiceQuestion):
            run = run.answer_random()
        else:
            run = run.roll()
    assert run.outcome is not None
    outcome = run.outcome
    said_of = {value["name"]: value for value in asked.values() if isinstance(value, Mapping) and "name" in value}
    marked = [
        (name, field, value)
        for records in outcome.state.values()
        for name, fields in records.items()
        for field, value in fields.items()
        if said_of.get(name, {}).get(field, value) != value
    ]
    return (outcome.status, outcome.refusal, dict(outcome.outputs), outcome.effects, marked), asked


def differing(rules: Ruleset, procedure: str) -> tuple[set[str], set[str]]:
    """The facts that were asked in some situation, and those that changed how one ended."""
    types = types_of(rules, procedure)
    asked: set[str] = set()
    mattered: set[str] = set()
    for number, seed in enumerate((*KNOWN.get(procedure, ()), *range(TRIES))):
        try:
            end, facts = played(rules, procedure, seed, {})
        except (InputError, RuleError):
            continue
        asked |= set(facts)
        for fact in sorted(set(facts) - mattered):
            other = some_value(rules, types[fact], random.Random(f"other {seed} {fact}"), fact)
            if other == facts[fact]:
                continue
            try:
                if played(rules, procedure, seed, {fact: other})[0] != end:
                    mattered.add(fact)
            except (InputError, RuleError):
                continue
        if number > LEAST and asked == mattered:
            break
    return asked, mattered


@pytest.mark.parametrize(("ruleset", "procedure"), list(procedures()))
def test_no_fact_is_asked_that_never_changes_how_it_ends(ruleset: str, procedure: str) -> None:
    asked, mattered = differing(enfilade.load(ruleset), procedure)
    assert asked
    assert asked - mattered == set()
