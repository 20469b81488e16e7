"""Convolution: the distribution of sums over a pool of dice, by multiplying polynomials.

A die becomes a polynomial: the exponent is the amount that a side adds, the coefficient is the weight of the sides that
add it. The polynomial of a pool is the product of the polynomials of its dice.

*One sum.* A polynomial with whole coefficients is packed into one large integer with enough bits for each coefficient
(Kronecker substitution). Python multiplies large integers quickly, so a pool of 400 dice is one power of an integer.

*Several sums at once.* The terms are tuples in a dictionary, multiplied by repeated squaring.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm

from enfilade.engines.odds.dice.pool import (
    Budget,
    Group,
    Sum,
    Table,
    exact,
    expect_packed,
    throws,
    whole,
)


def one_sum(groups: Sequence[Group], wanted: Sum, budget: Budget) -> Table:
    """The weight of each amount that one sum over all dice can reach."""
    scale = lcm(*(Fraction(amount).denominator for amounts in wanted.amounts for amount in amounts))
    amounts_of = [[int(amount * scale) for amount in amounts] for amounts in wanted.amounts]
    low = sum(group.count * min(amounts) for group, amounts in zip(groups, amounts_of, strict=True) if group.count)
    high = sum(group.count * max(amounts) for group, amounts in zip(groups, amounts_of, strict=True) if group.count)
    step = _step(groups, amounts_of)
    width = (high - low) // step + 1
    budget.expect(width)
    room = throws(groups).bit_length() + 1
    expect_packed(width * room, 1, budget)
    packed = 1
    for group, amounts in zip(groups, amounts_of, strict=True):
        if group.count:
            packed *= _packed(group, amounts, step, room) ** group.count
    return {exact(low + place * step, scale): weight for place, weight in unpacked(packed, room)}


def _step(groups: Sequence[Group], amounts_of: list[list[int]]) -> int:
    """The greatest common divisor of all differences between amounts."""
    differences = [
        amount - amounts[0]
        for group, amounts in zip(groups, amounts_of, strict=True)
        for amount in amounts
        if group.count
    ]
    return gcd(*differences) or 1


def _packed(group: Group, amounts: list[int], step: int, room: int) -> int:
    low = min(amounts)
    packed = 0
    for side, amount in zip(group.sides, amounts, strict=True):
        packed += side.weight << ((amount - low) // step * room)
    return packed


def unpacked(packed: int, room: int) -> Iterator[tuple[int, int]]:
    """The exponents of a packed polynomial whose coefficients are not 0, with the coefficients."""
    if packed.bit_length() <= 4096:
        mask, place = (1 << room) - 1, 0
        while packed:
            if packed & mask:
                yield place, packed & mask
            packed >>= room
            place += 1
        return
    # Shifting a large integer once for each coefficient takes quadratic time, so split it in halves.
    half = (packed.bit_length() // room + 1) // 2
    yield from unpacked(packed & ((1 << half * room) - 1), room)
    for place, weight in unpacked(packed >> half * room, room):
        yield place + half, weight


def several_sums(groups: Sequence[Group], sums: Sequence[Sum], budget: Budget) -> Table:
    """The weight of each tuple of amounts that several sums over all dice can reach together."""
    product: Table = {(0,) * len(sums): 1}
    for at, group in enumerate(groups):
        if not group.count:
            continue
        die: Table = {}
        for number, side in enumerate(group.sides):
            added = tuple(each.amounts[at][number] for each in sums)
            die[added] = die.get(added, 0) + side.weight
        product = multiply(product, _power(die, group.count, budget), budget)
    return {tuple(whole(Fraction(amount)) for amount in amounts): weight for amounts, weight in product.items()}


def _power(die: Table, count: int, budget: Budget) -> Table:
    """The sum of *count* equal dice, by repeated squaring."""
    result: Table | None = None
    while True:
        if count & 1:
            result = die if result is None else multiply(result, die, budget)
        count >>= 1
        if not count:
            assert result is not None
            return result
        die = multiply(die, die, budget)


def multiply(a: Table, b: Table, budget: Budget) -> Table:
    """The product of two polynomials: the weight of each sum of two tuples of amounts."""
    found: Table = {}
    for left, weight in a.items():
        budget.count(len(b))
        for right, other in b.items():
            key = tuple(x + y for x, y in zip(left, right, strict=True))
            found[key] = found.get(key, 0) + weight * other
    return found
