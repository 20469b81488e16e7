"""Many situations: the least value, grids, comparisons, and which modifier matters.

More of it, as text, is on the pages ``odds.md``, ``matters.md`` and ``variables.md`` in ``tests/cli/pages``.
"""

import json
import pickle
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from html import escape
from multiprocessing import get_context
from typing import Any, Final

import pytest
from tests.api.skirmish import TEXT, UNITS

import enfilade
from enfilade import (
    ArgumentError,
    Distribution,
    InputError,
    LimitError,
    NeedsPolicy,
    OddsError,
    RefusedOdds,
    RuleError,
    published_schema,
)
from enfilade.api.comparisons import Comparison
from enfilade.api.grid_tables import GridTable
from enfilade.api.parameter_sweep import Cell
from enfilade.types import Word

RULES = enfilade.load(text=TEXT)
PRINTED = enfilade.load("infantry_attacks")


@pytest.fixture
def published() -> Callable[[Any], None]:
    """Compare plain data with their published form, where that can be done."""
    jsonschema = pytest.importorskip("jsonschema")
    return lambda data: jsonschema.validate(json.loads(json.dumps(data)), published_schema("odds"))


# -------------------------------------------------------------------------------------------------------- least


@pytest.mark.parametrize(
    ("of", "chance", "said"),
    [
        ("M or worse", "1/2", "11 (20/36, 55.56 %)"),
        ("X or worse", "25%", "22 (9/36, 25.00 %)"),
        ("X or worse", "1/2", "no value reaches this chance; the highest chance is 16/36 at 45+"),
        ("M or worse", 0, "1 (6/36, 16.67 %)"),
        ("3X", 1, "no value reaches this chance; the highest chance is 4/36 at 45+"),
    ],
)
def test_the_least_fire_value_of_a_printed_table(of: str, chance: Any, said: str) -> None:
    assert str(PRINTED.least("fire_value", "direct_fire", chance=chance, of=of)) == said


def test_the_least_value_is_data() -> None:
    found = PRINTED.least("fire_value", "direct_fire", chance=Fraction(1, 2), of="M or worse")
    assert (found.reached, found.value, found.chance, found.at) == (True, 11, Fraction(5, 9), "11")
    assert found.tried[7] == Fraction(4, 9)
    never = PRINTED.least("fire_value", "direct_fire", chance=Decimal("0.5"), of="X or worse")
    assert (never.reached, never.value, never.best, never.chance, never.at) == (False, None, 45, Fraction(4, 9), "45+")


@pytest.mark.parametrize(
    ("fact", "chance", "of", "within", "said"),
    [
        # A best that does not last to the end is no plus.
        ("fire", 1, '"-"', [1, 5, 9], "no value reaches this chance; the highest chance is 30/36 at 1"),
        # Words, and yes or no, are tried in their order.
        ("cover", "1/2", '"-"', None, "woods (24/36, 66.67 %)"),
        ("night", "1/2", '"-"', None, "yes (24/36, 66.67 %)"),
        ("night", "1/2", "M or worse", None, "no (36/36, 100.00 %)"),
        # Values that the rules refuse are passed over.
        ("distance", "1/2", '"-"', [30, 21, 10, 1], "10 (30/36, 83.33 %)"),
    ],
)
def test_the_least_value_among_those_that_are_tried(fact: str, chance: Any, of: str, within: Any, said: str) -> None:
    given = {} if fact == "fire" else {"fire": 10}
    assert str(RULES.least(fact, "shoot", chance=chance, of=of, within=within, **given)) == said


def test_where_the_rules_refuse_every_value_there_is_no_least() -> None:
    found = RULES.least("distance", "shoot", chance="1/2", of='"-"', fire=10, within=[30, 21, 10, 1])
    assert found.tried == {30: None, 21: None, 10: Fraction(5, 6)}
    with pytest.raises(RefusedOdds):
        RULES.least("distance", "shoot", chance=1, of="X", fire=10, within=[30, 21])


LONG: Final = """
facts
  fire  1..
chart table
  down    d6
  across  fire, column at or below
  severity - < X
  | d6   | 1 | 500 |
  | 1..3 | - |  -  |
  | 4..6 | - |  X  |
procedure shoot
  1. roll d6 as die
  2. read table with die as hit
  3. give result = hit.code
"""


