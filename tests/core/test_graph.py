"""The program graph: who uses whom, what running a declaration may do, and components of mutual recursion."""

import random

import pytest

import enfilade
from enfilade import Ruleset
from enfilade.core import ir
from enfilade.core.graph import analysis, graph_of, strongly_connected
from enfilade.core.traits import ASKS, CHANGES, Action, Unit, traits_of
from enfilade.core.walk import nodes

TEXT = """\
enfilade 1
ruleset g "G"
facts
  n     1..9
  units list of unit
record unit
  steps 0..4
define double (x 0..20) = x * 2
effect hit "hit" (unit)
  unit.steps becomes 0
effect halt "halt" (unit)
  stop
procedure inner "Inner"
  1. refuse odd "odd" when n is 1
  2. roll d6 as r
  3. for each unit in units: halt on unit
procedure handled "Handled"
  1. call inner
       if refused: stop
procedure plain "Plain"
  1. give x = double(n)
procedure outer "Outer"
  1. call inner
  2. for each unit in units: hit on unit
"""


def loaded(text: str) -> Ruleset:
    return enfilade.load(text=text)


def graph() -> tuple[ir.Program, dict[str, Action]]:
    program = loaded(TEXT).program
    return program, {name: graph_of(program).unit_may(("procedure", name)) for name in program.procedures}


def test_what_a_callee_asks_changes_and_refuses_its_caller_may_too() -> None:
    _, may = graph()
    assert may["outer"] & ASKS == Action.ROLL
    assert may["outer"] & CHANGES == Action.SET_FIELD
    assert Action.REFUSE in may["outer"]
    assert may["plain"] == Action.NONE


def test_a_stop_ends_the_procedure_that_performs_it_and_not_the_caller() -> None:
    _, may = graph()
    assert Action.STOP in may["inner"]
    assert Action.STOP not in may["outer"]


def test_a_refusal_that_is_handled_is_not_the_callers() -> None:
    _, may = graph()
    assert Action.REFUSE not in may["handled"]
    assert Action.CATCH in may["handled"]


def test_reachability_and_depth_follow_the_uses() -> None:
    program, _ = graph()
    found = graph_of(program)
    assert found.reached(("procedure", "plain")) == {("procedure", "plain"), ("define", "double")}
    assert found.uses(("procedure", "outer")) == {("procedure", "inner"), ("effect", "hit")}
    assert found.depth == 3


def test_an_analysis_is_made_once_for_each_program() -> None:
    program, _ = graph()
    assert graph_of(program) is graph_of(program)
    assert analysis(program, lambda each: object()) is not None
    assert graph_of(loaded(TEXT).program) is not graph_of(program)


FIND = """\
enfilade 1
ruleset s "S"
facts
  class 1..2
  score 0..9
chart bonus "Bonus"
  down   score
  cells  numbers
  row below refuse no_score "no score"
  | Score | Bonus |
  | 1..9  |   1   |
define adjusted = score + bonus
chart morale "Morale"
  down   class
  find   adjusted but at most 3
  | Class | rout | hold |
  |   1   | 0..1 | 2..3 |
  |   2   | 0..2 |  3   |
procedure check "Check"
  1. read morale as result
  2. give x = result
"""


def test_describe_tells_a_refusal_behind_the_value_that_a_row_is_searched_for() -> None:
    rules = loaded(FIND)
    assert [refusal.slug for refusal in rules.procedure("check").refusals] == ["no_score"]


@pytest.mark.parametrize("seed", range(30))
def test_components_are_the_classes_of_mutual_reachability_callees_first(seed: int) -> None:
    rng = random.Random(seed)
    units: list[Unit] = [("define", str(n)) for n in range(rng.randint(1, 9))]
    uses = {unit: {rng.choice(units) for _ in range(rng.randint(0, 2))} for unit in units}

    def reached(start: Unit) -> set[Unit]:
        found, waiting = set[Unit](), [start]
        while waiting:
            unit = waiting.pop()
            if unit not in found:
                found.add(unit)
                waiting += uses[unit]
        return found

    components = list(strongly_connected(units, lambda unit: uses[unit]))
    assert sorted(unit for component in components for unit in component) == sorted(units)
    at = {unit: index for index, component in enumerate(components) for unit in component}
    for a in units:
        for b in reached(a):
            assert at[b] <= at[a]
            assert (at[a] == at[b]) == (a in reached(b))


@pytest.mark.parametrize(
    "name",
    [
        "infantry_attacks",
        pytest.param("franco_prussian", marks=pytest.mark.thorough),
        pytest.param("fire_combat", marks=pytest.mark.thorough),
    ],
)
def test_the_children_of_every_node_are_nodes_that_the_table_knows(name: str) -> None:
    program = enfilade.load(name).program
    for node in nodes(program):
        traits = traits_of(node, program)
        inner = set(map(id, nodes(node)))
        assert all(id(child) in inner for child in (*traits.always, *traits.after))
