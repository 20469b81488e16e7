"""Names that are values: `yes`, `no` and `none` can't be declared, because they are read as the value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from enfilade.check.context import Context
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes

_VALUES: Final = {
    "yes": "it is the value of a condition",
    "no": "it is the value of a condition",
    "none": "it means that there is no value",
}
_CONJUNCTIONS: Final = ("if", "when", "unless", "where")
_Declaring: TypeAlias = (
    t.FieldDecl | t.Param | t.OptionDecl | t.Words | t.Record | t.Define | t.Die | t.Deck | t.Chart | t.Columns
    | t.ModLine | t.Modifiers | t.Roll | t.Draw | t.Let | t.Read | t.Choose | t.ChooseWhether | t.ChooseWord | t.Assign
    | t.ForEach | t.Call | t.Give | t.Effect | t.Procedure | t.Event
)  # fmt: skip


def check_value_names(ctx: Context, declarations: Iterable[t.Declaration]) -> None:
    """Report declared names that would be read as values."""
    for node in nodes(tuple(declarations)):
        if not isinstance(node, _Declaring) or node.name is None:
            continue
        name = node.name
        if isinstance(node, t.ModLine) and name.name in _CONJUNCTIONS:
            ctx.report("misplaced", f"this modifier has no name: `{name.name}` begins its condition", name.span,
                       f"write `NAME` in place of `{name.name}`", is_plain=True)  # fmt: skip
        if name.name not in _VALUES:
            continue
        if not ctx.is_first_version(name.span):
            message = f"`{name.name}` can't be a name: {_VALUES[name.name]}"
            ctx.report("misplaced", message, name.span, "choose another name")
