"""Deadlands: what a die that is rolled again can reach, in closed form, and every hand of two cards."""

from fractions import Fraction
from itertools import combinations, product
from typing import Any

RULESET = "deadlands"


def at_least(target: int, sides: int) -> Fraction:
    """One die reaches the target; at its top it is rolled again and added."""
    if target <= 1:
        return Fraction(1)
    if target <= sides:
        return Fraction(sides - target + 1, sides)
    return at_least(target - sides, sides) / sides


def reaches(target: int, pool: int, sides: int) -> Fraction:
    """The highest die reaches the target, and not more than half of the dice are ones."""
    one = Fraction(1, sides)
    high = at_least(target, sides)
    kinds = {"one": one, "low": 1 - one - high, "high": high}
    found = Fraction(0)
    for dice in product(kinds, repeat=pool):
        if "high" in dice and 2 * dice.count("one") <= pool:
            chance = Fraction(1)
            for kind in dice:
                chance *= kinds[kind]
            found += chance
    return found


def busts(pool: int, sides: int) -> Fraction:
    """More than half of the dice are ones."""
    rolls = list(product(range(1, sides + 1), repeat=pool))
    return Fraction(sum(2 * dice.count(1) > pool for dice in rolls), len(rolls))


def chance_of_three_cards() -> Fraction:
    """Two d8, two taken off: a raise, but not two."""
    return reaches(12, 2, 8) - reaches(17, 2, 8)


def best_of_two() -> list[int | None]:
    """The best card left of each hand of two; the black joker leaves with the best one."""
    deck = [(value, suit) for value in range(2, 15) for suit in range(4)] + [(15, 2), (0, 3)]
    return [None if (0, 3) in hand else max(hand)[0] for hand in combinations(deck, 2)]


def chance_of_an_ace() -> Fraction:
    """An ace or the red joker is left."""
    hands = best_of_two()
    return Fraction(sum(best is not None and best >= 14 for best in hands), len(hands))


def chance_of_nothing() -> Fraction:
    """The black joker took the only other card."""
    hands = best_of_two()
    return Fraction(hands.count(None), len(hands))


THREE: dict[str, Any] = {"pool": 3, "sides": 6}
KID: dict[str, Any] = {"gunman": {"owner": "law", "wound": 2}}

CHANCES = [
    ("trait_roll", THREE, "result is bust", busts(3, 6)),
    ("trait_roll", THREE, "result is raise", reaches(10, 3, 6)),
    ("trait_roll", THREE, "(raises or 0) >= 2", reaches(15, 3, 6)),
    ("quickness", KID, "result is 3", chance_of_three_cards()),
    ("deal", {"number": 2}, "(best or 0) >= 14", chance_of_an_ace()),
    ("deal", {"number": 2}, "best is none", chance_of_nothing()),
]

if __name__ == "__main__":
    for *_, question, value in CHANCES:
        print(question, "=", value)
