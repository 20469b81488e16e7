"""Odds of several combats: sums and mixtures of independent ones, and chains in which the state goes on."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import enfilade
from enfilade import ArgumentError, Distribution, EnfiladeError, InputError, OddsError, combine, mixture

DIE = Distribution(dict.fromkeys(range(1, 7), 1))
TEXT = """
record unit
  steps   0.. = 3
  shaken  yes/no = yes
facts
  unit   unit
  bonus  0..2
effect hit (unit)
  unit.steps becomes unit.steps - 1 but at least 0
procedure fire
  facts
    guns  1..
  1. roll guns d6 as dice
  2. give kills = count of dice.values where each >= 6 - bonus
  3. repeat kills times: hit on unit
     give result = unit.steps is 0
procedure rally
  facts
    help  0.. = 0
  1. roll d6 as die
  2. when die + help >= 5: unit.shaken becomes no
  3. give result = die + help >= 5
procedure morale
  facts
    hits  0..
  1. refuse unhurt "nothing to test" when hits is 0
  2. roll d6 as die
  3. give result = die > hits
     when die is 1: give panic = yes

procedure heal
  facts
    patient  unit
  1. roll d6 as die
  2. when die is 6: patient.steps becomes patient.steps + 1

procedure fire_and_rally "what `then` should come to, as an author writes it"
  facts
    guns  1..
  1. call fire with guns guns as shot
  2. when shot.kills > 0
       call rally as recovery
       give result = recovery.result
     otherwise
       give result = shot.result
  3. give kills = shot.kills
procedure three_fires
  facts
    guns  1..
  1. let destroyed = no
     repeat 3 times
       call fire with guns guns as shot
       destroyed becomes shot.result
  2. give result = destroyed
