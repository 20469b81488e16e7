"""A case never applies.

## What it finds

A case of a definition below the line that says `otherwise`. It warns of a case of a definition, or of `otherwise when`,
whose condition is true only where an earlier one is: `1 when range <= 5` above `2 when range < 3`.

## Why it matters

The first case whose condition is true decides, so such a case never applies.

## Example

```rules
facts
  formation  one of line, column, square

define dice
  6  when formation is line
  1  otherwise
  2  otherwise
```

## Instead

```rules
facts
  formation  one of line, column, square

define dice
  6  when formation is line
  2  when formation is column
  1  otherwise
```
"""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.check.types.reports import warn_of_covered_cases
from enfilade.core import ir
from enfilade.core.walk import nodes

_ALWAYS = ir.Const(True)


def check(ctx: Context, program: ir.Program) -> None:
    """Warn of header rows and of modifiers in ``only the first`` behind one that is true whenever they are.

    Cases of steps and definitions are looked at where they are typed.
    """
    for chart in program.charts.values():
        headers = [each for each in nodes(chart) if isinstance(each, ir.Header)]
        rows = [(each.condition or _ALWAYS, span) for each in headers if (span := each.note.span) is not None]
        warn_of_covered_cases(ctx, rows)
    for group in nodes(tuple(program.modifiers.values())):
        if isinstance(group, (ir.Section, ir.ModBlock)) and _rule_of(group) == "first":
            warn_of_covered_cases(
                ctx,
                [
                    (each.condition, each.note.span)
                    for each in group.items
                    if isinstance(each, ir.Modifier) and not each.buts and each.note.span is not None
                ],
            )


def _rule_of(group: ir.Section | ir.ModBlock) -> str | None:
    """Which of the lines of a group counts."""
    return group.which if isinstance(group, ir.Section) else group.rule
