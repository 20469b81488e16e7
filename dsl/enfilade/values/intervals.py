"""Interval arithmetic: the range of a sum, product or bounded number from the ranges of its operands.

An abstract interpretation. The checker requires a rule for an edge of a chart only if these ranges can reach the edge.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction

from enfilade.values.types import MOST_TRIED, Bound, Listed, Num, listed

_BOTH = Num(None, None)


def add(a: Num, b: Num) -> Num:
    """The range of a sum.

    Examples:
        >>> add(Num(1, 6), Num(0, None))
        Num(low=1, high=None, whole=True)
    """
    values = _of_each(operator.add, a, b)
    return values or Num(_plus(a.low, b.low), _plus(a.high, b.high), a.whole and b.whole)


def widened(before: Num, after: Num) -> Num:
    """The range that became wider, without the bounds that moved.

    Examples:
        >>> widened(Num(0, 1), Num(0, 2)), widened(Num(0, 1), Num(0, 1))
        (Num(low=0, high=None, whole=True), Num(low=0, high=1, whole=True))
    """
    low = before.low is not None and after.low is not None and after.low >= before.low
    high = before.high is not None and after.high is not None and after.high <= before.high
    return Num(after.low if low else None, after.high if high else None, after.whole)


def negate(a: Num) -> Num:
    """The range of the negated number."""
    if isinstance(a, Listed):
        return listed(-value for value in a.values)
    return Num(None if a.high is None else -a.high, None if a.low is None else -a.low, a.whole)


def absolute(a: Num) -> Num:
    """The range of a number without its sign.

    Examples:
        >>> absolute(Num(-3, 2)), absolute(Num(2, None))
        (Num(low=0, high=3, whole=True), Num(low=2, high=None, whole=True))
    """
    other = negate(a)
    if a.low is not None and a.low >= 0:
        return a
    if a.high is not None and a.high <= 0:
        return other
    return Num(0, None if a.high is None or other.high is None else max(a.high, other.high), a.whole)


def subtract(a: Num, b: Num) -> Num:
    """The range of a difference."""
    return add(a, negate(b))


def multiply(a: Num, b: Num) -> Num:
    """The range of a product; an unknown bound is open."""
    if (values := _of_each(operator.mul, a, b)) is not None:
        return values
    whole = a.whole and b.whole
    if None not in (a.low, a.high, b.low, b.high):
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]  # type: ignore[operator]
        return Num(min(corners), max(corners), whole)
    if _from_zero(a) and _from_zero(b):
        return Num(a.low * b.low, None, whole)  # type: ignore[operator]  # both have a lower bound
    return Num(None, None, whole)


def divide(a: Num, b: Num) -> Num:
    """The range of an exact quotient; open if the divisor may be 0 or negative."""
    if b.low is None or b.low <= 0:
        return Num(0 if _from_zero(a) and b.low is not None and b.low >= 0 else None, None, False)
    lows = [Fraction(x) / y for x in (a.low,) if x is not None for y in (b.low, b.high) if y is not None]
    highs = [Fraction(x) / y for x in (a.high,) if x is not None for y in (b.low, b.high) if y is not None]
    if b.high is None:
        lows += [Fraction(0)] if a.low is not None else []
        highs += [Fraction(0)] if a.high is not None else []
    return Num(min(lows) if lows else None, max(highs) if highs else None, False)


def rounded(a: Num) -> Num:
    """The range of a rounded number, for every way of rounding."""
    low = None if a.low is None else a.low.__floor__()
    high = None if a.high is None else a.high.__ceil__()
    return Num(low, high)


def rounded_down(a: Num) -> Num:
    """The range of a number rounded down."""
    return Num(None if a.low is None else a.low.__floor__(), None if a.high is None else a.high.__floor__())


def at_least(a: Num, low: Num) -> Num:
    """The range of ``a but at least low``."""
    if (values := _of_each(max, a, low)) is not None:
        return values
    bound = a.low if low.low is None else low.low if a.low is None else max(a.low, low.low)
    high = None if a.high is None or low.high is None else max(a.high, low.high)
    return Num(bound, high, a.whole and low.whole)


def at_most(a: Num, high: Num) -> Num:
    """The range of ``a but at most high``."""
    return negate(at_least(negate(a), negate(high)))


def join(a: Num, b: Num) -> Num:
    """The smallest range that contains both (join); of listed numbers, all of both."""
    if isinstance(a, Listed) or isinstance(b, Listed):
        values = [_values_of(each) for each in (a, b)]
        if all(values):
            return listed(value for each in values for value in each)
    low = None if a.low is None or b.low is None else min(a.low, b.low)
    high = None if a.high is None or b.high is None else max(a.high, b.high)
    return Num(low, high, a.whole and b.whole)


def is_listed(a: Num) -> bool:
    """Whether a range lists its values, or has only one."""
    return bool(_values_of(a))


def _values_of(a: Num) -> tuple[int, ...]:
    if isinstance(a, Listed):
        return a.values
    return (int(a.low),) if a.whole and a.low is not None and a.low == a.high else ()


def _of_each(operation: Callable[[int, int], int], a: Num, b: Num) -> Listed | None:
    """What an operation makes of listed numbers; ``None`` if the numbers are ranges, or too many."""
    first, second = _values_of(a), _values_of(b)
    if Listed not in (type(a), type(b)) or not 0 < len(first) * len(second) <= MOST_TRIED:
        return None
    return listed(operation(one, other) for one in first for other in second)


def of_sum(each: Num, least: int) -> Num:
    """The range of a sum over a list of at least *least* elements."""
    low = None if each.low is None or each.low < 0 else each.low * least
    high = 0 if each.high is not None and each.high <= 0 else None
    return Num(low, high, each.whole)


def of_product(each: Num) -> Num:
    """The range of a product over a list; without elements it is 1."""
    if not _from_zero(each):
        return Num(None, None, each.whole)
    low = 1 if each.low is not None and each.low >= 1 else 0
    return Num(low, 1 if each.high is not None and each.high <= 1 else None, each.whole)


def _plus(a: Bound, b: Bound) -> Bound:
    return None if a is None or b is None else a + b


def _from_zero(a: Num) -> bool:
    return a.low is not None and a.low >= 0
