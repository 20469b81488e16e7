"""The context of one question: program, plans, limits, slots, evaluator and caches, passed to every part of the engine.

Steps contain blocks of steps, so the parts of the engine are mutually recursive. They call ``Context.run``, which
``forward`` provides, instead of importing each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, cast

from enfilade.core import ir
from enfilade.engines.odds.analysis.plan import Block, Step
from enfilade.engines.odds.analysis.planner import Planner
from enfilade.engines.odds.analysis.variables import RUNNING, Variables, output
from enfilade.engines.odds.interface import Policy, Progress, Situation
from enfilade.engines.odds.states.distribution import Distribution, Flow
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.kernels import Kernel
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.meter import Meter
from enfilade.engines.odds.states.rows import RowRun
from enfilade.engines.odds.states.slots import Origin, SlotTable
from enfilade.engines.odds.states.state_evaluator import SlotEffects, SlotFacts, StateEvaluator
from enfilade.engines.odds.states.symmetry import Alike
from enfilade.errors import LimitError, RuleError
from enfilade.limits import Limits


class Runner(Protocol):
    """Runs blocks of steps (see ``forward``)."""

    def block(self, ctx: Context, states: Distribution, block: Block, frame: CallFrame, origin: Origin) -> Flow:
        """Run a block over a distribution."""


class Context:
    """The data that all parts of the engine share for one question.

    Attributes:
        situation: The situation.
        program: The ruleset.
        planner: The plans of the ruleset.
        policy: How the players choose.
        limits: The limits on the work.
        meter: The work so far.
        slots: The slots of the states.
        evaluator: Runs steps and expressions in one state.
        rows: Runs compiled steps and expressions in many states.
        cuts: The rolls and loops from which weight was moved to the remainder so far, by identity.
        ending: The loops that end by a counter of their own, by identity, if that was asked.
        dice_values: For each local that holds a value of dice in place of their faces, the value in the words of the rules;
            ``None`` if two rolls have different values there.
        dependent: The loops and results that were met whose rounds depend on each other.
    """

    def __init__(
        self,
        situation: Situation,
        planner: Planner,
        policy: Policy,
        limits: Limits,
        effects: frozenset[str],
        runner: Runner,
        progress: Progress | None = None,
    ) -> None:
        self.situation = situation
        self.program = situation.program
        self.planner = planner
        self.policy = policy
        self.limits = limits
        self.meter = Meter(limits, progress)
        self.slots = SlotTable()
        self.evaluator = StateEvaluator(situation.program, situation.options, situation.facts, self.slots, Limits())
        self.rows = RowRun(self.evaluator)
        self.cuts: dict[int, ir.Statement | None] = {}
        self.ending: set[int] = set()
        self.dice_values: dict[str, str | None] = {}
        self.dependent: set[Step] = set()
        self._runner = runner
        self._kernels: dict[Any, Kernel] = {}
        # Those for the facts at hand, and those for all facts that were met, with the facts that they read.
        self._kernels_met: dict[Any, Kernel] = {}
        self._alike: dict[Any, Alike] = {}
        self._facts: dict[tuple[str, ...], dict[str, Any]] = {}
        self._root: CallFrame | None = None
        self._live_slots: dict[tuple[int, int], tuple[Variables, LiveSlots]] = {}
        self._start = self._initial()
        self._track(effects)

    def _track(self, effects: frozenset[str]) -> None:
        """Track the effects that are read, and the running totals of sums over effects."""
        performed = cast(SlotEffects, self.evaluator.effects)
        performed.names = effects
        for number, e in enumerate(self.planner.uses.sums.expressions):
            if isinstance(e.over, ir.EffectsSoFar):
                performed.sums.setdefault(e.over.effect, []).append((f"{RUNNING}{number}", e))

    def _initial(self) -> dict[int, Any]:
        number, state = self.slots.number, self.situation.state
        start: dict[int, Any] = {number("answers"): 0}
        for ref, fields in state.records.items():
            for name, value in fields.items():
                start[number("field", ref, name)] = value
        for deck, left in state.decks.items():
            start[number("deck", deck)] = left
        for effect in (*self.program.effects, "*"):
            start[number("effect", effect)] = ()
        for name in self.program.procedures[self.situation.procedure].outputs:
            start[number("local", 1, output(name))] = NOT_GIVEN
        return start

    def reopen(self, situation: Situation, limits: Limits, progress: Progress | None) -> None:
        """Go on with another situation of the same shape (see ``shapes``)."""
        if situation.facts != self.situation.facts:
            self._kernels = {}
            for hidden, facts in self._facts.items():
                facts.clear()
                facts.update(_visible(situation.facts, hidden))
        is_same = situation.state == self.situation.state
        self.situation, self.limits, self.meter = situation, limits, Meter(limits, progress)
        if not is_same:
            self._start = self._initial()

    def forget(self) -> None:
        """Drop every memoised result."""
        self._kernels, self._kernels_met, self._alike = {}, {}, {}

    def cut(self, source: ir.Statement | None) -> None:
        """Note a roll or a loop from which weight was moved to the remainder."""
        self.cuts[id(source)] = source

    def root(self) -> Origin:
        """The state at the start."""
        return Origin((), {}, self)

    def base(self, slot: int) -> Any:
        """The value of a slot at the start.

        Raises:
            RuleError: It has none.
        """
        if slot in self._start:
            return self._start[slot]
        if self.slots.names[slot][0] == "run":
            return 0
        raise RuleError(f"{self.slots.names[slot][-1]} was not given")

    # -- frames -----------------------------------------------------------------------------------------------

    def root_frame(self, end: Variables) -> CallFrame:
        """The frame of the procedure that is played."""
        if self._root is None:
            facts = self._static(())
            self._root = CallFrame(1, (), facts, {}, end, facts)
        return self._root

    def inner_frame(
        self, frame: CallFrame, key: Any, given: Mapping[str, int], end: Variables, called: str | None = None
    ) -> CallFrame:
        """A frame within another one.

        Args:
            frame: The other one.
            key: The effect, the call or the results.
            given: The facts that a call gave, with their slots.
            end: The variables that are live after it.
            called: The procedure that is called.

        Raises:
            LimitError: The frames are nested too deep.
        """
        found = frame.inner.get((key, end))
        if found is None:
            most = self.evaluator.limits.depth
            if frame.depth >= most:
                raise LimitError("depth", f"calls in the rules are nested more than {most} levels deep")
            hidden = frame.hidden if called is None else tuple(sorted({*frame.hidden, called}))
            static = self._static(hidden)
            facts = SlotFacts(self.evaluator, static, given) if given else static
            found = frame.inner[key, end] = CallFrame(frame.depth + 1, hidden, static, given, end, facts)
        return found

    def _static(self, hidden: tuple[str, ...]) -> dict[str, Any]:
        """The facts of the situation that are visible in a frame; another situation replaces them in place."""
        if hidden not in self._facts:
            self._facts[hidden] = _visible(self.situation.facts, hidden)
        return self._facts[hidden]

    def local(self, frame: CallFrame, name: str) -> int:
        """The slot of a local of a frame."""
        return self.slots.number("local", frame.depth, name)

    # -- caches -----------------------------------------------------------------------------------------------

    def live_slots(self, live: Variables, depth: int) -> LiveSlots:
        """The live slots for some live variables."""
        key = (id(live), depth)
        found = self._live_slots.get(key)
        if found is None or found[0] is not live:
            found = self._live_slots[key] = live, LiveSlots(live, depth, self.slots)
        return found[1]

    def known_kernel(self, key: Any) -> Kernel | None:
        """The kernel with this key, if it was needed with the facts at hand."""
        return self._kernels.get(key)

    def kernel(
        self,
        key: Any,
        frame: CallFrame,
        facts: tuple[str, ...],
        run: Callable[[Origin], Any],
        fixed: Mapping[int, Any] | None = None,
        make: Callable[[Callable[[Origin], Any], Mapping[int, Any] | None], Kernel] = Kernel,
    ) -> Kernel:
        """The kernel with this key for the facts at hand, created when it is first needed.

        Args:
            key: The key.
            frame: The frame of the step.
            facts: The facts that the step may read: its results hold for all situations that agree in them.
            run: Runs the step from an origin.
            fixed: Slots with the same value in every state of this kernel.
            make: Makes the kernel.
        """
        found = self._kernels.get(key)
        if found is None:
            place = key, id(frame), _values(facts, frame)
            found = self._kernels_met.get(place)
            if found is None:
                found = self._kernels_met[place] = make(run, fixed)
            self._kernels[key] = found
        return found

    def alike(self, block: Block, where: ir.Expr | None, frame: CallFrame, bindings: Mapping[int, Any]) -> Alike:
        """The kernels of a block that is run for several records, if a condition is true of them."""
        key = id(block), id(frame), _values(block.facts, frame)
        found = self._alike.get(key)
        if found is None:
            static = tuple(value for value in key[2] if value is not NOT_GIVEN)
            locals_ = self.planner.locals_in(block, where)
            unread = frozenset(slot for slot in bindings if self.slots.names[slot][2] not in locals_)
            found = self._alike[key] = Alike(self.slots, static, unread)
        return found

    # -- blocks of steps --------------------------------------------------------------------------------------

    def run(self, states: Distribution, block: Block, frame: CallFrame, origin: Origin) -> Flow:
        """Run a block of steps over a distribution."""
        return self._runner.block(self, states, block, frame, origin)


def _visible(facts: Mapping[str, Any], hidden: tuple[str, ...]) -> dict[str, Any]:
    """Facts without those of some procedures."""
    if not hidden:
        return dict(facts)
    return {name: value for name, value in facts.items() if name.partition(".")[0] not in hidden or "." not in name}


def _values(facts: tuple[str, ...], frame: CallFrame) -> tuple[Any, ...]:
    """The values of some facts in a frame; those that a call gave are part of the states."""
    static, given = frame.static, frame.given
    return tuple([NOT_GIVEN if name in given else static.get(name, NOT_GIVEN) for name in facts])


class _NotGiven:
    def __repr__(self) -> str:
        return "not given"


NOT_GIVEN: Final = _NotGiven()
"""The value of an output before the procedure gives it."""
