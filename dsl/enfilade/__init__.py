"""Tabletop combat rules: charts and procedures as text, for play, exact odds and explanations.

Examples:
    >>> import enfilade
    >>> rules = enfilade.load("infantry_attacks")
    >>> rules.resolve("direct_fire", fire_value=16, terrain={"town"}, ranges=[1], dice=[4, 3]).result
    '-'
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from enfilade.api import (
        SCHEMAS,
        Cards,
        Cell,
        ChartRead,
        ChartTable,
        Choice,
        ChoiceQuestion,
        Citation,
        Comparison,
        Decision,
        Dice,
        DiceToRoll,
        Distribution,
        DrawQuestion,
        Effect,
        Entries,
        EventKind,
        Explanation,
        FactQuestion,
        Grid,
        HeaderRow,
        InputField,
        Least,
        LogEntry,
        Matter,
        Matters,
        NeedsPolicy,
        NotStarted,
        Odds,
        OddsLimits,
        Outcome,
        Output,
        Page,
        Procedure,
        Question,
        Range,
        Refusal,
        RollMade,
        RollQuestion,
        Ruleset,
        Run,
        Sample,
        Sampled,
        Started,
        Step,
        check,
        error_to_json,
        load,
        published_schema,
    )
    from enfilade.diagnostics import Diagnostic, Severity
    from enfilade.errors import (
        AnswerError,
        EnfiladeError,
        InputError,
        InputFault,
        LimitError,
        MissingAnswer,
        OddsError,
        RefusedOdds,
        RuleError,
        RulesetError,
    )

__version__ = "0.1.0"

__all__ = [
    "SCHEMAS",
    "AnswerError",
    "Cards",
    "Cell",
    "ChartRead",
    "ChartTable",
    "Choice",
    "ChoiceQuestion",
    "Citation",
    "Comparison",
    "Decision",
    "Diagnostic",
    "Dice",
    "DiceToRoll",
    "Distribution",
    "DrawQuestion",
    "Effect",
    "EnfiladeError",
    "Entries",
    "EventKind",
    "Explanation",
    "FactQuestion",
    "Grid",
    "HeaderRow",
    "InputError",
    "InputFault",
    "InputField",
    "Least",
    "LimitError",
    "LogEntry",
    "Matter",
    "Matters",
    "MissingAnswer",
    "NeedsPolicy",
    "NotStarted",
    "Odds",
    "OddsError",
    "OddsLimits",
    "Outcome",
    "Output",
    "Page",
    "Procedure",
    "Question",
    "Range",
    "Refusal",
    "RefusedOdds",
    "RollMade",
    "RollQuestion",
    "RuleError",
    "Ruleset",
    "RulesetError",
    "Run",
    "Sample",
    "Sampled",
    "Severity",
    "Started",
    "Step",
    "__version__",
    "check",
    "error_to_json",
    "load",
    "published_schema",
]

_HOMES = ("enfilade.api", "enfilade.errors", "enfilade.diagnostics")


def __getattr__(name: str) -> Any:
    """Find a public name when it is first used: a command that needs no rules does not wait for the library."""
    if name in __all__:
        for home in _HOMES:
            module = import_module(home)
            if hasattr(module, name):
                return globals().setdefault(name, getattr(module, name))
    raise AttributeError(f"module 'enfilade' has no attribute {name!r}")


class _FrontDoor(ModuleType):
    """This module, in which ``check`` is the function, although a folder of that name becomes an attribute too."""

    @property
    def check(self) -> Any:
        """The function."""
        return import_module("enfilade.api").check

    @check.setter
    def check(self, module: Any) -> None:
        """Python sets the folder here when it is first imported."""


sys.modules[__name__].__class__ = _FrontDoor


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
