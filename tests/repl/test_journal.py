"""The journal: what was acknowledged is there after a kill, and a session that is opened stands where it stood."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
from tests.repl.kills import kill_often

from enfilade.language import plain
from enfilade_repl.dispatch import new_session
from enfilade_repl.entry import EntryError
from enfilade_repl.journal import Journal, drop_old_sessions, kept_sessions, new_path
from enfilade_repl.session import Session
from enfilade_repl.session_format import read_journal

HEAD = {"seed": "5", "dice": "ask"}
ENTRIES = (
    "use infantry_attacks", "unit gun: kind artillery, steps 2", "direct_fire fire_value 45, units gun", "", "apply", "undo",
    "redo", "direct_fire fire_value 3", "4 3", "define double = fire_value * 2", "option flanking_fire on", "set dice roll",
    "direct_fire fire_value 22", "2d6", "reroll", "seed 9",
)  # fmt: skip


def kept(path: Path) -> Session:
    return new_session(seed="5", journal=Journal(path, HEAD))


def stands(session: Session) -> tuple[object, ...]:
    table = session.state
    done = [(each.procedure, each.outcome, each.applied) for each in table.resolutions]
    scratch = table.ruleset.scratch if table.ruleset else None
    options = dict(table.ruleset.rules.options) if table.ruleset else None
    return (
        done,
        dict(table.pieces),
        table.seed,
        table.throw,
        scratch,
        options,
        plain([session.prompt]),
        session.settings["dice"],
    )


def opened(path: Path) -> Session:
    session = new_session()
    reply = session.enter(f"open {path}")
    assert reply.code == 0, plain(reply.lines)
    assert "different result" not in plain(reply.lines)
    return session


def test_a_session_opens_where_it_stood_after_every_entry(tmp_path: Path) -> None:
    session = kept(tmp_path / "a.session")
    for number, entry in enumerate(ENTRIES):
        assert session.enter(entry).code == 0, entry
        copy = tmp_path / f"{number}.session"
        copy.write_bytes((tmp_path / "a.session").read_bytes())
        assert stands(opened(copy)) == stands(session), entry


def test_a_session_opens_in_the_middle_of_a_run(tmp_path: Path) -> None:
    session = kept(tmp_path / "a.session")
    for entry in ("use infantry_attacks", "direct_fire", "16", "1"):
        session.enter(entry)
    again = opened(tmp_path / "a.session")
    assert plain([again.prompt]) == plain([session.prompt])
    assert again.state.pending is not None
    for each in (session, again):
        for entry in ("", "", "town", "", "", "4 3"):
            each.enter(entry)
    assert again.state.resolutions[0].outcome == session.state.resolutions[0].outcome


def test_what_is_done_after_opening_is_written_to_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    session = kept(path)
    session.enter("use infantry_attacks")
    session.journal.close()
    first = opened(path)
    first.enter("direct_fire fire_value 3")
    first.enter("4 3")
    assert len(opened(path).state.resolutions) == 1


def test_a_session_that_is_open_elsewhere_is_gone_on_with_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    session = kept(path)
    session.enter("use infantry_attacks")
    other = new_session()
    other.folder = tmp_path / "state"
    assert "open in another session" in plain(other.enter(f"open {path}").lines)
    for each, value in ((session, 3), (other, 45)):
        each.enter(f"direct_fire fire_value {value} on 2 2")
    assert [each.given["fire_value"] for each in opened(path).state.resolutions] == [3]
    assert [len(opened(each).state.resolutions) for each in kept_sessions(tmp_path / "state")] == [1]


def test_a_session_that_was_saved_is_the_last_one_and_is_listed(tmp_path: Path) -> None:
    state = tmp_path / "state"
    session = new_session(seed="5", journal=Journal(new_path(state), HEAD))
    session.folder = state
    for entry in ("use infantry_attacks", "direct_fire fire_value 3 on 4 3", f"save {tmp_path / 'tuesday'}", "seed 4"):
        assert session.enter(entry).code == 0
    session.enter("direct_fire fire_value 4 on 4 3")
    session.journal.close()
    assert list((state / "sessions").iterdir()) == []
    again = new_session()
    again.folder = state
    assert "tuesday" in plain(again.enter("open").lines)
    again.enter("open last")
    assert len(again.state.resolutions) == 2


def test_a_saved_session_is_not_written_over_by_another(tmp_path: Path) -> None:
    for name in ("a", "b"):
        session = new_session(seed="5")
        session.enter("use infantry_attacks")
        session.enter("seed 3")
        code = session.enter(f"save {tmp_path / 'friday'}").code
        assert code == (0 if name == "a" else 2)


def test_the_file_of_an_opened_session_is_watched_and_its_changes_are_told(tmp_path: Path) -> None:
    rules = tmp_path / "duel.rules"
    rules.write_text("procedure duel\n  1. roll d6 as x\n  2. give result = x\n")
    session = kept(tmp_path / "a.session")
    session.enter(f"use {rules}")
    session.enter("duel on 4")
    session.journal.close()
    rules.write_text("procedure duel\n  1. roll d6 as x\n  2. give result = x + 100\n")
    again = new_session()
    assert "has changed since" in plain(again.enter(f"open {tmp_path / 'a.session'}").lines)
    assert again.ruleset.path == rules
    assert "104" in plain(again.enter("reload").lines)


def test_undo_goes_back_beyond_the_opening(tmp_path: Path) -> None:
    session = kept(tmp_path / "a.session")
    for entry in ENTRIES[:5]:
        session.enter(entry)
    again = opened(tmp_path / "a.session")
    for each in (session, again):
        each.enter("undo")
    assert stands(again) == stands(session)


def test_a_session_opens_although_its_rules_have_changed_since(tmp_path: Path) -> None:
    rules = tmp_path / "duel.rules"
    rules.write_text("procedure duel\n  1. roll d6 as x\n  2. give result = x\n")
    session = kept(tmp_path / "a.session")
    for entry in (f"use {rules}", "duel on 4"):
        session.enter(entry)
    rules.write_text("procedure duel\n  1. roll d6 as x\n  2. give result = x + 100\n")
    again = opened(tmp_path / "a.session")
    assert again.last.outcome.result == 4
    rules.unlink()
    assert opened(tmp_path / "a.session").last.outcome.result == 4


def test_a_last_line_that_was_cut_off_is_left_out_and_written_over(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    session = kept(path)
    for entry in ("use infantry_attacks", "direct_fire fire_value 3 on 4 3", "direct_fire fire_value 45 on 2 2"):
        session.enter(entry)
    session.journal.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    again = new_session()
    assert f"The last line of {path} is incomplete" in plain(again.enter(f"open {path}").lines)
    assert len(again.state.resolutions) == 1
    again.enter("direct_fire fire_value 9 on 1 1")
    assert len(opened(path).state.resolutions) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a session file"),
        (b"{}\n", "is not a session file"),
        (b"rules\n", "is not a session file"),
        (b'{"format": "enfilade-session", "version": 99}\n', "later version"),
        (b'{"format": "enfilade-session", "version": 2, "sum": "00000000"}\n', "is not a session file"),
        (b"[" * 100_000 + b"\n", "is not a session file"),
    ],
)
def test_what_is_no_session_is_refused_and_nothing_is_lost(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "a.session"
    path.write_bytes(content)
    with pytest.raises(EntryError, match=message):
        read_journal(path)
    session = new_session()
    session.enter("use infantry_attacks")
    assert session.enter(f"open {path}").code == 2
    assert session.state.ruleset is not None


def test_a_session_in_which_nothing_happened_leaves_no_file(tmp_path: Path) -> None:
    session = kept(tmp_path / "sessions" / "a.session")
    session.enter("help")
    session.enter("nonsense and more")
    assert list(tmp_path.iterdir()) == []


def test_save_writes_a_whole_copy_and_goes_on_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = new_session(seed="1")
    for entry in (
        "use infantry_attacks",
        "direct_fire fire_value 3 on 4 3",
        "save friday",
        "direct_fire fire_value 4 on 4 3",
    ):
        assert session.enter(entry).code == 0
    assert len(opened(tmp_path / "friday.session").state.resolutions) == 2
    other = new_session()
    other.enter("open friday")
    assert len(other.state.resolutions) == 2
    assert session.enter("save missing/friday").code == 2


def test_the_oldest_journals_are_deleted_but_not_of_an_open_session(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    for number in range(60):
        path = folder / f"{number:02}.session"
        path.touch()
        os.utime(path, (number, number))
    session = kept(folder / "00.session")
    assert session.enter("use fire_combat").code == 0
    os.utime(folder / "00.session", (0, 0))
    drop_old_sessions(tmp_path)
    assert sorted(path.stem for path in folder.iterdir()) == ["00", *(f"{number:02}" for number in range(10, 60))]


def test_kept_sessions_are_listed_and_the_last_is_opened(tmp_path: Path) -> None:
    for name, value in (("1", 3), ("2", 45)):
        path = new_path(tmp_path).with_name(f"2026-01-0{name}.session")
        session = kept(path)
        session.enter("use infantry_attacks")
        session.enter(f"direct_fire fire_value {value} on 2 2")
    assert [path.stem for path in kept_sessions(tmp_path)] == ["2026-01-02", "2026-01-01"]
    session = new_session()
    session.folder = tmp_path
    assert "direct_fire: 2X" in plain(session.enter("open").lines)
    session.enter("open last")
    assert session.last.given["fire_value"] == 45
    session.enter("open 2026-01-01")
    assert session.last.given["fire_value"] == 3


def test_a_record_is_one_line_of_json_without_what_a_terminal_would_obey(tmp_path: Path) -> None:
    session = kept(tmp_path / "a.session")
    session.enter("use infantry_attacks")
    session.enter("unit gun\x1b[2J: kind artillery")
    session.enter("direct_fire fire_value 3 on 4 3")
    lines = (tmp_path / "a.session").read_bytes().splitlines()
    assert [json.loads(each).get("entry") for each in lines][1:3] == [
        "use infantry_attacks",
        "unit gun\x1b[2J: kind artillery",
    ]
    assert b"\x1b" not in b"".join(lines)


# ------------------------------------------------------------------------------------------------------------ damaged

PLAYED = (
    "use infantry_attacks", "direct_fire fire_value 3", "", "unit gun: kind artillery, steps 2",
    "direct_fire fire_value 45, units gun", "", "apply", "seed 9", "direct_fire fire_value 22", "",
)  # fmt: skip


def damaged(path: Path, *numbers: int) -> Session:
    """A session with all of PLAYED, some of whose lines are damaged, opened again."""
    session = kept(path)
    for entry in PLAYED:
        assert session.enter(entry).code == 0, entry
    session.journal.close()
    lines = path.read_bytes().split(b"\n")
    for number in numbers:
        lines[number - 1] = lines[number - 1].replace(b"e", b"a", 1)
    path.write_bytes(b"\n".join(lines))
    again = new_session()
    reply = again.enter(f"open {path}")
    assert reply.code == 0
    assert f"Line{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))} of {path}" in plain(reply.lines)
    return again


def rolled(session: Session) -> list[object]:
    return [(each.given["fire_value"], each.outcome.dice) for each in session.state.resolutions]


@pytest.fixture(scope="module")
def all_rolled(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    session = kept(tmp_path_factory.mktemp("whole") / "a.session")
    for entry in PLAYED:
        session.enter(entry)
    return rolled(session)


@pytest.mark.parametrize(
    ("number", "left"),
    [(1, (0, 1, 2)), (3, (1, 2)), (4, (1, 2)), (5, (0, 2)), (6, (0, 2)), (7, (0, 2)), (8, (0, 1, 2)), (9, (0, 1, 2))],
)
def test_combats_after_a_damaged_line_have_the_dice_that_were_shown(
    tmp_path: Path, all_rolled: list[object], number: int, left: tuple[int, ...]
) -> None:
    again = damaged(tmp_path / "a.session", number)
    assert rolled(again) == [all_rolled[at] for at in left]


def test_damaged_lines_stay_in_the_file_and_what_follows_is_added(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    again = damaged(path, 4, 8)
    before = path.read_bytes()
    again.enter("direct_fire fire_value 9 on 1 1")
    assert path.read_bytes().startswith(before)
    assert read_journal(path).damaged == (4, 8)
    again.enter(f"save {tmp_path / 'b.session'}")
    assert read_journal(tmp_path / "b.session").damaged == ()


def test_entries_that_depend_on_a_damaged_line_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    damaged(path, 2)
    reply = new_session().enter(f"open {path}")
    assert "a different result without the damaged lines" in plain(reply.lines)


def test_any_change_of_a_byte_is_found(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    journal = Journal(path, HEAD)
    state = new_session(seed="5").state
    for number in range(2):
        journal.keep(state, state, f"entry {number}", changed=True)
    whole = path.read_bytes()
    first, second = whole.index(b"\n") + 1, whole.index(b"\n", whole.index(b"\n") + 1) + 1
    for at in range(first, second - 1):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        found = read_journal(path)
        assert found.damaged
        assert [each.entry for each in found.records] == ["entry 1"]


def test_a_journal_of_version_1_is_read_and_continued(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    session = kept(path)
    for entry in PLAYED[:3]:
        session.enter(entry)
    session.journal.close()
    head, *records = [json.loads(each) for each in path.read_bytes().splitlines()]
    old = [head | {"version": 1}, *({name: each[name] for name in each if name != "before"} for each in records)]
    text = "".join(json.dumps({name: each[name] for name in each if name != "sum"}) + "\n" for each in old)
    path.write_text(text, encoding="utf-8")
    again = opened(path)
    for entry in PLAYED[3:]:
        again.enter(entry)
    again.journal.close()
    assert path.read_text(encoding="utf-8").startswith(text)
    assert len(opened(path).state.resolutions) == 3


# -------------------------------------------------------------------------------------------------------------- apart


def test_a_journal_that_was_written_to_while_it_was_read_is_continued_in_another_file(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    session = kept(path)
    session.enter("use infantry_attacks")
    stale = read_journal(path)
    session.enter("direct_fire fire_value 3 on 4 3")
    session.journal.close()
    with pytest.raises(EntryError, match="another session has just written"):
        Journal(path, HEAD, stale).take()
    assert len(read_journal(path).records) == 2


def test_a_new_journal_never_writes_over_a_file_that_is_there(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    kept(path).enter("use infantry_attacks")
    before = path.read_bytes()
    other = kept(path)
    other.enter("use infantry_attacks")
    assert other.journal.broken
    assert path.read_bytes() == before


# ------------------------------------------------------------------------------------------------------------- killed


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_killed_session_has_kept_every_combat_that_was_shown(tmp_path: Path) -> None:
    killed = kill_often(4, tmp_path, random.Random(50))
    assert killed.shown >= killed.kills
    assert killed.lost == 0
