"""A game by mail on the command line: commit, number, roll, reveal, verify."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from tests.conftest import Run

RULES = """\
ruleset duel "A Duel"
facts
  fire  1..
procedure shoot
  1. roll 2d6 as volley
  2. give result = volley + fire
event contact
on contact
  start shoot
"""
SHOT = ["resolve", "duel.rules", "shoot", "fire=16"]


@pytest.fixture
def commitment(folder: Path, run: Run) -> str:
    """What the other side is told of the dice in ``friday.dice``; a shot is saved in ``shot.json``."""
    (folder / "duel.rules").write_text(RULES)
    (folder / "no.json").write_text("nothing")
    assert run(*SHOT, "--dice", "4,3", "--save", "shot.json", "--json")[0] == 0
    code, shown, _ = run("commit", "duel.rules", "friday.dice", "--game", "Friday")
    assert code == 0
    return shown.split()[1]


def test_a_combat_by_mail_is_proven(folder: Path, run: Run, commitment: str) -> None:
    assert stat.S_IMODE((folder / "friday.dice").stat().st_mode) == 0o600
    call = (*SHOT, "--committed", "friday.dice", "--number", "27 pigeons", "--json")
    assert run(*call) == run(*call, "--save", "mailed.json")
    proof = ("verify", "mailed.json", "duel.rules", "--commitment", commitment)
    code, said, _ = run(*proof, "--number", "27 pigeons")
    assert (code, "check them with the secret" in said) == (0, True)
    code, said, _ = run(*proof, "--committed", "friday.dice", "--json")
    report = json.loads(said)
    assert (code, report["ok"], report["dice"], report["commitment"]) == (0, True, "proven", commitment)


@pytest.mark.usefixtures("commitment")
def test_a_changed_save_is_named_and_the_exit_code_is_1(folder: Path, run: Run) -> None:
    text = (folder / "shot.json").read_text()
    (folder / "other.json").write_text(text.replace("[4, 3]", "[6, 6]").replace('"fire": 16', '"fire": 45'))
    code, shown, _ = run("verify", "other.json", "duel.rules", "--earlier", "shot.json")
    said = shown.splitlines()
    assert (code, said[:2]) == (
        1,
        [
            "The fact fire was changed after the run was saved.",
            "Answer 1 (volley) was changed after the run was saved.",
        ],
    )
    assert said[-1] == "The dice are not committed, so the person who wrote this save may have chosen them."
    (folder / "more.rules").write_text(f"{RULES}define more = 1\n")
    code, shown, _ = run("verify", "shot.json", "more.rules")
    assert (code, "The rules were changed" in shown) == (1, True)
    code, _, complaint = run("resolve", "more.rules", *SHOT[2:], "--committed", "friday.dice", "--number", "5")
    assert (code, "committed for another ruleset" in complaint) == (1, True)


@pytest.mark.usefixtures("commitment")
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["verify", "missing.json"], "missing.json can't be read"),
        (["verify", "no.json"], "no.json: this is not a saved run"),
        (["verify", "shot.json", "duel.rules", "--committed", "no.json"], "no.json is not a file of committed dice"),
        (["verify", "shot.json", "duel.rules", "--earlier", "no.json"], "not a saved run"),
        ([*SHOT, "--committed", "friday.dice"], "--number is missing"),
        ([*SHOT, "--number", "5"], "--number can be given only with --committed"),
        ([*SHOT, "--committed", "friday.dice", "--number", "5", "--dice", "4,3"], "can't be combined with --seed or --dice"),
        ([*SHOT, "--dice", "4,3", "--save", "shot.json"], "shot.json already exists"),
        (["resolve", "duel.rules", "contact", "--save", "x.json"], "not an event"),
        (["commit", "duel.rules", "friday.dice", "--game", "Friday"], "friday.dice already exists"),
        (["commit", "nothing", "x.dice", "--game", "Friday"], "nothing"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_call_is_said_and_the_exit_code_is_2(run: Run, call: list[str], message: str) -> None:
    code, _, complaint = run(*call)
    assert (code, message in complaint) == (2, True), complaint
