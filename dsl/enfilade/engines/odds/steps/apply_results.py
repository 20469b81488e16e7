"""Apply the results of a chart: the lines of each matching entry, for each reader or for all of them at once."""

from __future__ import annotations

from typing import Any

from enfilade.core import ir
from enfilade.core.code_patterns import pattern_for
from enfilade.core.values import FrozenMap
from enfilade.engines.odds.analysis.plan import Block, Step
from enfilade.engines.odds.dice.tails import Undecided
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import Distribution, Flow, no_states, one_state
from enfilade.engines.odds.states.expressions import split
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.kernels import Kernel
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.states.transitions import apply, joined
from enfilade.engines.odds.steps.fold_records import fold


def apply_results(
    ctx: Context, s: ir.ApplyResults, step: Step, frame: CallFrame, live: LiveSlots, origin: Origin
) -> Flow:
    """Apply results from one state."""
    found = matched_entries(ctx, s, frame, origin)
    if found is None:
        return Flow(no_states())
    results = ctx.program.results[s.chart]
    inner = ctx.inner_frame(frame, ("results", s.chart), frame.static, frame.given, frame.end)
    states = one_state()
    flows: list[Flow] = []
    for at, (index, hit) in enumerate(found):
        later = {ref for _, others in found[at + 1 :] for ref, _ in others}
        flow = _entry(ctx, results, index, hit, states, step, inner, origin, later)
        flows.append(flow.exits())
        states = flow.done
    flows.append(Flow(states))
    return joined(flows, live)


def matched_entries(
    ctx: Context, s: ir.ApplyResults, frame: CallFrame, origin: Origin
) -> list[tuple[int, list[Any]]] | None:
    """The matching entries by index, each with its readers and the numbers in their codes; ``None`` if undecided."""
    evaluator, results = ctx.evaluator, ctx.program.results[s.chart]
    evaluator.begin(origin, frame.depth, frame.facts)
    env = evaluator.frame(frame.depth)
    try:
        pairs = evaluator._readers(results, evaluator.value(s.reading, env), s, env)
        matched = [(ref, pattern_for(results, str(code))) for ref, code in pairs]
    except Undecided:
        ctx.is_exact = False
        return None
    found = []
    for index, entry in enumerate(results.entries):
        hit = [(ref, of[1]) for ref, of in matched if of is not None and of[0].text == entry.pattern.text]
        if hit:
            found.append((index, hit))
    return found


def entry_locals(ctx: Context, results: ir.Results, hit: list[Any], inner: CallFrame) -> dict[int, Any]:
    """The locals of an entry: its readers, and the numbers in the code."""
    scope: dict[int, Any] = {ctx.local(inner, "readers"): tuple(ref for ref, _ in hit)}
    for letter in hit[0][1]:
        numbers = FrozenMap({ref: numbers[letter] for ref, numbers in hit})
        value = numbers if results.record else numbers[None]
        scope[ctx.local(inner, f"#{letter}")] = value
    return scope


def _entry(
    ctx: Context,
    results: ir.Results,
    index: int,
    hit: list[Any],
    states: Distribution,
    step: Step,
    inner: CallFrame,
    origin: Origin,
    later: set[Any],
) -> Flow:
    entry = results.entries[index]
    plan = ctx.planner.entry(results, index, step.live, inner.end)
    readers = tuple(ref for ref, _ in hit)
    scope = entry_locals(ctx, results, hit, inner)
    flows: list[Flow] = []
    for line, block in zip(entry.lines, plan.blocks, strict=True):
        live = ctx.live_slots(block.live, inner.depth)
        for ref in readers if line.how == "each" else (None,):
            flow = apply(ctx, _line(ctx, line, block, ref, scope, inner), states, live, origin)
            flows.append(flow.exits())
            states = flow.done
            if step.foldable and line is entry.lines[-1] and ref not in later:
                states = fold(ctx, states, ref, step, inner, origin)
    flows.append(Flow(states))
    return joined(flows, ctx.live_slots(plan.live, inner.depth))


def _line(ctx: Context, line: ir.ResultLine, block: Block, ref: Any, scope: dict[int, Any], inner: CallFrame) -> Kernel:
    """The kernel of a line, for one reader or for all of them."""
    fixed = dict(scope)
    if ref is not None:
        fixed[ctx.local(inner, "reader")] = ref

    def run(origin: Origin) -> Flow:
        states = one_state()
        if line.how != "each" or line.where is None:
            return ctx.run_one({}, block, inner, ctx.live_slots(block.live, inner.depth), origin)
        held, other = split(ctx, (id(line), "where"), line.where, states, inner, origin)
        flow = ctx.run(held, block, inner, origin)
        return joined([flow, Flow(other)], ctx.live_slots(block.live, inner.depth))

    return ctx.kernel((id(block), id(inner), ref, tuple(scope.items())), run, fixed)
