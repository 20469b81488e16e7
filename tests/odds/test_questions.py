"""Odds as an embedder asks for them: questions in the words of the language, exact answers, errors that say what is wrong."""

import pickle
from fractions import Fraction
from typing import Any, Final
from unittest.mock import Mock

import pytest
from tests.api.skirmish import TEXT, UNITS

import enfilade
from enfilade import (
    AnswerError,
    ChoiceQuestion,
    EnfiladeError,
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
from enfilade.engines.odds import exact_odds

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
        # An output may be called like a word of the language.
        ("sum - sum", {0: Fraction(1)}),
        ("column", {"10+": Fraction(1)}),
        ("list of unit over effects loss", {("rifles",): Fraction(1, 3), (): Fraction(2, 3)}),
    ],
)
def test_the_value_of_an_expression(question: str, came: dict[Any, Fraction]) -> None:
    assert SHOT.of(question) == came


def test_the_entry_of_a_map() -> None:
    entry = SHOT.of("left", unit="rifles")
    assert (entry[1], entry.of) == (Fraction(1, 3), "left of rifles")


def test_values_together_come_from_the_same_dice() -> None:
    joint = SHOT.joint("result", "left of rifles")
    assert (joint["X", 1], joint["X", 2]) == (Fraction(1, 3), 0)
    assert joint.marginal("left of rifles") == SHOT.of("left of rifles")
    assert joint.names == ("result", "left of rifles")


def test_outputs_effects_and_state_are_distributions_too() -> None:
    assert SHOT.outputs.where(lambda outputs: outputs["lucky"]) == Fraction(1, 36)
    assert SHOT.effects.where(len) == Fraction(1, 3)
    assert {effect.unit for effects in SHOT.effects for effect in effects} == {"rifles"}
    assert SHOT.state[{"unit": {"rifles": {"steps": 1}}}] == Fraction(1, 3)
    assert SHOT.count("loss")[1] == Fraction(1, 3)


def test_a_question_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Mock(side_effect=exact_odds)
    monkeypatch.setattr("enfilade.api.odds.exact_odds", asked)
    odds = RULES.odds("shoot", fire=10)
    assert asked.call_count == 0
    assert odds.result == odds.of("result")
    assert asked.call_count == 1


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
    ],
)
def test_what_can_not_be_asked_is_told(question: Any, told: str) -> None:
    with pytest.raises(InputError) as raised:
        SHOT.of(question)
    (fault,) = raised.value.errors
    assert told in fault.message
    assert fault.parameter == "question"


@pytest.mark.parametrize(
    ("method", "of", "more", "error", "told"),
    [
        ("chance", ["sum"], {}, InputError, "a condition is needed"),
        ("of", ["left"], {"unit": "gun"}, InputError, "there is no entry for gun; the entries are rifles"),
        ("of", ["left"], {"unit": ""}, InputError, "there is no entry for .*; the entries are rifles"),
        ("of", ["left"], {"unit": "none"}, InputError, "there is no entry for none; the entries are rifles"),
        ("of", ["result"], {"unit": "rifles"}, InputError, "the value is a result code, which has no entries"),
        ("count", ["los"], {}, InputError, "there is no effect los; did you mean loss"),
        ("joint", [], {}, OddsError, "the question is empty"),
    ],
)
def test_a_way_to_ask_says_what_it_needs(
    method: str, of: list[str], more: dict[str, str], error: type[EnfiladeError], told: str
) -> None:
    with pytest.raises(error, match=told):
        getattr(SHOT, method)(*of, **more)


# ---------------------------------------------------------------------------------------------------- the situation


@pytest.mark.parametrize(
    ("error", "facts"),
    [(MissingAnswer, {}), (InputError, {"fire": 0}), (InputError, {"fire": 1, "night": 3}), (InputError, {"fyre": 1})],
)
def test_missing_and_wrong_facts_are_told_as_in_play(error: type[InputError], facts: dict[str, Any]) -> None:
    with pytest.raises(error) as played:
        RULES.resolve("shoot", **facts)
    with pytest.raises(error) as asked:
        RULES.odds("shoot", **facts)
    assert asked.value.errors == played.value.errors


def test_facts_may_be_given_by_name_and_options_set() -> None:
    foggy = RULES.odds("shoot", given={"fire": 5, "night": True}, options={"fog": True})
    assert foggy.result == RULES.with_options(fog=True).odds("shoot", fire=5, night=True).result
    assert foggy.of("column")["1"] == 1


def state_of(odds: enfilade.Odds) -> tuple[Any, ...]:
    """Whether there are odds, and why not."""
    return odds.status, odds.refusal, odds.message, odds.cites


def test_a_refusal_has_no_odds() -> None:
    refused = RULES.odds("shoot", fire=1, distance=21)
    assert state_of(refused) == ("refused", "too_far", "out of range", ("3.2",))
    assert state_of(SHOT) == ("resolved", None, None, ("3",))
    with pytest.raises(RefusedOdds, match="the rules refuse, so there are no odds: too_far: out of range"):
        refused.result  # noqa: B018
    assert refused.to_json() == RULES.resolve("shoot", fire=1, distance=21).to_json()


