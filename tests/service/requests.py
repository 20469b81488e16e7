"""Situations of every game by chance, asked through the API and as requests."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.fuzz.seeds import GAMES
from tests.repl.answers import some_value

import enfilade
from enfilade import EnfiladeError, Ruleset
from enfilade.values.json_data import to_json

SHOT: Final = {"ruleset": "infantry_attacks", "procedure": "direct_fire", "facts": {"fire_value": 16}}
# Its odds take longer than the limit of a request.
LONG: Final = {
    "ruleset": {
        "text": "procedure main\n  1. roll 300d6 as dice\n  2. roll 300d20 as more\n"
        "  3. give result = sum of highest 40 of dice.values + sum of highest 40 of more.values\n"
    },
    "procedure": "main",
}


_SMALL: Final = ("memoir_44", "odds_afrika_korps", "paths_of_glory", "dba_combat", "risk", "axis_and_allies")


def request(number: Any, method: str, **params: Any) -> dict[str, Any]:
    """A request of the protocol."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def rulesets() -> dict[str, Any]:
    """The shipped games by name, others as texts."""
    folder = Path(__file__).parents[1] / "generality"
    made = {name: {"text": (folder / f"{name}.rules").read_text(encoding="utf-8")} for name in _SMALL}
    return {name: name for name in GAMES} | made


def situations(rules: Ruleset, rng: random.Random, number: int) -> Iterator[tuple[str, dict[str, Any], int]]:
    """Procedures with facts by chance, and a seed."""
    for _ in range(number):
        procedure = rng.choice(rules.procedures).name
        facts = {
            name: some_value(rules, field.domain, rng, name)
            for name, field in rules.inputs(procedure).items()
            if field.required or rng.random() < 0.6
        }
        yield procedure, json.loads(json.dumps(to_json(facts))), rng.randrange(10**6)


def by_the_api(rules: Ruleset, procedure: str, facts: dict[str, Any], seed: int) -> list[Any]:
    """The outcome with its explanation, and the odds of the result; an error as data."""
    limits = enfilade.Limits(seconds=None, megabytes=None, work=20_000)

    asks = (
        lambda: rules.resolve(procedure, given=facts, seed=seed),
        lambda: rules.odds(procedure, given=facts, limits=limits).of("result"),
    )
    answers: list[Any] = []
    for ask in asks:
        try:
            answers.append(ask().to_json())
        except EnfiladeError as error:
            answers.append(enfilade.error_to_json(error))
    return answers


def as_requests(ruleset: Any, procedure: str, facts: dict[str, Any], seed: int) -> list[dict[str, Any]]:
    """The same as requests."""
    asked = {"ruleset": ruleset, "procedure": procedure, "facts": facts}
    return [request(1, "resolve", **asked, seed=seed), request(2, "odds", **asked)]


def answer_in(response: dict[str, Any]) -> Any:
    """What a response says, in the form of ``by_the_api``."""
    if "error" in response:
        return response["error"]["data"]
    found = response["result"]
    return found["answers"][0] if "answers" in found else found
