"""Assignments that waste nothing: which elements may be chosen for a loss so that most losses can be taken.

A player assigns losses one after the other. An element is offered only if, after it has taken the loss, as many of the
remaining losses can be taken as after any other element. That is a search over the states that the effect leads to:
a depth-first search with memoisation. Most assignments need none: if the list does not depend on the number of the
loss, and each loss changes only who takes it, every order takes as many. Where elements take several points at once,
the order always matters.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn, Protocol

from attrs import evolve

from enfilade.core import ir
from enfilade.core.graph import analysis
from enfilade.core.requests import Asker, FactRequest
from enfilade.core.run import Frame, Refused, Stopped
from enfilade.core.walk import nodes
from enfilade.errors import LimitError, RuleError
from enfilade.limits import DEFAULT_LIMITS, Limits

# About a tenth of a second of search.
_LIMITS: Final = evolve(DEFAULT_LIMITS, steps=100_000)
# The search is recursive: this many losses leave more than half of Python's stack to the rules and the host.
MOST_LOSSES: Final = 100


class Player(Protocol):
    """The evaluator, as far as this module uses it."""

    program: ir.Program
    asker: Asker
    observer: Any
    steps: int
    depth: int
    limits: Limits

    def value(self, e: ir.Expr, frame: Frame) -> Any:
        """Evaluate an expression."""

    def perform(self, name: str, args: dict[str, Any], note: ir.Note) -> None:
        """Perform an effect."""

    def snapshot(self, frame: Frame) -> Any:
        """What ``restore`` needs to undo all changes from now on."""

    def restore(self, before: Any, frame: Frame) -> None:
        """Undo all changes since a snapshot."""

    def state_key(self, frame: Frame, without: str) -> Any:
        """A hashable key of the state and the locals, without one local."""


def without_waste(run: Player, s: ir.Choose, options: tuple[Any, ...], left: int, frame: Frame) -> tuple[Any, ...]:
    """The options after which most of the remaining losses can be taken.

    Args:
        run: The evaluator.
        s: The choice.
        options: The elements of its list.
        left: How many losses are still to be taken, this one included.
        frame: The locals.

    Returns:
        All options if the effect rolls or asks, if more than ``MOST_LOSSES`` are left, or if the search would take too long.
    """
    if (
        not 2 <= left <= MOST_LOSSES
        or len(options) < 2
        or s.ahead is None
        or not analysis(run.program, Wasteful).is_wasteful(s)
    ):
        return options
    before = run.snapshot(frame), run.asker, run.observer, run.steps, run.depth, run.limits
    run.asker, run.observer = _Unanswered(run.asker), None
    # What is offered must not depend on how deep the run is in its calls.
    run.steps, run.depth, run.limits = 0, 0, _LIMITS
    try:
        search = _Search(run, s, s.ahead, frame)
        taken = [search.taken_with(option, left) for option in options]
    except (_Unknown, LimitError):
        return options
    finally:
        kept, run.asker, run.observer, run.steps, run.depth, run.limits = before
        run.restore(kept, frame)
    most = max(taken)
    return tuple(option for option, count in zip(options, taken, strict=True) if count == most)


class _Search:
    """One search. ``known`` has the most losses that can be taken from each state that was met."""

    def __init__(self, run: Player, s: ir.Choose, ahead: ir.Ahead, frame: Frame) -> None:
        self.run = run
        self.s = s
        self.ahead = ahead
        self.frame = frame
        self.known: dict[Any, int] = {}

    def most(self, left: int) -> int:
        """The most of the next *left* losses that can be taken from the present state."""
        if not left:
            return 0
        key = left, self.run.state_key(self.frame, self.s.local)
        if key not in self.known:
            self.known[key] = self._most(left)
        return self.known[key]

    def _most(self, left: int) -> int:
        options = tuple(dict.fromkeys(self.run.value(self.s.among, self.frame)))
        if not options:
            return self._after(None, left - 1) if self.ahead.cost is None else 0
        best = 0
        for option in options:
            best = max(best, self.taken_with(option, left))
            if best == left:
                break
        return best

    def taken_with(self, option: Any, left: int) -> int:
        """The most of *left* losses that can be taken if an element takes the present one."""
        before = self.run.snapshot(self.frame)
        self.frame.locals[self.s.local] = option
        cost: int = 1 if self.ahead.cost is None else self.run.value(self.ahead.cost, self.frame)
        try:
            return cost + self._after(option, left - cost)
        except (RuleError, Refused, Stopped):
            # The run would end here.
            return cost
        finally:
            self.run.restore(before, self.frame)

    def _after(self, option: Any, left: int) -> int:
        values, nth = self.frame.locals, self.ahead.nth
        values[self.s.local] = option
        if option is not None:
            args = {name: self.run.value(arg, self.frame) for name, arg in self.ahead.args}
            self.run.perform(self.ahead.effect, args, ir.NO_NOTE)
        values[nth] = values[nth] + 1
        if isinstance(self.ahead.left, ir.Local):
            values[self.ahead.left.name] = left
        return self.most(left)


class _Unknown(Exception):
    """The effect asks for dice or a choice."""


class _Unanswered:
    """An asker for facts alone."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def fact(self, request: FactRequest) -> Any:
        """Pass the request on."""
        return self._asker.fact(request)

    def roll(self, request: Any) -> NoReturn:
        """Give up."""
        raise _Unknown

    draw = choose = forced = roll


class Wasteful:
    """Which assignments of a program may waste a loss."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._known: dict[int, tuple[ir.Choose, bool]] = {}

    def is_wasteful(self, s: ir.Choose) -> bool:
        """Whether the order of the losses may matter."""
        found = self._known.get(id(s))
        if found is None or found[0] is not s:
            found = self._known[id(s)] = s, self._find(s)
        return found[1]

    def _find(self, s: ir.Choose) -> bool:
        if s.ahead is None:
            return False
        if s.ahead.cost is not None:
            return True
        on = next((name for name, arg in s.ahead.args if arg == ir.Local(s.local)), None)
        effect = self._program.effects[s.ahead.effect]
        changed = {node.field for node in nodes(effect.body) if isinstance(node, ir.SetField)}
        own = all(_changes_only(node, on) for node in nodes(effect.body) if isinstance(node, _STATEMENTS))
        return not own or not _is_about_one(s.among, s.ahead.nth, changed)


_STATEMENTS = (
    ir.SetField,
    ir.Perform,
    ir.CallProcedure,
    ir.ApplyResults,
    ir.Stop,
    ir.RollDice,
    ir.DrawCards,
    ir.Choose,
)


def _changes_only(node: Any, own: str | None) -> bool:
    """Whether a statement of an effect changes nothing but the record that the effect is performed on."""
    return isinstance(node, ir.SetField) and node.of == ir.Local(own or "")


def _is_about_one(among: ir.Expr, nth: str, changed: set[str]) -> bool:
    """Whether an element belongs to a list because of itself alone, so no loss of another element removes it."""
    elements = {node.var for node in nodes(among) if isinstance(node, ir.Over) and node.how == "filter"}
    for node in nodes(among):
        match node:
            case ir.Local(name) if name == nth:
                return False
            case ir.Field(of, name) if name in changed and not (isinstance(of, ir.Local) and of.name in elements):
                return False
            case ir.Define() | ir.EffectsSoFar() | ir.Look() | ir.LookIn() | ir.SumModifiers() | ir.CardsLeft():
                return False
            case ir.Over(how) if how != "filter":
                return False
    return True
