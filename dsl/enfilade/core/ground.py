"""What every part of the evaluator stands on: locals, the run so far, and its limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field

from enfilade.core import ir
from enfilade.core.asking import Asker
from enfilade.core.events import Observer, WasRefused
from enfilade.core.limits import DEFAULT_LIMITS, Limits
from enfilade.core.values import Performed, Reading, Ref, State, Tally
from enfilade.errors import LimitError


class Refused(Exception):
    """The rules refuse; caught by ``if refused`` or by whoever runs the procedure."""

    def __init__(self, slug: str, note: ir.Note) -> None:
        super().__init__(slug)
        self.slug = slug
        self.note = note


class Stopped(Exception):
    """``stop``: the procedure ends here."""


@define
class Frame:
    """The locals of one procedure, effect or definition that runs, and where it is in its loops."""

    locals: dict[str, Any] = field(factory=dict)
    outputs: dict[str, Any] = field(factory=dict)
    place: tuple[str, ...] = ()


class Ground:
    """What one run of one procedure knows so far.

    Args:
        program: The checked ruleset.
        options: The value of every option.
        facts: The facts that were given, converted.
        state: The records and decks at the start.
        asker: Who answers.
        observer: Who listens, if anybody.
        limits: How far it may go.
    """

    def __init__(
        self,
        program: ir.Program,
        options: Mapping[str, Any],
        facts: Mapping[str, Any],
        state: State,
        asker: Asker,
        observer: Observer | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.program = program
        self.options = options
        self.facts = dict(facts)
        self.state = state
        self.asker = asker
        self.observer = observer
        self.limits = limits
        self.effects: list[Performed] = []
        self.steps = 0
        self.depth = 0
        self._known: dict[str, Any] = {}

    def value(self, e: ir.Expr, frame: Frame) -> Any:
        """The value of an expression."""
        raise NotImplementedError

    def tally(self, name: str, args: tuple[Any, ...], reader: Ref | None) -> Tally:
        """What a block of modifiers comes to."""
        raise NotImplementedError

    def read(self, name: str, args: tuple[Any, ...], roll: Any, reader: Ref | None) -> Reading:
        """What a chart says."""
        raise NotImplementedError

    def _enter(self) -> None:
        self.depth += 1
        if self.depth > self.limits.depth:
            raise LimitError("depth", f"the rules call each other more than {self.limits.depth} deep")

    def _tick(self) -> None:
        self.steps += 1
        if self.steps > self.limits.steps:
            raise LimitError("steps", f"the run took more than {self.limits.steps} steps")

    def _refuse(self, slug: str, note: ir.Note) -> None:
        if self.observer:
            self.observer(WasRefused(slug, note))
        raise Refused(slug, note)
