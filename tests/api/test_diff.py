"""``enfilade diff`` and ``Ruleset.diff``: what changed in the rules, and the largest changes of odds."""

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest
from tests.api.skirmish import TEXT

import enfilade
from enfilade import Ruleset, RulesetDiff, published_schema

Run = Callable[..., tuple[int, str, str]]

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


def parts(found: RulesetDiff) -> list[tuple[str, str, str, str | None, str | None]]:
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


def test_a_cell_is_named_by_its_labels() -> None:
    found = rules_only(edited(TEXT, ("| 5..9 | - | - |  M  |", "| 5..9 | - | M |  M  |")))
    assert parts(found) == [("chart", "crt", "row 5..9, column 5", "-", "M")]
    assert "chart crt\n  row 5..9, column 5: was -, now M" in found.text()


def test_a_cell_that_a_variant_replaces_is_a_changed_cell_and_no_line() -> None:
    new = variant("replace cell of direct_fire_table row 7, column 16 with M\n")
    assert parts(rules_only(new, CARD)) == [("chart", "direct_fire_table", "row 7, column 16", "-", "M")]


def test_rows_and_columns_that_are_new_or_gone() -> None:
    rows = rules_only(edited(TEXT, ("  | 1..5 | ok |", "  | 1..5 | ok |\n  | 6..9 | ok |")))
    assert parts(rows) == [("chart", "thin", "row 6..9", None, "ok")]
    columns = edited(
        TEXT, ("| 1 | 5 | 10+ |", "| 1 | 10+ |"), ("| - | M |  X  |", "| - |  X  |"), ("| - | - |  M  |", "| - |  M  |"),
        ("| M | X |  X  |", "| M |  X  |"),
    )  # fmt: skip
    assert parts(rules_only(columns)) == [("chart", "crt", "column 5", "M | - | X", None)]


def test_a_line_of_a_chart() -> None:
    found = rules_only(edited(TEXT, ("shift off left   stays", "shift off left   gives -")))
    assert parts(found) == [("chart", "crt", "", "shift off left  stays", "shift off left  gives -")]


def test_modifiers_are_named_and_tell_their_section() -> None:
    found = rules_only(
        edited(TEXT, ("-2  far    distance > 9", "-3  far    distance > 9"), ("  -1  woods  cover is woods   \"in woods\"\n", ""))
    )  # fmt: skip
    assert parts(found) == [
        ("modifiers", "drm", "woods", '-1 woods cover is woods "in woods"', None),
        ("modifiers", "drm", "far", "never together: -2 far distance > 9", "never together: -3 far distance > 9"),
    ]


def test_facts_fields_options_and_steps() -> None:
    found = rules_only(edited(
        TEXT, ("  fire      1..", "  fire      1..20"), ("  steps  0..4 = 2", "  steps  0..4 = 3"),
        ("option fog", "option fog = yes"), ("give sum    = dice.total", "give sum    = dice.total + 1"),
    ))  # fmt: skip
    assert [(each.kind, each.name, each.part) for each in found.changes] == [
        ("option", "fog", ""), ("record", "unit", "steps"), ("facts", "", "fire"), ("procedure", "shoot", "step 5"),
    ]  # fmt: skip


def test_declarations_that_are_new_or_gone() -> None:
    more = edited(TEXT, ("chart thin", "define half = fire / 2 rounded down\n\nchart thin"))
    assert parts(rules_only(more)) == [("define", "half", "", None, "define half = fire / 2 rounded down")]
    assert parts(RULES.diff(more))[0] == parts(rules_only(more))[0]
    assert parts(rules_only(RULES, more)) == [("define", "half", "", "define half = fire / 2 rounded down", None)]
    assert "added: define half = fire / 2 rounded down" in RULES.diff(more).text()


def test_results_and_examples_by_their_names() -> None:
    new = variant(
        'replace example "night"\n  given fire_value 22, night\n  on 2 3\n  gives M1\n'.replace(
            'replace example "night"', 'replace example direct_fire "night"'
        )
    )
    assert parts(rules_only(new, CARD))[0][:2] == ("example", 'direct_fire "night"')
    assert not any(change.plays for change in rules_only(new, CARD).changes)
    text = CARD.sources[0].text
    entry = edited(text, ('  -             "No Effect"\n', '  -             "Nothing happens"\n'))
    (change,) = rules_only(entry, CARD).changes
    assert (change.kind, change.part, change.words_only) == ("results", "-", True)


def test_a_renamed_label_changes_words_and_no_odds() -> None:
    found = RULES.diff(edited(TEXT, ('"at night"     [4.1]', '"by night"     [4.2]')))
    assert [(each.part, each.words_only, each.plays) for each in found.changes] == [("night", True, False)]
    assert found.odds == ()
    assert "only words, examples or sources changed" in found.text()


def test_the_order_of_modifiers_is_no_part_and_still_a_change() -> None:
    swap = edited(TEXT, ("    -1  night  night          \"at night\"     [4.1]\n    -2  far    distance > 9\n",
                         "    -2  far    distance > 9\n    -1  night  night          \"at night\"     [4.1]\n"))  # fmt: skip
    assert [(each.kind, each.part) for each in rules_only(swap).changes] == [("modifiers", "layout or order")]


def test_values_of_options_are_changes() -> None:
    found = CARD.diff(CARD.with_options(low_edge="no_effect"), situations=0)
    assert parts(found) == [("option", "low_edge", "value", "stays", "no_effect")]


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


