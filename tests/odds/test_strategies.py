"""Each strategy of the odds engine gives the answer that it gives without it."""

import pytest
from benchmarks.odds import by_enfilade
from benchmarks.odds.strategies import STRATEGIES, switched_off
from tests.odds.comparing import Chances, chances

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


def answer(name: str, size: int) -> Chances:
    """The answer to a question of the benchmark, planned afresh."""
    for path in by_enfilade.PATHS:
        by_enfilade.program(path).analyses.clear()
    return chances(getattr(by_enfilade, name)(size))


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "size"), QUESTIONS)
def test_the_answer_is_the_same_without_any_one_strategy(name: str, size: int) -> None:
    wanted = answer(name, size)
    for strategy in STRATEGIES:
        with switched_off(strategy):
            assert answer(name, size) == wanted, strategy
    assert answer(name, size) == wanted
