"""Terminal output for programs built on Enfilade: exit codes, streams, colours, JSON, complaints and a progress line.

The command line and the REPL share it. It imports nothing of the library when it is loaded, so a prompt that
needs it appears at once.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from threading import Event, Thread
from types import TracebackType
from typing import Any, Final, TextIO

__all__ = [
    "DONE",
    "FAILED",
    "INTERRUPTED",
    "WRONG_USAGE",
    "ProgressLine",
    "can_ask",
    "complain",
    "counted",
    "has_color",
    "is_utf8",
    "prepare_streams",
    "reason",
    "write_json",
]

DONE: Final = 0
"""Exit code: everything worked."""

FAILED: Final = 1
"""Exit code: the rules refuse, or a check or an example failed."""

WRONG_USAGE: Final = 2
"""Exit code: the command or its input is wrong."""

INTERRUPTED: Final = 130
"""Exit code: the user pressed Ctrl-C."""

_FIRST_SHOWN_AFTER: Final = 1.0
_REDRAWN_EVERY: Final = 0.5
_BAR_WIDTH: Final = 20


def prepare_streams() -> None:
    """Print characters that the terminal lacks as escapes, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def has_color(stream: TextIO) -> bool:
    """Whether to print colours: only to a terminal, and not if ``NO_COLOR`` is set or ``TERM`` is ``dumb``."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def can_ask() -> bool:
    """Whether standard input is a terminal, so a person can answer questions."""
    return sys.stdin is not None and sys.stdin.isatty()


def complain(message: str) -> None:
    """Print an error message to standard error, after the program's name.

    Args:
        message: One or several lines. Control characters are shown by their code points.
    """
    from enfilade.diagnostics.columns import visible

    lines = message.splitlines() or [""]
    print("\n".join([f"enfilade: {visible(lines[0])}", *map(visible, lines[1:])]), file=sys.stderr)


def write_json(data: Any) -> None:
    """Print plain data as JSON; letters outside ASCII are escaped if the output is not UTF-8."""
    print(json.dumps(data, ensure_ascii=not is_utf8(), indent=2))


def is_utf8() -> bool:
    """Whether standard output is UTF-8."""
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf8")


def reason(wrong: Exception) -> str:
    """Why a file can't be read or written: the system's own message, in lower case."""
    return str(getattr(wrong, "strerror", None) or wrong).lower()


def counted(number: int, what: str) -> str:
    """Count things in words, with the plural.

    Args:
        number: How many.
        what: The English noun, in the singular.

    Examples:
        >>> counted(1, "error"), counted(2, "entry")
        ('1 error', '2 entries')
    """
    if number == 1:
        return f"1 {what}"
    return f"{number} {what[:-1]}ies" if what.endswith("y") else f"{number} {what}s"


class ProgressLine:
    """A line on the terminal that says how long some work has taken and how far it is; a context manager.

    Args:
        stream: Where the line is drawn, by default standard error. Nothing is drawn unless it is a terminal that can
            erase a line.
        of: What the work counts: ``products``, ``runs``.
        after: How many seconds pass before the line appears.
    """

    def __init__(self, stream: TextIO | None = None, of: str = "products", after: float = _FIRST_SHOWN_AFTER) -> None:
        self._stream = sys.stderr if stream is None else stream
        self.of = of
        self._after = after
        self._ended = Event()
        self._thread: Thread | None = None
        self.done = 0
        self.parts: tuple[int, int] | None = None
        self.shown = False

    def __call__(self, done: int) -> None:
        """Report progress: how many units of work are done."""
        self.done = done

    def part(self, done: int, total: int) -> None:
        """Report progress in parts; the line then shows a bar.

        Args:
            done: How many parts are done.
            total: How many there are.
        """
        self.parts = done, total

    def __enter__(self) -> ProgressLine:
        """Start the clock."""
        if self._stream.isatty() and os.environ.get("TERM") != "dumb":
            self._thread = Thread(target=self._show, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Erase the line."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        if self.shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _show(self) -> None:
        began = time.monotonic()
        wait = self._after
        while not self._ended.wait(wait):
            wait = _REDRAWN_EVERY
            far = f", {self.done:,} {self.of}" if self.done else ""
            if self.parts is not None:
                done, total = self.parts
                filled = _BAR_WIDTH * done // total
                far = f" [{'#' * filled}{'.' * (_BAR_WIDTH - filled)}] {done} of {total}"
            took = f"working: {time.monotonic() - began:.0f} s"
            text = f"{took}{far} (Ctrl-C stops)"
            # A line that wraps at the edge of the screen could not be erased.
            fits = len(text) < shutil.get_terminal_size().columns
            self._stream.write(f"\r\x1b[K{text if fits else f'{took} (Ctrl-C stops)'}")
            self._stream.flush()
            self.shown = True
