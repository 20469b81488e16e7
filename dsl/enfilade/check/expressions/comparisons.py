"""Comparisons: `is`, `has`, `>=`, `within`, `or more`, `or worse`, `even`, `doubles`."""

from __future__ import annotations

from attrs import evolve

from enfilade.check.context import Context
from enfilade.check.expressions.names import look_up
from enfilade.check.expressions.ordered_words import check_rank, in_order, order_of_words, ranked
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import as_list, coerce, coerce_unless_optional
from enfilade.check.types.expected_types import check_expression, may_be_empty, report_empty_cell
from enfilade.check.types.reports import report_mismatch
from enfilade.check.types.satisfiability import POISON
from enfilade.check.types.type_relations import is_assignable, is_comparable, is_known
from enfilade.core import ir
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.types import (
    Bool,
    CodeOf,
    Either,
    Label,
    Listed,
    ListOf,
    MapOf,
    Maybe,
    Num,
    RollOf,
    Type,
    Unknown,
    Word,
    WordSet,
    describe,
    with_article,
)

_MOST_CODES = 8
_HOW_ORDERED = "to put words in order, declare them with `<`: `one of low < high`"
_ORDER = ("<", "<=", ">", ">=")


def check_relation(ctx: Context, left: Typed, r: t.Relation, scope: Scope, span: Span) -> ir.Expr:
    """Check ``left is not target``, ``left >= target``, ``left has target``."""
    if isinstance(left.type, Unknown):
        return POISON
    if isinstance(coerce(left).type, Either) and not (isinstance(r.target, t.Constant) and r.target.word == "none"):
        return _check_either(ctx, coerce(left), r, scope, span)
    if r.op == "has":
        return _check_has(ctx, left, r, scope, span)
    if r.op in _ORDER:
        return _check_order(ctx, left, r, scope, span)
    node = _check_equality(ctx, left, r.target, scope, span)
    if r.op == "is":
        return node
    if isinstance(node, ir.Op) and node.name == "is":
        return ir.Op("is not", node.args, span, Bool())
    return ir.Not(node, span)


def _check_either(ctx: Context, value: Typed, r: t.Relation, scope: Scope, span: Span) -> ir.Expr:
    """Compare an output that is a number or a word: a comparison of numbers is false for a word."""
    assert isinstance(value.type, Either)
    words = value.type.words
    is_word = ir.Op("has", (ir.Const(words, span, ListOf(value.type.word)), value.node), span, Bool())
    match r.target:
        case t.OrMore(way="worse" | "better"):
            return check_relation(ctx, Typed(value.node, value.type.word), r, scope, span)
        case t.Band() | t.OrMore() | t.Property():
            number = Typed(value.node, value.type.number)
            compared = check_relation(ctx, number, evolve(r, op="is"), scope, span)
            both = ir.All((ir.Not(is_word, span), compared), span)
            return ir.Not(both, span) if r.op == "is not" else both
    if r.op in _ORDER:
        compared = check_relation(ctx, Typed(value.node, value.type.number), r, scope, span)
        return ir.All((ir.Not(is_word, span), compared), span)
    right = coerce(check_expression(ctx, r.target, scope, value.type.word))
    side = value.type.number if isinstance(right.type, Num) else value.type.word
    if r.op == "has" or not is_comparable(side, right.type):
        report_mismatch(ctx, value.type, right.type, r.target.span)
        return POISON
    return ir.Op(r.op, (value.node, right.node), span, Bool())


def _check_has(ctx: Context, left: Typed, r: t.Relation, scope: Scope, span: Span) -> ir.Expr:
    left = as_list(left)
    if not isinstance(left.type, (WordSet, ListOf)):
        report_mismatch(ctx, "a set or a list", left.type, span, "use `is` for a single value")
        return POISON
    inner: Type = Word(left.type.words, left.type.name) if isinstance(left.type, WordSet) else left.type.of
    if not is_known(inner):
        if left.node != POISON:
            help_ = "write at least one element, or `first 0 of LIST` for an empty list of the same type as LIST"
            ctx.report("type", "this list starts empty, so the type of its elements is unknown", span, help_)
        return POISON
    item = coerce(check_expression(ctx, r.target, scope, inner))
    if not is_assignable(item.type, inner):
        report_mismatch(ctx, inner, item.type, r.target.span)
    return ir.Op("has", (left.node, item.node), span, Bool())


