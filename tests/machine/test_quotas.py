"""`as much as possible of loss from units` and `just enough for loss from units`: the selections nearest to a number."""

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

import pytest

from enfilade.core.operators import as_much, just_enough
from enfilade.errors import LimitError
from enfilade.values.data import Ref

LISTS = [list(each) for length in range(5) for each in product((-1, 0, 1, 2, 3), repeat=length) if sum(each) < 9]


def selected(items: list[int]) -> Iterator[tuple[int, ...]]:
    counted = sorted(each for each in items if each > 0)
    for count in range(len(counted) + 1):
        yield from sorted(set(combinations(counted, count)))


def by_hand(items: list[int], sums: range, best: Callable[..., int]) -> list[tuple[int, ...]]:
    """The selections with the best of the allowed sums."""
    allowed = [each for each in selected(items) if sum(each) in sums]
    return [each for each in allowed if sum(each) == best(map(sum, allowed))]


def test_every_selection_that_comes_nearest_is_found_once_and_in_order() -> None:
    for items in LISTS:
        values = tuple(items)
        whole = sum(each for each in items if each > 0)
        for amount in range(-1, whole + 2):
            most = by_hand(items, range(max(amount, 0) + 1), max)
            assert list(as_much(amount, values, values)) == most
            least = by_hand(items, range(min(amount, whole), whole + 1), min)
            assert list(just_enough(amount, values, values)) == least


def test_a_record_is_one_element_however_often_it_is_listed() -> None:
    a, b = Ref("unit", "a"), Ref("unit", "b")
    items: tuple[Any, ...] = (b, a, b)
    assert just_enough(3, items, (2, 1, 2)) == ((a, b),)
    assert just_enough(9, items, (2, 1, 2)) == ((a, b),)


def test_too_many_ways_are_refused() -> None:
    with pytest.raises(LimitError):
        just_enough(20, (*range(1, 41),), (1,) * 40)
