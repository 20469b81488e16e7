"""Tree traversal over core nodes of every kind, and the locals that they mention.

Nothing here knows the meaning of a node; see :mod:`enfilade.core.traits` for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from operator import attrgetter
from typing import Any

import attrs

from enfilade.core import ir

# Fields that can't hold nodes, or that would make the traversal of charts slow.
_LEFT_OUT = (
    "span", "note", "type", "code_type", "cells", "printed", "labels", "matches", "finders", "analyses", "probes",
)  # fmt: skip


@cache
def parts_of(kind: Any) -> tuple[str, ...]:
    """The fields of a node class that may hold other nodes, last first."""
    names = [each.name for each in attrs.fields(kind) if each.name not in _LEFT_OUT]
    return tuple(reversed(names))


@cache
def _read_parts(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    """A function that reads those fields of a node."""
    names = parts_of(kind) if kind is not ir.Const else ()
    if len(names) < 2:
        return lambda node: tuple(getattr(node, name) for name in names)
    return attrgetter(*names)


@cache
def _is_node(kind: Any) -> bool:
    return attrs.has(kind) and kind.__module__ == ir.__name__


@cache
def is_inner_node(kind: Any) -> bool:
    """Whether nodes of a class have parts: notes and constants have none."""
    return _is_node(kind) and kind is not ir.Note and kind is not ir.Const


def children(node: Any) -> Iterator[Any]:
    """The nodes directly within a node, in the order of the text."""
    kind: Any = type(node)
    waiting = [getattr(node, name) for name in parts_of(kind)] if is_inner_node(kind) else []
    while waiting:
        part = waiting.pop()
        of_part: Any = type(part)
        if isinstance(part, tuple):
            waiting.extend(reversed(part))
        elif isinstance(part, Mapping):
            waiting.extend(reversed(list(part.values())))
        elif _is_node(of_part) and of_part is not ir.Note:
            yield part


def nodes(root: Any) -> Iterator[Any]:
    """Every node of a tree, *root* included, in the order of the text; declarations named there are not followed."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        kind: Any = type(node)
        if isinstance(node, tuple):
            waiting.extend(reversed(node))
        elif isinstance(node, Mapping):
            waiting.extend(reversed(list(node.values())))
        elif _is_node(kind) and not isinstance(node, ir.Note):
            yield node
            waiting += _read_parts(kind)(node)


def bound_in(root: Any) -> set[str]:
    """The locals that list operations within *root* bind to their elements."""
    return {node.var for node in nodes(root) if isinstance(node, (ir.Over, ir.MapOver, ir.Sort))}


def locals_in(root: Any) -> set[str]:
    """The locals that are read within *root*, including those bound there."""
    return {node.name for node in nodes(root) if isinstance(node, ir.Local)}


def only_read_through(root: Any, names: Collection[str], through: Callable[[Any], Any]) -> frozenset[str]:
    """The locals that are read only through one kind of node.

    Args:
        root: The tree to search.
        names: The locals to test.
        through: Gives the expression that a node reads in that way, or ``None`` for other nodes.
    """
    if not names:
        return frozenset()
    seen: Counter[str] = Counter()
    for node in nodes(root):
        if isinstance(node, ir.Local):
            seen[node.name] += 1
        looked_at = through(node)
        if isinstance(looked_at, ir.Local):
            seen[looked_at.name] -= 1
    return frozenset(name for name in names if not seen[name])


def size(root: Any) -> int:
    """Count nodes, without the cells and labels of charts."""
    return sum(1 for node in nodes(root) if not isinstance(node, (ir.Match, ir.Band)))
