"""Comparisons, and the bare words that follow them: ``kind is not wagon or leader``."""

from __future__ import annotations

from enfilade.check.base import BARE, Base, as_list, is_known, plain
from enfilade.check.possible import UNCLEAR
from enfilade.check.scope import Scope, Typed
from enfilade.core import ir
from enfilade.core.types import (
    Bool,
    CodeOf,
    Label,
    ListOf,
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

_ORDER = ("<", "<=", ">", ">=")


class Relations(Base):
    """Elaborates comparisons and ``or``."""

    def relation(self, left: Typed, r: t.Relation, scope: Scope, span: Span) -> ir.Expr:
        """``left is not target``, ``left >= target``, ``left has target``."""
        if isinstance(left.type, Unknown):
            return UNCLEAR
        if r.op == "has":
            return self._has(left, r, scope, span)
        if r.op in _ORDER:
            return self._ordered(left, r, scope, span)
        node = self._is(left, r.target, scope, span)
        if r.op == "is":
            return node
        if isinstance(node, ir.Op) and node.name == "is":
            return ir.Op("is not", node.args, span, Bool())
        return ir.Not(node, span)

    def _has(self, left: Typed, r: t.Relation, scope: Scope, span: Span) -> ir.Expr:
        left = as_list(left)
        if not isinstance(left.type, (WordSet, ListOf)):
            self.mismatch("a set or a list", left.type, span, "use `is` for a single value")
            return UNCLEAR
        inner: Type = Word(left.type.words, left.type.name) if isinstance(left.type, WordSet) else left.type.of
        if not is_known(inner):
            if left.node != UNCLEAR:
                help_ = "begin it with an element, or with none of a list that has some: `first 0 of LIST`"
                self.ctx.report("type", "this list begins empty, and nothing says what it holds", span, help_)
            return UNCLEAR
        item = plain(self.expr(r.target, scope, inner))
        if not self.fits(item.type, inner):
            self.mismatch(describe(inner), item.type, r.target.span)
        return ir.Op("has", (left.node, item.node), span, Bool())

    def _ordered(self, left: Typed, r: t.Relation, scope: Scope, span: Span) -> ir.Expr:
        value = plain(left)
        if not isinstance(value.type, Num):
            help_ = "codes are compared with `or worse`, `or better`" if isinstance(value.type, CodeOf) else "use `is`"
            self.mismatch("a number", value.type, span, help_)
            return UNCLEAR
        right = self.number(r.target, scope)
        assert isinstance(right.type, Num)
        low, high = right.type.low, right.type.high
        reach = {
            "<": Num(None, None if high is None else high - 1 if value.type.whole and right.type.whole else high),
            "<=": Num(None, high),
            ">": Num(None if low is None else low + 1 if value.type.whole and right.type.whole else low, None),
            ">=": Num(low, None),
        }
        self._doubt_number(value.type, reach[r.op], span)
        return ir.Op(r.op, (value.node, right.node), span, Bool())

    def _doubt_number(self, value: Num, wanted: Num, span: Span) -> None:
        """Warn where a number is never in the range that is asked for."""
        below = value.high is not None and wanted.low is not None and value.high < wanted.low
        above = value.low is not None and wanted.high is not None and value.low > wanted.high
        if below or above:
            self.ctx.warn("never-holds", "this can never hold", span, f"the number is {describe(value)}")

    def _is(self, left: Typed, target: t.Expr, scope: Scope, span: Span) -> ir.Expr:
        match target:
            case t.Band():
                return self._band(left, target, scope, span)
            case t.OrMore():
                return self._or_more(left, target, scope, span)
            case t.Property():
                return self._property(left, target, span)
        if isinstance(left.type, Maybe) and isinstance(target, t.Constant) and target.word == "none":
            return ir.Op("is", (left.node, ir.Const(None, target.span)), span, Bool())
        value = plain(left)
        right = plain(self.expr(target, scope, value.type))
        if isinstance(right.type, Unknown):
            return UNCLEAR
        if not self.comparable(value.type, right.type):
            help_ = "use `has` for a set" if isinstance(value.type, WordSet) else "the two can never be equal"
            other = f"`{right.node.value}`" if isinstance(right.node, ir.Const) else describe(right.type)
            self.ctx.report("type", f"{describe(value.type)} is compared with {other}", span, help_)
        elif isinstance(value.type, Num) and isinstance(right.type, Num):
            self._doubt_number(value.type, right.type, span)
        return ir.Op("is", (value.node, right.node), span, Bool())

    def comparable(self, a: Type, b: Type) -> bool:
        """Whether values of two types can be equal."""
        match a, b:
            case _ if not is_known(a) or not is_known(b):
                return True
            case (RecordOf(optional=True) | Label(), Nothing()) | (Nothing(), RecordOf(optional=True) | Label()):
                return True
            case (Label(), CodeOf() | Word()) | (CodeOf() | Word(), Label()):
                return True
            case Word(), Word():
                return bool(set(a.words) & set(b.words))
            case RecordOf(x), RecordOf(y):
                return x == y
            case (CodeOf(), CodeOf()) | (Num(), Num()) | (Bool(), Bool()) | (ListOf(), ListOf()) | (Label(), Label()):
                return True
        return False

    def _band(self, left: Typed, band: t.Band, scope: Scope, span: Span) -> ir.Expr:
        value = plain(left)
        if not isinstance(value.type, Num):
            self.mismatch("a number", value.type, span)
            return UNCLEAR
        low, high = (None if end is None else self.number(end, scope) for end in (band.low, band.high))
        first = low.type.low if low is not None and isinstance(low.type, Num) else None
        last = high.type.high if high is not None and isinstance(high.type, Num) else None
        if isinstance(band.low, t.Number) and isinstance(band.high, t.Number) and band.low.value > band.high.value:
            text = f"{band.low.value}..{band.high.value}"
            self.ctx.report("empty-range", f"there is no number in {text}", band.span, "write the lower end first")
        else:
            self._doubt_number(value.type, Num(first, last), span)
        ends = [ir.Const(None) if end is None else end.node for end in (low, high)]
        return ir.Op("within", (value.node, *ends), span, Bool())

    def _or_more(self, left: Typed, target: t.OrMore, scope: Scope, span: Span) -> ir.Expr:
        value = plain(left)
        if target.way in ("more", "less"):
            if not isinstance(value.type, Num):
                help_ = "codes are compared with `or worse`, `or better`" if isinstance(value.type, CodeOf) else ""
                self.mismatch("a number", value.type, span, *([help_] if help_ else []))
                return UNCLEAR
            limit = self.number(target.of, scope)
            assert isinstance(limit.type, Num)
            more = target.way == "more"
            self._doubt_number(value.type, Num(limit.type.low, None) if more else Num(None, limit.type.high), span)
            return ir.Op(">=" if target.way == "more" else "<=", (value.node, limit.node), span, Bool())
        if not isinstance(value.type, CodeOf):
            self.mismatch("a result code", value.type, span, "numbers are compared with `or more`, `or less`")
            return UNCLEAR
        code = self.expr(target.of, scope, value.type)
        return self._severity(value, code, target, span)

    def _severity(self, value: Typed, code: Typed, target: t.OrMore, span: Span) -> ir.Expr:
        assert isinstance(value.type, CodeOf)
        if isinstance(code.type, Unknown):
            return UNCLEAR
        order = value.type.order
        if not order:
            self.ctx.report("no-severity", "the chart has no `severity` line, so that nothing is worse or better", span)
            return UNCLEAR
        if isinstance(code.node, ir.Const) and code.node.value not in order:
            self.ctx.report("no-severity", f"`{code.node.value}` stands outside the chart's severity", target.of.span)
            return UNCLEAR
        op = "as severe" if target.way == "worse" else "as mild"
        return ir.Op(op, (ir.Const(order), value.node, code.node), span, Bool())

    def _property(self, left: Typed, target: t.Property, span: Span) -> ir.Expr:
        if target.name == "doubles":
            if not isinstance(left.type, RollOf):
                self.mismatch("a roll", left.type, span)
                return UNCLEAR
            return ir.Op("doubles", (left.node,), span, Bool())
        value = plain(left)
        if not isinstance(value.type, Num):
            self.mismatch("a number", value.type, span)
            return UNCLEAR
        return ir.Op(target.name, (value.node,), span, Bool())

    # -- or ---------------------------------------------------------------------------------------------------

    def alternatives(self, e: t.Or, scope: Scope) -> ir.Expr:
        """``a or b``, where a bare word goes with the comparison before it.

        ``night and kind is not wagon or leader and steps > 0`` is three conditions: the word joins the comparison
        just before it, and what follows goes on from there.
        """
        groups: list[list[t.Expr]] = []
        for item in e.items:
            parts: list[t.Expr] = list(item.items) if isinstance(item, t.And) else [item]
            if groups and self._belongs(groups[-1][-1], parts[0], scope):
                groups[-1][-1] = _joined(groups[-1][-1], parts[0])
                groups[-1] += parts[1:]
            else:
                groups.append(parts)
        nodes = [self._group(group, scope) for group in groups]
        return nodes[0] if len(nodes) == 1 else ir.Any_(tuple(nodes), e.span)

    def _belongs(self, before: t.Expr, word: t.Expr, scope: Scope) -> bool:
        before = before.items[0] if isinstance(before, _Several) else before
        if not isinstance(word, BARE) or not isinstance(before, (t.Compared, t.Quantified)):
            return False
        if before.relation.op not in ("is", "is not", "has"):
            return False
        return not isinstance(word, t.Name) or self._is_value(before, word, scope)

    def _is_value(self, before: t.Compared | t.Quantified, word: t.Name, scope: Scope) -> bool:
        """Whether a name after ``or`` is a value of the comparison before it, and not a condition of its own."""
        silent = len(self.ctx.diagnostics)
        left = plain(self.expr(before.left if isinstance(before, t.Compared) else before.over, scope)).type
        del self.ctx.diagnostics[silent:]
        if word.name in self.words_of(left):
            return True
        found = self.lookup(word.name, word.span, scope)
        del self.ctx.diagnostics[silent:]
        return found is None or (isinstance(left, Bool) or not isinstance(found.type, Bool))

    def _group(self, group: list[t.Expr], scope: Scope) -> ir.Expr:
        noted = len(self.ctx.diagnostics)
        nodes = [
            self._several(item, scope) if isinstance(item, _Several) else self.condition(item, scope) for item in group
        ]
        if len(nodes) == 1:
            return nodes[0]
        span = group[0].span.to(group[-1].span)
        if len(self.ctx.diagnostics) == noted:
            self.doubt(nodes, span)
        return ir.All(tuple(nodes), span)

    def _several(self, several: _Several, scope: Scope) -> ir.Expr:
        nodes = tuple(self.condition(item, scope) for item in several.items)
        first = several.items[0]
        assert isinstance(first, (t.Compared, t.Quantified))
        if first.relation.op == "is not" and not (isinstance(first, t.Quantified) and first.how != "all"):
            return ir.All(nodes, several.span)
        return ir.Any_(nodes, several.span)


class _Several(t.Or):
    """A comparison with the words that joined it; lives within one call only."""


def _joined(before: t.Expr, word: t.Expr) -> t.Expr:
    items = before.items if isinstance(before, _Several) else (before,)
    first = items[0]
    assert isinstance(first, (t.Compared, t.Quantified))
    relation = t.Relation(first.relation.op, word, word.span)
    span = first.span.to(word.span)
    more: t.Expr
    if isinstance(first, t.Compared):
        more = t.Compared(first.left, relation, span)
    else:
        more = t.Quantified(first.how, first.over, relation, span)
    return _Several((*items, more), span)
