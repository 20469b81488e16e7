"""Fold a record into running totals: once its turn in a loop is over, only sums still read its fields.

Each of forty units checks morale, and then the rules count the units that failed. A state for each combination of forty
results would be too many; a running total is one number. See ``analysis.running_totals`` for when this is allowed.
"""

from __future__ import annotations

from typing import Any

from enfilade.core import ir
from enfilade.core.run import Frame
from enfilade.engines.odds.analysis.plan import Step
from enfilade.engines.odds.analysis.running_totals import MEMBERS
from enfilade.engines.odds.analysis.variables import RUNNING
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import UNCHANGED, Distribution, Row, taking
from enfilade.engines.odds.states.expressions import decided, value_kernel, value_of
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.kernels import Kernel
from enfilade.engines.odds.states.slots import Origin


def fold(ctx: Context, states: Distribution, ref: Any, step: Step, frame: CallFrame, origin: Origin) -> Distribution:
    """Add the share of a record to the running totals, and drop its fields from the states."""
    gone = [slot for slot in states.slots if _is_folded(ctx, slot, ref, step)]
    if not gone or frame.given:
        return states
    index = {slot: place for place, slot in enumerate(states.slots)}
    totals = _totals(ctx, ref, step, frame, origin)
    rest = [place for place, slot in enumerate(states.slots) if slot not in gone and slot not in totals]
    rows: dict[Row, int] = {}
    take = taking(rest)
    for row, weight in states.rows.items():
        more = []
        for slot, (kernel, before) in totals.items():
            share = kernel.find(row, index, origin)
            if not share:
                return states
            had = row[index[slot]] if slot in index else UNCHANGED
            more.append((origin.base(slot) if had is UNCHANGED else had) + share[0] - before)
        key = (*take(row), *more)
        rows[key] = rows.get(key, 0) + weight
    return Distribution((*take(states.slots), *totals), rows, states.total)


def _is_folded(ctx: Context, slot: int, ref: Any, step: Step) -> bool:
    name = ctx.slots.names[slot]
    return name[0] == "field" and name[1] == ref and name[2] in step.foldable


def _totals(ctx: Context, ref: Any, step: Step, frame: CallFrame, origin: Origin) -> dict[int, tuple[Kernel, Any]]:
    """The running totals in which a record has a share: the kernel of the share, and the share at the start."""
    found: dict[int, tuple[Kernel, Any]] = {}
    for number, e in enumerate(ctx.planner.uses.sums.expressions):
        name = f"{RUNNING}{number}"
        if (
            ("run", name) not in step.live
            or isinstance(e.over, ir.EffectsSoFar)
            or not ctx.planner.uses.sums.fields(e) & step.foldable
        ):
            continue
        members = value_kernel(ctx, ("members", number), e.over, frame).find((), {}, origin)[0]
        kernel = _share(ctx, number, e, tuple(each for each in members if each == ref), frame)
        found[ctx.slots.number("run", name)] = kernel, kernel.find((), {}, origin)[0]
    return found


def _share(ctx: Context, number: int, e: ir.Over, members: tuple[Any, ...], frame: CallFrame) -> Kernel:
    """The kernel of the share that some members of a list have in a sum over it."""
    alone = ctx.planner.uses.sums.over_local(number)

    def run(origin: Origin) -> tuple[Any, ...]:
        ctx.evaluator.begin(origin, frame.depth, frame.facts)
        return decided(ctx, lambda: value_of(ctx, alone, Frame({MEMBERS: members})))

    return ctx.kernel(("share", number, members, id(frame)), frame, ctx.planner.facts_read_by(e), run)
