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


def check_roll_step(ctx: Context, s: t.Roll, scope: Scope) -> list[ir.Statement]:
    """Check ``roll 2d6 as fire_roll``, with its rules for rerolls and explosions."""
    before: list[ir.Statement] = []
    groups, type_ = check_roll(ctx, s.dice, scope, before)
    rules = tuple(_check_roll_rule(ctx, rule, type_, scope) for rule in s.rules)
    if isinstance(type_, RollOf) and any(rule.act == "explode" for rule in s.rules):
        low = None if type_.total is None else type_.total.low
        type_ = evolve(type_, high=None, total=Num(low, None))
        if any(rule.adds for rule in s.rules):
            type_ = _with_added_dice(ctx, type_, s)
    slot = scope.bind(s.name.name, type_)
    roll = ir.RollDice(slot, s.name.name, groups, rules, None, note_of(s.tail, s.span))
    return [*before, roll]


def _with_added_dice(ctx: Context, type_: RollOf, s: t.Roll) -> RollOf:
    """The type of a roll in which each die has the sum of its explosions."""
    if not isinstance(type_.value, Num):
        ctx.report("mixed-faces", "dice with symbols can't be added to a die", s.span, "leave `added to the die` out")
        return type_
    return evolve(type_, value=Num(type_.value.low, None))


def _check_roll_rule(ctx: Context, rule: t.RollRule, roll: Type, scope: Scope) -> ir.RollRule:
    value = roll.value if isinstance(roll, RollOf) else Unknown()
    slot = scope.slot("die")
    relation = t.Relation("is", rule.target, rule.span)
    test = check_relation(ctx, Typed.of(ir.Local(slot, rule.span, type=value)), relation, scope, rule.span)
    times = None if rule.times is None else check_whole(ctx, rule.times, scope).node
    return ir.RollRule(rule.act, slot, test, times, rule.adds)


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
