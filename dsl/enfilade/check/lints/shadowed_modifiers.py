"""Modifiers of which only the first counts, behind one that counts whenever they would."""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.check.reports import warn_of_covered_cases
from enfilade.core import ir
from enfilade.core.walk import nodes


def check_shadowed(ctx: Context, program: ir.Program) -> None:
    """Warn of modifiers in ``only the first`` that an earlier one shadows."""
    for section in nodes(tuple(program.modifiers.values())):
        which = section.which if isinstance(section, ir.Section) else getattr(section, "rule", None)
        if which == "first" and isinstance(section, (ir.Section, ir.ModBlock)):
            warn_of_covered_cases(
                ctx,
                [
                    (each.condition, each.note.span)
                    for each in section.items
                    if isinstance(each, ir.Modifier) and not each.buts and each.note.span is not None
                ],
            )
