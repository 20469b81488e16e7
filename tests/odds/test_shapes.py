"""Questions of one shape share memoised steps; their answers are those of a ruleset that has answered nothing before."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import enfilade
from enfilade.engines.odds import solve
from enfilade.engines.odds.shapes import Shapes
from enfilade.engines.odds.states.kernels import Kernel

TEXT = """
players owner
record unit
  steps  0..3 = 2
facts
  guns    1..3
  armour  2..6
  night   yes/no
  units   list of unit, at least 1
define needed = armour + 1 when night otherwise armour
effect hit (unit)
  unit.steps becomes unit.steps - 1 but at least 0
procedure volley "fire"
  facts
    extra  0..2
  1. roll guns d6 as dice
  2. give hits = (count of dice.values where each >= needed) + extra
procedure battle
  1. roll d6 as wind
  2. call volley with extra (1 when wind is 6 otherwise 0) as shot
  3. repeat shot.hits times
       owner chooses target among units where steps > 0, if any
       when target is not none: hit on target
  4. give result = shot.hits
     give left = sum of steps over units
"""
QUESTIONS = ("result is 1", "left <= 2", "result >= 2 and left is 1")


def situations() -> list[dict[str, Any]]:
    return [
        {"guns": guns, "armour": armour, "night": night, "units": [{"name": "a", "steps": steps}, {"name": "b"}]}
        for guns, armour, night, steps in product((1, 2), (3, 6), (True, False), (1, 3))
    ]


def chances(rules: enfilade.Ruleset, facts: dict[str, Any], wanted: Any = ("a", "b")) -> list[Fraction]:
    odds = rules.odds("battle", choices={"target": wanted}, **facts)
    return [odds.chance(question) for question in QUESTIONS]


@pytest.mark.thorough
def test_answers_do_not_depend_on_the_questions_before() -> None:
    rules = enfilade.load(text=TEXT)
    for facts in [*situations()[::3], *reversed(situations())][:14]:
        assert chances(rules, facts) == chances(enfilade.load(text=TEXT), facts)


def test_another_policy_or_option_is_another_shape() -> None:
    rules = enfilade.load(text=f"option rain\n{TEXT.replace('when night', 'when night or option rain')}")
    facts = situations()[-1] | {"guns": 3}
    first = chances(rules, facts, ("a", "b"))
    assert chances(rules, facts, ("b", "a")) == chances(enfilade.load(text=f"option rain\n{TEXT}"), facts, ("b", "a"))
    assert chances(rules.with_options(rain=True), facts) != first
    assert chances(rules, facts) == first


def test_a_function_that_changes_its_mind_is_asked_again() -> None:
    rules, wanted = enfilade.load(text=TEXT), ["a"]

    def decide(question: Any) -> str:
        return wanted[0] if wanted[0] in question.legal else question.legal[0]

    facts = situations()[0] | {"guns": 3, "units": [{"name": "a", "steps": 1}, {"name": "b", "steps": 3}]}
    asked = "steps of a is 0 and steps of b is 3"
    found = []
    for wanted[0] in ("a", "b", "a"):
        found.append(rules.odds("battle", choices={"target": decide}, **facts).chance(asked))
    assert found[0] == found[2] > found[1] == 0


def test_threads_share_a_ruleset() -> None:
    rules, all_facts = enfilade.load(text=TEXT), situations() * 2
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda facts: chances(rules, facts), all_facts))
    alone = enfilade.load(text=TEXT)
    assert found == [chances(alone, facts) for facts in all_facts]


def test_a_step_runs_once_for_situations_that_agree_in_the_facts_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, explored = enfilade.load(text=TEXT), []
    explore = Kernel._explored

    def counted(self: Kernel, *given: Any) -> Any:
        explored.append(self)
        return explore(self, *given)

    monkeypatch.setattr(Kernel, "_explored", counted)
    monkeypatch.setattr(Shapes, "known_answer", lambda *given: None)
    counts = []
    for facts in [*situations(), *situations()]:
        explored.clear()
        chances(rules, facts)
        counts.append(len(explored))
    half = len(counts) // 2
    assert counts[0]
    assert not any(counts[half:])


def test_a_question_about_a_situation_that_was_met_is_not_simulated_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = enfilade.load(text=TEXT)
    first = [chances(rules, facts) for facts in situations()]
    monkeypatch.setattr(solve, "_simulated", None)
    assert [chances(rules, facts) for facts in situations()] == first


def test_facts_that_only_a_sum_over_effects_reads_are_facts_of_the_step_that_performs_them() -> None:
    rules = enfilade.load(
        text="""
facts
  need  0..3
effect loss (amount 1..6)
procedure main
  1. roll d6 as die
  2. loss with amount die
  3. give result = count of effects loss where amount >= need
"""
    )
    found = [rules.odds("main", need=need).chance("result is 1") for need in (1, 3, 1, 2)]
    assert found == [1, Fraction(2, 3), 1, Fraction(5, 6)]


def test_known_dice_are_part_of_the_situation() -> None:
    rules = enfilade.load(text=TEXT)
    facts = situations()[0] | {"choices": {"target": ("a", "b")}}
    found = [rules.odds("battle", dice=dice, **facts).chance("result >= 1") for dice in (None, {"wind": [6]}, None)]
    assert found[0] == found[2] < found[1] == 1


def test_a_ruleset_keeps_a_bounded_number_of_shapes() -> None:
    rules = enfilade.load(text=TEXT)
    for number in range(50):
        chances(rules, situations()[0])
        rules.odds("battle", choices={"target": "a"}, **situations()[0]).chance(f"left > {number}")
    (shapes,) = (each for each in rules.program.analyses.values() if isinstance(each, Shapes))
    assert len(shapes._idle) <= 32
