"""Results in a notebook: what they show, on light and dark pages, as escaped text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any, Final

import pytest
from tests.api.skirmish import TEXT

import enfilade
from enfilade import Ruleset
from enfilade.notebook import diagnostic_html

VEGA_LITE: Final = "application/vnd.vegalite.v5+json"
EVIL: Final = '<script>alert(1)</script> & \\"quotes\\"'
WEAK: Final = """
facts
  steps  0..3
procedure attack
  1. refuse weak "too <b>weak</b>" when steps is 0
  2. give result = steps
"""


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return enfilade.load("infantry_attacks")


def grid(rules: Ruleset, by: dict[str, Any] | None = None, of: str = "M or worse") -> enfilade.Grid:
    return rules.grid("direct_fire", by=by or {"fire_value": [11, 22], "night": [False, True]}, of=of)


class Parsed(HTMLParser):
    """The start tags and the text of a fragment; every tag must be closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words = ""
        self.open: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


# ------------------------------------------------------------------------------------------------- what results show


def test_a_chart_is_a_table_with_its_header_rows_and_remarks() -> None:
    found = Parsed(enfilade.load("fire_combat").chart("artillery_class_1")._repr_html_())
    assert found.tags.count("thead") == 1
    assert "Medium Range:" in found.words
    assert "columns 9, 10: printed but never used" in found.words


@pytest.mark.thorough
def test_every_shipped_chart_is_a_table_with_all_its_cells() -> None:
    for name in ("fire_combat", "infantry_attacks", "franco_prussian", "emperor_musketry"):
        shipped = enfilade.load(name)
        for chart in map(shipped.chart, shipped.charts):
            found = Parsed(chart._repr_html_())
            assert found.tags.count("td") >= sum(len(row) for page in chart.pages for row in page.cells), chart.name


def test_a_grid_has_a_plot_if_it_can_be_plotted(rules: Ruleset) -> None:
    assert set(grid(rules)._repr_mimebundle_()) == {"text/plain", "text/html", VEGA_LITE}
    three = {"fire_value": [11, 22], "night": [False, True], "companies": [0, 1]}
    assert set(grid(rules, three)._repr_mimebundle_()) == {"text/plain", "text/html"}


def test_a_notebook_may_choose_the_forms(rules: Ruleset) -> None:
    odds = rules.odds("direct_fire", fire_value=16)
    for shown in (odds, odds.result, grid(rules)):
        assert set(shown._repr_mimebundle_(include=["text/html"])) == {"text/html"}
        assert VEGA_LITE not in shown._repr_mimebundle_(exclude=[VEGA_LITE])


def test_odds_show_the_distribution_of_their_result_or_no_more_than_their_text(rules: Ruleset) -> None:
    odds = rules.odds("direct_fire", fire_value=16)
    assert odds._repr_mimebundle_() == odds.result._repr_mimebundle_()
    text = "procedure attack\n  1. roll 1d6 as dice\n  2. give hits = dice"
    assert enfilade.load(text=text).odds("attack")._repr_mimebundle_() == {}


def test_an_outcome_shows_its_sentence_and_its_explanation(rules: Ruleset) -> None:
    shot = rules.resolve("direct_fire", fire_value=16, terrain={"town"}, dice=[4, 1])
    shown = shot._repr_markdown_()
    assert shown is not None
    assert shown.startswith("**Direct Fire Table: roll 5, column 7")
    assert shown.endswith(shot.explain()._repr_markdown_())
    without = enfilade.Outcome.from_json(shot.to_json(explanation=False))
    assert without._repr_markdown_() is None
    refused = enfilade.load(text=WEAK).resolve("attack", steps=0)._repr_markdown_()
    assert refused == r"**refused: too \<b\>weak\</b\>**"


# ------------------------------------------------------------------------------------------- light and dark, escaped


