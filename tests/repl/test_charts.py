"""A chart on the terminal: as it is printed, what was read marked, and no wider than there is room."""

from functools import cache
from typing import Final

import pytest

import enfilade
from enfilade import ChartRead, Ruleset
from enfilade.core import ir
from enfilade.diagnostics.columns import width_of
from enfilade.language import Line
from enfilade.tools.chart_layout import chart_as_text
from enfilade_repl.chart_view import chart_lines

SHIPPED: Final = ("bombardment", "emperor_musketry", "fire_combat", "franco_prussian", "infantry_attacks")
HEAVY: Final = ("emperor_musketry", "fire_combat", "franco_prussian")
GAMES: Final = [pytest.param(name, marks=pytest.mark.thorough if name in HEAVY else ()) for name in SHIPPED]
WIDE: Final = 1_000

TEXT: Final = """
facts
  fire     1..
  class    1..3
  weather  one of fair, mud

chart crt "Fire Table"
  down    2d6
  across  fire, column at or below
  | Roll | 1 |  4 | 9+ |
  | 2-5  | X | 2X | 3X |
  | 6-8  | - |  M |  X |
  | 9+   | - |  - |  M |

chart bands "Bands"
  down    2d6
  across  fire
  header "by night" when weather is mud   | 1-3 | 4+ |
  header "by day"   when weather is fair  |  •  | 1+ |
  erratum row 8+, column b reads X "a slip of the press" when weather is mud
  | Roll | a | b |
  | 2-7  | M | X |
  | 8+   | - | M |

chart inner "Three in a cell"
  down    d6
  across  fire
  inside  class
  | Die |  1-4  |   5+  |
  | 1-3 | M M 0 | M 0 0 |
  | 4-6 | 1 M 0 | 1 1 M |

chart seasons "Seasons"
  pages   weather
  down    d6
  across  class
  page fair
  | Die | 1 | 2 | 3 |
  | 1-3 | - | - | M |
  | 4-6 | - | M | X |
  page mud
  | Die | 1 | 2 | 3 |
  | 1-3 | - | - | - |
  | 4-6 | - | - | M |

chart wide "大砲"
  down    weather
  across  class
  | 天氣 | 1 | 2 | 3 |
  | fair | 砲 | M | 砲 |
  | mud  | -  | - | -  |
"""


@cache
def rules(name: str = "") -> Ruleset:
    return enfilade.load(name) if name else enfilade.load(text=TEXT)


def at(
    chart: str,
    row: int | None,
    column: int | None,
    *,
    page: int = 0,
    inside: int | None = None,
    header: int | None = None,
) -> ChartRead:
    """A reading of a place."""
    return ChartRead(chart, chart, page, row, column, inside, header, "?")


def shown(*readings: ChartRead, chart: str = "", width: int = WIDE) -> tuple[Line, ...]:
    return chart_lines(rules().chart(chart or readings[0].chart), readings, width)


def texts(lines: tuple[Line, ...]) -> list[str]:
    return ["".join(text for _, text in line) for line in lines]


def styled(lines: tuple[Line, ...], style: str) -> list[list[str]]:
    """What has a style, line by line, where anything has."""
    found = [[text.strip() for each, text in line if each == style] for line in lines]
    return [line for line in found if line]


def size(text: str) -> int:
    return sum(map(width_of, text))


# ------------------------------------------------------------------------------------------------------ as printed


@pytest.mark.parametrize("name", GAMES)
def test_a_chart_of_one_page_stands_as_in_print(name: str) -> None:
    program = rules(name).program
    charts: list[ir.Chart | ir.Columns] = [*program.charts.values(), *program.columns.values()]
    for chart in charts:
        table, text = rules(name).chart(chart.name), chart_as_text(chart)
        if len(table.pages) == 1 and size(text) == len(text):
            assert texts(chart_lines(table, (), WIDE)) == text.splitlines()


def test_errata_and_header_rows_stand_with_the_chart() -> None:
    assert texts(shown(chart="bands")) == [
        "Bands",
        "by night  1-3  4+",
        "by day      •  1+",
        "Roll        a   b",
        "-----------------",
        "2-7         M   X",
        "8+          -   M",
        "erratum: row 8+, column b reads X when weather is mud (a slip of the press)",
    ]


def test_each_page_has_its_label_and_its_head() -> None:
    lines = texts(shown(chart="seasons"))
    assert [line for line in lines if line.startswith(("page", "Die"))] == [
        "page fair",
        "Die  1  2  3",
        "page mud",
        "Die  1  2  3",
    ]


# ---------------------------------------------------------------------------------------------------------- marks


def test_the_cell_that_was_read_stands_in_brackets_and_moves_nothing() -> None:
    marked, plain = texts(shown(at("crt", 1, 1))), texts(shown(chart="crt"))
    assert marked == [
        "Fire Table",
        "Roll  1   4  9+",
        "---------------",
        "2-5   X  2X  3X",
        "6-8   -  [M]  X",
        "9+    -   -   M",
    ]
    assert [line.replace("[", " ").replace("]", " ") for line in marked] == plain


