"""Plots of grids: a column for each value, as high as it is likely."""

from fractions import Fraction
from typing import Any

import pytest

import enfilade
from enfilade.api.column_plot import plotted

RULES = enfilade.load("infantry_attacks")


def test_a_condition_is_plotted_in_percent() -> None:
    grid = RULES.grid("direct_fire", by={"fire_value": range(1, 46)}, of="M or worse")
    lines = grid.plot(80).splitlines()
    assert [lines[0], lines[1][:7]] == ["M or worse by fire_value (percent)", "100 % |"]
    body = [line.partition("|")[2].ljust(45) for line in lines[1:11]]
    heights = [sum(row[at] != " " for row in body) for at in range(45)]
    assert heights == sorted(heights)
    assert heights[10] == 6  # 20/36 is above the fifth of ten lines


def test_a_number_is_plotted_by_its_mean() -> None:
    rules = enfilade.load("emperor_musketry")
    grid = rules.grid("infantry_fire", by={"lives": range(1, 5)}, of="kills", formation="line", drill=2, experience=2)
    assert grid.plot(40).splitlines()[0] == "kills by lives (mean)"


@pytest.mark.parametrize(
    ("by", "of", "told"),
    [
        ({"fire_value": range(1, 4)}, "result", "a number or a condition"),
        ({"fire_value": [1, 2], "night": None}, "M or worse", "can vary only one fact"),
    ],
)
def test_what_has_no_height_can_not_be_plotted(by: Any, of: str, told: str) -> None:
    with pytest.raises(enfilade.OddsError, match=told):
        RULES.grid("direct_fire", by=by, of=of).plot(80)


def test_a_refusal_leaves_a_gap_and_plain_letters_do() -> None:
    text = plotted(["a", "b"], [None, Fraction(1)], width=20, height=2, percents=True, plain=True)
    assert text.encode("ascii").splitlines()[0] == b"100 % |    ####"
