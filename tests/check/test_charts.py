"""Charts: shapes, labels, gaps and overlaps, edges that can be reached, pages, classes, errata."""

import pytest
from tests.check.marking import found, marked

import enfilade
from enfilade.check import coverage
from enfilade.check.labels import numbers_of
from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.core.types import Num
from enfilade.diagnostics.diagnostic import Severity
from enfilade.limits import DEFAULT_LIMITS
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile

HEAD = """
facts
  attack    1..
  defence   1..
  few       0..2
  night     yes/no
  terrain   one of open, woods, town
  weather   one of fair, mud
"""


def assert_marked(text: str) -> None:
    assert found(HEAD + text) == marked(HEAD + text)


def chart(text: str) -> ir.Chart:
    """The one chart of a text that checks."""
    checked = check_source(SourceFile("test.rules", HEAD + text), Folders())
    assert checked.program is not None, checked.diagnostics
    return next(iter(checked.program.charts.values()))


# -- rows: gaps and overlaps


@pytest.mark.parametrize(
    "rows",
    [
        "2..6 | 7 | 8+",
        "..6 | 7..",
        "2-6 | 7-12",
        "2,3,4 | 5,6,7 | 8..12",
        "12 | 2..11",
        "2 to 6 | 7 or more",
        "up to 6 | 7+",
        "2,12 | 3..11",
    ],
)
def test_rows_that_take_every_roll_once_are_well_however_they_are_printed(rows: str) -> None:
    lines = "".join(f"  | {label} | x |\n" for label in rows.split(" | "))
    assert found(f"chart t\n  down 2d6\n  | 2d6 | r |\n{lines}") == []


def test_a_gap_is_reported_at_the_row_before_it() -> None:
    assert_marked("""
chart t
  down  2d6
  | 2d6  | Result |
  | 2..6 |   -    |  -- ! table-gap
  | 8+   |   X    |
""")


def test_all_that_is_missing_from_the_rows_stands_in_one_message() -> None:
    text = "chart t\n  down 2d6\n  | 2d6 | r |\n  | 3,4 | a |\n  | 6..9 | b |\n  | 11 | c |\n"
    (only,) = check_source(SourceFile("test.rules", text), Folders()).diagnostics
    assert only.code == "table-gap"
    assert [number in only.message for number in ("2", "5", "10", "12")] == [True] * 4


def test_what_dice_show_beyond_the_rows_is_a_gap_and_what_modifiers_reach_an_edge() -> None:
    assert_marked("""
chart natural
  down  d6
  | d6  | Result |
  | 1-3 |   -    |
  | 4,5 |   X    |  -- ! table-gap
chart modified
  down  d6
  | d6  | Result |
  | 1-3 |   -    |
  | 4-6 |   X    |  -- ! edge-unsaid
modifiers drm add to roll of modified
  +1  dark  night
""")


def test_a_stated_edge_takes_what_dice_show_beyond_the_rows() -> None:
    assert_marked("""
chart t
  down  d6
  row above  gives X
  | d6  | Result |
  | 1-3 |   -    |
  | 4,5 |   X    |
""")


def test_an_overlap_is_reported_at_the_second_row() -> None:
    assert_marked("""
chart t
  down  2d6
  | 2d6  | Result |
  | 2..7 |   -    |
  | 7+   |   X    |  -- ! table-overlap
""")


def test_a_number_printed_twice_instead_of_the_next_is_one_mistake() -> None:
    text = "chart t\n  down d6\n  | d6 | r |\n" + "".join(f"  | {n} | x |\n" for n in (1, 2, 3, 3, 5, 6))
    (only,) = check_source(SourceFile("test.rules", text), Folders()).diagnostics
    assert (only.code, only.helps) == ("table-overlap", ("the two rows have the same cells", "no row covers 4"))


def test_every_row_that_overlaps_another_is_reported() -> None:
    assert_marked("""
chart t
  down  2d6
  | 2d6   | Result |
  | 2..4  |   -    |
  | 4..7  |   M    |  -- ! table-overlap
  | 7..12 |   X    |  -- ! table-overlap
""")


