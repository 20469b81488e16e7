"""Lookup of the row or column label of a chart that a value belongs to.

An axis has one of three modes: the label that contains the value, the highest label at or below it (a threshold), or
the lowest label at or above it (a limit "up to"). A value without a label lies below, above or between the labels.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from enfilade.core.ir import Limit, Match

BELOW = "below"
ABOVE = "above"
BETWEEN = "between"


def contains(match: Match, value: Any) -> bool:
    """Whether a label contains a value.

    Examples:
        >>> from enfilade.core.ir import Band
        >>> contains(Match((Band(3, 5), Band(8, None))), 9)
        True
    """
    if isinstance(value, str):
        return value in match.words
    return any((b.low is None or b.low <= value) and (b.high is None or value <= b.high) for b in match.bands)


def lowest(match: Match) -> int | Fraction | None:
    """The lowest number of a label; ``None`` if it has no lower bound."""
    lows = [band.low for band in match.bands]
    return None if None in lows else min(low for low in lows if low is not None)


def highest(match: Match) -> int | Fraction | None:
    """The highest number of a label; ``None`` if it has no upper bound."""
    highs = [band.high for band in match.bands]
    return None if None in highs else max(high for high in highs if high is not None)


def unsaid(chart: str, edge: str, value: Any) -> str:
    """The error of a value beyond or between the labels of a chart that states no such edge.

    Examples:
        >>> unsaid("fire", "row between", 7)
        'fire has no row for 7'
    """
    line, _, side = edge.partition(" ")
    if line in ("row", "column") and side:
        return f"{chart} has no {line} for {value}"
    return f"{chart} does not say what happens at {value} ({edge})"


def _is_beyond(limit: Limit, value: Any) -> bool:
    if value == limit.at:
        return limit.included
    return bool(value > limit.at if limit.side == ABOVE else value < limit.at)


def find_label(mode: str, matches: tuple[Match | None, ...], value: Any, limits: tuple[Limit, ...] = ()) -> int | str:
    """The index of the label that *value* belongs to, or ``BELOW``, ``ABOVE`` or ``BETWEEN`` if it has none.

    Args:
        mode: contains, below or above.
        matches: The labels in printed order; no value belongs to a ``None``.
        value: A number, or a word.
        limits: Numbers from which on a value is off the chart.

    Examples:
        >>> from enfilade.core.ir import Band
        >>> one, four = Match((Band(1, 1),)), Match((Band(4, 4),))
        >>> find_label("below", (one, four), 3)
        0
        >>> find_label("below", (one, four), 0)
        'below'
    """
    for limit in limits:
        if not isinstance(value, str) and _is_beyond(limit, value):
            return limit.side
    if mode == "contains":
        for index, match in enumerate(matches):
            if match is not None and contains(match, value):
                return index
        return _outside(matches, value)
    return _threshold(matches, value) if mode == "below" else _limit(matches, value)


def end_label(matches: tuple[Match | None, ...], side: str) -> int | None:
    """The index of the lowest or highest label, which is read for values below or above all labels.

    Args:
        matches: The labels in printed order, rising or falling.
        side: ``BELOW`` or ``ABOVE``.

    Examples:
        >>> from enfilade.core.ir import Band
        >>> end_label((Match((Band(4, 4),)), Match((Band(1, 1),))), BELOW)
        1
    """
    numbered = [(index, match) for index, match in enumerate(matches) if match is not None and match.bands]
    if side == BELOW:
        lows = [(low, index) for index, match in numbered if (low := lowest(match)) is not None]
        return min(lows)[1] if lows else None
    highs = [(high, index) for index, match in numbered if (high := highest(match)) is not None]
    return max(highs)[1] if highs else None


def _outside(matches: tuple[Match | None, ...], value: Any) -> str:
    present = [match for match in matches if match is not None and match.bands]
    if isinstance(value, str) or not present:
        return BETWEEN
    lows = [low for match in present if (low := lowest(match)) is not None]
    highs = [high for match in present if (high := highest(match)) is not None]
    if len(lows) == len(present) and value < min(lows):
        return BELOW
    return ABOVE if len(highs) == len(present) and value > max(highs) else BETWEEN


def _threshold(matches: tuple[Match | None, ...], value: Any) -> int | str:
    best: int | str = BELOW
    level = None
    for index, match in enumerate(matches):
        low = None if match is None else lowest(match)
        if low is not None and low <= value and (level is None or low > level):
            best, level = index, low
    return best


def _limit(matches: tuple[Match | None, ...], value: Any) -> int | str:
    best: int | str = ABOVE
    level = None
    for index, match in enumerate(matches):
        if match is None:
            continue
        high = highest(match)
        if high is None:
            best = index if best == ABOVE else best
        elif value <= high and (level is None or high < level):
            best, level = index, high
    return best
