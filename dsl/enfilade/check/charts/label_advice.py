"""Advice about labels of charts that overlap or can't be reached: what to write instead."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from enfilade.check.types.coverage import Labelled, Overlap, Run
from enfilade.core import ir
from enfilade.core.chart_labels import highest, lowest
from enfilade.values.types import Num

_SIDES = (4, 6, 8, 10, 12, 20, 100)
_MAX_DICE = 9
_SIGNED = re.compile(r"(?P<sign><=|>=|[<>≤≥])\s*(?P<number>-?\d+)")
_WORDED = re.compile(r"(?P<number>-?\d+) (?P<sign>or (?:more|less|higher|lower))")


def overlap_advice(what: str, overlap: Overlap, cells: Mapping[int, tuple[str, ...]]) -> list[str]:
    """How to separate two labels, and whether it matters for their cells."""
    first, second = overlap.first, overlap.second
    low, high = (lowest(first.match), highest(first.match)) if first.match.bands else (None, None)
    start = lowest(second.match) if second.match.bands else None
    advice = []
    if first.match.bands and high is None and low is not None and start is not None and start > low:
        own = f"{low}" if start - 1 == low else f"{low}..{start - 1}"
        advice.append(
            f"`{first.text}` covers all higher values: replace it by `{own}`, or move `{first.text}` to the end"
        )
    elif high is not None and start is not None and low is not None and low < start <= high:
        advice.append(f"`{first.text}` ends at {high}: begin this {what} at {high + 1}")
    mine, other = cells.get(first.span.start), cells.get(second.span.start)
    if mine is not None and other is not None:
        advice.append(
            f"the two {what}s have the same cells" if mine == other else f"the cells of the two {what}s differ"
        )
    return advice


def is_zero_for_ten(label: Labelled, gap: Run, natural: Num) -> bool:
    """Whether a die shows its highest face as 0, 00 or 000, and this label means that face."""
    bands = label.match.bands
    return (
        set(label.text) == {"0"}
        and len(bands) == 1
        and bands[0].low == bands[0].high == 0
        and gap.low == gap.high == natural.high
        and natural.low == 1
    )


def zero_end_advice(number: int, zeros: str) -> str:
    """The advice for a band such as ``6-0``, if the die shows 0 for ten."""
    top = 10 ** len(zeros)
    return f"if `{zeros}` means {top}, write `{number}..{top}`, or declare `die NAME faces 1..{top - 1}, 0 as {top}`"


def band_of_sign(text: str) -> str | None:
    """The band that a comparison means: ``..4`` for ``< 5``.

    Examples:
        >>> band_of_sign("< 5"), band_of_sign(">=5"), band_of_sign("5 or less"), band_of_sign("5")
        ('..4', '5+', '..5', None)
    """
    found = _SIGNED.fullmatch(text.strip()) or _WORDED.fullmatch(text.strip())
    if found is None:
        return None
    sign, number = found["sign"], int(found["number"])
    low = {">": number + 1, ">=": number, "≥": number, "or more": number, "or higher": number}.get(sign)
    high = {"<": number - 1, "<=": number, "≤": number, "or less": number, "or lower": number}.get(sign)
    return f"..{high}" if low is None else f"{low}+" if low >= 0 else f"{low}.."


def zero_advice(label: Labelled, natural: Num) -> str:
    """How to say that 0 means ten."""
    top = natural.high
    return f"if `{label.text}` means {top}, write `{top}`, or declare `die NAME faces 1..{(top or 1) - 1}, 0 as {top}`"


def faces_advice(natural: Num) -> str:
    """How to declare a die that is read from 0, or that shows its highest face as 0."""
    top = natural.high or 1
    return (
        f"if the die shows 0 to {top - 1}, declare `die NAME faces 0..{top - 1}`; "
        f"if its 0 means {top}, declare `die NAME faces 1..{top - 1}, 0 as {top}`"
    )


def other_dice(labels: Sequence[Labelled], groups: Sequence[ir.DiceGroup]) -> str | None:
    """The dice whose totals are exactly the range of the labels: ``2d6``."""
    lows = [low for label in labels if (low := lowest(label.match)) is not None]
    highs = [high for label in labels if (high := highest(label.match)) is not None]
    ends = [*lows, *highs]
    if not ends:
        return None
    low, high = min(ends), max(ends)
    rolled = [int(group.die[1:]) for group in groups if group.die[1:].isdecimal()]
    for sides in (*rolled, *_SIDES):
        if 1 <= low <= _MAX_DICE and high == low * sides:
            return f"{low}d{sides}" if low > 1 else f"d{sides}"
    return None
