"""A bound always replaces the value before it.

## What it finds

A number that is always beyond its bound, such as `-1 but at least 0`; a bound that leaves a field only one value,
such as `but at most 0` for `steps 0..4`; and a limit of modifiers that counts even if none of them applies.

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

from fractions import Fraction

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.values.types import Num


def check(ctx: Context, program: ir.Program) -> None:
    """Warn of bounds that always count, in values, in fields and in the sums of modifiers."""
    for node in nodes(program):
        if isinstance(node, ir.Op) and node.name in ("at least", "at most") and node.span is not None:
            value, bound = node.args
            if isinstance(value, ir.Const) and _is_beyond(node.name, value.type, bound.type):
                ctx.warn("always-the-bound", "this is always the bound", node.span,
                         "write what the bound limits: `steps - 1 but at least 0`")  # fmt: skip
        elif isinstance(node, ir.SetField) and isinstance(node.value, ir.Op) and node.value.span is not None:
            of, value, span = program.records[node.record].fields[node.field].type, node.value, node.value.span
            if (
                value.name in ("at least", "at most")
                and isinstance(of, Num)
                and isinstance(bound := value.args[1], ir.Const)
            ):
                end, other = (of.low, "at least") if value.name == "at most" else (of.high, "at most")
                if end is not None and bound.value == end and not _has_end(value.args[0].type, end, value.name):
                    ctx.warn("always-the-bound", f"with this bound, `{node.field}` can only be {end}", span,
                             f"write `but {other} {end}`")  # fmt: skip
        elif (
            isinstance(node, ir.Net)
            and isinstance(node.amount, ir.Const)
            and node.note.span is not None
            and _is_beyond(f"at {node.way}", Num(0, 0), node.amount.type)
        ):
            other = "least" if node.way == "most" else "most"
            ctx.warn("always-the-bound", "this limit counts even if no modifier applies", node.note.span,
                         f"did you mean `net at {other} {node.amount.value}`?")  # fmt: skip


def _is_beyond(way: str, value: object, bound: object) -> bool:
    """Whether a number is always below its lowest value, or above its highest."""
    if not isinstance(value, Num) or not isinstance(bound, Num):
        return False
    low, high = (value, bound) if way == "at least" else (bound, value)
    return low.high is not None and high.low is not None and low.high < high.low


def _has_end(value: object, end: int | Fraction, way: str) -> bool:
    """Whether a number never passes the end of a field on the other side."""
    if not isinstance(value, Num):
        return True
    return (
        (value.low is not None and value.low >= end)
        if way == "at most"
        else (value.high is not None and value.high <= end)
    )
