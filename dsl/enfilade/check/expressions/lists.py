"""List expressions: literals, ranges, comprehensions, quantifiers, aggregates, sorting, maps."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from enfilade.check.context import Context
from enfilade.check.expressions.comparisons import check_relation
from enfilade.check.expressions.ordered_words import check_measure, check_rank, order_of_words, ranked, word_of_rank
from enfilade.check.expressions.selections import check_where
from enfilade.check.scope import Element, Scope, Typed
from enfilade.check.types.coercions import (
    POISONED,
    as_list,
    coerce,
    coerce_unless_optional,
    least_length,
    number_type,
)
from enfilade.check.types.expected_types import (
    check_elements,
    check_expression,
    check_list,
    check_number,
    check_whole,
)
from enfilade.check.types.narrowing import assuming
from enfilade.check.types.reports import report_mismatch, report_unknown_word
from enfilade.check.types.satisfiability import POISON
from enfilade.check.types.type_relations import common_type, is_assignable, is_known, list_of
from enfilade.core import ir
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values import intervals
from enfilade.values.types import Bool, ListOf, MapOf, Num, Type, Unknown, Word, WordSet, spelled

# A range of more numbers is made when it is needed.
MAX_FOLDED: Final = 1_000
# Words without an order are put in order by a number.
_TOTALS: Final = ("sum", "product")
_BY_NUMBER: Final = "add a number to sort by: `by (1 when each is {} otherwise 0)`"


def check_items(ctx: Context, e: t.ListOf, scope: Scope, expected: Type | None) -> Typed:
    """Check ``[a, b]``."""
    inner = expected.of if isinstance(expected, ListOf) else None
    if isinstance(expected, WordSet):
        inner = Word(expected.words, expected.name)
    if any(isinstance(item, t.Band) for item in e.items):
        return _check_parts(ctx, e, scope, inner)
    items = [coerce(check_expression(ctx, item, scope, inner)) for item in e.items]
    type_: Type = Unknown() if not items else items[0].type
    for item, tree in zip(items[1:], e.items[1:], strict=True):
        type_ = common_type(ctx, type_, item.type, tree.span)
    type_ = list_of(type_, len(items)) if items else ListOf(Unknown())
    return Typed.of(ir.Items(tuple(item.node for item in items), e.span, type_))


def _check_parts(ctx: Context, e: t.ListOf, scope: Scope, inner: Type | None) -> Typed:
    """Check a list with ranges in it: ``[1..3, 6]``."""
    parts: list[Typed] = []
    for item in e.items:
        typed = check_expression(ctx, item, scope, inner)
        if not isinstance(item, t.Band):
            typed = coerce(typed)
            typed = Typed.of(ir.Items((typed.node,), item.span, list_of(typed.type, 1)))
        parts.append(typed)
    joined = parts[0]
    for part in parts[1:]:
        if not isinstance(joined.type, ListOf) or not isinstance(part.type, ListOf):
            return POISONED
        of = common_type(ctx, joined.type.of, part.type.of, e.span)
        type_ = list_of(of, joined.type.least + part.type.least)
        joined = Typed.of(ir.Op("followed", (joined.node, part.node), e.span, type_))
    return Typed(evolve(joined.node, span=e.span), joined.type)


def check_range(ctx: Context, e: t.Band, scope: Scope) -> Typed:
    """Check ``1..6``, used as a list."""
    if e.low is None or e.high is None:
        ctx.report("open-range", "a list of numbers needs a lowest and a highest number", e.span)
        return POISONED
    first = coerce(check_expression(ctx, e.low, scope))
    if isinstance(first.type, Word):
        return _check_word_range(ctx, e, first, scope)
    low, high = check_whole(ctx, e.low, scope), check_whole(ctx, e.high, scope)
    nodes = [end.node for end in (low, high)]
    ends = [node.value for node in nodes if isinstance(node, ir.Const) and isinstance(node.value, int)]
    if len(ends) == 2 and ends[1] - ends[0] < MAX_FOLDED:
        return _constant_range(ctx, ends[0], ends[1], e.span)
    return Typed.of(
        ir.Op("range", (low.node, high.node), e.span, ListOf(Num(number_type(low).low, number_type(high).high)))
    )


def _check_word_range(ctx: Context, e: t.Band, first: Typed, scope: Scope) -> Typed:
    """Check ``regular..veteran``, used as a list."""
    last = coerce(check_expression(ctx, e.high, scope)) if e.high is not None else first
    words = {*first.type.words, *last.type.words} if isinstance(last.type, Word) else set()
    orders = [type_.order for type_ in ctx.words.values() if words and words <= set(type_.order)]
    ends = [typed.node.value for typed in (first, last) if isinstance(typed.node, ir.Const)]
    if len(orders) != 1 or len(ends) != 2:
        help_ = "declare the words in order: `words quality one of green < regular < veteran`"
        ctx.report("type", "a range of words needs two words from one ordered list", e.span, help_)
        return POISONED
    (order,) = orders
    low, high = order.index(ends[0]), order.index(ends[1])
    chosen = order[low : high + 1]
    return Typed.of(ir.Const(chosen, e.span, list_of(Word(chosen, order=order), len(chosen))))


def _constant_range(ctx: Context, low: int, high: int, span: Span) -> Typed:
    if low > high:
        ctx.warn("empty-range", f"the range {low}..{high} contains no number", span, "write the lower end first")
    numbers = tuple(range(low, high + 1))
    return Typed.of(ir.Const(numbers, span, ListOf(Num(min(low, high), high), len(numbers))))


def check_quantified(ctx: Context, e: t.Quantified, scope: Scope) -> ir.Expr:
    """Check ``any of LIST is x``."""
    over, element, inner = check_elements(ctx, e.over, scope)
    body = check_relation(
        ctx, Typed.of(ir.Local(element.slot, e.over.span, type=element.type)), e.relation, inner, e.span
    )
    return ir.Over(e.how, element.slot, over.node, body, span=e.span, type=Bool())


def check_aggregate(ctx: Context, e: t.Aggregate, scope: Scope, default: t.Expr | None) -> Typed:
    """Check ``count of``, ``sum of``, ``product of``, ``highest of`` and ``lowest of`` a list."""
    if e.how == "count" and e.over is not None:
        ctx.report("syntax", "`count of` takes a list and no `over`: delete `over`", e.span)
        return POISONED
    # A count may be compared again with what an earlier condition already told.
    outer = scope.plain() if e.how == "count" else scope
    over, element, _ = check_elements(ctx, e.item if e.over is None else e.over, outer)
    if isinstance(e.item, t.Named) and e.over is None and e.where is None:
        _report_idle_name(ctx, e, e.item, element)
        return POISONED
    inner = scope.within(element)
    where = None if e.where is None else check_where(ctx, e.where, e.span, inner)
    if e.how == "count":
        return Typed.of(ir.Over("count", element.slot, over.node, ir.Const(1), where, span=e.span, type=Num(0, None)))
    body = Typed.of(ir.Local(element.slot, e.item.span, type=element.type))
    inner = assuming(inner, where, True)
    if e.over is not None:
        body = check_number(ctx, e.item, inner) if e.how in _TOTALS else check_measure(ctx, e.item, inner)
    if body.node == POISON:
        return body
    order = () if e.how in _TOTALS else order_of_words(body.type)
    if order:
        highest = _check_highest(ctx, e, over, element, ranked(body), where, default, scope, body.type)
        return word_of_rank(highest, order)
    if e.over is None and not isinstance(element.type, Num):
        report_mismatch(ctx, "a list of numbers", list_of(element.type), e.item.span, *_number_advice(e, element.type))
        return POISONED
    num = number_type(body)
    if e.how in _TOTALS:
        least = 0 if where is not None else least_length(over)
        type_ = intervals.of_sum(num, least) if e.how == "sum" else intervals.of_product(num)
        return Typed.of(ir.Over(e.how, element.slot, over.node, body.node, where, None, e.span, type_))
    return _check_highest(ctx, e, over, element, body, where, default, scope)


def _report_idle_name(ctx: Context, e: t.Aggregate, named: t.Named, element: Element) -> None:
    """Report ``count of ace in hand``, which names the elements and says nothing about them."""
    name, of = named.name.name, named.of.span.text
    message = f"`{name}` names each element of `{of}`, but nothing says which of them are meant"
    of_all = f"write `{e.how} of {of}`"
    is_value = name in element.type.words
    help_ = (
        f"write `{e.how} of {of} where each is {name}`, or, for all of them, `{e.how} of {of}`" if is_value else of_all
    )
    ctx.report("misplaced", message, named.span, help_)


def _check_highest(
    ctx: Context,
    e: t.Aggregate,
    over: Typed,
    element: Element,
    body: Typed,
    where: ir.Expr | None,
    default: t.Expr | None,
    scope: Scope,
    beside: Type | None = None,
) -> Typed:
    """Check the highest or lowest of a list; words in order, with the type *beside*, are given by their ranks."""
    other = None if default is None else check_rank(ctx, default, scope, Num() if beside is None else beside)
    unsure = is_known(element.type) and (where is not None or least_length(over) == 0)
    if other is None and unsure:
        ctx.report(
            "empty-list",
            f"this list may be empty, and then it has no {e.how} value",
            e.span,
            "add a value for this case, such as `... or 0`",
        )
    type_ = number_type(body) if other is None else intervals.join(number_type(body), number_type(other))
    otherwise = None if other is None else other.node
    return Typed.of(ir.Over(e.how, element.slot, over.node, body.node, where, otherwise, e.span, type_))


def check_sorted(ctx: Context, e: t.Sorted, scope: Scope) -> Typed:
    """Check ``LIST sorted by KEY``."""
    over, element, inner = check_elements(ctx, e.of, scope)
    key = _check_key(ctx, e.key, element, inner, e.span)
    assert isinstance(over.type, ListOf)
    type_ = list_of(over.type.of, over.type.least)
    return Typed.of(ir.Sort(element.slot, over.node, key, e.descending, None, e.span, type=type_))


def check_list_change(ctx: Context, e: t.ListChange, scope: Scope) -> Typed:
    """Check ``LIST followed by ITEM`` and ``LIST without ITEM``."""
    of = check_list(ctx, e.of, scope)
    assert isinstance(of.type, ListOf)
    is_one = isinstance(e.items, (t.Name, t.Text, t.Number))
    # The elements of an empty list may be anything, so nothing is expected of the others.
    wanted = None if isinstance(of.type.of, Unknown) else of.type.of if is_one else of.type
    items = as_list(check_expression(ctx, e.items, scope, wanted))
    items = items if isinstance(items.type, ListOf) else coerce(items)
    node = items.node if isinstance(items.type, ListOf) else ir.Items((items.node,), e.items.span, ListOf(items.type))
    inner = items.type.of if isinstance(items.type, ListOf) else items.type
    added = items.type.least if isinstance(items.type, ListOf) else 1
    least = of.type.least + added if e.how == "followed" else 0
    of_all = inner if isinstance(of.type.of, Unknown) else common_type(ctx, of.type.of, inner, e.span)
    return Typed.of(ir.Op(e.how, (of.node, node), e.span, type=ListOf(of_all, least)))


def check_spread(ctx: Context, e: t.Spread, scope: Scope) -> Typed:
    """Check ``kills spread evenly over lives``: the list of all ways, each a list of whole numbers."""
    amount = check_whole(ctx, e.amount, scope)
    over = check_list(ctx, e.over, scope)
    assert isinstance(over.type, ListOf)
    if not isinstance(over.type.of, Unknown) and not (isinstance(over.type.of, Num) and over.type.of.whole):
        report_mismatch(
            ctx,
            "a list of whole numbers",
            over.type,
            e.over.span,
            "list the maximum for each element: `list of lives over units`",
        )
    way = ListOf(Num(0, None), over.type.least)
    return Typed.of(ir.Op("spread", (amount.node, over.node), e.span, type=ListOf(way, 1)))


def check_quota(ctx: Context, e: t.Quota, scope: Scope) -> Typed:
    """Check ``as much as possible of hits from units by steps``: all selections that come nearest to a number."""
    amount = check_number(ctx, e.amount, scope)
    over, element, inner = check_elements(ctx, e.of, scope)
    assert isinstance(over.type, ListOf)
    values, value = over.node, Typed.of(ir.Local(element.slot, type=element.type))
    if e.key is not None:
        value = coerce(check_expression(ctx, e.key, inner))
        values = ir.Over("list", element.slot, over.node, value.node, span=e.key.span, type=ListOf(value.type))
    if not isinstance(value.type, Num | Unknown):
        help_ = "say which number of each element counts: `by steps`"
        report_mismatch(ctx, "a number for each element", value.type, e.span, help_)
    type_ = ListOf(list_of(over.type.of), 1)
    return Typed.of(ir.Op(e.how, (amount.node, over.node, values), e.span, type=type_))


def _number_advice(e: t.Aggregate, type_: Type) -> list[str]:
    """How to count words, or to rank them."""
    if not isinstance(type_, Word) or not type_.words:
        return []
    word = spelled(type_.words[-1])
    counted = f"to count words, write `count of {e.item.span.text} where each is {word}`"
    return [counted] if e.how == "sum" else [_BY_NUMBER.format(word)]


def _check_key(ctx: Context, key: t.Expr | None, element: Element, inner: Scope, span: Span) -> ir.Expr:
    if key is not None:
        return ranked(check_measure(ctx, key, inner)).node
    if order_of_words(element.type):
        return ranked(Typed.of(ir.Local(element.slot, span, element.type))).node
    if not isinstance(element.type, (Num, Unknown)):
        help_ = "add `by` and a number to sort by"
        if isinstance(element.type, Word):
            help_ = _BY_NUMBER.format(spelled(element.type.words[-1]))
        report_mismatch(ctx, "a list of numbers", list_of(element.type), span, help_)
    return ir.Local(element.slot, span, element.type)


def check_extreme(ctx: Context, e: t.Extreme, scope: Scope, default: t.Expr | None = None) -> Typed:
    """Check ``highest 2 of LIST``, ``first 2 of LIST``, and ``highest of LIST by VALUE or DEFAULT``."""
    count = Typed.of(ir.Const(1)) if e.count is None else check_whole(ctx, e.count, scope)
    over, element, inner = check_elements(ctx, e.of, scope)
    assert isinstance(over.type, ListOf)
    type_ = list_of(over.type.of)
    if e.how in ("first", "last"):
        return Typed.of(ir.Op(e.how, (count.node, over.node), e.span, type=type_))
    key = _check_key(ctx, e.key, element, inner, e.span)
    best = ir.Sort(element.slot, over.node, key, e.how == "highest", count.node, e.span, type=type_)
    if e.count is not None:
        return Typed.of(best)
    found = Typed.of(ir.Op("item", (count.node, best), e.span, type=over.type.of))
    return found if default is None else _or_default(ctx, found, over, default, scope)


def _or_default(ctx: Context, found: Typed, over: Typed, default: t.Expr, scope: Scope) -> Typed:
    """The element that was found, or a default if the list is empty."""
    other = coerce_unless_optional(check_expression(ctx, default, scope, found.type))
    type_ = common_type(ctx, found.type, other.type, default.span)
    has_any = ir.Op("is not", (over.node, ir.Items((), type=over.type)), default.span, Bool())
    return Typed.of(ir.If(has_any, found.node, other.node, found.node.span, type_))


def check_item(ctx: Context, e: t.Item, scope: Scope) -> Typed:
    """Check ``item 2 of LIST``."""
    index = check_whole(ctx, e.index, scope)
    if isinstance(index.type, Num) and index.type.high is not None and index.type.high < 1:
        ctx.report("empty-list", f"there is no item {index.type.high}: items are counted from 1", e.index.span)
    of = check_list(ctx, e.of, scope)
    assert isinstance(of.type, ListOf)
    return Typed.of(ir.Op("item", (index.node, of.node), e.span, type=of.type.of))


def check_map(ctx: Context, e: t.MapOver, scope: Scope) -> Typed:
    """Check ``map of unit to steps over units``."""
    over, element, inner = check_elements(ctx, e.over, scope)
    where = None if e.where is None else check_where(ctx, e.where, e.span, inner)
    inner = assuming(inner, where, True)
    key, value = (
        coerce(check_expression(ctx, e.key, inner)),
        coerce_unless_optional(check_expression(ctx, e.value, inner)),
    )
    type_ = MapOf(key.type, value.type)
    return Typed.of(ir.MapOver(element.slot, over.node, key.node, value.node, where, e.span, type_))


def check_map_literal(ctx: Context, e: t.MapLiteral, scope: Scope, expected: Type | None) -> Typed:
    """Check ``(hull 3, warp 4)``: the expected map says which words it needs, and what each may be."""
    given: dict[str, Typed] = {}
    noted = len(ctx.diagnostics)
    wanted = expected if isinstance(expected, MapOf) else None
    words = () if wanted is None else wanted.key.words
    for entry in e.entries:
        name = entry.key.name
        if name in given:
            ctx.report("duplicate-name", f"`{name}` has two values", entry.key.span)
        if wanted is not None and name not in words:
            report_unknown_word(ctx, name, words, entry.key.span)
        value = check_expression(ctx, entry.value, scope, None if wanted is None else wanted.value)
        if wanted is not None and not is_assignable(value.type, wanted.value):
            report_mismatch(ctx, wanted.value, value.type, entry.value.span)
        given[name] = value
    missing = [word for word in words if word not in given]
    if missing and len(ctx.diagnostics) == noted:
        ctx.report("type", f"this map has no value for {', '.join(missing)}", e.span, "give every word a value")
    if len(ctx.diagnostics) > noted:
        return POISONED
    order = tuple(word for word in words if word in given) if wanted is not None else tuple(given)
    type_ = wanted or MapOf(Word(order), _common_value(ctx, e, given))
    return Typed.of(ir.Op("map", (ir.Const(order), *(given[word].node for word in order)), e.span, type=type_))


def _common_value(ctx: Context, e: t.MapLiteral, given: dict[str, Typed]) -> Type:
    type_: Type | None = None
    for entry in e.entries:
        value = given[entry.key.name].type
        type_ = value if type_ is None else common_type(ctx, type_, value, entry.value.span)
    return type_ or Unknown()