def test_the_ends_of_labels_beyond_the_first_hundred_are_tried() -> None:
    assert enfilade.load(text=LONG).least("fire", "shoot", chance="1/2", of="X").value == 500


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"fact": "fyre"}, "there is no fact fyre; did you mean fire"),
        ({"fact": "units"}, "the values of units can't be listed"),
        ({"chance": 0.5}, 'write it as "1/2"'),
        ({"chance": "3/2"}, "allowed: a fraction from 0 to 1"),
        ({"of": "sum"}, "a condition is needed"),
        ({"within": []}, "values to try for fire is empty"),
        ({"within": [0]}, "fire is 0"),
        ({"night": "perhaps"}, "night"),
    ],
)
def test_what_is_wrong_with_a_search_is_told(how: dict[str, Any], told: str) -> None:
    call = {"fact": "fire", "chance": "1/2", "of": "X"} | how
    with pytest.raises(InputError, match=told):
        RULES.least(call.pop("fact"), "shoot", **call)


# -------------------------------------------------------------------------------------------------------- grids


MORE: Final = "facts\n  more  0..\nprocedure throw\n  1. roll 3d6 as dice\n  2. give result = dice + more\n"


def lines_of(shown: Any) -> list[list[str]]:
    """The words of each line below the title."""
    return [line.split() for line in str(shown).splitlines()[1:]]


def test_a_grid_has_the_odds_of_each_cell_and_its_text_those_of_each_band() -> None:
    grid = RULES.grid("shoot", by={"fire": range(1, 12)})
    assert (len(grid), grid[5]) == (11, RULES.odds("shoot", fire=5).result)
    assert lines_of(grid)[:2] == [["fire", "-", "M", "X"], ["1..4", "83.3", "16.7", "."]]
    both = RULES.grid("shoot", by={"fire": [1, 10], "cover": None}, of="M or worse")
    assert both[10, "woods"][True] == Fraction(1, 3)
    assert lines_of(both) == [
        ["fire", "\\", "cover", "open", "woods", "town"],
        ["1", "16.67", "%", "16.67", "%", "16.67", "%"],
        ["10", "100.00", "%", "33.33", "%", "100.00", "%"],
    ]
    assert "<table" in both._repr_html_()
    numbers = enfilade.load(text=MORE).grid("throw", by={"more": [0, 5]})
    assert str(numbers).splitlines()[0] == "result (mean, least and most)"
    assert lines_of(numbers) == [
        ["more", "mean", "least", "most"],
        ["0", "10.5", "3", "18"],
        ["5", "15.5", "8", "23"],
    ]


def test_a_cell_that_the_rules_refuse_says_so() -> None:
    grid = RULES.grid("shoot", by={"distance": [1, 21]}, fire=5)
    with pytest.raises(RefusedOdds):
        grid[21]
    assert "refused too_far" in str(grid).splitlines()[-1]
    assert grid.to_json()["cells"][1] == {
        "facts": {"distance": 21}, "refusal": "too_far", "message": "out of range", "cites": ["3.2"]
    }  # fmt: skip
    assert list(grid.rows())[-1] == ("21", "refused too_far", "", "", "")


SHARED: Final = """
facts
  parts  0..3
  wet    yes/no = no
procedure share
  roll d6 as die
  when wet: give result = die / (die - parts) > 1
  otherwise: give result = 6 / parts > die
"""
DIVIDES: Final = "error: the rules divide by 0: guard the division with `when`"


def test_a_cell_where_the_rules_fail_has_its_reason() -> None:
    grid = enfilade.load(text=SHARED).grid("share", by={"parts": None})
    assert [cell.why_not for cell in grid] == [DIVIDES, "", "", ""]
    assert isinstance(grid.cells[0].failed, RuleError)
    assert grid[2][True] == Fraction(1, 3)
    with pytest.raises(RuleError, match="divide by 0"):
        grid[0]
    table = [*str(grid).splitlines()]
    assert table[2].split(maxsplit=1) == ["0", DIVIDES]
    assert table[-1].startswith(f"{DIVIDES} (<text>, line 7: `")
    assert escape(DIVIDES) in grid.html()
    assert next(row for row in grid.rows() if row[0] == "0") == ("0", DIVIDES, "", "", "")
    columns = grid.to_columns()
    assert (columns["refusal"][0], columns["outcome"][0]) == (None, None)
    assert [error is None for error in columns["error"][:2]] == [False, True]
    assert [each["v0"] for each in grid.vega_lite()["data"]["values"]] == [1, 2, 3]


