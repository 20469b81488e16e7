"""Malifaux: two decks of 54 cards, one flip each, and a card in hand that may replace the attacker's."""

from fractions import Fraction

DECK = [0, 14, *(value for value in range(1, 14) for _ in range(4))]


def hits(attack: int, defence: int) -> Fraction:
    won = sum(attack + mine >= defence + theirs for mine in DECK for theirs in DECK)
    return Fraction(won, len(DECK) ** 2)


CHANCES = [
    ("duel", {"attack": attack, "defence": defence}, "hits", hits(attack, defence))
    for attack, defence in ((5, 6), (5, 5), (3, 7), (9, 2))
]
