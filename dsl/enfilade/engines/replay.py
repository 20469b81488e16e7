"""Answers from the log of an earlier run, and stops where the log ends.

A run that waits for a person is not kept alive: it is taken up again from its log.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from enfilade.core.answers import LogEntry, read_cards, read_choice
from enfilade.core.requests import Asker, ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.errors import AnswerError


class Suspend(Exception):
    """The rules wait for an answer.

    Attributes:
        request: What they ask for.
    """

    def __init__(self, request: FactRequest | RollRequest | DrawRequest | ChoiceRequest) -> None:
        super().__init__("the rules wait for an answer")
        self.request = request


@frozen
class SuspendAsker:
    """Answers nothing: each request ends the run where it is, to be taken up again from its log."""

    def fact(self, request: FactRequest) -> Any:
        """Wait."""
        raise Suspend(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Wait."""
        raise Suspend(request)

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Wait."""
        raise Suspend(request)

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Wait."""
        raise Suspend(request)

    def forced(self, request: ChoiceRequest) -> None:
        """Nothing to do."""


class ReplayAsker:
    """Answers from the log of an earlier run, then leaves the rest to another.

    Facts stand in the log too, but are given at the start of a run, where they are checked together.

    Args:
        log: The answers.
        then: Who answers after them.
        beside: A generator that is to stand where it would stand had it rolled all the dice itself.
    """

    def __init__(self, log: Iterable[LogEntry], then: Asker, beside: Asker | None = None) -> None:
        self._waiting = [entry for entry in log if entry.kind != "fact"][::-1]
        self.then = then
        self.beside = beside

    def fact(self, request: FactRequest) -> Any:
        """Leave it to the other."""
        return self.then.fact(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Answer from the log while it lasts."""
        if not self._waiting:
            return self.then.roll(request)
        if self.beside is not None:
            self.beside.roll(request)
        return tuple(self._next("roll", request.name))

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Answer from the log while it lasts."""
        if not self._waiting:
            return self.then.draw(request)
        if self.beside is not None:
            self.beside.draw(request)
        return read_cards(request, self._next("draw", request.name))

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Answer from the log while it lasts."""
        if not self._waiting:
            return self.then.choose(request)
        return read_choice(request, self._next("choice", request.name))

    def forced(self, request: ChoiceRequest) -> None:
        """Pass over a choice that was not asked."""
        if self._waiting:
            self._next("choice", request.name)
        else:
            self.then.forced(request)

    def check_finished(self) -> None:
        """Refuse a log that goes on after the run has ended.

        Raises:
            AnswerError: It does.
        """
        if self._waiting:
            raise AnswerError(f"the log goes on with {self._waiting[-1].name}, and the run is over")

    def _next(self, kind: str, name: str) -> Any:
        entry = self._waiting.pop()
        if (entry.kind, entry.name) != (kind, name):
            text = f"the log has the {entry.kind} {entry.name} where the rules ask for the {kind} {name}"
            raise AnswerError(text)
        return entry.value
