"""Undaunted: Normandy, by listing all hands of both platoons."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

RULESET: Final = "undaunted_normandy"
INITIATIVE: Final = {
    "rifleman": 5,
    "scout": 7,
    "gunner": 4,
    "sergeant": 8,
    "lost_way": 1,
    "schuetze": 5,
    "mg_crew": 4,
    "feldwebel": 8,
}
AMERICANS: Final = ("rifleman",) * 3 + ("scout",) * 2 + ("gunner",) * 2 + ("sergeant", "lost_way")
GERMANS: Final = ("schuetze",) * 3 + ("mg_crew",) * 2 + ("feldwebel",)
DICE: Final = {"gunner": 3, "rifleman": 1, "scout": 1}

# What each side bids and fires, the first that it holds.
BIDS: Final = ("sergeant", "scout", "rifleman", "gunner", "lost_way")
COUNTERS: Final = ("feldwebel", "schuetze", "mg_crew")
SHOTS: Final = ("gunner", "rifleman", "scout")
CHOICES: Final = {"bid": [*BIDS], "counter": [*COUNTERS], "shot": [*SHOTS, None]}


def hands(deck: tuple[str, ...]) -> list[tuple[tuple[str, ...], Fraction]]:
    """Every hand of four cards, sorted, and its chance."""
    counted = Counter(tuple(sorted(hand)) for hand in combinations(deck, 4))
    return [(hand, Fraction(number, counted.total())) for hand, number in counted.items()]


def american_first(holder: str) -> Fraction:
    """The chance that the Americans get the initiative."""
    found = Fraction(0)
    for ours, chance in hands(AMERICANS):
        for theirs, their_chance in hands(GERMANS):
            bid = INITIATIVE[next(card for card in BIDS if card in ours)]
            counter = INITIATIVE[next(card for card in COUNTERS if card in theirs)]
            found += chance * their_chance * (bid > counter or (bid == counter and holder == "american"))
    return found


def hit(needed: int) -> Fraction:
    """The chance that the unit that fires hits."""
    found = Fraction(0)
    for ours, chance in hands(AMERICANS):
        left = list(ours)
        left.remove(next(card for card in BIDS if card in ours))
        shot = next((card for card in SHOTS if card in left), None)
        if shot is not None:
            found += chance * (1 - Fraction(needed - 1, 10) ** DICE[shot])
    return found


def hand_thinned(needed: int) -> Fraction:
    """The chance that a hit takes a rifleman from the hand: one is left there after the bid."""
    held = Fraction(0)
    for theirs, chance in hands(GERMANS):
        left = list(theirs)
        left.remove(next(card for card in COUNTERS if card in theirs))
        held += chance * ("schuetze" in left)
    return held * hit(needed)


CHANCES: Final[list[tuple[str, dict[str, Any], str, Fraction]]] = [
    ("round", {"range": 2, "choices": CHOICES}, "american", american_first("american")),
    ("round", {"range": 2, "holder": "german", "choices": CHOICES}, "american", american_first("german")),
    ("round", {"range": 2, "choices": CHOICES}, "hit", hit(6)),
    ("round", {"range": 1, "cover": 2, "choices": CHOICES}, "hand is 2", hand_thinned(7)),
]
