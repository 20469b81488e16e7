"""Where a value stands on an axis, as a look into a table that is made once.

The table is made by asking the core for every value that can differ: each end of a band, and one value between any
two. So the meaning of bands, thresholds and limits stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any, Final

from attrs import frozen

from enfilade.core import chart_labels as places
from enfilade.core import ir
from enfilade.core.operators import divide
from enfilade.core.types import Num, Type, Word
from enfilade.engines.compile.operators import SMALL
from enfilade.engines.compile.runtime import place_of
from enfilade.engines.compile.specialised_types import is_whole
from enfilade.engines.compile.unit import Writer

LARGEST: Final = 600
FROM_ZERO: Final = 16


@frozen
class Found:
    """Where a value stands.

    Attributes:
        text: The index of the label, negative outside of all.
        possible: What it can be.
    """

    text: str
    possible: frozenset[int]

    @property
    def outside(self) -> list[int]:
        """The ways in which the value can stand outside of all labels."""
        return sorted((index for index in self.possible if index < 0), reverse=True)


def find(w: Writer, mode: str, matches: tuple[ir.Match | None, ...], value: str, kind: Type) -> Found:
    """Where a value stands.

    Args:
        w: The function being written.
        mode: contains, below, above or nearest.
        matches: The labels.
        value: The name of the value.
        kind: Its type.
    """
    if isinstance(kind, Word) and mode == "contains":
        return _word(w, matches, value, kind)
    ends = ends_of(mode, matches)
    if isinstance(kind, Num) and is_whole(kind) and ends and ends[-1] - ends[0] < LARGEST:
        return _whole(w, mode, matches, value, kind, ends)
    if isinstance(kind, Num):
        return _number(w, mode, matches, value, ends)
    every = frozenset([*range(len(matches)), -1, -2, -3])
    return Found(f"place_of({w.constant(mode)}, {w.context.pool.shared(matches)}, {value})", every)


def _word(w: Writer, matches: tuple[ir.Match | None, ...], value: str, kind: Word) -> Found:
    table = {word: place_of("contains", matches, word) for word in kind.words}
    return Found(f"{w.context.pool.shared(table)}[{value}]", frozenset(table.values()))


def ends_of(mode: str, matches: tuple[ir.Match | None, ...]) -> list[Any]:
    """The numbers at which the label can change, in order."""
    bands = [band for match in matches if match is not None for band in match.bands]
    ends = {end for band in bands for end in (band.low, band.high) if end is not None}
    if mode == "nearest":
        lows = sorted({low for match in matches if match is not None and (low := places.lowest(match)) is not None})
        ends |= {Fraction(a + b) / 2 for a, b in pairwise(lows)}
    return sorted(ends)


def find_in(
    w: Writer, finders: tuple[tuple[tuple[ir.Match | None, ...], ...], ...], at: tuple[str, str], value: str, kind: Type
) -> Found:
    """Where a value stands in one of the rows of a chart that is searched along its rows."""
    rows = [row for page in finders for row in page]
    ends = sorted({end for row in rows for end in ends_of("contains", row)})
    every = frozenset([*range(max(map(len, rows))), -1, -2, -3])
    place = "".join(f"[{index}]" for index in at)
    if isinstance(kind, Num) and is_whole(kind) and ends and ends[-1] - ends[0] < LARGEST:
        low, high = _span(kind, ends)
        tables = tuple(tuple(_table("contains", row, low, high) for row in page) for page in finders)
        seen = frozenset(index for page in tables for row in page for index in row)
        return Found(f"{w.context.pool.shared(tables)}{place}[{_index(value, kind, low, high)}]", seen)
    return Found(f"place_of('contains', {w.context.pool.shared(finders)}{place}, {value})", every)


def _whole(
    w: Writer, mode: str, matches: tuple[ir.Match | None, ...], value: str, kind: Num, ends: Sequence[Any]
) -> Found:
    """A whole number: one entry for each, from below the first end to above the last."""
    low, high = _span(kind, ends)
    table = _table(mode, matches, low, high)
    unseen = 0 if kind.low is None else min(max(kind.low.__ceil__() - low, 0), len(table) - 1)
    text = f"{w.context.pool.shared(table)}[{_index(value, kind, low, high)}]"
    return Found(text, frozenset(table[unseen:]))


def _table(mode: str, matches: tuple[ir.Match | None, ...], low: int, high: int) -> tuple[int, ...]:
    return tuple(place_of(mode, matches, number) for number in range(low, high + 1))


def _span(kind: Num, ends: Sequence[Any]) -> tuple[int, int]:
    """The numbers that stand in a table; all below are like the first, and all above like the last."""
    first, last = ends[0].__floor__() - 1, ends[-1].__ceil__() + 1
    low = first if kind.low is None else max(first, min(kind.low.__floor__(), last))
    high = last if kind.high is None else min(last, max(kind.high.__ceil__(), first))
    return (0 if 0 < low <= FROM_ZERO else low), high


def _index(value: str, kind: Num, low: int, high: int) -> str:
    """The place of a number in a table from *low* to *high*."""
    text = value
    if kind.high is None or kind.high > high:
        text = f"({value} if {value} < {high} else {high})"
    if kind.low is None or kind.low < low:
        text = f"({low} if {value} < {low} else {text})"
    return f"{text} - {low}" if low > 0 else f"{text} + {-low}" if low else text


def _number(w: Writer, mode: str, matches: tuple[ir.Match | None, ...], value: str, ends: Sequence[Any]) -> Found:
    """Any number: how many ends lie below it, and how many at or below it."""
    regions, points = regions_of(mode, matches, ends), w.context.pool.shared(tuple(ends))
    text = _region(w, regions, f"bisect_left({points}, {value})", f"bisect_right({points}, {value})")
    return Found(text, frozenset(regions))


def find_ratio(w: Writer, mode: str, matches: tuple[ir.Match | None, ...], of: tuple[str, str], small: bool) -> Found:
    """Where the quotient of two whole numbers stands, without making it: the ends are made whole instead.

    Args:
        w: The function being written.
        mode: contains, below, above or nearest.
        matches: The labels.
        of: The names of the two numbers.
        small: Whether the divisor is above 0 for sure, and both are far below the limit of size.
    """
    ends, (a, b) = ends_of(mode, matches), of
    exact = f"{w.context.pool.shared(divide)}({a}, {b})"
    if not ends:
        return find(w, mode, matches, w.set(exact), Num(None, None, False))
    scale = lcm(*(Fraction(end).denominator for end in ends))
    regions, points = regions_of(mode, matches, ends), w.context.pool.shared(tuple(int(end * scale) for end in ends))
    over = f"{a} * {scale}" if scale > 1 else a
    text = _region(w, regions, f"bisect_left({points}, -(-{over} // {b}))", f"bisect_right({points}, {over} // {b})")
    if not small:
        text = f"({text} if 0 < {b} < {SMALL} and -{SMALL} < {a} < {SMALL} else {_number(w, mode, matches, exact, ends).text})"
    return Found(text, frozenset(regions))


def _region(w: Writer, regions: tuple[int, ...], below: str, not_above: str) -> str:
    """The label of a number, from how many ends lie below it and how many not above it."""
    at, beyond = regions[1::2], regions[2::2]
    shared = w.context.pool.shared
    if not at:
        return w.constant(regions[0])
    if at == beyond:
        return f"{shared((regions[0], *beyond))}[{not_above}]"
    if at == regions[:-1:2]:
        return f"{shared(regions[::2])}[{below}]"
    return f"{shared(regions)}[{below} + {not_above}]"


def regions_of(mode: str, matches: tuple[ir.Match | None, ...], ends: Sequence[Any]) -> tuple[int, ...]:
    """The label below the first end, at it, between it and the next, and so on."""
    return tuple(place_of(mode, matches, number) for number in _samples(ends))


def _samples(ends: Sequence[Any]) -> Iterable[Any]:
    if not ends:
        return [0]
    samples: list[Any] = [ends[0] - 1]
    for a, b in zip(ends, [*ends[1:], ends[-1] + 2], strict=True):
        samples += [a, Fraction(a + b) / 2]
    return samples
