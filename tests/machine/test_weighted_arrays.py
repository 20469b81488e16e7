"""Weighted choice in arrays gives the positions that a single draw gives from the same digits."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import pytest

from enfilade.engines.weighted_arrays import WeightedArrays, draw_digits
from enfilade.engines.weighted_choice import decided, digit_table

np = pytest.importorskip("numpy", reason="NumPy is an optional extra")
pytestmark = pytest.mark.thorough

WEIGHTS = [
    (1,), (1, 1), (16, 8, 6, 4, 2), (5, 0, 1), (0, 3, 0), tuple(range(1, 400)), (1, 10**40, 3), (10**40, 1), (1,) * 5000
]  # fmt: skip
FURTHER = 12_345_678_901_234_567_890


class Fixed:
    """A generator that always draws the same further digit."""

    def integers(self, low: int, high: int, size: Any, dtype: Any) -> Any:
        return np.full(size, FURTHER, dtype)


FIXED: Any = Fixed()


def critical(weights: Sequence[int]) -> list[int]:
    """The digits at and beside every end of an interval, and some others."""
    edges, _ = digit_table(list(accumulate(weights)), 64)
    near = {edge + step for edge in edges for step in (-1, 0, 1)} | {0, (1 << 64) - 1}
    near |= {edge & -(1 << 48) for edge in edges} | {edge | (1 << 48) - 1 for edge in edges}
    return sorted(each for each in near if 0 <= each < 1 << 64)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_every_digit_gives_the_position_of_a_single_draw(weights: tuple[int, ...]) -> None:
    digits, cumulative = critical(weights), list(accumulate(weights))
    found = WeightedArrays(weights).positions(np.array(digits, np.uint64), FIXED)
    assert found.tolist() == [decided(cumulative, digit, 64, lambda: FURTHER) for digit in digits]


def test_digits_cover_the_whole_range() -> None:
    digits = draw_digits(np.random.default_rng(1), (1000, 10))
    assert (digits.shape, digits.dtype) == ((1000, 10), np.uint64)
    assert digits.min() < 1 << 52 < (1 << 64) - (1 << 52) < digits.max()


def test_positions_have_the_shape_of_the_digits_and_the_smallest_type() -> None:
    few, many = WeightedArrays((1,) * 128), WeightedArrays((1,) * 129)
    digits = draw_digits(np.random.default_rng(1), (3, 4, 5))
    assert (few.positions(digits, FIXED).shape, few.positions(digits, FIXED).dtype) == ((3, 4, 5), np.int8)
    assert many.positions(digits, FIXED).dtype == np.int16


def test_blocks_go_on_with_the_same_digits() -> None:
    arrays, shape = WeightedArrays((16, 8, 6, 4, 2)), (3, 50_000)
    digits = draw_digits(np.random.default_rng(1), shape)
    assert (arrays.draw(shape, np.random.default_rng(1)) == arrays.positions(digits, FIXED)).all()
    assert arrays.draw((0, 5), np.random.default_rng(1)).shape == (0, 5)
