"""Wings of War, by listing all pairs of damage cards."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

from tests.generality.counting import Chances, share

Card = tuple[int, str]

# Points and what else the card says.
TWIN: Final[list[Card]] = (
    [(0, "")] * 6
    + [(2, "")] * 5
    + [(4, "")] * 3
    + [(1, "jam")] * 2
    + [(1, "fire")] * 2
    + [(2, "rudder_left"), (2, "rudder_right"), (0, "deadly")]
)
SINGLE: Final[list[Card]] = [(0, "")] * 8 + [(1, "")] * 5 + [(0, "jam")] * 2 + [(0, "fire")]


def chance(deck: list[Card], cards: int, event: Callable[[tuple[Card, ...]], bool]) -> Fraction:
    """The share of hands of *cards* cards for which *event* is true."""
    return share(map(event, combinations(deck, cards)))


def falls(damage: int) -> Callable[[tuple[Card, ...]], bool]:
    """Whether a plane with *damage* points is shot down by a hand."""
    return lambda hand: damage + sum(points for points, _ in hand) >= 12 or any(what == "deadly" for _, what in hand)


def fact(way: str, first: int, second: int) -> dict[str, Any]:
    """Two planes with some damage that fly the same way, or left and straight."""
    return {
        "lead": {"name": "spad", "owner": "entente", "damage": first},
        "wingman": {"name": "dr1", "owner": "central", "gun": "single", "damage": second},
        "choices": {"one_way": way, "other_way": "straight"},
    }


def burning(hand: tuple[Card, ...]) -> bool:
    """Whether a hand sets a plane on fire."""
    return any(what == "fire" for _, what in hand)


CHANCES: Final[Chances] = [
    ("turn", fact("straight", 0, 8), "wingman.down", chance(TWIN, 2, falls(8))),
    ("turn", fact("left", 0, 8), "wingman.down", chance(TWIN, 1, falls(8))),
    ("turn", fact("straight", 11, 0), "lead.down", chance(SINGLE, 2, falls(11))),
    (
        "turn",
        fact("straight", 11, 8),
        "down is []",
        (1 - chance(SINGLE, 2, falls(11))) * (1 - chance(TWIN, 2, falls(8))),
    ),
    ("turn", fact("straight", 0, 0), "wingman.marks of fire > 0", chance(TWIN, 2, burning)),
    (
        "turn",
        fact("straight", 0, 0),
        "damage of dr1 is 8",
        chance(TWIN, 2, lambda hand: sum(points for points, _ in hand) == 8),
    ),
]
