"""Path enumeration: a short block of steps run depth-first, one sequence of dice after the other.

Moving a distribution from step to step pays when many states merge. If a block has few paths, such as a single die and its
consequences, it is faster to run each path from beginning to end. A block with too many paths is marked, and from then
on runs over all states at once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import lcm
from typing import Any, Final

from enfilade.core import ir
from enfilade.core.run import Refused, Stopped
from enfilade.engines.odds.analysis.plan import Block, Step
from enfilade.engines.odds.dice.tails import Undecided
from enfilade.engines.odds.rolls.draws import draw
from enfilade.engines.odds.rolls.roll import roll
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import (
    UNCHANGED,
    Distribution,
    Flow,
    Row,
    Slots,
    frozen_value,
    no_states,
    updated,
)
from enfilade.engines.odds.states.expressions import value_of
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.states.transitions import live_writes
from enfilade.engines.odds.steps.apply_results import entry_locals, matched_entries
from enfilade.engines.odds.steps.calls import Begun, begin_call, begin_effect, outputs_of
from enfilade.engines.odds.steps.plain import execute
from enfilade.engines.odds.steps.simultaneous import joined_changes
from enfilade.errors import RunError

_MOST_PATHS: Final = 160
_MOST_ROUNDS: Final = 12
_PATH: Final = 20
_MOST_STEPS: Final = 3_000

Outcomes = tuple[list[tuple[Slots, Row, int]], int]
"""The outcomes of a roll or draw with their weights, and the total."""
Ends = list[tuple[dict[int, Any], int, int]]
"""The ends of some paths: what changed, the weight, and the total."""


class TooMany(Exception):
    """There are too many paths, or a step can't be enumerated."""


def enumerate_paths(
    ctx: Context,
    start: dict[int, Any],
    block: Block,
    frame: CallFrame,
    live: LiveSlots,
    origin: Origin,
    after: Callable[[], None] | None = None,
) -> Flow | None:
    """Run every path through a block.

    Args:
        ctx: The context.
        start: The slots that have changed since the origin.
        block: The steps.
        frame: Their frame.
        live: The live slots after them.
        origin: The origin.
        after: A function to run at the end of each path.

    Returns:
        The resulting states; ``None`` if there are too many paths.
    """
    if block.many_paths or ctx.situation.log:
        return None
    before = dict(origin.reads)
    paths = _Paths(ctx)
    done: Ends = []
    stopped: Ends = []
    refused: Ends = []
    refusal: Refused | None = None
    for _ in range(_MOST_PATHS):
        paths.begin()
        ctx.evaluator.begin(origin, frame.depth, frame.facts)
        ctx.evaluator.writes.update(start)
        ctx.evaluator.begin_frame(frame.depth, ctx.evaluator.facts_of(frame))
        into, kept = done, live
        try:
            paths.walk(block, frame)
            if after is not None:
                after()
        except Stopped:
            into, kept = stopped, ctx.live_slots(frame.end, frame.depth)
        except Refused as why:
            into, refusal = refused, refusal or why
        except Undecided:
            ctx.is_exact = False
            into = []
        except TooMany:
            break
        if paths.weight:
            into.append(({} if into is refused else live_writes(ctx, kept), paths.weight, paths.total))
        if not paths.next_path():
            ctx.meter.count((len(done) + 1) * _PATH)
            return Flow(_states(done), _states_or_none(stopped), _states_or_none(refused), refusal)
    block.many_paths = True
    origin.reads.clear()
    origin.reads.update(before)
    return None


