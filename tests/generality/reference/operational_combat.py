"""Operational Combat Series: every throw of surprise, its columns and the combat, with losses taken as hexes."""

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any, Final

from tests.generality.counting import D6, Chances

TABLE: Final = [
    ["A21", "A20", "A11", "A10"],
    ["A11", "A10", "A01", "D01"],
    ["A10", "D01", "D02", "D11"],
    ["D01", "D11", "D12", "D22"],
]


def chance(column: int, edge: int, *codes: str) -> Fraction:
    """The chance of some results; a dot stands for any letter or number.

    Args:
        column: The column before surprise, 0 at the left.
        edge: The attacker's action rating less the defender's.
        codes: Who loses, steps, and options, taken as hexes.
    """
    found = Counter[str]()
    for alarm, other, columns, dice, last in product(D6, repeat=5):
        first = alarm + other + edge
        shift = columns if first >= 10 else -columns if first <= 5 else 0
        # The rows: to 3, 4 to 6, 7 to 9, from 10.
        row = sum(dice + last + edge >= least for least in (4, 7, 10))
        found[TABLE[row][min(max(column + shift, 0), 3)]] += 1
    wanted = [each for each in found if any(re.fullmatch(code, each) for code in codes)]
    return Fraction(sum(found[code] for code in wanted), found.total())


def situation(rating: int, terrain: str) -> dict[str, Any]:
    """8 against 4, with three steps on either side."""
    front = {"owner": "attacker", "steps": 3, "rating": rating}
    holders = {"owner": "defender", "steps": 3, "rating": 3}
    known = {"attack": 8, "defence": 4, "choices": {"given_up": 0}}
    return {**known, "terrain": terrain, "front": front, "holders": holders}


CHANCES: Final[Chances] = [
    ("combat", situation(3, "open"), "hexes of holders is 2", chance(2, 0, "D.2")),
    ("combat", situation(5, "close"), "lost of front > 0", chance(1, 2, "A1.", "A2.")),
    ("combat", situation(1, "very_close"), "steps is 2", chance(0, -2, ".2.")),
]
