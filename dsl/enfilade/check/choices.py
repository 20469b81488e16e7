"""Steps in which a player chooses."""

from __future__ import annotations

from enfilade.check.coercions import as_list
from enfilade.check.context import Context, note_of
from enfilade.check.expected_types import check_list, check_whole
from enfilade.check.scope import Scope
from enfilade.core import ir
from enfilade.core.types import Bool, CodeOf, Label, ListOf, Maybe, Num, RecordOf, Type, Unknown, Word, describe
from enfilade.syntax import tree as t


def check_player(ctx: Context, name: t.Ident | None) -> str | None:
    """Check the name of a player."""
    if name is not None and name.name not in ctx.symbols.players:
        ctx.unknown("player", name, list(ctx.symbols.players))
    return None if name is None else name.name


def check_choose(ctx: Context, s: t.Choose, scope: Scope) -> list[ir.Statement]:
    """Check ``owner chooses unit among LIST``."""
    among = as_list(check_list(ctx, s.among, scope))
    assert isinstance(among.type, ListOf)
    count = None if s.count is None else check_whole(ctx, s.count, scope).node
    return check_choice(
        ctx, s.player, s.name, among.node, among.type.of, count, s.if_any, note_of(s.tail, s.span), scope
    )


def check_choice(
    ctx: Context,
    player: t.Ident,
    name: t.Ident,
    among: ir.Expr,
    type_: Type,
    count: ir.Expr | None,
    if_any: bool,
    note: ir.Note,
    scope: Scope,
) -> list[ir.Statement]:
    """Lower a choice by a player and declare its local."""
    single = (Word, Num, Bool, CodeOf, Label, Unknown)
    is_list = count is None and isinstance(type_, ListOf) and isinstance(type_.of, single)
    if not is_list and not isinstance(type_, (RecordOf, *single)):
        ctx.report("type", f"a player can't choose among {describe(ListOf(type_))}", note.span or player.span)
        type_ = Unknown()
    if count is not None:
        type_ = ListOf(type_)
    elif if_any:
        type_ = RecordOf(type_.record, True) if isinstance(type_, RecordOf) else Maybe(type_)
    slot = scope.bind(name.name, type_)
    who = check_player(ctx, player) or player.name
    return [ir.Choose(slot, name.name, who, among, count, if_any, note)]
