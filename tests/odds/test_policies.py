"""Policies that see the dice: an expression or a function says what is chosen in each state of play."""

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from tests.odds.rulesets import Drawn, rulesets

import enfilade
from enfilade import ArgumentError, EnfiladeError, InputError, Odds, OddsError, PolicyChoice

TEXT = """
players owner, enemy
record unit
  steps  0..3 = 2
facts
  units  list of unit
  bonus  0..3 = 0
effect hit (unit)
  unit.steps becomes unit.steps - 1
effect volunteer
  owner chooses hurt among units where steps > 0, if any "who is hit"
  when hurt is not none: hit on hurt
procedure push "dice that may be rolled again"
  1. roll 3d4 as dice
     let fours = count of dice.values where each is 4
     let first = fours
  2. owner chooses whether pushes
  3. when pushes
       roll (3 - fours) d4 as again
       fours becomes fours + count of again.values where each is 4
  4. give result = 4 * fours - (2 when pushes otherwise 0)
procedure keep "two of three dice"
  1. roll 3d4 as dice
  2. owner chooses 2 kept among dice.values
  3. give result = sum of kept
procedure bet "a word, after a die that nothing else reads"
  1. roll d4 as seen
     roll d6 as die
  2. owner chooses side from low, high
  3. give result = (1 when die <= 3 otherwise 0) when side is low otherwise (1 when die >= 5 otherwise 0)
procedure losses "a loss for each 3 or 4 of two dice"
  1. roll 2d4 as dice
  2. owner assigns (count of dice.values where each >= 3) hit among units where steps > 0
  3. give result = count of units where steps > 0
procedure turn "a choice with the name of another one"
  1. owner chooses side from left, right
  2. give result = 1 when side is left otherwise 0
procedure called "a choice in an effect"
  1. roll d4 as die
  2. when die >= 3: volunteer
  3. give result = count of units where steps is 2
procedure roads "a choice that only one way leads to"
  1. roll d6 as die
     roll 2d6 as dice
  2. owner chooses whether enters
  3. when enters
       owner chooses road from long, short
       give result = (count of dice.values where each >= 5) - (2 when road is long otherwise 1)
     otherwise
       give result = (1 when die >= 4 otherwise 0)
procedure twice
  1. call push as one
     call push as two
  2. give result = one.result + two.result
"""
RULES = enfilade.load(text=TEXT)
THROWS = tuple(product(range(1, 5), repeat=3))
TWO = [{"name": "a"}, {"name": "b", "steps": 1}]


def pushed(decide: Callable[[tuple[int, ...]], bool]) -> Fraction:
    """The mean of a push over all throws of the first dice; each that is rolled again shows a 4 in one of four throws."""
    results = [
        4 * (dice.count(4) + Fraction(3 - dice.count(4), 4)) - 2 if decide(dice) else 4 * dice.count(4)
        for dice in THROWS
    ]
    return Fraction(sum(results), len(results))


def mean(procedure: str, policy: Any, **facts: Any) -> Fraction:
    """The mean result under a policy."""
    return RULES.odds(procedure, policy=policy, **facts).result.mean


@pytest.mark.parametrize(
    ("policy", "decide"),
    [
        ("first is 0", lambda dice: 4 not in dice),
        ("fours <= 1 and sum of dice.values >= 6", lambda dice: dice.count(4) <= 1 and sum(dice) >= 6),
        ("any of dice.values where each is 1", lambda dice: 1 in dice),
        ("bonus > 0", lambda _: False),
    ],
)
def test_an_expression_decides_by_the_dice(policy: str, decide: Callable[[tuple[int, ...]], bool]) -> None:
    assert mean("push", {"pushes": policy}) == pushed(decide)


def test_a_list_is_an_order_of_preference_and_several_are_taken_from_it() -> None:
    wanted = Fraction(sum(sum(sorted(dice)[-2:]) for dice in THROWS), len(THROWS))
    assert mean("keep", {"kept": "highest 2 of dice.values"}) == wanted
    assert mean("keep", {"kept": "highest 3 of dice.values"}) == wanted


