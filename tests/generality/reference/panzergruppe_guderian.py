"""Panzergruppe Guderian: every hand of divisions and every throw; all results are met by hexes."""

from fractions import Fraction
from itertools import combinations, product
from typing import Any, Final

from tests.generality.counting import Chances, share

DIVISIONS: Final = [1, 2, 3, 4, 5, 0, 0, 0, 6, 6]
ODDS: Final = [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3), Fraction(5), Fraction(7)]
DESTROYED: Final = -1
FLED: Final = None
DEFENDER_MEETS: Final = [
    [0, 0, 1, 1, 1, 2],
    [0, 0, 1, 2, 2, 2],
    [0, 1, 1, 1, 2, 3],
    [0, 1, 2, 2, 3, 4],
    [1, 1, 2, 3, 4, DESTROYED],
    [1, 2, 3, 4, DESTROYED, DESTROYED],
]


def meets(attack: int, units: int, shift: int) -> list[int | None]:
    """What the defender must meet, for each hand and each die."""
    found: list[int | None] = []
    for hand, row in product(combinations(DIVISIONS, units), DEFENDER_MEETS):
        defence = sum(hand)
        column = max(sum(attack >= odds * defence for odds in ODDS) - 1, 0)
        found.append(row[max(column + shift, 0)] if defence else FLED)
    return found


def situation(attack: int, units: int, **facts: object) -> dict[str, Any]:
    """Divisions of one stack that are attacked."""
    attackers, defenders = {"owner": "german", "units": 3}, {"owner": "soviet", "units": units}
    return {"attack": attack, "attackers": attackers, "defenders": defenders, "choices": {"steps_given": 0}, **facts}


ONE, TWO, THREE = meets(9, 1, 0), meets(14, 2, -3), meets(20, 3, -1)
CITY: Final = situation(14, 2, terrain="city", overrun=True)
WOODS: Final = situation(20, 3, terrain="woods")
CHANCES: Final[Chances] = [
    ("combat", situation(9, 1), "hexes of defenders is 2", share(each == 2 for each in ONE)),
    ("combat", situation(9, 1), "lost of defenders is 2", share(each in (FLED, DESTROYED) for each in ONE)),
    ("combat", CITY, "hexes of defenders >= 2", share((each or 0) >= 2 for each in TWO)),
    ("combat", WOODS, "meets is 1", share(each == 1 for each in THREE)),
    ("combat", WOODS, 'result is "fled"', share(each is FLED for each in THREE)),
]