def test_the_failure_of_a_cell_is_plain_data_of_the_published_form(published: Callable[[Any], None]) -> None:
    data = enfilade.load(text=SHARED).grid("share", by={"parts": [0, 1]}).to_json()
    published(data)
    error = data["cells"][0]["error"]
    assert (error["status"], error["message"]) == ("rule_error", DIVIDES.removeprefix("error: "))
    assert error["place"]["line"] == 7
    assert set(data["cells"][1]) == {"facts", "odds"}


def test_a_map_shows_which_cells_fail() -> None:
    by = {"wet": None, "parts": [0, 3]}
    grid = enfilade.load(text=SHARED).grid("share", by=by, of="result")
    assert [cell.why_not for cell in grid] == [DIVIDES, "", "", DIVIDES]
    assert lines_of(grid)[1:3] == [["no", "error", "16.67", "%"], ["yes", "0.00", "%", "error"]]
    # The reason stands once, below the map.
    assert grid.text(120).count(DIVIDES) == grid.html().count(escape(DIVIDES)) == 1
    with ThreadPoolExecutor(2) as workers:
        assert str(enfilade.load(text=SHARED).grid("share", by=by, executor=workers)) == str(grid)


def test_a_value_where_the_rules_fail_ends_a_search_and_prepared_rows() -> None:
    rules = enfilade.load(text=SHARED)
    with pytest.raises(RuleError, match=r"^parts 0: the rules divide by 0"):
        rules.least("parts", "share", chance=1, of="result")
    with pytest.raises(RuleError, match=r"^parts 0: the rules divide by 0"):
        rules.prepare_many("share", {"parts": [1, 0]})


def test_a_limit_that_a_cell_reaches_ends_the_grid() -> None:
    with pytest.raises(LimitError):
        enfilade.load(text=SHARED).grid("share", by={"parts": None}, limits=enfilade.Limits(work=0))


def test_facts_that_are_lists_can_be_varied() -> None:
    grid = PRINTED.grid("direct_fire", by={"terrain": [["town"], {"hill", "swamp"}]}, fire_value=11)
    assert [cell.distribution.at_least("X") for cell in grid] == [Fraction(0), Fraction(1, 18)]
    assert grid[["town"]].at_least("M") == Fraction(1, 3)


def test_neighbours_with_the_same_odds_are_one_band_those_of_the_last_fact_first() -> None:
    # The odds at 11 and 500 differ; all cells are still there.
    grid = PRINTED.grid("direct_fire", by={"fire_value": [*range(1, 13), 500]}, of="M or worse")
    assert [line[0] for line in lines_of(grid)[1:]] == ["1", "2..3", "4..6", "7..10", "11..12", "500"]
    assert len(grid) == 13
    several = RULES.grid("shoot", by={"fire": [1, 2, 10], "night": None, "distance": [1, 2]}, of="M or worse")
    assert [line[:3] for line in lines_of(several)[1:]] == [
        ["1..2", "no,", "yes"],
        ["10", "no", "1..2"],
        ["10", "yes", "1..2"],
    ]


def test_a_map_is_shaded_in_text_in_html_and_in_vega_lite() -> None:
    grid = RULES.grid("shoot", by={"fire": [1, 10], "cover": None}, of="M or worse")
    assert [line.split("  ")[-1].strip() for line in grid.text(80).splitlines()[2:]] == ["16.67 %", "██ 100.00 %"]
    assert "## 100.00 %" in grid.text(80, plain=True)
    assert "rgba(76,120,168,0.75)" in grid.html()
    picture = grid.vega_lite()
    assert (picture["mark"], picture["encoding"]["color"]["field"]) == ("rect", "height")
    assert picture["data"]["values"][-1] == {"v0": 10, "v1": "town", "height": 1.0, "exactly": "1"}
    means = RULES.grid("shoot", by={"fire": [1, 10], "cover": None}, of="left of rifles", units=UNITS[:1])
    assert (str(means).splitlines()[0], means.text(80).splitlines()[-1][:2]) == ("left of rifles (mean)", "10")


def test_a_map_that_is_too_wide_is_turned() -> None:
    by = {"night": None, "fire_value": [1, 2, 4, 7, 11, 16, 22, 30, 45]}
    turned = PRINTED.grid("direct_fire", by=by, of="M or worse").text(60)
    assert turned.splitlines()[1].split()[:3] == ["fire_value", "\\", "night"]


