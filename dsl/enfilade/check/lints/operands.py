"""Operands that may be missing: a divisor that may be 0, and a value that may be none where a number is needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.values.types import Maybe, Num

_DIVISIONS: Final = ("divide", "mod")
_CONDITIONS: Final = ("filter", "any", "all", "none")
_NUMERIC: Final = ("add", "subtract", "multiply", "divide", "mod")


def check_operands(ctx: Context, program: ir.Program) -> None:
    """Warn of operands that nothing in their declaration looks at before."""
    for unit in (
        *program.definitions.values(),
        *program.procedures.values(),
        *program.effects.values(),
        *program.results.values(),
    ):
        looked_at = set(_looked_at(unit))
        for node in nodes(unit):
            if isinstance(node, ir.Op) and node.name in _NUMERIC and node.span is not None:
                _check_operation(ctx, node, looked_at)


def _check_operation(ctx: Context, node: ir.Op, looked_at: set[str]) -> None:
    span = node.span
    assert span is not None
    for at, operand in enumerate(node.args):
        type_ = getattr(operand, "type", None)
        if looked_at & set(_names(operand)):
            continue
        if isinstance(type_, Maybe) and isinstance(type_.of, Num):
            ctx.warn("may-be-none", "this value may be none, and the calculation then ends with an error",
                     getattr(operand, "span", None) or span, "write what then counts: `VALUE or 0`, or ask before: `when VALUE is not none`")  # fmt: skip
        elif at == 1 and node.name in _DIVISIONS and isinstance(type_, Num) and _holds_zero(operand, type_):
            ctx.warn("may-divide-by-zero", "this divisor may be 0, and the calculation then ends with an error",
                     getattr(operand, "span", None) or span, "write `... but at least 1`, or refuse the case before")  # fmt: skip


def _holds_zero(operand: Any, type_: Num) -> bool:
    if isinstance(operand, ir.Const):
        return False
    return (type_.low is None or type_.low <= 0) and (type_.high is None or type_.high >= 0)


def _looked_at(unit: Any) -> Iterator[str]:
    """The names in all conditions of a declaration."""
    for node in nodes(unit):
        for part in ("condition", "where", "until", "if_refused"):
            yield from _names(getattr(node, part, None))
        if isinstance(node, ir.Over) and node.how in _CONDITIONS:
            yield from _names(node.body)
        if isinstance(node, ir.CallProcedure) and node.if_refused and node.local is not None:
            yield node.local


def _names(of: Any) -> Iterator[str]:
    """The names of facts, locals, fields and parts in an expression."""
    for node in () if of is None else nodes(of):
        if isinstance(node, (ir.Fact, ir.Local, ir.Field, ir.Part)):
            yield node.name
