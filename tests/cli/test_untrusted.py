"""``--untrusted``: a command with a hostile text ends with one message, and reads what it was given."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, Final

import pytest
from benchmarks.hostile import HOSTILE
from tests.conftest import Clock, Run

FINE: Final = ""
TIME_UP: Final = "the odds take more than 2 seconds"
EVERY_LOOK: Final = 0.1
"""How late it is at each look at the clock where the time is to run out; elsewhere it stands still."""
NO_PROCEDURE: Final = "there is no procedure main"
# For a text of each class: what its check says, and how its play and its odds end. A text with mistakes is not played.
CLASSES: Final[dict[str, tuple[str, str, str]]] = {
    "deep nesting/brackets": ("nesting-too-deep", FINE, FINE),
    "long lines/quote": ("text-too-long", FINE, FINE),
    "long chains/doubling": ("too-deep", FINE, FINE),
    "long chains/procedures": (FINE, "calls in the rules are nested more than 40 levels deep", "calls in the rules are nested more than 40 levels deep"),
    "many declarations/definitions": (FINE, FINE, FINE),
    "large charts/columns": (FINE, NO_PROCEDURE, NO_PROCEDURE),
    "misspelt names/look-alikes": ("look-alike", FINE, FINE),
    "huge numbers/powers": (FINE, "a number grew beyond 4096 bits", "a number grew beyond 4096 bits"),
    "huge lists/doubled": (FINE, "a list may have at most 10000 elements", "a list may have at most 10000 elements"),
    "endless loops/nested": (FINE, "the run took more than 100000 steps", "the run took more than 100000 steps"),
    "explosions and rerolls/nearly": (FINE, "at most 1000 can be rolled at once", TIME_UP),
    "big pools in odds/sum": (FINE, FINE, "dice"),
    "loops in odds/many rolls": (FINE, FINE, FINE),
    "recursion between modules/outside": ("unknown-module", FINE, FINE),
    "huge outputs/effects": (FINE, "the run took more than 100000 steps", "the run took more than 100000 steps"),
    "odd texts/control characters": ("control-character", FINE, FINE),
}  # fmt: skip
LARGE: Final = {"many declarations/definitions", "long chains/procedures", "misspelt names/look-alikes"}
# What the parser says; the layout needs nothing more.
OF_SYNTAX: Final = {"nesting-too-deep", "text-too-long", "look-alike", "control-character"}


def ended(run: Run, *argv: str) -> tuple[int, str, str]:
    """Run a command, which prints no control character and no traceback; ``benchmarks.hostile`` measures its time."""
    code, shown, complained = run(*argv, "--untrusted")
    assert "Traceback" not in complained
    assert re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown + complained) == []
    return code, shown, complained


def complaints(complained: str) -> list[str]:
    """The messages for people, without diagnostics and suggestions."""
    return [line for line in complained.splitlines() if line.startswith("enfilade: ") and "instead:" not in line]


def test_each_class_of_hostile_texts_is_tried() -> None:
    assert {name.partition("/")[0] for name in CLASSES} == set(HOSTILE)


@pytest.mark.parametrize(
    "which", [pytest.param(which, marks=pytest.mark.thorough if which in LARGE else ()) for which in CLASSES]
)
def test_every_command_ends_or_says_in_one_message_why_not(run: Run, folder: Path, clock: Clock, which: str) -> None:
    diagnostic, played, asked = CLASSES[which]
    kind, _, name = which.partition("/")
    hostile, text = folder / "hostile.rules", HOSTILE[kind][name]
    hostile.write_text(text, encoding="utf-8")

    code, shown, complained = ended(run, "check", "hostile.rules")
    assert (code, complained) == (1 if diagnostic else 0, "")
    assert f"error[{diagnostic}]" in shown if diagnostic else "0 errors" in shown
    assert re.search(r"^1 file checked: \d+ errors?, \d+ warnings?$", shown.splitlines()[-1])

    code, shown, complained = ended(run, "test", "hostile.rules")
    assert (code, complained) == (1 if diagnostic else 0, "")
    assert f"error[{diagnostic}]" in shown if diagnostic else "0 examples: 0 passed, 0 failed" in shown

    for command, ending in (("resolve", played), ("odds", asked)):
        message = "the ruleset has errors" if diagnostic else ending
        seed = ["--seed=1"] if command == "resolve" else []
        clock.step = EVERY_LOOK if message == TIME_UP else 0
        code, shown, complained = ended(run, command, "hostile.rules", "main", *seed)
        assert code == (2 if message == NO_PROCEDURE else 1 if message else 0), command
        assert bool(shown) is not bool(message), command
        assert len(complaints(complained)) == bool(message), command
        assert message in complained
        assert f"error[{diagnostic}]" in complained or not diagnostic

    code, shown, complained = ended(run, "chart", "hostile.rules", "--format=html")
    assert (code, "</html>" in shown) == (bool(diagnostic), not diagnostic)
    assert complaints(complained) == (["enfilade: the ruleset has errors"] if diagnostic else [])

    code, _, complained = ended(run, "fmt", "hostile.rules")
    assert code == (diagnostic in OF_SYNTAX)
    assert complaints(complained) == (["enfilade: not formatted because of errors: hostile.rules"] if code else [])
    assert hostile.read_text(encoding="utf-8") == text or not code


METHODS: Final[dict[str, dict[str, Any]]] = {
    "check": {}, "resolve": {"procedure": "main", "seed": 1}, "odds": {"procedure": "main"},
}  # fmt: skip


@pytest.fixture
def answers(run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[dict[str, Any]]]:
    """Ask for the answers of ``enfilade rpc --untrusted``."""

    def answers(*requests: dict[str, Any]) -> list[dict[str, Any]]:
        lines = [json.dumps({"jsonrpc": "2.0", "id": number, **each}) + "\n" for number, each in enumerate(requests)]
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO("".join(lines).encode())))
        code, shown, complained = run("rpc", "--untrusted")
        assert (code, complained) == (0, "")
        return [json.loads(line) for line in shown.splitlines()]

    return answers


@pytest.mark.thorough
@pytest.mark.parametrize("which", [which for which in CLASSES if which != "long chains/procedures"])
def test_each_request_to_the_protocol_has_an_answer(
    which: str, answers: Callable[..., list[dict[str, Any]]], clock: Clock
) -> None:
    diagnostic, played, asked = CLASSES[which]
    kind, _, name = which.partition("/")
    given = {"ruleset": {"text": HOSTILE[kind][name]}}
    clock.step = EVERY_LOOK if asked == TIME_UP else 0
    checked, *others = answers(*({"method": method, "params": {**given, **more}} for method, more in METHODS.items()))
    assert checked["result"]["ok"] is not bool(diagnostic)
    for answer, message in zip(others, (played, asked), strict=True):
        if diagnostic:
            assert diagnostic in [found["code"] for found in answer["error"]["data"]["diagnostics"]]
        else:
            assert ("error" in answer) is bool(message)
            assert message in answer.get("error", {}).get("message", "")


# -- files --------------------------------------------------------------------------------------------------------


SECRET: Final = "define hidden = 31415926\n\nprocedure main\n  1. give result = hidden\n"
REACHING: Final = {
    "the folder above": 'use "../secret.rules"\n',
    "the whole path": 'use "{folder}/secret.rules"\n',
    "up and down": 'use "sub/../../secret.rules"\n',
    "the same folder": "use beside\n",
    "a path in the same folder": 'use "beside.rules"\n',
    "a link": 'use "link.rules"\n',
    "a base": "ruleset mine extends beside\n",
    "a base above": 'ruleset mine extends "../secret.rules"\n',
}


COMMANDS: Final = {
    "check": [], "test": [], "resolve": ["play"], "odds": ["play"], "chart": [], "describe": [], "ledger": [],
}  # fmt: skip


@pytest.fixture
def reaching(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Write a file whose rules use another one, as a line of ``REACHING`` does."""
    folder = tmp_path / "given"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("secret.rules", "given/beside.rules"):
        (tmp_path / name).write_text(SECRET, encoding="utf-8")
    (folder / "link.rules").symlink_to(tmp_path / "secret.rules")

    def reaching(how: str) -> str:
        line = REACHING[how].format(folder=tmp_path)
        (folder / "mine.rules").write_text(f"{line}procedure play\n  1. give result = hidden\n", encoding="utf-8")
        return "mine.rules"

    return reaching


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("how", REACHING)
def test_rules_use_no_file_that_was_not_handed_over(run: Run, how: str, reaching: Callable[[str], str]) -> None:
    mine = reaching(how)
    for command, words in COMMANDS.items():
        code, shown, complained = ended(run, command, mine, *words)
        said = shown + complained
        assert (code, "error[unknown-module]" in said) == (1, True), command
        assert "31415926" not in said, command
        assert "lies beside" not in said, command
    assert ended(run, "fmt", "--check", mine)[0] == 0


