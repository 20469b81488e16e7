"""The language says the mechanics of published games that it was not made for, and they come out as they are known to."""

from functools import cache
from pathlib import Path
from typing import Final

import pytest

from enfilade.check.program import Checked, check_source
from enfilade.diagnostics.diagnostic import Severity
from enfilade.diagnostics.render import render_text
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.tools.examples import run_examples

FILES: Final = sorted(Path(__file__).parent.glob("*.rules"))

each_game = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


@cache
def checked(path: Path) -> Checked:
    return check_source(SourceFile.from_path(path), Folders())


def test_at_least_fourteen_games_are_tried() -> None:
    assert len(FILES) >= 14


@each_game
def test_a_game_checks_without_errors(path: Path) -> None:
    errors = [found for found in checked(path).diagnostics if found.severity is Severity.ERROR]
    assert [render_text(found) for found in errors] == []


@each_game
def test_a_game_has_examples_of_known_outcomes(path: Path) -> None:
    program = checked(path).program
    assert program is not None
    assert len(program.examples) >= 3


@each_game
def test_the_examples_of_a_game_pass(path: Path) -> None:
    program = checked(path).program
    assert program is not None
    assert [render_text(found) for result in run_examples(program) for found in result.diagnostics] == []