def test_a_label_that_cannot_be_read_leaves_no_gap_behind() -> None:
    assert_marked("""
chart t
  down  2d6
  | 2d6    | Result |
  | 2..6   |   -    |
  | seven  |   M    |  -- ! label
  | 8+     |   X    |
""")


def test_a_range_that_is_printed_backwards_is_reported_by_itself() -> None:
    assert_marked("""
chart t
  down  2d6
  | 2d6   | Result |
  | 6..2  |   -    |  -- ! empty-range
  | 7..12 |   M    |
""")


def test_words_must_all_have_a_row_and_only_one() -> None:
    assert_marked("""
chart missing                -- ! table-gap
  down  terrain
  | Terrain | Result |
  | open    |   -    |
  | woods   |   M    |
chart twice
  down  terrain
  | Terrain     | Result |
  | open, woods |   -    |
  | woods, town |   M    |  -- ! table-overlap
""")


def test_words_are_read_in_any_case_and_with_blanks() -> None:
    assert (
        found("""
words arm  one of mounted_cavalry, foot
facts
  kind  arm
chart t
  down  kind
  | Kind            | r |
  | Mounted Cavalry | a |
  | FOOT            | b |
""")
        == []
    )


def test_one_wrong_word_of_several_in_a_label_is_pointed_at() -> None:
    text = HEAD + "chart t\n  down terrain\n  | T | r |\n  | open, wods | - |\n  | town | M |\n"
    (only,) = check_source(SourceFile("test.rules", text), Folders()).diagnostics
    assert (only.code, only.span.text) == ("label", "wods")


def test_faces_are_bands_of_a_die_as_it_prints_them() -> None:
    axis = chart("""
die bones faces 1..9, 0 as 10
chart t
  down  bones, printed on bones
  | d10 | r |
  | 1-8 | - |
  | 9-0 | X |
""").down
    assert [match.bands for match in axis.headers[0].matches if match] == [(ir.Band(1, 8),), (ir.Band(9, 10),)]


# -- columns: thresholds, ratios, headers


def test_thresholds_leave_no_gaps_and_only_one_open_side() -> None:
    assert_marked("""
chart below
  down    d6
  across  few, column at or below
  | d6  | 1 | 2 |  -- ! edge-unsaid
  | 1-6 | - | X |
chart above
  down    d6
  across  attack, column at or above
  | d6  | 4 | 8 |  -- ! edge-unsaid
  | 1-6 | - | X |
chart nearest
  down    d6
  across  attack, column nearest
  | d6  | 4 | 8 |
  | 1-6 | - | X |
""")


def test_a_ratio_needs_thresholds() -> None:
    assert_marked("""
chart exact
  down    d6
  across  attack / defence      -- ! axis-fraction
  | d6  | 1 | 2 | 3+ |
  | 1-6 | - | X |  X |
chart odds
  down    d6
  across  attack / defence, column at or below
  column below  gives A
  | d6  | 1:2 | 1:1 | 3:2 | 3:1+ |
  | 1-6 |  -  |  -  |  X  |   X  |
chart rounded
  down    d6
  across  attack / defence rounded down
  | d6  | 0 | 1 | 2+ |
  | 1-6 | - | X |  X |
""")


def test_a_ratio_is_kept_as_a_fraction() -> None:
    text = "chart t\n  down d6\n  across attack / defence, column at or below\n  column below stays\n  | d | 1:2 | 3-1 |\n  | 1-6 | - | X |\n"
    axis = chart(text).across
    assert axis is not None
    lows = [str(match.bands[0].low) for match in axis.headers[0].matches if match is not None]
    assert lows == ["1/2", "3"]


def test_thresholds_that_turn_round_are_doubted_and_equal_ones_overlap() -> None:
    assert_marked("""
chart turned
  down    d6
  across  attack, column at or below
  | d6  | 1 | 4 | 2 | 7 |  -- ! label-order
  | 1-6 | - | - | X | X |
chart equal
  down    d6
  across  attack, column at or below
  | d6  | 1 | 4 | 4+ |  -- ! table-overlap
  | 1-6 | - | - | X  |
chart falling
  down    d6
  across  attack, column at or below
  | d6  | 7 | 4 | 1 |
  | 1-6 | - | - | X |
""")


