"""The context of one question: program, plans, limits, slots, evaluator and caches, passed to every part of the engine.

Steps contain blocks of steps, so the parts of the engine are mutually recursive. They call ``Context.run`` and
``Context.run_one``, which ``forward`` provides, instead of importing each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, cast

from enfilade.core import ir
from enfilade.core.limits import Limits
from enfilade.engines.odds.analysis.plan import Block
from enfilade.engines.odds.analysis.planner import Planner
from enfilade.engines.odds.analysis.variables import RUNNING, Variables, output
from enfilade.engines.odds.interface import OddsLimits, Policy, Progress, Situation
from enfilade.engines.odds.states.distribution import Distribution, Flow
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.kernels import Kernel
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.meter import Meter
from enfilade.engines.odds.states.slots import Origin, SlotTable
from enfilade.engines.odds.states.state_evaluator import SlotEffects, SlotFacts, StateEvaluator
from enfilade.errors import LimitError, RuleError


class Runner(Protocol):
    """Runs blocks of steps (see ``forward``)."""

    def block(self, ctx: Context, states: Distribution, block: Block, frame: CallFrame, origin: Origin) -> Flow:
        """Run a block over a distribution."""

    def one(
        self, ctx: Context, start: dict[int, Any], block: Block, frame: CallFrame, live: LiveSlots, origin: Origin
    ) -> Flow:
        """Run a block from one state, in which some slots have changed."""


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
        is_exact: Whether no weight has been moved to the remainder so far.
    """

    def __init__(
        self,
        situation: Situation,
        planner: Planner,
        policy: Policy,
        limits: OddsLimits,
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
        self.is_exact = True
        self._runner = runner
        self._kernels: dict[Any, Kernel] = {}
        self._lasting: dict[Any, Kernel] = {}
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

    def reopen(self, situation: Situation, limits: OddsLimits, progress: Progress | None) -> None:
        """Go on with another situation of the same shape (see ``shapes``)."""
        if situation.facts != self.situation.facts:
            # Frames within the root frame hold facts, and kernels hold frames.
            self._kernels = {}
            if self._root is not None:
                self._root.begin(situation.facts)
        is_same = situation.state == self.situation.state
        self.situation, self.limits, self.meter = situation, limits, Meter(limits, progress)
        if not is_same:
            self._start = self._initial()

    def forget(self) -> None:
        """Drop every memoised result."""
        self._kernels, self._lasting = {}, {}
        if self._root is not None:
            self._root.begin(self.situation.facts)

    def root(self) -> Origin:
        """The state at the start."""
        return Origin(self._lookup)

    def _lookup(self, slot: int) -> Any:
        if slot in self._start:
            return self._start[slot]
        if self.slots.names[slot][0] == "run":
            return 0
        raise RuleError(f"{self.slots.names[slot][-1]} was not given")

    # -- frames -----------------------------------------------------------------------------------------------

    def root_frame(self, end: Variables) -> CallFrame:
        """The frame of the procedure that is played."""
        if self._root is None:
            self._root = CallFrame(1, self.situation.facts, {}, end, dict(self.situation.facts))
        return self._root

    def inner_frame(
        self, frame: CallFrame, key: Any, static: Mapping[str, Any], given: Mapping[str, int], end: Variables
    ) -> CallFrame:
        """A frame within another one.

        Raises:
            LimitError: The frames are nested too deep.
        """
        found = frame.inner.get((key, end))
        if found is None:
            most = self.evaluator.limits.depth
            if frame.depth >= most:
                raise LimitError("depth", f"the rules call each other more than {most} deep")
            facts = SlotFacts(self.evaluator, static, given) if given else static
            found = frame.inner[key, end] = CallFrame(frame.depth + 1, static, given, end, facts)
        return found

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
        """The kernel with this key, if it exists."""
        return self._kernels.get(key) or self._lasting.get(key)

    def kernel(
        self, key: Any, run: Callable[[Origin], Any], fixed: Mapping[int, Any] | None = None, *, lasts: bool = False
    ) -> Kernel:
        """The kernel with this key, created when it is first needed.

        Args:
            key: The key.
            run: Runs the step from an origin.
            fixed: Slots with the same value in every state of this kernel.
            lasts: Whether the step reads no fact, so its results hold for other facts too.
        """
        kernels = self._lasting if lasts else self._kernels
        found = kernels.get(key)
        if found is None:
            found = kernels[key] = Kernel(run, fixed)
        return found

    # -- blocks of steps --------------------------------------------------------------------------------------

    def run(self, states: Distribution, block: Block, frame: CallFrame, origin: Origin) -> Flow:
        """Run a block of steps over a distribution."""
        return self._runner.block(self, states, block, frame, origin)

    def run_one(self, start: dict[int, Any], block: Block, frame: CallFrame, live: LiveSlots, origin: Origin) -> Flow:
        """Run a block of steps from one state.

        Args:
            start: The slots that have changed since the origin.
            block: The steps.
            frame: Their frame.
            live: The live slots after them.
            origin: The origin.
        """
        return self._runner.one(self, start, block, frame, live, origin)


class _NotGiven:
    def __repr__(self) -> str:
        return "not given"


NOT_GIVEN: Final = _NotGiven()
"""The value of an output before the procedure gives it."""
