"""Each way to read a pool, by itself: brute force is the oracle."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import pytest
from tests.differential.programs import program
from tests.odds.comparing import check, situation

import enfilade
from enfilade.core import ir

POOL: Final = """\
facts
  n  1.. = 3

define band (face 1..6) = 1 when face <= 3 otherwise 2

procedure main
  1. roll {1}
  2. give result = {0}
"""
READ: Final = (
    "dice.values has 6",
    "dice.values has n",
    "(list of (each * 2) over dice.values) has 6",
    "(dice.values where each >= n) has 4",
    # Faces of one rank stay in the order in which they were thrown.
    "highest 2 of dice.values by band(each)",
    "item 1 of (lowest 2 of dice.values by band(each))",
    "lowest 2 of dice.values by band(each) where each is not 2",
    "highest 2 of dice.values",
    "highest of dice.values",
    "[highest of dice.values, count of dice.values where each is 1]",
    "[lowest of dice.values or 0, dice.total]",
    "[highest of dice.values, lowest of dice.values]",
    "[highest of dice.values, item 1 of (highest 2 of dice.values)]",
    "[item 1 of (dice.values sorted high to low), count of dice.values where each >= 4]",
    "[item 1 of (dice.values sorted), dice.natural]",
    "[item 2 of (dice.values sorted), dice.total]",
    "[item 1 of (dice.values sorted by band(each) high to low), dice.total]",
    "[highest of (list of band(each) over dice.values), dice.total]",
    "[highest of (dice.values where each <= 3) or 0, dice.total]",
    "[highest of (dice.values where each <= 3) or 0, count of dice.values where each is 6]",
    "[highest of band(each) over dice.values, dice.total]",
    "[item 2 of (dice.values sorted high to low), highest of dice.values, count of dice.values where each is 1]",
    "dice.total - highest of dice.values - lowest of dice.values",
    "[sum of (highest 2 of dice.values), sum of (lowest 1 of dice.values)]",
    "[sum of (highest 5 of dice.values), sum of (lowest 2 of dice.values), sum of (lowest 0 of dice.values)]",
    "[sum of (each - 5) over dice.values, count of dice.values where each is 1]",
    "[sum of (highest 2 of (list of (each - 5) over dice.values)), count of dice.values where each is 1]",
    "sum of (each / 2) over dice.values",
    # What fails for a side that does not count is no error.
    "0 when any of dice.values is 3 otherwise highest of (list of (12 / (each - 3)) over dice.values)",
    "0 when any of dice.values is 3 otherwise sum of (12 / (each - 3)) over dice.values",
    "0 when any of dice.values is 3 otherwise sum of (highest 2 of dice.values by (12 / (each - 3)))",
    "0 when any of dice.values is 3 otherwise item 1 of (dice.values sorted by (12 / (each - 3)))",
    "[dice.natural, highest of dice.values, count of dice.values where each >= 3]",
    "[item 2 of (dice.values sorted), item n of (dice.values sorted)]",
    "[sum of (highest 2 of (dice.values where each <= 4)), sum of (lowest 2 of (dice.values where each <= 4))]",
)
POOLS: Final = (
    "n d6 as dice",
    "n d6 + 2 d4 as dice",
    "n d6 + d2 as dice",
    "2 d6 as dice",
    "2 d4 as dice, explode on 4 at most 2 times, added to the die",
    "2 d4 as dice, explode on 4, added to the die",
    "3 d6 as dice, reroll 1 once",
)
ROUND: Final = """\
facts
  n  1.. = 3

procedure main
  1. roll n d6 as dice
  2. let last = 0
     let other = 0
     let seen = []
  3. for each die in dice.values
       {0}
  4. give result = {1}
"""
LOOPS: Final = (
    ("last becomes die", "last"),
    ("when die >= 3: last becomes die", "last"),
    ("when die <= 4: last becomes 7 - last", "last"),
    ("when last < 5: last becomes last + die", "last"),
    ("when die is 6: leave\n       last becomes last + 1", "last"),
    ("when die is 1: other becomes 2\n       last becomes die + other", "last"),
    ("when die is 1: other becomes 2\n       last becomes other + die", "last"),
    ("when die >= 3: other becomes other + die\n       last becomes other - die", "last"),
    ("seen becomes seen followed by [die]", "item 1 of seen"),
    ("seen becomes seen followed by [die]", "count of seen where each is 6"),
)


@pytest.mark.parametrize("dice", POOLS)
@pytest.mark.parametrize("read", READ)
def test_a_value_of_a_pool(read: str, dice: str) -> None:
    check(situation(program(POOL.format(read, dice)), "main"), (ir.Local("result"),), [(0,)], 4_000)


@pytest.mark.parametrize(("line", "read"), LOOPS)
def test_what_a_loop_over_a_pool_leaves(line: str, read: str) -> None:
    check(situation(program(ROUND.format(line, read)), "main"), (ir.Local("result"),), [(0,)], 2_000)


def test_how_many_dice_count_must_be_known() -> None:
    rules = enfilade.load(
        text="""enfilade 1
ruleset pools
facts
  veteran  yes/no
procedure main
  1. roll 3d6 as dice
  2. let kept = 2 when veteran otherwise none
     give result = sum of (highest kept of dice.values)
"""
    )
    assert rules.odds("main", veteran=True).result.mean == Fraction(203, 24)
    with pytest.raises(enfilade.RuleError, match="a value is needed, but this expression is none: 2 when veteran"):
        assert rules.odds("main", veteran=False).result
