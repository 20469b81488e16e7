"""How long one direct fire takes: by hand, by the ZEN engine, and by Enfilade with all that it gives on top.

Everybody resolves the same shots, and is held to the same answers before any clock starts. Run it from the
repository with ``python -m benchmarks.direct_fire``.
"""

import argparse
import importlib
import json
import random
from collections.abc import Callable
from typing import Any

from benchmarks import zen_graph
from benchmarks.hand_written import Effects, Unit, direct_fire, direct_fire_at_units
from benchmarks.situations import Target, dice_of, make_shots, make_shots_at_units
from benchmarks.timing import Case, Ratio, measure, render, to_data

HAND = "hand-written"
HAND_SEEDED = "hand-written, seeded roll"
HAND_ROLLED = "hand-written, fresh roll"
HAND_UNITS = "hand-written, three units"
ZEN = "ZEN, one expression node"
ZEN_TABLE = "ZEN, decision table"
ZEN_DECISION = "ZEN, create_decision"
ENFILADE = "Enfilade"
UNEXPLAINABLE = "Enfilade, explainable=False"
EXPLAINED = "Enfilade, explained"
SEEDED = "Enfilade, seeded roll"
ROLLED = "Enfilade, fresh roll"
UNITS = "Enfilade, three units"

RATIOS = (
    Ratio(ZEN, HAND),
    Ratio(ZEN_TABLE, HAND),
    Ratio(ZEN_DECISION, HAND),
    Ratio(ENFILADE, HAND),
    Ratio(UNEXPLAINABLE, HAND),
    Ratio(EXPLAINED, HAND),
    Ratio(SEEDED, HAND_SEEDED),
    Ratio(ROLLED, HAND_ROLLED),
    Ratio(UNITS, HAND_UNITS),
    Ratio(ENFILADE, ZEN),
    Ratio(EXPLAINED, ZEN),
    Ratio(ENFILADE, UNEXPLAINABLE, at_most=1.25),
)

Facts = dict[str, Any]
Resolve = Callable[..., Any]


# ----------------------------------------------------------------------------------------- the shots as facts


def hand_facts(target: Target) -> Facts:
    """Write a situation as the hand-written function's arguments."""
    return {"fire_value": target.fire_value, **target.situation}


def enfilade_facts(target: Target) -> Facts:
    """Write a situation as Enfilade's facts; the optional rule is an option there."""
    facts = hand_facts(target)
    if facts.pop("flanking_rule", False):
        facts["options"] = {"flanking_fire": True}
    return facts


def unit_facts(units: list[Unit]) -> list[Facts]:
    """Write the units of a hex as Enfilade's records."""
    fields = ("name", "kind", "steps", "entrenched", "dug_in", "loaded_on")
    return [{field: getattr(unit, field) for field in fields} for unit in units]


def make_calls(to_facts: Callable[[Target], Facts], *, dice: bool) -> list[Facts]:
    """Make the keyword arguments of a batch of calls, with or without dice."""
    return [{**to_facts(target), "dice": throw} if dice else to_facts(target) for target, throw in make_shots()]


def make_seeded_calls(to_facts: Callable[[Target], Facts]) -> list[Facts]:
    """Make the keyword arguments of a batch of calls, each with a seed of its own."""
    return [{**facts, "seed": seed} for seed, facts in enumerate(make_calls(to_facts, dice=False))]


# ----------------------------------------------------------------------------------------- by hand and by ZEN


def first_of(units: list[Unit]) -> Unit:
    """Stand in for the owner; the shots leave no choice."""
    return units[0]


def batch_case(name: str, make_jobs: Callable[[], list[Any]], call: Callable[[list[Any]], None]) -> Case:
    """Make a case whose batch works through jobs made afresh each round."""

    def prepare() -> Callable[[], None]:
        jobs = make_jobs()
        return lambda: call(jobs)

    return Case(name, len(make_jobs()), prepare)


