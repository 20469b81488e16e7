"""No round of a loop changes what its end depends on.

## What it finds

A loop `repeat until` or `repeat while` without a step that changes a value of its condition.

## Why it matters

Such a loop ends after its first round, or never. Often a step changes another value by mistake.

## Example

```rules
record side
  men  0..9

facts
  red   side
  blue  side

procedure main
  1. repeat until red.men is 0, limit 20 times
       roll d6 as die
       when die > 3: blue.men becomes red.men - 1 but at least 0
  2. give result = red.men
```

## Instead

```rules
record side
  men  0..9

facts
  red   side
  blue  side

procedure main
  1. repeat until red.men is 0, limit 20 times
       roll d6 as die
       when die > 3: red.men becomes red.men - 1 but at least 0
  2. give result = red.men - blue.men
```
"""

from __future__ import annotations

from typing import Final

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes

_PLAIN: Final = (ir.Op, ir.All, ir.Any_, ir.Not, ir.Const, ir.Local, ir.Field, ir.Fact, ir.Option)
_ELSEWHERE: Final = (ir.Perform, ir.CallProcedure, ir.ApplyResults)


def check(ctx: Context, program: ir.Program) -> None:
    """Warn of conditions that read only values which no step of the loop sets."""
    anywhere = {each.field for each in nodes(program) if isinstance(each, ir.SetField)}
    for loop in nodes((*program.procedures.values(), *program.effects.values(), *program.results.values())):
        if not isinstance(loop, ir.Repeat) or loop.until is None:
            continue
        read, body, span = [*nodes(loop.until)], [*nodes(loop.body)], getattr(loop.until, "span", None)
        if span is None or not all(isinstance(each, _PLAIN) for each in read):
            continue
        set_here = {getattr(each, "local", None) for each in body}
        fields = [each for each in body if isinstance(each, ir.SetField)]
        is_elsewhere = any(isinstance(each, _ELSEWHERE) for each in body)
        names = [each for each in read if isinstance(each, (ir.Local, ir.Field))]
        if names and not any(
            each.name in set_here
            or (is_elsewhere and each.name in anywhere)
            or any(_may_set(other, each) for other in fields)
            for each in names
        ):
            ctx.warn("endless-loop", "no step of the loop changes this condition", span,
                     "change one of its values in the loop")  # fmt: skip


def _may_set(step: ir.SetField, name: ir.Local | ir.Field) -> bool:
    """Whether a step may change a value; two facts are two records."""
    if not isinstance(name, ir.Field) or step.field != name.name:
        return False
    return not (isinstance(step.of, ir.Fact) and isinstance(name.of, ir.Fact) and step.of.name != name.of.name)
