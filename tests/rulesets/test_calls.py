"""Every shipped procedure as a command: the three ways in which a call can end, as JSON and as an exit code."""

import json
import sys
from io import StringIO
from typing import Any, Final

import pytest

import enfilade
from enfilade.cli import main

LINE: Final = "formation=line range=minimum strength=8 firing_class=1 target_class=1"
BATTERY: Final = "range_hexes=5 guns=8 firing_class=1 target_class=1"
SHOOTER: Final = "formation=line lives=2 drill=2 experience=2"
EXCHANGE: Final = " ".join(f"{side}.{field}" for side in "ab" for field in SHOOTER.split())
MELEE: Final = " ".join(
    f"{side}.{field}" for side in ("attacker", "defender") for field in ["kind=infantry", "stands=3", "mr=6"]
)
WON: Final = MELEE.replace("attacker.", "winner.").replace("defender.", "loser.")
ARTILLERY_VOLLEY: Final = "gun=mg batteries=4 distance=3 target.mr=6 target.stands=3"
VOLLEY: Final = "rifle=dreyse stands=4 distance=3 target.mr=6 target.stands=3"

# What is called, with which dice, and one output with its value.
RESOLVED: Final[list[tuple[str, str, str, Any]]] = [
    (f"fire_combat infantry_fire {LINE}", "3", "column", 7),
    (f"fire_combat artillery_fire {BATTERY}", "7", "ammo_drop", True),
    ("fire_combat target_class fired_by=infantry target_formation=line target_strength=6", "", "target_class", 2),
    ("infantry_attacks direct_fire fire_value=16", "1,3", "column", "16"),
    (f"emperor_musketry infantry_fire {SHOOTER}", "0,5", "scores", [5, None]),
    (f"emperor_musketry musketry_exchange {EXCHANGE}", "0,5,2,3", "ammo_left", {"a": 0, "b": 0}),
    ("emperor_musketry spread_kills kills=4 lives=2,2", "", "allowed", [[2, 2]]),
    ("bombardment bombardment bv=4 distance=2", "3", "points", 3),
    ("bombardment reaction_trigger slope_levels=2", "", "reason", "slope_breaks_contact"),
    ("franco_prussian artillery_fire gun=french_gun batteries=4 distance=2.5", "0", "modifiers", {"french_guns": 1}),
    ("franco_prussian rifle_fire rifle=dreyse stands=4 distance=3 target=artillery", "1,2,3", "columns", [4, 4, 4]),
    ("franco_prussian target_morale mr=7", "0", "result", "result_6"),
    (f"franco_prussian volley {VOLLEY}", "1,9", "results", ["result_5"]),
    (f"franco_prussian volley {ARTILLERY_VOLLEY}", "1,9", "hits", 1),
    (f"franco_prussian melee_round {MELEE}", "4,4", "next", "roll again"),
    (f"franco_prussian melee {MELEE}", "4,4,5,4", "rounds", 2),
    (f"franco_prussian melee_result {WON} margin=8", "", "loser_moves", "rout"),
    ("franco_prussian charge_roll kind=cavalry", "9", "bonus_inches", "9/2"),
    ("franco_prussian rally mr=7 stands_lost=1 commander", "5", "target", 5),
    ("franco_prussian replace_commander rating=6", "6", "new_rating", None),
]
REFUSED: Final[list[tuple[str, str]]] = [
    (f"fire_combat infantry_fire {LINE} strength=19", "strength_above_band"),
    (f"fire_combat infantry_fire {LINE} target_class=5 range=maximum strength=19", "target_class_5_minimum_only"),
    (f"fire_combat artillery_fire {BATTERY} range_hexes=13 guns=13", "range_out_of_reach"),
    (f"fire_combat artillery_fire {BATTERY} russian_light", "russian_light_beyond_4"),
    (f"fire_combat artillery_fire {BATTERY} range_hexes=9 firing_class=2 disordered", "extended_class_1_only"),
    (f"fire_combat artillery_fire {BATTERY} range_hexes=9 guns=13 disordered", "disordered_not_at_extended"),
    (f"fire_combat artillery_fire {BATTERY} guns=13", "strength_above_band"),
    (f"emperor_musketry infantry_fire {SHOOTER} ammo=0", "no_ammo"),
    (f"emperor_musketry infantry_fire {SHOOTER} lives=0", "no_lives"),
    (f"emperor_musketry infantry_fire {SHOOTER} in_front=no", "not_in_front"),
    (f"emperor_musketry musketry_exchange {EXCHANGE} b.distance_bd=1", "out_of_range"),
    ("bombardment bombardment bv=4 distance=1 already_fired", "already_fired_this_phase"),
    ("bombardment bombardment bv=4 distance=1 firer_terrain=woods", "firer_in_woods_or_village"),
    ("bombardment bombardment bv=4 distance=4", "out_of_range"),
    ("franco_prussian artillery_fire gun=mg batteries=1 distance=15.5", "out_of_range"),
    ("franco_prussian rifle_fire rifle=dreyse stands=1 distance=6", "out_of_range"),
    (f"franco_prussian melee_round {MELEE} attacker.charging attacker.disorg_stands=1", "disorganized_cannot_charge"),
    ("franco_prussian charge_roll kind=infantry", "only_cavalry_rolls"),
    ("franco_prussian rally mr=7", "no_commander_within_1_inch"),
]
WRONG: Final[list[tuple[str, str, str, Any, str]]] = [
    (f"fire_combat infantry_fire {LINE} strength=0", "3", "strength", 0, "1.."),
    (f"fire_combat infantry_fire {LINE}", "10", "fire_roll", 10, "0..9"),
    (f"fire_combat artillery_fire {BATTERY} target_class=6", "3", "target_class", 6, "1..5"),
    ("infantry_attacks direct_fire fire_value=16 companies=3", "1,3", "companies", 3, "0..2"),
    ("infantry_attacks direct_fire", "1,3", "fire_value", None, "1.."),
    ("infantry_attacks direct_fire fire_value=16 smoke=2", "1,3", "smoke", "2", "fire_value, ranges, night, flanking, opportunity_fire, target_is_company, terrain, companies, units"),
    (f"emperor_musketry infantry_fire {SHOOTER} drill=4", "1,1", "drill", 4, "0..3"),
    (f"emperor_musketry musketry_exchange {EXCHANGE} a.lives=-1", "1,1,1,1", "a.lives", -1, "0.."),
    ("emperor_musketry spread_kills kills=3 lives=2,2 --choices 3,0", "", "allotment", [3, 0], "(2, 1), (1, 2)"),
    ("bombardment bombardment bv=4 distance=1 max_range=5", "1", "max_range", 5, "1..4"),
    ("bombardment reaction_trigger river=brook", "", "river", "brook", "none, river, major_river"),
    ("franco_prussian artillery_fire gun=mg batteries=5 distance=1", "1", "batteries", 5, "1..4"),
    ("franco_prussian target_morale mr=4", "1", "mr", 4, "5..9"),
    (f"franco_prussian melee_round {MELEE} defender.mr=10", "1,1", "defender.mr", 10, "5..9"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def nobody_types(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO())


def called(capsys: pytest.CaptureFixture[str], call: str, dice: str) -> tuple[int, dict[str, Any]]:
    """The exit code, and what is printed; of facts that are given twice the last counts."""
    ruleset, procedure, *given = call.split()
    facts = {word.partition("=")[0]: word for word in given}
    code = main(["resolve", ruleset, procedure, *facts.values(), *(["--dice", dice] if dice else []), "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(("call", "dice", "output", "value"), RESOLVED)
def test_a_resolved_call(capsys: pytest.CaptureFixture[str], call: str, dice: str, output: str, value: Any) -> None:
    code, data = called(capsys, call, dice)
    assert (code, data["status"]) == (0, "resolved")
    assert data["outputs"][output] == value
    assert set(data) >= {"procedure", "result", "outputs", "effects", "dice", "choices", "explanation"}
    assert sum(len(roll["faces"]) for roll in data["dice"]) == (len(dice.split(",")) if dice else 0)
    assert all(set(step) >= {"step", "value", "cites", "assumed"} for step in data["explanation"])


@pytest.mark.parametrize(("call", "slug"), REFUSED)
def test_a_refused_call(capsys: pytest.CaptureFixture[str], call: str, slug: str) -> None:
    code, data = called(capsys, call, "")
    assert (code, data["status"], data["refusal"]) == (1, "refused", slug)
    assert data["message"]
    assert isinstance(data["cites"], list)
    assert not {"outputs", "dice"} & set(data)


@pytest.mark.parametrize(("call", "dice", "parameter", "value", "allowed"), WRONG)
def test_a_call_with_a_wrong_input(
    capsys: pytest.CaptureFixture[str], call: str, dice: str, parameter: str, value: Any, allowed: str
) -> None:
    words, _, choices = call.partition(" --choices ")
    ruleset, procedure, *given = words.split()
    facts = {word.partition("=")[0]: word for word in given}
    more = [*(["--dice", dice] if dice else []), *(["--choices", choices] if choices else [])]
    code = main(["resolve", ruleset, procedure, *facts.values(), *more, "--json"])
    data = json.loads(capsys.readouterr().out)
    assert (code, data["status"]) == (2, "input_error")
    (fault,) = data["errors"]
    assert (fault["parameter"], fault["value"], fault["allowed"]) == (parameter, value, allowed)
    assert fault["message"]


def test_every_procedure_that_a_player_calls_is_called_here() -> None:
    parts = {"volley": "emperor_musketry", "reconstitute": "franco_prussian"}
    shipped = {
        (name, procedure.name)
        for name in {call.split()[0] for call, *_ in RESOLVED}
        for procedure in enfilade.load(name).procedures
    }
    covered = {(call.split()[0], call.split()[1]) for call, *_ in RESOLVED}
    assert shipped - covered == {(name, part) for part, name in parts.items()}


@pytest.mark.parametrize("options", [["low_edge"], "low_edge", 3])
def test_options_that_are_no_mapping_are_a_mistake_of_the_caller(options: Any) -> None:
    with pytest.raises(enfilade.InputError, match="a mapping from option to value"):
        enfilade.load("infantry_attacks").resolve("direct_fire", fire_value=1, dice=[1, 1], options=options)
