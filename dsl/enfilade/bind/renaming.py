"""``use steps with battalion for unit``: the names of a module are replaced by the game's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import evolve

from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes, rewritten


def names_in(declarations: Iterable[t.Declaration]) -> set[str]:
    """All names in some declarations."""
    return {node.name for node in nodes(tuple(declarations)) if isinstance(node, (t.Ident, t.Name))}


def named(declaration: t.Declaration) -> tuple[type, str] | None:
    """The kind and the name of a declaration of a module; ``None`` if it has no name of its own."""
    match declaration:
        case t.Facts(fields=(only,)):
            return t.Facts, only.name.name
        case t.Results(chart=chart):
            return t.Results, chart.name
    name = getattr(declaration, "name", None)
    return (type(declaration), name.name) if isinstance(name, t.Ident) else None


def split_facts(declarations: Iterable[t.Declaration]) -> list[t.Declaration]:
    """The declarations, with a block for each fact."""
    split: list[t.Declaration] = []
    for d in declarations:
        split += [evolve(d, fields=(field,)) for field in d.fields] if isinstance(d, t.Facts) else [d]
    return split


def with_names(declarations: Iterable[t.Declaration], renamings: Sequence[t.Renaming]) -> list[t.Declaration]:
    """The declarations with other names."""
    new = {each.old.name: each.new.name for each in renamings}
    return [rewritten(declaration, partial(_renamed, new)) for declaration in declarations]


def _renamed(new: Mapping[str, str], node: Any) -> Any:
    return evolve(node, name=new[node.name]) if isinstance(node, (t.Ident, t.Name)) and node.name in new else node


def joined_records(
    module: Iterable[t.Declaration], declarations: tuple[t.Declaration, ...]
) -> tuple[list[t.Declaration], tuple[t.Declaration, ...]]:
    """Make one record of a module's record and the game's record of that name: the game's fields come first.

    Returns:
        The declarations of the module without the joined records, and those of the game with them.
    """
    own = {d.name.name for d in declarations if isinstance(d, t.Record)}
    shared = {d.name.name: d for d in module if isinstance(d, t.Record) and d.name.name in own}
    rest = [d for d in module if not (isinstance(d, t.Record) and d.name.name in shared)]
    joined = tuple(
        _with_fields(d, shared[d.name.name]) if isinstance(d, t.Record) and d.name.name in shared else d
        for d in declarations
    )
    return rest, joined


def _with_fields(record: t.Record, more: t.Record) -> t.Record:
    own = {field.name.name for field in record.fields}
    return evolve(record, fields=(*record.fields, *(field for field in more.fields if field.name.name not in own)))
