"""The state of one run of the reference evaluator: facts, records, effects so far, stack frames and limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn, TypeAlias

from attrs import define, field, setters

from enfilade.core import ir
from enfilade.core.events import FactUsed, Observer, WasRefused
from enfilade.core.requests import Asker, FactRequest
from enfilade.errors import LimitError
from enfilade.limits import DEFAULT_LIMITS, Limits, check_time
from enfilade.values.data import Performed, State

_STEPS: Final = 32
"""The time is checked after so many steps."""


class Refused(Exception):
    """The rules refuse; caught by ``if refused`` or by the caller of the run."""

    def __init__(self, slug: str, note: ir.Note) -> None:
        super().__init__(slug)
        self.slug = slug
        self.note = note


class Stopped(Exception):
    """``stop``: the procedure ends here."""


@define
class Frame:
    """A stack frame: the locals of one running procedure, effect or definition, and its position in loops."""

    locals: dict[str, Any] = field(factory=dict)
    outputs: dict[str, Any] = field(factory=dict)
    place: tuple[str, ...] = ()


Evaluate: TypeAlias = Callable[[ir.Expr, Frame], Any]
"""Gives the value of an expression, with the locals of a frame."""


def _copied(facts: Mapping[str, Any]) -> dict[str, Any]:
    return dict(facts)


@define(eq=False, slots=False, on_setattr=setters.NO_OP)
class Run:
    """The state of one run of one procedure.

    Args:
        program: The checked ruleset.
        options: The value of every option.
        facts: The facts that were given, converted.
        state: The records and decks at the start.
        asker: Answers the requests.
        observer: Receives the events, if given.
        limits: The resource limits.
    """

    program: ir.Program
    options: Mapping[str, Any]
    facts: dict[str, Any] = field(converter=_copied, on_setattr=setters.NO_OP)
    state: State
    asker: Asker
    observer: Observer | None = None
    limits: Limits = DEFAULT_LIMITS
    effects: list[Performed] = field(factory=list, init=False)
    steps: int = field(default=0, init=False)
    depth: int = field(default=0, init=False)
    _requested: dict[str, Any] = field(factory=dict, init=False)

    def fact(self, name: str) -> Any:
        """The value of a fact: as given, else its default, else requested now."""
        if name in self.facts:
            value, given = self.facts[name], True
        elif name in self._requested:
            return self._requested[name]
        else:
            declared = self.input(name)
            given = not declared.has_default
            value = self.asker.fact(FactRequest(declared, self.program.records)) if given else declared.default
            self._requested[name] = value
            if self.observer:
                self.observer(FactUsed(declared.name, value, given, declared.note))
        return value

    def input(self, name: str) -> ir.Input:
        """The declaration of a fact, a procedure's own included."""
        procedure, dot, own = name.partition(".")
        return self.program.procedures[procedure].facts[own] if dot else self.program.facts[name]

    def enter(self) -> None:
        """Count one more level of nested calls.

        Raises:
            LimitError: There are too many.
        """
        self.depth += 1
        if self.depth > self.limits.depth:
            raise LimitError("depth", f"calls in the rules are nested more than {self.limits.depth} levels deep")

    def tick(self) -> None:
        """Count one more step.

        Raises:
            LimitError: There are too many.
        """
        self.steps += 1
        if self.steps > self.limits.steps:
            raise LimitError("steps", f"the run took more than {self.limits.steps} steps")
        if not self.steps % _STEPS:
            check_time()

    def refuse(self, slug: str, note: ir.Note) -> NoReturn:
        """End the procedure by a refusal."""
        if self.observer:
            self.observer(WasRefused(slug, note))
        raise Refused(slug, note)
