"""Odds as an embedder asks for them: questions in the words of the language, exact answers, errors that say what is wrong."""

from fractions import Fraction
from typing import Any, Final

import pytest
from tests.api.skirmish import TEXT, UNITS

import enfilade
from enfilade import (
    AnswerError,
    ChoiceQuestion,
    InputError,
    LimitError,
    Limits,
    MissingAnswer,
    NeedsPolicy,
    OddsError,
    RefusedOdds,
    error_to_json,
)
from enfilade.api.outcome_values import Entries
from enfilade.engines.odds import Weighted, exact_odds

RULES = enfilade.load(text=TEXT)
SHOT = RULES.odds("shoot", fire=10, units=UNITS[:1])
"""One unit, so that nothing is to be chosen."""


# -------------------------------------------------------------------------------------------------- the questions


def test_the_result_with_the_chances_of_the_dice() -> None:
    assert {value: SHOT.result.shown(value) for value in SHOT.result} == {"M": "24/36", "X": "12/36"}
    assert SHOT.result.exact


@pytest.mark.parametrize(
    ("condition", "chance"),
    [
        ("X", Fraction(1, 3)),
        ("M or worse", Fraction(1)),
        ("result is X", Fraction(1, 3)),
        ("X or M", Fraction(1)),
        ('"-"', Fraction(0)),
        ("-", Fraction(0)),
        ("sum >= 10", Fraction(1, 6)),
        ("sum is 5..9 and result is M", Fraction(24, 36)),
        ("steps of rifles is 1", Fraction(1, 3)),
        ("left of rifles is 1", Fraction(1, 3)),
        ("(count of effects loss) is 1", Fraction(1, 3)),
        ("lucky", Fraction(1, 36)),
        ("not lucky", Fraction(35, 36)),
        ("fire is 10", Fraction(1)),
        ("  result   is\nX ", Fraction(1, 3)),
    ],
)
def test_the_chance_of_a_condition(condition: str, chance: Fraction) -> None:
    assert SHOT.chance(condition) == chance


@pytest.mark.parametrize(
    ("question", "came"),
    [
        ("result", {"M": Fraction(2, 3), "X": Fraction(1, 3)}),
        ("left of rifles", {1: Fraction(1, 3), 2: Fraction(2, 3)}),
        ("steps of rifles", {1: Fraction(1, 3), 2: Fraction(2, 3)}),
        ("left", {Entries({"rifles": 1}): Fraction(1, 3), Entries({"rifles": 2}): Fraction(2, 3)}),
        ("count of effects loss", {0: Fraction(2, 3), 1: Fraction(1, 3)}),
        ("X", {True: Fraction(1, 3), False: Fraction(2, 3)}),
        ("1 when result is X otherwise 0", {1: Fraction(1, 3), 0: Fraction(2, 3)}),
        ("column", {"10+": Fraction(1)}),
        ("list of unit over effects loss", {("rifles",): Fraction(1, 3), (): Fraction(2, 3)}),
    ],
)
def test_the_value_of_an_expression(question: str, came: dict[Any, Fraction]) -> None:
    assert SHOT.of(question) == came


def test_an_output_may_be_called_like_a_word_of_the_language() -> None:
    assert SHOT.of("sum").mean == 7


def test_the_entry_of_a_map() -> None:
    assert SHOT.of("left", unit="rifles")[1] == Fraction(1, 3)
    assert SHOT.of("left", unit="rifles").of == "left of rifles"


def test_values_together_come_from_the_same_dice() -> None:
    joint = SHOT.joint("result", "left of rifles")
    assert joint["X", 1] == Fraction(1, 3)
    assert joint["X", 2] == 0
    assert joint.marginal("left of rifles") == SHOT.of("left of rifles")
    assert joint.names == ("result", "left of rifles")


def test_a_condition_changes_the_chances() -> None:
    given = SHOT.given("sum >= 9").given("result is X")
    assert given.of("sum")[12] == Fraction(1, 6)
    assert SHOT.of("sum")[12] == Fraction(1, 36)


