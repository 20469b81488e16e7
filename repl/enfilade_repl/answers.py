"""The form for records that a player names at a question but has not described yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from enfilade import FactQuestion
from enfilade.language import EntryReader
from enfilade.types import ListOf, RecordOf, Type
from enfilade_repl.state import Form, PendingRun


def fact_type(pending: PendingRun) -> Type:
    """The type of the fact that a run asks for."""
    question = pending.question
    assert isinstance(question, FactQuestion)
    return question.input.domain


def form_for_answer(reader: EntryReader, question: FactQuestion, value: Any) -> Form | None:
    """The required fields that the records of an answer still lack; ``None`` if nothing is missing."""
    type_ = question.input.domain
    kind = type_.of if isinstance(type_, ListOf) else type_
    if not isinstance(kind, RecordOf) or value is None:
        return None
    records = tuple(value) if isinstance(type_, ListOf) else (value,)
    return form_for(reader, kind.record, records, question.key)


def form_for(reader: EntryReader, kind: str, records: tuple[Mapping[str, Any], ...], fact: str | None) -> Form | None:
    """The required fields that records still lack; ``None`` if nothing is missing."""
    required = reader.required(kind)
    missing = tuple((at, name) for at, record in enumerate(records) for name in required if name not in record)
    return Form(kind, records, missing, fact) if missing else None
