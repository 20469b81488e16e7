"""Call frames: the procedure, effect or results in which a step runs, and the facts visible there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field

from enfilade.engines.odds.analysis.variables import Variables


@define(eq=False)
class CallFrame:
    """A frame of the procedure that is played, or of an effect, a call or results within it.

    Attributes:
        depth: The number of frames, this one included.
        hidden: The procedures that were called with other facts: their own facts from outside are not visible.
        static: The facts that are the same in every state.
        given: The facts that a call gave, with their slots.
        end: The variables that are live after the procedure.
        facts: The facts as the evaluator looks them up.
        inner: The frames within this one, each created once.
    """

    depth: int
    hidden: tuple[str, ...]
    static: Mapping[str, Any]
    given: Mapping[str, int]
    end: Variables
    facts: Mapping[str, Any]
    inner: dict[Any, CallFrame] = field(factory=dict)