def test_a_condition_that_never_comes_true_is_told() -> None:
    with pytest.raises(OddsError, match='result is "-" is never true here'):
        SHOT.given('result is "-"').result  # noqa: B018


def test_outputs_effects_and_state_are_distributions_too() -> None:
    assert SHOT.outputs.where(lambda outputs: outputs["lucky"]) == Fraction(1, 36)
    assert SHOT.effects.where(len) == Fraction(1, 3)
    assert {effect.unit for effects in SHOT.effects for effect in effects} == {"rifles"}
    assert SHOT.state[{"unit": {"rifles": {"steps": 1}}}] == Fraction(1, 3)
    assert SHOT.count("loss")[1] == Fraction(1, 3)


def test_effects_are_counted_in_outputs_too() -> None:
    text = """
effect hit
procedure fire
  1. roll d6 as die
  2. when die >= 5: hit
  3. give hits = count of effects hit
"""
    assert enfilade.load(text=text).odds("fire").of("hits")[1] == Fraction(1, 3)


def test_a_question_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def counted(*args: Any) -> Weighted:
        asked.append(args)
        return exact_odds(*args)

    monkeypatch.setattr("enfilade.api.odds.exact_odds", counted)
    odds = RULES.odds("shoot", fire=10)
    assert asked == []
    assert odds.result == odds.of("result")
    assert len(asked) == 1


# ------------------------------------------------------------------------------------------ questions that are none


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("resutl is X", "did you mean `result`"),
        ("quite", "the outputs are result, sum, column, left, lucky"),
        ("result is Q", "`Q` is not a possible code here; write one of -, M, X"),
        ("result is", "the question `result is` can't be answered"),
        ("", "the question is empty"),
        (")(", "can't be answered"),
        ("steps of cannons", "cannons"),
        ("define x = 1", "can't be answered"),
        ("1\nprocedure evil\n  1. give x = 1", "can't be answered"),
        ("x" * 20_000, "too long"),
        (3, "a question must be text, not 3"),
    ],
)
def test_what_can_not_be_asked_is_told(question: Any, told: str) -> None:
    with pytest.raises(InputError) as raised:
        SHOT.of(question)
    (fault,) = raised.value.errors
    assert told in fault.message
    assert fault.parameter == "question"


def test_a_value_is_no_condition() -> None:
    with pytest.raises(InputError, match="a condition is needed"):
        SHOT.chance("sum")


@pytest.mark.parametrize("unit", ["gun", "", "none"])
def test_an_entry_that_is_not_there_is_told(unit: str) -> None:
    with pytest.raises(InputError, match=r"there is no entry for .*; the entries are rifles"):
        SHOT.of("left", unit=unit)


def test_what_is_no_map_has_no_entries() -> None:
    with pytest.raises(InputError, match="the value is a result code, which has no entries"):
        SHOT.of("result", unit="rifles")


def test_a_procedure_without_a_result_says_what_it_gives() -> None:
    with pytest.raises(InputError, match="wager has no output `result`; its outputs are won"):
        RULES.odds("wager", choices={"stake": 1}).result  # noqa: B018


def test_an_effect_that_is_not_there_is_told() -> None:
    with pytest.raises(InputError, match="there is no effect los; did you mean loss"):
        SHOT.count("los")


def test_nothing_is_no_question() -> None:
    with pytest.raises(OddsError, match="the question is empty"):
        SHOT.joint()


# ---------------------------------------------------------------------------------------------------- the situation


def test_a_fact_that_is_missing_is_demanded_as_in_play() -> None:
    with pytest.raises(MissingAnswer) as played:
        RULES.resolve("shoot")
    with pytest.raises(MissingAnswer) as asked:
        RULES.odds("shoot")
    assert asked.value.errors == played.value.errors


