"""A chart is shown as it is printed: labels and codes unchanged, in text, Markdown, comma-separated values and JSON."""

from typing import Final

import pytest

from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.tools.chart_layout import chart_as_csv, chart_as_json, chart_as_markdown, chart_as_text, csv_cell

RULES: Final = """\
facts
  attack   1..
  class    1..2
  weather  one of fair, mud

chart plain "Fire *Table*"
  down  d6
  across  attack, column at or below
  | Die  | 1 | 4 | 11+ |
  |  1,2 | - | M | 2X  |
  |  3+  | M | X | 45  |

chart headed
  down  d6
  across  attack
  header "Dry"  when weather is fair  | 1..4 | 5+ |
  header "Wet"  when weather is mud   |  •   | 1+ |
  erratum row 1-6, column B reads X  "shifted in print" when weather is mud
  | Die | A | B |
  | 1-6 | - | M |

chart paged
  pages  weather
  down  d6
  across  class
  inside  class
  cells  numbers
  page fair
  | Die |  1  |  2  |
  | 1-6 | 0 1 | 1/2 |
  page mud
  | Die |  1  |  2  |
  | 1-6 | 0 0 | 0 0 |

chart lone "Lone"
  down  d6
  | Die | Result |
  | 1-6 |  miss  |

chart pasted
  down  d6
  across  class
Die\t1\t2
1-6\t-\tM
"""


def chart(name: str) -> ir.Chart:
    checked = check_source(SourceFile.from_text(RULES, "game.rules"), Folders())
    assert checked.program is not None, [(found.code, found.message) for found in checked.diagnostics]
    return checked.program.charts[name]


# -------------------------------------------------------------------------------------------------------- data


def test_a_chart_is_data_with_labels_and_codes_as_printed() -> None:
    assert chart_as_json(chart("plain")) == {
        "name": "plain",
        "title": "Fire *Table*",
        "rows": ["1,2", "3+"],
        "columns": ["1", "4", "11+"],
        "cells": [["-", "M", "2X"], ["M", "X", "45"]],
    }


def test_header_rows_stand_with_their_conditions_and_bands_as_printed() -> None:
    data = chart_as_json(chart("headed"))
    assert data["columns"] == ["A", "B"]
    assert data["headers"] == [
        {"when": "weather is fair", "bands": ["1..4", "5+"], "label": "Dry"},
        {"when": "weather is mud", "bands": [None, "1+"], "label": "Wet"},
    ]


def test_cells_stay_as_printed_and_errata_stand_beside_them() -> None:
    data = chart_as_json(chart("headed"))
    assert data["cells"] == [["-", "M"]]
    assert data["errata"] == ["erratum: row 1-6, column B reads X when weather is mud (shifted in print)"]


def test_several_values_in_a_cell_are_a_list_and_pages_are_apart() -> None:
    data = chart_as_json(chart("paged"))
    assert data["inside"] == ["1", "2"]
    assert [page["labels"] for page in data["pages"]] == [["fair"], ["mud"]]
    assert data["pages"][0]["cells"] == [[["0", "1"], ["1", "2"]]]
    assert "cells" not in data


def test_a_chart_of_one_column_keeps_its_heading() -> None:
    data = chart_as_json(chart("lone"))
    assert (data["columns"], data["cells"]) == (["Result"], [["miss"]])


def test_a_pasted_chart_is_shown_as_any_other() -> None:
    assert chart_as_json(chart("pasted"))["cells"] == [["-", "M"]]


# -------------------------------------------------------------------------------------------------------- text


def test_text_is_aligned() -> None:
    assert chart_as_text(chart("plain")).splitlines() == [
        "Fire *Table*",
        "Die  1  4  11+",
        "--------------",
        "1,2  -  M   2X",
        "3+   M  X   45",
    ]


def test_text_shows_header_rows_and_errata() -> None:
    lines = chart_as_text(chart("headed")).splitlines()
    assert lines[1].split() == ["Dry", "1..4", "5+"]
    assert lines[2].split() == ["Wet", "•", "1+"]
    assert lines[-1].startswith("erratum: ")


def test_text_names_each_page() -> None:
    lines = chart_as_text(chart("paged")).splitlines()
    assert [line for line in lines if line.startswith("page ")] == ["page fair", "page mud"]


def test_markdown_is_a_table_whose_marks_mean_nothing() -> None:
    assert chart_as_markdown(chart("plain")).splitlines() == [
        r"**Fire \*Table\***",
        "",
        "| Die | 1 | 4 | 11+ |",
        "| --- | ---: | ---: | ---: |",
        "| 1,2 | - | M | 2X |",
        "| 3+ | M | X | 45 |",
    ]


def test_values_with_commas_are_quoted() -> None:
    assert chart_as_csv(chart("plain")) == 'Die,1,4,11+\n"1,2",-,M,2X\n3+,M,X,45'


def test_comma_separated_pages_stand_in_the_first_column() -> None:
    assert chart_as_csv(chart("paged")).splitlines() == ["page,Die,1,2", "fair,1-6,0 1,1/2", "mud,1-6,0 0,0 0"]


def test_comma_separated_header_rows_come_first() -> None:
    assert chart_as_csv(chart("headed")).splitlines()[:2] == ["Dry,1..4,5+", "Wet,,1+"]


@pytest.mark.parametrize("name", ["plain", "headed", "paged", "lone", "pasted"])
def test_every_format_shows_every_cell(name: str) -> None:
    cells = {cell for page in chart(name).printed for row in page for cell in row}
    for shows in (chart_as_text, chart_as_markdown, chart_as_csv):
        assert all(cell in shows(chart(name)) for cell in cells)


@pytest.mark.parametrize("cell", ["=1+1", "+1/2", "-M", "@x"])
def test_no_cell_of_comma_separated_values_is_a_formula(cell: str) -> None:
    assert csv_cell(cell) == f"'{cell}"
    assert [csv_cell(plain) for plain in ("-", "-2", "+1", "M", "")] == ["-", "-2", "+1", "M", ""]