def test_two_columns_of_one_label_are_one_mistake() -> None:
    assert_marked("""
chart numbers
  down    d6
  across  few
  | d6  | 0 | 0 | 1,2 |  -- ! duplicate-column
  | 1-6 | - | - |  X  |
chart words
  down    d6
  across  weather
  | d6  | fair | mud | mud |  -- ! duplicate-column
  | 1-6 |  -   |  -  |  X  |
chart thresholds
  down    d6
  across  attack, column at or below
  | d6  | 1 | 4 | 4 |  -- ! duplicate-column
  | 1-6 | - | - | X |
""")


def test_each_header_row_is_covered_for_itself() -> None:
    assert_marked("""
chart t
  down    d6
  across  few
  header  when weather is fair  | 0 |  1  | 2 |
  header  when weather is mud   | • | 0,1 | 2 |
  | d6  | A | B | C |
  | 1-6 | - | M | X |
chart gaps
  down    d6
  across  few
  header  when weather is fair  | 0 | • | 2 |    -- ! table-gap
  header  when weather is mud   | 0 | 0,1 | 2 |  -- ! table-overlap
  | d6  | A | B | C |
  | 1-6 | - | M | X |
chart ragged
  down    d6
  across  few
  header  | 0 | 1,2 |                            -- ! ragged-row
  | d6  | A | B | C |
  | 1-6 | - | M | X |
""")


def test_a_label_that_divides_by_zero_is_no_number() -> None:
    text = "facts\n  n  number 0..9\nchart c\n  down  n, row at or below\n  | n | x |\n  | 0 | - |\n  | 1/0 | M |\n"
    (wrong,) = enfilade.check(f"{text}procedure p\n  1. give result = c(n)\n")
    assert (wrong.code, wrong.span.text) == ("label", "1/0")
    assert enfilade.check(f"{text.replace('1/0', '1/2')}procedure p\n  1. give result = c(n)\n") == ()


def test_a_value_below_the_first_row_is_reported_where_the_chart_is_read() -> None:
    assert_marked("""
chart one
  down  0..9, row at or below
  | n | x |
  | 0 | - |
  | 5 | M |
procedure p
  1. roll d6 as hits
  2. let few = hits - 3
  3. read one with few as shot                   -- ! roll-mismatch
  4. read one with (hits - 1) as other
  5. give result = shot.code
     give other  = other.code
""")


@pytest.mark.parametrize(("limit", "row", "gap"), [
    ("above 3", "1-2", "3"), ("above 3", "1-3", None), ("5 or more", "1-3", "4"), ("4 or more", "1-3", None),
    ("below 1", "2-6", "1"), ("below 1", "1-6", None), ("-1 or less", "1-6", "0"), ("0 or less", "1-6", None),
])  # fmt: skip
def test_no_number_lies_between_the_last_label_and_a_limit(limit: str, row: str, gap: str | None) -> None:
    other = "above" if limit.startswith(("below", "-1", "0")) else "below"
    text = f"facts\n  n  -9..9\nchart c\n  down n\n  row {limit} gives M\n  row {other} gives -\n"
    text += f"  | n | x |\n  | {row} | - |\nprocedure p\n  1. give result = c(n)\n"
    expected = [] if gap is None else [("table-gap", f"no row of c covers {gap}")]
    assert [(each.code, each.message) for each in enfilade.check(text)] == expected


def test_a_face_at_the_end_of_a_gap_is_one_that_the_die_can_show() -> None:
    text = "die odd faces 2, 3, 7\nchart c\n  down  odd\n  | n | x |\n  | 3 | - |\n  | 7 | M |\n"
    play = "procedure p\n  1. roll odd as die\n  2. read c with die as shot\n  3. give result = shot.code\n"
    assert [(each.code, each.message) for each in enfilade.check(text + play)] == [
        ("table-gap", "no row of c covers 2")
    ]
    assert enfilade.check(text.replace("| 3 |", "| 2,3 |") + play) == ()


