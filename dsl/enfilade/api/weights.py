"""Arithmetic on weights of independent values: any function of several, and sums by convolution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from operator import add
from typing import Any, Final, TypeAlias

from enfilade.api.outcome_values import as_outcome, value_text
from enfilade.errors import LimitError, OddsError

Weights: TypeAlias = Mapping[Any, int]
"""The weight of each outcome."""

_MOST_COMBINATIONS: Final = 5_000_000


def combined(function: Callable[..., Any], parts: Sequence[Weights]) -> dict[Any, int]:
    """The weights of a function of independent values.

    Raises:
        LimitError: There are too many combinations.
    """
    number = prod(map(len, parts))
    if number > _MOST_COMBINATIONS:
        raise LimitError(
            "work", f"the parts have {number} combinations of outcomes; at most {_MOST_COMBINATIONS} are allowed"
        )
    found: dict[Any, int] = {}
    for items in product(*(part.items() for part in parts)):
        outcome = as_outcome(function(*(value for value, _ in items)))
        found[outcome] = found.get(outcome, 0) + prod(weight for _, weight in items)
    return found


def added(parts: Sequence[Weights]) -> dict[Any, int]:
    """The weights of the sum of independent numbers, by convolution.

    Raises:
        OddsError: An outcome is not a number.
        LimitError: There are too many combinations.
    """
    found: dict[Any, int] = {0: 1}
    for part in parts:
        for value in part:
            if not isinstance(value, (int, Fraction)):
                raise OddsError(
                    f"only numbers can be added up; {value_text(value)} is not a number (convert it with `map`)"
                )
        found = combined(add, (found, part))
    return found


def added_often(part: Weights, times: int) -> dict[Any, int]:
    """The weights of the sum of several independent numbers of one kind, by squaring.

    Raises:
        OddsError: *times* is less than 0, or an outcome is not a number.
        LimitError: There are too many combinations.
    """
    if times < 0:
        raise OddsError(f"the number of combats must be 0 or more, not {times}")
    found: dict[Any, int] = {0: 1}
    power = added((part,))
    while times:
        if times % 2:
            found = added((found, power))
        times //= 2
        power = added((power, power)) if times else power
    return found
