"""Washington's War, by counting all dice; without cards, or with hands counted card by card."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any, Final

RULESET: Final = "washingtons_war"
D6: Final = range(1, 7)
# Seven of twenty cards can't be burnt.
DECK: Final = (True,) * 13 + (False,) * 7
ATTACKER: Final = {"owner": "american", "strength": 4, "rating": 3}
DEFENDER: Final = {"owner": "british", "strength": 3, "rating": 1, "regulars": True}


def differences(bonus: int = 0) -> Iterator[tuple[int, int]]:
    """Attacker's total less the defender's, and the die for losses, for all dice."""
    for our_general, our_die, their_general, their_die, loss in product(D6, repeat=5):
        ours = 4 + our_die + (3 if our_general >= 4 else 1)
        theirs = 3 + their_die + (1 if their_general >= 4 else 0) + 1
        yield ours - theirs + bonus, loss


def loss_of(difference: int, die: int) -> int:
    """Points that the loser loses."""
    margin = abs(difference)
    if die <= 3:
        return 2 if margin >= 4 else 1
    if die == 6:
        return 3 if margin >= 4 else 2
    return 1 if margin == 0 else 2


def attacker_wins(bonus: int = 0) -> Fraction:
    """The chance that the attacker wins; a tie is the defender's."""
    return Fraction(sum(d > 0 for d, _ in differences(bonus)), 6**5)


def defender_loses(points: int) -> Fraction:
    """The chance that the defender loses *points*."""
    found = 0
    for difference, die in differences():
        lost = min(3, loss_of(difference, die)) if difference > 0 else int(difference >= -1)
        found += lost == points
    return Fraction(found, 6**5)


def attacker_wins_with_cards() -> Fraction:
    """One card each from one deck; the attacker's is drawn first, and what can be burnt is burnt."""
    hands = [(a, b) for a, b in combinations(range(20), 2)]
    total = Fraction(0)
    for a, b in hands:
        for ours, theirs in ((a, b), (b, a)):
            total += attacker_wins(2 * DECK[ours] - 2 * DECK[theirs]) / (2 * len(hands))
    return total


BATTLE: Final[dict[str, Any]] = {"attacker": ATTACKER, "defender": DEFENDER}
CARDS: Final[dict[str, Any]] = {
    **BATTLE,
    "hand": 1,
    "choices": {"card": ["major_campaign", "campaign", "surprise", None]},
}
CHANCES: Final[list[tuple[str, dict[str, Any], str, Fraction]]] = [
    ("battle", BATTLE, "american", attacker_wins()),
    ("battle", BATTLE, "defender.lost is 2", defender_loses(2)),
    ("battle", BATTLE, "defender.lost is 0", defender_loses(0)),
    ("battle", CARDS, "american", attacker_wins_with_cards()),
]