def test_a_number_between_two_odd_ends_may_be_even() -> None:
    text = "facts\n  n  5..7\ncolumns bands of n\n  header  when n is odd  | 5 | 6 | 7 |\n"
    (found,) = enfilade.check(f"{text}procedure p\n  1. give result = bands.column\n")
    assert (found.code, found.message) == ("header-gap", "no header row applies when n is 6")


def test_some_header_row_must_hold_in_every_situation() -> None:
    assert_marked("""
chart all_weathers
  down    d6
  across  few
  header  when weather is fair  | 0 | 1,2 |
  header  when weather is mud   | 0,1 | 2 |
  | d6  | A | B |
  | 1-6 | - | X |
chart one_left
  down    d6
  across  few
  header  when terrain is open   | 0 | 1,2 |  -- ! header-gap
  header  when terrain is woods  | 0,1 | 2 |
  | d6  | A | B |
  | 1-6 | - | X |
chart two_facts
  down    d6
  across  few
  header  when night              | 0 | 1,2 |  -- ! header-gap
  header  when weather is mud     | 0,1 | 2 |
  | d6  | A | B |
  | 1-6 | - | X |
chart numbers
  down    d6
  across  few
  header  when attack < 5         | 0 | 1,2 |
  header  when attack is 5 or more | 0,1 | 2 |
  | d6  | A | B |
  | 1-6 | - | X |
chart otherwise_any
  down    d6
  across  few
  header  when night              | 0 | 1,2 |
  header                          | 0,1 | 2 |
  | d6  | A | B |
  | 1-6 | - | X |
""")


def test_shared_columns_are_checked_in_each_chart() -> None:
    assert_marked("""
columns strength of attack
  header  when weather is fair  | 1..4 | 5+ |
  header  when weather is mud   | 2..9 | 10+ |
chart t
  down    d6
  across  strength   -- ! edge-unsaid
  | d6  | A | B |
  | 1-6 | - | X |
""")


# -- edges: what can be reached


EDGE = """
chart t
  down    d6
  across  attack, column at or below
{edges}  | d6  | 1 | 4 | 9 |
  | 1-6 | - | M | X |
modifiers shifts shift columns of t
{lines}
"""


@pytest.mark.parametrize(
    ("lines", "edges", "codes"),
    [
        ("  +1  dark  night", "", ["edge-unsaid"]),
        ("  +1  dark  night", "  shift off right  stays\n", []),
        ("  -1  dark  night", "  shift off right  stays\n", ["edge-unsaid", "edge-unreachable"]),
        ("  +1  dark  night\n  -1  mud  weather is mud", "  shift off right  stays\n", ["edge-unsaid"]),
        ("  +(few - 1)  dark  night", "  shift off right  stays\n", ["edge-unsaid"]),
        ("  +(few)  dark  night", "  shift off right  stays\n", []),
        ("  -(few)  dark  night", "  shift off left  stays\n", []),
        ("  +1  dark  night\n    but -1 when weather is mud", "  shift off right  stays\n", ["edge-unsaid"]),
        ("  +1  dark  night\n  net at most 0", "", []),
        ("  -1  dark  night\n  net at least 0", "", []),
        ("  only one of, the highest\n    -1  dark  night\n    -2  mud  weather is mud", "  shift off left  stays\n", []),
    ],
)  # fmt: skip
def test_shifts_are_asked_for_on_the_sides_that_the_sum_of_modifiers_can_reach(
    lines: str, edges: str, codes: list[str]
) -> None:
    assert [code for code, _ in found(HEAD + EDGE.format(lines=lines, edges=edges))] == codes


def test_two_blocks_of_modifiers_are_added() -> None:
    assert_marked("""
chart t
  down  d6
  row above  stays
  row below  stays
  | d6  | Result |
  | 1-3 |   -    |
  | 4-6 |   X    |
modifiers up add to roll of t
  +2  dark  night
modifiers down add to roll of t
  -3  mud  weather is mud
""")


