"""`kills spread evenly over lives`: every way to spread a number as evenly as possible."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from enfilade.core.operators import spread
from enfilade.errors import LimitError
from enfilade.limits import DEFAULT_LIMITS


def one_by_one(amount: int, room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All ways to spread by hand: each on one of those with the fewest so far and with room left."""
    states = {(0,) * len(room)}
    for _ in range(min(amount, sum(room))):
        following = set()
        for had in states:
            fewest = min(h for h, r in zip(had, room, strict=True) if h < r)
            for n, (h, r) in enumerate(zip(had, room, strict=True)):
                if h == fewest and h < r:
                    following.add((*had[:n], h + 1, *had[n + 1 :]))
        states = following
    yield from states


@pytest.mark.parametrize("room", [*product(range(4), repeat=3), (5,), (), (1, 2, 3, 4)])
def test_each_way_is_one_that_goes_up_one_by_one(room: tuple[int, ...]) -> None:
    for amount in range(11):
        found = spread(amount, room)
        assert sorted(found, reverse=True) == list(found)
        assert set(found) == set(one_by_one(amount, room))


def test_a_large_number_is_spread_at_once_and_too_many_ways_are_refused() -> None:
    assert spread(10**9, (10**9, 10**9 - 1)) == ((5 * 10**8, 5 * 10**8),)
    with pytest.raises(LimitError, match=str(DEFAULT_LIMITS.length)):
        spread(20, (1,) * 40)
