"""The journal: what was acknowledged is there after a kill, and a session that is opened stands where it stood."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Sequence
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


USE = "use infantry_attacks"
DUEL = "procedure duel\n  1. roll d6 as x\n  2. give result = x"


def kept(path: Path, *entries: str) -> Session:
    """A session that keeps a journal, and in which something was entered."""
    return entered(new_session(seed="5", journal=Journal(path, HEAD)), *entries)


def entered(session: Session, *entries: str) -> Session:
    for entry in entries:
        assert session.enter(entry).code == 0, entry
    return session


def closed(path: Path, *entries: str) -> None:
    kept(path, *entries).journal.close()


def said(session: Session, entry: str) -> str:
    return plain(session.enter(entry).lines)


def in_folder(folder: Path) -> Session:
    session = new_session()
    session.folder = folder
    return session


def fire_values(session: Session) -> list[object]:
    return [each.given["fire_value"] for each in session.state.resolutions]


def stands(session: Session) -> tuple[object, ...]:
    table = session.state
    return (
        [(each.procedure, each.outcome, each.applied) for each in table.resolutions],
        dict(table.pieces),
        table.seed,
        table.throw,
        table.ruleset.scratch if table.ruleset else None,
        dict(table.ruleset.rules.options) if table.ruleset else None,
        plain([session.prompt]),
        session.settings["dice"],
    )


def opened(path: Path) -> Session:
    session = new_session()
    reply = session.enter(f"open {path}")
    assert reply.code == 0, plain(reply.lines)
    assert "different result" not in plain(reply.lines)
    return session


@pytest.mark.parametrize(
    "numbers",
    [
        pytest.param((4, 8, 15), id="after some"),
        pytest.param(range(0, len(ENTRIES), 2), id="after every second", marks=pytest.mark.thorough),
    ],
)
def test_a_session_opens_where_it_stood_after_an_entry(tmp_path: Path, numbers: Sequence[int]) -> None:
    session = kept(tmp_path / "a.session")
    for number, entry in enumerate(ENTRIES):
        entered(session, entry)
        if number not in numbers:
            continue
        copy = tmp_path / f"{number}.session"
        copy.write_bytes((tmp_path / "a.session").read_bytes())
        assert stands(opened(copy)) == stands(session), entry


def test_a_session_opens_in_the_middle_of_a_run(tmp_path: Path) -> None:
    session = kept(tmp_path / "a.session", USE, "direct_fire", "16", "1")
    again = opened(tmp_path / "a.session")
    assert again.state.pending is not None
    assert plain([again.prompt]) == plain([session.prompt])
    for each in (session, again):
        entered(each, "", "", "town", "", "", "4 3")
    assert again.last.outcome == session.last.outcome


def test_what_is_done_after_opening_is_written_to_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    closed(path, USE)
    entered(opened(path), "direct_fire fire_value 3", "4 3")
    assert fire_values(opened(path)) == [3]


def test_a_session_that_is_open_elsewhere_is_gone_on_with_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    session, other = kept(path, USE), in_folder(tmp_path / "state")
    assert "open in another session" in said(other, f"open {path}")
    entered(session, "direct_fire fire_value 3 on 2 2")
    entered(other, "direct_fire fire_value 45 on 2 2")
    assert fire_values(opened(path)) == [3]
    assert [fire_values(opened(each)) for each in kept_sessions(tmp_path / "state")] == [[45]]


def test_a_session_that_was_saved_is_the_last_one_and_is_listed(tmp_path: Path) -> None:
    state = tmp_path / "state"
    session = new_session(seed="5", journal=Journal(new_path(state), HEAD))
    session.folder = state
    entered(session, USE, "direct_fire 3 on 4 3", f"save {tmp_path / 'tuesday'}", "seed 4", "direct_fire 4 on 4 3")
    session.journal.close()
    assert list((state / "sessions").iterdir()) == []
    again = in_folder(state)
    assert "tuesday" in said(again, "open")
    assert fire_values(entered(again, "open last")) == [3, 4]


def test_a_saved_session_is_not_written_over_by_another(tmp_path: Path) -> None:
    codes = [entered(new_session(), USE).enter(f"save {tmp_path / 'friday'}").code for _ in range(2)]
    assert codes == [0, 2]


def test_the_file_of_an_opened_session_is_watched_and_its_changes_are_told(tmp_path: Path) -> None:
    rules = tmp_path / "duel.rules"
    rules.write_text(DUEL)
    closed(tmp_path / "a.session", f"use {rules}", "duel on 4")
    rules.write_text(f"{DUEL} + 100")
    again = new_session()
    assert "has changed since" in said(again, f"open {tmp_path / 'a.session'}")
    assert again.ruleset.path == rules
    assert "104" in said(again, "reload")


def test_undo_goes_back_beyond_the_opening(tmp_path: Path) -> None:
    session = kept(tmp_path / "a.session", *ENTRIES[:5])
    again = opened(tmp_path / "a.session")
    assert stands(entered(again, "undo")) == stands(entered(session, "undo"))


def test_a_session_opens_although_its_rules_have_changed_since(tmp_path: Path) -> None:
    rules = tmp_path / "duel.rules"
    rules.write_text(DUEL)
    kept(tmp_path / "a.session", f"use {rules}", "duel on 4")
    rules.write_text(f"{DUEL} + 100")
    assert opened(tmp_path / "a.session").last.outcome.result == 4
    rules.unlink()
    assert opened(tmp_path / "a.session").last.outcome.result == 4


def test_a_last_line_that_was_cut_off_is_left_out_and_written_over(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    closed(path, USE, "direct_fire fire_value 3 on 4 3", "direct_fire fire_value 45 on 2 2")
    path.write_bytes(path.read_bytes()[:-9])
    again = new_session()
    assert f"The last line of {path} is incomplete" in said(again, f"open {path}")
    assert fire_values(again) == [3]
    entered(again, "direct_fire fire_value 9 on 1 1")
    assert fire_values(opened(path)) == [3, 9]


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
    session = entered(new_session(), USE)
    assert session.enter(f"open {path}").code == 2
    assert session.state.ruleset is not None


def test_a_session_in_which_nothing_happened_leaves_no_file(tmp_path: Path) -> None:
    session = kept(tmp_path / "sessions" / "a.session", "help")
    session.enter("nonsense and more")
    assert list(tmp_path.iterdir()) == []


def test_save_writes_a_whole_copy_and_goes_on_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = entered(new_session(), USE, "direct_fire 3 on 4 3", "save friday", "direct_fire 4 on 4 3")
    assert fire_values(opened(tmp_path / "friday.session")) == [3, 4]
    assert fire_values(entered(new_session(), "open friday")) == [3, 4]
    assert session.enter("save missing/friday").code == 2


def test_the_oldest_journals_are_deleted_but_not_of_an_open_session(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    for number in range(60):
        path = folder / f"{number:02}.session"
        path.touch()
        os.utime(path, (number, number))
    session = kept(folder / "00.session", "use fire_combat")
    os.utime(folder / "00.session", (0, 0))
    drop_old_sessions(tmp_path)
    assert sorted(path.stem for path in folder.iterdir()) == ["00", *(f"{number:02}" for number in range(10, 60))]
    session.journal.close()


def test_kept_sessions_are_listed_and_the_last_is_opened(tmp_path: Path) -> None:
    for name, value in (("1", 3), ("2", 45)):
        kept(new_path(tmp_path).with_name(f"2026-01-0{name}.session"), USE, f"direct_fire fire_value {value} on 2 2")
    assert [path.stem for path in kept_sessions(tmp_path)] == ["2026-01-02", "2026-01-01"]
    session = in_folder(tmp_path)
    assert "direct_fire: 2X" in said(session, "open")
    assert fire_values(entered(session, "open last")) == [45]
    assert fire_values(entered(session, "open 2026-01-01")) == [3]


def test_the_list_of_sessions_leaves_out_what_was_undone_or_rolled_again(tmp_path: Path) -> None:
    session = kept(new_path(tmp_path), USE)
    entered(session, "direct_fire 16 on 5 6", "direct_fire 16 on 4 3", "undo", "direct_fire 45 on 1 1", "reroll")
    session.journal.close()
    results = [f"direct_fire: {done.outcome.result}" for done in session.state.resolutions]
    assert len(results) == 2
    assert said(in_folder(tmp_path), "open").endswith(f" infantry_attacks 2 combats {results[-1]}")


def test_the_open_session_is_not_called_unknown(tmp_path: Path) -> None:
    session = kept(new_path(tmp_path), USE)
    session.folder = tmp_path
    assert session.journal.path is not None
    assert "is this session" in said(session, f"open {session.journal.path.stem}")


def test_a_record_is_one_line_of_json_without_what_a_terminal_would_obey(tmp_path: Path) -> None:
    gun = "unit gun\x1b[2J: kind artillery"
    session = kept(tmp_path / "a.session", USE)
    session.enter(gun)
    session.enter("direct_fire fire_value 3 on 4 3")
    text = (tmp_path / "a.session").read_bytes()
    assert [json.loads(each).get("entry") for each in text.splitlines()][1:3] == [USE, gun]
    assert b"\x1b" not in text


# ------------------------------------------------------------------------------------------------------------ damaged

PLAYED = (
    "use infantry_attacks", "direct_fire fire_value 3", "", "unit gun: kind artillery, steps 2",
    "direct_fire fire_value 45, units gun", "", "apply", "seed 9", "direct_fire fire_value 22", "",
)  # fmt: skip


def damaged(path: Path, *numbers: int) -> Session:
    """A session with all of PLAYED, some of whose lines are damaged, opened again."""
    closed(path, *PLAYED)
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
    return rolled(kept(tmp_path_factory.mktemp("whole") / "a.session", *PLAYED))


@pytest.mark.parametrize(
    ("number", "left"),
    [(1, (0, 1, 2)), (3, (1, 2)), (4, (1, 2)), (5, (0, 2)), (6, (0, 2)), (7, (0, 2)), (8, (0, 1, 2)), (9, (0, 1, 2))],
)
def test_combats_after_a_damaged_line_have_the_dice_that_were_shown(
    tmp_path: Path, all_rolled: list[object], number: int, left: tuple[int, ...]
) -> None:
    assert rolled(damaged(tmp_path / "a.session", number)) == [all_rolled[at] for at in left]


def test_damaged_lines_stay_in_the_file_and_what_follows_is_added(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    again = damaged(path, 4, 8)
    before = path.read_bytes()
    entered(again, "direct_fire fire_value 9 on 1 1")
    assert path.read_bytes().startswith(before)
    assert read_journal(path).damaged == (4, 8)
    entered(again, f"save {tmp_path / 'b.session'}")
    assert read_journal(tmp_path / "b.session").damaged == ()


def test_entries_that_depend_on_a_damaged_line_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    damaged(path, 5)
    assert "a different result without the damaged lines" in said(new_session(), f"open {path}")


def test_a_damaged_line_of_rules_takes_no_whole_line_along(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    damaged(path, 2)
    told = said(new_session(), f"open {path}")
    assert told.startswith("a: 3 combats, 1 piece on the table")
    assert "Line 2 of" in told
    assert "different result" not in told


def test_a_journal_with_other_ends_of_lines_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    closed(path, *PLAYED)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_journal(path).damaged == ()
    assert said(new_session(), f"open {path}").startswith("a: 3 combats")


def test_four_sessions_on_one_journal_each_keep_their_entries(tmp_path: Path) -> None:
    closed(tmp_path / "a.session", USE, "direct_fire 16 on 4 3")
    sessions = [in_folder(tmp_path) for _ in range(4)]
    for number, session in enumerate(sessions):
        said(session, f"open {tmp_path / 'a.session'}")
        entered(session, f"direct_fire {number + 20} on 4 3")
    paths = [session.journal.path for session in sessions]
    assert len({*paths}) == 4
    for number, path in enumerate(paths):
        assert path is not None
        entries = [each.entry for each in read_journal(path).records]
        assert entries[-1] == f"direct_fire {number + 20} on 4 3"
        assert USE in entries


def test_open_last_opens_the_session_in_which_something_was_played(tmp_path: Path) -> None:
    played = kept(new_path(tmp_path), USE)
    entered(played, "direct_fire 16 on 4 3")
    played.journal.close()
    assert played.journal.path is not None
    looked_in = kept(new_path(tmp_path), USE)
    looked_in.journal.close()
    os.utime(played.journal.path, (1, 1))
    listed = said(in_folder(tmp_path), "open").splitlines()
    assert listed[0].startswith("1 ")
    assert "no combats" in listed[0]
    assert said(in_folder(tmp_path), "open 2").startswith(f"{played.journal.path.stem}: 1 combat")
    os.utime(played.journal.path, (1, 1))
    assert said(in_folder(tmp_path), "open last").startswith(f"{played.journal.path.stem}: 1 combat")


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
    closed(path, *PLAYED[:3])
    head, *records = [json.loads(each) for each in path.read_bytes().splitlines()]
    old = [head | {"version": 1}, *({name: each[name] for name in each if name != "before"} for each in records)]
    text = "".join(json.dumps({name: each[name] for name in each if name != "sum"}) + "\n" for each in old)
    path.write_text(text, encoding="utf-8")
    entered(opened(path), *PLAYED[3:]).journal.close()
    assert path.read_text(encoding="utf-8").startswith(text)
    assert len(opened(path).state.resolutions) == 3


# -------------------------------------------------------------------------------------------------------------- apart


def test_a_journal_that_was_written_to_while_it_was_read_is_continued_in_another_file(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    session = kept(path, USE)
    stale = read_journal(path)
    entered(session, "direct_fire fire_value 3 on 4 3").journal.close()
    with pytest.raises(EntryError, match="another session has just written"):
        Journal(path, HEAD, stale).take()
    assert len(read_journal(path).records) == 2


def test_a_new_journal_never_writes_over_a_file_that_is_there(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    kept(path, USE)
    before = path.read_bytes()
    assert kept(path, USE).journal.broken
    assert path.read_bytes() == before


# ------------------------------------------------------------------------------------------------------------- killed


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_killed_session_has_kept_every_combat_that_was_shown(tmp_path: Path) -> None:
    killed = kill_often(4, tmp_path, random.Random(50))
    assert killed.shown >= killed.kills
    assert killed.lost == 0
