"""Pools that are kept as lists: multisets if nothing reads their order, sequences if something does.

``ENFILADE_DRAWN=5000`` draws more rulesets than usual.
"""

import os
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from tests.differential.programs import program, program_of
from tests.odds.brute_force import told
from tests.odds.comparing import chances, check, situation

from enfilade import RuleError, load
from enfilade.core import ir
from enfilade.engines.odds import Ask, Policy, Whole, exact_odds
from enfilade.limits import Limits, limited


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """The time is no limit here: a slow machine must not change an answer."""
    with limited(Limits(seconds=None)):
        yield


DRAWN: Final = int(os.environ.get("ENFILADE_DRAWN", "20"))
HEAD: Final = """\
enfilade 1.1
ruleset pools "Pools kept as lists"

record unit
  marks  list of 0..9
  least  0..9 = 2

facts
  n     0..15
  unit  unit

define sixes (values list of 0..9) = count of values where each is 3
"""
UNIT: Final = {"key": "unit", "marks": [2, 1]}

NUMBERS: Final = (
    "count of {0} where each >= 2",
    "count of {0} where each >= unit.least",
    "count of {0}",
    "sum of {0}",
    "highest of {0} or 0",
    "sixes({0})",
    "count of {0} where each > limit",
    "sum of highest 2 of {0}",
    "(item 1 of {0}) when count of {0} > 0 otherwise 0",
    "sum of first 2 of {0}",
    "(item 1 of ({0} sorted)) when {0} is not [] otherwise 0",
    "1 when {0} has 2 otherwise 0",
    "1 when any of {0} is 1 otherwise 0",
    "count of {0} where each >= count of {1}",
)
LISTS: Final = (
    "{0} where each >= 2",
    "{0} followed by {1}",
    "{0} without [2]",
    "{0} without {1}",
    "{0} sorted",
    "{0} where each is not limit",
    "lowest 1 of {0}",
    "first 1 of {0}",
    "list of (each + 1) over {0}",
    "{0} when count of {1} > 1 otherwise {1}",
    "unit.marks",
)
LOOPS: Final = (
    ("when die >= 2: total becomes total + die",),
    ("when die is 3: {2} becomes {2} followed by die",),
    ("let twice = die * 2", "total becomes total + twice"),
    ("roll d2 as coin", "when coin is 1: total becomes total + die"),
    ("total becomes die",),
    ("when die > total: total becomes total + 1",),
    ("total becomes total + die", "limit becomes 1"),
    ("when die is 2: limit becomes die",),
    ("roll d2 as coin", "limit becomes coin"),
)


@st.composite
def texts(draw: DrawFn) -> str:
    """A ruleset that keeps, joins, filters and rerolls pools, and reads some of them in order."""
    lists, lines = ["first_values", "unit.marks"], []

    def some() -> str:
        return draw(st.sampled_from(lists))

    for number in range(draw(st.integers(1, 5))):
        name = f"kept_{number}"
        match draw(st.integers(0, 6)):
            case 0:
                lines.append(f"unit.marks becomes {draw(st.sampled_from(LISTS[:-1])).format(some(), some())}")
            case 1:
                lines += [f"roll ((count of {some()} where each is 2) but at most 1) d3 as again_{number}"]
                lines += [f"let {name} = again_{number}.values"]
                lists.append(name)
            case 2:
                loop = draw(st.sampled_from(LOOPS))
                lines += [
                    f"let {name} = first_values without first_values",
                    f"for each die in {some()}",
                    *(f"  {line}" for line in loop),
                ]
                lines = [line.replace("{2}", name) for line in lines]
                lists.append(name)
            case 3:
                lines.append(f"limit becomes {draw(st.sampled_from(NUMBERS)).format(some(), some())}")
            case _:
                lines.append(f"let {name} = {draw(st.sampled_from(LISTS)).format(some(), some())}")
                lists.append(name)
    for number in range(2):
        lines.append(f"give out_{number} = {draw(st.sampled_from(NUMBERS)).format(some(), some())}")
    lines += ["give total", "give limit", "give least = unit.least", f"give list = {some()}"]
    steps = ["roll n d3 as dice", "let limit = 2", "let total = 0", "let first_values = dice.values", *lines]
    return f"{HEAD}\nprocedure main\n  1. " + "\n     ".join(steps) + "\n"


@pytest.mark.thorough
@settings(max_examples=DRAWN, deadline=None, suppress_health_check=list(HealthCheck), print_blob=False)
@given(texts(), st.integers(0, 2))
def test_the_odds_of_pools_kept_as_lists_are_those_of_brute_force(text: str, n: int) -> None:
    case = situation(program(text), "main", n=n, unit=UNIT)
    outputs = tuple(ir.Local(name) for name in ("out_0", "out_1", "total", "limit", "list"))
    counted = ir.Over("count", "each", ir.Local("list"), ir.Const(1), ir.Op(">=", (ir.Local("each"), ir.Const(2))))
    asks: tuple[Ask, ...] = (*outputs, counted, Whole("state"), Whole("outputs"))
    check(case, asks, [(0,), (1,), (2,), (3,), (4,), (5,), (0, 5), (6,), (7,)], 3_000)


