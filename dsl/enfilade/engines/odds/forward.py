"""Forward simulation: the steps of a block, one after the other, over all states at once.

A step without dice, choices or loops runs in the evaluator, compiled, once for each combination of values that it reads.
For a branch or a loop, the blocks within it run over the distribution. States that become equal are merged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from enfilade.core import ir
from enfilade.core.run import Refused
from enfilade.engines.odds.analysis.plan import Block, Step
from enfilade.engines.odds.rolls.draws import draw
from enfilade.engines.odds.rolls.roll import roll
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import Distribution, Flow, merged, no_states, one_state
from enfilade.engines.odds.states.expressions import split
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.states.transitions import apply, joined
from enfilade.engines.odds.steps.apply_results import apply_results
from enfilade.engines.odds.steps.calls import call, perform
from enfilade.engines.odds.steps.choices import choose
from enfilade.engines.odds.steps.loops import for_each, repeat_times
from enfilade.engines.odds.steps.markov_chain import repeat_until
from enfilade.engines.odds.steps.path_enumeration import enumerate_paths
from enfilade.engines.odds.steps.plain import copy_column, run_plain
from enfilade.engines.odds.steps.simultaneous import together
from enfilade.errors import RunError


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

    def one(
        self, ctx: Context, start: dict[int, Any], block: Block, frame: CallFrame, live: LiveSlots, origin: Origin
    ) -> Flow:
        """Run a block from one state: path by path if there are few paths, else over all states at once."""
        flow = enumerate_paths(ctx, start, block, frame, live, origin)
        return self.block(ctx, one_state(start), block, frame, origin) if flow is None else flow


def run_step(ctx: Context, states: Distribution, step: Step, frame: CallFrame, origin: Origin) -> Flow:
    """Run one step over a distribution."""
    if not step.plain:
        match s := step.statement:
            case ir.Stop():
                return Flow(no_states(), states)
            case ir.Branch():
                return _branch(ctx, states, step, s, frame, origin)
            case ir.Loop():
                return for_each(ctx, states, step, s, frame, origin)
            case ir.Repeat():
                repeat = repeat_until if s.times is None else repeat_times
                return repeat(ctx, states, step, s, frame, origin)
    live = ctx.live_slots(step.live, frame.depth)
    if step.copies is not None:
        copied = copy_column(ctx, states, step.copies, frame, live)
        if copied is not None:
            return Flow(copied)
    key = (id(step), id(frame))
    kernel = ctx.known_kernel(key) or ctx.kernel(
        key, _transition(ctx, step, frame, live), lasts=frame.is_root and not step.reads_facts
    )
    return apply(ctx, kernel, states, live, origin)


def _branch(ctx: Context, states: Distribution, step: Step, s: ir.Branch, frame: CallFrame, origin: Origin) -> Flow:
    true, false = split(ctx, (id(step), "when"), s.condition, states, frame, origin, step.kinds)
    flows = [ctx.run(true, step.blocks[0], frame, origin), ctx.run(false, step.blocks[1], frame, origin)]
    return joined(flows, ctx.live_slots(step.live, frame.depth))


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
        case ir.Perform():
            return lambda origin: perform(ctx, s, step, frame, live, origin)
        case ir.CallProcedure():
            return lambda origin: call(ctx, s, step, frame, live, origin)
        case ir.Together():
            return lambda origin: together(ctx, s, step, frame, live, origin)
        case ir.ApplyResults():
            return lambda origin: apply_results(ctx, s, step, frame, live, origin)
        case ir.Stop() | ir.Branch() | ir.Loop() | ir.Repeat():
            raise AssertionError("run_step takes these apart")
        case ir.Refuse() | ir.Must() | ir.Reshuffle() | ir.SetLocal() | ir.SetField() | ir.Give():
            raise AssertionError("these are plain")
        case _:
            assert_never(s)
