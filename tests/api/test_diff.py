"""``Ruleset.diff``: what changed in the rules, and the largest changes of odds.

What ``enfilade diff`` prints is on the page ``tests/cli/pages/diff.md``.
"""

import json
from fractions import Fraction
from itertools import product
from typing import Any, Final

import pytest
from tests.api.skirmish import TEXT

import enfilade
from enfilade import Ruleset, RulesetDiff, published_schema

RULES: Final = enfilade.load(text=TEXT)
CARD: Final = enfilade.load("infantry_attacks")

SMALL: Final = """
enfilade 1.1
ruleset small

facts
  force  1..3
  night  yes/no

chart crt "Fire"
  down    d6
  across  force
  row below stays
  | d6   | 1 | 2 | 3 |
  | 1..3 | - | - | M |
  | 4..6 | - | M | X |

modifiers drm "Modifiers" add to roll of crt, cumulative
  -1  night  night

procedure shoot
  roll d6 as die
  read crt with die as hit
  give result = hit.code
"""


def edited(text: str, *changes: tuple[str, str]) -> Ruleset:
    """A ruleset with pieces of its text replaced, each of which it must have."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return enfilade.load(text=text)


def variant(text: str, base: str = "infantry_attacks") -> Ruleset:
    return enfilade.load(text=f"enfilade 1.1\nruleset house extends {base}\n{text}")


Part = tuple[str, str, str, str | None, str | None]


def parts(found: RulesetDiff) -> list[Part]:
    return [(each.kind, each.name, each.part, each.old, each.new) for each in found.changes]


def rules_only(new: Ruleset, old: Ruleset = RULES) -> RulesetDiff:
    return old.diff(new, situations=0)


# -------------------------------------------------------------------------------------------------------- the rules


def test_equal_rules_have_no_difference_whatever_their_layout_and_comments() -> None:
    again = edited(
        TEXT, ("  | 2..4 | - | M |  X  |", "  |  2..4|-|   M| X |"), ("option fog", "-- a comment\noption fog")
    )
    for new in (RULES, again):
        found = RULES.diff(new)
        assert (found.changed, found.changes, found.odds) == (False, (), ())
        assert found.text() == found.markdown() == str(found) == "Nothing changed."


NIGHT = '    -1  night  night          "at night"     [4.1]\n'
FAR = "    -2  far    distance > 9\n"


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        pytest.param([("| 5..9 | - | - |  M  |", "| 5..9 | - | M |  M  |")],
                     [("chart", "crt", "row 5..9, column 5", "-", "M")], id="a cell by its labels"),
        pytest.param([("  | 1..5 | ok |", "  | 1..5 | ok |\n  | 6..9 | ok |")],
                     [("chart", "thin", "row 6..9", None, "ok")], id="a new row"),
        pytest.param([("| 1 | 5 | 10+ |", "| 1 | 10+ |"), ("| - | M |  X  |", "| - |  X  |"),
                      ("| - | - |  M  |", "| - |  M  |"), ("| M | X |  X  |", "| M |  X  |")],
                     [("chart", "crt", "column 5", "M | - | X", None)], id="a column that is gone"),
        pytest.param([("shift off left   stays", "shift off left   gives -")],
                     [("chart", "crt", "", "shift off left  stays", "shift off left  gives -")], id="a line of a chart"),
        pytest.param([("-2  far    distance > 9", "-3  far    distance > 9"), ('  -1  woods  cover is woods   "in woods"\n', "")],
                     [("modifiers", "drm", "woods", '-1 woods cover is woods "in woods"', None),
                      ("modifiers", "drm", "far", "never together: -2 far distance > 9", "never together: -3 far distance > 9")],
                     id="modifiers with their section"),
        pytest.param([("chart thin", "define half = fire / 2 rounded down\n\nchart thin")],
                     [("define", "half", "", None, "define half = fire / 2 rounded down")], id="a new declaration"),
    ],
)  # fmt: skip
def test_a_change_is_named_by_its_place(edits: list[tuple[str, str]], expected: list[Part]) -> None:
    new = edited(TEXT, *edits)
    assert parts(rules_only(new)) == expected
    # The other way round, what is new is gone.
    assert {*parts(rules_only(RULES, new))} == {(*each[:3], each[4], each[3]) for each in expected}


def test_a_change_is_told_in_words() -> None:
    cell = edited(TEXT, ("| 5..9 | - | - |  M  |", "| 5..9 | - | M |  M  |"))
    assert "chart crt\n  row 5..9, column 5: was -, now M" in rules_only(cell).text()
    more = edited(TEXT, ("chart thin", "define half = fire / 2 rounded down\n\nchart thin"))
    found = RULES.diff(more)
    assert parts(found)[0] == parts(rules_only(more))[0]
    assert "added: define half = fire / 2 rounded down" in found.text()


def test_a_variant_and_an_option_change_cells_and_values_and_no_lines() -> None:
    new = variant("replace cell of direct_fire_table row 7, column 16 with M\n")
    assert parts(rules_only(new, CARD)) == [("chart", "direct_fire_table", "row 7, column 16", "-", "M")]
    found = CARD.diff(CARD.with_options(low_edge="no_effect"), situations=0)
    assert parts(found) == [("option", "low_edge", "value", "stays", "no_effect")]


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([("  fire      1..", "  fire      1..20"), ("  steps  0..4 = 2", "  steps  0..4 = 3"),
          ("option fog", "option fog = yes"), ("give sum    = dice.total", "give sum    = dice.total + 1")],
         [("option", "fog", ""), ("record", "unit", "steps"), ("facts", "", "fire"), ("procedure", "shoot", "step 5")]),
        # The order of modifiers is no part, and still a change.
        ([(NIGHT + FAR, FAR + NIGHT)], [("modifiers", "drm", "layout or order")]),
    ],
)  # fmt: skip
def test_facts_fields_options_steps_and_orders(
    edits: list[tuple[str, str]], expected: list[tuple[str, str, str]]
) -> None:
    assert [(each.kind, each.name, each.part) for each in rules_only(edited(TEXT, *edits)).changes] == expected


def test_results_and_examples_by_their_names() -> None:
    new = variant('replace example direct_fire "night"\n  given fire_value 22, night\n  on 2 3\n  gives M1\n')
    assert parts(rules_only(new, CARD))[0][:2] == ("example", 'direct_fire "night"')
    assert not any(change.plays for change in rules_only(new, CARD).changes)
    entry = edited(CARD.sources[0].text, ('  -             "No Effect"\n', '  -             "Nothing happens"\n'))
    (change,) = rules_only(entry, CARD).changes
    assert (change.kind, change.part, change.words_only) == ("results", "-", True)


def test_a_renamed_label_changes_words_and_no_odds() -> None:
    found = RULES.diff(edited(TEXT, ('"at night"     [4.1]', '"by night"     [4.2]')))
    assert [(each.part, each.words_only, each.plays) for each in found.changes] == [("night", True, False)]
    assert (found.odds, "only words, examples or sources changed" in found.text()) == ((), True)


# --------------------------------------------------------------------------------------------------------- the odds


def test_the_largest_change_is_proven_if_all_situations_are_tried() -> None:
    old, new = enfilade.load(text=SMALL), edited(SMALL, ("| 4..6 | - | M | X |", "| 4..6 | - | M | M |"))
    (asked,) = old.diff(new).odds
    assert (asked.procedure, asked.of, asked.tried, asked.proven) == ("shoot", "result", 6, True)
    chances: dict[str, list[tuple[Fraction, int, dict[str, Any]]]] = {}
    for force, night in product((1, 2, 3), (False, True)):
        one, other = (rules.odds("shoot", force=force, night=night).result for rules in (old, new))
        for outcome in {*one, *other}:
            chances.setdefault(outcome, []).append((other[outcome] - one[outcome], force, {"night": night}))
    largest = {outcome: max(abs(each[0]) for each in found) for outcome, found in chances.items()}
    assert {each.outcome: abs(each.difference) for each in asked.changes} == {
        outcome: change for outcome, change in largest.items() if change
    }
    for change in asked.changes:
        assert old.odds("shoot", given=change.facts).result[change.outcome] == change.old
        assert new.odds("shoot", given=change.facts).result[change.outcome] == change.new


@pytest.mark.thorough
def test_a_sample_claims_no_maximum_and_is_the_same_each_time() -> None:
    new = variant('replace night in column_modifiers\n  -2 night night "Night turn" [1.2]\nremove example "night"\n')
    found = CARD.diff(new, situations=24)
    (asked,) = found.odds
    assert (asked.tried, asked.proven, asked.ended_early) == (24, False, False)
    assert "largest changes in the 24 situations tried, seed 1" in found.text()
    assert all(change.facts["night"] is True for change in asked.changes)
    assert CARD.diff(new, situations=24).to_json() == found.to_json()


def test_a_change_that_the_result_does_not_show_is_found_in_another_output() -> None:
    new = edited(TEXT, ("give sum    = dice.total", "give sum    = dice.total + 1"))
    asked = {each.of: each for each in RULES.diff(new, situations=8).odds}
    assert not asked["result"].changes
    assert {each.outcome for each in asked["sum"].changes} == set(range(2, 14))


@pytest.mark.parametrize(
    ("text", "fact", "edits"),
    [
        (SMALL, "smoke", [("  night  yes/no", "  night  yes/no\n  smoke  yes/no"),
                          ("  -1  night  night", "  -1  night  night\n  -3  smoke  smoke")]),
        (TEXT, "fog", [("    -1  fog    night", "    -1  fog    cover is open")]),
    ],
    ids=["a new fact", "an option that only some situations set"],
)  # fmt: skip
def test_what_changes_the_odds_is_part_of_the_situation(text: str, fact: str, edits: list[tuple[str, str]]) -> None:
    asked = enfilade.load(text=text).diff(edited(text, *edits)).odds[0]
    assert asked.changes
    assert all(change.facts[fact] is True for change in asked.changes)


def test_a_refusal_is_an_outcome() -> None:
    new = edited(TEXT, ("distance > 20 [3.2]", "distance > 2 [3.2]"))
    changes = {each.outcome: each for each in RULES.diff(new).odds[0].changes}
    assert changes["refused: too_far"].difference == 1


@pytest.mark.thorough
def test_players_choose_at_random_if_an_answer_depends_on_it() -> None:
    new = edited(TEXT, ("| 5..9 | - | - |  M  |", "| 5..9 | - | - |  X  |"))
    won = edited(TEXT, ("when die >= 3 otherwise", "when die >= 4 otherwise"))
    (asked,) = RULES.diff(won, of=["won"]).odds
    assert (asked.procedure, asked.random_choices, asked.proven) == ("wager", True, True)
    assert {each.outcome: each.difference for each in asked.changes}[3] == Fraction(-1, 18)
    assert "Players choose at random." in RULES.diff(won, of=["won"]).text()
    (asked,) = RULES.diff(new, of=["sum"]).odds
    assert not asked.random_choices


def test_a_question_that_nothing_can_affect_is_left_out() -> None:
    unused = TEXT + "\ndefine spare = 1\n"
    found = enfilade.load(text=unused).diff(edited(unused, ("define spare = 1", "define spare = 2")))
    assert (len(found.changes), found.odds) == (1, ())
    assert "affect no procedure" in found.text()


def test_the_end_of_the_time_is_told() -> None:
    new = variant("replace cell of direct_fire_table row 7, column 16 with M\n")
    found = CARD.diff(new, limits=enfilade.Limits(seconds=0.000001))
    assert [(each.tried, each.ended_early, each.proven) for each in found.odds[:1]] == [(0, True, False)]
    assert "The time limit ended" in found.text()


def test_a_question_that_no_procedure_can_answer_is_refused() -> None:
    with pytest.raises(enfilade.InputError):
        RULES.diff(edited(TEXT, ("| 5..9 | - | - |  M  |", "| 5..9 | - | M |  M  |")), of=["nonsense"])


@pytest.mark.thorough
def test_data_have_the_published_form() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    old = enfilade.load(text=SMALL)
    for new in (old, edited(SMALL, ("| - | M | X |", "| - | X | X |"))):
        jsonschema.validate(json.loads(json.dumps(old.diff(new).to_json())), published_schema("diff"))
