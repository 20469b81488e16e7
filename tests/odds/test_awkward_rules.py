"""Small awkward rules, by topic: their odds are those of brute force, each output alone and several together."""

from collections.abc import Iterator
from contextlib import nullcontext
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any, Final

import pytest
from benchmarks.odds import by_enfilade
from benchmarks.odds.strategies import switched_off
from tests.differential.programs import program
from tests.odds.awkward_rules import TOPICS
from tests.odds.brute_force import told
from tests.odds.comparing import chances, check, situation

import enfilade
from enfilade.core import ir
from enfilade.core.requests import ChoiceRequest
from enfilade.engines.odds import Ask, Policy, Situation, Whole, exact_odds, forward
from enfilade.engines.odds.steps.independent_rounds import all_at_once
from enfilade.limits import Limits

SEQUENCES: Final = 20_000


def ruled(topic: str, *lines: str) -> ir.Program:
    """The rules of a topic with some steps in their gap."""
    return program(TOPICS[topic].rules.format("\n     ".join(lines)))


def cases() -> Iterator[Any]:
    """Each case of each topic with all that may be given; by default every other one of a topic."""
    for name, topic in TOPICS.items():
        for number, case in enumerate(topic.cases):
            for facts in topic.facts:
                is_thorough = number % 2 or {case, facts} & {*topic.thorough}
                marks = [pytest.mark.thorough] if is_thorough else []
                yield pytest.param(name, case, facts, id=f"{name}-{case}-{facts}", marks=marks)


@pytest.mark.parametrize(("name", "case", "facts"), [*cases()])
def test_the_odds_are_those_of_brute_force(name: str, case: str, facts: str) -> None:
    topic = TOPICS[name]
    rules = ruled(name, *topic.cases[case])
    procedure = rules.procedures["main"]
    taken = {each.rpartition(".")[2] for each in procedure.inputs}
    given = {name: value for name, value in topic.facts[facts].items() if name in taken}
    outputs = tuple(map(ir.Local, procedure.outputs))
    asks: tuple[Ask, ...] = (*outputs, *map(Whole, topic.wholes))
    questions = [(at,) for at in range(len(asks))] + [tuple(range(min(3, len(outputs))))]
    check(situation(rules, "main", **given), asks, questions, SEQUENCES)


# ---------------------------------------------------------------------------------------------------------- records

UNITS: Final = [{"key": "a"}, {"key": "b", "steps": 2}, {"key": "c"}]


def test_equal_units_that_check_independently_are_binomial() -> None:
    rules = ruled("records", "for each unit in units", "  shock on unit", "  shock on unit")
    case = situation(rules, "main", units=[{"key": f"u{number}"} for number in range(60)])
    assert chances(exact_odds(case, (ir.Local("shaken"),))) == {
        (told(failed),): Fraction(comb(60, failed) * 3**failed, 4**60) for failed in range(61)
    }


