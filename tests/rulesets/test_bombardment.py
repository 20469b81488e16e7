"""Bombardment against functions written by hand from the same document.

The functions know nothing of the language. Hundreds of situations are resolved by both, and have to come to exactly the
same; a host plays a few turns of reaction fire by events.
"""

import random
from collections import Counter
from typing import Any

import pytest

import enfilade

GROUND = ("clear", "woods", "village", "other")
REASONS = {
    "advance_after_combat", "already_reacted_this_turn", "firer_in_woods_or_village", "in_enemy_zoc", "morale_failed",
    "river_breaks_contact", "slope_breaks_contact",
}  # fmt: skip


# ------------------------------------------------------------------------------------------------- written by hand


def refusal_of(facts: dict[str, Any]) -> str | None:
    if facts["already_fired"] and facts["fire_type"] == "bombardment":
        return "already_fired_this_phase"
    if facts["firer_terrain"] in {"woods", "village"}:
        return "firer_in_woods_or_village"
    return "out_of_range" if facts["distance"] > facts["max_range"] else None


def modifier_of(facts: dict[str, Any]) -> int:
    by_distance = [0, -1, -2, -3][facts["distance"] - 1]
    by_type = {"infantry": 0, "cavalry": 1, "artillery": -1, "leader": -1}[facts["target_type"]]
    protected, reacting = facts["terrain"] == "village", facts["fire_type"] == "reaction"
    return int(by_distance + by_type - protected - reacting)


def losses_of(facts: dict[str, Any], points: int, falls: list[str] | None) -> dict[str, Any]:
    """Deal the points out one by one; *falls* says where each falls, at Austerlitz."""
    target = facts["target"]
    morale, strength = target["morale"], target["cs"]
    leads = target["command"] or facts["target_type"] == "leader"
    broken = not leads and (target["demoralised"] or morale == 0)
    lost: Counter[str] = Counter()
    for n in range(points):
        at_morale = falls[n] == "morale" if falls is not None else n == 0
        if at_morale and leads:
            lost["ignored"] += 1
        elif at_morale and not broken and (morale is None or morale > 0):
            lost["morale_lost"] += 1
            morale = None if morale is None else morale - 1
        elif strength is None or strength > 0:
            lost["cs_lost"] += 1
            strength = None if strength is None else strength - 1
    return {
        "ignored": lost["ignored"],
        "morale_lost": lost["morale_lost"],
        "cs_lost": lost["cs_lost"],
        "morale_left": morale,
        "cs_left": strength,
        "demoralised": not leads and (target["demoralised"] or morale == 0),
        "eliminated": strength == 0,
    }


def reason_of(facts: dict[str, Any]) -> str | None:
    others = [name for name in facts["zoc_by"] if name != facts["mover"]]
    held_off = facts["river"] != "none" and not facts["bridge"]
    tests = (
        ("advance_after_combat", facts["advance_after_combat"]),
        ("no_contact_hex", not facts["enters_contact_hex"]),
        ("slope_breaks_contact", facts["slope_levels"] > 1),
        ("river_breaks_contact", held_off),
        ("morale_failed", facts["cavalry_charge"] and facts["artillery_morale_test"] == "failed"),
        ("firer_in_woods_or_village", facts["firer_terrain"] in {"woods", "village"}),
        ("already_reacted_this_turn", facts["reaction_used"]),
        ("in_enemy_zoc", bool(others)),
    )
    return next((name for name, holds in tests if holds), None)


# --------------------------------------------------------------------------------------------------- situations


def shot_of(rng: random.Random) -> dict[str, Any]:
    fire_type = rng.choice(("bombardment", "bombardment", "reaction"))
    return {
        "bv": rng.choice((1, 2, 3, 4, 5, 6, 8, 12)),
        "distance": 1 if fire_type == "reaction" else rng.randint(1, 5),
        "max_range": rng.choice((2, 3, 3, 4, 4)),
        "target_type": rng.choice(("infantry", "cavalry", "artillery", "leader")),
        "terrain": rng.choice(GROUND),
        "firer_terrain": rng.choice(("clear", "clear", "clear", "other", "woods", "village")),
        "fire_type": fire_type,
        "already_fired": rng.random() < 0.15,
        "target": {
            "morale": rng.choice((None, 0, 1, 2, 3)),
            "cs": rng.choice((None, 1, 2, 3, 6)),
            "demoralised": rng.random() < 0.2,
            "command": rng.random() < 0.2,
        },
    }


