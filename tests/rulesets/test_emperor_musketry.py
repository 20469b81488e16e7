"""Emperor musketry against functions written by hand from the same document.

The functions know nothing of the language. Hundreds of situations are resolved by both with random dice, and have to
come to exactly the same.
"""

import random
from typing import Any

import pytest

import enfilade

FORMATIONS = ("line", "column", "manoeuvre_column", "mob", "square")
TARGETS = (
    "line", "column", "manoeuvre_column", "square", "mob", "battery", "single_battery", "skirmish_group",
    "screening_group", "other",
)  # fmt: skip


# ------------------------------------------------------------------------------------------------- written by hand


def dice_of(unit: dict[str, Any]) -> int:
    if unit["formation"] == "line":
        return int(unit["lives"])
    return max(unit["lives"] - 1, 1) if unit["formation"] == "column" else 1


def kept_by(unit: dict[str, Any]) -> int:
    return min(2, unit["lives"]) if unit["formation"] == "line" else 1


def added_by_formation(unit: dict[str, Any]) -> int:
    lives = unit["lives"]
    by_lives = {
        "line": {},
        "column": {1: 1},
        "manoeuvre_column": dict.fromkeys((1, 2), 3),
        "mob": {2: 1, 1: 2},
        "square": {1: 3},
    }
    otherwise = {"manoeuvre_column": 3, "square": 2}
    return int(by_lives[unit["formation"]].get(lives, otherwise.get(unit["formation"], 0)))


def added_by_target(unit: dict[str, Any]) -> int:
    target = unit.get("target", "other")
    added = {"skirmish_group": 2, "screening_group": 2, "single_battery": 1}.get(target, 0)
    if target in {"column", "manoeuvre_column", "square", "mob"}:
        added -= 1
    if unit.get("flank") and target in {"line", "battery", "single_battery"}:
        added -= 1
    return added


def shot_of(unit: dict[str, Any], dice: list[int], *, zero_first: bool, special_events: bool) -> dict[str, Any]:
    modifier = added_by_formation(unit) + added_by_target(unit) + unit.get("protection", 0) - bool(unit.get("drum"))
    fire = unit["drill"] + unit["experience"]
    in_order = sorted(dice) if zero_first else sorted(die for die in dice if die) + [0] * dice.count(0)
    kept = in_order[: kept_by(unit)]
    scores = [None if die == 0 else die + modifier for die in kept]
    return {
        "fire": fire,
        "dice_thrown": len(dice),
        "dice_kept": kept_by(unit),
        "modifier": modifier,
        "kept": kept,
        "scores": scores,
        "kills": sum(score is not None and score <= fire for score in scores),
        "special_event": special_events and 0 in dice,
    }


def even_allotments(kills: int, lives: list[int]) -> set[tuple[int, ...]]:
    """Every way to deal out kills one by one, each to a living target that has had the fewest so far."""
    reached = {(0,) * len(lives)}
    for _ in range(min(kills, sum(lives))):
        reached = {
            (*taken[:n], taken[n] + 1, *taken[n + 1 :])
            for taken in reached
            for n in range(len(lives))
            if taken[n] < lives[n]
            and taken[n] == min(had for had, life in zip(taken, lives, strict=True) if had < life)
        }
    return reached


# --------------------------------------------------------------------------------------------------- situations


def unit_of(rng: random.Random) -> dict[str, Any]:
    return {
        "formation": rng.choice(FORMATIONS),
        "lives": rng.choice((1, 1, 2, 2, 3, 3, 4, 6)),
        "drill": rng.randint(0, 3),
        "experience": rng.randint(0, 3),
        "drum": rng.random() < 0.3,
        "target": rng.choice(TARGETS),
        "flank": rng.random() < 0.4,
        "protection": rng.choice((0, 0, 0, 1, 2, 3)),
        "ammo": rng.randint(1, 3),
        "distance_bd": rng.choice(("0", "0.5", "0.99", "3/4")),
    }


def thrown(rng: random.Random, unit: dict[str, Any]) -> list[int]:
    return [rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 9)) for _ in range(dice_of(unit))]


def test_a_shot_is_what_a_hand_written_function_makes_of_it(rules: enfilade.Ruleset) -> None:
    for seed in range(200):
        rng = random.Random(seed)
        unit, zero_first, special_events = unit_of(rng), rng.random() < 0.3, rng.random() < 0.5
        dice, target_lives = thrown(rng, unit), rng.choice((None, 1, 2, 3))
        options = {"zero_rank": "lowest" if zero_first else "last", "special_events": special_events}
        shot = rules.resolve("infantry_fire", **unit, target_lives=target_lives, dice=dice, options=options)
        expected = shot_of(unit, dice, zero_first=zero_first, special_events=special_events)
        kills, left = expected["kills"], None
        if target_lives is None:
            tested = None if kills else False
        else:
            left = max(target_lives - kills, 0)
            tested = kills > 0 and left > 0
        assert shot.to_json()["outputs"] == {
            **expected, "result": kills, "ammo_left": unit["ammo"] - 1, "target_lives_left": left,
            "forced_bravery_test": tested,
        }, (unit, dice, options)  # fmt: skip
        assert [effect.effect for effect in shot.effects].count("special_event") == expected["special_event"]


