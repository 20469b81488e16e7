"""Tasks: what is left to do in a state. A continuation is a task and the tasks after it, as a linked list.

The tasks say once how each composite step is entered and left. ``composite`` carries them out; ``forward`` and
``expectimax`` decide in which order.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from attrs import evolve, field, frozen

from enfilade.core import ir
from enfilade.engines.odds.analysis.plan import Block, Step
from enfilade.engines.odds.states.distribution import Row, Slots
from enfilade.engines.odds.states.frames import CallFrame

Place: TypeAlias = tuple[str, ...]
"""Where a choice is made: the loop elements and calls around it."""

State: TypeAlias = tuple[Slots, Row]
"""A single state with its layout."""

Bindings: TypeAlias = tuple[tuple[int, Any], ...]
"""Locals that have the same value throughout a task, with their slots."""


@frozen
class RunSteps:
    """Run the steps of a block, beginning with a given step.

    Attributes:
        block: The steps.
        at: The number of the next step, from 0.
        frame: Their frame.
        place: Their place.
        bindings: The locals that are bound first: the element of a loop, the readers of a result.
        where: The block runs only in states in which this condition is true.
        repeated: Whether the block runs many times, so that its results are memoised as a whole.
    """

    block: Block
    at: int
    frame: CallFrame
    place: Place
    bindings: Bindings = ()
    where: ir.Expr | None = field(default=None, eq=False)
    repeated: bool = False


@frozen
class ForEach:
    """Run a loop for the elements that are left; *done* counts the others, if their number is part of a place."""

    step: Step
    left: tuple[Any, ...]
    done: int
    frame: CallFrame
    place: Place


@frozen
class Fold:
    """Fold a record into running totals, after its last round."""

    step: Step
    ref: Any
    frame: CallFrame


@frozen
class RepeatTimes:
    """Run the rounds of a loop that are left; *done* counts the others, if their number is part of a place."""

    step: Step
    left: int
    done: int
    frame: CallFrame
    place: Place


@frozen
class RepeatUntil:
    """Run another round of a loop that ends with a condition."""

    step: Step
    done: int
    frame: CallFrame
    place: Place


@frozen
class TestUntil:
    """Test the condition after a round, and run *again* if it is false."""

    again: RepeatTimes | RepeatUntil


@frozen
class Leave:
    """Leave a composite step."""

    step: Step
    frame: CallFrame


@frozen
class Return:
    """Return from a call; *saved* is the state and place before it, if the caller handles a refusal."""

    step: Step
    frame: CallFrame
    outputs: tuple[str, ...]
    saved: tuple[State, Place] | None


@frozen
class Line:
    """A line of results for one reader, or for all of them.

    Attributes:
        block: The steps of the line.
        bindings: Its locals.
        where: It runs only if this condition is true.
        reader: The reader, if it runs for each.
        folds: Whether this is the last line for its reader.
    """

    block: Block
    bindings: Bindings
    where: ir.Expr | None = field(eq=False)
    reader: Any
    folds: bool = False


@frozen(eq=False)
class Lines:
    """Lines of results; equal lines are one object."""

    items: tuple[Line, ...]


@frozen
class RunLines:
    """Run lines of results, beginning with a given line."""

    lines: Lines
    at: int
    step: Step
    frame: CallFrame
    place: Place


@frozen
class RunPart:
    """Run a part of a simultaneous step; *start* are the changes of the state before all parts."""

    step: Step
    number: int
    start: Bindings
    frame: CallFrame
    place: Place


@frozen
class EndPart:
    """Save the changes of a finished simultaneous part."""

    part: RunPart
    stopped: bool


@frozen
class End:
    """The end of what is run."""


Task: TypeAlias = (
    RunSteps
    | ForEach
    | Fold
    | RepeatTimes
    | RepeatUntil
    | TestUntil
    | Leave
    | Return
    | RunLines
    | RunPart
    | EndPart
    | End
)


class Continuation:
    """A task and the tasks after it.

    Attributes:
        task: The next task.
        rest: The continuation after it; ``None`` after the end.
        number: Identifies the continuation.
        depth: The number of tasks.
    """

    __slots__ = ("depth", "number", "rest", "task")

    def __init__(self, task: Task, rest: Continuation | None, number: int) -> None:
        self.task = task
        self.rest = rest
        self.number = number
        self.depth: int = 1 if rest is None else rest.depth + 1

    def following(self) -> Continuation:
        """The continuation after the task."""
        assert self.rest is not None
        return self.rest


class Continuations:
    """Creates continuations, one object for equal ones (hash consing)."""

    def __init__(self) -> None:
        self._known: dict[tuple[Task, int], Continuation] = {}
        self._lines: dict[tuple[Line, ...], Lines] = {}
        self.end = self._then(End(), None)

    def then(self, task: Task, rest: Continuation) -> Continuation:
        """The continuation of a task and the rest after it."""
        return self._then(task, rest)

    def lines(self, items: tuple[Line, ...]) -> Lines:
        """Lines of results."""
        return self._lines.setdefault(items, Lines(items))

    def _then(self, task: Task, rest: Continuation | None) -> Continuation:
        key = (task, 0 if rest is None else rest.number)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Continuation(task, rest, len(self._known) + 1)
        return found

    def after_stop(self, cell: Continuation | None) -> Continuation | None:
        """The continuation of a procedure that stops: its caller, or the end of a simultaneous part; ``None`` for neither."""
        while cell is not None:
            match cell.task:
                case Return():
                    return cell
                case EndPart() as task:
                    return self.then(evolve(task, stopped=True), cell.following())
            cell = cell.rest
        return None
