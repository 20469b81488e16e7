"""Nodes of the core with some of them replaced: for plans that keep what a pool comes to in the place of its faces."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import attrs

from enfilade.core import ir

T = TypeVar("T")
_LEFT_OUT = ("span", "note", "type")


@cache
def _parts(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in attrs.fields(kind) if each.name not in _LEFT_OUT)


@cache
def _is_node(kind: Any) -> bool:
    return attrs.has(kind) and kind.__module__ == ir.__name__ and kind is not ir.Note and kind is not ir.Const


def replaced(node: T, replace: Callable[[Any], Any | None]) -> T:
    """A node in which some are replaced; the same object where none is.

    Args:
        node: A node, or a tuple of nodes.
        replace: What stands for a node, or ``None`` where its parts are to be looked at.
    """
    found: Any
    if isinstance(node, tuple):
        items = tuple(replaced(item, replace) for item in node)
        return node if all(a is b for a, b in zip(items, node, strict=True)) else items  # type: ignore[return-value]
    kind: Any = type(node)
    if not _is_node(kind):
        return node
    found = replace(node)
    if found is not None:
        return found  # type: ignore[no-any-return]
    changed = {}
    for name in _parts(kind):
        part: Any = getattr(node, name)
        of_part: Any = type(part)
        if isinstance(part, tuple) or _is_node(of_part):
            other = replaced(part, replace)
            if other is not part:
                changed[name] = other
    return attrs.evolve(node, **changed) if changed else node  # type: ignore[misc]
