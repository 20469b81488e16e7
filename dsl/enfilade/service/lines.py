"""Requests and answers as lines of JSON, answered in their order by a thread, so that they can be cancelled."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, BinaryIO, Final

from enfilade.service.jsonrpc import INVALID_REQUEST, PARSE_ERROR, Cancelled, Service, error_answer, read, written

LONGEST: Final = 32 * 2**20
"""The bytes of the longest line: a request with the largest text that a ruleset may have, and much more."""
_CANCEL: Final = "$/cancel"
_PROGRESS: Final = "$/progress"


def serve_lines(service: Service, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests, a line each, in their order, until the input ends.

    A request is cancelled by the notification ``$/cancel`` with its ``id``, also while it is being answered. With ``progress``
    in its parameters, notifications ``$/progress`` with its ``id`` and the ``work`` done come before the answer.

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


class _Lines:
    """Requests that wait, and the thread that answers them."""

    def __init__(self, service: Service, answers: BinaryIO) -> None:
        self._service = service
        self._answers = answers
        self._waiting: SimpleQueue[Any] = SimpleQueue()
        self._cancelled: set[Any] = set()
        self._writing = Lock()
        self.is_closed = False

    def take(self, line: bytes) -> None:
        """Take a request."""
        try:
            request = read(line)
        except (ValueError, RecursionError):
            self.say(error_answer(None, PARSE_ERROR, "this line is not JSON"))
            return
        if isinstance(request, dict) and request.get("method") == _CANCEL:
            number = _parameters(request).get("id")
            if isinstance(number, (str, int, float)):
                self._cancelled.add(number)
            return
        self._waiting.put((request,))

    def finish(self) -> None:
        """End when all that waits is answered."""
        self._waiting.put(None)

    def work(self) -> None:
        """Answer what waits."""
        while (taken := self._waiting.get()) is not None and not self.is_closed:
            answer = self._service.handle(taken[0], progress=self._progress_of(taken[0]))
            if answer is not None:
                self.say(answer)

    def say(self, message: Any) -> None:
        """Write a line."""
        try:
            with self._writing:
                self._answers.write(written(message).encode() + b"\n")
                self._answers.flush()
        except (OSError, ValueError):
            # The host is gone.
            self.is_closed = True

    def _progress_of(self, request: Any) -> Callable[[int], None]:
        number = request.get("id") if isinstance(request, dict) else None
        tells = bool(_parameters(request).get("progress"))

        def progress(work: int) -> None:
            if self.is_closed or (number is not None and number in self._cancelled):
                raise Cancelled
            if tells and number is not None:
                self.say({"jsonrpc": "2.0", "method": _PROGRESS, "params": {"id": number, "work": work}})

        return progress


def _parameters(request: Any) -> dict[str, Any]:
    found = request.get("params") if isinstance(request, dict) else None
    return found if isinstance(found, dict) else {}
