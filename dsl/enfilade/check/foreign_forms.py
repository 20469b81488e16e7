"""A form of programming languages that means something else: ``ranges[1]`` for an item of a list."""

from __future__ import annotations

from typing import Any

from enfilade.check.context import Context
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.indices import index_before
from enfilade.syntax.tails import start_of, tails


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


def _is_declared_before(node: Any, tail: Span) -> bool:
    """Whether the name before the tail is the one that the node declares."""
    name = getattr(node, "name", None)
    return isinstance(name, t.Ident) and name.span.end == tail.start and not isinstance(node, t.Give)
