"""Traversal of syntax trees."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from attrs import evolve, fields, has

from enfilade.source.text import Span
from enfilade.syntax.tree import NO_TAIL, Tail


def nodes(root: Any) -> Iterator[Any]:
    """Yield all nodes of a tree, or of a tuple of trees, in preorder; places in the text are no nodes."""
    rest = [root]
    while rest:
        node = rest.pop()
        kind: Any = type(node)
        if isinstance(node, tuple) and kind is not Span:
            rest += reversed(node)
        elif names := _parts_of(kind):
            yield node
            rest += [getattr(node, name) for name in names]


@cache
def _parts_of(kind: Any) -> tuple[str, ...]:
    """The fields of a node class, last first; none for anything else."""
    return tuple(each.name for each in reversed(fields(kind))) if has(kind) and kind is not Span else ()


def without_words(root: Any) -> Any:
    """Return a tree, or a tuple of trees, without labels, citations and reasons: what the rules do is all that is left."""
    kind: Any = type(root)
    if isinstance(root, tuple) and kind is not Span:
        return tuple(map(without_words, root))
    if kind is Tail:
        return NO_TAIL
    changed = {name: without_words(getattr(root, name)) for name in _parts_of(kind)}
    return evolve(root, **changed) if changed else root
