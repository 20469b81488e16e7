"""What callers see of the forms in ``cases``: questions, odds under a policy, errors, descriptions."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest
from tests.check.marking import MAIN, cases_in
from tests.conftest import Run

import enfilade
from enfilade.errors import InputError
from enfilade.language.questions import legal_text
from enfilade.types import Either

CASES: Final = Path(__file__).with_name("cases")


def rules_of(stem: str, title: str) -> enfilade.Ruleset:
    """The rules of a case."""
    (case,) = [each for each in cases_in((CASES / f"{stem}.rules").read_text("utf-8")) if each.title == title]
    return enfilade.load(text=case.files[MAIN])


def question_of(run: enfilade.Run) -> enfilade.Question:
    """The question that a run waits for."""
    assert run.question is not None
    return run.question


# -- charts


def test_a_value_that_is_given_needs_no_fact() -> None:
    rules = rules_of("charts", "A value that is given needs no fact")
    assert rules.program.procedures["play"].inputs == ()


def test_a_chart_shows_its_marks_as_they_are_printed() -> None:
    rules = rules_of("charts", "A mark changes its meaning by a fact")
    assert rules.chart("crt").pages[0].cells == (("DR", "DR*"), ("DR*", "DE*†"))


def test_matters_says_for_whom_a_modifier_is_counted() -> None:
    rules = enfilade.load(
        text="""
record side
  drilled  yes/no
facts
  a  side
  b  side
  night  yes/no

modifiers worth (side)
  +1  drill  side.drilled
  -1  dark   night

procedure play
  1. roll d6 as first
     roll d6 as second
  2. give result = first + worth(a) > second + worth(b)
"""
    )
    found = rules.matters("play", of="result", a={"drilled": True}, b={})
    shown = {each.shown: (each.applied, each.left_out) for each in found}
    # As it is, 21 of 36; without the drill of a, or with that of b, 15 of 36.
    assert shown["drill for a"] == (Fraction(21, 36), Fraction(15, 36))
    assert shown["drill for b"] == (Fraction(15, 36), Fraction(21, 36))
    assert str(found).splitlines()[0].startswith("result as it is: 21/36")
    assert "dark for b" in shown


# -- dice and cards


def test_a_question_shows_equal_dice_once_with_their_number() -> None:
    run = rules_of("dice", "Equal dice are different things to choose").begin("play", dice=[6, 6, 2])
    question = question_of(run)
    assert question.legal == (6, 6, 2)
    assert legal_text(question) == "2 of 2 x 6, 2"


def test_choices_among_equal_dice_leave_few_states() -> None:
    rules = rules_of("dice", "Equal dice are different things to choose")
    best = rules.odds("play", players={"owner": "best"}, aim="result")
    # At least two of three dice are sixes.
    assert best.chance("result is 12") == 1 - Fraction(5, 6) ** 3 - 3 * Fraction(1, 6) * Fraction(5, 6) ** 2
    assert rules.odds("play", players={"owner": "random"}).chance("result is 12") == Fraction(1, 36)


def test_the_odds_take_a_choice_that_may_be_none_from_a_list() -> None:
    rules = rules_of("dice", "A card that may be none has fields")
    assert rules.odds("play", choices={"card": ["high", None]}).result[3] == Fraction(1, 2)


def test_a_question_shows_the_cards_that_are_there() -> None:
    rules = rules_of("dice", "The number of cards is a fact")
    assert question_of(rules.begin("play", n=0, more=1)).legal == ("black", "black", "gold")
    with pytest.raises(InputError):
        rules.resolve("play", n=0, more=1, dice=["crimson", "black", "gold"])
    played = rules.resolve("play", n=0, more=1, dice=["gold", "black", "gold"])
    assert played.decks["chits"] == ("black", "black", "gold")


BLOCK: Final = """
die block faces attacker_down, "both down", 2 x push, "defender down"
deck fate of "rams 9", crow
players coach
procedure play
  1. roll 2 block as blows
  2. draw 1 from fate as card
  3. coach chooses pick among blows.values
  4. give result = pick
     give card = item 1 of card
"""


@pytest.mark.parametrize(
    "dice", ["both down push rams 9", "both down, push, rams 9", '"both down" push "rams 9"', "both down push, rams 9"]
)
def test_faces_with_a_blank_on_the_command_line(dice: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "block.rules"
    path.write_text(BLOCK, encoding="utf-8")
    code, shown, _ = run("resolve", str(path), "play", "--dice", dice, "--choices", "both down")
    assert code == 0
    assert "both down" in shown
    assert "rams 9" in shown


def test_faces_with_a_blank_as_answers() -> None:
    run = enfilade.load(text=BLOCK).begin("play")
    outcome = run.answer(["both", "down", "push"]).answer(["rams", "9"]).answer("both down").outcome
    assert outcome is not None
    assert outcome.outputs == {"result": "both down", "card": "rams 9"}


# -- values


def test_an_output_that_is_a_word_or_a_number_is_described_as_both() -> None:
    rules = enfilade.load(
        text="""
procedure play
  1. roll d6 as die
  2. when die is 1
       give result = "lost"
     otherwise
       give result = die
