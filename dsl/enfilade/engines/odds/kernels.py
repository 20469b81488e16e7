"""Kernels: what a step does to a world, remembered by what it reads of it.

A step is run for one world. What it read then, slot after slot, is a path in a tree, and at its end stands what came of it:
worlds in which some slots have changed, each with a weight. The next world walks down the same tree. Where it agrees in
all that was read, the same comes of it, whatever else it holds; where it leaves the tree, the step is run for it too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import lcm
from typing import Any

from enfilade.engines.odds.view import Level, over_row
from enfilade.engines.odds.worlds import KEEP, Row, Slots, Worlds, changed


class Fork:
    """A place in the tree: which slot is read there, and where its values lead."""

    __slots__ = ("next", "slot")

    def __init__(self, slot: int) -> None:
        self.slot = slot
        self.next: dict[Any, Any] = {}


class Kernel:
    """What a step does, as far as it is known.

    Args:
        run: Runs the step where a level looks.
        fixed: Slots whose value is the same in all worlds of this kernel: the element of a loop.
    """

    __slots__ = ("_fixed", "_root", "_run")

    def __init__(self, run: Callable[[Level], Any], fixed: Mapping[int, Any] | None = None) -> None:
        self._run = run
        self._fixed = fixed or {}
        self._root: Any = None

    def find(self, row: Row, index: Mapping[int, int], outer: Level) -> Any:
        """What comes of a world.

        Args:
            row: The world.
            index: The place of each slot in it.
            outer: Where it came from.
        """
        node = self._root
        while type(node) is Fork:
            slot = node.slot
            place = index.get(slot, -1)
            node = node.next.get(outer.now(slot, row[place] if place >= 0 else KEEP))
        return self._explored(row, index, outer) if node is None else node

    def _explored(self, row: Row, index: Mapping[int, int], outer: Level) -> Any:
        fixed, level = self._fixed, over_row(row, index, outer)
        if fixed:
            # What is the same everywhere is no reading.
            level.reads.update(fixed)
        found = self._run(level)
        self._remember([item for item in level.reads.items() if item[0] not in fixed], found)
        return found

    def _remember(self, reads: list[tuple[int, Any]], found: Any) -> None:
        if not reads:
            self._root = found
            return
        if self._root is None:
            self._root = Fork(reads[0][0])
        node = self._root
        for at, (slot, value) in enumerate(reads):
            if type(node) is not Fork or node.slot != slot:
                # It was gone through in another way before, which read in another order: what was known is forgotten.
                self._root = None
                self._remember(reads, found)
                return
            if at == len(reads) - 1:
                node.next[value] = found
            elif value in node.next:
                node = node.next[value]
            else:
                node.next[value] = node = Fork(reads[at + 1][0])


def spliced(parts: list[tuple[Row, int, Worlds]], before: Slots, total: int, keep: Mapping[int, bool]) -> Worlds:
    """Worlds in which some slots have changed, as worlds like those that they came from.

    Args:
        parts: Each world with its weight, and what comes of it.
        before: The layout of the worlds.
        total: What their weights are divided by.
        keep: Which slots are still read.
    """
    layouts = {id(part.slots): part.slots for _, _, part in parts}
    written = tuple(dict.fromkeys(slot for slots in layouts.values() for slot in slots if keep[slot]))
    kept = tuple(place for place, slot in enumerate(before) if keep[slot])
    slots = tuple(before[place] for place in kept)
    more = tuple(slot for slot in written if slot not in slots)
    layout = slots + more
    every = lcm(*{part.total for _, _, part in parts})
    whole = len(kept) == len(before)
    fill = (KEEP,) * len(more)
    rows: dict[Row, int] = {}
    places: dict[int, list[tuple[int, int]]] = {}
    for row, weight, part in parts:
        base = (row if whole else tuple([row[place] for place in kept])) + fill
        moves = places.get(id(part.slots))
        if moves is None:
            moves = [(layout.index(slot), at) for at, slot in enumerate(part.slots) if keep[slot]]
            places[id(part.slots)] = moves
        scaled = weight * (every // part.total)
        if not moves:
            rows[base] = rows.get(base, 0) + scaled * sum(part.rows.values())
            continue
        for outcome, times in part.rows.items():
            new = list(base)
            for place, at in moves:
                new[place] = changed(new[place], outcome[at])
            key = tuple(new)
            rows[key] = rows.get(key, 0) + scaled * times
    return Worlds(layout, rows, total * every)
