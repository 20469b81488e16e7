"""Rulesets made by chance: their odds are those of brute force.

``ENFILADE_DRAWN=5000`` draws more of them than usual.
"""

from __future__ import annotations

import os
from typing import Any, Final

from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.differential.programs import program
from tests.odds.brute_force import first, last
from tests.odds.comparing import SMALL, check, situation
from tests.odds.expectation import Answer, answers, asked_next
from tests.odds.rulesets import Drawn, rulesets

from enfilade.core import ir
from enfilade.core.requests import DrawRequest, RollRequest
from enfilade.engines.odds import Ask, Whole

DRAWN: Final = int(os.environ.get("ENFILADE_DRAWN", "100"))
SEQUENCES: Final = 1_000
WHOLES: Final = (Whole("outputs"), Whole("effects"), Whole("state"))
drawn: Final = settings(max_examples=DRAWN, deadline=None, suppress_health_check=list(HealthCheck), print_blob=False)


@drawn
@given(rulesets(), st.data())
def test_the_odds_of_a_ruleset_by_chance_are_those_of_brute_force(made: Drawn, data: st.DataObject) -> None:
    case = situation(program(made.text), "main", **made.facts)
    asks: tuple[Ask, ...] = (*WHOLES, *map(ir.Local, case.program.procedures["main"].outputs))
    every = st.integers(len(WHOLES), len(asks) - 1)
    together = data.draw(st.lists(every, min_size=1, max_size=2, unique=True))
    check(case, asks, [(0,), (1,), (2,), (len(WHOLES),), tuple(together)], SEQUENCES, limits=SMALL)


@drawn
@given(rulesets(choices=True), st.sampled_from([first, last]))
def test_the_odds_under_a_fixed_policy_are_those_of_brute_force(made: Drawn, decide: Any) -> None:
    case = situation(program(made.text), "main", **made.facts)
    asks: tuple[Ask, ...] = (*WHOLES, ir.Local("last"))
    check(case, asks, [(0,), (1,), (2,), (3,)], SEQUENCES, decide, SMALL)


@drawn
@given(rulesets(), st.data())
def test_what_is_known_already_takes_no_part_of_the_odds(made: Drawn, data: st.DataObject) -> None:
    case = situation(program(made.text), "main", **made.facts)
    log: list[Answer] = []
    for _ in range(data.draw(st.integers(1, 3))):
        request = asked_next(case, log)
        if not isinstance(request, (RollRequest, DrawRequest)):
            break
        kind = "roll" if isinstance(request, RollRequest) else "draw"
        log.append((kind, data.draw(st.sampled_from(answers(request)))))
    check(evolve(case, log=tuple(log)), (*WHOLES, ir.Local("last")), [(0,), (1,), (2,), (3,)], SEQUENCES, limits=SMALL)
