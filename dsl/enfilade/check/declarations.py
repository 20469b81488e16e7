"""Declarations of input: facts, records, options, words, dice and decks, with their defaults."""

from __future__ import annotations

from functools import cache, partial
from typing import Any, Final

from attrs import evolve

from enfilade.bind.names import Key
from enfilade.check.context import Context, note_of
from enfilade.check.expressions.decks import check_deck
from enfilade.check.scope import Scope
from enfilade.check.types.constants import constant_of
from enfilade.check.types.expected_types import check_expression
from enfilade.check.types.faces import faces_of_die
from enfilade.check.types.written_types import check_type
from enfilade.core import ir
from enfilade.source.shipped import is_of_library
from enfilade.syntax import tree as t
from enfilade.values.data import FrozenMap
from enfilade.values.types import (
    NO_VALUE,
    Bool,
    ListOf,
    MapOf,
    Maybe,
    Num,
    RecordOf,
    Type,
    Unknown,
    Word,
    WordSet,
    with_article,
)

# What the methods of a ruleset take by name, besides facts.
_KEYWORDS: Final = frozenset((
    "procedure", "given", "dice", "choices", "seed", "options", "explainable", "ask_all", "players", "aim", "limits",
    "progress",
))  # fmt: skip


def _warn_of_keyword(ctx: Context, fact: t.FieldDecl) -> None:
    """Warn of a fact of the main text that a program can't give by keyword."""
    name = fact.name.name
    source = fact.span.source
    if name in _KEYWORDS and ctx.main is not None and source.name == ctx.main.name and not is_of_library(source.path):
        help_ = f'write `given={{"{name}": ...}}` in Python, or choose another name'
        ctx.warn(
            "keyword-fact",
            f"`{name}` is an argument of the method `resolve`, so Python programs can't pass this fact by keyword",
            fact.name.span,
            help_,
        )


def own_facts(ctx: Context, procedure: str) -> dict[str, tuple[str, Type]]:
    """A procedure's own facts: the name in the core, and the type."""
    return {name: (f"{procedure}.{name}", fact.type) for name, fact in own_inputs(ctx, procedure).items()}


def own_inputs(ctx: Context, procedure: str) -> dict[str, ir.Input]:
    """The facts that a procedure declares for itself."""
    if procedure not in ctx.own_inputs:
        tree = ctx.symbols.procedures[procedure]
        fields = () if tree.facts is None else tree.facts.fields
        ctx.own_inputs[procedure] = {field.name.name: check_input(ctx, field) for field in fields}
        ctx.own_keys[procedure] = {
            field.name.name: Key("fact", field.name.name, f"procedure {procedure}") for field in fields
        }
        for field in fields:
            _warn_of_keyword(ctx, field)
    return ctx.own_inputs[procedure]


def key_of_fact(ctx: Context, procedure: str, name: str) -> Key:
    """What the name of a fact refers to where it is given to a procedure, or to what an example plays."""
    return ctx.own_keys.get(procedure, {}).get(name) or Key("fact", name)


def check_inputs_of_ruleset(ctx: Context) -> None:
    """Check the declarations of input: each kind before those that use its types."""
    symbols = ctx.symbols
    for words in symbols.words.values():
        ctx.unit("words", words, partial(_check_words, ctx, words))
    if symbols.players and "player" not in symbols.records:
        ctx.words.setdefault("player", Word(tuple(symbols.players), "player"))
    for name in symbols.records:
        ctx.records[name] = _record_without_fields(name)
    for die in symbols.dice.values():
        ctx.unit("die", die, partial(_check_die, ctx, die))
    for deck in symbols.decks.values():
        ctx.unit("deck", deck, partial(_check_deck, ctx, deck))
    for record in symbols.records.values():
        ctx.unit("record", record, partial(_check_record, ctx, record))
    for option in symbols.options.values():
        ctx.unit("option", option, partial(_check_option, ctx, option))
    for fact in symbols.facts.values():
        ctx.unit("fact", fact, partial(_check_fact, ctx, fact))


def _check_words(ctx: Context, tree: t.Words) -> None:
    type_, name = check_type(ctx, tree.type), tree.name.name
    if isinstance(type_, (Word, WordSet)):
        ctx.names.types[tree.name.span] = type_
        ctx.words[name] = Word(type_.words, name) if isinstance(type_, WordSet) else evolve(type_, name=name)


@cache
def _record_without_fields(name: str) -> ir.RecordDecl:
    return ir.RecordDecl(name, {}, ir.NO_NOTE)


def _check_deck(ctx: Context, tree: t.Deck) -> None:
    check_deck(ctx, tree, {f.name.name: check_input(ctx, f) for f in _without_duplicates(ctx, tree.fields)})


def _check_record(ctx: Context, tree: t.Record) -> None:
    fields = {f.name.name: check_input(ctx, f) for f in _without_duplicates(ctx, tree.fields)}
    name = tree.name.name
    ctx.records[name] = ir.RecordDecl(name, fields, note_of(tree.tail, tree.name.span))


def _check_fact(ctx: Context, tree: t.FieldDecl) -> None:
    ctx.facts[tree.name.name] = check_input(ctx, tree, of_game=True)
    _warn_of_keyword(ctx, tree)


