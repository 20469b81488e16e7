"""Root: every pair of dice, and every hand of the defender, counted one by one."""

from fractions import Fraction
from itertools import combinations, product
from typing import Any

RULESET = "root"

# The deck as (suit, ambush).
PLAIN = [("fox", False)] * 12 + [("rabbit", False)] * 12 + [("mouse", False)] * 12 + [("bird", False)] * 13
DECK = [*PLAIN, ("fox", True), ("rabbit", True), ("mouse", True), ("bird", True), ("bird", True)]


def fight(attackers: int, defenders: int, dice: tuple[int, ...]) -> tuple[int, int]:
    """Warriors left to the attacker and the defender, without extra hits."""
    given, taken = min(max(dice), attackers), min(min(dice), defenders)
    return attackers - min(taken, attackers), defenders - min(given, defenders)


def chance_that_two_beat_two() -> Fraction:
    """Two attackers remove two defenders."""
    return Fraction(sum(fight(2, 2, dice)[1] == 0 for dice in product(range(4), repeat=2)), 16)


def chance_of_three_hits_with_a_commander() -> Fraction:
    """A commander adds one after the cap: two warriors deal at most three."""
    return Fraction(sum(min(max(dice), 2) + 1 == 3 for dice in product(range(4), repeat=2)), 16)


def chance_of_an_ambush() -> Fraction:
    """A hand of three has an ambush that fits a fox clearing."""
    hands = list(combinations(DECK, 3))
    fits = sum(any(ambush and suit in {"fox", "bird"} for suit, ambush in hand) for hand in hands)
    return Fraction(fits, len(hands))


def chance_that_nobody_is_left() -> Fraction:
    """Three attackers meet two defenders who hold three cards, and spring an ambush if they can."""
    ambush = chance_of_an_ambush()
    rolls = list(product(range(4), repeat=2))
    warned = Fraction(sum(fight(1, 2, dice)[0] == 0 for dice in rolls), 16)
    open_field = Fraction(sum(fight(3, 2, dice)[0] == 0 for dice in rolls), 16)
    return ambush * warned + (1 - ambush) * open_field


FOX: dict[str, Any] = {"clearing": "fox"}
TWO = FOX | {"attackers": {"warriors": 2}, "defenders": {"warriors": 2}}
LED = FOX | {"attackers": {"warriors": 2, "commander": True}, "defenders": {"warriors": 2, "pieces": 2}}
SPRINGS = {"ambush": ["fox_ambush", "bird_ambush"]}
AMBUSHED = FOX | {"attackers": {"warriors": 3}, "defenders": {"warriors": 2}, "hand_size": 3, "choices": SPRINGS}

CHANCES = [
    ("battle", TWO, "result is cleared", chance_that_two_beat_two()),
    ("battle", LED, "dealt is 3", chance_of_three_hits_with_a_commander()),
    ("battle", AMBUSHED, "ambush is not none", chance_of_an_ambush()),
    ("battle", AMBUSHED, "left is 0", chance_that_nobody_is_left()),
]

if __name__ == "__main__":
    for *_, question, value in CHANCES:
        print(question, "=", value)
