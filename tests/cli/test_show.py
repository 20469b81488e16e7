"""``enfilade chart``, ``describe`` and ``completion``: what a ruleset and the command line have to show."""

import csv
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from enfilade.cli.commands import COMMANDS

Run: TypeAlias = Callable[..., tuple[int, str, str]]

COLUMNS: Final = ["1", "2", "4", "7", "11", "16", "22", "30", "45+"]


# ------------------------------------------------------------------------------------------------------- chart


def test_charts_are_listed(run: Run) -> None:
    assert run("chart", "infantry_attacks") == (0, "direct_fire_table  Direct Fire Table\n", "")
    listed = json.loads(run("chart", "infantry_attacks", "--json")[1])
    assert listed == [{"name": "direct_fire_table", "title": "Direct Fire Table"}]


def test_the_direct_fire_table_is_json_as_it_is_printed(run: Run) -> None:
    code, shown, _ = run("chart", "infantry_attacks", "direct_fire_table", "--format", "json")
    data = json.loads(shown)
    assert (code, list(data)) == (0, ["name", "title", "rows", "columns", "cells"])
    assert data["rows"] == [str(number) for number in range(2, 13)]
    assert data["columns"] == COLUMNS
    assert sum(map(len, data["cells"])) == 99
    assert data["cells"][0] == ["M", "M1", "M1", "X", "X", "2X", "2X", "3X", "3X"]
    assert shown.isascii()


@pytest.mark.parametrize("paper", [None, "a5"])
def test_a_card_is_a_pdf_if_something_here_can_print_one(paper: str | None) -> None:
    command = [sys.executable, "-m", "enfilade", "chart", "infantry_attacks", "--format", "pdf"]
    done = subprocess.run(
        [*command, *(() if paper is None else ("--paper", paper))], capture_output=True, timeout=120, check=False
    )
    if b"a PDF needs" in done.stderr:
        pytest.skip("no WeasyPrint, Chromium, Chrome or Edge")
    assert done.stdout.startswith(b"%PDF-")
    assert done.returncode == 0


