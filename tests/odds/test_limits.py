"""Questions that are too large, or that have no answer: each ends with a clear error, and none takes the machine."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Any, Final

import pytest
from tests.differential.programs import program
from tests.odds.brute_force import told
from tests.odds.comparing import chances, situation

import enfilade
from enfilade.core import ir
from enfilade.engines.odds import Ask, OddsLimits, Weighted, Whole, exact_odds
from enfilade.errors import EnfiladeError, LimitError, RuleError

RESULT: Final = ir.Local("result")


def asked(text: str, ask: Ask = RESULT, limits: OddsLimits | None = None, **facts: Any) -> Weighted:
    """The odds of a procedure called main."""
    return exact_odds(situation(program(text), "main", **facts), (ask,), None, limits)


HUGE: Final = """\
facts
  n  1..
die million faces 1..10000
procedure main
  1. roll n million as dice
  2. give result = dice
     give faces = dice.values
     give best = highest of dice.values or 0
"""


@pytest.mark.parametrize("output", ["result", "faces", "best"])
@pytest.mark.parametrize("n", [1_000_000, 10**30])
def test_a_million_dice_are_refused(output: str, n: int) -> None:
    with pytest.raises(LimitError):
        asked(HUGE, ir.Local(output), n=n)


@pytest.mark.parametrize("output", ["result", "faces"])
def test_ten_thousand_dice_of_ten_thousand_faces_are_refused(output: str) -> None:
    with pytest.raises(LimitError):
        asked(HUGE, ir.Local(output), n=10_000)


LARGE_DIE: Final = """\
facts
  n  1..
procedure main
  1. roll n d1000000 as dice
  2. give result = dice
"""


def test_a_million_dice_of_a_million_faces_are_refused() -> None:
    with pytest.raises(LimitError):
        asked(LARGE_DIE, n=1_000_000)


def nested(depth: int, body: str, times: str = "2") -> str:
    """Loops in each other."""
    lines = [f"{'  ' * (at + 1)}repeat {times} times" for at in range(depth)]
    return "\n".join([*lines, f"{'  ' * (depth + 1)}{body}"])


@pytest.mark.parametrize("depth", [20, 28])
def test_loops_deep_in_each_other_are_stopped(depth: int) -> None:
    text = f"procedure main\n  let x = 0\n{nested(depth, 'x becomes x + 1', '9')}\n  give result = x\n"
    with pytest.raises(LimitError):
        asked(text)


@pytest.mark.parametrize("depth", [4, 20])
def test_rolls_in_loops_deep_in_each_other_are_stopped(depth: int) -> None:
    body = f"{nested(depth, 'roll d6 as die', '9')}"
    lines = body.rsplit("\n", 1)
    text = f"procedure main\n  let x = 0\n{body}\n{'  ' * (depth + 1)}x becomes x * 7 + die\n  give result = x\n"
    assert len(lines) == 2
    with pytest.raises(LimitError):
        asked(text)


def chain(procedures: int, last: str) -> str:
    """Procedures that call each other, each within three loops."""
    texts = [f"procedure p{at}\n{nested(3, f'call p{at + 1}', '9')}\n" for at in range(procedures)]
    main = "record side\n  hits  0..\nfacts\n  side  side\nprocedure main\n  call p0\n  give result = side.hits\n"
    return "\n".join([main, *texts, f"procedure p{procedures}\n  {last}\n  side.hits becomes side.hits + die\n"])


@pytest.mark.parametrize("last", ["let die = 3", "roll d6 as die"])
def test_sixty_loops_in_each_other_are_stopped(last: str) -> None:
    with pytest.raises(LimitError):
        asked(chain(20, last), side={"hits": 0})


FACES: Final = """\
procedure main
  1. roll d6 as die, explode on 1..6
  2. give result = die
"""
AGAIN: Final = """\
procedure main
  1. roll 2d6 as die, reroll 1..6
  2. give result = die
"""


@pytest.mark.parametrize("text", [FACES, AGAIN])
def test_dice_that_are_rolled_again_for_ever_have_no_odds(text: str) -> None:
    with pytest.raises((LimitError, RuleError)):
        asked(text)


ENDLESS: Final = """\
procedure main
  1. repeat until die > 6, limit 100 times
       roll d6 as die
  2. give result = die
"""
STUCK: Final = """\
record side
  steps  0.. = 2
facts
  a  side
  b  side
procedure main
  1. repeat until a.steps is 0 or b.steps is 0, limit 1000 times
       roll d6 as die
       when die >= 5 and a.steps > 1: a.steps becomes a.steps - 1
       when die <= 2 and b.steps > 1: b.steps becomes b.steps - 1
  2. give result = a.steps - b.steps
