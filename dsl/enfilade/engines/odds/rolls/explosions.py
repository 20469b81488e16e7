"""Exploding dice: what the rules read of a pool whose dice are thrown again on certain sides.

Sums, counts, the first die and the best dice are computed die by die (see ``dice.exploding``). A sum of explosions without
bound has no highest value: from a cap on, all totals are one outcome, the tail (see ``dice.tails``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import frozen

from enfilade.core import ir
from enfilade.engines.odds.analysis.aggregates import FIRST, SUM, Aggregate
from enfilade.engines.odds.dice.exploding import Exploding, Kept, State, Throw
from enfilade.engines.odds.dice.pool import Group, Side, Sum, Table
from enfilade.engines.odds.dice.tails import tail
from enfilade.engines.odds.rolls.outcomes import PendingRoll, roll_of
from enfilade.engines.odds.rolls.rerolls import most_times
from enfilade.engines.odds.rolls.side_values import has_order, ranks_of, sum_over, taken
from enfilade.engines.odds.rolls.sums import finished
from enfilade.engines.odds.states.expressions import required
from enfilade.errors import LimitError

_LONG: Final = 16
_LEAST_CAP: Final = 64


@frozen
class _Read:
    """What the rules read of a pool.

    Attributes:
        sums: The aggregates that are sums over all dice, with their amounts.
        best: The aggregates that read the best dice only.
        ranks: The rank of each side, if there are such aggregates.
        keep: How many dice they read.
    """

    sums: tuple[tuple[Aggregate, Sum], ...]
    best: tuple[Aggregate, ...] = ()
    ranks: tuple[tuple[int, ...], ...] = ()
    keep: int = 0


def exploded(
    pending: PendingRoll, rule: ir.RollRule, aggregates: tuple[Aggregate, ...], groups: tuple[Group, ...]
) -> tuple[Table, int] | None:
    """The joint distribution of what the rules read of exploding dice.

    Returns:
        The weights and their total; ``None`` if a value is neither a sum over all dice, nor read of the best dice, nor the
        first die.

    Raises:
        LimitError: The dice explode forever.
    """
    read = _read_of(pending, aggregates, groups)
    if read is None:
        return None
    times = most_times(pending, rule)
    grows = all(_grows(amount) for _, each in read.sums for amounts in each.amounts for amount in amounts)
    caps = tuple(_cap_of(groups, each) for _, each in read.sums) if times is None and grows else None
    dice = [(group.count, _throws(pending, rule, times, read, at, group)) for at, group in enumerate(groups)]
    with_first = any(each.kind == FIRST for each in aggregates)
    weights, total = Exploding(dice, times, caps, read.keep, with_first).weights(pending.ctx.meter)
    table: Table = {}
    for state, weight in weights.items():
        row = _row(pending, aggregates, read, state, caps, groups)
        table[row] = table.get(row, 0) + weight
    if sum(table.values()) < total:
        pending.ctx.cut(pending.statement)
    return table, total


def _read_of(pending: PendingRoll, aggregates: tuple[Aggregate, ...], groups: tuple[Group, ...]) -> _Read | None:
    sums: list[tuple[Aggregate, Sum]] = []
    best: list[Aggregate] = []
    for each in aggregates:
        added = sum_over(pending, each, groups) if each.kind == SUM else None
        if added is not None and added.kept is None:
            sums.append((each, added))
        elif each.kind != FIRST:
            best.append(each)
    if not best:
        return _Read(tuple(sums))
    takes = [taken(each) for each in best]
    sorts = [(each, each.stream.sort) for each in best if each.stream is not None]
    orders = {ranks_of(pending, each, sort, groups) for each, sort in sorts if sort is not None}
    if len(orders) != 1 or None in takes or has_order(pending, tuple(best), groups):
        return None
    keep = max(max(required(pending.ctx, take, pending.env), 0) for take in takes if take is not None)
    return _Read(tuple(sums), tuple(best), orders.pop(), keep)


def _throws(
    pending: PendingRoll, rule: ir.RollRule, times: int | None, read: _Read, at: int, group: Group
) -> tuple[Throw, ...]:
    """The sides of a die; sides of which the rules read the same are one."""
    hit = [pending.ctx.evaluator._test(rule, side.face, pending.env) for side in group.sides]
    if times is None and all(hit):
        raise LimitError("rerolls", f"{pending.statement.name} would explode forever")
    found: dict[Any, Throw] = {}
    reads_first = any(each.kind == FIRST for each in (pending.plan.aggregates or ()))
    for number, (side, again) in enumerate(zip(group.sides, hit, strict=True)):
        face = side.face.value if reads_first else None
        amounts = tuple(each.amounts[at][number] for _, each in read.sums)
        kept = (read.ranks[at][number], at, number) if read.keep else (0, 0, 0)
        key = (again, face, amounts, kept)
        weight = side.weight + (found[key].weight if key in found else 0)
        found[key] = Throw(weight, again, face, amounts, kept)
    return tuple(found.values())


def _row(
    pending: PendingRoll,
    aggregates: tuple[Aggregate, ...],
    read: _Read,
    state: State,
    caps: tuple[Any, ...] | None,
    groups: tuple[Group, ...],
) -> tuple[Any, ...]:
    """The values of the aggregates in one state."""
    first, amounts, kept = state
    known: dict[str, Any] = dict(
        zip((each.local for each in read.best), _of_best(pending, read, kept, groups), strict=True)
    )
    for at, (each, _) in enumerate(read.sums):
        is_tail = caps is not None and amounts[at] >= caps[at]
        known[each.local] = finished(each.how, tail(amounts[at], pending.statement) if is_tail else amounts[at])
    return tuple(first if each.kind == FIRST else known[each.local] for each in aggregates)


def _of_best(pending: PendingRoll, read: _Read, kept: Kept, groups: tuple[Group, ...]) -> Sequence[Any]:
    """The values that the rules read of the best dice."""
    if not read.best:
        return ()
    pending.env.locals[pending.statement.local] = roll_of(
        tuple(groups[at].sides[number].face for _, at, number in kept)
    )
    return [pending.value_or_failed(each.expression) for each in read.best]


def composite(pending: PendingRoll, rule: ir.RollRule, group: Group) -> Group:
    """Dice that explode and are added to themselves, as dice with more sides; the last side may be a tail.

    Raises:
        LimitError: They explode forever.
    """
    own = Sum((tuple(side.face.value for side in group.sides),))
    times = most_times(pending, rule)
    read = _Read(((Aggregate("", SUM, ir.Const(0)), own),))
    grows = all(map(_grows, own.amounts[0]))
    caps = (_cap_of((Group(1, group.sides),), own),) if times is None and grows else None
    die = (1, _throws(pending, rule, times, read, 0, group))
    weights, total = Exploding((die,), times, caps).weights(pending.ctx.meter)
    if sum(weights.values()) < total:
        pending.ctx.cut(pending.statement)
    sides = []
    for (_, (value,), _), weight in weights.items():
        shown = tail(value, pending.statement) if caps is not None and value >= caps[0] else value
        sides.append(Side(ir.Face(shown, shown), weight))
    return Group(group.count, tuple(sides))


def _cap_of(groups: tuple[Group, ...], wanted: Sum) -> int:
    """The total at which the tail begins, higher than any likely total."""
    found = 0
    for group, amounts in zip(groups, wanted.amounts, strict=True):
        found += (group.count + _LONG) * int(max(amounts, default=0))
    return max(found, _LEAST_CAP)


def _grows(amount: Any) -> bool:
    return type(amount) is int and amount >= 0
