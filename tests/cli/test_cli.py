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
from tests.conftest import Run

import enfilade
from enfilade.cli.commands import COMMANDS

ROOT: Final = Path(__file__).resolve().parents[2]
ENVIRONMENT: Final = {**os.environ, "PYTHONPATH": str(ROOT / "dsl")}
LONG: Final = "facts\n" + "".join(f"  fact_{number}  yes/no\n" for number in range(5000)) + "oops\n" * 5000


def command(*argv: str) -> list[str]:
    return [sys.executable, "-m", "enfilade.cli", *argv]


def test_help_names_every_command_and_each_has_its_own(run: Run) -> None:
    code, shown, _ = run()
    assert (code, [each.name for each in COMMANDS if each.name not in shown]) == (0, [])
    for each in COMMANDS:
        code, shown, _ = run(each.name, "--help")
        assert (code, shown[: len(each.name) + 16]) == (0, f"usage: enfilade {each.name}")


def test_the_version_is_that_of_the_library(run: Run) -> None:
    assert run("--version") == (0, f"enfilade {enfilade.__version__}\n", "")


@pytest.mark.parametrize("module", ["enfilade", "enfilade.cli"])
def test_it_runs_as_a_module(module: str) -> None:
    done = subprocess.run([sys.executable, "-m", module, "--version"], env=ENVIRONMENT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"enfilade {enfilade.__version__}\n")


def test_wrong_usage_ends_with_two(run: Run) -> None:
    for argv in (["bogus"], ["check", "--bogus"], ["check", "--format", "xml"], ["resolve"]):
        code, _, complaint = run(*argv)
        assert (code, "usage: enfilade" in complaint) == (2, True), argv


def test_a_ruleset_in_the_place_of_a_command_is_told_what_opens_it(run: Run) -> None:
    for word in ("infantry_attacks", "my_game.rules"):
        code, _, complaint = run(word)
        assert (code, f"`enfilade repl {word}` starts a session with it" in complaint) == (2, True)


@pytest.mark.thorough
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


@pytest.mark.thorough
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


@pytest.mark.thorough
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
