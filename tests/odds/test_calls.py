"""Calls: which facts the procedure that is called sees."""

from __future__ import annotations

import pytest
from tests.differential.programs import program
from tests.odds.comparing import check, situation

from enfilade.core import ir

TEXT = """\
procedure main
  facts
    left   0..3 = 0
    extra  0..5 = 0
  1. roll d2 as die
     let further = 0
  2. when left > 0
       call main with left left - 1{} as inner
       further becomes inner.result
  3. give result = die + extra + further
"""


@pytest.mark.parametrize("given", ["", ", extra extra", ", extra 1"])
@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_procedure_that_calls_itself_sees_only_the_facts_that_it_is_given(given: str, left: int) -> None:
    case = situation(program(TEXT.format(given)), "main", left=left, extra=5)
    check(case, (ir.Local("result"),), [(0,)], 2_000)
