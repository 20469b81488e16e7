"""A pool of dice as data: equal dice in groups, and the limits on the work that a pool may cause.

Nothing in this folder knows the rules of a game: each side of a die comes with the amount that it adds.
Weights are whole numbers throughout; a weight divided by the number of throws is a chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Any, Final, Protocol

from attrs import field, frozen

from enfilade.core import ir
from enfilade.errors import LimitError

Table = dict[Any, int]
"""A distribution: the weight of each outcome."""

_MOST_BITS: Final = 20_000_000
_MOST_WORK: Final = 20_000_000


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
    """A sum over a pool, of all dice or of the dice with the lowest ranks.

    Attributes:
        amounts: For each group, the number that each of its sides adds.
        ranks: For each group, the rank of each side, the lowest first; ``None`` if all dice are kept.
        kept: How many dice are kept, those with the lowest ranks; ``None`` for all.
    """

    amounts: tuple[tuple[Any, ...], ...]
    ranks: tuple[tuple[int, ...], ...] | None = None
    kept: int | None = None


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
    """What a calculation may cost.

    Attributes:
        outcomes: The maximum number of outcomes.
    """

    @property
    def outcomes(self) -> int:
        """The maximum number of outcomes."""

    def spend(self, products: int) -> None:
        """Check the time; called within long loops, with the number of products that come next.

        Raises:
            LimitError: The time is up.
        """


def check_outcomes(count: int, budget: Budget) -> None:
    """Check the number of outcomes.

    Raises:
        LimitError: There are too many.
    """
    if count > budget.outcomes:
        raise LimitError("outcomes", f"a pool has {count} outcomes; at most {budget.outcomes} are told apart")


def check_size(bits: int) -> None:
    """Check the size of a packed polynomial.

    Raises:
        LimitError: It is too large.
    """
    if bits > _MOST_BITS:
        raise LimitError("products", "a pool of dice is too large for exact odds")


def check_work(products: int) -> None:
    """Check the number of products of weights.

    Raises:
        LimitError: There are too many.
    """
    if products > _MOST_WORK:
        raise LimitError("products", "a pool of dice is too large for exact odds")
