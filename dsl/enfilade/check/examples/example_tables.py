"""Tables of examples: each row becomes an example of its own, and each cell one of its lines.

A header is a fact, a field or an entry of a fact (``target.rating``, ``units.gun.steps``), ``on``, ``choosing``, ``gives``, ``refused``,
``input error``, ``option NAME``, ``chance of CODE``, ``mean of OUTPUT``, or an output. An empty cell says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from attrs import evolve, frozen

from enfilade.bind.names import Key, place_of
from enfilade.check.context import Context
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.entries import parse_case
from enfilade.syntax.fault import SyntaxFault
from enfilade.values.types import Label, ListOf, MapOf, Maybe, RecordOf, Type, WordSet

_LINES: Final = re.compile(r"(on|choosing|gives|refused|input error)|option \w+|(?:chance|mean) of .+")
# Printed labels that get quotes: `3:1`, `7+`, `2-4`; a number is compared as it is.
_LABEL: Final = re.compile(r"(?!-?[0-9]+\Z)[-+.:/,0-9]+")
_PLAIN_CODE: Final = re.compile(r"chance of ([^\s\"\w(]\S*|\d+[A-Za-z]\S*)(?=$| or )")
"""A chance of a code that is no name, such as `-` or `2X`."""
_PATH: Final = re.compile(r"[A-Za-z]\w*(\.\w+)*")
_OF: Final = re.compile(r"([A-Za-z]\w*) of ([A-Za-z]\w*(?:\.\w+)*)")
_FIRST_NAME: Final = re.compile(r"(?:.*\bof )?([A-Za-z]\w*)")
_QUOTED: Final = re.compile(r'"[^"]*"')
_STATES_INPUT: Final = ("on", "choosing")


@frozen
class _Column:
    """One column: the text of a line before and behind a cell, and the type of its values.

    Attributes:
        header: The header as printed.
        before: The text before the cell.
        after: The text behind it.
        type: The type of a fact or an output, if it is known.
        path: The fact, and the fields that lead to the value; empty for all other lines.
    """

    header: t.Code
    before: str
    after: str = ""
    type: Type | None = None
    path: tuple[str, ...] = ()

    @property
    def is_input(self) -> bool:
        """Whether it states a fact, dice or choices."""
        return bool(self.path) or self.header.text in _STATES_INPUT or self.header.text.startswith("option ")


_EXPECT: Final = "expect "
_GIVEN: Final = "given "


def cases_of(
    ctx: Context, table: t.Example, facts: Mapping[str, Type], outputs: Mapping[str, Type]
) -> Iterator[t.Example]:
    """Make an example of each row of a table.

    Args:
        ctx: The context.
        table: The table.
        facts: The types of the facts that may be given.
        outputs: The types of the outputs.
    """
    header, *rows = table.rows
    columns = [_column(ctx, table, cell, facts, outputs) for cell in header.cells]
    if not rows:
        ctx.report("syntax", "this table has no cases", header.span, "below the header, write a row for each case")
    if None in columns:
        return
    known = [column for column in columns if column is not None]
    for row in rows:
        if len(row.cells) != len(columns):
            message = f"this row has {len(row.cells)} cells, but its header has {len(columns)}"
            ctx.report("ragged-row", message, row.span)
        elif (case := _case(ctx, table, known, row)) is not None:
            yield case


def _column(
    ctx: Context, table: t.Example, cell: t.Code, facts: Mapping[str, Type], outputs: Mapping[str, Type]
) -> _Column | None:
    """What a header says; ``None``, with a diagnostic, if it names nothing."""
    text = " ".join(cell.text.split())
    text = _PLAIN_CODE.sub(r'chance of "\1"', text)
    if _LINES.fullmatch(text):
        return _Column(cell, f"{text} = " if text.startswith(("chance", "mean")) else f"{text} ")
    text = _with_dots(table, text, facts, outputs)
    if text.startswith(_EXPECT) and text.removeprefix(_EXPECT) in outputs:
        return _Column(cell, f"{text} is ", "", outputs.get(text.removeprefix(_EXPECT)))
    is_given = text.startswith(_GIVEN)
    text = text.removeprefix(_GIVEN)
    path = tuple(text.split("."))
    if _PATH.fullmatch(text) and (path[0] in facts or _described(table, path)):
        if len(path) == 1 and text in outputs and not is_given:
            ctx.warn("two-readings", f"`{text}` is a fact and an output, and this column gives the fact", cell.span,
                     f"write `expect {text}` for the output, `given {text}` for the fact")  # fmt: skip
        path = path[1:] if _is_list(facts.get(path[0])) and _described(table, path[1:]) else path
        return _Column(cell, *_around(ctx, facts, path, cell.span), path)
    if len(path) == 2 and isinstance(outputs.get(path[0]), MapOf):
        text = f"{path[0]} of {path[1]}"
    first = _FIRST_NAME.match(text)
    if first is None or not {first[1], text.partition(" of ")[0]} & outputs.keys():
        ctx.unknown("fact or output", t.Ident(text, cell.span), [*facts, *outputs, *_STATES_INPUT, "gives", "refused"])
        return None
    return _Column(cell, f"expect {text} is ", "", outputs.get(text))


def _with_dots(table: t.Example, text: str, facts: Mapping[str, Type], outputs: Mapping[str, Type]) -> str:
    """A header with `of` as a path: `gold of conan` is `conan.gold`, and `boxes of hull` is `boxes.hull`."""
    found = _OF.fullmatch(text)
    if found is None or found[1] in outputs:
        return text
    part, whole = found[1], found[2]
    head = whole.partition(".")[0]
    if head in facts or _described(table, (head,)):
        return f"{whole}.{part}"
    return f"{part}.{whole}" if isinstance(facts.get(part), MapOf) else text


def _around(
    ctx: Context, facts: Mapping[str, Type], path: tuple[str, ...], header: Span
) -> tuple[str, str, Type | None]:
    """The text around the value of a fact, of a field or of a record in a list, and the type of the value."""
    before, after, type_ = f"given {path[0]} ", "", facts.get(path[0])
    for piece in path[1:]:
        if isinstance(type_, ListOf) and isinstance(type_.of, RecordOf):
            before, after, type_ = f"{before}[{piece} ", f"]{after}", type_.of
        else:
            fields = ctx.records[type_.record].fields if isinstance(type_, RecordOf) else {}
            before, after = f"{before}({piece} ", f"){after}"
            if isinstance(type_, RecordOf) and piece in fields:
                ctx.names.note(place_of(header, piece), Key("field", piece, type_.record), fields[piece].type)
            type_ = fields[piece].type if piece in fields else None
    return before, after, type_


def _is_list(type_: Type | None) -> bool:
    return isinstance(type_, ListOf) and isinstance(type_.of, RecordOf)


def _case(ctx: Context, table: t.Example, columns: list[_Column], row: t.Row) -> t.Example | None:
    """The example of one row; ``None``, with a diagnostic, if a cell can't be parsed."""
    lines = table.lines
    said: list[str] = []
    for column, cell in zip(columns, row.cells, strict=True):
        if not cell.text:
            continue
        if column.is_input:
            said.append(f"{column.header.text} {cell.text}")
        before, after = _quoted(column, cell.text)
        try:
            line = parse_case(cell, before, after)
        except SyntaxFault as fault:
            message = f"`{cell.text}` is not possible in the column `{column.header.text}`"
            ctx.report(fault.code, message, cell.span, *([fault.help] if fault.help else []))
            return None
        lines = _with_line(lines, column, _in_cell(line, cell.span))
    label = ": ".join(part for part in (table.label, ", ".join(said).replace('"', "")) if part)
    return evolve(table, label=label, lines=lines, rows=(), span=row.span)


