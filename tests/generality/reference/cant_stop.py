"""Can't Stop: the chance that no pair of four dice fits a runner."""

from fractions import Fraction
from itertools import product


def bust(runners: set[int]) -> Fraction:
    lost = 0
    for dice in product(range(1, 7), repeat=4):
        pairs = [dice[0] + dice[other] for other in (1, 2, 3)]
        lost += not any(pair in runners or sum(dice) - pair in runners for pair in pairs)
    return Fraction(lost, 6**4)


CHANCES = [
    ("throw", {"runners": sorted(runners)}, "bust", bust(runners))
    for runners in ({6, 7, 8}, {2, 3, 12}, {2, 7, 12}, {4, 6, 8})
]