def hand_cases() -> list[Case]:
    """List the hand-written functions, with dice given and rolled, and with units."""
    generator = random.Random(1)

    def given(calls: list[Facts]) -> None:
        for facts in calls:
            direct_fire(**facts)

    def seeded(calls: list[Facts]) -> None:
        for facts in calls:
            direct_fire(rng=random.Random(facts.pop("seed")), **facts)

    def rolled(calls: list[Facts]) -> None:
        for facts in calls:
            direct_fire(rng=generator, **facts)

    def at_units(calls: list[tuple[list[Unit], Facts]]) -> None:
        for units, facts in calls:
            direct_fire_at_units(units, choose=first_of, **facts)

    def make_calls_at_units() -> list[tuple[list[Unit], Facts]]:
        return [(units, {**hand_facts(target), "dice": throw}) for target, units, throw in make_shots_at_units()]

    return [
        batch_case(HAND, lambda: make_calls(hand_facts, dice=True), given),
        batch_case(HAND_SEEDED, lambda: make_seeded_calls(hand_facts), seeded),
        batch_case(HAND_ROLLED, lambda: make_calls(hand_facts, dice=False), rolled),
        batch_case(HAND_UNITS, make_calls_at_units, at_units),
    ]


def zen_cases() -> list[Case]:
    """Compile the graphs, hold them to the hand-written function, and list them.

    Raises:
        ImportError: The engine is not installed.
    """
    compiled = {
        ZEN: zen_graph.compile_by_key(zen_graph.expression_graph()),
        ZEN_TABLE: zen_graph.compile_by_key(zen_graph.table_graph()),
        ZEN_DECISION: zen_graph.compile_as_decision(zen_graph.expression_graph()),
    }
    for evaluate in compiled.values():
        zen_graph.check_agreement(evaluate)
    return [zen_case(name, evaluate) for name, evaluate in compiled.items()]


def zen_case(name: str, evaluate: zen_graph.Evaluate) -> Case:
    """Make the case of one graph, whose input is written outside the clock."""

    def make_contexts() -> list[Facts]:
        return [zen_graph.to_context(target.fire_value, target.situation, sum(throw)) for target, throw in make_shots()]

    def call(contexts: list[Facts]) -> None:
        for context in contexts:
            evaluate(context)

    return batch_case(name, make_contexts, call)


# ------------------------------------------------------------------------------------------------ by Enfilade


def load_resolve() -> Resolve:
    """Load the shipped ruleset; whatever goes wrong here means that there is nothing to measure yet."""
    rules = importlib.import_module("enfilade").load("infantry_attacks")
    resolve: Resolve = rules.resolve
    return resolve


def enfilade_cases(resolve: Resolve, notices: list[str]) -> list[Case]:
    """Hold Enfilade to the hand-written functions, and list its ways of resolving a shot."""
    check_shots(resolve)
    check_shots_at_units(resolve)
    check_rolls(resolve)

    def given(calls: list[Facts]) -> None:
        for facts in calls:
            resolve("direct_fire", **facts)

    def unexplainable(calls: list[Facts]) -> None:
        for facts in calls:
            resolve("direct_fire", explainable=False, **facts)

    def explained(calls: list[Facts]) -> None:
        for facts in calls:
            str(resolve("direct_fire", **facts).explain())

    def make_given() -> list[Facts]:
        return make_calls(enfilade_facts, dice=True)

    cases = [
        batch_case(ENFILADE, make_given, given),
        batch_case(EXPLAINED, make_given, explained),
        batch_case(SEEDED, lambda: make_seeded_calls(enfilade_facts), given),
        batch_case(ROLLED, lambda: make_calls(enfilade_facts, dice=False), given),
        batch_case(UNITS, make_enfilade_calls_at_units, given),
    ]
    if takes_explainable(resolve):
        return [*cases, batch_case(UNEXPLAINABLE, make_given, unexplainable)]
    notices.append("resolve has no `explainable` yet: its row is left out")
    return cases


def make_enfilade_calls_at_units() -> list[Facts]:
    """Make the keyword arguments of a batch of shots at units."""
    return [
        {**enfilade_facts(target), "units": unit_facts(units), "dice": throw}
        for target, units, throw in make_shots_at_units()
    ]


def takes_explainable(resolve: Resolve) -> bool:
    """Ask whether an outcome can be had that gives up on being explained."""
    try:
        resolve("direct_fire", fire_value=16, dice=(4, 3), explainable=False)
    except Exception:  # an unknown keyword may be reported as an unknown fact
        return False
    return True


