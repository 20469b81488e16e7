"""A list is compared with one of its elements.

## What it finds

A comparison with `is` or `is not` of a list and one value, such as a card.

## Why it matters

A list is equal only to another list, so the comparison has always the same outcome.

## Example

```rules
deck cup of 3 x red, 2 x blue

procedure main
  1. draw 2 from cup as hand
  2. give lucky = hand is red
```

## Instead

```rules
deck cup of 3 x red, 2 x blue

procedure main
  1. draw 2 from cup as hand
  2. give lucky = hand has red
```
"""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.values.types import ListOf, Num, Word


def check(ctx: Context, program: ir.Program) -> None:
    """Warn of `hand is red`, where `hand` is a list of cards."""
    for node in nodes(program):
        if not isinstance(node, ir.Op) or node.name not in ("is", "is not") or node.span is None:
            continue
        of, other = (getattr(each, "type", None) for each in node.args)
        one = node.args[1]
        is_one = isinstance(other, (Num, Word)) or (isinstance(one, ir.Const) and isinstance(one.value, (str, int)))
        if isinstance(of, ListOf) and is_one:
            what = "never" if node.name == "is" else "always"
            ctx.warn(
                "list-compared", f"this compares a list with one element, and is {what} true", node.span, "write `has`"
            )
