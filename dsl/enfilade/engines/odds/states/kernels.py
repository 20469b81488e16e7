"""Memoisation of steps: transition kernels keyed by the slots that a step reads.

A step runs for one state. The slots that it read, in order, are a path in a decision tree; the leaf holds the resulting
distribution. The next state walks down the same tree. If it has the same values in the slots read, it has the same
result, whatever its other slots hold. If the tree has no branch for a value, the step runs for that state too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import lcm
from typing import Any, Final, Protocol

from enfilade.engines.odds.states.distribution import DELTAS, UNCHANGED, Distribution, Row, Slots, taking
from enfilade.engines.odds.states.live_slots import SlotSet
from enfilade.engines.odds.states.meter import Meter
from enfilade.engines.odds.states.slots import Origin

_MANY: Final = 10


class ReadNode:
    """An inner node of the decision tree: the slot that is read, and the next node for each value."""

    __slots__ = ("next", "slot")

    def __init__(self, slot: int) -> None:
        self.slot = slot
        self.next: dict[Any, Any] = {}


class Finds(Protocol):
    """Finds the result of a step for each state of a distribution."""

    def find(self, row: Row, index: Mapping[int, int], outer: Origin) -> Any:
        """The result for one state; see ``Kernel.find``."""


class Kernel:
    """A memoised step.

    Args:
        run: Runs the step from an origin.
        fixed: Slots with the same value in every state of this kernel, such as the element of a loop.

    Attributes:
        root: The root of the decision tree: a node, or the only result; ``None`` before the first run.
    """

    __slots__ = ("_fixed", "_run", "root")

    def __init__(self, run: Callable[[Origin], Any], fixed: Mapping[int, Any] | None = None) -> None:
        self._run = run
        self._fixed = fixed or {}
        self.root: Any = None

    def find(self, row: Row, index: Mapping[int, int], outer: Origin) -> Any:
        """The result of the step for one state.

        Args:
            row: The state.
            index: The place of each slot in the row.
            outer: The origin of the row.
        """
        node = self.root
        while type(node) is ReadNode:
            slot = node.slot
            place = index.get(slot, -1)
            node = node.next.get(outer.now(slot, row[place] if place >= 0 else UNCHANGED))
        return self._explored(row, index, outer) if node is None else node

    def _explored(self, row: Row, index: Mapping[int, int], outer: Origin) -> Any:
        fixed, origin = self._fixed, Origin(row, index, outer)
        if fixed:
            # A slot with a fixed value is not part of the key.
            origin.reads.update(fixed)
        found = self._run(origin)
        reads = list(origin.reads.items())
        self._remember([item for item in reads if item[0] not in fixed] if fixed else reads, found)
        return found

    def _remember(self, reads: list[tuple[int, Any]], found: Any) -> None:
        if not reads:
            self.root = found
            return
        if self.root is None:
            self.root = ReadNode(reads[0][0])
        node, before, value = self.root, None, None
        for slot, next_value in reads:
            if before is not None:
                node = before.next.get(value)
                if node is None:
                    node = before.next[value] = ReadNode(slot)
            if type(node) is not ReadNode or node.slot != slot:
                # An earlier run read different slots at this point, so drop the tree.
                self.root = None
                self._remember(reads, found)
                return
            before, value = node, next_value
        assert before is not None
        before.next[value] = found


class Splice:
    """Where the slots of states and of the results of a step go, when both become states of one layout.

    Args:
        before: The layout of the states.
        layouts: The layouts of the results.
        live: The live slots afterwards.

    Attributes:
        kept: Takes the live slots of a state; ``None`` if all are live.
        layout: The layout afterwards: the live slots of the states, and those that the results add.
        added: The slots that the results add.
        fill: A value for each added slot.
        moves: For each layout of results, the place of each live slot in a state afterwards and in a result.
    """

    __slots__ = ("added", "fill", "kept", "layout", "moves")

    def __init__(self, before: Slots, layouts: Iterable[Slots], live: Mapping[int, bool]) -> None:
        kept = [place for place, slot in enumerate(before) if live[slot]]
        slots = tuple([before[place] for place in kept])
        written = dict.fromkeys([slot for each in layouts for slot in each if live[slot]])
        self.kept = None if len(kept) == len(before) else taking(kept)
        self.added = tuple([slot for slot in written if slot not in slots])
        self.layout = slots + self.added
        self.fill = (UNCHANGED,) * len(self.added)
        place = {slot: at for at, slot in enumerate(self.layout)}
        self.moves = {each: [(place[slot], at) for at, slot in enumerate(each) if live[slot]] for each in layouts}


def spliced(
    parts: list[tuple[Row, int, Distribution]], before: Slots, total: int, live: SlotSet, meter: Meter
) -> Distribution:
    """Combine the results of a kernel with the states that it started from.

    Args:
        parts: Each state with its weight, and its resulting distribution over the slots that changed.
        before: The layout of the states.
        total: The total of their weights.
        live: Which slots are live afterwards; the others are dropped.
        meter: The budget.
    """
    if len(parts) == 1:
        _, weight, only = parts[0]
        if not before and weight == total == 1 and all(live[slot] for slot in only.slots):
            return only
        layouts: tuple[Slots, ...] = (only.slots,)
        every = only.total
    else:
        layouts = tuple(dict.fromkeys([part.slots for _, _, part in parts]))
        every = lcm(*{part.total for _, _, part in parts})
    splice = live.splices.get((before, layouts))
    if splice is None:
        splice = live.splices[before, layouts] = Splice(before, layouts, live)
    kept, added, fill = splice.kept, splice.added, splice.fill
    rows: dict[Row, int] = {}
    get = rows.get
    for row, weight, part in parts:
        base = row if kept is None else kept(row)
        scaled = weight * (every // part.total)
        if len(part.rows) > _MANY:
            meter.count(len(part.rows))
        if part.slots == added:
            # All slots are new, so the rows are only joined.
            for outcome, times in part.rows.items():
                key = base + outcome
                rows[key] = get(key, 0) + scaled * times
            continue
        moves = splice.moves[part.slots]
        base += fill
        for outcome, times in part.rows.items():
            new = list(base)
            for place, at in moves:
                value = outcome[at]
                if type(value) in DELTAS:
                    value = value.to(new[place])
                if value is not UNCHANGED:
                    new[place] = value
            key = tuple(new)
            rows[key] = get(key, 0) + scaled * times
    return Distribution(splice.layout, rows, total * every)
