"""Franco-Prussian against functions written by hand from the same sheet.

The functions know nothing of the language. Each throws its own dice, so that it also says how many dice a procedure
takes and in which order.
"""

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
SITUATIONS: Final = range(200)


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
    if unit["stands"] == 0:
        raise Refused("target_eliminated")
    charging = unit["kind"] == "cavalry" and unit["charging"]
    f = {**f, "target_cover": f["target_cover"] or unit["in_town_or_works"]}
    if f["fire_by"] == "artillery":
        hits = artillery_by_hand({**f, "moving_cavalry": f["moving_cavalry"] or charging}, dice)["hits"]
    else:
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


def points_by_hand(side: Mapping[str, Any], enemy: Mapping[str, Any], enemy_charges: bool) -> int:
    charged = side["kind"] != "cavalry" and enemy["kind"] == "cavalry" and enemy_charges
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
    deferred = f["town_second_round"]
    if sides[0]["disorg_stands"] and not deferred:
        raise Refused("disorganized_cannot_charge")
    if sides[0]["stands"] > 2 * sides[1]["stands"]:
        raise Refused("more_than_two_on_one")
    both = (sides, sides[::-1])
    charge = (not deferred, sides[1]["charging"] and not deferred)
    points = tuple(points_by_hand(*pair, enemy_charges) for pair, enemy_charges in zip(both, charge[::-1], strict=True))
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
        return {**found, "outcome": "even", "next": "next turn" if f["town"] else "roll again"}
    won = 0 if scores[0] > scores[1] else 1
    winner, loser = sides[won], sides[1 - won]
    margin = abs(scores[0] - scores[1])
    band, winner_loses, loser_loses, moves, inches = band_by_hand(margin)
    if band == "7+" and winner["kind"] == "cavalry":
        loser_loses = 1
    left = (winner["stands"] - winner_loses, loser["stands"] - loser_loses)
    disorganized = tuple(left[i != won] > 0 and (i != won or band != "7+") for i in (0, 1))
    if left[1] == 0 or loser["surrounded"]:
        moves, inches = "none", 0
    return found | {
        "outcome": ("attacker wins", "defender wins")[won], "margin": margin, "band": band,
        "winner_loses": winner_loses, "loser_loses": loser_loses, "loser_moves": moves, "inches": inches,
        "disorganized": disorganized, "further_assault": band == "7+" and won == 0,
        "guns_lost": loser["kind"] == "artillery", "surrenders": loser["surrounded"] and left[1] > 0,
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
        **fire_facts(t), "gun": t.rng.choice(("german_gun", "french_gun", "mg")), "batteries": t.rng.randint(1, 4),
        "moving_cavalry": t.flag(), "shooter_under_fire": t.flag(),
    }  # fmt: skip


def rifle_facts(t: Thrower) -> dict[str, Any]:
    return {
        **fire_facts(t), "rifle": t.rng.choice(("chassepot", "dreyse")), "stands": t.rng.randint(1, 4),
        "german": t.flag(), "firer_in_works": t.flag(), "target": t.rng.choice((*KINDS, "charging_cavalry")),
        "distance": t.rng.choice(DISTANCES[:12]),
    }  # fmt: skip


def morale_facts(t: Thrower) -> dict[str, Any]:
    flags = {name: t.flag(0.4) for name in ("commander", "disorg", "flank_rear", "in_town_or_works")}
    return {"mr": t.rng.randint(5, 9), "kind": t.rng.choice(KINDS), **flags}


