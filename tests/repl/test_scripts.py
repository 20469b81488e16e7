"""Pipes and scripts: plain output, an exit code, and transcripts that are held to their own text."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from enfilade.cli import main
from enfilade_repl.dispatch import new_session
from enfilade_repl.session import Session
from enfilade_repl.transcript import entries_of, is_transcript, play_lines, replay

SCRIPT = "use infantry_attacks\ndirect_fire fire_value 16, terrain town\n4 3\nwhy not hill\n"


def played(script: str, seed: str | None = "7") -> tuple[str, int]:
    written: list[str] = []
    code = play_lines(new_session(seed=seed), script.splitlines(), written.append)
    return "".join(written), code


def test_a_script_comes_out_as_a_transcript_that_begins_with_its_seed() -> None:
    text, code = played(SCRIPT)
    assert code == 0
    assert text.startswith("enfilade> seed 7\nseed 7\nenfilade> use infantry_attacks\n")
    assert "fire_roll, 2d6 (Enter to roll, or type the dice): 4 3\n" in text
    assert is_transcript(text)
    assert not is_transcript(SCRIPT)


def test_a_seed_that_is_set_first_is_not_said_twice() -> None:
    assert played("seed 3\n2d6\n")[0].count("seed 3\n") == 2


def test_fresh_dice_come_again_when_the_transcript_is_played(tmp_path: Path) -> None:
    text, _ = played("use infantry_attacks\nroll direct_fire fire_value 45\n2d6\n", seed=None)
    assert replay(new_session(), text, lambda part: None) is None


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (SCRIPT, 0),
        ("", 0),
        ("\n\n-- nothing\n", 0),
        ("nonsense and more\n", 2),
        ("use bombardment\nbombardment bv 5, distance 9\n", 1),
        ("use bombardment\nbombardment bv 5, distance 9\nnonsense and more\nhelp\n", 2),
        ("use infantry_attacks\ndirect_fire fire_value 3\n", 2),
        ("use infantry_attacks\ndirect_fire fire_value 3\nquit\n", 0),
        ("define a = b\n", 1),
    ],
)
def test_the_exit_code_is_the_worst_that_came(script: str, code: int) -> None:
    assert played(script)[1] == code


def test_entries_that_run_out_at_a_question_are_a_mistake() -> None:
    text, code = played("use infantry_attacks\ndirect_fire\n")
    assert text.endswith("(1 or more):\nthe script has no more entries to answer this question\n")
    assert code == 2


@pytest.mark.parametrize(
    ("lines", "entries"),
    [
        (
            ["facts", "  a 1..2", "", "  b 1..2", 'chart c "C"', "  down d6", "| x | y |", "2d6"],
            ["facts\n  a 1..2", "  b 1..2", 'chart c "C"\n  down d6\n| x | y |', "2d6"],
        ),
        (["record x", "games"], ["record x", "games"]),
        (["facts", "games"], ["facts", "games"]),
        (["facts", "  fog yes/no", "", "games"], ["facts\n  fog yes/no", "games"]),
    ],
)
@pytest.mark.parametrize("has_ruleset", [False, True])
def test_a_definition_of_several_lines_is_one_entry(
    session: Session, lines: list[str], entries: list[str], has_ruleset: bool
) -> None:
    if has_ruleset:
        session.enter("use infantry_attacks")
    assert list(entries_of(lines, session.needs_more)) == entries


@pytest.mark.parametrize(
    "change", [("M2", "M3"), ("why not hill", "why not night"), ("4 3\n", "4 4\n"), ("enfilade> use", "enfilade> yse")]
)
def test_a_transcript_that_comes_out_otherwise_is_told_with_its_line(change: tuple[str, str]) -> None:
    text, _ = played(
        "use infantry_attacks\ndirect_fire fire_value 16 on 2 4\ndirect_fire fire_value 16\n4 3\nwhy not hill\n"
    )
    assert change[0] in text or change[0] == "M2"
    changed = text.replace(*change, 1)
    difference = replay(new_session(), changed, lambda part: None)
    assert (difference is None) == (changed == text)


def test_the_commands_play_scripts_and_transcripts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "script.txt"
    script.write_text(SCRIPT, encoding="utf-8")
    assert main(["play", str(script), "--seed", "7"]) == 0
    transcript = capsys.readouterr().out
    assert transcript == played(SCRIPT)[0]
    script.write_text(transcript, encoding="utf-8")
    assert main(["play", str(script)]) == 0
    assert capsys.readouterr().out == transcript
    script.write_text(transcript.replace(": No Effect", ": M"), encoding="utf-8")
    assert main(["play", str(script)]) == 1
    assert "script.txt, line " in capsys.readouterr().err


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_script_that_can_not_be_read_is_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None
) -> None:
    path = tmp_path / "script.txt"
    if content is not None:
        path.write_bytes(content)
    assert main(["play", str(path)]) == 2
    assert str(path) in capsys.readouterr().err


def test_the_input_is_played_where_it_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("direct_fire fire_value 16 on 4 3\n"))
    assert main(["repl", "infantry_attacks", "--seed", "7"]) == 0
    assert "infantry_attacks> direct_fire fire_value 16 on 4 3" in capsys.readouterr().out


@pytest.mark.thorough
def test_scripts_need_no_terminal_library() -> None:
    code = (
        "import sys\nsys.modules['prompt_toolkit'] = None\nfrom enfilade.cli import main\n"
        "code = main(['repl', 'infantry_attacks'])\nassert 'prompt_toolkit.application' not in sys.modules\nsys.exit(code)"
    )
    place = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], input="roll 2d6\n", capture_output=True, text=True, check=False,
        env={"PYTHONPATH": f"{place / 'dsl'}:{place / 'repl'}", "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "infantry_attacks> roll 2d6" in done.stdout


@pytest.mark.thorough
def test_output_without_unicode_has_plain_bars() -> None:
    place = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "enfilade.cli", "repl"], input=b"odds 2d6\n", capture_output=True, check=False,
        env={"PYTHONPATH": f"{place / 'dsl'}:{place / 'repl'}", "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert done.returncode == 0
    assert b"####" in done.stdout
    assert done.stdout.isascii()
