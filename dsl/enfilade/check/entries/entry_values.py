"""The value of one fact, as it is typed as the answer to a question or behind its name on a command line."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from enfilade.check.entries.entries import NOT, Chart, group_facts, raise_ambiguous
from enfilade.check.entries.entry_names import Names, is_comma, is_listed, span_of, text_of
from enfilade.check.types.type_relations import record_in
from enfilade.errors import EntryError
from enfilade.syntax import tree as t
from enfilade.syntax.unparse import unparse
from enfilade.values.types import ListOf, MapOf, RecordOf, Type


def group_value(parts: Sequence[t.EntryPart], type_: Type, names: Names, name: str) -> t.Value | None:
    """Group the parts of an entry into one value.

    Args:
        parts: The entry.
        type_: The expected type.
        names: The names that it may use.
        name: The name of the fact, for messages, and as what may be counted.

    Returns:
        The value; what is no value of the type as it was typed, for the rules to refuse.

    Raises:
        EntryError: There is no value.
        AmbiguousEntry: It may be several.
    """
    if not parts:
        raise EntryError(f"{name} needs a value")
    chart = Chart(parts, evolve(names, types={name: type_}))
    # The question is about this fact, whose name may stand before the value: `experience 2`.
    starts = [0, *chart.behind_name(name)]
    ends = [
        each for at in starts for each in chart.values(type_, at, name) if chart.counts(name, each.end) == len(parts)
    ]
    found = {repr(value): value for each in ends if (value := each.make()) is not None}
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        raise_ambiguous(span_of(parts).text, [unparse(value) for value in found.values()])
    if record_in(type_) is not None or isinstance(type_, MapOf) or any(isinstance(part, t.Group) for part in parts):
        chart.fail()
    if is_listed(type_):
        return t.Value("list", None, tuple(map(_as_typed, _apart(parts))), ())
    return _as_typed(parts)


def _as_typed(parts: Sequence[t.EntryPart]) -> t.Value:
    """Some parts as they were typed."""
    only = parts[0] if len(parts) == 1 else None
    return only if isinstance(only, t.Value) else t.Value("bare", span_of(parts).text, (), (), span_of(parts))


def group_records(
    parts: Sequence[t.EntryPart], type_: Type, names: Names, name: str, *, only_names: bool
) -> t.Value | None:
    """Group the parts of an entry into a record or a list of records, which may have names that are not known yet.

    Args:
        parts: The entry.
        type_: The expected type.
        names: The names that it may use.
        name: The name of the fact.
        only_names: Whether what stands without brackets is a name, even if it is a field.

    Raises:
        EntryError: A number stands for a record, or there is none.
    """
    if len(parts) == 1 and isinstance(only := parts[0], t.Group) and only.opening == "[":
        items = _apart(only.parts)
    elif isinstance(type_, ListOf) and len(parts) == 1 and text_of(parts[0]) in ("nothing", "none"):
        items = []
    else:
        items = _apart(parts)
    chart_type = type_.of if isinstance(type_, ListOf) else type_
    is_list = isinstance(type_, ListOf)
    found = [_record_of(each, chart_type, names, name, only_names=only_names, in_list=is_list) for each in items]
    if isinstance(type_, ListOf):
        return t.Value("list", None, tuple(found), ())
    if len(found) != 1:
        raise EntryError(f"{name} needs one value", f"type {type_.allowed}")
    return found[0]


def _apart(parts: Sequence[t.EntryPart]) -> list[Sequence[t.EntryPart]]:
    """The parts between commas, and between `and`."""
    ends = [at for at, part in enumerate(parts) if is_comma(part) or text_of(part) == "and"]
    cut = [parts[start:end] for start, end in zip([0, *(end + 1 for end in ends)], [*ends, len(parts)], strict=True)]
    return [each for each in cut if each]


def _record_of(
    parts: Sequence[t.EntryPart], type_: Type, names: Names, name: str, *, only_names: bool, in_list: bool
) -> t.Value:
    chart = Chart(parts, evolve(names, types={name: type_}))
    if not only_names:
        found = [each for each in chart.values(type_, 0, name) if each.end == len(parts)]
        values = {repr(value): value for each in found if (value := each.make()) is not None}
        # `MG` in a list is a name, even if it is a kind of unit.
        values = {text: value for text, value in values.items() if value.scalar is not None or not in_list}
        if len(values) > 1:
            raise_ambiguous(span_of(parts).text, [unparse(value) for value in values.values()])
        if values:
            return next(iter(values.values()))
    group = parts[-1]
    described = isinstance(group, t.Group) and group.opening == "("
    key = span_of(parts[:-1] if described else parts).text.strip('"') if len(parts) > described else None
    if key == "none" and isinstance(type_, RecordOf) and type_.optional:
        return t.Value("constant", "none", (), (), span_of(parts))
    if not only_names and any(getattr(part, "kind", "") == "constant" or text_of(part) in NOT for part in parts):
        raise EntryError(f"`{span_of(parts).text}` is not a {record_in(type_)}", "type a name, in quotes if it is long")
    inner = names.in_record(record_in(type_) or "")
    is_kind = key is not None and key in {*inner.types, *inner.all_words()}
    counts = len(parts) > 1 and isinstance(parts[0], t.Value) and parts[0].kind == "number"
    if not only_names and (is_kind or counts or any(isinstance(part, t.Mark) for part in parts)):
        shown = f"`{span_of(parts).text}` is not a name"
        raise EntryError(shown, f"describe the {record_in(type_)}: NAME ({span_of(parts).text.replace(':', '')})")
    if key is not None and not any(map(str.isalpha, key)):
        raise EntryError(f"`{key}` is not a {record_in(type_)}", f"type a name, or {type_.allowed}")
    if not described or not isinstance(group, t.Group):
        return t.Value("name", key, (), (), span_of(parts))
    fields = group_facts(group.parts, inner)
    return t.Value("record", key, (), tuple(fields), span_of(parts))
