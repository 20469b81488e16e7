"""Live slots: the slots that are read after a step, computed on demand (see ``analysis.liveness``)."""

from __future__ import annotations

from typing import Any

from enfilade.core.traits import FIELD, LOCAL
from enfilade.engines.odds.analysis.variables import ALL, DEMANDED, SUMMED, Variables, demands_of_field, parts_of
from enfilade.engines.odds.states.distribution import Slots
from enfilade.engines.odds.states.slots import SlotTable


class SlotSet(dict[int, bool]):
    """A set of slots: whether each is in it, found when it is first needed.

    Attributes:
        splices: How states and results of some layouts are combined, if these slots are live (see ``kernels``).
    """

    def __init__(self) -> None:
        super().__init__()
        self.splices: dict[tuple[Slots, tuple[Slots, ...]], Any] = {}


class LiveSlots(SlotSet):
    """Decides for each slot whether it is live.

    Args:
        live: The live variables of the current frame.
        depth: The depth of that frame. All locals of outer frames are live.
        slots: The slots of the question.

    Attributes:
        parts: The live parts of each slot (see ``live_parts``).
        columns: Which columns of states of some layouts these slots are (see ``rows``).
    """

    def __init__(self, live: Variables, depth: int, slots: SlotTable) -> None:
        super().__init__()
        self._names = frozenset(variable[:2] for variable in live)
        self._depth = depth
        self._slots = slots
        self._live = live
        self.parts = _Parts(self)
        self.columns: dict[Slots, Any] = {}

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
                return any((kind, field) in self._names for kind in (FIELD, SUMMED, DEMANDED))
            case ("deck" | "effect" | "run" as kind, name_):
                return (kind, name_) in self._names
        return True

    def live_parts(self, slot: int) -> frozenset[str] | None:
        """The live parts of a local, or the demand for the list in a field; ``None`` if all of it is live."""
        read = self._read(self._slots.names[slot])
        return read if read and ALL not in read else None

    def _read(self, name: tuple[Any, ...]) -> frozenset[str]:
        match name:
            case ("local", depth, local) if depth == self._depth:
                return parts_of(self._live, local)
            case ("field", _, field) if (FIELD, field) not in self._names and (SUMMED, field) not in self._names:
                return demands_of_field(self._live, field)
        return frozenset()


class _Parts(dict[int, frozenset[str] | None]):
    """The live parts of each slot, found when they are first needed."""

    def __init__(self, live: LiveSlots) -> None:
        super().__init__()
        self._live = live

    def __missing__(self, slot: int) -> frozenset[str] | None:
        found = self[slot] = self._live.live_parts(slot)
        return found


class AllSlots(SlotSet):
    """Keeps every slot, or drops every slot."""

    def __init__(self, *, live: bool) -> None:
        super().__init__()
        self._value = live

    def __missing__(self, slot: int) -> bool:
        return self._value
