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

from enfilade.version import __version__

if TYPE_CHECKING:
    from enfilade.api.charts import ChartTable, HeaderRow, Page
    from enfilade.api.citations import Citation
    from enfilade.api.comparisons import Comparison, Matter, Matters
    from enfilade.api.describe import EventKind, InputField, Output, Procedure, Refusal
    from enfilade.api.dice_to_roll import DiceToRoll
    from enfilade.api.distribution import Distribution
    from enfilade.api.error_data import error_to_json
    from enfilade.api.events import NotStarted, Started
    from enfilade.api.grids import Grid
    from enfilade.api.independent import combine, mixture
    from enfilade.api.least_value import Least
    from enfilade.api.loading import check, load
    from enfilade.api.odds import Odds, Range
    from enfilade.api.odds_changes import OddsChange, QuestionChanges
    from enfilade.api.outcome import Cards, Choice, Dice, Effect, Outcome
    from enfilade.api.outcome_values import Entries
    from enfilade.api.parameter_sweep import Cell
    from enfilade.api.policy_choices import PolicyChoice
    from enfilade.api.prepared import PreparedRules
    from enfilade.api.prepared_rolls import PreparedRoll
    from enfilade.api.prepared_rows import PreparedRolls
    from enfilade.api.questions import ChoiceQuestion, DrawQuestion, FactQuestion, Question, RollQuestion
    from enfilade.api.readings_and_rolls import ChartRead, RollMade
    from enfilade.api.rule_changes import RuleChange
    from enfilade.api.ruleset import Ruleset
    from enfilade.api.ruleset_diff import RulesetDiff
    from enfilade.api.runs import Run
    from enfilade.api.sampling import Sample, Sampled
    from enfilade.api.schemas import SCHEMAS, published_schema
    from enfilade.api.sensitivity import Influence, Sensitivity
    from enfilade.api.symbols import RecordKind, Symbol
    from enfilade.api.verification import Change, Verification, verify
    from enfilade.core.answers import LogEntry
    from enfilade.diagnostics.diagnostic import Diagnostic, Severity
    from enfilade.engines.committed_dice import CommittedDice
    from enfilade.engines.explanation import Explanation
    from enfilade.engines.odds import Decision, NeedsPolicy
    from enfilade.engines.step import Step
    from enfilade.errors import (
        AmbiguousEntry,
        AnswerError,
        ArgumentError,
        Cause,
        CutOff,
        EnfiladeError,
        EntryError,
        InputError,
        InputFault,
        LimitError,
        MissingAnswer,
        OddsError,
        RefusedOdds,
        RuleError,
        RulePlace,
        RulesetError,
        RunError,
        UsageError,
    )
    from enfilade.limits import Limits, limited

__all__ = [
    "SCHEMAS",
    "AmbiguousEntry",
    "AnswerError",
    "ArgumentError",
    "Cards",
    "Cause",
    "Cell",
    "Change",
    "ChartRead",
    "ChartTable",
    "Choice",
    "ChoiceQuestion",
    "Citation",
    "CommittedDice",
    "Comparison",
    "CutOff",
    "Decision",
    "Diagnostic",
    "Dice",
    "DiceToRoll",
    "Distribution",
    "DrawQuestion",
    "Effect",
    "EnfiladeError",
    "Entries",
    "EntryError",
    "EventKind",
    "Explanation",
    "FactQuestion",
    "Grid",
    "HeaderRow",
    "Influence",
    "InputError",
    "InputFault",
    "InputField",
    "Least",
    "LimitError",
    "Limits",
    "LogEntry",
    "Matter",
    "Matters",
    "MissingAnswer",
    "NeedsPolicy",
    "NotStarted",
    "Odds",
    "OddsChange",
    "OddsError",
    "Outcome",
    "Output",
    "Page",
    "PolicyChoice",
    "PreparedRoll",
    "PreparedRolls",
    "PreparedRules",
    "Procedure",
    "Question",
    "QuestionChanges",
    "Range",
    "RecordKind",
    "Refusal",
    "RefusedOdds",
    "RollMade",
    "RollQuestion",
    "RuleChange",
    "RuleError",
    "RulePlace",
    "Ruleset",
    "RulesetDiff",
    "RulesetError",
    "Run",
    "RunError",
    "Sample",
    "Sampled",
    "Sensitivity",
    "Severity",
    "Started",
    "Step",
    "Symbol",
    "UsageError",
    "Verification",
    "__version__",
    "check",
    "combine",
    "error_to_json",
    "limited",
    "load",
    "mixture",
    "published_schema",
    "verify",
]

# The module of each public name: it is imported when the name is first used.
_MODULES = {
    "api.charts": "ChartTable HeaderRow Page",
    "api.citations": "Citation",
    "api.comparisons": "Comparison Matter Matters",
    "api.describe": "EventKind InputField Output Procedure Refusal",
    "api.distribution": "Distribution",
    "api.events": "NotStarted Started",
    "api.error_data": "error_to_json",
    "api.grids": "Grid",
    "api.independent": "combine mixture",
    "api.loading": "check load",
    "api.odds": "Odds Range",
    "api.odds_changes": "OddsChange QuestionChanges",
    "api.outcome": "Cards Choice Dice Effect Outcome",
    "api.outcome_values": "Entries",
    "api.prepared": "PreparedRules",
    "api.policy_choices": "PolicyChoice",
    "api.prepared_rolls": "PreparedRoll",
    "api.prepared_rows": "PreparedRolls",
    "api.dice_to_roll": "DiceToRoll",
    "api.questions": "ChoiceQuestion DrawQuestion FactQuestion Question RollQuestion",
    "api.rule_changes": "RuleChange",
    "api.ruleset": "Ruleset",
    "api.ruleset_diff": "RulesetDiff",
    "api.runs": "Run",
    "api.sampling": "Sample Sampled",
    "api.schemas": "SCHEMAS published_schema",
    "api.least_value": "Least",
    "api.parameter_sweep": "Cell",
    "api.sensitivity": "Influence Sensitivity",
    "api.symbols": "RecordKind Symbol",
    "api.readings_and_rolls": "ChartRead RollMade",
    "api.verification": "Change Verification verify",
    "core.answers": "LogEntry",
    "diagnostics.diagnostic": "Diagnostic Severity",
    "limits": "Limits limited",
    "engines.committed_dice": "CommittedDice",
    "engines.explanation": "Explanation",
    "engines.step": "Step",
    "engines.odds": "Decision NeedsPolicy",
    "errors": "AmbiguousEntry AnswerError ArgumentError Cause CutOff EnfiladeError EntryError InputError InputFault LimitError MissingAnswer OddsError RefusedOdds RuleError RulePlace RulesetError RunError UsageError",
}
_HOMES = {name: f"enfilade.{module}" for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that a program pays only for what it uses."""
    if name in _HOMES:
        return globals().setdefault(name, getattr(import_module(_HOMES[name]), name))
    raise AttributeError(f"module 'enfilade' has no attribute {name!r}")


class _FrontDoor(ModuleType):
    """This module, in which ``check`` is the function, although a folder of that name becomes an attribute too."""

    @property
    def check(self) -> Any:
        """The function."""
        return import_module("enfilade.api.loading").check

    @check.setter
    def check(self, module: Any) -> None:
        """Python sets the folder here when it is first imported."""


sys.modules[__name__].__class__ = _FrontDoor


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
