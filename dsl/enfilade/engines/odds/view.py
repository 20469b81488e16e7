"""The reference evaluator over a world: what it reads is noted, what it changes is kept apart.

Everything that rules say without dice, choices or loops is run by the reference evaluator itself. Here is only what lets it
see one world of many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias, cast

from enfilade.core import ir
from enfilade.core.answers import missing_fact
from enfilade.core.evaluate import Machine
from enfilade.core.limits import Limits
from enfilade.core.requests import FactRequest
from enfilade.core.run import Frame
from enfilade.core.values import Performed, Ref, State
from enfilade.engines.odds.settling import RUNNING
from enfilade.engines.odds.worlds import CHANGES, KEEP, Added, More, Row, changed, frozen_value
from enfilade.errors import RuleError

Name: TypeAlias = tuple[Any, ...]
"""What a slot stands for: ``("local", depth, name)``, ``("fact", depth, name)``, ``("field", ref, name)``,
``("deck", name)``, ``("effect", name)``, ``("run", sum)``, ``("answers",)``, ``("again",)``, ``("ends", ...)``."""


class Slots:
    """The slots of one question, each by a small number."""

    def __init__(self) -> None:
        self.names: list[Name] = []
        self._numbers: dict[Name, int] = {}

    def number(self, *name: Any) -> int:
        """The slot of that name."""
        found = self._numbers.get(name)
        if found is None:
            found = self._numbers[name] = len(self.names)
            self.names.append(name)
        return found


class Level:
    """Where a step looks for what it reads, and what it has read so far.

    Attributes:
        reads: What was read, in order.
        straight: For each loop, what a round makes of the rows that it met here.
    """

    __slots__ = ("_lookup", "reads", "straight")

    def __init__(self, lookup: Callable[[int], Any]) -> None:
        self.reads: dict[int, Any] = {}
        self.straight: dict[Any, Any] = {}
        self._lookup = lookup

    def base(self, slot: int) -> Any:
        """The value of a slot as it was at the start."""
        value = self.reads.get(slot, KEEP)
        if value is KEEP:
            value = self.reads[slot] = self._lookup(slot)
        return value

    def now(self, slot: int, value: Any) -> Any:
        """The value of a slot of which a row says something, or nothing."""
        return changed(self.base(slot), value) if value is KEEP or type(value) in CHANGES else value


def over_row(row: Row, index: Mapping[int, int], outer: Level) -> Level:
    """Where a step looks that is run for one row of worlds.

    Args:
        row: The world.
        index: The place of each slot in it.
        outer: Where it came from.
    """

    def lookup(slot: int) -> Any:
        place = index.get(slot, -1)
        return outer.now(slot, row[place] if place >= 0 else KEEP)

    return Level(lookup)


class View(Machine):
    """The reference evaluator, looking at one world.

    Attributes:
        level: Where it reads.
        writes: What it changed, by slot.
        catching: Whether the body of an effect is to be caught instead of run.
        caught: The locals of the effect whose body was caught.
    """

    def __init__(
        self, program: ir.Program, options: Mapping[str, Any], facts: Mapping[str, Any], slots: Slots, limits: Limits
    ) -> None:
        self.nobody = _Nobody()
        super().__init__(program, options, facts, State(), self.nobody, None, limits)
        self.slots = slots
        self.level = Level(_nowhere)
        self.writes: dict[int, Any] = {}
        self.catching = False
        self.caught: dict[str, Any] | None = None
        self.state = cast(State, WorldState(self))
        self.effects = cast("list[Performed]", WorldEffects(self))
        self.shared = WorldRun(self)
        self._locals: list[WorldLocals] = []

    def read_slot(self, slot: int) -> Any:
        """The value of a slot now."""
        return self.level.now(slot, self.writes.get(slot, KEEP))

    def begin(self, level: Level, depth: int, facts: Mapping[str, Any]) -> None:
        """Look at a world."""
        self.level = level
        self.writes = {}
        self.depth = depth
        self.steps = 0
        self.facts = cast("dict[str, Any]", facts)
        self.shared.facts = facts
        self.shared.steps = 0

    def begin_frame(self, depth: int, facts: Mapping[str, Any]) -> None:
        """Look at the same world from another frame."""
        self.depth = depth
        self.facts = cast("dict[str, Any]", facts)
        self.shared.facts = facts

    def locals(self, depth: int) -> WorldLocals:
        """The locals of a frame."""
        while len(self._locals) <= depth:
            self._locals.append(WorldLocals(self, len(self._locals)))
        return self._locals[depth]

    def frame(self, depth: int, place: tuple[str, ...] = ()) -> Frame:
        """The locals of a frame, as the world has them."""
        return Frame(cast("dict[str, Any]", self.locals(depth)), cast("dict[str, Any]", _Sink()), place)

    def _body(self, body: ir.Body, frame: Frame) -> None:
        if self.catching:
            self.caught = frame.locals
        else:
            super()._body(body, frame)


class WorldRun:
    """What compiled functions share, looking at one world: see ``Run`` of the compiled engine."""

    __slots__ = ("asker", "decks", "effects", "facts", "known", "options", "program", "records", "steps", "view")

    def __init__(self, view: View) -> None:
        self.view = view
        self.program = view.program
        self.options = view.options
        self.asker = view.nobody
        self.records = view.state.records
        self.decks = view.state.decks
        self.effects = view.effects
        self.facts: Any = view.facts
        self.known: dict[str, Any] = {}
        self.steps = 0

    def write(self, ref: Ref, name: str, value: Any) -> Any:
        """Change a field of a record; gives its fields."""
        self.view.writes[self.view.slots.number("field", ref, name)] = value
        return self.records[ref]

    def shuffle(self, deck: str) -> None:
        """Put all cards back into a deck."""
        self.view.writes[self.view.slots.number("deck", deck)] = self.program.decks[deck].cards


class _Nobody:
    """Answers nothing: a fact that was not given is missing, and dice are not asked for here."""

    def fact(self, request: FactRequest) -> Any:
        return missing_fact(request)

    def roll(self, request: Any) -> Any:
        raise AssertionError("dice are not rolled here")

    draw = choose = roll

    def forced(self, request: Any) -> None:
        """Nothing to do."""


def _nowhere(slot: int) -> Any:
    raise AssertionError("nothing is looked at")


class _Sink:
    """Takes the outputs, which are locals too."""

    __slots__ = ()

    def __setitem__(self, name: str, value: Any) -> None:
        pass


class Failed:
    """Stands for a value that can't be worked out; whoever reads it gets the error."""

    __slots__ = ("error",)

    def __init__(self, error: RuleError) -> None:
        self.error = error


