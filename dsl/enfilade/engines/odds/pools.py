"""Pools of dice: the distribution of what is added up over a pool, without listing its throws.

The dice of a pool do not know each other, and what is read of a pool often does not tell them apart: a total, how many
show 4 or less, the sum of the best two. So a pool of *n* equal dice is worked out from one die.

*Added up.* What each side adds is written as a polynomial, one term for each amount with the weight of its sides as the
coefficient. The polynomial of a pool is the product of those of its dice. A product of polynomials whose coefficients
are whole numbers is a product of two large integers, if each coefficient gets room enough in its digits; Python
multiplies those quickly.

*The best of them.* The sides are taken in order of rank, the best first. Of the dice that are left, some number shows
this side; as many of those are kept as there is still room for. Once there is no room, the others may show what they like. So
one polynomial for each number of dice that are kept so far is all there is to carry.

*Several things at once.* The same, with a table of tuples in the place of the polynomial.

*Anything that does not depend on the order* is worked out for each combination of faces, with the number of throws that
show it.

Weights are whole numbers throughout. Nothing here knows of rules: sides come with what they add.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, factorial, gcd, lcm, prod
from typing import Any

from attrs import field, frozen

from enfilade.core import ir
from enfilade.errors import LimitError

Table = dict[Any, int]


@frozen
class Side:
    """A side of a die, or several that count the same.

    Attributes:
        face: The side.
        weight: How often it comes, beside the other sides.
    """

    face: ir.Face
    weight: int = 1


@frozen
class Group:
    """Equal dice of a pool: how many, and their sides."""

    count: int
    sides: tuple[Side, ...]
    weight: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "weight", sum(side.weight for side in self.sides))


@frozen
class Sum:
    """Something that is added up over a pool.

    Attributes:
        amounts: For each group, what each of its sides adds: a number.
        ranks: For each group the rank of each side, the lowest first, where only some dice are kept.
        kept: How many are kept, those of the lowest rank; ``None`` for all.
    """

    amounts: tuple[tuple[Any, ...], ...]
    ranks: tuple[tuple[int, ...], ...] | None = None
    kept: int | None = None


def throws(groups: Sequence[Group]) -> int:
    """How many throws there are, weights counted."""
    return prod(group.weight**group.count for group in groups)


def sums_of(groups: Sequence[Group], sums: Sequence[Sum], most: int) -> Table:
    """The distribution of some sums over a pool.

    Args:
        groups: The pool.
        sums: What is added up. Those that keep some dice must rank them alike.
        most: How many outcomes there may be.

    Returns:
        The weight of each tuple of amounts; ``throws(groups)`` in all.
    """
    if not sums:
        return {(): throws(groups)}
    if all(each.kept is None for each in sums):
        if len(sums) == 1:
            return {(amount,): weight for amount, weight in _one_sum(groups, sums[0], most).items()}
        return _several_sums(groups, sums, most)
    if len(sums) == 1 and len(groups) == 1:
        return {(amount,): weight for amount, weight in _best_sum(groups[0], sums[0], most).items()}
    return _ranked(groups, sums, most)


# ---------------------------------------------------------------------------------------------------- one sum


def _one_sum(groups: Sequence[Group], wanted: Sum, most: int) -> Table:
    scale = lcm(*(Fraction(amount).denominator for amounts in wanted.amounts for amount in amounts))
    whole = [[int(amount * scale) for amount in amounts] for amounts in wanted.amounts]
    low = sum(group.count * min(amounts) for group, amounts in zip(groups, whole, strict=True) if group.count)
    high = sum(group.count * max(amounts) for group, amounts in zip(groups, whole, strict=True) if group.count)
    step = _step(groups, whole)
    _check_outcomes((high - low) // step + 1, most)
    room = throws(groups).bit_length() + 1
    _check_size(((high - low) // step + 1) * room)
    packed = 1
    for group, amounts in zip(groups, whole, strict=True):
        if group.count:
            packed *= _packed(group, amounts, step, room) ** group.count
    return {_exact(low + place * step, scale): weight for place, weight in _unpacked(packed, room)}


def _step(groups: Sequence[Group], whole: list[list[int]]) -> int:
    """The largest number of which all differences of amounts are multiples."""
    differences = [
        amount - amounts[0] for group, amounts in zip(groups, whole, strict=True) for amount in amounts if group.count
    ]
    return gcd(*differences) or 1


def _packed(group: Group, amounts: list[int], step: int, room: int) -> int:
    low = min(amounts)
    packed = 0
    for side, amount in zip(group.sides, amounts, strict=True):
        packed += side.weight << ((amount - low) // step * room)
    return packed


def _unpacked(packed: int, room: int) -> Iterator[tuple[int, int]]:
    """The places of a packed polynomial that are not 0, with their coefficients."""
    if packed.bit_length() <= 4096:
        mask, place = (1 << room) - 1, 0
        while packed:
            if packed & mask:
                yield place, packed & mask
            packed >>= room
            place += 1
        return
    # To shift a large number again and again costs its square: it is halved instead.
    half = (packed.bit_length() // room + 1) // 2
    yield from _unpacked(packed & ((1 << half * room) - 1), room)
    for place, weight in _unpacked(packed >> half * room, room):
        yield place + half, weight


def _exact(amount: int, scale: int) -> Any:
    return amount if scale == 1 else _whole(Fraction(amount, scale))


def _whole(number: Fraction) -> Any:
    return number.numerator if number.denominator == 1 else number


def _check_outcomes(count: int, most: int) -> None:
    if count > most:
        raise LimitError("outcomes", f"a pool has {count} outcomes; at most {most} are told apart")


def _check_size(bits: int) -> None:
    if bits > _MOST_BITS:
        raise LimitError("products", "a pool of dice is too large for exact odds")


_MOST_BITS = 20_000_000

# ------------------------------------------------------------------------------------------ the best of a pool


def _best_sum(group: Group, wanted: Sum, most: int) -> Table:
    """The sum over the dice of the lowest ranks, one polynomial for each number of dice that are kept so far."""
    assert wanted.ranks is not None
    assert wanted.kept is not None
    dice, kept = group.count, min(wanted.kept, group.count)
    scale = lcm(*(Fraction(amount).denominator for amount in wanted.amounts[0]))
    amounts = [int(amount * scale) for amount in wanted.amounts[0]]
    low = min(amounts)
    width = (max(amounts) - low) * kept + 1
    _check_outcomes(width, most)
    room = (group.weight**dice).bit_length() + 1
    classes = _classes(group, [amount - low for amount in amounts], wanted.ranks[0])
    _check_size(width * room * (kept + 1))
    _check_work(len(classes) * (kept + 1) ** 2 * max(1, width * room // 20_000))
    # For each number of dice that are kept so far, all of the ranks gone through: what they add up to.
    so_far, full, rest = {0: 1}, 0, group.weight
    for amount, weight in classes:
        rest -= weight
        so_far, filled = _with_class(so_far, amount * room, weight, rest, dice, kept)
        full += filled
    full += so_far.get(kept, 0)
    return {_exact(place + low * kept, scale): weight for place, weight in _unpacked(full, room)}


def _with_class(
    so_far: dict[int, int], shift: int, weight: int, rest: int, dice: int, kept: int
) -> tuple[dict[int, int], int]:
    """Say how many of the dice show one class of sides, *rest* being the weight of all that come after it.

    Returns:
        What the kept dice add up to where there is still room, and where this class filled it.
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
        # The others show this class too, or come after it: none of them is kept.
        full += packed * beyond << shift * free
    return after, full


