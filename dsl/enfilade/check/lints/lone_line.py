"""A group of modifiers holds one line only.

## What it finds

A group of modifiers (`never together`, `only the highest`) that holds one line only.

## Why it matters

The group does nothing. Perhaps the line below it is meant to belong to it.

## Example

```rules
facts
  night  yes/no
  fog    yes/no

modifiers drm
  never together
    -1  dark   night
  -2  foggy  fog

procedure main
  1. give result = drm
```

## Instead

```rules
facts
  night  yes/no
  fog    yes/no

modifiers drm
  never together
    -1  dark   night
    -2  foggy  fog

procedure main
  1. give result = drm
```
"""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes


def check(ctx: Context, program: ir.Program) -> None:
    """Warn of a group that holds one line only; the next line may be meant to belong to it."""
    for group in nodes(tuple(program.modifiers.values())):
        is_group = isinstance(group, ir.Section) and group.condition is None and group.record is None
        span = group.note.span if is_group and len(group.items) == 1 else None
        # A variant may have removed the other lines.
        if span is not None and ctx.main is not None and span.source.name == ctx.main.name:
            ctx.warn("lone-line", "this group holds one line only, so it does nothing", span.at(0, len(span.text.split("\n")[0])),
                     "indent the other lines that belong to it as deep as this one")  # fmt: skip
