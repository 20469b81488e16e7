"""Tracing: an observer of the reference evaluator that turns its events into the steps of an explanation.

The tracer only words the events. It must not compute any value itself, so an explanation can't differ from the run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, assert_never

from attrs import define, field

from enfilade.core import events as ev
from enfilade.core.code_patterns import pattern_for
from enfilade.core.dice_totals import pools
from enfilade.core.graph import analysis
from enfilade.core.inputs import declared_input
from enfilade.core.ir import NO_NOTE, Note, Program
from enfilade.core.legal_answers import player_text, spoken_name
from enfilade.engines.explanation import Explanation
from enfilade.engines.step import Step
from enfilade.values.data import ChartRef, FrozenMap, Performed, Reading, Ref, Roll, State, Tally
from enfilade.values.json_data import to_json

_TAIL = re.compile(r"""(\s+(assumed\s+)?"[^"]*"|\s+\[[^\]]*\])+\s*\Z""")


@define
class Tracer:
    """The observer that collects the steps of one run.

    Attributes:
        program: The ruleset, for labels.
        steps: The steps so far.
        readings: The chart readings in the steps so far.
    """

    program: Program
    steps: list[Step] = field(factory=list)
    readings: list[ev.ReadChart] = field(factory=list)
    _last_events: dict[tuple[str, str | None], ev.Event] = field(factory=dict)
    _noted: set[tuple[str, Note]] = field(factory=set)
    _inside: int = 0
    _called: int = 0
    _defined_step: Step | None = None
    _start: State = field(factory=State)

    def begin(self, procedure: str, facts: Mapping[str, Any], state: State) -> None:
        """Add the steps for the start of a procedure: its name and the given facts."""
        self._start = state
        note = self.program.procedures[procedure].note
        self._add("procedure", note.label or procedure, note, procedure, name=procedure)
        for name, value in facts.items():
            declared = declared_input(self.program, name)
            self._fact(declared.name, value, True, declared.note)

    def explanation(self) -> Explanation:
        """Return the explanation made of the steps so far."""
        return Explanation(tuple(self.steps))

    def __call__(self, event: ev.Event) -> None:
        """Add the steps for an event."""
        match event:
            case ev.FactUsed():
                self._fact(event.name, event.value, event.given, event.note)
            case ev.Rolled():
                self._rolled(event)
            case ev.Drew():
                self._last_events.clear()
                text = f"{_titled(event.name, event.note)}: {say(event.cards)} from {event.deck}"
                self._add("draw", text, event.note, event.cards, name=event.name)
            case ev.Chose():
                self._add("choice", _choice_text(event), event.note, event.chosen, name=event.name)
            case ev.Computed():
                self._computed(event)
            case ev.Defined():
                self._defined(event)
            case ev.Tallied():
                self._tallied(event)
            case ev.ReadChart():
                self._chart_read(event)
            case ev.ResultApplied():
                text = f"{event.code} {_titled('', event.note)}".strip()
                readers = tuple(filter(None, event.readers))
                whom = f", for {say(readers)}" if readers else ""
                self._inside = 0
                self._add("results", text + whom, event.note, event.code)
                self._inside = 1
            case ev.Did():
                text = _effect_text(event.effect, event.note)
                self._add("effect", text, event.note, event.effect, name=event.effect.effect)
            case ev.Changed():
                self._changed(event)
            case ev.Called():
                self._last_events.clear()
                text = _titled(event.procedure, event.note)
                self._outside("procedure", text, event.note, event.procedure, event.procedure)
                self._called += 1
            case ev.Returned():
                self._inside = 0
                self._called -= 1
            case ev.Gave():
                text = f"{_titled(event.name, event.note)}: {say(event.value)}"
                self._outside("output", text, event.note, event.value, event.name, label=event.note.label)
            case ev.WasRefused():
                text = f"refused, {event.slug}" + (f": {event.note.label}" if event.note.label else "")
                self._outside("refusal", text, event.note, event.slug, event.slug)
            case _:
                assert_never(event)

    def _add(self, kind: str, text: str, note: Note, value: Any, *, depth: int = 0, **more: Any) -> None:
        depth += self._inside + self._called
        if kind in ("value", "output"):
            self._drop_repeated(to_json(value), note)
        self._defined_step = None
        self.steps.append(Step(kind, text, to_json(value), note.cites, note.assumed, depth=depth, **more))

    def _drop_repeated(self, value: Any, note: Note) -> None:
        """Remove the step of a definition if the line that uses the definition has the same text."""
        told = self._defined_step
        if told is None or self.steps[-1] is not told or told.value != value:
            return
        if set(told.cites) <= set(note.cites) and told.assumed in (None, note.assumed):
            self.steps.pop()

    def _outside(self, kind: str, text: str, note: Note, value: Any, name: str, **more: Any) -> None:
        self._inside = 0
        self._add(kind, text, note, value, name=name, **more)

    def _fact(self, name: str, value: Any, given: bool, note: Note) -> None:
        inside, self._inside = self._inside, 0
        text = f"{name} {self._described(value)}".replace(f"{name} {name} (", f"{name} (")
        self._add("fact", text, note, value, name=name, given=given)
        self._inside = inside

    def _described(self, value: Any) -> str:
        """Return a value as text; a record with all fields that differ from their defaults."""
        if isinstance(value, tuple) and value:
            return ", ".join(self._described(item) for item in value)
        if isinstance(value, Mapping):
            return f"({say(value)})"
        if not isinstance(value, Ref) or value not in self._start.records:
            return say(value)
        declared = self.program.records[value.record].fields
        fields = {name: own for name, own in self._start.records[value].items() if own != declared[name].default}
        # A field is not described in turn: records may refer to each other in a circle.
        shown = {name: f"({say(own)})" if isinstance(own, Mapping) else say(own) for name, own in fields.items()}
        said = ", ".join(name if own is True else f"{name} {shown[name]}" for name, own in fields.items())
        return f"{value.key} ({said})" if said else value.key

    def _rolled(self, event: ev.Rolled) -> None:
        roll = event.roll
        numeric = bool(roll.values) and not any(isinstance(value, str) for value in roll.values)
        who = f"{event.player} rolls " if event.player else ""
        place = event.name.partition("[")[0], event.note.span
        summed = numeric and place not in analysis(self.program, pools)
        text = f"{who}{_titled(event.name, event.note)}: {_roll_text(roll, summed)}"
        self._last_events.clear()
        self._add("roll", text, event.note, roll.total if numeric else roll.faces, name=event.name)

    def _computed(self, event: ev.Computed) -> None:
        # The reading already has a step; only the note of this line is missing.
        if _is_reading(event.value) and event.note in (NO_NOTE, Note(span=event.note.span)):
            return
        is_reading = _is_reading(event.value)
        text = f"{_titled(event.name, event.note)}: {self._codes_text(event.value) if is_reading else say(event.value)}"
        value = _codes(event.value) if is_reading else event.value
        self._add("value", text, event.note, value, name=event.name)

    def _defined(self, event: ev.Defined) -> None:
        """Add a step for a definition with a label or an assumption, once for each value."""
        line, whole = event.line, event.note
        label, assumed = line.label or whole.label, line.assumed or whole.assumed
        cites = tuple(dict.fromkeys((*line.cites, *whole.cites)))
        is_general = bool(self.program.definitions[event.name].params) and not (line.label or line.cites)
        if is_general or not (label or assumed):
            return
        note = Note(label, cites, assumed, line.span or whole.span)
        text = f"{label or event.name}: {say(event.value)}"
        if (text, note) not in self._noted:
            self._noted.add((text, note))
            self._add("value", text, note, event.value, name=event.name)
            self._defined_step = None if line.label else self.steps[-1]

    def _tallied(self, event: ev.Tallied) -> None:
        reader = _counted_for(event.reader, event.args)
        if self._is_repeated(event, event.block, reader):
            return
        whom = (f" for {reader}" if reader else "") + _with_values(event.args)
        text = f"{_titled(event.block, event.note)}{whom}: {_signed(event.tally.total)}"
        self._add("modifiers", text, event.note, event.tally.total, name=event.block, reader=reader)
        for line in event.lines:
            self._modifier(line, reader)

    def _modifier(self, line: ev.ModifierLine, reader: str | None) -> None:
        label = _titled(line.name, line.note)
        text = f"{_signed(line.amount)} {label}" if line.applied else label
        more = {"name": line.name, "reader": reader, "applied": line.applied, "because": line.because}
        self._add("modifier", text, line.note, line.amount, depth=1, **more)

    def _chart_read(self, event: ev.ReadChart) -> None:
        reading = event.reading
        reader = _counted_for(reading.reader, event.args)
        if self._is_repeated(event, reading.chart, reader):
            return
        self.readings.append(event)
        label = code_label(self.program, reading.chart, reading.code)
        is_rolled = self.program.charts[reading.chart].takes_roll
        where = _reading_text(reading, _titled(reading.chart, event.note), event, is_rolled)
        text = f"{where}: {code_text(say(reading.code), label)}"
        self._add("reading", text, event.note, reading.code, name=reading.chart, reader=reader, label=label)
        for note in event.notes:
            # The notes of a chart's lines are added once, even if the chart is read several times.
            if (reading.chart, note) in self._noted:
                continue
            self._noted.add((reading.chart, note))
            said = note.label or _line_text(note)
            if said or note.cites or note.assumed:
                self._add("note", said, note, None, depth=1, reader=reader, label=note.label)

    def _codes_text(self, value: Any) -> str:
        """Codes that were read, for each reader; a dash is told by its label."""
        if not isinstance(value, Reading):
            return ", ".join(map(self._codes_text, value)) or "nothing"
        label = code_label(self.program, value.chart, value.code)
        told = say(value.code) if _is_word(say(value.code)) else label or say(value.code)
        return f"{value.reader.key} {told}" if value.reader else told

    def _is_repeated(self, event: ev.Event, name: str, reader: str | None) -> bool:
        """Whether an equal event has occurred since the last roll: outputs evaluate modifiers and charts again."""
        before = self._last_events.get((name, reader))
        self._last_events[name, reader] = event
        return before == event

    def _changed(self, event: ev.Changed) -> None:
        if isinstance(event.before, FrozenMap):
            for word, before in event.before.items():
                if before != event.after[word]:
                    text = f"{word} in {event.field} of {event.ref.key}: {say(before)}, now {say(event.after[word])}"
                    self._add("change", text, event.note, event.after[word], depth=1, name=event.field)
        elif event.before != event.after:
            text = f"{event.field} of {event.ref.key}: {say(event.before)}, now {say(event.after)}"
            self._add("change", text, event.note, event.after, depth=1, name=event.field)


