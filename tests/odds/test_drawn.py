"""Rulesets made by chance, and choices: the odds are those of brute force, and the best is the most that any choosing comes to.

``ENFILADE_DRAWN=5000`` draws more rulesets than usual.
"""

import hashlib
import os
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final
from unittest.mock import Mock

import pytest
from attrs import evolve
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from tests.differential.programs import program
from tests.odds.brute_force import first, last, told
from tests.odds.comparing import SMALL, chances, check, situation
from tests.odds.expectation import Answer, Expectation, TooLarge, answers, asked_next
from tests.odds.rulesets import Drawn, rulesets

from enfilade.core import ir
from enfilade.core.requests import ChoiceRequest, DrawRequest, RollRequest
from enfilade.engines.odds import Ask, Policy, Situation, Weighted, Whole, exact_odds
from enfilade.engines.odds.dice.multisets import all_throws
from enfilade.engines.odds.rolls import roll
from enfilade.errors import LimitError, RuleError

DRAWN: Final = int(os.environ.get("ENFILADE_DRAWN", "6"))
SEQUENCES: Final = 1_000
WHOLES: Final = (Whole("outputs"), Whole("effects"), Whole("state"))
# To find the least ruleset that fails takes minutes: `ENFILADE_SHRINK=1` does, once one is known to fail.
PHASES: Final = list(Phase) if os.environ.get("ENFILADE_SHRINK") else [Phase.explicit, Phase.reuse, Phase.generate]
drawn: Final = settings(
    max_examples=DRAWN, deadline=None, suppress_health_check=list(HealthCheck), print_blob=False, phases=PHASES
)
more: Final = pytest.mark.parametrize("part", [0, *(pytest.param(at, marks=pytest.mark.thorough) for at in (1, 2, 3))])
"""The thorough tests draw four times as many."""


@more
@drawn
@given(made=rulesets(), data=st.data())
def test_the_odds_of_a_ruleset_by_chance_are_those_of_brute_force(part: int, made: Drawn, data: st.DataObject) -> None:
    case = situation(program(made.text), "main", **made.facts)
    asks: tuple[Ask, ...] = (*WHOLES, *map(ir.Local, case.program.procedures["main"].outputs))
    every = st.integers(len(WHOLES), len(asks) - 1)
    together = data.draw(st.lists(every, min_size=1, max_size=2, unique=True))
    check(case, asks, [(0,), (1,), (2,), (len(WHOLES),), tuple(together)], SEQUENCES, limits=SMALL)


@more
@drawn
@given(made=rulesets(choices=True), decide=st.sampled_from([first, last]))
def test_the_odds_under_a_fixed_policy_are_those_of_brute_force(part: int, made: Drawn, decide: Any) -> None:
    case = situation(program(made.text), "main", **made.facts)
    asks: tuple[Ask, ...] = (*WHOLES, ir.Local("last"))
    check(case, asks, [(0,), (1,), (2,), (3,)], SEQUENCES, decide, SMALL)


@more
@drawn
@given(made=rulesets(), data=st.data())
def test_what_is_known_already_takes_no_part_of_the_odds(part: int, made: Drawn, data: st.DataObject) -> None:
    case = situation(program(made.text), "main", **made.facts)
    log: list[Answer] = []
    for _ in range(data.draw(st.integers(1, 3))):
        request = asked_next(case, log)
        if not isinstance(request, (RollRequest, DrawRequest)):
            break
        kind = "roll" if isinstance(request, RollRequest) else "draw"
        log.append((kind, data.draw(st.sampled_from(answers(request)))))
    check(evolve(case, log=tuple(log)), (*WHOLES, ir.Local("last")), [(0,), (1,), (2,), (3,)], SEQUENCES, limits=SMALL)


BEST: Final = {"owner": "best", "enemy": "best"}
WORST: Final = {"owner": "worst", "enemy": "worst"}
AIM: Final = ir.Local("last")


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


@more
@drawn
@given(
    made=rulesets(choices=True, most=4),
    one=st.sampled_from(["best", "worst", "random"]),
    other=st.sampled_from(["best", "worst"]),
)
def test_players_who_choose_for_the_best_come_to_what_recursion_comes_to(
    part: int, made: Drawn, one: str, other: str
) -> None:
    case = situation(program(made.text), "main", **made.facts)
    wanted = recursion(case, owner=one, enemy=other)
    assert expected(choosing(case, owner=one, enemy=other)) == wanted


@pytest.mark.thorough
@more
@drawn
@given(made=rulesets(choices=True, most=4))
def test_best_and_worst_bracket_every_policy_and_the_decision_told_first_is_worth_what_is_chosen(
    part: int, made: Drawn
) -> None:
    case = situation(program(made.text), "main", **made.facts)
    wanted = recursion(case, **BEST)
    best, worst = choosing(case, **BEST), choosing(case, **WORST)
    assert expected(best) == wanted
    for seed in range(4):
        assert expected(worst) <= under(case, seed) <= wanted
    for decision in best.decisions:
        values = dict(decision.options)
        assert values[decision.chosen] == max(values.values())


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
    ways = (("best", "worst"), ("best", "best"), ("worst", "worst"))
    found = [expected(choosing(case, owner=owner, enemy=enemy)) for owner, enemy in ways]
    assert found == [Fraction(17, 4) - 2, Fraction(17, 4), Fraction(11, 4) - 2]


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
    assert chances(exact_odds(case, (AIM,))) == {(told(face),): Fraction(1, 6) for face in range(1, 7)}


