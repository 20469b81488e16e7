"""Weighted choice: each position is exactly as likely as its weight, one draw at a time and in arrays."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate

import pytest

from enfilade.engines.weighted_choice import UNDECIDED, WeightedChoice, decided, digit_table

WEIGHTS = [(1,), (1, 1), (16, 8, 6, 4, 2), (5, 0, 1), (0, 3, 0), tuple(range(1, 60)), (1, 10**40, 3), (10**40, 1)]

THIRD = (1 << 53) // 3 / (1 << 53)
TWO_THIRDS = (2 << 53) // 3 / (1 << 53)
"""The digits of ``random()`` within which a third and two thirds end."""


def chances(weights: Sequence[int], bits: int, digits: int) -> tuple[dict[int, Fraction], Fraction]:
    """The chance of each position within some digits, and the chance that they leave it open: by enumeration."""
    cumulative, left = list(accumulate(weights)), [0]
    found: dict[int, Fraction] = {}
    for size in range(1, digits + 1):
        one = Fraction(1, 1 << bits * size)
        tried = [number << bits | digit for number in left for digit in range(1 << bits)]
        placed = [(number, position(cumulative, number, bits, size)) for number in tried]
        for _, place in placed:
            if place is not None:
                found[place] = found.get(place, Fraction(0)) + one
        left = [number for number, place in placed if place is None]
    return found, Fraction(len(left), 1 << bits * digits)


class NoMoreDigits(Exception):
    """The draw needs a further digit."""


def position(cumulative: Sequence[int], number: int, bits: int, size: int) -> int | None:
    digits = [number >> bits * place & (1 << bits) - 1 for place in reversed(range(size))]
    rest: Iterator[int] = iter(digits[1:])

    def draw() -> int:
        for digit in rest:
            return digit
        raise NoMoreDigits

    try:
        return decided(cumulative, digits[0], bits, draw)
    except NoMoreDigits:
        return None


@pytest.mark.parametrize("weights", [*WEIGHTS[:5], (1, 2, 3, 5)])
def test_each_position_has_its_weight_to_the_last_digit(weights: tuple[int, ...]) -> None:
    """Positions get at most their chance, and at least their chance without what is still open."""
    found, left = chances(weights, bits=3, digits=5)
    assert sum(found.values()) + left == 1
    assert left < Fraction(len(weights), 8**5)
    for place, weight in enumerate(weights):
        exact = Fraction(weight, sum(weights))
        assert exact - left <= found.get(place, Fraction(0)) <= exact


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("bits", [4, 8, 10])
def test_the_table_of_the_first_digit_says_what_the_digit_decides(weights: tuple[int, ...], bits: int) -> None:
    cumulative = list(accumulate(weights))
    edges, positions = digit_table(cumulative, bits)
    for digit in range(1 << bits):
        place = positions[sum(edge <= digit for edge in edges)]
        assert (None if place == UNDECIDED else place) == position(cumulative, digit, bits, 1)


@pytest.mark.parametrize(("further", "place"), [([0.6], 0), ([0.7], 1), ([TWO_THIRDS, 0.3], 0), ([TWO_THIRDS, 0.4], 1)])
def test_a_digit_at_an_end_asks_for_the_next_digit(further: list[float], place: int) -> None:
    """A third ends at two thirds of its first digit, and at a third of its second one."""
    digits = [THIRD, *further]
    assert WeightedChoice((1, 2)).draw(lambda: digits.pop(0)) == place
    assert digits == []


@pytest.mark.parametrize(("further", "place"), [(2.0**-48, 0), (1.5 * 2**-47, 1), (2.0**-40, 2)])
def test_the_second_digit_tells_weights_apart_that_share_the_first(further: float, place: int) -> None:
    digits = [0.0, further]
    assert WeightedChoice((1, 1, 2**100)).draw(lambda: digits.pop(0)) == place


@pytest.mark.parametrize("weights", WEIGHTS)
def test_draws_are_as_likely_as_their_weights(weights: tuple[int, ...]) -> None:
    choice, draw, runs = WeightedChoice(weights), random.Random(2).random, 20_000
    counts = Counter(choice.draw(draw) for _ in range(runs))
    expected = [runs * weight / sum(weights) for weight in weights]
    # Positions that are expected less than five times are left out, as usual in a chi-square test.
    terms = [(counts[place] - each) ** 2 / each for place, each in enumerate(expected) if each > 5]
    assert sum(terms) < len(terms) + 5 * (2 * len(terms)) ** 0.5
    assert set(counts) <= {place for place, weight in enumerate(weights) if weight}
