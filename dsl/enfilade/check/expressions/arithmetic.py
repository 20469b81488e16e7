"""Arithmetic, with interval analysis: the range of each result follows from the ranges of its operands."""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.check.expressions.ordered_words import check_measure, check_rank, order_of_words, ranked, word_of_rank
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import number_type
from enfilade.check.types.expected_types import check_number
from enfilade.core import ir
from enfilade.syntax import tree as t
from enfilade.values import intervals
from enfilade.values.types import Num

_ARITHMETIC = {
    "+": ("add", intervals.add),
    "-": ("subtract", intervals.subtract),
    "*": ("multiply", intervals.multiply),
    "/": ("divide", intervals.divide),
}


def check_chain(ctx: Context, e: t.Chain, scope: Scope) -> Typed:
    """Check ``a + b - c``, from the left."""
    left = check_number(ctx, e.first, scope)
    for op, tree in e.rest:
        right = check_number(ctx, tree, scope)
        span = e.first.span.to(tree.span)
        if op in ("/", "mod") and isinstance(right.node, ir.Const) and right.node.value == 0:
            help_ = "divide by another number; if the divisor may become 0, write `... but at least 1`"
            ctx.report("division-by-zero", "a number can't be divided by 0", tree.span, help_)
        if op == "mod":
            left = Typed.of(
                ir.Op("mod", (left.node, right.node), span, type=_remainder(number_type(left), number_type(right)))
            )
            continue
        name, interval = _ARITHMETIC[op]
        left = Typed.of(
            ir.Op(name, (left.node, right.node), span, type=interval(number_type(left), number_type(right)))
        )
    return left


def check_bounded(ctx: Context, e: t.Held, scope: Scope) -> Typed:
    """Check ``a but at least 0``, ``a but within 1..6``; words in order are bounded by their ranks."""
    measure = check_measure(ctx, e.of, scope)
    typed, order = ranked(measure), order_of_words(measure.type)
    for bound, name, interval in (
        (e.low, "at least", intervals.at_least), (e.high, "at most", intervals.at_most),
    ):  # fmt: skip
        if bound is not None:
            limit = check_rank(ctx, bound, scope, measure.type)
            type_ = interval(number_type(typed), number_type(limit))
            typed = Typed.of(ir.Op(name, (typed.node, limit.node), e.span, type=type_))
    return word_of_rank(typed, order) if order else typed


def _remainder(number: Num, divisor: Num) -> Num:
    whole = number.whole and divisor.whole
    if divisor.low is not None and divisor.low > 0 and divisor.high is not None:
        return Num(0, divisor.high - 1 if whole else divisor.high, whole)
    return Num(None, None, whole)
