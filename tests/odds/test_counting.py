"""The numbers of hands of cards, and of ways to choose, by which odds weigh and estimate."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from enfilade.engines.odds.rolls.draws import number_of_hands


@pytest.mark.parametrize("kinds", [[3], [1, 1, 1], [2, 2], [4, 1, 2]])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_number_of_different_hands(kinds: list[int], count: int) -> None:
    cards = [kind for kind, there in enumerate(kinds) for _ in range(there)]
    hands = {tuple(sorted(Counter(hand).items())) for hand in combinations(cards, count)}
    assert number_of_hands(kinds, count) == len(hands)
