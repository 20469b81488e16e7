"""B-17: every place and every damage of one shell and of two."""

from fractions import Fraction
from itertools import product
from typing import Final

from tests.generality.counting import D6, TWO_DICE, Chances, share

NOSE, BOMB_BAY, WAIST, TAIL = [0, 0, 0, 1, 1, 2], [1, 1, 1, 2, 2, 4], [0, 0, 0, 1, 1, 1], [0, 0, 0, 2, 2, 3]
ALL: Final = (NOSE, BOMB_BAY, WAIST, TAIL)
PLACES: Final = {2: ALL, 12: ALL, 3: (NOSE,), 4: (NOSE,), 5: (NOSE,), 6: (BOMB_BAY,), 7: (BOMB_BAY,), 11: (TAIL,)}


def shell() -> dict[tuple[int, int], Fraction]:
    """The chance of each number of points and of damaged sections."""
    found: dict[tuple[int, int], Fraction] = {}
    for dice in TWO_DICE:
        hit = PLACES.get(sum(dice), (WAIST,))
        for faces in product(D6, repeat=len(hit)):
            harm = [column[face - 1] for column, face in zip(hit, faces, strict=True)]
            end = sum(harm), sum(each > 0 for each in harm)
            found[end] = found.get(end, Fraction(0)) + Fraction(1, 36 * 6 ** len(hit))
    return found


ONE: Final = shell()
TWO: Final = [(a[0] + b[0], a[1] + b[1], share * other) for a, share in ONE.items() for b, other in ONE.items()]
LOSS: Final = [0, 1, 1, 2, 2, 9]
OIL: Final = [0, 0, 0, 1, 1, 0]
TWO_ENGINES: Final = {"engines": [{"power": 2}, {"power": 3}]}
LEFT: Final = [max(0, 2 - loss) for loss in LOSS]
RIGHT: Final = [max(0, 3 - loss) for loss in LOSS]
CHANCES: Final[Chances] = [
    ("look_closer", {"aimed": "tail", "from": "low", "number": 2}, "fire", share(die <= 3 for die in D6)),
    ("look_closer", {"aimed": "nose"}, "wounded", share(die >= 5 for die in D6)),
    ("crossing", TWO_ENGINES, "power is 2", share(a + b == 2 for a, b in product(LEFT, RIGHT))),
    ("pass", {"at": "nose", "from": "level"}, "result >= 1", share(harm - 1 >= 1 for harm in NOSE)),
    ("pass", {"at": "nose"}, "oil is 1", share(OIL[a - 1] + OIL[b - 1] == 1 for a, b in TWO_DICE)),
    ("hit_engine", {"engines": [{"power": 2}]}, "result is 0", share(2 - loss <= 0 for loss in LOSS)),
    (
        "burst",
        {"shells": 1},
        "points >= 8",
        sum((share for (points, _), share in ONE.items() if points >= 8), start=Fraction(0)),
    ),
    (
        "burst",
        {"shells": 1},
        "points is 1",
        sum((share for (points, _), share in ONE.items() if points == 1), start=Fraction(0)),
    ),
    (
        "burst",
        {"shells": 2},
        "count of sections is 2",
        sum((share for _, hit, share in TWO if hit == 2), start=Fraction(0)),
    ),
    ("burst", {"shells": 2}, "points >= 5", sum((share for points, _, share in TWO if points >= 5), start=Fraction(0))),
]
