"""Tree traversal: the nodes within a node of the core, whatever their kind, and the locals they mention.

Nothing here knows what a node means; see :mod:`enfilade.core.traits` for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from typing import Any

import attrs

from enfilade.core import ir

# Notes hold no rules, and a chart has many cells.
_LEFT_OUT = ("span", "note", "type", "code_type", "cells", "printed", "labels", "finders", "analyses")


@cache
def parts_of(kind: Any) -> tuple[str, ...]:
    """The fields of a class of nodes that may hold other nodes, the last first."""
    names = [each.name for each in attrs.fields(kind) if each.name not in _LEFT_OUT]
    return tuple(reversed(names))


@cache
def _is_node(kind: Any) -> bool:
    return attrs.has(kind) and kind.__module__ == ir.__name__


@cache
def is_inner_node(kind: Any) -> bool:
    """Whether a class is one of nodes that have parts: a note or a constant has none."""
    return _is_node(kind) and kind is not ir.Note and kind is not ir.Const


def nodes(root: Any) -> Iterator[Any]:
    """Every node within *root*, itself included, in the order of the text; not the declarations that it names."""
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
            if not isinstance(node, ir.Const):
                waiting.extend(getattr(node, name) for name in parts_of(kind))


def bound_in(root: Any) -> set[str]:
    """The locals that are bound within: the elements of lists that are gone through."""
    return {node.var for node in nodes(root) if isinstance(node, (ir.Over, ir.MapOver, ir.Sort))}


def locals_in(root: Any) -> set[str]:
    """The locals that are looked at within, bound there or not."""
    return {node.name for node in nodes(root) if isinstance(node, ir.Local)}


def seen_only_through(root: Any, names: Collection[str], through: Callable[[Any], Any]) -> frozenset[str]:
    """The locals that are looked at in one way and in no other.

    Args:
        root: Where.
        names: The locals in question.
        through: What a node looks at in that way, if it does.
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
    """How many nodes there are, cells and labels of charts left out."""
    return sum(1 for node in nodes(root) if not isinstance(node, (ir.Match, ir.Band)))