"""
FACTS: dict[str, Any] = {"guns": 2, "bonus": 1, "unit": {"name": "u"}}


RULES = enfilade.load(text=TEXT)
FIRE = RULES.odds("fire", **FACTS)
KILLS = FIRE.of("kills")
SAMPLE = RULES.sample("fire", trials=10, seed=1, **FACTS).of("kills")


# ------------------------------------------------------------------------------------------------ independent combats


def counted(function: Any, *parts: Distribution) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for items in product(*(part.items() for part in parts)):
        chance = Fraction(1)
        for _, each in items:
            chance *= each
        outcome = function(*(value for value, _ in items))
        found[outcome] = found.get(outcome, Fraction(0)) + chance
    return found


def test_sums_are_those_of_counting() -> None:
    kills = Distribution({0: 5, 1: 3, 2: 1})
    assert DIE + kills == counted(lambda a, b: a + b, DIE, kills)
    assert DIE - kills == counted(lambda a, b: a - b, DIE, kills)
    assert kills + 2 == 2 + kills == {2: Fraction(5, 9), 3: Fraction(1, 3), 4: Fraction(1, 9)}
    assert -kills == {0: Fraction(5, 9), -1: Fraction(1, 3), -2: Fraction(1, 9)}
    assert sum([kills, kills, kills]) == kills.times(3) == counted(lambda *each: sum(each), kills, kills, kills)
    assert kills.times(0) == {0: 1}
    assert kills.times(11).mean == 11 * kills.mean


def test_a_part_that_was_not_worked_out_stays_so() -> None:
    known = Distribution({0: 1, 1: 1}, remainder=2)
    both = known + known
    assert (both.bounds(1)[0], both.remainder, (known + 1).remainder) == (
        Fraction(1, 8),
        Fraction(3, 4),
        Fraction(1, 2),
    )


@pytest.mark.parametrize("times", [-1, 1.5, True, "2"])
def test_a_combat_is_fought_a_whole_number_of_times(times: Any) -> None:
    with pytest.raises(EnfiladeError, match=r"must be 0 or more|takes a whole number"):
        DIE.times(times)


def test_any_function_of_independent_values() -> None:
    assert combine(max, DIE, DIE) == counted(max, DIE, DIE)
    assert combine(lambda a, b: a > b, DIE, DIE)[True] == Fraction(15, 36)
    assert combine(lambda: 3) == {3: 1}


WEATHER = Distribution({"fair": 2, "rain": 1})
FAIR, RAIN = Distribution({"hit": 1, "miss": 1}), Distribution({"hit": 1, "miss": 5})


def test_a_mixture_weighs_its_parts() -> None:
    wanted = Fraction(2, 3) * Fraction(1, 2) + Fraction(1, 3) * Fraction(1, 6)
    assert mixture({"fair": FAIR, "rain": RAIN}, by=WEATHER)["hit"] == wanted
    assert mixture([("2/3", FAIR), (Fraction(1, 3), RAIN)])["hit"] == wanted


def test_a_condition_on_a_distribution() -> None:
    assert DIE.given(lambda face: face > 4) == {5: Fraction(1, 2), 6: Fraction(1, 2)}


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: DIE + Distribution({"M": 1}), OddsError, "only numbers can be added up; M is not a number"),
        (lambda: DIE + "M", TypeError, "unsupported operand"),
        (lambda: DIE.given(lambda face: face > 6), OddsError, "no outcome satisfies the condition"),
        (lambda: mixture([("1/2", FAIR), ("1/3", RAIN)]), OddsError, "add up to 5/6, not 1"),
        (
            lambda: mixture({"fair": FAIR}, by=WEATHER),
            OddsError,
            "`by` can give rain, but the parts have no distribution for this value",
        ),
        (lambda: SAMPLE + 1, OddsError, "only exact odds"),
        (lambda: DIE + SAMPLE, OddsError, "only exact odds"),
        (lambda: SAMPLE.times(2), OddsError, "only exact odds"),
        (lambda: combine(max, DIE, SAMPLE), OddsError, "only exact odds"),
    ],
)
def test_what_can_not_be_put_together_is_told(make: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


# ------------------------------------------------------------------------------------------------------------- chains


@pytest.mark.parametrize(
    ("chain", "procedure", "questions"),
    [
        (
            FIRE.then("rally", when="kills > 0"),
            "fire_and_rally",
            ["result", "kills", "steps of u", "not shaken of u and kills is 2"],
        ),
        (FIRE.turns(3), "three_fires", ["result", "steps of u", "result and steps of u is 0"]),
    ],
)
def test_a_chain_is_what_an_author_would_write(chain: enfilade.Odds, procedure: str, questions: list[str]) -> None:
    written = RULES.odds(procedure, **FACTS)
    assert [chain.of(question) for question in questions] == [written.of(question) for question in questions]


def test_outputs_are_carried_on() -> None:
    tested = FIRE.then("morale", when="kills > 0", carry={"hits": "kills"})
    assert tested.chance("kills > 0 and result") == sum(KILLS[n] * Fraction(6 - n, 6) for n in (1, 2))
    assert tested.chance("panic is none") == KILLS[0] + (1 - KILLS[0]) * Fraction(5, 6)


def test_a_field_of_a_record_is_carried_on() -> None:
    hurt = FIRE.then("rally", carry={"unit.steps": "kills", "help": "2 * kills"})
    assert hurt.of("steps of u") == KILLS
    assert hurt.chance("not shaken of u") == sum(KILLS[n] * Fraction(min(2 + 2 * n, 6), 6) for n in range(3))


def test_a_field_of_a_record_that_only_the_second_takes_is_carried_on() -> None:
    healed = FIRE.then("heal", patient={"name": "v"}, carry={"patient.steps": "kills"})
    assert healed.chance("steps of v is 1") == KILLS[1] * Fraction(5, 6) + KILLS[0] * Fraction(1, 6)


def test_a_chain_may_be_chained() -> None:
    twice = FIRE.then("fire").then("rally")
    assert twice.chance("steps of u is 3 and not shaken of u") == Fraction(4, 9) ** 2 * Fraction(1, 3)
    assert twice.procedure == "fire_then_fire_then_rally"


def test_until_counts_the_turns() -> None:
    odds = RULES.odds("rally", unit=FACTS["unit"])
    turns = odds.until("not shaken of u", at_most=4).of("turns")
    assert turns == {1: Fraction(1, 3), 2: Fraction(2, 9), 3: Fraction(4, 27), 4: Fraction(8, 27)}
    until = odds.until("result")
    assert (until.chance("not shaken of u"), until.chance("turns is 3")) == (1, Fraction(4, 27))
    assert FIRE.turns(3).of("turns") == {3: 1}
    assert odds.given("result").chance("not shaken of u") == 1


RALLY = RULES.odds("rally", unit=FACTS["unit"])
HELPED = RULES.odds("rally", unit=FACTS["unit"], help=1)


@pytest.mark.parametrize(
    ("chain", "failed"),
    [
        (RALLY, Fraction(2, 3)),
        (HELPED, Fraction(1, 2)),
        (HELPED.turns(2), Fraction(1, 4)),
        (HELPED.then("rally", help=3), Fraction(1, 2) * Fraction(1, 6)),
        (HELPED.then("rally", help=1), Fraction(1, 2) ** 2),
        (HELPED.then("rally", help=3).then("rally", help=2), Fraction(1, 2) * Fraction(1, 6) * Fraction(1, 3)),
        (HELPED.then("rally", help=3).then("rally"), Fraction(1, 2) ** 2 * Fraction(1, 6)),
        (RALLY.then("rally", help=3), Fraction(2, 3) * Fraction(1, 6)),
        (FIRE.then("rally", help=3), Fraction(1, 6)),
        (FIRE.then("rally"), Fraction(2, 3)),
    ],
)
def test_facts_are_given_once_and_one_that_is_given_again_is_one_of_the_second_only(
    chain: enfilade.Odds, failed: Fraction
) -> None:
    assert chain.chance("shaken of u") == failed


@pytest.mark.parametrize(("ask", "message"), [
    (lambda odds: odds.then("mora"), "there is no procedure mora"),
    (lambda odds: odds.then("morale", carry={"hit": "kills"}), "morale has no fact hit; its facts are hits"),
    (lambda odds: odds.then("rally", carry={"unit.step": "kills"}), "unit has no field step; its fields are steps, shaken"),
    (lambda odds: odds.then("rally", carry={"help.step": "kills"}), "help is not a record, so it has no field step"),
    (lambda odds: odds.then("morale", carry={"hits": "kilz"}), "there is no fact, definition or word `kilz`"),
    (lambda odds: odds.then("morale", when="kills >", carry={"hits": "kills"}), "ends too early"),
    (lambda odds: odds.then("morale"), "hits is missing"),
    (lambda odds: odds.then("fire", unit={"name": "w"}), "unit is given again, but fire finds the records as they were left"),
    (lambda odds: odds.then("rally", help=1).then("rally", help=-1), "help of rally is -1; allowed: 0.."),
    (lambda odds: odds.turns(0), "turns is 0; allowed: 1..100000"),
    (lambda odds: odds.until("result", at_most=True), "at_most takes a whole number or None, not bool"),
    (lambda odds: odds.until("nothing_known"), "there is no fact, definition or word `nothing_known`"),
])  # fmt: skip
def test_mistakes_are_named(ask: Any, message: str) -> None:
    with pytest.raises((ArgumentError, InputError), match=message):
        ask(FIRE).chance("result")


def test_conditional_odds_are_not_chained() -> None:
    with pytest.raises(OddsError, match="call `given` last, after `then`"):
        FIRE.given("kills > 0").then("rally")


def test_a_refusal_of_the_second_is_one_of_the_whole() -> None:
    with pytest.raises(enfilade.RefusedOdds, match="unhurt"):
        FIRE.then("morale", carry={"hits": "kills"}).chance("result")
