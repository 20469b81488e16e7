"""Tools for whole rulesets: checks, examples, coverage, the formatter, printed charts and cards, ledgers.

For the command line and for embedding programs. Nothing here prints, prompts, or opens files on its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enfilade.lazy import lazy_exports

if TYPE_CHECKING:
    from enfilade.api.charts import NOTHING_STARTS, ChartLayout, layout_of_table
    from enfilade.tools.card import reference_card
    from enfilade.tools.card.lines import code_lines, modifier_conditions, reference_lines
    from enfilade.tools.chart_layout import chart_text, csv_cell
    from enfilade.tools.coverage import Coverage
    from enfilade.tools.coverage_report import coverage_text
    from enfilade.tools.description import event_lines, procedure_lines, record_lines, ruleset_lines
    from enfilade.tools.examples import ExampleResult
    from enfilade.tools.format import Formatted, format_source, format_text
    from enfilade.tools.ledger import KINDS, OPEN, Ledger, begin_ledger, compare_text, ledger_path, read_ledger
    from enfilade.tools.pasted_chart import NoChart, folded_text
    from enfilade.tools.recording import NoFile, example_of, tried_out
    from enfilade.tools.scaffold import Scaffold, is_ruleset_name, new_ruleset, ruleset_from_pasted, scaffold_path
    from enfilade.tools.testing import FileResults, check_file, run_file_examples, run_ruleset_examples

__all__ = [
    "KINDS",
    "NOTHING_STARTS",
    "OPEN",
    "ChartLayout",
    "Coverage",
    "ExampleResult",
    "FileResults",
    "Formatted",
    "Ledger",
    "NoChart",
    "NoFile",
    "Scaffold",
    "begin_ledger",
    "chart_text",
    "check_file",
    "code_lines",
    "compare_text",
    "coverage_text",
    "csv_cell",
    "event_lines",
    "example_of",
    "folded_text",
    "format_source",
    "format_text",
    "is_ruleset_name",
    "layout_of_table",
    "ledger_path",
    "modifier_conditions",
    "new_ruleset",
    "procedure_lines",
    "read_ledger",
    "record_lines",
    "reference_card",
    "reference_lines",
    "ruleset_from_pasted",
    "ruleset_lines",
    "run_file_examples",
    "run_ruleset_examples",
    "scaffold_path",
    "tried_out",
]

__getattr__ = lazy_exports(
    __name__,
    {
        "api.charts": "NOTHING_STARTS ChartLayout layout_of_table",
        "tools.card": "reference_card",
        "tools.card.lines": "code_lines modifier_conditions reference_lines",
        "tools.chart_layout": "chart_text csv_cell",
        "tools.coverage": "Coverage",
        "tools.description": "event_lines procedure_lines record_lines ruleset_lines",
        "tools.examples": "ExampleResult",
        "tools.format": "Formatted format_source format_text",
        "tools.ledger": "KINDS OPEN Ledger begin_ledger compare_text ledger_path read_ledger",
        "tools.pasted_chart": "NoChart folded_text",
        "tools.coverage_report": "coverage_text",
        "tools.recording": "NoFile example_of tried_out",
        "tools.scaffold": "Scaffold is_ruleset_name new_ruleset ruleset_from_pasted scaffold_path",
        "tools.testing": "FileResults check_file run_file_examples run_ruleset_examples",
    },
)
