"""Plots of grids: a column for each value, as high as it is likely."""

from __future__ import annotations

from fractions import Fraction

import pytest

import enfilade
from enfilade.api.column_plot import plotted

RULES = enfilade.load("infantry_attacks")


def test_a_condition_is_plotted_in_percent() -> None:
    grid = RULES.grid("direct_fire", by={"fire_value": range(1, 46)}, of="M or worse")
    lines = grid.plot(80).splitlines()
    assert lines[0] == "M or worse by fire_value (percent)"
    assert lines[1].startswith("100 % |")
    body = [line.partition("|")[2].ljust(45) for line in lines[1:11]]
    heights = [sum(row[at] != " " for row in body) for at in range(45)]
    assert heights == sorted(heights)
    assert heights[10] == 6  # 20/36 is above the fifth of ten lines


def test_a_number_is_plotted_by_its_mean() -> None:
    rules = enfilade.load("emperor_musketry")
    grid = rules.grid("infantry_fire", by={"lives": range(1, 5)}, of="kills", formation="line", drill=2, experience=2)
    assert grid.plot(40).splitlines()[0] == "kills by lives (mean)"


def test_what_has_no_height_can_not_be_plotted() -> None:
    with pytest.raises(enfilade.OddsError, match="a number or a condition"):
        RULES.grid("direct_fire", by={"fire_value": range(1, 4)}, of="result").plot(80)
    with pytest.raises(enfilade.OddsError, match="can vary only one fact"):
        RULES.grid("direct_fire", by={"fire_value": [1, 2], "night": None}, of="M or worse").plot(80)


def test_a_refusal_leaves_a_gap_and_plain_letters_do() -> None:
    text = plotted(["a", "b"], [None, Fraction(1)], width=20, height=2, percents=True, plain=True)
    assert text.isascii()
    assert text.splitlines()[0] == "100 % |    ####"
