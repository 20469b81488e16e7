"""Many situations: the least value, grids, comparisons, and which modifier matters."""

import json
import pickle
import re
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from html import escape
from multiprocessing import get_context
from typing import Any, Final

import jsonschema
import pytest
from tests.api.skirmish import TEXT, UNITS

import enfilade
from enfilade import (
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

RULES = enfilade.load(text=TEXT)
PRINTED = enfilade.load("infantry_attacks")


def published(data: Any) -> None:
    jsonschema.validate(json.loads(json.dumps(data)), published_schema("odds"))


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
    found = PRINTED.least("fire_value", "direct_fire", chance=chance, of=of)
    assert str(found) == said
    published(found.to_json())


def test_the_least_value_is_data() -> None:
    found = PRINTED.least("fire_value", "direct_fire", chance=Fraction(1, 2), of="M or worse")
    assert (found.reached, found.value, found.chance, found.at) == (True, 11, Fraction(5, 9), "11")
    assert found.tried[7] == Fraction(4, 9)
    never = PRINTED.least("fire_value", "direct_fire", chance=Decimal("0.5"), of="X or worse")
    assert (never.reached, never.value, never.best, never.chance, never.at) == (False, None, 45, Fraction(4, 9), "45+")


def test_a_best_that_does_not_last_to_the_end_is_no_plus() -> None:
    found = RULES.least("fire", "shoot", chance=1, of='"-"', within=[1, 5, 9])
    assert found.at == "1"
    assert str(found) == "no value reaches this chance; the highest chance is 30/36 at 1"


def test_words_and_yes_or_no_are_tried_in_their_order() -> None:
    assert RULES.least("cover", "shoot", chance="1/2", of='"-"', fire=10).value == "woods"
    assert RULES.least("night", "shoot", chance="1/2", of='"-"', fire=10).value is True
    assert str(RULES.least("night", "shoot", chance="1/2", of="M or worse", fire=10)) == "no (36/36, 100.00 %)"


def test_values_that_the_rules_refuse_are_passed_over() -> None:
    found = RULES.least("distance", "shoot", chance="1/2", of='"-"', fire=10, within=[30, 21, 10, 1])
    assert (found.value, found.tried) == (10, {30: None, 21: None, 10: Fraction(5, 6)})
    with pytest.raises(RefusedOdds):
        RULES.least("distance", "shoot", chance=1, of="X", fire=10, within=[30, 21])


def test_the_ends_of_labels_beyond_the_first_hundred_are_tried() -> None:
    text = """
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
    assert enfilade.load(text=text).least("fire", "shoot", chance="1/2", of="X").value == 500


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


def test_a_grid_over_one_fact() -> None:
    grid = RULES.grid("shoot", by={"fire": range(1, 12)})
    assert len(grid) == 11
    assert grid[5] == RULES.odds("shoot", fire=5).result
    assert str(grid).splitlines()[1].split() == ["fire", "-", "M", "X"]
    assert str(grid).splitlines()[2].split() == ["1..4", "83.3", "16.7", "."]
    published(grid.to_json())


def test_a_grid_over_two_facts_and_a_condition_is_a_table_of_both() -> None:
    grid = RULES.grid("shoot", by={"fire": [1, 10], "cover": None}, of="M or worse")
    assert grid[10, "woods"][True] == Fraction(1, 3)
    assert [line.split() for line in str(grid).splitlines()[1:]] == [
        ["fire", "\\", "cover", "open", "woods", "town"],
        ["1", "16.67", "%", "16.67", "%", "16.67", "%"],
        ["10", "100.00", "%", "33.33", "%", "100.00", "%"],
    ]
    assert "<table" in grid._repr_html_()


def test_a_grid_of_many_numbers_shows_their_mean() -> None:
    text = "facts\n  more  0..\nprocedure throw\n  1. roll 3d6 as dice\n  2. give result = dice + more\n"
    lines = str(enfilade.load(text=text).grid("throw", by={"more": [0, 5]})).splitlines()
    assert lines[0] == "result (mean, least and most)"
    assert [line.split() for line in lines[1:]] == [
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
    published(grid.to_json())


def test_rows_are_whole_numbers_for_a_spreadsheet() -> None:
    rows = list(RULES.grid("shoot", by={"fire": [10]}).rows())
    assert rows == [
        ("fire", "outcome", "weight", "total", "chance"),
        ("10", "M", 24, 36, "0.666666667"),
        ("10", "X", 12, 36, "0.333333333"),
    ]


def test_facts_that_are_lists_can_be_varied() -> None:
    grid = PRINTED.grid("direct_fire", by={"terrain": [["town"], {"hill", "swamp"}]}, fire_value=11)
    assert [cell.distribution.at_least("X") for cell in grid] == [Fraction(0), Fraction(1, 18)]
    assert grid[["town"]].at_least("M") == Fraction(1, 3)


def test_neighbours_with_the_same_odds_are_one_band() -> None:
    lines = str(PRINTED.grid("direct_fire", by={"fire_value": [*range(1, 13), 500]}, of="M or worse")).splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["1", "2..3", "4..6", "7..10", "11..12", "500"]
    # The odds at 11 and 500 differ; all cells are still there.
    assert len(PRINTED.grid("direct_fire", by={"fire_value": range(1, 13)})) == 12


def test_bands_over_several_facts_are_those_of_the_last_first() -> None:
    grid = RULES.grid("shoot", by={"fire": [1, 2, 10], "night": None, "distance": [1, 2]}, of="M or worse")
    assert [line.split()[:3] for line in str(grid).splitlines()[2:]] == [
        ["1..2", "no,", "yes"],
        ["10", "no", "1..2"],
        ["10", "yes", "1..2"],
    ]


def test_a_map_of_a_number_shows_its_means() -> None:
    grid = RULES.grid("shoot", by={"fire": [1, 10], "cover": None}, of="left of rifles", units=UNITS[:1])
    assert str(grid).splitlines()[0] == "left of rifles (mean)"
    assert grid.text(80).splitlines()[-1].split()[0] == "10"


def test_a_map_is_shaded_in_text_in_html_and_in_vega_lite() -> None:
    grid = RULES.grid("shoot", by={"fire": [1, 10], "cover": None}, of="M or worse")
    assert [line.split("  ")[-1].strip() for line in grid.text(80).splitlines()[2:]] == ["16.67 %", "██ 100.00 %"]
    assert "## 100.00 %" in grid.text(80, plain=True)
    assert "rgba(76,120,168,0.75)" in grid.html()
    picture = grid.vega_lite()
    assert (picture["mark"], picture["encoding"]["color"]["field"]) == ("rect", "height")
    assert picture["data"]["values"][-1] == {"v0": 10, "v1": "town", "height": 1.0, "exactly": "1"}


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


@pytest.mark.parametrize(("of", "means"), [("rounds", ("3", "6")), ("doubled", ("not exact", "not exact"))])
def test_a_table_of_a_number_without_an_end_shows_what_is_known(of: str, means: tuple[str, str]) -> None:
    grid = enfilade.load(text=ENDLESS).grid("main", by={"least": [5, 6]}, night=False, of=of)
    head, *rows, not_computed, why = str(grid).splitlines()[1:]
    assert (head.split(), [not_computed, why]) == (["least", "mean", "least", "most"], NOT_COMPUTED)
    assert [re.split("  +", row) for row in rows] == [
        [str(least), mean, "1", "not computed"] for least, mean in zip((5, 6), means, strict=True)
    ]
    for text in (*means, "not computed", *NOT_COMPUTED):
        assert f">{escape(text)}</td>" in grid.html()


def test_a_map_of_a_number_without_an_end_shows_its_means() -> None:
    grid = enfilade.load(text=ENDLESS).grid("main", by={"least": [5, 6], "night": None}, of="rounds")
    assert [line.split() for line in str(grid).splitlines()[2:4]] == [["5", "3", "6"], ["6", "6", "12"]]
    assert str(grid).splitlines()[4:] == NOT_COMPUTED
    assert f'<td colspan="3">{escape(NOT_COMPUTED[0])}</td>' in grid.html()


def test_a_table_of_a_condition_that_is_not_exact_shows_no_fraction_and_says_why() -> None:
    grid = enfilade.load(text=ENDLESS).grid("main", by={"least": [1, 6]}, night=False, of="rounds mod 2 is 0")
    assert [line.split() for line in str(grid).splitlines()[2:4]] == [["1", "0.00", "%", "0"], ["6", "not", "exact"]]
    assert str(grid).splitlines()[4:] == NOT_COMPUTED


def test_a_table_tells_the_largest_chance_that_was_not_computed() -> None:
    cells = [(1, Distribution({1: 9}, remainder=1)), (2, Distribution({1: 3}, remainder=1)), (3, Distribution({1: 1}))]
    table = GridTable("result", {"most": (1, 2, 3)}, tuple(Cell({"most": at}, odds) for at, odds in cells))
    assert table.text(None, plain=True).splitlines()[-1] == "not computed: at most 1/4, 25.00 %"


def test_a_picture_of_what_is_not_exact_is_an_error() -> None:
    grids = [
        enfilade.load(text=ENDLESS).grid("main", by={"least": [5, 6]}, night=False, of=of)
        for of in ("doubled", "rounds mod 2 is 0")
    ]
    for grid, what in zip(grids, ("mean", "chance of yes"), strict=True):
        with pytest.raises(OddsError, match=rf"the {what} is unknown: .* repeat \(line 7\) has no limit"):
            grid.vega_lite()
        with pytest.raises(OddsError, match=f"the {what} is unknown"):
            grid.plot(80)
        assert "text/html" in grid._repr_mimebundle_()


@pytest.mark.parametrize("by", [{}, None, {"fyre": [1]}, {"fire": []}, {"fire": range(1, 200_000)}])
def test_what_is_wrong_with_a_grid_is_told(by: Any) -> None:
    with pytest.raises(InputError):
        RULES.grid("shoot", by=by)


def test_a_grid_may_be_on_a_condition() -> None:
    grid = RULES.grid("shoot", by={"fire": [5, 10]}, condition="M or worse")
    assert grid[10]["X"] == Fraction(1, 3)
    assert grid[5] == RULES.odds("shoot", fire=5).given("M or worse").result


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_a_grid_is_the_same_whoever_works_it_out(kind: str) -> None:
    def executor() -> Executor:
        if kind == "threads":
            return ThreadPoolExecutor(3)
        return ProcessPoolExecutor(2, mp_context=get_context("spawn"))

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
    assert [line.split()[-2:] for line in str(found).splitlines()[1:]] == [
        ["+66.67", "%"],
        ["-50.00", "%"],
        ["-16.67", "%"],
    ]
    published(found.to_json())


def test_numbers_are_compared_by_their_mean_too() -> None:
    found = RULES.compare("wager", {}, {}, of="won", choices={"stake": 3})
    assert (found.mean_difference, found.distance) == (Fraction(0), Fraction(0))
    assert str(found).splitlines()[-1].split() == ["mean", "1", "1", "0"]


def compared_endlessly(of: str) -> Comparison:
    return enfilade.load(text=ENDLESS).compare("main", {"least": 5}, {"least": 6}, night=False, of=of)


def test_numbers_without_an_end_are_compared_by_their_means_and_the_chances_that_are_known() -> None:
    found = compared_endlessly("rounds")
    assert (found.mean_difference, found.difference[1]) == (Fraction(3), Fraction(-1, 6))
    _, first, *_, rest, means = (re.split("  +", line) for line in str(found).splitlines())
    assert first == ["1", "33.33 %", "16.67 %", "-16.67 %"]
    assert rest == ["46 or more", "<0.01 %", "0.03 %", "+0.03 %"]
    assert means == ["mean", "3", "6", "+3"]
    data = found.to_json()
    assert "distance" not in data
    published(data)


def test_numbers_without_an_end_and_without_a_mean_are_compared_by_the_chances_that_are_known() -> None:
    assert re.split("  +", str(compared_endlessly("doubled")).splitlines()[-1])[0].endswith(" or more")


@pytest.mark.parametrize("ask", [str, Comparison.to_json, lambda found: found.difference, lambda found: found.distance])
def test_what_cant_be_compared_says_why_in_one_message(ask: Any) -> None:
    with pytest.raises(OddsError) as caught:
        ask(compared_endlessly("rounds mod 2 is 0"))
    told = f"the odds of rounds mod 2 is 0 can't be compared: outcomes with a total chance of <0.01 % were not computed; {NOT_COMPUTED[1]}"
    assert str(caught.value) == told


def test_two_rulesets_beside_each_other() -> None:
    found = RULES.compare("shoot", {}, {}, other=RULES.with_options(fog=True), fire=10, night=True)
    assert found.names == ("fog no", "fog yes")
    assert found.a["-"] < found.b["-"]
    variant = enfilade.load(text=TEXT.replace("ruleset skirmish", "ruleset other").replace("-1  woods", "-2  woods"))
    assert RULES.compare("shoot", {}, {}, other=variant, fire=10, cover="woods").names == ("skirmish", "other")


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
    jsonschema.validate(data, published_schema("error"))
    with pytest.raises(NeedsPolicy, match=r"^foe 3: the odds depend on way, a choice of owner"):
        enfilade.load(text=CHOOSING).grid("main", by={"foe": [1, 3]}, of="result")


def test_a_side_that_is_refused_has_no_odds() -> None:
    with pytest.raises(RefusedOdds):
        RULES.compare("shoot", {"distance": 1}, {"distance": 21}, fire=1)


# -------------------------------------------------------------------------------------------------- what matters


def test_each_modifier_as_if_it_held_and_as_if_not() -> None:
    found = RULES.matters("shoot", of="M or worse", fire=10, cover="woods")
    assert (found.as_is, found["woods"].applied, found["woods"].left_out) == (
        Fraction(1, 3),
        Fraction(1, 3),
        Fraction(1),
    )
    assert found["night"].applied == Fraction(1, 6)
    assert [each.name for each in found] == ["woods", "night", "far", "fog"]
    assert str(found).splitlines()[0] == "M or worse as it is: 12/36, 33.33 %"
    assert str(found).splitlines()[-1] == "no effect here: fog"
    published(found.to_json())


def test_modifiers_that_never_stand_together_are_tried_one_at_a_time() -> None:
    found = RULES.matters("shoot", of="M or worse", fire=10, night=True)
    assert found["far"].why_not is None
    assert found["far"].applied == Fraction(1, 6)


def test_a_number_changes_by_its_mean() -> None:
    found = RULES.matters("shoot", of="left of rifles", fire=10, units=UNITS[:1])
    assert found["woods"].effect == Fraction(1, 6)
    assert "as it is: 5/3, 1.6667" in str(found)


def test_a_modifier_with_a_parameter_is_tried_for_each_side() -> None:
    side = {"kind": "infantry", "stands": 3, "mr": 7}
    melee = enfilade.load("franco_prussian")
    found = melee.matters("melee", of="winner_loses", attacker={**side, "commander": True}, defender=side)
    commander = {each.reader: each for each in found if each.name == "commander"}
    assert set(commander) == {"attacker", "defender"}
    # The commander may fall in the first throw, so the modifier does not apply to the attacker in all of them.
    attacker = commander["attacker"]
    assert attacker.applied is not None
    assert attacker.left_out is not None
    assert attacker.applied < found.as_is < attacker.left_out
    assert commander["defender"].left_out == found.as_is
    assert "commander for attacker" in str(found)
    published(found.to_json())


def test_a_modifier_for_each_reader_is_tried_for_all_of_them() -> None:
    found = RULES.matters("shoot", of="left of rifles", fire=10, units=UNITS[:1])
    assert {each.reader for each in found} == {None}


def test_words_change_by_nothing_that_could_be_told() -> None:
    with pytest.raises(OddsError, match="this answer needs a number or a condition; M is neither"):
        RULES.matters("shoot", of="result", fire=10)


def test_modifiers_that_a_procedure_never_looks_at_do_not_matter() -> None:
    assert list(RULES.matters("wager", of="won", choices={"stake": 1})) == []


def test_a_modifier_that_comes_to_nothing_says_why() -> None:
    text = """
facts
  heavy   yes/no
  weight  0..
modifiers drm
  +(weight)  loaded  heavy
procedure shoot
  1. roll d6 as die
  2. give result = die + drm
"""
    found = enfilade.load(text=text).matters("shoot", of="result >= 4")
    assert found["loaded"].applied is None
    assert "weight is missing" in (found["loaded"].why_not or "")
    assert "loaded: if it applies: weight is missing" in str(found)
    published(found.to_json())


def batteries(guns: str, condition: str, fact: str = "") -> enfilade.Ruleset:
    """Rules with a modifier whose amount is a fact."""
    return enfilade.load(
        text=f"""
facts
  guns  {guns}
  {fact}
modifiers drm
  +(guns)  batteries  {condition}
procedure shoot
  1. roll d6 as die
  2. give result = die + drm
"""
    )


def test_an_absent_amount_is_a_fault_of_the_rules_and_no_crash() -> None:
    rules = batteries("0..6 or none = none", "night", "night  yes/no = yes")
    told = "a value is needed, but this expression is none: .*guns"
    with pytest.raises(RuleError, match=told):
        rules.resolve("shoot", dice=[3])
    with pytest.raises(RuleError, match=told):
        rules.odds("shoot").result.mean  # noqa: B018
    with pytest.raises(RuleError, match=told):
        rules.resolve("shoot", dice=[3]).explain()


@pytest.mark.parametrize("guns", ["0..6", "0.."])
def test_a_modifier_whose_amount_is_absent_is_tried_without_a_crash(guns: str) -> None:
    rules = batteries(f"{guns} or none = none", "guns is not none")
    found = rules.matters("shoot", of="result >= 6")
    assert found.as_is == Fraction(1, 6)
    published(found.to_json())


def test_a_scaled_amount_is_tried_at_its_values() -> None:
    rules = batteries("0..3", "close", "close  yes/no = no")
    found = rules.matters("shoot", of="result >= 6", guns=1)
    assert {each.shown: each.effect for each in found} == {
        "batteries +3": Fraction(1, 2),
        "batteries +2": Fraction(1, 3),
        "batteries +1": Fraction(1, 6),
    }
    published(found.to_json())


@pytest.mark.parametrize(
    ("domain", "guns", "shown", "effect"),
    [
        ("0..", 0, "batteries +1", Fraction(1, 6)),
        ("0..", 2, "batteries", Fraction(2, 6)),
        ("2..", 3, "batteries", Fraction(3, 6)),
        ("..0", 0, "batteries -1", Fraction(-1, 6)),
        ("..9", 0, "batteries -1", Fraction(-1, 6)),
    ],
)
def test_an_amount_without_a_limit_is_tried_as_it_is_or_as_the_smallest_one(
    domain: str, guns: int, shown: str, effect: Fraction
) -> None:
    rules = batteries(domain, "close", "close  yes/no = no")
    (found,) = rules.matters("shoot", of="result >= 6", guns=guns)
    assert (found.shown, found.effect) == (shown, effect)


def test_an_amount_that_makes_no_difference_however_it_is_tried_is_named_without_one() -> None:
    found = batteries("0..", "guns > 9").matters("shoot", of="result >= 0", guns=2)
    assert str(found).endswith("no effect here: batteries")


def test_a_modifier_with_a_word_as_its_parameter_is_tried_for_each_word() -> None:
    rules = enfilade.load(
        text="""
facts
  hill  one of attacker, defender, nobody = nobody
modifiers bonus (side one of attacker or defender)
  +2  height  hill is side
procedure melee
  1. roll d6 as red
  2. roll d6 as blue
  3. give won = red + bonus(attacker) > blue + bonus(defender)
"""
    )
    found = rules.matters("melee", of="won")
    effects = {each.shown: each.effect for each in found}
    assert effects["height for attacker"] > 0 > effects["height for defender"]


# --------------------------------------------------------------------------------------------------- sensitivity


def test_what_moves_the_chance_most_comes_first_with_the_values_that_give_its_ends() -> None:
    found = PRINTED.sensitivity("direct_fire", of="M or worse", fire_value=11, terrain={"town"})
    assert [each.name for each in found][:2] == ["fire_value", "terrain"]
    fire = found["fire_value"]
    assert (fire.lowest, fire.lowest_at[-1]) == (Fraction(1, 6), 6)
    assert (fire.highest, fire.highest_at[0]) == (Fraction(1), 45)
    assert fire.span == max(each.span for each in found) == Fraction(5, 6)
    assert found["terrain"].highest_at == (("swamp",),)
    assert found.as_is == Fraction(1, 3)
    lines = str(found).splitlines()
    assert lines[2].split() == ["fire_value", "83.33", "%", "16.67", "%", "1..6", "100.00", "%", "45..100"]
    assert "low_edge" in next(line for line in lines if line.startswith("no effect here"))
    assert "not tried: ranges (its values can't be listed)" in lines
    published(found.to_json())


def test_sensitivity_tries_the_fields_of_given_records_and_the_values_that_the_caller_names() -> None:
    found = RULES.sensitivity("shoot", of="left of rifles", by={"fire": [1, 5]}, fire=10, units=UNITS[:1])
    assert found["fire"].tried == 2
    assert "units.rifles.steps" in [each.name for each in found]
    assert "units" not in found.left_out


def test_values_that_the_rules_refuse_have_no_part_in_the_sensitivity() -> None:
    found = RULES.sensitivity("shoot", of="M or worse", by={"distance": [1, 21]}, fire=5)
    assert (found["distance"].tried, found["distance"].failed) == (1, {"refused too_far": (21,)})
    assert "no odds with distance 21: refused too_far" in str(found)
    published(found.to_json())
    only = RULES.sensitivity("shoot", of="M or worse", by={"distance": [21]}, fire=5)
    assert only.left_out["distance"] == "refused too_far"
