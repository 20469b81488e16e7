"""``leader or 0``: a value that may be absent, and the value that then takes its place."""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import coerce, coerce_unless_optional
from enfilade.check.types.expected_types import check_expression
from enfilade.check.types.type_relations import common_type, is_pending, without_none
from enfilade.core import ir
from enfilade.syntax import tree as t
from enfilade.values.types import Bool, Label, Maybe, RecordOf, Type


def check_fallback(ctx: Context, e: t.Or, scope: Scope) -> Typed | None:
    """Check ``a or b`` if the type of ``a`` says that it may be absent; ``None`` if ``or`` joins conditions."""
    if not _is_plain(e.items[0]):
        return None
    with ctx.silently():
        first = coerce_unless_optional(check_expression(ctx, e.items[0], scope))
        if not may_be_none(first.type):
            # A condition above may have told that it is there.
            first = coerce_unless_optional(check_expression(ctx, e.items[0], scope.plain()))
    if not may_be_none(first.type) and not is_pending(first.type):
        return None
    values = [first]
    for item in e.items[1:]:
        values.append(coerce_unless_optional(check_expression(ctx, item, scope, values[-1].type)))
    last = values.pop()
    while values:
        last = _either(ctx, values.pop(), last, e)
    return last


def _either(ctx: Context, value: Typed, other: Typed, e: t.Or) -> Typed:
    present = coerce(value).type
    if isinstance(present, RecordOf):
        present = RecordOf(present.record)
    is_there = ir.Op("is not", (value.node, ir.Const(None, e.span)), e.span, Bool())
    return Typed.of(ir.If(is_there, value.node, other.node, e.span, common_type(ctx, present, other.type, e.span)))


def may_be_none(type_: Type) -> bool:
    """Whether a value may be absent, and is more than a printed label."""
    match type_:
        case RecordOf(optional=optional):
            return optional
        case Maybe(of):
            return not isinstance(without_none(of), Label)
    return False


def _is_plain(e: t.Expr) -> bool:
    """Whether an expression only names a value: nothing in it could be checked twice at a high cost."""
    match e:
        case t.Name() | t.Each() | t.Hash() | t.Number() | t.Text():
            return True
        case t.FieldOf(of=of) | t.OfEntry(of=of):
            return _is_plain(of)
        case t.Item(index=index, of=of):
            return _is_plain(index) and _is_plain(of)
        case t.Invoke(args=args):
            return all(_is_plain(arg) for arg in args)
    return False
