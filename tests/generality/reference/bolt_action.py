"""Bolt Action: order tests, rallies and two turns under pins, by every throw of the dice."""

from fractions import Fraction
from itertools import product

RULESET = "bolt_action"
FACES = range(1, 7)
REGULAR = 9
PINS = 5


def test(needed: int) -> dict[str, Fraction]:
    """The chance of each outcome of an order test that is passed at so much or less."""
    found: dict[str, Fraction] = {}
    for one, other in product(FACES, repeat=2):
        if one == other == 6:
            parts = {"friendly fire": Fraction(1, 3), "panic": Fraction(2, 3)}
        else:
            parts = {"passed" if one == other == 1 or one + other <= needed else "failed": Fraction(1)}
        for outcome, chance in parts.items():
            found[outcome] = found.get(outcome, Fraction(0)) + chance / 36
    return found


def fires(pins: int) -> Fraction:
    """The chance that an order to fire is passed."""
    return test(REGULAR - pins)["passed"] if pins else Fraction(1)


def rallied() -> dict[int, Fraction]:
    """The chance of each number of pins after a rally; those of a fubar are left out, which ends it."""
    tested = test(REGULAR)
    found = {PINS: tested["failed"]}
    for face in FACES:
        left = max(PINS - 1 - face, 0)
        found[left] = found.get(left, Fraction(0)) + tested["passed"] / 6
    return found


def twice() -> Fraction:
    """Ordered to fire in both turns."""
    tested = test(REGULAR - PINS)
    return tested["passed"] + tested["failed"] * tested["passed"]


def rally_first() -> Fraction:
    """Ordered to rally, and then to fire."""
    return sum((chance * fires(pins) for pins, chance in rallied().items()), Fraction(0))


UNIT = {"actor": {"pins": PINS}}
BEST = {**UNIT, "players": {"owner": "best"}, "aim": "result"}
CHANCES = [
    ("two_turns", {**UNIT, "choices": {"what": "fire"}}, "result", twice()),
    ("two_turns", BEST, "result", max(twice(), rally_first())),
    ("rally", UNIT, "pins is 0", rallied()[0]),
    ("order", {"actor": {"pins": 3}, "officer": 1}, 'result is "friendly fire"', test(REGULAR - 2)["friendly fire"]),
]

if __name__ == "__main__":
    for *_, question, value in CHANCES:
        print(question, "=", value)
