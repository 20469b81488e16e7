"""The parts of an entry, one by one: what a part is, and the text of several."""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.core.types import ListOf, Num, RecordOf, Type
from enfilade.source.text import Span
from enfilade.syntax import tree as t


def typed_text(parts: Sequence[t.EntryPart]) -> str:
    """The parts as they were typed."""
    return span_of(parts).text


def span_of(parts: Sequence[t.EntryPart]) -> Span:
    return Span(parts[0].span.source, parts[0].span.start, parts[-1].span.end)


def is_comma(part: t.EntryPart | None) -> bool:
    return isinstance(part, t.Mark) and part.text == ","


def name_of(part: t.EntryPart | None) -> str | None:
    """The text of a part that may be a name."""
    return str(part.scalar) if isinstance(part, t.Value) and part.kind in ("name", "bare") else None


def is_number(part: t.EntryPart | None) -> bool:
    return isinstance(part, t.Value) and part.kind == "number"


def key_text(parts: Sequence[t.EntryPart]) -> str:
    """The name of a record, without quotes."""
    first = parts[0]
    return str(first.scalar) if isinstance(first, t.Value) and first.kind == "text" else typed_text(parts)


def is_text(part: t.EntryPart | None) -> bool:
    return isinstance(part, t.Value) and part.kind == "text"


def may_be_item(of: Type, part: t.EntryPart) -> bool:
    """Whether a part may be an item of a list: records have names of their own, and numbers are numbers."""
    is_number = isinstance(part, t.Value) and part.kind == "number"
    return isinstance(of, (RecordOf, ListOf)) or (is_number and isinstance(of, Num))
