"""Deserialisation of saved runs. The text may come from anywhere, so all of it is validated."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from enfilade.api.prepared import PreparedRules
from enfilade.api.runs import FORMAT, VERSION, Run, Seed, Start, advance
from enfilade.core import ir
from enfilade.core.answers import LogEntry
from enfilade.errors import AnswerError


def resume(rules: PreparedRules, saved: str) -> Run:
    """Continue a saved run.

    Raises:
        AnswerError: The text is not a saved run, or one of another ruleset or version.
    """
    data = _read(saved)
    if data.get("format") != FORMAT or data.get("version") != VERSION:
        raise AnswerError(f"this is no saved run of version {VERSION}")
    if data.get("hash") != rules.digest:
        text = f"the run was saved with other rules ({data.get('ruleset')}), and may mean something else in these"
        raise AnswerError(text)
    try:
        start = Start(
            data["procedure"], rules.options_with(data["options"]), data["facts"], data["event"], data["ask_all"],
            data["seed"],
        )  # fmt: skip
        _check_start(rules.program, start)
        log = tuple(LogEntry.from_json(entry) for entry in data["log"])
        return advance(rules, start, log, data["dice"], data["choices"])
    except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        raise AnswerError("this is no saved run: something in it is missing or changed") from error


def _check_start(program: ir.Program, start: Start) -> None:
    known = start.procedure in program.procedures and (start.event is None or start.event in program.events)
    if not known or not isinstance(start.seed, Seed):
        raise ValueError("no such procedure or event, or no seed")


def _read(saved: str) -> Mapping[str, Any]:
    try:
        data = json.loads(saved)
    except (ValueError, TypeError, RecursionError) as error:
        raise AnswerError("this is no saved run: it is not JSON") from error
    if not isinstance(data, dict):
        raise AnswerError("this is no saved run")
    return data
