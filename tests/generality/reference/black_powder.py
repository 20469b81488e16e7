"""Black Powder, by counting all throws of two dice."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any, Final

RULESET: Final = "black_powder"
THROWS: Final = tuple(product(range(1, 7), repeat=2))


def chance(event: Callable[[int, int], bool]) -> Fraction:
    """The share of throws for which *event* is true."""
    return Fraction(sum(event(a, b) for a, b in THROWS), len(THROWS))


def moves(a: int, b: int, rating: int, column: bool) -> int:
    """Moves that an order gives; -1 is a blunder."""
    if a == b == 6:
        return -1
    margin = rating - a - b
    if margin < 0:
        return int(column)
    return 1 if margin < 2 else 2 if margin == 2 else 3


def test(a: int, b: int, penalty: int) -> tuple[str, bool]:
    """What a unit does after a break test, and whether it is disordered."""
    score = a + b - penalty + (a == b == 5)
    if score <= 4:
        return "broken", False
    if score <= 6:
        return "retires", True
    return ("retires", False) if score == 7 else ("holds", score == 8)


CHANCES: Final[list[tuple[str, dict[str, Any], str, Fraction]]] = [
    ("command", {"rating": 8}, "three_moves", chance(lambda a, b: moves(a, b, 8, False) == 3)),
    ("command", {"rating": 7, "column": True}, "one_move", chance(lambda a, b: moves(a, b, 7, True) == 1)),
    ("command", {"rating": 9, "distance": 2}, "one_move or better", chance(lambda a, b: moves(a, b, 7, False) >= 1)),
    # Two hits against none, and no support: beaten by two.
    (
        "combat",
        {"ours": {}, "theirs": {}, "our_hits": 2},
        "ours_does is broken",
        chance(lambda a, b: test(a, b, 2)[0] == "broken"),
    ),
    ("combat", {"ours": {}, "theirs": {}, "our_hits": 2}, "disordered is 1", chance(lambda a, b: test(a, b, 2)[1])),
    # Four casualties in all: one over the stamina, and shaken besides, so beaten by three.
    (
        "combat",
        {"ours": {"casualties": 2}, "theirs": {}, "our_hits": 2},
        "ours_does is retires or holds",
        chance(lambda a, b: test(a, b, 4)[0] != "broken"),
    ),
    (
        "combat",
        {"ours": {"casualties": 2}, "theirs": {}, "our_hits": 2},
        "disordered is 1",
        chance(lambda a, b: test(a, b, 4)[1]),
    ),
]