# ----------------------------------------------------------------------------------------------------- wording


def code_text(code: str, label: str | None) -> str:
    """A code with its label; a code without letters and digits is told by its label alone.

    Examples:
        >>> code_text("M1", "Morale check"), code_text("-", "No effect"), code_text("-", None)
        ('M1, Morale check', 'No effect', '-')
    """
    if not label or label.casefold() == code.casefold():
        return code
    return f"{code}, {label}" if _is_word(code) else label


def sign_labels(program: Program, codes: Iterable[str]) -> dict[str, str]:
    """The labels of the codes without letters and digits, such as ``-``, if all results that label them agree."""
    labels: dict[str, str] = {}
    for code in codes:
        if not _is_word(code):
            found = {code_label(program, results.chart, code) for results in program.results.values()} - {None, ""}
            label = next(iter(found), None)
            if label and len(found) == 1:
                labels[code] = label
    return labels


def _is_word(code: str) -> bool:
    return any(map(str.isalnum, code))


def code_label(program: Program, chart: str, code: Any) -> str | None:
    """The label that the results of a chart give a code, or ``None``."""
    for results in program.results.values():
        fits = pattern_for(results, code) if results.chart == chart and isinstance(code, str) else None
        if fits is not None:
            return next(each.note.label for each in results.entries if each.pattern == fits[0] and not each.then)
    return None


