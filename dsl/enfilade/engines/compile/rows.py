"""Code generation for the row of a chart: the label of the modified roll or value, and the edges."""

from __future__ import annotations

from enfilade.core.chart_labels import end_label
from enfilade.engines.compile import labels
from enfilade.engines.compile.edges import Lookup
from enfilade.engines.compile.runtime import SIDES
from enfilade.values.types import Type


def find_row(r: Lookup, value: str, kind: Type) -> None:
    """Write the search for the row."""
    w, matches = r.w, r.chart.down.headers[0].matches
    found = labels.find(w, r.chart.down.mode, matches, value, kind, r.chart.down.limits)
    r.row = w.fresh()
    w.line(f"{r.row} = {found.text}")
    r.off("row", found, r.row, value, lambda side: str(end_label(matches, SIDES[side])))