@pytest.mark.parametrize(
    ("modifier", "stated", "codes"),
    [
        ("+1", "", ["edge-unsaid"]),
        ("+1", "  row above  stays\n", []),
        ("-1", "  row above  stays\n", ["edge-unsaid"]),
        ("-1", "  row below  gives X\n", []),
        ("0", "", []),
    ],
)
def test_a_modified_roll_is_held_against_the_rows(modifier: str, stated: str, codes: list[str]) -> None:
    text = f"""
chart t
  down  d6
{stated}  | d6  | Result |
  | 1-3 |   -    |
  | 4-6 |   X    |
modifiers drm add to roll of t
  {modifier}  dark  night
"""
    assert [code for code, _ in found(HEAD + text)] == codes


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        ("few", []),
        ("few + 1", ["unreachable", "edge-unsaid"]),
        ("few + 1 but at most 2", ["unreachable"]),
        ("few - 1", ["edge-unsaid", "unreachable"]),
        ("few - 1 but at least 0", ["unreachable"]),
        ("few * few", ["edge-unsaid"]),
        ("few * few but within 0..2", []),
        ("few mod 2", ["unreachable"]),
        ("few / 2 rounded up", ["unreachable"]),
        ("(few when night otherwise 3)", ["edge-unsaid"]),
        ("(1 when night otherwise 2)", ["unreachable"]),
        ("attack", ["unreachable", "edge-unsaid"]),
        ("0..2 of attack", []),
        ("(count of (1..2))", ["edge-unsaid"]),
    ],
)
def test_the_range_of_a_value_is_worked_out_from_what_it_is_made_of(value: str, codes: list[str]) -> None:
    text = f"chart t\n  down {value}\n  | v | r |\n  | 0 | a |\n  | 1 | b |\n  | 2 | c |\n"
    assert [code for code, _ in found(HEAD + text)] == codes


def test_edges_of_what_has_none_are_doubted() -> None:
    assert_marked("""
chart t
  down    d6
  across  terrain
  column below     stays    -- ! edge-unreachable
  shift off left   stays    -- ! edge-unreachable
  | d6  | open | woods | town |
  | 1-6 |  -   |   -   |  X   |
chart single
  down  weather
  row above       stays     -- ! edge-unreachable
  column above    stays     -- ! edge-unreachable
  shift off right stays     -- ! edge-unreachable
  | Weather | Result |
  | fair    |   -    |
  | mud     |   X    |
""")


def test_an_edge_is_stated_once() -> None:
    assert_marked("""
chart t
  down    d6
  across  attack, column at or below
  column below  stays
  column below  gives -     -- ! duplicate-name
  | d6  | 4 | 9 |
  | 1-6 | M | X |
""")


def test_modifiers_need_columns_to_shift_and_numbers_to_add_to() -> None:
    assert_marked("""
chart t
  down  weather
  | Weather | Result |
  | fair    |   -    |
  | mud     |   X    |
modifiers shifts shift columns of t   -- ! modifiers-target
  +1  dark  night
modifiers drm add to roll of t        -- ! modifiers-target
  +1  dark  night
""")


# -- out of reach


def test_rows_and_columns_that_no_value_comes_to_are_doubted() -> None:
    assert_marked("""
chart rows
  down  few
  | Few | Result |
  |  0  |   -    |
  | 1,2 |   M    |
  |  3  |   X    |        -- ! unreachable
chart thresholds
  down    d6
  across  few, column at or below
  | d6  | 0 | 2 | 5 |     -- ! unreachable
  | 1-6 | - | M | X |
chart passed
  down    d6
  across  attack, column at or below
  | d6  | 0 | 1 | 5 |     -- ! unreachable
  | 1-6 | - | M | X |
""")


def test_a_column_that_shifts_can_reach_is_not_doubted() -> None:
    assert_marked("""
chart t
  down    d6
  across  few, column at or below
  shift off right  stays
  | d6  | 0 | 2 | 5 |
  | 1-6 | - | M | X |
modifiers shifts shift columns of t
  +1  dark  night
""")


# -- shapes


