"""Disjunction, and the bare words that continue a comparison: ``kind is not wagon or leader``."""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.check.expressions.names import look_up
from enfilade.check.scope import Scope
from enfilade.check.types.coercions import coerce
from enfilade.check.types.expected_types import check_condition, check_expression
from enfilade.check.types.narrowing import assuming
from enfilade.check.types.reports import warn_if_unsatisfiable
from enfilade.core import ir
from enfilade.syntax import tree as t
from enfilade.values.types import Bool, Unknown

BARE = (t.Name, t.Text, t.Number, t.Band, t.OrMore, t.Negative, t.Constant)


def check_alternatives(ctx: Context, e: t.Or, scope: Scope) -> ir.Expr:
    """Check ``a or b``, in which a bare word continues the comparison before it.

    ``night and kind is not wagon or leader and steps > 0`` has three conditions: ``leader`` continues the
    comparison with ``wagon``, and ``steps > 0`` is joined to it with ``and``.
    """
    groups: list[list[t.Expr]] = []
    for item in e.items:
        parts: list[t.Expr] = list(item.items) if isinstance(item, t.And) else [item]
        if groups:
            _refuse_two_readings(ctx, groups[-1][-1], parts[0], scope)
        if groups and _continues(ctx, groups[-1][-1], parts[0], scope):
            groups[-1][-1] = _with_word(groups[-1][-1], parts[0])
            groups[-1] += parts[1:]
        else:
            groups.append(parts)
    nodes: list[ir.Expr] = []
    for group in groups:
        nodes.append(_check_group(ctx, group, scope))
        scope = assuming(scope, nodes[-1], False)
    return nodes[0] if len(nodes) == 1 else ir.Any_(tuple(nodes), e.span)


def _continues(ctx: Context, before: t.Expr, word: t.Expr, scope: Scope) -> bool:
    before = before.items[0] if isinstance(before, _Several) else before
    if not isinstance(word, BARE) or not isinstance(before, (t.Compared, t.Quantified)):
        return False
    if before.relation.op not in ("is", "is not", "has"):
        return False
    return not isinstance(word, t.Name) or _is_value(ctx, before, word, scope)


def _refuse_two_readings(ctx: Context, before: t.Expr, word: t.Expr, scope: Scope) -> None:
    """Report ``terrain is not town or mud`` if ``mud`` is yes/no: it may be a condition of its own, or belong to `not`."""
    last = before.items[-1] if isinstance(before, _Several) else before
    if not isinstance(last, t.Compared) or last.relation.op != "is not" or not isinstance(word, t.Name):
        return
    if not isinstance(last.left, (t.Name, t.FieldOf, t.OfEntry, t.Each)):
        return
    with ctx.silently():
        left = coerce(check_expression(ctx, last.left, scope)).type
        found = look_up(ctx, word.name, word.span, scope)
    if isinstance(left, (Bool, Unknown)) or found is None or not isinstance(found.type, Bool):
        return
    first = before.items[0] if isinstance(before, _Several) else before
    compared, name = last.left.span.text, word.name
    neither = f"{compared} is not {name}" if name in left.words else f"not {name}"
    text = first.span.to(last.span).text
    report = ctx.warn if ctx.is_first_version(word.span) else ctx.report
    report(
        "two-readings",
        f"`{text} or {name}` can be understood in two ways, because `{name}` is a yes/no value",
        first.span.to(word.span),
        f"write `({text}) or {name}`, or `{text} and {neither}`",
    )


def _is_value(ctx: Context, before: t.Compared | t.Quantified, word: t.Name, scope: Scope) -> bool:
    """Whether a name after ``or`` is a value of the comparison before it, not a condition."""
    with ctx.silently():
        left = coerce(check_expression(ctx, before.left if isinstance(before, t.Compared) else before.over, scope)).type
        if word.name in left.words:
            return True
        found = look_up(ctx, word.name, word.span, scope)
    return found is None or (isinstance(left, Bool) or not isinstance(found.type, Bool))


def _check_group(ctx: Context, group: list[t.Expr], scope: Scope) -> ir.Expr:
    noted = len(ctx.diagnostics)
    nodes: list[ir.Expr] = []
    for item in group:
        if isinstance(item, _Several):
            nodes.append(_check_several(ctx, item, scope))
        else:
            nodes.append(check_condition(ctx, item, scope))
        scope = assuming(scope, nodes[-1], True)
    if len(nodes) == 1:
        return nodes[0]
    span = group[0].span.to(group[-1].span)
    if len(ctx.diagnostics) == noted:
        warn_if_unsatisfiable(ctx, nodes, span)
    return ir.All(tuple(nodes), span)


def _check_several(ctx: Context, several: _Several, scope: Scope) -> ir.Expr:
    nodes = tuple(check_condition(ctx, item, scope) for item in several.items)
    first = several.items[0]
    assert isinstance(first, (t.Compared, t.Quantified))
    if first.relation.op == "is not" and not (isinstance(first, t.Quantified) and first.how != "all"):
        return ir.All(nodes, several.span)
    return ir.Any_(nodes, several.span)


class _Several(t.Or):
    """A comparison and the bare words that continue it; a temporary node, used within one call."""


def _with_word(before: t.Expr, word: t.Expr) -> t.Expr:
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
