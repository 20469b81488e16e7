"""Whatever is shipped checks clean, does what its examples say, and reads the same when it is printed."""

from functools import cache
from pathlib import Path
from typing import Final

import pytest

from enfilade.check.program import Checked, check_source
from enfilade.diagnostics.render import render_text
from enfilade.source.finder import Folders
from enfilade.source.shipped import shipped_dir
from enfilade.source.text import SourceFile
from enfilade.syntax.parser import parse_module
from enfilade.syntax.unparse import unparse
from enfilade.tools.examples import run_examples
from enfilade.tools.format import format_text

FILES: Final = sorted([*shipped_dir("rulesets").rglob("*.rules"), *shipped_dir("stdlib").rglob("*.rules")])
RULESETS: Final = [path for path in FILES if shipped_dir("rulesets") in path.parents]

each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
each_ruleset = pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)


@cache
def checked(path: Path) -> Checked:
    return check_source(SourceFile.from_path(path), Folders())


def test_infantry_attacks_is_shipped() -> None:
    assert "infantry_attacks" in [path.stem for path in RULESETS]


# The one cell of all shipped charts that breaks the severity which its chart declares: it is so in print.
AS_PRINTED: Final = {"fire_combat": ["severity-break: `M` after `1` breaks the rule `severity never falls down`"]}


@each_file
def test_a_shipped_file_checks_without_errors_and_warnings_but_for_what_is_printed_so(path: Path) -> None:
    found = [f"{each.code}: {each.message}" for each in checked(path).diagnostics]
    assert found == AS_PRINTED.get(path.stem, [])


@each_file
def test_the_examples_of_a_shipped_file_pass(path: Path) -> None:
    program = checked(path).program
    assert program is not None
    assert [render_text(found) for result in run_examples(program) for found in result.diagnostics] == []


@each_ruleset
def test_a_shipped_ruleset_has_examples(path: Path) -> None:
    program = checked(path).program
    assert program is not None
    assert program.examples


@each_file
def test_a_shipped_file_is_the_same_tree_when_printed_and_parsed_again(path: Path) -> None:
    module = parse_module(SourceFile.from_path(path)).module
    assert parse_module(SourceFile.from_text(unparse(module))).module == module


@each_file
def test_a_shipped_file_means_the_same_when_laid_out(path: Path) -> None:
    source = SourceFile.from_path(path)
    again = parse_module(SourceFile.from_text(format_text(source.text)))
    assert again.module == parse_module(source).module
