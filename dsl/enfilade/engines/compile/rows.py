"""The row of a chart: the label of the modified roll or value, and the edges."""

from __future__ import annotations

from enfilade.core import ir
from enfilade.core.charts import highest, lowest
from enfilade.core.types import Type
from enfilade.engines.compile import labels
from enfilade.engines.compile.reading import Read
from enfilade.engines.compile.runtime import BELOW


def find_row(r: Read, value: str, kind: Type) -> None:
    """Find the row."""
    w, matches = r.w, r.chart.down.headers[0].matches
    found = labels.find(w, r.chart.down.mode, matches, value, kind)
    r.row = w.fresh()
    w.line(f"{r.row} = {found.text}")
    r.off("row", found, r.row, value, lambda side: str(_end(matches, side)))


def _end(matches: tuple[ir.Match | None, ...], side: int) -> int:
    """The row that is read where a value below or above all of them stays."""
    if side == BELOW:
        lows = [(low, i) for i, m in enumerate(matches) if m and m.bands and (low := lowest(m)) is not None]
        return min(lows, default=(0, 0))[1]
    highs = [(high, i) for i, m in enumerate(matches) if m and m.bands and (high := highest(m)) is not None]
    return max(highs, default=(0, 0))[1]
