"""Replay: a run is continued from its log (event sourcing).

No run is kept alive while it waits for a person. It ends with ``Suspend`` at a request without an answer, and later
runs again from the start with the logged answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from enfilade.core.answers import LogEntry, read_cards, read_choice
from enfilade.core.requests import Asker, ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.errors import AnswerError


class Suspend(Exception):
    """Raised at a request without an answer.

    Attributes:
        request: The request.
    """

    def __init__(self, request: FactRequest | RollRequest | DrawRequest | ChoiceRequest) -> None:
        super().__init__("the rules need an answer")
        self.request = request


@frozen
class SuspendAsker:
    """An asker that suspends the run at each request."""

    def fact(self, request: FactRequest) -> Any:
        """Suspend the run."""
        raise Suspend(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Suspend the run."""
        raise Suspend(request)

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Suspend the run."""
        raise Suspend(request)

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Suspend the run."""
        raise Suspend(request)

    def forced(self, request: ChoiceRequest) -> None:
        """Nothing to do."""


class ReplayAsker:
    """An asker that answers from the log of an earlier run, then passes requests on to another asker.

    Facts are in the log too, but ``ReplayAsker`` skips them: they are passed to the run at its start and checked
    together.

    Args:
        log: The logged answers.
        then: The asker for requests after the end of the log.
        generator: A random generator to advance for each logged roll and draw, as if it had rolled them itself.
    """

    def __init__(self, log: Iterable[LogEntry], then: Asker, generator: Asker | None = None) -> None:
        self._waiting = [entry for entry in log if entry.kind != "fact"][::-1]
        self.then = then
        self.generator = generator

    def fact(self, request: FactRequest) -> Any:
        """Pass the request on."""
        return self.then.fact(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Answer from the log, then pass requests on."""
        if not self._waiting:
            return self.then.roll(request)
        if self.generator is not None:
            self.generator.roll(request)
        return tuple(self._next("roll", request.name))

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Answer from the log, then pass requests on."""
        if not self._waiting:
            return self.then.draw(request)
        if self.generator is not None:
            self.generator.draw(request)
        return read_cards(request, self._next("draw", request.name))

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Answer from the log, then pass requests on."""
        if not self._waiting:
            return self.then.choose(request)
        return read_choice(request, self._next("choice", request.name))

    def forced(self, request: ChoiceRequest) -> None:
        """Skip a logged choice with one legal answer."""
        if self._waiting:
            self._next("choice", request.name)
        else:
            self.then.forced(request)

    def check_finished(self) -> None:
        """Check that the run has used the whole log.

        Raises:
            AnswerError: The log has more answers than the run has requests.
        """
        if self._waiting:
            raise AnswerError(f"the log continues with {self._waiting[-1].name} after the end of the run")

    def _next(self, kind: str, name: str) -> Any:
        entry = self._waiting.pop()
        if (entry.kind, entry.name) != (kind, name):
            text = f"the log has the {entry.kind} {entry.name} where the rules ask for the {kind} {name}"
            raise AnswerError(text)
        return entry.value
