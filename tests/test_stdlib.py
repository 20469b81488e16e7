"""The page of the standard library lists each module with all that it declares, and every block of it is a ruleset."""

import re
from pathlib import Path
from typing import Final

import pytest

from enfilade.check.program import Checked, check_source
from enfilade.diagnostics import render_text
from enfilade.source.finder import Folders
from enfilade.source.shipped import shipped_dir
from enfilade.source.text import SourceFile
from enfilade.syntax import tree as t
from enfilade.syntax.parser import parse_module
from enfilade.tools.examples import run_examples

MODULES: Final = sorted(shipped_dir("stdlib").glob("*.rules"))
PAGE: Final = (shipped_dir("stdlib") / "README.md").read_text(encoding="utf-8")
SECTIONS: Final = {piece[1]: piece[2] for piece in re.finditer(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)}
NAMED: Final = t.Define | t.Procedure | t.Die | t.Effect | t.Record | t.Words

each_module = pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)


def block(name: str) -> SourceFile:
    (text,) = re.findall(r"^```rules\n(.*?)^```", SECTIONS[name], re.M | re.S)
    return SourceFile.from_text(text, "README.md")


def check(name: str) -> Checked:
    return check_source(block(name), Folders())


def test_the_page_has_a_section_and_a_line_for_each_module() -> None:
    assert sorted(SECTIONS) == [path.stem for path in MODULES]
    assert sorted(re.findall(r"^\| \[`(\w+)`\]", PAGE, re.M)) == [path.stem for path in MODULES]


@each_module
def test_the_page_names_all_that_a_module_declares(path: Path) -> None:
    declared = {
        d.name.name for d in parse_module(SourceFile.from_path(path)).module.declarations if isinstance(d, NAMED)
    }
    prose = SECTIONS[path.stem].split("```rules")[0]
    assert declared - set(re.findall(r"`(\w+)", prose)) == set()


@each_module
def test_the_use_of_a_module_checks_without_errors_and_warnings(path: Path) -> None:
    assert f"use {path.stem}\n" in block(path.stem).text
    assert [render_text(found) for found in check(path.stem).diagnostics] == []


@each_module
def test_the_examples_of_the_use_pass(path: Path) -> None:
    program = check(path.stem).program
    assert program is not None
    assert program.examples
    assert [render_text(found) for result in run_examples(program) for found in result.diagnostics] == []


@each_module
def test_a_module_asks_a_game_for_nothing_and_has_examples(path: Path) -> None:
    program = check_source(SourceFile.from_path(path), Folders()).program
    assert program is not None
    assert program.examples
    assert not program.facts


def test_all_modules_may_be_used_together() -> None:
    uses = "".join(f"use {path.stem}\n" for path in MODULES)
    game = SourceFile.from_text(
        f"enfilade 1\nruleset all_of_it\n{uses}procedure p\n  1. give result = 1\n", "all.rules"
    )
    assert [render_text(found) for found in check_source(game, Folders()).diagnostics] == []
