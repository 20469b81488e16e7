"""Weighted random choice in arrays: indexed search (a guide table) over the digits of ``weighted_choice``, in NumPy.

NumPy is imported when the first array is made, so a program without arrays needs none.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING, Any, Final

from enfilade.engines.weighted_choice import UNDECIDED, decided, digit_table

if TYPE_CHECKING:
    from numpy import uint64
    from numpy.random import Generator
    from numpy.typing import NDArray

_BITS: Final = 64
_BLOCK: Final = 1 << 16
_LEAST_BUCKETS: Final = 8
_MOST_BUCKETS: Final = 16
_NO_NUMPY: Final = "arrays need NumPy, which is not installed: pip install 'enfilade[arrays]'"


def load_numpy() -> Any:
    """Return the module ``numpy``.

    Raises:
        ImportError: NumPy is not installed.
    """
    try:
        import numpy
    except ModuleNotFoundError as missing:
        raise ImportError(_NO_NUMPY, name="numpy") from missing
    return numpy


def draw_digits(rng: Generator, shape: tuple[int, ...]) -> NDArray[uint64]:
    """Draw the first digits of many draws."""
    np = load_numpy()
    digits: NDArray[uint64] = rng.integers(0, 1 << _BITS, size=shape, dtype=np.uint64)
    return digits


class WeightedArrays:
    """Outcomes to draw from, by their positions, many at once.

    The guide table has an entry for each value of the first bits of a digit. Where an interval ends within an entry,
    the digit is searched for; where the digit does not decide, further digits do, as for a single draw.

    Args:
        weights: The whole-number weight of each outcome; at least one weight is above 0.
    """

    __slots__ = ("_cumulative", "_edges", "_guide", "_positions", "_shift")

    def __init__(self, weights: Iterable[int]) -> None:
        np = load_numpy()
        self._cumulative = list(accumulate(weights))
        edges, positions = digit_table(self._cumulative, _BITS)
        buckets = max(_LEAST_BUCKETS, min(_MOST_BUCKETS, (32 * len(positions)).bit_length()))
        self._shift = np.uint64(_BITS - buckets)
        self._edges = np.array(edges, dtype=np.uint64)
        self._positions = np.array(positions, dtype=np.min_scalar_type(-len(self._cumulative)))
        starts = np.arange(1 << buckets, dtype=np.uint64) << self._shift
        ends = starts | np.uint64((1 << _BITS - buckets) - 1)
        first, last = (np.searchsorted(self._edges, each, side="right") for each in (starts, ends))
        self._guide = np.where(first == last, self._positions[first], self._positions.dtype.type(UNDECIDED))

    def draw(self, shape: tuple[int, ...], rng: Generator) -> NDArray[Any]:
        """Draw many positions, in blocks that fit in a processor's cache.

        Args:
            shape: The shape of the array.
            rng: The generator.

        Returns:
            The positions, as ``positions`` gives them.
        """
        np = load_numpy()
        found: NDArray[Any] = np.empty(prod(shape), self._guide.dtype)
        for start in range(0, found.size, _BLOCK):
            block = found[start : start + _BLOCK]
            block[:] = self.positions(draw_digits(rng, block.shape), rng)
        return found.reshape(shape)

    def positions(self, digits: NDArray[uint64], rng: Generator) -> NDArray[Any]:
        """Return the positions of many draws.

        Args:
            digits: The first digit of each draw.
            rng: The generator of further digits.

        Returns:
            The positions, in an array of the same shape and of the smallest signed type of whole numbers.
        """
        np = load_numpy()
        found: NDArray[Any] = self._guide.take((digits >> self._shift).view(np.int64))
        flat, drawn = found.reshape(-1), digits.reshape(-1)
        unsure = np.flatnonzero(flat == UNDECIDED)
        flat[unsure] = self._positions[np.searchsorted(self._edges, drawn[unsure], side="right")]
        for index in unsure[flat[unsure] == UNDECIDED]:
            flat[index] = decided(self._cumulative, int(drawn[index]), _BITS, lambda: int(draw_digits(rng, (1,))[0]))
        return found
