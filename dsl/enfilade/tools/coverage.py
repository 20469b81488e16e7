"""Measures what of a ruleset its examples reach: each cell, label, edge, modifier, code and refusal, used or never.

It counts by listening to the runs. It must not judge: a cell that no example reads may be right all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from attrs import define, field, frozen

from enfilade.core import ir
from enfilade.core.evaluate import Machine
from enfilade.core.events import Called, Did, Event, ReadChart, ResultApplied, Tallied, WasRefused
from enfilade.core.ground import Frame
from enfilade.tools.reachable import Item, Key, items_of, place_of

KINDS: Final = (
    "procedures", "rows", "columns", "cells", "headers", "edges", "errata", "codes", "results", "modifiers",
    "exceptions", "effects", "refusals",
)  # fmt: skip


@frozen
class Count:
    """How much of one kind of thing was used.

    Attributes:
        kind: rows, columns, cells, modifiers and so on.
        used: How many were.
        never: Those that were not, in the order of the text.
    """

    kind: str
    used: int
    never: tuple[Item, ...]

    @property
    def total(self) -> int:
        """How many there are."""
        return self.used + len(self.never)

    @property
    def percent(self) -> int:
        """The part that was used, of 100, rounded down; 100 where there is nothing to use."""
        return 100 * self.used // self.total if self.total else 100

    def to_json(self) -> dict[str, Any]:
        """Give the count as plain data."""
        never = [item.to_json() for item in self.never]
        return {"used": self.used, "total": self.total, "percent": self.percent, "never": never}


@frozen
class Coverage:
    """What the examples of one ruleset reach."""

    counts: tuple[Count, ...]

    def of(self, kind: str) -> Count:
        """The count of one kind."""
        return next(count for count in self.counts if count.kind == kind)

    def to_json(self) -> dict[str, Any]:
        """Give the coverage as plain data, by kind."""
        return {count.kind: count.to_json() for count in self.counts}


@define
class Tracker:
    """Listens to runs and keeps what they use.

    Give ``make`` to whoever plays the examples in the place of ``Machine``, and the tracker itself as observer.
    """

    program: ir.Program
    seen: set[Key] = field(factory=set)

    def make(self, *args: Any) -> Machine:
        """A reference evaluator that tells which cells it reads."""
        return _Tracking(self.seen.add, *args)

    def __call__(self, event: Event) -> None:
        """Keep what an event says was used."""
        self.seen.update(_used_by(event))

    def coverage(self, played: Iterable[str]) -> Coverage:
        """Count.

        Args:
            played: The procedures that were played by name.
        """
        self.seen.update(("procedures", name) for name in played)
        # Every place where nothing is written would count as used.
        self.seen -= {("errata", None), ("exceptions", None)}
        items = list(items_of(self.program))
        return Coverage(tuple(self._count(kind, [item for item in items if item.kind == kind]) for kind in KINDS))

    def _count(self, kind: str, items: list[Item]) -> Count:
        never = tuple(item for item in items if item.key not in self.seen)
        return Count(kind, len(items) - len(never), never)


def _used_by(event: Event) -> Iterator[Key]:
    match event:
        case ReadChart():
            reading = event.reading
            yield ("rows", reading.chart, reading.row)
            yield ("columns", reading.chart, reading.column)
            yield ("codes", reading.chart, reading.code)
            yield from (("errata", place_of(note.span)) for note in event.notes)
        case Tallied():
            for line in event.lines:
                if line.applied:
                    yield ("modifiers", event.block, line.name)
                yield ("exceptions", place_of(line.note.span))
        case ResultApplied():
            yield ("results", event.chart, event.code)
        case Did():
            yield ("effects", event.effect.effect)
        case Called():
            yield ("procedures", event.procedure)
        case WasRefused():
            yield ("refusals", event.slug, place_of(event.note.span))


class _Tracking(Machine):
    """The reference evaluator, telling which cells, header rows and edges it comes to.

    A reading names its row and column, but not its page, nor which value inside the cell, nor which line of an edge.
    """

    def __init__(self, keep: Callable[[Key], None], *args: Any) -> None:
        super().__init__(*args)
        self._keep = keep

    def _header(self, chart: ir.Chart, axis: ir.Axis, frame: Frame) -> ir.Header:
        header = super()._header(chart, axis, frame)
        self._keep(("headers", chart.name, next(i for i, each in enumerate(axis.headers) if each is header)))
        return header

    def _cell(
        self, chart: ir.Chart, page: int, row: int | None, column: int | None, frame: Frame, notes: list[ir.Note]
    ) -> Any:
        cell = super()._cell(chart, page, row, column, frame, notes)
        inside = None
        if chart.inside is not None and chart.inside.value is not None and row is not None and column is not None:
            inside = self._index(chart, chart.inside, self.value(chart.inside.value, frame))
        self._keep(("cells", chart.name, page, row, column, inside))
        return cell

    def _find(
        self, chart: ir.Chart, page: int, row: int | None, frame: Frame, edges: list[str], notes: list[ir.Note]
    ) -> tuple[int | None, tuple[Any] | None]:
        found = super()._find(chart, page, row, frame, edges, notes)
        if found[1] is None:
            self._keep(("cells", chart.name, page, row, found[0], None))
        return found

    def _edge(
        self, chart: ir.Chart, name: str, value: Any, frame: Frame, edges: list[str], notes: list[ir.Note]
    ) -> tuple[str, tuple[Any] | None]:
        edge = chart.edges.get(name)
        if edge is not None:
            held = [
                0,
                *(i for i, each in enumerate(edge.actions) if each.condition and self.value(each.condition, frame)),
            ]
            self._keep(("edges", chart.name, name, held[-1]))
        return super()._edge(chart, name, value, frame, edges, notes)
