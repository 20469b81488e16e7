"""Test coverage of a ruleset: the cells, labels, edges, modifiers, codes and refusals that its examples use.

It observes the events of runs. It must not judge: a cell that no example reads may still be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from attrs import define, field, frozen

from enfilade.core import ir
from enfilade.core.events import Called, Did, Event, ReadChart, ResultApplied, Tallied, WasRefused
from enfilade.door import with_doors
from enfilade.tools.coverage_items import Item, Key, items_of, place_of

KINDS: Final = (
    "procedures", "rows", "columns", "cells", "headers", "edges", "errata", "codes", "results", "modifiers",
    "exceptions", "effects", "refusals",
)  # fmt: skip


@frozen
class Count:
    """The coverage of one kind of item.

    Attributes:
        kind: rows, columns, cells, modifiers and so on.
        used: The number of items used.
        never: The items never used, in the order of the text.
    """

    kind: str
    used: int
    never: tuple[Item, ...]

    @property
    def total(self) -> int:
        """The number of items."""
        return self.used + len(self.never)

    @property
    def percent(self) -> int:
        """The percentage of items used, rounded down; 100 if there are no items."""
        return 100 * self.used // self.total if self.total else 100

    def to_json(self) -> dict[str, Any]:
        """Return the count as plain data."""
        never = [item.to_json() for item in self.never]
        return {"used": self.used, "total": self.total, "percent": self.percent, "never": never}


@with_doors
@frozen
class Coverage:
    """The coverage of a ruleset by its examples.

    Attributes:
        counts: A count for each kind of item: the rows, columns and cells of charts, modifiers, refusals and so on.
    """

    counts: tuple[Count, ...]

    def of(self, kind: str) -> Count:
        """The count of one kind."""
        return next(count for count in self.counts if count.kind == kind)

    def to_json(self) -> dict[str, Any]:
        """Return the coverage as plain data, by kind."""
        return {count.kind: count.to_json() for count in self.counts}


@define
class Tracker:
    """Observer that collects the items that runs use.

    Pass it as the observer of the runs.
    """

    program: ir.Program
    seen: set[Key] = field(factory=set)

    def __call__(self, event: Event) -> None:
        """Add the items that an event used."""
        self.seen.update(_used_by(self.program, event))

    def coverage(self, played: Iterable[str]) -> Coverage:
        """Count the items used so far.

        Args:
            played: The procedures that examples played directly.
        """
        self.seen.update(("procedures", name) for name in played)
        # Notes without a place in the source have the key None: they are not items.
        self.seen -= {("errata", None), ("exceptions", None)}
        items = list({item.key: item for item in items_of(self.program)}.values())
        self.seen.update(item.key for item in items if item.refused and ("refused", item.refused) in self.seen)
        return Coverage(tuple(self._count(kind, [item for item in items if item.kind == kind]) for kind in KINDS))

    def _count(self, kind: str, items: list[Item]) -> Count:
        never = tuple(item for item in items if item.key not in self.seen)
        return Count(kind, len(items) - len(never), never)


def _used_by(program: ir.Program, event: Event) -> Iterator[Key]:
    match event:
        case ReadChart():
            yield from _read_by(program.charts[event.reading.chart], event)
        case Tallied():
            for line in event.lines:
                if line.applied:
                    yield ("modifiers", event.block, line.name)
                yield ("exceptions", place_of(line.note.span))
        case ResultApplied():
            yield ("results", place_of(event.note.span))
        case Did():
            yield ("effects", event.effect.effect)
        case Called():
            yield ("procedures", event.procedure)
        case WasRefused():
            yield ("refusals", event.slug, place_of(event.note.span))
            # A step often refuses what an edge would refuse later: count the edge as used too.
            yield ("refused", event.slug)


def _read_by(chart: ir.Chart, event: ReadChart) -> Iterator[Key]:
    reading, place = event.reading, event.place
    yield ("rows", chart.name, reading.row)
    yield ("columns", chart.name, reading.column)
    yield ("codes", chart.name, reading.code)
    yield ("cells", chart.name, place.page, place.row, place.column, place.inside)
    if place.header is not None and chart.across is not None:
        yield ("headers", place_of(chart.across.headers[place.header].note.span))
    yield from (("edges", place_of(chart.edges[name].note.span), number) for name, number in place.edges)
    yield from (("errata", place_of(note.span)) for note in event.notes)