@pytest.mark.parametrize(
    ("line", "is_independent"),
    [("hit on unit", True), ("panic on unit", False), ("when count of effects hit >= 2: shock on unit", False)],
)
def test_rounds_that_are_independent_are_rolled_at_once(
    line: str, is_independent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []

    def noted(*given: Any) -> Any:
        after = all_at_once(*given)
        found.append(after is not None)
        return after

    monkeypatch.setattr(forward, "all_at_once", noted)
    first = "shock on unit" if is_independent else "hit on unit"
    rules = ruled("records", "for each unit in units", f"  {first}", f"  {line}")
    exact_odds(situation(rules, "main", units=UNITS), (ir.Local("both"),))
    assert found == [is_independent]


def test_a_policy_may_tell_records_apart_that_are_alike() -> None:
    lines = ("for each unit in units", "  owner chooses victim among [unit, other]", "  shock on victim")
    case = situation(ruled("records", *lines), "main", units=[{"key": "b"}, {"key": "a"}], other={"key": "c"})

    def decide(request: ChoiceRequest) -> tuple[Any, ...]:
        return (min(request.options, key=lambda option: option.key),)

    def spare_a(request: ChoiceRequest) -> tuple[Any, ...]:
        return (request.options[request.options[0].key == "a"],)

    check(case, (ir.Local("shaken"), Whole("state")), [(0,), (1,)], SEQUENCES, decide)
    answer = exact_odds(case, (ir.Local("shaken"),), Policy(decide=spare_a))
    assert answer.weights == {(0,): answer.total // 2, (1,): answer.total // 2}


@pytest.mark.parametrize("strategy", ["", "compiled steps"])
@pytest.mark.parametrize(
    ("lines", "of_b"),
    [
        pytest.param(("  roll d2 as die", "  when die is 1: hit on unit", "panic on item 1 of units"), {}, id="effects so far"),
        pytest.param(("  roll d2 as die", "  when die is 1: hit on unit", "alarm on item 1 of units"), {}, id="effects so far, by chance"),
        pytest.param(
            (
                "  roll d3 as die",
                "  together",
                "    unit.steps becomes unit.steps - die",
                "    unit.shaken becomes unit.steps is 2",
                "  together",
                "    when unit.steps is 1: unit.steps becomes unit.steps + 4",
                "    when unit.steps is 1: unit.shaken becomes yes",
            ),
            {"steps": 4},
            id="parts at the same time begin with the changes of the steps before",
        ),
        pytest.param(
            (
                "  roll d3 as die",
                "  unit.steps becomes die",
                "  roll d3 as other_die",
                "  together",
                "    when unit.shaken: unit.steps becomes 1",
                "    when other_die is 2: unit.steps becomes 1",
            ),
            {"shaken": True},
            id="parts at the same time are joined with a field that none of them reads",
        ),
    ],
)  # fmt: skip
def test_what_each_round_finds_is_as_in_brute_force(
    lines: tuple[str, ...], of_b: dict[str, Any], strategy: str
) -> None:
    rules = ruled("records", "for each unit in units", *lines)
    case = situation(rules, "main", units=[{"key": "a"}, {"key": "b", **of_b}])
    with switched_off(strategy) if strategy else nullcontext():
        asks = (ir.Local("left"), ir.Local("shaken"), Whole("state"))
        check(case, asks, [(0,), (0,), (1,), (1,), (0, 1), (0, 1), (2,), (2,)], SEQUENCES)


def test_the_work_hardly_grows_with_the_number_of_equal_units() -> None:
    fire = enfilade.load(by_enfilade.RULES / "stack_fire.rules")
    units = [{"name": f"u{number}", "cover": 1} for number in range(40)]
    failed = fire.odds("fire", fire_value=12, units=units, limits=enfilade.Limits(work=4_000)).of("failed")
    assert failed[40] > 0


# ------------------------------------------------------------------------------------- fields and numbers in states


def gunnery(procedure: str, **more: Any) -> Situation:
    """A salvo, or a bombardment of some turns."""
    text = Path(__file__).with_name("naval_gunnery.rules").read_text(encoding="utf-8")
    facts: dict[str, Any] = {
        "attack_dice": 6,
        "hit_modifier": -1,
        "damage_dice": 2,
        "armour": 5,
        "target": {"points": 8},
    }
    return situation(program(text), procedure, **facts, **more)


def test_damage_without_a_bound_does_not_multiply_the_states_of_a_campaign() -> None:
    case, sunk = gunnery("bombardment", turns=3), ir.Local("sunk")
    assert chances(exact_odds(case, (sunk,), None, Limits(work=1_000_000, seconds=None)))[(told(True),)] == Fraction(
        426424202317195571987284040477609559198163642039898636332888892155,
        3807108840433639698109033882310840866608891883172078351721707864064,
    )


def test_counters_that_nothing_reads_do_not_multiply_the_states() -> None:
    case, is_hit = gunnery("salvo"), ir.Op(">=", (ir.Local("criticals"), ir.Const(1)))
    found = chances(exact_odds(case, (is_hit,), None, Limits(work=1_000_000, seconds=None)))
    assert found[(told(True),)] == Fraction(1818824218129583, 6499837226778624)


def test_another_threshold_of_the_same_shape_has_its_own_answer() -> None:
    rules = ruled("thresholds", *TOPICS["thresholds"].cases["a field of the same record"])
    cases = [situation(rules, "main", target={"key": "t", "points": points}) for points in (3, 8, 3)]
    found = [chances(exact_odds(case, (ir.Local("sunk"),)))[(told(True),)] for case in cases]
    assert found == [1, Fraction(4, 27), 1]


def test_how_many_dice_count_must_be_known() -> None:
    rules = enfilade.load(
        text="""enfilade 1
ruleset pools
facts
  veteran  yes/no
procedure main
  1. roll 3d6 as dice
  2. let kept = 2 when veteran otherwise none
     give result = sum of (highest kept of dice.values)
"""
    )
    assert rules.odds("main", veteran=True).result.mean == Fraction(203, 24)
    with pytest.raises(enfilade.RuleError, match="a value is needed, but this expression is none: 2 when veteran"):
        assert rules.odds("main", veteran=False).result
