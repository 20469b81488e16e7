"""Calls: a definition, a chart or a block of modifiers with arguments, and the type of each argument."""

from __future__ import annotations

from typing import Final

from enfilade.check.context import Context
from enfilade.check.demand import require_chart, require_definition, require_modifiers
from enfilade.check.expressions.chart_values import check_chart_values, takes_row_value
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import POISONED, coerce, number_type
from enfilade.check.types.expected_types import check_expression, check_number
from enfilade.check.types.reports import report_mismatch
from enfilade.check.types.type_relations import is_assignable
from enfilade.check.types.written_types import parameter_types
from enfilade.core import ir
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values import intervals
from enfilade.values.types import ReadingOf, RollOf, Type

# A definition that every ruleset has, unless it declares something of that name.
ABSOLUTE: Final = "absolute"


def has_all_arguments(ctx: Context, name: str, params: tuple[str, ...], given: int, span: Span) -> bool:
    """Whether the number of arguments is right; reports it if not."""
    if given == len(params):
        return True
    wanted = f"{name}({', '.join(params)})" if params else name
    ctx.report(
        "arguments", f"`{name}` takes {_arguments_text(len(params))}, but gets {given}", span, f"write `{wanted}`"
    )
    return False


def has_own_value(ctx: Context, block: ir.ModBlock, span: Span) -> bool:
    """Whether a block has a sum without its chart; reports it if its lines need the roll or parameters of the chart."""
    if not block.charts or not block.params:
        return True
    ctx.report(
        "arguments",
        f"`{block.name}` depends on {' and '.join(block.params)} of `{block.charts[0]}`, so it has a value only when the chart is read",
        span,
        "read the chart, and use `.shift` or `.roll_modifier` of the reading",
    )
    return False


def check_invocation(ctx: Context, e: t.Invoke, scope: Scope) -> Typed:
    """Check a call of a definition, a chart or a block of modifiers."""
    name, symbols = e.name.name, ctx.symbols
    if name in symbols.definitions:
        definition = require_definition(ctx, name, e.name.span)
        if definition is None or not has_all_arguments(ctx, name, definition.params, len(e.args), e.span):
            return POISONED
        args = check_arguments(ctx, e.args, parameter_types(ctx, "define", name), scope)
        return Typed.of(ir.Define(name, args, e.span, type=definition.type))
    if name in symbols.charts:
        return check_chart_value(ctx, name, e.args, e.span, scope)
    if name in symbols.modifiers:
        block = require_modifiers(ctx, name, e.name.span)
        if block is None or not has_own_value(ctx, block, e.span):
            return POISONED
        if not has_all_arguments(ctx, name, block.params, len(e.args), e.span):
            return POISONED
        args = check_arguments(ctx, e.args, parameter_types(ctx, "modifiers", name), scope)
        return Typed.of(ir.SumModifiers(name, args, None, e.span, type=block.type))
    kind = symbols.kind_of(name)
    if name == ABSOLUTE and kind is None:
        return _check_absolute(ctx, e, scope)
    if kind is not None:
        ctx.report("not-callable", f"`{name}` is {kind} and takes no arguments", e.name.span)
    else:
        known = [*symbols.definitions, *symbols.charts, *symbols.modifiers]
        ctx.unknown("definition", e.name, known)
    return POISONED


def _check_absolute(ctx: Context, e: t.Invoke, scope: Scope) -> Typed:
    """Check ``absolute(a - b)``: the number without its sign."""
    if not has_all_arguments(ctx, ABSOLUTE, ("number",), len(e.args), e.span):
        return POISONED
    of = check_number(ctx, e.args[0], scope)
    return Typed.of(ir.Op("absolute", (of.node,), e.span, type=intervals.absolute(number_type(of))))


def check_arguments(
    ctx: Context, args: tuple[t.Expr, ...], types: tuple[Type, ...], scope: Scope
) -> tuple[ir.Expr, ...]:
    """Check arguments, each against the type of its parameter."""
    nodes = []
    for arg, type_ in zip(args, types, strict=True):
        typed = check_expression(ctx, arg, scope, type_)
        if not isinstance(type_, RollOf):
            typed = coerce(typed)
        if not is_assignable(typed.type, type_):
            report_mismatch(ctx, type_, typed.type, arg.span)
        nodes.append(typed.node)
    return tuple(nodes)


def check_chart_value(ctx: Context, name: str, args: tuple[t.Expr, ...], span: Span, scope: Scope) -> Typed:
    """Check a chart without dice used as a value: its value is the code of the cell it finds."""
    chart = require_chart(ctx, name, span)
    if chart is None:
        return POISONED
    if chart.takes_roll and not takes_row_value(ctx, name):
        help_ = f"write the step `read {name} with ROLL as shot` above, and `shot.code` here"
        ctx.report("chart-needs-roll", f"`{name}` needs a roll", span, help_)
        return POISONED
    given = check_chart_values(ctx, chart, args, None, span, scope)
    if given is None:
        return POISONED
    look = ir.Look(name, given.args, given.row, None, span, ReadingOf(name, chart.code_type))
    return Typed.of(ir.Part(look, "code", span, chart.code_type))


def _arguments_text(number: int) -> str:
    return "1 argument" if number == 1 else f"{number or 'no'} arguments"


def check_argument(ctx: Context, e: t.Expr, type_: Type, scope: Scope) -> ir.Expr:
    """Check one argument against the type of its parameter or fact."""
    typed = coerce(check_expression(ctx, e, scope, type_))
    if not is_assignable(typed.type, type_):
        report_mismatch(ctx, type_, typed.type, e.span)
    return typed.node
