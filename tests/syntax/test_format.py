"""``enfilade fmt``: what is laid out, and what is left alone."""

from typing import Final

import pytest
from tests.fuzz.seeds import shipped_texts

from enfilade.source.text import SourceFile
from enfilade.syntax.parser import parse_module
from enfilade.syntax.trivia import scan_lines
from enfilade.tools.format import format_source, format_text

SHIPPED: Final = shipped_texts()

LAID_OUT: Final = {
    "fields stand in columns": (
        'facts\n    a 1..   = 2 "first"  [1.2]\n    fire_value yes/no [3]\n    b  one of x,  y "why"\n',
        "facts\n"
        '  a           1.. = 2      "first"  [1.2]\n'
        "  fire_value  yes/no                [3]\n"
        '  b           one of x, y  "why"\n',
    ),
    "modifiers stand in columns, and exceptions below the name": (
        "modifiers m\n -2 in_cover   dug_in [8.1]\n   but -1 when woods [8.2]\n -1 night night\n for each unit\n   +1 gun kind is gun\n",
        "modifiers m\n"
        "  -2  in_cover  dug_in   [8.1]\n"
        "      but -1 when woods  [8.2]\n"
        "  -1  night     night\n"
        "  for each unit\n"
        "    +1  gun  kind is gun\n",
    ),
    "options below each other stand in columns": (
        'option fog "Fog"\noption low_edge one of a, b = a [2]\n\noption far\n',
        'option  fog                        "Fog"\noption  low_edge  one of a, b = a         [2]\n\noption  far\n',
    ),
    "rows have bars in line": (
        "chart c\n  down d6\n| Roll |1| 11+|\n      |2..4|-|M|   -- low\n",
        "chart c\n  down d6\n  | Roll | 1 | 11+ |\n  | 2..4 | - |  M  |  -- low\n",
    ),
    "rows split by tabs get bars": (
        "chart c\n  down d6\nRoll\t1\t2\n2\t-\tM1\n\nfacts\n  a  1..\n",
        "chart c\n  down d6\n  | Roll | 1 |  2 |\n  |   2  | - | M1 |\n\nfacts\n  a  1..\n",
    ),
    "a pasted row with a bar in a cell keeps its tabs": (
        "chart c\n  down d6\n2\ta|b\n",
        "chart c\n  down d6\n  2\ta|b\n",
    ),
    "the block of a numbered step stands below its text": (
        "procedure p\n   9.  when a\n         stop\n       otherwise\n         when b\n            stop\n   10. stop\n",
        "procedure p\n  9. when a\n       stop\n     otherwise\n       when b\n         stop\n  10. stop\n",
    ),
    "comments keep their words and stand with their block": (
        "-- top\nfacts -- known\n      -- first\n      a 1..   --   as it is\n\n\n\n      b 1..\n-- end\n",
        "-- top\nfacts  -- known\n  -- first\n  a  1..  --   as it is\n\n  b  1..\n-- end\n",
    ),
    "blanks at ends go": ("\nfacts  \n  a  1..\t\n\n\n", "facts\n  a  1..\n"),
    "line ends of Windows become one kind": ("\r\nfacts  \r\n  a  1..\t\r\n\r\n\r\n", "facts\n  a  1..\n"),
    "line ends of old machines become one kind": ("\rfacts  \r  a  1..\t\r\r\r", "facts\n  a  1..\n"),
    "an empty text stays empty": ("", ""),
    "a text of blank lines is empty": ("\n\n  \n", ""),
    "a text may be a comment": ("-- only a comment", "-- only a comment\n"),
}


@pytest.mark.parametrize(("text", "made"), LAID_OUT.values(), ids=LAID_OUT)
def test_a_text_is_laid_out(text: str, made: str) -> None:
    assert format_text(text) == made
    assert format_text(made) == made


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


def test_words_that_mean_the_same_are_written_in_one_way() -> None:
    text = 'define a = n is 3 or  higher or n is 1 or fewer  -- or higher\noption b "5 or higher"\n'
    made = 'define a = n is 3 or  more or n is 1 or less  -- or higher\noption  b  "5 or higher"\n'
    assert format_text(text) == made


OLD: Final = "modifiers m\n  only one of, the highest  [7]\n    +1  a  n is 3\n    +2  b  n is 4\n"


def test_an_old_form_is_rewritten_when_asked() -> None:
    source = SourceFile("old.rules", OLD)
    assert not format_source(source).diagnostics
    upgraded = format_source(source, upgrade=True)
    assert not upgraded.diagnostics
    assert upgraded.text == OLD.replace("only one of, the", "only the")


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("column 7, 8 reads 6  [7]", "print `7, 8` in the chart too, with the cells of `6`"),
        (
            "across odds, column nearest",
            "delete `, column nearest`, and write each label as the band of the values nearest to it, such as `..2` and `3..5`",
        ),
    ],
)
def test_an_old_form_that_no_edit_of_its_line_replaces_is_explained_and_stays(line: str, advice: str) -> None:
    old = f"chart c\n  down d6\n  {line}\n  | Die | 6 |\n  | 1-6 | A |\n"
    formatted = format_source(SourceFile("old.rules", old), upgrade=True)
    (found,) = formatted.diagnostics
    assert (found.helps, found.fix) == ((advice,), None)
    assert formatted.text == old


def test_dashes_in_labels_and_cells_are_no_comments() -> None:
    text = 'chart c "a -- b"\n  down d6\n  | 1 | -- | -- |  -- a comment\n'
    assert [line.comment for line in scan_lines(text)] == ["", "", "-- a comment", ""]
    assert format_text(text) == text


@pytest.mark.parametrize(
    "texts",
    [pytest.param(SHIPPED[1::24], id="some"), pytest.param(SHIPPED[::6], id="more", marks=pytest.mark.thorough)],
)
def test_shipped_texts_are_laid_out_for_good(texts: list[str]) -> None:
    for text in texts:
        made = format_text(text)
        assert format_text(made) == made
        # Had the result been dropped, the blanks would still be there.
        assert format_text(text.replace("\n", "  \n")) == made


def test_laying_out_changes_no_tree() -> None:
    text = "effect e (unit)\n      unit.steps becomes 1\n      when a: stop\n      otherwise:   stop\n"
    made = format_text(text)
    assert made != text
    assert parse_module(SourceFile("<text>", made)).module == parse_module(SourceFile("<text>", text)).module