def test_a_refusal_that_hangs_on_dice_takes_no_part_in_the_chances() -> None:
    odds = RULES.odds("risky")
    assert odds.status == "resolved"
    with pytest.raises(RefusedOdds, match="the rules refuse some dice or choices") as raised:
        odds.result  # noqa: B018
    assert (raised.value.refusal, raised.value.cites, raised.value.by_chance) == ("off_chart", ("5.5",), True)
    assert error_to_json(raised.value)["status"] == "refused"


# ------------------------------------------------------------------------------------------ dice and choices known


def test_dice_that_are_known_leave_the_rest_open() -> None:
    assert RULES.odds("shoot", fire=10, dice=[6, 6]).of("sum") == {12: 1}
    known = RULES.odds("shoot", fire=10, dice={"dice": [6, 6]}, units=UNITS, choices={"victim": "guns"})
    assert known.of("left") == {Entries({"rifles": 2, "guns": 0}): 1}


FIRE: Final[dict[str, Any]] = {"fire": 10, "units": UNITS}


@pytest.mark.parametrize(
    ("procedure", "how", "error", "told"),
    [
        ("shoot", {**FIRE, "choices": ["guns"]}, InputError, "choices are given for questions after dice, but dice"),
        ("shoot", {**FIRE, "dice": [6, 6, 6]}, InputError, "but victim has no answer yet"),
        ("shoot", {**FIRE, "dice": [7, 1]}, InputError, "can't show 7"),
        ("shoot", {**FIRE, "dice": [6]}, InputError, "2 dice, but 1 was given"),
        ("shoot", {**FIRE, "choices": {"victm": "guns"}}, InputError, "there is no choice victm; did you mean victim"),
        ("shoot", {**FIRE, "choices": {"victim": "cannon"}, "dice": [6, 6]}, InputError, "cannon can't be chosen"),
        ("shoot", {**FIRE, "players": {"ownr": "best"}}, InputError, "there is no player ownr; did you mean owner"),
        ("shoot", {**FIRE, "players": {"owner": "greedy"}}, InputError, "allowed: best, worst, random"),
        ("shot", {}, InputError, "did you mean shoot"),
        ("shoot", {"fire": 5, "limits": Limits(work=3)}, LimitError, "estimate them with a sample instead"),
        ("wager", {"choices": {"stake": 1}}, InputError, "wager has no output `result`; its outputs are won"),
    ],
)
def test_what_can_not_be_known_is_told(
    procedure: str, how: dict[str, Any], error: type[EnfiladeError], told: str
) -> None:
    with pytest.raises(error, match=told):
        RULES.odds(procedure, **how).result  # noqa: B018


def test_a_condition_that_never_comes_true_is_told() -> None:
    with pytest.raises(OddsError, match='result is "-" is never true here'):
        SHOT.given('result is "-"').result  # noqa: B018


def test_a_choice_that_nobody_made_is_named() -> None:
    with pytest.raises(NeedsPolicy) as raised:
        RULES.odds("shoot", **FIRE).of("left")
    told = error_to_json(raised.value)
    assert (raised.value.choice, raised.value.player) == ("victim", "owner")
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
    odds = RULES.odds("shoot", **FIRE, choices={"victim": choice})
    kept = 1 if lost == "rifles" else 0
    assert odds.of("left", unit=lost)[kept] == Fraction(1, 3)


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
    odds = enfilade.load(text=TWICE).odds("bets", aim="won", players={"attacker": "best"})
    assert [each.name for each in odds.decisions] == ["again", "late"] * 2


def test_the_range_goes_from_the_worst_to_the_best() -> None:
    found = RULES.odds("wager").range("won")
    assert (found.aim, found.worst, found.best) == ("won", Fraction(1, 3), Fraction(1))
    shot = RULES.odds("shoot", **FIRE).range("steps of guns is 0")
    assert (shot.worst, shot.best) == (Fraction(0), Fraction(1, 3))


@pytest.mark.parametrize(
    "ask",
    [
        lambda: RULES.odds("wager").decisions,
        lambda: RULES.odds("wager").range(),
        lambda: RULES.odds("wager", players={"attacker": "worst"}).of("won"),
    ],
)
def test_without_an_aim_nothing_can_be_weighed(ask: Any) -> None:
    with pytest.raises(OddsError, match="give an aim"):
        ask()


def test_it_shows_what_is_asked_about() -> None:
    assert repr(SHOT.given("X")) == "<Odds of shoot, given X>"
    assert repr(RULES.odds("shoot", fire=1, distance=99)) == "<Odds of shoot: refused, too_far>"


def test_errors_can_be_pickled() -> None:
    error = RefusedOdds("too_far", "out of range", ("3.2",), by_chance=True)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.by_chance, again.cites) == (str(error), True, ("3.2",))
    assert not isinstance(error, AnswerError)
