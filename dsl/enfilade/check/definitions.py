"""Definitions: one expression, or cases."""

from __future__ import annotations

from enfilade.check.context import Context, note_of
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import coerce, coerce_unless_optional
from enfilade.check.types.expected_types import check_condition, check_expression, expected_beside
from enfilade.check.types.narrowing import assuming
from enfilade.check.types.reports import warn_of_covered_cases
from enfilade.check.types.type_relations import common_type
from enfilade.check.types.written_types import parameter_scope
from enfilade.core import ir
from enfilade.syntax import tree as t


def check_definition(ctx: Context, tree: t.Define) -> ir.Definition:
    """Check a definition by cases or by one expression."""
    scope, params = parameter_scope(ctx, tree.params, f"define {tree.name.name}")
    _check_cases(ctx, tree)
    typed = coerce_unless_optional(_check_values(ctx, list(tree.cases), scope))
    ctx.names.types[tree.name.span] = typed.type
    note = note_of(tree.tail, tree.name.span)
    lines = tuple(note_of(case.tail, case.span) for case in tree.cases)
    return ir.Definition(tree.name.name, params, typed.node, typed.type, note, lines)


def _check_cases(ctx: Context, tree: t.Define) -> None:
    for case in tree.cases[:-1]:
        if case.condition is None:
            ctx.report(
                "unreachable-case", "lines after `otherwise` never apply", case.span, "move this line to the end"
            )
    if tree.cases[-1].condition is not None:
        ctx.report(
            "no-otherwise",
            f"`{tree.name.name}` has no value if none of its conditions is true",
            tree.cases[-1].span,
            "add a last line `... otherwise`",
        )


def _check_values(ctx: Context, cases: list[t.Case], scope: Scope) -> Typed:
    """Lower the cases to nested conditionals, from the last to the first."""
    conditions: list[tuple[t.Case, ir.Expr, Scope]] = []
    for case in cases[:-1]:
        if case.condition is not None:
            condition = check_condition(ctx, case.condition, scope)
            conditions.append((case, condition, assuming(scope, condition, True)))
            scope = assuming(scope, condition, False)
    warn_of_covered_cases(
        ctx, [(each, case.condition.span) for case, each, _ in conditions if case.condition is not None]
    )
    last = coerce_unless_optional(check_expression(ctx, cases[-1].value, scope))
    for case, condition, inner in reversed(conditions):
        expected = expected_beside(ctx, case.value, coerce(last).type)
        value = coerce_unless_optional(check_expression(ctx, case.value, inner, expected))
        type_ = common_type(ctx, value.type, last.type, case.span)
        last = Typed.of(ir.If(condition, value.node, last.node, case.span, type=type_))
    return last
