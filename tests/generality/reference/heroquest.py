"""HeroQuest: every roll of the combat dice, skulls against the shield that counts."""

from fractions import Fraction
from itertools import product
from typing import Any, Final

from tests.generality.counting import Chances, share

FACES: Final = ["skull"] * 3 + ["white"] * 2 + ["black"]


def wounds(attack: int, defence: int, shield: str, least: int = 1) -> Fraction:
    """The chance that so many skulls, or more, get through."""
    rolls = product(FACES, repeat=attack + defence)
    return share(dice[:attack].count("skull") - dice[attack:].count(shield) >= least for dice in rolls)


SEARCH_HURTS: Final = Fraction(4, 20) + Fraction(6, 20) * wounds(3, 2, "white")
"""Of twenty cards, four are pits and six bring an orc."""
MISSED_ONCE: Final = 1 - wounds(3, 1, "black")
"""The goblin lives after the barbarian struck."""
MISSED_TWICE: Final = MISSED_ONCE * (1 - wounds(1, 1, "black"))
"""And after the wizard did."""

CONAN: Final[dict[str, Any]] = {"name": "conan", "owner": "barbarian", "attack": 3, "body": 8}
MERLIN: Final[dict[str, Any]] = {"name": "merlin", "owner": "wizard", "attack": 1, "body": 4}
GROB: Final[dict[str, Any]] = {"name": "grob", "breed": "orc"}
ROOM: Final[dict[str, Any]] = {
    "heroes": [CONAN, MERLIN],
    "monsters": [{"name": "snik", "breed": "goblin"}],
    "choices": {"foe": ["snik"], "victim": ["merlin"]},
}
CHANCES: Final[Chances] = [
    ("attack_monster", {"hero": CONAN, "monster": GROB}, "body of grob is 0", wounds(3, 2, "black")),
    ("attack_hero", {"hero": MERLIN, "breed": "chaos warrior"}, "body of merlin <= 2", wounds(4, 2, "white", 2)),
    ("search", {"hero": MERLIN}, "body of merlin < 4", SEARCH_HURTS),
    ("turn", ROOM, "result is won", 1 - MISSED_TWICE),
    # By the goblin, if it lives; or by his search, if the barbarian felled it.
    ("turn", ROOM, "bodies of merlin < 4", MISSED_TWICE * wounds(2, 2, "white") + (1 - MISSED_ONCE) * SEARCH_HURTS),
]
