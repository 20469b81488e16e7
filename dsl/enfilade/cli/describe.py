"""``enfilade describe``: the contents of a ruleset, and its procedures with inputs, outputs and refusals."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from typing import Any

from enfilade import EventKind, InputError, InputField, Ruleset, UsageError
from enfilade.cli.loading import load_checked
from enfilade.terminal import write_json
from enfilade.tools import event_lines, procedure_lines, record_lines, ruleset_lines
from enfilade.types import RecordOf


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
    if event is not None and args.procedure not in rules.names("procedure"):
        _print_event(rules, event, args)
        return 0
    try:
        procedure = rules.procedure(args.procedure)
    except InputError as wrong:
        raise UsageError(str(wrong)) from wrong
    if args.json:
        write_json(procedure.to_json())
    else:
        records = [name for name in rules.records if name in procedure.json_schema().get("$defs", {})]
        print(
            "\n".join(
                [
                    *procedure_lines(procedure),
                    *record_lines(rules, records),
                    "",
                    _to_type(rules, args, procedure.inputs),
                ]
            )
        )
    return 0


def _print_event(rules: Ruleset, event: EventKind, args: Namespace) -> None:
    if args.json:
        write_json(event.to_json())
    else:
        print("\n".join([*event_lines(event), "", _to_type(rules, args, event.inputs)]))


def _to_type(rules: Ruleset, args: Namespace, inputs: Iterable[InputField]) -> str:
    """The shortest command that plays a procedure: with the required facts and the required fields of records."""
    words: list[str] = []
    for fact in inputs:
        if not fact.required:
            continue
        record = fact.domain
        fields = rules.records[record.record].fields.values() if isinstance(record, RecordOf) else ()
        words += [f"{fact.name}.{field.name}=..." for field in fields if field.required] or [f"{fact.name}=..."]
    said = "to play the procedure (leave out what you don't need):"
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