def volley_facts(t: Thrower) -> dict[str, Any]:
    fields = ("charging", "in_town_or_works", "commander", "disorg", "routed", "under_fire")
    target = {
        "kind": t.rng.choice(KINDS), "mr": t.rng.randint(5, 9), "stands": t.rng.randint(0, 4),
        **{name: t.flag() for name in fields},
    }  # fmt: skip
    fire_by = t.rng.choice(("rifles", "rifles", "artillery"))
    return (gun_facts(t) if fire_by == "artillery" else rifle_facts(t)) | {
        "distance": t.rng.choice((1, 3, 3, 5, 9)), "flank_rear": t.flag(), "target": target, "fire_by": fire_by,
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
    later = t.flag(0.2)
    return {
        "attacker": side(t), "defender": side(t, routed=t.flag(0.1)), "town": later or t.flag(),
        "town_second_round": later,
    }  # fmt: skip


# -------------------------------------------------------------------------------------------------------- tests

BY_HAND: Final = {
    "artillery_fire": (gun_facts, artillery_by_hand), "rifle_fire": (rifle_facts, rifles_by_hand),
    "target_morale": (morale_facts, morale_by_hand), "volley": (volley_facts, volley_by_hand),
    "melee_round": (melee_facts, round_by_hand), "melee": (melee_facts, melee_by_hand),
}  # fmt: skip


@pytest.mark.parametrize("procedure", BY_HAND)
def test_a_procedure_comes_to_what_a_hand_written_function_comes_to(rules: enfilade.Ruleset, procedure: str) -> None:
    facts_for, expected = BY_HAND[procedure]
    for seed in SITUATIONS:
        t = Thrower(random.Random(seed))
        facts = facts_for(t)
        try:
            by_hand = expected(facts, t)
        except Refused as refused:
            wanted = (str(refused), ())
            outcome = rules.resolve(procedure, **facts)
            assert (outcome.refusal, outcome.dice) == wanted, facts
            continue
        outcome = rules.resolve(procedure, **facts, dice=t.faces, choices=t.choices)
        assert {name: outcome.outputs[name] for name in by_hand} == by_hand, (facts, t.faces)
        # Explanations are of the other engine, which must go the same way.
        assert str(outcome.explain())


def test_every_die_finds_its_place_in_every_row(rules: enfilade.Ruleset) -> None:
    for mr, face in product(MORALE, range(10)):
        outcome = rules.resolve("target_morale", mr=mr, dice=[face])
        assert outcome.result == f"result_{sum((face or 10) >= low for low in MORALE[mr]) + 1}", (mr, face)


def test_a_melee_marks_its_losses_on_both_sides(rules: enfilade.Ruleset) -> None:
    sides: dict[str, Any] = {name: {"kind": "infantry", "stands": 3, "mr": 6} for name in ("attacker", "defender")}
    state = rules.resolve("melee_round", **sides, dice=[4, 3]).to_json()["state"]["side"]
    assert [(one["stands"], one["disorg_stands"]) for one in state.values()] == [(2, 2), (2, 2)]


@pytest.mark.parametrize(("procedure", "done"), [("rally", "rallied"), ("reconstitute", "reconstituted")])
def test_rallying_and_reconstituting_are_the_same_roll(rules: enfilade.Ruleset, procedure: str, done: str) -> None:
    for mr, lost, half, face in product(range(5, 10), range(4), (False, True), range(10)):
        target = mr - (3 if half else 2) * lost
        facts = {"mr": mr, "stands_lost": lost, "commander": True}
        outputs = rules.resolve(procedure, given=facts, options={"half_scale": half}, dice=[face]).outputs
        found = [outputs[name] for name in ("target", "roll", done)]
        assert found == [target, face or 10, (face or 10) <= target], (facts, half)


def test_a_commander_is_replaced_on_his_rating_less_one(rules: enfilade.Ruleset) -> None:
    for rating, face in product(range(1, 12), range(10)):
        outputs = rules.resolve("replace_commander", rating=rating, dice=[face]).outputs
        replaced = (face or 10) <= rating - 1
        found = [outputs[name] for name in ("target", "replaced", "new_rating")]
        assert found == [rating - 1, replaced, rating if replaced else None], (rating, face)


def test_a_charge_adds_half_inches_and_surprises_on_9_and_0(rules: enfilade.Ruleset) -> None:
    for face in range(10):
        outputs = rules.resolve("charge_roll", kind="cavalry", dice=[face]).outputs
        assert (outputs["bonus_inches"], outputs["surprise"]) == (Fraction(face or 10, 2), face in (9, 0)), face


def test_the_score_is_told_before_it_is_limited_to_the_rows(rules: enfilade.Ruleset) -> None:
    high = rules.resolve("target_morale", mr=6, commander=True, dice=[0, 1])
    low = rules.resolve("target_morale", mr=6, disorg=True, flank_rear=True, dice=[1])
    assert [(each.outputs["score"], each.result) for each in (high, low)] == [(11, "result_6"), (-3, "result_1")]
    assert "the modified roll: 11" in str(high.explain())
    assert "the modified roll: -3" in str(low.explain())


# ------------------------------------------------------------------------------------- what the sheet looks like


def as_printed(lows: tuple[int, ...]) -> list[str]:
    """The faces of each result of a rating; a 0 is a 10."""
    bands = zip((1, *lows), (*(low - 1 for low in lows), 10), strict=True)
    return [f"{low % 10}" if low == high else f"{low}-{high % 10}" for low, high in bands]


CHARTS: Final = {
    "artillery_hits": {
        '3" point blank': [*"7890"], '8" close': [*"6789"], '15" medium (MG max rge)': [*"4567"], '25" long': [*"3456"],
        '32" long (German only)': [*"2345"],
    },
    "rifle_hits": {'3" close range': [*"5689"], '5" medium range': [*"4578"], '10" long (Chassepot only)': [*"2356"]},
    "target_morale_rating": {str(mr): as_printed(lows) for mr, lows in MORALE.items()},
}  # fmt: skip


def test_the_charts_are_the_printed_ones_cell_for_cell(rules: enfilade.Ruleset) -> None:
    for name, rows in CHARTS.items():
        table = rules.chart(name).to_json()
        assert dict(zip(table["rows"], table["cells"], strict=True)) == rows, name
    melee = rules.chart("melee_results").to_json()
    assert (melee["rows"], [len(row) for row in melee["cells"]]) == (["1", "2-4", "5-6", "7+"], [1, 1, 1, 1])


HEADINGS: Final = """
enfilade 1
ruleset headings "Other headings" extends franco_prussian

replace words outcome one of rout, back, disorg, lose_stand, stop, no_effect, rout_and_lose_stand

replace define is_back_or_rout (outcome) = outcome is back or rout or rout_and_lose_stand

replace chart morale_outcomes (score ..11)
  down   target_morale_rating(score)
  cells  words
  |  Heading |       Outcome       |
  | result_1 | rout_and_lose_stand |
  | result_2 |         back        |
  | result_3 |      lose_stand     |
  | result_4 |      no_effect      |
  | result_5 |      no_effect      |
  | result_6 |      no_effect      |
"""
COMBINED: Final = """
add to results of morale_outcomes
  rout_and_lose_stand  "Rout, and -1 stand"
    then rout
    then lose_stand
"""


def test_the_lost_headings_can_be_replaced() -> None:
    rules = enfilade.load(text=HEADINGS + COMBINED)
    target = {"kind": "cavalry", "mr": 6, "stands": 3}
    shot = rules.resolve("volley", rifle="dreyse", stands=4, distance=3, target=target, dice=[1, 1])
    assert (shot.outputs["suffered"], shot.outputs["inches_back"]) == (("rout_and_lose_stand",), 12)
    assert (shot.outputs["stands_left"], shot.outputs["routed"]) == (2, True)
    check = rules.resolve("target_morale", mr=6, in_town_or_works=True, dice=[1], choices=["disorg"])
    assert (check.outputs["outcome"], check.outputs["effect"], check.outputs["inches"]) == (
        "rout_and_lose_stand",
        "disorg",
        0,
    )
    assert rules.resolve("charge_roll", kind="cavalry", dice=[9]).outputs["surprise"] is True


def test_an_outcome_without_a_result_is_an_error() -> None:
    with pytest.raises(enfilade.RulesetError, match="`rout_and_lose_stand` has no entry in the results"):
        enfilade.load(text=HEADINGS)