# -------------------------------------------------------------------------------------------------- agreement


def check_shots(resolve: Resolve) -> None:
    """Hold Enfilade to the hand-written function over every situation and throw.

    Raises:
        AssertionError: They differ somewhere.
    """
    for target, throw in make_shots():
        outcome = resolve("direct_fire", dice=throw, **enfilade_facts(target))
        compare_shot(outcome, target, sum(throw))


def check_rolls(resolve: Resolve) -> None:
    """Hold Enfilade to the hand-written function where it rolled the dice itself."""
    for seed, (target, _) in enumerate(make_shots()):
        outcome = resolve("direct_fire", seed=seed, **enfilade_facts(target))
        compare_shot(outcome, target, rolled_total(outcome))


def rolled_total(outcome: Any) -> int:
    """Read the total that was rolled from the outcome."""
    roll = outcome.outputs["roll"]
    return int(getattr(roll, "total", roll))


def compare_shot(outcome: Any, target: Target, roll: int) -> None:
    """Compare what the hex came to."""
    shot = direct_fire(**hand_facts(target), dice=dice_of(roll))
    outputs = outcome.outputs
    found = (
        str(outcome.result),
        str(outputs["column"]),
        int(outputs["hex_shift"]),
        sorted(outputs["modifiers"]),
    )
    expect((shot.result, shot.column, shot.shift, sorted(shot.modifiers)), found, target)
    expect(shot.roll, rolled_total(outcome), target)


def check_shots_at_units(resolve: Resolve) -> None:
    """Hold Enfilade to the hand-written function where units stand in the hex."""
    calls = make_enfilade_calls_at_units()
    for facts, (target, units, throw) in zip(calls, make_shots_at_units(), strict=True):
        effects = direct_fire_at_units(units, choose=first_of, dice=throw, **hand_facts(target))
        compare_effects(resolve("direct_fire", **facts), effects, target)


def compare_effects(outcome: Any, effects: Effects, target: Target) -> None:
    """Compare what became of the units."""
    outputs = outcome.outputs
    eliminated = sorted(name for name, steps in effects.steps_left.items() if steps == 0)
    checks = {str(unit): int(modifier) for unit, modifier in outputs["morale_checks"].items()}
    expect(effects.morale_checks, checks, target)
    expect(effects.leader_casualty_checks, [str(unit) for unit in outputs["leader_casualty_checks"]], target)
    expect(eliminated, sorted(str(unit) for unit in outputs["eliminated"]), target)


def expect(by_hand: object, found: object, target: Target) -> None:
    """Raise AssertionError where two answers differ; unlike ``assert`` it also stands under ``python -O``."""
    if by_hand != found:
        raise AssertionError(f"by hand {by_hand}, by Enfilade {found}, for {target}")


# ---------------------------------------------------------------------------------------------------- the run


def gather_cases(notices: list[str]) -> list[Case]:
    """List everything that can be measured here, with a notice for what can't."""
    cases = hand_cases()
    try:
        cases += zen_cases()
    except ImportError as error:
        notices.append(f"ZEN is left out: {error} (pip install zen-engine)")
    try:
        resolve = load_resolve()
    except Exception as error:  # whatever keeps it from loading
        notices.append(f"Enfilade is left out, it does not load: {type(error).__name__}: {error}")
        return cases
    return cases + enfilade_cases(resolve, notices)


def main() -> None:
    """Check, measure and print."""
    parser = argparse.ArgumentParser(description="Time one direct fire by hand, by ZEN and by Enfilade.")
    parser.add_argument("--rounds", type=int, default=31, help="how often each is timed (the median counts)")
    parser.add_argument("--json", action="store_true", help="print data instead of tables")
    arguments = parser.parse_args()
    notices: list[str] = []
    medians = measure(gather_cases(notices), arguments.rounds)
    if arguments.json:
        print(json.dumps(to_data(medians, RATIOS, notices), indent=2))
        return
    print(*(f"NOTICE: {notice}" for notice in notices), render(medians, RATIOS), sep="\n")


if __name__ == "__main__":
    main()
