"""Steps that roll dice or draw cards."""

from __future__ import annotations

from attrs import evolve

from enfilade.check.context import Context, note_of
from enfilade.check.expressions.comparisons import check_relation
from enfilade.check.expressions.decks import all_cards, cards_left, named_decks, put_together
from enfilade.check.expressions.dice import check_roll
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.expected_types import check_expression, check_whole
from enfilade.check.types.reports import report_mismatch
from enfilade.check.types.type_relations import is_assignable
from enfilade.core import ir
from enfilade.syntax import tree as t
from enfilade.values.types import ListOf, Num, RollOf, Type, Unknown


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
        ctx.report("mixed-faces", "dice with symbols can't be added up", s.span, "delete `added to the die`")
        return type_
    return evolve(type_, value=Num(type_.value.low, None))


def _check_roll_rule(ctx: Context, rule: t.RollRule, roll: Type, scope: Scope) -> ir.RollRule:
    value = roll.value if isinstance(roll, RollOf) else Unknown()
    slot = scope.slot("die")
    die = Typed.of(ir.Local(slot, rule.span, type=value))
    targets = rule.target.items if isinstance(rule.target, t.Or) else (rule.target,)
    tests = [check_relation(ctx, die, t.Relation("is", each, rule.span), scope, rule.span) for each in targets]
    test = tests[0] if len(tests) == 1 else ir.Any_(tuple(tests), rule.span)
    times = None if rule.times is None else check_whole(ctx, rule.times, scope).node
    return ir.RollRule(rule.act, slot, test, times, rule.adds)


def check_draw(ctx: Context, s: t.Draw, scope: Scope) -> list[ir.Statement]:
    """Check ``draw 2 from chits as hand``."""
    named = named_decks(ctx, s.deck, scope)
    count = check_whole(ctx, s.count, scope)
    if not named.decks:
        scope.bind(s.name.name, Unknown())
        return []
    least = count.node.value if isinstance(count.node, ir.Const) else 0
    slot = scope.bind(s.name.name, ListOf(named.card, least))

    def drawn(deck: ir.Deck) -> list[ir.Statement]:
        draw = ir.DrawCards(slot, s.name.name, deck.name, count.node, None, note_of(s.tail, s.span))
        return [*put_together(ctx, deck, s.deck.span), draw]

    return named.steps(drawn)


def check_move_cards(ctx: Context, s: t.MoveCards, scope: Scope) -> list[ir.Statement]:
    """Check ``remove card from fate`` and ``return hand to fate``."""
    named = named_decks(ctx, s.deck, scope)
    if not named.decks:
        return []
    type_ = named.card
    several = isinstance(s.cards, t.ListOf)
    cards = check_expression(ctx, s.cards, scope, ListOf(type_) if several else type_)
    one = is_assignable(cards.type, type_)
    if not one and not is_assignable(cards.type, ListOf(type_)):
        report_mismatch(ctx, f"a card of {s.deck.span.text}, or a list of them", cards.type, s.cards.span)
        return []
    moved = ir.Items((cards.node,), type=ListOf(type_)) if one else cards.node

    def moved_in(deck: ir.Deck) -> list[ir.Statement]:
        left = cards_left(ctx, deck, s.deck.span).node
        after = ir.Op("without cards", (left, moved), s.span, ListOf(type_))
        if s.act == "return":
            after = ir.Op("with cards", (left, moved, all_cards(ctx, deck, s.deck.span)), s.span, ListOf(type_))
        return [ir.Reshuffle(deck.name, note_of(s.tail, s.span), after)]

    return named.steps(moved_in)


def check_reshuffle(ctx: Context, s: t.Reshuffle, scope: Scope) -> list[ir.Statement]:
    """Check ``reshuffle fate``."""
    named = named_decks(ctx, s.deck, scope)

    def reshuffled(deck: ir.Deck) -> list[ir.Statement]:
        cards = None if deck.contents is None else all_cards(ctx, deck, s.deck.span)
        return [ir.Reshuffle(deck.name, note_of(s.tail, s.span), cards)]

    return named.steps(reshuffled) if named.decks else []
