"""Compiled code over many states of one layout: the columns that it may read are put at hand before it runs in a state.

To track what each state reads, as a kernel does (see ``kernels``), costs more than a compiled step or condition itself. So
where there are many states, the analysis says which columns the code may read, and it runs once for each combination of
their values. What it reads of the origin of the states is tracked for all of them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from enfilade.core import ir
from enfilade.engines.odds.analysis.variables import RUNNING
from enfilade.engines.odds.states.distribution import DELTAS, UNCHANGED, Distribution, Row, Slots, taking
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.slots import Origin, RowOrigin
from enfilade.engines.odds.states.state_evaluator import (
    CompiledRun,
    Failed,
    SlotRecords,
    SlotsOfFields,
    SlotsOfLocals,
    StateEvaluator,
)
from enfilade.values.data import Ref

_MANY: Final = 32
"""For fewer states, it costs less to track their reads."""

_NOT_AT_HAND: Final = DELTAS | {type(UNCHANGED), Failed}


class Found:
    """The results for the states of a distribution, in their order, in place of a kernel."""

    __slots__ = ("_next",)

    def __init__(self, results: Iterator[Any]) -> None:
        self._next = results.__next__

    def find(self, row: Row, index: Mapping[int, int], outer: Origin) -> Any:
        """The result for the next state."""
        return self._next()


class RowLocals(dict[str, Any]):
    """The locals of one frame: those at hand, and those that the code has read or assigned."""

    __slots__ = ("_evaluator", "assigned", "slots")

    def __init__(self, evaluator: StateEvaluator, depth: int) -> None:
        super().__init__()
        self._evaluator = evaluator
        self.assigned: frozenset[str] = frozenset()
        self.slots = SlotsOfLocals(evaluator.slots, depth)

    def __missing__(self, name: str) -> Any:
        value = self._evaluator.read_slot(self.slots[name])
        if type(value) is Failed:
            raise value.again()
        # A running total changes whenever an effect is performed.
        if name not in self.assigned and not name.startswith(RUNNING):
            self[name] = value
        return value


class _RowFields(dict[str, Any]):
    """The fields of one record: those at hand, and those that the code has read."""

    __slots__ = ("_evaluator", "slots")

    def __init__(self, evaluator: StateEvaluator, ref: Ref) -> None:
        super().__init__()
        self._evaluator = evaluator
        self.slots = SlotsOfFields(evaluator.slots, ref)

    def __missing__(self, name: str) -> Any:
        slot = self.slots[name]
        value = self._evaluator.read_slot(slot)
        if slot not in self._evaluator.writes:
            self[name] = value
        return value


class _Layout:
    """What compiled code may read of the states of one layout.

    Attributes:
        index: The place of each slot in a row.
        key: The values that it may read; ``None`` if it may read all.
        columns: Where they are put at hand: a dictionary, the key there, the slot and the place in a row.
    """

    __slots__ = ("columns", "index", "key")

    def __init__(self, run: RowRun, slots: Slots, reads: LiveSlots, depth: int) -> None:
        self.index = {slot: place for place, slot in enumerate(slots)}
        read = [place for place, slot in enumerate(slots) if reads[slot]]
        self.key = taking(read) if len(read) < len(slots) else None
        self.columns: list[tuple[dict[str, Any], str, int, int]] = []
        for place in read:
            slot = slots[place]
            match run.evaluator.slots.names[slot]:
                case ("local", of, name) if of == depth:
                    self.columns.append((run.locals(depth), name, slot, place))
                case ("field", ref, name):
                    self.columns.append((run.records[ref], name, slot, place))


class RowRun(CompiledRun):
    """The shared state of compiled functions, over many states of one layout."""

    __slots__ = ("_locals",)

    def __init__(self, evaluator: StateEvaluator) -> None:
        super().__init__(evaluator)
        self.records = SlotRecords(evaluator, _RowFields)
        self._locals: dict[int, RowLocals] = {}

    def pays(self, states: Distribution) -> bool:
        """Whether there are many states, so that it would cost more to track the reads of each."""
        return len(states.rows) >= _MANY

    def locals(self, depth: int) -> RowLocals:
        """The locals of a frame."""
        found = self._locals.get(depth)
        if found is None:
            found = self._locals[depth] = RowLocals(self.evaluator, depth)
        return found

    def write(self, ref: Ref, name: str, value: Any) -> Any:
        """Change a field of a record and return its fields."""
        fields = self.records[ref]
        fields.pop(name, None)
        self.evaluator.writes[fields.slots[name]] = value
        return fields

    def join(self, start: Mapping[int, Any], ends: list[dict[int, Any]], note: ir.Note) -> None:
        """Join the changes of simultaneous parts that began with the same state."""
        super().join(start, ends, note)
        for fields in self.records.values():
            fields.clear()

    def results(
        self,
        states: Distribution,
        outer: Origin,
        reads: LiveSlots,
        depth: int,
        facts: Mapping[str, Any],
        run: Callable[[], Any],
    ) -> Iterator[Any]:
        """The result of some code for each state, in their order.

        Args:
            states: The states.
            outer: Their origin.
            reads: The slots that the code may read.
            depth: The depth of its frame.
            facts: The facts of its frame.
            run: Runs the code, and returns a result that is not ``None``.
        """
        layout = reads.columns.get(states.slots)
        if layout is None:
            layout = reads.columns[states.slots] = _Layout(self, states.slots, reads, depth)
        for each in (*self._locals.values(), *self.records.values()):
            each.clear()
        at, evaluator = RowOrigin(layout.index, reads, outer), self.evaluator
        evaluator.begin(at, depth, facts)
        self.facts = facts
        key_of, columns, read_before = layout.key, layout.columns, outer.reads
        known: dict[Any, Any] = {}
        for row in states.rows:
            key = row if key_of is None else key_of(row)
            result = known.get(key)
            if result is None:
                at.move(row)
                evaluator.writes, self.steps = {}, 0
                for target, name, slot, place in columns:
                    value = row[place]
                    if value is UNCHANGED:
                        value = read_before.get(slot, UNCHANGED)
                    if type(value) in _NOT_AT_HAND:
                        target.pop(name, None)
                    else:
                        target[name] = value
                result = run()
                if key_of is not None:
                    known[key] = result
            yield result
