"""A divisor that may be 0.

## What it finds

A division, or a remainder, whose divisor can be 0, in a declaration with no condition on it.

## Why it matters

Divided by 0, the run ends with an error.

## Example

```rules
facts
  attack   1..20
  defence  0..20

procedure main
  1. give ratio = attack / defence
```

## Instead

```rules
facts
  attack   1..20
  defence  0..20

procedure main
  1. refuse no_defence "nobody defends" when defence is 0
  2. give ratio = attack / defence
```
"""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.check.operands import unseen_operands
from enfilade.core import ir
from enfilade.values.types import Num


def check(ctx: Context, program: ir.Program) -> None:
    """Warn of divisors whose range has 0 in it."""
    for at, operand, span in unseen_operands(program, ("divide", "mod")):
        type_ = getattr(operand, "type", None)
        if at == 1 and isinstance(type_, Num) and not isinstance(operand, ir.Const) and _holds_zero(type_):
            ctx.warn("may-divide-by-zero", "this divisor may be 0, and the calculation then ends with an error",
                     span, "write `... but at least 1`, or refuse the case before")  # fmt: skip


def _holds_zero(type_: Num) -> bool:
    return (type_.low is None or type_.low <= 0) and (type_.high is None or type_.high >= 0)
