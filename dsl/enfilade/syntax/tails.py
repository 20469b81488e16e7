"""Walks over what the lines of a text say of themselves: label, citations, the reason of an assumption."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import fields, has

from enfilade.source.text import Span
from enfilade.syntax import tree as t


def tails(root: Any) -> Iterator[tuple[Any, t.Tail]]:
    """The tails in a tree, each with the node that it belongs to, outer nodes first."""
    if isinstance(root, (Span, str)) or root is None:
        return
    if isinstance(root, tuple):
        for each in root:
            yield from tails(each)
    elif has(type(root)):
        tail = getattr(root, "tail", None)
        if isinstance(tail, t.Tail):
            yield root, tail
        for attribute in fields(type(root)):
            if attribute.name != "tail":
                yield from tails(getattr(root, attribute.name))


def start_of(node: Any, tail: t.Tail) -> int:
    """Where the line of a tail begins: a node may go on for many lines, its tail stands on one."""
    span: Span = node.span
    if tail.span is None:
        return span.start
    row, _ = span.source.line_column(tail.span.start)
    return max(span.start, span.source.line_span(row).start)
