"""What an outcome tells of the charts and the dice: places that can be looked up, and totals."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import enfilade
from enfilade import ChartRead, DiceToRoll, Outcome, RollMade, Ruleset
from enfilade.errors import AnswerError, EnfiladeError

GAMES: Final = sorted((Path(__file__).parent.parent / "generality").glob("*.rules"))
SHIPPED: Final = ("bombardment", "emperor_musketry", "fire_combat", "franco_prussian", "infantry_attacks")

RULES: Final = """
players owner, foe
die tens  faces 1..9, 0 as 10
facts
  fire   1..
  night  yes/no
  units  list of unit
record unit
  kind   one of gun, foot

chart crt "Fire Table" [7]
  down    2d6
  across  fire, column at or below
  shift off left   stays
  shift off right  gives 3X
  | Roll | 1 | 4 | 9  |
  | 2-5  | X | X | X  |
  | 6-8  | - | M | X  |
  | 9+   | - | - | M  |
  erratum row 9+, column 9 reads 2X when night

modifiers shifts shift columns of crt
  for each unit
    +1  gun  kind is gun

chart thin (score 2..12)
  down  score
  | at   | is |
  | 2..7 | ok |
  | 8+   | no |

chart bands "Bands"
  down    2d6
  across  fire
  header "by night" when night      | 1-3 | 4+ |
  header "by day"   when not night  | 1-8 | 9+ |
  | Roll | a | b |
  | 2-7  | M | X |
  | 8+   | - | M |

procedure shoot
  1. roll 2d6 as dice
  2. read crt with dice as hex
  3. read crt with dice for each unit as shots
  4. read bands with dice as band
  5. give result = hex.code
     give codes = map of reader to code over shots

procedure tenfold
  1. roll 2 tens as percent by foe
  2. roll d6 as wild, explode on 6
  3. call shoot as shot
  4. give result = percent.total + wild.total