def test_without_anything_that_prints_a_pdf_the_message_tells_what_to_do(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("enfilade.cli.pdf.find_spec", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    code, shown, told = run("chart", "infantry_attacks", "--format", "pdf")
    assert (code, shown) == (2, "")
    assert "pip install 'enfilade[pdf]'" in told
    assert "--format html" in told


def test_a_chart_is_text_markdown_and_comma_separated(run: Run) -> None:
    text = run("chart", "infantry_attacks", "direct_fire_table")[1].splitlines()
    assert text[1].split() == ["Roll", *COLUMNS]
    markdown = run("chart", "infantry_attacks", "direct_fire_table", "--format", "markdown")[1].splitlines()
    assert markdown[2].strip("| ").split(" | ") == ["Roll", *COLUMNS]
    rows = list(csv.reader(run("chart", "infantry_attacks", "direct_fire_table", "--format", "csv")[1].splitlines()))
    assert rows[0] == ["Roll", *COLUMNS]
    assert len(rows) == 12


def test_a_ruleset_without_a_chart_named_is_printed_as_a_card(run: Run) -> None:
    code, page, _ = run("chart", "infantry_attacks", "--format", "html")
    assert code == 0
    assert page.startswith("<!DOCTYPE html>")
    assert page.endswith("</html>\n")
    markdown = run("chart", "infantry_attacks", "--format", "markdown")[1]
    for words in (
        "Direct Fire Table",
        "Target hex is swamp",
        "Step losses",
        "the column 45+ has no upper end, so nothing lies beyond it",
    ):
        assert words in page
        assert words in markdown


def test_one_chart_is_printed_as_a_card_without_the_rest(run: Run) -> None:
    code, page, _ = run("chart", "infantry_attacks", "direct_fire_table", "--format", "html")
    assert code == 0
    assert "Target hex is swamp" in page
    assert "Options" not in page
    assert (
        "did you mean direct_fire_table?"
        in run("chart", "infantry_attacks", "direct_fire_tabel", "--format", "html")[2]
    )


def test_the_help_says_what_a_chart_without_a_name_is(run: Run) -> None:
    assert "html, pdf and markdown print a reference card of all" in " ".join(run("chart", "--help")[1].split())


def test_an_unknown_chart_is_answered_with_the_nearest(run: Run) -> None:
    code, _, complaint = run("chart", "infantry_attacks", "direct_fire_tabel")
    assert code == 2
    assert "did you mean direct_fire_table?" in complaint


# ---------------------------------------------------------------------------------------------------- describe


def test_a_ruleset_is_described(run: Run) -> None:
    code, shown, _ = run("describe", "infantry_attacks")
    assert code == 0
    for words in ("procedure direct_fire Direct Fire", "fire_value", "required", "0..2", "[17.6]", "record unit"):
        assert words in shown


def test_the_procedures_of_a_module_are_described_after_those_of_the_game(run: Run, tmp_path: Path) -> None:
    game = tmp_path / "game.rules"
    game.write_text("use rally\nuse hits\nprocedure volley\n  1. give result = 1\n")
    (tmp_path / "rally.rules").write_text('procedure regroup "Regroup"\n  1. give result = 2\n')
    lines = run("describe", str(game))[1].splitlines()
    headings = [line for line in lines if line.startswith(("procedure", "from"))]
    # Those of the library are for the game's own procedures to call.
    assert headings == ["procedure volley", "from rally.rules:", "procedure regroup Regroup"]


def test_a_module_of_the_standard_library_goes_by_its_name(run: Run) -> None:
    code, shown, _ = run("describe", "odds")
    assert code == 0
    assert "odds_for_defender(attack, defence)" in shown
    assert "odds, rounded for the defender" in shown
    assert run("check", "odds")[0] == 0
    assert run("check", "od_ds")[0] == 2


def test_a_procedure_is_described_with_its_records_and_no_other_things(run: Run) -> None:
    shown = run("describe", "infantry_attacks", "direct_fire")[1]
    assert shown.startswith("procedure direct_fire")
    assert "record unit" in shown
    assert "options" not in shown


def test_a_description_ends_with_what_to_type(run: Run) -> None:
    shown = run("describe", "emperor_musketry", "musketry_exchange")[1].splitlines()
    assert shown[-2] == "to play the procedure (leave out what you don't need):"
    assert shown[-1].startswith("  enfilade resolve emperor_musketry musketry_exchange a.formation=... a.lives=...")


def test_an_event_is_described(run: Run) -> None:
    code, shown, _ = run("describe", "bombardment", "unit_moved_into_contact")
    assert code == 0
    assert shown.startswith("event unit_moved_into_contact")
    assert shown.endswith("  enfilade resolve bombardment unit_moved_into_contact bv=...\n")
    assert json.loads(run("describe", "bombardment", "unit_moved_into_contact", "--json")[1])["name"]


def test_a_description_is_json_enough_for_a_form(run: Run) -> None:
    data = json.loads(run("describe", "infantry_attacks", "--json")[1])
    assert [option["name"] for option in data["options"]] == ["flanking_fire", "low_edge"]
    procedure = json.loads(run("describe", "infantry_attacks", "direct_fire", "--json")[1])
    assert procedure == data["procedures"][0]
    companies = next(each for each in procedure["inputs"] if each["name"] == "companies")
    assert companies.items() >= {"type": "0..2", "default": 0, "required": False, "cites": ["4.2"]}.items()
    assert procedure["schema"]["required"] == ["fire_value"]


def test_a_ruleset_with_mistakes_is_not_described(run: Run, tmp_path: Path) -> None:
    (tmp_path / "wrong.rules").write_text("procedure p\n  1. give a = b\n")
    code, shown, complaint = run("describe", str(tmp_path / "wrong.rules"))
    assert (code, shown) == (1, "")
    assert complaint.endswith("enfilade: the ruleset has errors\n")


def test_a_folder_stands_for_its_one_main_file(run: Run, tmp_path: Path) -> None:
    game = tmp_path / "game"
    game.mkdir()
    (game / "first.rules").write_text('ruleset first "First"\n')
    assert run("describe", str(game))[1] == "first  First\n"
    (game / "second.rules").write_text('ruleset second "Second"\n')
    assert run("describe", str(game))[0] == 2
    (game / "game.rules").write_text('ruleset game "Game"\n')
    assert run("describe", str(game))[1] == "game  Game\n"


# -------------------------------------------------------------------------------------------------- completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_knows_every_command_and_option(shell: str, run: Run) -> None:
    code, script, _ = run("completion", shell)
    assert code == 0
    for command in COMMANDS:
        assert command.name in script
        for argument in command.arguments:
            if argument.name.startswith("--"):
                assert argument.name.lstrip("-") in script
    assert "infantry_attacks" in script


def test_without_shtab_a_completion_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    told = "completion scripts need shtab; install it with: pip install 'enfilade[completion]'"
    assert run("completion", "bash") == (2, "", f"enfilade: {told}\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_read_its_completion(shell: str, run: Run, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    path = tmp_path / "completion"
    path.write_text(run("completion", shell)[1])
    assert subprocess.run([shell, "-n", str(path)], capture_output=True, text=True).stderr == ""


def test_bash_completes_commands_options_words_and_rulesets(run: Run, tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    script = run("completion", "bash")[1]

    def completed(*words: str) -> set[str]:
        line = " ".join(f"'{word}'" for word in ("enfilade", *words))
        ask = f"COMP_WORDS=({line}); COMP_CWORD={len(words)}; _shtab_enfilade; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        done = subprocess.run(["bash", "-c", script + ask], capture_output=True, text=True, cwd=tmp_path)
        return set(done.stdout.split())

    assert completed("ch") == {"check", "chart"}
    assert completed("check", "--f") == {"--format"}
    assert completed("check", "--format", "") == {"text", "json", "github"}
    assert completed("resolve", "inf") == {"infantry_attacks"}
    assert completed("explain", "look") == {"look-alike"}
    (tmp_path / "infantry.rules").touch()
    assert completed("resolve", "inf") == {"infantry_attacks", "infantry.rules"}