def test_a_sample_claims_no_maximum_and_is_the_same_each_time() -> None:
    new = variant('replace night in column_modifiers\n  -2 night night "Night turn" [1.2]\nremove example "night"\n')
    found = CARD.diff(new, situations=60)
    (asked,) = found.odds
    assert (asked.tried, asked.proven, asked.ended_early) == (60, False, False)
    assert "largest changes in the 60 situations tried, seed 1" in found.text()
    assert all(change.facts["night"] is True for change in asked.changes)
    assert CARD.diff(new, situations=60).to_json() == found.to_json()


def test_a_change_that_the_result_does_not_show_is_found_in_another_output() -> None:
    new = edited(TEXT, ("give sum    = dice.total", "give sum    = dice.total + 1"))
    asked = {each.of: each for each in RULES.diff(new, situations=8).odds}
    assert not asked["result"].changes
    assert {each.outcome for each in asked["sum"].changes} == set(range(2, 14))


def test_a_new_fact_is_part_of_the_situation() -> None:
    new = edited(
        SMALL,
        ("  night  yes/no", "  night  yes/no\n  smoke  yes/no"),
        ("  -1  night  night", "  -1  night  night\n  -3  smoke  smoke"),
    )
    (asked,) = enfilade.load(text=SMALL).diff(new).odds
    assert asked.proven
    assert asked.changes
    assert all(change.facts.get("smoke") is True for change in asked.changes)


def test_an_option_that_only_some_situations_set_is_part_of_the_situation() -> None:
    new = edited(TEXT, ("    -1  fog    night", "    -1  fog    cover is open"))
    asked = RULES.diff(new).odds[0]
    assert asked.changes
    assert all(change.facts["fog"] is True for change in asked.changes)


def test_a_refusal_is_an_outcome() -> None:
    new = edited(TEXT, ("distance > 20 [3.2]", "distance > 2 [3.2]"))
    changes = {each.outcome: each for each in RULES.diff(new).odds[0].changes}
    assert changes["refused: too_far"].difference == 1


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


# ------------------------------------------------------------------------------------------------- the command line


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two versions of a game, to work in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.rules").write_text(SMALL, encoding="utf-8")
    (tmp_path / "new.rules").write_text(SMALL.replace("| - | M | X |", "| - | X | X |"), encoding="utf-8")
    (tmp_path / "wrong.rules").write_text("ruleset wrong\ndefine x = y\n", encoding="utf-8")
    return tmp_path


def test_the_command_prints_the_changes_and_exits_with_1(run: Run, files: Path) -> None:
    code, shown, complaint = run("diff", "old.rules", "new.rules")
    assert (code, complaint) == (1, "")
    assert shown == (
        "Rules: small, 1 change\n\n"
        "chart crt\n  row 4..6, column 2: was M, now X\n\n"
        "Odds of shoot, result: the largest changes in all 6 situations\n"
        "  outcome  situation      old      new  difference\n"
        "  M        force 2    50.00 %   0.00 %    -50.00 %\n"
        "  X        force 2     0.00 %  50.00 %    +50.00 %\n"
    )


def test_identical_rulesets_print_one_line_and_exit_with_0(run: Run, files: Path) -> None:
    assert run("diff", "old.rules", "old.rules") == (0, "Nothing changed.\n", "")
    assert run("diff", "infantry_attacks", "infantry_attacks")[0] == 0


def test_markdown_is_a_table_for_a_pull_request(run: Run, files: Path) -> None:
    code, shown, _ = run("diff", "old.rules", "new.rules", "--format", "markdown")
    assert code == 1
    assert shown.startswith(
        "## Rules: small, 1 change\n\n**chart crt**\n\n- row 4..6, column 2: was M, now X\n\n### Odds of shoot"
    )
    assert (
        "| outcome | situation | old | new | difference |\n| --- | --- | ---: | ---: | ---: |\n| M | force 2 |" in shown
    )


@pytest.mark.parametrize("new", ["new.rules", "old.rules"])
def test_json_follows_its_schema(run: Run, files: Path, new: str) -> None:
    code, shown, _ = run("diff", "old.rules", new, "--json")
    data = json.loads(shown)
    jsonschema.validate(data, published_schema("diff"))
    assert (data["changed"], code) == (new == "new.rules", int(new == "new.rules"))


def test_a_text_with_errors_can_not_be_compared(run: Run, files: Path) -> None:
    code, shown, complaint = run("diff", "old.rules", "wrong.rules")
    assert (code, shown) == (2, "")
    assert "wrong.rules:2" in complaint
    assert "unknown-name" in complaint


def test_a_ruleset_that_is_not_there_can_not_be_compared(run: Run, files: Path) -> None:
    code, _, complaint = run("diff", "old.rules", "nothing.rules")
    assert code == 2
    assert "nothing.rules" in complaint


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        (["old.rules"], "name the new ruleset"),
        (["old.rules", "new.rules", "--situations", "-1"], "--situations takes 0 or more"),
        (["old.rules", "new.rules", "--of", "nonsense"], "nonsense"),
        (["infantry_attacks", "--other-option", "low_edge=no"], "low_edge"),
    ],
)
def test_wrong_arguments(run: Run, files: Path, asked: list[str], complaint: str) -> None:
    code, _, told = run("diff", *asked)
    assert code == 2
    assert complaint in told


def test_an_option_of_the_new_ruleset_alone(run: Run) -> None:
    code, shown, _ = run("diff", "infantry_attacks", "--other-option", "low_edge=no_effect", "--situations", "0")
    assert (code, "option low_edge\n  value: was stays, now no_effect" in shown) == (1, True)
