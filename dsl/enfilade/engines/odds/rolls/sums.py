"""Sums over a pool: totals, counts, kept dice, single dice in order, the first die, by convolution and order statistics."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil
from typing import Any

from attrs import evolve

from enfilade.engines.odds.analysis.aggregates import FIRST, SUM, Aggregate
from enfilade.engines.odds.dice.keep_highest import sums_of
from enfilade.engines.odds.dice.pool import Group, Sum, Table
from enfilade.engines.odds.dice.tails import Tail, low_of, tail
from enfilade.engines.odds.rolls.outcomes import PendingRoll
from enfilade.engines.odds.rolls.side_values import ranked, sum_over


def added_up(pending: PendingRoll, aggregates: tuple[Aggregate, ...], groups: tuple[Group, ...]) -> Table | None:
    """The joint distribution of some values; ``None`` if one is not a sum, or if their ranks of the dice differ."""
    dice = sum(group.count for group in groups)
    known: dict[str, Sum] = {}
    readers: dict[str, Callable[[Any], Any]] = {}
    for each in aggregates:
        if each.kind == SUM:
            found = sum_over(pending, each, groups)
            if found is None:
                return None
            known[each.local], readers[each.local] = _with_marks(found, dice) or (found, partial(finished, each.how))
        elif each.kind != FIRST:
            one = ranked(pending, each, groups)
            if one is None:
                return None
            known[each.local], values = one
            readers[each.local] = values.__getitem__
    ranks = next((each.ranks for each in known.values() if each.ranks is not None), None)
    if ranks is not None:
        alike = {name: each.ranked_as(ranks, dice) for name, each in known.items()}
        known = {name: each for name, each in alike.items() if each is not None}
        if len(known) < len(alike):
            return None
    first = [each for each in aggregates if each.kind == FIRST]
    if first:
        table = _with_first(pending, groups, list(known.values()))
    else:
        table = {
            (None, *row): weight for row, weight in sums_of(groups, list(known.values()), pending.ctx.meter).items()
        }
    pending.ctx.meter.count(len(table))
    at = {name: place + 1 for place, name in enumerate(known)}
    outcomes: Table = {}
    for row, weight in table.items():
        key = tuple([row[0] if each.kind == FIRST else readers[each.local](row[at[each.local]]) for each in aggregates])
        outcomes[key] = outcomes.get(key, 0) + weight
    return outcomes


def _with_marks(each: Sum, dice: int) -> tuple[Sum, Callable[[Any], Any]] | None:
    """A sum whose amounts are numbers although some were tails, and the function that turns it back into a tail.

    A large number, the mark, is added to the bound of each tail. How often the mark is in the sum is how many tails are.

    Returns:
        ``None`` if no amount is a tail.
    """
    amounts = [amount for of_group in each.amounts for amount in of_group]
    tails = [amount for amount in amounts if isinstance(amount, Tail)]
    if not tails:
        return None
    bounds = list(map(low_of, amounts))
    kept = dice if each.kept is None else min(each.kept, dice)
    # Two sums without a mark differ by less than the mark.
    least, mark = kept * min(bounds), kept * ceil(max(bounds) - min(bounds)) + 1

    def marked(amount: Any) -> Any:
        return amount.low + mark if isinstance(amount, Tail) else amount

    def read(total: Any) -> Any:
        number = (total - least) // mark
        return tail(total - number * mark, tails[0].source) if number else total

    return evolve(each, amounts=tuple(tuple(map(marked, of_group)) for of_group in each.amounts)), read


def _with_first(pending: PendingRoll, groups: tuple[Group, ...], sums: list[Sum]) -> Table:
    """The joint distribution of the first die and some sums over all dice."""
    head, meter = groups[0], pending.ctx.meter
    rest = (Group(head.count - 1, head.sides), *groups[1:])
    # Which dice are kept depends on the first die; all of them are added up only once.
    is_ranked = any(each.ranks is not None for each in sums)
    others = {} if is_ranked else sums_of(rest, sums, meter)
    found: Table = {}
    for number, side in enumerate(head.sides):
        if is_ranked:
            shown = (Group(1, (side,)), *rest)
            table = sums_of(shown, [_with_side(each, number) for each in sums], meter)
        else:
            added = tuple(each.amounts[0][number] for each in sums)
            table = {
                tuple(a + b for a, b in zip(row, added, strict=True)): w * side.weight for row, w in others.items()
            }
        for row, weight in table.items():
            key = (side.face.value, *row)
            found[key] = found.get(key, 0) + weight
    return found


def _with_side(each: Sum, number: int) -> Sum:
    """A sum over a pool whose first die shows a side."""
    amounts = ((each.amounts[0][number],), *each.amounts)
    return evolve(each, amounts=amounts, ranks=each.ranks and ((each.ranks[0][number],), *each.ranks))


def finished(how: str, amount: Any) -> Any:
    """Convert the accumulated amount of an aggregate to its value."""
    if how in ("any", "has"):
        return amount > 0
    return amount == 0 if how in ("all", "none") else amount