def _without_duplicates(ctx: Context, fields: tuple[t.FieldDecl, ...]) -> list[t.FieldDecl]:
    seen: dict[str, t.FieldDecl] = {}
    for field in fields:
        if field.name.name in seen:
            ctx.report("duplicate-name", f"`{field.name.name}` is declared twice", field.name.span)
        else:
            seen[field.name.name] = field
    return list(seen.values())


def check_input(ctx: Context, tree: t.FieldDecl, *, of_game: bool = False) -> ir.Input:
    """Check a fact or a field, with its default; only a fact of the game may have a record as its default."""
    type_ = ctx.names.types[tree.name.span] = check_type(ctx, tree.type)
    default: Any = NO_VALUE
    if of_game and isinstance(type_, RecordOf) and isinstance(tree.default, t.MapLiteral):
        default = _record_default(ctx, tree.default, type_.record)
    elif tree.default is not None:
        default = check_default(ctx, tree.default, type_)
    elif not tree.required:
        default = type_.default
    has = default is not NO_VALUE
    return ir.Input(tree.name.name, type_, has, default if has else None, note_of(tree.tail, tree.span))


def _record_default(ctx: Context, tree: t.MapLiteral, record: str) -> Any:
    """Check the fields of a record that is the default of a fact: plain data, or ``NO_VALUE`` with a diagnostic."""
    fields = ctx.records[record].fields
    noted = len(ctx.diagnostics)
    data: dict[str, Any] = {}
    for entry in tree.entries:
        field = fields.get(entry.key.name)
        if field is None:
            ctx.unknown(f"field of {record}", entry.key, list(fields))
        else:
            ctx.names.note(entry.key.span, Key("field", entry.key.name, record), field.type)
            data[entry.key.name] = check_default(ctx, entry.value, field.type)
    missing = [name for name, field in fields.items() if not field.has_default and name not in data]
    if missing and len(ctx.diagnostics) == noted:
        ctx.report("out-of-range", f"this {record} has no value for {', '.join(missing)}", tree.span)
    return FrozenMap(data) if len(ctx.diagnostics) == noted else NO_VALUE


def check_default(ctx: Context, tree: t.Expr, type_: Type) -> Any:
    """Check a default.

    Returns:
        Its value. If that does not fit the type, ``NO_VALUE``, with a diagnostic.
    """
    single = type_.value if isinstance(type_, MapOf) and not isinstance(tree, t.MapLiteral) else type_
    typed = check_expression(ctx, tree, Scope(""), single)
    value = constant_of(typed.node)
    if isinstance(type_, MapOf) and single is not type_ and value is not NO_VALUE:
        # One value is the default of every entry.
        value = FrozenMap(dict.fromkeys(type_.entries, value))
    if isinstance(type_, WordSet) and isinstance(value, str):
        value = (value,)
    if isinstance(typed.type, Unknown) or isinstance(type_, Unknown):
        return NO_VALUE
    if value is NO_VALUE:
        ctx.report("not-constant", "a default must be a fixed value", tree.span)
    elif not _has_shape_of(type_, value) or not type_.has(value):
        ctx.report(
            "out-of-range",
            f"this default must be {type_.allowed}",
            tree.span,
            "write a value of the type, or change the type",
        )
        return NO_VALUE
    return value


def _check_option(ctx: Context, tree: t.OptionDecl) -> None:
    type_: Type = Bool() if tree.type is None else check_type(ctx, tree.type)
    default = type_.default if tree.default is None else check_default(ctx, tree.default, type_)
    if default is NO_VALUE:
        default = type_.words[0] if isinstance(type_, Word) else None
        if tree.default is None:
            ctx.report(
                "missing-default",
                f"the option `{tree.name.name}` needs a default",
                tree.name.span,
                f"write `= {default or '...'}`",
            )
    if not isinstance(type_, (Bool, Word, Num, Unknown)):
        ctx.report(
            "type", f"an option must be yes/no, a list of words or a number, not {with_article(type_)}", tree.span
        )
    ctx.names.types[tree.name.span] = type_
    ctx.options[tree.name.name] = ir.OptionDecl(tree.name.name, type_, default, note_of(tree.tail, tree.span))


def _check_die(ctx: Context, tree: t.Die) -> None:
    faces = faces_of_die(ctx, tree.faces)
    kinds = {isinstance(face.value, str) for face in faces}
    if len(kinds) > 1:
        ctx.report(
            "mixed-faces",
            f"`{tree.name.name}` has both numbers and symbols",
            tree.name.span,
            "write `blank as 0` to give a symbol a number, or use only symbols",
        )
    name = tree.name.name
    ctx.dice[name] = ir.Die(name, len(faces), faces, note_of(tree.tail, tree.span))


def _has_shape_of(type_: Type, value: Any) -> bool:
    """Whether a value has the shape of a type: ``none`` only if it is optional, several values only for lists and sets."""
    if isinstance(type_, MapOf):
        return isinstance(value, FrozenMap) and all(_has_shape_of(type_.value, each) for each in value.values())
    return isinstance(value, tuple) == isinstance(type_, (WordSet, ListOf)) and (
        value is not None or isinstance(type_, (RecordOf, Maybe))
    )
