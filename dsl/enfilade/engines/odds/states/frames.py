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
        static: The facts that are the same in every state.
        given: The facts that a call gave, with their slots.
        end: The variables that are live after the procedure.
        facts: The facts as the evaluator looks them up.
        inner: The frames within this one, each created once.
        tables: The outcomes of rolls that are the same in every state, by step.
    """

    depth: int
    static: Mapping[str, Any]
    given: Mapping[str, int]
    end: Variables
    facts: Mapping[str, Any]
    inner: dict[Any, CallFrame] = field(factory=dict)
    tables: dict[int, Any] = field(factory=dict)

    def begin(self, facts: Mapping[str, Any]) -> None:
        """Give the root frame other facts."""
        self.static, self.facts = facts, dict(facts)
        self.inner, self.tables = {}, {}

    @property
    def is_root(self) -> bool:
        """Whether this is the frame of the procedure that is played."""
        return self.depth == 1
