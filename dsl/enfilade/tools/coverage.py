"""Measures what of a ruleset its examples reach: each cell, label, edge, modifier, code and refusal, used or never.

It counts by listening to the runs. It must not judge: a cell that no example reads may be right all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from attrs import define, field, frozen

from enfilade.core import ir
from enfilade.core.events import Called, Did, Event, ReadChart, ResultApplied, Tallied, WasRefused
from enfilade.tools.coverage_items import Item, Key, items_of, place_of

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
    """What of a ruleset its examples reach.

    Attributes:
        counts: A count for each kind of thing: charts' rows, columns and cells, modifiers, refusals and so on.
    """

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

    Give it as observer to whoever plays the examples.
    """

    program: ir.Program
    seen: set[Key] = field(factory=set)

    def __call__(self, event: Event) -> None:
        """Keep what an event says was used."""
        self.seen.update(_used_by(self.program, event))

    def coverage(self, played: Iterable[str]) -> Coverage:
        """Count.

        Args:
            played: The procedures that were played by name.
        """
        self.seen.update(("procedures", name) for name in played)
        # Every place where nothing is written would count as used.
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
            # An edge that refuses stands behind the step that refuses the same before any die is rolled.
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