def test_the_cell_its_row_and_its_column_are_styled_with_their_labels() -> None:
    lines = shown(at("crt", 1, 1))
    assert styled(lines, "read") == [["[M]"]]
    assert styled(lines, "line") == [["4"], ["2X"], ["6-8", "-", "X"], ["-"]]


def test_a_cell_in_the_last_column_has_its_bracket_too() -> None:
    assert "2-5   X  2X [3X]" in texts(shown(at("crt", 0, 2)))


def test_cells_side_by_side_have_brackets_of_their_own() -> None:
    assert "2-5  [X][2X][3X]" in texts(shown(at("crt", 0, 0), at("crt", 0, 1), at("crt", 0, 2)))


def test_a_reading_off_the_columns_marks_its_row_alone_and_the_other_way_round() -> None:
    assert styled(shown(at("crt", 2, None)), "line") == [["9+", "-", "-", "M"]]
    assert styled(shown(at("crt", None, 0)), "line") == [["1"], ["X"], ["-"], ["-"]]
    assert styled(shown(at("crt", 2, None)), "read") == []


def test_one_of_several_values_in_a_cell_is_marked_alone() -> None:
    def row(*inside: int) -> str:
        return texts(shown(*(at("inner", 1, 1, inside=number) for number in inside)))[-1]

    assert row(0) == "4-6  1 M 0 [1]1 M"
    assert row(1) == "4-6  1 M 0  1[1]M"
    assert row(2) == "4-6  1 M 0  1 1[M]"
    assert row(0, 1) == "4-6  1 M 0 [1 1]M"
    assert row(0, 2) == "4-6  1 M 0 [1]1[M]"


def test_the_header_row_in_force_is_marked_with_its_band() -> None:
    lines = shown(at("bands", 0, 1, header=1))
    assert styled(lines[1:3], "line") == [["by day", "1+"]]


def test_the_page_that_was_read_is_marked_alone() -> None:
    lines = shown(at("seasons", 1, 2, page=1))
    found = texts(lines).index("page mud")
    assert not any(styled(lines[:found], style) for style in ("read", "line"))
    assert styled(lines[found:], "read") == [["[M]"]]


def test_what_was_read_on_other_charts_is_left_out() -> None:
    assert shown(at("bands", 0, 0), chart="crt") == shown(chart="crt")


def test_readings_of_a_run_are_found_on_their_chart() -> None:
    shot = rules("infantry_attacks").resolve("direct_fire", fire_value=16, dice=[1, 3])
    lines = chart_lines(rules("infantry_attacks").chart("direct_fire_table"), shot.readings, 80)
    assert styled(lines, "read") == [[f"[{shot.result}]"]]


# ---------------------------------------------------------------------------------------------------------- room


def test_a_chart_that_is_too_wide_is_cut_into_blocks_with_their_row_labels() -> None:
    assert texts(shown(at("crt", 0, 2), width=14)) == [
        "Fire Table",
        "Roll  1   4",
        "-----------",
        "2-5   X  2X",
        "6-8   -   M",
        "9+    -   -",
        "",
        "Roll  9+",
        "--------",
        "2-5  [3X]",
        "6-8    X",
        "9+     M",
    ]


def test_what_is_wider_than_its_column_goes_on_below() -> None:
    text = 'chart long "Long"\n  down  d6\n  | Die | Result |\n  | 1-6 | falls back and loses all its guns |\n'
    lines = chart_lines(enfilade.load(text=text).chart("long"), (at("long", 0, 0),), 20)
    assert texts(lines) == [
        "Long",
        "Die          Result",
        "-------------------",
        "1-6 [falls back and]",
        "     [loses all its]",
        "              [guns]",
    ]


@pytest.mark.parametrize("width", [80, 40, 24])
@pytest.mark.parametrize("name", GAMES)
def test_no_line_is_wider_than_the_terminal_and_every_cell_is_there(name: str, width: int) -> None:
    for chart in rules(name).charts:
        table = rules(name).chart(chart)
        everything = [
            at(chart, row, column, page=page)
            for page in range(len(table.pages))
            for row in range(len(table.rows))
            for column in range(len(table.columns))
        ]
        lines = chart_lines(table, everything, width)
        assert max(map(size, texts(lines))) <= width
        brackets = sum(line.count("[") for line in texts(lines)) - sum(
            text.count("[") for line in lines for style, text in line if style != "read"
        )
        assert brackets >= len(everything)


def test_wide_characters_take_the_room_that_they_have() -> None:
    assert texts(shown(at("wide", 0, 2), chart="wide")) == [
        "大砲",
        "天氣   1  2   3",
        "---------------",
        "fair  砲  M [砲]",
        "mud    -  -   -",
    ]


def test_a_terminal_without_room_still_shows_the_chart() -> None:
    for width in range(12):
        assert "M" in "".join(texts(shown(at("crt", 1, 1), width=width)))