def shades(html: str) -> Iterator[tuple[tuple[int, int, int], float]]:
    for red, green, blue, share in re.findall(r"rgba\((\d+),(\d+),(\d+),([\d.]+)\)", html):
        yield (int(red), int(green), int(blue)), float(share)


def brightness(colour: tuple[float, ...]) -> float:
    """The relative luminance of a colour, as the guidelines for accessible web content define it."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (c / 255 for c in colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(("page", "ink"), [(255, 0), (17, 255)])
def test_text_on_a_heat_map_can_be_read_on_light_and_dark_pages(rules: Ruleset, page: int, ink: int) -> None:
    found = [*shades(grid(rules, {"fire_value": [1, 45], "night": [False, True]}).html())]
    assert found
    for colour, share in [*found, (found[0][0], 0.75)]:
        mixed = tuple(share * part + (1 - share) * page for part in colour)
        low, high = sorted((brightness(mixed), brightness((ink, ink, ink))))
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_no_table_sets_the_colour_of_its_text(rules: Ruleset) -> None:
    compared = rules.compare("direct_fire", {"night": False}, {"night": True}, fire_value=16)
    swayed = enfilade.load(text=TEXT).matters("shoot", of="X", fire=10)
    charts = rules.chart("direct_fire_table")
    for shown in (compared, swayed, charts, grid(rules), rules.odds("direct_fire", fire_value=16).result):
        html = shown._repr_html_()
        Parsed(html)
        assert not re.search(r"(?<![-\w])color:", html)


def test_texts_of_rules_are_escaped() -> None:
    text = f'chart fire "{EVIL}"\n  down  1d6\n  across  column, column at or below\n\n  | Roll | 1 |\n  | 1-6 | M |'
    found = enfilade.check(text)
    assert found
    for each in found:
        assert Parsed(diagnostic_html(each)).tags == ["pre"]


# ------------------------------------------------------------------------------------------------------ data frames


def test_a_grid_gives_columns_of_one_type(rules: Ruleset) -> None:
    columns = grid(rules, {"fire_value": [11, 22], "terrain": [["town"], ["town", "hill"]]}).to_columns()
    assert [*columns] == ["fire_value", "terrain", "outcome", "chance", "exactly", "refusal", "error"]
    assert {name: columns[name][:2] for name in ("fire_value", "terrain", "outcome", "chance", "exactly")} == {
        "fire_value": [11, 11], "terrain": ["town", "town"], "outcome": [False, True],
        "chance": [2 / 3, 1 / 3], "exactly": ["24/36", "12/36"],
    }  # fmt: skip
    assert (columns["fire_value"], columns["terrain"][2]) == ([11] * 4 + [22] * 4, "town, hill")


def test_a_refused_cell_is_a_row_of_its_own() -> None:
    columns = enfilade.load(text=WEAK).grid("attack", by={"steps": [0, 1]}, of="result").to_columns()
    assert {name: columns[name] for name in ("refusal", "outcome", "chance")} == {
        "refusal": ["weak", None], "outcome": [None, 1], "chance": [None, 1.0],
    }  # fmt: skip


def test_odds_of_several_questions_have_a_column_for_each(rules: Ruleset) -> None:
    columns = rules.odds("direct_fire", fire_value=16).joint("result", "roll").to_columns()
    assert [*columns] == ["result", "roll", "chance", "exactly"]
    assert all(isinstance(each, int) for each in columns["roll"])
    assert sum(map(Fraction, columns["exactly"])) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames_read_grids_and_samples(rules: Ruleset, library: str) -> None:
    frames = pytest.importorskip(library)
    sampled = rules.sample("direct_fire", trials=200, seed=1, fire_value=16).result
    for source in (grid(rules), grid(rules, of="result"), sampled, rules.odds("direct_fire", fire_value=16).result):
        columns = source.to_columns()
        frame = frames.DataFrame(columns)
        assert list(frame.columns) == list(columns)
        assert len(frame) == len(columns["chance"])
        assert frame["chance"].to_list() == columns["chance"]
