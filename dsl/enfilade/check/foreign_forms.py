"""Forms that mean something else here: ``ranges[1]`` for an item of a list, ``is 5-9`` for a range."""

from __future__ import annotations

from typing import Any

from enfilade.check.context import Context
from enfilade.diagnostics.diagnostic import Edit, Fix
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.indices import index_before
from enfilade.syntax.tails import start_of, tails
from enfilade.syntax.tree_walk import nodes


def report_indices(ctx: Context, declarations: tuple[t.Declaration, ...]) -> None:
    """Report ``ranges[1]`` at the end of an expression, which is the whole list and a citation."""
    for node, tail in tails(declarations):
        if tail.span is None or _is_declared_before(node, tail.span):
            continue
        source, start = tail.span.source, tail.span.start
        end = source.text.find("]", start) + 1
        found = index_before(source.text[start_of(node, tail) : end])
        if found is None or end - len(found.brackets) != start:
            continue
        # Texts of the first version keep their meaning.
        report = ctx.warn if ctx.is_first_version(tail.span) else ctx.report
        help_ = f"write `{found.item}`, or, if you mean a citation, put a blank before it"
        report("syntax", found.message, source.span(start, end), help_)


def report_inch_marks(ctx: Context, declarations: tuple[t.Declaration, ...]) -> None:
    """Report ``one of 4", 6"``, in which the text between the inch marks is a label."""
    for _, tail in tails(declarations):
        if tail.label is not None and tail.label.startswith(",") and tail.span is not None:
            ctx.report(
                "syntax", 'this label begins with a comma: `"` is no inch mark', tail.span, "write the numbers alone"
            )


def report_dashed_ranges(ctx: Context, declarations: tuple[t.Declaration, ...]) -> None:
    """Report ``distance is 5-9``, which compares with minus four."""
    for node in nodes(declarations):
        target = node.relation.target if isinstance(node, t.Compared) else None
        if not isinstance(target, t.Chain) or not isinstance(target.first, t.Number):
            continue
        match target.rest:
            case (("-", t.Number() as last),) if target.span.text.count("-") == 1 and " " not in target.span.text:
                text = f"{target.first.span.text}..{last.span.text}"
                fix = Fix(f"write `{text}`", (Edit(target.span, text),))
                ctx.report("syntax", "a range needs two dots; this is a difference", target.span, fix.message, fix=fix)


def _is_declared_before(node: Any, tail: Span) -> bool:
    """Whether the name before the tail is the one that the node declares."""
    name = getattr(node, "name", None)
    return isinstance(name, t.Ident) and name.span.end == tail.start and not isinstance(node, t.Give)
