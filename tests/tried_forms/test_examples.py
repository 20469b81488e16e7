"""Forms that authors tried for examples, and what came of them."""

from __future__ import annotations

import pytest
from tests.tried_forms.trying import messages, tried

import enfilade
from enfilade.tools.examples import run_examples

COMBAT = """
words ground one of clear, "late autumn"

record unit
  endurance  1..9
  rating     0..9

facts
  aggressor  unit
  victim     unit
  where      ground = clear
  ranges     list of 1.. = [1]
  units      list of unit

option fog

players owner

define lead = aggressor.rating - victim.rating
define twice (n 0..) = 2 * n

chart crt (bonus 0..3)
  down      2d6
  across    lead + bonus, column at or below
  column below  gives -
  severity  - < M < X
  |  Roll | 0 | 2 | 5 |
  |  2..6 | - | M | X |
  | 7..12 | - | - | M |

modifiers drm (n 0..)
  +1  big   n >= 5
  +2  huge  n >= 8

procedure combat_round
  1. roll 2d6 as die
  2. read crt(0) with die as shot
  3. owner chooses whether stands
  4. give result = shot.code
     give column = shot.column
     give place  = where
     give total  = sum of ranges
     give strong = count of units where endurance >= 3
     give stands
"""

TABLE = """
examples combat_round "the column of each differential"
  given aggressor (endurance 9), victim (endurance 9), unit gun (endurance 1, rating 2)
  choosing yes
  | aggressor.rating | victim.rating |    where    | ranges | gun.endurance |  on | column | gives |    place    | total | strong | chance of M or worse |
  |         5        |       0       |             |  1, 2  |       3       | 1 2 |    5   |   X   |             |   3   |    1   |           1          |
  |         2        |       0       | late autumn |        |       2       | 6 6 |    2   |   -   | late autumn |   1   |    0   |         15/36        |
"""


def failures(text: str) -> list[tuple[str, list[str]]]:
    """The label of each example, and the messages of its failures."""
    results = run_examples(enfilade.load(text).program)
    return [(each.label, [failure.message for failure in each.failures]) for each in results]


def test_e1_a_table_of_cases() -> None:
    tried(COMBAT + TABLE)
    assert failures(COMBAT + TABLE) == [
        ("the column of each differential: aggressor.rating 5, victim.rating 0, ranges 1, 2, gun.endurance 3, on 1 2", []),
        ("the column of each differential: aggressor.rating 2, victim.rating 0, where late autumn, gun.endurance 2, on 6 6", []),
    ]  # fmt: skip


def test_e1_the_case_that_fails_is_named() -> None:
    (_, first), (_, second) = failures(COMBAT + TABLE.replace("|   X   |", "|   M   |").replace("15/36", "1/36"))
    assert first == ["expected M, but the result was X"]
    assert second == ["expected 1/36, but the chance is 15/36"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("| total |", "| totals |", "there is no fact or output `totals`; did you mean `total`?"),
        (
            "|   3   |    1   |           1          |",
            "|   3   |    1   |",
            "this row has 11 cells, but its header has 12",
        ),
        ("|    5   |   X   |", "|    5 )   |   X   |", "`5 )` is not possible in the column `column`"),
        ("| gun.endurance |", "| gun.endurence |", "there is no field of unit `endurence`; did you mean `endurance`?"),
    ],
)
def test_e1_a_mistake_in_a_table_is_said_once(old: str, new: str, message: str) -> None:
    found = messages(COMBAT + TABLE.replace(old, new))
    assert found == [message]


def test_e1_a_case_that_fails_quotes_its_own_cell() -> None:
    rules = tried("""
facts
  a  0..
procedure play
  1. roll d6 as die
  2. give total = a + die
     give other = a

examples play "a sum"
  | a | on | total | other |
  | 1 | 3  |   5   |   1   |
""")
    assert [found.message for result in run_examples(rules.program) for found in result.diagnostics] == [
        "expected 5, which is false"
    ]


def test_e1_a_table_without_cases_is_refused() -> None:
    (message,) = messages(COMBAT + 'examples combat_round "none"\n  | total |\n')
    assert message == "this table has no cases; below the header, write a row for each case"


def test_e2_a_chart_is_tested_by_itself() -> None:
    text = (
        COMBAT
        + """
example chart crt "a bonus of one column"
  given bonus 2, aggressor (endurance 1, rating 1), victim (endurance 1, rating 0)
  on 1 1
  gives M
  expect column is 2
  chance of M = 15/36

examples chart crt "the columns"
  given victim (endurance 1, rating 0), bonus 0
  on 1 1
  | aggressor.endurance | aggressor.rating | gives |
  |          1          |         1        |   -   |
  |          1          |         5        |   X   |
"""
    )
    assert [found for _, found in failures(text)] == [[], [], []]
    rules = enfilade.load(text)
    assert rules.names("procedure") == ("combat_round",)


def test_e2_a_definition_and_modifiers_are_tested_by_themselves() -> None:
    text = (
        COMBAT
        + """
examples define twice "doubled"
  | n | gives |
  | 1 |   2   |
  | 4 |   8   |

examples modifiers drm "summed"
  | n | result |   names   |
  | 1 |    0   |     []    |
  | 6 |    1   |    big    |
  | 9 |    3   | big, huge |
"""
    )
    tried(text)
    assert [found for _, found in failures(text)] == [[]] * 5


