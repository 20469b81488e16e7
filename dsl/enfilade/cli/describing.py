"""``enfilade describe``: what a ruleset offers, its procedures with their inputs, outputs and refusals."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from enfilade.api.describe import EventKind, InputField, Output, Procedure, Refusal, describe_input, event_inputs
from enfilade.api.ruleset import Ruleset
from enfilade.cli.loading import load_checked
from enfilade.core.inputs import declared_input, external_names
from enfilade.core.types import RecordOf
from enfilade.errors import InputError, UsageError
from enfilade.terminal import write_json
from enfilade.tools.comparing import printed


def run_describe(args: Namespace) -> int:
    """Describe a ruleset, or one of its procedures."""
    rules = load_checked(args.ruleset)
    if args.procedure is None:
        if args.json:
            write_json(_ruleset_json(rules))
        else:
            print("\n".join(ruleset_lines(rules)))
        return 0
    event = next((each for each in rules.events if each.name == args.procedure), None)
    if event is not None and args.procedure not in rules.program.procedures:
        _print_event(rules, event, args)
        return 0
    try:
        procedure = rules.procedure(args.procedure)
    except InputError as wrong:
        raise UsageError(str(wrong)) from wrong
    if args.json:
        write_json(procedure.to_json())
    else:
        records = [name for name in rules.program.records if name in procedure.json_schema().get("$defs", {})]
        inputs = rules.program.procedures[procedure.name].inputs
        print(
            "\n".join([*procedure_lines(procedure), *record_lines(rules, records), "", _to_type(rules, args, inputs)])
        )
    return 0


def _print_event(rules: Ruleset, event: EventKind, args: Namespace) -> None:
    if args.json:
        write_json(event.to_json())
    else:
        print("\n".join([*event_lines(event), "", _to_type(rules, args, event_inputs(rules.program, event.name))]))


def _to_type(rules: Ruleset, args: Namespace, inputs: Iterable[str]) -> str:
    """The shortest command that plays it: each fact, and each field of a record, that must be given."""
    words = []
    for external, name in external_names(tuple(inputs)).items():
        declared = declared_input(rules.program, name)
        if declared.has_default:
            continue
        record = declared.type
        needed = [
            f"{external}.{field}=..."
            for field, each in (
                rules.program.records[record.record].fields.items() if isinstance(record, RecordOf) else ()
            )
            if not each.has_default
        ]
        words += needed or [f"{external}=..."]
    said = "play it with (what does not come up may be left out):"
    return " ".join([f"{said}\n  enfilade resolve", args.ruleset, args.procedure, *words])


def _ruleset_json(rules: Ruleset) -> dict[str, Any]:
    return {
        "name": rules.name,
        "title": rules.title,
        "players": list(rules.players),
        "options": [option.to_json() for option in rules.option_fields],
        "procedures": [procedure.to_json() for procedure in rules.procedures],
        "events": [event.to_json() for event in rules.events],
        "charts": list(rules.charts),
    }


def ruleset_lines(rules: Ruleset) -> Iterator[str]:
    """Describe a ruleset: all that it offers."""
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
    yield from record_lines(rules, rules.program.records)


def _definition_rows(rules: Ruleset) -> list[tuple[str, ...]]:
    """The definitions of the main text that others can use: those with parameters and a label."""
    rows: list[tuple[str, ...]] = []
    for each in rules.program.definitions.values():
        span, label = each.note.span, each.note.label
        if each.params and label is not None and span is not None and span.source == rules.sources[0]:
            params = ", ".join(param.partition("@")[0] for param in each.params)
            rows.append((f"{each.name}({params})", label))
    return rows


def _own_first(rules: Ruleset) -> list[tuple[Procedure, str]]:
    """The procedures of the main text, then those of each other text with its name."""
    texts = list(rules.sources)
    places: list[tuple[int, Procedure]] = []
    for procedure in rules.procedures:
        span = rules.program.procedures[procedure.name].note.span
        places.append((texts.index(span.source) if span is not None and span.source in texts else 0, procedure))
    places.sort(key=lambda place: place[0])
    return [(each, Path(texts[number].name).name if number else "") for number, each in places]


def record_lines(rules: Ruleset, names: Iterable[str]) -> Iterator[str]:
    """Describe records with their fields."""
    for name in names:
        record = rules.program.records[name]
        yield ""
        yield _join("record", name, record.note.label, _cites(record.note.cites))
        yield from _table("fields", [_input_row(describe_input(each, name)) for name, each in record.fields.items()])


def procedure_lines(procedure: Procedure) -> Iterator[str]:
    """Describe a procedure: what it takes, gives and refuses."""
    yield _heading("procedure", procedure)
    yield from _table("inputs", [_input_row(each) for each in procedure.inputs])
    yield from _table("outputs", [_output_row(each) for each in procedure.outputs])
    yield from _table("refused", [_refusal_row(each) for each in procedure.refusals])


def event_lines(event: EventKind) -> Iterator[str]:
    """Describe an event."""
    yield _heading("event", event)
    yield from _table("inputs", [_input_row(each) for each in event.inputs])


def _heading(kind: str, what: Procedure | EventKind) -> str:
    return _join(kind, what.name, what.label, _cites(what.cites))


def _input_row(given: InputField) -> tuple[str, ...]:
    default = "required" if given.required else f"= {printed(given.default)}"
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
    """Rows in columns below a title; nothing where there are none."""
    rows = list(rows)
    if not rows:
        return
    yield f"{indent}{title}"
    widths = [min(max(map(len, column)), 40) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield (indent + "  " + "  ".join(cells)).rstrip()
