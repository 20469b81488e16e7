"""Severity along rows and columns: what breaks a rule, and which cell is pointed at."""

from itertools import pairwise

import pytest

from enfilade.check.program import check_source
from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile


def breaks(rule: str, *rows: str, more: str = "") -> list[Diagnostic]:
    """The breaks of a chart with codes a < b < c < d and three columns."""
    lines = "".join(f"  | {number} | {' | '.join(row)} |\n" for number, row in enumerate(rows, 1))
    text = (
        f"facts\n  fire  1..\nchart t\n  down 1..{len(rows)} of fire\n  across fire, column at or below\n"
        f"  row above stays\n  severity a < b < c < d\n  severity {rule}\n{more}  | n | 1 | 4 | 9 |\n{lines}"
    )
    found = check_source(SourceFile("test.rules", text), Folders()).diagnostics
    assert {d.code for d in found} <= {"severity-break", "unused-code", "edge-unreachable"}, found
    return [d for d in found if d.code == "severity-break"]


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
        ("never falls down", "abc", "acb"),
        ("never rises down", "cba", "abb"),
        ("never falls up", "cba", "abc"),
        ("falls then rises down, lowest at 2", "cac", "abc"),
        ("rises then falls down, highest at 2", "aca", "abc"),
    ],
)
def test_each_rule_holds_for_one_row_or_column_and_breaks_for_another(rule: str, good: str, bad: str) -> None:
    def chart(codes: str) -> list[str]:
        return [code * 3 for code in codes] if rule.split(",")[0].endswith(("down", "up")) else [codes]

    assert not breaks(rule, *chart(good))
    assert breaks(rule, *chart(bad))


def test_equal_neighbours_break_nothing() -> None:
    for rule in (
        "never falls to the right",
        "never rises to the right",
        "falls then rises down",
        "rises then falls down",
    ):
        assert not breaks(rule, "aaa", "aaa", "aaa"), rule


def test_no_break_is_found_where_every_neighbour_is_in_order() -> None:
    for rows in (("abc", "bcd"), ("aab", "abc", "bcd"), ("abc", "abd", "bbd")):
        assert all(a <= b for row in rows for a, b in pairwise(row))
        assert not breaks("never falls to the right", *rows), rows


def test_a_break_is_pointed_at_with_both_cells_and_the_rule() -> None:
    (only,) = breaks("never falls to the right", "acb")
    assert only.span.text == "b"
    assert [label.span.text for label in only.labels] == ["c", "severity never falls to the right"]


def test_one_wrong_cell_among_four_neighbours_is_pointed_at() -> None:
    text = """facts
  fire  1..
chart t
  down    d6
  across  fire, column at or below
  severity  a < b < c < d
  severity  never falls to the right
  severity  never falls down
  | d6  | 1 | 4 | 9 |
  | 1,2 | a | a | b |
  | 3,4 | a | d | b |
  | 5,6 | b | b | c |
"""
    found = [d for d in check_source(SourceFile("t", text), Folders()).diagnostics if d.code == "severity-break"]
    assert [d.span.text for d in found] == ["d"]


def test_two_wrong_cells_apart_are_two_messages() -> None:
    assert len(breaks("never falls to the right", "acb", "abc", "cbb")) == 2


def test_an_erratum_mends_a_break_if_it_always_holds() -> None:
    assert not breaks("never falls to the right", "acb", more="  erratum row 1, column 9 reads d\n")
    assert breaks("never falls to the right", "acb", more="  erratum row 1, column 9 reads d when fire > 3\n")
