"""A bound always replaces the value before it.

## What it finds

A number that is always beyond its bound, such as `-1 but at least 0`.

## Why it matters

The value is always the bound. Often a name is missing: a loss is `steps - 1`, not `-1`.

## Example

```rules
record unit
  steps  0..4 = 3

effect step_loss (unit)
  unit.steps becomes -1 but at least 0

facts
  gun  unit

procedure main
  1. step_loss on gun
```

## Instead

```rules
record unit
  steps  0..4 = 3

effect step_loss (unit)
  unit.steps becomes unit.steps - 1 but at least 0

facts
  gun  unit

procedure main
  1. step_loss on gun
```
"""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.values.types import Num


def check(ctx: Context, program: ir.Program) -> None:
    """Warn of bounds that the value can never reach."""
    for node in nodes(program):
        if isinstance(node, ir.Op) and node.name in ("at least", "at most") and node.span is not None:
            value, bound = (each.type for each in node.args)
            if isinstance(node.args[0], ir.Const) and isinstance(value, Num) and isinstance(bound, Num):
                low, high = (value, bound) if node.name == "at least" else (bound, value)
                if low.high is not None and high.low is not None and low.high < high.low:
                    ctx.warn("always-the-bound", "this is always the bound", node.span,
                             "write what the bound limits: `steps - 1 but at least 0`")  # fmt: skip
