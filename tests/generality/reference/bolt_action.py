"""Bolt Action: order tests, rallies and two turns under pins, by every throw of the dice."""

from fractions import Fraction
from typing import Final

from tests.generality.counting import D6, TWO_DICE, Chances, share

REGULAR: Final = 9
PINS: Final = 5


def passed(needed: int) -> Fraction:
    """The chance that an order test is passed at so much or less: never on two sixes, always on two ones."""
    return share(a + b == 2 or (a + b <= needed and a + b < 12) for a, b in TWO_DICE)


def fires(pins: int) -> Fraction:
    """The chance that an order to fire is passed."""
    return passed(REGULAR - pins) if pins else Fraction(1)


FUBAR: Final = share(a + b == 12 for a, b in TWO_DICE)
"""It ends a rally."""
FAILED: Final = 1 - passed(REGULAR) - FUBAR
LEFT: Final = [max(PINS - 1 - face, 0) for face in D6]
"""The pins that are left after a rally, by its die."""
RALLY_FIRST: Final = FAILED * fires(PINS) + passed(REGULAR) * sum(map(fires, LEFT), Fraction(0)) / 6
TWICE: Final = fires(PINS) + (1 - fires(PINS) - FUBAR) * fires(PINS)
"""Ordered to fire in both turns."""

UNIT: Final = {"actor": {"pins": PINS}}
CHANCES: Final[Chances] = [
    ("two_turns", {**UNIT, "choices": {"what": "fire"}}, "result", TWICE),
    ("two_turns", {**UNIT, "players": {"owner": "best"}, "aim": "result"}, "result", max(TWICE, RALLY_FIRST)),
    ("rally", UNIT, "pins is 0", passed(REGULAR) * share(left == 0 for left in LEFT)),
    ("order", {"actor": {"pins": 3}, "officer": 1}, 'result is "friendly fire"', FUBAR / 3),
]