def test_codes_over_one_fact_are_a_picture_of_stacked_bars() -> None:
    picture = RULES.grid("shoot", by={"fire": [1, 10]}).vega_lite()
    assert (picture["mark"], picture["encoding"]["color"]["field"]) == ("bar", "outcome")
    with pytest.raises(OddsError, match="a plot can vary one fact, or two"):
        RULES.grid("shoot", by={"fire": [1], "night": None}).vega_lite()


ENDLESS = """\
facts
  least  1..6
  night  yes/no
procedure main
  let rounds = 0
  let doubled = 0
  repeat until die >= least
    roll d6 as die
    rounds becomes rounds + (2 when night otherwise 1)
    doubled becomes doubled * 2 + 1
  give rounds = rounds
  give doubled = doubled
"""


def test_the_picture_of_a_number_without_an_end_shows_its_mean_once_in_each_cell() -> None:
    rules = enfilade.load(text=ENDLESS)
    bars = rules.grid("main", by={"least": [5, 6]}, night=False, of="rounds").vega_lite()
    heat = rules.grid("main", by={"least": [5, 6], "night": None}, of="rounds").vega_lite()
    assert bars["title"] == heat["title"] == "rounds (mean)"
    assert [point["height"] for point in bars["data"]["values"]] == [3, 6]
    assert [point["height"] for point in heat["data"]["values"]] == [3, 6, 6, 12]


NOT_COMPUTED = [
    "not computed: <0.01 %",
    "repeat (line 7) has no limit on its rounds: write `at most 20 times` after its condition",
]


@pytest.mark.parametrize(
    ("by", "given", "of", "told"),
    [
        ({}, {"night": False}, "rounds", [">3</td>", ">6</td>", ">not computed</td>"]),
        ({}, {"night": False}, "doubled", [">not exact</td>", ">not computed</td>"]),
        ({"night": None}, {}, "rounds", [f'<td colspan="3">{escape(NOT_COMPUTED[0])}</td>']),
    ],
)
def test_what_is_not_exact_is_told_in_html_too(
    by: dict[str, Any], given: dict[str, Any], of: str, told: list[str]
) -> None:
    page = enfilade.load(text=ENDLESS).grid("main", by={"least": [5, 6], **by}, of=of, **given).html()
    assert [text for text in (*told, *map(escape, NOT_COMPUTED)) if text not in page] == []


def test_a_table_tells_the_largest_chance_that_was_not_computed() -> None:
    cells = [(1, Distribution({1: 9}, remainder=1)), (2, Distribution({1: 3}, remainder=1)), (3, Distribution({1: 1}))]
    table = GridTable("result", {"most": (1, 2, 3)}, tuple(Cell({"most": at}, odds) for at, odds in cells))
    assert table.text(None, plain=True).splitlines()[-1] == "not computed: at most 1/4, 25.00 %"


def test_a_picture_of_what_is_not_exact_is_an_error() -> None:
    for of, what in (("doubled", "mean"), ("rounds mod 2 is 0", "chance of yes")):
        grid = enfilade.load(text=ENDLESS).grid("main", by={"least": [5, 6]}, night=False, of=of)
        with pytest.raises(OddsError, match=rf"the {what} is unknown: .* repeat \(line 7\) has no limit"):
            grid.vega_lite()
        with pytest.raises(OddsError, match=f"the {what} is unknown"):
            grid.plot(80)
        assert "text/html" in grid._repr_mimebundle_()


@pytest.mark.parametrize("by", [{}, None, {"fyre": [1]}, {"fire": []}, {"fire": range(1, 200_000)}])
def test_what_is_wrong_with_a_grid_is_told(by: Any) -> None:
    with pytest.raises((ArgumentError, InputError, LimitError)):
        RULES.grid("shoot", by=by)


def test_a_grid_may_be_on_a_condition() -> None:
    grid = RULES.grid("shoot", by={"fire": [5, 10]}, condition="M or worse")
    assert grid[10]["X"] == Fraction(1, 3)
    assert grid[5] == RULES.odds("shoot", fire=5).given("M or worse").result


@pytest.mark.parametrize(
    "executor",
    [
        pytest.param(lambda: ThreadPoolExecutor(3), id="threads"),
        pytest.param(
            lambda: ProcessPoolExecutor(2, mp_context=get_context("spawn")), id="processes", marks=pytest.mark.thorough
        ),
    ],
)
def test_a_grid_is_the_same_whoever_works_it_out(executor: Callable[[], Executor]) -> None:
    by = {"fire": range(1, 12), "distance": [1, 21]}
    with executor() as workers:
        grid = RULES.grid("shoot", by=by, executor=workers)
    assert grid.to_json() == RULES.grid("shoot", by=by).to_json()


