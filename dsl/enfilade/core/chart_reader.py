"""Chart lookup: page, column, column shift, row, cell, and the rules for values off an edge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field

from enfilade.core import chart_labels as places
from enfilade.core import ir
from enfilade.core.events import Place, ReadChart
from enfilade.core.operators import checked
from enfilade.core.run import Evaluate, Frame, Run
from enfilade.errors import RuleError
from enfilade.values.data import Reading, Ref, Tally


@define
class _LookupTrace:
    """The parts of a chart that one lookup used, for explanations and coverage."""

    notes: list[ir.Note] = field(factory=list)
    edges: list[tuple[str, int]] = field(factory=list)
    header: int | None = None
    inside: int | None = None


class ChartReader:
    """Reads charts.

    Args:
        run: The current run.
        value: Evaluates an expression.
        tally: Adds up a block of modifiers, given its arguments and the reader.
    """

    __slots__ = ("_run", "_tally", "_value")

    def __init__(
        self, run: Run, value: Evaluate, tally: Callable[[str, tuple[Any, ...], Ref | None], Tally]
    ) -> None:  # fmt: skip
        self._run = run
        self._value = value
        self._tally = tally

    def read(self, name: str, args: tuple[Any, ...], roll: Any, reader: Ref | None) -> Reading:
        """Read a chart.

        Args:
            name: The chart.
            args: Its arguments.
            roll: The number or word that finds the row, if the chart has dice.
            reader: The record that reads the chart, if any.

        Raises:
            Refused: The value is off an edge that refuses.
        """
        self._run.tick()
        chart = self._run.program.charts[name]
        frame = Frame({**dict(zip(chart.params, args, strict=True)), "reader": reader})
        trace = _LookupTrace()
        page = self._page(chart, frame)
        shift = self._sum(chart.shifts, frame, reader)
        across = (
            None
            if chart.across is None or chart.across.value is None
            else self._header(chart, chart.across, frame, trace)
        )
        value = None if across is None or chart.across is None else self._across(chart.across, frame)
        base, column, given = self._column(chart, across, value, frame, shift, trace)
        added = self._sum(chart.roll_modifiers, frame, reader)
        found = self._looked_up(chart, roll, frame)
        modified = checked(found + added) if added else found
        in_row = found
        if chart.finds_roll and chart.down.value is not None:
            row, given_by_row = self._row(chart, frame, self._value(chart.down.value, frame), trace)
            in_row = modified
        else:
            row, given_by_row = self._row(chart, frame, modified, trace)
        if given is None:
            given = given_by_row
        code = given[0] if given is not None else self._cell(chart, page, row, column, frame, trace)
        if chart.find is not None and given is None:
            if not chart.finds_roll and chart.find.value is not None:
                in_row = self._value(chart.find.value, frame)
            column, given = self._find(chart, page, row, in_row, frame, trace)
            code = given[0] if given is not None else _label(chart.across, column)
        reading = Reading(
            name,
            code,
            _label(chart.down, row),
            _label(chart.across, column),
            None if chart.across is None or base is None else chart.across.labels[base],
            shift,
            found,
            modified,
            added,
            reader,
            tuple(name for name, _ in trace.edges),
            str(page),
        )
        if self._run.observer:
            axes = [axis.note for axis in (chart.down, chart.across) if axis is not None and axis.note != ir.NO_NOTE]
            trace.notes += [*_notes_on(chart.down, row), *_notes_on(chart.across, column)]
            place = Place(page, row, column, trace.inside, trace.header, tuple(trace.edges))
            notes = (*axes, *trace.notes)
            params = tuple(zip(chart.params, args, strict=True))
            in_row = None if chart.find is None or row is None else in_row
            self._run.observer(ReadChart(reading, chart.note, notes, value, place, in_row, params))
        return reading

    def _looked_up(self, chart: ir.Chart, roll: Any, frame: Frame) -> Any:
        """The number or word to which die roll modifiers are added: it finds the row, or stands in the row."""
        axis = chart.find if chart.finds_roll and chart.find is not None else chart.down
        return roll if axis.value is None else self._value(axis.value, frame)

    def _sum(self, blocks: tuple[str, ...], frame: Frame, reader: Ref | None) -> Any:
        """The total of some blocks; each is given the parameters of the chart that it uses."""
        modifiers = self._run.program.modifiers
        args = [tuple(frame.locals[name] for name in modifiers[block].params) for block in blocks]
        return checked(sum(self._tally(block, given, reader).total for block, given in zip(blocks, args, strict=True)))

    def _page(self, chart: ir.Chart, frame: Frame) -> int:
        if not chart.pages:
            return 0
        key = tuple(self._index(chart, axis, self._value(axis.value, frame)) for axis in chart.pages if axis.value)
        if key not in chart.page_index:
            raise RuleError(f"{chart.name} has no page for these values", chart.note.cites)
        return chart.page_index[key]

    def _index(self, chart: ir.Chart, axis: ir.Axis, value: Any) -> int:
        index = places.find_label(axis.mode, axis.headers[0].matches, value)
        if isinstance(index, str):
            raise RuleError(f"{chart.name} has no row or column for {value}", chart.note.cites)
        return index

    def _column(
        self,
        chart: ir.Chart,
        header: ir.Header | None,
        value: Any,
        frame: Frame,
        shift: Any,
        trace: _LookupTrace,
    ) -> tuple[int | None, int | None, tuple[Any] | None]:
        axis = chart.across
        if axis is None or header is None:
            return None, 0 if axis is None else None, None
        if header is not axis.headers[0] or len(axis.headers) > 1:
            trace.notes.append(header.note)
        base = places.find_label(axis.mode, header.matches, value, axis.limits)
        if isinstance(base, str):
            stayed, given = self._edge(chart, f"column {base}", value, frame, trace)
            if given is not None:
                return None, None, given
            base = self._end(chart, header.matches, stayed, value)
        column = base + shift
        if not 0 <= column < len(axis.labels):
            name = "shift left" if column < 0 else "shift right"
            _, given = self._edge(chart, name, value, frame, trace)
            if given is not None:
                return base, None, given
            column = 0 if column < 0 else len(axis.labels) - 1
        return base, column, None

    def _across(self, axis: ir.Axis, frame: Frame) -> Any:
        return None if axis.value is None else self._value(axis.value, frame)

    def _header(self, chart: ir.Chart, axis: ir.Axis, frame: Frame, trace: _LookupTrace) -> ir.Header:
        for number, header in enumerate(axis.headers):
            if header.condition is None or self._value(header.condition, frame):
                trace.header = number
                return header
        raise RuleError(f"{chart.name} has no header row for this situation", chart.note.cites)

    def _row(
        self, chart: ir.Chart, frame: Frame, value: Any, trace: _LookupTrace
    ) -> tuple[int | None, tuple[Any] | None]:
        matches = chart.down.headers[0].matches
        row = places.find_label(chart.down.mode, matches, value, chart.down.limits)
        if isinstance(row, int):
            return row, None
        _, given = self._edge(chart, f"row {row}", value, frame, trace)
        if given is not None:
            return None, given
        return self._end(chart, matches, row, value), None

    def _end(self, chart: ir.Chart, matches: tuple[ir.Match | None, ...], side: str, value: Any) -> int:
        """The first or last label, for a value outside all labels."""
        index = places.end_label(matches, side)
        if index is None:
            raise RuleError(f"{chart.name} has no row or column for {value}", chart.note.cites)
        return index

    def _edge(
        self, chart: ir.Chart, name: str, value: Any, frame: Frame, trace: _LookupTrace
    ) -> tuple[str, tuple[Any] | None]:
        """Apply the rule for values off an edge: return the side to stay on, and a code if the edge gives one."""
        edge = chart.edges.get(name)
        if edge is None:
            raise RuleError(places.unsaid(chart.name, name, value), chart.note.cites)
        at = 0
        for number, action in enumerate(edge.actions):
            if action.condition is not None and self._value(action.condition, frame):
                at = number
        chosen = edge.actions[at]
        trace.edges.append((name, at))
        trace.notes.append(edge.note)
        if chosen.act == "refuse":
            self._run.refuse(chosen.value, edge.note)
        side = name.partition(" ")[2]
        return side, (chosen.value,) if chosen.act == "gives" else None

    def _cell(
        self, chart: ir.Chart, page: int, row: int | None, column: int | None, frame: Frame, trace: _LookupTrace
    ) -> Any:
        if chart.find is not None or row is None or column is None:
            return None
        cell = chart.cells[page][row][column]
        inside = None
        if chart.inside is not None and chart.inside.value is not None:
            inside = self._index(chart, chart.inside, self._value(chart.inside.value, frame))
            trace.inside = inside
            cell = cell[inside]
        for erratum in chart.errata:
            if (erratum.page, erratum.row, erratum.column) == (page, row, column):
                held = erratum.condition is None or self._value(erratum.condition, frame)
                if held and erratum.inside in (None, inside):
                    trace.notes.append(erratum.note)
                    whole = erratum.inside is None and inside is not None
                    cell = erratum.value[inside] if whole else erratum.value
        return cell

    def _find(
        self, chart: ir.Chart, page: int, row: int | None, value: Any, frame: Frame, trace: _LookupTrace
    ) -> tuple[int | None, tuple[Any] | None]:
        assert row is not None
        matches = chart.finders[page][row]
        column = places.find_label("contains", matches, value)
        if isinstance(column, int):
            return column, None
        _, given = self._edge(chart, f"column {column}", value, frame, trace)
        return self._end(chart, matches, column, value) if given is None else None, given


def _label(axis: ir.Axis | None, index: int | None) -> str | None:
    return None if axis is None or index is None else axis.labels[index]


def _notes_on(axis: ir.Axis | None, index: int | None) -> list[ir.Note]:
    return [] if axis is None else [note for at, note in axis.notes if at == index]
