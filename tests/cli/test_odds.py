"""``enfilade odds``, ``grid`` and the others: data in their published form, pictures, other processes, interrupts.

What they print is on the page ``odds.md``.
"""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest
from tests.api.skirmish import TEXT
from tests.cli.test_cli import ENVIRONMENT
from tests.conftest import Run

from enfilade import published_schema
from enfilade.terminal import ProgressLine

GRID: Final = ("grid", "game.rules", "shoot", "--by", "fire=1,5,10", "--by", "night", "--of", "M or worse")


@pytest.fixture
def game(folder: Path) -> Path:
    """A folder with the game."""
    (folder / "game.rules").write_text(TEXT, encoding="utf-8")
    return folder


@pytest.mark.thorough
@pytest.mark.parametrize(
    "words",
    [
        "odds shoot fire=10",
        "odds shoot fire=10 --of sum --given X",
        "odds shoot fire=10 --of lucky --of sum --joint",
        "odds shoot fire=10 --sample 100 --seed 7",
        "odds shoot --by fire=1,5",
        "least shoot fire --chance 1/2 --of M",
        "least shoot fire --chance 1 --of X",
        "grid shoot --by fire=1,5,10 --by night --of M",
        "grid shoot --by distance=1,21 fire=1",
        "compare shoot fire=10 --a cover=open --b cover=woods",
        "sensitivity shoot fire=11 --of X --by night",
        "matters shoot fire=10 --of X",
    ],
)
def test_data_have_the_published_form(run: Run, game: Path, words: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    command, *rest = words.split()
    jsonschema.validate(json.loads(run(command, "game.rules", *rest, "--json")[1]), published_schema("odds"))


def test_a_map_is_a_page_or_a_picture(run: Run, game: Path) -> None:
    page = run(*GRID, "--html")[1]
    assert '<meta name="color-scheme" content="light dark">' in page
    assert "rgba(76,120,168,0.75)" in page
    picture = json.loads(run(*GRID, "--vega")[1])
    assert (picture["mark"], len(picture["data"]["values"])) == ("rect", 6)


def test_facts_are_not_demanded_with_the_procedure(run: Run, game: Path) -> None:
    code, _, complaint = run("odds", "game.rules")
    assert (code, complaint.splitlines()[-1].rpartition("required: ")[2]) == (2, "procedure")


@pytest.mark.usefixtures("clock")
def test_a_sample_is_not_advised_where_it_was_tried_or_where_a_loop_never_ends(run: Run, game: Path) -> None:
    endless = "procedure endless\n  1. let n = 0\n  2. repeat until n is 1\n       roll d6 as die\n  3. give n\n"
    (game / "endless.rules").write_text(endless, encoding="utf-8")
    asked = ("odds", "endless.rules", "endless", "--of", "n", "--untrusted")
    code, _, complaint = run(*asked, "--sample", "1")
    place = "endless.rules, line 3 in endless: `repeat until n is 1`, where n is 0"
    assert (code, complaint) == (1, f"enfilade: the run took more than 100000 steps ({place})\n")
    assert "--sample" not in run(*asked)[2]


@pytest.mark.thorough
def test_work_may_be_shared_by_processes(run: Run, game: Path) -> None:
    asked = ("grid", "game.rules", "shoot", "--by", "fire=1..20", "--json")
    assert run(*asked, "--workers", "2") == run(*asked)
    sampled = ("odds", "game.rules", "shoot", "fire=5", "--sample", "6000", "--seed", "1", "--json")
    assert run(*sampled, "--workers", "2") == run(*sampled)


@pytest.mark.thorough
def test_letters_that_the_output_lacks_are_not_drawn_with(game: Path) -> None:
    environment = ENVIRONMENT | {"PYTHONIOENCODING": "ascii", "COLUMNS": "60"}
    command = [sys.executable, "-m", "enfilade.cli", "odds", "game.rules", "shoot", "fire=11"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "####" in done.stdout
    assert "\\u" not in done.stdout


# ------------------------------------------------------------------------------------------------- what takes long


LONG: Final = ("odds", "game.rules", "throng", "--of", "faces", "--sample", "100000000", "--seed", "1")


def shown_on(terminal: int, until: str = "", seconds: float = 60) -> str:
    """Read what a process writes to its terminal, until a text comes or the terminal is closed."""
    shown, end = "", time.monotonic() + seconds
    with suppress(OSError):
        while not until or until not in shown:
            assert select.select([terminal], [], [], max(end - time.monotonic(), 0))[0], f"only {shown!r} came"
            shown += os.read(terminal, 10_000).decode()
    return shown


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="a terminal of POSIX")
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("workers", [(), ("--workers", "2")], ids=["alone", "with workers"])
def test_an_interrupt_takes_the_progress_away_and_ends_with_130(game: Path, workers: tuple[str, ...]) -> None:
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "enfilade.cli", *LONG, *workers]
    how: dict[str, Any] = {"env": ENVIRONMENT, "cwd": game, "stdout": subprocess.DEVNULL, "start_new_session": True}
    with subprocess.Popen(command, stderr=theirs, **how) as process:
        os.close(theirs)
        try:
            shown = shown_on(ours, "working: 1 s")
            # A terminal interrupts all of them.
            os.killpg(process.pid, signal.SIGINT)
            shown += shown_on(ours)
            assert process.wait(30) == 130
        finally:
            os.close(ours)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert shown.split("\r\x1b[K")[-1].strip() == "enfilade: interrupted"


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.thorough
def test_progress_is_shown_on_a_terminal_after_a_second_only() -> None:
    quick, slow, piped = Terminal(), Terminal(), StringIO()
    with ProgressLine(quick), ProgressLine(piped):
        pass
    with ProgressLine(slow) as ticker, ProgressLine(piped):
        ticker(1_200_000)
        time.sleep(1.2)
    assert quick.getvalue() == piped.getvalue() == ""
    assert re.search(r"working: \d s, 1,200,000 products \(Ctrl-C stops\)", slow.getvalue())
    assert slow.getvalue().endswith("\r\x1b[K")