def _in_cell(line: t.ExampleLine, cell: Span) -> t.ExampleLine:
    """The line of a cell, with the place of the cell: what a message quotes stands in the table."""
    if isinstance(line, t.Expect):
        line = evolve(line, condition=evolve(line.condition, span=cell))
    return evolve(line, span=cell)


def _quoted(column: _Column, text: str) -> tuple[str, str]:
    """The text around a cell: words and codes get quotes, several values of a list brackets."""
    type_ = column.type.of if isinstance(column.type, Maybe) else column.type
    if isinstance(type_, (ListOf, WordSet)) and not text.startswith("["):
        return f"{column.before}[", f"]{column.after}"
    is_label = isinstance(type_, Label) and _LABEL.fullmatch(text) is not None
    if is_label or (type_ is not None and text in type_.words):
        return f'{column.before}"', f'"{column.after}'
    return column.before, column.after


def _described(table: t.Example, path: tuple[str, ...]) -> bool:
    """Whether the lines above the table describe a record with the name that a path begins with."""
    given = (item for line in table.lines if isinstance(line, t.Given) for item in line.items)
    return bool(path) and any(_changed(item.value, path[0], ()) is not None for item in given)


def _with_line(lines: tuple[t.ExampleLine, ...], column: _Column, line: t.ExampleLine) -> tuple[t.ExampleLine, ...]:
    """The lines with one more; a field goes into the record that the lines describe."""
    if not isinstance(line, t.Given) or not column.path:
        return (*lines, line)
    new = evolve(line.items[0], name=t.Ident(column.path[0], column.header.span), span=line.span)
    for at, old in enumerate(lines):
        if isinstance(old, t.Given):
            items = _with_item(old.items, new, column.path[1:])
            if items is not None:
                return (*lines[:at], evolve(old, items=items), *lines[at + 1 :])
    return (*lines, evolve(line, items=(new,)))


