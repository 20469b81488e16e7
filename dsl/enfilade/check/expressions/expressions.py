"""Type inference for expressions: the dispatch over every kind of expression, and literals.

Name resolution and typing go together, because the meaning of a bare word depends on the other side of its
comparison. Each result is a node of the core with its type.
"""

from __future__ import annotations

from typing import Final, assert_never

from attrs import evolve

from enfilade.check.context import Context
from enfilade.check.expressions.alternatives import check_alternatives
from enfilade.check.expressions.arithmetic import check_bounded, check_chain
from enfilade.check.expressions.calls import check_invocation
from enfilade.check.expressions.comparisons import check_relation
from enfilade.check.expressions.decks import cards_left, named_decks
from enfilade.check.expressions.event_reasons import check_event_reason, is_event
from enfilade.check.expressions.fallbacks import check_fallback
from enfilade.check.expressions.fields import check_field
from enfilade.check.expressions.lists import (
    check_aggregate,
    check_extreme,
    check_item,
    check_items,
    check_list_change,
    check_map,
    check_map_literal,
    check_quantified,
    check_quota,
    check_range,
    check_sorted,
    check_spread,
)
from enfilade.check.expressions.names import (
    check_each,
    check_entry,
    check_hash,
    check_name,
    check_option,
    check_part_of,
    check_words,
    is_columns,
    is_field_of_hidden_fact,
)
from enfilade.check.expressions.selections import check_where
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import (
    PENDING,
    POISONED,
    coerce,
    coerce_unless_optional,
    least_length,
    number_type,
)
from enfilade.check.types.expected_types import (
    check_code,
    check_condition,
    check_elements,
    check_expression,
    check_in_turn,
    check_number,
    expected_beside,
)
from enfilade.check.types.narrowing import assuming
from enfilade.check.types.reports import report_unknown_word, warn_if_unsatisfiable
from enfilade.check.types.type_relations import common_type, is_pending, list_of, without_none
from enfilade.core import ir
from enfilade.limits import check_time
from enfilade.syntax import tree as t
from enfilade.values import intervals
from enfilade.values.types import Bool, CodeOf, EffectOf, ListOf, Num, RecordOf, Type, Word

# Their types are known if a part has a type that a later check of a recursive procedure finds.
_KNOWN_FROM_OTHERS: Final = (t.Conditional, t.Or, t.And, t.Not, t.Compared, t.Quantified, t.QuantifiedWhere)


def check_any_expression(ctx: Context, e: t.Expr, scope: Scope, expected: Type | None = None) -> Typed:
    """Infer the type of an expression; see `expected_types.check_expression`."""
    check_time()
    noted = ctx.pending
    typed = scope.narrowed(_check_expression(ctx, e, scope, None if expected is None else without_none(expected)))
    if is_pending(typed.type):
        ctx.pending += 1
    elif ctx.pending > noted and isinstance(e, _KNOWN_FROM_OTHERS):
        ctx.pending = noted
    return PENDING if ctx.pending > noted else typed


