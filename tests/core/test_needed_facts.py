"""Which facts a procedure always looks at."""

from __future__ import annotations

from attrs import evolve

import enfilade
from enfilade.api.ruleset import Ruleset
from enfilade.core import ir
from enfilade.core.needed_facts import NeededFacts, certain_facts

ITSELF = """
procedure p
  facts
    n 0..10
  1. roll d6 as die
  2. when n > 0
       call p with n (n - 1) as inner
  3. give result = die.total
"""
CIRCLE = """
facts
  score 0..9
  left  0..9
procedure first
  1. when score > left: call second
  2. give result = score
procedure second
  1. when left > 0: call first
  2. call first
  3. give result = left
"""
TWICE = """
facts
  score 0..9
  bonus 0..9
{steps}
procedure p20
  facts
    n 0..9
  1. give result = n + score
"""
TWICE_STEP = """
procedure p{at}
  facts
    n 0..9
  1. call p{next} with n n as one
  2. call p{next} with n n as two
"""
SEARCHED = """
facts
  quality 1..9
  score   1..9
chart losses
  down    quality
  find    score
  row above  {edge}
  | quality | none | some |
  |   1..3  | 1..3 | 4..9 |
  |   4..6  | 1..5 | 6..9 |
procedure p
  1. read losses as loss
  2. give result = loss.code
"""
STOPS = """
record unit
  steps 0..4 = 2
facts
  unit  unit
  score 0..9
effect hit (unit)
  unit.steps becomes unit.steps - 1 but at least 0
  when unit.steps is 0: stop
effect double (unit)
  hit on unit
  hit on unit
chart table
  down d6
  |  d6  | is |
  | 1..5 | -  |
  |  6   | X  |
results of table
  -  "nothing"
  X  "all of it"
    stop
procedure one
  1. hit on unit
  2. give result = score
procedure two
  1. double on unit
  2. give result = score
procedure three
  1. roll d6 as die
  2. read table with die as came
  3. apply came
  4. give result = score
procedure four
  1. call one
  2. give result = score
"""
NETTED = """
facts
  wet    yes/no
  score  0..9
modifiers shifts, cumulative
  +1 wet wet
  net at most score
procedure p
  1. give result = shifts
"""


def loaded(text: str) -> Ruleset:
    return enfilade.load(text=f"enfilade 1\nruleset demanding\n{text}")


def certain(text: str, procedure: str = "p") -> tuple[str, ...]:
    return certain_facts(loaded(text).program, procedure)


def test_a_procedure_may_call_itself_with_other_facts() -> None:
    rules = loaded(ITSELF)
    assert certain_facts(rules.program, "p") == ("p.n",)
    run = rules.begin("p", n=1)
    assert run.roll(1).roll(2).outcome is not None
    assert rules.resolve("p", n=3, dice=[1, 2, 3, 4]).result == 1


def test_what_procedures_that_call_each_other_look_at_does_not_hang_on_the_order_of_asking() -> None:
    program = loaded(CIRCLE).program
    needed = NeededFacts(program)
    both = ("score", "left")
    assert [set(needed.certain(name)) for name in ("second", "first")] == [set(both), set(both)]
    assert [certain_facts(program, name) for name in ("first", "second")] == [both, both]


def test_what_is_called_from_many_places_is_gone_through_once() -> None:
    steps = "\n".join(TWICE_STEP.format(at=at, next=at + 1) for at in range(20))
    assert certain(TWICE.format(steps=steps), "p0") == ("p0.n", "score")


def test_a_row_that_may_not_be_searched_demands_nothing_of_the_search() -> None:
    assert certain(SEARCHED.format(edge='gives "lost"')) == ("quality",)
    assert certain(SEARCHED.format(edge="stays")) == ("quality", "score")
    rules = loaded(SEARCHED.format(edge='gives "lost"'))
    assert rules.resolve("p", quality=8).result == "lost"
    assert rules.begin("p", quality=8).outcome is not None


def test_what_follows_an_effect_that_may_stop_is_not_certain() -> None:
    program = loaded(STOPS).program
    assert certain_facts(program, "one") == ("unit",)
    assert certain_facts(program, "two") == ("unit",)


def test_what_follows_results_that_may_stop_is_not_certain() -> None:
    assert certain_facts(loaded(STOPS).program, "three") == ()


def test_what_is_called_stops_itself_and_no_other() -> None:
    assert certain_facts(loaded(STOPS).program, "four") == ("unit", "score")


def test_a_bound_counts_at_the_end_of_a_block_and_in_no_section() -> None:
    rules = loaded(NETTED)
    assert certain_facts(rules.program, "p") == ("wet", "score")
    block = rules.program.modifiers["shifts"]
    section = ir.Section("only one", "first", None, None, block.items, ir.NO_NOTE)
    program = evolve(rules.program, modifiers={"shifts": evolve(block, items=(section,))})
    assert certain_facts(program, "p") == ("wet",)


def test_what_is_known_settles_what_is_looked_at() -> None:
    text = """
facts
  wet    yes/no
  score  0..9
  depth  0..9
procedure p
  1. when wet: give result = depth
     otherwise
       give result = score
"""
    needed = NeededFacts(loaded(text).program)
    assert needed.certain("p") == ("wet",)
    assert needed.certain("p", {}, {"wet": True}) == ("wet", "depth")
    assert needed.certain("p", {}, {"wet": False}) == ("wet", "score")
    assert needed.certain("p") == ("wet",)
