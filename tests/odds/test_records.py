"""Blocks that run for each of several records: folded into running totals, and run once for all that are alike."""

from __future__ import annotations

from contextlib import nullcontext
from fractions import Fraction
from math import comb
from typing import Any, Final

import pytest
from benchmarks.odds.by_enfilade import RULES
from benchmarks.odds.strategies import switched_off
from tests.differential.programs import program
from tests.odds.comparing import check, situation

import enfilade
from enfilade.core import ir
from enfilade.core.requests import ChoiceRequest
from enfilade.engines.odds import Ask, Policy, Whole, exact_odds, forward
from enfilade.engines.odds.steps.independent_rounds import all_at_once

HEAD: Final = """\
enfilade 1.1
ruleset totals "Records of which only sums are read"

record unit
  steps   0..9 = 3
  shaken  yes/no

facts
  units  list of unit
  other  unit

effect hit (unit)
  unit.steps becomes unit.steps - 1 but at least 0
effect shock (unit)
  roll d2 as nerve
  when nerve is 1: unit.shaken becomes yes

effect panic (unit)
  when count of effects hit >= 2: unit.shaken becomes yes
effect alarm (unit)
  roll d2 as nerve
  when nerve is 1 and count of effects hit >= 2: unit.shaken becomes yes

chart luck "Luck"
  down  d3
  | Roll | Result |
  |  1   |   h    |
  |  2   |   s    |
  |  3   |   hs   |

players owner

results of luck for each unit
  h   "hit"
    each reader: hit
  s   "shock"
    each reader: shock
  hs  "both"
    each reader: hit
    each reader: shock

chart wounds "Wounds"
  down  d2
  roll above  gives w3
  | Roll | Result |
  |  1   |   w1   |
  |  2   |   w2   |

chart fright "Fright"
  down  d2
  | Roll | Result |
  |  1   |   f    |
  |  2   |   -    |

results of fright for each unit
  f  "frightened"
    each reader where unit is not other: hit
  -  "nothing"

modifiers leads add to roll of wounds
  for each unit
    +1  leads  unit is other

effect wound (unit, amount 1..3)
  unit.steps becomes unit.steps - amount but at least 0

results of wounds for each unit
  w#  "wounded"
    each reader: wound with amount #

procedure main
  1. {}
  2. give lost   = count of units where steps < 3
     give left   = sum of steps over units
     give shaken = count of units where shaken
     give both   = count of units where steps < 3 and shaken
     give hits   = count of effects hit
"""
CHECKED: Final = ("roll d2 as die", "when die is 1: hit on {0}", "shock on {0}")
LOOP: Final = ("for each unit in units", *(f"  {line.format('unit')}" for line in CHECKED))

CASES: Final = {
    "each once": LOOP,
    "each twice in one list": ("for each unit in units followed by units", *LOOP[1:]),
    "the first one again at the end": ("for each unit in units followed by first 1 of units", *LOOP[1:]),
    "one loop after the other": (*LOOP, *LOOP),
    "another record in the same local": ("for each unit in units", "  unit becomes other", *LOOP[1:]),
    "changed later, and not read": (*LOOP, "for each unit in units", "  unit.shaken becomes no"),
    "another record is hit too": (*LOOP, "  hit on other"),
    "all of them are hit in each round": (*LOOP, "  for each friend in units", "    hit on friend"),
    "what one has decides about the next": ("let lucky = yes", *LOOP, "  lucky becomes unit.shaken"),
    "one of them is another record": (*LOOP, "  when unit is other: hit on unit"),
    "the first one": (*LOOP, "  when unit is item 1 of units: hit on unit"),
    "those that are hit, in a list": (
        "let fallen = units without units",
        *LOOP,
        "  fallen becomes fallen followed by unit",
    ),
    "each hits the one before": ("let friend = other", *LOOP, "  hit on friend", "  friend becomes unit"),
    "each depends on the hits so far": (*LOOP, "  panic on unit"),
    "each may depend on the hits so far": (*LOOP, "  alarm on unit"),
    "each round reads the hits so far": (
        *LOOP[:3],
        "  when count of effects hit is 1: hit on unit",
    ),
    "after a roll that is kept": ("roll d2 as wind", *LOOP, "  when wind is 1: hit on unit"),
    "only those with two steps": (
        "for each unit in units",
        "  roll d2 as die",
        "  when die is 1 and unit.steps is 2: hit on unit",
    ),
    "not all units": ("for each unit in units where unit is not other", *LOOP[1:]),
    "results for each": ("roll d3 as die", "read luck with die for each unit as shots", "apply shots"),
    "results with numbers": ("roll d2 as die", "read wounds with die for each unit as shots", "apply shots"),
    "results for all but one of them": (
        "roll d2 as die",
        "read fright with die for each unit as shots",
        "apply shots",
    ),
    "two results for each": (
        "roll d3 as die",
        "roll d3 as again",
        "read luck with die for each unit as shots",
        "read luck with again for each unit as more",
        "apply shots",
        "apply more",
    ),
    "results in a list with a record twice": (
        "roll d3 as die",
        "read luck with die for each unit in (units followed by first 1 of units) as shots",
        "apply shots",
    ),
}


UNITS: Final = {
    "alike": [{"key": "a"}, {"key": "b"}],
    "others": [{"key": "a", "steps": 2}, {"key": "b"}],
    "three": [{"key": "b"}, {"key": "a"}, {"key": "c"}],
}