def _classes(group: Group, amounts: list[int], ranks: tuple[int, ...]) -> list[tuple[int, int]]:
    """Sides next to each other in rank that add the same are one class; in order of rank."""
    found: list[tuple[int, int]] = []
    for _, amount, weight in sorted(zip(ranks, amounts, (side.weight for side in group.sides), strict=True)):
        if found and found[-1][0] == amount:
            found[-1] = amount, found[-1][1] + weight
        else:
            found.append((amount, weight))
    return found


def _check_work(products: int) -> None:
    if products > _MOST_WORK:
        raise LimitError("products", "a pool of dice is too large for exact odds")


_MOST_WORK = 20_000_000

# ----------------------------------------------------------------------------------------- several things at once


def _several_sums(groups: Sequence[Group], sums: Sequence[Sum], most: int) -> Table:
    whole: Table = {(0,) * len(sums): 1}
    for at, group in enumerate(groups):
        if not group.count:
            continue
        die: Table = {}
        for number, side in enumerate(group.sides):
            added = tuple(each.amounts[at][number] for each in sums)
            die[added] = die.get(added, 0) + side.weight
        whole = _product(whole, _power(die, group.count, most), most)
    return {tuple(_whole(Fraction(amount)) for amount in amounts): weight for amounts, weight in whole.items()}


def _power(die: Table, count: int, most: int) -> Table:
    """So many equal dice together, by squaring."""
    result: Table | None = None
    while True:
        if count & 1:
            result = die if result is None else _product(result, die, most)
        count >>= 1
        if not count:
            assert result is not None
            return result
        die = _product(die, die, most)


def _product(a: Table, b: Table, most: int) -> Table:
    _check_work(len(a) * len(b))
    found: Table = {}
    for left, weight in a.items():
        for right, other in b.items():
            key = tuple(x + y for x, y in zip(left, right, strict=True))
            found[key] = found.get(key, 0) + weight * other
    _check_outcomes(len(found), most)
    return found


def _ranked(groups: Sequence[Group], sums: Sequence[Sum], most: int) -> Table:
    """Several sums, some over the best dice only, over dice of several kinds: sides in order of rank."""
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
        state = _with_side(state, at, added, weight, [each.kept for each in sums], dice)
        _check_outcomes(len(state), most)
        _check_work(len(state) * len(classes))
    return {
        tuple(_whole(Fraction(amount)) for amount in amounts): weight
        for (left, amounts), weight in state.items()
        if not any(left)
    }


