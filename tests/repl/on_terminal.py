"""The session in a process of its own, on a terminal whose screen can be read."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pyte

ROOT: Final = Path(__file__).resolve().parents[2]
_PATIENCE: Final = 20.0


class OnTerminal:
    """A process and its screen.

    Attributes:
        written: All that it has written.
    """

    def __init__(self, pid: int, terminal: int, columns: int, rows: int) -> None:
        self.pid = pid
        self._terminal = terminal
        self._screen: Any = pyte.Screen(columns, rows)
        self._stream: Any = pyte.ByteStream(self._screen)
        self.written = b""

    @property
    def lines(self) -> list[str]:
        """The lines of the screen, without the blanks at their ends and below them."""
        lines = [line.rstrip() for line in self._screen.display]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    @property
    def screen(self) -> str:
        """The screen as text."""
        return "\n".join(self.lines)

    def types(self, keys: str) -> None:
        """Type keys, as fast as they come."""
        os.write(self._terminal, keys.encode())

    def enters(self, entry: str, until: str) -> None:
        """Type an entry, and wait for something to be seen."""
        self.types(f"{entry}\r")
        self.waits_for(until)

    def waits_for(self, wanted: str | Callable[[OnTerminal], bool]) -> None:
        """Wait until a text is on the screen, or something else is so.

        Raises:
            AssertionError: It never is.
        """
        end = time.monotonic() + _PATIENCE
        while not (wanted in self.screen if isinstance(wanted, str) else wanted(self)):
            assert time.monotonic() < end, f"{wanted!r} did not come:\n{self.screen}"
            assert self.reads() or self.is_alive, f"it ended before {wanted!r} came:\n{self.screen}"

    def settles(self) -> None:
        """Wait until nothing more is written for a moment."""
        while self.reads(0.3):
            pass

    def reads(self, seconds: float = 0.1) -> bool:
        """Take in what was written; whether there was anything."""
        if not select.select([self._terminal], [], [], seconds)[0]:
            return False
        try:
            found = os.read(self._terminal, 65536)
        except OSError:
            return False
        self.written += found
        self._stream.feed(found)
        if b"\x1b[6n" in found:
            # Asked where its cursor is, a terminal answers.
            cursor = self._screen.cursor
            self.types(f"\x1b[{cursor.y + 1};{cursor.x + 1}R")
        return bool(found)

    @property
    def is_alive(self) -> bool:
        """Whether the process goes on."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None

    def code(self) -> int:
        """Wait for the end of the process: its exit code."""
        end = time.monotonic() + _PATIENCE
        while self.is_alive:
            assert time.monotonic() < end, f"it did not end:\n{self.screen}"
            self.reads()
        status = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        assert status is not None
        return status.si_status


@contextmanager
def on_terminal(
    home: Path, *arguments: str, columns: int = 80, rows: int = 24, environment: Mapping[str, str] | None = None
) -> Iterator[OnTerminal]:
    """Start ``enfilade`` on a terminal.

    Args:
        home: Where it keeps what it keeps.
        arguments: Those of the command line.
        columns: The width of the terminal.
        rows: Its height.
        environment: What differs of it.
    """
    pid, terminal = pty.fork()
    if not pid:
        path = os.pathsep.join(str(ROOT / each) for each in ("dsl", "repl"))
        known = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": path, "PYTHONUTF8": "1"}
        known |= {"XDG_STATE_HOME": str(home / "state"), "XDG_CONFIG_HOME": str(home / "config")}
        known.pop("NO_COLOR", None)
        # The size is told by the terminal itself.
        for name in ("COLUMNS", "LINES"):
            known.pop(name, None)
        os.chdir(home)
        # Whoever started the tests may ignore Ctrl-C, and processes inherit that.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execve(sys.executable, [sys.executable, "-m", "enfilade.cli", *arguments], {**known, **(environment or {})})
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    made = OnTerminal(pid, terminal, columns, rows)
    try:
        yield made
    finally:
        if made.is_alive:
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)
