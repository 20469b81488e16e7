"""A field gets two values at the same time.

## What it finds

Two steps of `together` that give the same field of the same record a value.

## Why it matters

The steps start from the same state, so one of the two values is lost.

## Example

```rules
record unit
  steps  0..4 = 2

facts
  gun  unit

procedure main
  1. together
       gun.steps becomes 1
       gun.steps becomes 0
```

## Instead

```rules
record unit
  steps  0..4 = 2

facts
  gun  unit

procedure main
  1. gun.steps becomes 1
     gun.steps becomes 0
```
"""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.diagnostics.diagnostic import Label
from enfilade.source.text import Span


def check(ctx: Context, program: ir.Program) -> None:
    """Warn of a field that two steps of ``together`` give a value in any case."""
    bodies = (*program.procedures.values(), *program.effects.values(), *program.results.values())
    for block in nodes(bodies):
        if not isinstance(block, ir.Together):
            continue
        seen: list[tuple[ir.SetField, Span]] = []
        for part in block.parts:
            own = [each for each in part if isinstance(each, ir.SetField)]
            for each in own:
                span = each.note.span
                first = next((at for other, at in seen if (other.of, other.field) == (each.of, each.field)), None)
                if first is not None and span is not None:
                    ctx.warn("two-values", f"`{each.field}` gets two values at the same time", span,
                             "put the steps one after the other, or into one step", labels=(Label(first, "the other value"),))  # fmt: skip
            seen += [(each, each.note.span) for each in own if each.note.span is not None]
