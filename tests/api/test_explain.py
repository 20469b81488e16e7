"""An explanation says what was played, as an object, as data and as Markdown; ``why.md`` has it as text.

The page is in ``tests/cli/pages``.
"""

import json
from typing import Any

import pytest

import enfilade
from enfilade import ArgumentError, Explanation, InputError, Outcome, Ruleset

TEXT = """
players owner
record unit
  kind     one of infantry, gun
  steps    0.. = 2
  dug_in   yes/no

facts
  fire     1..         "fire value"
  night    yes/no                    [1.2]
  cover    0..2 = 0    assumed "open ground"
  terrain  set of clear, woods = clear
  units    list of unit

option low_edge one of stays, misses = stays

effect loss "loses a step" (unit, amount 1..)  [7.61]
  unit.steps becomes unit.steps - amount but at least 0

chart table "Fire Table"  [7]
  down    2d6
  across  fire, column at or below
  severity - < M < X
  shift off left   stays  assumed "the card is silent"
  shift off right  stays
  | Roll | 1 | 4 | 9 |
  | 2-5  | X | X | X |
  | 6-8  | - | M | X |
  | 9+   | - | - | M |

modifiers shifts "Column Modifiers" shift columns of table  [7.5]
  -1  night  night                     "Night turn"  [1.2]
  -2  woods  terrain has woods and night
  only the lowest
    -1  light  cover >= 1
    -2  heavy  cover is 2
  for each unit
    -1  dug_in  dug_in  "Dug in"
        but not when kind is gun

results of table for each unit
  -  "No effect"
  M  "Morale"
  X  "Loss"  [7.6]
    once: owner assigns 1 loss with amount 1 among readers as lost "who loses a step"

procedure fire "Fire" [7.1]
  1. refuse no_fire "nobody fires" [7.0] when fire is 99
  2. roll 2d6 as fire_roll
  3. read table with fire_roll as hex
  4. read table with fire_roll for each unit as shots  assumed "one roll for all"
  5. apply shots
  6. give result = hex.code
  7. give names = shifts.names
"""


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return enfilade.load(text=TEXT)


@pytest.fixture(scope="module")
def outcome(rules: Ruleset) -> Outcome:
    units = {"rifles": {"kind": "infantry", "dug_in": True}, "guns": {"kind": "gun", "dug_in": True}}
    return rules.resolve("fire", fire=9, night=True, cover=2, units=units, dice=[1, 2], choices=["guns"])


@pytest.fixture(scope="module")
def explanation(outcome: Outcome) -> Explanation:
    return outcome.explain()


def test_every_roll_reading_choice_effect_and_output_is_a_step(explanation: Explanation) -> None:
    assert {step.kind for step in explanation.steps} == {
        "procedure", "fact", "roll", "choice", "modifiers", "modifier", "reading", "note", "results", "effect",
        "change", "value", "output",
    }  # fmt: skip


def test_why_not_finds_a_modifier_by_name_or_label(explanation: Explanation) -> None:
    assert str(explanation.why_not("light")[0]) == "light: heavy counts instead"
    assert explanation.why_not("Night turn")[0].applied
    with pytest.raises(InputError, match="no modifier nigth was evaluated; did you mean night"):
        explanation.why_not("nigth")


def test_each_length_is_text_markdown_and_data(explanation: Explanation, outcome: Outcome) -> None:
    assert outcome.sentence() == explanation.text("short") == explanation.markdown("short")
    assert (explanation.text("usual"), explanation.to_json("all")) == (str(explanation), explanation.to_json())
    assert explanation.text("all").count("\n") == explanation.markdown("all").count("\n") == len(explanation.steps) - 1
    short, usual = explanation.to_json("short"), explanation.to_json("usual")
    assert 0 < len(short) < len(usual) < len(explanation.steps)
    assert {step["kind"] for step in short} == {"modifier", "reading", "effect"}
    assert "- fire\\_roll: 1 + 2 = 3" in explanation.markdown()


def test_another_length_is_refused(explanation: Explanation) -> None:
    for act in (explanation.text, explanation.markdown, explanation.to_json):
        with pytest.raises(ArgumentError, match="length takes 'short' or 'usual' or 'all', not 'tiny'"):
            act("tiny")  # type: ignore[arg-type]


def test_a_refusal_comes_back_from_data(rules: Ruleset) -> None:
    refused = rules.resolve("fire", fire=99)
    assert refused.sentence() == Outcome.from_json(refused.to_json()).sentence() == "refused: nobody fires"


def test_text_and_data_hold_the_same_and_data_come_back(explanation: Explanation) -> None:
    data: list[dict[str, Any]] = json.loads(json.dumps(explanation.to_json()))
    assert Explanation.from_json(data) == explanation
    assert str(Explanation.from_json(data)) == str(explanation)
    assert all({"step", "value", "cites", "assumed"} <= set(step) for step in data)


def test_explaining_asks_and_rolls_nothing_and_comes_to_the_same(rules: Ruleset) -> None:
    outcome = rules.resolve("fire", fire=4, seed=11)
    result = next(s for s in outcome.explain().steps if s.name == "result")
    assert result.value == outcome.result


def test_an_outcome_that_was_made_without_it_can_not_be_explained(rules: Ruleset) -> None:
    outcome = rules.resolve("fire", fire=4, seed=11, explainable=False)
    with pytest.raises(enfilade.AnswerError, match="without its explanation"):
        outcome.explain()
    assert outcome.to_json()["explanation"] == []
