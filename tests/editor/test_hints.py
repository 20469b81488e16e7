"""Inlay hints: ranges at the axes of charts, and the chance of each row of dice."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Final

import enfilade
from enfilade.editor import Hint, analyse

ROOT: Final = Path(__file__).resolve().parents[2]
FACTS: Final = "facts\n  strength 1..9\n  wind one of north, south\n\n"
ROWS: Final = "\n  | Roll | Result |\n  |  2-6 |   -    |\n  |   7  |   X    |\n  | 8-12 |   Y    |\n"


def hints(text: str) -> list[tuple[str, str]]:
    """Each hint: the text on its line before it, and the hint."""
    found = analyse(text).inlay_hints(0, len(text))
    return [(before(each), each.text) for each in found]


def before(hint: Hint) -> str:
    text = hint.span.source.text
    return text[text.rfind("\n", 0, hint.span.end) + 1 : hint.span.end].strip()


def test_each_row_of_dice_has_its_exact_chance() -> None:
    assert hints("chart table\n  down 2d6\n" + ROWS) == [
        ("|  2-6 |   -    |", "15/36  41.67 %"),
        ("|   7  |   X    |", "6/36  16.67 %"),
        ("| 8-12 |   Y    |", "15/36  41.67 %"),
    ]


def test_rolls_that_stay_on_an_edge_count_for_its_row() -> None:
    rows = ROWS.replace("8-12", "8-9 ").replace("2-6", "5-6")
    found = hints("chart table\n  down 2d6\n  row above stays\n  row below gives -\n" + rows)
    assert [each for _, each in found] == ["9/36  25.00 %", "6/36  16.67 %", "15/36  41.67 %"]


def test_declared_faces_count_what_they_are_worth() -> None:
    text = "die low faces 0, 0 as 1, 3\n\nchart table\n  down low\n\n  | R | C |\n  | 0 | - |\n  | 1-3 | X |\n"
    assert [each for _, each in hints(text)] == ["1/3  33.33 %", "2/3  66.67 %"]


def test_a_die_with_words_counts_the_sides_of_each() -> None:
    text = "die hit faces 4 x miss, 2 x hit\n\nchart table\n  down hit\n\n  | R | C |\n  | miss | - |\n  | hit | X |\n"
    assert [each for _, each in hints(text)] == ["4/6  66.67 %", "2/6  33.33 %"]


def test_the_range_of_a_number_follows_its_axis() -> None:
    text = (
        FACTS
        + "chart table\n  down 1d6\n  across strength\n\n  | R | 1-4 | 5-9 |\n  | 1-3 | - | X |\n  | 4-6 | X | X |\n"
    )
    found = hints(text)
    assert found[0] == ("across strength", ": 1..9")
    assert len(found) == 3


def test_words_and_stated_ranges_have_no_hint() -> None:
    text = (
        FACTS + "chart table\n  down 0..1\n  across wind\n\n  | R | north | south |\n  | 0 | - | X |\n  | 1 | X | X |\n"
    )
    assert hints(text) == []


def test_dice_printed_across_and_dice_without_a_fixed_number_have_no_chance_of_a_row() -> None:
    across = "chart table\n  across 1d6\n\n  | 1-3 | 4-6 |\n  | - | X |\n"
    assert hints(across) == []


def test_a_note_tells_that_modifiers_are_left_out() -> None:
    modified = (
        "chart table\n  down 2d6\n  row below stays\n"
        + ROWS
        + "\nmodifiers drm add to roll of table\n  -1 wind_north wind is north\n"
    )
    found = analyse(FACTS + modified).inlay_hints(0, 1000)
    assert {each.note for each in found} == {"the chance without die roll modifiers"}


def test_a_chart_keeps_its_hints_while_another_declaration_has_a_mistake() -> None:
    assert len(hints("define a = nothing\n\nchart table\n  down 2d6\n" + ROWS)) == 3


def test_only_the_hints_of_the_part_that_is_asked_for_are_told() -> None:
    text = "chart table\n  down 2d6\n" + ROWS
    end = text.index("|   7")
    assert [before(each) for each in analyse(text).inlay_hints(0, end)] == ["|  2-6 |   -    |"]


def test_the_chances_of_shipped_charts_are_those_of_the_odds() -> None:
    path = ROOT / "rulesets/infantry_attacks/infantry_attacks.rules"
    text = path.read_text(encoding="utf-8")
    found = [each for each in analyse(text, path=path).inlay_hints(0, len(text)) if each.kind == "chance"]
    odds = enfilade.load(path).odds("direct_fire", fire_value=16).of("roll")
    told = {int(before(each).split("|")[1]): Fraction(each.text.split()[0]) for each in found}
    assert told == {total: odds[total] for total in range(2, 13)}
