"""What to write for a record that is missing, or that lacks fields: its required fields, each with an allowed value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from enfilade.core import ir
from enfilade.core.types import Bool, ListOf, MapOf, Maybe, Num, RecordOf, Type, Word, WordSet

_NOTHING: Final[Mapping[Any, Any]] = {}


def record_hint(name: str, type_: Type, records: Mapping[str, ir.RecordDecl]) -> str | None:
    """How to give a missing fact that is a record or a list of records; ``None`` for any other fact.

    The hint shows a value alone, because each surface has its own way to write a fact with a value.
    """
    of = type_.of if isinstance(type_, ListOf) else type_
    if not isinstance(of, RecordOf) or of.record not in records:
        return None
    fields = described(records[of.record])
    # The name comes from the fact: facts with one name for their records would share a record.
    if isinstance(type_, ListOf):
        return f"give a list, such as `[{name}1 {fields or '()'}]`"
    if not fields:
        return f"every field of a {of.record} has a default, so a name is enough, such as `{name}1`"
    return f"give a {of.record}, such as `{fields}`"


def described(record: ir.RecordDecl, given: Mapping[Any, Any] = _NOTHING) -> str:
    """The required fields of a record, with the given value or an allowed one: `(ranks 1, kind pike)`; empty if none.

    Args:
        record: The kind of record.
        given: The fields that were given; only words and numbers among them are shown as they are.
    """
    needed = [
        f"{name} {given[name] if type(given.get(name)) in (int, str) else _sample(field.type)}"
        for name, field in record.fields.items()
        if not field.has_default
    ]
    return f"({', '.join(needed)})" if needed else ""


def _sample(type_: Type) -> str:
    match type_:
        case Num(low, high):
            return str(1 if low is None and high is None else high if low is None else low)
        case Word(words) | WordSet(words):
            return next((word if word.isidentifier() else f'"{word}"' for word in words), "...")
        case Bool():
            return "yes"
        case Maybe(of):
            return _sample(of)
        case ListOf(of):
            return f"[{_sample(of)}]"
        case MapOf(Word(words), value):
            return f"({', '.join(f'{word} {_sample(value)}' for word in words)})"
        case RecordOf(record):
            return f"{record}1"
    return "..."
