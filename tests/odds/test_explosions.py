"""Dice that explode without bound: every throw is followed to a depth, and the rest is bounded by its chance."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any, Final

import pytest

import enfilade

DEPTH: Final = 9
READINGS: Final[dict[str, Callable[[Any], int]]] = {
    "sum of highest 3 of dice.values": lambda dice: sum(sorted((f for die in dice for f in die), reverse=True)[:3]),
    "lowest of dice.values": lambda dice: min(f for die in dice for f in die),
    "sum of lowest 2 of dice.values": lambda dice: sum(sorted(f for die in dice for f in die)[:2]),
    "dice.natural": lambda dice: dice[0][0],
    "count of dice.values where each is 3 or each is 4": lambda dice: sum(f in (3, 4) for die in dice for f in die),
    "sum of highest 2 of dice.values + count of dice.values where each is 1": lambda dice: (
        sum(sorted((f for die in dice for f in die), reverse=True)[:2]) + sum(f == 1 for die in dice for f in die)
    ),
}


def throws(sides: int, explodes: set[int], times: int | None) -> list[tuple[tuple[int, ...], Fraction]]:
    """The throws of one die, with its explosions; longer ones than ``DEPTH`` are left out."""
    found: list[tuple[tuple[int, ...], Fraction]] = []
    open_: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    for turn in range(DEPTH if times is None else times + 1):
        longer = [((*faces, face), chance / sides) for faces, chance in open_ for face in range(1, sides + 1)]
        ends = [each for each in longer if each[0][-1] not in explodes or turn == times]
        found += ends
        open_ = [each for each in longer if each not in ends]
    return found


def asked(reading: str, dice: str, rule: str) -> enfilade.Distribution:
    text = f"procedure main\n  1. roll {dice} as dice, explode on {rule}\n     give result = {reading}\n"
    return enfilade.load(text=text).odds("main").result


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize(("rule", "explodes", "times"), [("4", {4}, None), ("1", {1}, None), ("3..4", {3, 4}, 1)])
def test_what_is_read_of_exploding_dice(reading: str, rule: str, explodes: set[int], times: int | None) -> None:
    found = asked(reading, "2d4", rule if times is None else f"{rule} at most {times} times")
    expected: dict[Any, Fraction] = {}
    for pair in product(throws(4, explodes, times), repeat=2):
        value = READINGS[reading](tuple(faces for faces, _ in pair))
        expected[value] = expected.get(value, Fraction(0)) + pair[0][1] * pair[1][1]
    left = 1 - sum(expected.values())
    assert all(0 <= found[value] - chance <= left for value, chance in expected.items())
    assert times is None or left == 0
    assert found.exact or "count" in reading


@pytest.mark.parametrize(
    ("reading", "dice", "rule", "chances"),
    [
        pytest.param("dice.natural", "5d6", "6", dict.fromkeys(range(1, 7), Fraction(1, 6)), id="the first die of a pool"),
        pytest.param("highest of dice.values <= 5", "5d6", "6", {True: Fraction(5, 6) ** 5}, id="the best"),
        # A total compared with a number.
        *(
            pytest.param(
                f"dice >= {8 * more + rest + 1}", "d8", "8", {True: Fraction(1, 8) ** more * Fraction(8 - rest, 8)},
                id=f"at least {8 * more + rest + 1}",
            )
            for more, rest in ((0, 3), (0, 7), (1, 0), (1, 7), (3, 5), (7, 6))
        ),
    ],
)  # fmt: skip
def test_what_is_read_is_exact_without_a_cap(reading: str, dice: str, rule: str, chances: dict[Any, Fraction]) -> None:
    found = asked(reading, dice, rule)
    assert (found.exact, {value: found[value] for value in chances}) == (True, chances)


def test_a_die_that_explodes_on_every_side_has_no_odds() -> None:
    with pytest.raises(enfilade.LimitError, match="forever"):
        asked("dice", "2d6", "1..6")


WOUND: Final = """record unit
  hurt number 0.. = 0

effect wound (unit, amount {type})
  roll d6 as saved
  when saved < 4: unit.hurt becomes amount but at most 5

facts
  target unit

procedure main
  1. roll d6 as dice, explode on 6
  2. wound on target with amount {value}
  3. give hurt = target.hurt
