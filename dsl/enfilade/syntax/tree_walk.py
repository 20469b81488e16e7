"""Traversal of syntax trees."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from attrs import fields, has

from enfilade.source.text import Span


def nodes(root: Any) -> Iterator[Any]:
    """Yield all nodes of a tree, or of a tuple of trees, in preorder; places in the text are no nodes."""
    rest = [root]
    while rest:
        node = rest.pop()
        kind: Any = type(node)
        if isinstance(node, tuple):
            rest += reversed(node)
        elif names := _parts_of(kind):
            yield node
            rest += [getattr(node, name) for name in names]


@cache
def _parts_of(kind: Any) -> tuple[str, ...]:
    """The fields of a node class, last first; none for anything else."""
    return tuple(each.name for each in reversed(fields(kind))) if has(kind) and kind is not Span else ()
