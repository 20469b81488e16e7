"""Types as the author writes them, and the types of parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from enfilade.bind.names import Key, keys_of_parameters
from enfilade.check.context import Context, similar
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import card_type
from enfilade.check.types.faces import face_type
from enfilade.check.types.type_relations import is_known, list_of, without_none
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Subject
from enfilade.syntax import tree as t
from enfilade.values.types import Bool, MapOf, Maybe, Num, RecordOf, Type, Unknown, Word, WordSet, listed, with_article

# `(how one of stunned, killed)`: the words before the comma.
_WORDS_BEFORE: Final = re.compile(r"(one of [^,()\n]+),\s*$")


def parameter_scope(ctx: Context, params: tuple[t.Param, ...], owner: str) -> tuple[Scope, tuple[str, ...]]:
    """A scope with the parameters as locals, and the slots of the parameters."""
    scope = Scope(owner, keys={**keys_of_parameters(ctx.symbols, params, owner)})
    for param in params:
        if param.name.name in scope.locals:
            ctx.report("duplicate-name", f"the parameter `{param.name.name}` is repeated", param.name.span)
        scope.locals[param.name.name] = Typed.of(ir.Local(param.name.name, type=check_parameter(ctx, param)))
    return scope, tuple(param.name.name for param in params)


def effect_parameters(ctx: Context, effect: str) -> tuple[ir.Input, ...]:
    """The parameters of an effect."""
    tree = ctx.symbols.effects[effect]
    if effect not in ctx.effect_params:
        ctx.effect_params[effect] = tuple(
            ir.Input(p.name.name, check_parameter(ctx, p), False, None, ir.Note(span=p.span)) for p in tree.params
        )
    return ctx.effect_params[effect]


def key_of_parameter_of_effect(ctx: Context, effect: str, name: str) -> Key:
    """What the name of a parameter of an effect refers to."""
    owner = f"effect {effect}"
    return keys_of_parameters(ctx.symbols, ctx.symbols.effects[effect].params, owner).get(name) or Key(
        "local", name, owner
    )


def check_type(ctx: Context, tree: t.TypeExpr) -> Type:
    """Translate a type as written."""
    match tree:
        case t.RangeType(low, high, whole, optional):
            if low is not None and high is not None and low > high:
                ctx.report(
                    "empty-range",
                    f"the range from {low} to {high} contains no number",
                    tree.span,
                    f"write {high}..{low}",
                )
                return Unknown()
            return _or_none(Num(low, high, whole), optional)
        case t.FlagType():
            return Bool()
        case t.WordsType(words, many, ordered=ordered):
            names = _distinct(ctx, words)
            _warn_of_declared_name(ctx, tree)
            if many:
                return WordSet(names)
            return _or_none(Word(names, order=names if ordered else ()), tree.optional)
        case t.NumbersType(values):
            return _or_none(listed(int(each.value) for each in values), tree.optional)
        case t.ListType(of, least):
            return list_of(check_type(ctx, of), least)
        case t.NamedType():
            return _named_type(ctx, tree)
        case t.MapType():
            return _map_type(ctx, tree)


def _distinct(ctx: Context, words: tuple[t.Ident, ...]) -> tuple[str, ...]:
    seen: list[str] = []
    for word in words:
        if word.span.text == "none":
            help_ = "delete `none`; if the fact may have no value, declare `words fate ...` without `none`, and write `fate  fate or none`"
            ctx.report("misplaced", "`none` can't be a word: it means that there is no value", word.span, help_)
        if word.name in seen:
            ctx.report("duplicate-name", f"the word `{word.name}` is repeated", word.span, "delete one")
        else:
            seen.append(word.name)
    return tuple(seen)


def _warn_of_declared_name(ctx: Context, tree: t.WordsType) -> None:
    """Warn of ``one of months``, whose single word is the name of a list of words."""
    words, symbols = tree.words, ctx.symbols
    name = words[0].name
    declared = any(name in table for table in (symbols.words, symbols.records, symbols.decks, symbols.dice))
    if len(words) == 1 and declared and words[0].span.text == name:
        message = f"this list has only the word `{name}`, which is the name of {symbols.kind_of(name)}"
        help_ = f"to allow every value of `{name}`, write only the name `{name}`"
        ctx.warn("wrong-kind", message, words[0].span, help_)


def _named_type(ctx: Context, tree: t.NamedType) -> Type:
    name = tree.name.name
    if name in ctx.words:
        words = ctx.words[name]
        return WordSet(words.words, name) if tree.many else _or_none(words, tree.optional)
    if name in ctx.symbols.records and not tree.many:
        return RecordOf(name, tree.optional)
    drawn = _shown_on(ctx, name)
    if isinstance(drawn, Word) and tree.many:
        return WordSet(drawn.words)
    if drawn is not None and not tree.many:
        return _or_none(drawn, tree.optional)
    _report_unknown_type(ctx, tree.name)
    return Unknown()


def _shown_on(ctx: Context, name: str) -> Type | None:
    """The cards of a deck, or what the faces of a die show."""
    if name in ctx.decks:
        return card_type(ctx.decks[name])
    return face_type(ctx.dice[name]) if name in ctx.symbols.dice and name in ctx.dice else None


def _map_type(ctx: Context, tree: t.MapType) -> Type:
    """A map from each word of a declared list of words to a single value."""
    value = check_type(ctx, tree.of)
    key = tree.key.name
    if key not in ctx.words:
        close = similar(key, ctx.symbols.words)
        help_ = f"did you mean `{close}`?" if close else f"declare it: `words {key} one of hull, engine`"
        ctx.report(
            "unknown-type", f"there is no list of words `{key}`", tree.key.span, help_, about=Subject((key,), close)
        )
        return Unknown()
    if not isinstance(without_none(value), (Num, Bool, Word, Unknown)):
        message = f"a map needs a number, yes/no or a word for each {key}, not {with_article(value)}"
        ctx.report("type", message, tree.of.span)
        return Unknown()
    return MapOf(ctx.words[key], value) if is_known(value) else Unknown()


def _report_unknown_type(ctx: Context, name: t.Ident) -> None:
    known = [*ctx.symbols.words, *ctx.symbols.records, *ctx.symbols.decks, *ctx.symbols.dice]
    close = similar(name.name, known)
    help_ = (
        f"did you mean `{close}`?"
        if close
        else "write a type: `0..2`, `yes/no`, `one of a, b`, a record, or a list of words"
    )
    ctx.report("unknown-type", f"there is no type `{name.name}`", name.span, help_, about=Subject((name.name,), close))


def check_parameter(ctx: Context, tree: t.Param) -> Type:
    """The type of a parameter: as written, or else the type of the record, words or fact with the same name."""
    type_ = ctx.names.types[tree.name.span] = _type_of_parameter(ctx, tree)
    return type_


def _type_of_parameter(ctx: Context, tree: t.Param) -> Type:
    name = tree.name.name
    if tree.type is not None:
        return check_type(ctx, tree.type)
    if name in ctx.records:
        return RecordOf(name)
    if name in ctx.facts:
        return ctx.facts[name].type
    if name in ctx.words:
        return ctx.words[name]
    fields = [record.fields[name].type for record in ctx.records.values() if name in record.fields]
    if fields and all(type_ == fields[0] for type_ in fields):
        return fields[0]
    known = [*ctx.records, *ctx.facts]
    help_ = f"give it a type: `({name} 0..)`, `({name} one of a or b)`{f', `({name} player)`' if ctx.symbols.players else ''}"
    words = _WORDS_BEFORE.search(tree.span.source.text[: tree.span.start])
    if words is not None:
        help_ = f"separate the words of a parameter with `or`: `{words[1]} or {name}`"
    ctx.unknown("record, fact or field", tree.name, known, help_=help_)
    return Unknown()


def _or_none(type_: Type, optional: bool) -> Type:
    """A type, with ``or none`` if it is optional."""
    return Maybe(type_) if optional else type_


def parameter_types(ctx: Context, kind: str, name: str) -> tuple[Type, ...]:
    """The types of the parameters of a definition, a chart or a block of modifiers."""
    symbols = ctx.symbols
    tables: dict[str, Mapping[str, Any]] = {
        "define": symbols.definitions,
        "chart": symbols.charts,
        "modifiers": symbols.modifiers,
    }
    return tuple(check_parameter(ctx, param) for param in tables[kind][name].params)
