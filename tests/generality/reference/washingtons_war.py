"""Washington's War, by counting all dice; without cards, or with hands counted card by card."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any, Final

from tests.generality.counting import D6, Chances, share

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
    """Points that the defender loses, of three."""
    if difference <= 0:
        return int(difference >= -1)
    return (2 if difference >= 4 else 1 if die <= 3 else 2) + (difference >= 4 and die == 6)


@cache
def attacker_wins(bonus: int = 0) -> Fraction:
    """The chance that the attacker wins; a tie is the defender's."""
    return share(difference > 0 for difference, _ in differences(bonus))


def attacker_wins_with_cards() -> Fraction:
    """One card each from one deck; the attacker's is drawn first, and what can be burnt is burnt."""
    hands = list(permutations(DECK, 2))
    return sum((attacker_wins(2 * ours - 2 * theirs) for ours, theirs in hands), Fraction(0)) / len(hands)


BATTLE: Final[dict[str, Any]] = {"attacker": ATTACKER, "defender": DEFENDER}
CARDS: Final[dict[str, Any]] = {
    **BATTLE,
    "hand": 1,
    "choices": {"card": ["major_campaign", "campaign", "surprise", None]},
}
CHANCES: Final[Chances] = [
    ("battle", BATTLE, "american", attacker_wins()),
    ("battle", BATTLE, "defender.lost is 2", share(loss_of(*each) == 2 for each in differences())),
    ("battle", BATTLE, "defender.lost is 0", share(loss_of(*each) == 0 for each in differences())),
    ("battle", CARDS, "american", attacker_wins_with_cards()),
]
