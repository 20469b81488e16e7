"""A value is compared with itself.

## What it finds

A comparison with the same value on both sides.

## Why it matters

It is always true, or never. Often one side means something else: behind `where`, a field of the element hides a
parameter, a local or a fact of the same name.

## Example

```rules
players red, blue

record army
  owner  one of red, blue
  size   1..9

facts
  armies  list of army

define strength (owner player) = sum of size over armies where owner is owner

procedure main
  1. give result = strength(red)
```

## Instead

```rules
players red, blue

record army
  owner  one of red, blue
  size   1..9

facts
  armies  list of army

define strength (side player) = sum of size over armies where owner is side

procedure main
  1. give result = strength(red)
```
"""

from __future__ import annotations

from typing import Final

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes

_COMPARISONS: Final = ("is", "is not", "less", "more", "at most", "at least")


def check(ctx: Context, program: ir.Program) -> None:
    """Warn of comparisons of a name with itself."""
    for node in nodes(program):
        if isinstance(node, ir.Op) and node.name in _COMPARISONS and len(node.args) == 2 and node.span is not None:
            first, second = node.args
            if isinstance(first, (ir.Fact, ir.Local, ir.Field, ir.Part)) and first == second:
                ctx.warn("compared-with-itself", "this compares a value with itself", node.span,
                         "give one of them another name: a field of the element hides a parameter or fact of its name")  # fmt: skip
