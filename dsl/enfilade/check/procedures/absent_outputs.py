"""Expressions about the outcome of a procedure, some of whose outputs may be absent.

An output that some paths don't give is ``none`` there, and so is one whose value may be ``none``. An expression that needs
the value, such as ``item 2 of killed`` or ``losses >= 2``, is read with the output's own type: where the output is absent,
a condition is false, and any other value is ``none``. Conditions that `and` or `or` join are read one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from attrs import evolve, frozen

from enfilade.check.context import Context
from enfilade.check.expressions.fallbacks import may_be_none
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import coerce_unless_optional
from enfilade.check.types.expected_types import check_condition, check_expression
from enfilade.check.types.type_relations import is_known, or_none, without_none
from enfilade.core import ir
from enfilade.core.walk import children, nodes
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.syntax import tree as t
from enfilade.values.types import Bool, RecordOf, Type

_ALLOWS_NONE: Final = frozenset(("is", "is not", "as severe", "as mild"))


@frozen
class _Reading:
    """One reading of an expression, with what was reported about it."""

    typed: Typed
    found: list[Diagnostic]
    unknown_numbers: int

    @property
    def is_right(self) -> bool:
        """Whether the expression has a meaning in this reading."""
        is_wrong = self.unknown_numbers or any(each.severity is Severity.ERROR for each in self.found)
        return not is_wrong and is_known(self.typed.type)


def check_outcome(ctx: Context, tree: t.Expr, scope: Scope, *, condition: bool) -> Typed:
    """Check an expression about an outcome.

    Args:
        ctx: The context.
        tree: The expression.
        scope: The outputs and the records.
        condition: Whether it must be a condition.
    """
    if not _absent(ctx, scope):
        return _checked(ctx, tree, scope, condition=condition)
    reading = _read(ctx, tree, scope, condition=condition)
    ctx.diagnostics += reading.found
    ctx.unknown_numbers += reading.unknown_numbers
    return reading.typed


def if_given(expr: ir.Expr) -> ir.Expr:
    """An expression that needs the values of the outputs that it reads; ``none`` where one of them is absent."""
    read = {node for node in nodes(expr) if isinstance(node, ir.Local) and may_be_none(node.type)}
    return _guarded(Typed.of(expr), {node.name: node.type for node in read}).node


def _absent(ctx: Context, scope: Scope) -> dict[str, Type]:
    """The type of each output that may be absent, with ``or none``."""
    sometimes = ctx.sometimes_given.get(scope.outcome_of or "", frozenset())
    outputs = (typed.node for typed in scope.locals.values() if isinstance(typed.node, ir.Local))
    return {each.name: or_none(each.type) for each in outputs if each.name in sometimes or may_be_none(each.type)}


def _read(ctx: Context, tree: t.Expr, scope: Scope, *, condition: bool) -> _Reading:
    """Read an expression as it stands if that needs no absent value; else with the own types of the outputs."""
    first = _apart(ctx, _checked, tree, scope, condition=condition)
    if first.is_right and not _needs_value(first.typed.node, _absent(ctx, scope)):
        return first
    others = [_apart(ctx, read, tree, scope, condition=condition) for read in (_joined, _with_own_types)]
    right = [each for each in (*others, first) if each.is_right]
    return right[0] if right else min((*others, first), key=lambda each: len(each.found))


def _apart(ctx: Context, check: Callable[..., Typed], tree: t.Expr, scope: Scope, *, condition: bool) -> _Reading:
    """Check an expression without reporting anything yet."""
    noted = ctx.unknown_numbers
    before, ctx.diagnostics = ctx.diagnostics, []
    try:
        typed = check(ctx, tree, scope, condition=condition)
        return _Reading(typed, ctx.diagnostics, ctx.unknown_numbers - noted)
    finally:
        ctx.diagnostics, ctx.unknown_numbers = before, noted


def _checked(ctx: Context, tree: t.Expr, scope: Scope, *, condition: bool) -> Typed:
    if condition:
        return Typed(check_condition(ctx, tree, scope), Bool())
    return coerce_unless_optional(check_expression(ctx, tree, scope))


def _joined(ctx: Context, tree: t.Expr, scope: Scope, *, condition: bool) -> Typed:
    """Check conditions that `and` or `or` join, each for itself."""
    match tree:
        case t.Paren(of):
            return _joined(ctx, of, scope, condition=condition)
        case t.And(items, span):
            return Typed(ir.All(_conditions(ctx, items, scope), span), Bool())
        case t.Or(items, span):
            return Typed(ir.Any_(_conditions(ctx, items, scope), span), Bool())
    return _with_own_types(ctx, tree, scope, condition=condition)


def _conditions(ctx: Context, items: tuple[t.Expr, ...], scope: Scope) -> tuple[ir.Expr, ...]:
    return tuple(check_outcome(ctx, item, scope, condition=True).node for item in items)


def _with_own_types(ctx: Context, tree: t.Expr, scope: Scope, *, condition: bool) -> Typed:
    """Check an expression with the own types of the outputs; it holds only where those that it reads are given."""
    absent = _absent(ctx, scope)
    own = {name: _with_own_type(ctx, scope, typed) for name, typed in scope.locals.items()}
    return _guarded(_checked(ctx, tree, evolve(scope, locals=own), condition=condition), absent)


def _with_own_type(ctx: Context, scope: Scope, typed: Typed) -> Typed:
    if not isinstance(typed.node, ir.Local):
        return typed
    own = without_none(ctx.outputs.get(scope.outcome_of or "", {}).get(typed.node.name, typed.type))
    return typed.retyped(RecordOf(own.record) if isinstance(own, RecordOf) else own)


def _guarded(typed: Typed, absent: Mapping[str, Type]) -> Typed:
    """An expression only where the outputs that it reads are given: false elsewhere, or ``none``."""
    expr = typed.node
    read = dict.fromkeys(node.name for node in nodes(expr) if isinstance(node, ir.Local) and node.name in absent)
    if not read:
        return typed
    none = ir.Const(None, expr.span)
    given = [ir.Op("is not", (ir.Local(name, type=absent[name]), none), expr.span, Bool()) for name in read]
    if isinstance(typed.type, Bool):
        return Typed.of(ir.All((*given, expr), expr.span))
    is_given = given[0] if len(given) == 1 else ir.All(tuple(given), expr.span)
    return Typed.of(ir.If(is_given, expr, none, expr.span, or_none(typed.type)))


def _needs_value(expr: ir.Expr, absent: Mapping[str, Type]) -> bool:
    """Whether an expression can't be evaluated where one of the outputs is absent."""
    return any(
        isinstance(part, ir.Local) and part.name in absent
        for node in nodes(expr)
        if not _allows_none(node)
        for part in children(node)
    )


def _allows_none(node: ir.Expr) -> bool:
    """Whether an absent value may stand directly in a node."""
    if isinstance(node, ir.Op):
        return node.name in _ALLOWS_NONE
    return isinstance(node, (ir.All, ir.Any_, ir.Not, ir.If, ir.Items, ir.Define))
