"""The chances of a game are those that plain counting in Python finds: `reference/NAME.py` knows nothing of Enfilade."""

from pathlib import Path
from runpy import run_path
from typing import Final

import pytest
from tests.generality.counting import Chances

from enfilade import Limits, load

HERE: Final = Path(__file__).parent
MODULES: Final = sorted((HERE / "reference").glob("*.py"))
LARGE: Final = ("deadlands", "king_of_tokyo", "undaunted_normandy")


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=[pytest.mark.thorough] if path.stem in LARGE else []) for path in MODULES],
)
def test_the_odds_of_a_game_are_those_of_plain_counting(path: Path) -> None:
    chances: Chances = run_path(str(path))["CHANCES"]
    rules = load(HERE / f"{path.stem}.rules")
    assert len(chances) >= 3
    # A slow machine must not change an answer: the budget of time has tests of its own.
    limits = Limits(seconds=None)
    assert [
        (procedure, facts, question, rules.odds(procedure, **facts, limits=limits).chance(question))
        for procedure, facts, question, _ in chances
    ] == chances
