"""The counted limits of a run. Each has its own error, and none depends on the clock."""

from __future__ import annotations

from attrs import frozen


@frozen
class Limits:
    """How far a run may go.

    Attributes:
        steps: Statements executed and list elements visited.
        depth: Procedures, effects and definitions inside each other.
        dice: Dice in one roll, explosions included.
        rerolls: Rounds of rerolling or exploding of one roll.
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