def _with_side(
    state: Table, at: int, added: tuple[Any, ...], weight: int, kept: Sequence[int | None], dice: int
) -> Table:
    after: Table = {}
    for (left, amounts), so_far in state.items():
        placed = dice - sum(left)
        times = 1
        for showing in range(left[at] + 1):
            rest = (*left[:at], left[at] - showing, *left[at + 1 :])
            got = tuple(
                amount + add * (showing if keep is None else max(min(showing, keep - placed), 0))
                for amount, add, keep in zip(amounts, added, kept, strict=True)
            )
            key = (rest, got)
            after[key] = after.get(key, 0) + so_far * comb(left[at], showing) * times
            times *= weight
    return after


# -------------------------------------------------------------------------------------------- faces themselves


def combinations(groups: Sequence[Group], most: int) -> Iterator[tuple[tuple[ir.Face, ...], int]]:
    """Each combination of faces, sorted as the dice list them, with the weight of the throws that show it."""
    _check_outcomes(prod(comb(group.count + len(group.sides) - 1, group.count) for group in groups), most)
    each = [list(_combinations_of(group)) for group in groups]
    for parts in product(*each):
        yield tuple(face for faces, _ in parts for face in faces), prod(weight for _, weight in parts)


def _combinations_of(group: Group) -> Iterator[tuple[tuple[ir.Face, ...], int]]:
    orders = factorial(group.count)
    for chosen in combinations_with_replacement(range(len(group.sides)), group.count):
        ways, weight = orders, 1
        for index in set(chosen):
            times = chosen.count(index)
            ways //= factorial(times)
            weight *= group.sides[index].weight ** times
        yield tuple(group.sides[index].face for index in chosen), ways * weight


def all_throws(groups: Sequence[Group], most: int) -> Iterator[tuple[tuple[ir.Face, ...], int]]:
    """Each throw, in the order of the dice, with its weight."""
    count = 1
    for group in groups:
        # Sizes are looked at before anything of that size is made.
        if group.count * (len(group.sides) - 1).bit_length() > 64:
            _check_outcomes(1 << 64, most)
        count *= len(group.sides) ** group.count
    _check_outcomes(count, most)
    slots = [group.sides for group in groups for _ in range(group.count)]
    for sides in product(*slots):
        yield tuple(side.face for side in sides), prod(side.weight for side in sides)


def best_combinations(
    groups: Sequence[Group], ranks: Sequence[Sequence[int]], kept: int, most: int
) -> Iterator[tuple[tuple[ir.Face, ...], int]]:
    """Each combination of the faces that are kept, those of the lowest rank, with the weight of the throws that show it.

    With dice of one kind, what the others show is free as soon as there is no more room.
    """
    if len(groups) == 1:
        return _best_of(groups[0], ranks[0], min(kept, groups[0].count), most)
    return _best_of_several(groups, ranks, kept, most)


def _best_of(group: Group, ranks: Sequence[int], kept: int, most: int) -> Iterator[tuple[tuple[ir.Face, ...], int]]:
    order = sorted(range(len(group.sides)), key=lambda number: ranks[number])
    state: dict[tuple[ir.Face, ...], int] = {(): 1}
    rest = group.weight
    for number in order:
        side = group.sides[number]
        rest -= side.weight
        after: dict[tuple[ir.Face, ...], int] = {}
        for faces, weight in state.items():
            left, free = group.count - len(faces), kept - len(faces)
            beyond = (side.weight + rest) ** left
            for showing in range(free):
                ways = comb(left, showing) * side.weight**showing
                key = faces + (side.face,) * showing
                after[key] = after.get(key, 0) + weight * ways
                beyond -= ways * rest ** (left - showing)
            if beyond:
                yield faces + (side.face,) * free, weight * beyond
        state = after
        _check_outcomes(len(state), most)


def _best_of_several(
    groups: Sequence[Group], ranks: Sequence[Sequence[int]], kept: int, most: int
) -> Iterator[tuple[tuple[ir.Face, ...], int]]:
    classes = sorted(
        (ranks[at][number], at, number) for at, group in enumerate(groups) for number in range(len(group.sides))
    )
    state: Table = {(tuple(group.count for group in groups), ()): 1}
    for _, at, number in classes:
        side = groups[at].sides[number]
        after: Table = {}
        for (left, faces), weight in state.items():
            for showing in range(left[at] + 1):
                rest = (*left[:at], left[at] - showing, *left[at + 1 :])
                key = (rest, faces + (side.face,) * min(showing, kept - len(faces)))
                after[key] = after.get(key, 0) + weight * comb(left[at], showing) * side.weight**showing
        state = after
        _check_outcomes(len(state), most)
    for (left, faces), weight in state.items():
        if not any(left):
            yield faces, weight
