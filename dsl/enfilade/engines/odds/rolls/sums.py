"""Sums over a pool: totals, counts, kept dice, the best and the first die, by convolution and order statistics."""

from __future__ import annotations

from typing import Any

from enfilade.engines.odds.analysis.aggregates import FIRST, SUM, Aggregate
from enfilade.engines.odds.dice.keep_highest import sums_of
from enfilade.engines.odds.dice.pool import Group, Sum, Table
from enfilade.engines.odds.rolls.outcomes import PendingRoll
from enfilade.engines.odds.rolls.side_values import best_of, sum_over


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
            best = best_of(pending, each, groups)
            if best is None:
                return None
            known[each.local], elements[each.local] = best
    kept = {each.ranks for each in known.values() if each.kept is not None}
    first = [each for each in aggregates if each.kind == FIRST]
    if len(kept) > 1 or (first and kept):
        return None
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
        key = tuple([_value(each, elements, row[at]) for each, at in zip(aggregates, places, strict=True)])
        outcomes[key] = outcomes.get(key, 0) + weight
    return outcomes


def _value(aggregate: Aggregate, elements: dict[str, dict[int, Any]], amount: Any) -> Any:
    """The value of an aggregate from what was added up."""
    return elements[aggregate.local][amount] if aggregate.local in elements else finished(aggregate.how, amount)


def _with_first(pending: PendingRoll, groups: tuple[Group, ...], sums: list[Sum]) -> Table:
    """The joint distribution of the first die and some sums over all dice."""
    head = groups[0]
    rest = (Group(head.count - 1, head.sides), *groups[1:])
    others = sums_of(rest, sums, pending.ctx.meter)
    found: Table = {}
    for number, side in enumerate(head.sides):
        added = tuple(each.amounts[0][number] for each in sums)
        for row, weight in others.items():
            key = (side.face.value, *(a + b for a, b in zip(row, added, strict=True)))
            found[key] = found.get(key, 0) + weight * side.weight
    return found


def finished(how: str, amount: Any) -> Any:
    """Convert the accumulated amount of an aggregate to its value."""
    if how in ("any", "has"):
        return amount > 0
    return amount == 0 if how in ("all", "none") else amount
