"""A game by mail on the command line: commit, number, roll, reveal, verify."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import jsonschema
import pytest

from enfilade import published_schema
from enfilade.cli import main

SHOT = ["infantry_attacks", "direct_fire", "fire_value=16"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commit(capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["commit", "infantry_attacks", "friday.dice", "--game", "Friday"]) == 0
    return capsys.readouterr().out.split()[1]


def test_a_combat_by_mail_is_proven(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commitment = commit(capsys)
    assert stat.S_IMODE((folder / "friday.dice").stat().st_mode) == 0o600
    call = ["resolve", *SHOT, "--committed", "friday.dice", "--number", "27 pigeons"]
    assert main([*call, "--save", "shot.json", "--json"]) == 0
    shot = json.loads(capsys.readouterr().out)
    assert main([*call, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == shot
    assert main(["verify", "shot.json", "--commitment", commitment, "--number", "27 pigeons"]) == 0
    assert "check them with the secret" in capsys.readouterr().out
    assert main(["verify", "shot.json", "--committed", "friday.dice", "--commitment", commitment, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["ok"], report["dice"], report["commitment"]) == (True, "proven", commitment)
    jsonschema.validate(report, published_schema("verification"))


def test_a_changed_save_is_named_and_the_exit_code_is_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["resolve", *SHOT, "--dice", "4,3", "--save", "shot.json", "--json"]) == 0
    text = (folder / "shot.json").read_text()
    (folder / "other.json").write_text(text.replace("[4, 3]", "[6, 6]").replace('"fire_value": 16', '"fire_value": 45'))
    capsys.readouterr()
    assert main(["verify", "other.json", "--earlier", "shot.json"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == [
        "The fact fire_value was changed after the run was saved.",
        "Answer 1 (fire_roll) was changed after the run was saved.",
    ]
    assert said[-1] == "The dice are not committed, so the person who wrote this save may have chosen them."
    assert main(["verify", "shot.json", "fire_combat"]) == 1
    assert "The rules were changed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["verify", "missing.json"], "missing.json can't be read"),
        (["verify", "no.json"], "no.json: this is not a saved run"),
        (["verify", "shot.json", "--committed", "no.json"], "no.json is not a file of committed dice"),
        (["verify", "shot.json", "--earlier", "no.json"], "not a saved run"),
        (["resolve", *SHOT, "--committed", "friday.dice"], "--number is missing"),
        (["resolve", *SHOT, "--number", "5"], "--number can be given only with --committed"),
        (["resolve", *SHOT, "--committed", "friday.dice", "--number", "5", "--dice", "4,3"], "can't be combined with --seed or --dice"),
        (["resolve", *SHOT, "--dice", "4,3", "--save", "shot.json"], "shot.json already exists"),
        (["resolve", "bombardment", "unit_moved_into_contact", "--save", "x.json"], "not an event"),
        (["commit", "infantry_attacks", "friday.dice", "--game", "Friday"], "friday.dice already exists"),
        (["commit", "nothing", "x.dice", "--game", "Friday"], "nothing"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_call_is_said_and_the_exit_code_is_2(
    folder: Path, capsys: pytest.CaptureFixture[str], call: list[str], message: str
) -> None:
    commit(capsys)
    main(["resolve", *SHOT, "--dice", "4,3", "--save", "shot.json"])
    (folder / "no.json").write_text("nothing")
    assert main(call) == 2
    assert message in capsys.readouterr().err


def test_dice_for_other_rules_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commit(capsys)
    call = ["resolve", "fire_combat", "infantry_fire", "--committed", "friday.dice", "--number", "5"]
    facts = ["formation=line", "range=minimum", "strength=6", "firing_class=1", "target_class=2"]
    assert main([*call, *facts]) == 1
    assert "committed for another ruleset" in capsys.readouterr().err
