"""A list that is compared with one of its elements: they are never equal."""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.values.types import ListOf, Num, Word


def check_list_comparisons(ctx: Context, program: ir.Program) -> None:
    """Warn of `hand is red`, where `hand` is a list of cards."""
    for node in nodes(program):
        if not isinstance(node, ir.Op) or node.name not in ("is", "is not") or node.span is None:
            continue
        of, other = (getattr(each, "type", None) for each in node.args)
        one = node.args[1]
        is_one = isinstance(other, (Num, Word)) or (isinstance(one, ir.Const) and isinstance(one.value, (str, int)))
        if isinstance(of, ListOf) and is_one:
            what = "never" if node.name == "is" else "always"
            ctx.warn(
                "never-holds", f"this compares a list with one element, and is {what} true", node.span, "write `has`"
            )
