"""The page of the standard library lists each module with all that it declares, and every block of it is a ruleset."""

import re
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import Final

import pytest

import enfilade
from enfilade.check.program import Checked, check_source
from enfilade.diagnostics.render import render_text
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


@pytest.mark.parametrize("text", [OWN_WORDS, COUNTED_ONCE], ids=["own words", "counted once"])
def test_a_game_changes_and_chains_what_it_takes_from_the_library(text: str) -> None:
    checked = check_source(SourceFile.from_text(text, "game.rules"), Folders())
    assert [render_text(found) for found in checked.diagnostics] == []
    assert checked.program is not None
    assert [render_text(found) for result in run_examples(checked.program) for found in result.diagnostics] == []


def odds(attack: int, defence: int) -> tuple[Fraction, Fraction]:
    """By hand: the larger is divided by the smaller, and the fraction goes to the side that is favoured."""
    if attack >= defence:
        return Fraction(floor(Fraction(attack, defence))), Fraction(ceil(Fraction(attack, defence)))
    return Fraction(1, ceil(Fraction(defence, attack))), Fraction(1, floor(Fraction(defence, attack)))


def test_odds_are_those_worked_out_by_hand() -> None:
    rules = enfilade.load(str(shipped_dir("stdlib") / "odds.rules"))
    for attack in range(1, 16):
        for defence in range(1, 16):
            found = rules.resolve("find_odds", attack=attack, defence=defence, dice=[]).outputs
            assert (found["result"], found["generous"]) == odds(attack, defence)
            ratio = Fraction(found["result"])
            assert found["place"] == (ratio - 1 if ratio >= 1 else 1 - 1 / ratio)
            assert found["shifted"] == ratio


def test_d66_places_count_every_reading_once() -> None:
    rules = enfilade.load(str(shipped_dir("stdlib") / "dice.rules"))
    readings = [10 * tens + units for tens in range(1, 7) for units in range(1, 7)]
    for place, reading in enumerate(readings):
        for steps in (-36, -7, -1, 0, 1, 6, 36):
            moved = rules.resolve("moved_d66", modifier=steps, dice=[*divmod(reading, 10)]).result
            assert moved == readings[min(max(place + steps, 0), 35)]
