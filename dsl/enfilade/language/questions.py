"""Questions in words: the prompt of a question, its legal answers, and its default.

Every front end uses these words: a prompt, a page, a bot. This module must not validate answers: the run does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from enfilade.api.describe import InputField
from enfilade.api.outcome_values import value_text
from enfilade.api.question_texts import counted_texts, default_value_text, fact_kind, legal_dice, some_of
from enfilade.api.questions import ChoiceQuestion, DrawQuestion, FactQuestion, Question, RollQuestion
from enfilade.door import door
from enfilade.language.styled_text import Line, cited, line


@door
def question_prompt(question: Question) -> Line:
    """The prompt of a question, to be coloured: the words of ``Question.prompt()``.

    Args:
        question: The open question of a run.

    Returns:
        One styled line, with a blank at its end.
    """
    return line(*question.prompt_parts(), " ")


@door
def default_text(question: FactQuestion) -> str:
    """The default of a fact in words: the answer that Enter alone gives."""
    return default_value_text(question.default)


@door
def legal_text(question: Question) -> str:
    """The legal answers to a question, in words."""
    match question:
        case FactQuestion():
            return fact_kind(question.input.domain)
        case RollQuestion():
            return legal_dice(question.legal)
        case DrawQuestion():
            return f"{question.count} of {some_of(dict.fromkeys(map(value_text, question.legal)))}"
        case ChoiceQuestion():
            count = "" if question.count is None else f"{question.count} of "
            return count + ", ".join(counted_texts(question.legal))


@door
def is_listed(question: Question, text: str) -> bool:
    """Whether a text is one of the answers that can be listed: a word, a face, a card or an option.

    Args:
        question: The open question of a run.
        text: The typed answer.
    """
    match question:
        case FactQuestion():
            words = _words(question.legal)
        case RollQuestion():
            words = [value_text(face) for dice in question.legal for face in dice.faces]
        case DrawQuestion() | ChoiceQuestion():
            words = [value_text(each) for each in question.legal]
    return text in words


def _words(schema: Any) -> list[str]:
    """The words that a JSON Schema lists, at any depth."""
    if not isinstance(schema, Mapping):
        return []
    inner = [schema.get("items"), *(schema.get("anyOf") or ())]
    return [*map(str, schema.get("enum") or ()), *(word for each in inner for word in _words(each))]


@door
def field_prompt(record: str, field: InputField) -> Line:
    """The prompt for a field of a record that a person describes field by field.

    Args:
        record: The name of the record.
        field: The field.
    """
    label = f", {field.label}" if field.label else ""
    hint = f" ({field.domain.allowed}):"
    return line(("name", f"{record} {field.name}"), label, cited(field.cites), ("hint", hint), " ")
