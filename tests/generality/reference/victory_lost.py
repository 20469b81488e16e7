"""A Victory Lost: every chit that can be drawn from what is in the cup."""

from fractions import Fraction
from typing import Any, Final

from tests.generality.counting import Chances, share

CUP: Final = ["manstein"] * 2 + ["hoth"] + ["vatutin"] * 3 + ["golikov"]
SPAN: Final = {"manstein": 5, "hoth": 4, "vatutin": 3}
UNITS: Final = [(4, 2), (6, 4), (9, 5)]


def drawn(held_back: str) -> list[str]:
    """The chits that may come."""
    left = list(CUP)
    left.remove(held_back)
    return left


def reached(chit: str) -> list[int]:
    """The strengths of the corps that a chit activates, the highest first."""
    return sorted((strength for strength, hexes in UNITS if hexes <= SPAN.get(chit, 0)), reverse=True)


FACTS: Final[dict[str, Any]] = {"units": [{"strength": strength, "hexes": hexes} for strength, hexes in UNITS]}
HOTH: Final = {**FACTS, "held_back": "hoth"}
CHANCES: Final[Chances] = [
    ("activate", FACTS, "most >= 6", share((max(reached(chit), default=0)) >= 6 for chit in CUP)),
    ("activate", HOTH, "most is 9", share((max(reached(chit), default=0)) == 9 for chit in drawn("hoth"))),
    ("activate", HOTH, "count of order is 1", share(len(reached(chit)) == 1 for chit in drawn("hoth"))),
    (
        "activate",
        FACTS,
        "attack >= 7",
        share(sum(5 if each >= 6 else 2 for each in reached(chit)) >= 7 for chit in CUP),
    ),
    ("activate", HOTH, 'result is "no headquarters"', Fraction(1, 6)),
]
