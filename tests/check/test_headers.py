"""Header rows that charts share, as values; charts of one form; cells that can't be read; surplus columns."""

from typing import Any, Final

import pytest

import enfilade
from enfilade.tools.chart_layout import chart_as_json, chart_as_text

HEAD = """
facts
  n     -9..99
  far   yes/no
  word  one of a, b, c = a
"""


def given(columns: str, part: str, **facts: Any) -> Any:
    """What a part of a `columns` declaration gives."""
    text = f"{HEAD}{columns}procedure p\n  1. give x = shared.{part}\n     give unused = [n, 0]\n"
    text += "     give also = far\n     give last = word\n"
    return enfilade.load(text=text).resolve("p", **({"n": 0} | facts)).outputs["x"]


BANDS = """columns shared of n
  beside drop   list of 0..9
  beside shift  0..3 where NA is none
  beside cover  one of open, "light woods"
  beside once   yes/no
  beside kinds  list of 1..3
  column below  gives M
  column above  gives X
  header "Far"   when far  | 2,3 |  4   |  •  | 7-9  | NA | open        | yes | • |
  header "Near"            |  1  | 2..3 | 4-6 | 5, 9 | 2  | light woods | no  | 1-3 |
"""


@pytest.mark.parametrize(("n", "far", "column"), [(1, False, 1), (3, False, 2), (6, False, 3), (3, True, 1), (4, True, 2),
                                                  (0, False, None), (7, False, None), (5, True, None)])  # fmt: skip
def test_the_column_is_that_of_the_band_or_none(n: int, far: bool, column: int | None) -> None:
    assert given(BANDS, "column", n=n, far=far) == column


@pytest.mark.parametrize(("n", "far", "below", "above"), [(0, False, True, False), (1, False, False, False),
                                                          (7, False, False, True), (1, True, True, False)])  # fmt: skip
def test_below_and_above_say_on_which_side_of_the_bands_a_value_lies(
    n: int, far: bool, below: bool, above: bool
) -> None:
    assert (given(BANDS, "below", n=n, far=far), given(BANDS, "above", n=n, far=far)) == (below, above)


def test_what_stands_beside_the_bands_has_its_type() -> None:
    parts = ("drop", "shift", "cover", "once", "kinds", "header")
    assert [given(BANDS, part, far=True) for part in parts] == [(7, 8, 9), None, "open", True, (), "Far"]
    assert [given(BANDS, part) for part in parts] == [(5, 9), 2, "light woods", False, (1, 2, 3), "Near"]


@pytest.mark.parametrize(("mode", "n", "column"), [("below", 5, 2), ("below", 99, 3), ("below", 0, None),
                                                   ("above", 5, 3), ("above", -9, 1), ("above", 12, None)])  # fmt: skip
def test_thresholds_and_limits_find_their_column(mode: str, n: int, column: int | None) -> None:
    text = f'columns shared of n, column at or {mode}\n  header "All" | 1 | 4 | 10 |\n'
    assert given(text, "column", n=n) == column
    assert given(text, "below", n=n) is (mode == "below" and n < 1)
    assert given(text, "above", n=n) is (mode == "above" and n > 10)


def test_words_find_their_column_too() -> None:
    text = 'columns shared of word\n  header "All" | a, b | c |\n'
    assert [given(text, "column", word=word) for word in "abc"] == [1, 1, 2]


def codes(text: str) -> list[tuple[str, int]]:
    return [(found.code, found.span.source.line_column(found.span.start)[0]) for found in enfilade.check(text)]


BESIDE: Final = "beside shift  0..3"
EDGE: Final = "column below  gives M"


@pytest.mark.parametrize("line", [BESIDE, EDGE, f"{BESIDE}\n  {EDGE}"])
@pytest.mark.parametrize("part", ["column", "header", "below", "above", "shift", "other"])
def test_a_part_of_columns_without_header_rows_is_reported_once(line: str, part: str) -> None:
    text = f"facts\n  n  1..3\ncolumns shared of n\n  {line}\ndefine one = shared.{part}\ndefine two = shared.{part}\n"
    assert codes(text) == [("chart-shape", 3)]


FORM = """facts
  n  1..3
chart first
  down    d6
  across  n
  severity  - < M < X
  severity  never falls to the right
  | d6  | 1 | 2 | 3 |
  | 1-3 | - | - | M |
  | 4-6 | - | M | X |
"""
PLAY = "procedure p\n  1. roll d6 as die\n  2. read second with die as shot\n  3. give result = shot.code\n"


def test_a_chart_like_another_has_its_lines_and_rows_of_its_own() -> None:
    text = FORM + "chart second like first\n  | d6  | 1 | 2 | 3 |\n  | 1-6 | - | M | X |\n" + PLAY
    assert codes(text) == []
    assert [enfilade.load(text=text).resolve("p", n=n, dice=[2]).result for n in (1, 2, 3)] == ["-", "M", "X"]


def test_a_chart_like_another_is_held_to_its_severity_and_says_its_own_axis() -> None:
    rows = "  | d6  | 1 | 2 | 3 |\n  | 1-6 | M | - | X |\n"
    assert codes(FORM + "chart second like first\n" + rows + PLAY) == [("severity-break", 13)]
    own = "chart second like first\n  across  4 - n\n  | d6  | 1 | 2 | 3 |\n  | 1-6 | - | M | X |\n"
    assert enfilade.load(text=FORM + own + PLAY).resolve("p", n=3, dice=[2]).result == "-"


