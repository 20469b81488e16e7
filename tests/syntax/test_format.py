"""``enfilade fmt``: what is laid out, and what is left alone."""

from pathlib import Path
from typing import Final

import pytest
from tests.fuzz.seeds import shipped_texts

from enfilade.source.text import SourceFile
from enfilade.syntax.parser import parse_module
from enfilade.syntax.trivia import scan_lines
from enfilade.tools.format import format_source, format_text

ROOT: Final = Path(__file__).resolve().parents[2]
SHIPPED: Final = shipped_texts()


def test_fields_stand_in_columns() -> None:
    text = 'facts\n    a 1..   = 2 "first"  [1.2]\n    fire_value yes/no [3]\n    b  one of x,  y "why"\n'
    assert format_text(text) == (
        "facts\n"
        '  a           1.. = 2      "first"  [1.2]\n'
        "  fire_value  yes/no                [3]\n"
        '  b           one of x, y  "why"\n'
    )


def test_modifiers_stand_in_columns_and_exceptions_below_the_name() -> None:
    text = "modifiers m\n -2 in_cover   dug_in [8.1]\n   but -1 when woods [8.2]\n -1 night night\n for each unit\n   +1 gun kind is gun\n"
    assert format_text(text) == (
        "modifiers m\n"
        "  -2  in_cover  dug_in   [8.1]\n"
        "      but -1 when woods  [8.2]\n"
        "  -1  night     night\n"
        "  for each unit\n"
        "    +1  gun  kind is gun\n"
    )


def test_options_below_each_other_stand_in_columns() -> None:
    text = 'option fog "Fog"\noption low_edge one of a, b = a [2]\n\noption far\n'
    assert format_text(text) == (
        'option  fog                        "Fog"\noption  low_edge  one of a, b = a         [2]\n\noption  far\n'
    )


def test_rows_have_bars_in_line() -> None:
    text = "chart c\n  down d6\n| Roll |1| 11+|\n      |2..4|-|M|   -- low\n"
    assert format_text(text) == "chart c\n  down d6\n  | Roll | 1 | 11+ |\n  | 2..4 | - |  M  |  -- low\n"


def test_rows_split_by_tabs_get_bars() -> None:
    text = "chart c\n  down d6\nRoll\t1\t2\n2\t-\tM1\n\nfacts\n  a  1..\n"
    assert format_text(text) == "chart c\n  down d6\n  | Roll | 1 |  2 |\n  |   2  | - | M1 |\n\nfacts\n  a  1..\n"


def test_a_pasted_row_with_a_bar_in_a_cell_keeps_its_tabs() -> None:
    text = "chart c\n  down d6\n2\ta|b\n"
    assert format_text(text) == "chart c\n  down d6\n  2\ta|b\n"


def test_the_block_of_a_numbered_step_stands_below_its_text() -> None:
    text = (
        "procedure p\n   9.  when a\n         stop\n       otherwise\n         when b\n            stop\n   10. stop\n"
    )
    assert format_text(text) == (
        "procedure p\n  9. when a\n       stop\n     otherwise\n       when b\n         stop\n  10. stop\n"
    )


def test_comments_keep_their_words_and_stand_with_their_block() -> None:
    text = "-- top\nfacts -- known\n      -- first\n      a 1..   --   as it is\n\n\n\n      b 1..\n-- end\n"
    assert format_text(text) == "-- top\nfacts  -- known\n  -- first\n  a  1..  --   as it is\n\n  b  1..\n-- end\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_become_one_kind_and_blanks_at_ends_go(end: str) -> None:
    assert format_text(f"{end}facts  {end}  a  1..\t{end}{end}{end}") == "facts\n  a  1..\n"


def test_a_text_that_can_not_be_read_is_left_alone_with_its_diagnostics() -> None:
    text = "facts\n      a  1.. 2\n"
    formatted = format_source(SourceFile("<text>", text))
    assert formatted.text == text
    assert [found.code for found in formatted.diagnostics] == ["syntax"]
    assert format_text(text) == text


def test_look_alikes_stay_unless_they_are_to_be_fixed() -> None:
    text = 'chart c "Μ"\n  down d6\n  | 1 | М |  -- Х\n'
    assert format_text(text) == text
    assert format_text(text, fix=True) == 'chart c "Μ"\n  down d6\n  | 1 | M |  -- Х\n'
    assert len(format_source(SourceFile("<text>", text)).diagnostics) == 1
    assert format_source(SourceFile("<text>", text), fix=True).diagnostics == ()


def test_dashes_in_labels_and_cells_are_no_comments() -> None:
    text = 'chart c "a -- b"\n  down d6\n  | 1 | -- | -- |  -- a comment\n'
    assert [line.comment for line in scan_lines(text)] == ["", "", "-- a comment", ""]
    assert format_text(text) == text


@pytest.mark.parametrize("text", SHIPPED)
def test_shipped_texts_are_laid_out_for_good(text: str) -> None:
    made = format_text(text)
    assert format_text(made) == made
    # Had the result been dropped, the blanks would still be there.
    assert format_text(text.replace("\n", "  \n")) == made


def test_an_empty_text_stays_empty() -> None:
    assert format_text("") == ""
    assert format_text("\n\n  \n") == ""
    assert format_text("-- only a comment") == "-- only a comment\n"


def test_laying_out_changes_no_tree() -> None:
    text = "effect e (unit)\n      unit.steps becomes 1\n      when a: stop\n      otherwise:   stop\n"
    made = format_text(text)
    assert made != text
    assert parse_module(SourceFile("<text>", made)).module == parse_module(SourceFile("<text>", text)).module
