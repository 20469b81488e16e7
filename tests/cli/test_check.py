"""``enfilade check``, ``test`` and ``explain``: what is wrong with rules, in text, as JSON, and for a code host."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import pytest

Run: TypeAlias = Callable[..., tuple[int, str, str]]

GOOD: Final = """\
facts
  strength  1..6
procedure hit
  1. roll d6 as dice
  2. give result = dice + strength

example hit "adds"
  given strength 2
  on 3
  gives 5
  chance of result is 8 = 1/6
"""
WARNED: Final = GOOD.replace("facts\n", "facts\n  unused  yes/no\n")
WRONG: Final = GOOD.replace("+ strength", "+ strenght")
FAILING: Final = GOOD.replace("gives 5", "gives 6")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("good", GOOD), ("warned", WARNED), ("wrong", WRONG), ("failing", FAILING)):
        (tmp_path / f"{name}.rules").write_text(text)
    return tmp_path


# ------------------------------------------------------------------------------------------------------- check


def test_rules_without_mistakes_end_with_nought(run: Run, folder: Path) -> None:
    assert run("check", "good.rules") == (0, "1 file checked: 0 errors, 0 warnings\n", "")


def test_a_mistake_is_shown_at_its_place_and_ends_with_one(run: Run, folder: Path) -> None:
    code, shown, _ = run("check", "wrong.rules")
    assert code == 1
    assert "error[unknown-name]" in shown
    assert "--> wrong.rules:5:27" in shown
    assert shown.endswith("1 file checked: 1 error, 0 warnings\n")


def test_a_warning_fails_the_check_only_when_told_to(run: Run, folder: Path) -> None:
    assert run("check", "warned.rules")[0] == 0
    assert run("check", "warned.rules", "--strict")[0] == 1


def test_a_folder_is_walked_and_a_file_is_checked_once(run: Run, folder: Path) -> None:
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "not.rules").write_text(WRONG)
    (folder / "below").mkdir()
    (folder / "below" / "more.rules").write_text(GOOD)
    assert run("check", "good.rules", ".", "below")[1].endswith("5 files checked: 1 error, 1 warning\n")


def test_without_paths_the_working_folder_is_checked(run: Run, folder: Path) -> None:
    assert run("check")[1].endswith("4 files checked: 1 error, 1 warning\n")


def test_the_mistake_of_a_module_is_reported_once(run: Run, folder: Path) -> None:
    (folder / "user.rules").write_text("use wrong\n")
    assert run("check", "user.rules", "wrong.rules")[1].endswith("2 files checked: 1 error, 0 warnings\n")


def test_diagnostics_are_json(run: Run, folder: Path) -> None:
    code, shown, _ = run("check", "wrong.rules", "good.rules", "--format", "json")
    data = json.loads(shown)
    assert (code, data["files"], data["errors"], data["warnings"]) == (1, 2, 1, 0)
    assert [(d["file"], d["line"], d["code"]) for d in data["diagnostics"]] == [("wrong.rules", 5, "unknown-name")]
    assert run("check", "wrong.rules", "good.rules", "--json")[1] == shown


def test_diagnostics_are_annotations_of_a_code_host(run: Run, folder: Path) -> None:
    shown = run("check", "wrong.rules", "--format", "github")[1]
    assert shown.startswith("::error file=wrong.rules,line=5,col=27,")
    assert len(shown.splitlines()) == 1


def test_a_shipped_ruleset_goes_by_its_name(run: Run, folder: Path) -> None:
    assert run("check", "infantry_attacks")[0] == 0


@pytest.mark.parametrize("argument", ["nothing.rules", "infantry_atacks", "nul\0byte.rules", "x" * 300, "empty"])
def test_what_is_not_there_is_wrong_usage(argument: str, run: Run, folder: Path) -> None:
    (folder / "empty").mkdir()
    code, shown, complaint = run("check", argument)
    assert (code, shown) == (2, "")
    assert complaint.startswith("enfilade: ")
    assert complaint.count("\n") == 1


def test_a_slip_in_a_name_is_answered_with_the_nearest(run: Run, folder: Path) -> None:
    assert "did you mean infantry_attacks?" in run("check", "infantry_atacks")[2]


def test_a_file_that_is_not_utf8_is_a_diagnostic(run: Run, folder: Path) -> None:
    (folder / "latin.rules").write_bytes('facts\n  n "für"\n'.encode("latin-1"))
    code, shown, _ = run("check", "latin.rules")
    assert code == 1
    assert "error[not-utf8]" in shown
    assert "latin.rules:2:7" in shown


def test_a_module_that_is_not_utf8_is_a_diagnostic_too(run: Run, folder: Path) -> None:
    (folder / "latin.rules").write_bytes(b"\xff")
    (folder / "user.rules").write_text("use latin\n")
    code, shown, _ = run("check", "user.rules")
    assert code == 1
    assert "error[not-utf8]" in shown


def test_a_link_that_goes_round_in_circles_can_not_be_read(run: Run, folder: Path) -> None:
    (folder / "loop.rules").symlink_to("loop.rules")
    code, shown, complaint = run("check", "loop.rules", "good.rules")
    assert code == 2
    assert complaint.startswith("enfilade: loop.rules can't be read: ")
    assert "1 file checked" in shown


def test_colours_are_for_terminals(run: Run, folder: Path) -> None:
    assert "\x1b" not in run("check", "wrong.rules")[1]


# -------------------------------------------------------------------------------------------------------- test


def test_examples_that_pass_end_with_nought(run: Run, folder: Path) -> None:
    code, shown, _ = run("test", "good.rules")
    assert code == 0
    assert shown.splitlines()[-1] == "1 example: 1 passed, 0 failed"


def test_an_example_that_fails_says_what_was_expected_and_what_came(run: Run, folder: Path) -> None:
    code, shown, _ = run("test", "failing.rules")
    assert code == 1
    assert "error[example-failed]: expected 6, but the result was 5" in shown
    assert "--> failing.rules:10:3" in shown
    assert "dice 3" in shown


def test_rules_with_mistakes_are_not_run(run: Run, folder: Path) -> None:
    code, shown, _ = run("test", "wrong.rules", "good.rules")
    assert code == 1
    assert "wrong.rules  not run: 1 error" in shown
    assert "good.rules   1 of 1 example passed" in shown


def test_results_are_json(run: Run, folder: Path) -> None:
    code, shown, _ = run("test", "good.rules", "failing.rules", "--json")
    data = json.loads(shown)
    assert (code, data["passed"], data["failed"]) == (1, 1, 1)
    failing = data["files"][1]["examples"][0]
    assert (failing["label"], failing["passed"], failing["failures"][0]["line"]) == ("adds", False, 10)


def test_coverage_is_shown_on_request(run: Run, folder: Path) -> None:
    assert "coverage of good.rules" in run("test", "good.rules", "--coverage")[1]
    data = json.loads(run("test", "good.rules", "--coverage", "--json")[1])
    assert data["files"][0]["coverage"]["procedures"] == {"used": 1, "total": 1, "percent": 100, "never": []}


def test_a_file_that_can_not_be_read_ends_a_test_with_two(run: Run, folder: Path) -> None:
    (folder / "latin.rules").write_bytes(b"\xff")
    assert run("test", "latin.rules", "good.rules")[0] == 2


# ----------------------------------------------------------------------------------------------------- explain


def test_a_diagnostic_is_explained(run: Run) -> None:
    code, shown, _ = run("explain", "look-alike")
    assert code == 0
    assert shown.startswith("# look-alike\n")


def test_all_diagnostics_are_listed(run: Run) -> None:
    assert any(line.startswith("look-alike ") for line in run("explain")[1].splitlines())


def test_an_unknown_diagnostic_is_answered_with_the_nearest(run: Run) -> None:
    code, _, complaint = run("explain", "look-alikes")
    assert code == 2
    assert "did you mean look-alike?" in complaint


def test_a_file_with_charts_that_nothing_plays_is_warned_of(folder: Path, run: Run) -> None:
    (folder / "charts.rules").write_text("chart t\n  down  d6\n  | d6  | R |\n  | 1-6 | A |\n")
    code, out, _ = run("check", "charts.rules")
    assert code == 0
    assert "warning[nothing-to-play]" in out


def test_a_module_of_definitions_is_not_warned_of(folder: Path, run: Run) -> None:
    (folder / "module.rules").write_text("define speed = 1\n")
    assert "0 warnings" in run("check", "module.rules")[1]


def test_a_mistake_above_a_table_of_cases_is_told_once_for_all_rows(folder: Path, run: Run) -> None:
    table = '\nexamples hit "adds"\n  given night 2\n  | strength | on | gives |\n' + "".join(
        f"  | {n} | 3 | {n + 3} |\n" for n in (1, 2, 3)
    )
    (folder / "table.rules").write_text(GOOD.replace("facts\n", "facts\n  night  0..\n") + table)
    code, out, _ = run("test", "table.rules")
    assert code == 1
    assert out.count("night is not used here") == 1
    assert "also in 2 other places: lines" in out
