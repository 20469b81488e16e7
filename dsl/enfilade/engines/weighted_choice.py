"""Weighted random choice: inverse transform sampling by binary search in the cumulative weights.

Weights and draws are whole numbers throughout, so no outcome is more or less likely than its weight.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Final

_BITS: Final = 53
_SCALE: Final = 1 << _BITS


def whole_below(draw: Callable[[], float], count: int) -> int:
    """Draw a whole number below *count*, however large, each exactly as likely as any other.

    Like ``index_below`` it uses only ``random()``, whose results are whole multiples of 2**-53. Several results are
    combined as the digits of one large number. Numbers in the incomplete last range are drawn again (rejection
    sampling).

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


class WeightedChoice:
    """Outcomes to draw from, by their positions.

    Args:
        weights: The whole-number weight of each outcome; at least one weight is above 0.
    """

    __slots__ = ("_cumulative",)

    def __init__(self, weights: Iterable[int]) -> None:
        self._cumulative = list(accumulate(weights))

    def draw(self, draw: Callable[[], float]) -> int:
        """Draw a position.

        Args:
            draw: The ``random`` method of a generator.
        """
        return bisect_right(self._cumulative, whole_below(draw, self._cumulative[-1]))
