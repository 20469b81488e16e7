"""Black Powder, by counting all throws of two dice."""

from typing import Final

from tests.generality.counting import TWO_DICE, Chances, share


def moves(a: int, b: int, rating: int, column: bool = False) -> int:
    """Moves that an order gives; -1 is a blunder."""
    margin = rating - a - b
    if a == b == 6:
        return -1
    if margin < 0:
        return int(column)
    return 1 if margin < 2 else 2 if margin == 2 else 3


def tested(a: int, b: int, penalty: int) -> tuple[str, bool]:
    """What a unit does after a break test, and whether it is disordered."""
    score = a + b - penalty + (a == b == 5)
    if score <= 6:
        return ("broken", False) if score <= 4 else ("retires", True)
    return ("retires", False) if score == 7 else ("holds", score == 8)


BEATEN: Final = {"ours": {}, "theirs": {}, "our_hits": 2}
"""Two hits against none, and no support: beaten by two."""
SHAKEN: Final = {"ours": {"casualties": 2}, "theirs": {}, "our_hits": 2}
"""Four casualties in all: one over the stamina, and shaken besides, so beaten by three."""
CHANCES: Final[Chances] = [
    ("command", {"rating": 8}, "three_moves", share(moves(a, b, 8) == 3 for a, b in TWO_DICE)),
    ("command", {"rating": 7, "column": True}, "one_move", share(moves(a, b, 7, True) == 1 for a, b in TWO_DICE)),
    ("command", {"rating": 9, "distance": 2}, "one_move or better", share(moves(a, b, 7) >= 1 for a, b in TWO_DICE)),
    ("combat", BEATEN, "ours_does is broken", share(tested(a, b, 2)[0] == "broken" for a, b in TWO_DICE)),
    ("combat", BEATEN, "disordered is 1", share(tested(a, b, 2)[1] for a, b in TWO_DICE)),
    ("combat", SHAKEN, "ours_does is retires or holds", share(tested(a, b, 4)[0] != "broken" for a, b in TWO_DICE)),
    ("combat", SHAKEN, "disordered is 1", share(tested(a, b, 4)[1] for a, b in TWO_DICE)),
]
