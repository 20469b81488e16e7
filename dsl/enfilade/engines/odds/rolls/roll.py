"""A roll of dice: the choice of a method to compute its distribution.

Sums over the pool come from convolution and order statistics (``sums``), explosions from ``explosions``. Other values are
computed for each multiset of faces, or for each throw if the order of the dice matters. Rerolls without a closed form
are enumerated (``rerolls``).
"""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.core import ir
from enfilade.core.requests import RollRequest
from enfilade.engines.odds.analysis.aggregates import FIRST, SUM, Aggregate, PoolPlan
from enfilade.engines.odds.dice.keep_highest import kept_faces
from enfilade.engines.odds.dice.multisets import all_throws, multisets
from enfilade.engines.odds.dice.pool import Group, throws
from enfilade.engines.odds.dice.tails import Undecided
from enfilade.engines.odds.rolls.explosions import composite, exploded
from enfilade.engines.odds.rolls.outcomes import PendingRoll, roll_of
from enfilade.engines.odds.rolls.rerolls import enumerate_rerolls, rerolled, sides_of
from enfilade.engines.odds.rolls.side_values import UNKNOWN, has_order, merged_sides, ranks_of, taken
from enfilade.engines.odds.rolls.sums import added_up
from enfilade.engines.odds.states.causes import blame
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import Distribution, Flow, no_states, one_state
from enfilade.engines.odds.states.expressions import required
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.known_answers import Asked, FirstRequest, FromLog, RanOut, answers_slot, has_answers
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.slots import Origin
from enfilade.errors import LimitError
from enfilade.values.data import Roll


def roll(
    ctx: Context, s: ir.RollDice, plan: PoolPlan | None, frame: CallFrame, live: LiveSlots, origin: Origin
) -> Flow:
    """Roll dice from one state."""
    ctx.evaluator.begin(origin, frame.depth, frame.facts)
    pending = PendingRoll(ctx, s, plan or PoolPlan(), ctx.evaluator.frame_of_roll(frame.depth), live)
    if has_answers(ctx, origin):
        return Flow(_known(pending, origin))
    for local, text in pending.plan.texts():
        if ctx.dice_values.setdefault(local, text) != text:
            ctx.dice_values[local] = None
    request = _requested(pending)
    if request is None:
        # No dice at all: the evaluator computes the value of an empty roll.
        return Flow(pending.states_of([(Roll((), ()), 1)]))
    if pending.plan.aggregates == ():
        return Flow(one_state())
    try:
        return Flow(_pool(pending, request))
    except Undecided as undecided:
        ctx.cut(undecided.source)
        return Flow(no_states())
    except LimitError as error:
        blame(error, s.name, s.note)
        raise


def _requested(pending: PendingRoll) -> RollRequest | None:
    """The dice that the evaluator requests."""
    evaluator = pending.ctx.evaluator
    asker = FirstRequest()
    evaluator.asker = asker  # type: ignore[assignment]
    try:
        evaluator._roll(pending.statement, pending.env)
    except Asked:
        return asker.roll_request
    finally:
        evaluator.asker = evaluator.no_answers
    return None


def _known(pending: PendingRoll, origin: Origin) -> Distribution:
    """A roll whose first dice, or all of them, are known."""
    ctx, evaluator = pending.ctx, pending.ctx.evaluator
    at, log = origin.base(answers_slot(ctx)), ctx.situation.log
    asker = FromLog(log, at)
    evaluator.asker = asker  # type: ignore[assignment]
    try:
        known = evaluator._roll(pending.statement, pending.env)
    except RanOut:
        # The known answers end within this roll, so the dice after them are open.
        answers = tuple(answer for _, answer in log[at:])
        return enumerate_rerolls(pending, answers, {answers_slot(ctx): len(log)})
    finally:
        evaluator.asker = evaluator.no_answers
    return pending.states_of([(known, 1)], {answers_slot(ctx): asker.at})


def _pool(pending: PendingRoll, request: RollRequest) -> Distribution:
    ctx, s, plan = pending.ctx, pending.statement, pending.plan
    groups = tuple(Group(count, sides_of(ctx, die)) for count, die in request.dice if count)
    explode = next((rule for rule in s.rules if rule.act == "explode"), None)
    if explode is not None and _is_composite(explode, s.rules, plan.aggregates):
        groups, explode = tuple(composite(pending, explode, group) for group in groups), None
        return _plain_pool(pending, groups, plan.aggregates or ())
    if explode is None:
        for rule in s.rules:
            groups = tuple(rerolled(pending, rule, group) for group in groups)
    elif len(s.rules) > 1 or plan.aggregates is None:
        return enumerate_rerolls(pending)
    if plan.aggregates is None:
        listing = multisets if plan.is_bag else all_throws
        if plan.is_bag and plan.tests is not None:
            groups = tuple(merged_sides(pending, plan.tests, group) for group in groups)
        table = {(roll_of(faces),): weight for faces, weight in listing(groups, ctx.meter)}
        return pending.states(table, None, throws(groups))
    if explode is not None:
        found = exploded(pending, explode, plan.aggregates, groups)
        if found is None:
            return enumerate_rerolls(pending)
        return pending.states(pending.derived(found[0]), None, found[1])
    return _plain_pool(pending, groups, plan.aggregates)


def _is_composite(rule: ir.RollRule, rules: tuple[ir.RollRule, ...], aggregates: tuple[Aggregate, ...] | None) -> bool:
    """Whether extra dice are added to the dice that exploded, more than the total is read, and no face by itself."""
    if not rule.adds or len(rules) > 1 or aggregates is None:
        return False
    streams = [each.stream for each in aggregates]
    return any(
        stream is not None or each.kind == FIRST for each, stream in zip(aggregates, streams, strict=True)
    ) and all(
        each.kind in (SUM, FIRST) if stream is None else stream.part == "values"  # Doubles are told by the faces.
        for each, stream in zip(aggregates, streams, strict=True)
    )


def _plain_pool(pending: PendingRoll, groups: tuple[Group, ...], aggregates: tuple[Aggregate, ...]) -> Distribution:
    """A roll without rerolls or explosions."""
    added = added_up(pending, aggregates, groups)
    if added is not None:
        return pending.states(pending.derived(added), None, throws(groups))
    return pending.states_of((roll_of(faces), weight) for faces, weight in _throws(pending, aggregates, groups))


def _throws(
    pending: PendingRoll, aggregates: tuple[Aggregate, ...], groups: tuple[Group, ...]
) -> Iterator[tuple[tuple[ir.Face, ...], int]]:
    """The throws that must be distinguished: each throw, each multiset of faces, or each multiset of kept faces."""
    budget = pending.ctx.meter
    if has_order(pending, aggregates, groups):
        return all_throws(groups, budget)
    takes = [taken(each) for each in aggregates]
    sorts = [(each, each.stream.sort) for each in aggregates if each.stream is not None]
    try:
        orders = {ranks_of(pending, each, sort, groups) for each, sort in sorts if sort is not None}
    except UNKNOWN:
        return multisets(groups, budget)
    if len(orders) != 1 or any(take is None for take in takes):
        return multisets(groups, budget)
    (ranks,) = orders
    kept = max(max(required(pending.ctx, take, pending.env), 0) for take in takes if take is not None)
    return kept_faces(groups, ranks, kept, budget)
