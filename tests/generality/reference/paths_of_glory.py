"""Paths of Glory: one army against another, die by die."""

from collections.abc import Iterable
from itertools import product
from typing import Any, Final, TypeAlias

from tests.generality.counting import D6, TWO_DICE, Chances, share

LABELS: Final = [0, 3, 6, 10, 15]
ROWS: Final = {1: [1, 1, 2, 3, 4], 2: [1, 2, 3, 3, 5], 3: [2, 3, 3, 4, 7]}
Fight: TypeAlias = tuple[int, int, bool]


def fire(strength: int, die: int, shift: int = 0) -> int:
    """What the army table says; shifts stay on the table."""
    column = max(at for at, label in enumerate(LABELS) if label <= strength) + shift
    return ROWS[2 if die in (3, 4) else 1 if die < 3 else 3][max(0, min(4, column))]


def fight(first: str, assault: int, reply: int, trench: int = 0) -> Fight:
    """Losses inflicted and suffered, and whether the attacker is still at full strength.

    Args:
        first: Who fires first, at full strength: ``attacker``, ``defender`` or ``both``.
        assault: The attacker's die.
        reply: The defender's die.
        trench: The level of the trenches.
    """
    given, taken = fire(5, assault, -trench), fire(4, reply, trench)
    if first == "attacker" and given >= 3:
        taken = fire(2, reply, trench)
    if first == "defender" and taken >= 3:
        given = fire(3, assault, -trench)
    return given, taken, taken < 3


def retreats(ends: Iterable[Fight], spaces: int = 1) -> Any:
    """How often the defender goes so many spaces: he lost more, and a full army is there to follow."""
    return share(given - taken >= spaces and is_full for given, taken, is_full in ends)


def heavy_losses(ends: Iterable[Fight]) -> Any:
    """How often the attacker suffers three or more."""
    return share(taken >= 3 for _, taken, _ in ends)


OPEN: Final = [fight("both", one, other) for one, other in TWO_DICE]
TRENCH: Final = [fight("both", one, other, 1) for one, other in TWO_DICE]
# With one more space, three and more on the die is enough.
FLANKED: Final = [
    fight("attacker" if die + 1 >= 4 else "defender", one, other) for die, one, other in product(D6, repeat=3)
]
FORCES: Final[dict[str, Any]] = {
    "attackers": [{"name": "guards", "combat": 5, "reduced": 3, "loss": 3}],
    "defenders": [{"name": "reserve", "combat": 4, "reduced": 2, "loss": 3}],
}
FLANK: Final = FORCES | {"flank": True, "pinning": 1}
CHANCES: Final[Chances] = [
    ("combat", FORCES, "result is retreat", retreats(OPEN)),
    ("combat", FORCES, "spaces is 2", retreats(OPEN, 2)),
    ("combat", FLANK, "result is retreat", retreats(FLANKED)),
    ("combat", FLANK, "suffered >= 3", heavy_losses(FLANKED)),
    ("combat", FORCES | {"trenches": 1}, "suffered >= 3", heavy_losses(TRENCH)),
]