@pytest.mark.parametrize(
    ("procedure", "facts", "policy", "wanted"),
    [
        pytest.param(
            "bet",
            {},
            {"side": "low when seen <= 2 otherwise high"},
            Fraction(5, 12),
            id="a roll that nothing else reads",
        ),
        pytest.param("turn", {}, {"side": "left"}, 1, id="a choice with the name of another one"),
        pytest.param("bet", {}, {"side": "low"}, Fraction(1, 2), id="the other one"),
        pytest.param(
            "losses", {"units": TWO}, {"hit": "b when b.steps > 0 otherwise a"}, Fraction(5, 4), id="by the state"
        ),
        pytest.param(
            "losses",
            {"units": TWO},
            {"hit": "(units where steps > 1) followed by units"},
            Fraction(7, 4),
            id="in order",
        ),
        pytest.param(
            "losses", {"units": TWO}, {"hit": "a when nth is 1 otherwise b"}, Fraction(7, 4), id="by its number"
        ),
        pytest.param("called", {"units": TWO}, {"hurt": "a"}, Fraction(1, 2), id="a choice in an effect"),
        pytest.param("called", {"units": TWO}, {"hurt": "b"}, 1, id="another option of it"),
    ],
)
def test_a_policy_decides_by_what_the_player_knows(
    procedure: str, facts: dict[str, Any], policy: dict[str, str], wanted: Fraction
) -> None:
    assert mean(procedure, policy, **facts) == wanted


def test_a_policy_is_for_every_call() -> None:
    one = mean("push", {"pushes": "fours is 0"})
    assert mean("twice", {"pushes": "fours is 0"}) == 2 * one
    assert RULES.odds("push", policy={"pushes": "fours is 0"}).turns(2).result.mean == one


@pytest.mark.parametrize(
    ("procedure", "policy", "words"),
    [
        ("push", {"pushs": "yes"}, "there is no choice pushs; did you mean pushes?"),
        ("push", {"pushes": "fuors is 0"}, "the policy for pushes: there is no fact, definition or word `fuors`; did you mean `fours`?"),
        ("push", {"pushes": "again.values has 1"}, "the policy for pushes: the player does not know `again` yet when choosing"),
        ("push", {"pushes": "fours"}, "the policy for pushes: this is a whole number, but a condition is needed"),
        ("push", {"pushes": "fours is"}, "the policy for pushes: the text ends too early"),
        ("push", {"pushes": 3}, "policy['pushes'] takes a str or a function, not int"),
        ("push", {"side": "3"}, "the policy for side: "),
        ("push", {"side[1]": "left"}, "a policy decides side in every round; to decide side[1] alone, give it among the choices"),
        ("losses", {"hit": "units where steps > 5"}, "the policy for hit gives an empty list; the choice needs 1 of a, b"),
        ("losses", {"hit": "c"}, "the policy for hit: c can't be chosen"),
    ],
)  # fmt: skip
def test_a_policy_with_a_mistake_is_refused(procedure: str, policy: dict[str, Any], words: str) -> None:
    with pytest.raises((ArgumentError, InputError), match=re.escape(words)):
        mean(procedure, policy, units=[*TWO, {"name": "c", "steps": 0}])


def test_a_function_is_given_what_the_player_knows() -> None:
    met: list[PolicyChoice] = []

    def decide(choice: PolicyChoice) -> bool:
        met.append(choice)
        return bool(choice.locals["fours"] == 0)

    assert mean("push", {"pushes": decide}) == mean("push", {"pushes": "fours is 0"})
    assert {each.dice["dice"] for each in met} == {
        (a, b, c) for a in range(1, 5) for b in range(1, a + 1) for c in range(1, b + 1)
    }
    assert (met[0].name, met[0].player, met[0].options) == ("pushes", "owner", (True, False))


def test_a_function_is_given_the_fields_of_records_at_each_choice() -> None:
    def healthiest(choice: PolicyChoice) -> str:
        return str(max(choice.options, key=lambda key: choice.fields[f"{key}.steps"]))

    wanted = mean("losses", {"hit": "(units where steps > 1) followed by units"}, units=TWO)
    assert mean("losses", healthiest, units=TWO) == wanted


