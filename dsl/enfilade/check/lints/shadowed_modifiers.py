"""Modifiers of which only the first counts, behind one that counts whenever they would."""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.check.reports import warn_of_covered_cases
from enfilade.core import ir
from enfilade.core.walk import nodes


def check_shadowed(ctx: Context, program: ir.Program) -> None:
    """Warn of modifiers in ``only the first`` that an earlier one shadows."""
    for group in nodes(tuple(program.modifiers.values())):
        if isinstance(group, (ir.Section, ir.ModBlock)) and _rule_of(group) == "first":
            warn_of_covered_cases(
                ctx,
                [
                    (each.condition, each.note.span)
                    for each in group.items
                    if isinstance(each, ir.Modifier) and not each.buts and each.note.span is not None
                ],
            )


def _rule_of(group: ir.Section | ir.ModBlock) -> str | None:
    """Which of the lines of a group counts."""
    return group.which if isinstance(group, ir.Section) else group.rule
