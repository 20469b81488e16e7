"""``enfilade new``: a file to begin with, which overwrites nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from enfilade.cli import main

Run: TypeAlias = Callable[..., tuple[int, str, str]]

PASTED: Final = "Fire Table\n\nRoll\t1\t4\t7+\n1-2\t-\t-\tM\n3-6\t-\t\N{CYRILLIC CAPITAL LETTER EM}\tX\n"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def run(*argv: str) -> tuple[int, str, str]:
        code = main(list(argv))
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


@pytest.mark.parametrize("argument", ["my_game", "my_game.rules"])
def test_a_first_ruleset_checks_and_its_examples_pass(argument: str, run: Run) -> None:
    assert run("new", argument)[0] == 0
    assert run("check", "my_game.rules", "--strict")[0] == 0
    assert run("test", "my_game.rules")[0] == 0
    assert run("fmt", "--check", "my_game.rules")[0] == 0


def test_a_first_ruleset_can_be_played(run: Run) -> None:
    run("new", "my_game")
    code, shown, _ = run(
        "resolve", "my_game", "fire", "strength=9", "unit.rifles.steps=2", "--dice", "1,2", "--choices", ""
    )
    assert code == 0
    assert shown.splitlines()[0].split() == ["column", "8"]


def test_a_file_is_not_overwritten_without_force(run: Run) -> None:
    Path("my_game.rules").write_text("mine")
    code, _, complaint = run("new", "my_game")
    assert (code, Path("my_game.rules").read_text()) == (2, "mine")
    assert "--force" in complaint
    assert run("new", "my_game", "--force")[0] == 0
    assert Path("my_game.rules").read_text() != "mine"


def test_a_ruleset_begins_from_a_pasted_chart(run: Run) -> None:
    Path("pasted.txt").write_text(PASTED, encoding="utf-8")
    code, shown, _ = run("new", "fire", "--from", "pasted.txt")
    assert code == 0
    assert "U+041C CYRILLIC CAPITAL LETTER EM reads M" in shown
    assert "guessed" in shown
    assert run("check", "fire.rules")[0] == 0
    assert run("test", "fire.rules")[0] == 0


@pytest.mark.parametrize("argument", ["2nd_game", "my game", "für", ".."])
def test_a_name_that_rules_can_not_have_is_wrong_usage(argument: str, run: Run) -> None:
    assert run("new", argument)[0] == 2
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"no chart at all", b"\xff\xfe"])
def test_a_text_without_a_chart_is_bad_input(content: bytes, run: Run) -> None:
    Path("pasted.txt").write_bytes(content)
    code, _, complaint = run("new", "fire", "--from", "pasted.txt")
    assert code == 2
    assert complaint.startswith("enfilade: pasted.txt")
    assert not Path("fire.rules").exists()


def test_a_folder_that_is_not_there_is_bad_input(run: Run) -> None:
    code, _, complaint = run("new", "nowhere/fire")
    assert code == 2
    assert "can't be written" in complaint
