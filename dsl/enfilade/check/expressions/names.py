"""Name resolution for a bare name: an element at hand, a local, a fact, a declaration, or a word of the expected type."""

from __future__ import annotations

import re

from enfilade.bind.names import CALLED, Key, declared
from enfilade.check.context import Context
from enfilade.check.demand import require_definition, require_modifiers
from enfilade.check.expressions.calls import check_chart_value, has_all_arguments, has_own_value
from enfilade.check.expressions.cards import field_of_card, fields_of_cards
from enfilade.check.expressions.fields import check_field, field_of, key_of_member, reading_part
from enfilade.check.scope import Element, Scope, Typed
from enfilade.check.types.coercions import POISONED, coerce
from enfilade.check.types.expected_types import check_expression
from enfilade.check.types.reports import report_mismatch, report_unknown_word
from enfilade.check.types.type_relations import is_assignable, is_known
from enfilade.check.types.written_types import effect_parameters
from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.diagnostics.diagnostic import BLOCK, Edit, Fix, Label, Subject
from enfilade.diagnostics.suggest import nearest
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.types import (
    Bool,
    CodeOf,
    EffectOf,
    ListOf,
    MapOf,
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

_VALUES = (*CALLED, "option")
_PROPERTIES = ("doubles", "even", "odd")
_DASHED = re.compile(r"[A-Za-z]\w*(?:-[A-Za-z]\w*)+")
_PART = re.compile(r"\.([A-Za-z]\w*)")
_COUNTS = ("count", "sum", "product", "highest", "lowest", "list", "map", "any", "all", "none", "item")


def check_name(ctx: Context, e: t.Name, scope: Scope, expected: Type | None = None) -> Typed:
    """Check a bare name: first as a word of the expected type, then as a declared name."""
    if expected is not None and e.name in expected.words:
        return _check_word(ctx, e, expected)
    found = look_up(ctx, e.name, e.span, scope)
    if found is not None:
        return found
    if is_open_to_words(expected) and ctx.is_bare_word(e.name):
        word = Word((e.name,), open=True, order=ctx.symbols.order_of_word(e.name))
        return _check_word(ctx, e, word)
    if not isinstance(expected, Unknown):
        _report_unknown(ctx, e, scope, expected)
    return POISONED


def is_open_to_words(expected: Type | None) -> bool:
    """Whether a place takes words that its expected type does not list."""
    while isinstance(expected, (ListOf, RollOf)):
        expected = expected.of if isinstance(expected, ListOf) else expected.value
    return expected is None or not expected.words or (isinstance(expected, Word) and expected.open)


def look_up(ctx: Context, name: str, span: Span, scope: Scope) -> Typed | None:
    """Resolve a name: the elements at hand, innermost first, then locals, facts and declarations."""
    found = _look_up(ctx, name, span, scope)
    if found is None:
        return None
    key, typed = found
    ctx.names.note(span, key, typed.type)
    return typed


def _check_word(ctx: Context, e: t.Name, type_: Type) -> Typed:
    """A word of a list of words, of the names of modifiers, or of the codes of a chart."""
    block = ctx.query(_block_of, type_.words)
    key = Key("word", e.name) if block is None else Key("modifier", e.name, block)
    ctx.names.note(e.span, key, type_)
    return Typed.of(ir.Const(e.name, e.span, type=type_))


def _block_of(ctx: Context, words: tuple[str, ...]) -> str | None:
    """The block whose modifiers have these names."""
    tallies = ((name, block.type) for name, block in ctx.modifiers.items() if words)
    return next((name for name, type_ in tallies if isinstance(type_, TallyOf) and type_.names == words), None)


def _look_up(ctx: Context, name: str, span: Span, scope: Scope) -> tuple[Key, Typed] | None:
    """What a name refers to, and its value."""
    for element in reversed(scope.elements):
        found = _look_up_in_element(ctx, name, span, element)
        if found is not None:
            is_local = element.name == name
            return scope.key_of(name) if is_local else key_of_member(ctx, element.type, name), found
    if name in scope.locals:
        local = scope.locals[name]
        _warn_of_hidden_fact(ctx, name, span, local, scope)
        if isinstance(local.node, ir.Local):
            local = Typed.of(ir.Local(local.node.name, span, local.type))
        return scope.key_of(name), local
    if f"{{{name}}}" in scope.numbers:
        return scope.key_of(name), _number_in_code(ctx, f"{{{name}}}", span, scope)
    for element in reversed(scope.elements):
        if isinstance(element.type, RecordOf) and element.type.record == name:
            return Key("record", name), Typed.of(ir.Local(element.slot, span, type=element.type))
    if name in scope.own_facts:
        inner, type_ = scope.own_facts[name]
        return Key("fact", name, scope.owner), Typed.of(ir.Fact(inner, span, type=type_))
    if name in ctx.facts:
        return Key("fact", name), Typed.of(ir.Fact(name, span, type=ctx.facts[name].type))
    value = _look_up_declaration(ctx, name, span, scope)
    return None if value is None else (declared(ctx.symbols, name, _VALUES) or Key("built-in", name), value)


def _warn_of_hidden_fact(ctx: Context, name: str, span: Span, local: Typed, scope: Scope) -> None:
    """Warn of a name that meant a fact until a step gave an output of that name with another value."""
    if _hides_fact(name, local, scope):
        ctx.warn("hidden-fact", *_hidden_fact(name, span), labels=_given_above(name, scope))


def _hides_fact(name: str, local: Typed, scope: Scope) -> bool:
    """Whether a local is an output that is named like a fact and has another value."""
    return isinstance(local.node, ir.Local) and local.node.name == f"give {name}" and name in scope.hiding


def _given_above(name: str, scope: Scope) -> tuple[Label, ...]:
    return (Label(scope.hiding[name], "given here"),)


def _hidden_fact(name: str, span: Span) -> tuple[str, Span, str]:
    return (
        f"`{name}` now means the output given above, not the fact",
        span,
        f"rename the output, or copy the fact first: `let given_{name} = {name}`",
    )


def is_field_of_hidden_fact(ctx: Context, e: t.FieldOf, scope: Scope) -> bool:
    """Report a field that a fact has and the output that hides the fact has not; return whether it is one."""
    local = scope.locals.get(e.of.name) if isinstance(e.of, t.Name) else None
    if local is None or not isinstance(e.of, t.Name) or not _hides_fact(e.of.name, local, scope):
        return False
    name = e.of.name
    fact = scope.own_facts[name][1] if name in scope.own_facts else ctx.facts[name].type
    with ctx.silently():
        is_of_output = field_of(ctx, local, e.name, e.span) != POISONED
        is_of_fact = field_of(ctx, Typed.of(ir.Fact(name, e.span, type=fact)), e.name, e.span) != POISONED
    if is_of_fact and not is_of_output:
        ctx.report("hidden-fact", *_hidden_fact(name, e.of.span), labels=_given_above(name, scope))
    return is_of_fact and not is_of_output


def _look_up_in_element(ctx: Context, name: str, span: Span, element: Element) -> Typed | None:
    local = Typed.of(ir.Local(element.slot, span, type=element.type))
    if element.name == name:
        return local
    match element.type:
        case RecordOf(record):
            if name in ctx.records[record].fields:
                return Typed.of(ir.Field(local.node, name, span, type=ctx.records[record].fields[name].type))
        case EffectOf(effect):
            params = {param.name: param.type for param in effect_parameters(ctx, effect)}
            if name in params:
                return Typed.of(ir.Part(local.node, name, span, type=params[name]))
        case ReadingOf():
            return _look_up_in_reading(ctx, name, span, local)
        case Word():
            return field_of_card(ctx, local, name, span)
    return None


def _look_up_in_reading(ctx: Context, name: str, span: Span, local: Typed) -> Typed | None:
    part = reading_part(ctx, local, name, span)
    if part is not None:
        return part
    assert isinstance(local.type, ReadingOf)
    if local.type.reader is not None:
        reader = Typed.of(ir.Part(local.node, "reader", span, type=RecordOf(local.type.reader)))
        if name == local.type.reader:
            return reader
        fields = ctx.records[local.type.reader].fields
        if name in fields:
            return Typed.of(ir.Field(reader.node, name, span, type=fields[name].type))
    return None


def _look_up_declaration(ctx: Context, name: str, span: Span, scope: Scope) -> Typed | None:
    symbols = ctx.symbols
    if name in symbols.definitions:
        definition = require_definition(ctx, name, span)
        if definition is None:
            return POISONED
        has_all_arguments(ctx, name, definition.params, 0, span)
        return Typed.of(ir.Define(name, (), span, type=definition.type))
    if name in symbols.charts:
        return check_chart_value(ctx, name, (), span, scope)
    if name in symbols.modifiers:
        block = require_modifiers(ctx, name, span)
        if block is None or not has_own_value(ctx, block, span):
            return POISONED
        has_all_arguments(ctx, name, block.params, 0, span)
        return Typed.of(ir.SumModifiers(name, (), None, span, type=block.type))
    if name in symbols.options:
        return check_option(ctx, t.Ident(name, span), span)
    if name == "players" and symbols.players:
        players = tuple(symbols.players)
        return Typed.of(ir.Const(players, span, ListOf(Word(players, "player"), len(players))))
    return None


def check_option(ctx: Context, name: t.Ident, span: Span) -> Typed:
    """Check an option of the ruleset."""
    option = ctx.options.get(name.name)
    if option is None:
        ctx.unknown("option", name, list(ctx.options))
        return POISONED
    return Typed.of(ir.Option(name.name, span, type=option.type))


def check_words(ctx: Context, name: t.Ident) -> Typed:
    """Check ``words month``: the list of all words that a declaration lists."""
    words = ctx.words.get(name.name)
    ctx.names.note(name.span, Key("words", name.name))
    if words is None:
        ctx.unknown("set of words", name, list(ctx.words))
        return POISONED
    return Typed.of(ir.Const(words.words, name.span, ListOf(words, len(words.words))))


def is_columns(ctx: Context, name: str, span: Span, scope: Scope) -> bool:
    """Whether a name means a `columns` declaration."""
    return name in ctx.symbols.columns and look_up(ctx, name, span, scope) is None


def check_entry(ctx: Context, e: t.OfEntry, scope: Scope) -> Typed:
    """Check ``steps of gun``: an entry of a map, or a field of a record or a card."""
    found = look_up(ctx, e.name.name, e.name.span, scope)
    if found is not None and isinstance(found.type, MapOf):
        key = check_key(ctx, e.of, scope, found.type)
        return Typed.of(ir.Op("entry", (found.node, key), e.span, type=found.type.value))
    of = check_expression(ctx, e.of, scope)
    if isinstance(of.type, (RecordOf, Unknown)) or fields_of_cards(ctx, coerce(of).type):
        return check_field(ctx, of, e.name, e.span)
    if found is None:
        ctx.unknown("map, field or count", e.name, [*_COUNTS, *_known_names(ctx, scope)])
        return POISONED
    ctx.report("type", f"`{e.name.name} of` needs a map, or a record with the field `{e.name.name}`", e.span)
    return POISONED


def check_key(ctx: Context, e: t.Expr, scope: Scope, map_: MapOf) -> ir.Expr:
    """Check the key of a map."""
    key = coerce(check_expression(ctx, e, scope, map_.key))
    if not is_assignable(key.type, map_.key):
        report_mismatch(ctx, map_.key, key.type, e.span)
    return key.node


def check_part_of(ctx: Context, e: t.PartOf, scope: Scope) -> Typed:
    """Check ``target.boxes of hull``."""
    found = check_expression(ctx, e.map, scope)
    if isinstance(found.type, MapOf):
        key = check_key(ctx, e.of, scope, found.type)
        return Typed.of(ir.Op("entry", (found.node, key), e.span, type=found.type.value))
    if is_known(found.type):
        report_mismatch(ctx, "a map", found.type, e.map.span, "`of` gives an entry of a map")
    return POISONED


def check_each(ctx: Context, e: t.Each, scope: Scope) -> Typed:
    """Check ``each``: the innermost element."""
    if not scope.elements:
        ctx.report("misplaced", "`each` is possible only inside `where`, `over` and `by`", e.span)
        return POISONED
    element = scope.elements[-1]
    return Typed.of(ir.Local(element.slot, e.span, type=element.type))


def check_hash(ctx: Context, e: t.Hash, scope: Scope) -> Typed:
    """Check ``#``: a number in the result code; inside a list of readers, the number in that reader's code."""
    if e.letter not in scope.numbers:
        ctx.report("misplaced", f"`#{e.letter}` is possible only below a result code with `#{e.letter}`", e.span)
        return POISONED
    return _number_in_code(ctx, e.letter, e.span, scope)


def _number_in_code(ctx: Context, letter: str, span: Span, scope: Scope) -> Typed:
    """A number or a word in the result code: that of the reader at hand, if the results have readers."""
    found = scope.numbers[letter]
    if not isinstance(found.type, MapOf):
        return found
    for element in reversed(scope.elements):
        if not is_known(element.type):
            return POISONED
        if element.type == found.type.key:
            reader = ir.Local(element.slot, type=element.type)
            return Typed.of(ir.Op("entry", (found.node, reader), span, type=found.type.value))
    name = letter[1:-1] if letter.startswith("{") else f"#{letter}"
    ctx.report(
        "misplaced",
        f"each record that reads the chart has its own `{name}` here",
        span,
        f"write `highest of {name} over readers`, or put the line under `each reader`",
    )
    return POISONED


def _report_unknown(ctx: Context, e: t.Name, scope: Scope, expected: Type | None) -> None:
    if _may_be_known(ctx, e.name, scope) or _report_dashes(ctx, e, scope):
        return
    words = () if expected is None else expected.words
    known = [*words, *scope.locals, *ctx.facts] if words else _known_names(ctx, scope)
    if e.name in scope.unlike:
        first, second = map(with_article, scope.unlike[e.name])
        message = f"`{e.name}` has different types after the branches above: {first}, and {second}"
        ctx.report("type", message, e.span, "use the value in each branch, or a name of its own for each type")
        return
    if e.name in scope.assigned:
        message = f"`{e.name}` is known only in the block that declares it"
        help_ = f"declare the variable before the block: `let {e.name} = ...`"
        ctx.report("unknown-name", message, e.span, help_, about=Subject((e.name,), missing=BLOCK))
        return
    kind = ctx.symbols.kind_of(e.name)
    if kind == "columns":
        help_ = f"write `{e.name}.column`, or a name from one of its `beside` lines"
        ctx.report("wrong-kind", f"`{e.name}` is a `columns` declaration and has no value", e.span, help_)
    elif kind is not None:
        called = [name for name, each in scope.locals.items() if each.type == OutputsOf(e.name)]
        helps = [f"the outputs of the call are `{called[-1]}`"] if called else []
        if not called and e.name in ctx.symbols.procedures:
            helps = [f"give the call a name, `call {e.name} as NAME`, and write `NAME.OUTPUT`"]
        fix = Fix(f"write `{called[-1]}`", (Edit(e.span, called[-1]),)) if called else None
        ctx.report("wrong-kind", f"`{e.name}` is {kind} and has no value", e.span, *helps, fix=fix)
    elif words and not set(words) & {e.name}:
        report_unknown_word(ctx, e.name, tuple(words), e.span, "code" if isinstance(expected, CodeOf) else "word")
    else:
        if _report_local_of_procedure(ctx, e, scope):
            return
        if _report_later(ctx, e):
            return
        help_ = "" if expected is not None else f'declare the name, or, if you mean a word, write `"{e.name}"`'
        if isinstance(expected, Bool):
            help_ = f"declare the name below `facts`: `{e.name}  yes/no`"
        if isinstance(expected, RecordOf):
            # Examples and questions know records by their keys.
            help_ = f"declare a fact for the {expected.record}: `{e.name}  {expected.record}`"
        ctx.unknown("fact, definition or word", t.Ident(e.name, e.span), [*known, *_PROPERTIES], help_=help_)


def _report_later(ctx: Context, e: t.Name) -> bool:
    """Report a local that a later step of the same declaration declares."""
    source = e.span.source
    end = re.compile(r"^\S", re.MULTILINE).search(source.text, e.span.end)
    declares = re.compile(rf"\b(?:(?:roll|draw|read|call)\b.*\bas|let) +{re.escape(e.name)}\b")
    found = declares.search(source.text, e.span.end, len(source.text) if end is None else end.start())
    if found is None:
        return False
    span = source.span(found.start(), found.end())
    ctx.report("unknown-name", f"`{e.name}` is declared only by a later step", e.span, "move that step above this one",
               labels=(Label(span, "declared here"),), about=Subject((e.name,)))  # fmt: skip
    return True


def _report_local_of_procedure(ctx: Context, e: t.Name, scope: Scope) -> bool:
    """Report a local of the procedure that an example plays: the example knows the outputs only."""
    procedure = ctx.procedures.get(scope.outcome_of or "")
    if procedure is None or all(getattr(node, "local", None) != e.name for node in nodes(procedure.body)):
        return False
    part = _PART.match(e.span.source.text, e.span.end)
    step = f"give {e.name}" if part is None else f"give {part[1]} = {e.name}.{part[1]}"
    ctx.report(
        "unknown-name",
        f"`{e.name}` is a local variable of `{procedure.name}`; here you can use only the outputs of the procedure",
        e.span,
        f"add a step to `{procedure.name}`: `{step}`",
        about=Subject((e.name,)),
    )
    return True


def _report_dashes(ctx: Context, e: t.Name, scope: Scope) -> bool:
    """Report a known name written with `-`, such as ``line-of-sight``, once; return whether this is a part of one."""
    source = e.span.source
    for found in _DASHED.finditer(source.line_text(source.line_column(e.span.start)[0])):
        name = found[0].replace("-", "_")
        start = e.span.start - source.line_column(e.span.start)[1] + 1 + found.start()
        known = _known_names(ctx, scope)
        is_whole = name in known or not {*found[0].split("-")} & {*known}
        if is_whole and start <= e.span.start < start + len(name):
            if start == e.span.start:
                span = source.span(start, start + len(name))
                help_ = f"did you mean `{name}`?" if name in known else f"write `{name}`"
                ctx.report("unknown-name", "a name can't contain `-`", span, help_)
            return True
    return False


def _may_be_known(ctx: Context, name: str, scope: Scope) -> bool:
    """Whether a name may be a field of an element with unknown type, or resembles a local of unknown type."""
    if not all(_is_all_known(ctx, element.type) for element in scope.elements):
        return True
    unclear = [local for local, typed in scope.locals.items() if isinstance(typed.type, Unknown)]
    return nearest(name, unclear) is not None


def _is_all_known(ctx: Context, type_: Type) -> bool:
    """Whether the types of all parts of an element are known."""
    if isinstance(type_, EffectOf):
        return all(is_known(param.type) for param in effect_parameters(ctx, type_.effect))
    return is_known(type_)


def _known_names(ctx: Context, scope: Scope) -> list[str]:
    symbols = ctx.symbols
    fields = [
        name
        for element in scope.elements
        if isinstance(element.type, RecordOf)
        for name in ctx.records[element.type.record].fields
    ]
    return [
        *fields,
        *(letter[1:-1] for letter in scope.numbers if letter.startswith("{")),
        *scope.locals,
        *scope.own_facts,
        *ctx.facts,
        *symbols.definitions,
        *symbols.charts,
        *symbols.modifiers,
        *symbols.options,
    ]
