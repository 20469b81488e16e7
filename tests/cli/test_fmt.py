"""``enfilade fmt``: files are written over whole or not at all, and only when that is asked for."""

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import pytest

Run: TypeAlias = Callable[..., tuple[int, str, str]]

RAGGED: Final = "facts\n   a   1..  -- first\n   night yes/no\n"
BROKEN: Final = 'facts\n   a   1..  "oops" oops oops\n'
SCANNED: Final = "chart t\n  down  d6\n  | d | E |\n  | 1-6 | \N{CYRILLIC CAPITAL LETTER EM} |\n"


@pytest.fixture
def ragged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "ragged.rules"
    path.write_text(RAGGED)
    return path


def test_a_file_is_laid_out_in_place_and_then_left_alone(run: Run, ragged: Path) -> None:
    assert run("fmt", "ragged.rules") == (0, "ragged.rules formatted\n1 file: 1 changed\n", "")
    tidy = ragged.read_text()
    assert tidy != RAGGED
    assert "-- first" in tidy
    assert run("fmt", "ragged.rules") == (0, "1 file: 0 changed\n", "")
    assert ragged.read_text() == tidy


def test_a_check_writes_nothing_and_fails_where_something_would_change(run: Run, ragged: Path) -> None:
    assert run("fmt", "--check", "ragged.rules")[0] == 1
    assert ragged.read_text() == RAGGED
    run("fmt", "ragged.rules")
    assert run("fmt", "--check", "ragged.rules")[0] == 0


def test_a_diff_shows_what_would_change(run: Run, ragged: Path) -> None:
    code, shown, _ = run("fmt", "--diff", "ragged.rules")
    assert code == 1
    assert {"--- ragged.rules", "-   night yes/no", "+  night  yes/no"} <= set(shown.splitlines())
    assert ragged.read_text() == RAGGED


def test_the_input_is_laid_out_on_the_output(run: Run, ragged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RAGGED.encode())))
    shown = run("fmt", "-")[1]
    run("fmt", "ragged.rules")
    assert shown == ragged.read_text()


def test_a_file_with_mistakes_is_left_as_it_was(run: Run, ragged: Path) -> None:
    ragged.write_text(BROKEN)
    code, _, complaint = run("fmt", "ragged.rules")
    assert (code, ragged.read_text()) == (1, BROKEN)
    assert "ragged.rules:2:" in complaint
    assert "not formatted because of errors: ragged.rules" in complaint


def test_look_alike_letters_are_replaced_on_request_only(run: Run, ragged: Path) -> None:
    ragged.write_text(SCANNED, encoding="utf-8")
    run("fmt", "ragged.rules")
    assert "\N{CYRILLIC CAPITAL LETTER EM}" in ragged.read_text(encoding="utf-8")
    run("fmt", "--fix", "ragged.rules")
    assert ragged.read_text(encoding="utf-8").isascii()


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no such modes")
def test_a_file_keeps_its_mode_and_a_link_stays_a_link(run: Run, ragged: Path) -> None:
    ragged.chmod(0o640)
    link = ragged.with_name("link.rules")
    link.symlink_to(ragged.name)
    run("fmt", "link.rules")
    assert link.is_symlink()
    assert ragged.read_text() != RAGGED
    assert ragged.stat().st_mode & 0o777 == 0o640


def test_no_other_file_is_left_behind(run: Run, ragged: Path) -> None:
    run("fmt", "ragged.rules")
    assert [path.name for path in ragged.parent.iterdir()] == ["ragged.rules"]
