"""Bands: neighbouring values of a variable with the same odds, shown as one row: ``11..15``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

from enfilade.api.outcome_values import as_outcome, value_text
from enfilade.api.parameter_sweep import Cell

T = TypeVar("T")
Row: TypeAlias = tuple[tuple[str, ...], Cell]
"""The label of each variable, and the first cell of the band."""


def agree(a: Cell, b: Cell) -> bool:
    """Whether two situations have the same odds, or none for the same reason."""
    if a.odds is None or b.odds is None:
        return a.odds is b.odds and (str(a.refused), a.why_not) == (str(b.refused), b.why_not)
    return a.odds == b.odds


def banded(values: Sequence[Sequence[Any]], cells: Sequence[Cell]) -> list[Row]:
    """Return the rows of a table, one for each band.

    Args:
        values: The values of each variable.
        cells: A cell for every combination; the last variable varies fastest.
    """
    if not values:
        return [((), cells[0])]
    first, rest = values[0], values[1:]
    size = len(cells) // len(first)
    blocks = [banded(rest, cells[at * size : (at + 1) * size]) for at in range(len(first))]
    return [
        ((band_text([first[at] for at in run]), *labels), cell)
        for run in runs(blocks, _same)
        for labels, cell in blocks[run[0]]
    ]


def _same(a: list[Row], b: list[Row]) -> bool:
    pairs = zip(a, b, strict=False)
    return len(a) == len(b) and all(
        labels == others and agree(cell, other) for (labels, cell), (others, other) in pairs
    )


def runs(items: Sequence[T], same: Callable[[T, T], bool]) -> Iterator[list[int]]:
    """Yield the indices of neighbours that are the same.

    Examples:
        >>> list(runs("aab", lambda one, other: one == other))
        [[0, 1], [2]]
    """
    run: list[int] = []
    for at, item in enumerate(items):
        if run and not same(items[run[0]], item):
            yield run
            run = []
        run.append(at)
    if run:
        yield run


def band_text(values: Sequence[Any]) -> str:
    """Return the values of a band as text: a range of whole numbers, or a list.

    Examples:
        >>> band_text([11, 12, 13]), band_text([7]), band_text([1, 2, 3, 500]), band_text(["town", "woods"])
        ('11..13', '7', '1..3, 500', 'town, woods')
    """
    parts = []
    for run in runs(list(enumerate(values)), _follows):
        first, last = (value_text(as_outcome(values[at])) for at in (run[0], run[-1]))
        parts.append(f"{first}..{last}" if len(run) > 1 else first)
    return ", ".join(parts)


def _follows(first: tuple[int, Any], later: tuple[int, Any]) -> bool:
    """Whether a whole number belongs to the range that a first one begins."""
    (start, low), (at, value) = first, later
    return type(low) is int and type(value) is int and value - low == at - start
