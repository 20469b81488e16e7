"""The command line as a whole: usage, exit codes, what happens when a stream or a user goes away, what it imports."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from enfilade.cli import main
from enfilade.cli.commands import COMMANDS

ROOT: Final = Path(__file__).resolve().parents[2]
ENVIRONMENT: Final = {**os.environ, "PYTHONPATH": str(ROOT / "dsl")}
LONG: Final = "facts\n" + "".join(f"  fact_{number}  yes/no\n" for number in range(5000)) + "oops\n" * 5000


def command(*argv: str) -> list[str]:
    return [sys.executable, "-m", "enfilade.cli", *argv]


def test_without_a_command_it_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert all(command.name in shown for command in COMMANDS)


def test_the_version_is_that_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "enfilade 0.1.0\n"


@pytest.mark.parametrize("module", ["enfilade", "enfilade.cli"])
def test_it_runs_as_a_module(module: str) -> None:
    done = subprocess.run([sys.executable, "-m", module, "--version"], env=ENVIRONMENT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "enfilade 0.1.0\n")


@pytest.mark.parametrize("argv", [["bogus"], ["check", "--bogus"], ["check", "--format", "xml"], ["resolve"]])
def test_wrong_usage_ends_with_two(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    assert "usage: enfilade" in capsys.readouterr().err


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert f"usage: enfilade {name}" in capsys.readouterr().out


def test_what_nobody_reads_any_more_ends_it_quietly(tmp_path: Path) -> None:
    (tmp_path / "long.rules").write_text(LONG)
    argv = command("check", str(tmp_path / "long.rules"), "--format", "github")
    process = subprocess.Popen(argv, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    _, complaints = process.communicate(timeout=60)
    assert (process.returncode, complaints) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_no_traceback() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(command("explain"), env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "enfilade: the output can't be written: no space left on device\n"


def interrupt_until_it_ends(process: subprocess.Popen[str]) -> None:
    """Interrupt a process; a signal that comes just before a read of Python's own waits for the next one."""
    for _ in range(30):
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=2)
            return
    process.kill()


@pytest.mark.skipif(os.name == "nt", reason="a signal of POSIX")
@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_with_130() -> None:
    with subprocess.Popen(
        command("check", "-"), env=ENVIRONMENT, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        # It has begun to read when it has taken what a pipe can't hold.
        process.stdin.write("-" * 200_000)
        process.stdin.flush()
        interrupt_until_it_ends(process)
        assert (process.wait(), process.stderr.read()) == (130, "enfilade: interrupted\n")


def test_letters_that_the_output_lacks_are_shown_by_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "letters.rules"
    path.write_text('chart t "Tafel für Übungen"\n  down  d6\n  | W | E |\n  | 1-6 | M |\n', encoding="utf-8")
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    shown = subprocess.run(command("chart", str(path), "t"), env=environment, capture_output=True, text=True)
    assert (shown.returncode, shown.stdout.splitlines()[0]) == (0, r"Tafel f\xfcr \xdcbungen")
    data = subprocess.run(command("chart", str(path), "t", "--json"), env=environment, capture_output=True, text=True)
    assert json.loads(data.stdout)["title"] == "Tafel für Übungen"


def test_neither_the_session_nor_a_number_library_is_imported() -> None:
    code = "import sys, enfilade.cli; enfilade.cli.main(['check', '-']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, input="")
    assert not {"prompt_toolkit", "numpy"} & set(done.stdout.split())


@pytest.mark.parametrize("word", ["infantry_attacks", "my_game.rules"])
def test_a_ruleset_in_the_place_of_a_command_is_told_what_opens_it(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([word]) == 2
    assert f"`enfilade repl {word}` starts a session with it" in capsys.readouterr().err