STOPS: Final = """\
enfilade 1.1
ruleset stops "Parts that stop"

players owner

record unit
  steps  0..9 = 9

facts
  unit  unit

effect hit (unit)
  unit.steps becomes unit.steps - 1 but at least 0

chart fate "Fate"
  down  d3
  | Roll | Result |
  |  1   |   a    |
  | 2,3  |   b    |

results of fate for each unit
  a  "a hit"
    each reader: hit
  b  "some hits"
    each reader where steps > 2: suffer

effect suffer (unit)
  owner chooses way among 1..2
  when way is 1: hit on unit
  hit on unit

procedure part "A procedure that stops"
  1. roll d2 as coin
     owner chooses side among 1..2
     hit on unit
     when coin is side: stop
     hit on unit
     hit on unit

procedure game "Whatever stops in it"
  1. roll d3 as die
     {}
     hit on unit

procedure main
  1. call game
  2. give last = unit.steps
"""
PARTS: Final = {
    "a part before": ("together", "  when die is 1: stop", "  owner chooses way among 1..2", "  hit on unit"),
    "a part after": ("together", "  owner chooses way among 1..2", "  when die is way: stop", "  hit on unit"),
    "calls that stop": ("together", "  call part", "  when die is 1: stop", "hit on unit"),
    "calls in a loop": ("repeat 2 times", "  call part", "  when die is 1: stop"),
    "a loop until all is lost": ("repeat until unit.steps < 7", "  call part"),
    "a loop until a choice": (
        "repeat until way is 2 or unit.steps < 6",
        "  owner chooses way among 1..2",
        "  hit on unit",
    ),
    "rounds and a condition": ("repeat until unit.steps < 6, at most 3 times", "  call part"),
    "rounds of a rolled number": ("repeat die times", "  call part"),
    "results for each": ("read fate with die for each unit in [unit] as shots", "apply shots"),
    "a loop that stops": (
        "for each item in 1..3",
        "  owner chooses way among 1..2",
        "  when die is item and way is 2: stop",
    ),
}


def stopping(lines: tuple[str, ...]) -> Situation:
    """A game of some steps."""
    return situation(program(STOPS.format("\n     ".join(lines))), "main", unit={"key": "u"})


@pytest.mark.parametrize("lines", [pytest.param(lines, id=name) for name, lines in PARTS.items()])
def test_what_follows_a_stop_is_left_out(lines: tuple[str, ...]) -> None:
    case = stopping(lines)
    for one in ("best", "worst", "random"):
        assert expected(choosing(case, owner=one)) == recursion(case, owner=one), one


UNREAD: Final = """\
players owner
record unit
  steps  1..9 = 9
facts
  unit  unit

procedure main
  1. roll d3 as die
  2. together
       owner chooses way among 1..2
       when die + 0 >= 2: unit.steps becomes 1
  3. owner chooses bet among 0..2
  4. give last = bet
"""


def test_a_part_that_writes_what_nobody_reads_knows_the_roll_before_it() -> None:
    case = situation(program(UNREAD), "main", unit={"key": "u"})
    assert expected(choosing(case, owner="best")) == recursion(case, owner="best") == 2


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        pytest.param(
            ("repeat 2 times", "  owner chooses way among 1..2", "  when way is 2: hit on unit"),
            ["way[game][1]", "way[game][2]"],
            id="rounds",
        ),
        pytest.param(
            (
                "repeat until unit.steps < 8",
                "  owner chooses way among 1..2",
                "  hit on unit",
                "  when way is 2: hit on unit",
            ),
            ["way[game]"],
            id="until",
        ),
        pytest.param(
            ("for each n in 4..5", "  owner chooses way among 1..2", "  when way is 2: hit on unit"),
            ["way[game][1]", "way[game][2]"],
            id="elements",
        ),
    ],
)
def test_a_choice_is_named_after_its_round(lines: tuple[str, ...], names: list[str]) -> None:
    decisions = choosing(stopping(lines), owner="best").decisions
    assert sorted({each.name for each in decisions}) == names


def test_what_was_rolled_before_a_choice_with_an_aim_is_rolled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = Mock(side_effect=all_throws)
    monkeypatch.setattr(roll, "all_throws", listed)
    rules = """
enfilade 1.1
ruleset kept "Dice that are kept"
players owner
procedure main
  1. roll 3d6 as dice
     owner chooses kept among dice.values
  2. give last = kept
"""
    assert expected(choosing(situation(program(rules), "main"), owner="best")) == Fraction(119, 24)
    assert listed.call_count == 1
