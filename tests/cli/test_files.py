"""``enfilade check``, ``test``, ``fmt`` and ``new``: what becomes of files that are no texts, links, and folders.

What they print is on the pages ``check.md`` and ``new.md``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest
from tests.conftest import Run

GOOD: Final = "procedure hit\n  1. roll d6 as dice\n  2. give result = dice\n"
RAGGED: Final = "facts\n   a   1..  -- first\n   night yes/no\n"


@pytest.mark.parametrize("argument", ["nothing.rules", "nul\0byte.rules", "x" * 300, "empty"])
def test_what_is_not_there_is_wrong_usage(argument: str, run: Run, folder: Path) -> None:
    (folder / "empty").mkdir()
    code, shown, complaint = run("check", argument)
    assert (code, shown, complaint.count("\n")) == (2, "", 1)
    assert complaint.startswith("enfilade: ")


def test_a_folder_is_walked_without_its_hidden_ones_and_a_file_is_checked_once(run: Run, folder: Path) -> None:
    for name in ("good.rules", "below/more.rules", ".hidden/not.rules"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(GOOD)
    assert run("check", "good.rules", ".", "below")[1] == "2 files checked: 0 errors, 0 warnings\n"
    assert run("check")[1] == "2 files checked: 0 errors, 0 warnings\n"


def test_a_file_that_is_not_utf8_is_a_diagnostic_and_so_is_a_module(run: Run, folder: Path) -> None:
    (folder / "good.rules").write_text(GOOD)
    (folder / "latin.rules").write_bytes('facts\n  n "für"\n'.encode("latin-1"))
    (folder / "user.rules").write_text("use latin\n")
    code, shown, _ = run("check", "latin.rules")
    assert code == 1
    assert "error[not-utf8]" in shown
    assert "latin.rules:2:7" in shown
    # Colours are for terminals.
    assert "\x1b" not in shown
    code, shown, _ = run("check", "user.rules")
    assert (code, "error[not-utf8]" in shown) == (1, True)
    assert run("test", "latin.rules", "good.rules")[0] == 2


def test_a_link_that_goes_round_in_circles_can_not_be_read(run: Run, folder: Path) -> None:
    (folder / "good.rules").write_text(GOOD)
    (folder / "loop.rules").symlink_to("loop.rules")
    code, shown, complaint = run("check", "loop.rules", "good.rules")
    assert code == 2
    assert complaint.startswith("enfilade: loop.rules can't be read: ")
    assert "1 file checked" in shown


def test_a_link_in_a_folder_that_leads_out_of_it_is_not_read_unless_it_is_named(run: Run, folder: Path) -> None:
    (folder / "secret.txt").write_text("secret 31415926\n")
    game = folder / "game"
    game.mkdir()
    (game / "good.rules").write_text(GOOD)
    (game / "link.rules").symlink_to("../secret.txt")
    code, shown, complaint = run("check", "game")
    assert (code, "1 file checked" in shown, "31415926" in shown + complaint) == (2, True, False)
    assert complaint.splitlines() == [
        "enfilade: game/link.rules can't be read: it is a link that leads out of game; name the file itself"
    ]
    assert run("check", "game/link.rules")[0] == 1
    (game / "game.rules").symlink_to("../secret.txt")
    assert run("describe", "game")[::2] == (
        2, "enfilade: game/game.rules can't be read: it is a link that leads out of game; name the file itself\n"
    )  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no such modes")
def test_a_layout_keeps_the_mode_of_a_file_and_its_link_and_leaves_nothing_behind(run: Run, folder: Path) -> None:
    ragged, link = folder / "ragged.rules", folder / "link.rules"
    ragged.write_text(RAGGED)
    ragged.chmod(0o640)
    link.symlink_to(ragged.name)
    run("fmt", "link.rules")
    assert (link.is_symlink(), ragged.read_text() != RAGGED, ragged.stat().st_mode & 0o777) == (True, True, 0o640)
    assert {path.name for path in folder.iterdir()} == {"ragged.rules", "link.rules"}


@pytest.mark.parametrize("content", [b"", b"no chart at all", b"\xff\xfe"])
def test_a_text_without_a_chart_is_bad_input(content: bytes, run: Run, folder: Path) -> None:
    (folder / "pasted.txt").write_bytes(content)
    code, _, complaint = run("new", "fire", "--from", "pasted.txt")
    assert (code, [path.name for path in folder.iterdir()]) == (2, ["pasted.txt"])
    assert complaint.startswith("enfilade: pasted.txt")


def test_a_name_that_rules_can_not_have_leaves_no_file(run: Run, folder: Path) -> None:
    for name in ("2nd_game", "my game", "für", ".."):
        assert run("new", name)[0] == 2, name
    assert list(folder.iterdir()) == []