def test_without_the_option_a_file_in_the_same_folder_is_used(run: Run, reaching: Callable[[str], str]) -> None:
    assert run("resolve", reaching("the same folder"), "play") == (0, "result  31415926\n", "")


@pytest.mark.usefixtures("clock")
def test_the_protocol_reads_no_file_by_its_path(
    reaching: Callable[[str], str], answers: Callable[..., list[dict[str, Any]]]
) -> None:
    own = "use beside\nprocedure play\n  1. give result = hidden\n"
    named, used, handed = answers(
        {"method": "resolve", "params": {"ruleset": str(Path("beside.rules").absolute()), "procedure": "main"}},
        {"method": "check", "params": {"ruleset": {"text": Path(reaching("the whole path")).read_text()}}},
        {"method": "resolve", "params": {"ruleset": {"text": own, "files": {"beside.rules": SECRET}}, "procedure": "play"}},
    )  # fmt: skip
    assert "there is no ruleset" in named["error"]["message"]
    assert "unknown-module" in [found["code"] for found in used["result"]["diagnostics"]]
    assert handed["result"]["result"] == 31415926


WATCHED: Final = """
import sys
from enfilade.cli import main

commands, folder = {commands!r}, {folder!r}
for words in commands:
    main([*words, "--untrusted"])  # imports everything
opened = []
sys.addaudithook(lambda event, args: opened.append(args[0]) if event == "open" and str(args[0]).startswith(folder) else None)
for words in commands:
    main([*words, "--untrusted"])
print(sorted({{str(path) for path in opened}}), file=sys.stderr)
"""


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["the folder above", "a link", "the same folder"])
def test_only_the_file_that_was_handed_over_is_opened(how: str, reaching: Callable[[str], str], tmp_path: Path) -> None:
    own = str(tmp_path / "given" / reaching(how))
    commands = [[command, own, *words] for command, words in COMMANDS.items()] + [["fmt", "--check", own]]
    program = WATCHED.format(commands=commands, folder=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, str([own]))
