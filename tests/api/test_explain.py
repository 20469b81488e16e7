"""An explanation says what was played: every step with its value and citation, and why each other modifier was not applied."""

import json
from typing import Any

import pytest

import enfilade
from enfilade import Explanation, InputError, Outcome, Ruleset

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
  only one of, the lowest
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


def steps(explanation: Explanation, kind: str) -> list[str]:
    return [str(step) for step in explanation.steps if step.kind == kind]


def test_the_text_reads_from_the_facts_to_the_result(explanation: Explanation) -> None:
    assert str(explanation) == EXPECTED


def test_every_roll_reading_choice_effect_and_output_is_a_step(explanation: Explanation) -> None:
    kinds = [step.kind for step in explanation.steps]
    for kind in ("procedure", "fact", "roll", "choice", "modifiers", "modifier", "reading", "note", "results",
                 "effect", "change", "output"):  # fmt: skip
        assert kind in kinds


def test_a_default_is_told_with_what_was_assumed(rules: Ruleset) -> None:
    explanation = rules.resolve("fire", fire=9, dice=[1, 2]).explain()
    cover = next(step for step in explanation.steps if step.name == "cover")
    assert (cover.given, cover.value, cover.assumed) == (False, 0, "open ground")
    assert "by default night no [1.2]; terrain clear; cover 0 (assumed: open ground)" in str(explanation)


def test_each_modifier_that_did_not_count_says_why(explanation: Explanation) -> None:
    missed = {(s.name, s.reader): s.because for s in explanation.steps if s.applied is False}
    assert missed["woods", None] == "terrain has woods"
    assert missed["light", None] == "heavy counts instead"
    assert missed["dug_in", None] == "for each unit that reads the chart"
    assert missed["dug_in", "guns"] == "not when kind is gun"
    assert ("dug_in", "rifles") not in missed


def test_why_not_finds_a_modifier_by_name_or_label(explanation: Explanation) -> None:
    assert str(explanation.why_not("light")[0]) == "light: heavy counts instead"
    assert explanation.why_not("Night turn")[0].applied
    with pytest.raises(InputError, match="no modifier nigth was evaluated; did you mean night"):
        explanation.why_not("nigth")


def test_the_edge_of_a_chart_is_told_where_it_decided(explanation: Explanation) -> None:
    assert steps(explanation, "note")[0] == "shift off left stays (assumed: the card is silent)"


def test_modifiers_that_an_output_looks_at_once_more_are_told_once(explanation: Explanation) -> None:
    assert len([s for s in explanation.steps if s.kind == "modifiers" and s.reader is None]) == 1


def test_a_short_explanation_is_one_line(explanation: Explanation, outcome: Outcome) -> None:
    assert outcome.sentence() == explanation.text("short") == (
        "Fire Table: roll 3, column 1 (9, shifted 3 left, the last on the left): X, Loss (-1 Night turn, -2 heavy); "
        "guns: loses a step, amount 1"
    )  # fmt: skip
    assert explanation.markdown("short") == explanation.text("short")


def test_the_usual_text_is_that_of_the_explanation_and_all_leaves_out_no_step(explanation: Explanation) -> None:
    assert explanation.text("usual") == str(explanation)
    lines = explanation.text("all").splitlines()
    assert len(lines) == len(explanation.steps)
    for text, step in zip(lines, explanation.steps, strict=True):
        assert str(step) in text
    assert "  not applied: Dug in (for each unit): kind is gun" in lines or any(
        "not applied: " in each for each in lines
    )


def test_each_length_is_markdown_and_data_too(explanation: Explanation) -> None:
    assert explanation.to_json("all") == explanation.to_json()
    short, usual = explanation.to_json("short"), explanation.to_json("usual")
    assert 0 < len(short) < len(usual) < len(explanation.steps)
    assert {step["kind"] for step in short} == {"modifier", "reading", "effect"}
    assert "- fire\\_roll: 1 + 2 = 3" in explanation.markdown()
    assert explanation.markdown("all").count("\n") == len(explanation.steps) - 1


def test_another_length_is_refused(explanation: Explanation) -> None:
    for act in (explanation.text, explanation.markdown, explanation.to_json):
        with pytest.raises(InputError, match="short, usual or all, not tiny"):
            act("tiny")  # type: ignore[arg-type]


def test_a_refusal_is_one_line(rules: Ruleset) -> None:
    refused = rules.resolve("fire", fire=99)
    assert refused.sentence() == Outcome.from_json(refused.to_json()).sentence() == "refused: nobody fires"


def test_without_a_chart_the_roll_or_the_outputs_are_told() -> None:
    text = 'procedure pick\n  roll d6 as die\n  give hits = die.total "Hits"\n  give other = 0\n'
    assert enfilade.load(text=text).resolve("pick", dice=[4]).sentence() == "die: 4; Hits: 4"
    text = "procedure pick\n  roll d6 as one\n  roll d6 as two\n  give result = one.total + two.total\n"
    assert enfilade.load(text=text).resolve("pick", dice=[4, 2]).sentence() == "two: 2; result: 6"


