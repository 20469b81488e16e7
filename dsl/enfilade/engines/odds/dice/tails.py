"""The tail of an unbounded explosion: an interval [low, infinity) instead of a number (abstract interpretation).

A die that explodes without bound has no largest total. From some total on, all totals are one outcome, the tail, and
the rules compute with it as with a number. A comparison with a tail has an answer if the answer is the same for every
number of the interval. Otherwise ``Undecided`` is raised, and the weight of the tail becomes part of the remainder.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from enfilade.engines.compile.operators import SMALL

_NUMBERS: Final = (int, Fraction)


class Undecided(Exception):
    """The answer differs between the numbers of a tail."""


class Tail:
    """An unknown number that is *low* or more."""

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
        # Compiled code asks whether a number is small enough for the quick way; a tail takes the careful way.
        return other != SMALL and not self >= other

    def __le__(self, other: Any) -> bool:
        return not self > other

    def _decided(self, other: Any, *, low_enough: bool) -> bool:
        if isinstance(other, Tail) or not low_enough:
            raise Undecided
        return True

    # The check of a number's size reads these two properties.
    @property
    def numerator(self) -> int:
        """Of the least number."""
        return Fraction(self.low).numerator

    @property
    def denominator(self) -> int:
        """Of the least number."""
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


def highest(*values: Any) -> Any:
    """The highest of some numbers and tails: a tail from the highest number or bound, if there is a tail."""
    listed = list(values[0] if len(values) == 1 else values)
    if not any(isinstance(value, Tail) for value in listed):
        return max(listed)
    return tail(max(value.low if isinstance(value, Tail) else value for value in listed))


def lowest(*values: Any) -> Any:
    """The lowest of some numbers and tails."""
    listed = list(values[0] if len(values) == 1 else values)
    lows = [value.low for value in listed if isinstance(value, Tail)]
    if not lows:
        return min(listed)
    known = [value for value in listed if not isinstance(value, Tail)]
    both = tail(min(lows))
    return min([*known, both]) if known else both


_TAILS: Final[dict[Any, Tail]] = {}


def tail(low: Any) -> Tail:
    """The one tail from a number on."""
    found = _TAILS.get(low)
    if found is None:
        if len(_TAILS) > 10_000:
            _TAILS.clear()
        found = _TAILS[low] = Tail(low)
    return found
