"""Space Hulk: shot after shot down the corridor, and every fight of three claws against one blow."""

from fractions import Fraction
from itertools import product
from typing import Final

from tests.generality.counting import D6, TWO_DICE, Chances, share


def approach(squares: int, jammed: bool = False, shots: int = 0) -> dict[tuple[bool, bool], Fraction]:
    """The chance of each pair: is it killed before it arrives, and is the gun jammed then?"""
    if squares == 0 or jammed:
        return {(False, jammed): Fraction(1)}
    found: dict[tuple[bool, bool], Fraction] = {}
    for one, other in TWO_DICE:
        killed = max(one, other) >= (5 if shots else 6)
        after = {(True, one == other): Fraction(1)} if killed else approach(squares - 1, one == other, shots + 1)
        for end, chance in after.items():
            found[end] = found.get(end, Fraction(0)) + chance / 36
    return found


def killed(jammed: bool = False) -> Fraction:
    """The chance that one that must come three squares never arrives."""
    return sum((chance for (is_killed, _), chance in approach(3, jammed).items() if is_killed), Fraction(0))


def overrun() -> Fraction:
    """Two come, three squares each, and one of them wins its fight."""
    total = Fraction(0)
    for (first, jam), chance in approach(3).items():
        lost = Fraction(0) if first else LOST
        total += chance * (lost + (1 - lost) * (1 - killed(jam)) * LOST)
    return total


LOST: Final = share(max(claws) > blow for *claws, blow in product(D6, repeat=4))
"""The highest of three claws beats the blow."""
LOST_WITH_A_SWORD: Final = share(max(*sorted(claws)[:2], again) > blow for *claws, again, blow in product(D6, repeat=5))
"""The highest of three claws is rolled again, and the blow is still too low."""
ONE: Final = {"name": "a", "distance": 3}
TWO: Final = {"name": "b", "distance": 3}
SWORD: Final = {"guard": {"arm": "power sword"}, "enemy": {}, "choices": {"parries": True}}
CHANCES: Final[Chances] = [
    ("advance", {"guard": {}, "swarm": [ONE]}, "fought is none", killed()),
    ("advance", {"guard": {}, "swarm": [ONE, TWO]}, "result is overrun", overrun()),
    ("close_combat", SWORD, "result is lost", LOST_WITH_A_SWORD),
]
