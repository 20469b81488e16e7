"""Requests and answers as lines of JSON, answered in their order by a thread, so that they can be cancelled."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, BinaryIO, Final

from attrs import define

from enfilade.door import door
from enfilade.service.jsonrpc import (
    INVALID_REQUEST,
    PARSE_ERROR,
    Cancelled,
    NotJson,
    Service,
    error_answer,
    is_id,
    read,
    written,
)

LONGEST: Final = 32 * 2**20
"""The bytes of the longest line: a request with the largest text that a ruleset may have, and much more."""
_CANCEL: Final = "$/cancel"
_PROGRESS: Final = "$/progress"


@door
def serve_lines(service: Service, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests, a line each, in their order, until the input ends.

    A request is cancelled by the notification ``$/cancel`` with its ``id``, while it waits or is being answered; at other
    times the notification does nothing. With ``progress`` in its parameters, notifications ``$/progress`` with its ``id`` and
    the ``work`` done come before the answer.

    Args:
        service: What answers.
        requests: The lines of the host.
        answers: Where the answers go.
    """
    lines = _Lines(service, answers)
    worker = Thread(target=lines.work, daemon=True)
    worker.start()
    while line := requests.readline(LONGEST + 1):
        if len(line) > LONGEST:
            lines.say(error_answer(None, INVALID_REQUEST, f"a line may have at most {LONGEST} bytes"))
            while not line.endswith(b"\n") and line:
                line = requests.readline(LONGEST)
        elif line.strip():
            lines.take(line)
        if lines.is_closed:
            return
    lines.finish()
    worker.join()


@define(eq=False)
class _Open:
    """A request without an answer yet."""

    request: Any
    number: Any
    is_cancelled: bool = False


class _Lines:
    """Requests that wait, and the thread that answers them."""

    def __init__(self, service: Service, answers: BinaryIO) -> None:
        self._service = service
        self._answers = answers
        self._waiting: SimpleQueue[_Open | None] = SimpleQueue()
        self._open: set[_Open] = set()
        self._opening = Lock()
        self._writing = Lock()
        self.is_closed = False

    def take(self, line: bytes) -> None:
        """Take a request."""
        try:
            request = read(line)
        except NotJson as wrong:
            self.say(error_answer(None, PARSE_ERROR, str(wrong)))
            return
        if _value(request, "method") == _CANCEL:
            self._cancel(_value(_value(request, "params"), "id"))
        else:
            taken = _Open(request, _value(request, "id"))
            with self._opening:
                self._open.add(taken)
            self._waiting.put(taken)

    def _cancel(self, number: Any) -> None:
        if is_id(number):
            with self._opening:
                for each in self._open:
                    each.is_cancelled = each.is_cancelled or each.number == number

    def finish(self) -> None:
        """End when all that waits is answered."""
        self._waiting.put(None)

    def work(self) -> None:
        """Answer what waits."""
        while (taken := self._waiting.get()) is not None and not self.is_closed:
            answer = self._service.handle(taken.request, progress=self._progress_of(taken))
            with self._opening:
                self._open.discard(taken)
            if answer is not None:
                self.say(answer)

    def say(self, message: Any) -> None:
        """Write a line."""
        try:
            with self._writing:
                self._answers.write(written(message).encode() + b"\n")
                self._answers.flush()
        except (OSError, ValueError):
            # The host is gone; a ValueError comes of a closed file.
            self.is_closed = True

    def _progress_of(self, taken: _Open) -> Callable[[int], None]:
        tells = taken.number is not None and bool(_value(_value(taken.request, "params"), "progress"))

        def progress(work: int) -> None:
            if self.is_closed or taken.is_cancelled:
                raise Cancelled
            if tells:
                self.say({"jsonrpc": "2.0", "method": _PROGRESS, "params": {"id": taken.number, "work": work}})

        return progress


def _value(data: Any, name: str) -> Any:
    """The value of a name in what should be an object; ``None`` if there is none."""
    return data.get(name) if isinstance(data, dict) else None