def test_forms_go_from_chart_to_chart() -> None:
    text = FORM + "chart third like second\n  | d6 | 1 | 2 | 3 |\n  | 1-6 | - | - | - |\n"
    text += "chart second like first\n  | d6 | 1 | 2 | 3 |\n  | 1-6 | X | X | X |\n"
    assert codes(text + PLAY.replace("second", "third")) == []


SMUDGED = """facts
  n  1..2
chart second "Second"
  down    d6
  across  n
  {more}
  | d6  | 1 |  2 |
  | 1-3 | - | ?? |
  | 4-6 | - |  X |
"""


def test_a_cell_that_cant_be_read_needs_an_erratum_that_always_holds() -> None:
    assert codes(SMUDGED.format(more="cells codes") + PLAY) == [("unread-cell", 8)]
    under = 'erratum row 1-3, column 2 reads M "later" when n is 2'
    assert codes(SMUDGED.format(more=under) + PLAY) == [("unread-cell", 8)]


def test_it_is_read_and_shown_as_ruled_and_marked() -> None:
    rules = enfilade.load(text=SMUDGED.format(more='erratum row 1-3, column 2 reads M assumed "a blot"') + PLAY)
    assert rules.resolve("p", n=2, dice=[1]).result == "M"
    assert "a blot" in str(rules.resolve("p", n=2, dice=[1]).explain())
    chart = rules.program.charts["second"]
    assert (rules.chart("second").restored, chart_as_json(chart)["cells"]) == (((0, 0, 1),), [["-", "M"], ["-", "X"]])
    assert chart_as_text(chart).splitlines()[-1] == "row 1-3, column 2 is illegible in print: the rules use M (a blot)"


def test_surplus_columns_are_printed_and_never_read() -> None:
    text = """facts
  n  1..2
chart second "Second"
  down    d6
  across  n
  surplus column 3, 4  assumed "the header ends at 2"
  | d6  | 1 | 2 | 3 | 4 |
  | 1-3 | - | M | X | Y |
  | 4-6 | - | M | X | Z |
"""
    rules = enfilade.load(text=text + PLAY)
    data = rules.chart("second").to_json()
    assert (data["columns"], data["cells"]) == (["1", "2"], [["-", "M"], ["-", "M"]])
    assert data["surplus"] == {
        "columns": ["3", "4"], "cells": [["X", "Y"], ["X", "Z"]], "why": "the header ends at 2"
    }  # fmt: skip
    lines = chart_as_text(rules.program.charts["second"]).splitlines()
    assert lines[1].split() == ["d6", "1", "2", "(3)", "(4)"]
    assert lines[-1] == "columns 3, 4: printed but never used (the header ends at 2)"


def test_a_chart_of_charts_stands_for_its_charts_in_results_and_modifiers() -> None:
    text = (
        FORM
        + """chart second like first
  row above  stays
  | d6  | 1 | 2 | 3 |
  | 1-6 | - | M | X |
chart pick
  down   n
  cells  charts
  | n   | chart  |
  | 1   | first  |
  | 2,3 | second |
effect hurt "is hurt"
results of pick
  -  "miss"
  M
    hurt
  X
    hurt
modifiers drm add to roll of pick
  +1  late  n is 3
procedure play
  1. roll d6 as die
  2. read pick as table
  3. read table with die as shot
  4. apply shot
  5. give modified = shot.modified
"""
    )
    rules = enfilade.load(text=text.replace("  severity  never", "  row above  stays\n  severity  never", 1))
    shots = [rules.resolve("play", n=n, dice=[4]) for n in (1, 2, 3)]
    assert [(shot.outputs["modified"], len(shot.effects)) for shot in shots] == [(4, 0), (4, 1), (5, 1)]


def test_an_erratum_at_a_place_that_is_not_there_is_the_one_mistake() -> None:
    more = "erratum row 1-3, column 9 reads M"
    assert codes(SMUDGED.format(more=more) + PLAY) == [("no-cell", 6)]


def test_wrong_labels_of_columns_that_no_chart_uses_are_reported() -> None:
    text = "facts\n  n  1..9\n  far  yes/no\ncolumns shared of n\n  header  | 1..3 | 2..6 | foo |\n"
    text += "columns dark of far\n  header  | 1..3 | no |\n"
    text += "procedure p\n  1. give result = shared.column\n     give dark = dark.column\n"
    assert codes(text) == [("table-overlap", 5), ("label", 5), ("label", 7)]


def test_a_list_of_words_beside_the_bands_may_hold_every_word() -> None:
    columns = BANDS.replace("beside kinds  list of 1..3", "beside kinds  list of one of foot, horse")
    assert given(columns.replace("| 1-3 |", "| foot, horse |"), "kinds") == ("foot", "horse")


@pytest.mark.parametrize(("of", "wrong"), [("2d6", [("wrong-kind", 6)]), ("many", [("type", 3)])])
def test_columns_that_no_value_finds_have_no_column(of: str, wrong: list[tuple[str, int]]) -> None:
    text = f"facts\n  many  list of 1..3\ncolumns bands of {of}\n  header  | 2..6 | 7..12 |\n"
    text += "procedure p\n  1. give result = bands.column\n     give all = many\n"
    assert codes(text) == wrong
