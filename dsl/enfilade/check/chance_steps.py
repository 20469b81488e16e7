"""Steps that roll dice or draw cards."""

from __future__ import annotations

from attrs import evolve

from enfilade.check.coercions import card_type
from enfilade.check.comparisons import check_relation
from enfilade.check.context import Context, note_of
from enfilade.check.dice import check_roll
from enfilade.check.expected_types import check_whole
from enfilade.check.scope import Scope, Typed
from enfilade.core import ir
from enfilade.core.types import ListOf, Num, RollOf, Type, Unknown
from enfilade.syntax import tree as t


def check_roll_step(ctx: Context, s: t.Roll, scope: Scope) -> ir.Statement:
    """Check ``roll 2d6 as fire_roll``, with its rules for rerolls and explosions."""
    groups, type_ = check_roll(ctx, s.dice, scope)
    rules = tuple(_check_roll_rule(ctx, rule, type_, scope) for rule in s.rules)
    if isinstance(type_, RollOf) and any(rule.act == "explode" for rule in s.rules):
        low = None if type_.total is None else type_.total.low
        type_ = evolve(type_, high=None, total=Num(low, None))
    slot = scope.bind(s.name.name, type_)
    return ir.RollDice(slot, s.name.name, groups, rules, None, note_of(s.tail, s.span))


def _check_roll_rule(ctx: Context, rule: t.RollRule, roll: Type, scope: Scope) -> ir.RollRule:
    value = roll.value if isinstance(roll, RollOf) else Unknown()
    slot = scope.slot("die")
    relation = t.Relation("is", rule.target, rule.span)
    test = check_relation(ctx, Typed.of(ir.Local(slot, rule.span, type=value)), relation, scope, rule.span)
    return ir.RollRule(rule.act, slot, test, rule.times)


def check_draw(ctx: Context, s: t.Draw, scope: Scope) -> list[ir.Statement]:
    """Check ``draw 2 from chits as hand``."""
    deck = ctx.decks.get(s.deck.name)
    count = check_whole(ctx, s.count, scope)
    if deck is None:
        ctx.unknown("deck", s.deck, list(ctx.decks))
        scope.bind(s.name.name, Unknown())
        return []
    least = count.node.value if isinstance(count.node, ir.Const) else 0
    slot = scope.bind(s.name.name, ListOf(card_type(deck), least))
    return [ir.DrawCards(slot, s.name.name, deck.name, count.node, None, note_of(s.tail, s.span))]
