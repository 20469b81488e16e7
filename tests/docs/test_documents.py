"""Blocks of rules on pages are rulesets that check clean and whose examples pass; the page of the library lists all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import Final

import pytest

import enfilade
from enfilade.check.program import check_source
from enfilade.diagnostics.render import render_text
from enfilade.source.finder import Folders
from enfilade.source.shipped import shipped_dir
from enfilade.source.text import SourceFile
from enfilade.syntax import tree as t
from enfilade.syntax.parser import parse_module
from enfilade.tools.examples import run_examples

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
PAGES: Final = {
    "language": DOCS / "language.md",
    "cookbook": DOCS / "cookbook.md",
    "library": shipped_dir("stdlib") / "README.md",
}
MODULES: Final = {path.stem: path for path in sorted(shipped_dir("stdlib").glob("*.rules"))}
PAGE: Final = PAGES["library"].read_text(encoding="utf-8")
SECTIONS: Final = {piece[1]: piece[2] for piece in re.finditer(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)}
NAMED: Final = t.Define | t.Procedure | t.Die | t.Effect | t.Record | t.Words
_PIECE: Final = re.compile(r"^##+ ([^\n]+)$|^```rules(?: variant)?\n(.*?)^```", re.M | re.S)

# A game changes words, definitions and effects of the library.
OWN_WORDS: Final = """enfilade 1
ruleset own_words
use steps
use morale

replace words morale_state  one of good, disordered, fled

replace define worse_morale (state morale_state)
  disordered  when state is good
  fled        when state is disordered
  state       otherwise

replace define better_morale (state morale_state)
  good        when state is disordered
  disordered  when state is fled
  state       otherwise

replace effect eliminate "is captured" (unit)
  unit.eliminated becomes yes
  for each load in squads where loaded_on is unit and not eliminated
    eliminate on load

add to record unit
  loaded_on  unit or none = none

facts
  squads  list of unit

procedure surprise
  1. step_loss on item 1 of squads with amount 1
  2. give result = morale_after(good, 3, 3)

example "a cargo that knows its carrier, and morale by other names"
  given squads [a, b (loaded_on a)]
  gives fled
  effect eliminate on a
  effect eliminate on b
"""

# A game chains procedures of the library.
COUNTED_ONCE: Final = """enfilade 1
ruleset counted_once
use allocation

facts
  squads  list of unit

procedure two_attacks
  1. step_loss on item 1 of squads with amount 1
  2. call owner_allocates with targets squads, losses 1 as choice
  3. call allocates_evenly with targets squads, losses 3 as even
  4. call take_losses with target (item 1 of squads), loss 1 as more
  5. give hit   = choice.hit
  6. give spare = [choice.spare, even.spare, more.spare]
  7. give gone  = more.eliminated

example "a was lost before, and isn't hit again"
  given squads [a, b (steps 3)]
  expect hit is [b] and spare is [0, 1, 1] and gone is []

example "nobody at all"
  given squads [a]
  expect hit is [] and spare is [1, 3, 1]
"""
TOGETHER: Final = "enfilade 1\nruleset all_of_it\n" + "".join(f"use {name}\n" for name in MODULES)


def blocks(page: str) -> Iterator[tuple[str, str]]:
    """The blocks of a page, by the heading above them; a block marked ``rules variant`` extends a shipped ruleset."""
    heading = ""
    for number, piece in enumerate(_PIECE.finditer(PAGES[page].read_text(encoding="utf-8"))):
        heading = piece[1] or heading
        if piece[2] is not None:
            yield f"{page}: {heading} {number}", piece[2]


TEXTS: Final = {name: text for page in PAGES for name, text in blocks(page)} | {
    "own words": OWN_WORDS,
    "counted once": COUNTED_ONCE,
    "the library together": f"{TOGETHER}procedure p\n  1. give result = 1\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_block_checks_without_errors_and_warnings_and_its_examples_pass(name: str) -> None:
    checked = check_source(SourceFile.from_text(TEXTS[name], "guide.md"), Folders())
    assert [render_text(found) for found in checked.diagnostics] == []
    assert checked.program is not None
    assert [render_text(found) for result in run_examples(checked.program) for found in result.diagnostics] == []


def test_each_recipe_and_each_use_of_the_library_has_an_example() -> None:
    shown = [name for name in TEXTS if not name.startswith("language")]
    assert len(TEXTS) - len(shown) >= 12
    assert len(shown) >= 20 + len(MODULES)
    assert [name for name in shown if "\nexample" not in TEXTS[name] and name != "the library together"] == []


def test_the_glossary_has_one_sentence_for_each_term_in_alphabetical_order() -> None:
    for table in (DOCS / "glossary.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", table, re.M)[1:]
        assert rows == sorted(rows)
        assert [meaning for _, meaning in rows if meaning.count(". ") or not meaning.endswith(".")] == []


# -- the standard library


def test_the_page_of_the_library_has_a_section_and_a_line_for_each_module() -> None:
    assert sorted(SECTIONS) == sorted(re.findall(r"^\| \[`(\w+)`\]", PAGE, re.M)) == list(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_the_page_of_the_library_uses_a_module_and_names_all_that_it_declares(name: str) -> None:
    module = parse_module(SourceFile.from_path(MODULES[name])).module
    prose, block = SECTIONS[name].split("```rules\n")
    assert f"use {name}\n" in block
    assert {d.name.name for d in module.declarations if isinstance(d, NAMED)} - set(
        re.findall(r"`(\w+)", prose)
    ) == set()


@pytest.mark.parametrize("name", MODULES)
def test_a_module_asks_a_game_for_nothing_and_has_examples(name: str) -> None:
    program = check_source(SourceFile.from_path(MODULES[name]), Folders()).program
    assert program is not None
    assert program.examples
    assert not program.facts


def odds(attack: int, defence: int) -> tuple[Fraction, Fraction]:
    """By hand: the larger is divided by the smaller, and the fraction goes to the side that is favoured."""
    if attack >= defence:
        return Fraction(floor(Fraction(attack, defence))), Fraction(ceil(Fraction(attack, defence)))
    return Fraction(1, ceil(Fraction(defence, attack))), Fraction(1, floor(Fraction(defence, attack)))


def test_odds_are_those_worked_out_by_hand() -> None:
    rules = enfilade.load(MODULES["odds"])
    for attack in range(1, 16):
        for defence in range(1, 16):
            found = rules.resolve("find_odds", attack=attack, defence=defence, dice=[]).outputs
            ratio, generous = odds(attack, defence)
            place = ratio - 1 if ratio >= 1 else 1 - 1 / ratio
            expected = {"result": ratio, "generous": generous, "place": place, "shifted": ratio}
            assert {name: found[name] for name in expected} == expected


@pytest.mark.thorough
def test_d66_places_count_every_reading_once() -> None:
    rules = enfilade.load(MODULES["dice"])
    readings = [10 * tens + units for tens in range(1, 7) for units in range(1, 7)]
    for place, reading in enumerate(readings):
        for steps in (-36, -7, -1, 0, 1, 6, 36):
            moved = rules.resolve("moved_d66", modifier=steps, dice=[*divmod(reading, 10)]).result
            assert moved == readings[min(max(place + steps, 0), 35)]
