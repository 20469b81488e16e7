"""Draws outcomes with whole-number weights: the alias method, in whole numbers throughout.

Every outcome has a column of one height. A column holds the weight of its own outcome as far as that goes, and the rest
is lent by one that has too much. A draw is a column and a height in it, so it costs the same for any number of outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

_BITS: Final = 53
_SCALE: Final = 1 << _BITS


def whole_below(draw: Callable[[], float], count: int) -> int:
    """Draw a whole number below *count*, however large, each exactly as likely as any other.

    Like ``index_below`` it uses ``random()`` alone, whose numbers are whole multiples of 2**-53: as many of them as it
    takes are set beside each other, and what is left over at the end is drawn again.

    Args:
        draw: The ``random`` method of a generator.
        count: How many numbers there are.

    Examples:
        >>> whole_below(lambda: 0.5, 6), whole_below(lambda: 0.5, 1 << 100) == (1 << 99) + (1 << 46)
        (3, True)
    """
    pieces = 1
    while _SCALE**pieces < count:
        pieces += 1
    stretch = _SCALE**pieces // count
    while True:
        number: int = 0
        for _ in range(pieces):
            number = number * _SCALE + int(draw() * _SCALE)
        index: int = number // stretch
        if index < count:
            return index


class Alias:
    """Outcomes to draw from, by their places.

    Args:
        weights: The weight of each, a whole number above 0.
    """

    __slots__ = ("_height", "_lent", "_own", "_whole")

    def __init__(self, weights: Sequence[int]) -> None:
        count, self._height = len(weights), sum(weights)
        self._whole = count * self._height
        self._own = [weight * count for weight in weights]
        self._lent = list(range(count))
        short = [place for place, own in enumerate(self._own) if own < self._height]
        long = [place for place, own in enumerate(self._own) if own >= self._height]
        while short and long:
            low, high = short.pop(), long[-1]
            self._lent[low] = high
            left = self._own[high] - (self._height - self._own[low])
            if left < self._height:
                long.pop()
                short.append(high)
            # What is lent is gone; its own column is filled with what is left.
            self._own[high] = left

    def draw(self, draw: Callable[[], float]) -> int:
        """Draw one place.

        Args:
            draw: The ``random`` method of a generator.
        """
        place, height = divmod(whole_below(draw, self._whole), self._height)
        return place if height < self._own[place] else self._lent[place]
