"""Multisets of faces: each combination that a pool can show once, with the number of throws that show it.

For values that do not depend on the order of the dice. Other values need every throw in order (``all_throws``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod

from enfilade.core import ir
from enfilade.engines.odds.dice.pool import Budget, Group


def multisets(groups: Sequence[Group], budget: Budget) -> Iterator[tuple[tuple[ir.Face, ...], int]]:
    """Each multiset of faces, in the order of the sides, with the weight of the throws that show it."""
    number = prod(comb(group.count + len(group.sides) - 1, group.count) for group in groups)
    budget.expect(number)
    each = [list(_multisets_of(group, budget)) for group in groups]
    for parts in budget.paced(product(*each), number):
        budget.count(len(parts))
        yield tuple(face for faces, _ in parts for face in faces), prod(weight for _, weight in parts)


def _multisets_of(group: Group, budget: Budget) -> Iterator[tuple[tuple[ir.Face, ...], int]]:
    orders = factorial(group.count)
    for chosen in combinations_with_replacement(range(len(group.sides)), group.count):
        budget.count(group.count)
        ways, weight = orders, 1
        for index in set(chosen):
            times = chosen.count(index)
            ways //= factorial(times)
            weight *= group.sides[index].weight ** times
        yield tuple(group.sides[index].face for index in chosen), ways * weight


def all_throws(groups: Sequence[Group], budget: Budget) -> Iterator[tuple[tuple[ir.Face, ...], int]]:
    """Each throw, in the order of the dice, with its weight."""
    number = 1
    for group in groups:
        # A larger power is not needed, and would take long itself.
        number *= len(group.sides) ** min(group.count, 64)
    budget.expect(number)
    slots = [group.sides for group in groups for _ in range(group.count)]
    for sides in budget.paced(product(*slots), number):
        budget.count(1)
        yield tuple(side.face for side in sides), prod(side.weight for side in sides)
