"""``--untrusted``: a command with a hostile text ends with one message, and reads what it was given."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from benchmarks.hostile import HOSTILE

Run: TypeAlias = Callable[..., tuple[int, str, str]]

FINE: Final = ""
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
    "explosions and rerolls/nearly": (FINE, "at most 1000 can be rolled at once", "the odds take more than 2 seconds"),
    "big pools in odds/sum": (FINE, FINE, "dice"),
    "loops in odds/many rolls": (FINE, FINE, FINE),
    "recursion between modules/outside": ("unknown-module", FINE, FINE),
    "huge outputs/effects": (FINE, "the run took more than 100000 steps", "the run took more than 100000 steps"),
    "odd texts/control characters": ("control-character", FINE, FINE),
}  # fmt: skip
# What the parser says; the layout needs nothing more.
OF_SYNTAX: Final = {"nesting-too-deep", "text-too-long", "look-alike", "control-character"}


@pytest.fixture
def hostile(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file with the hostile text of a test's class."""
    kind, _, name = request.getfixturevalue("which").partition("/")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hostile.rules").write_text(HOSTILE[kind][name], encoding="utf-8")
    return "hostile.rules"


def test_each_class_of_hostile_texts_is_tried() -> None:
    assert {name.partition("/")[0] for name in CLASSES} == set(HOSTILE)


each_class = pytest.mark.parametrize("which", CLASSES)


def ended(run: Run, *argv: str) -> tuple[int, str, str]:
    """Run a command, which prints no control character and no traceback; ``benchmarks.hostile`` measures its time."""
    code, shown, complained = run(*argv, "--untrusted")
    assert "Traceback" not in complained
    assert re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown + complained) == []
    return code, shown, complained


def complaints(complained: str) -> list[str]:
    """The messages for people, without diagnostics and suggestions."""
    return [line for line in complained.splitlines() if line.startswith("enfilade: ") and "instead:" not in line]


@each_class
def test_a_check_says_what_is_wrong(run: Run, which: str, hostile: str) -> None:
    diagnostic = CLASSES[which][0]
    code, shown, complained = ended(run, "check", hostile)
    assert (code, complained) == (1 if diagnostic else 0, "")
    assert f"error[{diagnostic}]" in shown if diagnostic else "0 errors" in shown
    assert re.search(r"^1 file checked: \d+ errors?, \d+ warnings?$", shown.splitlines()[-1])


@each_class
def test_the_examples_of_a_text_with_mistakes_are_not_run(run: Run, which: str, hostile: str) -> None:
    diagnostic = CLASSES[which][0]
    code, shown, complained = ended(run, "test", hostile)
    assert (code, complained) == (1 if diagnostic else 0, "")
    assert f"error[{diagnostic}]" in shown if diagnostic else "0 examples: 0 passed, 0 failed" in shown


@each_class
@pytest.mark.parametrize("command", ["resolve", "odds"])
def test_play_and_odds_end_or_say_in_one_message_why_not(run: Run, command: str, which: str, hostile: str) -> None:
    diagnostic, played, asked = CLASSES[which]
    message = "the ruleset has errors" if diagnostic else played if command == "resolve" else asked
    seed = ["--seed=1"] if command == "resolve" else []
    code, shown, complained = ended(run, command, hostile, "main", *seed)
    assert code == (2 if message == NO_PROCEDURE else 1 if message else 0)
    assert bool(shown) is not bool(message)
    assert len(complaints(complained)) == bool(message)
    assert message in complained
    assert f"error[{diagnostic}]" in complained or not diagnostic


@each_class
def test_a_layout_needs_a_text_that_can_be_parsed(run: Run, which: str, hostile: str) -> None:
    diagnostic = CLASSES[which][0]
    before = Path(hostile).read_text(encoding="utf-8")
    code, _, complained = ended(run, "fmt", hostile)
    assert code == (diagnostic in OF_SYNTAX)
    assert complaints(complained) == (["enfilade: not formatted because of errors: hostile.rules"] if code else [])
    assert before == Path(hostile).read_text(encoding="utf-8") or not code


@each_class
def test_the_charts_of_a_text_without_mistakes_are_printed(run: Run, which: str, hostile: str) -> None:
    diagnostic = CLASSES[which][0]
    code, shown, complained = ended(run, "chart", hostile, "--format=html")
    assert code == bool(diagnostic)
    assert complaints(complained) == (["enfilade: the ruleset has errors"] if diagnostic else [])
    assert "</html>" in shown or diagnostic


