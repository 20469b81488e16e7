"""Deserialisation of saved runs. The text may come from anywhere, so all of it is validated."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from enfilade.api.prepared import PreparedRules
from enfilade.api.runs import FORMAT, VERSION, Run, Seed, Start, advance
from enfilade.api.save_checksums import checksum
from enfilade.core import ir
from enfilade.core.answers import LogEntry
from enfilade.engines.committed_dice import CommittedDice
from enfilade.errors import AnswerError


def resume(rules: PreparedRules, saved: str, accept_changes: bool, committed: CommittedDice | None) -> Run:
    """Continue a saved run.

    Raises:
        AnswerError: The text is not a saved run, or one of another ruleset or version, or it was changed.
    """
    data = read_saved(saved)
    if data.get("hash") != rules.digest:
        text = f"the run was saved with other rules ({data.get('ruleset')}), and these rules may give different results"
        raise AnswerError(text)
    with damage_named():
        if not accept_changes and data.get("checksum") != checksum(data):
            raise AnswerError(
                "this run was changed after it was saved: its checksum does not match its content; "
                "`accept_changes=True` continues the run anyway"
            )
        start, log = read_start(rules, data, committed)
        return advance(rules, start, log, data["dice"], data["choices"])


@contextmanager
def damage_named() -> Iterator[None]:
    """Turn the errors of damaged data into an ``AnswerError``."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        raise AnswerError("this is not a saved run: a part is missing or changed") from error


def read_start(
    rules: PreparedRules, data: Mapping[str, Any], committed: CommittedDice | None = None
) -> tuple[Start, tuple[LogEntry, ...]]:
    """Read the start and the log of a saved run.

    Args:
        rules: The ruleset.
        data: The saved run as plain data.
        committed: The committed dice of the run, with their secret.

    Raises:
        AnswerError: Something is missing or damaged.
    """
    with damage_named():
        start = Start(
            data["procedure"], rules.options_with(data["options"]), data["facts"], data["event"], data["ask_all"],
            _seed_of(data["seed"], committed),
        )  # fmt: skip
        _check_start(rules.program, start)
        return start, tuple(LogEntry.from_json(entry) for entry in data["log"])


def _seed_of(data: Any, committed: CommittedDice | None) -> Any:
    seed = CommittedDice.from_json(data) if isinstance(data, Mapping) else data
    if committed is None or committed.secret is None:
        return seed
    if not isinstance(seed, CommittedDice):
        raise AnswerError("this run has no committed dice")
    return seed.with_secret(committed.secret)


def _check_start(program: ir.Program, start: Start) -> None:
    known = start.procedure in program.procedures and (start.event is None or start.event in program.events)
    if not known or not isinstance(start.seed, Seed):
        raise ValueError("the procedure, the event or the seed is unknown")


def read_saved(saved: str) -> Mapping[str, Any]:
    """Read a saved run as plain data.

    Raises:
        AnswerError: The text is not a saved run of this version.
    """
    try:
        data = json.loads(saved)
    except (ValueError, TypeError, RecursionError) as error:
        raise AnswerError("this is not a saved run: it is not JSON") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise AnswerError(f"this is not a saved run of version {VERSION}")
    return data
