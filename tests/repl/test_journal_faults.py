"""A journal on a disk that fails: every call fails in turn, and the file always has what was acknowledged."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from enfilade import EntryError
from enfilade_repl.dispatch import new_session
from enfilade_repl.journal import Journal
from enfilade_repl.session_format import Kept, read_journal

HEAD: Final = {"seed": "5", "dice": "ask"}
FAULTS: Final = [errno.ENOSPC, errno.EIO, errno.EINTR, errno.EROFS]
CALLS: Final = ["open", "write", "fsync", "ftruncate", "replace", "close", "fstat"]
STATE: Final = new_session(seed="5").state


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here depends on what a real disk does."""
    monkeypatch.setattr("enfilade_repl.journal.os.fsync", lambda _: None)


class Disk:
    """Makes some calls of one function of ``os`` fail, or write in part and then fail.

    Args:
        real: The function.
        fails: Whether a call fails, by its number.
        code: The error.
        partly: Whether a failing write writes some bytes first.
    """

    def __init__(
        self, real: Callable[..., Any], fails: Callable[[int], bool], code: int, *, partly: bool = False
    ) -> None:
        self.real, self.fails, self.code, self.partly = real, fails, code, partly
        self.calls = 0

    def __call__(self, *args: Any) -> Any:
        self.calls += 1
        if not self.fails(self.calls):
            return self.real(*args)
        if self.partly:
            self.real(args[0], bytes(args[1])[:7])
        raise OSError(self.code, os.strerror(self.code))


def put_in(monkeypatch: pytest.MonkeyPatch, name: str, disk: Disk) -> None:
    monkeypatch.setattr(f"enfilade_repl.journal.os.{name}", disk)


class Writer:
    """Writes a journal, saves it twice, and checks after each step that all that was acknowledged can be read."""

    def __init__(self, folder: Path) -> None:
        self.journal = Journal(folder / "a.session", HEAD)
        self.entries: list[str] = []
        self.acknowledged = 0
        self.folder = folder

    def keep(self, *, changed: bool = True) -> None:
        self.entries.append(f"entry {len(self.entries)}")
        self.journal.keep(STATE, STATE, self.entries[-1], changed=changed)
        if self.journal.broken is None and changed:
            self.acknowledged = len(self.entries)
        self.check()

    def save(self, name: str) -> None:
        try:
            self.journal.copy_to(self.folder / name)
        except EntryError:
            pass
        else:
            assert self.read().torn is False
            if self.journal.broken is None:
                self.acknowledged = len(self.entries)
        self.check()

    def read(self) -> Kept:
        assert self.journal.path is not None
        return read_journal(self.journal.path)

    def check(self) -> None:
        if self.acknowledged:
            kept = self.read()
            assert kept.damaged == ()
            assert [each.entry for each in kept.records] == self.entries[: len(kept.records)]
            assert len(kept.records) >= self.acknowledged

    def write_all(self) -> None:
        for step in range(12):
            if step in (4, 8):
                self.save("bc"[step == 8])
            self.keep(changed=step != 6)


def calls_of(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often a journal without faults calls a function."""
    with monkeypatch.context() as patch:
        disk = Disk(getattr(os, name), lambda _: False, 0)
        put_in(patch, name, disk)
        (folder / "whole").mkdir()
        Writer(folder / "whole").write_all()
    return disk.calls


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    "length", [pytest.param(1, id="once"), pytest.param(3, id="three times", marks=pytest.mark.thorough)]
)
def test_each_call_fails_in_turn_and_nothing_acknowledged_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, length: int
) -> None:
    calls = calls_of(name, tmp_path, monkeypatch)
    assert calls
    for code in FAULTS:
        for first in range(1, calls + 1):
            folder = tmp_path / f"{code} {first}"
            folder.mkdir()
            with monkeypatch.context() as patch:
                put_in(patch, name, Disk(getattr(os, name), range(first, first + length).__contains__, code))
                writer = Writer(folder)
                writer.write_all()
            # The disk works again: the next entry brings everything.
            writer.keep()
            assert writer.journal.broken is None
            assert [each.entry for each in writer.read().records] == writer.entries
            assert [each.name for each in folder.iterdir() if each.name.startswith(".")] == []
            writer.journal.close()


@pytest.mark.parametrize("also", ["ftruncate", "write"])
def test_a_write_that_stops_in_the_middle_leaves_no_damaged_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, also: str
) -> None:
    for code in FAULTS:
        for first in range(1, calls_of("write", tmp_path, monkeypatch) + 1) if code == FAULTS[0] else (1, 5, 9):
            folder = tmp_path / f"{code} {first}"
            folder.mkdir()
            with monkeypatch.context() as patch:
                fails = range(first, first + 2).__contains__
                put_in(patch, "write", Disk(os.write, fails, code, partly=True))
                if also == "ftruncate":
                    put_in(patch, "ftruncate", Disk(os.ftruncate, range(2, 4).__contains__, code))
                writer = Writer(folder)
                writer.write_all()
            writer.keep()
            writer.keep()
            assert [each.entry for each in writer.read().records] == writer.entries
            writer.journal.close()


def test_a_write_in_pieces_is_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr("enfilade_repl.journal.os.write", lambda file, text: real(file, bytes(text)[:7]))
    writer = Writer(tmp_path)
    writer.write_all()
    assert writer.journal.broken is None
    assert [each.entry for each in writer.read().records] == writer.entries


def test_a_result_is_synced_before_it_is_shown_and_a_question_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(os.fsync, lambda _: False, 0)
    put_in(monkeypatch, "fsync", disk)
    session = new_session(seed="5", journal=Journal(tmp_path / "a.session", HEAD))
    synced = []
    for entry in ("use infantry_attacks", "direct_fire fire_value 3 on 4 3", "why", "log"):
        before = disk.calls
        session.enter(entry)
        synced.append(disk.calls - before)
    # The first entry syncs the folder of the new file too.
    assert synced == [2, 1, 0, 0]


def test_a_session_goes_on_while_the_disk_fails_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = new_session(seed="5", journal=Journal(tmp_path / "a.session", HEAD))
    put_in(monkeypatch, "write", Disk(os.write, range(2, 4).__contains__, errno.ENOSPC))
    broken = []
    for entry in ("use infantry_attacks", *[f"direct_fire fire_value {n} on 4 3" for n in range(3, 6)]):
        assert session.enter(entry).code == 0
        broken.append(session.journal.broken)
    assert broken == [
        None,
        *[f"the journal {tmp_path / 'a.session'} can't be written: no space left on device"] * 2,
        None,
    ]
    assert len(read_journal(tmp_path / "a.session").records) == 4


def test_a_save_that_fails_leaves_the_session_in_its_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = new_session(seed="5", journal=Journal(tmp_path / "a.session", HEAD))
    session.enter("use infantry_attacks")
    with monkeypatch.context() as patch:
        put_in(patch, "replace", Disk(os.replace, lambda _: True, errno.EIO))
        assert session.enter(f"save {tmp_path / 'b.session'}").code == 2
    session.enter("direct_fire fire_value 3 on 4 3")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.session"]
    assert len(read_journal(tmp_path / "a.session").records) == 3
