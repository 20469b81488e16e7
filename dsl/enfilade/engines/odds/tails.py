"""The tail of an explosion: some number that is so much or more.

A die that explodes without bound has no largest total. From some total on, all totals are one outcome, the tail. The rules go
on with it as with a number. Where what they ask of it has the same answer for every number of the tail, that is the
answer; where it has not, ``Undecided`` is raised, and the weight of the tail becomes part of the remainder.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

_NUMBERS: Final = (int, Fraction)


class Undecided(Exception):
    """It hangs on which number of the tail it is."""


class Tail:
    """Some number that is *low* or more."""

    __slots__ = ("low",)

    def __init__(self, low: Any) -> None:
        self.low = low

    def __repr__(self) -> str:
        return f"{self.low} or more"

    def __hash__(self) -> int:
        return hash(("or more", self.low))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, Tail):
            raise Undecided
        return self._is(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def _is(self, other: object) -> bool:
        if isinstance(other, _NUMBERS) and other >= self.low:
            raise Undecided
        return False

    def __ge__(self, other: Any) -> bool:
        return self._decided(other, low_enough=other <= self.low)

    def __gt__(self, other: Any) -> bool:
        return self._decided(other, low_enough=other < self.low)

    def __lt__(self, other: Any) -> bool:
        return not self >= other

    def __le__(self, other: Any) -> bool:
        return not self > other

    def _decided(self, other: Any, *, low_enough: bool) -> bool:
        if isinstance(other, Tail) or not low_enough:
            raise Undecided
        return True

    # The limits of a number's size look at these.
    @property
    def numerator(self) -> int:
        """That of the least number."""
        return Fraction(self.low).numerator

    @property
    def denominator(self) -> int:
        """That of the least number."""
        return Fraction(self.low).denominator

    def __add__(self, other: Any) -> Tail:
        return tail(self.low + (other.low if isinstance(other, Tail) else other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Tail:
        if isinstance(other, Tail):
            raise Undecided
        return tail(self.low - other)

    def __mul__(self, other: Any) -> Tail:
        if isinstance(other, Tail) or other <= 0:
            raise Undecided
        return tail(self.low * other)

    __rmul__ = __mul__

    def __floor__(self) -> Tail:
        return tail(Fraction(self.low).__floor__())

    def __ceil__(self) -> Tail:
        return tail(Fraction(self.low).__ceil__())

    def _unknown(self, *_: Any) -> Any:
        raise Undecided

    def __truediv__(self, other: Any) -> Tail:
        if isinstance(other, Tail) or other <= 0:
            raise Undecided
        return tail(Fraction(self.low) / other)

    __rsub__ = __rtruediv__ = __mod__ = __rmod__ = __neg__ = __round__ = __index__ = __bool__ = _unknown
    __int__ = __float__ = __divmod__ = __abs__ = _unknown


def highest(values: Any) -> Any:
    """The highest of some numbers, of which some may be tails."""
    return _extreme(list(values), max)


def lowest(values: Any) -> Any:
    """The lowest of some numbers, of which some may be tails."""
    return _extreme(list(values), min)


def _extreme(values: list[Any], of: Any) -> Any:
    lows = [value.low for value in values if isinstance(value, Tail)]
    if not lows:
        return of(values)
    known = [value for value in values if not isinstance(value, Tail)]
    # Several tails together are at least what the highest, or the lowest, of their bounds is.
    both = tail(of(lows))
    return of([*known, both]) if known else both


_TAILS: Final[dict[Any, Tail]] = {}


def tail(low: Any) -> Tail:
    """The tail from a number on; there is one for each."""
    found = _TAILS.get(low)
    if found is None:
        if len(_TAILS) > 10_000:
            _TAILS.clear()
        found = _TAILS[low] = Tail(low)
    return found
