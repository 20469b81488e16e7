"""Operational Combat Series: every throw of surprise, its columns and the combat, with losses taken as hexes."""

from fractions import Fraction
from itertools import product

RULESET = "operational_combat"
FACES = range(1, 7)
TABLE = [
    ["A21", "A20", "A11", "A10"],
    ["A11", "A10", "A01", "D01"],
    ["A10", "D01", "D02", "D11"],
    ["D01", "D11", "D12", "D22"],
]


def row(total: int) -> int:
    """The row of a total of the dice: to 3, 4 to 6, 7 to 9, from 10."""
    return sum(total >= first for first in (4, 7, 10))


def results(column: int, edge: int) -> dict[str, Fraction]:
    """The chance of each result.

    Args:
        column: The column before surprise, 0 at the left.
        edge: The attacker's action rating less the defender's.
    """
    found: dict[str, Fraction] = {}
    for alarm, other, columns, dice, last in product(FACES, repeat=5):
        first = alarm + other + edge
        shift = columns if first >= 10 else -columns if first <= 5 else 0
        code = TABLE[row(dice + last + edge)][min(max(column + shift, 0), 3)]
        found[code] = found.get(code, Fraction(0)) + Fraction(1, 6**5)
    return found


def chance(column: int, edge: int, side: str, hexes: int | None = None, steps: int | None = None) -> Fraction:
    """The chance that a side loses so many steps, and so many options, taken as hexes."""
    return sum(
        (
            value
            for code, value in results(column, edge).items()
            if code[0] == side and steps in (None, int(code[1])) and hexes in (None, int(code[2]))
        ),
        Fraction(0),
    )


def situation(rating: int, terrain: str) -> dict[str, object]:
    """8 against 4, with three steps on either side."""
    front = {"owner": "attacker", "steps": 3, "rating": rating}
    holders = {"owner": "defender", "steps": 3, "rating": 3}
    return {
        "attack": 8,
        "defence": 4,
        "terrain": terrain,
        "front": front,
        "holders": holders,
        "choices": {"given_up": 0},
    }


CHANCES = [
    ("combat", situation(3, "open"), "hexes of holders is 2", chance(2, 0, "D", hexes=2)),
    (
        "combat",
        situation(5, "close"),
        "lost of front > 0",
        1 - sum((chance(1, 2, s, steps=n) for s, n in (("A", 0), ("D", 0), ("D", 1), ("D", 2))), Fraction(0)),
    ),
    ("combat", situation(1, "very_close"), "steps is 2", chance(0, -2, "A", steps=2) + chance(0, -2, "D", steps=2)),
]

if __name__ == "__main__":
    for *_, question, value in CHANCES:
        print(question, "=", value)