@pytest.mark.parametrize("austerlitz", [False, True])
def test_a_shot_is_what_a_hand_written_function_makes_of_it(rules: enfilade.Ruleset, austerlitz: bool) -> None:
    chosen = rules.with_options(austerlitz=austerlitz)
    for seed in range(200):
        rng = random.Random(seed)
        facts, die = shot_of(rng), rng.randint(1, 4)
        refusal = refusal_of(facts)
        if refusal is not None:
            refused = chosen.resolve("bombardment", **facts)
            assert (refused.status, refused.refusal, len(refused.dice)) == ("refused", refusal, 0), facts
            continue
        total = facts["bv"] + modifier_of(facts) + die
        points = max(0, total // 2)
        falls = [rng.choice(("morale", "strength")) for _ in range(points)] if austerlitz else None
        shot = chosen.resolve("bombardment", **facts, dice=[die, *(falls or [])])
        expected = losses_of(facts, points, falls)
        assert dict(shot.outputs) == {
            **expected, "modifier": modifier_of(facts), "sum": total, "points": points, "result": points,
            "may_move_next_phase": facts["fire_type"] == "reaction",
        }, (facts, die, falls)  # fmt: skip
        effects = {effect.effect for effect in shot.effects}
        assert ("stays_put" in effects) == (facts["fire_type"] == "bombardment")
        assert ("eliminated" in effects) == expected["eliminated"]
        assert shot.state["target_unit"]["target"]["morale"] == expected["morale_left"]


@pytest.mark.parametrize("distance", [2, 5])
def test_reaction_fire_away_from_contact_is_a_mistake_of_the_caller(rules: enfilade.Ruleset, distance: int) -> None:
    facts = {"bv": 4, "distance": distance, "fire_type": "reaction"}
    for call in (rules.resolve, rules.begin):
        with pytest.raises(enfilade.InputError) as wrong:
            call("bombardment", given=facts)
        assert [(fault.parameter, fault.value) for fault in wrong.value.errors] == [("distance", distance)]


# ------------------------------------------------------------------------------------------------ reaction fire


def move_of(rng: random.Random) -> dict[str, Any]:
    return {
        "mover": rng.choice(("hussars", "lancers")),
        "enters_contact_hex": rng.random() < 0.9,
        "zoc_by": rng.choice(([], [], ["hussars"], ["lancers"], ["hussars", "lancers"])),
        "slope_levels": rng.choice((0, 0, 0, 1, 2)),
        "river": rng.choice(("none", "none", "none", "river", "major_river")),
        "bridge": rng.random() < 0.7,
        "advance_after_combat": rng.random() < 0.1,
        "reaction_used": rng.random() < 0.2,
        "cavalry_charge": rng.random() < 0.4,
        "artillery_morale_test": rng.choice(("passed", "failed")),
        "firer_terrain": rng.choice(("clear", "clear", "clear", "other", "woods", "village")),
    }


def test_the_artillery_reacts_as_a_hand_written_function_says_asked_or_told(rules: enfilade.Ruleset) -> None:
    met = set()
    for seed in range(300):
        facts = move_of(random.Random(3000 + seed))
        reason = reason_of(facts)
        met.add(reason)
        outputs = dict(rules.resolve("reaction_trigger", **facts).outputs)
        assert outputs == {
            "fires": reason is None, "result": reason is None, "reason": reason,
            "artillery_eliminated": reason == "morale_failed",
        }, facts  # fmt: skip
        (answer,) = rules.notify("unit_moved_into_contact", **facts, bv=4)
        if reason is None:
            assert isinstance(answer, enfilade.Started)
            run = answer.run.answer([3])
            assert run.outcome is not None
            charged = facts["cavalry_charge"]
            assert (run.outcome.outputs["points"], run.outcome.outputs["modifier"]) == (3, 0 if charged else -1)
        else:
            assert isinstance(answer, enfilade.NotStarted)
            assert answer.reason == reason
    assert met == REASONS | {None, "no_contact_hex"}


@pytest.mark.parametrize(("kind", "modifier"), [("infantry", -1), ("cavalry", 0), ("artillery", -2), ("leader", -2)])
def test_reaction_fire_is_at_the_kind_of_the_unit_that_moved(rules: enfilade.Ruleset, kind: str, modifier: int) -> None:
    (answer,) = rules.notify("unit_moved_into_contact", bv=4, mover={"name": "newcomer", "kind": kind})
    assert isinstance(answer, enfilade.Started)
    outcome = answer.run.answer([4]).outcome
    assert outcome is not None
    assert (outcome.outputs["modifier"], outcome.outputs["points"]) == (modifier, (8 + modifier) // 2)


def test_an_eliminated_target_stays_eliminated(rules: enfilade.Ruleset) -> None:
    shot = rules.resolve("bombardment", bv=4, distance=1, target={"morale": 0, "cs": 2}, dice=[4])
    left = shot.state["target_unit"]["target"]
    assert (left["cs"], left["demoralised"], left["eliminated"]) == (0, True, True)
    assert rules.resolve("bombardment", bv=4, distance=1, target=dict(left)).refusal == "target_eliminated"
