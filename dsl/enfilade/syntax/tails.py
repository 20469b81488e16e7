"""Traversal of line tails: the label, citations and reason of an assumption at the end of a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes


def tails(root: Any) -> Iterator[tuple[Any, t.Tail]]:
    """Yield the tails in a tree in preorder, each with the node that it belongs to."""
    for node in nodes(root):
        tail = getattr(node, "tail", None)
        if isinstance(tail, t.Tail):
            yield node, tail


def start_of(node: Any, tail: t.Tail) -> int:
    """The offset of the line that ends with a tail; its node may extend over several lines."""
    span: Span = node.span
    if tail.span is None:
        return span.start
    row, _ = span.source.line_column(tail.span.start)
    return max(span.start, span.source.line_span(row).start)
