"""Locals that some step changes, found by a walk over the steps before they are checked."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes


def changing_locals(steps: tuple[t.Step, ...]) -> set[str]:
    """The locals that a `becomes` or a second `let` changes; also as `list.item` if an item of the list changes."""
    lets = [s.name.name for s in statements_in(steps) if isinstance(s, t.Let)]
    becomes = [s for s in statements_in(steps) if isinstance(s, t.Becomes) and len(s.target) == 1]
    items = {f"{s.target[0].name}.item" for s in becomes if s.index is not None}
    return {s.target[0].name for s in becomes} | items | {name for name in lets if lets.count(name) > 1}


def statements_in(steps: tuple[t.Step, ...]) -> Iterator[t.Statement]:
    """All statements of some steps, with those of their blocks."""
    return (node.statement for node in nodes(steps) if isinstance(node, t.Step))


def blocks_of(s: t.Statement) -> list[t.Block]:
    """The blocks of a statement."""
    match s:
        case t.When():
            if isinstance(s.otherwise, t.When):
                return [s.block, *blocks_of(s.otherwise)]
            return [s.block, *([s.otherwise] if s.otherwise is not None else [])]
        case t.ForEach() | t.RepeatUntil() | t.RepeatTimes() | t.Together():
            return [s.block]
        case t.Call():
            return [s.if_refused] if s.if_refused is not None else []
    return []