def _check_expression(ctx: Context, e: t.Expr, scope: Scope, expected: Type | None) -> Typed:
    match e:
        case t.Number():
            return _check_number(ctx, e, expected)
        case t.Text():
            return _check_text(ctx, e, scope, expected)
        case t.Constant():
            return _check_constant(e)
        case t.Name():
            return check_name(ctx, e, scope, expected)
        case t.Each():
            return check_each(ctx, e, scope)
        case t.Nth():
            return _check_nth(ctx, e, scope)
        case t.Hash():
            return check_hash(ctx, e, scope)
        case t.OptionRef():
            return check_option(ctx, t.Ident(e.name, e.span), e.span)
        case t.Invoke():
            return check_invocation(ctx, e, scope)
        case t.FieldOf(of=t.Name(name=name)) if is_columns(ctx, name, e.of.span, scope):
            return ctx.passes.part_of_columns(ctx, ctx.symbols.columns[name], e.name, e.span, scope)
        case t.FieldOf(of=t.Name(name=name)) if is_event(ctx, name, e.of.span, scope):
            return check_event_reason(ctx, name, e.name, e.span)
        case t.FieldOf() if is_field_of_hidden_fact(ctx, e, scope):
            return POISONED
        case t.FieldOf():
            return check_field(ctx, check_expression(ctx, e.of, scope), e.name, e.span)
        case t.OfEntry():
            return check_entry(ctx, e, scope)
        case t.PartOf():
            return check_part_of(ctx, e, scope)
        case t.MapLiteral():
            return check_map_literal(ctx, e, scope, expected)
        case t.ListOf():
            return check_items(ctx, e, scope, expected)
        case t.WordsRef():
            return check_words(ctx, e.name)
        case t.Named():
            return check_expression(ctx, e.of, scope, expected)
        case t.Band():
            return check_range(ctx, e, scope)
        case t.Chain():
            return check_chain(ctx, e, scope)
        case t.Negative():
            of = check_number(ctx, e.of, scope)
            if isinstance(of.node, ir.Const) and of.node.value is not None:
                return Typed.of(ir.Const(-of.node.value, e.span, type=intervals.negate(number_type(of))))
            return Typed.of(ir.Op("negative", (of.node,), e.span, type=intervals.negate(number_type(of))))
        case t.Rounded():
            of = check_number(ctx, e.of, scope)
            how = intervals.rounded_down if e.how == "down" else intervals.rounded
            return Typed.of(ir.Op(f"round {e.how}", (of.node,), e.span, type=how(number_type(of))))
        case t.Held():
            return check_bounded(ctx, e, scope)
        case t.Sorted():
            return check_sorted(ctx, e, scope)
        case t.Spread():
            return check_spread(ctx, e, scope)
        case t.ListChange():
            return check_list_change(ctx, e, scope)
        case t.OrMore() | t.Property():
            ctx.report("syntax", f"`{e.span.text}` is possible only after `is`", e.span)
            return POISONED
        case t.Compared():
            return Typed(check_relation(ctx, _check_left(ctx, e, scope), e.relation, scope, e.span), Bool())
        case t.Quantified():
            return Typed(check_quantified(ctx, e, scope), Bool())
        case t.QuantifiedWhere():
            over, element, inner = check_elements(ctx, e.over, scope)
            body = check_where(ctx, e.where, e.span, inner)
            return Typed.of(ir.Over(e.how, element.slot, over.node, body, span=e.span, type=Bool()))
        case t.Not():
            return Typed.of(ir.Not(check_condition(ctx, e.of, scope), e.span))
        case t.And():
            return Typed(_check_and(ctx, e, scope), Bool())
        case t.Or():
            return _check_or(ctx, e, scope)
        case t.Conditional():
            return _check_conditional(ctx, e, scope, expected)
        case t.Filtered():
            over, element, inner = check_elements(ctx, e.of, scope)
            body = check_where(ctx, e.where, e.span, inner)
            return Typed.of(ir.Over("filter", element.slot, over.node, body, span=e.span, type=list_of(element.type)))
        case t.Aggregate():
            return check_aggregate(ctx, e, scope, None)
        case t.Extreme():
            return check_extreme(ctx, e, scope)
        case t.Item():
            return check_item(ctx, e, scope)
        case t.Quota():
            return check_quota(ctx, e, scope)
        case t.ListOver():
            over, element, inner = check_elements(ctx, e.over, scope)
            where = None if e.where is None else check_where(ctx, e.where, e.span, inner)
            item = coerce_unless_optional(check_expression(ctx, e.item, assuming(inner, where, True)))
            type_ = list_of(item.type, 0 if where else least_length(over))
            return Typed.of(ir.Over("list", element.slot, over.node, item.node, where, None, e.span, type_))
        case t.MapOver():
            return check_map(ctx, e, scope)
        case t.EffectsSoFar():
            if e.name.name not in ctx.symbols.effects:
                ctx.unknown("effect", e.name, list(ctx.symbols.effects))
                return POISONED
            return Typed.of(ir.EffectsSoFar(e.name.name, e.span, type=ListOf(EffectOf(e.name.name))))
        case t.CardsLeft():
            return _check_cards_left(ctx, e, scope)
        case t.Paren():
            inner_typed = check_expression(ctx, e.of, scope, expected)
            return Typed(evolve(inner_typed.node, span=e.span), inner_typed.type)
        case _:
            assert_never(e)