"""
    )
    (output,) = rules.procedures[0].outputs
    assert output.type == "1..6 or the word lost"
    assert isinstance(output.domain, Either)


@pytest.mark.parametrize(
    ("crew", "message"),
    [
        ({"wrap": 1}, "crew has no wrap; did you mean warp?"),
        (3, "crew is 3; allowed: 0 to 9, for each of hull, warp, phaser"),
    ],
)
def test_a_map_is_checked_entry_by_entry(crew: Any, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("?", r"\?")):
        rules_of("players", "A field picked by a word").resolve("play", dice=[1, 1], target="target", crew=crew)


# -- players and choices


def test_a_question_names_the_player_that_a_value_names() -> None:
    blocks = [{"name": "a", "owner": "blue"}, {"name": "b", "owner": "red"}]
    assert question_of(rules_of("players", "A player is a value").begin("play", blocks=blocks)).player == "red"


def test_none_is_a_legal_answer_where_a_player_may_choose() -> None:
    rules = rules_of("players", "One of the list or none")
    assert question_of(rules.begin("play", hand=[4, 5])).legal == (4, 5, None)
    odds = rules.odds("play", hand=[4, 5], players={"owner": "best"}, aim="result")
    assert odds.chance("result is 5") == 1


def test_no_loss_is_dodged() -> None:
    rules = rules_of("players", "No loss is dodged")
    units = [{"name": "infantry", "steps": 2}, {"name": "gun", "steps": 1, "reads": 2}]
    assert rules.begin("play", units=units).outcome is not None
    for aim in ("lost", "steps of infantry"):
        worst = rules.odds("play", units=units, players={"owner": "worst"}, aim=aim)
        assert worst.chance("lost is 2") == 1, aim


def test_a_loss_that_would_take_others_along_comes_last() -> None:
    units = [{"name": "wagon"}, {"name": "gun", "carrier": "wagon"}, {"name": "rifles", "steps": 2}]
    run = rules_of("players", "No loss is dodged").begin("any_order", units=units, hits=4)
    assert question_of(run).legal == ("gun", "rifles")


UNITS: Final = [{"name": "a"}, {"name": "b", "steps": 2}]
ONE: Final = [{"name": "a", "steps": 2}]


def test_choices_by_name_may_stand_in_any_order() -> None:
    rules = rules_of("players", "A needless legal answer is taken")
    played = rules.resolve("play", choices={"second_hit": "b", "first_hit": "a"}, units=UNITS)
    assert played.outputs == {"result": {"a": 0, "b": 1}}


def test_a_run_that_begins_takes_choices_as_resolve_does() -> None:
    rules = rules_of("players", "A needless legal answer is taken")
    for choices, given in [(["a", "b"], UNITS), (["a"], UNITS), (["a", "a"], ONE), ([], ONE)]:
        outcome = rules.begin("play", choices=choices, units=given).outcome
        assert outcome is not None, choices
        assert outcome.outputs == rules.resolve("play", choices=choices, units=given).outputs, choices
    with pytest.raises(InputError, match="choices are left over: b, c"):
        rules.begin("play", choices=["a", "b", "c"], units=UNITS)


def test_a_run_that_begins_takes_losses_in_any_order() -> None:
    rules = rules_of("players", "Losses are named in any order")
    units = [{"name": "A", "steps": 2, "reads": 2}, {"name": "B", "steps": 2, "reads": 3}]
    for choices in (["A", "A", "B"], ["A", "B", "A"], ["B", "A", "A"]):
        outcome = rules.begin("play", choices=choices, units=units, hits=3).outcome
        assert outcome is not None, choices
        assert outcome.result == {"A": 0, "B": 1}, choices
        odds = rules.odds("play", choices=choices, units=units, hits=3)
        assert odds.chance("result of A is 0 and result of B is 1") == 1, choices


def test_choices_before_the_first_open_roll_are_used_up() -> None:
    rules = rules_of("players", "A roll after a choice that nobody needs to make")
    for choices in (["a", "a"], ["a"], []):
        run = rules.begin("play", choices=choices, units=ONE)
        assert question_of(run).key == "die", choices
        outcome = run.answer(3).outcome
        assert outcome is not None, choices
        assert outcome.outputs == {"result": {"a": 0}, "die": 3}, choices
        assert rules.odds("play", choices=choices, units=ONE).chance("die is 3") == Fraction(1, 6), choices
    with pytest.raises(InputError, match="choices are given for questions after die, but die"):
        rules.odds("play", choices=["a", "a", "a"], units=ONE)


# -- modules, helpers, records


def test_a_module_has_the_names_of_the_game() -> None:
    assert set(rules_of("players", "A module has the names of the game").records) == {"battalion"}


def test_a_base_may_be_named_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    base = "ruleset base\nprocedure play\n  1. roll d6 as die\n  2. give result = die\n"
    (tmp_path / "house" / "base.rules").write_text(base)
    (tmp_path / "late.rules").write_text('ruleset late extends "house/base.rules"\noption fog\n')
    assert enfilade.load(tmp_path / "late.rules").resolve("play", dice=[4]).result == 4


def test_helpers_are_not_listed() -> None:
    rules = rules_of("players", "A helper is called and played like any procedure")
    assert [each.name for each in rules.procedures] == ["play"]
    assert "open_die" not in [each.name for each in rules.symbols]


def test_a_record_that_is_named_only_inside_another_is_described_there() -> None:
    rules = rules_of("players", "A record named only inside another is described there")
    assert set(rules.procedure("play").json_schema()["$defs"]) == {"site", "unit", "situation"}


def test_what_examples_play_alone_is_no_procedure() -> None:
    rules = rules_of("examples", "A chart, a definition and modifiers are tested by themselves")
    assert rules.names("procedure") == ("combat_round",)


def test_a_row_of_a_table_of_examples_is_labelled_with_what_it_gives() -> None:
    rules = rules_of("examples", "A table of cases")
    assert [example.label for example in rules.program.examples] == [
        "the column of each differential: aggressor.rating 5, victim.rating 0, ranges 1, 2, gun.endurance 3, on 1 2",
        "the column of each differential: aggressor.rating 2, victim.rating 0, where late autumn, gun.endurance 2, on 6 6",
    ]
