"""Chart readings and rolls of a run as data, found by a replay with an observer.

The steps of an explanation are text for people. This module gives positions and numbers instead, for programs that draw
charts or dice.
"""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from enfilade.api.dice_to_roll import DiceToRoll, dice_of
from enfilade.api.execution import Play, replayed, traced
from enfilade.api.plain_data import plain
from enfilade.core import ir
from enfilade.core.events import Place, ReadChart
from enfilade.core.requests import Asker, ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.door import with_doors
from enfilade.engines.trace import say
from enfilade.values.data import Number, exact
from enfilade.values.json_data import to_json


@with_doors
@frozen
class ChartRead:
    """A chart reading: its position on the chart, and the code there.

    Positions are counted from 0 in the result of ``Ruleset.chart`` for *chart*. ``None`` means off the chart, or that
    the chart has no such dimension.

    Attributes:
        chart: The name of the chart.
        title: The title of the chart.
        page: The page.
        row: The row.
        column: The column, after column shifts.
        inside: The value inside the cell.
        header: The header row in force; ``None`` also for the chart's own labels.
        code: The code as printed, or the code that an edge or an erratum gives.
        row_value: The value that selects the row, before modifiers.
        modified: The value that selects the row, after modifiers.
        column_value: The value that selects the column, before column shifts.
        record: The key of the record that the chart was read for, if any.
        edges: The edges in use, in the words of the chart's lines.
    """

    chart: str
    title: str
    page: int
    row: int | None
    column: int | None
    inside: int | None
    header: int | None
    code: str
    row_value: Any = None
    modified: Any = None
    column_value: Any = None
    record: str | None = None
    edges: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the reading as plain data."""
        return {
            "chart": self.chart, "title": self.title, "page": self.page, "row": self.row, "column": self.column,
            "inside": self.inside, "header": self.header, "code": self.code, "row_value": to_json(self.row_value),
            "modified": to_json(self.modified), "column_value": to_json(self.column_value), "record": self.record,
            "edges": list(self.edges),
        }  # fmt: skip


@with_doors
@frozen
class RollMade:
    """A roll of dice.

    Attributes:
        name: The name of the roll with its place; a ``+`` at the end marks a reroll or additional dice.
        player: The player who rolled, if the rules name one.
        dice: The dice.
        faces: The faces as printed.
        total: The sum of the values of the faces; ``None`` if a value is not a number.
    """

    name: str
    player: str | None
    dice: tuple[DiceToRoll, ...]
    faces: tuple[Any, ...]
    total: Number | None

    def to_json(self) -> dict[str, Any]:
        """Return the roll as plain data."""
        return {
            "name": self.name, "player": self.player, "dice": [each.to_json() for each in self.dice],
            "faces": to_json(self.faces), "total": to_json(self.total),
        }  # fmt: skip


@frozen
class ReplayRecord:
    """The chart readings and rolls found by a replay."""

    readings: tuple[ChartRead, ...]
    rolls: tuple[RollMade, ...]


def replay_record(play: Play) -> ReplayRecord:
    """Replay a run and record its chart readings and rolls; nothing is asked or rolled."""
    recorder = _RollRecorder(replayed(play))
    tracer = traced(play, recorder)
    readings = tuple(_chart_read(play.program.charts[event.reading.chart], event) for event in tracer.readings)
    return ReplayRecord(readings, tuple(recorder.rolls))


@frozen
class _RollRecorder:
    """An asker that passes requests on and records the rolls."""

    asker: Asker
    rolls: list[RollMade] = field(factory=list)

    def fact(self, request: FactRequest) -> Any:
        return self.asker.fact(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        faces = self.asker.roll(request)
        self.rolls.append(
            RollMade(request.name, request.player, dice_of(request), faces, _total(values_of(request, faces)))
        )
        return faces

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        return self.asker.draw(request)

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        return self.asker.choose(request)

    def forced(self, request: ChoiceRequest) -> None:
        self.asker.forced(request)


def values_of(request: RollRequest, faces: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the values of the faces of a roll."""
    slots = [die for count, die in request.dice for _ in range(count)]
    sides = [die.face(face) for die, face in zip(slots, faces, strict=True)]
    return tuple(side.value for side in sides if side is not None)


def _total(values: tuple[Any, ...]) -> Number | None:
    return None if any(isinstance(value, str) for value in values) else exact(sum(values))


# ------------------------------------------------------------------------------------------------------- places


def _chart_read(chart: ir.Chart, event: ReadChart) -> ChartRead:
    reading, place = event.reading, event.place
    return ChartRead(
        chart.name, chart.note.label or chart.name, place.page, place.row, place.column, place.inside,
        _header(chart, place.header), _code(chart, place, reading.code), plain(reading.roll), plain(reading.modified),
        plain(event.column_value), None if reading.reader is None else reading.reader.key, reading.edge,
    )  # fmt: skip


def _header(chart: ir.Chart, number: int | None) -> int | None:
    """Return the index of a header row among the printed ones."""
    if chart.across is None or number is None or not chart.across.headers[number].printed:
        return None
    return sum(1 for header in chart.across.headers[:number] if header.printed)


def _code(chart: ir.Chart, place: Place, code: Any) -> str:
    """Return a code as printed if it is the content of its cell, else as text."""
    if place.row is None or place.column is None or place.inside is not None or chart.find is not None:
        return say(code)
    stands_there = chart.cells[place.page][place.row][place.column] == code
    return chart.printed[place.page][place.row][place.column] if stands_there else say(code)
