"""Serialisation of errors as plain data, in the form of the published schema ``error``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import asdict, evolve

from enfilade.door import door
from enfilade.engines.odds import NeedsPolicy
from enfilade.errors import (
    EnfiladeError,
    InputError,
    InputFault,
    LimitError,
    OddsError,
    RefusedOdds,
    RuleError,
    RulesetError,
    RunError,
)
from enfilade.values.json_data import to_json


def with_given(wrong: InputError, facts: Mapping[str, Any]) -> InputError:
    """Put the given value of a fact into faults where an engine knows only that the modifier of its name applies."""
    if not any(fault.value is True and fault.parameter in facts for fault in wrong.errors):
        return wrong
    return InputError([evolve(fault, value=facts.get(fault.parameter, fault.value)) for fault in wrong.errors])


@door
def error_to_json(error: EnfiladeError) -> dict[str, Any]:
    """Return an error of this library as plain data.

    Args:
        error: The error.

    Returns:
        A dictionary; its ``status`` names the kind of error.

    Examples:
        >>> fault = InputFault("companies", 3, "0..2", "companies is 3; allowed: 0..2")
        >>> error_to_json(InputError([fault]))["errors"][0]["allowed"]
        '0..2'
    """
    data = _data(error)
    return data | {"situation": error.situation} if error.situation else data


def _data(error: EnfiladeError) -> dict[str, Any]:
    match error:
        case InputError():
            return {"status": "input_error", "errors": [_fault(fault) for fault in error.errors]}
        case LimitError():
            reached: dict[str, Any] = {
                "status": "limit_error",
                "limit": error.limit,
                "message": error.message,
            } | _place(error)
            if error.needed is not None:
                reached["needed"] = error.needed
            return reached | ({"causes": [asdict(cause) for cause in error.causes]} if error.causes else {})
        case RefusedOdds():
            refused = {"status": "refused", "refusal": error.refusal, "message": error.reason}
            return refused | {"cites": list(error.cites)}
        case NeedsPolicy():
            needed = {"status": "needs_policy", "choice": error.choice, "player": error.player}
            return needed | {"options": [to_json(option) for option in error.options], "message": error.args[0]}
        case OddsError():
            return {"status": "odds_error", "message": error.args[0]}
        case RuleError():
            return {"status": "rule_error", "message": error.message, "cites": list(error.cites)} | _place(error)
        case RulesetError():
            diagnostics = [found.to_json() for found in error.diagnostics]
            return {"status": "ruleset_error", "message": str(error), "diagnostics": diagnostics}
        case _:
            return {"status": "answer_error", "message": str(error)}


def _place(error: RunError) -> dict[str, Any]:
    if error.place is None:
        return {}
    return {"place": asdict(error.place)}


def _fault(fault: InputFault) -> dict[str, Any]:
    return {
        "parameter": fault.parameter,
        "value": to_json(fault.value),
        "allowed": fault.allowed,
        "message": fault.message,
    }