@pytest.mark.parametrize(
    "text",
    [
        "chart t\n  across few\n  | d | 0..2 |\n  | 1 | - |\n  | 2 | - |\n",
        "chart t\n  down d6\n",
        "chart t\n  down d6\n  | d6 | r |\n",
        "chart t\n  down d6\n  | d6 | a | b |\n  | 1-6 | - | - |\n",
        "chart t\n  down few\n  across few\n  find few\n  | d | 0..2 |\n  | 0..2 | 0..2 |\n",
        "chart t\n  down d6\n  header | 1 |\n  | d6 | r |\n  | 1-6 | - |\n",
        "chart t\n  down d6\n  | d6 |\n  | 1-6 |\n",
        "chart t\n  down d6\n  page fair\n  | d | r |\n  | 1-6 | - |\n  page mud\n  | d | r |\n  | 1-6 | - |\n",
    ],
)
def test_a_chart_without_shape_is_said_to_be_so_once(text: str) -> None:
    assert [code for code, _ in found(HEAD + text)] == ["chart-shape"]


def test_a_ragged_row_gives_one_message_and_no_other() -> None:
    assert_marked("""
effect loss
chart t
  down    d6
  across  attack, column at or below
  severity  - < M < X
  severity  never falls to the right
  | d6  | 1 | 4 | 9 |
  | 1-3 | - | M |          -- ! ragged-row
  | 4-6 | M | M | M |
results of t
  -  "none"
  M  "morale"
  X  "a loss"
    loss
procedure p
  1. roll d6 as die
  2. read t with die as hit
  3. apply hit
  4. give hurt = hit.code is X or worse
""")


def test_where_all_rows_agree_the_header_is_wrong() -> None:
    assert_marked("""
chart t
  down    d6
  across  weather
  | d6  | fair |           -- ! ragged-row
  | 1-3 |  -   |  -  |
  | 4-6 |  M   |  X  |
""")


def test_dice_find_the_row_only() -> None:
    for way in ("across", "inside"):
        text = f"chart t\n  down few\n  {way} d6\n  | d | 1..6 |\n  | 0..2 | 1..6 |\n"
        assert [code for code, _ in found(HEAD + text)] == ["dice-axis"]


@pytest.mark.parametrize("line", ["down d6", "cells codes", "severity - < X"])
def test_a_line_that_can_stand_once_stands_once(line: str) -> None:
    text = (
        f"chart t\n  down d6\n  cells codes\n  severity - < X\n  {line}\n  | d6 | r |\n  | 1-3 | - |\n  | 4-6 | X |\n"
    )
    assert found(text) == [("duplicate-name", 5)]


def test_a_chart_of_too_many_cells_is_refused_before_anything_else() -> None:
    rows = "".join(f"|{n}|\n" for n in range(DEFAULT_LIMITS.cells + 1))
    assert found(f"chart t\n  down d6\n  |d|\n{rows}") == [("chart-too-large", 1)]


# -- pages, classes, rows that are searched, charts of charts


def test_pages_have_one_header_and_one_set_of_rows_and_cover_their_axis() -> None:
    assert_marked("""
chart same
  pages  weather
  down   d6
  page fair
  | d6  | Result |
  | 1-6 |   -    |
  page mud
  | d6  | Result |
  | 1-6 |   X    |
chart rows
  pages  weather
  down   d6
  page fair
  | d6  | Result |
  | 1-3 |   -    |
  | 4-6 |   -    |
  page mud
  | d6  | Result |
  | 1-2 |   X    |       -- ! page-rows
  | 3-6 |   X    |
chart headers
  pages   weather
  down    d6
  across  few
  page fair
  | d6  | 0 | 1,2 |
  | 1-6 | - |  X  |
  page mud
  | d6  | 0,1 | 2 |      -- ! page-header
  | 1-6 | - |  X  |
chart missing            -- ! table-gap
  pages  weather
  down   d6
  page fair
  | d6  | Result |
  | 1-6 |   -    |
chart twice
  pages  weather
  down   d6
  page fair
  | d6  | Result |
  | 1-6 |   -    |
  page mud
  | d6  | Result |
  | 1-6 |   -    |
  page mud               -- ! duplicate-name
  | d6  | Result |
  | 1-6 |   X    |
""")


