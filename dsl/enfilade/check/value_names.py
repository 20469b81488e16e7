"""Names that are values: `yes`, `no` and `none` can't be declared, because they are read as the value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

import attrs

from enfilade.check.context import Context
from enfilade.syntax import tree as t

_VALUES: Final = {
    "yes": "it is the answer of a condition",
    "no": "it is the answer of a condition",
    "none": "it says that there is no value",
}
_Declaring: TypeAlias = (
    t.FieldDecl | t.Param | t.OptionDecl | t.Words | t.Record | t.Define | t.Die | t.Deck | t.Chart | t.Columns
    | t.ModLine | t.Modifiers | t.Roll | t.Draw | t.Let | t.Read | t.Choose | t.ChooseWhether | t.ChooseWord | t.Assign
    | t.ForEach | t.Call | t.Give | t.Effect | t.Procedure | t.Event
)  # fmt: skip


def check_value_names(ctx: Context, declarations: Iterable[t.Declaration]) -> None:
    """Report declared names that would be read as values."""
    for node in _nodes(tuple(declarations)):
        if not isinstance(node, _Declaring) or node.name is None or node.name.name not in _VALUES:
            continue
        name = node.name
        if not ctx.is_first_version(name.span):
            message = f"`{name.name}` can't be a name: {_VALUES[name.name]}"
            ctx.report("misplaced", message, name.span, "choose another name")


def _nodes(tree: object) -> Iterator[object]:
    """All nodes of a tree."""
    rest = [tree]
    while rest:
        node = rest.pop()
        if isinstance(node, tuple):
            rest += node
        elif attrs.has(type(node)) and type(node).__module__ == t.__name__:
            yield node
            rest += [getattr(node, name) for name in node.__slots__ if name not in ("span", "__weakref__")]  # type: ignore[attr-defined]
