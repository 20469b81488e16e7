"""Code generation for label lookup on a chart axis, through precomputed tables.

The table is built from the core's own lookup, once for each end of a band and once for a value between any two ends.
So the core alone defines the meaning of bands, thresholds and limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final, TypeAlias

from attrs import frozen

from enfilade.core import ir
from enfilade.core.operators import divide
from enfilade.engines.compile.function_writer import Writer
from enfilade.engines.compile.operators import SMALL
from enfilade.engines.compile.runtime import place_of
from enfilade.engines.compile.specialised_types import is_whole
from enfilade.values.types import Num, Type, Word

Matches: TypeAlias = tuple[ir.Match | None, ...]

LARGEST: Final = 600
FROM_ZERO: Final = 16


@frozen
class LabelLookup:
    """A generated label lookup.

    Attributes:
        text: The source of the label's index; negative for a value outside all labels.
        possible: The possible indexes.
    """

    text: str
    possible: frozenset[int]

    @property
    def outside(self) -> list[int]:
        """The negative indexes among the possible ones: the sides on which a value can miss all labels."""
        return sorted((index for index in self.possible if index < 0), reverse=True)


def find(
    w: Writer, mode: str, matches: Matches, value: str, kind: Type, limits: tuple[ir.Limit, ...] = ()
) -> LabelLookup:
    """Write the lookup of a value's label.

    Args:
        w: The function being written.
        mode: contains, below or above.
        matches: The labels.
        value: The name of the value.
        kind: The static type of the value.
        limits: Numbers from which on a value is off the chart.
    """
    if isinstance(kind, Word) and mode == "contains":
        return _word(w, matches, value, kind)
    ends = ends_of(matches, limits)
    if isinstance(kind, Num) and is_whole(kind) and ends and ends[-1] - ends[0] < LARGEST:
        return _whole(w, mode, matches, value, kind, ends, limits)
    if isinstance(kind, Num):
        return _number(w, mode, matches, value, ends, limits)
    every = frozenset([*range(len(matches)), -1, -2, -3])
    shared = w.context.pool.shared
    more = f", {shared(limits)}" if limits else ""
    return LabelLookup(f"place_of({w.constant(mode)}, {shared(matches)}, {value}{more})", every)


def _word(w: Writer, matches: tuple[ir.Match | None, ...], value: str, kind: Word) -> LabelLookup:
    table = {word: place_of("contains", matches, word) for word in kind.words}
    return LabelLookup(f"{w.context.pool.shared(table)}[{value}]", frozenset(table.values()))


def ends_of(matches: Matches, limits: tuple[ir.Limit, ...] = ()) -> list[Any]:
    """Return the numbers at which the label can change, in order."""
    bands = [band for match in matches if match is not None for band in match.bands]
    ends = {end for band in bands for end in (band.low, band.high) if end is not None}
    ends |= {limit.at for limit in limits}
    return sorted(ends)


def find_in(
    w: Writer, finders: tuple[tuple[tuple[ir.Match | None, ...], ...], ...], at: tuple[str, str], value: str, kind: Type
) -> LabelLookup:
    """Write the lookup of a value's label in a row, for a chart that is searched along its rows."""
    rows = [row for page in finders for row in page]
    ends = sorted({end for row in rows for end in ends_of(row)})
    every = frozenset([*range(max(map(len, rows))), -1, -2, -3])
    place = "".join(f"[{index}]" for index in at)
    if isinstance(kind, Num) and is_whole(kind) and ends and ends[-1] - ends[0] < LARGEST:
        low, high = _span(kind, ends)
        tables = tuple(tuple(_table("contains", row, low, high) for row in page) for page in finders)
        seen = frozenset(index for page in tables for row in page for index in row)
        return LabelLookup(f"{w.context.pool.shared(tables)}{place}[{_index(value, kind, low, high)}]", seen)
    return LabelLookup(f"place_of('contains', {w.context.pool.shared(finders)}{place}, {value})", every)


def _whole(
    w: Writer, mode: str, matches: Matches, value: str, kind: Num, ends: Sequence[Any], limits: tuple[ir.Limit, ...]
) -> LabelLookup:
    """Write the lookup of a whole number in a table of single numbers, from below the first end to above the last."""
    low, high = _span(kind, ends)
    table = _table(mode, matches, low, high, limits)
    unseen = 0 if kind.low is None else min(max(kind.low.__ceil__() - low, 0), len(table) - 1)
    text = f"{w.context.pool.shared(table)}[{_index(value, kind, low, high)}]"
    return LabelLookup(text, frozenset(table[unseen:]))


