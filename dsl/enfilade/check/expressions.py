"""Expressions: names to what they mean, types, and the core's nodes.

Binding and typing go together, for a bare word means what the other side of its comparison makes of it.
"""

from __future__ import annotations

from typing import assert_never

from attrs import evolve

from enfilade.check import intervals
from enfilade.check.base import NOTHING, as_list, is_known, list_of, plain, settled
from enfilade.check.names import Names
from enfilade.check.possible import UNCLEAR
from enfilade.check.relations import Relations
from enfilade.check.scope import Element, Scope, Typed
from enfilade.core import ir
from enfilade.core.types import (
    Bool,
    CodeOf,
    EffectOf,
    ListOf,
    MapOf,
    Maybe,
    Nothing,
    Num,
    RecordOf,
    RollOf,
    Type,
    Unknown,
    Word,
    WordSet,
    describe,
)
from enfilade.source.text import Span
from enfilade.syntax import tree as t

_ARITHMETIC = {
    "+": ("add", intervals.add),
    "-": ("subtract", intervals.subtract),
    "*": ("multiply", intervals.multiply),
    "/": ("divide", intervals.divide),
}


class Expressions(Relations, Names):
    """Elaborates expressions."""

    def expr(self, e: t.Expr, scope: Scope, expected: Type | None = None) -> Typed:
        expected = None if expected is None else _sure(expected)
        match e:
            case t.Number():
                return self._number(e, expected)
            case t.Text():
                return self._text(e, expected)
            case t.Constant():
                return self._constant(e)
            case t.Name():
                return self.name(e, scope, expected)
            case t.Each():
                return self.each(e, scope)
            case t.Nth():
                return self._nth(e, scope)
            case t.Hash():
                return self.hash(e, scope)
            case t.OptionRef():
                return self.option(t.Ident(e.name, e.span), e.span)
            case t.Invoke():
                return self.invoke(e, scope)
            case t.FieldOf(of=t.Name(name=name)) if self.is_columns(name, e.of.span, scope):
                return self.columns_part(self.ctx.symbols.columns[name], e.name, e.span, scope)
            case t.FieldOf():
                return self.field_of(self.expr(e.of, scope), e.name, e.span)
            case t.OfEntry():
                return self.of_entry(e, scope)
            case t.ListOf():
                return self._list(e, scope, expected)
            case t.Band():
                return self._range(e, scope)
            case t.Chain():
                return self._chain(e, scope)
            case t.Negative():
                of = self.number(e.of, scope)
                if isinstance(of.node, ir.Const):
                    return Typed.of(ir.Const(-of.node.value, e.span, type=intervals.negate(_num(of))))
                return Typed.of(ir.Op("negative", (of.node,), e.span, type=intervals.negate(_num(of))))
            case t.Rounded():
                of = self.number(e.of, scope)
                how = intervals.rounded_down if e.how == "down" else intervals.rounded
                return Typed.of(ir.Op(f"round {e.how}", (of.node,), e.span, type=how(_num(of))))
            case t.Held():
                return self._held(e, scope)
            case t.Sorted():
                return self._sorted(e, scope)
            case t.ListChange():
                return self._list_change(e, scope)
            case t.OrMore() | t.Property():
                self.ctx.report("syntax", f"`{e.span.text}` stands after `is` only", e.span)
                return NOTHING
            case t.Compared():
                return Typed(self.relation(self.expr(e.left, scope), e.relation, scope, e.span), Bool())
            case t.Quantified():
                return Typed(self._quantified(e, scope), Bool())
            case t.QuantifiedWhere():
                over, element, inner = self.elements(e.over, scope)
                body = self.condition(e.where, inner)
                return Typed.of(ir.Over(e.how, element.slot, over.node, body, span=e.span, type=Bool()))
            case t.Not():
                return Typed.of(ir.Not(self.condition(e.of, scope), e.span))
            case t.And():
                return Typed(self._and(e, scope), Bool())
            case t.Or():
                return self._or(e, scope)
            case t.Conditional():
                return self._conditional(e, scope, expected)
            case t.Filtered():
                over, element, inner = self.elements(e.of, scope)
                body = self.condition(e.where, inner)
                return Typed.of(
                    ir.Over("filter", element.slot, over.node, body, span=e.span, type=list_of(element.type))
                )
            case t.Aggregate():
                return self._aggregate(e, scope, None)
            case t.Extreme():
                return self._extreme(e, scope)
            case t.Item():
                return self._item(e, scope)
            case t.ListOver():
                over, element, inner = self.elements(e.over, scope)
                where = None if e.where is None else self.condition(e.where, inner)
                item = settled(self.expr(e.item, inner))
                type_ = list_of(item.type, 0 if where else _least(over))
                return Typed.of(ir.Over("list", element.slot, over.node, item.node, where, None, e.span, type_))
            case t.MapOver():
                return self._map(e, scope)
            case t.EffectsSoFar():
                if e.name.name not in self.ctx.symbols.effects:
                    self.ctx.unknown("effect", e.name, list(self.ctx.symbols.effects))
                    return NOTHING
                return Typed.of(ir.EffectsSoFar(e.name.name, e.span, type=ListOf(EffectOf(e.name.name))))
            case t.CardsLeft():
                return self._cards_left(e)
            case t.Paren():
                inner_typed = self.expr(e.of, scope, expected)
                return Typed(evolve(inner_typed.node, span=e.span), inner_typed.type)
            case _:
                assert_never(e)

    # -- the three needs --------------------------------------------------------------------------------------

    def condition(self, e: t.Expr, scope: Scope) -> ir.Expr:
        noted = self.ctx.unclear
        typed = self.expr(e, scope)
        if not is_known(typed.type) or self.ctx.unclear > noted:
            return typed.node
        if not isinstance(typed.type, Bool):
            number = isinstance(plain(typed).type, Num)
            help_ = "compare it: `is 3`, `>= 3`" if number else "compare it with `is`, or with `has` for a set"
            self.mismatch("a condition", typed.type, e.span, help_)
        return typed.node

    def number(self, e: t.Expr, scope: Scope) -> Typed:
        typed = plain(self.expr(e, scope))
        if isinstance(typed.type, Num):
            return typed
        self.ctx.unclear += 1
        self.mismatch("a number", typed.type, e.span)
        return Typed(UNCLEAR, Num())

    def listing(self, e: t.Expr, scope: Scope) -> Typed:
        typed = as_list(self.expr(e, scope))
        if isinstance(typed.type, ListOf):
            return typed
        self.mismatch("a list", typed.type, e.span)
        return Typed(UNCLEAR, ListOf(Unknown()))

    def elements(self, e: t.Expr, scope: Scope) -> tuple[Typed, Element, Scope]:
        """A list, its element, and the scope in which the element is at hand."""
        over = self.listing(e, scope)
        assert isinstance(over.type, ListOf)
        if isinstance(over.type.of, Unknown) and over.node != UNCLEAR:
            # To go on without a word would make a program that can't run.
            help_ = "begin it with an element, or with none of a list that has some: `first 0 of LIST`"
            self.ctx.report("type", "this list begins empty, and nothing says what it holds", e.span, help_)
        element = Element(scope.slot("each"), over.type.of)
        return over, element, scope.within(element)

    # -- literals ---------------------------------------------------------------------------------------------

    def _number(self, e: t.Number, expected: Type | None) -> Typed:
        if isinstance(expected, CodeOf):
            return self.code(str(e.value), expected, e.span)
        whole = isinstance(e.value, int)
        return Typed.of(ir.Const(e.value, e.span, type=Num(e.value, e.value, whole)))

    def _text(self, e: t.Text, expected: Type | None) -> Typed:
        if isinstance(expected, CodeOf):
            return self.code(e.value, expected, e.span)
        if expected is not None and e.value in self.words_of(expected):
            return Typed.of(ir.Const(e.value, e.span, type=expected))
        if isinstance(expected, Word):
            self.unknown_word(e.value, expected.words, e.span)
            return NOTHING
        return Typed.of(ir.Const(e.value, e.span, type=Word((e.value,))))

    def _constant(self, e: t.Constant) -> Typed:
        if e.word == "none":
            return Typed.of(ir.Const(None, e.span))
        return Typed.of(ir.Const(e.word == "yes", e.span))

    def _nth(self, e: t.Nth, scope: Scope) -> Typed:
        if scope.nth is None:
            self.ctx.report("misplaced", "`nth` has a meaning in `PLAYER assigns N EFFECT among ...` only", e.span)
            return NOTHING
        return scope.nth

    def _list(self, e: t.ListOf, scope: Scope, expected: Type | None) -> Typed:
        inner = expected.of if isinstance(expected, ListOf) else None
        if isinstance(expected, WordSet):
            inner = Word(expected.words, expected.name)
        items = [plain(self.expr(item, scope, inner)) for item in e.items]
        type_: Type = Unknown() if not items else items[0].type
        for item, tree in zip(items[1:], e.items[1:], strict=True):
            type_ = self.common(type_, item.type, tree.span)
        type_ = list_of(type_, len(items)) if items else ListOf(Unknown())
        return Typed.of(ir.Items(tuple(item.node for item in items), e.span, type_))

    def _range(self, e: t.Band, scope: Scope) -> Typed:
        if e.low is None or e.high is None:
            self.ctx.report("open-range", "a list of numbers needs both ends", e.span)
            return NOTHING
        low, high = self.whole(e.low, scope), self.whole(e.high, scope)
        return Typed.of(ir.Op("range", (low.node, high.node), e.span, ListOf(Num(_num(low).low, _num(high).high))))

    def whole(self, e: t.Expr, scope: Scope) -> Typed:
        """A whole number."""
        typed = self.number(e, scope)
        if not _num(typed).whole:
            self.ctx.report(
                "not-whole",
                "a whole number is needed, and this may be a fraction",
                e.span,
                "say how it is rounded: `rounded down`, `rounded up`",
            )
        return typed

    # -- arithmetic -------------------------------------------------------------------------------------------

    def _chain(self, e: t.Chain, scope: Scope) -> Typed:
        left = self.number(e.first, scope)
        for op, tree in e.rest:
            right = self.number(tree, scope)
            span = e.first.span.to(tree.span)
            if op == "mod":
                left = Typed.of(ir.Op("mod", (left.node, right.node), span, type=_mod(_num(left), _num(right))))
                continue
            name, interval = _ARITHMETIC[op]
            if op == "/" and isinstance(right.node, ir.Const) and right.node.value == 0:
                self.ctx.report("division-by-zero", "nothing can be divided by 0", tree.span)
            left = Typed.of(ir.Op(name, (left.node, right.node), span, type=interval(_num(left), _num(right))))
        return left

    def _held(self, e: t.Held, scope: Scope) -> Typed:
        typed = self.number(e.of, scope)
        if e.low is not None:
            low = self.number(e.low, scope)
            typed = Typed.of(
                ir.Op("at least", (typed.node, low.node), e.span, type=intervals.at_least(_num(typed), _num(low)))
            )
        if e.high is not None:
            high = self.number(e.high, scope)
            typed = Typed.of(
                ir.Op("at most", (typed.node, high.node), e.span, type=intervals.at_most(_num(typed), _num(high)))
            )
        return typed

    # -- choices of value -------------------------------------------------------------------------------------

    def _conditional(self, e: t.Conditional, scope: Scope, expected: Type | None) -> Typed:
        condition = self.condition(e.condition, scope)
        value = settled(self.expr(e.value, scope, expected))
        other = settled(self.expr(e.otherwise, scope, expected or beside(e.otherwise, plain(value).type)))
        return Typed.of(
            ir.If(condition, value.node, other.node, e.span, type=self.common(value.type, other.type, e.span))
        )

    def common(self, a: Type, b: Type, span: Span) -> Type:
        """The type that holds both."""
        if not is_known(a) or not is_known(b):
            return Unknown()
        if a == b:
            return a
        match a, b:
            case (ListOf(Unknown()), ListOf()) | (ListOf(), ListOf(Unknown())):
                # The empty list is of any type.
                of = b.of if isinstance(a.of, Unknown) else a.of
                return ListOf(of, min(a.least, b.least))
            case Num(), Num():
                return intervals.join(a, b)
            case Word(), Word():
                return Word(tuple(dict.fromkeys(a.words + b.words)), a.name)
            case CodeOf(), CodeOf():
                return CodeOf(tuple(dict.fromkeys(a.codes + b.codes)), a.order or b.order)
            case RecordOf(x), RecordOf(y) if x == y:
                return RecordOf(x, a.optional or b.optional)
            case (RecordOf(x), Nothing()) | (Nothing(), RecordOf(x)):
                return RecordOf(x, True)
            case (Num() | Bool() | Word() | CodeOf() as of, Nothing()) | (
                Nothing(),
                Num() | Bool() | Word() | CodeOf() as of,
            ):
                return Maybe(of)
            case (Maybe(), Nothing()):
                return a
            case (Nothing(), Maybe()):
                return b
            case (Maybe(), _) | (_, Maybe()):
                both = self.common(_sure(a), _sure(b), span)
                return Maybe(both) if is_known(both) else both
            case (Word(), CodeOf()) | (CodeOf(), Word()):
                words, codes = (a, b) if isinstance(a, Word) else (b, a)
                assert isinstance(words, Word)
                assert isinstance(codes, CodeOf)
                return CodeOf(tuple(dict.fromkeys(codes.codes + words.words)), codes.order)
            case RollOf(), RollOf():
                return self._either_roll(a, b, span)
            case ListOf(x), ListOf(y):
                return ListOf(self.common(x, y, span), min(a.least, b.least))
        self.ctx.report("type", f"these can't stand for one another: {describe(a)}, and {describe(b)}", span)
        return Unknown()

    def _either_roll(self, a: RollOf, b: RollOf, span: Span) -> Type:
        high = None if a.high is None or b.high is None else max(a.high, b.high)
        total = None if a.total is None or b.total is None else intervals.join(a.total, b.total)
        return RollOf(self.common(a.value, b.value, span), min(a.low, b.low), high, total)

    def _and(self, e: t.And, scope: Scope) -> ir.Expr:
        noted = len(self.ctx.diagnostics)
        items = tuple(self.condition(item, scope) for item in e.items)
        if len(self.ctx.diagnostics) == noted:
            self.doubt(items, e.span)
        return ir.All(items, e.span)

    def _or(self, e: t.Or, scope: Scope) -> Typed:
        first = e.items[0]
        if isinstance(first, t.Aggregate) and first.how in ("highest", "lowest") and len(e.items) == 2:
            return self._aggregate(first, scope, e.items[1])
        return Typed(self.alternatives(e, scope), Bool())

    # -- lists ------------------------------------------------------------------------------------------------

    def _quantified(self, e: t.Quantified, scope: Scope) -> ir.Expr:
        over, element, inner = self.elements(e.over, scope)
        body = self.relation(
            Typed.of(ir.Local(element.slot, e.over.span, type=element.type)), e.relation, inner, e.span
        )
        return ir.Over(e.how, element.slot, over.node, body, span=e.span, type=Bool())

    def _aggregate(self, e: t.Aggregate, scope: Scope, default: t.Expr | None) -> Typed:
        if e.how == "count" and e.over is not None:
            self.ctx.report("syntax", "`count of` counts a list: leave `over` out", e.span)
            return NOTHING
        over, element, inner = self.elements(e.item if e.over is None else e.over, scope)
        where = None if e.where is None else self.condition(e.where, inner)
        if e.how == "count":
            return Typed.of(
                ir.Over("count", element.slot, over.node, ir.Const(1), where, span=e.span, type=Num(0, None))
            )
        body = Typed.of(ir.Local(element.slot, e.item.span, type=element.type))
        if e.over is not None:
            body = self.number(e.item, inner)
        elif not isinstance(element.type, Num):
            self.mismatch("a list of numbers", list_of(element.type), e.item.span)
            return NOTHING
        num = _num(body)
        if e.how == "sum":
            least = 0 if where is not None else _least(over)
            type_ = intervals.of_sum(num, least)
            return Typed.of(ir.Over("sum", element.slot, over.node, body.node, where, None, e.span, type_))
        return self._highest(e, over, element, body, where, default, scope)

    def _highest(
        self,
        e: t.Aggregate,
        over: Typed,
        element: Element,
        body: Typed,
        where: ir.Expr | None,
        default: t.Expr | None,
        scope: Scope,
    ) -> Typed:
        other = None if default is None else self.number(default, scope)
        unsure = is_known(element.type) and (where is not None or _least(over) == 0)
        if other is None and unsure:
            self.ctx.report(
                "empty-list",
                f"this list may be empty, and the {e.how} of nothing has no value",
                e.span,
                "say what it is then, as in `... or 0`",
            )
        type_ = _num(body) if other is None else intervals.join(_num(body), _num(other))
        otherwise = None if other is None else other.node
        return Typed.of(ir.Over(e.how, element.slot, over.node, body.node, where, otherwise, e.span, type_))

    def _sorted(self, e: t.Sorted, scope: Scope) -> Typed:
        over, element, inner = self.elements(e.of, scope)
        key = self._key(e.key, element, inner, e.span)
        assert isinstance(over.type, ListOf)
        type_ = list_of(over.type.of, over.type.least)
        return Typed.of(ir.Sort(element.slot, over.node, key, e.descending, None, e.span, type=type_))

    def _list_change(self, e: t.ListChange, scope: Scope) -> Typed:
        of = self.listing(e.of, scope)
        assert isinstance(of.type, ListOf)
        other = as_list(self.expr(e.items, scope, of.type))
        items = other if isinstance(other.type, ListOf) else plain(self.expr(e.items, scope, of.type.of))
        node = (
            items.node if isinstance(items.type, ListOf) else ir.Items((items.node,), e.items.span, ListOf(items.type))
        )
        inner = items.type.of if isinstance(items.type, ListOf) else items.type
        least = of.type.least if e.how == "followed" else 0
        of_all = inner if isinstance(of.type.of, Unknown) else self.common(of.type.of, inner, e.span)
        return Typed.of(ir.Op(e.how, (of.node, node), e.span, type=ListOf(of_all, least)))

    def _key(self, key: t.Expr | None, element: Element, inner: Scope, span: Span) -> ir.Expr:
        if key is not None:
            return self.number(key, inner).node
        if not isinstance(element.type, (Num, Unknown)):
            self.mismatch("a list of numbers", list_of(element.type), span, "say what they are sorted `by`")
        return ir.Local(element.slot, span, element.type)

    def _extreme(self, e: t.Extreme, scope: Scope) -> Typed:
        count = self.whole(e.count, scope)
        over, element, inner = self.elements(e.of, scope)
        assert isinstance(over.type, ListOf)
        type_ = list_of(over.type.of)
        if e.how in ("first", "last"):
            return Typed.of(ir.Op(e.how, (count.node, over.node), e.span, type=type_))
        key = self._key(e.key, element, inner, e.span)
        return Typed.of(ir.Sort(element.slot, over.node, key, e.how == "highest", count.node, e.span, type=type_))

    def _item(self, e: t.Item, scope: Scope) -> Typed:
        index = self.whole(e.index, scope)
        of = self.listing(e.of, scope)
        assert isinstance(of.type, ListOf)
        return Typed.of(ir.Op("item", (index.node, of.node), e.span, type=of.type.of))

    def _map(self, e: t.MapOver, scope: Scope) -> Typed:
        over, element, inner = self.elements(e.over, scope)
        where = None if e.where is None else self.condition(e.where, inner)
        key, value = plain(self.expr(e.key, inner)), settled(self.expr(e.value, inner))
        type_ = MapOf(key.type, value.type)
        return Typed.of(ir.MapOver(element.slot, over.node, key.node, value.node, where, e.span, type_))

    def _cards_left(self, e: t.CardsLeft) -> Typed:
        deck = self.ctx.decks.get(e.deck.name)
        if deck is None:
            self.ctx.unknown("deck", e.deck, list(self.ctx.decks))
            return NOTHING
        return Typed.of(ir.CardsLeft(deck.name, e.span, type=ListOf(card_type(deck))))


def beside(e: t.Expr, type_: Type) -> Type | None:
    """What a value beside another is expected to be: a quoted text may be a new word."""
    return type_ if isinstance(e, (t.Name, t.Number)) else None


def card_type(deck: ir.Deck) -> Type:
    """What a card of a deck is: a number, or a word."""
    if all(isinstance(card, int) for card in deck.cards):
        return Num(min(deck.cards), max(deck.cards))
    return Word(tuple(dict.fromkeys(str(card) for card in deck.cards)))


def _num(typed: Typed) -> Num:
    return typed.type if isinstance(typed.type, Num) else Num()


def _least(typed: Typed) -> int:
    return typed.type.least if isinstance(typed.type, ListOf) else 0


def _mod(number: Num, divisor: Num) -> Num:
    whole = number.whole and divisor.whole
    if divisor.low is not None and divisor.low > 0 and divisor.high is not None:
        return Num(0, divisor.high - 1 if whole else divisor.high, whole)
    return Num(None, None, whole)


def _sure(type_: Type) -> Type:
    """A type without its ``or none``."""
    return type_.of if isinstance(type_, Maybe) else type_
