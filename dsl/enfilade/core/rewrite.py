"""Tree rewriting: copy a tree of core nodes with some nodes replaced; unchanged subtrees are shared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import attrs

from enfilade.core.walk import is_inner_node, parts_of

T = TypeVar("T")


def replaced(node: T, replace: Callable[[Any], Any | None]) -> T:
    """Replace nodes within a tree; returns the same object if nothing changes.

    Args:
        node: A node, or a tuple of nodes.
        replace: Gives the replacement of a node, or ``None`` to descend into its parts.
    """
    found: Any
    if isinstance(node, tuple):
        items = tuple(replaced(item, replace) for item in node)
        return node if all(a is b for a, b in zip(items, node, strict=True)) else items  # type: ignore[return-value]
    kind: Any = type(node)
    if not is_inner_node(kind):
        return node
    found = replace(node)
    if found is not None:
        return found  # type: ignore[no-any-return]
    changed = {}
    for name in reversed(parts_of(kind)):
        part: Any = getattr(node, name)
        of_part: Any = type(part)
        if isinstance(part, tuple) or is_inner_node(of_part):
            other = replaced(part, replace)
            if other is not part:
                changed[name] = other
    return attrs.evolve(node, **changed) if changed else node  # type: ignore[misc]
