"""Infantry Attacks against a function written by hand from the same card.

The function stands in `benchmarks/hand_written.py`; it knows nothing of the language. Hundreds of situations, with and
without units in the hex, are resolved by both with every roll of the dice.
"""

import random
from dataclasses import asdict, replace
from itertools import product
from typing import Any

import pytest
from benchmarks.hand_written import COLUMNS, TABLE, Shot, Unit, direct_fire, direct_fire_at_units

import enfilade

THROWS = tuple(product(range(1, 7), range(1, 7)))
KINDS = ("infantry", "mg", "mortar", "mounted_cavalry", "artillery", "leader")


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


@pytest.mark.parametrize("flanking_rule", [False, True])
def test_the_hex_reads_what_a_hand_written_function_reads(rules: enfilade.Ruleset, flanking_rule: bool) -> None:
    chosen = rules.with_options(flanking_fire=flanking_rule)
    for seed, throw in product(range(15), THROWS):
        facts = situation(random.Random(seed))
        shot = chosen.resolve("direct_fire", **facts, dice=throw)
        expected = direct_fire(**facts, flanking_rule=flanking_rule, dice=throw)
        outputs = shot.outputs
        assert Shot(
            outputs["column"], outputs["hex_shift"], sorted(outputs["modifiers"]), outputs["roll"], shot.result
        ) == replace(expected, modifiers=sorted(expected.modifiers)), (facts, throw)


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


def played(
    rules: enfilade.Ruleset, facts: dict[str, Any], units: list[Unit], throw: tuple[int, int]
) -> enfilade.Outcome:
    """Play one shot; the owner always takes the first unit of those that are legal."""
    order = [unit.name for unit in units]
    run = rules.begin("direct_fire", **facts, units=list(map(asdict, units)), dice=throw)
    while run.outcome is None:
        assert run.question is not None
        legal = [getattr(option, "key", option) for option in run.question.legal]
        run = run.answer(min(map(str, legal), key=order.index))
    return run.outcome


@pytest.mark.thorough
def test_units_fare_as_in_a_hand_written_function(rules: enfilade.Ruleset) -> None:
    for seed in range(30):
        rng = random.Random(1000 + seed)
        facts, units = situation(rng), units_of(rng)
        for throw in THROWS[:: rng.randint(1, 3)]:
            outputs = played(rules, facts, units, throw).outputs
            expected = direct_fire_at_units(units, **facts, choose=lambda legal: legal[0], dice=throw)
            assert {
                "unit_columns": dict(outputs["unit_columns"]),
                "unit_results": dict(outputs["unit_results"]),
                "steps_left": outputs["steps_left"],
                "morale_checks": outputs["morale_checks"],
                "leader_casualty_checks": list(outputs["leader_casualty_checks"]),
            } == {
                "unit_columns": {key: reading.column for key, reading in expected.readings.items()},
                "unit_results": {key: reading.result for key, reading in expected.readings.items()},
                "steps_left": expected.steps_left,
                "morale_checks": expected.morale_checks,
                "leader_casualty_checks": expected.leader_casualty_checks,
            }, (facts, units, throw)


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


@pytest.mark.parametrize("options", [["low_edge"], "low_edge", 3])
def test_options_that_are_no_mapping_are_a_mistake_of_the_caller(rules: enfilade.Ruleset, options: Any) -> None:
    with pytest.raises(enfilade.ArgumentError, match="options takes a mapping, not"):
        rules.resolve("direct_fire", fire_value=1, dice=[1, 1], options=options)


def test_the_chart_is_the_printed_one_cell_for_cell(rules: enfilade.Ruleset) -> None:
    chart = rules.chart("direct_fire_table").to_json()
    assert dict(zip(chart["rows"], chart["cells"], strict=True)) == {
        str(roll): [*cells] for roll, cells in TABLE.items()
    }
    assert chart["columns"] == list(COLUMNS)
