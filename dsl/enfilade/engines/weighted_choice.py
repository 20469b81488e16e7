"""Weighted random choice with exact chances: inverse transform sampling in whole numbers.

A draw is a real number from 0 to 1 whose digits are drawn one after another, each a whole number of some bits. The
outcome is the interval of the cumulative weights that contains the number. The first digit nearly always decides; if an
end of an interval lies within the digit, the next digit is drawn. So no outcome is more or less likely than its weight,
however large the weights are.

The intervals of the first digit are in a table. ``WeightedChoice`` draws one position with it, and
``engines/weighted_arrays.py`` many at once with NumPy.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Final

UNDECIDED: Final = -1
"""The position that a table gives if the next digit must decide."""

_BITS: Final = 53
_SCALE: Final = 1 << _BITS


def digit_table(cumulative: Sequence[int], bits: int) -> tuple[list[int], list[int]]:
    """Return the positions for all values of the first digit.

    Args:
        cumulative: The cumulative weights; the last one is above 0.
        bits: The size of a digit.

    Returns:
        The values at which the position changes, in order, and the positions before, between and after them.

    Examples:
        >>> digit_table([1, 3], 4)
        ([5, 6], [0, -1, 1])
    """
    edges: set[int] = set()
    for weight in cumulative[:-1]:
        edge, rest = divmod(weight << bits, cumulative[-1])
        edges |= {edge, edge + 1} if rest else {edge}
    inner = sorted(edges - {0, 1 << bits})
    return inner, [_position(cumulative, start, bits) for start in (0, *inner)]


def decided(cumulative: Sequence[int], digit: int, bits: int, draw: Callable[[], int]) -> int:
    """Return the position of a draw, with as many further digits as it needs.

    Args:
        cumulative: The cumulative weights; the last one is above 0.
        digit: The first digit.
        bits: The size of a digit.
        draw: Draws a digit.
    """
    number, size = digit, bits
    while (position := _position(cumulative, number, size)) == UNDECIDED:
        number, size = number << bits | draw(), size + bits
    return position


def _position(cumulative: Sequence[int], number: int, bits: int) -> int:
    """Return the position of all real numbers that begin with these bits, if they agree."""
    total = cumulative[-1]
    first = bisect_right(cumulative, number * total >> bits)
    last = bisect_right(cumulative, ((number + 1) * total - 1) >> bits)
    return first if first == last else UNDECIDED


class WeightedChoice:
    """Outcomes to draw from, by their positions.

    A digit is a result of ``random()``: a whole multiple of 2**-53. Python keeps the results of a seed the same in all
    versions. The table holds floats, all of them such multiples, so comparisons are exact.

    Args:
        weights: The whole-number weight of each outcome; at least one weight is above 0.
    """

    __slots__ = ("_cumulative", "_edges", "_positions")

    def __init__(self, weights: Iterable[int]) -> None:
        self._cumulative = list(accumulate(weights))
        edges, self._positions = digit_table(self._cumulative, _BITS)
        self._edges = [edge / _SCALE for edge in edges]

    def draw(self, draw: Callable[[], float]) -> int:
        """Draw a position.

        Args:
            draw: The ``random`` method of a generator.
        """
        number = draw()
        position = self._positions[bisect_right(self._edges, number)]
        if position != UNDECIDED:
            return position
        return decided(self._cumulative, int(number * _SCALE), _BITS, lambda: int(draw() * _SCALE))
