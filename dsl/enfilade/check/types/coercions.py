"""Implicit conversions (coercions): a roll to its total, a reading to its code, a map to the list of its keys."""

from __future__ import annotations

from enfilade.check.scope import Typed
from enfilade.check.types.satisfiability import POISON
from enfilade.core import ir
from enfilade.values.types import ListOf, MapOf, Maybe, Num, ReadingOf, RollOf, TallyOf, Type, Unknown, Word

POISONED = Typed(POISON, Unknown())
PENDING = Typed(POISON, Unknown(is_pending=True))


def coerce(typed: Typed) -> Typed:
    """Convert a roll to its total or symbol, a sum of modifiers to its total, a reading to its code."""
    match typed.type:
        case RollOf(Num()):
            return Typed.of(ir.Part(typed.node, "total", typed.node.span, type=total_of(typed.type)))
        case RollOf(value, low, high) if (low, high) != (1, 1):
            return Typed.of(ir.Part(typed.node, "values", typed.node.span, type=ListOf(value, low)))
        case RollOf(value):
            return Typed.of(ir.Part(typed.node, "natural", typed.node.span, type=value))
        case TallyOf(total):
            return Typed.of(ir.Part(typed.node, "total", typed.node.span, type=total))
        case Maybe(of):
            return coerce(Typed(typed.node, of))
        case ReadingOf(_, code):
            return Typed.of(ir.Part(typed.node, "code", typed.node.span, type=code))
    return typed


def coerce_unless_optional(typed: Typed) -> Typed:
    """Like ``coerce``, but leave a value that may be ``none`` unchanged."""
    return typed if isinstance(typed.type, Maybe) else coerce(typed)


def total_of(roll: RollOf) -> Type:
    """The range of a roll's total; for dice with symbols, the type of a face."""
    if not isinstance(roll.value, Num):
        return roll.value
    return Num() if roll.total is None else roll.total


def as_list(typed: Typed) -> Typed:
    """Convert a roll to the list of its values, and a map to the list of its keys."""
    if isinstance(typed.type, MapOf):
        return Typed.of(ir.Op("keys", (typed.node,), typed.node.span, type=ListOf(typed.type.key)))
    if isinstance(typed.type, RollOf):
        values = ListOf(typed.type.value, typed.type.low)
        return Typed.of(ir.Part(typed.node, "values", typed.node.span, type=values))
    return typed


def card_type(deck: ir.Deck) -> Type:
    """The type of a card of a deck: a number or a word."""
    if not deck.cards:
        return Unknown()
    if all(isinstance(card, int) for card in deck.cards):
        return Num(min(deck.cards), max(deck.cards))
    return Word(tuple(dict.fromkeys(str(card) for card in deck.cards)))


def number_type(typed: Typed) -> Num:
    """A number type, unchanged; for any other type, the type of all numbers."""
    return typed.type if isinstance(typed.type, Num) else Num()


def least_length(typed: Typed) -> int:
    """The minimum length of a list."""
    return typed.type.least if isinstance(typed.type, ListOf) else 0
