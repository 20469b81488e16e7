"""``enfilade chart``, ``describe``, ``explain`` and ``completion``: cards, folders and shells.

The texts that they print are on the page ``show.md``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import Run

from enfilade.cli.commands import COMMANDS

CARD = ("chart", "infantry_attacks")


@pytest.mark.thorough
@pytest.mark.parametrize("paper", [[], ["--paper", "a5"]])
def test_a_card_is_a_pdf_if_something_here_can_print_one(paper: list[str]) -> None:
    command = [sys.executable, "-m", "enfilade", *CARD, "--format", "pdf", *paper]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    if b"a PDF needs" in done.stderr:
        pytest.skip("no WeasyPrint, Chromium, Chrome or Edge")
    assert (done.returncode, done.stdout[:5]) == (0, b"%PDF-")


def test_without_anything_that_prints_a_pdf_the_message_tells_what_to_do(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("enfilade.cli.pdf.find_spec", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    code, shown, told = run(*CARD, "--format", "pdf")
    assert (code, shown) == (2, "")
    assert "pip install 'enfilade[pdf]'" in told
    assert "--format html" in told


def test_without_a_chart_named_all_are_a_card_and_with_one_it_is_alone(run: Run) -> None:
    code, page, _ = run(*CARD, "--format", "html")
    assert (code, page[:15], page[-8:]) == (0, "<!DOCTYPE html>", "</html>\n")
    for words in ("Direct Fire Table", "Target hex is swamp", "Step losses", "so nothing lies beyond it"):
        assert words in page
        assert words in run(*CARD, "--format", "markdown")[1]
    lone = run(*CARD, "direct_fire_table", "--format", "html")[1]
    assert "Target hex is swamp" in lone
    assert "Options" in page
    assert "Options" not in lone
    assert "html, pdf and markdown print a reference card of all" in " ".join(run("chart", "--help")[1].split())


def test_a_folder_stands_for_its_one_main_file(run: Run, folder: Path) -> None:
    game = folder / "game"
    game.mkdir()
    (game / "first.rules").write_text('ruleset first "First"\n')
    assert run("describe", str(game))[1] == "first  First\n"
    (game / "second.rules").write_text('ruleset second "Second"\n')
    assert run("describe", str(game))[0] == 2
    (game / "game.rules").write_text('ruleset game "Game"\n')
    assert run("describe", str(game))[1] == "game  Game\n"


def test_an_event_is_described_as_data(run: Run) -> None:
    shown = run("describe", "bombardment", "unit_moved_into_contact", "--json")[1]
    assert '"name": "unit_moved_into_contact"' in shown


def test_a_diagnostic_is_explained_and_all_are_listed(run: Run) -> None:
    code, shown, _ = run("explain", "look-alike")
    assert (code, shown[:13]) == (0, "# look-alike\n")
    assert any(line.startswith("look-alike ") for line in run("explain")[1].splitlines())
    code, _, complaint = run("explain", "look-alikes")
    assert (code, "did you mean look-alike?" in complaint) == (2, True)


# -------------------------------------------------------------------------------------------------- completion


def test_without_shtab_a_completion_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    told = "completion scripts need shtab; install it with: pip install 'enfilade[completion]'"
    assert run("completion", "bash") == (2, "", f"enfilade: {told}\n")


@pytest.mark.thorough
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_knows_every_command_and_option_and_its_shell_can_read_it(
    shell: str, run: Run, folder: Path
) -> None:
    code, script, _ = run("completion", shell)
    assert code == 0
    options = {argument.name for command in COMMANDS for argument in command.arguments if argument.name[:2] == "--"}
    words = {"infantry_attacks", *(command.name for command in COMMANDS), *(name.lstrip("-") for name in options)}
    assert {word for word in words if word not in script} == set()
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (folder / "completion").write_text(script)
    assert subprocess.run([shell, "-n", "completion"], capture_output=True, text=True).stderr == ""


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_options_words_and_rulesets(run: Run, folder: Path) -> None:
    script = run("completion", "bash")[1]
    (folder / "inf.rules").touch()
    for words, completed in (
        (["ch"], {"check", "chart"}),
        (["check", "--f"], {"--format"}),
        (["check", "--format", ""], {"text", "json", "github"}),
        (["resolve", "infantry"], {"infantry_attacks"}),
        (["explain", "look"], {"look-alike"}),
        (["resolve", "inf"], {"infantry_attacks", "inf.rules"}),
    ):
        line = " ".join(f"'{word}'" for word in ("enfilade", *words))
        ask = f"COMP_WORDS=({line}); COMP_CWORD={len(words)}; _shtab_enfilade; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        done = subprocess.run(["bash", "-c", script + ask], capture_output=True, text=True)
        assert set(done.stdout.split()) == completed
