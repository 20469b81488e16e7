"""Renders descriptions as text: a ruleset's contents, procedures with inputs, outputs and refusals, events, records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from enfilade.api.describe import EventKind, InputField, Output, Procedure, Refusal
from enfilade.api.outcome_values import as_outcome, value_text
from enfilade.api.ruleset import Ruleset
from enfilade.door import door


@door
def ruleset_lines(rules: Ruleset) -> Iterator[str]:
    """Describe a ruleset: its players, charts, options, definitions, procedures, events and records."""
    yield f"{rules.name}  {rules.title}"
    if rules.players:
        yield f"players: {', '.join(rules.players)}"
    if rules.charts:
        yield f"charts: {', '.join(rules.charts)}"
    yield from _table("options", [_input_row(option) for option in rules.option_fields], "")
    yield from _table("definitions", _definition_rows(rules), "")
    for procedure, module in _own_first(rules):
        yield ""
        if module:
            yield f"from {module}:"
        yield from procedure_lines(procedure)
    for event in rules.events:
        yield ""
        yield from event_lines(event)
    yield from record_lines(rules, rules.records)


def _definition_rows(rules: Ruleset) -> list[tuple[str, ...]]:
    """The definitions of the main text with parameters and a label, which other rules may call."""
    rows: list[tuple[str, ...]] = []
    for each in rules.program.definitions.values():
        span, label = each.note.span, each.note.label
        if each.params and label is not None and span is not None and span.source == rules.sources[0]:
            params = ", ".join(param.partition("@")[0] for param in each.params)
            rows.append((f"{each.name}({params})", label))
    return rows


def _own_first(rules: Ruleset) -> list[tuple[Procedure, str]]:
    """The procedures of the main text, then those of every other text with its file name."""
    texts = list(rules.sources)
    places: list[tuple[int, Procedure]] = []
    for procedure in rules.procedures:
        span = rules.program.procedures[procedure.name].note.span
        places.append((texts.index(span.source) if span is not None and span.source in texts else 0, procedure))
    places.sort(key=lambda place: place[0])
    return [(each, Path(texts[number].name).name if number else "") for number, each in places]


@door
def record_lines(rules: Ruleset, names: Iterable[str]) -> Iterator[str]:
    """Describe kinds of records with their fields.

    Args:
        rules: The ruleset.
        names: The kinds to describe.
    """
    for name in names:
        record = rules.records[name]
        yield ""
        yield _join("record", name, record.label, _cites(record.cites))
        yield from _table("fields", [_input_row(each) for each in record.fields.values()])


@door
def procedure_lines(procedure: Procedure) -> Iterator[str]:
    """Describe a procedure: its inputs, outputs and refusals."""
    yield _heading("procedure", procedure)
    yield from _table("inputs", [_input_row(each) for each in procedure.inputs])
    yield from _table("outputs", [_output_row(each) for each in procedure.outputs])
    yield from _table("refused", [_refusal_row(each) for each in procedure.refusals])


@door
def event_lines(event: EventKind) -> Iterator[str]:
    """Describe an event."""
    yield _heading("event", event)
    yield from _table("inputs", [_input_row(each) for each in event.inputs])


def _heading(kind: str, what: Procedure | EventKind) -> str:
    return _join(kind, what.name, what.label, _cites(what.cites))


def _input_row(given: InputField) -> tuple[str, ...]:
    default = "required" if given.required else f"= {value_text(as_outcome(given.default))}"
    assumed = f"assumed: {given.assumed}" if given.assumed else ""
    return (given.name, given.type, default, _join(given.label, _cites(given.cites), assumed))


def _output_row(output: Output) -> tuple[str, ...]:
    return (output.name, output.type, _join(output.label, _cites(output.cites)))


def _refusal_row(refusal: Refusal) -> tuple[str, ...]:
    return (refusal.slug, _join(refusal.message, _cites(refusal.cites)))


def _cites(cites: tuple[str, ...]) -> str:
    return f"[{', '.join(cites)}]" if cites else ""


def _join(*pieces: str | None) -> str:
    return " ".join(piece for piece in pieces if piece)


def _table(title: str, rows: Iterable[tuple[str, ...]], indent: str = "  ") -> Iterator[str]:
    """Align rows in columns below a title; no rows give no lines."""
    rows = list(rows)
    if not rows:
        return
    yield f"{indent}{title}"
    widths = [min(max(map(len, column)), 40) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield (indent + "  " + "  ".join(cells)).rstrip()
