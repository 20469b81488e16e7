"""The order of columns that shifts walk through."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from enfilade.check.context import Context
from enfilade.check.types import coverage
from enfilade.check.types.coverage import Labelled
from enfilade.core.chart_labels import highest, lowest
from enfilade.diagnostics.diagnostic import Label as Mark
from enfilade.values.types import Type, Word


def _rank(label: Labelled, order: Sequence[str]) -> int | None:
    """The rank of the lowest word of a label."""
    return min((order.index(word) for word in label.match.words if word in order), default=None)


def _low_end(label: Labelled) -> int | Fraction | None:
    """The lower end of a label, or its upper end if it is open below; none for words."""
    if not label.match.bands:
        return None
    low = lowest(label.match)
    return highest(label.match) if low is None else low


def check_order(ctx: Context, labels: Sequence[Labelled], type_: Type) -> None:
    """Report columns out of order in a chart with column shifts: a shift moves from each column to its neighbour."""
    order = type_.order if isinstance(type_, Word) else ()
    ends = [(_rank(label, order) if order else _low_end(label), label) for label in labels]
    starts = [(end, label) for end, label in ends if end is not None]
    turn = coverage.turn_of(starts)
    if turn is not None:
        ctx.report(
            "label-order",
            f"columns must be in order for shifts, but `{turn[1].text}` follows `{turn[0].text}`",
            turn[1].span,
            "put the columns in order, from low to high",
            labels=(Mark(turn[0].span, "before it"),),
        )