def _check_order(ctx: Context, left: Typed, r: t.Relation, scope: Scope, span: Span) -> ir.Expr:
    beside = _beside_order(ctx, coerce(left), r.target, scope)
    value = ranked(beside)
    if may_be_empty(value):
        report_empty_cell(ctx, value, span)
        return POISON
    if not isinstance(value.type, Num):
        help_ = "use `is`"
        if isinstance(value.type, CodeOf):
            codes = ", ".join(value.type.codes[:_MOST_CODES])
            help_ = f"its codes are {codes}: write `is CODE`, `is CODE or worse` or `or better`"
        if isinstance(value.type, Label):
            help_ = "compare the number of the column: `.column_number`"
        helps = (help_, _HOW_ORDERED) if isinstance(value.type, Word) else (help_,)
        report_mismatch(ctx, "a number", value.type, span, *helps)
        return POISON
    right = check_rank(ctx, r.target, scope, beside.type)
    assert isinstance(right.type, Num)
    low, high = right.type.low, right.type.high
    reach = {
        "<": Num(None, None if high is None else high - 1 if value.type.whole and right.type.whole else high),
        "<=": Num(None, high),
        ">": Num(None if low is None else low + 1 if value.type.whole and right.type.whole else low, None),
        ">=": Num(low, None),
    }
    if not _warn_of_count(ctx, value, reach[r.op], r.op, r.target, span):
        _warn_out_of_range(ctx, value.type, reach[r.op], span)
    return ir.Op(r.op, (value.node, right.node), span, Bool())


def _beside_order(ctx: Context, left: Typed, target: t.Expr, scope: Scope) -> Typed:
    """A bare word with the order of the words that it is compared with."""
    if not isinstance(left.type, Word) or left.type.order or not isinstance(target, (t.Name, t.FieldOf)):
        return left
    with ctx.silently():
        return in_order(left, order_of_words(coerce(check_expression(ctx, target, scope)).type))


def _warn_of_count(ctx: Context, value: Typed, wanted: Num, op: str, target: t.Expr, span: Span) -> bool:
    """Warn if the count of a whole list never or always lies in a range: its elements were probably meant."""
    if not isinstance(value.node, ir.Over) or value.node.how != "count" or value.node.where is not None:
        return False
    bounds = _length(value.node.over)
    below = bounds.high is not None and wanted.low is not None and bounds.high < wanted.low
    above = wanted.high is not None and (bounds.low or 0) > wanted.high
    if below or above:
        told = "never true"
    elif wanted.low is not None and wanted.high is None and (bounds.low or 0) >= wanted.low:
        told = "always true"
    else:
        return False
    inside = f"where each {op} {target.span.text}"
    ctx.warn(
        "count-compared",
        f"this condition compares the number of elements, so it is {told}",
        span,
        f"compare the elements: `{inside}`",
    )
    return True


def _length(over: ir.Expr) -> Num:
    """The lengths that a list can have."""
    least = over.type.least if isinstance(over.type, ListOf) else 0
    match over:
        case ir.Part(of, "values" | "faces") if isinstance(of.type, RollOf):
            return Num(least, of.type.high)
        case ir.Const(value) if isinstance(value, tuple):
            return Num(len(value), len(value))
        case ir.Items(items):
            return Num(len(items), len(items))
    return Num(least, None)


def _warn_out_of_range(ctx: Context, value: Num, wanted: Num, span: Span) -> None:
    """Warn if a number can never lie in a range."""
    below = value.high is not None and wanted.low is not None and value.high < wanted.low
    above = value.low is not None and wanted.high is not None and value.low > wanted.high
    between = isinstance(value, Listed) and not any(map(wanted.has, value.values))
    if below or above or between:
        is_fixed = value.low is not None and value.low == value.high
        help_ = (
            f"the number is always {value.low}: is a step missing that changes it?"
            if is_fixed
            else f"the number is {describe(value)}"
        )
        ctx.warn("never-holds", "this is never true", span, help_)


def _check_equality(ctx: Context, left: Typed, target: t.Expr, scope: Scope, span: Span) -> ir.Expr:
    match target:
        case t.Band():
            return _check_band(ctx, left, target, scope, span)
        case t.OrMore():
            return _check_or_more(ctx, left, target, scope, span)
        case t.Property():
            return _check_property(ctx, left, target, span)
    left = coerce_unless_optional(left)
    if isinstance(left.type, Maybe) and isinstance(target, t.Constant) and target.word == "none":
        return ir.Op("is", (left.node, ir.Const(None, target.span)), span, Bool())
    value = coerce(left)
    target = _quoted_caption(ctx, value.type, target, scope)
    right = coerce(check_expression(ctx, target, scope, value.type))
    if isinstance(right.type, Unknown):
        return POISON
    if isinstance(value.type, Label) and isinstance(right.type, Num) and isinstance(right.node, ir.Const):
        # `column is 7` means the label that is printed 7.
        right = Typed.of(ir.Const(str(right.node.value), target.span, Label(False)))
    if not is_comparable(value.type, right.type):
        help_ = "use `has` for a set" if isinstance(value.type, WordSet) else "these values can never be equal"
        if isinstance(value.type, Label) and isinstance(right.type, Num):
            help_ = "compare the number of the column: `.column_number`"
        if isinstance(value.type, MapOf) and isinstance(right.type, MapOf):
            help_ = "compare the entries of the two maps: `NAME of WORD`"
        if isinstance(target, t.Constant) and isinstance(value.type, Word) and target.word in value.type.words:
            help_ = f'`{target.word}` is a word of the language; to name the value, write `"{target.word}"`'
        other = f"`{target.span.text}`" if isinstance(right.node, ir.Const) else with_article(right.type)
        ctx.report("type", f"{with_article(value.type)} can't be compared with {other}", span, help_)
    elif isinstance(value.type, Num) and isinstance(right.type, Num):
        _warn_out_of_range(ctx, value.type, right.type, span)
    return ir.Op("is", (value.node, right.node), span, Bool())


