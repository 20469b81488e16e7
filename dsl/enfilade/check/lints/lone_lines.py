"""Groups of modifiers with one line: `never together` and `only the highest` then do nothing."""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes


def check_lone_lines(ctx: Context, program: ir.Program) -> None:
    """Warn of a group that holds one line only; the next line may be meant to belong to it."""
    for group in nodes(tuple(program.modifiers.values())):
        is_group = isinstance(group, ir.Section) and group.condition is None and group.record is None
        span = group.note.span if is_group and len(group.items) == 1 else None
        # A variant may have removed the other lines.
        if span is not None and ctx.main is not None and span.source.name == ctx.main.name:
            ctx.warn("lone-line", "this group holds one line only, so it does nothing", span.at(0, len(span.text.split("\n")[0])),
                     "indent the other lines that belong to it as deep as this one")  # fmt: skip
