"""Undaunted: Normandy, by listing all hands of both platoons."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from typing import Final

from tests.generality.counting import Chances

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


def first_of(wanted: tuple[str, ...], held: tuple[str, ...]) -> str | None:
    """The first card that is held."""
    return next((card for card in wanted if card in held), None)


def after(wanted: tuple[str, ...], held: tuple[str, ...]) -> tuple[str, ...]:
    """A hand without the card that was bid."""
    at = held.index(first_of(wanted, held) or "")
    return held[:at] + held[at + 1 :]


def american_first(holder: str) -> Fraction:
    """The chance that the Americans get the initiative."""
    found = Fraction(0)
    for (ours, chance), (theirs, their_chance) in product(hands(AMERICANS), hands(GERMANS)):
        bid, counter = INITIATIVE[first_of(BIDS, ours) or ""], INITIATIVE[first_of(COUNTERS, theirs) or ""]
        found += chance * their_chance * (bid > counter or (bid == counter and holder == "american"))
    return found


def hit(needed: int) -> Fraction:
    """The chance that the unit that fires hits; without one there is no die."""
    found = Fraction(0)
    for ours, chance in hands(AMERICANS):
        dice = DICE.get(first_of(SHOTS, after(BIDS, ours)) or "", 0)
        found += chance * (1 - Fraction(needed - 1, 10) ** dice)
    return found


THINNED: Final = sum(
    (chance for theirs, chance in hands(GERMANS) if "schuetze" in after(COUNTERS, theirs)), Fraction(0)
)
"""A rifleman is left in the hand after the bid, whom a hit takes from there."""
CHANCES: Final[Chances] = [
    ("round", {"range": 2, "choices": CHOICES}, "american", american_first("american")),
    ("round", {"range": 2, "holder": "german", "choices": CHOICES}, "american", american_first("german")),
    ("round", {"range": 2, "choices": CHOICES}, "hit", hit(6)),
    ("round", {"range": 1, "cover": 2, "choices": CHOICES}, "hand is 2", THINNED * hit(7)),
]
