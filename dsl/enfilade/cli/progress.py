"""A line that says that work goes on: on a terminal, once it has taken about a second."""

from __future__ import annotations

import sys
import time
from threading import Event, Thread
from types import TracebackType
from typing import Final, TextIO

_AFTER: Final = 1.0
_EVERY: Final = 0.5


class Ticker:
    """Shows how long something has taken, and how far it is, until it ends.

    Args:
        stream: Where it is shown; nothing is, unless it is a terminal.
        of: What is counted.
    """

    def __init__(self, stream: TextIO | None = None, of: str = "products") -> None:
        self._stream = sys.stderr if stream is None else stream
        self.of = of
        self._ended = Event()
        self._thread: Thread | None = None
        self.done = 0
        self.shown = False

    def __call__(self, done: int) -> None:
        """Note how far it is."""
        self.done = done

    def __enter__(self) -> Ticker:
        """Begin."""
        if self._stream.isatty():
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
        wait = _AFTER
        while not self._ended.wait(wait):
            wait = _EVERY
            far = f", {self.done:,} {self.of}" if self.done else ""
            self._stream.write(f"\r\x1b[Kworking: {time.monotonic() - began:.0f} s{far} (Ctrl-C stops)")
            self._stream.flush()
            self.shown = True