def test_a_refusal_is_told(rules: Ruleset) -> None:
    outcome = rules.resolve("fire", fire=99)
    assert str(outcome.explain()) == "given fire 99\nFire [7.1]\nrefused, no_fire: nobody fires [7.0]"


def test_text_and_data_hold_the_same_and_data_come_back(explanation: Explanation) -> None:
    data: list[dict[str, Any]] = json.loads(json.dumps(explanation.to_json()))
    assert Explanation.from_json(data) == explanation
    assert str(Explanation.from_json(data)) == EXPECTED
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


EXPECTED = """\
given fire 9; night yes; cover 2; units rifles (kind infantry, dug_in), guns (kind gun, dug_in)
by default terrain clear
Fire [7.1]
fire_roll: 1 + 2 = 3
Column Modifiers: -3 [7.5]
  -1 Night turn [1.2]
  -2 heavy
Fire Table: roll 3, column 1 (9, shifted 3 left, the last on the left): X, Loss [7]
  shift off left stays (assumed: the card is silent)
Column Modifiers for rifles: -4 [7.5]
  -1 Night turn [1.2]
  -2 heavy
  -1 Dug in
Fire Table for rifles: roll 3, column 1 (9, shifted 4 left, the last on the left): X, Loss [7]
Column Modifiers for guns: -3 [7.5]
  -1 Night turn [1.2]
  -2 heavy
Fire Table for guns: roll 3, column 1 (9, shifted 3 left, the last on the left): X, Loss [7]
shots: rifles X, guns X (assumed: one roll for all)
X Loss, for rifles, guns [7.6]
  owner chooses guns (who loses a step)
  guns: loses a step, amount 1 [7.61]
    steps of guns: 2, now 1
result: X
names: night, heavy
not applied
  woods: terrain is not woods
  light: heavy counts instead
  Dug in: not when kind is gun (for guns)"""


def test_a_row_with_a_name_is_told_by_its_name() -> None:
    rules = enfilade.load(
        text="""
facts
  distance   number 0..20
  batteries  1..2
chart hits "Hits"
  down    distance, row at or above
  across  batteries
  cells   numbers
  | Range       | 1 | 2 |
  | 8" close    | 6 | 7 |
  | 20" medium  | 4 | 5 |
procedure fire
  1. read hits as found
  2. give result = found.code
"""
    )
    assert 'Hits: row 20" medium (17/2), column 2: 5' in str(
        rules.resolve("fire", distance="8.5", batteries=2).explain()
    )


def test_the_label_of_a_call_tells_one_call_from_another() -> None:
    rules = enfilade.load(
        text=(
            'procedure volley "The dice of one unit" [3.4]\n  1. roll d6 as dice\n  2. give hits = dice\n'
            'procedure exchange\n  1. call volley as shot_a "The first unit fires" [3.5]\n  2. call volley as shot_b\n'
            "  3. give result = shot_a.hits - shot_b.hits\n"
        )
    )
    lines = str(rules.resolve("exchange", dice=[3, 4]).explain()).splitlines()
    assert [line for line in lines if "unit" in line] == ["The first unit fires [3.5]", "The dice of one unit [3.4]"]


def test_a_list_in_a_list_stands_in_parentheses() -> None:
    rules = enfilade.load(text="procedure p\n  1. give rows = [[1, 2], [3, 4]]\n")
    assert "rows: (1, 2), (3, 4)" in str(rules.resolve("p").explain())


def test_what_is_called_stands_below_its_call_and_nothing_is_said_twice() -> None:
    rules = enfilade.load(
        text=(
            "facts\n  drill  0..3\n"
            'define fire = drill + 1 "Fire" [3.4]\n'
            'procedure volley "One side fires"\n  1. give power = fire "what it hits with" [3.4]\n'
            'procedure exchange\n  1. call volley as shot\n  2. give total = shot.power "in all"\n'
        )
    )
    assert str(rules.resolve("exchange", drill=2).explain()).splitlines() == [
        "given drill 2",
        "exchange",
        "One side fires",
        "  what it hits with: 3 [3.4]",
        "in all: 3",
    ]


def test_a_line_of_a_definition_with_a_label_of_its_own_is_kept() -> None:
    rules = enfilade.load(
        text=(
            "facts\n  drill  0..3\n"
            'define fire\n  9  when drill is 3  "picked men" [3.5]\n  drill  otherwise\n'
            "procedure volley\n  1. give power = fire\n"
        )
    )
    lines = [str(rules.resolve("volley", drill=drill).explain()).splitlines()[2:] for drill in (3, 2)]
    assert lines == [["picked men: 9 [3.5]", "power: 9"], ["power: 2"]]
