"""The exact engine: steps over weighted worlds, forward from the start.

Each kind of step says how it moves worlds. Whatever has no dice, no choice and no loop in it is run as it stands, compiled,
once for each way in which it reads the world (``kernels``). What has some is taken apart: its steps run one
after the other over all worlds that reach them, and worlds that have become alike are one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import combinations
from math import comb
from typing import Any, Final, cast

from attrs import define, evolve, field, frozen

from enfilade.core import ir
from enfilade.core.code_patterns import pattern_for
from enfilade.core.evaluate import join_field
from enfilade.core.legal_answers import check_choice
from enfilade.core.limits import Limits
from enfilade.core.requests import ChoiceRequest
from enfilade.core.run import Refused, Stopped
from enfilade.core.types import Type
from enfilade.engines.odds.answer import NeedsPolicy, OddsLimits, Policy, Progress, Situation
from enfilade.engines.odds.chance import NO_KINDS, Chances
from enfilade.engines.odds.kernels import Kernel, spliced
from enfilade.engines.odds.loops import Rounds
from enfilade.engines.odds.needs import LOCAL, Tokens, parts_of
from enfilade.engines.odds.paths import Paths
from enfilade.engines.odds.plan import Block, Planner, Step
from enfilade.engines.odds.settling import RUNNING
from enfilade.engines.odds.tails import Undecided
from enfilade.engines.odds.view import Level, Slots, View, WorldEffects, WorldFacts
from enfilade.engines.odds.worlds import (
    KEEP,
    Flow,
    Frozen,
    Row,
    Worlds,
    frozen_value,
    merged,
    no_worlds,
    one_world,
    projected,
    with_parts,
)
from enfilade.errors import LimitError, RuleError


@define(eq=False)
class Context:
    """Where in the rules a step stands: which frame, with which facts.

    Attributes:
        depth: How many frames there are, this one included.
        static: The facts that are the same in all worlds.
        given: The facts that a call gave, and their slots.
        end: What is read after the procedure.
        facts: The facts as the evaluator looks them up.
        inner: The frames within it, each made once.
        tables: The outcomes of rolls that are the same in all worlds.
    """

    depth: int
    static: Mapping[str, Any]
    given: Mapping[str, int]
    end: Tokens
    facts: Mapping[str, Any]
    inner: dict[Any, Context] = field(factory=dict)
    tables: dict[int, Any] = field(factory=dict)


@frozen
class Begun:
    """An effect or a procedure that begins.

    Attributes:
        start: What has changed by then: its parameters, the facts that are given.
        context: Its frame.
        block: Its steps.
        outputs: The outputs that the caller reads.
    """

    start: dict[int, Any]
    context: Context
    block: Block
    outputs: tuple[str, ...] = ()


class Keeper(dict[int, bool]):
    """Which slots are read after a step, found when they are first met."""

    def __init__(self, live: Tokens, depth: int, slots: Slots) -> None:
        super().__init__()
        self._live = frozenset(token[:2] for token in live)
        self._depth = depth
        self._slots = slots
        self._tokens = live
        self._parts: dict[int, frozenset[str] | None] = {}

    def __missing__(self, slot: int) -> bool:
        found = self[slot] = self._is_read(self._slots.names[slot])
        return found

    def _is_read(self, name: tuple[Any, ...]) -> bool:
        match name:
            case ("local", depth, local):
                return bool(depth < self._depth or (depth == self._depth and (LOCAL, local) in self._live))
            case ("fact", depth, _):
                return bool(depth <= self._depth)
            case ("field", _, name_):
                return ("field", name_) in self._live or ("summed", name_) in self._live
            case ("deck" | "effect" | "run" as kind, name_):
                return (kind, name_) in self._live
        return True

    def parts(self, slot: int) -> frozenset[str] | None:
        """The parts of a local that are read; ``None`` where all of it is."""
        if slot not in self._parts:
            name = self._slots.names[slot]
            found = None
            if name[0] == "local" and name[1] == self._depth:
                read = parts_of(self._tokens, name[2])
                found = None if "" in read else read
            self._parts[slot] = found
        return self._parts[slot]


class Engine(Chances, Rounds, Paths):
    """Works out where the worlds of one situation go."""

    def __init__(
        self,
        situation: Situation,
        planner: Planner,
        policy: Policy,
        limits: OddsLimits,
        effects: frozenset[str],
        progress: Progress | None = None,
    ) -> None:
        self.situation = situation
        self.program = situation.program
        self.planner = planner
        self.policy = policy
        self.limits = limits
        self.slots = Slots()
        self.view = View(situation.program, situation.options, situation.facts, self.slots, _LIMITS)
        performed = cast(WorldEffects, self.view.effects)
        performed.names = effects
        for number, e in enumerate(planner.needs.sums.expressions):
            if isinstance(e.over, ir.EffectsSoFar):
                performed.sums.setdefault(e.over.effect, []).append((f"{RUNNING}{number}", e))
        self.products = 0
        self.is_exact = True
        self._progress = progress
        self._told = 0
        self._began = time.monotonic()
        self._kernels: dict[Any, Kernel] = {}
        self._keepers: dict[tuple[int, int], tuple[Tokens, Keeper]] = {}
        self._start = self._initial()

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
        for output in self.program.procedures[self.situation.procedure].outputs:
            start[number("local", 1, f"give {output}")] = NOT_GIVEN
        return start

    def root(self) -> Level:
        """Where everything is as it was at the start."""
        return Level(self._lookup)

    def _lookup(self, slot: int) -> Any:
        if slot in self._start:
            return self._start[slot]
        if self.slots.names[slot][0] == "run":
            return 0
        raise RuleError(f"{self.slots.names[slot][-1]} was not given")

    def context(self, end: Tokens) -> Context:
        """The frame of the procedure that is played."""
        facts = self.situation.facts
        return Context(1, facts, {}, end, dict(facts))

    # -- limits -----------------------------------------------------------------------------------------------

    def count(self, worlds: int) -> None:
        """Count some work, and end where there is too much of it."""
        self.products += worlds
        if worlds > self.limits.worlds:
            raise LimitError(
                "worlds", f"the odds would tell {worlds} worlds apart; at most {self.limits.worlds} are allowed"
            )
        if self.products > self.limits.products:
            raise LimitError(
                "products", f"the odds take more than {self.limits.products} products; sample them instead"
            )
        if self.products - self._told >= _TELL:
            self._told = self.products
            if self._progress is not None:
                self._progress(self.products)
            if self.limits.seconds is not None and time.monotonic() - self._began > self.limits.seconds:
                raise LimitError("seconds", f"the odds take more than {self.limits.seconds} seconds")

    # -- steps ------------------------------------------------------------------------------------------------

    def keeper(self, live: Tokens, depth: int) -> Keeper:
        """Which slots are read, where *live* is."""
        key = (id(live), depth)
        found = self._keepers.get(key)
        if found is None or found[0] is not live:
            found = self._keepers[key] = live, Keeper(live, depth, self.slots)
        return found[1]

    def kernel(self, key: Any, run: Callable[[Level], Any], fixed: Mapping[int, Any] | None = None) -> Kernel:
        """The kernel of something, made when it is first met."""
        found = self._kernels.get(key)
        if found is None:
            found = self._kernels[key] = Kernel(run, fixed)
        return found

    def run(self, worlds: Worlds, block: Block, context: Context, level: Level) -> Flow:
        """Run some steps over worlds."""
        stopped: list[Worlds | None] = []
        refused: list[Worlds | None] = []
        refusal = None
        for step in block.steps:
            if not worlds.rows:
                break
            flow = self.step(worlds, step, context, level)
            worlds = flow.done
            if flow.stopped is not None:
                stopped.append(flow.stopped)
            if flow.refused is not None:
                refused.append(flow.refused)
                refusal = refusal or flow.refusal
        return Flow(worlds, merged(stopped) if stopped else None, merged(refused) if refused else None, refusal)

    def step(self, worlds: Worlds, step: Step, context: Context, level: Level) -> Flow:
        """Run one step over worlds."""
        if not step.plain:
            match s := step.statement:
                case ir.Stop():
                    return Flow(no_worlds(), worlds)
                case ir.Branch():
                    return self._branch(worlds, step, s, context, level)
                case ir.Loop():
                    return self._loop(worlds, step, s, context, level)
                case ir.Repeat():
                    return self.repeat(worlds, step, s, context, level)
        keep = self.keeper(step.live, context.depth)
        if step.copies is not None:
            copied = self._copied(worlds, step.copies, context, keep)
            if copied is not None:
                return Flow(copied)
        kernel = self._kernels.get((id(step), id(context)))
        if kernel is None:
            kernel = self.kernel((id(step), id(context)), self._runner(step, context, keep))
        return self.apply(kernel, worlds, keep, level)

    def _copied(self, worlds: Worlds, names: tuple[str, str], context: Context, keep: Keeper) -> Worlds | None:
        """A local under another name: its column."""
        number, slots = self.slots.number, worlds.slots
        source, target = (number("local", context.depth, name) for name in names)
        if source not in slots or target in slots or keep.parts(source) is not None:
            return None
        place = slots.index(source)
        if any(row[place] is KEEP for row in worlds.rows):
            return None
        if not keep[source]:
            renamed = (*slots[:place], target, *slots[place + 1 :])
            return projected(Worlds(renamed, worlds.rows, worlds.total), keep)
        rows = {(*row, row[place]): weight for row, weight in worlds.rows.items()}
        return projected(Worlds((*slots, target), rows, worlds.total), keep)

    def _runner(self, step: Step, context: Context, keep: Keeper) -> Callable[[Level], Flow]:
        s = step.statement
        if step.plain:
            return lambda level: self._plain(step, context, keep, level)
        match s:
            case ir.RollDice():
                return lambda level: self.roll(s, step.pool, context, keep, level)
            case ir.DrawCards():
                return lambda level: self.draw(s, step.unordered, context, keep, level)
            case ir.Choose():
                return lambda level: self._choose(s, context, keep, level)
            case ir.Perform():
                return lambda level: self._perform(s, step, context, keep, level)
            case ir.CallProcedure():
                return lambda level: self._call_procedure(s, step, context, keep, level)
            case ir.Together():
                return lambda level: self._together(s, step, context, keep, level)
            case ir.ApplyResults():
                return lambda level: self._apply_results(s, step, context, keep, level)
        raise AssertionError(s)

    def apply(self, kernel: Kernel, worlds: Worlds, keep: Keeper, level: Level) -> Flow:
        """Move worlds by a kernel."""
        index = {slot: place for place, slot in enumerate(worlds.slots)}
        done: list[tuple[Row, int, Worlds]] = []
        stopped: list[tuple[Row, int, Worlds]] = []
        refused: list[tuple[Row, int, Worlds]] = []
        refusal: Refused | None = None
        size = 0
        for row, weight in worlds.rows.items():
            flow: Flow = kernel.find(row, index, level)
            if flow.done.rows:
                done.append((row, weight, flow.done))
                size += len(flow.done.rows)
            if flow.stopped is not None:
                stopped.append((row, weight, flow.stopped))
            if flow.refused is not None:
                refused.append((row, weight, flow.refused))
                refusal = refusal or flow.refusal
        self.products += _CALL
        self.count(size + len(worlds.rows))
        slots, total = worlds.slots, worlds.total
        flow = Flow(spliced(done, slots, total, keep) if done else no_worlds())
        if stopped:
            # What is read of those was seen to where they stopped.
            flow.stopped = spliced(stopped, slots, total, _ALL)
        if refused:
            flow.refused = spliced(refused, slots, total, _NOTHING)
            flow.refusal = refusal
        return flow

    # -- what the evaluator runs ------------------------------------------------------------------------------

    def written(self, keep: Keeper, extra: Mapping[int, Any] | None = None) -> Worlds:
        """The world that the evaluator leaves behind."""
        kept = self.kept_of_writes(keep)
        if extra:
            kept.update(extra)
        return one_world(kept)

    def kept_of_writes(self, keep: Keeper) -> dict[int, Any]:
        """What the evaluator changed and somebody reads."""
        kept: dict[int, Any] = {}
        for slot, value in self.view.writes.items():
            if keep[slot]:
                parts = keep.parts(slot)
                kept[slot] = frozen_value(value if parts is None else with_parts(value, parts))
        return kept

    def stretch(self, start: dict[int, Any], block: Block, context: Context, keep: Keeper, level: Level) -> Flow:
        """Run some steps from one world: way by way where there are few ways, else over all worlds at once."""
        flow = self.through(start, block, context, keep, level)
        return self.run(one_world(start), block, context, level) if flow is None else flow

    def _plain(self, step: Step, context: Context, keep: Keeper, level: Level) -> Flow:
        view = self.view
        view.begin(level, context.depth, context.facts)
        try:
            self.done(step, context)
        except Stopped:
            return Flow(no_worlds(), self._stopped_here(context))
        except Refused as refusal:
            return Flow(no_worlds(), None, one_world(), refusal)
        except Undecided:
            self.is_exact = False
            return Flow(no_worlds())
        return Flow(self.written(keep))

    def done(self, step: Step, context: Context) -> None:
        """Run a plain step for the world at which the view looks."""
        view = self.view
        code = step.code or self.planner.code(step)
        if code:
            code(view.shared, context.depth, view.locals(context.depth))
            self.products += view.shared.steps >> 3
        else:
            view._body(step.body, view.frame(context.depth))
            self.count(view.steps >> 3)

    def _stopped_here(self, context: Context) -> Worlds:
        keep = self.keeper(context.end, context.depth)
        return self.written(keep)

    def value(self, key: Any, e: ir.Expr, context: Context, kinds: Mapping[str, Type] = NO_KINDS) -> Kernel:
        """The kernel of an expression: it finds a tuple that holds the value, or nothing where it can't be decided."""

        def run(level: Level) -> tuple[Any, ...]:
            self.view.begin(level, context.depth, context.facts)
            try:
                return (frozen_value(self.worth(e, self.view.frame(context.depth), kinds)),)
            except Undecided:
                self.is_exact = False
                return ()

        return self.kernel((*key, id(context)), run)

    def grouped(self, kernel: Kernel, worlds: Worlds, level: Level) -> dict[Any, Worlds]:
        """Worlds by the value of an expression."""
        index = {slot: place for place, slot in enumerate(worlds.slots)}
        groups: dict[Any, Worlds] = {}
        for row, weight in worlds.rows.items():
            found = kernel.find(row, index, level)
            if found:
                group = groups.get(found[0])
                if group is None:
                    group = groups[found[0]] = Worlds(worlds.slots, {}, worlds.total)
                group.rows[row] = weight
        self.count(len(worlds.rows))
        return groups

    def truth(
        self,
        key: Any,
        e: ir.Expr,
        worlds: Worlds,
        context: Context,
        level: Level,
        kinds: Mapping[str, Type] = NO_KINDS,
    ) -> tuple[Worlds, Worlds]:
        """The worlds in which a condition holds, and the others."""
        groups = self.grouped(self.value(key, e, context, kinds), worlds, level)
        nobody = no_worlds()
        held = [group for value, group in groups.items() if value]
        other = [group for value, group in groups.items() if not value]
        return merged(held) if held else nobody, merged(other) if other else nobody

    # -- steps within steps -----------------------------------------------------------------------------------

    def _branch(self, worlds: Worlds, step: Step, s: ir.Branch, context: Context, level: Level) -> Flow:
        held, other = self.truth((id(step), "when"), s.condition, worlds, context, level, step.kinds)
        flows = [self.run(held, step.blocks[0], context, level), self.run(other, step.blocks[1], context, level)]
        return self.joined(flows, self.keeper(step.live, context.depth))

    def joined(self, flows: list[Flow], keep: Mapping[int, bool]) -> Flow:
        """Several flows as one."""
        done = merged([projected(flow.done, keep) for flow in flows])
        stopped = [flow.stopped for flow in flows if flow.stopped is not None]
        refused = [flow.refused for flow in flows if flow.refused is not None]
        refusal = next((flow.refusal for flow in flows if flow.refusal is not None), None)
        return Flow(done, merged(stopped) if stopped else None, merged(refused) if refused else None, refusal)

    def _loop(self, worlds: Worlds, step: Step, s: ir.Loop, context: Context, level: Level) -> Flow:
        over = self.value((id(step), "over"), s.over, context, step.kinds)
        keep = self.keeper(step.blocks[0].live, context.depth)
        variable = self.slots.number("local", context.depth, s.local)
        flows: list[Flow] = []
        for elements, group in self.grouped(over, worlds, level).items():
            for at, element in enumerate(elements):
                kernel = self.kernel(
                    (id(step), id(context), element),
                    lambda inner: self.stretch({}, step.blocks[0], context, keep, inner),
                    {variable: element},
                )
                flow = self.apply(kernel, group, keep, level)
                flows.append(flow.aside())
                group = flow.done
                if step.settles and element not in elements[at + 1 :]:
                    group = self.settled(group, element, step, context, level)
            flows.append(Flow(group))
        return self.joined(flows, self.keeper(step.live, context.depth))

    def settled(self, worlds: Worlds, ref: Any, step: Step, context: Context, level: Level) -> Worlds:
        """Add the share of a record to the running totals, and forget what became of it."""
        gone = [slot for slot in worlds.slots if self._is_settled(slot, ref, step)]
        if not gone or context.given:
            return worlds
        index = {slot: place for place, slot in enumerate(worlds.slots)}
        totals = self._totals(ref, step, context, level)
        rest = [place for place, slot in enumerate(worlds.slots) if slot not in gone and slot not in totals]
        rows: dict[Row, int] = {}
        for row, weight in worlds.rows.items():
            more = []
            for slot, (kernel, before) in totals.items():
                share = kernel.find(row, index, level)
                if not share:
                    return worlds
                had = row[index[slot]] if slot in index else KEEP
                more.append((level.base(slot) if had is KEEP else had) + share[0] - before)
            key = (*(row[place] for place in rest), *more)
            rows[key] = rows.get(key, 0) + weight
        return Worlds((*(worlds.slots[place] for place in rest), *totals), rows, worlds.total)

    def _is_settled(self, slot: int, ref: Any, step: Step) -> bool:
        name = self.slots.names[slot]
        return name[0] == "field" and name[1] == ref and name[2] in step.settles

    def _totals(self, ref: Any, step: Step, context: Context, level: Level) -> dict[int, tuple[Kernel, Any]]:
        """The running totals in which a record has a share: what finds the share, and what it was at the start."""
        found: dict[int, tuple[Kernel, Any]] = {}
        for number, e in enumerate(self.planner.needs.sums.expressions):
            name = f"{RUNNING}{number}"
            if (
                ("run", name) not in step.live
                or isinstance(e.over, ir.EffectsSoFar)
                or not self.planner.needs.sums.fields(e) & step.settles
            ):
                continue
            members = self.value(("members", number), e.over, context).find((), {}, level)[0]
            alone = evolve(e, over=ir.Const(tuple(each for each in members if each == ref)))
            kernel = self.value(("share", number, ref), alone, context)
            found[self.slots.number("run", name)] = kernel, kernel.find((), {}, level)[0]
        return found

    def _perform(self, s: ir.Perform, step: Step, context: Context, keep: Keeper, level: Level) -> Flow:
        begun = self.performed(s, step, context, level)
        if begun is None:
            return Flow(no_worlds())
        return self.left(self.stretch(begun.start, begun.block, begun.context, keep, level), keep)

    def performed(self, s: ir.Perform, step: Step, context: Context, level: Level) -> Begun | None:
        """An effect that begins; nothing where it can't be decided."""
        view = self.view
        view.begin(level, context.depth, context.facts)
        view.catching = True
        try:
            view._statement(s, view.frame(context.depth))
        except Undecided:
            self.is_exact = False
            return None
        finally:
            view.catching = False
        assert view.caught is not None
        inner = self.inner(context, ("effect", s.effect), context.static, context.given, context.end)
        start = dict(view.writes)
        for name, value in view.caught.items():
            start[self.slots.number("local", inner.depth, name)] = frozen_value(value)
        return Begun(start, inner, self.planner.effect(s.effect, step.live, context.end))

    def left(self, flow: Flow, keep: Keeper) -> Flow:
        """A flow out of an inner frame."""
        flow.done = projected(flow.done, keep)
        return flow

    def inner(
        self, context: Context, key: Any, static: Mapping[str, Any], given: Mapping[str, int], end: Tokens
    ) -> Context:
        """The context of a frame within another."""
        known = (key, end)
        found = context.inner.get(known)
        if found is None:
            if context.depth >= self.view.limits.depth:
                raise LimitError("depth", f"the rules call each other more than {self.view.limits.depth} deep")
            facts = WorldFacts(self.view, static, given) if given else static
            found = context.inner[known] = Context(context.depth + 1, static, given, end, facts)
        return found

    def _call_procedure(self, s: ir.CallProcedure, step: Step, context: Context, keep: Keeper, level: Level) -> Flow:
        begun = self.called(s, step, context, level)
        if begun is None:
            return Flow(no_worlds())
        # Its outputs are read at its end, before they are the caller's.
        flow = self.stretch(
            begun.start, begun.block, begun.context, self.keeper(begun.context.end, begun.context.depth), level
        )
        ended = self.with_outputs(merged([flow.done, flow.stopped]), s.local, begun.outputs, context, keep)
        if flow.refused is None:
            return Flow(ended)
        if s.if_refused is None:
            return Flow(ended, None, flow.refused, flow.refusal)
        # What was done in a call that is refused is undone; the caller goes on.
        back = one_world(self.undone(s, context))
        back = Worlds(back.slots, {row: sum(flow.refused.rows.values()) for row in back.rows}, flow.refused.total)
        return self.joined([Flow(ended), self.run(back, step.blocks[0], context, level)], keep)

    def undone(self, s: ir.CallProcedure, context: Context) -> dict[int, Any]:
        """What is left of a call that was refused."""
        return {} if s.local is None else {self.slots.number("local", context.depth, s.local): Frozen()}

    def called(self, s: ir.CallProcedure, step: Step, context: Context, level: Level) -> Begun | None:
        """A procedure that begins; nothing where it can't be decided."""
        view, own = self.view, f"{s.procedure}."
        view.begin(level, context.depth, context.facts)
        frame = view.frame(context.depth)
        try:
            given = {name: frozen_value(view.value(arg, frame)) for name, arg in s.args}
        except Undecided:
            self.is_exact = False
            return None
        facts = {name: self.slots.number("fact", context.depth + 1, name) for name in given}
        static = {name: value for name, value in context.static.items() if not name.startswith(own)}
        passed = {name: slot for name, slot in context.given.items() if not name.startswith(own)}
        wanted = frozenset() if s.local is None else parts_of(step.live, s.local)
        outputs = self.program.procedures[s.procedure].outputs
        names = tuple(outputs) if "" in wanted else tuple(name for name in outputs if name in wanted)
        live = self.planner.ending(step.live, context.end, names)
        inner = self.inner(context, ("call", id(s)), static, passed | facts, live)
        start = {facts[name]: value for name, value in given.items()}
        return Begun(start, inner, self.planner.procedure(s.procedure, live), names)

    def with_outputs(
        self, worlds: Worlds, local: str | None, names: tuple[str, ...], context: Context, keep: Keeper
    ) -> Worlds:
        """The outputs of a call as a local of the caller."""
        if local is None:
            return projected(worlds, keep)
        slot = self.slots.number("local", context.depth, local)
        places = {}
        for name in names:
            given = self.slots.number("local", context.depth + 1, f"give {name}")
            if given in worlds.slots:
                places[name] = worlds.slots.index(given)
        rows: dict[Row, int] = {}
        for row, weight in worlds.rows.items():
            outputs = Frozen({name: row[place] for name, place in places.items() if row[place] is not KEEP})
            key = (*row, outputs)
            rows[key] = rows.get(key, 0) + weight
        return projected(Worlds((*worlds.slots, slot), rows, worlds.total), keep)

    def outputs_of(self, names: tuple[str, ...], depth: int) -> Frozen:
        """The outputs of a call that ends in the world at which the view looks."""
        writes, number = self.view.writes, self.slots.number
        slots = {name: number("local", depth, f"give {name}") for name in names}
        return Frozen({name: frozen_value(writes[slot]) for name, slot in slots.items() if slot in writes})

    # -- at the same time -------------------------------------------------------------------------------------

    def _together(self, s: ir.Together, step: Step, context: Context, keep: Keeper, level: Level) -> Flow:
        ends = self.slots.number("ends", id(step), context.depth)
        worlds = one_world({ends: ()})
        refused: list[Worlds | None] = []
        refusal = None
        for block in step.blocks:
            flow = self.run(worlds, block, context, level)
            refused.append(flow.refused)
            refusal = refusal or flow.refusal
            parts = [self._part_ended(flow.done, ends, stopped=False)]
            if flow.stopped is not None:
                parts.append(self._part_ended(flow.stopped, ends, stopped=True))
            worlds = merged(parts)
        done, stopped = self._all_ended(worlds, ends, s, level)
        result = Flow(projected(done, keep), stopped if stopped.rows else None)
        if any(part is not None and part.rows for part in refused):
            result.refused, result.refusal = merged(refused), refusal
        return result

    def _part_ended(self, worlds: Worlds, ends: int, *, stopped: bool) -> Worlds:
        """Put what a part changed of the state aside, and go back to the state at the start."""
        names = self.slots.names
        state = [place for place, slot in enumerate(worlds.slots) if names[slot][0] in ("field", "deck")]
        other = [place for place, slot in enumerate(worlds.slots) if place not in state and slot != ends]
        if not worlds.rows:
            return worlds
        at = worlds.slots.index(ends)
        rows: dict[Row, int] = {}
        for row, weight in worlds.rows.items():
            changed = tuple((worlds.slots[place], row[place]) for place in state if row[place] is not KEEP)
            key = (*(row[place] for place in other), (*row[at], (stopped, changed)))
            rows[key] = rows.get(key, 0) + weight
        return Worlds((*(worlds.slots[place] for place in other), ends), rows, worlds.total)

    def _all_ended(self, worlds: Worlds, ends: int, s: ir.Together, level: Level) -> tuple[Worlds, Worlds]:
        """Join what the parts changed."""
        if not worlds.rows:
            return worlds, no_worlds()
        at = worlds.slots.index(ends)
        done: list[Worlds] = []
        stopped: list[Worlds] = []
        for row, weight in worlds.rows.items():
            changes = self.joined_changes(row[at], s, level)
            slots = (*(slot for slot in worlds.slots if slot != ends), *changes)
            new = (*(value for place, value in enumerate(row) if place != at), *changes.values())
            stops = any(stop for stop, _ in row[at])
            (stopped if stops else done).append(Worlds(slots, {new: weight}, worlds.total))
        return merged(done), merged(stopped)

    def joined_changes(self, ends: tuple[Any, ...], s: ir.Together, level: Level) -> dict[int, Any]:
        """What becomes of what the parts changed; see the evaluator, which says it of whole states."""
        found: dict[int, Any] = {}
        changes = [dict(changed) for _, changed in ends]
        for slot in dict.fromkeys(slot for changed in changes for slot in changed):
            before = level.base(slot)
            after = [changed[slot] for changed in changes if changed.get(slot, before) != before]
            if not after:
                found[slot] = before
                continue
            name = self.slots.names[slot]
            if name[0] == "field":
                found[slot] = join_field(name[1], name[2], before, after, s.note)
                self.view._check_field(name[1], name[2], found[slot], s.note)
            elif len(after) > 1:
                raise RuleError(f"two parts that happen together both draw from {name[1]}", s.note.cites)
            else:
                found[slot] = after[0]
        return found

    # -- results ----------------------------------------------------------------------------------------------

    def _apply_results(self, s: ir.ApplyResults, step: Step, context: Context, keep: Keeper, level: Level) -> Flow:
        found = self.hits(s, context, level)
        if found is None:
            return Flow(no_worlds())
        results = self.program.results[s.chart]
        inner = self.inner(context, ("results", s.chart), context.static, context.given, context.end)
        worlds = one_world()
        flows: list[Flow] = []
        for at, (index, hit) in enumerate(found):
            later = {ref for _, others in found[at + 1 :] for ref, _ in others}
            flow = self._entry(results, index, hit, worlds, step, inner, level, later)
            flows.append(flow.aside())
            worlds = flow.done
        flows.append(Flow(worlds))
        return self.joined(flows, keep)

    def hits(self, s: ir.ApplyResults, context: Context, level: Level) -> list[tuple[int, list[Any]]] | None:
        """The entries of the results that somebody read, by number, each with who read it and the numbers in the code."""
        view, results = self.view, self.program.results[s.chart]
        view.begin(level, context.depth, context.facts)
        frame = view.frame(context.depth)
        try:
            pairs = view._readers(results, view.value(s.reading, frame), s, frame)
            matched = [(ref, pattern_for(results, str(code))) for ref, code in pairs]
        except Undecided:
            self.is_exact = False
            return None
        found = []
        for index, entry in enumerate(results.entries):
            hit = [(ref, of[1]) for ref, of in matched if of is not None and of[0].text == entry.pattern.text]
            if hit:
                found.append((index, hit))
        return found

    def scope(self, results: ir.Results, hit: list[Any], inner: Context) -> dict[int, Any]:
        """What the lines of an entry know: who read it, and the numbers in the code."""
        scope: dict[int, Any] = {self.slots.number("local", inner.depth, "readers"): tuple(ref for ref, _ in hit)}
        for letter in hit[0][1]:
            numbers = Frozen({ref: numbers[letter] for ref, numbers in hit})
            value = numbers if results.record else numbers[None]
            scope[self.slots.number("local", inner.depth, f"#{letter}")] = value
        return scope

    def _entry(
        self,
        results: ir.Results,
        index: int,
        hit: list[Any],
        worlds: Worlds,
        step: Step,
        inner: Context,
        level: Level,
        later: set[Any],
    ) -> Flow:
        entry = results.entries[index]
        plan = self.planner.entry(results, index, step.live, inner.end)
        readers = tuple(ref for ref, _ in hit)
        scope = self.scope(results, hit, inner)
        flows: list[Flow] = []
        for line, block in zip(entry.lines, plan.blocks, strict=True):
            keep = self.keeper(block.live, inner.depth)
            for ref in readers if line.how == "each" else (None,):
                flow = self.apply(self._line(line, block, ref, scope, inner), worlds, keep, level)
                flows.append(flow.aside())
                worlds = flow.done
                if step.settles and line is entry.lines[-1] and ref not in later:
                    worlds = self.settled(worlds, ref, step, inner, level)
        flows.append(Flow(worlds))
        return self.joined(flows, self.keeper(plan.live, inner.depth))

    def _line(self, line: ir.ResultLine, block: Block, ref: Any, scope: dict[int, Any], inner: Context) -> Kernel:
        """What a line of results does, for one reader or for all."""
        fixed = dict(scope)
        if ref is not None:
            fixed[self.slots.number("local", inner.depth, "reader")] = ref

        def run(level: Level) -> Flow:
            worlds = one_world()
            if line.how != "each" or line.where is None:
                return self.stretch({}, block, inner, self.keeper(block.live, inner.depth), level)
            held, other = self.truth((id(line), "where"), line.where, worlds, inner, level)
            flow = self.run(held, block, inner, level)
            return self.joined([flow, Flow(other)], self.keeper(block.live, inner.depth))

        return self.kernel((id(block), id(inner), ref, tuple(scope.items())), run, fixed)

    # -- choices ----------------------------------------------------------------------------------------------

    def request(
        self, s: ir.Choose, context: Context, level: Level, place: tuple[str, ...] = ()
    ) -> ChoiceRequest | None:
        """What a player is asked, or ``None`` where there is nothing to choose; the evaluator says which."""
        view = self.view
        view.begin(level, context.depth, context.facts)
        asker: Any = _Asking()
        view.asker = asker
        try:
            view._choose(s, view.frame(context.depth, place))
        except _Asked:
            found: ChoiceRequest = asker.request
            return found
        finally:
            view.asker = view.nobody
        return None

    def _choose(self, s: ir.Choose, context: Context, keep: Keeper, level: Level) -> Flow:
        slot = self.slots.number("local", context.depth, s.local)
        request = self.request(s, context, level)
        if request is None:
            # What nobody is asked, the evaluator settles.
            self.view.begin(level, context.depth, context.facts)
            self.view.writes[slot] = self.view._choose(s, self.view.frame(context.depth))
            return Flow(self.written(keep))
        known = self.answered("choose", level)
        if known is not None:
            check_choice(request, known)
            return Flow(self._chosen(slot, s, known, keep, {self.answers_slot: level.base(self.answers_slot) + 1}))
        return Flow(self._decided(slot, s, request, keep))

    def _chosen(
        self, slot: int, s: ir.Choose, chosen: tuple[Any, ...], keep: Keeper, extra: Mapping[int, Any] | None = None
    ) -> Worlds:
        self.view.writes = {slot: chosen[0] if s.count is None else chosen}
        return self.written(keep, extra)

    def _decided(self, slot: int, s: ir.Choose, request: ChoiceRequest, keep: Keeper) -> Worlds:
        chosen = None if self.policy.decide is None else self.policy.decide(request)
        if chosen is not None:
            check_choice(request, chosen)
            return self._chosen(slot, s, chosen, keep)
        if self.policy.players.get(request.player) == "random":
            ways = ways_to_choose(request, self.limits.outcomes)
            parts = [self._chosen(slot, s, way, keep) for way in ways]
            every = [Worlds(part.slots, part.rows, len(ways)) for part in parts]
            return merged(every)
        raise NeedsPolicy(request.name, request.player, request.options)


def ways_to_choose(request: ChoiceRequest, most: int) -> list[tuple[Any, ...]]:
    """Every way in which a player may choose; an order among several does not count."""
    wanted = 1 if request.count is None else request.count
    if comb(len(request.options), wanted) > most:
        raise LimitError("outcomes", f"there are more than {most} ways to choose {request.name}")
    return list(combinations(request.options, wanted))


class _Asked(Exception):
    """A choice is open."""


class _Asking:
    """Keeps what is asked, and breaks off."""

    request: ChoiceRequest | None = None

    def choose(self, request: ChoiceRequest) -> Any:
        self.request = request
        raise _Asked

    def forced(self, request: ChoiceRequest) -> None:
        """What has one answer is taken."""


class _Always(dict[int, bool]):
    def __init__(self, value: bool) -> None:
        super().__init__()
        self._value = value

    def __missing__(self, slot: int) -> bool:
        return self._value


class _NotGiven:
    def __repr__(self) -> str:
        return "not given"


NOT_GIVEN: Final = _NotGiven()
_LIMITS: Final = Limits()
_TELL: Final = 50_000
_CALL: Final = 100
_ALL: Final = _Always(True)
_NOTHING: Final = _Always(False)