"""


def test_a_fight_that_never_ends_has_no_odds() -> None:
    with pytest.raises((LimitError, RuleError)):
        asked(ENDLESS)
    with pytest.raises((LimitError, RuleError)):
        asked(STUCK, a={"steps": 3}, b={"steps": 4})


SOMETIMES: Final = """\
procedure main
  1. let x = 0
  2. repeat until x > 2 and x is not 9, limit 100 times
       roll d6 as die
       when x is not 9
         x becomes x + 1
         when die is 6: x becomes 9
  3. give result = x
"""


def test_a_fight_that_ends_only_now_and_then_says_so_or_leaves_a_remainder() -> None:
    ends = Fraction(5, 6) ** 3
    with suppress(LimitError, RuleError):
        answer = asked(SOMETIMES)
        assert chances(answer) == {(told(3),): ends}
        assert Fraction(answer.remainder, answer.total) == 1 - ends


JOINT: Final = """\
record unit
  steps  0..60 = 60
facts
  units  list of unit
procedure main
  1. for each unit in units
       roll 3d6 as die
       unit.steps becomes unit.steps - die
  2. give result = list of steps over units
     give total  = sum of steps over units
     give dead   = count of units where steps < 50
"""


def test_a_huge_joint_table_is_stopped_and_its_parts_are_not() -> None:
    units = [f"u{number}" for number in range(30)]
    for ask in RESULT, Whole("state"):
        with pytest.raises(LimitError):
            asked(JOINT, ask, units=units)
    assert sum(chances(asked(JOINT, ir.Local("total"), units=units)).values()) == 1
    assert len(chances(asked(JOINT, ir.Local("dead"), units=units))) == 31


def test_effects_of_many_dice_are_stopped() -> None:
    text = """\
effect mark "is marked" (amount 0..)
procedure main
  1. repeat 60 times
       roll d6 as die
       mark with amount die
  2. give result = count of effects mark
"""
    with pytest.raises(LimitError):
        asked(text, Whole("effects"))
    assert chances(asked(text)) == {(told(60),): Fraction(1)}


def test_a_deck_that_is_dealt_out_is_stopped_where_order_counts_and_not_where_it_does_not() -> None:
    text = "deck cards of 26 x red, 26 x black\nprocedure main\n  draw 20 from cards as hand\n  give result = hand\n  give reds = count of hand where each is red\n"
    with pytest.raises(LimitError):
        asked(text)
    assert len(chances(asked(text, ir.Local("reds")))) == 21


def test_limits_that_a_caller_sets_are_kept() -> None:
    text = "procedure main\n  roll 6d6 as dice\n  give result = dice.values\n"
    with pytest.raises(LimitError):
        asked(text, limits=OddsLimits(outcomes=1_000))
    with pytest.raises(LimitError):
        asked(text, limits=OddsLimits(worlds=1_000, outcomes=10**9, products=10**9))
    with pytest.raises(LimitError):
        asked(text, limits=OddsLimits(products=1_000))


@pytest.mark.parametrize(
    "text",
    [
        "facts\n  n  1..\nprocedure main\n  let x = 2\n  repeat n times\n    x becomes x * x\n  give result = x\n",
        "facts\n  n  1..\nprocedure main\n  let x = [1]\n  repeat n times\n    x becomes x followed by x\n  give result = count of x\n",
        "facts\n  n  1..\nprocedure main\n  let x = 0\n  repeat n times\n    x becomes x + 1\n  give result = x\n",
        "facts\n  n  1..\nprocedure main\n  let x = 0\n  repeat n times\n    roll d6 as die\n    x becomes x + die\n  give result = x\n",
    ],
)
def test_numbers_and_lists_that_grow_without_end_are_stopped(text: str) -> None:
    with pytest.raises(EnfiladeError):
        asked(text, n=10**9)


EXPLODING = """
facts
  n  1..60
procedure p
  1. roll n d10 as dice, explode on 10
     let hits = count of dice.values where each >= 7
     let ones = count of dice.values where each is 1
  2. give result = hits - ones
"""


def test_time_is_checked_within_a_pool() -> None:
    rules = enfilade.load(text=EXPLODING)
    with pytest.raises(LimitError) as found:
        rules.odds("p", n=60, limits=OddsLimits(seconds=0.1)).of("result")
    assert found.value.limit == "seconds"


def test_what_is_cut_off_of_a_pool_is_negligible() -> None:
    one, six = (enfilade.load(text=EXPLODING).odds("p", n=n).result for n in (1, 6))
    assert 0 < six.remainder < Fraction(1, 10**12)
    together = one.times(6)
    assert all(abs(six[value] - together[value]) < Fraction(1, 10**12) for value in together)
