"""Typed answers: reads what a person types at a question as data for ``Run.answer``.

The REPL and every host that talks to people read answers here. This module must not validate them: the run does.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from enfilade.api.entries import EntryReader, read_answers
from enfilade.api.outcome_values import value_text
from enfilade.api.question_texts import legal_dice, some_of
from enfilade.api.questions import ChoiceQuestion, DrawQuestion, FactQuestion, Question, RollQuestion
from enfilade.core.legal_answers import spoken_name
from enfilade.diagnostics.suggest import in_any_case
from enfilade.door import door
from enfilade.errors import EntryError, InputError
from enfilade.values.types import Maybe, Type, Word, WordSet


@door
def read_answer(question: Question, text: str, reader: EntryReader) -> Any:
    """Read the typed answer to a question.

    Args:
        question: The open question of a run.
        text: The typed text. Empty text gives the default of a fact.
        reader: Reads facts: it knows the ruleset, and records by name.

    Returns:
        The answer as plain data.

    Raises:
        EntryError: The text can't be read, or it is empty and there is no default.
        InputError: A typed total does not determine the dice.
    """
    match question:
        case FactQuestion():
            return _fact(question, text, reader)
        case RollQuestion():
            return _dice(question, text)
        case DrawQuestion() | ChoiceQuestion():
            return _chosen(question, text)


def _fact(question: FactQuestion, text: str, reader: EntryReader) -> Any:
    if text:
        return evolve(reader, asks=True).value(
            question.input.domain, _word_at(question.input.domain, text), question.key
        )
    if question.input.required:
        raise EntryError(f"{question.key} needs a value", f"type {question.input.domain.allowed}")
    return question.default


def _word_at(type_: Type, text: str) -> str:
    """The word at the place that is typed as a number: ``2`` for the second of the words that are allowed."""
    inner = type_.of if isinstance(type_, Maybe) else type_
    words = inner.words if isinstance(inner, (Word, WordSet)) else ()
    return (None if text in words else _at_place(list(words), text)) or text


def _dice(question: RollQuestion, text: str) -> list[Any]:
    """Read dice: ``4 3``, ``4,3``, ``4+3``, or a total if it determines the dice.

    A number is never split into digits: ``12`` is the total of two sixes, not a 1 and a 2.
    """
    answers = read_answers(text.removeprefix("on ").replace("+", " "))
    faces = {value_text(face) for dice in question.legal for face in dice.faces}
    if any(isinstance(each, (str, bool)) and value_text(each) not in faces for each in answers):
        raise EntryError(f"`{text}` is not a roll of these dice", f"allowed: {legal_dice(question.legal)}")
    count = sum(dice.count for dice in question.legal)
    if len(answers) == 1 and count > 1 and type(answers[0]) is int:
        return list(question.faces_for(answers[0]))
    return answers


@door
def faces_of_total(question: Question | None, dice: Any) -> Any:
    """The faces of a first roll of several dice, if its total is given instead; else the dice as they are.

    Args:
        question: The first question of a run.
        dice: The dice that are known, as ``resolve`` takes them.

    Raises:
        InputError: The total can't be, or does not determine the dice.
    """
    several = isinstance(question, RollQuestion) and sum(each.count for each in question.legal) > 1
    if not several or not isinstance(dice, list) or len(dice) != 1 or type(dice[0]) is not int:
        return dice
    assert isinstance(question, RollQuestion)
    return list(question.faces_for(dice[0]))


def _chosen(question: ChoiceQuestion | DrawQuestion, text: str) -> Any:
    """Read options, or cards, in any case if only one differs by case; a single option is not in a list.

    A number stands for the option at that place.
    """
    named = {value_text(each): each for each in question.legal}
    if text not in named:
        text = text.removeprefix("the ")
    if text in ("both", "all") and text not in named and question.count == len(question.legal):
        return list(question.legal)
    found = named.get(in_any_case(text, named) or _at_place(list(named), text) or "")
    if isinstance(question, ChoiceQuestion) and found is not None and question.count is None:
        return found
    listed = [in_any_case(each, named) or each if isinstance(each, str) else each for each in read_answers(text)]
    if not listed:
        raise EntryError(f"{spoken_name(question.key)} needs an answer", f"type {some_of(named)}")
    alone = isinstance(question, ChoiceQuestion) and question.count is None and len(listed) == 1
    return listed[0] if alone else listed


def _at_place(options: list[str], text: str) -> str | None:
    """The option at a place that is typed as a number, counted from 1, if no option is a number."""
    is_place = text.isascii() and text.isdigit() and len(text) <= len(str(len(options)))
    if not is_place or any(option.lstrip("-").isdigit() for option in options):
        return None
    return options[int(text) - 1] if 1 <= int(text) <= len(options) else None


def answer_fault(wrong: EntryError | InputError) -> str:
    """Why a typed answer is not taken, in the words of the REPL."""
    hint = f"; {wrong.hint}" if isinstance(wrong, EntryError) and wrong.hint else ""
    return f"{wrong}{hint}"