NATURAL: Final = f"""\
{HEAD}
procedure partly_rerolled
  1. roll n d6 as dice
     let kept = dice.values where each is 1 or each is 6
  2. roll (n - count of kept) d6 as more
     kept becomes kept followed by more.values
  3. give result = count of kept where each is 6
     give ones   = count of kept where each is 1
     give listed = kept
     give least  = unit.least

procedure gone_through
  1. roll n d6 as dice
     let kept = []
  2. for each die in dice.values
       when die is 6: kept becomes kept followed by die
  3. roll (n - count of kept) d6 as more
     kept becomes kept followed by more.values
     let sixes = 0
     for each die in kept
       when die is 6: sixes becomes sixes + 1
  4. give result = sixes
     give least  = unit.least

procedure compared_with_a_field
  1. roll n d6 as dice
     unit.least becomes unit.least + 1
     let hits = dice.values where each >= unit.least
  2. roll (count of hits) d6 as wounds
  3. give result = count of wounds.values where each >= 3 + unit.least

procedure in_a_field
  1. roll n d6 as dice
     unit.marks becomes dice.values where each is 6
     roll (n - count of unit.marks) d6 as more
     unit.marks becomes unit.marks followed by more.values
  2. give result = count of unit.marks where each is 6

helper procedure throws
  1. roll n d6 as dice
     let kept = dice.values where each is 6
     roll (n - count of kept) d6 as more
  2. give kept = kept followed by more.values

procedure in_a_call
  1. call throws as thrown
     let faces = thrown.kept
  2. give result = count of faces where each is 6
     give least  = unit.least
"""
TWO_THROWS: Final = Fraction(11, 36)
"""The chance that a die shows a 6 in one of two throws."""


def binomial(n: int, chance: Fraction) -> dict[tuple[object, ...], Fraction]:
    """The chance of each number of successes."""
    return {(told(k),): comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)}


SIX_OR_AGAIN: Final = Fraction(1, 6) + Fraction(4, 6) * Fraction(1, 6)
"""The same for a die that shows a 1 or a 6 and is not thrown again."""


@pytest.mark.parametrize(
    ("procedure", "chance"),
    [
        ("gone_through", TWO_THROWS),
        ("in_a_field", TWO_THROWS),
        ("in_a_call", TWO_THROWS),
        ("partly_rerolled", SIX_OR_AGAIN),
        ("compared_with_a_field", Fraction(4, 6) * Fraction(1, 6)),
    ],
)
@pytest.mark.parametrize("n", [1, 7, pytest.param(10, marks=pytest.mark.thorough)])
def test_each_of_the_dice_succeeds_as_if_it_were_alone(procedure: str, chance: Fraction, n: int) -> None:
    answer = exact_odds(situation(program(NATURAL), procedure, n=n, unit=UNIT), (ir.Local("result"),))
    assert chances(answer) == binomial(n, chance)


@pytest.mark.parametrize("n", [1, 12, 15])
def test_ones_and_sixes_that_are_kept_are_counted_together(n: int) -> None:
    case = situation(program(NATURAL), "partly_rerolled", n=n, unit=UNIT)
    assert len(exact_odds(case, (ir.Local("result"), ir.Local("ones"))).weights) == comb(n + 2, 2)


def test_another_fact_gives_other_tests_of_the_same_dice() -> None:
    rules = program(NATURAL.replace("n     0..15", "n     0..15\n  goal  1..6").replace("each is 6", "each >= goal"))
    for goal in (6, 5, 2):
        case = situation(rules, "in_a_call", n=3, goal=goal, unit=UNIT)
        misses = 1 - Fraction(7 - goal, 6)
        assert chances(exact_odds(case, (ir.Local("result"),))) == binomial(3, 1 - misses**2)


def test_a_list_that_is_told_keeps_its_order() -> None:
    case = situation(program(NATURAL), "partly_rerolled", n=2, unit=UNIT)
    found = chances(exact_odds(case, (ir.Local("listed"),)))
    assert found[told((6, 1)),] == found[told((1, 6)),] > 0


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (Policy(decide=lambda request: (False,)), Fraction(283459, 69984)),
        (Policy(decide=lambda request: (True,)), Fraction(1910711987, 612220032)),
        (Policy(players={"player": "best"}), Fraction(1334771041, 306110016)),
    ],
)
def test_a_pushed_roll_is_worth_what_the_trial_says(policy: Policy, expected: Fraction) -> None:
    case = situation(program_of("botch_and_push"), "year_zero", base=4, skill=2, gear=1)
    answer = exact_odds(case, (ir.Local("value"),), policy)
    assert sum(Fraction(value * weight, answer.total) for (value,), weight in answer.weights.items()) == expected


JOINED: Final = """
record unit
  marks  list of {range}

facts
  unit  unit

procedure main
  1. roll d3 as dice
     let total = 0
     let values = [dice]
     unit.marks becomes values where each >= 2
     unit.marks becomes values followed by unit.marks
     for each die in unit.marks
       when die >= 2: total becomes total + die
     give result = count of values where each >= 2
"""


def test_a_list_of_which_only_the_number_is_read_still_belongs_to_its_field() -> None:
    wide, narrow = (
        load(text=JOINED.format(range=numbers)).odds("main", given={"unit": {"name": "u", "marks": []}})
        for numbers in ("0..9", "0..2")
    )
    assert dict(wide.result) == {0: Fraction(1, 3), 1: Fraction(2, 3)}
    with pytest.raises(RuleError, match=r"marks of u would become \(3,\)"):
        _ = narrow.result