def test_e2_a_module_is_tested_by_itself() -> None:
    module = """
words arm one of horse, foot

define bonus (arm) = 2 when arm is horse otherwise 0

procedure check
  facts
    morale  1..10
  1. roll d10 as die
  2. give result = die <= morale

example "passes"
  given morale 5
  on 3
  expect result

example define bonus "horse"
  given arm horse
  gives 2
"""
    assert failures(module) == [("passes", []), ("horse", [])]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("chart crtt", "there is no chart `crtt`; did you mean `crt`?"),
        ("define twise", "there is no definition `twise`; did you mean `twice`?"),
        ("modifiers drn", "there is no block of modifiers `drn`; did you mean `drm`?"),
    ],
)
def test_e2_an_unknown_chart_or_definition_is_said(kind: str, message: str) -> None:
    assert messages(COMBAT + f'example {kind} "none"\n  gives 1\n') == [message]


SIDES = """
words part one of hull, warp

record side
  n  0.. = 1

facts
  mine   side
  other  side

chart reach
  down    d6
  across  mine.n, column at or below
  column below  gives no
  |  d6 |  1 |  7  |
  | 1-6 | no | yes |

players owner

procedure play
  1. roll 2d6 as dice
  2. read reach with dice.natural as shot
  3. owner chooses whether runs
  4. owner chooses pace among [1, 2, 3]
  5. let parts = ["hull", "hull"] when other.n > 0 otherwise []
  6. give result = parts
     give column = shot.column
     give pace
"""


def test_e3_one_way_to_write_lists_records_and_choices() -> None:
    text = (
        SIDES
        + """
example "commas and blanks"
  given mine (n 8), other
  on 3, 4
  choosing yes 2
  gives [hull, hull]
  expect column is 7 and pace is 2

example "blanks and commas"
  given mine, other (n 2)
  on 3 4
  choosing yes, 2
  gives [hull, hull]
  expect column is 1
"""
    )
    tried(text)
    assert failures(text) == [("commas and blanks", []), ("blanks and commas", [])]


def test_e3_a_label_is_compared_with_a_number_by_its_print() -> None:
    for condition in ("column > 7", "column is pace"):
        found = messages(SIDES + f'example "e"\n  given mine, other\n  on 3 4\n  expect {condition}\n')
        assert ["compare the number of the column: `.column_number`" in each for each in found] == [True]


def test_e3_a_record_of_defaults_needs_only_its_name() -> None:
    rules = enfilade.load(SIDES)
    played = rules.resolve("play", dice=[3, 4], choices=[True, 2], mine={"n": 8}, other={})
    assert played.outputs["column"] == "7"


def test_a_column_may_be_the_chance_of_a_code_that_is_no_name() -> None:
    text = """
chart fire
  down  d6
  | d6  | Result |
  | 1-3 |   -    |
  | 4-6 |   2X   |

procedure play
  1. roll d6 as die
  2. read fire with die as shot
  3. give result = shot.code

examples play "the chances"
  | on | gives | chance of - | chance of 2X |
  | 1  |   -   |     1/2     |     1/2      |
"""
    assert [found for _, found in failures(text) if found] == []


def test_a_column_of_a_table_may_name_a_field_with_of() -> None:
    rules = tried("""
words system one of hull, engine
record hero
  gold  0..
facts
  conan  hero
  boxes  map of system to 0.. = 2
procedure play
  1. give result = conan.gold + boxes of hull
     give steps = map of hero to conan.gold over [conan]

examples play "gold"
  | gold of conan | boxes of hull | gives | steps of conan |
  |       1       |               |   3   |       1        |
  |       2       |       5       |   7   |       2        |

examples play "described above"
  given conan arnold (gold 3)
  | gold of arnold | gives |
  |       1        |   3   |
""")
    assert [each.failures for each in run_examples(rules.program)] == [(), (), ()]


@pytest.mark.parametrize("line", ["effect slay on guard", "effect slay on marine"])
@pytest.mark.parametrize("given", ["guard marine", "guard marine (steps 2)"])
def test_an_effect_names_a_record_by_its_fact_or_by_its_key(line: str, given: str) -> None:
    rules = tried(f"""
record unit
  steps  0.. = 1
facts
  guard  unit
effect slay (unit)
  unit.steps becomes 0
procedure play
  1. slay on guard
  2. give result = guard.steps

example play "the guard is slain"
  given {given}
  {line}
""")
    assert [each.failures for each in run_examples(rules.program)] == [()]


@pytest.mark.parametrize("name", ["first", '"first"'])
def test_a_record_that_is_named_like_a_keyword_may_be_quoted(name: str) -> None:
    rules = tried(f"""
record unit
  steps  0.. = 1
facts
  units  list of unit
procedure play
  1. give damage = map of unit to steps over units
     give best = item 1 of units

example play "the damage of the first"
  given units [first, b]
  expect damage of {name} is 1 and best is {name}
""")
    assert [each.failures for each in run_examples(rules.program)] == [()]
    outcome = rules.rules.odds("play", units=[{"name": "first"}])
    assert outcome.chance(f"damage of {name} is 1") == 1


def test_yes_alone_is_a_question_about_the_result() -> None:
    text = "procedure play\n  1. roll d6 as die\n  2. give result = die > 4\n"
    given = tried(f'{text}example play "one"\n  on 1\n  chance of yes = 1/3\n  chance of no = 2/3\n')
    assert all(not each.failures for each in run_examples(given.program))
    assert given.rules.odds("play").chance("yes") == 1 - given.rules.odds("play").chance("no")
    number = text.replace("die > 4", "die")
    assert "1..6 can't be compared with `yes`" in messages(f'{number}example play "one"\n  chance of yes = 1/3\n')[0]
