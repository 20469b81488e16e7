"""The odds where players choose: best is the most that any way of choosing comes to, worst the least."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.differential.programs import program
from tests.odds.comparing import chances, situation
from tests.odds.expectation import Expectation, TooLarge
from tests.odds.rulesets import Drawn, rulesets

from enfilade.core import ir
from enfilade.core.requests import ChoiceRequest
from enfilade.engines.odds import Decision, NeedsPolicy, Policy, Situation, Weighted, exact_odds
from enfilade.errors import LimitError, RuleError

DRAWN: Final = int(os.environ.get("ENFILADE_DRAWN", "100"))
BEST: Final = {"owner": "best", "enemy": "best"}
WORST: Final = {"owner": "worst", "enemy": "worst"}
AIM: Final = ir.Local("last")
drawn: Final = settings(max_examples=DRAWN, deadline=None, suppress_health_check=list(HealthCheck), print_blob=False)


def by_hash(seed: int) -> Callable[[ChoiceRequest], tuple[Any, ...]]:
    """A way of choosing that follows nothing but the name of the choice and what may be chosen."""

    def decide(request: ChoiceRequest) -> tuple[Any, ...]:
        text = f"{seed} {request.name} {request.options}".encode()
        start = int.from_bytes(hashlib.sha256(text).digest()[:4]) % len(request.options)
        turned = (*request.options[start:], *request.options[:start])
        return turned[: 1 if request.count is None else request.count]

    return decide


def under(case: Situation, seed: int) -> Fraction:
    """The same under one way of choosing."""
    return expected(exact_odds(case, (AIM,), Policy(decide=by_hash(seed))))


def expected(answer: Weighted) -> Fraction:
    """What the first question comes to on average."""
    assert not answer.remainder
    return sum((Fraction(value[0]) * weight for value, weight in answer.weights.items()), Fraction(0)) / answer.total


def choosing(case: Situation, **players: str) -> Weighted:
    """The odds with players who choose in view of ``last``."""
    return exact_odds(case, (AIM,), Policy(players=players))


def recursion(case: Situation, **players: str) -> Fraction:
    """The same by plain recursion; what is too large for that is not tried."""
    try:
        return Expectation(case, AIM, players).value()
    except (TooLarge, RuleError, LimitError):
        assume(False)
        raise


@drawn
@given(rulesets(choices=True, most=4), st.sampled_from(["best", "worst", "random"]), st.sampled_from(["best", "worst"]))
def test_players_who_choose_for_the_best_come_to_what_recursion_comes_to(made: Drawn, one: str, other: str) -> None:
    case = situation(program(made.text), "main", **made.facts)
    wanted = recursion(case, owner=one, enemy=other)
    assert expected(choosing(case, owner=one, enemy=other)) == wanted


@drawn
@given(rulesets(choices=True, most=4))
def test_best_and_worst_bracket_every_policy(made: Drawn) -> None:
    case = situation(program(made.text), "main", **made.facts)
    wanted = recursion(case, **BEST)
    best, worst = expected(choosing(case, **BEST)), expected(choosing(case, **WORST))
    assert best == wanted
    for seed in range(4):
        assert worst <= under(case, seed) <= best


@drawn
@given(rulesets(choices=True, most=4))
def test_the_decision_told_first_is_worth_what_is_chosen(made: Drawn) -> None:
    case = situation(program(made.text), "main", **made.facts)
    recursion(case, **BEST)
    for decision in choosing(case, **BEST).decisions:
        values = dict(decision.options)
        assert values[decision.chosen] == max(values.values())


HALF: Final = """\
players owner, enemy
procedure main
  1. owner chooses bet among [1, 4, 6] "the number that is bet on"
  2. roll d6 as die
  3. give last = 1 when die >= bet otherwise 0
  4. give bet
"""


def test_a_choice_shows_the_value_of_each_option() -> None:
    (decision,) = choosing(situation(program(HALF), "main"), owner="best").decisions
    values = {chosen: Fraction(value) for (chosen,), value in decision.options}
    assert values == {1: 1, 4: Fraction(1, 2), 6: Fraction(1, 6)}
    assert isinstance(decision, Decision)
    assert (decision.name, decision.player, decision.chosen) == ("bet", "owner", (1,))


def test_a_question_that_hangs_on_a_choice_names_it() -> None:
    with pytest.raises(NeedsPolicy) as caught:
        exact_odds(situation(program(HALF), "main"), (AIM,))
    assert (caught.value.choice, caught.value.player) == ("bet", "owner")
    assert caught.value.options == (1, 4, 6)


def test_choices_are_even_where_a_player_chooses_at_random() -> None:
    answer = choosing(situation(program(HALF), "main"), owner="random")
    assert expected(answer) == (1 + Fraction(1, 2) + Fraction(1, 6)) / 3


AFTER: Final = """\
players owner, enemy
procedure main
  1. roll d6 as die
  2. owner chooses whether again "the die again"
  3. when again: roll d6 as die
  4. enemy chooses less among [0, 2]
  5. give last = die - less
"""


def test_who_chooses_knows_what_was_rolled_before() -> None:
    case = situation(program(AFTER), "main")
    assert expected(choosing(case, owner="best", enemy="worst")) == Fraction(17, 4) - 2
    assert expected(choosing(case, owner="best", enemy="best")) == Fraction(17, 4)
    assert expected(choosing(case, owner="worst", enemy="worst")) == Fraction(11, 4) - 2


NOBODY_CARES: Final = """\
players owner
record unit
  steps  0.. = 2
facts
  units  list of unit
procedure main
  1. roll d6 as die
  2. owner chooses target among units
  3. target.steps becomes 0
  4. give last = die
"""


def test_a_question_that_does_not_hang_on_a_choice_needs_no_policy() -> None:
    case = situation(program(NOBODY_CARES), "main", units=["a", "b"])
    answer = exact_odds(case, (AIM,))
    assert expected(answer) == Fraction(7, 2)
    assert len(chances(answer)) == 6
