"""Where in the rules a run failed: found by a replay, so a run that succeeds pays nothing for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from contextvars import Context
from typing import Any, Final

from attrs import define, evolve, field, setters

from enfilade.core import ir
from enfilade.core.evaluate import Machine
from enfilade.core.requests import Asker
from enfilade.core.run import Frame, Refused
from enfilade.core.walk import nodes
from enfilade.engines.trace import say
from enfilade.errors import EnfiladeError, LimitError, RulePlace, RunError
from enfilade.limits import DEFAULT_LIMITS, Limits, one_call
from enfilade.source.text import Span
from enfilade.values.data import State
from enfilade.values.numbers import shorten

_STEPS: Final = 20_000
"""A run that never ends is in the same loop long before it reaches its limit."""
_MOMENT: Final = 0.2
"""The seconds of such a replay."""
_ENDLESS: Final = ("steps", "seconds", "play_seconds", "play_megabytes")
"""The limits that a run reaches if it never ends."""
_MOST_VALUES: Final = 6


def failed_place(
    program: ir.Program,
    procedure: str,
    options: Mapping[str, Any],
    facts: Mapping[str, Any],
    state: State,
    asker: Asker,
    error: RunError,
    limits: Limits = DEFAULT_LIMITS,
) -> RulePlace | None:
    """Replay a run that failed, and return the place of the failure.

    Args:
        program: The ruleset.
        procedure: The name of the procedure.
        options: The value of every option.
        facts: The given facts.
        state: The state at the start.
        asker: Repeats the answers of the run.
        error: The failure.
        limits: The limits of the run.

    Returns:
        The place; ``None`` if the replay does not fail, or the text is not known.
    """
    if isinstance(error, LimitError) and error.limit in _ENDLESS:
        limits = evolve(limits, steps=min(limits.steps, _STEPS), play_seconds=_MOMENT, play_megabytes=None)
    machine = LocatingMachine(program, options, facts, state, asker, None, limits)
    # The replay has a time of its own, since that of the run may be used up.
    return Context().run(_place_of_failure, machine, procedure, limits)


def _place_of_failure(machine: LocatingMachine, procedure: str, limits: Limits) -> RulePlace | None:
    try:
        with one_call(limits):
            machine.run(procedure)
    except RunError as found:
        return found.place
    except (EnfiladeError, Refused):
        pass
    return None


@define(eq=False, slots=False, on_setattr=setters.NO_OP)
class LocatingMachine(Machine):
    """A run whose errors say where: the innermost expression or step, and the values that this one uses."""

    _running: list[str] = field(factory=list, init=False)
    _loops: list[tuple[ir.Repeat, Frame]] = field(factory=list, init=False)

    def value(self, e: ir.Expr, frame: Frame) -> Any:
        try:
            return super().value(e, frame)
        except RunError as error:
            self._note(error, e, e.span, frame)
            raise

    def _statement(self, s: ir.Statement, frame: Frame) -> None:
        try:
            super()._statement(s, frame)
        except RunError as error:
            self._note(error, None, s.note.span, frame)
            raise

    def _procedure(self, procedure: ir.Procedure, place: tuple[str, ...]) -> dict[str, Any]:
        self._running.append(procedure.name)
        outputs = super()._procedure(procedure, place)
        self._running.pop()
        return outputs

    def _repeat(self, s: ir.Repeat, frame: Frame) -> None:
        self._loops.append((s, frame))
        super()._repeat(s, frame)
        self._loops.pop()

    def _note(self, error: RunError, e: ir.Expr | None, span: Span | None, frame: Frame) -> None:
        if error.place is not None:
            return
        if isinstance(error, LimitError) and error.limit in (*_ENDLESS, "rounds") and self._loops:
            loop, frame = self._loops[-1]
            e, span = loop.until, loop.note.span
        if span is not None:
            values = {} if e is None else dict(self._values(e, frame))
            error.place = RulePlace.of(span, self._running[-1] if self._running else "", values)

    def _values(self, e: ir.Expr, frame: Frame) -> Iterator[tuple[str, str]]:
        """What each fact, local and field in an expression is."""
        seen: set[str] = set()
        for node in nodes(e):
            if not isinstance(node, (ir.Fact, ir.Local, ir.Field)) or node.span is None or node.span.text in seen:
                continue
            seen.add(node.span.text)
            if len(seen) <= _MOST_VALUES:
                with suppress(EnfiladeError, KeyError):
                    yield node.span.text, shorten(say(super().value(node, frame)))
