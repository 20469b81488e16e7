"""Results: codes and entries, readers, numbers in codes; and what is read on a chart with which roll."""

import pytest
from tests.check.marking import found, marked

import enfilade

HEAD = """
players owner
record unit
  kind   one of infantry, gun
  steps  0.. = 1
facts
  units  list of unit
effect loss "loses a step" (unit, amount 1..)
effect panic "panics"
"""


def assert_marked(text: str) -> None:
    assert found(HEAD + text) == marked(HEAD + text)


def chart(*codes: str, name: str = "t") -> str:
    rows = "".join(f"  | {n} | {code} |\n" for n, code in enumerate(codes, 1))
    return f"chart {name}\n  down d{len(codes)}\n  | d | r |\n{rows}"


# -- codes and entries


def test_every_code_has_an_entry_and_every_entry_a_code() -> None:
    assert_marked("""
chart t
  down  d6
  | d6  | Result |
  | 1,2 |   -    |
  |  3  |   M    |
  |  4  |   Y    |  -- ! code-without-result
  | 5,6 |   2X   |
results of t
  -  "none"
  M  "morale"
  #X "losses"
chart u
  down  d6
  | d6  | Result |
  | 1-6 |   -    |
results of u
  -  "none"
  K  "killed"       -- ! result-without-code
""")


def test_a_code_that_an_edge_gives_or_an_erratum_reads_needs_an_entry_too() -> None:
    assert_marked("""
chart t
  down  d6
  row above  gives Z     -- ! code-without-result
  erratum row 1-3, column Result reads Q  -- ! code-without-result
  | d6  | Result |
  | 1-3 |   -    |
  | 4-6 |   X    |
modifiers m add to roll of t
  +1  many  (count of units) > 3
results of t
  -  "none"
  X  "one"
""")


def test_one_code_and_one_entry_that_differ_are_one_mistake_at_the_cell() -> None:
    assert_marked("""
chart t
  down  d6
  | d6  | Result |
  | 1-5 |   -    |
  |  6  |  M1l   |  -- ! code-without-result
results of t
  -  "none"
  M1 "morale"
""")


def test_an_entry_that_leaves_several_codes_without_a_result_is_the_mistake() -> None:
    assert_marked("""
chart t
  down  d6
  | d6  | Result |
  | 1,2 |   -    |
  |  3  |   X    |
  |  4  |   2X   |
  | 5,6 |   3X   |
results of t
  -  "none"
  #Y, Y is 1Y  "losses"  -- ! code-without-result
""")


def test_two_wrong_cells_are_two_mistakes() -> None:
    assert_marked("""
chart t
  down  d6
  | d6  | Result |
  | 1,2 |   -    |
  |  3  |   X    |
  |  4  |   Y    |  -- ! code-without-result
  | 5,6 |   Z    |  -- ! code-without-result
results of t
  -  "none"
  X  "one"
""")


def test_numbers_and_words_have_results_like_codes() -> None:
    assert_marked("""
chart t
  down   d6
  cells  numbers
  | d6  | Result |
  | 1-5 |   0    |
  |  6  |   1    |
results of t
  #  "losses"
    panic
chart u
  down   d6
  cells  words
  | d6  | Result |
  | 1-5 | hold   |
  |  6  | rout   |  -- ! code-without-result
results of u
  hold  "holds"
""")


def test_then_goes_on_with_an_entry_above_and_a_code_stands_once() -> None:
    assert_marked(
        chart("-", "X", "2X")
        + """
results of t
  -            "none"
  then #X                    -- ! nothing-before
    panic
  #X, X is 1X  "losses"
    panic
  then #X
    panic
  #X           "again"       -- ! duplicate-name
"""
    )


def test_the_results_of_an_unknown_chart_are_one_mistake_with_all_that_hangs_on_it() -> None:
    assert_marked("""
chart fire
  down    d6
  | d6  | Result |
  | 1-6 |   X    |
results of fier for each unit   -- ! unknown-name
  X  "one"
    each reader: loss with amount 1
procedure p
  1. roll d6 as die
  2. read fire with die for each unit as shots
  3. apply shots
""")


# -- numbers in codes, readers


def test_the_number_of_a_code_stands_for_one_reader_under_each_reader_only() -> None:
    assert_marked(
        chart("-", "2X")
        + """
results of t for each unit
  -   "none"
  #X  "losses"
    each reader: loss with amount #
    once
      owner assigns (#) loss with amount 1 among readers              -- ! misplaced
      owner assigns (highest of # over readers) loss with amount 1 among readers
    panic
"""
    )


def test_a_number_stands_below_a_code_that_has_one() -> None:
    assert_marked(
        chart("-", "A1D2", "X")
        + """
results of t for each unit
  -      "none"
  A#aD#d "both"
    each reader: loss with amount #a + #d
    each reader: loss with amount #x      -- ! misplaced
    each reader: loss with amount #       -- ! misplaced
  X      "one"
    each reader: loss with amount #       -- ! misplaced
"""
    )


