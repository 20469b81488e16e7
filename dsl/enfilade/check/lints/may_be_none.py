"""A calculation with a value that may be none.

## What it finds

A calculation with a value that may be none, in a declaration that never asks whether it is: a field of a unit
that a player chooses, or an output of a call that may be refused.

## Why it matters

Without the value, the run ends with an error.

## Example

```rules
record unit
  aim  1..4 or none

facts
  gun  unit

procedure shoot
  1. give bonus = gun.aim + 1
```

## Instead

```rules
record unit
  aim  1..4 or none

facts
  gun  unit

procedure shoot
  1. give bonus = (gun.aim or 0) + 1
```
"""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.check.operands import unseen_operands
from enfilade.core import ir
from enfilade.values.types import Maybe, Num


def check(ctx: Context, program: ir.Program) -> None:
    """Warn of operands that may be none."""
    for _, operand, span in unseen_operands(program, ("add", "subtract", "multiply", "divide", "mod")):
        type_ = getattr(operand, "type", None)
        if isinstance(type_, Maybe) and isinstance(type_.of, Num):
            ctx.warn("may-be-none", "this value may be none, and the calculation then ends with an error",
                     span, "write what then counts: `VALUE or 0`, or ask before: `when VALUE is not none`")  # fmt: skip
