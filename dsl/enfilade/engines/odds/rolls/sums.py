"""Sums over a pool: totals, counts, kept dice, and the first die, by convolution and order statistics."""

from __future__ import annotations

from typing import Any

from enfilade.engines.odds.analysis.aggregates import FIRST, SUM, Aggregate
from enfilade.engines.odds.dice.keep_highest import sums_of
from enfilade.engines.odds.dice.pool import Group, Sum, Table
from enfilade.engines.odds.rolls.outcomes import PendingRoll
from enfilade.engines.odds.rolls.side_values import sum_over


def added_up(pending: PendingRoll, aggregates: tuple[Aggregate, ...], groups: tuple[Group, ...]) -> Table | None:
    """The joint distribution of some values; ``None`` if one is not a sum, or if their ranks of the dice differ."""
    if not all(each.kind in (SUM, FIRST) for each in aggregates):
        return None
    sums = {each.local: sum_over(pending, each, groups) for each in aggregates if each.kind == SUM}
    if any(found is None for found in sums.values()):
        return None
    known = {name: found for name, found in sums.items() if found is not None}
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
    at = {name: place + 1 for place, name in enumerate(known)}
    found: Table = {}
    for row, weight in table.items():
        key = tuple(row[0] if each.kind == FIRST else finished(each.how, row[at[each.local]]) for each in aggregates)
        found[key] = found.get(key, 0) + weight
    return found


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