@pytest.mark.parametrize("units", [pytest.param(units, id=name) for name, units in UNITS.items()])
@pytest.mark.parametrize("lines", [pytest.param(lines, id=name) for name, lines in CASES.items()])
def test_the_odds_are_those_of_brute_force(lines: tuple[str, ...], units: list[dict[str, Any]]) -> None:
    rules = program(HEAD.format("\n     ".join(lines)))
    facts: dict[str, Any] = {"units": units, "other": "a"}
    case = situation(rules, "main", **{name: facts[name] for name in rules.procedures["main"].inputs})
    asks: tuple[Ask, ...] = (
        *(ir.Local(name) for name in ("lost", "left", "shaken", "both")),
        Whole("effects"),
        Whole("state"),
        ir.Local("hits"),
    )
    check(case, asks, [(0,), (1,), (2,), (3,), (0, 1, 2), (4,), (5,), (6,), (0, 6)], 20_000)


def test_equal_units_that_check_independently_are_binomial() -> None:
    rules = program(HEAD.format("\n     ".join(("for each unit in units", "  shock on unit", "  shock on unit"))))
    case = situation(rules, "main", units=[{"key": f"u{number}"} for number in range(60)])
    answer = exact_odds(case, (ir.Local("shaken"),))
    wanted = {failed: Fraction(comb(60, failed) * 3**failed, 4**60) for failed in range(61)}
    assert {failed: Fraction(weight, answer.total) for (failed,), weight in answer.weights.items()} == wanted


def test_rounds_that_are_independent_are_rolled_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def took(*lines: str) -> list[bool]:
        found = []

        def noted(*given: Any) -> Any:
            after = all_at_once(*given)
            found.append(after is not None)
            return after

        monkeypatch.setattr(forward, "all_at_once", noted)
        rules = program(HEAD.format("\n     ".join(("for each unit in units", *lines))))
        units = [{"key": "a"}, {"key": "b", "steps": 2}, {"key": "c"}]
        exact_odds(situation(rules, "main", units=units), (ir.Local("both"),))
        return found

    assert took("  shock on unit", "  hit on unit") == [True]
    assert took("  hit on unit", "  panic on unit") == [False]
    assert took("  hit on unit", "  when count of effects hit >= 2: shock on unit") == [False]


def test_a_policy_may_tell_records_apart_that_are_alike() -> None:
    lines = ("for each unit in units", "  owner chooses victim among [unit, other]", "  shock on victim")
    rules = program(HEAD.format("\n     ".join(lines)))
    units = [{"key": "b"}, {"key": "a"}]
    case = situation(rules, "main", units=units, other={"key": "c"})

    def decide(request: ChoiceRequest) -> tuple[Any, ...]:
        return (min(request.options, key=lambda option: option.key),)

    asks: tuple[Ask, ...] = (ir.Local("shaken"), Whole("state"))
    check(case, asks, [(0,), (1,)], 20_000, decide)

    def spare_a(request: ChoiceRequest) -> tuple[Any, ...]:
        return (request.options[request.options[0].key == "a"],)

    answer = exact_odds(case, (ir.Local("shaken"),), Policy(decide=spare_a))
    assert answer.weights == {(0,): answer.total // 2, (1,): answer.total // 2}


@pytest.mark.parametrize("effect", ["panic", "alarm"])
def test_an_effect_may_count_the_effects_before_it(effect: str) -> None:
    lines = (
        "for each unit in units",
        "  roll d2 as die",
        "  when die is 1: hit on unit",
        f"{effect} on item 1 of units",
    )
    rules = program(HEAD.format("\n     ".join(lines)))
    case = situation(rules, "main", units=[{"key": "a"}, {"key": "b"}])
    check(case, (ir.Local("shaken"), Whole("state")), [(0,), (1,)], 20_000)


@pytest.mark.parametrize("strategy", ["", "compiled steps"])
def test_parts_that_happen_together_begin_with_the_changes_of_the_steps_before(strategy: str) -> None:
    lines = (
        "for each unit in units",
        "  roll d3 as die",
        "  together",
        "    unit.steps becomes unit.steps - die",
        "    unit.shaken becomes unit.steps is 2",
        "  together",
        "    when unit.steps is 1: unit.steps becomes unit.steps + 4",
        "    when unit.steps is 1: unit.shaken becomes yes",
    )
    rules = program(HEAD.format("\n     ".join(lines)))
    case = situation(rules, "main", units=[{"key": "a"}, {"key": "b", "steps": 4}])
    with switched_off(strategy) if strategy else nullcontext():
        check(case, (ir.Local("left"), ir.Local("shaken"), Whole("state")), [(0,), (1,), (0, 1), (2,)], 20_000)


def test_parts_that_happen_together_are_joined_with_a_field_that_none_of_them_reads() -> None:
    lines = (
        "for each unit in units",
        "  roll d3 as die",
        "  unit.steps becomes die",
        "  roll d3 as other_die",
        "  together",
        "    when unit.shaken: unit.steps becomes 1",
        "    when other_die is 2: unit.steps becomes 1",
    )
    rules = program(HEAD.format("\n     ".join(lines)))
    case = situation(rules, "main", units=[{"key": "a"}, {"key": "b", "shaken": True}])
    check(case, (ir.Local("left"), Whole("state")), [(0,), (0,), (1,), (1,)], 20_000)


def test_the_work_hardly_grows_with_the_number_of_equal_units() -> None:
    fire = enfilade.load(RULES / "stack_fire.rules")
    units = [{"name": f"u{number}", "cover": 1} for number in range(40)]
    failed = fire.odds("fire", fire_value=12, units=units, limits=enfilade.Limits(work=4_000)).of("failed")
    assert failed[40] > 0
