"""Interval coverage: gaps, overlaps, unreachable labels and open ends of the bands and thresholds of an axis.

Pure functions; `axis_coverage` and `chart_edges` report the findings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from attrs import frozen

from enfilade.core import chart_labels as places
from enfilade.core import ir
from enfilade.source.text import Span
from enfilade.values.types import Bound, Listed, Num

MAX_GAPS = 20

Exact: TypeAlias = int | Fraction


@frozen
class Labelled:
    """A label, the values it matches, and its place."""

    text: str
    match: ir.Match
    span: Span


@frozen
class Overlap:
    """A value that two labels match; the labels are in printed order."""

    value: Exact | None
    first: Labelled
    second: Labelled


@frozen
class Run:
    """A range of numbers; ``None`` is an open end."""

    low: Bound
    high: Bound

    def __str__(self) -> str:
        if self.low is not None and self.low == self.high:
            return str(self.low)
        return f"{'' if self.low is None else self.low}..{'' if self.high is None else self.high}"


def is_empty(band: ir.Band) -> bool:
    """Whether a band contains no number."""
    return band.low is not None and band.high is not None and band.low > band.high


def overlaps_of(labels: Sequence[Labelled]) -> list[Overlap]:
    """The overlaps between labels, one for each label that overlaps another."""
    places_ = {label.span.start: index for index, label in enumerate(labels)}
    pieces = [(band, label) for label in labels for band in label.match.bands]
    pieces.sort(key=lambda piece: (piece[0].low is not None, piece[0].low or 0))
    found: list[Overlap] = []
    for (band, label), (other, next_label) in _with_furthest_before(pieces):
        if label is next_label or not _reaches(band, other.low):
            continue
        first, second = sorted((label, next_label), key=lambda each: places_[each.span.start])
        value = other.low if other.low is not None else other.high if other.high is not None else band.high
        found.append(Overlap(value, first, second))
    return found


def _with_furthest_before(
    pieces: list[tuple[ir.Band, Labelled]],
) -> Iterator[tuple[tuple[ir.Band, Labelled], tuple[ir.Band, Labelled]]]:
    """Each band, with the earlier band that has the highest upper end."""
    furthest: tuple[ir.Band, Labelled] | None = None
    for piece in pieces:
        if furthest is not None:
            yield furthest, piece
        if furthest is None or not _reaches(furthest[0], piece[0].high, piece[0].high is None):
            furthest = piece


def _reaches(band: ir.Band, value: Bound, is_top: bool = False) -> bool:
    """Whether a band extends to a value; ``None`` is minus infinity, or infinity if *is_top*."""
    if band.high is None:
        return True
    return not is_top and (value is None or band.high >= value)


def gaps_of(matches: Sequence[ir.Match], num: Num) -> list[Run]:
    """The gaps: whole numbers between the labels that the value can take and no label matches."""
    bands = sorted((band for match in matches for band in match.bands), key=lambda b: (b.low is not None, b.low or 0))
    if isinstance(num, Listed):
        low, high = span_of(matches)
        inside = [each for each in num.values if (low is None or low < each) and (high is None or each < high)]
        return [Run(each, each) for each in inside if not any(places.contains(match, each) for match in matches)]
    gaps: list[Run] = []
    furthest: Bound = None
    for index, band in enumerate(bands):
        if index and furthest is not None and band.low is not None:
            low, high = furthest.__floor__() + 1, band.low.__ceil__() - 1
            low = low if num.low is None else max(low, num.low.__ceil__())
            high = high if num.high is None else min(high, num.high.__floor__())
            gaps += [Run(low, high)] if low <= high else []
        if band.high is None:
            break
        furthest = band.high if furthest is None else max(furthest, band.high)
    return gaps[:MAX_GAPS]


def span_of(matches: Sequence[ir.Match]) -> tuple[Bound, Bound]:
    """The lowest and the highest number that a label matches; ``None`` is open."""
    lows = [places.lowest(match) for match in matches]
    highs = [places.highest(match) for match in matches]
    low = None if None in lows else min(each for each in lows if each is not None)
    high = None if None in highs else max(each for each in highs if each is not None)
    return low, high


def reaches_below(matches: Sequence[ir.Match], num: Num, mode: str) -> bool:
    """Whether the value can be below all labels."""
    if mode == "above":
        return False
    low = span_of(matches)[0]
    return low is not None and (num.low is None or num.low < low)


def reaches_above(matches: Sequence[ir.Match], num: Num, mode: str) -> bool:
    """Whether the value can be above all labels."""
    if mode == "below":
        return False
    high = span_of(matches)[1]
    return high is not None and (num.high is None or num.high > high)


def out_of_reach(match: ir.Match, num: Num) -> bool:
    """Whether the value can never match a label."""
    if isinstance(num, Listed):
        return bool(match.bands) and not any(places.contains(match, each) for each in num.values)
    return bool(match.bands) and all(
        (band.high is not None and num.low is not None and band.high < num.low)
        or (band.low is not None and num.high is not None and band.low > num.high)
        for band in match.bands
    )


def ends_before(match: ir.Match, value: Exact) -> bool:
    """Whether a label matches only numbers below a value."""
    high = places.highest(match) if match.bands else None
    return high is not None and high < value


# -------------------------------------------------------------------------------------------------- thresholds


def thresholds_of(labels: Sequence[Labelled], mode: str) -> list[tuple[Exact, Labelled]]:
    """The threshold of each label: its lower end, or its upper end if labels mean "up to". Open ends are left out."""
    ends = [(places.highest if mode == "above" else places.lowest)(label.match) for label in labels]
    return [(end, label) for end, label in zip(ends, labels, strict=True) if end is not None]


def start_of(starts: Sequence[tuple[Exact, Labelled]], label: Labelled) -> Exact:
    """The threshold of a label."""
    return next(start for start, each in starts if each is label)


def equal_thresholds(starts: Sequence[tuple[Exact, Labelled]]) -> Iterator[tuple[Labelled, Labelled]]:
    """The pairs of labels with the same threshold."""
    seen: dict[Exact, Labelled] = {}
    for start, label in starts:
        if start in seen:
            yield seen[start], label
        seen.setdefault(start, label)


def turn_of(starts: Sequence[tuple[Exact, Labelled]]) -> tuple[Labelled, Labelled] | None:
    """The first two neighbours out of order: falling if the first two labels rise, or rising if those fall."""
    steps = [(b[0] > a[0], a[1], b[1]) for a, b in pairwise(starts) if a[0] != b[0]]
    return next(((a, b) for rises, a, b in steps if rises != steps[0][0]), None)


def thresholds_out_of_reach(starts: Sequence[tuple[Exact, Labelled]], mode: str, num: Num) -> list[Labelled]:
    """The unreachable labels: another label is always nearer, or they lie outside the range of the value."""
    ordered = sorted(starts, key=lambda each: each[0], reverse=mode == "above")
    found = []
    for index, (start, label) in enumerate(ordered):
        after = ordered[index + 1][0] if index + 1 < len(ordered) else None
        if mode == "below":
            far = num.high is not None and start > num.high
            passed = after is not None and num.low is not None and after <= num.low
        else:
            far = num.low is not None and start < num.low
            passed = after is not None and num.high is not None and after >= num.high
        if far or passed:
            found.append(label)
    return [label for _, label in starts if label in found]
