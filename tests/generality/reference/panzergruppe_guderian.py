"""Panzergruppe Guderian: every hand of divisions and every throw; all results are met by hexes."""

from fractions import Fraction
from itertools import combinations

RULESET = "panzergruppe_guderian"
DIVISIONS = [1, 2, 3, 4, 5, 0, 0, 0, 6, 6]
ODDS = [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3), Fraction(5), Fraction(7)]
DESTROYED = -1
DEFENDER_MEETS = [
    [0, 0, 1, 1, 1, 2],
    [0, 0, 1, 2, 2, 2],
    [0, 1, 1, 1, 2, 3],
    [0, 1, 2, 2, 3, 4],
    [1, 1, 2, 3, 4, DESTROYED],
    [1, 2, 3, 4, DESTROYED, DESTROYED],
]


def outcomes(attack: int, units: int, shift: int) -> dict[int | None, Fraction]:
    """The chance of each number that the defender must meet; None if the divisions flee."""
    hands = list(combinations(DIVISIONS, units))
    found: dict[int | None, Fraction] = {}
    for hand in hands:
        for row in DEFENDER_MEETS:
            meets = None
            if defence := sum(hand):
                column = sum(Fraction(attack, defence) >= label for label in ODDS) - 1
                meets = row[max(column, 0) + shift if max(column, 0) + shift > 0 else 0]
            found[meets] = found.get(meets, Fraction(0)) + Fraction(1, len(hands) * 6)
    return found


def situation(attack: int, units: int, **facts: object) -> dict[str, object]:
    """Divisions of one stack that are attacked."""
    attackers, defenders = {"owner": "german", "units": 3}, {"owner": "soviet", "units": units}
    return {"attack": attack, "attackers": attackers, "defenders": defenders, "choices": {"steps_given": 0}, **facts}


ONE, TWO = outcomes(9, 1, 0), outcomes(14, 2, -3)
THREE = outcomes(20, 3, -1)
CHANCES = [
    ("combat", situation(9, 1), "hexes of defenders is 2", ONE[2]),
    ("combat", situation(9, 1), "lost of defenders is 2", ONE[None] + ONE[DESTROYED]),
    (
        "combat",
        situation(14, 2, terrain="city", overrun=True),
        "hexes of defenders >= 2",
        sum((v for n, v in TWO.items() if n and n >= 2), Fraction(0)),
    ),
    ("combat", situation(20, 3, terrain="woods"), "meets is 1", THREE[1]),
    ("combat", situation(20, 3, terrain="woods"), 'result is "fled"', THREE[None]),
]

if __name__ == "__main__":
    for *_, question, value in CHANCES:
        print(question, "=", value)
