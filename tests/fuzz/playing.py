"""Random plays and small questions of odds about any ruleset."""

from __future__ import annotations

import random
from typing import Any, Final

from tests.repl.answers import some_value

import enfilade
from enfilade import EnfiladeError, FactQuestion, LimitError, Limits, RefusedOdds, RuleError, Ruleset, Run

MOST_ANSWERS: Final = 60
SMALL: Final = Limits(seconds=0.15, megabytes=128)
"""Of each question. The time of an input is that of all its questions together: two for each of three procedures."""


def tried(rules: Ruleset, rng: random.Random, most: int = 3) -> None:
    """Play some procedures of a ruleset, and ask for their odds.

    Raises:
        AssertionError: A saved run or an outcome did not read back.
    """
    for procedure in [each.name for each in rules.procedures][:most]:
        facts = some_facts(rules, procedure, rng)
        for step in (_play, _odds):
            try:
                step(rules, procedure, facts, rng)
            except EnfiladeError as error:
                str(error), enfilade.error_to_json(error)


def some_facts(rules: Ruleset, procedure: str, rng: random.Random) -> dict[str, Any]:
    """Some of the facts of a procedure."""
    fields = rules.inputs(procedure)
    return {
        name: some_value(rules, field.domain, rng, name)
        for name, field in fields.items()
        if field.required or rng.random() < 0.5
    }


def played(rules: Ruleset, procedure: str, facts: dict[str, Any], rng: random.Random) -> Run:
    """A run with random answers, up to its end or to ``MOST_ANSWERS``."""
    run = rules.begin(procedure, given=facts, seed=rng.randrange(10**6))
    for _ in range(MOST_ANSWERS):
        match run.question:
            case None:
                break
            case FactQuestion() as question:
                run = run.answer(some_value(rules, question.input.domain, rng, question.name))
            case _:
                run = run.answer_random(rng.randrange(10**6))
    return run


def _play(rules: Ruleset, procedure: str, facts: dict[str, Any], rng: random.Random) -> None:
    run = played(rules, procedure, facts, rng)
    assert rules.resume(run.save()).log == run.log
    if run.outcome is not None:
        outcome = run.outcome
        str(outcome.explain())
        assert enfilade.Outcome.from_json(outcome.to_json()).to_json() == outcome.to_json()


def _odds(rules: Ruleset, procedure: str, facts: dict[str, Any], rng: random.Random) -> None:
    players = dict.fromkeys(rules.players, "random")
    odds = rules.odds(procedure, given=facts, players=players, limits=SMALL)
    outputs = [output.name for output in rules.procedure(procedure).outputs]
    for question in rng.sample(outputs, min(2, len(outputs))):
        try:
            found = odds.of(question)
        except (LimitError, RefusedOdds, RuleError):
            return
        str(found)
        assert sum(found.weights.values()) <= found.total
