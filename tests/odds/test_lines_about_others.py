"""Results with lines that change other records than their reader: what each leaves is not final before the last line."""

from __future__ import annotations

from typing import Final

import pytest
from tests.differential.programs import program
from tests.odds.comparing import check, situation

from enfilade.core import ir

TEXT: Final = """\
record ship
  lost  0.. = 0
  out   0.. = 0

facts
  ships   list of ship
  target  ship

effect slowed (ship, amount 0..)
  ship.lost becomes ship.lost + amount

chart luck "Luck"
  down  d3
  | Roll | Result |
  |  1   |   s    |
  |  2   |   b    |
  |  3   |   -    |

results of luck for each ship
  s   "slowed"
    each reader
      roll d2 as die
      slowed on reader with amount die
  b   "both"
    each reader: slowed with amount 1
    {2}: slowed on target with amount {0}
  -   "nothing"

procedure main
  1. for each ship in ships
       roll d3 as die
       read luck with die for each ship in ships as fate
       apply fate
  2. give result = {1}
"""


@pytest.mark.parametrize("line", ["once", "each reader"])
@pytest.mark.parametrize("amount", ["1", "count of ships where lost >= 1", "sum of lost over ships"])
@pytest.mark.parametrize("asked", ["sum of lost over ships", "count of ships where lost >= 2", "target.lost"])
def test_a_line_about_another_record(line: str, amount: str, asked: str) -> None:
    ships = [{"key": name} for name in ("a", "b", "c")]
    case = situation(program(TEXT.format(amount, asked, line)), "main", ships=ships[:2], target="a")
    check(case, (ir.Local("result"),), [(0,)], 5_000)
