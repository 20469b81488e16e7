"""Text about the rules language and its results, for prompts, editors, pages and bots.

Keywords and completion, the prompt of a question, results and diagnostics as styled lines, numbers and values in words,
the pages of diagnostic codes. All are pure functions of texts and data: none prompts, prints or needs a terminal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enfilade.lazy import lazy_exports

if TYPE_CHECKING:
    from enfilade.api.entries import EntryReader, read_answers
    from enfilade.api.exact_numbers import chance_text, decimal, number_text, percent
    from enfilade.api.outcome_values import as_outcome, output_text, value_text
    from enfilade.api.question_texts import dice_text
    from enfilade.api.typed_answers import faces_of_total, read_answer
    from enfilade.api.typed_text import typed_field, typed_name, typed_value
    from enfilade.check.entries.entry_names import unknown_name
    from enfilade.diagnostics.columns import visible
    from enfilade.diagnostics.markdown import marked_up
    from enfilade.diagnostics.pages import CODES, page_for
    from enfilade.diagnostics.render import render_annotation, render_text
    from enfilade.diagnostics.suggest import nearest, only_beginning, with_underscores
    from enfilade.language.arguments import (
        read_changes,
        read_facts,
        read_json,
        read_known_answers,
        read_options,
        read_policies,
        read_value,
        read_values,
    )
    from enfilade.language.odds_questions import read_question
    from enfilade.language.patience import more_patience, read_patience
    from enfilade.language.questions import (
        default_text,
        field_prompt,
        is_listed,
        legal_text,
        question_prompt,
    )
    from enfilade.language.results import (
        brief_line,
        diagnostic_lines,
        effect_text,
        explanation_lines,
        fault_lines,
        is_brief,
        is_empty,
        odds_refusal_line,
        outcome_lines,
        output_lines,
        refusal_line,
        short_steps,
        step_line,
    )
    from enfilade.language.styled_text import (
        NO_LINE,
        VERBATIM,
        Fragment,
        Line,
        cited,
        folded,
        in_columns,
        line,
        lines_of,
        padded,
        plain,
        width,
    )
    from enfilade.language.unfinished import is_unfinished
    from enfilade.language.vocabulary import Named, Vocabulary, value_titles, vocabulary_of
    from enfilade.syntax.expected_tokens import NAME, expected_after
    from enfilade.syntax.syntax_messages import DECLARATIONS
    from enfilade.syntax.token_looks import LOOKS, Look
    from enfilade.syntax.tokens import TypedToken, entry_tokens, tokens
    from enfilade.syntax.unexpected import KEYWORDS
    from enfilade.values.numbers import shorten

__all__ = [
    "CODES",
    "DECLARATIONS",
    "KEYWORDS",
    "LOOKS",
    "NAME",
    "NO_LINE",
    "VERBATIM",
    "EntryReader",
    "Fragment",
    "Line",
    "Look",
    "Named",
    "TypedToken",
    "Vocabulary",
    "as_outcome",
    "brief_line",
    "chance_text",
    "cited",
    "decimal",
    "default_text",
    "diagnostic_lines",
    "dice_text",
    "effect_text",
    "entry_tokens",
    "expected_after",
    "explanation_lines",
    "faces_of_total",
    "fault_lines",
    "field_prompt",
    "folded",
    "in_columns",
    "is_brief",
    "is_empty",
    "is_listed",
    "is_unfinished",
    "legal_text",
    "line",
    "lines_of",
    "marked_up",
    "more_patience",
    "nearest",
    "number_text",
    "odds_refusal_line",
    "only_beginning",
    "outcome_lines",
    "output_lines",
    "output_text",
    "padded",
    "page_for",
    "percent",
    "plain",
    "question_prompt",
    "read_answer",
    "read_answers",
    "read_changes",
    "read_facts",
    "read_json",
    "read_known_answers",
    "read_options",
    "read_patience",
    "read_policies",
    "read_question",
    "read_value",
    "read_values",
    "refusal_line",
    "render_annotation",
    "render_text",
    "short_steps",
    "shorten",
    "step_line",
    "tokens",
    "typed_field",
    "typed_name",
    "typed_value",
    "unknown_name",
    "value_text",
    "value_titles",
    "visible",
    "vocabulary_of",
    "width",
    "with_underscores",
]

__getattr__ = lazy_exports(
    __name__,
    {
        "api.entries": "EntryReader read_answers",
        "api.exact_numbers": "chance_text decimal number_text percent",
        "api.outcome_values": "as_outcome output_text value_text",
        "api.question_texts": "dice_text",
        "api.typed_answers": "faces_of_total read_answer",
        "api.typed_text": "typed_field typed_name typed_value",
        "check.entries.entry_names": "unknown_name",
        "values.numbers": "shorten",
        "diagnostics.columns": "visible",
        "diagnostics.markdown": "marked_up",
        "diagnostics.pages": "CODES page_for",
        "diagnostics.render": "render_annotation render_text",
        "diagnostics.suggest": "nearest only_beginning with_underscores",
        "language.arguments": "read_changes read_facts read_json read_known_answers read_options read_policies read_value read_values",
        "language.odds_questions": "read_question",
        "language.patience": "more_patience read_patience",
        "language.questions": "default_text field_prompt is_listed legal_text question_prompt",
        "language.results": "brief_line diagnostic_lines effect_text explanation_lines fault_lines is_brief is_empty odds_refusal_line outcome_lines output_lines refusal_line short_steps step_line",
        "language.styled_text": "NO_LINE VERBATIM Fragment Line cited folded in_columns line lines_of padded plain width",
        "language.vocabulary": "Named Vocabulary value_titles vocabulary_of",
        "language.unfinished": "is_unfinished",
        "syntax.expected_tokens": "NAME expected_after",
        "syntax.unexpected": "KEYWORDS",
        "syntax.token_looks": "LOOKS Look",
        "syntax.tokens": "TypedToken entry_tokens tokens",
        "syntax.syntax_messages": "DECLARATIONS",
    },
)
