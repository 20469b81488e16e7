"""Situations of every game by chance, asked through the API and as requests."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.repl.answers import some_value

import enfilade
from enfilade import EnfiladeError, Ruleset
from enfilade.core.json_values import to_json

GAMES: Final = ("infantry_attacks", "bombardment", "emperor_musketry", "fire_combat", "franco_prussian")
MADE: Final = sorted((Path(__file__).parents[1] / "generality").glob("*.rules"))


def rulesets() -> dict[str, Any]:
    """The shipped games by name, others as texts."""
    return {name: name for name in GAMES} | {
        path.stem: {"text": path.read_text(encoding="utf-8")} for path in MADE if path.stem in _SMALL
    }


_SMALL: Final = {"memoir_44", "odds_afrika_korps", "paths_of_glory", "dba_combat", "risk", "axis_and_allies"}


def situations(rules: Ruleset, rng: random.Random, number: int) -> Iterator[tuple[str, dict[str, Any], int]]:
    """Procedures with facts by chance, and a seed."""
    names = [procedure.name for procedure in rules.procedures]
    for _ in range(number):
        procedure = rng.choice(names)
        inputs = rules.inputs(procedure)
        facts = {
            name: some_value(rules, field.domain, rng, name)
            for name, field in inputs.items()
            if field.required or rng.random() < 0.6
        }
        yield procedure, json.loads(json.dumps(to_json(facts))), rng.randrange(10**6)


def by_the_api(rules: Ruleset, procedure: str, facts: dict[str, Any], seed: int) -> list[Any]:
    """The outcome with its explanation, and the odds of the result; an error as data."""
    limits = enfilade.Limits(seconds=None, megabytes=None, work=20_000)

    def outcome() -> Any:
        return rules.resolve(procedure, given=facts, seed=seed).to_json()

    def odds() -> Any:
        return rules.odds(procedure, given=facts, limits=limits).of("result").to_json()

    answers: list[Any] = []
    for ask in (outcome, odds):
        try:
            answers.append(ask())
        except EnfiladeError as error:
            answers.append(enfilade.error_to_json(error))
    return answers


def as_requests(ruleset: Any, procedure: str, facts: dict[str, Any], seed: int) -> list[dict[str, Any]]:
    """The same as requests."""
    asked = {"ruleset": ruleset, "procedure": procedure, "facts": facts}
    return [
        {"jsonrpc": "2.0", "id": 1, "method": "resolve", "params": {**asked, "seed": seed}},
        {"jsonrpc": "2.0", "id": 2, "method": "odds", "params": asked},
    ]


def answer_in(response: dict[str, Any]) -> Any:
    """What a response says, in the form of ``by_the_api``."""
    if "error" in response:
        return response["error"]["data"]
    found = response["result"]
    return found["answers"][0] if "answers" in found else found
