"""Columns for data frames: lists of plain values of one type, which pandas and polars both read without our help."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final

from enfilade.api.outcome_values import output_text

_LARGEST: Final = 2**63 - 1


def plain_column(values: Iterable[Any]) -> list[Any]:
    """Return values as one type: yes/no, whole numbers of 64 bits, floats, or else text; ``None`` stays as it is.

    Args:
        values: Facts or outcomes.

    Examples:
        >>> plain_column([1, None, 2]), plain_column([1, Fraction(1, 2)]), plain_column([1, "M", ["town", "hill"]])
        ([1, None, 2], [1.0, 0.5], ['1', 'M', 'town, hill'])
    """
    column = [*values]
    known = [value for value in column if value is not None]
    if all(isinstance(value, bool) for value in known) or all(isinstance(value, str) for value in known):
        return column
    if any(isinstance(value, bool) or not isinstance(value, (int, Fraction)) for value in known):
        return [None if value is None else output_text(value) for value in column]
    whole = all(isinstance(value, int) and abs(value) <= _LARGEST for value in known)
    return column if whole else [None if value is None else float(value) for value in column]