def _check_number(ctx: Context, e: t.Number, expected: Type | None) -> Typed:
    if isinstance(expected, CodeOf):
        return check_code(ctx, str(e.value), expected, e.span)
    if isinstance(expected, Word) and str(e.value) in expected.words:
        # A card that is named by a number.
        return Typed.of(ir.Const(str(e.value), e.span, type=expected))
    whole = isinstance(e.value, int)
    return Typed.of(ir.Const(e.value, e.span, type=Num(e.value, e.value, whole)))


def _check_text(ctx: Context, e: t.Text, scope: Scope, expected: Type | None) -> Typed:
    record = scope.locals.get(e.value)
    if isinstance(expected, RecordOf) and record is not None and isinstance(record.node, ir.Const):
        # A question or an example names a record by its key, which may be a keyword.
        return record
    if isinstance(expected, CodeOf):
        return check_code(ctx, e.value, expected, e.span)
    if expected is not None and e.value in expected.words:
        return Typed.of(ir.Const(e.value, e.span, type=expected))
    if isinstance(expected, Word) and not expected.open:
        report_unknown_word(ctx, e.value, expected.words, e.span)
        return POISONED
    return Typed.of(ir.Const(e.value, e.span, type=Word((e.value,), open=True)))


def _check_constant(e: t.Constant) -> Typed:
    if e.word == "none":
        return Typed.of(ir.Const(None, e.span))
    return Typed.of(ir.Const(e.word == "yes", e.span))


def _check_nth(ctx: Context, e: t.Nth, scope: Scope) -> Typed:
    if scope.nth is None:
        ctx.report("misplaced", "`nth` is possible only in `PLAYER assigns N EFFECT among ...`", e.span)
        return POISONED
    return scope.nth


def _check_left(ctx: Context, e: t.Compared, scope: Scope) -> Typed:
    """Check what is compared; a comparison may ask again for what an earlier condition already told."""
    left = _check_expression(ctx, e.left, scope, None)
    return left if e.relation.op in ("is", "is not", "has") else scope.narrowed(left)


def _check_conditional(ctx: Context, e: t.Conditional, scope: Scope, expected: Type | None) -> Typed:
    condition = check_condition(ctx, e.condition, scope)
    inner, outer = (assuming(scope, condition, holds) for holds in (True, False))
    value = coerce_unless_optional(check_expression(ctx, e.value, inner, expected))
    beside = expected or expected_beside(ctx, e.otherwise, coerce(value).type)
    other = coerce_unless_optional(check_expression(ctx, e.otherwise, outer, beside))
    return Typed.of(
        ir.If(condition, value.node, other.node, e.span, type=common_type(ctx, value.type, other.type, e.span))
    )


def _check_and(ctx: Context, e: t.And, scope: Scope) -> ir.Expr:
    noted = len(ctx.diagnostics)
    items = check_in_turn(ctx, e.items, scope)
    if len(ctx.diagnostics) == noted:
        warn_if_unsatisfiable(ctx, items, e.span)
    return ir.All(items, e.span)


def _check_or(ctx: Context, e: t.Or, scope: Scope) -> Typed:
    first = e.items[0]
    if isinstance(first, t.Aggregate) and first.how in ("highest", "lowest") and len(e.items) == 2:
        return check_aggregate(ctx, first, scope, e.items[1])
    if isinstance(first, t.Extreme) and first.count is None and len(e.items) == 2:
        return check_extreme(ctx, first, scope, e.items[1])
    fallback = check_fallback(ctx, e, scope)
    return Typed(check_alternatives(ctx, e, scope), Bool()) if fallback is None else fallback


def _check_cards_left(ctx: Context, e: t.CardsLeft, scope: Scope) -> Typed:
    named = named_decks(ctx, e.deck, scope)
    return named.value(lambda deck: cards_left(ctx, deck, e.span).node) if named.decks else POISONED
