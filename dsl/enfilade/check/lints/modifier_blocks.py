"""Blocks of modifiers that nothing adds: not to a roll, not to a shift, and not as a value."""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes


def check_blocks(ctx: Context, program: ir.Program) -> None:
    """Warn of blocks without a use, in the main text."""
    used = {name for chart in program.charts.values() for name in (*chart.shifts, *chart.roll_modifiers)}
    used |= {node.block for node in nodes((program, tuple(ctx.probes.values()))) if isinstance(node, ir.SumModifiers)}
    for name, block in ctx.symbols.modifiers.items():
        if name not in used and ctx.main is not None and block.name.span.source.name == ctx.main.name:
            ctx.warn("unused-modifiers", f"nothing uses the modifiers `{name}`", block.name.span,
                     f"write what they change in the heading: `modifiers {name} add to roll of CHART` or `shift columns of CHART`; "
                     f"or add `{name}` to a value")  # fmt: skip
