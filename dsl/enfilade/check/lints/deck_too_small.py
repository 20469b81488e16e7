"""A draw takes more cards than the deck has.

## What it finds

A step that draws more cards than the deck has at all.

## Why it matters

The step always ends the run with an error.

## Example

```rules
deck cup of 3 x red, 2 x blue

procedure main
  1. draw 6 from cup as hand
  2. give reds = count of hand where each is red
```

## Instead

```rules
deck cup of 3 x red, 2 x blue

procedure main
  1. draw 4 from cup as hand
  2. give reds = count of hand where each is red
```
"""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes


def check(ctx: Context, program: ir.Program) -> None:
    """Warn of draws that can never succeed."""
    for draw in nodes((*program.procedures.values(), *program.effects.values(), *program.results.values())):
        if not isinstance(draw, ir.DrawCards) or not isinstance(draw.count, ir.Const) or draw.note.span is None:
            continue
        deck = program.decks[draw.deck]
        if deck.contents is None and draw.count.value > len(deck.cards):
            ctx.warn("deck-too-small", f"the deck `{deck.name}` has only {len(deck.cards)} cards", draw.note.span,
                     "draw fewer cards, or add cards to the deck")  # fmt: skip
