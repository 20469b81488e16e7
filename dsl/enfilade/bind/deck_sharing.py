"""Desugaring of decks that have the cards of another: ``deck theirs like ours``."""

from __future__ import annotations

from attrs import evolve

from enfilade.bind.symbols import Symbols
from enfilade.bind.unread import Unread
from enfilade.diagnostics.diagnostic import Diagnostic, Subject
from enfilade.diagnostics.suggest import nearest
from enfilade.syntax import tree as t


def share_between_decks(symbols: Symbols, unread: Unread) -> None:
    """Give each deck the cards that it shares with another.

    Args:
        symbols: The declarations; their decks are changed.
        unread: What could not be read of the texts.
    """
    for name, deck in symbols.decks.items():
        model = _model(symbols, deck, unread)
        symbols.decks[name] = evolve(deck, cards=model.cards, fields=model.fields, lines=model.lines)


def _model(symbols: Symbols, deck: t.Deck, unread: Unread) -> t.Deck:
    """The deck whose cards a deck has; itself if its cards are its own, or can't be found."""
    seen = {deck.name.name}
    model = deck
    while model.like is not None:
        name = model.like.name
        if name in seen:
            message = f"`like` leads from the deck `{name}` back to itself"
            symbols.diagnostics.append(Diagnostic("circular", message, model.like.span))
            return deck
        if name not in symbols.decks:
            if not unread.may_declare(name):
                close = nearest(name, symbols.decks)
                helps = (f"did you mean `{close}`?",) if close else ()
                about = Subject((name,), close)
                message = f"there is no deck `{name}`"
                symbols.diagnostics.append(
                    Diagnostic("unknown-name", message, model.like.span, helps=helps, about=about)
                )
            return deck
        seen.add(name)
        model = symbols.decks[name]
    return model