METHODS: Final[dict[str, dict[str, Any]]] = {
    "check": {}, "resolve": {"procedure": "main", "seed": 1}, "odds": {"procedure": "main"},
}  # fmt: skip


def answers(*requests: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers of ``enfilade rpc --untrusted``."""
    lines = [json.dumps({"jsonrpc": "2.0", "id": number, **each}) + "\n" for number, each in enumerate(requests)]
    command = [sys.executable, "-m", "enfilade", "rpc", "--untrusted"]
    done = subprocess.run(command, input="".join(lines), capture_output=True, text=True, check=False, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_each_request_to_the_protocol_has_an_answer() -> None:
    asked = [
        (which, {"method": method, "params": {"ruleset": {"text": HOSTILE[kind][name]}, **more}})
        for which in CLASSES.keys() - {"long chains/procedures"}
        for kind, _, name in [which.partition("/")]
        for method, more in METHODS.items()
    ]
    for (which, request), answer in zip(asked, answers(*(request for _, request in asked)), strict=True):
        diagnostic, played, question = CLASSES[which]
        message = {"resolve": played, "odds": question}.get(str(request["method"]), FINE)
        if request["method"] == "check":
            assert answer["result"]["ok"] is not bool(diagnostic), which
        elif diagnostic:
            assert diagnostic in [found["code"] for found in answer["error"]["data"]["diagnostics"]], which
        else:
            assert ("error" in answer) is bool(message), which
            assert message in answer.get("error", {}).get("message", ""), which


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


@pytest.fixture
def reaching(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file whose rules use another one."""
    folder = tmp_path / "given"
    folder.mkdir()
    for name in ("secret.rules", "given/beside.rules"):
        (tmp_path / name).write_text(SECRET, encoding="utf-8")
    (folder / "link.rules").symlink_to(tmp_path / "secret.rules")
    line = REACHING[request.getfixturevalue("how")].format(folder=tmp_path)
    (folder / "mine.rules").write_text(f"{line}procedure play\n  1. give result = hidden\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    return "mine.rules"


COMMANDS: Final = {
    "check": [], "test": [], "resolve": ["play"], "odds": ["play"], "chart": [], "describe": [], "ledger": [],
}  # fmt: skip


@pytest.mark.parametrize("how", REACHING)
@pytest.mark.parametrize("command", COMMANDS)
def test_rules_use_no_file_that_was_not_handed_over(run: Run, command: str, how: str, reaching: str) -> None:
    code, shown, complained = ended(run, command, reaching, *COMMANDS[command])
    assert code == 1
    assert "error[unknown-module]" in shown + complained
    assert "31415926" not in shown + complained
    assert "lies beside" not in shown + complained


@pytest.mark.parametrize("how", ["the same folder"])
def test_without_the_option_a_file_in_the_same_folder_is_used(run: Run, how: str, reaching: str) -> None:
    assert run("resolve", reaching, "play") == (0, "result  31415926\n", "")


@pytest.mark.parametrize("how", REACHING)
def test_the_layout_of_a_text_needs_no_other_file(run: Run, how: str, reaching: str) -> None:
    assert ended(run, "fmt", "--check", reaching)[0] == 0


@pytest.mark.parametrize("how", ["the whole path"])
def test_the_protocol_reads_no_file_by_its_path(how: str, reaching: str) -> None:
    named, used, handed = answers(
        {"method": "resolve", "params": {"ruleset": str(Path("beside.rules").absolute()), "procedure": "main"}},
        {"method": "check", "params": {"ruleset": {"text": Path(reaching).read_text(encoding="utf-8")}}},
        {
            "method": "resolve",
            "params": {
                "ruleset": {"text": "use beside\nprocedure play\n  1. give result = hidden\n", "files": {"beside.rules": SECRET}},
                "procedure": "play",
            },
        },
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


@pytest.mark.parametrize("how", ["the folder above", "a link", "the same folder"])
def test_only_the_file_that_was_handed_over_is_opened(how: str, reaching: str, tmp_path: Path) -> None:
    own = str(tmp_path / "given" / reaching)
    commands = [[command, own, *words] for command, words in COMMANDS.items()] + [["fmt", "--check", own]]
    program = WATCHED.format(commands=commands, folder=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr.splitlines()[-1] == str([own])
