"""Deadlands: what a die that is rolled again can reach, in closed form, and every hand of two cards."""

from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Final

from tests.generality.counting import Chances, share


def at_least(target: int, sides: int) -> Fraction:
    """One die reaches the target; at its top it is rolled again and added."""
    if target <= sides:
        return min(Fraction(sides - target + 1, sides), Fraction(1))
    return at_least(target - sides, sides) / sides


def reaches(target: int, pool: int, sides: int) -> Fraction:
    """The highest die reaches the target, and not more than half of the dice are ones."""
    one, high = Fraction(1, sides), at_least(target, sides)
    kinds = {"one": one, "low": 1 - one - high, "high": high}
    hits = [dice for dice in product(kinds, repeat=pool) if "high" in dice and 2 * dice.count("one") <= pool]
    return sum((prod((kinds[kind] for kind in dice), start=Fraction(1)) for dice in hits), Fraction(0))


BUST: Final = share(2 * dice.count(1) > 3 for dice in product(range(1, 7), repeat=3))
"""More than half of three dice are ones."""
DECK: Final = [(value, suit) for value in range(2, 15) for suit in range(4)] + [(15, 2), (0, 3)]
BEST_OF_TWO: Final = [None if (0, 3) in hand else max(hand)[0] for hand in combinations(DECK, 2)]
"""The best card left of each hand of two; the black joker leaves with the best one."""
THREE: Final = {"pool": 3, "sides": 6}
CHANCES: Final[Chances] = [
    ("trait_roll", THREE, "result is bust", BUST),
    ("trait_roll", THREE, "result is raise", reaches(10, 3, 6)),
    ("trait_roll", THREE, "(raises or 0) >= 2", reaches(15, 3, 6)),
    # Two d8, two taken off: a raise, but not two.
    ("quickness", {"gunman": {"owner": "law", "wound": 2}}, "result is 3", reaches(12, 2, 8) - reaches(17, 2, 8)),
    # An ace or the red joker is left; the black joker took the only other card.
    ("deal", {"number": 2}, "(best or 0) >= 14", share((best or 0) >= 14 for best in BEST_OF_TWO)),
    ("deal", {"number": 2}, "best is none", share(best is None for best in BEST_OF_TWO)),
]