@pytest.mark.parametrize("facts", [{"fire": 0}, {"fire": 1, "night": 3}, {"fyre": 1}])
def test_wrong_facts_are_refused_as_in_play(facts: dict[str, Any]) -> None:
    with pytest.raises(InputError) as played:
        RULES.resolve("shoot", **facts)
    with pytest.raises(InputError) as asked:
        RULES.odds("shoot", **facts)
    assert asked.value.errors == played.value.errors


def test_an_unknown_procedure_is_told() -> None:
    with pytest.raises(InputError, match="did you mean shoot"):
        RULES.odds("shot")


def test_facts_may_be_given_by_name_and_options_set() -> None:
    foggy = RULES.odds("shoot", given={"fire": 5, "night": True}, options={"fog": True})
    assert foggy.result == RULES.with_options(fog=True).odds("shoot", fire=5, night=True).result
    assert foggy.of("column")["1"] == 1


def test_a_refusal_has_no_odds() -> None:
    refused = RULES.odds("shoot", fire=1, distance=21)
    assert (refused.status, refused.refusal, refused.message, refused.cites) == (
        "refused",
        "too_far",
        "out of range",
        ("3.2",),
    )
    with pytest.raises(RefusedOdds, match="the rules refuse, so there are no odds: too_far: out of range"):
        refused.result  # noqa: B018
    assert refused.to_json() == RULES.resolve("shoot", fire=1, distance=21).to_json()


def test_odds_that_are_not_refused_say_so() -> None:
    assert (SHOT.status, SHOT.refusal, SHOT.message, SHOT.cites) == ("resolved", None, None, ("3",))


def test_a_refusal_that_hangs_on_dice_takes_no_part_in_the_chances() -> None:
    odds = RULES.odds("risky")
    assert odds.status == "resolved"
    with pytest.raises(RefusedOdds, match="the rules refuse some dice or choices") as raised:
        odds.result  # noqa: B018
    assert (raised.value.refusal, raised.value.cites, raised.value.by_chance) == ("off_chart", ("5.5",), True)
    assert error_to_json(raised.value)["status"] == "refused"


def test_a_limit_offers_a_sample() -> None:
    with pytest.raises(LimitError, match="estimate them with a sample instead"):
        RULES.odds("shoot", fire=5, limits=Limits(work=3)).result  # noqa: B018


# ------------------------------------------------------------------------------------------ dice and choices known


def test_dice_that_are_known_leave_the_rest_open() -> None:
    assert RULES.odds("shoot", fire=10, dice=[6, 6]).of("sum") == {12: 1}
    known = RULES.odds("shoot", fire=10, dice={"dice": [6, 6]}, units=UNITS, choices={"victim": "guns"})
    assert known.of("left") == {Entries({"rifles": 2, "guns": 0}): 1}


