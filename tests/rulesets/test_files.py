"""Whatever is shipped, and each game of ``tests/generality``, checks clean, does what its examples say, and prints well.

What a shipped ruleset offers to callers stands in ``described``, as ``enfilade describe NAME`` prints it; when a name, a type,
a default or a refusal changes, write that file anew with the command and look at the difference.
"""

from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from tests.conftest import Run

from enfilade.check.program import Checked, check_source
from enfilade.core import ir
from enfilade.diagnostics.render import render_text
from enfilade.source.finder import Folders
from enfilade.source.shipped import shipped_dir
from enfilade.source.text import SourceFile
from enfilade.syntax.parser import parse_module
from enfilade.syntax.unparse import unparse
from enfilade.tools.coverage import Tracker
from enfilade.tools.examples import run_examples
from enfilade.tools.format import format_text

DESCRIBED: Final = sorted(Path(__file__).with_name("described").glob("*.txt"))
RULESETS: Final = sorted(shipped_dir("rulesets").rglob("*.rules"))
SHIPPED: Final = [*RULESETS, *sorted(shipped_dir("stdlib").rglob("*.rules"))]
GAMES: Final = sorted((Path(__file__).parents[1] / "generality").glob("*.rules"))
LARGE: Final = (
    "bolt_action", "botch_and_push", "deadlands", "fire_combat", "franco_prussian", "freedom_in_the_galaxy", "king_of_tokyo", "melee",
    "savage_worlds", "star_fleet_damage",
)  # fmt: skip
"""What is long to parse, or whose examples state chances that take seconds."""


@cache
def checked(path: Path) -> Checked:
    return check_source(SourceFile.from_path(path), Folders())


def program_of(path: Path) -> ir.Program:
    program = checked(path).program
    assert program is not None
    return program


def each(paths: list[Path]) -> Any:
    """A test for each file; by default those that are shipped and every third game, if they are not large."""
    light = [path for path in (*SHIPPED, *DESCRIBED, *GAMES[::3]) if path.stem not in LARGE]
    marks = {path: [] if path in light else [pytest.mark.thorough] for path in paths}
    return pytest.mark.parametrize("path", [pytest.param(path, id=path.stem, marks=marks[path]) for path in paths])


# The one cell of all shipped charts that breaks the severity which its chart declares: it is so in print.
AS_PRINTED: Final = {"fire_combat": ["severity-break: `M` after `1` breaks the rule `severity never falls down`"]}


@each([*SHIPPED, *GAMES])
def test_a_file_checks_without_errors_and_warnings_but_for_what_is_printed_so(path: Path) -> None:
    found = [f"{each.code}: {each.message}" for each in checked(path).diagnostics]
    assert found == AS_PRINTED.get(path.stem, [])


@each([*SHIPPED, *GAMES])
def test_the_examples_of_a_file_pass(path: Path) -> None:
    program = program_of(path)
    assert [render_text(found) for result in run_examples(program) for found in result.diagnostics] == []
    assert len(program.examples) >= 3


@each(DESCRIBED)
def test_the_examples_of_a_shipped_ruleset_reach_every_row_column_modifier_code_and_refusal(path: Path) -> None:
    program = program_of(shipped_dir("rulesets") / path.stem / f"{path.stem}.rules")
    tracker = Tracker(program)
    played = [result.procedure for result in run_examples(program, tracker)]
    counts = tracker.coverage(played).counts
    assert {count.kind: count.never for count in counts if count.never and count.kind != "cells"} == {}
    assert sum(count.total for count in counts) > 15


@pytest.mark.parametrize("path", DESCRIBED, ids=lambda path: path.stem)
def test_a_shipped_ruleset_offers_the_names_that_callers_rely_on(path: Path, run: Run) -> None:
    assert run("describe", path.stem) == (0, path.read_text(encoding="utf-8"), "")


@each(SHIPPED)
def test_a_shipped_file_is_the_same_tree_when_it_is_printed_and_when_it_is_laid_out(path: Path) -> None:
    source = SourceFile.from_path(path)
    module = parse_module(source).module
    for text in (unparse(module), format_text(source.text)):
        assert parse_module(SourceFile.from_text(text)).module == module


def test_the_shipped_rulesets_are_the_five_that_are_described_and_the_games_are_many() -> None:
    assert [path.stem for path in DESCRIBED] == sorted({path.parent.name for path in RULESETS})
    assert len(DESCRIBED) == 5
    assert len(GAMES) >= 14
