"""Charts read in place: the labels by tables, the shift, the edges, the cell; and of the reading only what is used.

The order is that of the reference evaluator: page, column modifiers, column, roll modifiers, row, cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from attrs import define, field

from enfilade.core import ir
from enfilade.core.charts import highest, lowest
from enfilade.core.types import Num, Type
from enfilade.engines.compile import labels
from enfilade.engines.compile.conditions import condition
from enfilade.engines.compile.edges import Outcome, edge
from enfilade.engines.compile.frames import WHOLE, Frame
from enfilade.engines.compile.kinds import UNKNOWN, is_small
from enfilade.engines.compile.modifiers import NOBODY, READER, Reader, tally
from enfilade.engines.compile.unit import Writer
from enfilade.engines.compile.walk import size

PARTS = frozenset(["code", "row", "column", "base_column", "shift", "roll", "modified", "roll_modifier", "reader"])


@define
class Read:
    """A chart that is being read: what is known of the reading so far.

    Attributes:
        w: The function being written.
        chart: The chart.
        reader: Who reads.
        parts: What is wanted of the reading.
        page: The index of the page.
        column: The index of the column; "None" off the chart or without columns.
        base: The same before any shift.
        row: The index of the row.
        given: The variable that holds what an edge gives, if one can.
        edges: The variable that holds the edges that decided something, where they are wanted.
    """

    w: Writer
    chart: ir.Chart
    reader: Reader
    parts: frozenset[str]
    page: str = "0"
    column: str = "None"
    base: str = "None"
    row: str = "None"
    given: str | None = None
    edges: str | None = None
    texts: dict[str, str] = field(factory=dict)

    def wants(self, *parts: str) -> bool:
        """Whether one of some parts is wanted."""
        return WHOLE in self.parts or not self.parts.isdisjoint(parts)