def test_a_choice_before_the_dice_may_be_given_in_order() -> None:
    assert RULES.odds("wager", choices=[2]).of("won") == {2: Fraction(2, 3), -2: Fraction(1, 3)}


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"choices": ["guns"]}, "choices are given for questions after dice, but dice"),
        ({"dice": [6, 6, 6]}, "but victim has no answer yet"),
        ({"dice": [7, 1]}, "can't show 7"),
        ({"dice": [6]}, "2 dice, but 1 was given"),
        ({"choices": {"victm": "guns"}}, "there is no choice victm; did you mean victim"),
        ({"choices": {"victim": "cannon"}, "dice": [6, 6]}, "cannon can't be chosen"),
        ({"players": {"ownr": "best"}}, "there is no player ownr; did you mean owner"),
        ({"players": {"owner": "greedy"}}, "allowed: best, worst, random"),
    ],
)
def test_what_can_not_be_known_is_told(how: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        RULES.odds("shoot", fire=10, units=UNITS, **how)


def test_a_choice_that_nobody_made_is_named() -> None:
    with pytest.raises(NeedsPolicy) as raised:
        RULES.odds("shoot", fire=10, units=UNITS).of("left")
    assert (raised.value.choice, raised.value.player) == ("victim", "owner")
    told = error_to_json(raised.value)
    assert (told["status"], told["options"]) == ("needs_policy", ["rifles", "guns"])


@pytest.mark.parametrize(
    ("choice", "lost"),
    [
        ("guns", "guns"),
        (["cannon", "guns", "rifles"], "guns"),
        (lambda question: question.legal[0], "rifles"),
        (
            lambda question: "guns" if isinstance(question, ChoiceQuestion) and question.player == "owner" else None,
            "guns",
        ),
    ],
)
def test_choices_are_fixed_by_name(choice: Any, lost: str) -> None:
    odds = RULES.odds("shoot", fire=10, units=UNITS, choices={"victim": choice})
    kept = 1 if lost == "rifles" else 0
    assert odds.of("left", unit=lost)[kept] == Fraction(1, 3)


def test_a_player_may_choose_at_random() -> None:
    odds = RULES.odds("shoot", fire=10, units=UNITS, players={"owner": "random"})
    assert odds.of("left of guns")[0] == Fraction(1, 6)


# --------------------------------------------------------------------------------------------- best and worst

TWICE: Final = """
players attacker
die coin faces 1, 4

procedure bets
  1. roll coin as die
  2. attacker chooses whether again
  3. let won = die.total
  4. when again
       attacker chooses late from much, little
       won becomes won + 1 when late is much otherwise won - 1
  5. give won
"""


def test_the_best_choice_is_shown_beside_the_others() -> None:
    odds = RULES.odds("wager", aim="won", players={"attacker": "best"})
    assert odds.of("won") == {3: Fraction(2, 3), -3: Fraction(1, 3)}
    (decision,) = odds.decisions
    assert (decision.name, decision.player, decision.chosen) == ("stake", "attacker", (3,))
    assert [(option, Fraction(value)) for option, value in decision.options] == [
        ((1,), Fraction(1, 3)), ((2,), Fraction(2, 3)), ((3,), Fraction(1)),
    ]  # fmt: skip


def test_a_choice_stands_before_those_that_it_leads_to() -> None:
    rules = enfilade.load(text=TWICE)
    odds = rules.odds("bets", aim="won", players={"attacker": "best"})
    assert [each.name for each in odds.decisions] == ["again", "late"] * 2


def test_whoever_chooses_knows_the_dice_that_fell() -> None:
    odds = RULES.odds("toss", aim="score", players={"attacker": "best"})
    assert odds.of("score").mean == Fraction(17, 4)


def test_the_range_goes_from_the_worst_to_the_best() -> None:
    found = RULES.odds("wager").range("won")
    assert (found.aim, found.worst, found.best) == ("won", Fraction(1, 3), Fraction(1))
    shot = RULES.odds("shoot", fire=10, units=UNITS).range("steps of guns is 0")
    assert (shot.worst, shot.best) == (Fraction(0), Fraction(1, 3))


@pytest.mark.parametrize("ask", [lambda odds: odds.decisions, lambda odds: odds.range()])
def test_without_an_aim_nothing_can_be_weighed(ask: Any) -> None:
    with pytest.raises(OddsError, match="give an aim"):
        ask(RULES.odds("wager"))


def test_players_who_play_for_something_need_an_aim() -> None:
    with pytest.raises(OddsError, match="give an aim"):
        RULES.odds("wager", players={"attacker": "worst"}).of("won")


def test_it_shows_what_is_asked_about() -> None:
    assert repr(SHOT.given("X")) == "<Odds of shoot, given X>"
    assert repr(RULES.odds("shoot", fire=1, distance=99)) == "<Odds of shoot: refused, too_far>"


def test_errors_can_be_pickled() -> None:
    import pickle

    error = RefusedOdds("too_far", "out of range", ("3.2",), by_chance=True)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.by_chance, again.cites) == (str(error), True, ("3.2",))
    assert not isinstance(error, AnswerError)
