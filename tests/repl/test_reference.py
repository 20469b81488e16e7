"""Whatever a player asks about the rules at the prompt is answered in the words of the reference card."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from enfilade.language import plain
from enfilade_repl.session import Session

Typed = Callable[..., str]

USE = "use infantry_attacks"


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("help M1", "M1  Morale check [14.1]"),
        ("help M1", "checks morale (modifier 1) [14.1]"),
        ("help 2X", "2X  Step losses [7.61, 14.1, 6.7]"),
        ("help -", "-  No Effect"),
        ("help night", "Night turn"),
        ("help adj", "adjacent_to_all"),
        ("help town", "town is a value of terrain"),
        ("help table-gap", "What it finds"),
        ("explain table-gap", "What it finds"),
        ("describe direct_fire", "fire value of the firing units"),
        ("modifiers", "Column Modifiers [7.5]  columns, + to the right"),
        ("modifiers", "but −1  Entrenchment is in town or woods [16.3]"),
        ("results", "M#  Morale check (M means M0) [14.1]"),
        ("options", "flanking_fire"),
        ("chart", "Shifted off the right: use the last column A4"),
        ("chart dir", "Column Modifiers [7.5]"),
        ("card", "Assumed by the author of the rules"),
        ("games", "franco_prussian   Franco-Prussian: a quick reference sheet"),
    ],
)
def test_a_question_about_the_rules_is_answered(typed: Typed, entry: str, told: str) -> None:
    assert told in typed(USE, entry)


def test_a_code_is_told_for_each_chart_that_has_it(typed: Typed) -> None:
    told = typed("use fire_combat", "help M")
    assert "M  Morale check" in told
    assert "the target makes a morale check" in told


def test_a_ruleset_without_codes_says_so(typed: Typed) -> None:
    assert "This ruleset has no result codes." in typed("use emperor_musketry", "results")


def test_words_may_be_cut_short_where_one_name_begins_so(session: Session, typed: Typed) -> None:
    typed("use inf", "dir 16 town", "4 3")
    assert session.last.given == {"fire_value": 16, "terrain": ["town"]}
    assert "all of ranges is 1" in typed("why not adj")
    assert "with these dice" in typed("whatif night")


def test_a_beginning_of_several_names_is_no_command(session: Session, typed: Typed) -> None:
    typed("use franco_prussian")
    assert plain(session.enter("mel").lines).startswith('There is no command "mel"')


def test_a_piece_may_have_a_name_of_several_words(session: Session, typed: Typed) -> None:
    typed(USE, 'unit "Old Guard" infantry 2 steps', 'unit "1/5": kind mg', 'direct_fire 45 "Old Guard", "1/5"', "6 5")
    typed("cancel", '"Old Guard" 1 steps')
    assert {name: piece.fields.get("steps") for name, piece in session.state.pieces.items()} == {
        "Old Guard": 1,
        "1/5": None,
    }
    assert 'unit "Old Guard": kind infantry, steps 1' in typed("table")


def test_after_a_combat_only_what_happened_is_told(typed: Typed) -> None:
    told = typed(USE, "direct_fire 16 town", "4 3")
    assert "result  No Effect" in told
    assert "nothing" not in told
    assert "hex_shift" not in told
    assert "hex_shift               -2" in typed("outputs")
