"""Mutations: texts with slips in characters, tokens or lines, and pieces of other texts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

_TOKEN: Final = re.compile(r'"[^"\n]*"|[A-Za-z_]\w*|[0-9]+|[ \t]+|\n[ \t]*|.')
_STRANGE: Final = [
    '"', "(", ")", "[", "]", "{", "}", "|", "..", "--", "-- x", "\t", "\r", "\n", "\r\n", "\n\n", "  ", ".", ",", ":", "=", "==",
    "#", "<", "not ", "when ", "otherwise ", "of ", "where ", "1", "0", "d6", "2d6", "3..5", "yes/no", "М", "”", "×", "é", "😀",
    "\u00a0", "\u2028", "\x00", "\x1b[2J", "\ud800", "99999999999999999999", "1.5", "1.", "1/0", "+", "-", "*", "/", "chart ",
    "replace ", "add to ", "\\", "`", "null", "true", "-1", "1e999", "NaN",
]  # fmt: skip

# Texts of up to so many characters are chosen about as often as each other; longer ones less often.
_SHORT: Final = 300


def mutated(text: str, rng: random.Random, others: Sequence[str] = ()) -> str:
    """A text with some slips.

    Args:
        text: The text.
        rng: Chooses the slips.
        others: Texts from which pieces may come.
    """
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        text = _slip(text, rng, others)
    return text


def mutations(seeds: Sequence[str], rng: random.Random) -> Iterator[str]:
    """Mutated texts without end. A text is chosen less often the longer it is, because its inputs take longer and a slip
    is read together with little around it: among a million, the longest of 90 kB has some dozens.

    Args:
        seeds: The texts to mutate.
        rng: Chooses the texts and the slips.
    """
    upto = list(accumulate((len(seed) + _SHORT) ** -1.5 for seed in seeds))
    while True:
        yield mutated(rng.choices(seeds, cum_weights=upto)[0], rng, seeds)


def pieces_of(text: str, unit: str) -> list[str]:
    """The lines, tokens or characters of a text; they join to the text.

    Examples:
        >>> pieces_of("roll 2d6\\n", "token")
        ['roll', ' ', '2', 'd6', '\\n']
    """
    match unit:
        case "line":
            return text.splitlines(keepends=True)
        case "token":
            return re.findall(_TOKEN, text)
    return list(text)


def _slip(text: str, rng: random.Random, others: Sequence[str]) -> str:
    unit = rng.choice(["line", "token", "token", "token", "token", "character", "character"])
    pieces = pieces_of(text, unit)
    if not pieces:
        return rng.choice(_STRANGE)
    at = rng.randrange(len(pieces))
    to = min(at + rng.choice([1, 1, 1, 2, 5, 20]), len(pieces))
    match rng.randrange(8):
        case 0:
            del pieces[at:to]
        case 1:
            pieces.insert(at, rng.choice(_STRANGE))
        case 2:
            pieces[at:at] = pieces[at:to]
        case 3:
            pieces.insert(at, pieces[rng.randrange(len(pieces))])
        case 4:
            pieces[at], pieces[to - 1] = pieces[to - 1], pieces[at]
        case 5 if others:
            more = pieces_of(rng.choice(others), unit)
            start = rng.randrange(len(more)) if more else 0
            pieces[at:at] = more[start : start + rng.choice([1, 2, 5, 20])]
        case 6:
            pieces[at] = _flipped(pieces[at], rng)
        case _:
            pieces[at:to] = [rng.choice(_STRANGE)]
    return "".join(pieces)


def _flipped(piece: str, rng: random.Random) -> str:
    """The piece with one bit of its UTF-8 changed, or all of it upside down."""
    data = bytearray(piece.encode("utf-8", "surrogatepass"))
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data.decode("utf-8", "replace")
