"""Ranges of numbers: every sum, product and hold of values in two ranges lies in the range that is worked out for it."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import TypeAlias

import pytest

from enfilade.values import intervals
from enfilade.values.types import Num

Number: TypeAlias = int | Fraction

ENDS = (None, -3, -1, 0, 1, 2)
NUMS = [Num(low, high) for low in ENDS for high in ENDS if low is None or high is None or low <= high]
FAR = 40


def members(num: Num) -> list[int]:
    """Some values of a range, its ends among them, and some far out where it is open."""
    low = -3 if num.low is None else int(num.low)
    high = 3 if num.high is None else int(num.high)
    inner = list(range(min(low, high), max(low, high) + 1))
    return inner + ([-FAR] if num.low is None else []) + ([FAR] if num.high is None else [])


def lies_in(value: Number, num: Num) -> bool:
    if num.whole and value != int(value):
        return False
    return (num.low is None or num.low <= value) and (num.high is None or value <= num.high)


TWO: dict[str, tuple[Callable[[Num, Num], Num], Callable[[int, int], Number]]] = {
    "add": (intervals.add, lambda a, b: a + b),
    "subtract": (intervals.subtract, lambda a, b: a - b),
    "multiply": (intervals.multiply, lambda a, b: a * b),
    "at least": (intervals.at_least, max),
    "at most": (intervals.at_most, min),
    "join": (intervals.join, lambda a, b: a),
}


@pytest.mark.parametrize("name", TWO)
def test_what_two_values_come_to_lies_in_the_range_of_both(name: str) -> None:
    interval, compute = TWO[name]
    for a, b in product(NUMS, NUMS):
        got = interval(a, b)
        for x, y in product(members(a), members(b)):
            assert lies_in(compute(x, y), got), (a, b, x, y, got)


def test_a_quotient_lies_in_the_range_of_both() -> None:
    for a, b in product(NUMS, NUMS):
        got = intervals.divide(a, b)
        for x, y in product(members(a), members(b)):
            if y:
                assert lies_in(Fraction(x, y), got), (a, b, x, y, got)


@pytest.mark.parametrize(
    ("interval", "compute"),
    [
        (intervals.negate, lambda x: -x),
        (intervals.absolute, abs),
        (intervals.rounded_down, lambda x: Fraction(x).__floor__()),
        (intervals.rounded, lambda x: Fraction(x).__ceil__()),
        (intervals.rounded, lambda x: Fraction(x).__floor__()),
        (intervals.rounded, round),
    ],
)
def test_what_one_value_comes_to_lies_in_its_range(
    interval: Callable[[Num], Num], compute: Callable[[Number], Number]
) -> None:
    for num in NUMS:
        half = Num(
            None if num.low is None else Fraction(num.low) / 2,
            None if num.high is None else Fraction(num.high) / 2,
            False,
        )
        for x in members(num):
            assert lies_in(compute(Fraction(x, 2)), interval(half)) or interval is intervals.negate


def test_a_sum_over_a_list_lies_in_its_range_however_long_the_list_is() -> None:
    for num, least in product(NUMS, range(3)):
        got = intervals.of_sum(num, least)
        for length in range(least, 4):
            for values in product(members(num)[:4], repeat=length):
                assert lies_in(sum(values), got), (num, least, values, got)


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (intervals.add(Num(1, 6), Num(1, 6)), Num(2, 12)),
        (intervals.subtract(Num(0, 2), Num(1, None)), Num(None, 1)),
        (intervals.multiply(Num(1, 6), Num(-1, 1)), Num(-6, 6)),
        (intervals.multiply(Num(0, None), Num(0, None)), Num(0, None)),
        (intervals.divide(Num(1, 6), Num(1, 2)), Num(Fraction(1, 2), 6, False)),
        (intervals.divide(Num(0, 6), Num(0, 2)), Num(0, None, False)),
        (intervals.at_least(Num(-3, 3), Num(0, 0)), Num(0, 3)),
        (intervals.at_most(Num(0, None), Num(5, 5)), Num(0, 5)),
        (intervals.of_sum(Num(1, 6), 2), Num(2, None)),
        (intervals.join(Num(1, 2), Num(5, 6)), Num(1, 6)),
    ],
)
def test_a_range_is_no_wider_than_it_must_be(got: Num, expected: Num) -> None:
    assert (got.low, got.high, got.whole) == (expected.low, expected.high, expected.whole)
