"""Steps in which a player chooses."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from enfilade.bind.names import Key
from enfilade.check.context import Context, note_of, similar
from enfilade.check.expressions.names import look_up
from enfilade.check.procedures.policies import policy_for
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import as_list
from enfilade.check.types.expected_types import check_expression, check_list, check_whole
from enfilade.check.types.reports import report_mismatch
from enfilade.check.types.type_relations import is_known
from enfilade.core import ir
from enfilade.syntax import tree as t
from enfilade.values.types import Bool, CodeOf, Label, ListOf, Maybe, Num, RecordOf, Type, Unknown, Word, with_article


def by_player(ctx: Context, who: t.Expr | None, scope: Scope, steps: Sequence[ir.Statement]) -> list[ir.Statement]:
    """Let a player take some steps; a player who is a value becomes a branch for each player.

    Args:
        ctx: The context.
        who: The player: a name, or a value whose type is the list of players; ``None`` for nobody.
        scope: The names visible at the step.
        steps: The steps, for nobody yet.
    """
    if who is None:
        return list(steps)
    if isinstance(who, t.Name) and who.name in ctx.symbols.players:
        ctx.names.note(who.span, Key("player", who.name))
        return [_given_to(who.name, step) for step in steps]
    player = _check_player(ctx, who, scope)
    if player is None:
        return list(steps)
    assert isinstance(player.type, Word)
    *others, last = player.type.words
    chosen: ir.Body = tuple(_given_to(last, step) for step in steps)
    for name in reversed(others):
        is_name = ir.Op("is", (player.node, ir.Const(name)), who.span, Bool())
        chosen = (ir.Branch(is_name, tuple(_given_to(name, step) for step in steps), chosen),)
    return list(chosen)


def _check_player(ctx: Context, who: t.Expr, scope: Scope) -> Typed | None:
    """Check a value that must be a player; ``None``, with a diagnostic, if it is none."""
    players = Word(tuple(ctx.symbols.players), "player")
    if isinstance(who, t.Name) and look_up(ctx, who.name, who.span, scope) is None:
        ctx.unknown("player", t.Ident(who.name, who.span), list(ctx.symbols.players))
        return None
    found = check_expression(ctx, who, scope, players)
    if isinstance(found.type, Word) and set(found.type.words) <= set(players.words):
        return found
    if is_known(found.type):
        close = similar(who.name, players.words) if isinstance(who, t.Name) else None
        help_ = (
            f"did you mean the player `{close}`?"
            if close
            else "declare the name with the type `player`"
            if players.words
            else "declare the players: `players attacker, defender`"
        )
        report_mismatch(ctx, "a player", found.type, who.span, help_)
    return None


def _given_to(player: str, step: ir.Statement) -> ir.Statement:
    """A step in which the player rolls, draws and chooses."""
    match step:
        case ir.RollDice() | ir.DrawCards() | ir.Choose():
            return evolve(step, player=player)
        case ir.Branch():
            body = tuple(_given_to(player, each) for each in step.body)
            return evolve(step, body=body, otherwise=tuple(_given_to(player, each) for each in step.otherwise))
        case ir.Loop():
            return evolve(step, body=tuple(_given_to(player, each) for each in step.body))
    return step


def check_choose(ctx: Context, s: t.Choose, scope: Scope) -> list[ir.Statement]:
    """Check ``owner chooses unit among LIST`` and ``owner may choose unit among LIST``."""
    among = as_list(check_list(ctx, s.among, scope))
    assert isinstance(among.type, ListOf)
    if s.any_number or isinstance(s.count, t.Band):
        return _check_selection(ctx, s, among, scope)
    count = None if s.count is None else check_whole(ctx, s.count, scope).node
    if s.may and (count is not None or s.if_any):
        what = "a number" if count is not None else "`if any`"
        ctx.report(
            "syntax", f"`may choose` chooses one option or none, so it can't have {what}", s.span, f"delete {what}"
        )
        count = None
    note = note_of(s.tail, s.span)
    return check_choice(ctx, s.player, s.name, among.node, among.type.of, count, s.if_any, note, scope, may=s.may)


def _check_selection(ctx: Context, s: t.Choose, among: Typed, scope: Scope) -> list[ir.Statement]:
    """Check ``owner chooses any number of kept among LIST``: a choice among all selections from the list."""
    assert isinstance(among.type, ListOf)
    bounds: list[ir.Expr] = [ir.Const(0), ir.Const(None)]
    if isinstance(s.count, t.Band):
        for at, end in enumerate((s.count.low, s.count.high)):
            bounds[at] = bounds[at] if end is None else check_whole(ctx, end, scope).node
    if s.may and not (isinstance(bounds[0], ir.Const) and bounds[0].value == 0):
        message = "it is unclear whether a player who may choose so many may choose nothing"
        ctx.report("syntax", message, s.span, "write `chooses`, with a range from 0 if the player may choose nothing")
    way = ListOf(ListOf(among.type.of), 1)
    ways = ir.Op("selections", (among.node, *bounds), s.among.span, type=way)
    return check_choice(ctx, s.player, s.name, ways, way.of, None, False, note_of(s.tail, s.span), scope)


def check_choice(
    ctx: Context,
    player: t.Expr,
    name: t.Ident,
    among: ir.Expr,
    type_: Type,
    count: ir.Expr | None,
    if_any: bool,
    note: ir.Note,
    scope: Scope,
    *,
    may: bool = False,
) -> list[ir.Statement]:
    """Lower a choice by a player and declare its local.

    Who *may* choose has none as one more option.
    """
    single = (Word, Num, Bool, CodeOf, Label, Unknown)
    listed = (*single, RecordOf) if isinstance(among, ir.Op) and among.name in ir.SELECTING else single
    is_list = count is None and isinstance(type_, ListOf) and isinstance(type_.of, listed)
    if not is_list and not isinstance(type_, (RecordOf, *single)):
        ctx.report("type", f"a player can't choose from {with_article(ListOf(type_))}", note.span or player.span)
        type_ = Unknown()
    if count is not None:
        type_ = ListOf(type_)
    elif if_any or may:
        type_ = RecordOf(type_.record, True) if isinstance(type_, RecordOf) else Maybe(type_)
    if may:
        among = ir.Op("followed", (among, ir.Const((None,))), among.span, ListOf(type_))
    choose = ir.Choose(
        name.name, name.name, "", among, count, if_any, note, policy=policy_for(ctx, name.name, type_, scope)
    )
    steps = by_player(ctx, player, scope, [choose])
    scope.bind(name.name, type_)
    return steps
