"""A tail answers what every number of its interval answers, and nothing else."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from enfilade.engines.odds.dice.tails import Undecided, highest, lowest, tail

COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)


def answers(ask: Callable[[Any], Any], low: int) -> set[Any]:
    """What numbers of the interval answer: the first ones, and one far out."""
    return {ask(number) for number in (*range(low, low + 8), 10**6)}


@pytest.mark.parametrize("compare", COMPARISONS)
@pytest.mark.parametrize("swapped", [False, True])
def test_a_comparison_is_answered_if_all_numbers_agree(compare: Any, swapped: bool) -> None:
    for low in range(4):
        for other in range(-1, 7):

            def ask(number: Any, other: int = other) -> Any:
                return compare(other, number) if swapped else compare(number, other)

            wanted = answers(ask, low)
            if len(wanted) == 1:
                assert ask(tail(low)) is wanted.pop()
            else:
                with pytest.raises(Undecided):
                    ask(tail(low))


@pytest.mark.parametrize(
    "compute",
    [
        pytest.param(lambda x: x + 3, id="plus"),
        pytest.param(lambda x: 3 + x, id="to a number"),
        pytest.param(lambda x: x - 3, id="minus"),
        pytest.param(lambda x: x * 2, id="times"),
        pytest.param(lambda x: 2 * x, id="a number times"),
        pytest.param(lambda x: x / Fraction(2), id="divided"),
        pytest.param(lambda x: math.floor(x / Fraction(2)), id="rounded down"),
        pytest.param(lambda x: math.ceil(x / Fraction(2)), id="rounded up"),
        pytest.param(lambda x: x + x, id="twice"),
        pytest.param(lambda x: highest(x, 2), id="highest"),
        pytest.param(lambda x: highest([x, 9]), id="highest of a list"),
    ],
)
def test_a_rising_calculation_begins_at_the_lowest_number(compute: Callable[[Any], Any]) -> None:
    for low in range(4):
        assert compute(tail(low)) is tail(min(answers(compute, low)))


@pytest.mark.parametrize(
    "compute",
    [
        pytest.param(lambda x: 3 - x, id="subtracted"),
        pytest.param(lambda x: x - x, id="minus itself"),
        pytest.param(lambda x: x * 0, id="times nothing"),
        pytest.param(lambda x: x * -1, id="times a negative number"),
        pytest.param(lambda x: x / 0, id="divided by nothing"),
        pytest.param(lambda x: 6 / x, id="a divisor"),
        pytest.param(lambda x: x % 2, id="modulo"),
        pytest.param(lambda x: -x, id="negative"),
        pytest.param(abs, id="absolute"),
        pytest.param(round, id="rounded to nearest"),
        pytest.param(lambda x: lowest(x, 9), id="lowest of it and a number within"),
        pytest.param(lambda x: tail(3) == x, id="another tail"),
    ],
)
def test_other_calculations_are_undecided(compute: Callable[[Any], Any]) -> None:
    with pytest.raises(Undecided):
        compute(tail(2))


def test_the_lowest_is_a_number_below_the_tail_or_the_lowest_tail() -> None:
    assert lowest(tail(5), 2, 9) == 2
    assert lowest([tail(5), tail(3)]) is tail(3)
    assert lowest(4, 2) == 2
    assert highest([4, 2]) == 4


@pytest.mark.parametrize("other", [0, -1, tail(2)])
def test_a_tail_times_zero_a_negative_number_or_a_tail_is_undecided(other: Any) -> None:
    with pytest.raises(Undecided):
        tail(2) * other


def test_the_mean_of_a_scaled_tail_is_scaled() -> None:
    assert (tail(2, None, Fraction(5)) * 3).mean == 15
    assert (3 * tail(2, None, Fraction(5)) + 1).mean == 16
