"""Symmetry of records: what a block does with one record, it does with another record in the same state.

A block runs for each of forty equal units. Exchange two units in everything that the block reads: if nothing changes but
their own fields, the result for the second one is the result for the first one with the two exchanged. So the block runs
once, and not forty times.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve

from enfilade.engines.odds.states.distribution import PLAIN, UNCHANGED, Appended, Distribution, Flow, Row
from enfilade.engines.odds.states.kernels import Kernel, ReadNode
from enfilade.engines.odds.states.slots import Origin, SlotTable
from enfilade.values.data import FrozenMap, Performed, Reading, Ref

_MOST: Final = 32
"""How many records that are bound in different ways are kept."""
_ABSENT: Final = object()


class Exchange:
    """Two records in each other's place.

    Args:
        slots: The slots.
        one: A record.
        other: Another record of the same kind.
    """

    def __init__(self, slots: SlotTable, one: Ref, other: Ref) -> None:
        self._slots = slots
        self._pairs = {one: other, other: one}

    def slot(self, slot: int) -> int:
        """The same slot of the other record."""
        name = self._slots.names[slot]
        if name[0] == "field" and name[1] in self._pairs:
            return self._slots.number("field", self._pairs[name[1]], name[2])
        return slot

    def value(self, value: Any) -> Any:
        """A value with the records exchanged."""
        kind = type(value)
        if kind in PLAIN:
            return value
        if kind is Ref:
            return self._pairs.get(value, value)
        if kind is tuple or kind is Appended:
            return kind(map(self.value, value))
        if kind is FrozenMap:
            return FrozenMap({self.value(key): self.value(each) for key, each in value.items()})
        if kind is Performed:
            return Performed(value.effect, self.value(value.args))
        if kind is Reading:
            return evolve(value, code=self.value(value.code), reader=self.value(value.reader))
        return value

    def is_other(self, value: Any, other: Any) -> bool:
        """Whether a value is another one when the records are exchanged."""
        if type(value) is not FrozenMap or type(other) is not FrozenMap:
            return bool(self.value(value) == other)
        if value is other and PLAIN.issuperset(map(type, value.values())):
            one, two = self._pairs
            return bool(value.get(one, _ABSENT) == value.get(two, _ABSENT))
        return len(value) == len(other) and all(
            other.get(self.value(key), _ABSENT) == self.value(each) for key, each in value.items()
        )

    def distribution(self, states: Distribution) -> Distribution:
        """States with the records exchanged."""
        rows: dict[Row, int] = {tuple(map(self.value, row)): weight for row, weight in states.rows.items()}
        return Distribution(tuple(map(self.slot, states.slots)), rows, states.total)


class RecordKernel(Kernel):
    """The kernel of a block for one record, which asks the kernels of other records first.

    Args:
        run: Runs the block from an origin.
        fixed: The locals that are bound, with their slots.
        others: The kernels of other records that are bound in the same way, each with the records exchanged.
    """

    __slots__ = ("_others",)

    def __init__(self, run: Any, fixed: Mapping[int, Any], others: list[tuple[Exchange, Kernel]]) -> None:
        super().__init__(run, fixed)
        self._others = others

    def _explored(self, row: Row, index: Mapping[int, int], outer: Origin) -> Any:
        for exchange, kernel in self._others:
            reads: list[tuple[int, Any]] = []
            node = kernel.root
            while type(node) is ReadNode:
                slot = exchange.slot(node.slot)
                place = index.get(slot, -1)
                value = outer.now(slot, row[place] if place >= 0 else UNCHANGED)
                reads.append((slot, value))
                node = node.next.get(exchange.value(value))
            if type(node) is Flow:
                stopped = None if node.stopped is None else exchange.distribution(node.stopped)
                found = Flow(exchange.distribution(node.done), stopped, node.refused, node.refusal)
                self._remember(reads, found)
                return found
        return super()._explored(row, index, outer)


class Alike:
    """The kernels of one block, by the record that it is run for.

    Args:
        slots: The slots.
        facts: The facts that the block may read.
        unread: The locals that are bound and that the block does not read.
    """

    def __init__(self, slots: SlotTable, facts: tuple[Any, ...], unread: frozenset[int]) -> None:
        self._slots = slots
        self._facts = facts
        self._unread = unread
        self._known: list[tuple[Ref, dict[int, Any], Kernel]] = []

    def kernel(self, run: Any, bindings: Mapping[int, Any], ref: Ref) -> Kernel:
        """A kernel for a record."""
        bound = self._read(bindings)
        others: list[tuple[Exchange, Kernel]] = []
        for one, known, kernel in self._known:
            exchange = self._exchange(one, known, ref, bound)
            if exchange is not None:
                others.append((exchange, kernel))
        found = RecordKernel(run, bindings, others)
        if not others and len(self._known) < _MOST:
            self._known.append((ref, bound, found))
        return found

    def exchange(self, one: Ref, known: Mapping[int, Any], ref: Ref, bound: Mapping[int, Any]) -> Exchange | None:
        """Two records in each other's place, if they and the locals that are bound are alike; ``None`` otherwise."""
        return self._exchange(one, self._read(known), ref, self._read(bound))

    def _read(self, bindings: Mapping[int, Any]) -> dict[int, Any]:
        return {slot: value for slot, value in bindings.items() if slot not in self._unread}

    def _exchange(self, one: Ref, known: Mapping[int, Any], ref: Ref, bound: Mapping[int, Any]) -> Exchange | None:
        if one.record != ref.record or known.keys() != bound.keys():
            return None
        exchange = Exchange(self._slots, one, ref)
        is_alike = all(exchange.is_other(each, bound[slot]) for slot, each in known.items()) and all(
            exchange.is_other(fact, fact) for fact in self._facts
        )
        return exchange if is_alike else None
