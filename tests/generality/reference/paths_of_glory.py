"""Paths of Glory: one army against another, die by die."""

from fractions import Fraction
from itertools import product
from typing import Any

RULESET = "paths_of_glory"
DICE = range(1, 7)
LABELS = [0, 3, 6, 10, 15]
ROWS = {1: [1, 1, 2, 3, 4], 2: [1, 2, 3, 3, 5], 3: [2, 3, 3, 4, 7]}
Fight = tuple[int, int, bool]


def fire(strength: int, die: int, shift: int = 0) -> int:
    """What the army table says; shifts stay on the table."""
    column = max(at for at, label in enumerate(LABELS) if label <= strength) + shift
    return ROWS[2 if die in (3, 4) else 1 if die < 3 else 3][max(0, min(4, column))]


def fight(order: str, assault: int, reply: int, trench: int = 0) -> Fight:
    """Losses inflicted and suffered, and whether the attacker is still at full strength."""
    attack, defence = 5, 4
    given = taken = 0
    for side in order:
        if side == "a":
            given = fire(attack, assault, -trench)
            defence = 2 if given >= 3 else defence
        elif side == "d":
            taken = fire(defence, reply, trench)
            attack = 3 if taken >= 3 else attack
    return given, taken, taken < 3


def together(assault: int, reply: int, trench: int = 0) -> Fight:
    """Both fire at full strength."""
    taken = fire(4, reply, trench)
    return fire(5, assault, -trench), taken, taken < 3


def retreats(end: Fight) -> bool:
    """The defender lost more, and a full army is there to follow."""
    return end[0] > end[1] and end[2]


def share(ends: list[Fight], held: list[bool]) -> Fraction:
    """How many of the fights are so."""
    return Fraction(sum(held), len(ends))


def flanked() -> list[Fight]:
    """With one more space, three and more on the die is enough."""
    return [fight("ad" if die + 1 >= 4 else "da", one, other) for die, one, other in product(DICE, repeat=3)]


def chance_of_retreat(ends: list[Fight]) -> Fraction:
    """The defender goes."""
    return share(ends, [retreats(end) for end in ends])


def chance_of_two_spaces(ends: list[Fight]) -> Fraction:
    """He goes two spaces."""
    return share(ends, [retreats(end) and end[0] - end[1] >= 2 for end in ends])


def chance_of_heavy_losses(ends: list[Fight]) -> Fraction:
    """The attacker suffers three or more."""
    return share(ends, [end[1] >= 3 for end in ends])


OPEN = [together(one, other) for one, other in product(DICE, repeat=2)]
TRENCH = [together(one, other, 1) for one, other in product(DICE, repeat=2)]

FORCES: dict[str, Any] = {
    "attackers": [{"name": "guards", "combat": 5, "reduced": 3, "loss": 3}],
    "defenders": [{"name": "reserve", "combat": 4, "reduced": 2, "loss": 3}],
}
FLANK = FORCES | {"flank": True, "pinning": 1}
DUG_IN = FORCES | {"trenches": 1}

CHANCES = [
    ("combat", FORCES, "result is retreat", chance_of_retreat(OPEN)),
    ("combat", FORCES, "spaces is 2", chance_of_two_spaces(OPEN)),
    ("combat", FLANK, "result is retreat", chance_of_retreat(flanked())),
    ("combat", FLANK, "suffered >= 3", chance_of_heavy_losses(flanked())),
    ("combat", DUG_IN, "suffered >= 3", chance_of_heavy_losses(TRENCH)),
]

if __name__ == "__main__":
    for *_, question, value in CHANCES:
        print(question, "=", value)
