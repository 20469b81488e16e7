"""The reference evaluator over one state: slots are read from its origin, and changes are kept as writes.

The reference evaluator runs everything that has no dice, choices or loops. The classes here stand in for its locals,
records, decks, effects and facts, so each read is tracked and nothing outside the writes changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar, cast

from enfilade.core import ir
from enfilade.core.answers import missing_fact
from enfilade.core.evaluate import Machine, merge_field
from enfilade.core.requests import FactRequest
from enfilade.core.run import Frame, Stopped
from enfilade.engines.odds.analysis.variables import RUNNING
from enfilade.engines.odds.dice.tails import belongs
from enfilade.engines.odds.states.distribution import UNCHANGED, Appended, Increment, frozen_value
from enfilade.engines.odds.states.slots import Origin, SlotTable
from enfilade.errors import RuleError
from enfilade.limits import Limits
from enfilade.values.data import Performed, Ref, State

F = TypeVar("F")


class StateEvaluator(Machine):
    """The reference evaluator over one state.

    Attributes:
        origin: The state in which the step started.
        writes: The value of each slot that changed since.
        catching: Whether to catch the body of an effect instead of running it.
        caught: The locals of the effect whose body was caught.
    """

    _belongs = staticmethod(belongs)

    def __init__(
        self,
        program: ir.Program,
        options: Mapping[str, Any],
        facts: Mapping[str, Any],
        slots: SlotTable,
        limits: Limits,
    ) -> None:
        self.no_answers = _NoAnswers()
        super().__init__(program, options, facts, State(), self.no_answers, None, limits)
        self.slots = slots
        self.origin = Origin((), {}, _NoOrigin())
        self.writes: dict[int, Any] = {}
        self.catching = False
        self.caught: dict[str, Any] | None = None
        self.state = cast(State, SlotState(self))
        self.effects = cast("list[Performed]", SlotEffects(self))
        self.shared = CompiledRun(self)
        self._locals: list[SlotLocals] = []

    def read_slot(self, slot: int) -> Any:
        """The value of a slot now."""
        value, origin = self.writes.get(slot, UNCHANGED), self.origin
        if value is not UNCHANGED:
            return origin.now(slot, value)
        # Most reads are of a slot that was read before, and was not changed.
        value = origin.reads.get(slot, UNCHANGED)
        return origin.base(slot) if value is UNCHANGED else value

    def begin(self, origin: Origin, depth: int, facts: Mapping[str, Any]) -> None:
        """Evaluate in a state, with no writes yet."""
        self.origin = origin
        self.writes = {}
        self.depth = depth
        self.steps = 0
        self.facts = facts  # type: ignore[assignment]
        self.shared.facts = facts
        self.shared.steps = 0

    def locals(self, depth: int) -> SlotLocals:
        """The locals of a frame."""
        while len(self._locals) <= depth:
            self._locals.append(SlotLocals(self, len(self._locals)))
        return self._locals[depth]

    def frame(self, depth: int, place: tuple[str, ...] = ()) -> Frame:
        """The environment of a frame: its locals are read from the state."""
        return Frame(self.locals(depth), _DISCARDED, place)  # type: ignore[arg-type]

    def frame_of_roll(self, depth: int) -> Frame:
        """The environment in which a roll is worked out: what is assigned in it is not written to the state."""
        return Frame(CachedLocals(self.locals(depth)), _DISCARDED)  # type: ignore[arg-type]

    def snapshot(self, frame: Frame) -> Any:
        return dict(self.writes)

    def restore(self, before: Any, frame: Frame) -> None:
        self.writes = dict(before)

    def changed(self) -> dict[int, Any]:
        """The changes of fields and decks."""
        names = self.slots.names
        return {slot: value for slot, value in self.writes.items() if names[slot][0] in ("field", "deck")}

    def undo(self, start: Mapping[int, Any]) -> None:
        """Undo all changes of fields and decks since the changes of the start."""
        for slot in self.changed():
            del self.writes[slot]
        self.writes.update(start)

    def join(self, start: Mapping[int, Any], ends: Iterable[Mapping[int, Any]], note: ir.Note) -> None:
        """Join the changes of simultaneous parts, as the reference evaluator joins whole states.

        Args:
            start: The changes before all parts.
            ends: The changes at the end of each part.
            note: The place of the step.

        Raises:
            RuleError: The changes contradict each other.
        """
        self.undo(start)
        parts = list(ends)
        for slot in dict.fromkeys(slot for part in parts for slot in part):
            before, name = self.read_slot(slot), self.slots.names[slot]
            after = [part[slot] for part in parts if part.get(slot, before) != before]
            if after and name[0] == "field":
                self.writes[slot] = merge_field(name[1], name[2], before, after, note)
                self._check_field(name[1], name[2], self.writes[slot], note)
            elif len(after) > 1:
                raise RuleError(f"two simultaneous parts both draw from {name[1]}", note.cites)
            elif after:
                self.writes[slot] = after[0]

    def _together(self, s: ir.Together, frame: Frame) -> None:
        start, place, depth = self.changed(), frame.place, self.depth
        ends, stops = [], False
        for part in s.parts:
            self.undo(start)
            try:
                self._body(part, frame)
            except Stopped:
                stops, frame.place, self.depth = True, place, depth
            ends.append(self.changed())
        self.join(start, ends, s.note)
        if stops:
            raise Stopped

    def state_key(self, frame: Frame, without: str) -> Any:
        names = self.slots.names
        return frozenset(
            (slot, value)
            for slot, value in self.writes.items()
            if names[slot][0] == "field" or (names[slot][0] == "local" and names[slot][-1] != without)
        )

    def _body(self, body: ir.Body, env: Frame) -> None:
        if self.catching:
            self.caught = env.locals
        else:
            super()._body(body, env)


class CompiledRun:
    """The shared state of compiled functions, over one state: see ``Run`` of the compiled engine."""

    __slots__ = ("asker", "decks", "effects", "evaluator", "facts", "known", "options", "program", "records", "steps")

    def __init__(self, evaluator: StateEvaluator) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.options = evaluator.options
        self.asker = evaluator.no_answers
        self.records: Any = evaluator.state.records
        self.decks = evaluator.state.decks
        self.effects = evaluator.effects
        self.facts: Any = evaluator.facts
        self.known: dict[str, Any] = {}
        self.steps = 0

    def write(self, ref: Ref, name: str, value: Any) -> Any:
        """Change a field of a record and return its fields."""
        fields = self.records[ref]
        self.evaluator.writes[fields.slots[name]] = value
        return fields

    def snapshot(self) -> dict[int, Any]:
        """The changes of fields and decks so far."""
        return self.evaluator.changed()

    def restore(self, snapshot: Mapping[int, Any]) -> None:
        """Return to an earlier state."""
        self.evaluator.undo(snapshot)

    def join(self, start: Mapping[int, Any], ends: list[dict[int, Any]], note: ir.Note) -> None:
        """Join the changes of simultaneous parts that began with the same state."""
        self.evaluator.join(start, ends, note)

    def shuffle(self, deck: str, cards: tuple[Any, ...] | None = None) -> None:
        """Put all cards back into a deck, or give it other cards."""
        after = self.program.decks[deck].cards if cards is None else cards
        self.evaluator.writes[self.evaluator.slots.number("deck", deck)] = after


class _NoAnswers:
    """An asker without answers: it reports a fact as missing, and plain steps roll no dice."""

    def fact(self, request: FactRequest) -> Any:
        return missing_fact(request)

    def roll(self, request: Any) -> Any:
        raise AssertionError("dice are not rolled here")

    draw = choose = roll

    def forced(self, request: Any) -> None:
        """Nothing to do."""


class _NoOrigin:
    """Stands in before the first state."""

    def base(self, slot: int) -> Any:
        """Nothing can be read."""
        raise AssertionError("there is no state to read from")


class _DiscardedOutputs:
    """Ignores the outputs, which are locals too."""

    __slots__ = ()

    def __setitem__(self, name: str, value: Any) -> None:
        pass


_DISCARDED: Final = _DiscardedOutputs()


class Failed:
    """A value whose computation failed; reading it raises the error."""

    __slots__ = ("error",)

    def __init__(self, error: RuleError) -> None:
        self.error = error

    def again(self) -> RuleError:
        """The error, to be raised where the value is read."""
        return RuleError(self.error.message, self.error.cites, self.error.place)


_FAILED: Final[dict[tuple[str, tuple[str, ...]], Failed]] = {}


def failed(error: RuleError) -> Failed:
    """The one failed value for this error."""
    if len(_FAILED) > 1_000:
        _FAILED.clear()
    return _FAILED.setdefault((error.message, error.cites), Failed(error))


class SlotLocals:
    """The locals of one frame."""

    __slots__ = ("_evaluator", "_slots")

    def __init__(self, evaluator: StateEvaluator, depth: int) -> None:
        self._evaluator = evaluator
        self._slots = SlotsOfLocals(evaluator.slots, depth)

    def slot(self, name: str) -> int:
        """The slot of a local."""
        return self._slots[name]

    def __getitem__(self, name: str) -> Any:
        value = self._evaluator.read_slot(self._slots[name])
        if type(value) is Failed:
            raise value.again()
        return value

    def __setitem__(self, name: str, value: Any) -> None:
        self._evaluator.writes[self._slots[name]] = value


class SlotsOfLocals(dict[str, int]):
    """The slots of the locals of one frame, by name."""

    def __init__(self, slots: SlotTable, depth: int) -> None:
        super().__init__()
        self._slots = slots
        self._depth = depth

    def __missing__(self, name: str) -> int:
        number = self._slots.number
        found = self[name] = number("run", name) if name.startswith(RUNNING) else number("local", self._depth, name)
        return found


class CachedLocals(dict[str, Any]):
    """The locals of one frame during a roll: only the roll changes, so each local is read from the state once."""

    __slots__ = ("_locals",)

    def __init__(self, locals_: SlotLocals) -> None:
        super().__init__()
        self._locals = locals_

    def __missing__(self, name: str) -> Any:
        found = self[name] = self._locals[name]
        return found


class SlotFields:
    """The fields of one record."""

    __slots__ = ("_evaluator", "slots")

    def __init__(self, evaluator: StateEvaluator, ref: Ref) -> None:
        self._evaluator = evaluator
        self.slots = SlotsOfFields(evaluator.slots, ref)

    def __getitem__(self, name: str) -> Any:
        return self._evaluator.read_slot(self.slots[name])


class SlotsOfFields(dict[str, int]):
    """The slots of the fields of one record, by name."""

    def __init__(self, slots: SlotTable, ref: Ref) -> None:
        super().__init__()
        self._slots = slots
        self._ref = ref

    def __missing__(self, name: str) -> int:
        found = self[name] = self._slots.number("field", self._ref, name)
        return found


class SlotRecords(dict[Ref, F]):
    """The records, with their fields made by a class."""

    def __init__(self, evaluator: StateEvaluator, fields: Callable[[StateEvaluator, Ref], F]) -> None:
        super().__init__()
        self._evaluator = evaluator
        self._fields = fields

    def __missing__(self, ref: Ref) -> F:
        found = self[ref] = self._fields(self._evaluator, ref)
        return found


class SlotDecks:
    """The decks."""

    __slots__ = ("_evaluator",)

    def __init__(self, evaluator: StateEvaluator) -> None:
        self._evaluator = evaluator

    def __getitem__(self, name: str) -> Any:
        return self._evaluator.read_slot(self._evaluator.slots.number("deck", name))


class SlotState:
    """The records and decks; a change becomes a write."""

    __slots__ = ("_evaluator", "decks", "records")

    def __init__(self, evaluator: StateEvaluator) -> None:
        self._evaluator = evaluator
        self.records = SlotRecords(evaluator, SlotFields)
        self.decks = SlotDecks(evaluator)

    def with_field(self, ref: Ref, name: str, value: Any) -> SlotState:
        """Change a field."""
        self._evaluator.writes[self._evaluator.slots.number("field", ref, name)] = value
        return self

    def with_deck(self, deck: str, left: tuple[Any, ...]) -> SlotState:
        """Change the cards left in a deck."""
        self._evaluator.writes[self._evaluator.slots.number("deck", deck)] = left
        return self


class SlotEffects:
    """The effects performed so far, for each name that is read; ``*`` has all of them in order."""

    __slots__ = ("_evaluator", "names", "sums")

    def __init__(self, evaluator: StateEvaluator) -> None:
        self._evaluator = evaluator
        self.names: frozenset[str] = frozenset()
        self.sums: dict[str, list[tuple[str, ir.Over]]] = {}

    def append(self, done: Performed) -> None:
        """Append an effect, and add its share to the running totals."""
        evaluator = self._evaluator
        for name in (done.effect, "*"):
            for running, e in self.sums.get(name, ()):
                slot = evaluator.slots.number("run", running)
                share = self._share(e, done)
                if share:
                    evaluator.writes[slot] = Increment(share).to(evaluator.writes.get(slot, UNCHANGED))
            if name in self.names:
                slot = evaluator.slots.number("effect", name)
                evaluator.writes[slot] = Appended((frozen_value(done),)).to(evaluator.writes.get(slot, UNCHANGED))

    def _share(self, e: ir.Over, done: Performed) -> Any:
        """The amount that an effect adds to a sum over effects."""
        env = Frame({e.var: done})
        if e.where is not None and not self._evaluator.value(e.where, env):
            return 0
        return 1 if e.how == "count" else self._evaluator.needed(e.body, env)

    def __len__(self) -> int:
        """A dummy: only calls that may be undone need the length, and this evaluator does not run them."""
        return 0

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Performed]:
        for name in sorted(self.names):
            if name != "*":
                yield from self._evaluator.read_slot(self._evaluator.slots.number("effect", name))


class SlotFacts(Mapping[str, Any]):
    """The facts of a called procedure: the facts that the call gives are read from the state."""

    __slots__ = ("_evaluator", "_given", "_static")

    def __init__(self, evaluator: StateEvaluator, static: Mapping[str, Any], given: Mapping[str, int]) -> None:
        self._evaluator = evaluator
        self._static = static
        self._given = given

    def __getitem__(self, name: str) -> Any:
        slot = self._given.get(name)
        return self._static[name] if slot is None else self._evaluator.read_slot(slot)

    def __contains__(self, name: object) -> bool:
        return name in self._given or name in self._static

    def __iter__(self) -> Iterator[str]:
        yield from dict.fromkeys((*self._static, *self._given))

    def __len__(self) -> int:
        return len(dict.fromkeys((*self._static, *self._given)))
