"""Decks: their cards, and the definition that lists the cards of a deck with numbers from facts.

``deck chits of n x red, 2 x black`` is put together when the rules first use it in a run, and again by ``reshuffle``.
Until then the cards left are ``none``. All of this is lowered to a definition and a test, so engines need no extra code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import evolve, field, frozen

from enfilade.bind.names import Key
from enfilade.check.context import CardGroup, Context, note_of
from enfilade.check.demand import require_lowered
from enfilade.check.expressions.cards import product_of_cards, values_of_card
from enfilade.check.expressions.names import look_up
from enfilade.check.scope import Scope, Typed
from enfilade.check.types.coercions import card_type, number_type
from enfilade.check.types.expected_types import check_expression, check_whole
from enfilade.check.types.faces import faces_of_item, fixed_number
from enfilade.check.types.satisfiability import POISON
from enfilade.check.types.type_relations import find_common_type, is_known
from enfilade.core import ir
from enfilade.limits import in_force
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.data import FrozenMap
from enfilade.values.types import Bool, ListOf, Maybe, Num, Type, Unknown, Word


def check_deck(ctx: Context, tree: t.Deck, fields: Mapping[str, ir.Input]) -> None:
    """Check the cards of a deck, and the fields of each."""
    name = tree.name.name
    if tree.lines or fields:
        groups = [_cards_of_line(ctx, line, dict(fields)) for line in tree.lines]
        if not groups:
            help_ = "write `card NAME` or `cards each ...`"
            ctx.report("no-cards", f"the deck `{name}` has no cards", tree.name.span, help_)
        values = {card: given for group in groups for card, given in group.values.items()}
        ctx.card_fields[name] = {
            field: (declared.type, FrozenMap({card: given.get(field) for card, given in values.items()}))
            for field, declared in fields.items()
        }
    else:
        groups = [_cards_of_item(ctx, name, item) for item in tree.cards]
    if any(isinstance(card, str) for group in groups for card in group.names):
        # Cards are all numbers or all words; a number among words is a word.
        groups = [evolve(group, names=tuple(map(str, group.names))) for group in groups]
    if sum(len(group.names) * (fixed_number(group.times) or 1) for group in groups) > in_force().faces:
        ctx.report("die-too-large", f"a deck must have 1 to {in_force().faces} cards", tree.name.span)
        groups = []
    ctx.card_groups[name] = tuple(groups)
    cards = tuple(card for group in groups for card in _repeated(group))
    labels = {
        line.name.name: note_of(line.tail, line.span)
        for line in tree.lines
        if isinstance(line, t.CardLine) and line.tail != t.NO_TAIL
    }
    is_counted = any(fixed_number(group.times) is None for group in groups)
    note = note_of(tree.tail, tree.span)
    ctx.decks[name] = ir.Deck(name, cards, note, labels, f"{name}.cards" if is_counted else None)


def _cards_of_line(ctx: Context, line: t.CardProduct | t.CardLine, fields: dict[str, ir.Input]) -> CardGroup:
    if isinstance(line, t.CardProduct):
        cards = product_of_cards(ctx, line, fields)
        return CardGroup(tuple(card for card, _ in cards), dict(cards))
    return CardGroup((line.name.name,), {line.name.name: values_of_card(ctx, line, fields)}, line.times)


def _cards_of_item(ctx: Context, deck: str, item: t.FaceItem) -> CardGroup:
    if item.value is not None:
        help_ = f"give the deck a field: `value 0..{max(item.value, 0)}` below `deck {deck}`, and `card {item.face} (value {item.value})`"
        ctx.report("misplaced", "a card can't have a value after its name", item.span, help_)
    return CardGroup(tuple(face.printed for face in faces_of_item(ctx, item)), times=item.times)


def _repeated(group: CardGroup) -> tuple[Any, ...]:
    """The cards of a group; those with a number from facts once."""
    times = fixed_number(group.times)
    return group.names * (1 if times is None else times)


# ------------------------------------------------------------------------------------------ numbers from facts


@frozen
class NamedDecks:
    """The decks that a name may mean: a deck itself, or those of the list of words of a value.

    Attributes:
        decks: The decks; none if the name has a mistake.
        which: The value that names one of them.
        card: What their cards have in common.
    """

    decks: tuple[ir.Deck, ...] = ()
    which: ir.Expr | None = None
    card: Type = field(factory=Unknown)

    def steps(self, build: Callable[[ir.Deck], Sequence[ir.Statement]]) -> list[ir.Statement]:
        """The steps for the deck that the value names."""
        *others, last = self.decks
        steps = list(build(last))
        for deck in reversed(others):
            steps = [ir.Branch(self._is(deck), tuple(build(deck)), tuple(steps))]
        return steps

    def value(self, build: Callable[[ir.Deck], ir.Expr]) -> Typed:
        """The value for the deck that the value names."""
        *others, last = self.decks
        found, type_ = build(last), ListOf(self.card)
        for deck in reversed(others):
            found = ir.If(self._is(deck), build(deck), found, found.span, type_)
        return Typed.of(found)

    def _is(self, deck: ir.Deck) -> ir.Expr:
        assert self.which is not None
        return ir.Op("is", (self.which, ir.Const(deck.name)), self.which.span, Bool())


def named_decks(ctx: Context, name: t.Expr, scope: Scope) -> NamedDecks:
    """The decks that a name or a field means: a deck, or a value whose words are all names of decks."""
    if isinstance(name, t.Name) and name.name in ctx.decks:
        deck = ctx.decks[name.name]
        ctx.names.note(name.span, Key("deck", deck.name))
        return NamedDecks((deck,), None, card_type(deck))
    if isinstance(name, t.Name) and look_up(ctx, name.name, name.span, scope) is None:
        ctx.unknown("deck", t.Ident(name.name, name.span), list(ctx.decks))
        return NamedDecks()
    which = check_expression(ctx, name, scope)
    words = which.type.words if isinstance(which.type, Word) else ()
    if not words or any(word not in ctx.decks for word in words):
        if is_known(which.type):
            help_ = "declare it with the names of decks: `pile one of ours, theirs`"
            ctx.report("type", f"`{name.span.text}` is not a deck, and not the name of one", name.span, help_)
        return NamedDecks()
    decks = tuple(ctx.decks[word] for word in words)
    card: Type | None = card_type(decks[0])
    for deck in decks[1:]:
        card = None if card is None else find_common_type(ctx, card, card_type(deck))
    if card is None:
        ctx.report(
            "type", "these decks have cards of different types", name.span, "use decks whose cards are all words"
        )
        return NamedDecks()
    return NamedDecks(decks, which.node, card)


def all_cards(ctx: Context, deck: ir.Deck, span: Span) -> ir.Expr:
    """The cards of a whole deck."""
    type_ = ListOf(card_type(deck))
    if deck.contents is None:
        return ir.Const(deck.cards, type=type_)
    tree = ctx.symbols.decks[deck.name]
    made = require_lowered(ctx, deck.contents, span, partial(_check_contents, ctx, deck, tree))
    return POISON if made is None else ir.Define(made.name, (), span, type=type_)


def cards_left(ctx: Context, deck: ir.Deck, span: Span) -> Typed:
    """The cards left in a deck; before its first use, all of them."""
    type_ = ListOf(card_type(deck))
    if deck.contents is None:
        return Typed.of(ir.CardsLeft(deck.name, span, type=type_))
    left = ir.CardsLeft(deck.name, span, type=Maybe(type_))
    is_used = ir.Op("is not", (left, ir.Const(None)), span, Bool())
    return Typed.of(ir.If(is_used, left, all_cards(ctx, deck, span), span, type_))


def put_together(ctx: Context, deck: ir.Deck, span: Span) -> list[ir.Statement]:
    """The step that puts a deck with numbers from facts together, before it is drawn from."""
    return [] if deck.contents is None else [ir.Reshuffle(deck.name, ir.NO_NOTE, cards_left(ctx, deck, span).node)]


def _check_contents(ctx: Context, deck: ir.Deck, tree: t.Deck) -> ir.Definition:
    scope = Scope(f"deck {deck.name}")
    groups = ctx.card_groups[deck.name]
    times = ir.Items(tuple(_number_of(ctx, group, scope) for group in groups))
    names = ir.Const(tuple(group.names for group in groups))
    type_ = ListOf(card_type(deck))
    body = ir.Op("copies", (names, times), tree.name.span, type_)
    label = f"the cards of {tree.tail.label or deck.name}"
    note = ir.Note(label, span=tree.name.span)
    return ir.Definition(f"{deck.name}.cards", (), body, type_, note, (ir.NO_NOTE,))


def _number_of(ctx: Context, group: CardGroup, scope: Scope) -> ir.Expr:
    if group.times is None:
        return ir.Const(1, type=Num(1, 1))
    number = check_whole(ctx, group.times, scope)
    type_ = number_type(number)
    if type_.whole and (type_.low is None or type_.low < 0):
        ctx.report(
            "negative-dice",
            f"the number of `{group.names[0]}` may be below 0",
            group.times.span,
            "declare the number with a range, such as `0..9`, or write `(... but at least 0)`",
        )
    return number.node