def say(value: Any) -> str:
    """Return a value in a player's words.

    Examples:
        >>> say((Ref("unit", "gun"), True)), say(())
        ('gun, yes', 'nothing')
    """
    match value:
        case Roll():
            return say(value.faces)
        case Tally():
            return _signed(value.total)
        case Reading():
            return (f"{value.reader.key} " if value.reader else "") + say(value.code)
        case Performed():
            return value.effect
        case ChartRef():
            return value.name
        case tuple():
            return ", ".join(_within(item) for item in value) or "nothing"
        case Mapping():
            return ", ".join(f"{say(key)} {say(item)}" for key, item in value.items()) or "nothing"
        case _:
            return player_text(value)


def _within(item: Any) -> str:
    """Return an element of a list as text; a list inside a list gets parentheses."""
    return f"({say(item)})" if isinstance(item, tuple) else say(item)


def _counted_for(reader: Ref | None, args: tuple[tuple[str, Any], ...]) -> str | None:
    """The record that a chart or modifiers were read for: the reader, or the only record among the parameters."""
    if reader is not None:
        return reader.key
    refs = [value for _, value in args if isinstance(value, Ref)]
    return refs[0].key if len(refs) == 1 else None


def _with_values(args: tuple[tuple[str, Any], ...]) -> str:
    """The parameters with their values, without an only record: `` (score 5)``."""
    many = sum(isinstance(value, Ref) for _, value in args) > 1
    shown = [f"{name} {say(value)}" for name, value in args if _is_shown(name) and (many or not isinstance(value, Ref))]
    return f" ({', '.join(shown)})" if shown else ""


