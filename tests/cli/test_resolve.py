"""``enfilade resolve``: files of facts, values from words, and somebody at the keyboard.

What it prints is on the page ``resolve.md``.
"""

from __future__ import annotations

import json
import sys
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Final

import pytest
from tests.conftest import Run

import enfilade
from enfilade.language import EntryReader, read_value
from enfilade.types import Bool, ListOf, Maybe, Num, Type, Word, WordSet

GAME: Final = """\
players owner
record unit
  steps  0.. = 1
facts
  strength  number 0..  "strength of the firer"
  units     list of unit
procedure fire "Fire"
  1. roll 2d6 as dice
  2. owner chooses victim among units "who is hit", if any
  3. give result = dice
  4. give strength
"""
FIRE: Final = ("resolve", "game.rules", "fire")


@pytest.fixture(autouse=True)
def game(folder: Path) -> None:
    """Work where the game is."""
    (folder / "game.rules").write_text(GAME)


@pytest.mark.parametrize("text", ["[1]", "{", "", '{"strength": NaN}', "[" * 100_000, "\ud800"])
def test_a_file_of_facts_that_is_none_is_bad_input(text: str, run: Run) -> None:
    Path("given.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    code, shown, complaint = run(*FIRE, "--facts", "given.json")
    assert (code, shown) == (2, "")
    assert complaint.startswith("enfilade: ")


def test_what_is_wrong_goes_where_errors_go_and_data_say_it_themselves(run: Run) -> None:
    assert run(*FIRE, "strength=x")[:2] == (2, "")
    code, shown, complaint = run(*FIRE, "strength=x", "--json")
    assert (code, json.loads(shown)["status"], complaint) == (2, "input_error", "")
    assert run(*FIRE, "strength=1", "--why=tiny")[0] == 2


def test_a_seed_repeats_the_dice_of_the_library(run: Run) -> None:
    dice = json.loads(run(*FIRE, "strength=1", "--seed", "5", "--json")[1])["dice"]
    assert enfilade.load(Path("game.rules")).resolve("fire", strength=1, seed=5).to_json()["dice"] == dice


def test_an_event_is_played_to_data_and_is_no_procedure(run: Run) -> None:
    told = ("bv=4", "mover=hussars", "target_type=cavalry", "zoc_by=hussars")
    (reaction,) = json.loads(
        run("resolve", "bombardment", "unit_moved_into_contact", *told, "--seed", "7", "--json")[1]
    )
    assert reaction["outcome"]["status"] == "resolved"
    with pytest.raises(enfilade.InputError, match="is an event, not a procedure; report it with `notify`"):
        enfilade.load("bombardment").resolve("unit_moved_into_contact")


# ------------------------------------------------------------------------------------------ somebody at the keyboard


class Keyboard(StringIO):
    """What a person types."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("typed", "given", "code", "asked", "shown"),
    [
        pytest.param(
            "much\n2\nc\nb\n", ["units.a.steps=1", "units.b.steps=1", "--dice", "1,2"], 0,
            {"strength, strength of the firer (": 2, "owner: who is hit (a, b):": 2}, "choice  victim: b",
            id="until the answer is legal",
        ),
        pytest.param(
            "\n", ["strength=1", "--dice", ""], 0,
            {"dice, 2d6 (Enter to roll, or type the dice):": 1}, "dice    dice: ", id="for dice",
        ),
        pytest.param("", [], 2, {"enfilade: no answer was entered\n": 1}, "", id="with nothing to say"),
    ],
)  # fmt: skip
def test_a_person_is_asked_for_what_is_missing(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    given: list[str],
    code: int,
    asked: dict[str, int],
    shown: str,
) -> None:
    monkeypatch.setattr(sys, "stdin", Keyboard(typed))
    ended, out, said = run(*FIRE, *given)
    assert (ended, {text: said.count(text) for text in asked}) == (code, asked)
    assert shown in out


TYPES: Final[tuple[Type, ...]] = (
    Num(), Bool(), Word(("town", "none")), WordSet(("town", "woods")), ListOf(Num()), Maybe(Num()),
)  # fmt: skip


def test_simple_values_are_those_of_the_parser_and_others_are_reported_as_they_were_typed() -> None:
    rules = enfilade.load("infantry_attacks")
    for text, type_ in product(("7", "town", "town,woods", "1,2", "yes", "on", "none", "x1", "no"), TYPES):
        parsed = EntryReader(rules, keys=True).value(type_, f" {text}  ", "it")
        assert read_value(rules, type_, text) == parsed, (text, type_)
    for text in ("7", "town", "[1, 2]", "yes"):
        assert read_value(rules, None, text) == text


def test_words_are_taken_in_any_case(run: Run) -> None:
    shot = ("resolve", "infantry_attacks", "direct_fire", "fire_value=16", "--dice", "4,3", "--why", "short")
    assert run(*shot, "terrain=Town,WOODS", "night=YES") == run(*shot, "terrain=town,woods", "night")