class _Paths:
    """The current path: the number of the outcome taken at each roll or draw.

    Attributes:
        weight: The weight of the path.
        total: The product of the totals of all rolls and draws along the path.
    """

    def __init__(self, ctx: Context) -> None:
        self.weight = 1
        self.total = 1
        self._ctx = ctx
        self._steps = 0
        self._at = 0
        self._path: list[int] = []
        self._tables: list[Outcomes] = []

    def begin(self) -> None:
        """Begin the current path."""
        self._at, self.weight, self.total = 0, 1, 1

    def next_path(self) -> bool:
        """Advance to the next path; return whether there is one."""
        while self._path:
            self._path[-1] += 1
            if self._path[-1] < len(self._tables[-1][0]):
                return True
            self._path.pop()
            self._tables.pop()
        return False

    def walk(self, block: Block, frame: CallFrame) -> None:
        """Run some steps along the current path.

        Raises:
            TooMany: The steps can't be enumerated.
        """
        self._steps += len(block.steps)
        if self._steps > _MOST_STEPS:
            raise TooMany
        for step in block.steps:
            try:
                if step.plain:
                    execute(self._ctx, step, frame)
                else:
                    self._go(step, frame)
            except RunError as error:
                step.note_place(error)
                raise

    def _go(self, step: Step, frame: CallFrame) -> None:
        evaluator = self._ctx.evaluator
        match s := step.statement:
            case ir.RollDice():
                self._pick(step, frame, lambda live, origin: roll(self._ctx, s, step.pool, frame, live, origin))
            case ir.DrawCards():
                self._pick(step, frame, lambda live, origin: draw(self._ctx, s, step.unordered, frame, live, origin))
            case ir.Branch():
                held = value_of(self._ctx, s.condition, evaluator.frame(frame.depth), step.kinds)
                self.walk(step.blocks[0 if held else 1], frame)
            case ir.Stop():
                raise Stopped
            case ir.Perform():
                begun = self._here(frame, lambda origin: begin_effect(self._ctx, s, step, frame, origin))
                self._inside(begun, frame)
            case ir.CallProcedure() if s.if_refused is None:
                self._call(s, step, frame)
            case ir.Loop():
                variable = self._ctx.local(frame, s.local)
                for element in value_of(self._ctx, s.over, evaluator.frame(frame.depth), step.kinds):
                    evaluator.writes[variable] = element
                    self.walk(step.blocks[0], frame)
            case ir.Repeat() if s.times is not None:
                times = evaluator.needed(s.times, evaluator.frame(frame.depth))
                if times > _MOST_ROUNDS:
                    raise TooMany
                for _ in range(times):
                    self.walk(step.blocks[0], frame)
                    if s.until is not None and value_of(self._ctx, s.until, evaluator.frame(frame.depth), step.kinds):
                        break
            case ir.ApplyResults():
                self._results(s, step, frame)
            case ir.Together():
                self._at_once(s, step, frame)
            case _:
                raise TooMany

    def _here(self, frame: CallFrame, look: Callable[[Origin], Any]) -> Any:
        """Restart the evaluator from the current state and run a function."""
        evaluator = self._ctx.evaluator
        origin, writes, facts = evaluator.origin, evaluator.writes, evaluator.facts
        found = look(Origin(lambda slot: origin.now(slot, writes.get(slot, UNCHANGED))))
        evaluator.begin(origin, frame.depth, facts)
        evaluator.writes = writes
        return found

    def _pick(self, step: Step, frame: CallFrame, flow_of: Callable[[Any, Origin], Flow]) -> None:
        """Take the outcome of a roll or draw selected by the current path."""
        at = self._at
        self._at += 1
        if at == len(self._path):
            live = self._ctx.live_slots(step.live, frame.depth)
            table = frame.tables.get(id(step)) if step.is_constant else None
            if table is None:
                flow: Flow = self._here(frame, lambda origin: flow_of(live, origin))
                if flow.stopped is not None or flow.refused is not None or not flow.done.rows:
                    raise TooMany
                done = flow.done
                table = [(done.slots, row, weight) for row, weight in done.rows.items()], done.total
                if step.is_constant and not frame.given:
                    frame.tables[id(step)] = table
            self._path.append(0)
            self._tables.append(table)
        outcomes, total = self._tables[at]
        slots, row, weight = outcomes[self._path[at]]
        self.weight *= weight
        self.total *= total
        self._write(zip(slots, row, strict=True))

    def _write(self, changes: Any) -> None:
        writes = self._ctx.evaluator.writes
        for slot, value in changes:
            if value is not UNCHANGED:
                writes[slot] = updated(writes.get(slot, UNCHANGED), value)

    def _inside(self, begun: Begun | None, frame: CallFrame) -> None:
        """Run an effect or a called procedure."""
        if begun is None:
            raise Undecided
        evaluator = self._ctx.evaluator
        facts = evaluator.facts
        self._write(begun.start.items())
        evaluator.begin_frame(begun.frame.depth, evaluator.facts_of(begun.frame))
        try:
            self.walk(begun.block, begun.frame)
        finally:
            evaluator.begin_frame(frame.depth, facts)

    def _call(self, s: ir.CallProcedure, step: Step, frame: CallFrame) -> None:
        begun = self._here(frame, lambda origin: begin_call(self._ctx, s, step, frame, origin))
        if begun is None:
            raise Undecided
        writes, depth = self._ctx.evaluator.writes, begun.frame.depth
        for slot in [slot for slot in writes if self._ctx.slots.names[slot][:2] == ("local", depth)]:
            # Locals of an earlier call at this depth are not outputs of this one.
            del writes[slot]
        with suppress(Stopped):
            self._inside(begun, frame)
        if s.local is not None:
            slot = self._ctx.local(frame, s.local)
            self._ctx.evaluator.writes[slot] = outputs_of(self._ctx, begun.outputs, depth)

    def _results(self, s: ir.ApplyResults, step: Step, frame: CallFrame) -> None:
        found = self._here(frame, lambda origin: matched_entries(self._ctx, s, frame, origin))
        if found is None:
            raise Undecided
        evaluator, results = self._ctx.evaluator, self._ctx.program.results[s.chart]
        inner = self._ctx.inner_frame(frame, ("results", s.chart), frame.static, frame.given, frame.end)
        reader = self._ctx.local(inner, "reader")
        facts, inner_facts = evaluator.facts, evaluator.facts_of(inner)
        for index, hit in found:
            plan = self._ctx.planner.entry(results, index, step.live, inner.end)
            evaluator.writes.update(entry_locals(self._ctx, results, hit, inner))
            evaluator.begin_frame(inner.depth, inner_facts)
            for line, block in zip(results.entries[index].lines, plan.blocks, strict=True):
                if line.how != "each":
                    self.walk(block, inner)
                    continue
                for ref, _ in hit:
                    evaluator.writes[reader] = ref
                    if line.where is None or value_of(self._ctx, line.where, evaluator.frame(inner.depth)):
                        self.walk(block, inner)
            evaluator.begin_frame(frame.depth, facts)

    def _at_once(self, s: ir.Together, step: Step, frame: CallFrame) -> None:
        evaluator, names = self._ctx.evaluator, self._ctx.slots.names
        before = {slot: value for slot, value in evaluator.writes.items() if names[slot][0] in ("field", "deck")}
        facts, ends, stops = evaluator.facts, [], False
        for block in step.blocks:
            try:
                self.walk(block, frame)
            except Stopped:
                stops = True
                evaluator.begin_frame(frame.depth, facts)
            writes = evaluator.writes
            changed = {slot: value for slot, value in writes.items() if names[slot][0] in ("field", "deck")}
            ends.append(
                (stops, tuple(item for item in changed.items() if before.get(item[0], UNCHANGED) is not item[1]))
            )
            for slot in changed:
                del writes[slot]
            writes.update(before)
        changes = self._here(frame, lambda origin: joined_changes(self._ctx, tuple(ends), s, origin))
        evaluator.writes.update({slot: frozen_value(value) for slot, value in changes.items()})
        if stops:
            raise Stopped


def _states(ends: Ends) -> Distribution:
    if not ends:
        return no_states()
    slots = tuple(dict.fromkeys(slot for changes, _, _ in ends for slot in changes))
    every = lcm(*{total for _, _, total in ends})
    rows: dict[Row, int] = {}
    for changes, weight, total in ends:
        row = tuple([changes.get(slot, UNCHANGED) for slot in slots])
        rows[row] = rows.get(row, 0) + weight * (every // total)
    return Distribution(slots, rows, every)


def _states_or_none(ends: Ends) -> Distribution | None:
    return _states(ends) if ends else None
