"""Words in order, low to high: a comparison of such words is one of their ranks."""

from __future__ import annotations

from attrs import evolve

from enfilade.check.context import Context
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import coerce
from enfilade.check.types.expected_types import check_expression, check_number
from enfilade.check.types.reports import report_mismatch
from enfilade.check.types.satisfiability import POISON
from enfilade.check.types.type_relations import is_known
from enfilade.core import ir
from enfilade.syntax import tree as t
from enfilade.values.types import Num, Type, Word


def order_of_words(type_: Type) -> tuple[str, ...]:
    """The order of the words of a type, low to high; empty if they have none."""
    return type_.order if isinstance(type_, Word) else ()


def in_order(typed: Typed, order: tuple[str, ...]) -> Typed:
    """A word with the order of another list that has it; any other value unchanged."""
    if isinstance(typed.type, Word) and not typed.type.order and set(typed.type.words) <= set(order):
        return Typed(typed.node, evolve(typed.type, order=order))
    return typed


def ranked(typed: Typed) -> Typed:
    """The rank of a word in the order of its list; any other value unchanged."""
    if not isinstance(typed.type, Word) or not typed.type.order:
        return typed
    order = typed.type.order
    if isinstance(typed.node, ir.Const):
        rank = order.index(typed.node.value)
        return Typed.of(ir.Const(rank, typed.node.span, Num(rank, rank)))
    ends = [order.index(word) for word in typed.type.words if word in order]
    low, high = (min(ends), max(ends)) if ends else (0, len(order) - 1)
    return Typed.of(ir.Op("rank", (ir.Const(order), typed.node), typed.node.span, Num(low, high)))


def check_measure(ctx: Context, e: t.Expr, scope: Scope) -> Typed:
    """Check an expression that must be a number, or one of words in order."""
    typed = coerce(check_expression(ctx, e, scope, Num()))
    if isinstance(typed.type, Num) or order_of_words(typed.type):
        return typed
    ctx.unknown_numbers += 1
    report_mismatch(ctx, "a number", typed.type, e.span)
    return Typed(POISON, Num())


def check_rank(ctx: Context, e: t.Expr, scope: Scope, beside: Type) -> Typed:
    """Check a number, or a word where words in order stand beside it; the result always has a number type."""
    order = order_of_words(beside)
    if not order:
        return check_number(ctx, e, scope)
    typed = in_order(coerce(check_expression(ctx, e, scope, beside)), order)
    if order_of_words(typed.type) == order:
        return ranked(typed)
    if is_known(typed.type):
        report_mismatch(ctx, beside, typed.type, e.span)
    return Typed(POISON, Num())


def word_of_rank(typed: Typed, order: tuple[str, ...]) -> Typed:
    """The word with a rank."""
    place = ir.Op("add", (typed.node, ir.Const(1)), typed.node.span, Num(1, len(order)))
    return Typed.of(ir.Op("item", (place, ir.Const(order)), typed.node.span, Word(order, order=order)))