def _is_shown(name: str) -> bool:
    # A roll is told in its own step.
    return "@" not in name and name != "roll"


def _titled(name: str, note: Note) -> str:
    """Return the label of a line with the place in its loop: ``Morale (gun)``."""
    return spoken_name(name, note.label)


def _line_text(note: Note) -> str:
    """Return a line as its author wrote it, without label, citations and assumption."""
    text = "" if note.span is None else note.span.text
    return " ".join(_TAIL.sub("", text).split())


def _signed(amount: Any) -> str:
    return f"+{amount}" if not isinstance(amount, str) and amount > 0 else str(amount)


def _roll_text(roll: Roll, summed: bool) -> str:
    if not summed or len(roll.faces) == 1:
        return say(roll.faces) if roll.faces == roll.values else f"{say(roll.faces)}, counts {say(roll.values)}"
    sum_text = " + ".join(str(value) for value in roll.values)
    shows = "" if roll.faces == roll.values else f"{say(roll.faces)}, counts "
    return f"{shows}{sum_text} = {roll.total}"


def _choice_text(event: ev.Chose) -> str:
    what = event.note.label or event.name
    if not event.chosen:
        return f"{event.player} has nothing to choose from ({what})"
    if event.forced:
        return f"{event.player} has one choice, {say(event.chosen)} ({what})"
    return f"{event.player} chooses {say(event.chosen)} ({what})"


def _effect_text(effect: Performed, note: Note) -> str:
    on = next((name for name, arg in effect.args.items() if isinstance(arg, Ref)), None)
    rest = [f"{name} {say(arg)}" for name, arg in effect.args.items() if name != on and arg is not None]
    whom = f"{say(effect.args[on])}: " if on is not None else ""
    return ", ".join([whom + (note.label or effect.effect), *rest])


def _reading_text(reading: Reading, title: str, event: ev.ReadChart, is_rolled: bool) -> str:
    """The chart and the place where it was read: ``Direct Fire Table for guns: roll 7, column 16``."""
    reader = _counted_for(reading.reader, event.args)
    whom = f" for {reader}" if reader else ""
    parts = [_row_text(reading, is_rolled), _column_text(reading, event.column_value)]
    if event.in_row is not None and reading.row is not None:
        parts = [_found_text(reading, event.in_row), f"row {reading.row}"]
    where = ", ".join(part for part in parts if part)
    return f"{title}{whom}: {where}" if where else f"{title}{whom}"


def _found_text(reading: Reading, in_row: Any) -> str:
    """Return the number that was found in the row: ``5 + 1 = 6``."""
    if reading.roll_modifier and reading.modified == in_row:
        return f"{say(reading.roll)} {_signed(reading.roll_modifier)} = {say(in_row)}"
    return say(in_row)


def _row_text(reading: Reading, is_rolled: bool) -> str:
    if reading.roll is None:
        return "" if reading.row is None else f"row {reading.row}"
    what = "roll " if is_rolled else "" if reading.roll_modifier else "row "
    # A label in words, such as a range band, is clearer than the number that selected it.
    named = f" (row {reading.row})" if reading.row is not None and " " in reading.row else ""
    if not reading.roll_modifier:
        return (
            f"row {reading.row} ({say(reading.roll)})"
            if named and not is_rolled
            else f"{what}{say(reading.roll)}{named}"
        )
    return f"{what}{say(reading.roll)} {_signed(reading.roll_modifier)} = {say(reading.modified)}{named}"


def _column_text(reading: Reading, value: Any) -> str:
    """Return the column, the value that found it, and its shift: ``column 30 (16 for 18, shifted 2 right)``."""
    found = "" if value is None or say(value) in (reading.base_column, reading.column) else f" for {say(value)}"
    if reading.base_column is None:
        return f"no column{found}" if reading.edge and value is not None else ""
    way = "right" if reading.shift > 0 else "left"
    shifted = f"{reading.base_column}{found}, shifted {abs(reading.shift)} {way}"
    if reading.column is None:
        return f"no column ({shifted}, off the {way} edge)"
    if not reading.shift:
        return f"column {reading.column}{found and f' ({say(value)})'}"
    last = f", the last on the {way}" if f"shift {way}" in reading.edge else ""
    return f"column {reading.column} ({shifted}{last})"


def _is_reading(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(isinstance(item, Reading) for item in value)
    return isinstance(value, Reading)


def _codes(value: Any) -> Any:
    if isinstance(value, Reading):
        return value.code
    return {each.reader: each.code for each in value} if all(each.reader for each in value) else value
