"""Askers that answer from a log of known answers, or capture the evaluator's next request."""

from __future__ import annotations

from typing import Any, cast

from enfilade.core.answers import missing_fact
from enfilade.core.requests import DrawRequest, FactRequest, RollRequest
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.slots import Origin
from enfilade.errors import RuleError

Answers = tuple[tuple[Any, ...], ...]


def answers_slot(ctx: Context) -> int:
    """The slot with the number of known answers used so far."""
    return ctx.slots.number("answers")


def has_answers(ctx: Context, origin: Origin) -> bool:
    """Whether some known answer has not been used yet."""
    log = ctx.situation.log
    return bool(log) and cast(int, origin.base(answers_slot(ctx))) < len(log)


def next_answer(ctx: Context, kind: str, origin: Origin) -> tuple[Any, ...] | None:
    """The next known answer, or ``None`` if all have been used.

    Raises:
        RuleError: It answers a request of another kind.
    """
    if not has_answers(ctx, origin):
        return None
    found, answer = ctx.situation.log[cast(int, origin.base(answers_slot(ctx)))]
    _check_kind(found, kind)
    return answer


def _check_kind(found: str, wanted: str) -> None:
    if found != wanted:
        raise RuleError(f"the next given answer is a {found}, but the rules ask for a {wanted}")


class Asked(Exception):
    """The evaluator asks for dice or cards."""


class FirstRequest:
    """An asker that keeps the first request for dice or cards and stops the evaluator."""

    roll_request: RollRequest | None = None
    draw_request: DrawRequest | None = None

    def fact(self, request: FactRequest) -> Any:
        """A fact that was not given is missing."""
        return missing_fact(request)

    def roll(self, request: RollRequest) -> Any:
        """Keep the request."""
        self.roll_request = request
        raise Asked

    def draw(self, request: DrawRequest) -> Any:
        """Keep the request."""
        self.draw_request = request
        raise Asked


class AnswersFirst(FirstRequest):
    """Gives some answers, then keeps the next request."""

    def __init__(self, answers: Answers) -> None:
        self._answers = list(answers)

    def roll(self, request: RollRequest) -> Any:
        """The next answer."""
        return self._answers.pop(0) if self._answers else super().roll(request)


class RanOut(Exception):
    """The known answers end within a roll."""


class FromLog:
    """An asker that gives the known answers.

    Attributes:
        at: The number of answers used.
    """

    def __init__(self, log: tuple[tuple[str, tuple[Any, ...]], ...], at: int) -> None:
        self._log = log
        self.at = at

    def fact(self, request: FactRequest) -> Any:
        """A fact that was not given is missing."""
        return missing_fact(request)

    def roll(self, request: RollRequest) -> Any:
        """The next answer, for a roll."""
        return self._next("roll")

    def draw(self, request: DrawRequest) -> Any:
        """The next answer, for a draw."""
        return self._next("draw")

    def _next(self, kind: str) -> tuple[Any, ...]:
        if self.at >= len(self._log):
            raise RanOut
        found, answer = self._log[self.at]
        _check_kind(found, kind)
        self.at += 1
        return answer
