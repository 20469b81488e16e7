"""The journal of a session: a write-ahead log, so a killed process loses no entry.

Each record is one write, and is on the disk before its result is shown. A record includes the texts of the rulesets that
its entry loaded, so a journal can be replayed after the files have changed.
"""

from __future__ import annotations

import errno
import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, Final

from enfilade import EntryError
from enfilade.terminal import reason
from enfilade_repl.session_format import Kept, Record, head_line, journal_text, record_line
from enfilade_repl.state import SessionState

SUFFIX: Final = ".session"
_MOST_KEPT: Final = 50


class Journal:
    """Writes a journal.

    Args:
        path: The file, created with the first record that needs it; ``None`` for a journal in memory only.
        head: The initial data of the session: its seed, and the setting of `dice`.
        kept: The content of the journal so far, if the session continues an earlier one.
        apart: Whether *kept* comes from another file, so it must be copied to this one.

    Attributes:
        path: The file.
        broken: Why the records are not all on the disk; ``None`` if they are.
        before: The file of the session before it was saved in another.
    """

    def __init__(
        self, path: Path | None, head: Mapping[str, str], kept: Kept | None = None, *, apart: bool = False
    ) -> None:
        self.path = path
        self.head = dict(head)
        continues = None if apart else kept
        self._records = list(kept.records) if kept is not None else []
        self._file: int | None = None
        # How far the file is whole, and how far it is synced: the bytes and the records.
        self._synced = (0, 0) if continues is None else (continues.size, len(continues.records))
        self._end = self._synced
        self._folder_is_synced = continues is not None
        # The size that the file must have when it is first opened; another size means another session.
        self._expected_size: int | None = 0 if continues is None else continues.file_size
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

    def keep(self, before: SessionState, state: SessionState, entry: str, *, changed: bool) -> None:
        """Write the record of an entry.

        Args:
            before: The state before the entry.
            state: The state after it.
            entry: The entry.
            changed: Whether the entry changed the state. Such a record is synced; others are synced with the next one.
        """
        loaded, self._loaded = self._loaded, {}
        if changed:
            record = Record(entry, True, loaded, came_of(state), place_of(before))
        else:
            record = Record(entry, False, loaded)
        self._records.append(record)
        if self.path is None or (self._file is None and not changed):
            # A session without changes creates no file; records that wait are written with the next change.
            return
        try:
            with _uninterrupted():
                self.take()
                self._write_waiting(sync=changed)
            self.broken = None
        except (OSError, EntryError) as wrong:
            self.broken = f"the journal {self.path} can't be written: {reason(wrong)}"

    def take(self) -> None:
        """Open the file and lock it.

        Raises:
            EntryError: Another session writes to it, or has written to it since it was read.
        """
        assert self.path is not None
        if self._file is not None:
            return
        try:
            self._open(self.path)
        except (OSError, EntryError):
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        file, self._file = self._file, None
        if file is not None:
            # All that was acknowledged is synced already.
            with suppress(OSError):
                os.close(file)

    def _open(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        _lock(self._file, path)
        if self._expected_size not in (None, os.fstat(self._file).st_size):
            raise EntryError(f"another session has just written to {path}")
        # A new line would be appended to a truncated line, and both would be lost.
        self._cut()
        self._expected_size = None

    def _cut(self) -> None:
        """Cut the file back to what is synced; the records after it are written again."""
        assert self._file is not None
        os.ftruncate(self._file, self._synced[0])
        self._end = self._synced

    def copy_to(self, path: Path) -> None:
        """Copy the journal to another file atomically, and continue in that file.

        The copy is written beside the file, locked and synced before it is renamed. If that fails, the session stays in
        its old file.

        Raises:
            EntryError: The file can't be written.
        """
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        text = b"".join(journal_text(self.head, self._records))
        file = None
        try:
            file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
            _lock(file, beside)
            _write_whole(file, text)
            os.fsync(file)
            os.replace(beside, path)
        except (OSError, ValueError) as wrong:
            with suppress(OSError, ValueError):
                beside.unlink(missing_ok=True)
            if file is not None:
                with suppress(OSError):
                    os.close(file)
            raise EntryError(f"{path} can't be written: {reason(wrong)}") from None
        self._continue_in(path, file, len(text))

    def _continue_in(self, path: Path, file: int, size: int) -> None:
        """Continue in a file that has all records."""
        self.close()
        before, self.path, self._file = self.path, path, file
        self._synced = self._end = size, len(self._records)
        self._expected_size, self._folder_is_synced, self.broken = None, False, None
        try:
            self._sync_folder()
            self.before = before
        except OSError as wrong:
            # The old file is kept until the new name is sure to be on the disk.
            self.before, self.broken = None, f"the folder of {path} can't be written: {reason(wrong)}"

    def _write_waiting(self, *, sync: bool) -> None:
        """Write all records that are not in the file yet.

        If that fails, the file is cut back to what is synced, and the records after it wait for the next entry.
        """
        assert self._file is not None
        if self.broken:
            self._cut()
        size, count = self._end
        lines = [record_line(record) for record in self._records[count:]]
        text = b"".join(lines if size else [head_line(self.head), *lines])
        try:
            _write_whole(self._file, text)
            self._end = size + len(text), len(self._records)
            if sync or self.broken:
                os.fsync(self._file)
                self._sync_folder()
                self._synced = self._end
        except OSError:
            with suppress(OSError):
                self._cut()
            raise

    def _sync_folder(self) -> None:
        """Have the system put the name of a new file on the disk."""
        if self._folder_is_synced or os.name == "nt":
            return
        assert self.path is not None
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        except OSError as wrong:
            # Some file systems can't sync folders.
            if wrong.errno not in (errno.EINVAL, errno.ENOTSUP):
                raise
        finally:
            os.close(folder)
        self._folder_is_synced = True


def _write_whole(file: int, text: bytes) -> None:
    """Write all of a text, even if the system takes it in pieces."""
    left = memoryview(text)
    while left:
        left = left[os.write(file, left) :]


def came_of(state: SessionState) -> Any:
    """The last resolution as plain data, for the comparison with a replay."""
    done = state.resolutions[-1] if state.resolutions else None
    if done is None:
        return None
    outcome = done.outcome
    number = len(state.resolutions)
    return [done.procedure, [list(each.answers) for each in outcome.dice], str(outcome.result), number]


def place_of(state: SessionState) -> dict[str, Any]:
    """Where a session stands: its game, its seed and the number of the next throw, or that a question is open."""
    if state.asks:
        return {"asks": True}
    game = {} if state.ruleset is None else {"game": state.ruleset.place or state.ruleset.name}
    return {"seed": state.seed, "throw": state.throw, **game}


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


# ---------------------------------------------------------------------------------------------------------- paths


def new_path(folder: Path) -> Path:
    """The path of the journal of a new session."""
    begins = f"{time.strftime('%Y-%m-%d_%H-%M-%S')}_{os.getpid()}"
    names = (f"{begins}{f'_{at}' if at else ''}{SUFFIX}" for at in count())
    return next(path for path in (folder / "sessions" / name for name in names) if not path.exists())


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
    """Delete the oldest journals if there are too many, but none of open sessions or of sessions saved in other folders."""
    own = [path for path in kept_sessions(folder) if path.parent == folder / "sessions"]
    for path in own[_MOST_KEPT:]:
        with suppress(OSError, EntryError):
            file = os.open(path, os.O_WRONLY)
            try:
                _lock(file, path)
                path.unlink()
            finally:
                os.close(file)


def resolutions_in(kept: Kept) -> Iterator[str]:
    """A short description of each resolution in a journal that was neither undone nor replaced by `reroll`."""
    # The resolutions after each change. `undo` goes back to those that end with the resolution in its record.
    after: list[tuple[Any, ...]] = [()]
    begun = ""
    for record in kept.records:
        word = next(iter(record.entry.lstrip("/ ").split()), "")
        begun = begun if record.before == {"asks": True} else word
        came = () if record.came is None else (record.came,)
        if not record.changed or came == after[-1][-1:]:
            continue
        if word == "undo":
            while len(after) > 1 and after[-1][-1:] != came:
                after.pop()
        else:
            after.append((*(after[-1][:-1] if begun == "reroll" else after[-1]), *came))
    yield from (f"{procedure}: {result}" for procedure, _, result, *_ in after[-1])
