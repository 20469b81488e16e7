"""The library as an embedder sees it: rulesets, procedures, outcomes, runs, and what they have to say.

Everything works in memory; a terminal, a server or a file is the business of whoever calls it.
"""

from enfilade.api.charts import ChartTable, HeaderRow, Page
from enfilade.api.citations import Citation
from enfilade.api.contrasts import Comparison, Matter, Matters
from enfilade.api.describe import EventKind, InputField, Output, Procedure, Refusal
from enfilade.api.distribution import Distribution
from enfilade.api.events import NotStarted, Started
from enfilade.api.failures import error_to_json
from enfilade.api.grids import Grid
from enfilade.api.loading import check, load
from enfilade.api.odds import Odds, Range
from enfilade.api.outcome import Cards, Choice, Dice, Effect, Outcome
from enfilade.api.outcomes import Entries
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
from enfilade.api.sampling import Sample, Sampled
from enfilade.api.schemas import SCHEMAS, published_schema
from enfilade.api.searching import Least
from enfilade.api.sweeping import Cell
from enfilade.api.witness import ChartRead, RollMade
from enfilade.core.answers import LogEntry
from enfilade.engines.explanation import Explanation, Step
from enfilade.engines.odds import Decision, NeedsPolicy, OddsLimits

__all__ = [
    "SCHEMAS",
    "Cards",
    "Cell",
    "ChartRead",
    "ChartTable",
    "Choice",
    "ChoiceQuestion",
    "Citation",
    "Comparison",
    "Decision",
    "Dice",
    "DiceToRoll",
    "Distribution",
    "DrawQuestion",
    "Effect",
    "Entries",
    "EventKind",
    "Explanation",
    "FactQuestion",
    "Grid",
    "HeaderRow",
    "InputField",
    "Least",
    "LogEntry",
    "Matter",
    "Matters",
    "NeedsPolicy",
    "NotStarted",
    "Odds",
    "OddsLimits",
    "Outcome",
    "Output",
    "Page",
    "Procedure",
    "Question",
    "Range",
    "Refusal",
    "RollMade",
    "RollQuestion",
    "Ruleset",
    "Run",
    "Sample",
    "Sampled",
    "Started",
    "Step",
    "check",
    "error_to_json",
    "load",
    "published_schema",
]