def test_pages_by_number_have_no_edges_and_must_cover_all() -> None:
    assert_marked("""
chart t
  pages  few
  down   d6
  page 0
  | d6  | Result |
  | 1-6 |   -    |
  page 1                  -- ! table-gap
  | d6  | Result |
  | 1-6 |   X    |
""")


def test_each_cell_has_one_value_for_each_class() -> None:
    assert_marked("""
chart t
  down    d6
  inside  weather
  | d6  | Result |
  | 1-3 |  M -   |
  | 4-6 |  X     |        -- ! cell-values
chart open_end
  down    d6
  inside  attack          -- ! inside-open
  | d6  | Result |
  | 1-6 |  X M   |
""")


def test_values_in_a_row_are_covered_row_by_row_and_the_edges_asked_for_once() -> None:
    assert_marked("""
chart covered
  down  weather
  find  few
  | Weather | rout | hold |
  | fair    |  0   | 1+   |
  | mud     | 0,1  | 2    |
chart gaps
  down  weather
  find  few
  | Weather | rout | hold |
  | fair    |  0   | 2    |  -- ! table-gap
  | mud     | 0,1  | 1,2  |  -- ! table-overlap
chart edges
  down  weather
  find  attack
  | Weather | rout | hold |
  | fair    |  1   | 2    |  -- ! edge-unsaid
  | mud     | 1,2  | 3    |
chart words
  down  weather
  find  few
  | Weather | rout | hold |
  | fair    | none | 0+   |  -- ! label
  | mud     | 0,1  | 2    |
""")


def test_a_cell_of_a_chart_of_charts_names_a_chart_without_parameters() -> None:
    assert_marked("""
chart pick
  down   weather
  cells  charts
  | Weather | Chart |
  | fair    | plain |
  | mud     | plian |       -- ! unknown-name
chart pick_too
  down   weather
  cells  charts
  | Weather | Chart |
  | fair    | plain |
  | mud     | with_value |  -- ! arguments
chart plain
  down   d6
  | d6  | Result |
  | 1-6 |   -    |
chart with_value (n 0..2)
  down   n
  | n   | Result |
  | 0-2 |   -    |
procedure p
  1. roll d6 as die
  2. read pick as way
  3. read way as one        -- ! chart-needs-roll
  4. read way with die as two
""")


# -- cells and errata


def test_cells_are_numbers_where_the_chart_says_so() -> None:
    assert_marked("""
chart t
  down   d6
  across attack, column at or below
  cells  numbers
  column below  gives none_at_all  -- ! cell-number
  | d6  |  2  |  4  |
  | 1-3 | 1/2 | -3  |
  | 4,5 | 0.5 |  M  |  -- ! cell-number
  |  6  |  2  | 1/0 |  -- ! cell-number
""")


@pytest.mark.parametrize("text", ["1e999999999", "9" * 5000, "²", "१", "nan", "inf", "1_0", "--1"])
def test_what_only_looks_like_a_number_is_none_and_takes_no_time(text: str) -> None:
    assert [code for code, _ in found(f"chart t\n  down d6\n  cells numbers\n  | d | r |\n  | 1-6 | {text} |\n")] in (
        ["cell-number"],
        ["cell-number", "look-alike"],
        ["look-alike", "cell-number"],
        ["look-alike"],
        ["name-too-long"],
    )


@pytest.mark.parametrize("label", ["9" * 5000, "1e9", "²", "१", "1..", "..", "7..", "-", "•", "(", "1:0", "0:0", "§"])
def test_no_label_is_too_strange_to_be_read_or_reported(label: str) -> None:
    found(
        f"{HEAD}chart t\n  down 2d6\n  across attack / defence, column at or below\n  | d | {label} |\n  | {label} | x |\n"
    )


