"""The amount that each side of a die adds to a value, and its rank among the sides (keep highest)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.engines.odds.analysis.aggregates import FIRST, Aggregate, Stream
from enfilade.engines.odds.analysis.demands import ELEMENT
from enfilade.engines.odds.dice.pool import Group, Side, Sum
from enfilade.engines.odds.dice.tails import Undecided
from enfilade.engines.odds.rolls.outcomes import PendingRoll
from enfilade.engines.odds.states.distribution import frozen_value
from enfilade.engines.odds.states.expressions import required, value_of
from enfilade.errors import InputError, RunError

UNKNOWN: Final = (RunError, InputError, Undecided)
"""Why a value of a side may be unknown. It matters only where the rules read the value, so it is no error here."""
_GONE: Final = object()
"""The value of a side that a filter removes."""


def sum_over(pending: PendingRoll, aggregate: Aggregate, groups: tuple[Group, ...]) -> Sum | None:
    """A value as a sum over the dice; ``None`` if the kept dice depend on the order of equal ranks, or are undecided."""
    sort = None if aggregate.stream is None else aggregate.stream.sort
    try:
        amounts = tuple(tuple(_amount(pending, aggregate, side.face) for side in group.sides) for group in groups)
        if sort is None or sort.take is None:
            return Sum(amounts)
        ranks = ranks_of(pending, aggregate, sort, groups)
        if _by_rank(_flat(ranks), _flat(amounts)) is None:
            return None
    except UNKNOWN:
        return None
    return Sum(amounts, ranks, max(required(pending.ctx, sort.take, pending.env), 0))


def _by_rank(ranks: Iterable[int], values: Iterable[Any]) -> dict[int, Any] | None:
    """The value of each rank; ``None`` if equal ranks have different values: then it matters which die is kept."""
    found: dict[int, Any] = {}
    for rank, value in zip(ranks, values, strict=True):
        # A tail can't be compared with itself.
        if found.setdefault(rank, value) is not value and found[rank] != value:
            return None
    return found


def ranked(pending: PendingRoll, aggregate: Aggregate, groups: tuple[Group, ...]) -> tuple[Sum, dict[int, Any]] | None:
    """A value that is one of the sorted dice: the rank of the die as a sum over the pool, and the value for each rank.

    Returns:
        ``None`` if the value is another one, if a side may be filtered out, or if equal ranks have different values.
    """
    element: Callable[[PendingRoll, Aggregate, ir.Face, ir.Sort], Any]
    place: Any = 1
    match aggregate.expression, aggregate.stream:
        case ir.Over("highest" | "lowest"), Stream(sort=ir.Sort() as sort):
            element = _key
        case ir.Op("item", (index, ir.Sort(take=None) as sort)), _:
            element, place = _through, value_of(pending.ctx, index, pending.env)
        case _:
            return None
    if type(place) is not int or not 1 <= place <= sum(group.count for group in groups):
        return None
    try:
        ranks = ranks_of(pending, aggregate, sort, groups)
        sides = [element(pending, aggregate, side.face, sort) for group in groups for side in group.sides]
        values = _by_rank(_flat(ranks), sides)
    except UNKNOWN:
        return None
    return None if values is None or _GONE in values.values() else (Sum(ranks, ranks, place, place - 1), values)


def _amount(pending: PendingRoll, aggregate: Aggregate, face: ir.Face) -> Any:
    """The amount that one side adds."""
    stream, last = aggregate.stream, aggregate.last
    if stream is None:
        return 0 if isinstance(face.value, str) else face.value
    value = _through(pending, aggregate, face, None)
    if value is _GONE:
        return 0
    if isinstance(last, ir.Op):
        return int(value == value_of(pending.ctx, last.args[1], pending.env))
    assert isinstance(last, ir.Over)
    if not _passes(pending, last.var, last.where, value):
        return 0
    match aggregate.how:
        case "count":
            return 1
        case "sum":
            return required(pending.ctx, last.body, pending.env)
        case "all":
            return int(not value_of(pending.ctx, last.body, pending.env))
    return int(bool(value_of(pending.ctx, last.body, pending.env)))


def _passes(pending: PendingRoll, var: str, where: ir.Expr | None, value: Any) -> bool:
    pending.env.locals[var] = value
    return where is None or bool(value_of(pending.ctx, where, pending.env))


def _through(pending: PendingRoll, aggregate: Aggregate, face: ir.Face, until: ir.Sort | None) -> Any:
    """The value of a side after the filters and maps of a stream, or of those before the sort *until*."""
    assert aggregate.stream is not None
    value = face.value if aggregate.stream.part == "values" else face.printed
    for operation in aggregate.stream.operations:
        if operation is until:
            return value
        if isinstance(operation, ir.Sort):
            continue
        if not _passes(pending, operation.var, operation.where, value):
            return _GONE
        found = value_of(pending.ctx, operation.body, pending.env)
        if operation.how == "list":
            value = found
        elif not found:
            return _GONE
    return value


def ranks_of(
    pending: PendingRoll, aggregate: Aggregate, sort: ir.Sort, groups: tuple[Group, ...]
) -> tuple[tuple[int, ...], ...]:
    """For each group, the rank of each side; the first in order has rank 0."""
    keys = [[_key(pending, aggregate, side.face, sort) for side in group.sides] for group in groups]
    present = {key for key in _flat(keys) if key is not _GONE}
    order = {key: rank for rank, key in enumerate(sorted(present, reverse=sort.descending))}
    # A side that a filter removed ranks last, so it is never kept.
    return tuple(tuple(order.get(key, len(order)) for key in of_group) for of_group in keys)


def _key(pending: PendingRoll, aggregate: Aggregate, face: ir.Face, sort: ir.Sort) -> Any:
    value = _through(pending, aggregate, face, sort)
    if value is _GONE:
        return _GONE
    pending.env.locals[sort.var] = value
    return required(pending.ctx, sort.key, pending.env)


def has_order(pending: PendingRoll, aggregates: tuple[Aggregate, ...], groups: tuple[Group, ...]) -> bool:
    """Whether some value depends on the order of the dice."""
    for each in aggregates:
        if each.kind == FIRST:
            return True
        for sort in _sorts(each.expression):
            if sort.key != ir.Local(sort.var) and _ties(pending, sort, groups):
                return True
    return False


def _ties(pending: PendingRoll, sort: ir.Sort, groups: tuple[Group, ...]) -> bool:
    """Whether two different sides have the same rank."""
    keys: dict[Any, Any] = {}
    for group in groups:
        for side in group.sides:
            pending.env.locals[sort.var] = side.face.value
            try:
                key = value_of(pending.ctx, sort.key, pending.env)
            except UNKNOWN:
                return True
            if keys.setdefault(key, side.face) != side.face:
                return True
    return not isinstance(sort.over, ir.Part)


def taken(aggregate: Aggregate) -> ir.Expr | None:
    """The number of sorted dice that a value reads; ``None`` for all of them."""
    sort = None if aggregate.stream is None else aggregate.stream.sort
    if sort is None:
        return None
    match aggregate.expression:
        case ir.Op("item" | "first", (count, ir.Sort())) if sort.take is None:
            return count
    return sort.take


def _flat(rows: Any) -> Iterator[Any]:
    for row in rows:
        yield from row


def _sorts(e: ir.Expr) -> list[ir.Sort]:
    return [node for node in nodes(e) if isinstance(node, ir.Sort)]


def merged_sides(pending: PendingRoll, tests: tuple[ir.Expr, ...], group: Group) -> Group:
    """Dice whose sides are one side if no test tells them apart."""
    sides: dict[Any, Side] = {}
    for side in group.sides:
        key = _tested(pending, tests, side.face)
        first = sides.get(key)
        sides[key] = side if first is None else Side(first.face, first.weight + side.weight)
    return Group(group.count, tuple(sides.values()))


def _tested(pending: PendingRoll, tests: tuple[ir.Expr, ...], face: ir.Face) -> Any:
    """The values of the tests for a face; the face itself if one fails, for the step that makes the test to report."""
    pending.env.locals[ELEMENT] = face.value
    try:
        return tuple(frozen_value(value_of(pending.ctx, test, pending.env)) for test in tests)
    except UNKNOWN:
        return face
