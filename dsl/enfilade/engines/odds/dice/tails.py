"""The tail of an unbounded explosion: an interval [low, infinity) instead of a number (abstract interpretation).

A die that explodes without bound has no largest total. From some total on, all totals are one outcome, the tail, and
the rules compute with it as with a number. A comparison with a tail has an answer if the answer is the same for every
number of the interval. Otherwise ``Undecided`` is raised, and the weight of the tail becomes part of the remainder.

A tail may know its mean, so the mean of an answer is exact even if the answer ends in tails.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from enfilade.engines.compile.operators import SMALL
from enfilade.values.types import ListOf, Maybe, Num, Type

_NUMBERS: Final = (int, Fraction)


class Undecided(Exception):
    """The answer differs between the numbers of a tail.

    Attributes:
        source: The source of the tail.
    """

    def __init__(self, source: Any = None) -> None:
        super().__init__()
        self.source = source


class Tail:
    """An unknown number that is *low* or more.

    Attributes:
        low: The bound.
        source: The roll or the loop that it comes from.
        mean: Its mean in the states that have it; ``None`` if it is unknown.
        base: Within a loop, the loop and the variable whose value *mean* is added to.
    """

    __slots__ = ("base", "low", "mean", "source")

    def __init__(self, low: Any, source: Any = None, mean: Any = None, base: tuple[int, int] | None = None) -> None:
        self.low = low
        self.source = source
        self.mean = mean
        self.base = base

    def _moved(self, by: Any) -> Tail:
        return tail(self.low + by, self.source, None if self.mean is None else self.mean + by, self.base)

    def _scaled(self, by: Any) -> Tail:
        mean = None if self.mean is None or self.base is not None else self.mean * by
        return tail(self.low * by, self.source, mean)

    def __repr__(self) -> str:
        return f"{self.low} or more"

    def __hash__(self) -> int:
        return hash(("or more", self.low, id(self.source), self.mean, self.base))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, Tail):
            raise Undecided(self.source)
        return self._is(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def _is(self, other: object) -> bool:
        if isinstance(other, _NUMBERS) and other >= self.low:
            raise Undecided(self.source)
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
            raise Undecided(self.source)
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
        if not isinstance(other, Tail):
            return self._moved(other)
        is_known = self.mean is not None and other.mean is not None and self.base is other.base is None
        return tail(self.low + other.low, self.source, self.mean + other.mean if is_known else None)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Tail:
        if isinstance(other, Tail):
            raise Undecided(self.source)
        return self._moved(-other)

    def __mul__(self, other: Any) -> Tail:
        if isinstance(other, Tail) or other <= 0:
            raise Undecided(self.source)
        return self._scaled(other)

    __rmul__ = __mul__

    def __floor__(self) -> Tail:
        return tail(Fraction(self.low).__floor__(), self.source)

    def __ceil__(self) -> Tail:
        return tail(Fraction(self.low).__ceil__(), self.source)

    def _unknown(self, *_: Any) -> Any:
        raise Undecided(self.source)

    def __truediv__(self, other: Any) -> Tail:
        if isinstance(other, Tail) or other <= 0:
            raise Undecided(self.source)
        return self._scaled(1 / Fraction(other))

    __rsub__ = __rtruediv__ = __mod__ = __rmod__ = __neg__ = __round__ = __index__ = __bool__ = _unknown
    __int__ = __float__ = __divmod__ = __abs__ = _unknown


def low_of(value: Any) -> Any:
    """The lowest number of a tail. Any other value is returned as it is."""
    return value.low if isinstance(value, Tail) else value


def highest(*values: Any) -> Any:
    """The highest of some numbers and tails: a tail from the highest number or bound, if there is a tail."""
    listed = list(values[0] if len(values) == 1 else values)
    tails = [value for value in listed if isinstance(value, Tail)]
    if not tails:
        return max(listed)
    most = max(map(low_of, listed))
    return tails[0] if len(tails) == 1 and tails[0].low == most else tail(most, tails[0].source)


def lowest(*values: Any) -> Any:
    """The lowest of some numbers and tails."""
    listed = list(values[0] if len(values) == 1 else values)
    tails = [value for value in listed if isinstance(value, Tail)]
    if not tails:
        return min(listed)
    known = [value for value in listed if not isinstance(value, Tail)]
    both = tails[0] if len(tails) == 1 else tail(min(value.low for value in tails), tails[0].source)
    return min([*known, both]) if known else both


def belongs(type_: Type, value: Any) -> bool:
    """Whether a value, which may be a tail, belongs to a type; see ``has`` of the types.

    The checker has proved that a number is whole where the type needs it, so only the bounds are compared. Elements that
    nothing reads are ``None``; they are left out only where every element belongs to the type.

    Raises:
        Undecided: Some numbers of the tail belong to the type and others don't.
    """
    if isinstance(type_, ListOf) and type(value) is tuple and None in value and not isinstance(type_.of, Maybe):
        return ListOf(Maybe(type_.of), type_.least).has(value)
    if not isinstance(value, Tail) or not isinstance(type_, Num):
        return type_.has(value)
    return (type_.low is None or value >= type_.low) and (type_.high is None or value <= type_.high)


_TAILS: Final[dict[tuple[Any, ...], Tail]] = {}


def tail(low: Any, source: Any = None, mean: Any = None, base: tuple[int, int] | None = None) -> Tail:
    """The one tail from a number on; see ``Tail``.

    Args:
        low: The number.
        source: The statement that it comes from. It is compared by identity, and the tail keeps it alive.
        mean: Its mean.
        base: The loop and the variable that the mean is added to.
    """
    key = (low, id(source), mean, base)
    found = _TAILS.get(key)
    if found is None:
        if len(_TAILS) > 100_000:
            _TAILS.clear()
        found = _TAILS[key] = Tail(low, source, mean, base)
    return found
