"""Franco-Prussian against functions written by hand from the same sheet, and the names that callers rely on.

The functions know nothing of the language. Each throws its own dice, so that it also says how many dice a procedure
takes and in which order.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any, Final

import pytest
from attrs import define, field

import enfilade

ARTILLERY: Final = {3: "7890", 8: "6789", 15: "4567", 25: "3456", 32: "2345"}
RIFLES: Final = {3: "5689", 5: "4578", 10: "2356"}
ARTILLERY_ROWS: Final = {3: "point_blank", 8: "close", 15: "medium", 25: "long", 32: "long_german"}
RIFLE_ROWS: Final = {3: "close", 5: "medium", 10: "long"}
# For each rating the lowest score of each result but the first.
MORALE: Final = {5: (3, 5, 7, 9, 10), 6: (2, 4, 6, 8, 10), 7: (2, 3, 6, 8, 10), 8: (2, 3, 4, 7, 9), 9: (2, 3, 4, 6, 9)}
OUTCOMES: Final = ("rout", "back", "disorg", "lose_stand", "stop", "no_effect")
DISTANCES: Final = (0, 1, 2.5, 3, 3.5, 5, 6, 8, 9, 10, 12, 15, 15.5, 20, 25, 26, 30, 32, 33)
KINDS: Final = ("infantry", "cavalry", "artillery")
SITUATIONS: Final = range(300)


@pytest.fixture(scope="module")
def rules() -> enfilade.Ruleset:
    return enfilade.load("franco_prussian")


class Refused(Exception):
    """The rules do not allow it."""


@define
class Thrower:
    """Throws dice and keeps what they showed, as printed."""

    rng: random.Random
    faces: list[int] = field(factory=list)
    choices: list[str] = field(factory=list)

    def d10(self) -> int:
        self.faces.append(self.rng.randrange(10))
        return self.faces[-1] or 10

    def d6(self) -> int:
        self.faces.append(self.rng.randint(1, 6))
        return self.faces[-1]

    def flag(self, chance: float = 0.3) -> bool:
        return self.rng.random() < chance

    def choose(self, *options: str) -> str:
        self.choices.append(self.rng.choice(options))
        return self.choices[-1]


def limit_of(table: Mapping[int, str], distance: float) -> int:
    return min((limit for limit in table if distance <= limit), default=999)


def printed(digits: str, count: int) -> int:
    return int(digits[count - 1]) or 10


def applied(lines: Mapping[str, tuple[bool, int]]) -> dict[str, int]:
    return {name: amount for name, (holds, amount) in lines.items() if holds}


# ------------------------------------------------------------------------------------------------------ by hand


def artillery_by_hand(f: Mapping[str, Any], dice: Thrower) -> dict[str, Any]:
    reach = {"mg": 15, "french_gun": 25, "german_gun": 32}[f["gun"]]
    if f["distance"] > reach:
        raise Refused("out_of_range")
    limit = limit_of(ARTILLERY, f["distance"])
    number = printed(ARTILLERY[limit], f["batteries"])
    modifiers = applied(
        {
            "target_cover": (f["target_cover"], 1),
            "french_guns": (f["gun"] == "french_gun", 1),
            "partial_or_disorg": (f["partial"] or f["disorg"], 1),
            "moving_cavalry": (f["moving_cavalry"], 1),
            "shooter_under_fire": (f["shooter_under_fire"], 1),
            "enfilade": (f["enfilade"], -1),
            "column_target": (f["column_target"] and not f["enfilade"], -1),
        }
    )
    roll = dice.d10()
    score = roll + sum(modifiers.values())
    return {
        "row": ARTILLERY_ROWS[limit], "number": number, "modifiers": modifiers, "roll": roll, "score": score,
        "hits": int(score <= number),
    }  # fmt: skip


def rifles_by_hand(f: Mapping[str, Any], dice: Thrower) -> dict[str, Any]:
    if f["distance"] > (10 if f["rifle"] == "chassepot" else 5):
        raise Refused("out_of_range")
    limit = limit_of(RIFLES, f["distance"])
    points = 1 if f["disorg"] else f["stands"]
    if f["target"] in ("artillery", "charging_cavalry") and f["distance"] <= 3:
        points *= 3
    columns = (4,) * (points // 4) + ((points % 4,) if points % 4 else ())
    numbers = tuple(printed(RIFLES[limit], column) for column in columns)
    modifiers = applied(
        {
            "target_cover": (f["target_cover"], 1),
            "partial_or_disorg": (f["partial"] or f["disorg"], 1),
            "chassepot_5": (f["rifle"] == "chassepot" and f["distance"] <= 5, -1),
            "firer_in_works": (f["firer_in_works"], -1),
            "germans_close": (f["german"] and limit == 3, -2),
            "enfilade_or_column": (f["enfilade"] or f["column_target"], -2),
        }
    )
    scores = tuple(dice.d10() + sum(modifiers.values()) for _ in columns)
    hits = sum(score <= number for score, number in zip(scores, numbers, strict=True))
    return {
        "row": RIFLE_ROWS[limit], "columns": columns, "numbers": numbers, "modifiers": modifiers, "scores": scores,
        "hits": hits,
    }  # fmt: skip


def morale_by_hand(f: Mapping[str, Any], dice: Thrower) -> dict[str, Any]:
    roll = dice.d10()
    score = roll + f["commander"] - 2 * f["disorg"] - 2 * f["flank_rear"]
    result = sum(min(max(score, 1), 10) >= low for low in MORALE[f["mr"]])
    outcome = OUTCOMES[result]
    owner_chooses = f["kind"] == "infantry" and f["in_town_or_works"] and outcome in ("rout", "back")
    effect = dice.choose("back", "disorg", "lose_stand") if owner_chooses else outcome
    killed = f["commander"] and roll == 10 and dice.d10() % 2 == 0
    back = 10 if f["kind"] == "cavalry" else 5
    return {
        "roll": roll, "score": score, "result": f"result_{result + 1}", "outcome": outcome,
        "owner_chooses": owner_chooses, "effect": effect, "inches": {"back": back, "rout": 12}.get(effect, 0),
        "commander_killed": killed,
    }  # fmt: skip


def volley_by_hand(f: Mapping[str, Any], dice: Thrower) -> dict[str, Any]:
    unit = dict(f["target"])
    if f["fire_by"] == "artillery":
        hits = artillery_by_hand(f, dice)["hits"]
    else:
        charging = unit["kind"] == "cavalry" and unit["charging"]
        hits = rifles_by_hand({**f, "target": "charging_cavalry" if charging else unit["kind"]}, dice)["hits"]
    checks, killed = [], False
    for _ in range(hits):
        if unit["stands"] == 0:
            break
        state = {**unit, "disorg": unit["disorg"] or unit["routed"], "flank_rear": f["flank_rear"]}
        check = morale_by_hand(state, dice)
        checks.append(check)
        unit["stands"] -= check["effect"] == "lose_stand"
        unit["disorg"] |= check["effect"] == "disorg"
        unit["routed"] |= check["effect"] == "rout"
        unit["under_fire"] |= check["effect"] == "stop" and unit["kind"] == "artillery"
        unit["commander"] &= not check["commander_killed"]
        killed |= check["commander_killed"]
    return {
        "hits": hits, "results": tuple(c["result"] for c in checks), "suffered": tuple(c["effect"] for c in checks),
        "inches_back": sum(c["inches"] for c in checks), "commander_killed": killed, "stands_left": unit["stands"],
        "disorg": unit["disorg"], "routed": unit["routed"], "under_fire": unit["under_fire"],
        "eliminated": unit["stands"] == 0,
    }  # fmt: skip


def points_by_hand(side: Mapping[str, Any], enemy: Mapping[str, Any]) -> int:
    charged = side["kind"] != "cavalry" and enemy["kind"] == "cavalry" and enemy["charging"]
    good = 3 if charged and not (side["surprised"] or enemy["surprise"]) else 1
    halves = 2 * good * (side["stands"] - side["disorg_stands"]) + side["disorg_stands"]
    return int(halves // 2)


def melee_modifiers_by_hand(side: Mapping[str, Any], enemy: Mapping[str, Any], second_round: bool) -> dict[str, int]:
    faces_advance = enemy["kind"] == "infantry" and enemy["advancing_in_open"]
    lines = {
        "commander": (side["commander"] and side["kind"] == "infantry", 1),
        "supported_line": (side["supported"] and not side["support_disorg"], 1),
        "superior_morale": (side["mr"] > enemy["mr"], 1),
        "formed_stationary": (side["formed_stationary"] and side["kind"] != "cavalry" and faces_advance, 1),
        "flank_rear_surprise": (side["flank"] or side["rear"] or side["surprise"] or enemy["surprised"], 2),
    }
    return {name: amount for name, amount in applied(lines).items() if name == "superior_morale" or not second_round}


def band_by_hand(margin: int) -> tuple[str, int, int, str, int]:
    """The band, the stands that winner and loser lose, and how the loser moves."""
    if margin >= 7:
        return "7+", 0, 0, "rout", 12
    if margin >= 5:
        return "5-6", 0, 1, "rout", 12
    return ("2-4", 0, 1, "back", 5) if margin >= 2 else ("1", 1, 1, "back", 5)


def round_by_hand(f: Mapping[str, Any], dice: Thrower) -> dict[str, Any]:
    sides = (f["attacker"], f["defender"])
    if sides[0]["disorg_stands"] == sides[0]["stands"] and not f["town_second_round"]:
        raise Refused("disorganized_cannot_charge")
    if sides[0]["stands"] > 2 * sides[1]["stands"]:
        raise Refused("more_than_two_on_one")
    both = (sides, sides[::-1])
    points = tuple(points_by_hand(*pair) for pair in both)
    modifiers = tuple(melee_modifiers_by_hand(*pair, f["town_second_round"]) for pair in both)
    found = {
        "points": points, "modifiers": modifiers, "scores": (), "commander_at_risk": (False, False),
        "outcome": "defender eliminated", "margin": 0, "band": "none", "winner_loses": 0, "loser_loses": 0,
        "loser_moves": "none", "inches": 0, "disorganized": (False, False), "further_assault": False, "next": "none",
        "guns_lost": False, "surrenders": False,
    }  # fmt: skip
    if sides[1]["routed"]:
        return found
    thrown = (dice.d6(), dice.d6())
    scores = tuple(points[i] + sum(modifiers[i].values()) + thrown[i] for i in (0, 1))
    found["scores"] = scores
    found["commander_at_risk"] = tuple(sides[i]["commander"] and thrown[1 - i] == 6 for i in (0, 1))
    if scores[0] == scores[1]:
        deferred = f["town"] or f["town_second_round"]
        return {**found, "outcome": "even", "next": "next turn" if deferred else "roll again"}
    won = 0 if scores[0] > scores[1] else 1
    winner, loser = sides[won], sides[1 - won]
    margin = abs(scores[0] - scores[1])
    band, winner_loses, loser_loses, moves, inches = band_by_hand(margin)
    if band == "7+" and winner["kind"] == "cavalry":
        loser_loses = 1
    disorganized = tuple(i != won or band != "7+" for i in (0, 1))
    return found | {
        "outcome": ("attacker wins", "defender wins")[won], "margin": margin, "band": band,
        "winner_loses": winner_loses, "loser_loses": loser_loses, "loser_moves": moves, "inches": inches,
        "disorganized": disorganized, "further_assault": band == "7+" and won == 0,
        "guns_lost": loser["kind"] == "artillery", "surrenders": loser["surrounded"],
    }  # fmt: skip


def melee_by_hand(f: Mapping[str, Any], dice: Thrower) -> dict[str, Any]:
    sides = [dict(f["attacker"]), dict(f["defender"])]
    rounds, killed = 0, [False, False]
    while True:
        found = round_by_hand({**f, "attacker": sides[0], "defender": sides[1]}, dice)
        rounds += found["outcome"] != "defender eliminated"
        for i in (0, 1):
            if found["commander_at_risk"][i] and dice.d6() % 2 == 0:
                killed[i], sides[i]["commander"] = True, False
        if found["next"] != "roll again":
            return {**found, "rounds": rounds, "commander_killed": tuple(killed)}


# --------------------------------------------------------------------------------------------------- situations


def fire_facts(t: Thrower) -> dict[str, Any]:
    names = ("target_cover", "enfilade", "column_target", "partial", "disorg")
    return {"distance": t.rng.choice(DISTANCES), **{name: t.flag() for name in names}}


def gun_facts(t: Thrower) -> dict[str, Any]:
    return {
        "gun": t.rng.choice(("german_gun", "french_gun", "mg")), "batteries": t.rng.randint(1, 4),
        "moving_cavalry": t.flag(), "shooter_under_fire": t.flag(),
    }  # fmt: skip


def rifle_facts(t: Thrower) -> dict[str, Any]:
    return {
        "rifle": t.rng.choice(("chassepot", "dreyse")), "stands": t.rng.randint(1, 4), "german": t.flag(),
        "firer_in_works": t.flag(),
    }  # fmt: skip


def side(t: Thrower, **known: bool) -> dict[str, Any]:
    flags = (
        "commander", "supported", "support_disorg", "formed_stationary", "advancing_in_open", "flank", "rear", "surprise", "surprised",
        "charging", "surrounded",
    )  # fmt: skip
    stands = t.rng.randint(1, 5)
    made = {
        "kind": t.rng.choice(KINDS), "stands": stands, "disorg_stands": t.rng.choice((0, 0, t.rng.randint(0, stands))),
        "mr": t.rng.randint(5, 9), "routed": False, **{name: t.flag() for name in flags}, **known,
    }  # fmt: skip
    return made | {"charging": made["charging"] and made["disorg_stands"] == 0 and not made["routed"]}


def melee_facts(t: Thrower) -> dict[str, Any]:
    return {
        "attacker": side(t), "defender": side(t, routed=t.flag(0.1)), "town": t.flag(),
        "town_second_round": t.flag(0.2),
    }  # fmt: skip


def holds(rules: enfilade.Ruleset, procedure: str, facts: dict[str, Any], expected: Any, t: Thrower) -> None:
    """One situation, resolved by both."""
    try:
        by_hand = expected(facts, t)
    except Refused as refused:
        slug = str(refused)
        assert rules.resolve(procedure, **facts).refusal == slug
        return
    outcome = rules.resolve(procedure, **facts, dice=t.faces, choices=t.choices)
    assert outcome.status == "resolved"
    assert {name: outcome.outputs[name] for name in by_hand} == by_hand
    # Explanations are of the other engine, which must go the same way.
    assert str(outcome.explain())


# -------------------------------------------------------------------------------------------------------- tests


@pytest.mark.parametrize("seed", SITUATIONS)
def test_artillery_fires_as_in_a_hand_written_function(rules: enfilade.Ruleset, seed: int) -> None:
    t = Thrower(random.Random(seed))
    holds(rules, "artillery_fire", fire_facts(t) | gun_facts(t), artillery_by_hand, t)


@pytest.mark.parametrize("seed", SITUATIONS)
def test_rifles_fire_as_in_a_hand_written_function(rules: enfilade.Ruleset, seed: int) -> None:
    t = Thrower(random.Random(seed))
    target = t.rng.choice((*KINDS, "charging_cavalry"))
    facts = fire_facts(t) | rifle_facts(t) | {"target": target, "distance": t.rng.choice(DISTANCES[:12])}
    holds(rules, "rifle_fire", facts, rifles_by_hand, t)


@pytest.mark.parametrize("seed", SITUATIONS)
def test_morale_is_checked_as_in_a_hand_written_function(rules: enfilade.Ruleset, seed: int) -> None:
    t = Thrower(random.Random(seed))
    flags = {name: t.flag(0.4) for name in ("commander", "disorg", "flank_rear", "in_town_or_works")}
    facts = {"mr": t.rng.randint(5, 9), "kind": t.rng.choice(KINDS), **flags}
    holds(rules, "target_morale", facts, morale_by_hand, t)


@pytest.mark.parametrize(("mr", "face"), [*product(range(5, 10), range(10))])
def test_every_die_finds_its_place_in_every_row(rules: enfilade.Ruleset, mr: int, face: int) -> None:
    outcome = rules.resolve("target_morale", mr=mr, dice=[face])
    assert outcome.result == f"result_{sum((face or 10) >= low for low in MORALE[mr]) + 1}"


@pytest.mark.parametrize("seed", SITUATIONS)
def test_a_volley_goes_hit_by_hit_as_in_a_hand_written_function(rules: enfilade.Ruleset, seed: int) -> None:
    t = Thrower(random.Random(seed))
    fields = ("charging", "in_town_or_works", "commander", "disorg", "routed", "under_fire")
    target = {
        "kind": t.rng.choice(KINDS), "mr": t.rng.randint(5, 9), "stands": t.rng.randint(0, 4),
        **{name: t.flag() for name in fields},
    }  # fmt: skip
    facts = fire_facts(t) | {
        "distance": t.rng.choice((1, 3, 3, 5, 9)), "flank_rear": t.flag(), "target": target,
        "fire_by": t.rng.choice(("rifles", "rifles", "artillery")),
    }  # fmt: skip
    facts |= gun_facts(t) if facts["fire_by"] == "artillery" else rifle_facts(t)
    holds(rules, "volley", facts, volley_by_hand, t)


@pytest.mark.parametrize("seed", SITUATIONS)
def test_a_throw_of_a_melee_ends_as_in_a_hand_written_function(rules: enfilade.Ruleset, seed: int) -> None:
    t = Thrower(random.Random(seed))
    holds(rules, "melee_round", melee_facts(t), round_by_hand, t)


@pytest.mark.parametrize("seed", SITUATIONS)
def test_a_melee_goes_on_as_in_a_hand_written_function(rules: enfilade.Ruleset, seed: int) -> None:
    t = Thrower(random.Random(seed))
    holds(rules, "melee", melee_facts(t), melee_by_hand, t)


def test_a_melee_marks_its_losses_on_both_sides(rules: enfilade.Ruleset) -> None:
    sides: dict[str, Any] = {name: {"kind": "infantry", "stands": 3, "mr": 6} for name in ("attacker", "defender")}
    state = rules.resolve("melee_round", **sides, dice=[4, 3]).to_json()["state"]["side"]
    assert [(one["stands"], one["disorg_stands"]) for one in state.values()] == [(2, 2), (2, 2)]


@pytest.mark.parametrize(("mr", "lost", "half", "face"), [*product(range(5, 10), range(4), (False, True), range(10))])
def test_rallying_and_reconstituting_are_the_same_roll(
    rules: enfilade.Ruleset, mr: int, lost: int, half: bool, face: int
) -> None:
    target = mr - (3 if half else 2) * lost
    expected = (target, face or 10, (face or 10) <= target)
    for procedure, done in (("rally", "rallied"), ("reconstitute", "reconstituted")):
        outcome = rules.resolve(
            procedure, mr=mr, stands_lost=lost, commander=True, options={"half_scale": half}, dice=[face]
        )
        assert tuple(outcome.outputs[name] for name in ("target", "roll", done)) == expected


@pytest.mark.parametrize(("rating", "face"), [*product(range(1, 12), range(10))])
def test_a_commander_is_replaced_on_his_rating_less_one(rules: enfilade.Ruleset, rating: int, face: int) -> None:
    outputs = rules.resolve("replace_commander", rating=rating, dice=[face]).outputs
    replaced = (face or 10) <= rating - 1
    assert outputs["target"] == rating - 1
    assert outputs["replaced"] is replaced
    assert outputs["new_rating"] == (rating if replaced else None)


@pytest.mark.parametrize("face", range(10))
def test_a_charge_adds_half_inches_and_surprises_on_9_and_0(rules: enfilade.Ruleset, face: int) -> None:
    outputs = rules.resolve("charge_roll", kind="cavalry", dice=[face]).outputs
    assert outputs["bonus_inches"] == Fraction(face or 10, 2)
    assert outputs["surprise"] is (face in (9, 0))


# ------------------------------------------------------------------------------------ what the sheet looks like


def printed_rows(rules: enfilade.Ruleset, name: str) -> dict[str, list[str]]:
    table = rules.chart(name).to_json()
    return dict(zip(table["rows"], table["cells"], strict=True))


def test_the_hit_tables_look_as_they_are_printed(rules: enfilade.Ruleset) -> None:
    artillery, rifles = printed_rows(rules, "artillery_hits"), printed_rows(rules, "rifle_hits")
    assert list(artillery) == [
        '3" point blank',
        '8" close',
        '15" medium (MG max rge)',
        '25" long',
        '32" long (German only)',
    ]
    assert ["".join(row) for row in artillery.values()] == list(ARTILLERY.values())
    assert ["".join(row) for row in rifles.values()] == list(RIFLES.values())


def test_the_morale_rows_are_ranges_of_a_d10_that_ends_with_0(rules: enfilade.Ruleset) -> None:
    rows = printed_rows(rules, "target_morale_rating")
    assert rows["5"] == ["1-2", "3-4", "5-6", "7-8", "9", "0"]
    assert rows["8"] == ["1", "2", "3", "4-6", "7-8", "9-0"]


# ------------------------------------------------------------------------------------- the names callers rely on

FIRE: Final = {"distance", "target_cover", "enfilade", "column_target", "partial", "disorg"}
MELEE: Final = {
    "points", "modifiers", "scores", "commander_at_risk", "outcome", "margin", "band", "winner_loses", "loser_loses",
    "loser_moves", "disorganized", "further_assault", "next", "guns_lost", "surrenders",
}  # fmt: skip
NAMES: Final[dict[str, tuple[set[str], set[str], set[str], set[str]]]] = {
    "artillery_fire": (
        {"gun", "batteries", "distance"},
        FIRE | {"gun", "batteries", "moving_cavalry", "shooter_under_fire"},
        {"row", "number", "modifiers", "roll", "score", "hits"},
        {"out_of_range"},
    ),
    "rifle_fire": (
        {"rifle", "stands", "distance"},
        FIRE | {"rifle", "stands", "german", "firer_in_works", "target"},
        {"row", "columns", "numbers", "modifiers", "scores", "hits"},
        {"out_of_range"},
    ),
    "target_morale": (
        {"mr"},
        {"mr", "commander", "disorg", "flank_rear", "kind", "in_town_or_works"},
        {"roll", "score", "result", "outcome", "effect", "owner_chooses", "commander_killed"},
        set(),
    ),
    "volley": (
        {"target", "distance", "batteries", "rifle", "stands"},
        FIRE | {"gun", "batteries", "rifle", "stands", "german", "firer_in_works", "target", "flank_rear", "fire_by"},
        {"hits", "results", "suffered", "stands_left", "disorg", "routed", "under_fire", "commander_killed"},
        {"out_of_range"},
    ),
    "melee_round": (
        {"attacker", "defender"},
        {"attacker", "defender", "town", "town_second_round"},
        MELEE,
        {"disorganized_cannot_charge"},
    ),
    "melee": (
        {"attacker", "defender"},
        {"attacker", "defender", "town", "town_second_round"},
        MELEE | {"rounds"},
        {"disorganized_cannot_charge"},
    ),
    "charge_roll": (
        {"kind"},
        {"kind"},
        {"bonus_inches", "surprise"},
        {"only_cavalry_rolls", "disorganized_cannot_charge"},
    ),
    "rally": (
        {"mr"},
        {"mr", "stands_lost", "commander"},
        {"target", "roll", "rallied"},
        {"no_commander_within_1_inch"},
    ),
    "replace_commander": ({"rating"}, {"rating"}, {"target", "roll", "replaced", "new_rating"}, set()),
}


@pytest.mark.parametrize("procedure", NAMES)
def test_the_names_that_callers_rely_on(rules: enfilade.Ruleset, procedure: str) -> None:
    required, inputs, outputs, refusals = NAMES[procedure]
    declared = rules.procedure(procedure)
    assert {one.name for one in declared.inputs if one.required} == required
    assert {one.name for one in declared.inputs} >= inputs
    assert {one.name for one in declared.outputs} >= outputs
    assert {one.slug for one in declared.refusals} >= refusals


def test_the_charts_and_options_that_callers_rely_on(rules: enfilade.Ruleset) -> None:
    assert {"artillery_hits", "rifle_hits", "target_morale_rating", "melee_results"} <= set(rules.charts)
    assert rules.options == {"half_scale": False}


def test_the_sides_of_a_melee_have_the_fields_that_callers_rely_on(rules: enfilade.Ruleset) -> None:
    assert set(rules.program.records["side"].fields) >= {
        "kind", "stands", "disorg_stands", "mr", "commander", "supported", "formed_stationary", "advancing_in_open",
        "flank", "rear", "surprised", "surprise", "charging", "routed", "surrounded",
    }  # fmt: skip


# -------------------------------------------------------------------------------------------------------- misuse


@pytest.mark.parametrize(
    ("procedure", "facts", "refusal"),
    [
        ("artillery_fire", {"gun": "mg", "batteries": 1, "distance": "15.1"}, "out_of_range"),
        ("artillery_fire", {"gun": "french_gun", "batteries": 1, "distance": "25.1"}, "out_of_range"),
        ("artillery_fire", {"gun": "german_gun", "batteries": 1, "distance": "32.1"}, "out_of_range"),
        ("rifle_fire", {"rifle": "dreyse", "stands": 1, "distance": "5.1"}, "out_of_range"),
        ("rifle_fire", {"rifle": "chassepot", "stands": 1, "distance": "10.1"}, "out_of_range"),
        ("charge_roll", {"kind": "infantry"}, "only_cavalry_rolls"),
        ("charge_roll", {"kind": "cavalry", "disorg": True}, "disorganized_cannot_charge"),
        ("rally", {"mr": 7}, "no_commander_within_1_inch"),
        ("rally", {"mr": 7, "routed": False, "commander": True}, "not_routed"),
        ("reconstitute", {"mr": 7}, "no_commander_within_1_inch"),
    ],
)
def test_what_the_rules_do_not_allow(
    rules: enfilade.Ruleset, procedure: str, facts: dict[str, Any], refusal: str
) -> None:
    outcome = rules.resolve(procedure, **facts)
    assert (outcome.status, outcome.refusal, outcome.dice) == ("refused", refusal, ())


def test_a_0_with_a_commander_asks_for_the_number_that_kills_him(rules: enfilade.Ruleset) -> None:
    with pytest.raises(enfilade.InputError) as caught:
        rules.resolve("target_morale", mr=7, commander=True, dice=[0])
    assert caught.value.errors[0].parameter == "even_roll"


@pytest.mark.parametrize(
    ("facts", "parameter"),
    [
        ({"gun": "mortar", "batteries": 1, "distance": 1}, "gun"),
        ({"gun": "mg", "batteries": 5, "distance": 1}, "batteries"),
        ({"gun": "mg", "batteries": 1, "distance": -1}, "distance"),
        ({"gun": "mg", "batteries": 1, "distance": 1, "night": True}, "night"),
        ({"gun": "mg", "batteries": 1}, "distance"),
    ],
)
def test_what_is_no_input(rules: enfilade.Ruleset, facts: dict[str, Any], parameter: str) -> None:
    with pytest.raises(enfilade.InputError) as caught:
        rules.resolve("artillery_fire", **facts, dice=[1])
    assert [error.parameter for error in caught.value.errors] == [parameter]


# ------------------------------------------------------------------------------------- what the sheet says of charges


def test_the_score_is_told_before_it_is_limited_to_the_rows(rules: enfilade.Ruleset) -> None:
    high = rules.resolve("target_morale", mr=6, commander=True, dice=[0, 1])
    low = rules.resolve("target_morale", mr=6, disorg=True, flank_rear=True, dice=[1])
    assert (high.outputs["score"], high.result) == (11, "result_6")
    assert (low.outputs["score"], low.result) == (-3, "result_1")
    assert "the modified roll: 11" in str(high.explain())
    assert "the modified roll: -3" in str(low.explain())


SIDE: Final = {"kind": "infantry", "stands": 2, "mr": 6}


@pytest.mark.parametrize("procedure", ["melee_round", "melee"])
@pytest.mark.parametrize(
    ("attacker", "defender", "refusal"),
    [
        ({"disorg_stands": 2}, {}, "disorganized_cannot_charge"),
        ({"disorg_stands": 1, "charging": True}, {}, "disorganized_cannot_charge"),
        ({"stands": 5}, {}, "more_than_two_on_one"),
        ({"stands": 3}, {"stands": 1}, "more_than_two_on_one"),
    ],
)
def test_charges_that_nobody_may_make_are_refused_whether_or_not_they_are_called_charges(
    rules: enfilade.Ruleset, procedure: str, attacker: dict[str, Any], defender: dict[str, Any], refusal: str
) -> None:
    outcome = rules.resolve(procedure, attacker=SIDE | attacker, defender=SIDE | defender)
    assert (outcome.status, outcome.refusal, outcome.dice) == ("refused", refusal, ())


def test_a_disorganized_line_gives_no_support(rules: enfilade.Ruleset) -> None:
    names = [
        rules.resolve("melee_round", attacker=SIDE | support, defender=SIDE, dice=[1, 4]).outputs["modifiers"][0]
        for support in ({"supported": True}, {"supported": True, "support_disorg": True})
    ]
    assert names == [{"supported_line": 1}, {}]


def test_the_melee_table_is_one_chart_of_four_rows(rules: enfilade.Ruleset) -> None:
    table = rules.chart("melee_results").to_json()
    assert (table["rows"], [len(row) for row in table["cells"]]) == (["1", "2-4", "5-6", "7+"], [1, 1, 1, 1])
