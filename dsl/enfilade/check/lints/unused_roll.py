"""A roll is read twice, and another one never.

## What it finds

Dice that no step of the procedure reads, where a roll of the same dice is read more than once.

## Why it matters

One of the two readings is probably of the wrong roll, such as one that was copied.

## Example

```rules
chart wounds
  down d6
  | d6  | Result |
  | 1-3 | light  |
  | 4-6 | heavy  |

procedure main
  1. roll d6 as first
  2. roll d6 as second
  3. read wounds with first as wound
  4. give hit = first >= 4
     give result = wound.code
```

## Instead

```rules
chart wounds
  down d6
  | d6  | Result |
  | 1-3 | light  |
  | 4-6 | heavy  |

procedure main
  1. roll d6 as first
  2. roll d6 as second
  3. read wounds with second as wound
  4. give hit = first >= 4
     give result = wound.code
```
"""

from __future__ import annotations

from collections import Counter

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import nodes


def check(ctx: Context, program: ir.Program) -> None:
    """Warn of rolls that no expression names, beside one of the same dice that several name."""
    for unit in (*program.procedures.values(), *program.effects.values()):
        inside = [*nodes(unit)]
        read = Counter(each.name for each in inside if isinstance(each, ir.Local))
        rolls = [each for each in inside if isinstance(each, ir.RollDice)]
        twice = [each.groups for each in rolls if read[each.local] > 1]
        for roll in rolls:
            if not read[roll.local] and roll.groups in twice and roll.note.span is not None:
                ctx.warn("unused-roll", f"no step reads the roll `{roll.name}`", roll.note.span,
                         "read it where it counts, or delete this step")  # fmt: skip
