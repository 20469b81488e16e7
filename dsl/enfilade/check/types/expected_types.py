"""Bidirectional type checking: an expression is checked against the type that its context expects.

Every other module checks expressions through these functions. The dispatch over all kinds of expressions is in a
higher layer, `expressions`; these functions call it through the passes of the context.
"""

from __future__ import annotations

from collections.abc import Iterable

from enfilade.check.context import Context
from enfilade.check.scope import Element, Scope, Typed
from enfilade.check.types.coercions import POISONED, as_list, coerce, number_type
from enfilade.check.types.narrowing import assuming
from enfilade.check.types.reports import report_mismatch, report_unknown_word
from enfilade.check.types.satisfiability import POISON
from enfilade.check.types.type_relations import is_known, is_pending
from enfilade.core import ir
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.types import Bool, CodeOf, ListOf, Maybe, Num, RecordOf, Type, Unknown, Word


def check_expression(ctx: Context, e: t.Expr, scope: Scope, expected: Type | None = None) -> Typed:
    """Infer the type of an expression.

    Args:
        ctx: The context.
        e: The expression.
        scope: The names visible to it.
        expected: The type that its place expects: it decides what a bare word or a literal means."""
    return ctx.passes.expression(ctx, e, scope, expected)


def check_condition(ctx: Context, e: t.Expr, scope: Scope) -> ir.Expr:
    """Check an expression that must be yes or no; one that may be absent is true if it is yes."""
    noted = ctx.unknown_numbers
    typed = check_expression(ctx, e, scope, Bool())
    if not is_known(typed.type) or ctx.unknown_numbers > noted:
        return typed.node
    if typed.type == Maybe(Bool()):
        return ir.Op("is", (typed.node, ir.Const(True, e.span)), e.span, Bool())
    if not isinstance(typed.type, Bool):
        number = isinstance(coerce(typed).type, Num)
        help_ = "compare it: `is 3`, `>= 3`" if number else "compare the value with `is`, or with `has` for a set"
        if isinstance(typed.node, ir.Const) and (name := _value_that_may_be(ctx, typed.node.value, scope)):
            help_ = f"write `{name} is {e.span.text}`"
        report_mismatch(ctx, "a condition", typed.type, e.span, help_)
    return typed.node


def _value_that_may_be(ctx: Context, word: object, scope: Scope) -> str | None:
    """The only field of the element, or else the only fact, that may be a word."""
    element = scope.elements[-1].type if scope.elements else None
    types: dict[str, Type] = {}
    if isinstance(element, RecordOf):
        types = {name: each.type for name, each in ctx.records[element.record].fields.items()}
    elif isinstance(element, Word):
        decks = (ctx.card_fields[name] for name, deck in ctx.decks.items() if set(element.words) <= set(deck.cards))
        types = {name: type_ for fields in decks for name, (type_, _) in fields.items()}
    for every in (types, {name: fact.type for name, fact in ctx.facts.items()}):
        found = [name for name, type_ in every.items() if word in type_.words]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def check_in_turn(ctx: Context, items: Iterable[t.Expr], scope: Scope) -> tuple[ir.Expr, ...]:
    """Check conditions of which each is evaluated only if those before it are true."""
    nodes: list[ir.Expr] = []
    for item in items:
        nodes.append(check_condition(ctx, item, scope))
        scope = assuming(scope, nodes[-1], True)
    return tuple(nodes)


def check_number(ctx: Context, e: t.Expr, scope: Scope) -> Typed:
    """Check an expression that must be a number; the result always has a number type."""
    typed = scope.narrowed(coerce(check_expression(ctx, e, scope, Num())))
    if isinstance(typed.type, Num) and not may_be_empty(typed):
        return typed
    ctx.unknown_numbers += 1
    if may_be_empty(typed):
        report_empty_cell(ctx, typed, e.span)
    else:
        report_mismatch(ctx, "a number", typed.type, e.span)
    return Typed(POISON, Num())


def may_be_empty(typed: Typed) -> bool:
    """Whether a value comes from a cell of a chart of numbers in which there may be no number."""
    return isinstance(typed.node, ir.Part) and typed.node.name == "code" and isinstance(typed.node.type, Maybe)


def report_empty_cell(ctx: Context, typed: Typed, span: Span) -> None:
    """Report that a number is needed, but the cell of a chart may be empty."""
    help_ = "write what counts if there is no number: `needed or 99`"
    report_mismatch(ctx, "a number", typed.node.type, span, help_)


def check_list(ctx: Context, e: t.Expr, scope: Scope) -> Typed:
    """Check an expression that must be a list; the result always has a list type."""
    typed = as_list(check_expression(ctx, _with_declared_words(ctx, e, scope), scope))
    if isinstance(typed.type, ListOf):
        return typed
    report_mismatch(ctx, "a list", typed.type, e.span)
    return Typed(POISON, ListOf(typed.type if is_pending(typed.type) else Unknown()))


def _with_declared_words(ctx: Context, e: t.Expr, scope: Scope) -> t.Expr:
    """The list of declared words that a bare name means where a list is needed, if nothing else has that name."""
    if not isinstance(e, t.Name) or e.name not in ctx.words:
        return e
    with ctx.silently():
        typed = check_expression(ctx, e, scope, Unknown())
    return e if is_known(typed.type) else t.WordsRef(t.Ident(e.name, e.span), e.span)


def check_elements(ctx: Context, e: t.Expr, scope: Scope) -> tuple[Typed, Element, Scope]:
    """Check a list; return it with its element and the scope for expressions about that element."""
    name = e.name.name if isinstance(e, t.Named) else None
    over = check_list(ctx, e.of if isinstance(e, t.Named) else e, scope)
    assert isinstance(over.type, ListOf)
    if isinstance(over.type.of, Unknown) and over.node != POISON:
        # Without a diagnostic, the program would be accepted and could not run.
        help_ = "write at least one element, or `first 0 of LIST` for an empty list of the same type as LIST"
        ctx.report("type", "this list starts empty, so the type of its elements is unknown", e.span, help_)
    element = Element(scope.slot("each"), over.type.of, name)
    return over, element, scope.within(element)


def check_whole(ctx: Context, e: t.Expr, scope: Scope) -> Typed:
    """Check an expression that must be a whole number."""
    typed = check_number(ctx, e, scope)
    if not number_type(typed).whole:
        ctx.report(
            "not-whole",
            "a whole number is needed, but this may be a fraction",
            e.span,
            "round it: `rounded down`, `rounded up`",
        )
    return typed


def expected_beside(ctx: Context, e: t.Expr, type_: Type) -> Type | None:
    """The type that the other branch of a conditional expects; another declared word or a quoted text may join it."""
    if isinstance(e, t.Name):
        is_other = ctx.is_bare_word(e.name) and e.name not in type_.words
        return None if is_other else type_
    return type_ if isinstance(e, t.Number) else None


def check_code(ctx: Context, text: str, expected: CodeOf, span: Span) -> Typed:
    """Check a result code of a chart."""
    if text not in expected.codes:
        report_unknown_word(ctx, text, expected.codes, span, "code")
        return POISONED
    return Typed.of(ir.Const(text, span, type=expected))
