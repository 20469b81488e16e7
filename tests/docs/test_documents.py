"""Every block of the reference and the cookbook that is marked as rules is a ruleset: it checks clean, and its examples pass."""

import re
from pathlib import Path
from typing import Final

import pytest

from enfilade.check.program import check_source
from enfilade.diagnostics.render import render_text
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.tools.examples import run_examples

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
REFERENCE: Final = DOCS / "language.md"
COOKBOOK: Final = DOCS / "cookbook.md"
GLOSSARY: Final = DOCS / "glossary.md"


def blocks(page: Path) -> dict[str, str]:
    """The blocks of rules, by the heading above them; a block marked ``rules variant`` extends a shipped ruleset."""
    found: dict[str, str] = {}
    heading = ""
    for piece in re.finditer(
        r"^##+ ([^\n]+)$|^```rules(?: variant)?\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S
    ):
        heading = piece[1] or heading
        if piece[2] is not None:
            number = sum(name.startswith(heading) for name in found) + 1
            found[f"{heading} {number}"] = piece[2]
    return found


BLOCKS: Final = blocks(REFERENCE) | blocks(COOKBOOK)


def test_the_reference_shows_rules() -> None:
    assert len(blocks(REFERENCE)) >= 12


def test_each_recipe_has_an_example() -> None:
    recipes = blocks(COOKBOOK)
    assert len(recipes) >= 20
    assert [name for name, text in recipes.items() if "\nexample" not in text] == []


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_of_the_reference_checks_without_errors_and_warnings(name: str) -> None:
    checked = check_source(SourceFile.from_text(BLOCKS[name], "guide.md"), Folders())
    assert [render_text(found) for found in checked.diagnostics] == []


@pytest.mark.parametrize("name", BLOCKS)
def test_the_examples_of_a_block_pass(name: str) -> None:
    program = check_source(SourceFile.from_text(BLOCKS[name], "guide.md"), Folders()).program
    assert program is not None
    failures = [render_text(found) for result in run_examples(program) for found in result.diagnostics]
    assert failures == []


def test_the_glossary_has_one_sentence_for_each_term_in_alphabetical_order() -> None:
    tables = GLOSSARY.read_text(encoding="utf-8").split("\n## ")[1:]
    for table in tables:
        rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", table, re.M)[1:]
        terms = [term for term, _ in rows]
        assert terms == sorted(terms)
        assert [meaning for _, meaning in rows if meaning.count(". ") or not meaning.endswith(".")] == []