_FAILED: Final[dict[tuple[str, tuple[str, ...]], Failed]] = {}


def failed(error: RuleError) -> Failed:
    """What stands for a value that can't be worked out for this reason; there is one for each."""
    if len(_FAILED) > 1_000:
        _FAILED.clear()
    return _FAILED.setdefault((str(error), error.cites), Failed(error))


class WorldLocals:
    """The locals of one frame."""

    __slots__ = ("_depth", "_slots", "_view")

    def __init__(self, view: View, depth: int) -> None:
        self._view = view
        self._depth = depth
        self._slots: dict[str, int] = {}

    def slot(self, name: str) -> int:
        """The slot of a local."""
        slot = self._slots.get(name)
        if slot is None:
            number = self._view.slots.number
            running = name.startswith(RUNNING)
            slot = self._slots[name] = number("run", name) if running else number("local", self._depth, name)
        return slot

    def __getitem__(self, name: str) -> Any:
        value = self._view.read_slot(self.slot(name))
        if type(value) is Failed:
            raise RuleError(str(value.error), value.error.cites)
        return value

    def __setitem__(self, name: str, value: Any) -> None:
        self._view.writes[self.slot(name)] = value


class WorldFields:
    """The fields of one record."""

    __slots__ = ("_ref", "_slots", "_view")

    def __init__(self, view: View, ref: Ref) -> None:
        self._view = view
        self._ref = ref
        self._slots: dict[str, int] = {}

    def __getitem__(self, name: str) -> Any:
        slot = self._slots.get(name)
        if slot is None:
            slot = self._slots[name] = self._view.slots.number("field", self._ref, name)
        return self._view.read_slot(slot)


