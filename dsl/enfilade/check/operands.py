"""Operands of calculations that nothing in their declaration looks at before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.source.text import Span

_CONDITIONS: Final = ("filter", "any", "all", "none")


def unseen_operands(program: ir.Program, operators: tuple[str, ...]) -> Iterator[tuple[int, ir.Expr, Span]]:
    """The operands of some operators that no condition of their declaration looks at: its number, itself, its place."""
    for unit in (
        *program.definitions.values(),
        *program.procedures.values(),
        *program.effects.values(),
        *program.results.values(),
    ):
        looked_at = set(_looked_at(unit))
        for node in nodes(unit):
            if isinstance(node, ir.Op) and node.name in operators and node.span is not None:
                yield from (
                    (at, operand, getattr(operand, "span", None) or node.span)
                    for at, operand in enumerate(node.args)
                    if looked_at.isdisjoint(_names(operand))
                )


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
