"""Traversal of syntax trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    """The fields of a node class but its place, last first; none for anything else."""
    return tuple(each.name for each in reversed(fields(kind)) if each.name != "span") if has(kind) else ()


def rewritten(root: Any, change: Callable[[Any], Any]) -> Any:
    """Return a tree, or a tuple of trees, with what *change* makes of each node; what it leaves stays the same object."""
    kind: Any = type(root)
    if isinstance(root, tuple) and kind is not Span:
        parts = tuple(rewritten(part, change) for part in root)
        return root if all(a is b for a, b in zip(root, parts, strict=True)) else parts
    made = change(root)
    values = ((name, getattr(made, name)) for name in (_parts_of(kind) if made is root else ()))
    changed = {name: new for name, old in values if (new := rewritten(old, change)) is not old}
    return evolve(made, **changed) if changed else made


def without_words(root: Any) -> Any:
    """Return a tree, or a tuple of trees, without labels, citations and reasons: what the rules do is all that is left."""
    return rewritten(root, lambda node: NO_TAIL if isinstance(node, Tail) else node)