class WorldRecords(dict[Ref, WorldFields]):
    """The records."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self._view = view

    def __missing__(self, ref: Ref) -> WorldFields:
        found = self[ref] = WorldFields(self._view, ref)
        return found


class WorldDecks:
    """The decks."""

    __slots__ = ("_view",)

    def __init__(self, view: View) -> None:
        self._view = view

    def __getitem__(self, name: str) -> Any:
        return self._view.read_slot(self._view.slots.number("deck", name))


class WorldState:
    """The state: to change it is to note what was changed."""

    __slots__ = ("_view", "decks", "records")

    def __init__(self, view: View) -> None:
        self._view = view
        self.records = WorldRecords(view)
        self.decks = WorldDecks(view)

    def with_field(self, ref: Ref, name: str, value: Any) -> WorldState:
        """Change a field."""
        self._view.writes[self._view.slots.number("field", ref, name)] = value
        return self

    def with_deck(self, deck: str, left: tuple[Any, ...]) -> WorldState:
        """Change what is left in a deck."""
        self._view.writes[self._view.slots.number("deck", deck)] = left
        return self


class WorldEffects:
    """The effects performed so far, of each name that somebody reads; under ``*`` all of them in order."""

    __slots__ = ("_view", "names", "sums")

    def __init__(self, view: View) -> None:
        self._view = view
        self.names: frozenset[str] = frozenset()
        self.sums: dict[str, list[tuple[str, ir.Over]]] = {}

    def append(self, done: Performed) -> None:
        """Note an effect."""
        view = self._view
        for name in (done.effect, "*"):
            for running, e in self.sums.get(name, ()):
                slot = view.slots.number("run", running)
                share = self._share(e, done)
                if share:
                    view.writes[slot] = More(share).to(view.writes.get(slot, KEEP))
            if name in self.names:
                slot = view.slots.number("effect", name)
                view.writes[slot] = Added((frozen_value(done),)).to(view.writes.get(slot, KEEP))

    def _share(self, e: ir.Over, done: Performed) -> Any:
        """What an effect adds to a sum over effects."""
        frame = Frame({e.var: done})
        if e.where is not None and not self._view.value(e.where, frame):
            return 0
        return 1 if e.how == "count" else self._view.needed(e.body, frame)

    def __len__(self) -> int:
        """Nobody asks but a call that may be undone, and that is not left to the evaluator."""
        return 0

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Performed]:
        for name in sorted(self.names):
            if name != "*":
                yield from self._view.read_slot(self._view.slots.number("effect", name))


class WorldFacts(Mapping[str, Any]):
    """The facts of a procedure that is called: those that the call gives are looked up in the world."""

    __slots__ = ("_given", "_static", "_view")

    def __init__(self, view: View, static: Mapping[str, Any], given: Mapping[str, int]) -> None:
        self._view = view
        self._static = static
        self._given = given

    def __getitem__(self, name: str) -> Any:
        slot = self._given.get(name)
        return self._static[name] if slot is None else self._view.read_slot(slot)

    def __contains__(self, name: object) -> bool:
        return name in self._given or name in self._static

    def __iter__(self) -> Iterator[str]:
        yield from dict.fromkeys((*self._static, *self._given))

    def __len__(self) -> int:
        return len(dict.fromkeys((*self._static, *self._given)))
