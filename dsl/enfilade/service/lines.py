"""Requests and answers as lines of JSON, answered in their order by a thread, so that they can be cancelled."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
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
    host = _Host(service, answers)
    with ThreadPoolExecutor(1) as worker:
        try:
            while not host.is_gone and (line := requests.readline(LONGEST + 1)):
                if len(line) > LONGEST:
                    host.say(error_answer(None, INVALID_REQUEST, f"a line may have at most {LONGEST} bytes"))
                    while line and not line.endswith(b"\n"):
                        line = requests.readline(LONGEST)
                elif line.strip() and (taken := host.take(line)):
                    worker.submit(host.answer, taken)
        except BaseException:
            # Nobody waits for what is being answered.
            host.is_gone = True
            raise


@define(eq=False)
class _Request:
    """A request without an answer yet."""

    data: Any
    number: Any
    is_cancelled: bool = False


class _Host:
    """The program at the other end, and its requests without an answer yet."""

    def __init__(self, service: Service, answers: BinaryIO) -> None:
        self.is_gone = False
        self._service, self._answers, self._writing = service, answers, Lock()
        self._waiting: set[_Request] = set()

    def take(self, line: bytes) -> _Request | None:
        """Return what a line requests, if a method answers it."""
        try:
            data = read(line)
        except NotJson as wrong:
            self.say(error_answer(None, PARSE_ERROR, str(wrong)))
            return None
        if _value(data, "method") != _CANCEL:
            taken = _Request(data, _value(data, "id"))
            self._waiting.add(taken)
            return taken
        number = _value(_value(data, "params"), "id")
        # A copy, because requests are answered meanwhile.
        for each in tuple(self._waiting):
            each.is_cancelled |= is_id(number) and each.number == number
        return None

    def answer(self, taken: _Request) -> None:
        """Answer a request."""
        answer = self._service.handle(taken.data, progress=self._progress_of(taken))
        self._waiting.discard(taken)
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
            self.is_gone = True

    def _progress_of(self, taken: _Request) -> Callable[[int], None]:
        tells = taken.number is not None and bool(_value(_value(taken.data, "params"), "progress"))

        def progress(work: int) -> None:
            if self.is_gone or taken.is_cancelled:
                raise Cancelled
            if tells:
                self.say({"jsonrpc": "2.0", "method": _PROGRESS, "params": {"id": taken.number, "work": work}})

        return progress


def _value(data: Any, name: str) -> Any:
    """The value of a name in what should be an object; ``None`` if there is none."""
    return data.get(name) if isinstance(data, dict) else None
