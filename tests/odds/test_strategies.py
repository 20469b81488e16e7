"""Each strategy of the odds engine gives the answer that it gives without it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from benchmarks.odds import by_enfilade
from benchmarks.odds.strategies import STRATEGIES, switched_off

QUESTIONS = (
    ("stack_fates", 2),
    ("stack_failures", 3),
    ("stack_fallen", 3),
    ("line_kept", 4),
    ("line_kills", 4),
    ("direct_fires", 4),
    ("hits_on_target", 4),
    ("sunk", 2),
    ("keep_half", 4),
    ("count_eights", 5),
    ("fight", 2),
    ("long_fight", 2),
    ("melee", 1),
)


def chances(name: str, size: int) -> dict[Any, Fraction]:
    """The answer to a question of the benchmark, planned afresh."""
    for path in by_enfilade.PATHS:
        by_enfilade.program(path).analyses.clear()
    answer = getattr(by_enfilade, name)(size)
    return {values: Fraction(weight, answer.total) for values, weight in answer.weights.items()}


@pytest.mark.parametrize(("name", "size"), QUESTIONS)
def test_the_answer_is_the_same_without_any_one_strategy(name: str, size: int) -> None:
    wanted = chances(name, size)
    for strategy in STRATEGIES:
        with switched_off(strategy):
            assert chances(name, size) == wanted, strategy
    assert chances(name, size) == wanted
