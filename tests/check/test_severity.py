"""Severity along rows and columns: what breaks a rule, and which cell is pointed at."""

from itertools import pairwise

import pytest
from tests.check.marking import found, marked

from enfilade.check.program import check_source
from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile

HEAD = "facts\n  fire  1..\n\n"


def assert_marked(text: str) -> None:
    assert found(HEAD + text) == marked(HEAD + text)


def breaks(rule: str, *rows: str, more: str = "") -> list[Diagnostic]:
    """The breaks of a chart with codes a < b < c < d and three columns."""
    lines = "".join(f"  | {number} | {' | '.join(row)} |\n" for number, row in enumerate(rows, 1))
    text = (
        f"{HEAD}chart t\n  down 1..{len(rows)} of fire\n  across fire, column at or below\n  row above stays\n"
        f"  severity a < b < c < d\n  severity {rule}\n{more}  | n | 1 | 4 | 9 |\n{lines}"
    )
    found = check_source(SourceFile("test.rules", text), Folders()).diagnostics
    assert {d.code for d in found} <= {"severity-break", "unused-code", "edge-unreachable"}, found
    return [d for d in found if d.code == "severity-break"]


def holds(rule: str, *rows: str, more: str = "") -> bool:
    return not breaks(rule, *rows, more=more)


@pytest.mark.parametrize(
    ("rule", "good", "bad"),
    [
        ("never falls to the right", "abc", "acb"),
        ("never rises to the right", "cba", "abb"),
        ("never falls to the left", "cba", "abc"),
        ("never rises to the left", "abc", "cba"),
        ("falls then rises to the right", "cac", "aca"),
        ("rises then falls to the right", "aca", "cac"),
        ("falls then rises to the right, lowest at 4", "cac", "abc"),
        ("falls then rises to the right, lowest at 1", "abc", "cba"),
        ("rises then falls to the right, highest at 4", "aca", "abc"),
    ],
)
def test_each_rule_holds_for_one_row_and_breaks_for_another(rule: str, good: str, bad: str) -> None:
    assert holds(rule, good)
    assert not holds(rule, bad)


@pytest.mark.parametrize(
    ("rule", "good", "bad"),
    [
        ("never falls down", "abc", "acb"),
        ("never rises down", "cba", "abb"),
        ("never falls up", "cba", "abc"),
        ("falls then rises down, lowest at 2", "cac", "abc"),
        ("rises then falls down, highest at 2", "aca", "abc"),
    ],
)
def test_the_same_rules_hold_along_columns(rule: str, good: str, bad: str) -> None:
    assert holds(rule, *(code * 3 for code in good))
    assert not holds(rule, *(code * 3 for code in bad))


def test_equal_neighbours_break_nothing() -> None:
    for rule in (
        "never falls to the right",
        "never rises to the right",
        "falls then rises down",
        "rises then falls down",
    ):
        assert holds(rule, "aaa", "aaa", "aaa")


def test_a_code_outside_of_the_order_is_passed_over() -> None:
    text = """chart t
  down d6
  across fire, column at or below
  severity a < c
  severity never falls to the right
  | d6  | 1 | 4 | 9 |
  | 1-6 | a | * | c |  -- ! unknown-code
"""
    assert_marked(text)
    results = '\nresults of t\n  a  "one"\n  c  "two"\n  *  "star"\n'
    assert found(HEAD + text.replace("  -- ! unknown-code", "") + results) == []


def test_a_break_is_pointed_at_with_both_cells_and_the_rule() -> None:
    (only,) = breaks("never falls to the right", "acb")
    assert only.span.text == "b"
    assert [label.span.text for label in only.labels] == ["c", "severity never falls to the right"]


def test_one_wrong_cell_is_one_message_however_many_neighbours_it_offends() -> None:
    text = """chart t
  down    d6
  across  fire, column at or below
  severity  a < b < c < d
  severity  never falls to the right
  severity  never falls down
  | d6  | 1 | 4 | 9 |
  | 1,2 | a | a | b |
  | 3,4 | a | d | b |  -- ! severity-break
  | 5,6 | b | b | c |
"""
    assert_marked(text)
    found_break = check_source(SourceFile("t", HEAD + text), Folders()).diagnostics[0]
    assert found_break.span.text == "d"


def test_two_wrong_cells_apart_are_two_messages() -> None:
    assert len(breaks("never falls to the right", "acb", "abc", "cbb")) == 2


def test_the_classes_in_a_cell_are_followed_each_for_itself() -> None:
    text = """facts
  class  1..2
chart t
  down    d6
  across  fire, column at or below
  inside  class
  severity  a < b < c
  severity  never falls to the right
  severity  never rises inside
  | d6  |  1  |  4  |
  | 1-3 | b a | c b |
  | 4,5 | b a | a a |  -- ! severity-break
  |  6  | a b | c b |  -- ! severity-break
"""
    assert_marked(text)


def test_an_erratum_mends_a_break() -> None:
    assert not holds("never falls to the right", "acb")
    assert holds("never falls to the right", "acb", more="  erratum row 1, column 9 reads d\n")


def test_an_erratum_under_a_condition_leaves_the_printed_cell_to_be_judged() -> None:
    assert not holds("never falls to the right", "acb", more="  erratum row 1, column 9 reads d when fire > 3\n")


def test_a_rule_needs_an_order_and_labels_that_there_are() -> None:
    assert_marked("""chart t
  down    d6
  across  fire, column at or below
  severity  never falls to the right  -- ! no-severity
  | d6  | 1 | 4 |
  | 1-6 | a | b |
chart u
  down    d6
  across  fire, column at or below
  severity  a < b
  severity  falls then rises down, lowest at 7  -- ! no-cell
  | d6  | 1 | 4 |
  | 1-6 | a | b |
""")


def test_codes_are_ordered_once_each_and_each_is_used() -> None:
    assert_marked("""chart t
  down      d6
  severity  a < b < a    -- ! duplicate-name
  | d6  | Result |
  | 1-3 |   a    |
  | 4-6 |   b    |
chart u
  down      d6
  severity  a < b        -- ! unused-code
  | d6  | Result |
  | 1-6 |   a    |
""")


def test_codes_that_an_edge_gives_or_an_erratum_reads_are_used() -> None:
    assert_marked("""chart t
  down    d6
  across  fire, column at or below
  column below  gives c
  severity  a < b < c < d
  erratum row 1-6, column 4 reads d
  | d6  | 4 | 9 |
  | 1-6 | a | b |
""")


@pytest.mark.parametrize("rows", [("abc", "bcd"), ("aab", "abc", "bcd"), ("abcd"[:3], "abd", "bbd")])
def test_no_break_is_found_where_every_neighbour_is_in_order(rows: tuple[str, ...]) -> None:
    assert all(a <= b for row in rows for a, b in pairwise(row))
    assert holds("never falls to the right", *rows)
