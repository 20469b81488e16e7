"""HeroQuest: every roll of the combat dice, skulls against the shield that counts."""

from fractions import Fraction
from itertools import product
from typing import Any

RULESET = "heroquest"
FACES = ["skull"] * 3 + ["white"] * 2 + ["black"]


def wounds(attack: int, defence: int, shield: str) -> dict[int, Fraction]:
    """How likely each number of skulls gets through."""
    rolls = list(product(FACES, repeat=attack + defence))
    found: dict[int, Fraction] = {}
    for dice in rolls:
        through = max(0, dice[:attack].count("skull") - dice[attack:].count(shield))
        found[through] = found.get(through, Fraction(0)) + Fraction(1, len(rolls))
    return found


def at_least(number: int, chances: dict[int, Fraction]) -> Fraction:
    """The chance of so many, or more."""
    return sum((chance for through, chance in chances.items() if through >= number), Fraction(0))


def chance_to_fell_an_orc() -> Fraction:
    """Three dice against two."""
    return at_least(1, wounds(3, 2, "black"))


def chance_of_two_wounds() -> Fraction:
    """Four dice against the two of a hero."""
    return at_least(2, wounds(4, 2, "white"))


def chance_of_a_search_that_hurts() -> Fraction:
    """Of twenty cards, four are pits and six bring an orc."""
    return Fraction(4, 20) + Fraction(6, 20) * at_least(1, wounds(3, 2, "white"))


def chance_that_the_goblin_lives(attackers: int) -> Fraction:
    """The barbarian strikes first, and then the wizard."""
    lives = Fraction(1)
    for attack in [3, 1][:attackers]:
        lives *= 1 - at_least(1, wounds(attack, 1, "black"))
    return lives


def chance_that_the_wizard_is_hurt() -> Fraction:
    """By the goblin, if it lives; or by his search, if the barbarian felled it."""
    struck = chance_that_the_goblin_lives(2) * at_least(1, wounds(2, 2, "white"))
    return struck + (1 - chance_that_the_goblin_lives(1)) * chance_of_a_search_that_hurts()


CONAN: dict[str, Any] = {"name": "conan", "owner": "barbarian", "attack": 3, "body": 8}
MERLIN: dict[str, Any] = {"name": "merlin", "owner": "wizard", "attack": 1, "body": 4}
ROOM = {
    "heroes": [CONAN, MERLIN],
    "monsters": [{"name": "snik", "breed": "goblin"}],
    "choices": {"foe": ["snik"], "victim": ["merlin"]},
}

CHANCES = [
    (
        "attack_monster",
        {"hero": CONAN, "monster": {"name": "grob", "breed": "orc"}},
        "body of grob is 0",
        chance_to_fell_an_orc(),
    ),
    ("attack_hero", {"hero": MERLIN, "breed": "chaos warrior"}, "body of merlin <= 2", chance_of_two_wounds()),
    ("search", {"hero": MERLIN}, "body of merlin < 4", chance_of_a_search_that_hurts()),
    ("turn", ROOM, "result is won", 1 - chance_that_the_goblin_lives(2)),
    ("turn", ROOM, "bodies of merlin < 4", chance_that_the_wizard_is_hurt()),
]

if __name__ == "__main__":
    for *_, question, value in CHANCES:
        print(question, "=", value)
