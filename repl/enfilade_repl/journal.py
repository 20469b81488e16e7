"""The journal of a session: a write-ahead log in JSON lines, so a killed process loses no entry.

Each record is one write. A record includes the texts of the rulesets that its entry loaded, so a journal can be
replayed after the files have changed. A truncated last line is ignored.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from enfilade import EntryError
from enfilade.terminal import reason
from enfilade_repl.state import SessionState

FORMAT: Final = "enfilade-session"
VERSION: Final = 1
SUFFIX: Final = ".session"
_MOST_KEPT: Final = 50
_DICE: Final = ("ask", "roll")


@frozen
class Record:
    """One entry of a journal.

    Attributes:
        entry: The entry as typed.
        changed: Whether the entry changed the state; queries do not.
        rules: The rulesets that the entry loaded, as plain data, by the typed name or path.
        came: The procedure, dice and result of the combat that it resolved, to be compared with the replay.
    """

    entry: str
    changed: bool
    rules: Mapping[str, Any]
    came: Any = None


@frozen
class Kept:
    """The content of a journal file.

    Attributes:
        head: The initial data of the session: its seed, and the setting of `dice`.
        records: The records of its entries.
        size: The size of its complete lines in bytes.
        torn: Whether its last line is truncated.
    """

    head: Mapping[str, str]
    records: tuple[Record, ...]
    size: int
    torn: bool


class Journal:
    """Writes a journal.

    Args:
        path: The file, created with the first record that needs it; ``None`` for a journal in memory only.
        head: The initial data of the session: its seed, and the setting of `dice`.
        kept: The content of the journal so far, if the session continues an earlier one.
        apart: Whether *kept* comes from another file, so it must be copied to this one.
    """

    def __init__(
        self, path: Path | None, head: Mapping[str, str], kept: Kept | None = None, *, apart: bool = False
    ) -> None:
        self.path = path
        self.head = dict(head)
        self._goes_on = None if apart else kept
        self._records = list(kept.records) if kept is not None else []
        self._file: int | None = None
        self._known: set[str] = set()
        self._loaded: dict[str, Any] = {}
        self.broken: str | None = None
        self.before: Path | None = None

    @property
    def records(self) -> tuple[Record, ...]:
        """The records so far."""
        return tuple(self._records)

    def loaded(self, place: str, rules: Mapping[str, Any]) -> None:
        """Note a ruleset that the current entry loaded."""
        self._loaded[place] = rules

    def forget_loaded(self) -> None:
        """Forget the rulesets of the current entry, because it failed."""
        self._loaded = {}

    def keep(self, state: SessionState, entry: str, *, changed: bool) -> None:
        """Write the record of an entry."""
        loaded, self._loaded = self._loaded, {}
        record = Record(entry, changed, loaded, came_of(state) if changed else None)
        self._records.append(record)
        if self.path is None or (self._file is None and not changed):
            # A session without changes creates no file.
            return
        try:
            with _uninterrupted():
                self.take()
                self._write(record)
        except (OSError, EntryError) as wrong:
            self.broken = f"the journal {self.path} can't be written: {reason(wrong)}"

    def take(self) -> None:
        """Open the file and lock it.

        Raises:
            EntryError: Another session writes to it.
        """
        assert self.path is not None
        try:
            self._open(self.path)
        except EntryError:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _open(self, path: Path) -> None:
        if self._file is not None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        _lock(self._file, path)
        if self._goes_on is not None:
            # A new line would be appended to a truncated line, and both would be lost.
            os.ftruncate(self._file, self._goes_on.size)
            return
        os.ftruncate(self._file, 0)
        os.write(self._file, b"".join(_text_of(self.head, self._records[:-1])))

    def copy_to(self, path: Path) -> None:
        """Copy the journal to another file atomically, and continue in that file."""
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        text = b"".join(_text_of(self.head, self._records))
        try:
            beside.write_bytes(text)
            os.replace(beside, path)
        except (OSError, ValueError) as wrong:
            with suppress(OSError, ValueError):
                beside.unlink(missing_ok=True)
            raise EntryError(f"{path} can't be written: {reason(wrong)}") from None
        self.close()
        self.before, self.path = self.path, path
        self._goes_on = Kept(self.head, tuple(self._records), len(text), torn=False)
        self.take()

    def _write(self, record: Record) -> None:
        assert self._file is not None
        os.write(self._file, _line(_data(record)))


def came_of(state: SessionState) -> Any:
    """The last resolution as plain data, for the comparison with a replay."""
    done = state.resolutions[-1] if state.resolutions else None
    if done is None:
        return None
    outcome = done.outcome
    return [done.procedure, [list(each.answers) for each in outcome.dice], str(outcome.result)]


def _text_of(head: Mapping[str, str], records: Iterable[Record]) -> Iterator[bytes]:
    yield _line({"format": FORMAT, "version": VERSION, **head})
    yield from (_line(_data(record)) for record in records)


def _data(record: Record) -> dict[str, Any]:
    data: dict[str, Any] = {"entry": record.entry}
    if not record.changed:
        return data | {"asks": True}
    if record.rules:
        data["rules"] = record.rules
    return data | ({"came": record.came} if record.came is not None else {})


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, default=str).encode("utf-8", "backslashreplace") + b"\n"


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Block Ctrl-C, so the state and the journal can't get out of step."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _lock(file: int, path: Path) -> None:
    """Lock a file for one session at a time, if the system supports it."""
    try:
        import fcntl
    except ModuleNotFoundError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise EntryError(f"{path} is open in another session") from None
    except OSError:
        # This file system does not support locks.
        return


# ------------------------------------------------------------------------------------------------------------- reading


def read_journal(path: Path) -> Kept:
    """Read a journal.

    Raises:
        EntryError: The file can't be read, or is not a journal.
    """
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as wrong:
        raise EntryError(f"{path} can't be read: {reason(wrong)}") from None
    lines = content.split(b"\n")
    torn = bool(lines.pop())
    read = [_read(path, number, each) for number, each in enumerate(lines, 1)]
    if not read or read[0].get("format") != FORMAT:
        raise EntryError(f"{path} is no session")
    if read[0].get("version") != VERSION:
        raise EntryError(f"{path} was written by another version of Enfilade")
    head = {name: str(read[0].get(name, "")) for name in ("seed", "dice")}
    size = sum(len(each) + 1 for each in lines)
    records = tuple(_record(path, number, each) for number, each in enumerate(read[1:], 2))
    return Kept(head | ({"dice": "ask"} if head["dice"] not in _DICE else {}), records, size, torn)


def _read(path: Path, number: int, text: bytes) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise EntryError(f"line {number} of {path} is damaged")
    return data


def _record(path: Path, number: int, data: Mapping[str, Any]) -> Record:
    entry, rules = data.get("entry"), data.get("rules") or {}
    if not isinstance(entry, str) or not isinstance(rules, dict):
        raise EntryError(f"line {number} of {path} is damaged")
    return Record(entry, not data.get("asks", False), rules, data.get("came"))


# ---------------------------------------------------------------------------------------------------------- paths


def new_path(folder: Path) -> Path:
    """The path of the journal of a new session."""
    return folder / "sessions" / f"{time.strftime('%Y-%m-%d_%H-%M-%S')}_{os.getpid()}{SUFFIX}"


def kept_sessions(folder: Path) -> tuple[Path, ...]:
    """The journals of earlier sessions, newest first, including sessions saved in other folders."""
    known = {path: _age(path) for path in (*_named(folder), *(folder / "sessions").glob(f"*{SUFFIX}"))}
    return tuple(
        sorted((path for path in known if known[path]), key=lambda path: (known[path], path.name), reverse=True)
    )


def _age(path: Path) -> float:
    """The modification time of a file; 0 if the file is missing."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _named(folder: Path) -> tuple[Path, ...]:
    """The sessions saved or opened in other folders, from the list in *folder*."""
    try:
        return tuple(map(Path, (folder / "saved").read_text(encoding="utf-8").splitlines()))
    except (OSError, ValueError):
        return ()


def remember(folder: Path, path: Path) -> None:
    """Remember a session saved in another folder, so `open` lists it."""
    if path.parent == folder / "sessions":
        return
    names = list(dict.fromkeys([str(path.absolute()), *map(str, _named(folder))]))[:_MOST_KEPT]
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "saved").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


def drop_old_sessions(folder: Path) -> None:
    """Delete the oldest journals if there are too many; sessions saved in other folders are not deleted."""
    own = [path for path in kept_sessions(folder) if path.parent == folder / "sessions"]
    for path in own[_MOST_KEPT:]:
        path.unlink(missing_ok=True)


def resolutions_in(kept: Kept) -> Iterator[str]:
    """A short description of each resolution in a journal."""
    before = None
    for record in kept.records:
        if record.came is not None and record.came != before:
            yield f"{record.came[0]}: {record.came[2]}"
        before = record.came
