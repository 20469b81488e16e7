"""Member access: fields of records, and parts of rolls, sums of modifiers, readings, effects and outputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from enfilade.bind.names import Key
from enfilade.check.context import Context, Mark
from enfilade.check.demand import require_chart, require_outputs
from enfilade.check.expressions.cards import field_of_card, fields_of_cards
from enfilade.check.scope import Typed
from enfilade.check.types.coercions import PENDING, POISONED, coerce
from enfilade.check.types.type_relations import is_known, or_none, without_none
from enfilade.check.types.written_types import effect_parameters, key_of_parameter_of_effect
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Subject
from enfilade.diagnostics.suggest import nearest
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.data import FrozenMap
from enfilade.values.types import (
    Bool,
    EffectOf,
    Either,
    Label,
    ListOf,
    MapOf,
    Maybe,
    Num,
    OutputsOf,
    ReadingOf,
    RecordOf,
    RollOf,
    TallyOf,
    Type,
    Unknown,
    Word,
    with_article,
)

T = TypeVar("T")
_ROLL_PARTS = ("faces", "values", "total", "natural")
_TALLY_PARTS = ("total", "names", "amounts")
# `_column_number` computes the number of a column, from the left, from its label.
_NUMBERED = {"column_number": "column", "base_column_number": "base_column"}
_READING_PARTS: dict[str, Type] = {
    "row": Label(),
    "column": Label(),
    "base_column": Label(),
    "shift": Num(),
    "roll": Num(),
    "modified": Num(),
    "roll_modifier": Num(),
}

# Words that authors try for the cell of a reading.
_CELLS = frozenset({"value", "result", "cell", "entry", "outcome", "number"})

RESERVED_PARTS = ("code", "reader", *_READING_PARTS, *_NUMBERED)


def check_field(ctx: Context, of: Typed, name: t.Ident, span: Span) -> Typed:
    """Check ``unit.steps``, ``fire_roll.total``, ``shot.column``, ``fate(3).loss``."""
    of = _reading_of(ctx, of, name.name)
    found = field_of(ctx, of, name, span)
    if is_known(of.type):
        ctx.names.note(name.span, key_of_member(ctx, of.type, name.name), found.type, of.type)
    return found


def key_of_member(ctx: Context, of: Type, name: str) -> Key:
    """What the name of a field or a part of some value refers to."""
    match of:
        case RecordOf(record) if name in ctx.records[record].fields:
            return Key("field", name, record)
        case EffectOf(effect):
            return key_of_parameter_of_effect(ctx, effect, name)
        case OutputsOf(procedure):
            return Key("local", name, f"procedure {procedure}")
        case ReadingOf(reader=str(record)) if name in ctx.records[record].fields:
            return Key("field", name, record)
        case ReadingOf(reader=str(record)) if name == record:
            return Key("record", name)
        case ReadingOf(chart) if name not in RESERVED_PARTS:
            results = ctx.query(_results_that_name, chart, name)
            return Key("part", name) if results is None else Key("local", name, f"results of {results}")
        case Word() | Maybe(Word()):
            return Key("card field", name)
    return Key("built-in", name)


def _results_that_name(ctx: Context, chart: str, part: str) -> str | None:
    """The chart whose results name a part of the codes of a chart: ``D{loss}``."""
    results = ctx.symbols.results.get(chart)
    entries = () if results is None else results.entries
    codes = (code for entry in entries for code in (entry.pattern, *entry.also))
    is_named = any(f"{{{part}}}" in code.text for code in codes)
    return results.chart.name if results is not None and is_named else None


def field_of(ctx: Context, of: Typed, name: t.Ident, span: Span) -> Typed:
    """Check a field or a part of a value that the text does not name."""
    of = _reading_of(ctx, of, name.name)
    node = of.node
    match of.type:
        case Unknown():
            return POISONED
        case RecordOf(record):
            fields = ctx.records[record].fields
            if name.name in fields:
                return Typed.of(ir.Field(node, name.name, span, type=fields[name.name].type))
            ctx.unknown(f"field of {record}", name, list(fields))
            return POISONED
        case RollOf() if name.name in _ROLL_PARTS:
            return _check_roll_part(of, name.name, span)
        case TallyOf(total, names) if name.name in _TALLY_PARTS:
            types: dict[str, Type] = {
                "total": total,
                "names": ListOf(Word(names)),
                "amounts": MapOf(Word(names), Num()),
            }
            return Typed.of(ir.Part(node, name.name, span, type=types[name.name]))
        case ReadingOf():
            part = reading_part(ctx, of, name.name, span)
            if part is not None:
                return part
        case EffectOf(effect):
            params = {param.name: param.type for param in effect_parameters(ctx, effect)}
            if name.name in params:
                return Typed.of(ir.Part(node, name.name, span, type=params[name.name]))
        case OutputsOf(procedure):
            outputs = require_outputs(ctx, procedure, span)
            if of.type.refused == "always":
                message = f"the call of `{procedure}` was refused here, so it has no outputs"
                ctx.report("misplaced", message, span, "write a value of your own, or use the output after the block")
                return POISONED
            if name.name in outputs:
                is_given = of.type.refused == "never" and name.name not in ctx.sometimes_given.get(procedure, ())
                type_ = outputs[name.name] if is_given else or_none(outputs[name.name])
                return Typed.of(ir.Part(node, name.name, span, type=type_))
            if ("procedure", procedure) in ctx.in_progress and procedure not in ctx.settled:
                return PENDING
            unclear = [output for output, type_ in outputs.items() if not is_known(type_)]
            if nearest(name.name, unclear) is None:
                ctx.unknown(f"output of {procedure}", name, list(outputs))
            return POISONED
        case Word() | Maybe(Word()):
            found = field_of_card(ctx, coerce(of), name.name, span)
            if found is not None:
                return found
    parts = parts_of(ctx, of.type)
    ctx.report(
        "unknown-name",
        f"{with_article(of.type)} has no `{name.name}`",
        name.span,
        *(
            ["write `code` for the cell that was read"]
            if isinstance(of.type, ReadingOf) and name.name in _CELLS
            else []
        ),
        *([f"it has {', '.join(parts)}"] if parts else []),
        about=Subject((name.name,)),
    )
    return POISONED


def _reading_of(ctx: Context, of: Typed, name: str) -> Typed:
    """The reading of a chart used as a value, unless the value in the cell itself has a part of that name."""
    match of.node:
        case ir.Part(ir.Look() as look, "code") if name not in parts_of(ctx, without_none(of.node.type)):
            return Typed.of(look)
    return of


def parts_of(ctx: Context, type_: Type) -> tuple[str, ...]:
    """The names that may follow a dot after a value, other than the fields of records and outputs."""
    match type_:
        case RollOf():
            return _ROLL_PARTS
        case TallyOf():
            return _TALLY_PARTS
        case ReadingOf():
            tables = (ctx.code_parts, ctx.marks)
            named = [name for chart in type_.charts for table in tables for name in table.get(chart, ())]
            return tuple(dict.fromkeys(("code", *_READING_PARTS, *_NUMBERED, *named)))
        case EffectOf(effect):
            return tuple(param.name for param in effect_parameters(ctx, effect))
        case Word():
            return tuple(fields_of_cards(ctx, type_))
    return ()


def _check_roll_part(of: Typed, name: str, span: Span) -> Typed:
    assert isinstance(of.type, RollOf)
    if name == "total":
        return coerce(of)
    value = of.type.value
    if name == "natural":
        return Typed.of(ir.Part(of.node, name, span, type=value))
    printed = Num() if isinstance(value, Num) and name == "faces" else value
    return Typed.of(ir.Part(of.node, name, span, type=ListOf(printed, of.type.low)))


def reading_part(ctx: Context, of: Typed, name: str, span: Span) -> Typed | None:
    """A part of a reading of a chart, or ``None`` if it has no such part."""
    assert isinstance(of.type, ReadingOf)
    if name == "code":
        return Typed.of(ir.Part(of.node, name, span, type=of.type.code))
    if name == "reader" and of.type.reader is not None:
        return Typed.of(ir.Part(of.node, name, span, type=RecordOf(of.type.reader)))
    if name in _NUMBERED:
        return _column_number(ctx, of, _NUMBERED[name], span)
    if name in _READING_PARTS:
        return Typed.of(ir.Part(of.node, name, span, type=_READING_PARTS[name]))
    return _mark(ctx, of, name, span) or _code_part(ctx, of, name, span)


def _mark(ctx: Context, of: Typed, name: str, span: Span) -> Typed | None:
    """Whether the cell that was read has a mark, and the condition of the mark is true."""
    marks = {chart: mark for chart, table in _tables(ctx, of, ctx.marks, span) if (mark := table.get(name)) is not None}
    if not marks:
        return None
    found = [(chart, _has_mark(of.node, mark, span)) for chart, mark in marks.items()]
    is_only = len(found) == len(_charts(of))
    return Typed.of(_by_chart(of, found, ir.Const(False, span), span, is_only=is_only))


def _has_mark(reading: ir.Expr, mark: Mark, span: Span) -> ir.Expr:
    types: dict[str, Type] = {"page": Label(), "row": Label(), "column": Label()}
    used = [at for at in range(len(types)) if any(cell[at] is not None for cell in mark.cells)] or [1]
    parts = [ir.Part(reading, name, span, type_) for name, type_ in types.items()]
    place: ir.Expr = parts[used[0]]
    cells: tuple[Any, ...] = tuple(cell[used[0]] for cell in mark.cells)
    if len(used) > 1:
        place = ir.Items(tuple(parts[at] for at in used), span, ListOf(Label()))
        cells = tuple(tuple(cell[at] for at in used) for cell in mark.cells)
    is_there = ir.Op("has", (ir.Const(cells, span, ListOf(place.type)), place), span, Bool())
    return is_there if mark.condition is None else ir.All((is_there, mark.condition), span)


def _code_part(ctx: Context, of: Typed, name: str, span: Span) -> Typed | None:
    """A named part of the code that was read."""
    assert isinstance(of.type, ReadingOf)
    tables = {chart: table[name] for chart, table in _tables(ctx, of, ctx.code_parts, span) if name in table}
    values = [value for table in tables.values() for value in table.values()]
    if all(value is None for value in values):
        return None
    type_ = type_of_part(values if len(tables) == len(_charts(of)) else [*values, None])
    code = ir.Part(of.node, "code", span, of.type.code)
    merged: dict[str, Any] = {}
    for table in tables.values():
        merged |= table
    is_same = all(merged[code] == value for table in tables.values() for code, value in table.items())
    if is_same and len(tables) == len(_charts(of)):
        return Typed.of(_entry_of(merged, code, span, type_))
    found = [(chart, _entry_of(table, code, span, type_)) for chart, table in tables.items()]
    return Typed.of(_by_chart(of, found, ir.Const(None, span), span))


def _entry_of(table: Mapping[str, Any], code: ir.Expr, span: Span, type_: Type) -> ir.Expr:
    return ir.Op("entry", (ir.Const(FrozenMap(table), span, MapOf(code.type, type_)), code), span, type_)


def _charts(of: Typed) -> tuple[str, ...]:
    assert isinstance(of.type, ReadingOf)
    return of.type.charts


def _tables(
    ctx: Context, of: Typed, tables: Mapping[str, Mapping[str, T]], span: Span
) -> list[tuple[str, Mapping[str, T]]]:
    """What is noted of each chart that may have been read."""
    for chart in _charts(of):
        if chart in ctx.symbols.charts:
            require_chart(ctx, chart, span)
    return [(chart, tables.get(chart, {})) for chart in _charts(of)]


def _by_chart(
    of: Typed, found: list[tuple[str, ir.Expr]], otherwise: ir.Expr, span: Span, *, is_only: bool = False
) -> ir.Expr:
    """The value for the chart that was read; *is_only* if every chart has one, so that the last needs no test."""
    tested, node = found, otherwise
    if is_only or len(_charts(of)) == 1:
        *tested, (_, node) = found
    chart = ir.Part(of.node, "chart", span, Label())
    for name, value in reversed(tested):
        is_read = ir.Op("is", (chart, ir.Const(name, span)), span, Bool())
        node = ir.If(is_read, value, node, span, value.type)
    return node


def type_of_part(values: list[Any]) -> Type:
    """The type of a part of a code: a number, a word or either, with ``or none`` if some codes lack it."""
    numbers = [value for value in values if isinstance(value, int)]
    words = Word(tuple(dict.fromkeys(value for value in values if isinstance(value, str))))
    type_: Type = words
    if numbers:
        number = Num(min(numbers), max(numbers))
        type_ = Either(number, words) if words.words else number
    return Maybe(type_) if None in values else type_


def _column_number(ctx: Context, of: Typed, name: str, span: Span) -> Typed:
    """The number of the column, counted from the left; ``none`` if no column was read."""
    assert isinstance(of.type, ReadingOf)
    charts = [chart for each in of.type.charts if (chart := require_chart(ctx, each, span)) is not None]
    labels = {chart.columns for chart in charts}
    if len(labels) != 1:
        if charts:
            message = "this reading may come from one of several charts, whose columns differ"
            ctx.report("type", message, span, f"use `.{name}`, the printed label")
        return POISONED
    node: ir.Expr = ir.Const(None, span)
    label = ir.Part(of.node, name, span, _READING_PARTS[name])
    number = Maybe(Num(1, None))
    for at, text in reversed(list(enumerate(labels.pop(), start=1))):
        is_here = ir.Op("is", (label, ir.Const(text)), span, Bool())
        node = ir.If(is_here, ir.Const(at), node, span, number)
    return Typed(node, number)
