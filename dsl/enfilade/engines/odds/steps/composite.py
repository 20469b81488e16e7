"""Composite steps: how each is entered, what follows each of its parts, and how it is left.

A composite step (a branch, a loop, an effect, a call, results, simultaneous parts) becomes tasks, see ``tasks``. Each move
carries a distribution to its next task. ``forward`` carries out the moves of all states from the beginning;
``expectimax`` carries out those of one state, and combines the answers from the end backward.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, assert_never

from attrs import evolve

from enfilade.core import ir
from enfilade.core.modifiers import text_of
from enfilade.engines.odds.analysis.plan import Step
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import Distribution, Flow, projected, with_changes
from enfilade.engines.odds.states.expressions import grouped, split
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.steps.apply_results import matched_lines
from enfilade.engines.odds.steps.calls import begin_call, begin_effect, undone, with_outputs
from enfilade.engines.odds.steps.fold_records import fold
from enfilade.engines.odds.steps.simultaneous import all_ended, changes_of, part_ended
from enfilade.engines.odds.steps.tasks import (
    Bindings,
    Continuation,
    Continuations,
    End,
    EndPart,
    Fold,
    ForEach,
    Leave,
    Line,
    Place,
    RepeatTimes,
    RepeatUntil,
    Return,
    RunLines,
    RunPart,
    RunSteps,
    Task,
    TestUntil,
)
from enfilade.errors import RuleError
from enfilade.values.data import Ref


class Move(NamedTuple):
    """States that go on with a continuation; with ``None`` they stop everything that is run."""

    cell: Continuation | None
    states: Distribution


class Composites:
    """Enters and leaves composite steps, for states with one origin.

    Attributes:
        continuations: The continuations.
    """

    def __init__(self, ctx: Context, origin: Origin) -> None:
        self.continuations: Final = Continuations()
        self._ctx = ctx
        self._origin = origin
        self._then = self.continuations.then

    # -- entering ---------------------------------------------------------------------------------------------

    def enter(
        self, step: Step, states: Distribution, frame: CallFrame, place: Place, after: Continuation
    ) -> list[Move]:
        """The first moves of a composite step.

        Effects, calls, results and simultaneous parts are entered from a single state.
        """
        ctx, leave = self._ctx, self._then(Leave(step, frame), after)
        match s := step.statement:
            case ir.Branch():
                found = grouped(ctx, (id(step), "when"), s.condition, states, frame, self._origin, step.kinds)
                blocks = zip(step.blocks, split(found), strict=True)
                return [
                    Move(self._then(RunSteps(block, 0, frame, place), leave) if block.steps else leave, part)
                    for block, part in blocks
                    if part.rows
                ]
            case ir.Loop():
                groups = grouped(ctx, (id(step), "over"), s.over, states, frame, self._origin, step.kinds)
                return [
                    Move(self._then(ForEach(step, elements, 0, frame, place), leave), group)
                    for elements, group in groups.items()
                ]
            case ir.Repeat() if s.times is not None:
                counts = grouped(ctx, (id(step), "times"), s.times, states, frame, self._origin)
                if None in counts:
                    raise RuleError(f"a value is needed, but this expression is none: {text_of(s.times)}")
                return [
                    Move(
                        self._then(RepeatTimes(step, max(left, 0), 0, frame, place), leave),
                        self._reduced(group, step, frame),
                    )
                    for left, group in counts.items()
                ]
            case ir.Repeat():
                return [Move(self._then(RepeatUntil(step, 0, frame, place), leave), self._reduced(states, step, frame))]
            case ir.Perform():
                return self._perform(s, step, states, frame, leave)
            case ir.CallProcedure():
                return self._call(s, step, states, frame, place, after)
            case ir.ApplyResults():
                matched = matched_lines(ctx, s, step, frame, self._origin_of(states))
                if matched is None:
                    return []
                lines, inner = matched
                return [
                    Move(self._then(RunLines(self.continuations.lines(lines), 0, step, inner, place), leave), states)
                ]
            case ir.Together():
                first = RunPart(step, 0, changes_of(ctx, states), frame, place)
                return [Move(self._then(first, after), with_changes(states, {self._ends(first): ()}))]
            case (
                ir.Refuse() | ir.Must() | ir.RollDice() | ir.DrawCards() | ir.Reshuffle() | ir.SetLocal() | ir.SetField()
                | ir.Stop() | ir.Give() | ir.Choose()
            ):  # fmt: skip
                raise AssertionError("not a composite step")
            case _:
                assert_never(s)

    def _perform(
        self, s: ir.Perform, step: Step, states: Distribution, frame: CallFrame, leave: Continuation
    ) -> list[Move]:
        begun = begin_effect(self._ctx, s, step, frame, self._origin_of(states))
        if begun is None:
            return []
        body = self._then(RunSteps(begun.block, 0, begun.frame, ()), leave)
        return [Move(body, with_changes(states, begun.start))]

    def _call(
        self, s: ir.CallProcedure, step: Step, states: Distribution, frame: CallFrame, place: Place, after: Continuation
    ) -> list[Move]:
        begun = begin_call(self._ctx, s, step, frame, self._origin_of(states))
        if begun is None:
            return []
        saved = None if s.if_refused is None else ((states.slots, next(iter(states.rows))), place)
        back = self._then(Return(step, frame, begun.outputs, saved), after)
        inner = (*place, s.local or s.procedure)
        body = self._then(RunSteps(begun.block, 0, begun.frame, inner), back)
        return [Move(body, with_changes(states, begun.start))]

    # -- what follows -----------------------------------------------------------------------------------------

    def advance(self, cell: Continuation, states: Distribution) -> list[Move]:
        """The next moves of a task; blocks of steps and loops until a condition are up to the caller."""
        rest = cell.following()
        match task := cell.task:
            case Leave():
                return [Move(rest, self._live_after(task.step, states, task.frame))]
            case Return():
                return [Move(rest, self._returned(task, states))]
            case ForEach():
                return [self._next_element(task, states, rest)]
            case Fold():
                return [Move(rest, fold(self._ctx, states, task.ref, task.step, task.frame, self._origin))]
            case RepeatTimes():
                return [self._next_round(task, states, rest)]
            case TestUntil():
                return self._tested(task, states, rest)
            case RunLines():
                return [self._next_line(task, states, rest)]
            case RunPart():
                return self._next_part(task, states, rest)
            case EndPart():
                part = task.part
                following = evolve(part, number=part.number + 1)
                ended = part_ended(self._ctx, states, self._ends(part), part.start, stopped=task.stopped)
                return [Move(self._then(following, rest), ended)]
            case RunSteps() | RepeatUntil() | End():
                raise AssertionError("carried out by the caller")
            case _:
                assert_never(task)

    def after(self, flow: Flow, cell: Continuation) -> tuple[list[Move], Distribution | None]:
        """Where the states of a flow go on, if those that are done go on with a continuation.

        Returns:
            The moves, and the states that the rules refuse without a caller that handles it.
        """
        moves = [Move(cell, flow.done)]
        if flow.stopped is not None:
            moves.append(Move(self.continuations.after_stop(cell), flow.stopped))
        if flow.refused is None or not flow.refused.rows:
            return moves, None
        handled = self._after_refusal(cell, flow.refused)
        return (moves, flow.refused) if handled is None else ([*moves, handled], None)

    def round_of(self, task: RepeatUntil, rest: Continuation, *, counted: bool = True) -> Continuation:
        """The continuation of another round of a loop that ends with a condition, and the test after it.

        Args:
            task: The loop.
            rest: What follows the loop.
            counted: Whether the number of the round is part of the places of its choices.
        """
        again = evolve(task, done=task.done + 1) if counted else task
        place = (*task.place, str(again.done)) if counted else task.place
        return self._then(self._body(task.step, task.frame, place), self._then(TestUntil(again), rest))

    def rounds(self, task: Task) -> list[tuple[Any, RunSteps]]:
        """The rounds of a loop or of results, each with its own record; empty if a record may have several rounds."""
        match task:
            case ForEach(step, left, _, frame, place) if step.foldable and len(set(left)) == len(left):
                return [(element, self._round_for(step, frame, element, place)) for element in left]
            case RunLines(lines, 0, step, frame, place) if step.foldable and all(line.folds for line in lines.items):
                return [(line.reader, self._run_line(line, frame, place)) for line in lines.items]
        return []

    def _round_for(self, step: Step, frame: CallFrame, element: Any, place: Place) -> RunSteps:
        """The round of a loop for one element."""
        assert isinstance(step.statement, ir.Loop)
        return self._body(step, frame, place, ((self._ctx.local(frame, step.statement.local), element),))

    def _run_line(self, line: Line, frame: CallFrame, place: Place) -> RunSteps:
        """The steps of a line of results."""
        place = place if line.reader is None else (*place, line.reader.key)
        return RunSteps(line.block, 0, frame, place, line.bindings, line.where, repeated=True)

    def _body(self, step: Step, frame: CallFrame, place: Place, bindings: Bindings = ()) -> RunSteps:
        return RunSteps(step.blocks[0], 0, frame, place, bindings, repeated=True)

    def _next_element(self, task: ForEach, states: Distribution, rest: Continuation) -> Move:
        step, frame, place = task.step, task.frame, task.place
        if not task.left:
            return Move(rest, states)
        element, *others = task.left
        left, done = tuple(others), task.done
        if step.chooses:
            done += 1
            place = (*place, element.key if isinstance(element, Ref) else str(done))
        following = self._then(ForEach(step, left, done, frame, task.place), rest)
        if step.foldable and element not in left:
            following = self._then(Fold(step, element, frame), following)
        body = self._round_for(step, frame, element, place)
        return Move(self._then(body, following), self._reduced(states, step, frame))

    def _next_round(self, task: RepeatTimes, states: Distribution, rest: Continuation) -> Move:
        step, place, done = task.step, task.place, task.done
        if not task.left:
            return Move(rest, states)
        assert isinstance(step.statement, ir.Repeat)
        if step.chooses:
            done += 1
            place = (*place, str(done))
        again = RepeatTimes(step, task.left - 1, done, task.frame, task.place)
        following: Task = again if step.statement.until is None else TestUntil(again)
        body = self._body(step, task.frame, place)
        return Move(self._then(body, self._then(following, rest)), states)

    def _tested(self, task: TestUntil, states: Distribution, rest: Continuation) -> list[Move]:
        again = task.again
        step, frame = again.step, again.frame
        assert isinstance(step.statement, ir.Repeat)
        assert step.statement.until is not None
        key = (id(step), "until")
        over, on = split(grouped(self._ctx, key, step.statement.until, states, frame, self._origin, step.kinds))
        return [
            Move(rest, self._reduced(over, step, frame)),
            Move(self._then(again, rest), self._reduced(on, step, frame)),
        ]

    def _next_line(self, task: RunLines, states: Distribution, rest: Continuation) -> Move:
        if task.at == len(task.lines.items):
            return Move(rest, states)
        each = task.lines.items[task.at]
        following = self._then(evolve(task, at=task.at + 1), rest)
        if each.folds:
            following = self._then(Fold(task.step, each.reader, task.frame), following)
        body = self._run_line(each, task.frame, task.place)
        return Move(self._then(body, following), states)

    def _next_part(self, task: RunPart, states: Distribution, rest: Continuation) -> list[Move]:
        step, frame = task.step, task.frame
        if task.number < len(step.blocks):
            ended = self._then(EndPart(task, stopped=False), rest)
            return [Move(self._then(RunSteps(step.blocks[task.number], 0, frame, task.place), ended), states)]
        assert isinstance(step.statement, ir.Together)
        done, stopped = all_ended(self._ctx, states, self._ends(task), step.statement, self._origin)
        return self.after(Flow(self._live_after(step, done, frame), stopped), rest)[0]

    # -- states -----------------------------------------------------------------------------------------------

    def _origin_of(self, states: Distribution) -> Origin:
        """The origin of a step that runs in a single state."""
        (row,) = states.rows
        if not states.slots:
            return self._origin
        return Origin(row, {slot: place for place, slot in enumerate(states.slots)}, self._origin)

    def _ends(self, part: RunPart) -> int:
        """The slot with the changes of the finished parts."""
        return self._ctx.slots.number("ends", id(part.step), part.frame.depth)

    def _live_after(self, step: Step, states: Distribution, frame: CallFrame) -> Distribution:
        return projected(states, self._ctx.live_slots(step.live, frame.depth))

    def _reduced(self, states: Distribution, step: Step, frame: CallFrame) -> Distribution:
        """The states before a round of a loop: only the slots that a round, or a step after the loop, reads."""
        return projected(states, self._ctx.live_slots(step.blocks[0].live, frame.depth))

    def _returned(self, task: Return, states: Distribution) -> Distribution:
        s, frame = task.step.statement, task.frame
        assert isinstance(s, ir.CallProcedure)
        live = self._ctx.live_slots(task.step.live, frame.depth)
        return with_outputs(self._ctx, states, s.local, task.outputs, frame, live)

    def _after_refusal(self, cell: Continuation | None, refused: Distribution) -> Move | None:
        """The step of the caller that handles a refusal, in the state before the call; ``None`` if no caller does."""
        while cell is not None:
            match cell.task:
                case Return(step, frame, _, saved) if saved is not None:
                    (slots, row), place = saved
                    assert isinstance(step.statement, ir.CallProcedure)
                    before = Distribution(slots, {row: sum(refused.rows.values())}, refused.total)
                    states = with_changes(before, undone(self._ctx, step.statement, frame))
                    leave = self._then(Leave(step, frame), cell.following())
                    return Move(self._then(RunSteps(step.blocks[0], 0, frame, place), leave), states)
            cell = cell.rest
        return None
