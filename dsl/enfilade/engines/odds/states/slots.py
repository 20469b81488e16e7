"""Slots: the numbered variables of a state, and the origin in which a step starts (dependency tracking)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

from enfilade.engines.odds.states.distribution import DELTAS, UNCHANGED, Row, updated

Name: TypeAlias = tuple[Any, ...]
"""The variable that a slot holds: ``("local", depth, name)``, ``("fact", depth, name)``, ``("field", ref, name)``,
``("deck", name)``, ``("effect", name)``, ``("run", sum)``, ``("answers",)``, ``("again",)``, ``("ends", ...)``."""


class SlotTable:
    """Numbers the slots of one question."""

    def __init__(self) -> None:
        self.names: list[Name] = []
        self._numbers: dict[Name, int] = {}

    def number(self, *name: Any) -> int:
        """The number of the slot with this name; a new name gets the next number."""
        found = self._numbers.get(name)
        if found is None:
            found = self._numbers[name] = len(self.names)
            self.names.append(name)
        return found


class Origin:
    """The state in which a step starts; it records which slots are read.

    Args:
        row: The state.
        index: The place of each slot in the row.
        outer: The origin of the row.

    Attributes:
        reads: The value of each slot that was read, in order.
        rounds: For each loop that started here, the memoised result of one round by state.
    """

    __slots__ = ("_index", "_outer", "_row", "reads", "rounds")

    def __init__(self, row: Row, index: Mapping[int, int], outer: Origin | Start) -> None:
        self.reads: dict[int, Any] = {}
        self.rounds: dict[Any, Any] = {}
        self._row = row
        self._index = index
        self._outer = outer

    def base(self, slot: int) -> Any:
        """The value of a slot in this state."""
        value = self.reads.get(slot, UNCHANGED)
        if value is UNCHANGED:
            place = self._index.get(slot, -1)
            if place >= 0:
                value = self._row[place]
            if value is UNCHANGED or type(value) in DELTAS:
                value = updated(self._outer.base(slot), value)
            self.reads[slot] = value
        return value

    def now(self, slot: int, value: Any) -> Any:
        """The value of a slot after the change that a row holds for it."""
        return updated(self.base(slot), value) if value is UNCHANGED or type(value) in DELTAS else value


class RowOrigin(Origin):
    """The states of one layout, one after the other. Only what is read of their origin is tracked.

    Args:
        index: The place of each slot in a row.
        may_read: The slots that may be read.
        outer: The origin of the states.
    """

    __slots__ = ("_may_read",)

    def __init__(self, index: Mapping[int, int], may_read: Mapping[int, bool], outer: Origin) -> None:
        super().__init__((), index, outer)
        self._may_read = may_read

    def move(self, row: Row) -> None:
        """Go to the next state."""
        self._row = row

    def base(self, slot: int) -> Any:
        """The value of a slot in the state."""
        place = self._index.get(slot, -1)
        if place < 0:
            return self._outer.base(slot)
        assert self._may_read[slot], "a step reads what the analysis did not find"
        value = self._row[place]
        return updated(self._outer.base(slot), value) if value is UNCHANGED or type(value) in DELTAS else value


class Start(Protocol):
    """The state at the start of a run."""

    def base(self, slot: int) -> Any:
        """The value of a slot."""