def test_one_function_is_for_all_choices_and_may_leave_some_open() -> None:
    def decide(choice: PolicyChoice) -> Any:
        return None if choice.locals["fours"] else True

    odds = RULES.odds("push", policy=decide, players={"owner": "best"}, aim="result")
    best = RULES.odds("push", players={"owner": "best"}, aim="result")
    assert odds.result.mean == best.result.mean
    assert {known["fours"] for each in odds.decisions if (known := dict(each.known))} == {1, 2, 3}


def test_every_question_takes_a_policy() -> None:
    policy = {"pushes": "first is 0"}
    exact = RULES.odds("push", policy=policy).result.mean
    sample = RULES.sample("push", trials=4000, seed=1, policy=policy, kernel=False).result
    assert abs(sample.mean - exact) < 0.3
    grid = RULES.grid("push", by={"bonus": [0, 1]}, policy={"pushes": "bonus > 0"})
    found = [cell.odds.mean for cell in grid.cells if cell.odds is not None]
    assert found == [mean("push", {"pushes": "no"}), mean("push", {"pushes": "yes"})]


def best(procedure: str, **facts: Any) -> Odds:
    """The odds of a procedure under the owner's best play."""
    return RULES.odds(procedure, players={"owner": "best"}, aim="result", **facts)


def test_decisions_are_listed_only_where_play_comes_to_them_with_what_matters_of_the_dice() -> None:
    decisions = best("roads").decisions
    enters = [each for each in decisions if each.name == "enters"]
    counts = "count of dice.values where each >= 5"
    wanted = {(("die >= 4", high), (counts, count)) for high in (False, True) for count in range(3)}
    assert (len(enters), {each.known for each in enters}) == (6, wanted)
    entered = [each.known for each in enters if each.chosen == (True,)]
    assert [each.known[:2] for each in decisions if each.name == "road"] == entered
    assert all(decisions[at - 1].name == "enters" for at, each in enumerate(decisions) if each.name == "road")


@pytest.mark.parametrize(
    ("procedure", "facts", "policy"),
    [
        ("push", {}, {"pushes": "fours <= 0"}),
        ("roads", {}, {"enters": "(count of dice.values where each >= 5) > 1", "road": "short"}),
        ("called", {"units": TWO}, {"hurt": "b"}),
    ],
)
def test_best_play_is_written_as_a_policy(procedure: str, facts: Any, policy: Any) -> None:
    odds = best(procedure, **facts)
    assert odds.policy() == policy
    assert mean(procedure, policy, **facts) == odds.result.mean


def test_best_play_that_no_expression_can_say_is_told() -> None:
    with pytest.raises(OddsError, match="no expression can make the choice kept"):
        best("keep").policy()


@pytest.mark.thorough
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(rulesets(choices=True, most=4))
def test_best_play_given_back_is_worth_the_same(made: Drawn) -> None:
    rules = enfilade.load(text=made.text)
    try:
        odds = rules.odds("main", given=made.facts, players={"owner": "best", "enemy": "best"}, aim="last")
        wanted, policy = odds.of("last").mean, odds.policy()
    except EnfiladeError:
        assume(False)
        raise
    others = {"owner": "random", "enemy": "random"}
    assert rules.odds("main", given=made.facts, policy=policy, players=others).of("last").mean == wanted


def test_an_argument_that_is_meant_as_a_fact_is_told() -> None:
    meant: Any = 3
    rules = enfilade.load(text="enfilade 1\nruleset x\nfacts\n  aim  1..6\nprocedure p\n  give result = aim\n")
    with pytest.raises(ArgumentError, match="aim takes a str or None, not int; the fact aim is given as given="):
        rules.odds("p", aim=meant)
    assert rules.odds("p", given={"aim": 3}, aim="result").chance("result is 3") == 1


def test_a_name_that_only_one_of_two_procedures_with_a_choice_has_is_unknown() -> None:
    rules = enfilade.load(
        text="""
players owner
procedure main
  1. roll d6 as early
     owner chooses way from left, right
     call other
     give result = early + (1 when way is left otherwise 0)
procedure other
  1. owner chooses way from left, right
     roll d6 as late
     give seen = late + (1 when way is left otherwise 0)
"""
    )
    with pytest.raises(InputError, match="there is no fact, definition or word `early`"):
        rules.odds("main", policy={"way": "left when early is 6 otherwise right"})
