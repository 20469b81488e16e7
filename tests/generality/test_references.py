"""The chances of a game are those that plain counting in Python finds: `reference/NAME.py` knows nothing of Enfilade."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from runpy import run_path
from typing import Any, Final

import pytest

from enfilade import Limits, load

HERE: Final = Path(__file__).parent
MODULES: Final = sorted((HERE / "reference").glob("*.py"))
Chance = tuple[str, dict[str, Any], str, Fraction]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_the_odds_of_a_game_are_those_of_plain_counting(path: Path) -> None:
    module = run_path(str(path))
    chances: Sequence[Chance] = module["CHANCES"]
    rules = load(HERE / f"{module['RULESET']}.rules")
    assert len(chances) >= 3
    # A slow machine must not change an answer: the budget of time has tests of its own.
    limits = Limits(seconds=None)
    found = [
        rules.odds(procedure, **facts, limits=limits).chance(question) for procedure, facts, question, _ in chances
    ]
    assert found == [value for *_, value in chances]
