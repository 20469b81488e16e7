"""Numbers that only rise and are only compared: capped above their highest threshold, and nothing else changes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest
from tests.differential.programs import program
from tests.odds.brute_force import told
from tests.odds.comparing import chances, check, situation

from enfilade.core import ir
from enfilade.engines.odds import Ask, exact_odds
from enfilade.limits import Limits

HEAD: Final = """\
enfilade 1.1
ruleset thresholds "Numbers that are only compared"

record ship
  damage  0.. = 0
  strain  number = 0
  holes   0..4 = 0
  points  1..

facts
  ships   list of ship
  target  ship
  limit   0.. = 2

effect hurt (ship, amount 0..)
  ship.damage becomes ship.damage + amount
effect strained (ship, amount number)
  ship.strain becomes ship.strain + amount
effect holed (ship)
  ship.holes becomes ship.holes + 1

define sunk (ship) = ship.damage >= ship.points
define worse (a ship, b ship) = a.damage >= b.points

chart luck "Luck"
  down  d3
  | Roll | Result |
  |  1   |   h    |
  |  2   |   hh   |
  |  3   |   -    |

results of luck for each ship
  h   "hit"
    each reader: hurt with amount 1
  hh  "hit twice"
    each reader: hurt with amount 2
  -   "nothing"

procedure turn "A turn"
  1. roll d3 as die
  2. hurt on target with amount die - 1
     give heavy = target.damage > 2

procedure main
  1. {}
"""
DICE: Final = ("repeat 3 times", "  roll d3 as die")

CASES: Final = {
    "a field of the same record": (*DICE, "  hurt on target with amount die", "give sunk = target.damage >= target.points"),
    "each of several records": (
        "for each ship in ships", "  repeat 2 times", "    roll d3 as die", "    hurt on ship with amount die - 1",
        "give sunk = count of ships where damage >= points", "give first_sunk = any of ships where damage > 3",
    ),
    "a definition": (*DICE, "  hurt on target with amount die", "give sunk = sunk(target)"),
    "a definition with the points of another record": (
        *DICE, "  hurt on target with amount die", "give worse = worse(target, (item 1 of ships))",
    ),
    "two thresholds, and one is read on the way": (
        *DICE, "  when target.damage < 2: hurt on target with amount die - 1", "  hurt on target with amount 1",
        "give big = target.damage is 5", "give small = target.damage <= 3",
    ),
    "a fact with a default": (*DICE, "  hurt on target with amount die", "give over = limit < target.damage"),
    "a fact without one is no threshold": (
        *DICE, "  hurt on target with amount die", "give over = count of ships + 2 < target.damage",
    ),
    "a number that is set back": (
        *DICE, "  hurt on target with amount die", "  when die is 2: target.damage becomes 0", "give sunk = sunk(target)",
    ),
    "an amount that may be negative": (
        *DICE, "  strained on target with amount die - 2.5", "give strained = target.strain >= 0.5",
    ),
    "amounts that are no whole numbers": (
        *DICE, "  target.strain becomes target.strain + die * 0.5", "give strained = target.strain > 3", "give equal = target.strain is 2",
    ),
    "a field with an end that is passed": (
        *DICE, "  repeat die times: holed on target", "give many = target.holes >= 2",
    ),
    "one record's number in another's": (
        *DICE, "  hurt on target with amount die", "  for each ship in ships: ship.damage becomes target.damage + 1",
        "give sunk = any of ships where damage >= points",
    ),
    "a copy before more is added": (
        "let before = 0", *DICE, "  before becomes target.damage", "  hurt on target with amount die",
        "give was = before >= 2", "give is_now = target.damage >= 4",
    ),
    "a local": ("let lost = 0", *DICE, "  lost becomes lost + die", "give beaten = lost >= 4", "give exactly = 6 is lost"),
    "a local that is read otherwise": ("let lost = 0", *DICE, "  lost becomes lost + die", "give lost = lost", "give beaten = lost >= 4"),
    "a local with a condition": (
        "let lost = 0", *DICE, "  lost becomes lost + 2 when die is 1 otherwise lost + die", "give beaten = lost > 5",
    ),
    "until a number is reached": (
        "let lost = 0", "repeat until lost >= 4", "  roll d3 as die", "  lost becomes lost + die - 1", "  hurt on target with amount die",
        "give sunk = target.damage >= target.points",
    ),
    "results": (
        "repeat 2 times", "  roll d3 as die", "  read luck with die for each ship in ships as fate", "  apply fate",
        "give sunk = any of ships where damage > 2", "give all_sunk = count of ships where damage >= points",
    ),
    "a call": ("repeat 2 times: call turn as each_turn", "call turn as last_turn", "give heavy = last_turn.heavy", "give sunk = sunk(target)"),
    "at the same time": (
        *DICE, "  together", "    hurt on target with amount die", "    hurt on target with amount 1", "give sunk = target.damage >= 5",
    ),
}  # fmt: skip


@pytest.mark.parametrize("lines", [pytest.param(lines, id=name) for name, lines in CASES.items()])
def test_the_odds_are_those_of_brute_force(lines: tuple[str, ...]) -> None:
    rules = program(HEAD.format("\n     ".join(lines)))
    given: dict[str, Any] = {
        "ships": [{"key": "a", "points": 3}, {"key": "b", "points": 2, "damage": 1}],
        "target": {"key": "t", "points": 4},
    }
    given = {name: value for name, value in given.items() if name in rules.procedures["main"].inputs}
    asks: tuple[Ask, ...] = tuple(map(ir.Local, rules.procedures["main"].outputs))
    questions = [(at,) for at in range(len(asks))] + [tuple(range(len(asks)))]
    check(situation(rules, "main", **given), asks, questions, 20_000)


def test_damage_without_a_bound_does_not_multiply_the_states_of_a_campaign() -> None:
    rules = program(Path(__file__).with_name("naval_gunnery.rules").read_text(encoding="utf-8"))
    facts: dict[str, Any] = {
        "attack_dice": 6,
        "hit_modifier": -1,
        "damage_dice": 2,
        "armour": 5,
        "target": {"points": 8},
        "turns": 3,
    }
    answer = exact_odds(
        situation(rules, "bombardment", **facts), (ir.Local("sunk"),), None, Limits(work=1_000_000, seconds=None)
    )
    assert chances(answer)[(told(True),)] == Fraction(
        426424202317195571987284040477609559198163642039898636332888892155,
        3807108840433639698109033882310840866608891883172078351721707864064,
    )


def test_another_threshold_of_the_same_shape_has_its_own_answer() -> None:
    rules = program(HEAD.format("\n     ".join(CASES["a field of the same record"])))
    found = []
    for points in (3, 8, 3):
        case = situation(rules, "main", target={"key": "t", "points": points})
        found.append(chances(exact_odds(case, (ir.Local("sunk"),)))[(told(True),)])
    assert found == [1, Fraction(4, 27), 1]
