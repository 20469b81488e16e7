"""Root: every pair of dice, and every hand of the defender, counted one by one."""

from itertools import combinations, product
from typing import Any, Final

from tests.generality.counting import Chances, share

# The deck as (suit, ambush).
PLAIN: Final = [("fox", False)] * 12 + [("rabbit", False)] * 12 + [("mouse", False)] * 12 + [("bird", False)] * 13
DECK: Final = [*PLAIN, ("fox", True), ("rabbit", True), ("mouse", True), ("bird", True), ("bird", True)]
ROLLS: Final = tuple(product(range(4), repeat=2))


def fight(attackers: int, defenders: int, dice: tuple[int, ...]) -> tuple[int, int]:
    """Warriors left to the attacker and the defender, without extra hits."""
    given, taken = min(max(dice), attackers), min(min(dice), defenders)
    return attackers - min(taken, attackers), defenders - min(given, defenders)


AMBUSH: Final = share(
    any(ambush and suit in {"fox", "bird"} for suit, ambush in hand) for hand in combinations(DECK, 3)
)
"""A hand of three has an ambush that fits a fox clearing."""
WARNED: Final = share(fight(1, 2, dice)[0] == 0 for dice in ROLLS)
"""Nobody is left of the attackers after an ambush."""
UNWARNED: Final = share(fight(3, 2, dice)[0] == 0 for dice in ROLLS)

FOX: Final[dict[str, Any]] = {"clearing": "fox"}
TWO: Final = FOX | {"attackers": {"warriors": 2}, "defenders": {"warriors": 2}}
LED: Final = FOX | {"attackers": {"warriors": 2, "commander": True}, "defenders": {"warriors": 2, "pieces": 2}}
AMBUSHED: Final = FOX | {
    "attackers": {"warriors": 3},
    "defenders": {"warriors": 2},
    "hand_size": 3,
    "choices": {"ambush": ["fox_ambush", "bird_ambush"]},
}
CHANCES: Final[Chances] = [
    ("battle", TWO, "result is cleared", share(fight(2, 2, dice)[1] == 0 for dice in ROLLS)),
    # A commander adds one after the cap: two warriors deal at most three.
    ("battle", LED, "dealt is 3", share(min(max(dice), 2) + 1 == 3 for dice in ROLLS)),
    ("battle", AMBUSHED, "ambush is not none", AMBUSH),
    ("battle", AMBUSHED, "left is 0", AMBUSH * WARNED + (1 - AMBUSH) * UNWARNED),
]
