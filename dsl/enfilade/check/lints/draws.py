"""Draws of more cards than their deck has."""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes


def check_draws(ctx: Context, program: ir.Program) -> None:
    """Warn of draws that can never succeed."""
    for draw in nodes((*program.procedures.values(), *program.effects.values(), *program.results.values())):
        if not isinstance(draw, ir.DrawCards) or not isinstance(draw.count, ir.Const) or draw.note.span is None:
            continue
        deck = program.decks[draw.deck]
        if deck.contents is None and draw.count.value > len(deck.cards):
            ctx.warn("deck-too-small", f"the deck `{deck.name}` has only {len(deck.cards)} cards", draw.note.span,
                     "draw fewer cards, or add cards to the deck")  # fmt: skip
