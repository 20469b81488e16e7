"""Whether the labels of an axis cover what its value can be: gaps, overlaps, labels out of reach, edges unsaid."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from enfilade.core import charts as places
from enfilade.core import ir
from enfilade.core.types import Num
from enfilade.source.text import Span

MAX_CHECKED = 2_000


@frozen
class Labelled:
    """A label with what it matches and where it stands."""

    text: str
    match: ir.Match
    span: Span


@frozen
class Overlap:
    """A value that two labels take."""

    value: int
    first: Labelled
    second: Labelled


def overlap_of(labels: Sequence[Labelled]) -> Overlap | None:
    """The first value that two labels take, if any."""
    seen: list[tuple[ir.Band, Labelled]] = []
    for label in labels:
        for band in label.match.bands:
            for other, before in seen:
                value = _common(band, other)
                if value is not None:
                    return Overlap(value, before, label)
            seen.append((band, label))
    return None


def _common(a: ir.Band, b: ir.Band) -> int | None:
    lows = [band.low for band in (a, b) if band.low is not None]
    highs = [band.high for band in (a, b) if band.high is not None]
    low = max(lows) if lows else None
    high = min(highs) if highs else None
    if low is not None and high is not None and low > high:
        return None
    if low is None and high is None:
        return 0
    return int(low if low is not None else high)  # type: ignore[arg-type]  # one of them is known


def gap_of(matches: Sequence[ir.Match], num: Num) -> int | None:
    """The lowest whole number between the labels that none takes and that the value can be."""
    low, high = span_of(matches)
    first = max((b for b in (low, num.low) if b is not None), default=None)
    last = min((b for b in (high, num.high) if b is not None), default=None)
    if first is None or last is None:
        first, last = _inner_ends(matches, first, last)
    if first is None or last is None:
        return None
    first, last = int(-(-first // 1)), int(last // 1)
    for value in range(first, min(last, first + MAX_CHECKED) + 1):
        if not any(places.contains(match, value) for match in matches):
            return value
    return None


def _inner_ends(matches: Sequence[ir.Match], first: object, last: object) -> tuple[int | None, int | None]:
    """Where one end is open: look between the finite ends of all the bands."""
    ends = [int(end) for m in matches for band in m.bands for end in (band.low, band.high) if end is not None]
    return (min(ends), max(ends)) if ends else (None, None)


def span_of(matches: Sequence[ir.Match]) -> tuple[int | None, int | None]:
    """The lowest and the highest number that any label takes; ``None`` is open."""
    lows = [places.lowest(match) for match in matches]
    highs = [places.highest(match) for match in matches]
    low = None if None in lows else min(lows)  # type: ignore[type-var]  # no None in it
    high = None if None in highs else max(highs)  # type: ignore[type-var]  # no None in it
    return low, high  # type: ignore[return-value]  # labels of rules are whole or compared only


def reaches_below(matches: Sequence[ir.Match], num: Num, mode: str) -> bool:
    """Whether the value can lie below all labels."""
    if mode in ("above", "nearest"):
        return False
    low = span_of(matches)[0]
    return low is not None and (num.low is None or num.low < low)


def reaches_above(matches: Sequence[ir.Match], num: Num, mode: str) -> bool:
    """Whether the value can lie above all labels."""
    if mode in ("below", "nearest"):
        return False
    high = span_of(matches)[1]
    return high is not None and (num.high is None or num.high > high)


def out_of_reach(match: ir.Match, num: Num) -> bool:
    """Whether the value can never be in a label."""
    return bool(match.bands) and all(
        (band.high is not None and num.low is not None and band.high < num.low)
        or (band.low is not None and num.high is not None and band.low > num.high)
        for band in match.bands
    )
