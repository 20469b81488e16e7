"""Pools too large to try every throw: icepool is the oracle."""

from fractions import Fraction
from typing import Any, Final

import pytest
from tests.differential.programs import program
from tests.odds.brute_force import told
from tests.odds.comparing import Chances, chances, situation

from enfilade.core import ir
from enfilade.engines.odds import exact_odds

icepool: Any = pytest.importorskip("icepool")
pytestmark = pytest.mark.thorough

TEXT: Final = """\
die musket  faces 0..9
die average faces 2, 3, 3, 4, 4, 5
facts
  n  0..
  k  0..
  m  0..

procedure keeps
  1. roll n d6 as dice
  2. give highest = sum of (highest k of dice.values)
     give lowest  = sum of (lowest k of dice.values)
     give best    = highest of dice.values or 0
     give worst   = lowest of dice.values or 0
     give total   = dice
     give middle  = item k of (dice.values sorted) when k is 1.. and k <= n otherwise 0
     give few     = first k of (dice.values sorted high to low)

procedure counts
  1. roll n d10 as dice
  2. give eights = count of dice.values where each >= 8
     give ones   = count of dice.values where each is 1
     give net    = (count of dice.values where each >= 8) - (count of dice.values where each is 1)
     give both   = [count of dice.values where each >= 8, count of dice.values where each is 1]
     give ten    = any of dice.values is 10

procedure line
  1. roll n musket as dice
  2. let kept   = lowest k of dice.values by (10 when each is 0 otherwise each)
     give kept  = kept
     give kills = count of kept where each is 1.. and each <= 5
     give zero  = any of dice.values is 0

procedure mixed
  1. roll n d6 + m d8 + k average as dice
  2. give total = dice
     give best  = sum of (highest 2 of dice.values)
     give fives = count of dice.values where each is 5
     give pair  = lowest 2 of dice.values
     give small = count of (lowest 2 of dice.values) where each <= 2

procedure again
  1. roll n d6 as dice, reroll 1 once
  2. give total = dice
     give best  = sum of (highest k of dice.values)

procedure without_ones
  1. roll n d6 as dice, reroll 1
  2. give total = dice

procedure exploding
  1. roll n d6 as dice, explode on 6 at most 2 times
  2. give total = dice
     give hits  = count of dice.values where each >= 5
"""


def odds(procedure: str, output: str, **facts: Any) -> Chances:
    """The chances of one output."""
    answer = exact_odds(situation(program(TEXT), procedure, **facts), (ir.Local(output),))
    assert answer.remainder == 0
    return chances(answer)


def by_icepool(die: Any) -> Chances:
    """The same of a die of icepool."""
    weights = zip(die.outcomes(), die.quantities(), strict=True)
    return {(told(value),): Fraction(weight, die.denominator()) for value, weight in weights if weight}


D6: Final = icepool.d(6)
D10: Final = icepool.d(10)


@pytest.mark.parametrize(("n", "k"), [(1, 1), (4, 2), (5, 5), (20, 10), (12, 1), (30, 3)])
def test_the_best_and_the_worst_dice_of_a_pool(n: int, k: int) -> None:
    for output, die in {
        "highest": D6.highest(n, k), "lowest": D6.lowest(n, k), "best": D6.highest(n, 1), "worst": D6.lowest(n, 1),
        "total": n @ D6, "middle": D6.keep(n, k - 1),
    }.items():  # fmt: skip
        assert odds("keeps", output, n=n, k=k) == by_icepool(die), output


@pytest.mark.parametrize(("n", "k"), [(3, 2), (12, 2), (8, 4)])
def test_the_first_of_the_sorted_dice_together(n: int, k: int) -> None:
    wanted = D6.pool(n).highest(k).expand().map(lambda kept: tuple(reversed(kept)), star=False)
    assert odds("keeps", "few", n=n, k=k) == by_icepool(wanted)


@pytest.mark.parametrize("n", [1, 10, 40])
def test_dice_that_are_counted(n: int) -> None:
    for output, die in {
        "eights": D10.map(lambda face: int(face >= 8)),
        "ones": D10.map(lambda face: int(face == 1)),
        "net": D10.map(lambda face: (face >= 8) - (face == 1)),
    }.items():
        assert odds("counts", output, n=n) == by_icepool(die.pool(n).sum()), output


def test_two_counts_of_the_same_dice_together() -> None:
    pair = D10.map(lambda face: icepool.Vector([int(face >= 8), int(face == 1)]), star=False)
    assert odds("counts", "both", n=20) == by_icepool((20 @ pair).map(lambda found: tuple(found), star=False))


@pytest.mark.parametrize("n", [2, 5, 40])
def test_the_best_of_a_line_with_a_natural_0_last(n: int) -> None:
    kept = D10.pool(n).lowest(2).expand()
    pair = kept.map(lambda faces: tuple(each % 10 for each in faces), star=False)
    kills = kept.map(lambda faces: sum(each <= 5 for each in faces), star=False)
    assert odds("line", "kept", n=n, k=2) == by_icepool(pair)
    assert odds("line", "kills", n=n, k=2) == by_icepool(kills)
    assert odds("line", "zero", n=n, k=2)[(told(False),)] == Fraction(9, 10) ** n


@pytest.mark.parametrize(("n", "m", "k"), [(2, 1, 1), (5, 4, 3), (0, 6, 6)])
def test_pools_of_different_dice(n: int, m: int, k: int) -> None:
    dice = [D6] * n + [icepool.d(8)] * m + [icepool.Die([2, 3, 3, 4, 4, 5])] * k
    pair = icepool.Pool(dice).lowest(2).expand()
    for output, die in {
        "total": icepool.Pool(dice).sum(),
        "best": icepool.Pool(dice).highest(2).sum(),
        "fives": icepool.Pool([die.map(lambda face: int(face == 5)) for die in dice]).sum(),
        "pair": pair.map(lambda faces: tuple(sorted(faces)), star=False),
        "small": pair.map(lambda faces: sum(face <= 2 for face in faces), star=False),
    }.items():
        assert odds("mixed", output, n=n, m=m, k=k) == by_icepool(die), output


ONCE: Final = D6.reroll([1], depth=1)
BLOW: Final = D6.map(lambda face: int(face >= 5))
BLOWS: Final = D6.map(
    lambda face: 1 + D6.map(lambda more: 1 + BLOW if more == 6 else int(more == 5)) if face == 6 else int(face == 5)
)


@pytest.mark.parametrize(
    ("procedure", "output", "n", "k", "die"),
    [
        ("again", "total", 10, 4, 10 @ ONCE),
        ("again", "best", 3, 2, ONCE.highest(3, 2)),
        ("again", "best", 10, 4, ONCE.highest(10, 4)),
        ("without_ones", "total", 3, 0, 3 @ D6.reroll([1], depth="inf")),
        ("exploding", "total", 1, 0, D6.explode([6], depth=2)),
        ("exploding", "total", 8, 0, 8 @ D6.explode([6], depth=2)),
        ("exploding", "hits", 1, 0, BLOWS),
        ("exploding", "hits", 8, 0, 8 @ BLOWS),
    ],
)
def test_dice_that_are_rolled_again_and_that_explode(procedure: str, output: str, n: int, k: int, die: Any) -> None:
    facts = {"n": n, "k": k} if output == "best" else {"n": n}
    assert odds(procedure, output, **facts) == by_icepool(die)