# ---------------------------------------------------------------------------------------------------- comparisons


def test_two_situations_beside_each_other() -> None:
    found = RULES.compare("shoot", {"cover": "open"}, {"cover": "woods"}, fire=10)
    assert found.difference == {"-": Fraction(2, 3), "M": Fraction(-1, 2), "X": Fraction(-1, 6)}
    assert found.distance == Fraction(2, 3)
    assert str(found).splitlines()[0].split() == ["result", "cover", "open", "cover", "woods", "difference"]
    # Numbers are compared by their mean, too.
    found = RULES.compare("wager", {}, {}, of="won", choices={"stake": 3})
    assert (found.mean_difference, found.distance) == (Fraction(0), Fraction(0))
    assert lines_of(found)[-1] == ["mean", "1", "1", "0"]


def compared_endlessly(of: str) -> Comparison:
    return enfilade.load(text=ENDLESS).compare("main", {"least": 5}, {"least": 6}, night=False, of=of)


def test_numbers_without_an_end_are_compared_by_their_means_and_the_chances_that_are_known() -> None:
    found = compared_endlessly("rounds")
    assert (found.mean_difference, found.difference[1]) == (Fraction(3), Fraction(-1, 6))
    assert "distance" not in found.to_json()


@pytest.mark.parametrize("ask", [str, Comparison.to_json, lambda found: found.difference, lambda found: found.distance])
def test_what_cant_be_compared_says_why_in_one_message(ask: Any) -> None:
    with pytest.raises(OddsError, match=r"^the odds of rounds mod 2 is 0 can't be compared: outcomes with .*line 7"):
        ask(compared_endlessly("rounds mod 2 is 0"))


SKILLED: Final = """
facts
  skill    0..6 = 3
  weather  one of dry, snow = dry
procedure main
  1. let rounds = 0
  2. repeat until rounds >= 3
       roll d6 as die
       when die <= skill - (1 when weather is snow otherwise 0): rounds becomes rounds + 1
  3. give rounds
"""


CHOOSING: Final = """
players owner
facts
  foe  1..3
procedure main
  1. let won = 0
     when foe is 3
       owner chooses way from left, right
       when way is left: won becomes 1
  2. give result = won
"""


def test_an_error_in_one_of_many_situations_says_in_which_one() -> None:
    rules = enfilade.load(text=SKILLED)
    with pytest.raises(LimitError, match=r"^skill 1 weather snow: the loop can go on forever, .*line 7") as caught:
        rules.grid("main", by={"skill": [2, 1], "weather": None}, of="rounds")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.message) == (str(caught.value), caught.value.message)
    with pytest.raises(LimitError, match=r"^weather snow: the loop"):
        rules.prepare_many("main", {"weather": ["dry", "snow"]}, skill=1, of="rounds")
    with pytest.raises(InputError, match=r"^skill is 7"):
        rules.grid("main", by={"skill": [7]}, of="rounds")
    data = enfilade.error_to_json(caught.value)
    assert (data["situation"], data["message"]) == ("skill 1 weather snow", caught.value.message)
    with pytest.raises(NeedsPolicy, match=r"^foe 3: the odds depend on way, a choice of owner"):
        enfilade.load(text=CHOOSING).grid("main", by={"foe": [1, 3]}, of="result")


def test_a_side_that_is_refused_has_no_odds() -> None:
    with pytest.raises(RefusedOdds):
        RULES.compare("shoot", {"distance": 1}, {"distance": 21}, fire=1)


# -------------------------------------------------------------------------------------------------- what matters


def test_each_modifier_as_if_it_held_and_as_if_not() -> None:
    found = RULES.matters("shoot", of="M or worse", fire=10, cover="woods")
    woods = found["woods"]
    assert (found.as_is, woods.applied, woods.left_out) == (Fraction(1, 3), Fraction(1, 3), Fraction(1))
    assert {each.name: each.applied for each in found if each.name != "woods"} == {
        "night": Fraction(1, 6), "far": Fraction(1, 6), "fog": Fraction(1, 3),
    }  # fmt: skip
    assert [each.name for each in found] == ["woods", "night", "far", "fog"]
    assert str(found).splitlines()[0] == "M or worse as it is: 12/36, 33.33 %"
    assert str(found).splitlines()[-1] == "no effect here: fog"