def test_both_sides_fire_with_the_lives_they_had(rules: enfilade.Ruleset) -> None:
    for seed in range(150):
        rng = random.Random(1000 + seed)
        a, b = unit_of(rng), unit_of(rng)
        given = []
        for unit, other in ((a, b), (b, a)):
            if rng.random() < 0.5:
                # What is not named is the other unit, in the formation that it stands in.
                unit["target"] = other["formation"]
            given.append({k: v for k, v in unit.items() if k != "target" or v != other["formation"]})
        faces = thrown(rng, a), thrown(rng, b)
        exchange = rules.resolve("musketry_exchange", a=given[0], b=given[1], dice=[*faces[0], *faces[1]])
        by_a, by_b = (
            shot_of(unit, dice, zero_first=False, special_events=False)["kills"]
            for unit, dice in zip((a, b), faces, strict=True)
        )
        a_left, b_left = max(a["lives"] - by_b, 0), max(b["lives"] - by_a, 0)
        tested = [name for name, lost, left in (("a", by_b, a_left), ("b", by_a, b_left)) if lost and left]
        expected = {
            "kills_by_a": by_a, "kills_by_b": by_b, "a_lives_left": a_left, "b_lives_left": b_left,
            "ammo_left": {"a": a["ammo"] - 1, "b": b["ammo"] - 1}, "forced_bravery_tests": tested,
        }  # fmt: skip
        outputs = exchange.to_json()["outputs"]
        assert {name: outputs[name] for name in expected} == expected, (a, b, faces)
        assert (exchange.state["unit"]["a"]["lives"], exchange.state["unit"]["b"]["ammo"]) == (a_left, b["ammo"] - 1)


def test_kills_are_spread_kill_by_kill_over_those_that_had_the_fewest(rules: enfilade.Ruleset) -> None:
    for seed in range(150):
        rng = random.Random(2000 + seed)
        lives = [rng.randint(0, 4) for _ in range(rng.randint(1, 5))]
        kills = rng.randint(0, 12)
        run = rules.begin("spread_kills", kills=kills, lives=lives)
        while run.outcome is None:
            run = run.answer_random(seed)
        outputs, expected = run.outcome.outputs, even_allotments(kills, lives)
        assert sorted(map(tuple, outputs["allowed"])) == sorted(expected), (kills, lives)
        assert tuple(outputs["result"]) in expected
        assert outputs["chooser"] == ("owner" if len(expected) > 1 else None)


@pytest.mark.parametrize("choices", [[[2, 1, 2]], [2, 1, 2], {"allotment": [2, 1, 2]}, {"allotment": [(2, 1, 2)]}])
def test_an_allotment_is_given_whole_or_number_by_number(rules: enfilade.Ruleset, choices: Any) -> None:
    outcome = rules.resolve("spread_kills", kills=5, lives=[3, 3, 3], choices=choices)
    assert outcome.result == (2, 1, 2)
    assert rules.resolve("spread_kills", kills=5, lives=[3, 3, 3], choices=outcome.choices) == outcome


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ({"ammo": 0}, "no_ammo"),
        ({"lives": 0}, "no_lives"),
        ({"in_front": False}, "not_in_front"),
        ({"distance_bd": 1}, "out_of_range"),
        ({"ammo": 0, "lives": 0, "in_front": False, "distance_bd": 2}, "no_ammo"),
        ({"lives": 0, "in_front": False, "distance_bd": 2}, "no_lives"),
        ({"in_front": False, "distance_bd": "3/2"}, "not_in_front"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused_in_order(
    rules: enfilade.Ruleset, changed: dict[str, Any], refusal: str
) -> None:
    unit = {"formation": "line", "lives": 2, "drill": 2, "experience": 2}
    shot = rules.resolve("infantry_fire", **{**unit, **changed})
    assert (shot.status, shot.refusal) == ("refused", refusal)
    exchange = rules.resolve("musketry_exchange", a=unit, b={**unit, **changed})
    assert (exchange.status, exchange.refusal) == ("refused", refusal)


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        ([10], "this die (d10, 0 is zero) can't show 10; it shows 0..9"),
        ([], "the dice for dice (shot) are missing; needed: 1 of 0..9"),
        ([1, 2], "dice are left over: 2; the last question was dice (shot)"),
    ],
)
def test_messages_about_dice_are_in_words(rules: enfilade.Ruleset, dice: list[int], message: str) -> None:
    with pytest.raises(enfilade.InputError) as caught:
        rules.resolve("infantry_fire", formation="line", lives=1, drill=2, experience=2, dice=dice)
    assert caught.value.errors[0].message == message
