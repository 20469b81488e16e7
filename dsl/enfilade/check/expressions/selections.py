"""The condition behind ``where``, which extends to the end of the expression."""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.check.scope import Scope
from enfilade.check.types.expected_types import check_condition
from enfilade.core import ir
from enfilade.source.text import Span
from enfilade.syntax import tree as t


def check_where(ctx: Context, condition: t.Expr, whole: Span, scope: Scope) -> ir.Expr:
    """Check the condition that elements of a list must meet.

    ``count of a where each >= 4 - count of b`` is refused: by the grammar the second count is a part of the number in
    the condition, and nearly everybody means to subtract it from the first.

    Args:
        ctx: The context.
        condition: The condition.
        whole: The place of the expression that the condition ends.
        scope: The names in the condition.
    """
    chain = _end_of(condition)
    if not isinstance(chain, t.Chain):
        return check_condition(ctx, condition, scope)
    for op, operand in chain.rest:
        if isinstance(operand, t.Aggregate):
            before = Span(whole.source, whole.start, chain.first.span.end)
            ctx.report(
                "unclear-end",
                f"`{op} {operand.span.text}` can be part of the condition, or come after it",
                chain.span,
                f"write `({before.text}) {op} ...`, or `({chain.span.text})`",
            )
            with ctx.silently():
                return check_condition(ctx, condition, scope)
    return check_condition(ctx, condition, scope)


def _end_of(condition: t.Expr) -> t.Expr:
    """What a condition ends with: the right side of its last comparison."""
    match condition:
        case t.And(items) | t.Or(items):
            return _end_of(items[-1])
        case t.Not(of):
            return _end_of(of)
        case t.Compared() | t.Quantified():
            return condition.relation.target
        case t.QuantifiedWhere(where=where):
            return _end_of(where)
    return condition
