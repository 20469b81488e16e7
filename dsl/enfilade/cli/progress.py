"""A line that says that work goes on: on a terminal, once it has taken about a second."""

from __future__ import annotations

import os
import shutil
import sys
import time
from threading import Event, Thread
from types import TracebackType
from typing import Final, TextIO

_AFTER: Final = 1.0
_EVERY: Final = 0.5
_BAR: Final = 20


class Ticker:
    """Shows how long something has taken, and how far it is, until it ends.

    Args:
        stream: Where it is shown; nothing is, unless it is a terminal that can take a line away again.
        of: What is counted.
        after: How many seconds it waits before it shows anything.
    """

    def __init__(self, stream: TextIO | None = None, of: str = "products", after: float = _AFTER) -> None:
        self._stream = sys.stderr if stream is None else stream
        self.of = of
        self._after = after
        self._ended = Event()
        self._thread: Thread | None = None
        self.done = 0
        self.parts: tuple[int, int] | None = None
        self.shown = False

    def __call__(self, done: int) -> None:
        """Note how far it is."""
        self.done = done

    def part(self, done: int, total: int) -> None:
        """Note how many parts are done, and of how many: a bar is drawn then."""
        self.parts = done, total

    def __enter__(self) -> Ticker:
        """Begin."""
        if self._stream.isatty() and os.environ.get("TERM") != "dumb":
            self._thread = Thread(target=self._show, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the line away again."""
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
            wait = _EVERY
            far = f", {self.done:,} {self.of}" if self.done else ""
            if self.parts is not None:
                done, total = self.parts
                filled = _BAR * done // total
                far = f" [{'#' * filled}{'.' * (_BAR - filled)}] {done} of {total}"
            took = f"working: {time.monotonic() - began:.0f} s"
            text = f"{took}{far} (Ctrl-C stops)"
            # A line that is broken at the edge could not be taken away again.
            fits = len(text) < shutil.get_terminal_size().columns
            self._stream.write(f"\r\x1b[K{text if fits else f'{took} (Ctrl-C stops)'}")
            self._stream.flush()
            self.shown = True
