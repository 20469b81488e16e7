"""A later step always replaces an output.

## What it finds

An output that a block of `when` gives, and that a step below the block gives again in any case.

## Why it matters

The first value is always lost. Perhaps a `stop` or an `otherwise` is missing.

## Example

```rules
facts
  night  yes/no

procedure main
  1. roll d6 as die
  2. when night: give result = 0
  3. give result = die
```

## Instead

```rules
facts
  night  yes/no

procedure main
  1. roll d6 as die
  2. when night: give result = 0
     otherwise: give result = die
```
"""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.diagnostics.diagnostic import Label
from enfilade.source.text import Span


def check(ctx: Context, program: ir.Program) -> None:
    """Warn of outputs that a block of `when` gives and a step below the block gives again in any case."""
    for procedure in program.procedures.values():
        for body in _bodies(procedure.body):
            _check_body(ctx, body)


def _bodies(body: ir.Body) -> Iterator[ir.Body]:
    yield body
    for node in nodes(body):
        if isinstance(node, ir.Branch):
            yield from (node.body, node.otherwise)
        elif isinstance(node, (ir.Loop, ir.Repeat)):
            yield node.body


def _check_body(ctx: Context, body: ir.Body) -> None:
    given: dict[str, Span] = {}
    for statement in reversed(body):
        if isinstance(statement, ir.Give) and statement.note.span is not None:
            given[statement.name] = statement.note.span
        elif isinstance(statement, ir.Branch):
            for block in (statement.body, statement.otherwise):
                goes_on = not any(isinstance(each, (ir.Stop, ir.Branch, ir.Refuse)) for each in block)
                for each in block if goes_on else ():
                    if isinstance(each, ir.Give) and each.name in given and each.note.span is not None:
                        ctx.warn("replaced-output", f"a later step always replaces this `{each.name}`", each.note.span,
                                 "add `stop` below this step, or put the later one below `otherwise`",
                                 labels=(Label(given[each.name], "it is replaced here"),))  # fmt: skip
