"""Sums over a pool: totals, counts, kept dice, single dice in order, the first die, by convolution and order statistics."""

from __future__ import annotations

from math import ceil
from typing import Any, NamedTuple

from attrs import evolve

from enfilade.engines.odds.analysis.aggregates import FIRST, SUM, Aggregate
from enfilade.engines.odds.dice.keep_highest import sums_of
from enfilade.engines.odds.dice.pool import Group, Sum, Table
from enfilade.engines.odds.dice.tails import Tail, low_of, tail
from enfilade.engines.odds.rolls.outcomes import PendingRoll
from enfilade.engines.odds.rolls.side_values import ranked, sum_over


def added_up(pending: PendingRoll, aggregates: tuple[Aggregate, ...], groups: tuple[Group, ...]) -> Table | None:
    """The joint distribution of some values; ``None`` if one is not a sum, or if their ranks of the dice differ."""
    known: dict[str, Sum] = {}
    elements: dict[str, dict[int, Any]] = {}
    for each in aggregates:
        if each.kind == SUM:
            found = sum_over(pending, each, groups)
            if found is None:
                return None
            known[each.local] = found
        elif each.kind != FIRST:
            one = ranked(pending, each, groups)
            if one is None:
                return None
            known[each.local], elements[each.local] = one
    dice = sum(group.count for group in groups)
    marks = {name: mark for name, each in known.items() if (mark := _mark(each, dice)) is not None}
    known = {name: _marked(each, marks[name].offset) if name in marks else each for name, each in known.items()}
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
    places = [0 if each.kind == FIRST else 1 + [*known].index(each.local) for each in aggregates]
    outcomes: Table = {}
    for row, weight in table.items():
        key = tuple([_value(each, elements, marks, row[at]) for each, at in zip(aggregates, places, strict=True)])
        outcomes[key] = outcomes.get(key, 0) + weight
    return outcomes


def _value(aggregate: Aggregate, elements: dict[str, dict[int, Any]], marks: dict[str, _Mark], amount: Any) -> Any:
    """The value of an aggregate from what was added up."""
    name = aggregate.local
    if name in elements:
        return elements[name][amount]
    return finished(aggregate.how, marks[name].read(amount) if name in marks else amount)


class _Mark(NamedTuple):
    """Marks the tails among the amounts of a sum: an offset is added to their bounds, and told from the sum again.

    Attributes:
        offset: The offset: more than the difference between two sums without it.
        least: The least sum without it.
        source: The statement that the tails come from.
    """

    offset: int
    least: Any
    source: Any

    def read(self, amount: Any) -> Any:
        """The sum: a tail if some of its amounts were tails."""
        number = (amount - self.least) // self.offset
        return tail(amount - number * self.offset, self.source) if number else amount


def _mark(each: Sum, dice: int) -> _Mark | None:
    """What marks the tails among the amounts of a sum; ``None`` if there are no tails."""
    amounts = [amount for of_group in each.amounts for amount in of_group]
    tails = [amount for amount in amounts if isinstance(amount, Tail)]
    if not tails:
        return None
    bounds = list(map(low_of, amounts))
    kept = dice if each.kept is None else min(each.kept, dice)
    return _Mark(kept * ceil(max(bounds) - min(bounds)) + 1, kept * min(bounds), tails[0].source)


def _marked(each: Sum, offset: int) -> Sum:
    """A sum with its tails marked."""
    amounts = tuple(
        tuple(amount.low + offset if isinstance(amount, Tail) else amount for amount in of_group)
        for of_group in each.amounts
    )
    return evolve(each, amounts=amounts)


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
