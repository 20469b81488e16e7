"""Parses the answers that a player types: facts and dice.

It must not validate answers: the library does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from enfilade import FactQuestion, RollQuestion
from enfilade.language import EntryReader, read_answers
from enfilade.types import ListOf, RecordOf, Type
from enfilade_repl.entry import EntryError
from enfilade_repl.state import Form, PendingRun


def fact_type(pending: PendingRun) -> Type:
    """The type of the fact that a run asks for."""
    question = pending.question
    assert isinstance(question, FactQuestion)
    return question.input.domain


def read_fact(reader: EntryReader, pending: PendingRun, question: FactQuestion, text: str) -> Any:
    """Read the answer to a fact question: data for the library, or a form for the missing fields."""
    type_ = fact_type(pending)
    if not text and not question.input.required:
        return question.default
    if not text:
        raise EntryError(f"{question.key} has no default", f"it is {question.input.type}")
    value = evolve(reader, asks=True).value(type_, text, question.key)
    kind = type_.of if isinstance(type_, ListOf) else type_
    if isinstance(kind, RecordOf) and value is not None:
        records = tuple(value) if isinstance(type_, ListOf) else (value,)
        form = form_for(reader, kind.record, records, question.key)
        return form or value
    return value


def form_for(reader: EntryReader, kind: str, records: tuple[Mapping[str, Any], ...], fact: str | None) -> Form | None:
    """The required fields that records still lack; ``None`` if nothing is missing."""
    required = reader.required(kind)
    missing = tuple((at, name) for at, record in enumerate(records) for name in required if name not in record)
    return Form(kind, records, missing, fact) if missing else None


def read_roll(question: RollQuestion, text: str) -> list[Any]:
    """Read dice: ``4 3``, ``4,3``, ``4+3``, or a total if it determines the dice.

    A number is never split into digits: ``12`` is the total of two sixes, not a 1 and a 2.
    """
    answers = read_answers(text.replace("+", " "))
    count = sum(dice.count for dice in question.legal)
    if len(answers) == 1 and count > 1 and type(answers[0]) is int:
        return list(question.faces_for(answers[0]))
    return answers