def _table(mode: str, matches: Matches, low: int, high: int, limits: tuple[ir.Limit, ...] = ()) -> tuple[int, ...]:
    return tuple(place_of(mode, matches, number, limits) for number in range(low, high + 1))


def _span(kind: Num, ends: Sequence[Any]) -> tuple[int, int]:
    """Return the range of a table; numbers outside the range use the first or the last entry."""
    first, last = ends[0].__floor__() - 1, ends[-1].__ceil__() + 1
    low = first if kind.low is None else max(first, min(kind.low.__floor__(), last))
    high = last if kind.high is None else min(last, max(kind.high.__ceil__(), first))
    return (0 if 0 < low <= FROM_ZERO else low), high


def _index(value: str, kind: Num, low: int, high: int) -> str:
    """Return the index of a number in a table from *low* to *high*."""
    text = value
    if kind.high is None or kind.high > high:
        text = f"({value} if {value} < {high} else {high})"
    if kind.low is None or kind.low < low:
        text = f"({low} if {value} < {low} else {text})"
    return f"{text} - {low}" if low > 0 else f"{text} + {-low}" if low else text


def _number(
    w: Writer, mode: str, matches: Matches, value: str, ends: Sequence[Any], limits: tuple[ir.Limit, ...]
) -> LabelLookup:
    """Write the lookup of any number, by bisection among the ends."""
    regions, points = regions_of(mode, matches, ends, limits), w.context.pool.shared(tuple(ends))
    text = _region(w, regions, f"bisect_left({points}, {value})", f"bisect_right({points}, {value})")
    return LabelLookup(text, frozenset(regions))


def find_ratio(
    w: Writer, mode: str, matches: Matches, of: tuple[str, str], small: bool, limits: tuple[ir.Limit, ...] = ()
) -> LabelLookup:
    """Write the lookup of a quotient of whole numbers without a fraction: the ends are scaled to whole numbers.

    Args:
        w: The function being written.
        mode: contains, below or above.
        matches: The labels.
        of: The names of the two numbers.
        small: Whether the divisor is always positive, and both numbers far below the size limit.
        limits: Numbers from which on a value is off the chart.
    """
    ends, (a, b) = ends_of(matches, limits), of
    exact = f"{w.context.pool.shared(divide)}({a}, {b})"
    if not ends:
        return find(w, mode, matches, w.temporary(exact), Num(None, None, False))
    scale = lcm(*(Fraction(end).denominator for end in ends))
    regions, points = (
        regions_of(mode, matches, ends, limits),
        w.context.pool.shared(tuple(int(end * scale) for end in ends)),
    )
    over = f"{a} * {scale}" if scale > 1 else a
    text = _region(w, regions, f"bisect_left({points}, -(-{over} // {b}))", f"bisect_right({points}, {over} // {b})")
    if not small:
        text = f"({text} if 0 < {b} < {SMALL} and -{SMALL} < {a} < {SMALL} else {_number(w, mode, matches, exact, ends, limits).text})"
    return LabelLookup(text, frozenset(regions))


def _region(w: Writer, regions: tuple[int, ...], below: str, not_above: str) -> str:
    """Return the label of a number, given how many ends are less than it and how many are less or equal."""
    at, beyond = regions[1::2], regions[2::2]
    shared = w.context.pool.shared
    if not at:
        return w.constant(regions[0])
    if at == beyond:
        return f"{shared((regions[0], *beyond))}[{not_above}]"
    if at == regions[:-1:2]:
        return f"{shared(regions[::2])}[{below}]"
    return f"{shared(regions)}[{below} + {not_above}]"


def regions_of(mode: str, matches: Matches, ends: Sequence[Any], limits: tuple[ir.Limit, ...] = ()) -> tuple[int, ...]:
    """Return the labels in order: below the first end, at the first end, between it and the next, and so on."""
    return tuple(place_of(mode, matches, number, limits) for number in _samples(ends))


def _samples(ends: Sequence[Any]) -> Iterable[Any]:
    if not ends:
        return [0]
    samples: list[Any] = [ends[0] - 1]
    for a, b in zip(ends, [*ends[1:], ends[-1] + 2], strict=True):
        samples += [a, Fraction(a + b) / 2]
    return samples
