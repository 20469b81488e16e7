"""Order statistics: keep the highest or lowest dice of a pool, as in "highest 2 of 5d6".

The sides of a die are visited in order of rank, the best first. Some number of the remaining dice shows this side, and
these dice are kept while there is room. As soon as there is no room, the other dice are free: they
contribute one factor for all their throws together.

*One sum over equal dice* needs one packed polynomial (see ``convolution``) for each number of dice kept so far.

*Several sums, dice of several kinds, or one die from the middle* need a table with the weight of each combination of remaining
dice and sums so far.

*The kept faces themselves* are listed as multisets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, lcm
from typing import Any, Final

from enfilade.core import ir
from enfilade.engines.odds.dice.convolution import one_sum, several_sums, unpacked
from enfilade.engines.odds.dice.pool import (
    Budget,
    Group,
    Sum,
    Table,
    exact,
    throws,
    whole,
)

_BIT: Final = 5e-12
"""The time to multiply one bit of a long number by a short number."""


def sums_of(groups: Sequence[Group], sums: Sequence[Sum], budget: Budget) -> Table:
    """The joint distribution of some sums over a pool, each over all dice or over the kept dice.

    Args:
        groups: The pool.
        sums: The sums. Sums that keep only some dice must rank the dice alike.
        budget: What the calculation may cost.

    Returns:
        The weight of each tuple of amounts; the weights add up to ``throws(groups)``.

    Raises:
        LimitError: There are too many outcomes, or too much work.
    """
    if not sums:
        return {(): throws(groups)}
    if all(each.kept is None for each in sums):
        if len(sums) == 1:
            return {(amount,): weight for amount, weight in one_sum(groups, sums[0], budget).items()}
        return several_sums(groups, sums, budget)
    if len(sums) == len(groups) == 1 and not sums[0].skipped:
        return {(amount,): weight for amount, weight in _best_of_equal_dice(groups[0], sums[0], budget).items()}
    return _ranked(groups, sums, budget)


def _best_of_equal_dice(group: Group, wanted: Sum, budget: Budget) -> Table:
    """The sum over the dice with the lowest ranks, for equal dice."""
    assert wanted.ranks is not None
    assert wanted.kept is not None
    dice, kept = group.count, min(wanted.kept, group.count)
    scale = lcm(*(Fraction(amount).denominator for amount in wanted.amounts[0]))
    amounts = [int(amount * scale) for amount in wanted.amounts[0]]
    low = min(amounts)
    width = (max(amounts) - low) * kept + 1
    budget.expect(width)
    room = (group.weight**dice).bit_length() + 1
    classes = _classes(group, [amount - low for amount in amounts], wanted.ranks[0])
    # Each class of sides multiplies every polynomial by small numbers, which takes linear time.
    steps = len(classes) * (kept + 1) ** 2
    budget.expect(seconds=steps * width * room * _BIT, size=width * room * (kept + 1) // 8)
    # `so_far` maps each number of dice kept so far to the polynomial of their sum; `full` is the polynomial with no room left.
    so_far, full, rest = {0: 1}, 0, group.weight
    for amount, weight in classes:
        rest -= weight
        budget.count((kept + 1) ** 2 * (1 + width * room // 20_000))
        so_far, filled = _with_class(so_far, amount * room, weight, rest, dice, kept)
        full += filled
    full += so_far.get(kept, 0)
    return {exact(place + low * kept, scale): weight for place, weight in unpacked(full, room)}


def _with_class(
    so_far: dict[int, int], shift: int, weight: int, rest: int, dice: int, kept: int
) -> tuple[dict[int, int], int]:
    """Choose how many dice show one class of sides; *rest* is the weight of all later classes.

    Returns:
        The polynomials with room left, by the number of dice kept, and the polynomial of those that this class filled.
    """
    after: dict[int, int] = {}
    full = 0
    for had, packed in so_far.items():
        left, free = dice - had, kept - had
        beyond = (weight + rest) ** left
        for showing in range(free):
            ways = comb(left, showing) * weight**showing
            after[had + showing] = after.get(had + showing, 0) + (packed * ways << shift * showing)
            beyond -= ways * rest ** (left - showing)
        # The remaining dice show this class or a later one, and none of them is kept.
        full += packed * beyond << shift * free
    return after, full


def _classes(group: Group, amounts: list[int], ranks: tuple[int, ...]) -> list[tuple[int, int]]:
    """The sides in order of rank; neighbours that add the same amount become one class with their total weight."""
    found: list[tuple[int, int]] = []
    for _, amount, weight in sorted(zip(ranks, amounts, (side.weight for side in group.sides), strict=True)):
        if found and found[-1][0] == amount:
            found[-1] = amount, found[-1][1] + weight
        else:
            found.append((amount, weight))
    return found


def _ranked(groups: Sequence[Group], sums: Sequence[Sum], budget: Budget) -> Table:
    """Several sums, some over the kept dice only, over dice of several kinds."""
    ranks = next(each.ranks for each in sums if each.ranks is not None)
    classes: dict[tuple[Any, ...], int] = {}
    for at, group in enumerate(groups):
        for number, side in enumerate(group.sides):
            added = tuple(each.amounts[at][number] for each in sums)
            key = (ranks[at][number], at, added)
            classes[key] = classes.get(key, 0) + side.weight
    dice = sum(group.count for group in groups)
    state: Table = {(tuple(group.count for group in groups), (0,) * len(sums)): 1}
    for (_, at, added), weight in sorted(classes.items(), key=lambda item: (item[0][:2], item[1])):
        state = _with_side(state, at, added, weight, sums, dice, budget)
    return {
        tuple(whole(Fraction(amount)) for amount in amounts): weight
        for (left, amounts), weight in state.items()
        if not any(left)
    }


def _with_side(
    state: Table,
    at: int,
    added: tuple[Any, ...],
    weight: int,
    sums: Sequence[Sum],
    dice: int,
    budget: Budget,
) -> Table:
    after: Table = {}
    for (left, amounts), so_far in state.items():
        placed = dice - sum(left)
        budget.count(left[at] + 1)
        times = 1
        for showing in range(left[at] + 1):
            rest = (*left[:at], left[at] - showing, *left[at + 1 :])
            got = tuple(
                [
                    amount + add * each.share(placed, showing)
                    for amount, add, each in zip(amounts, added, sums, strict=True)
                ]
            )
            key = (rest, got)
            after[key] = after.get(key, 0) + so_far * comb(left[at], showing) * times
            times *= weight
    return after


def kept_faces(
    groups: Sequence[Group], ranks: Sequence[Sequence[int]], kept: int, budget: Budget
) -> Iterator[tuple[tuple[ir.Face, ...], int]]:
    """Each multiset of kept faces (those with the lowest ranks) with the weight of the throws that give it.

    Args:
        groups: The pool.
        ranks: For each group, the rank of each side.
        kept: The number of dice to keep.
        budget: What the calculation may cost.
    """
    if len(groups) == 1:
        return _kept_of_equal_dice(groups[0], ranks[0], min(kept, groups[0].count), budget)
    return _kept_of_several_kinds(groups, ranks, kept, budget)


def _kept_of_equal_dice(
    group: Group, ranks: Sequence[int], kept: int, budget: Budget
) -> Iterator[tuple[tuple[ir.Face, ...], int]]:
    order = sorted(range(len(group.sides)), key=lambda number: ranks[number])
    state: dict[tuple[ir.Face, ...], int] = {(): 1}
    rest = group.weight
    for number in order:
        side = group.sides[number]
        rest -= side.weight
        after: dict[tuple[ir.Face, ...], int] = {}
        for faces, weight in state.items():
            left, free = group.count - len(faces), kept - len(faces)
            budget.count(free + 1)
            beyond = (side.weight + rest) ** left
            for showing in range(free):
                ways = comb(left, showing) * side.weight**showing
                key = faces + (side.face,) * showing
                after[key] = after.get(key, 0) + weight * ways
                beyond -= ways * rest ** (left - showing)
            if beyond:
                yield faces + (side.face,) * free, weight * beyond
        state = after


def _kept_of_several_kinds(
    groups: Sequence[Group], ranks: Sequence[Sequence[int]], kept: int, budget: Budget
) -> Iterator[tuple[tuple[ir.Face, ...], int]]:
    classes = sorted(
        (ranks[at][number], at, number) for at, group in enumerate(groups) for number in range(len(group.sides))
    )
    state: Table = {(tuple(group.count for group in groups), ()): 1}
    for _, at, number in classes:
        side = groups[at].sides[number]
        after: Table = {}
        for (left, faces), weight in state.items():
            budget.count(left[at] + 1)
            for showing in range(left[at] + 1):
                rest = (*left[:at], left[at] - showing, *left[at + 1 :])
                key = (rest, faces + (side.face,) * min(showing, kept - len(faces)))
                after[key] = after.get(key, 0) + weight * comb(left[at], showing) * side.weight**showing
        state = after
    for (left, faces), weight in state.items():
        if not any(left):
            yield faces, weight