def _with_item(
    items: tuple[t.GivenItem, ...], new: t.GivenItem, path: tuple[str, ...]
) -> tuple[t.GivenItem, ...] | None:  # fmt: skip
    """The items with a new value for a fact, or for a record that one of them describes; ``None`` if none does.

    The *path* leads through the new value to the part that a header names.
    """
    for at, item in enumerate(items):
        if item.name.name == new.name.name:
            merged = new
            if new.value is not None and item.value is not None:
                merged = evolve(new, value=_merged(item.value, new.value, path))
            return (*items[:at], merged, *items[at + 1 :])
        fields = () if new.value is None else new.value.fields
        changed = _changed(item.value, new.name.name, fields, path)
        if changed is not None:
            return (*items[:at], evolve(item, value=changed), *items[at + 1 :])
    return None


def _merged(old: t.Value, new: t.Value, path: tuple[str, ...]) -> t.Value:
    """A record or a map with some fields replaced, a list through which a path leads with one record replaced.

    Any other new value replaces the old one.
    """
    if old.kind == "name" and new.kind == "record" and new.scalar is None:
        return evolve(new, scalar=old.scalar)
    if old.kind == "list" and new.kind == "list" and path:
        (record,) = new.items
        changed = _changed(old, path[0], record.fields, path[1:])
        return evolve(old, items=(*old.items, record)) if changed is None else changed
    if old.kind != "record" or new.kind != "record":
        return new
    fields = list(old.fields)
    for field in new.fields:
        at = next((at for at, each in enumerate(fields) if each.name == field.name), None)
        if at is None:
            fields.append(field)
        else:
            before = fields[at].value
            both = None if before is None or field.value is None else _merged(before, field.value, path[1:])
            fields[at] = field if both is None else evolve(field, value=both)
    return evolve(old, fields=tuple(fields))


def _changed(
    value: t.Value | None, key: str, fields: tuple[t.GivenItem, ...], path: tuple[str, ...] = ()
) -> t.Value | None:  # fmt: skip
    """A value in which the record with a key has new fields; ``None`` if it holds no such record."""
    if value is None:
        return None
    if value.kind in ("record", "name") and str(value.scalar) == key:
        return _merged(value, t.Value("record", None, (), fields, value.span), path)
    for at, item in enumerate(value.items):
        changed = _changed(item, key, fields, path)
        if changed is not None:
            return evolve(value, items=(*value.items[:at], changed, *value.items[at + 1 :]))
    return None
