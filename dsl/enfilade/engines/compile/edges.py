"""Code generation for the edges of a chart, and the state of a lookup during code generation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import define

from enfilade.core import ir
from enfilade.engines.compile.conditions import condition
from enfilade.engines.compile.frames import WHOLE
from enfilade.engines.compile.function_writer import Writer
from enfilade.engines.compile.labels import LabelLookup
from enfilade.engines.compile.modifiers import Reader
from enfilade.engines.compile.runtime import SIDES


@define
class Lookup:
    """The lookup in a chart that is being generated.

    Attributes:
        w: The function being written.
        chart: The chart.
        reader: The reader.
        parts: The wanted parts of the reading.
        given: The variable for the result that an edge gives, in a tuple; ``None`` while no edge can give one.
        edges: The variable for the names of the edges that were used, if they are wanted.
        page: The source of the index of the page.
        base: The source of the index of the column before any column shift; "None" without a column.
        column: The source of the index of the column.
        row: The source of the index of the row.
        start: The number of the lookup's first line.
    """

    w: Writer
    chart: ir.Chart
    reader: Reader
    parts: frozenset[str]
    given: str | None = None
    edges: str = "()"
    page: str = "0"
    base: str = "None"
    column: str = "None"
    row: str = "None"
    start: int = 0

    def begin(self) -> None:
        """Write the initial value of the list of used edges."""
        self.start = len(self.w.lines)
        if WHOLE in self.parts and self.chart.edges:
            self.edges = self.w.fresh()
            self.w.line(f"{self.edges} = ()")

    def _gives(self, value: str) -> None:
        """Write the result that an edge gives, unless an earlier edge has given one."""
        if self.given is None:
            self.given = self.w.fresh()
        self.w.line(f"if {self.given} is None: {self.given} = ({value},)")

    def end(self) -> None:
        """Insert the initial value of `given` at the start of the lookup."""
        if self.given is not None:
            self.w.lines.insert(self.start, (self.w.indent, f"{self.given} = None"))

    def wants(self, *parts: str) -> bool:
        """Whether at least one of the parts is wanted."""
        return WHOLE in self.parts or not self.parts.isdisjoint(parts)

    def off(self, axis: str, found: LabelLookup, index: str, value: str, stays: Callable[[int], str]) -> None:
        """Write the handling of a value outside all labels.

        Args:
            axis: "column" or "row", the first word of the edge's name.
            found: The generated label lookup.
            index: The variable for the index of the label; overwritten if another label is read instead.
            value: The value.
            stays: Returns the label to read on a side where the chart's rule is ``stays``.
        """
        if not found.outside:
            return
        with self.w.block(f"if {index} < 0:"):
            for number, side in enumerate(found.outside):
                stay = f"{index} = {self._stayed(stays(side), value)}"
                act = partial(self.edge, f"{axis} {SIDES[side]}", value, stay, f"{index} = None")
                if len(found.outside) == 1:
                    act()
                    continue
                with self.w.block(f"{'elif' if number else 'if'} {index} == {side}:"):
                    act()

    def _stayed(self, label: str, value: str) -> str:
        if label.isdigit():
            return label
        return f"stayed({label}, {self.w.context.pool.shared(self.chart)}, {value})"

    def edge(self, name: str, value: str, stays: str, gives: str) -> None:
        """Write the handling of one edge.

        Args:
            name: The name of the edge.
            value: The source of the value.
            stays: The line for an edge with the rule ``stays``.
            gives: The line for an edge that gives a result.
        """
        w, edge = self.w, self.chart.edges.get(name)
        if edge is None:
            w.line(f"no_edge({w.context.pool.shared(self.chart)}, {value}, {name!r})")
            return
        if self.edges != "()":
            w.line(f"{self.edges} += ({name!r},)")
        if len(edge.actions) == 1:
            self._act(edge, edge.actions[0], stays, gives)
        else:
            self._one_of(edge, stays, gives)

    def _one_of(self, edge: ir.Edge, stays: str, gives: str) -> None:
        """Write code that takes the last action with a true condition."""
        w, chosen = self.w, self.w.fresh()
        w.line(f"{chosen} = 0")
        for number, action in enumerate(edge.actions):
            if number and action.condition is not None:
                with w.block(f"if {condition(w, action.condition)}:"):
                    w.line(f"{chosen} = {number}")
        for number, action in enumerate(edge.actions):
            with w.block(f"{'elif' if number else 'if'} {chosen} == {number}:"):
                self._act(edge, action, stays, gives)

    def _act(self, edge: ir.Edge, action: ir.EdgeAction, stays: str, gives: str) -> None:
        w = self.w
        if action.act == "refuse":
            w.line(f"raise Refused({w.constant(action.value)}, {w.context.pool.shared(edge.note)})")
        elif action.act == "gives":
            self._gives(w.constant(action.value))
            w.line(gives)
        else:
            w.line(stays)
