"""Forward simulation: the steps of a block, one after the other, over all states at once.

A step without dice, choices or loops runs in the evaluator, compiled, once for each combination of values that it reads.
A composite step becomes tasks (see ``steps.composite``). The innermost task runs first, so states that reach the same task
on different ways are merged before they go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from typing import Final, assert_never

from enfilade.core import ir
from enfilade.core.run import Refused
from enfilade.engines.odds.analysis.plan import Block, Step
from enfilade.engines.odds.rolls.draws import draw
from enfilade.engines.odds.rolls.roll import roll
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import Distribution, Flow, merged, no_states, one_state
from enfilade.engines.odds.states.expressions import grouped, split
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.states.transitions import apply, joined
from enfilade.engines.odds.steps.choices import choose
from enfilade.engines.odds.steps.composite import Composites, Move
from enfilade.engines.odds.steps.independent_rounds import all_at_once
from enfilade.engines.odds.steps.loops import run_round
from enfilade.engines.odds.steps.markov_chain import repeat_until
from enfilade.engines.odds.steps.plain import copy_column, found_in_all, run_plain
from enfilade.engines.odds.steps.tasks import (
    Continuation,
    ForEach,
    RepeatTimes,
    RepeatUntil,
    RunLines,
    RunSteps,
    TestUntil,
)
from enfilade.errors import LimitError, RunError
from enfilade.values.data import Ref

_SEVERAL: Final = 2
"""Fewer rounds than this are run one after the other."""


class Forward:
    """Runs blocks by forward simulation: the ``Runner`` of the context."""

    def block(self, ctx: Context, states: Distribution, block: Block, frame: CallFrame, origin: Origin) -> Flow:
        """Run a block of steps over a distribution."""
        stopped: list[Distribution | None] = []
        refused: list[Distribution | None] = []
        refusal: Refused | None = None
        for step in block.steps:
            if not states.rows:
                break
            try:
                flow = run_step(ctx, states, step, frame, origin)
            except RunError as error:
                step.note_place(error)
                raise
            states = flow.done
            if flow.stopped is not None:
                stopped.append(flow.stopped)
            if flow.refused is not None:
                refused.append(flow.refused)
                refusal = refusal or flow.refusal
        return Flow(states, merged(stopped) if stopped else None, merged(refused) if refused else None, refusal)


def run_step(ctx: Context, states: Distribution, step: Step, frame: CallFrame, origin: Origin) -> Flow:
    """Run one step over a distribution."""
    if not step.plain:
        match step.statement:
            case ir.Stop():
                return Flow(no_states(), states)
            case ir.Branch() | ir.Loop() | ir.Repeat():
                return _composite(ctx, states, step, frame, origin)
    live = ctx.live_slots(step.live, frame.depth)
    if step.copies is not None:
        copied = copy_column(ctx, states, step.copies, frame, live)
        if copied is not None:
            return Flow(copied)
    if step.plain and ctx.rows.pays(states) and ctx.planner.code(step):
        return apply(ctx, found_in_all(ctx, step, frame, states, live, origin), states, live, origin)
    key = (id(step), id(frame))
    kernel = ctx.known_kernel(key) or ctx.kernel(key, frame, step.facts, _transition(ctx, step, frame, live))
    return apply(ctx, kernel, states, live, origin)


def _transition(ctx: Context, step: Step, frame: CallFrame, live: LiveSlots) -> Callable[[Origin], Flow]:
    """The function that runs a step from one state."""
    if step.plain:
        return lambda origin: run_plain(ctx, step, frame, live, origin)
    match s := step.statement:
        case ir.RollDice():
            return lambda origin: roll(ctx, s, step.pool, frame, live, origin)
        case ir.DrawCards():
            return lambda origin: draw(ctx, s, step.unordered, frame, live, origin)
        case ir.Choose():
            return lambda origin: choose(ctx, s, frame, live, origin)
        case ir.Perform() | ir.CallProcedure() | ir.Together() | ir.ApplyResults():
            return lambda origin: _composite(ctx, one_state(), step, frame, origin)
        case ir.Stop() | ir.Branch() | ir.Loop() | ir.Repeat():
            raise AssertionError("these statements need a distribution of states")
        case ir.Refuse() | ir.Must() | ir.Reshuffle() | ir.SetLocal() | ir.SetField() | ir.Give():
            raise AssertionError("these statements involve no chance")
        case _:
            assert_never(s)


def _composite(ctx: Context, states: Distribution, step: Step, frame: CallFrame, origin: Origin) -> Flow:
    """Run a composite step."""
    composites = Composites(ctx, origin)
    waiting = _Waiting(composites.continuations.end)
    refused: list[Distribution] = []
    refusal: Refused | None = None
    waiting.add(composites.enter(step, states, frame, (), waiting.end))
    try:
        while waiting.heap:
            cell, states = waiting.next()
            match task := cell.task:
                case ForEach() | RunLines() if (after := _at_once(ctx, composites, task, states, origin)) is not None:
                    waiting.add([Move(cell.following(), after)])
                    continue
                case RunSteps():
                    flow = _body(ctx, task, states, origin)
                case RepeatUntil():
                    s = task.step.statement
                    assert isinstance(s, ir.Repeat)
                    flow = repeat_until(ctx, states, task.step, s, task.frame, origin)
                case _:
                    waiting.add(composites.advance(cell, states))
                    continue
            moves, unhandled = composites.after(flow, cell.following())
            waiting.add(moves)
            if unhandled is not None:
                refused.append(unhandled)
                refusal = refusal or flow.refusal
    except LimitError:
        ctx.meter.met(states)
        raise
    stopped = merged(waiting.stopped) if waiting.stopped else None
    return Flow(merged(waiting.ended), stopped, merged(refused) if refused else None, refusal)


def _at_once(
    ctx: Context, composites: Composites, task: ForEach | RunLines, states: Distribution, origin: Origin
) -> Distribution | None:
    """The states after all rounds of a loop or of results, if the rounds are independent."""
    step = task.step
    if step in ctx.dependent or step.chooses or ctx.situation.log:
        return None
    rounds = composites.rounds(task)
    if len(rounds) < _SEVERAL:
        return None
    after = all_at_once(ctx, rounds, step, task.frame, states, origin, _body)
    if after is None:
        ctx.dependent.add(step)
    return after


class _Waiting:
    """The states that wait at each continuation.

    Attributes:
        end: The end of what is run.
        ended: The states that have reached the end.
        stopped: The states that stopped.
        heap: The continuations, the next one first: the innermost, and of a loop the one with the most rounds left.
    """

    def __init__(self, end: Continuation) -> None:
        self.end = end
        self.ended: list[Distribution] = []
        self.stopped: list[Distribution] = []
        self.heap: list[tuple[int, int, int, Continuation]] = []
        self._states: dict[Continuation, list[Distribution]] = {}

    def add(self, moves: Iterable[Move]) -> None:
        """Add states to the continuations that they go on with."""
        for cell, states in moves:
            if not states.rows:
                continue
            if cell is self.end:
                self.ended.append(states)
            elif cell is None:
                self.stopped.append(states)
            elif cell in self._states:
                self._states[cell].append(states)
            else:
                self._states[cell] = [states]
                heappush(self.heap, (-cell.depth, -_rounds_left(cell), cell.number, cell))

    def next(self) -> tuple[Continuation, Distribution]:
        """Take the next continuation, and all states that wait there."""
        cell = heappop(self.heap)[-1]
        return cell, merged(self._states.pop(cell))


def _rounds_left(cell: Continuation) -> int:
    """Twice the number of rounds that are left, and one more if the condition of the loop is tested first."""
    match cell.task:
        case ForEach(_, left):
            return 2 * len(left)
        case RepeatTimes(_, left):
            return 2 * left
        case TestUntil(RepeatTimes(_, left)):
            return 2 * left + 1
    return 0


def _body(ctx: Context, task: RunSteps, states: Distribution, origin: Origin) -> Flow:
    """Run a block; one that is repeated is memoised as a whole, by the slots that it reads."""
    if not task.repeated:
        return ctx.run(states, task.block, task.frame, origin)
    live = ctx.live_slots(task.block.live, task.frame.depth)

    def run(at: Origin) -> Flow:
        if task.where is None:
            return ctx.run(one_state(), task.block, task.frame, at)
        true, false = split(grouped(ctx, (id(task.block), "where"), task.where, one_state(), task.frame, at))
        return joined([ctx.run(true, task.block, task.frame, at), Flow(false)], live)

    key, fixed, facts = (id(task.block), id(task.frame), task.bindings), dict(task.bindings), task.block.facts
    if not fixed:
        return run_round(ctx, ctx.kernel(key, task.frame, facts, run, fixed), states, live, origin)
    ref = task.bindings[-1][1]
    if type(ref) is not Ref or task.block.chooses or ctx.situation.log:
        return apply(ctx, ctx.kernel(key, task.frame, facts, run, fixed), states, live, origin)
    kernel = ctx.known_kernel(key)
    if kernel is None:
        alike = ctx.alike(task.block, task.where, task.frame, fixed)
        kernel = ctx.kernel(key, task.frame, facts, run, fixed, lambda *_: alike.kernel(run, fixed, ref))
    return apply(ctx, kernel, states, live, origin)