def test_an_erratum_names_a_cell_that_there_is() -> None:
    assert_marked("""
chart t
  down    d6
  across  weather
  erratum row 1-3, column fair reads X
  erratum row 1-2, column fair reads X     -- ! no-cell
  erratum row 1-3, column snow reads X     -- ! no-cell
  | d6  | fair | mud |
  | 1-3 |  -   |  -  |
  | 4-6 |  -   |  X  |
chart paged
  pages  weather
  down   d6
  erratum row 1-6, column Result reads X               -- ! no-cell
  erratum row 1-6, column Result, page snow reads X    -- ! no-cell
  erratum row 1-6, column Result, page mud reads X
  page fair
  | d6  | Result |
  | 1-6 |   -    |
  page mud
  | d6  | Result |
  | 1-6 |   -    |
chart classes
  down    d6
  inside  weather
  erratum row 1-6, column Result, inside mud reads X
  erratum row 1-6, column Result, inside snow reads X  -- ! no-cell
  erratum row 1-6, column Result reads X               -- ! cell-values
  erratum row 1-6, column Result reads "X M"
  | d6  | Result |
  | 1-6 |  - -   |
""")


@pytest.mark.parametrize("reads", ['""', "0", '"0 0 0"'])
@pytest.mark.parametrize("inside", ["", ", inside 1"])
def test_an_erratum_with_another_number_of_values_is_reported_where_severity_is_checked_too(
    reads: str, inside: str
) -> None:
    text = f"""facts
  few  1..2
chart t
  down    d6
  inside  few
  severity  0 < M
  severity  never falls down
  erratum row 1-3, column Result{inside} reads {reads}  assumed "a blot"
  | d6  | Result |
  | 1-3 |   ??   |
  | 4-6 |  0 M   |
"""
    assert {code for code, _ in found(text)} & {"cell-values", "unread-cell"}


def test_an_erratum_of_one_page_or_one_class_changes_only_that() -> None:
    found_chart = chart("""
chart t
  pages   weather
  down    d6
  inside  few
  erratum row 1-6, column Result, page mud, inside 1 reads X
  page fair
  | d6  | Result |
  | 1-6 | - - -  |
  page mud
  | d6  | Result |
  | 1-6 | - - -  |
""")
    (erratum,) = found_chart.errata
    assert (erratum.page, erratum.row, erratum.column, erratum.inside, erratum.value) == (1, 0, 0, 1, "X")


# -- the questions behind it


def labels(*texts: str) -> list[coverage.Labelled]:
    text = "chart t\n  down 0..99 of attack\n  | v | r |\n" + "".join(f"  | {each} | x |\n" for each in texts)
    source = SourceFile("test.rules", HEAD + text)
    checked = check_source(source, Folders())
    assert not [d for d in checked.diagnostics if d.severity is Severity.ERROR and d.code == "label"]
    matches = [numbers_of(each, "contains", None) for each in texts]
    return [
        coverage.Labelled(each, match, source.span(index, index + 1))
        for index, (each, match) in enumerate(zip(texts, matches, strict=True))
        if match is not None
    ]


@pytest.mark.parametrize(
    "texts", [("1..3", "5", "8+"), ("..2", "4,6", "9..12"), ("5", "1", "3"), ("2", "2..4", "3..9")]
)
@pytest.mark.parametrize("num", [Num(None, None), Num(0, 12), Num(4, 7), Num(None, 6)])
def test_gaps_and_overlaps_are_those_that_counting_finds(texts: tuple[str, ...], num: Num) -> None:
    read = labels(*texts)
    matches = [label.match for label in read]

    def takers(value: int) -> int:
        return sum(
            any((b.low is None or b.low <= value) and (b.high is None or value <= b.high) for b in m.bands)
            for m in matches
        )

    ends = [end for m in matches for b in m.bands for end in (b.low, b.high) if end is not None]
    between = range(int(min(ends)), int(max(ends)) + 1)
    possible = [n for n in between if (num.low is None or n >= num.low) and (num.high is None or n <= num.high)]
    gaps = [n for run in coverage.gaps_of(matches, num) if run.low is not None and run.high is not None
            for n in range(int(run.low), int(run.high) + 1)]  # fmt: skip
    assert gaps == [n for n in possible if takers(n) == 0]
    assert bool(coverage.overlaps_of(read)) == any(takers(n) > 1 for n in between)
