"""Exploding dice: sums with a tail, as a chain of throws (a geometric series).

A die that shows certain sides adds its amount and is thrown again. With a bound on the throws the sum is a finite
convolution. Without a bound, amounts that never decrease are computed one after the other up to a cap (a recurrence),
and all totals from the cap on are one outcome, the tail (see ``tails``).
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any, Final, TypeAlias

from enfilade.core import ir
from enfilade.engines.odds.analysis.aggregates import FIRST, SUM, Aggregate
from enfilade.engines.odds.dice.convolution import multiply
from enfilade.engines.odds.dice.pool import Budget, Group, Side, Sum, Table
from enfilade.engines.odds.dice.tails import tail
from enfilade.engines.odds.rolls.outcomes import PendingRoll
from enfilade.engines.odds.rolls.rerolls import most_times
from enfilade.engines.odds.rolls.side_values import sum_over
from enfilade.engines.odds.rolls.sums import finished
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import Row
from enfilade.errors import LimitError

Amounts: TypeAlias = tuple[Any, ...]
Chain: TypeAlias = dict[Amounts, Fraction]
"""The chance of each tuple of amounts."""
ByFirst: TypeAlias = dict[tuple[Any, ...], tuple[Chain, Fraction]]
"""For each face of the first die (or none, if nobody reads it): the amounts, and the chance of that face."""

_LONG: Final = 16
_LEAST_CAP: Final = 64
_FAINT: Final = Fraction(1, 10**15)
_NEGLIGIBLE: Final = 10**24


def exploded(
    pending: PendingRoll,
    rule: ir.RollRule,
    aggregates: tuple[Aggregate, ...],
    groups: tuple[Group, ...],
) -> tuple[Table, int] | None:
    """The joint distribution of sums over exploding dice and of the first die.

    Returns:
        The weights and their total; ``None`` if a value is not a sum over all dice.

    Raises:
        LimitError: The dice explode for ever, or there are too many outcomes.
    """
    if any(each.kind not in (SUM, FIRST) for each in aggregates):
        return None
    added = [each for each in aggregates if each.kind == SUM]
    sums = [sum_over(pending, each, groups) for each in added]
    wanted = [each for each in sums if each is not None and each.kept is None]
    if len(wanted) != len(sums):
        return None
    most = most_times(pending, rule)
    cap = _cap_of(groups, wanted)
    # A single sum that never decreases has a tail; for other sums, the cut-off totals have no lower bound.
    grows = len(wanted) == 1 and all(_grows(amount) for amounts in wanted[0].amounts for amount in amounts)
    tail_at = cap if most is None and grows else None
    whole: ByFirst = {(): ({(0,) * len(wanted): Fraction(1)}, Fraction(1))}
    with_first = len(added) < len(aggregates)
    for at, group in enumerate(groups):
        amounts = list(zip(*(each.amounts[at] for each in wanted), strict=True)) or [()] * len(group.sides)
        hit = [pending.ctx.evaluator._test(rule, side.face, pending.env) for side in group.sides]
        if most is None and all(hit):
            raise LimitError("rerolls", f"{pending.statement.name} would explode for ever")
        chain = _chain(pending.ctx, most, group, amounts, hit, cap)
        count = group.count
        if with_first and at == 0:
            times = None if most is None else most - 1
            more = _chain(pending.ctx, times, group, amounts, hit, cap)
            whole = _first_die(group, amounts, hit, more, pending.ctx.meter)
            count -= 1
        whole = {key: _added(each, chain, count, tail_at, pending.ctx.meter) for key, each in whole.items()}
    return _table(pending.ctx, aggregates, whole, tail_at)


def composite(pending: PendingRoll, rule: ir.RollRule, group: Group) -> Group:
    """Dice that explode and are added to themselves, as dice with more sides; the last side may be a tail.

    Raises:
        LimitError: They explode for ever.
    """
    amounts: list[Amounts] = [(side.face.value,) for side in group.sides]
    hit = [pending.ctx.evaluator._test(rule, side.face, pending.env) for side in group.sides]
    times = most_times(pending, rule)
    if times is None and all(hit):
        raise LimitError("rerolls", f"{pending.statement.name} would explode for ever")
    cap = _cap_of((Group(1, group.sides),), [Sum((tuple(value for (value,) in amounts),))])
    chain = _chain(pending.ctx, times, group, amounts, hit, cap)
    missing = Fraction(1) - sum(chain.values())
    if missing and all(_grows(value) for (value,) in amounts):
        chain[tail(cap),] = missing
    elif missing:
        pending.ctx.is_exact = False
    total = lcm(*(chance.denominator for chance in chain.values()))
    sides = [Side(ir.Face(value, value), int(chance * total)) for (value,), chance in chain.items()]
    return Group(group.count, tuple(sides))


def _table(ctx: Context, aggregates: tuple[Aggregate, ...], whole: ByFirst, tail_at: int | None) -> tuple[Table, int]:
    """The chances as whole weights over one total, with the tail as an outcome."""
    chances: dict[Row, Fraction] = {}
    for first, (table, mass) in whole.items():
        missing = mass - sum(table.values())
        rows = dict(table)
        if missing and tail_at is not None:
            rows[tail(tail_at),] = missing
        elif missing:
            ctx.is_exact = False
        for row, chance in rows.items():
            values = iter(row)
            key = tuple(first[0] if each.kind == FIRST else finished(each.how, next(values)) for each in aggregates)
            chances[key] = chances.get(key, Fraction(0)) + chance
    total = lcm(*(chance.denominator for chance in chances.values()))
    return {key: int(chance * total) for key, chance in chances.items()}, total


def _chain(ctx: Context, times: int | None, group: Group, amounts: list[Amounts], hit: list[bool], cap: int) -> Chain:
    """The sum of one die and of all its explosions."""
    stays: Chain = {}
    goes: Chain = {}
    for side, amount, again in zip(group.sides, amounts, hit, strict=True):
        part = goes if again else stays
        part[amount] = part.get(amount, Fraction(0)) + Fraction(side.weight, group.weight)
    if not goes:
        return stays
    if times is not None:
        return _bounded_chain(stays, goes, min(times, ctx.evaluator.limits.rerolls), ctx.meter)
    if len(amounts[0]) == 1 and all(_grows(amount) for (amount,) in amounts):
        return _growing_chain(stays, goes, cap)
    return _long_chain(stays, goes, ctx.meter)


def _cap_of(groups: tuple[Group, ...], sums: list[Sum]) -> int:
    """The total at which the tail begins, higher than any likely total."""
    found = 0
    for at, group in enumerate(groups):
        highest = max((abs(amount) for each in sums for amount in each.amounts[at]), default=0)
        found += (group.count + _LONG) * int(highest)
    return max(found, _LEAST_CAP)


def _grows(amount: Any) -> bool:
    return type(amount) is int and amount >= 0


def _times(a: Chain, b: Chain, budget: Budget) -> Chain:
    """The sum of two independent amounts (convolution)."""
    found: Chain = {}
    for left, weight in a.items():
        # A product of fractions takes longer than one of whole numbers.
        budget.spend(10 * len(b))
        for right, chance in b.items():
            key = tuple(x + y for x, y in zip(left, right, strict=True))
            found[key] = found.get(key, Fraction(0)) + weight * chance
    return found


def _plus(a: Chain, b: Chain) -> Chain:
    found = dict(a)
    for amount, weight in b.items():
        found[amount] = found.get(amount, Fraction(0)) + weight
    return found


def _bounded_chain(stays: Chain, goes: Chain, times: int, budget: Budget) -> Chain:
    """A die that explodes at most *times* times."""
    chain = _plus(stays, goes)
    for _ in range(times):
        chain = _plus(stays, _times(goes, chain, budget))
    return chain


def _growing_chain(stays: Chain, goes: Chain, cap: int) -> Chain:
    """A die that explodes without bound, up to the cap: a recurrence over the amounts."""
    still = goes.get((0,), Fraction(0))
    chain = {amount: weight / (1 - still) for (amount,), weight in stays.items()}
    onward = {amount: weight / (1 - still) for (amount,), weight in goes.items() if amount}
    found: dict[Any, Fraction] = {}
    for amount in range(cap):
        weight = chain.get(amount, Fraction(0))
        for step, chance in onward.items():
            weight += chance * found.get(amount - step, Fraction(0))
        if weight:
            found[amount] = weight
    return {(amount,): weight for amount, weight in found.items()}


def _long_chain(stays: Chain, goes: Chain, budget: Budget) -> Chain:
    """A die that explodes without bound, until the chance of another throw is negligible."""
    found: Chain = {}
    current: Chain = {(0,) * len(next(iter(goes))): Fraction(1)}
    while sum(current.values()) > _FAINT:
        found = _plus(found, _times(current, stays, budget))
        current = _times(current, goes, budget)
    return found


def _first_die(group: Group, amounts: list[Amounts], hit: list[bool], more: Chain, budget: Budget) -> ByFirst:
    """The first die of a pool by its face, with the sum of the die and its explosions."""
    found: ByFirst = {}
    for side, amount, again in zip(group.sides, amounts, hit, strict=True):
        chance = Fraction(side.weight, group.weight)
        table, mass = found.get((side.face.value,), ({}, Fraction(0)))
        own = _times({amount: chance}, more, budget) if again else {amount: chance}
        found[side.face.value,] = _plus(table, own), mass + chance
    return found


def _added(
    start: tuple[Chain, Fraction], chain: Chain, count: int, cap: int | None, budget: Budget
) -> tuple[Chain, Fraction]:
    """Add *count* dice; dropped sums stay in the total chance: those from *cap* on, and negligible ones of a cut-off."""
    table, mass = start
    is_cut_off = cap is None and sum(chain.values()) < 1
    # Whole weights over one total: fractions would be reduced after each product.
    weights, total = _whole(table)
    steps, scale = _whole(chain)
    for _ in range(count):
        weights, total = multiply(weights, steps, budget), total * scale
        if cap is not None:
            weights = {amount: weight for amount, weight in weights.items() if amount[0] < cap}
        elif is_cut_off:
            # The tail of each die is not worked out, and these sums are far less likely than it.
            least = total // _NEGLIGIBLE
            weights = {amount: weight for amount, weight in weights.items() if weight > least}
    if cap is not None:
        weights = {amount: weight for amount, weight in weights.items() if amount[0] < cap}
    return {amount: Fraction(weight, total) for amount, weight in weights.items()}, mass


def _whole(chances: Chain) -> tuple[Table, int]:
    """Chances as whole weights over one total."""
    total = lcm(*(chance.denominator for chance in chances.values()))
    return {amount: chance.numerator * (total // chance.denominator) for amount, chance in chances.items()}, total
