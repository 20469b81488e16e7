"""Values of a roll that depend on steps between the roll and their use."""

from __future__ import annotations

from typing import Final

from tests.differential.programs import program
from tests.odds.comparing import check, situation

from enfilade.core import ir

TEXT: Final = """\
record unit
  broken  yes/no
  steps   0..
facts
  units  list of unit
  gun    unit

effect breaks "breaks" (unit)
  unit.broken becomes yes
effect loses "loses its steps" (unit)
  unit.steps becomes 0

procedure late
  1. roll 3d6 as dice
     for each target in units
       when target.steps <= 2
         breaks on target
  2. give few = count of dice.values where each <= (count of units where broken)

procedure early
  1. roll 3d6 as dice
     let kept = dice.values where each <= gun.steps
     loses on gun
  2. give few = count of kept
"""


def test_a_value_that_reads_a_sum_over_records_is_computed_where_it_is_read() -> None:
    units = [{"name": f"unit{n}", "broken": False, "steps": n} for n in (1, 2, 3)]
    check(situation(program(TEXT), "late", units=units), (ir.Local("few"),), [(0,)], 3_000)


def test_a_list_that_reads_a_record_is_taken_from_the_dice_where_it_is_assigned() -> None:
    gun = {"broken": False, "steps": 3}
    check(situation(program(TEXT), "early", gun=gun), (ir.Local("few"),), [(0,)], 3_000)
