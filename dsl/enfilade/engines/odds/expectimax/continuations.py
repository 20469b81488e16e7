"""Continuations: the tasks that are left in a state, as linked lists. Equal continuations are one object (hash consing)."""

from __future__ import annotations

from typing import Any, TypeAlias

from attrs import evolve, frozen

from enfilade.core import ir
from enfilade.engines.odds.analysis.plan import Block, Step
from enfilade.engines.odds.states.distribution import Row, Slots
from enfilade.engines.odds.states.frames import CallFrame

Place: TypeAlias = tuple[str, ...]
"""Where a choice is made: the loop elements and calls around it."""

State: TypeAlias = tuple[Slots, Row]
"""A single state with its layout."""


@frozen
class RunSteps:
    """Run the steps of a block, beginning with a given step."""

    block: Block
    at: int
    frame: CallFrame
    place: Place


@frozen
class ForEach:
    """Run a loop, beginning with a given element."""

    step: Step
    elements: tuple[Any, ...]
    at: int
    frame: CallFrame
    place: Place


@frozen
class RepeatTimes:
    """Run the rest of the rounds of a loop."""

    step: Step
    times: int
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
    """Test the condition after a round; ``times`` is the highest number of rounds, if there is one."""

    step: Step
    done: int
    frame: CallFrame
    place: Place
    times: int | None = None


@frozen
class Leave:
    """Leave a compound step."""

    step: Step
    frame: CallFrame


@frozen
class Return:
    """Return from a call; *saved* is the state and place before it, if the caller handles a refusal."""

    step: Step
    frame: CallFrame
    outputs: tuple[str, ...]
    saved: tuple[State, Place] | None


@frozen(eq=False)
class Line:
    """A line of results, with its plan and locals; *reader* is the key of its reader, if it runs for each."""

    line: ir.ResultLine
    block: Block
    known: dict[int, Any]
    reader: str | None


@frozen(eq=False)
class LineList:
    """Lines of results; compared by identity."""

    items: tuple[Line, ...]


@frozen
class RunLines:
    """Run lines of results, beginning with a given line."""

    lines: LineList
    at: int
    frame: CallFrame
    place: Place


@frozen
class RunPart:
    """Run a part of a simultaneous step; *start* are the changes of the state before all parts."""

    step: Step
    number: int
    start: tuple[tuple[int, Any], ...]
    frame: CallFrame
    place: Place


@frozen
class EndPart:
    """Save the changes of a finished simultaneous part."""

    part: RunPart
    stopped: bool


Task: TypeAlias = (
    RunSteps | ForEach | RepeatTimes | RepeatUntil | TestUntil | Leave | Return | RunLines | RunPart | EndPart
)


class Continuation:
    """A task and the tasks after it.

    Attributes:
        task: The next task.
        rest: The continuation after it; ``None`` for the end of the run.
        number: Identifies the continuation.
    """

    __slots__ = ("number", "rest", "task")

    def __init__(self, task: Task, rest: Continuation | None, number: int) -> None:
        self.task = task
        self.rest = rest
        self.number = number


class Continuations:
    """Creates continuations, one object for equal ones."""

    def __init__(self) -> None:
        self._known: dict[tuple[Task, int], Continuation] = {}

    def then(self, task: Task, rest: Continuation | None) -> Continuation:
        """The continuation of a task and the rest after it."""
        key = (task, 0 if rest is None else rest.number)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Continuation(task, rest, len(self._known) + 1)
        return found

    def after_stop(self, cell: Continuation | None) -> Continuation | None:
        """The continuation of a procedure that stops: its caller, or the end of a simultaneous part."""
        while cell is not None:
            match cell.task:
                case Return():
                    return cell
                case EndPart() as task:
                    return self.then(evolve(task, stopped=True), cell.rest)
            cell = cell.rest
        return None
