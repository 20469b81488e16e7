"""Live slots: the slots that are read after a step, computed on demand (see ``analysis.liveness``)."""

from __future__ import annotations

from typing import Any

from enfilade.core.traits import LOCAL
from enfilade.engines.odds.analysis.variables import Variables, parts_of
from enfilade.engines.odds.states.slots import SlotTable


class LiveSlots(dict[int, bool]):
    """Decides for each slot whether it is live.

    Args:
        live: The live variables of the current frame.
        depth: The depth of that frame. All locals of outer frames are live.
        slots: The slots of the question.
    """

    def __init__(self, live: Variables, depth: int, slots: SlotTable) -> None:
        super().__init__()
        self._names = frozenset(variable[:2] for variable in live)
        self._depth = depth
        self._slots = slots
        self._live = live
        self._parts: dict[int, frozenset[str] | None] = {}

    def __missing__(self, slot: int) -> bool:
        found = self[slot] = self._is_live(self._slots.names[slot])
        return found

    def _is_live(self, name: tuple[Any, ...]) -> bool:
        match name:
            case ("local", depth, local):
                return bool(depth < self._depth or (depth == self._depth and (LOCAL, local) in self._names))
            case ("fact", depth, _):
                return bool(depth <= self._depth)
            case ("field", _, field):
                return ("field", field) in self._names or ("summed", field) in self._names
            case ("deck" | "effect" | "run" as kind, name_):
                return (kind, name_) in self._names
        return True

    def parts(self, slot: int) -> frozenset[str] | None:
        """The live parts of a local; ``None`` if all of it is live."""
        if slot not in self._parts:
            name = self._slots.names[slot]
            found = None
            if name[0] == "local" and name[1] == self._depth:
                read = parts_of(self._live, name[2])
                found = None if "" in read else read
            self._parts[slot] = found
        return self._parts[slot]


class AllSlots(dict[int, bool]):
    """Keeps every slot, or drops every slot."""

    def __init__(self, *, live: bool) -> None:
        super().__init__()
        self._value = live

    def __missing__(self, slot: int) -> bool:
        return self._value
