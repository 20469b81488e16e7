"""The types of values, as data: what a fact may be, and what a procedure gives.

``InputField.domain``, ``Output.domain`` and ``Symbol.domain`` are such types. Match on their classes to build a form or
to complete what a person types; ``InputField.json_schema`` says the same for programs in other languages.
"""

from __future__ import annotations

from enfilade.values.types import (
    Bool,
    ChartOf,
    CodeOf,
    Either,
    Label,
    Listed,
    ListOf,
    MapOf,
    Maybe,
    Num,
    OutputsOf,
    RecordOf,
    Type,
    Word,
    WordSet,
    describe,
)

__all__ = [
    "Bool",
    "ChartOf",
    "CodeOf",
    "Either",
    "Label",
    "ListOf",
    "Listed",
    "MapOf",
    "Maybe",
    "Num",
    "OutputsOf",
    "RecordOf",
    "Type",
    "Word",
    "WordSet",
    "describe",
    "record_kind",
]


def record_kind(type_: Type) -> str | None:
    """The kind of record that a type holds, alone or in a list; ``None`` for every other type.

    Examples:
        >>> record_kind(ListOf(RecordOf("unit"))), record_kind(Num())
        ('unit', None)
    """
    of = type_.of if isinstance(type_, ListOf) else type_
    return of.record if isinstance(of, RecordOf) else None
