"""An author at the prompt: files that are used and written, and entries that go on; for the rest see `authoring.typed`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.repl.conftest import Typed

from enfilade.language import plain
from enfilade_repl.session import Session

USE = "use infantry_attacks"
RULES = "record unit\n  steps 1..9\nprocedure shoot\n  1. roll d6 as die\n  2. give result = die\n"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.rules"
    path.write_text(RULES, encoding="utf-8")
    return path


def test_a_file_is_used_and_watched_and_a_shipped_ruleset_is_not(session: Session, typed: Typed, mine: Path) -> None:
    typed(f"use {mine}")
    assert session.ruleset.path == mine
    typed(USE)
    assert session.ruleset.path is None


def test_a_file_with_a_letter_that_no_text_has_is_refused(session: Session, mine: Path) -> None:
    mine.write_text("\x00", encoding="utf-8")
    assert "error[" in plain(session.enter(f"use {mine}").lines)
    assert session.state.ruleset is None


def test_an_empty_file_is_a_ruleset_or_is_refused(session: Session, mine: Path) -> None:
    mine.write_text("", encoding="utf-8")
    assert session.enter(f"use {mine}").code in (0, 1)


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("define a = 1", False),
        ("define a", True),
        ("facts", True),
        ("facts\n  a 1..2", True),
        ("facts\n  a 1..2\n", False),
        ('chart crt "CRT"', True),
        ("procedure p", True),
        ("procedure p\n  1. roll d6 as x", True),
        ("die z faces 1..4", False),
        ("record unit", True),
        ("2d6", False),
        ("help", False),
        ("define a = (1 +", False),
        ("define M1\n  cancel", False),
        ("define M1\n  help", False),
    ],
)
def test_whether_an_entry_goes_on_is_the_parsers_word(session: Session, text: str, more: bool) -> None:
    assert session.needs_more(text) is more


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("facts", False),
        ("chart direct_fire_table", False),
        ('chart other "Other"', True),
        ("option flanking_fire on", False),
        ("record played.rules", False),
        ("record played", True),
        ("record played\nodds", False),
        ('record leader "a leader"', True),
    ],
)
def test_words_that_are_commands_too_mean_what_stands_behind_them(
    session: Session, typed: Typed, text: str, more: bool
) -> None:
    typed(USE)
    assert session.needs_more(text) is more


def test_a_combat_is_shared_in_a_file(typed: Typed, tmp_path: Path) -> None:
    text = typed(USE, "direct_fire fire_value 16, terrain town on 4 3", "share")
    typed(f"share {tmp_path / 'shot.txt'}")
    assert (tmp_path / "shot.txt").read_text(encoding="utf-8") == text + "\n"


def test_no_file_of_somebody_else_is_written_over(session: Session, typed: Typed, mine: Path) -> None:
    other = mine.with_name("README.md")
    other.write_text("mine", encoding="utf-8")
    typed(f"use {mine}", "define k = 1", "shoot on 6")
    for command in ("record", "share", "save"):
        for file in (mine, other):
            session.enter(f"{command} {file}")
    assert (mine.read_text(encoding="utf-8"), other.read_text(encoding="utf-8")) == (RULES, "mine")


def test_what_can_not_be_a_file_is_said(session: Session, typed: Typed) -> None:
    typed(USE, "direct_fire 16 on 4 4")
    for command in ("record", "share", "save", "open", "use", "load"):
        for name in ("\x00", "x" * 300):
            assert session.enter(f"{command} {name}.rules").code == 2, (command, name)


@pytest.mark.parametrize(
    "record",
    [
        {"entry": "use infantry_attacks", "rules": [1]},
        {"entry": "use infantry_attacks", "rules": {"infantry_attacks": 3}},
        {"entry": "use infantry_attacks", "rules": {"infantry_attacks": {"a": 1}}},
        {"entry": 3},
        {"entry": "share written.txt"},
        {"entry": "record written.txt"},
        {"entry": "/save written.txt"},
        {"entry": "open theirs.session"},
    ],
)
def test_a_session_of_somebody_else_can_do_no_harm(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record: dict[str, object]
) -> None:
    monkeypatch.chdir(tmp_path)
    head = {"format": "enfilade-session", "version": 1, "seed": "1", "dice": "zzz"}
    text = "".join(json.dumps(each) + "\n" for each in (head, {"entry": "2d6"}, record))
    Path("theirs.session").write_text(text, encoding="utf-8")
    reply = session.enter("open theirs.session")
    assert reply.code in (0, 2)
    assert "Traceback" not in plain(reply.lines)
    assert [each.name for each in tmp_path.iterdir()] == ["theirs.session"]