def _quoted_caption(ctx: Context, type_: Type, target: t.Expr, scope: Scope) -> t.Expr:
    """A caption of a chart as a text: in ``column is A`` nothing else is named ``A``."""
    if not isinstance(type_, Label) or not isinstance(target, t.Name) or ctx.is_bare_word(target.name):
        return target
    if look_up(ctx, target.name, target.span, scope) is not None:
        return target
    axes = [axis for chart in ctx.charts.values() for axis in (chart.down, chart.across) if axis is not None]
    is_caption = any(target.name in axis.labels for axis in axes)
    return t.Text(target.name, target.span) if is_caption else target


def _check_band(ctx: Context, left: Typed, band: t.Band, scope: Scope, span: Span) -> ir.Expr:
    value = ranked(coerce(left))
    if not isinstance(value.type, Num):
        report_mismatch(ctx, "a number", value.type, span)
        return POISON
    beside = coerce(left).type
    low, high = (None if end is None else check_rank(ctx, end, scope, beside) for end in (band.low, band.high))
    first = low.type.low if low is not None and isinstance(low.type, Num) else None
    last = high.type.high if high is not None and isinstance(high.type, Num) else None
    if isinstance(band.low, t.Number) and isinstance(band.high, t.Number) and band.low.value > band.high.value:
        text = f"{band.low.value}..{band.high.value}"
        ctx.report("empty-range", f"the range {text} contains no number", band.span, "write the lower end first")
    else:
        _warn_out_of_range(ctx, value.type, Num(first, last), span)
    ends = [ir.Const(None) if end is None else end.node for end in (low, high)]
    return ir.Op("within", (value.node, *ends), span, Bool())


def _check_or_more(ctx: Context, left: Typed, target: t.OrMore, scope: Scope, span: Span) -> ir.Expr:
    value = ranked(coerce(left))
    if target.way in ("more", "less") or value.node != coerce(left).node:
        if not isinstance(value.type, Num):
            target_text = target.of.span.text
            help_ = (
                f"codes have an order: write `{target_text} or worse`, or `{target_text} or better`"
                if isinstance(value.type, CodeOf)
                else ""
            )
            report_mismatch(ctx, "a number", value.type, span, *([help_] if help_ else []))
            return POISON
        limit = check_rank(ctx, target.of, scope, coerce(left).type)
        assert isinstance(limit.type, Num)
        more = target.way in ("more", "better")
        wanted = Num(limit.type.low, None) if more else Num(None, limit.type.high)
        if not _warn_of_count(ctx, value, wanted, ">=" if more else "<=", target.of, span):
            _warn_out_of_range(ctx, value.type, wanted, span)
        return ir.Op(">=" if more else "<=", (value.node, limit.node), span, Bool())
    if not isinstance(value.type, CodeOf):
        report_mismatch(ctx, "a result code", value.type, span, "compare numbers with `or more` or `or less`")
        return POISON
    code = check_expression(ctx, target.of, scope, value.type)
    return _check_severity(ctx, value, code, target, span)


def _check_severity(ctx: Context, value: Typed, code: Typed, target: t.OrMore, span: Span) -> ir.Expr:
    assert isinstance(value.type, CodeOf)
    if isinstance(code.type, Unknown):
        return POISON
    order = value.type.order
    if not order:
        ctx.report("no-severity", "the chart has no `severity` line, so no code is worse or better than another", span)
        return POISON
    if isinstance(code.node, ir.Const) and code.node.value not in order:
        ctx.report("no-severity", f"`{code.node.value}` is not in the chart's `severity` line", target.of.span)
        return POISON
    op = "as severe" if target.way == "worse" else "as mild"
    return ir.Op(op, (ir.Const(order), value.node, code.node), span, Bool())


def _check_property(ctx: Context, left: Typed, target: t.Property, span: Span) -> ir.Expr:
    if target.name == "doubles":
        if not isinstance(left.type, RollOf):
            report_mismatch(ctx, "a roll", left.type, span)
            return POISON
        return ir.Op("doubles", (left.node,), span, Bool())
    value = coerce(left)
    if not isinstance(value.type, Num):
        report_mismatch(ctx, "a number", value.type, span)
        return POISON
    return ir.Op(target.name, (value.node,), span, Bool())