def test_modifiers_that_never_stand_together_are_tried_one_at_a_time() -> None:
    found = RULES.matters("shoot", of="M or worse", fire=10, night=True)
    assert (found["far"].why_not, found["far"].applied) == (None, Fraction(1, 6))


def test_a_number_changes_by_its_mean_and_what_each_reader_has_is_tried_for_all() -> None:
    found = RULES.matters("shoot", of="left of rifles", fire=10, units=UNITS[:1])
    assert (found["woods"].effect, {each.reader for each in found}) == (Fraction(1, 6), {None})


@pytest.mark.parametrize("of", ["result", "column"])
def test_words_change_by_nothing_that_could_be_told(of: str) -> None:
    with pytest.raises(OddsError, match="this answer needs a number or a condition"):
        RULES.matters("shoot", of=of, fire=10)


def test_modifiers_that_a_procedure_never_looks_at_do_not_matter() -> None:
    assert list(RULES.matters("wager", of="won", choices={"stake": 1})) == []


# --------------------------------------------------------------------------------------------------- sensitivity


def test_what_moves_the_chance_most_comes_first_with_the_values_that_give_its_ends() -> None:
    found = PRINTED.sensitivity("direct_fire", of="M or worse", fire_value=11, terrain={"town"})
    assert [each.name for each in found][:2] == ["fire_value", "terrain"]
    fire = found["fire_value"]
    assert (fire.lowest, fire.lowest_at[-1]) == (Fraction(1, 6), 6)
    assert (fire.highest, fire.highest_at[0]) == (Fraction(1), 45)
    assert fire.span == max(each.span for each in found) == Fraction(5, 6)
    assert (found["terrain"].highest_at, found.as_is) == ((("swamp",),), Fraction(1, 3))
    lines = str(found).splitlines()
    assert lines[2].split() == ["fire_value", "83.33", "%", "16.67", "%", "1..6", "100.00", "%", "45..100"]
    assert "low_edge" in next(line for line in lines if line.startswith("no effect here"))
    assert "not tried: ranges (its values can't be listed)" in lines


def test_sensitivity_tries_the_fields_of_given_records_and_the_values_that_the_caller_names() -> None:
    found = RULES.sensitivity("shoot", of="left of rifles", by={"fire": [1, 5]}, fire=10, units=UNITS[:1])
    assert (found["fire"].tried, "units" in found.left_out) == (2, False)
    assert "units.rifles.steps" in [each.name for each in found]


def test_values_that_the_rules_refuse_have_no_part_in_the_sensitivity() -> None:
    found = RULES.sensitivity("shoot", of="M or worse", by={"distance": [1, 21]}, fire=5)
    assert (found["distance"].tried, found["distance"].failed) == (1, {"refused too_far": (21,)})
    assert "no odds with distance 21: refused too_far" in str(found)
    only = RULES.sensitivity("shoot", of="M or worse", by={"distance": [21]}, fire=5)
    assert only.left_out["distance"] == "refused too_far"


# ---------------------------------------------------------------------------------------------------- published forms


@pytest.mark.thorough
def test_data_have_the_published_form(published: Callable[[Any], None]) -> None:
    endless = enfilade.load(text=ENDLESS)
    for shown in (
        PRINTED.least("fire_value", "direct_fire", chance="1/2", of="M or worse"),
        PRINTED.least("fire_value", "direct_fire", chance="1/2", of="X or worse"),
        RULES.grid("shoot", by={"fire": range(1, 12)}),
        RULES.grid("shoot", by={"distance": [1, 21]}, fire=5),
        RULES.compare("shoot", {"cover": "open"}, {"cover": "woods"}, fire=10),
        endless.compare("main", {"least": 5}, {"least": 6}, night=False, of="rounds"),
        RULES.matters("shoot", of="M or worse", fire=10, cover="woods"),
        RULES.matters("shoot", of="left of rifles", fire=10, units=UNITS[:1]),
        PRINTED.sensitivity("direct_fire", of="M or worse", fire_value=11),
        RULES.sensitivity("shoot", of="M or worse", by={"distance": [1, 21]}, fire=5),
    ):
        published(shown.to_json())


def test_the_types_of_variables_are_public() -> None:
    guard, rifles = ({"name": name, "kind": "infantry", "steps": 2} for name in ("guard", "rifles"))
    types = PRINTED.variables("direct_fire", fire_value=45, units=[guard, rifles])
    assert (types["low_edge"], types["combat_losses"]) == (Word(("stays", "no_effect")), None)
    assert types["guard.steps"] == types["units.rifles.steps"]
