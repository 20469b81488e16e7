"""Fields that neither the question nor a later step reads: they are left out of the states, also within declarations."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest
from tests.differential.programs import program
from tests.odds.brute_force import told
from tests.odds.comparing import chances, check, situation

from enfilade.core import ir
from enfilade.engines.odds import Ask, Whole, exact_odds
from enfilade.limits import Limits

HEAD: Final = """\
enfilade 1.1
ruleset unread "Fields that are not read"

record ship
  damage  0.. = 0
  lost    0.. = 0
  out     0.. = 0
  burns   yes/no

facts
  ships   list of ship
  target  ship

effect hurt (ship, amount 0..)
  ship.damage becomes ship.damage + amount
effect slowed (ship, amount 0..)
  ship.lost becomes ship.lost + amount
effect crippled (ship)
  roll d2 as die
  slowed on ship with amount die
  when ship.lost >= 2: hurt on ship with amount 1
effect swept (ship)
  ship.out becomes ship.out + ship.lost
  when ship.out >= 2
    ship.burns becomes yes
effect counted (ship)
  roll d2 as die
  when die is 1: hurt on ship with amount (sum of lost over ships)
effect recalled (ship)
  roll d2 as die
  when die is 1: hurt on ship with amount (count of effects slowed)
effect again (ship, left 0..)
  roll d2 as die
  slowed on ship with amount die
  when left > 0 and die is 1: other_way on ship with left left - 1
effect other_way (ship, left 0..)
  roll d2 as die
  ship.out becomes ship.out + ship.lost
  when left > 0: again on ship with left left - 1
  when die is 1: hurt on ship with amount ship.out
effect ends (ship)
  slowed on ship with amount 1
  when ship.lost >= 2: stop
  ship.lost becomes 0

chart luck "Luck"
  down  d3
  | Roll | Result |
  |  1   |   s    |
  |  2   |   h    |
  |  3   |   b    |

results of luck for each ship
  s   "slowed"
    each reader: slowed with amount 1
  h   "hurt"
    each reader where lost >= 1: hurt with amount 1
  b   "both"
    each reader
      roll d2 as die
      slowed on reader with amount die
    each reader where out is 0: hurt with amount 2

procedure turn "A turn"
  1. roll d2 as die
  2. slowed on target with amount die
     when die is 1: hurt on target with amount target.lost
  3. give speed = target.lost
     give harm = target.damage

procedure main
  1. {}
  2. give damage = target.damage
     give lost   = target.lost
     give burns  = target.burns
     give worst  = sum of lost over ships
     give hits   = count of ships where damage >= 1
     give slow   = count of effects slowed
"""

CASES: Final = {
    "an effect that is only counted": ("slowed on target with amount 1", "hurt on target with amount 1"),
    "an effect with dice": ("crippled on target", "crippled on target"),
    "a count that decides later": ("slowed on target with amount 2", "swept on target", "swept on target"),
    "a sum in an effect": ("for each ship in ships: crippled on ship", "counted on target"),
    "effects counted in an effect": ("for each ship in ships: crippled on ship", "recalled on target"),
    "effects that use each other": ("again on target with left 3", "hurt on target with amount 1"),
    "effects that use each other, and one that reads": ("other_way on target with left 2",),
    "an effect that stops": ("roll d2 as die", "repeat die times: ends on target", "hurt on target with amount 1"),
    "results": ("repeat 2 times", "  roll d3 as die", "  read luck with die for each ship in ships as fate", "  apply fate"),
    "a call": ("call turn as first_turn", "hurt on target with amount first_turn.harm", "call turn as second"),
    "a call whose outputs nobody reads": ("repeat 2 times: call turn as each_turn",),
    "a loop": ("repeat 3 times", "  roll d2 as die", "  slowed on target with amount die", "  when die is 2: swept on target"),
    "until something happens": (
        "repeat until target.lost >= 3, at most 4 times", "  crippled on target", "  swept on target",
    ),
    "a branch without dice": (
        "roll d2 as die", "when die is 1", "  slowed on target with amount 1", "  swept on target", "otherwise",
        "  ends on target", "hurt on target with amount 1",
    ),
    "a field of the procedure itself": ("target.out becomes target.out + 1", "target.lost becomes target.out * 2"),
    "at the same time": (
        "roll d2 as die", "together", "  slowed on target with amount die", "  hurt on target with amount 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("lines", [pytest.param(lines, id=name) for name, lines in CASES.items()])
def test_the_odds_are_those_of_brute_force(lines: tuple[str, ...]) -> None:
    rules = program(HEAD.format("\n     ".join(lines)))
    given: dict[str, Any] = {"ships": [{"key": "a"}, {"key": "b", "lost": 1}], "target": "a"}
    given = {name: given[name] for name in rules.procedures["main"].inputs if name in given}
    if "ships" not in given:
        given["target"] = {"key": "a"}
    asks: tuple[Ask, ...] = tuple(map(ir.Local, rules.procedures["main"].outputs))
    asks = (*asks, Whole("effects"), Whole("state"))
    check(situation(rules, "main", **given), asks, [(at,) for at in range(len(asks))] + [(0, 5)], 20_000)


def test_counters_that_nothing_reads_do_not_multiply_the_states() -> None:
    text = Path(__file__).with_name("naval_gunnery.rules").read_text(encoding="utf-8")
    facts: dict[str, Any] = {
        "attack_dice": 6,
        "hit_modifier": -1,
        "damage_dice": 2,
        "armour": 5,
        "target": {"points": 8},
    }
    case = situation(program(text), "salvo", **facts)
    is_hit = ir.Op(">=", (ir.Local("criticals"), ir.Const(1)))
    answer = exact_odds(case, (is_hit,), None, Limits(work=1_000_000))
    assert chances(answer)[(told(True),)] == Fraction(1818824218129583, 6499837226778624)
