"""Resource limits of a run. They limit work, not time; each has its own error."""

from __future__ import annotations

from attrs import frozen


@frozen
class Limits:
    """The resource limits of a run.

    Attributes:
        steps: Statements executed and list elements visited.
        depth: Nested calls of procedures, effects and definitions.
        dice: Dice in one roll, explosions included.
        rerolls: Rounds of rerolls or explosions in one roll.
        length: Elements of one list.
        bits: Size of one number.
    """

    steps: int = 1_000_000
    depth: int = 40
    dice: int = 10_000
    rerolls: int = 1_000
    length: int = 100_000
    bits: int = 4_096


DEFAULT_LIMITS = Limits()
