"""The library as an embedder sees it: rulesets, procedures, outcomes, runs, and what they have to say.

Everything works in memory; a terminal, a server or a file is the business of whoever calls it.
"""

from enfilade.api.charts import ChartTable, HeaderRow, Page
from enfilade.api.describe import EventKind, InputField, Output, Procedure, Refusal
from enfilade.api.events import NotStarted, Started
from enfilade.api.failures import error_to_json
from enfilade.api.loading import check, load
from enfilade.api.outcome import Cards, Choice, Dice, Effect, Outcome
from enfilade.api.questions import (
    ChoiceQuestion,
    DiceToRoll,
    DrawQuestion,
    FactQuestion,
    Question,
    RollQuestion,
)
from enfilade.api.ruleset import Ruleset
from enfilade.api.runs import Run
from enfilade.api.schemas import SCHEMAS, published_schema
from enfilade.core.answers import LogEntry
from enfilade.engines.explanation import Explanation, Step

__all__ = [
    "SCHEMAS",
    "Cards",
    "ChartTable",
    "Choice",
    "ChoiceQuestion",
    "Dice",
    "DiceToRoll",
    "DrawQuestion",
    "Effect",
    "EventKind",
    "Explanation",
    "FactQuestion",
    "HeaderRow",
    "InputField",
    "LogEntry",
    "NotStarted",
    "Outcome",
    "Output",
    "Page",
    "Procedure",
    "Question",
    "Refusal",
    "RollQuestion",
    "Ruleset",
    "Run",
    "Started",
    "Step",
    "check",
    "error_to_json",
    "load",
    "published_schema",
]