def test_each_reader_needs_results_for_readers() -> None:
    assert_marked(
        chart("-", "X")
        + """
results of t
  -  "none"
  X  "one"
    each reader: panic                    -- ! readers
    panic
"""
    )


READ = """
results of t{who}
  -  "none"
  X  "one"
    panic
procedure p
  1. roll d2 as die
  2. read t with die{reads} as shots
  3. {apply}
"""


@pytest.mark.parametrize(
    ("who", "reads", "apply", "codes"),
    [
        ("", "", "apply shots", []),
        (" for each unit", " for each unit", "apply shots", []),
        (" for each unit", "", "apply shots to units", []),
        (" for each unit", " for (item 1 of units)", "apply shots", []),
        ("", " for each unit", "apply shots", ["readers"]),
        (" for each unit", "", "apply shots", ["readers"]),
        (" for each unit", " for each unit", "apply shots to units", ["readers"]),
        ("", "", "apply shots to units", ["readers"]),
        ("", "", "apply die", ["type"]),
    ],
)
def test_what_is_applied_has_the_readers_of_its_results(who: str, reads: str, apply: str, codes: list[str]) -> None:
    text = HEAD + chart("-", "X") + READ.format(who=who, reads=reads, apply=apply)
    assert [code for code, _ in found(text) if code != "unused-fact"] == codes


def test_a_reading_that_is_applied_needs_results() -> None:
    assert_marked(
        chart("-", "X")
        + """
procedure p
  1. roll d2 as die
  2. read t with die for each unit as shots
  3. apply shots             -- ! no-results
"""
    )


# -- rolls


def test_a_chart_is_read_with_dice_that_its_rows_cover() -> None:
    assert_marked("""
die  fight   faces hit, miss
die  wide    faces hit, miss, crit
chart t
  down  2d6
  | 2d6  | Result |
  | 2..7 |   -    |
  | 8+   |   X    |
chart open_above
  down  2d6
  row above  stays
  | 2d6  | Result |
  | 2..7 |   -    |
  | 8..12|   X    |
chart symbols
  down  fight
  | Die  | Result |
  | hit  |   X    |
  | miss |   -    |
modifiers m add to roll of open_above
  +1  many  (count of units) > 3
procedure p
  1. roll 2d6 as two
  2. roll 3d6 as three
  3. roll d6 as one
  4. roll fight as symbol
  5. roll wide as other
  6. read t with two as a1
  7. read t with three as a2
  8. read t with one as a3                  -- ! roll-mismatch
  9. read t with one + 1 as a4
  10. read open_above with three as a5
  11. read symbols with symbol as a6
  12. read symbols with other as a7         -- ! roll-mismatch
  13. read symbols with two as a8           -- ! type
  14. read t as a9
  15. read t with two.natural as a10        -- ! roll-mismatch
""")


def test_without_a_roll_the_only_one_that_fits_is_taken() -> None:
    assert_marked(
        chart("-", "X", "X", "X", "X", "X")
        + """
procedure none_fits
  1. roll 2d6 as two
  2. read t                       -- ! which-roll
procedure one_fits
  1. roll 2d6 as two
  2. roll d6 as one
  3. read t
procedure two_fit
  1. roll d6 as one
  2. roll d6 as other
  3. read t                       -- ! which-roll
procedure not_known
  1. roll dd6 as one              -- ! unknown-name
  2. read t
procedure p
  1. give x = count of units
"""
    )


def test_the_list_of_readers_is_the_only_one_of_its_kind_or_said() -> None:
    assert_marked(
        chart("-", "X")
        + """
facts
  others  list of unit
procedure p
  1. roll d2 as die
  2. read t with die for each unit as one                  -- ! which-list
  3. read t with die for each unit in others as two
  4. read t with die for each unti as three                -- ! unknown-name
  5. give x = (count of units) + (count of others)
"""
    )


def test_a_letter_behind_a_number_is_literal_where_only_an_edge_reads_so() -> None:
    text = """
record side
  lost  0.. = 0
facts
  target  side
effect loss (side, amount 0..)
  side.lost becomes side.lost + amount
chart crt
  down  d6
  row below  gives D3x
  roll above stays
  | d6  | R  |
  | 1-6 | NE |
modifiers drm add to roll of crt
  -1  unhurt  target.lost is 0
results of crt
  NE
  D#x
    loss on target with amount #
procedure p
  1. roll d6 as die
  2. read crt with die as shot
  3. apply shot
  4. give lost = target.lost
"""
    assert enfilade.load(text=text).resolve("p", target={"name": "a"}, dice=[1]).outputs == {"lost": 3}
