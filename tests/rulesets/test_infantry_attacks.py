"""Infantry Attacks against a function written by hand from the same card.

The function stands in `benchmarks/hand_written.py`; it knows nothing of the language. Hundreds of situations, with and
without units in the hex, are resolved by both with every roll of the dice.
"""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest
from benchmarks.hand_written import Shot, Unit, direct_fire, direct_fire_at_units

import enfilade

THROWS = tuple(product(range(1, 7), range(1, 7)))
KINDS = ("infantry", "mg", "mortar", "mounted_cavalry", "artillery", "leader")


@pytest.fixture(scope="module")
def rules() -> enfilade.Ruleset:
    return enfilade.load("infantry_attacks")


def situation(rng: random.Random) -> dict[str, Any]:
    """What a caller may know of the target hex."""
    return {
        "fire_value": rng.choice((1, 2, 3, 4, 6, 7, 10, 11, 15, 16, 21, 22, 29, 30, 44, 45, 90)),
        "ranges": [rng.choice((1, 1, 2, 3, 5)) for _ in range(rng.randint(1, 3))],
        "terrain": set(rng.sample(("town", "woods", "hill", "swamp"), rng.randint(0, 3))) or {"clear"},
        "night": rng.random() < 0.3,
        "opportunity_fire": rng.random() < 0.3,
        "target_is_company": rng.random() < 0.5,
        "companies": rng.randint(0, 2),
        "flanking": rng.random() < 0.5,
    }


def by_hand(facts: dict[str, Any], flanking_rule: bool, throw: tuple[int, int]) -> Shot:
    return direct_fire(**facts, flanking_rule=flanking_rule, dice=throw)


@pytest.mark.parametrize("seed", range(40))
def test_the_hex_reads_what_a_hand_written_function_reads(rules: enfilade.Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    facts, flanking_rule = situation(rng), rng.random() < 0.5
    for throw in THROWS:
        shot = rules.resolve("direct_fire", **facts, options={"flanking_fire": flanking_rule}, dice=throw)
        expected = by_hand(facts, flanking_rule, throw)
        assert shot.result == expected.result
        assert shot.outputs["column"] == expected.column
        assert shot.outputs["hex_shift"] == expected.shift
        assert shot.outputs["roll"] == expected.roll
        assert sorted(shot.outputs["modifiers"]) == sorted(expected.modifiers)


def units_of(rng: random.Random) -> list[Unit]:
    """Some units, at times with a wagon that carries one of them."""
    units = [
        Unit(f"u{n}", rng.choice(KINDS), rng.randint(1, 3), rng.random() < 0.3, rng.random() < 0.2)
        for n in range(rng.randint(1, 4))
    ]
    for n in range(rng.randint(0, 2)):
        units.append(Unit(f"w{n}", "wagon", 1))
        loads = [unit for unit in units if unit.kind != "wagon" and unit.loaded_on is None]
        if loads and rng.random() < 0.7:
            rng.choice(loads).loaded_on = f"w{n}"
    return units


def as_data(unit: Unit) -> dict[str, Any]:
    return {
        "name": unit.name,
        "kind": unit.kind,
        "steps": unit.steps,
        "entrenched": unit.entrenched,
        "dug_in": unit.dug_in,
        "loaded_on": unit.loaded_on,
    }


def played(
    rules: enfilade.Ruleset, facts: dict[str, Any], units: list[Unit], throw: tuple[int, int]
) -> enfilade.Outcome:
    """Play one shot; the owner always takes the first unit of those that are legal."""
    order = [unit.name for unit in units]
    run = rules.begin("direct_fire", **facts, units=[as_data(unit) for unit in units], dice=throw)
    while run.outcome is None:
        assert run.question is not None
        legal = [getattr(option, "key", option) for option in run.question.legal]
        run = run.answer(min(map(str, legal), key=order.index))
    return run.outcome


@pytest.mark.parametrize("seed", range(60))
def test_units_fare_as_in_a_hand_written_function(rules: enfilade.Ruleset, seed: int) -> None:
    rng = random.Random(1000 + seed)
    facts, units = situation(rng), units_of(rng)
    for throw in THROWS[:: rng.randint(1, 3)]:
        outcome = played(rules, facts, units, throw)
        expected = direct_fire_at_units(units, **facts, choose=lambda legal: legal[0], dice=throw)
        outputs = outcome.outputs
        assert dict(outputs["unit_columns"]) == {k: r.column for k, r in expected.readings.items()}
        assert dict(outputs["unit_results"]) == {k: r.result for k, r in expected.readings.items()}
        assert outputs["steps_left"] == expected.steps_left
        assert outputs["morale_checks"] == expected.morale_checks
        assert list(outputs["leader_casualty_checks"]) == expected.leader_casualty_checks


# ------------------------------------------------------------------------------------- the names callers rely on


def test_direct_fire_has_its_names_and_defaults(rules: enfilade.Ruleset) -> None:
    procedure = rules.procedure("direct_fire")
    assert [each.name for each in procedure.inputs if each.required] == ["fire_value"]
    assert {each.name: each.default for each in procedure.inputs if not each.required} == {
        "ranges": [2], "night": False, "flanking": False, "opportunity_fire": False, "target_is_company": False,
        "terrain": ["clear"], "companies": 0, "units": [],
    }  # fmt: skip
    assert {each.name for each in procedure.outputs} == {
        "roll", "hex_shift", "modifiers", "column", "result", "unit_columns", "unit_shifts", "unit_results",
        "combat_steps", "wagon_steps", "morale_checks", "leader_casualty_checks", "steps_left", "eliminated",
    }  # fmt: skip
    assert rules.options == {"flanking_fire": False, "low_edge": "stays"}
    assert set(rules.program.records["unit"].fields) >= {"kind", "steps", "entrenched", "dug_in", "loaded_on"}


def test_each_modifier_has_its_name(rules: enfilade.Ruleset) -> None:
    shot: dict[str, Any] = {
        "fire_value": 16, "terrain": {"town", "hill", "swamp"}, "night": True, "flanking": True,
        "units": [{"name": kind, "kind": kind, "entrenched": True, "dug_in": True} for kind in KINDS],
        "dice": [3, 4], "options": {"flanking_fire": True},
    }  # fmt: skip
    near = rules.resolve("direct_fire", **shot, ranges=[1], companies=2)
    far = rules.resolve("direct_fire", **shot, ranges=[3], opportunity_fire=True, target_is_company=True)
    assert set(near.outputs["modifiers"]) == {
        "town_or_woods", "hill", "swamp", "night", "adjacent_to_all", "two_companies", "flanking_fire",
    }  # fmt: skip
    assert set(far.outputs["modifiers"]) - set(near.outputs["modifiers"]) == {
        "range_3_plus", "opportunity_fire", "one_company",
    }  # fmt: skip
    of_units = {step["name"] for step in near.to_json()["explanation"] if step.get("reader") and step.get("applied")}
    assert of_units >= {"entrenched", "dug_in", "mortar", "mounted_cavalry", "artillery"}
