"""Values of a roll that depend on steps between the roll and their use."""

from __future__ import annotations

from typing import Any, Final

from tests.differential.programs import program
from tests.odds.comparing import check, situation

from enfilade.core import ir

TEXT: Final = """\
record unit
  broken  yes/no
  steps   0..
facts
  units  list of unit

effect breaks "breaks" (unit)
  unit.broken becomes yes

procedure late
  1. roll 3d6 as dice
     for each target in units
       when target.steps <= 2
         breaks on target
  2. give few = count of dice.values where each <= (count of units where broken)
"""


def test_a_value_that_reads_a_sum_over_records_is_computed_where_it_is_read() -> None:
    units: list[dict[str, Any]] = [{"name": f"unit{n}", "broken": False, "steps": n} for n in (1, 2, 3)]
    check(situation(program(TEXT), "late", units=units), (ir.Local("few"),), [(0,)], 3_000)
