"""`EVENT.reason`: why an event starts nothing, or none, as a value in the rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import enfilade
from enfilade.diagnostics.diagnostic import Severity

# Opportunity fire, an interception, and reaction fire ask the same: may it, and if not, why?
RULES = """
facts
  hidden  yes/no
  ammo    0..3
define dry = ammo is 0

event seen "an enemy comes into sight"
on seen "Opportunity fire" [12.1]
  unless hidden  still_hidden  "the enemy is still hidden"  [12.2]
  unless dry     no_ammo       "no ammunition is left"
  start fire

procedure fire
  1. roll d6 as die
  2. give result = die

procedure may_fire
  1. give reason = seen.reason  "why it may not"
     give result = reason is none

procedure try_to_fire
  1. roll d6 as check
     let may = check >= 4 and seen.reason is none
     give result = may
"""


@pytest.mark.parametrize(
    ("facts", "reason"),
    [({"ammo": 1}, None), ({"ammo": 0}, "no_ammo"), ({"ammo": 0, "hidden": True}, "still_hidden")],
)
def test_the_first_reason_that_is_true_or_none(facts: dict[str, Any], reason: str | None) -> None:
    rules = enfilade.load(text=RULES)
    assert dict(rules.resolve("may_fire", **facts).outputs) == {"reason": reason, "result": reason is None}
    (reaction,) = rules.notify("seen", **facts)
    assert reaction.starts is (reason is None)
    assert getattr(reaction, "reason", None) == reason


def test_the_explanation_tells_the_sentence_and_the_citation() -> None:
    outcome = enfilade.load(text=RULES).resolve("may_fire", ammo=2, hidden=True)
    assert "the enemy is still hidden: still_hidden [12.2]" in str(outcome.explain())


def test_odds_see_the_reason() -> None:
    rules = enfilade.load(text=RULES)
    assert rules.odds("try_to_fire", ammo=1).result[True] == Fraction(1, 2)
    assert rules.odds("try_to_fire", ammo=0).result[True] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RULES.replace("seen.reason  ", "seen.reasons  "), "there is no part of the event seen `reasons`"),
        (
            RULES.replace("procedure fire\n", "on seen\n  start fire\n\nprocedure fire\n"),
            "`seen` has 2 `on` blocks, each with its own reasons",
        ),
        (RULES.replace("unless dry", "unless drry"), "there is no fact, definition or word `drry`"),
    ],
)
def test_each_mistake_has_its_message(text: str, message: str) -> None:
    errors = [each for each in enfilade.check(text) if each.severity is Severity.ERROR]
    assert message in {each.message for each in errors}
    assert len(errors) <= 2


def test_a_fact_of_that_name_hides_the_event() -> None:
    text = RULES.replace("facts\n", "record sight\n  reason  0.. = 3\nfacts\n  seen  sight\n")
    rules = enfilade.load(text=text.replace("reason is none", "reason is 3"))
    assert rules.resolve("may_fire", seen={}).outputs["reason"] == 3