"""


@pytest.mark.parametrize(
    ("type_", "value", "most"),
    [("1..", "dice", Fraction(1, 3)), ("number 1..", "(dice / 2 but at least 1)", Fraction(1, 12))],
)
def test_an_effect_with_dice_takes_a_total_without_a_bound(type_: str, value: str, most: Fraction) -> None:
    found = enfilade.load(text=WOUND.format(type=type_, value=value)).odds("main", target={}).of("hurt")
    assert found.exact
    assert (found[0], found[5]) == (Fraction(1, 2), most / 2)


def test_long_explosions_with_a_bound_are_exact_to_the_last_die() -> None:
    found = asked("highest of dice.values", "1d4", "2..4 at most 30 times, added to the die")
    chances: Any = Counter({0: Fraction(1)})
    expected: Any = Counter()
    for turn in range(31):
        thrown: Any = Counter()
        for total, face in product(chances, range(1, 5)):
            into = expected if face == 1 or turn == 30 else thrown
            into[total + face] += chances[total] / 4
        chances = thrown
    assert (found.exact, dict(found.items())) == (True, expected)


def odds_of(*steps: str, die: str = "", limits: enfilade.Limits | None = None) -> enfilade.Odds:
    """The odds of a procedure of some steps."""
    text = "\n     ".join(steps)
    return enfilade.load(text=f"{die}\nprocedure main\n  1. {text}\n").odds("main", limits=limits)


def test_dice_of_large_equal_steps_take_no_more_room_than_small_ones() -> None:
    steps = ("roll 12 far as dice", "give result = dice.total")
    odds = odds_of(*steps, die="die far faces 1, 1000001", limits=enfilade.Limits(work=1_000))
    assert odds.result[12] == Fraction(1, 2**12)


def test_an_explosion_without_bound_that_lowers_the_total_ends() -> None:
    steps = ("roll 1 coin as dice, explode on 1", "give result = sum of dice.values")
    found = odds_of(*steps, die="die coin faces -1, 1").result
    assert not found.exact
    assert found.bounds(-1) == (Fraction(1, 2), Fraction(1, 2) + found.remainder)


def test_doubles_of_dice_that_are_added_up_are_those_of_the_faces() -> None:
    odds = odds_of(
        "roll d3 as dice, explode on 2 at most 1 times, added to the die",
        "give double = dice is doubles",
        "give result = dice.natural",
    )
    assert dict(odds.joint("double", "result").items()) == {
        (False, 1): Fraction(1, 3), (False, 3): Fraction(4, 9), (True, 4): Fraction(1, 9), (False, 5): Fraction(1, 9)
    }  # fmt: skip


@pytest.mark.thorough
def test_one_of_the_sorted_dice_is_exact_without_a_cap_if_it_is_compared() -> None:
    odds = odds_of(
        "roll 5 d12 as trait, explode on 12, added to the die",
        "give second = item 2 of (trait.values sorted high to low) >= 10",
        "give best = sum of (highest 2 of trait.values) >= 4",
        "give ones = count of trait.values where each is 1",
    )
    quarter, twelfth = Fraction(1, 4), Fraction(1, 12)
    assert odds.chance("second") == 1 - (1 - quarter) ** 5 - 5 * quarter * (1 - quarter) ** 4
    # Below 4 with the two best: all show 1, or one of them 2.
    assert odds.chance("not best") == twelfth**5 + 5 * twelfth**5
    assert odds.chance("best and ones is 4") == 5 * twelfth**4 * Fraction(10, 12)


@pytest.mark.thorough
def test_ten_dice_that_explode_and_the_best_five_kept_are_exact() -> None:
    icepool = pytest.importorskip("icepool")
    odds = odds_of(
        "roll 10 d10 as pool, explode on 10, added to the die",
        "give low = sum of (highest 5 of pool.values) <= 5",
        "give high = sum of (highest 5 of pool.values) >= 50",
    )
    assert odds.chance("low") == Fraction(1, 10**10)
    # A die of 60 or more decides the question, however much more it shows.
    sides = {10 * tens + units: 10 ** (5 - tens) for tens in range(6) for units in range(1, 10)} | {60: 1}
    assert odds.chance("high") == icepool.Die(sides).highest(10, 5).probability(">=", 50)