"""


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return enfilade.load(text=RULES)


def shoot(rules: Ruleset, *dice: int, fire: int = 4, night: bool = False) -> Outcome:
    units = [{"name": "a", "kind": "foot"}, {"name": "b", "kind": "gun"}]
    return rules.resolve("shoot", fire=fire, night=night, units=units, dice=list(dice))


# --------------------------------------------------------------------------------------------------------- charts


def test_each_reading_says_where_on_the_printed_chart_it_stands(rules: Ruleset) -> None:
    hex_, foot, gun, _ = shoot(rules, 3, 4).readings
    assert hex_ == ChartRead("crt", "Fire Table", 0, 1, 1, None, None, "M", 7, 7, 4)
    assert (foot.record, foot.row, foot.column, foot.code) == ("a", 1, 1, "M")
    assert (gun.record, gun.row, gun.column, gun.code) == ("b", 1, 2, "X")
    assert rules.chart("crt").cells[1][2] == "X"


def test_edges_errata_and_header_rows_are_those_in_force(rules: Ruleset) -> None:
    gun = shoot(rules, 3, 4, fire=9).readings[2]
    assert (gun.row, gun.column, gun.code, gun.edges) == (1, None, "3X", ("shift right",))
    by_night, by_day = (shoot(rules, 6, 6, fire=9, night=night).readings for night in (True, False))
    assert (by_night[0].row, by_night[0].column, by_night[0].code, by_day[0].code) == (2, 2, "2X", "M")
    by_night, by_day = (shoot(rules, 3, 4, night=night).readings for night in (True, False))
    assert [(found[3].header, found[3].column) for found in (by_night, by_day)] == [(0, 1), (1, 0)]
    assert rules.chart("bands").headers[1].when == "not night"


def test_what_is_read_again_on_the_same_dice_is_told_once() -> None:
    text = RULES + "\nprocedure again\n  1. roll 2d6 as dice\n  2. give a = thin(dice)\n     give b = thin(dice)\n"
    outcome = enfilade.load(text=text).resolve("again", dice=[1, 1])
    assert len(outcome.readings) == 1


# ---------------------------------------------------------------------------------------------------------- rolls


def test_each_roll_has_its_dice_its_faces_and_what_they_count_together(rules: Ruleset) -> None:
    outcome = rules.resolve("tenfold", fire=1, dice=[0, 9, 6, 6, 2, 3, 4])
    d6 = DiceToRoll("d6", 1, (1, 2, 3, 4, 5, 6), 6)
    tens = DiceToRoll("tens", 2, (1, 2, 3, 4, 5, 6, 7, 8, 9, 0), 10)
    assert outcome.rolls[0] == RollMade("percent", "foe", (tens,), (0, 9), 19)
    assert outcome.rolls[1:4] == (
        RollMade("wild", None, (d6,), (6,), 6),
        RollMade("wild+", None, (d6,), (6,), 6),
        RollMade("wild+", None, (d6,), (2,), 2),
    )
    assert (outcome.rolls[4].name, outcome.rolls[4].total) == ("dice[shot]", 7)


def test_the_rolls_are_the_dice_of_the_outcome(rules: Ruleset) -> None:
    outcome = rules.resolve("tenfold", fire=1, seed=3)
    assert [(roll.name, roll.faces) for roll in outcome.rolls] == [(dice.name, dice.answers) for dice in outcome.dice]


def test_symbols_have_no_total() -> None:
    rules = enfilade.load(
        text="die flag  faces hit, miss\nprocedure p\n  1. roll 2 flag as flags\n  2. give result = 1\n"
    )
    assert rules.resolve("p", dice=["hit", "miss"]).rolls[0].total is None


# ---------------------------------------------------------------------------------------------- as explain does it


def test_an_outcome_of_data_or_without_explanation_tells_neither(rules: Ruleset) -> None:
    shot = shoot(rules, 3, 4)
    short = rules.resolve("shoot", fire=4, dice=[3, 4], explainable=False)
    for outcome in (Outcome.from_json(shot.to_json()), short):
        for name in ("readings", "rolls"):
            with pytest.raises(AnswerError, match="without its explanation"):
                getattr(outcome, name)


def test_readings_and_rolls_are_data(rules: Ruleset) -> None:
    shot = shoot(rules, 3, 4)
    assert json.loads(json.dumps([reading.to_json() for reading in shot.readings]))[0]["code"] == "M"
    assert json.loads(json.dumps(shot.rolls[0].to_json()))["total"] == 7


def test_a_run_tells_at_its_end_what_was_read_and_rolled(rules: Ruleset) -> None:
    run = rules.begin("shoot", fire=4).answer([3, 4])
    assert run.outcome is not None
    assert [reading.code for reading in run.outcome.readings] == ["M", "M"]
    assert run.outcome.rolls[0].faces == (3, 4)


# -------------------------------------------------------------------------------------------------- all that there is


def outcomes(rules: Ruleset) -> Iterator[Outcome]:
    """What the examples of a ruleset come to, where they are no mistakes on purpose."""
    for example in rules.program.examples:
        try:
            yield rules.resolve(
                example.procedure, given=example.facts, options=example.options, dice=list(example.faces),
                choices=list(example.choices),
            )  # fmt: skip
        except EnfiladeError:
            continue


FEW: Final = ("infantry_attacks", "emperor_musketry", "twilight_struggle", "wings_of_war", "flames_of_war")


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(source, id=Path(source).stem, marks=() if Path(source).stem in FEW else pytest.mark.thorough)
        for source in (*SHIPPED, *map(str, GAMES))
    ],
)
def test_the_code_of_a_reading_stands_at_its_place_on_the_chart(source: str) -> None:
    rules = enfilade.load(source)
    for outcome in outcomes(rules):
        assert [(roll.name, roll.faces) for roll in outcome.rolls] == [
            (dice.name, dice.faces) for dice in outcome.dice if isinstance(dice, enfilade.Dice)
        ]
        for reading in outcome.readings:
            table, chart = rules.chart(reading.chart), rules.program.charts[reading.chart]
            assert reading.header is None or reading.header < len(table.headers)
            if reading.row is None or reading.column is None or chart.errata:
                continue
            cell = table.pages[reading.page].cells[reading.row][reading.column]
            if chart.find is not None:
                cell = table.columns[reading.column]
            assert (cell if reading.inside is None else cell[reading.inside]) == reading.code
