"""Modifiers that nothing uses.

## What it finds

A block of modifiers of the main file that no chart, no roll and no value uses.

## Why it matters

The modifiers change nothing. Perhaps the end of the heading is missing.

## Example

```rules
facts
  night  yes/no

chart fire
  down  d6
  | d6  | hits |
  | 1-3 | 0    |
  | 4-6 | 1    |

modifiers drm
  -1  dark  night

procedure main
  1. roll d6 as die
  2. read fire with die as shot
  3. give result = shot.code
     give dark = night
```

## Instead

```rules
facts
  night  yes/no

chart fire
  down  d6
  roll below  stays
  | d6  | hits |
  | 1-3 | 0    |
  | 4-6 | 1    |

modifiers drm add to roll of fire
  -1  dark  night

procedure main
  1. roll d6 as die
  2. read fire with die as shot
  3. give result = shot.code
     give dark = night
```
"""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes


def check(ctx: Context, program: ir.Program) -> None:
    """Warn of blocks without a use, in the main text."""
    used = {name for chart in program.charts.values() for name in (*chart.shifts, *chart.roll_modifiers)}
    used |= {node.block for node in nodes((program, tuple(ctx.probes.values()))) if isinstance(node, ir.SumModifiers)}
    for name, block in ctx.symbols.modifiers.items():
        if name not in used and ctx.main is not None and block.name.span.source.name == ctx.main.name:
            ctx.warn("unused-modifiers", f"nothing uses the modifiers `{name}`", block.name.span,
                     f"write what they change in the heading: `modifiers {name} add to roll of CHART` or `shift columns of CHART`; "
                     f"or add `{name}` to a value")  # fmt: skip
