"""A pool of dice as data: equal dice in groups, and the limits on the work that a pool may cause.

Nothing in this folder knows the rules of a game: each side of a die comes with the amount that it adds.
Weights are whole numbers throughout; a weight divided by the number of throws is a chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import Any, Final, Protocol, TypeVar

from attrs import evolve, field, frozen

from enfilade.core import ir

T = TypeVar("T")
Table = dict[Any, int]
"""A distribution: the weight of each outcome."""

_MILLION_BITS: Final = 0.027


@frozen
class Side:
    """A side of a die, or several sides with the same face.

    Attributes:
        face: The face.
        weight: How many sides show it.
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
    """A sum over a pool: of all dice, or of those at some places in the order of their ranks.

    Attributes:
        amounts: For each group, the number that each of its sides adds.
        ranks: For each group, the rank of each side, the lowest first; ``None`` if all dice are kept.
        kept: The number of places up to the last die that is kept; ``None`` for all dice.
        skipped: The number of places before the first die that is kept.
    """

    amounts: tuple[tuple[Any, ...], ...]
    ranks: tuple[tuple[int, ...], ...] | None = None
    kept: int | None = None
    skipped: int = 0

    def ranked_as(self, ranks: tuple[tuple[int, ...], ...], dice: int) -> Sum | None:
        """The same sum with other ranks of the sides, for so many dice.

        Returns:
            ``None`` if they are neither its own ranks nor these in reverse.
        """
        if self.kept is None or self.ranks == ranks:
            return self
        most = max(max(of_group) for of_group in ranks)
        if self.ranks != tuple(tuple(most - rank for rank in of_group) for of_group in ranks):
            return None
        return evolve(self, ranks=ranks, kept=dice - self.skipped, skipped=max(dice - self.kept, 0))

    def share(self, placed: int, showing: int) -> int:
        """How many of some dice of one rank it keeps, if a number of dice has been placed before them."""
        if self.kept is None:
            return showing
        return max(min(placed + showing, self.kept) - max(placed, self.skipped), 0)


def throws(groups: Sequence[Group]) -> int:
    """The total weight of all throws of a pool."""
    return prod(group.weight**group.count for group in groups)


def exact(amount: int, scale: int) -> Any:
    """An amount that was multiplied by *scale*, as a whole number if it is one, else as a fraction."""
    return amount if scale == 1 else whole(Fraction(amount, scale))


def whole(number: Fraction) -> Any:
    """A fraction as a whole number if it is one."""
    return number.numerator if number.denominator == 1 else number


class Budget(Protocol):
    """What a calculation may cost (see ``states.meter``). Each method raises ``LimitError`` if it costs too much."""

    def count(self, products: int) -> None:
        """Count work; called within long loops, with the number of products that come next."""

    def expect(self, outcomes: int = 0, *, seconds: float = 0, size: int = 0) -> None:
        """Refuse work before it begins: outcomes to be computed, time, or memory in bytes."""

    def paced(self, items: Iterable[T], number: int) -> Iterator[T]:
        """Pass on items whose number is known, and refuse the rest if they are sure to take too long."""


def expect_packed(bits: int, times: int, budget: Budget) -> None:
    """Refuse products of packed polynomials that take too long or too much memory.

    Args:
        bits: The size of one product.
        times: The number of products.
        budget: What they may cost.
    """
    # Karatsuba multiplication: 27 to 32 ms for a million bits.
    million = bits / 1e6
    budget.expect(seconds=times * _MILLION_BITS * million ** (1.585 if million > 0.01 else 1), size=bits // 2)
