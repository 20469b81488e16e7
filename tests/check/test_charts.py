"""Charts: labels and cells of any kind, gaps and overlaps, and what a chart shows of itself."""

from typing import Final

import pytest
from tests.check.marking import found

import enfilade
from enfilade.check.charts.labels import numbers_of
from enfilade.check.types import coverage
from enfilade.limits import DEFAULT_LIMITS
from enfilade.source.text import SourceFile
from enfilade.tools.chart_layout import chart_as_json, chart_as_text
from enfilade.values.types import Num

PLAY: Final = "procedure p\n  1. roll d6 as die\n  2. read second with die as shot\n  3. give result = shot.code\n"


@pytest.mark.thorough
def test_a_chart_of_too_many_cells_is_refused_before_anything_else() -> None:
    row = f"  |{'x|' * 100}\n"
    assert found(f"chart t\n  down d6\n{row * (DEFAULT_LIMITS.cells // 99 + 2)}") == [("chart-too-large", 1)]


def test_what_only_looks_like_a_number_is_none_and_takes_no_time() -> None:
    chart = "chart t\n  down d6\n  cells numbers\n  | d | r |\n  | 1-6 | {} |\n"
    for cell in ("1e999999999", "9" * 5000, "²", "१", "nan", "inf", "1_0", "--1"):
        assert found(chart.format(cell)) == [("cell-number", 5)], cell


def test_no_label_is_too_strange_to_be_read_or_reported() -> None:
    for label in ("9" * 5000, "1e9", "²", "१", "1..", "..", "7..", "-", "•", "(", "1:0", "0:0", "§"):
        found(
            "facts\n  attack  1..\n  defence  1..\nchart t\n  down 2d6\n  across attack / defence, column at or below\n"
            f"  | d | {label} |\n  | {label} | x |\n"
        )


def test_a_cell_that_was_restored_is_shown_as_ruled_and_marked() -> None:
    text = """facts
  n  1..2
chart second "Second"
  down    d6
  across  n
  erratum row 1-3, column 2 reads M assumed "a blot"
  | d6  | 1 |  2 |
  | 1-3 | - | ?? |
  | 4-6 | - |  X |
"""
    rules = enfilade.load(text=text + PLAY)
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


@pytest.mark.parametrize(
    "texts", [("1..3", "5", "8+"), ("..2", "4,6", "9..12"), ("5", "1", "3"), ("2", "2..4", "3..9")]
)
@pytest.mark.parametrize("num", [Num(None, None), Num(0, 12), Num(4, 7), Num(None, 6)])
def test_gaps_and_overlaps_are_those_that_counting_finds(texts: tuple[str, ...], num: Num) -> None:
    matches = [match for text in texts if (match := numbers_of(text, "contains", None)) is not None]
    assert len(matches) == len(texts)

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
    anywhere = SourceFile("test.rules", "x").span(0, 1)
    read = [coverage.Labelled(text, match, anywhere) for text, match in zip(texts, matches, strict=True)]
    assert bool(coverage.overlaps_of(read)) == any(takers(n) > 1 for n in between)
