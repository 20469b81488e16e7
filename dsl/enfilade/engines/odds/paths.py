"""Short stretches of rules, way by way.

To move distributions from step to step pays where many worlds meet again. Where there are few ways through some steps, such
as a single die and what it does, it is quicker to go each way from beginning to end, one roll's outcome after the other.
Where there turn out to be many, that is given up, and remembered of those steps.
"""

from __future__ import annotations

from collections.abc import Callable
from math import lcm
from typing import TYPE_CHECKING, Any, Final

from enfilade.core import ir
from enfilade.core.run import Refused, Stopped
from enfilade.engines.odds.tails import Undecided
from enfilade.engines.odds.view import Level, View
from enfilade.engines.odds.worlds import KEEP, Flow, Row, Slots, Worlds, changed, frozen_value, no_worlds

if TYPE_CHECKING:
    from enfilade.engines.odds.answer import Situation
    from enfilade.engines.odds.engine import Begun, Context, Keeper
    from enfilade.engines.odds.plan import Block, Planner, Step

_MOST_WAYS: Final = 160
_MOST_ROUNDS: Final = 12
_WAY: Final = 20
_MOST_STEPS: Final = 3_000

Table = list[tuple[Slots, Row, int]]
Found = list[tuple[dict[int, Any], int, int]]


class TooMany(Exception):
    """There are too many ways, or they can't be gone one by one."""


class Paths:
    """Goes the ways through some steps."""

    view: View
    situation: Situation
    program: ir.Program
    planner: Planner
    is_exact: bool

    if TYPE_CHECKING:
        slots: Any

        def count(self, worlds: int) -> None: ...
        def run(self, worlds: Worlds, block: Block, context: Context, level: Level) -> Flow: ...
        def roll(self, s: ir.RollDice, pool: Any, context: Context, keep: Keeper, level: Level) -> Flow: ...
        def draw(self, s: ir.DrawCards, unordered: bool, context: Context, keep: Keeper, level: Level) -> Flow: ...
        def keeper(self, live: Any, depth: int) -> Keeper: ...
        def done(self, step: Step, context: Context) -> None: ...
        def kept_of_writes(self, keep: Keeper) -> dict[int, Any]: ...
        def worth(self, e: ir.Expr, frame: Any, kinds: Any = ...) -> Any: ...
        def performed(self, s: ir.Perform, step: Step, context: Context, level: Level) -> Begun | None: ...
        def called(self, s: ir.CallProcedure, step: Step, context: Context, level: Level) -> Begun | None: ...
        def outputs_of(self, names: tuple[str, ...], depth: int) -> Any: ...
        def hits(self, s: ir.ApplyResults, context: Context, level: Level) -> list[tuple[int, list[Any]]] | None: ...
        def scope(self, results: ir.Results, hit: list[Any], inner: Context) -> dict[int, Any]: ...
        def inner(self, context: Context, key: Any, static: Any, given: Any, end: Any) -> Context: ...
        def joined_changes(self, ends: tuple[Any, ...], s: ir.Together, level: Level) -> dict[int, Any]: ...

    def through(
        self,
        start: dict[int, Any],
        block: Block,
        context: Context,
        keep: Keeper,
        level: Level,
        after: Callable[[], None] | None = None,
    ) -> Flow | None:
        """Go every way through some steps.

        Args:
            start: What has changed before.
            block: The steps.
            context: Where they stand.
            keep: What is read after them.
            level: The world.
            after: What is done at the end of each way.

        Returns:
            What comes of it; ``None`` where there are too many ways.
        """
        if block.many_ways or self.situation.log:
            return None
        before = dict(level.reads)
        self._steps = 0
        self._path: list[int] = []
        self._tables: list[tuple[Table, int]] = []
        done: Found = []
        stopped: Found = []
        refused: Found = []
        refusal: Refused | None = None
        for _ in range(_MOST_WAYS):
            self._at, self._weight, self._total = 0, 1, 1
            self.view.begin(level, context.depth, context.facts)
            self.view.writes.update(start)
            into, keeps = done, keep
            try:
                self._walk(block, context)
                if after is not None:
                    after()
            except Stopped:
                into, keeps = stopped, self.keeper(context.end, context.depth)
            except Refused as why:
                into, refusal = refused, refusal or why
            except Undecided:
                self.is_exact = False
                into = []
            except TooMany:
                break
            if self._weight:
                into.append(({} if into is refused else self.kept_of_writes(keeps), self._weight, self._total))
            if not self._next():
                self.count((len(done) + 1) * _WAY)
                return Flow(_worlds(done), _maybe(stopped), _maybe(refused), refusal)
        block.many_ways = True
        level.reads.clear()
        level.reads.update(before)
        return None

    def _next(self) -> bool:
        """Turn to the next way; whether there is one."""
        while self._path:
            self._path[-1] += 1
            if self._path[-1] < len(self._tables[-1][0]):
                return True
            self._path.pop()
            self._tables.pop()
        return False

    # -- steps ------------------------------------------------------------------------------------------------

    def _walk(self, block: Block, context: Context) -> None:
        self._steps += len(block.steps)
        if self._steps > _MOST_STEPS:
            raise TooMany
        for step in block.steps:
            if step.plain:
                self.done(step, context)
            else:
                self._go(step, context)

    def _go(self, step: Step, context: Context) -> None:
        view = self.view
        match s := step.statement:
            case ir.RollDice():
                self._pick(step, context, lambda keep, level: self.roll(s, step.pool, context, keep, level))
            case ir.DrawCards():
                self._pick(step, context, lambda keep, level: self.draw(s, step.unordered, context, keep, level))
            case ir.Branch():
                held = self.worth(s.condition, view.frame(context.depth), step.kinds)
                self._walk(step.blocks[0 if held else 1], context)
            case ir.Stop():
                raise Stopped
            case ir.Perform():
                begun = self._here(context, lambda level: self.performed(s, step, context, level))
                self._inside(begun, context)
            case ir.CallProcedure() if s.if_refused is None:
                self._call(s, step, context)
            case ir.Loop():
                variable = self.slots.number("local", context.depth, s.local)
                for element in self.worth(s.over, view.frame(context.depth), step.kinds):
                    view.writes[variable] = element
                    self._walk(step.blocks[0], context)
            case ir.Repeat() if s.times is not None:
                times = view.needed(s.times, view.frame(context.depth))
                if times > _MOST_ROUNDS:
                    raise TooMany
                for _ in range(times):
                    self._walk(step.blocks[0], context)
            case ir.ApplyResults():
                self._results(s, step, context)
            case ir.Together():
                self._at_once(s, step, context)
            case _:
                raise TooMany

    def _here(self, context: Context, look: Callable[[Level], Any]) -> Any:
        """Do something with the world as it is now, which may look at it in its own way."""
        view = self.view
        level, writes = view.level, view.writes
        found = look(Level(lambda slot: level.now(slot, writes.get(slot, KEEP))))
        view.begin(level, context.depth, context.facts)
        view.writes = writes
        return found

    def _pick(self, step: Step, context: Context, flow_of: Callable[[Any, Level], Flow]) -> None:
        """Take an outcome: the one that this way goes by."""
        at = self._at
        self._at += 1
        if at == len(self._path):
            keep = self.keeper(step.live, context.depth)
            table = step.table(context)
            if table is None:
                flow: Flow = self._here(context, lambda level: flow_of(keep, level))
                if flow.stopped is not None or flow.refused is not None or not flow.done.rows:
                    raise TooMany
                done = flow.done
                table = [(done.slots, row, weight) for row, weight in done.rows.items()], done.total
                step.keep_table(context, table)
            self._path.append(0)
            self._tables.append(table)
        outcomes, total = self._tables[at]
        slots, row, weight = outcomes[self._path[at]]
        self._weight *= weight
        self._total *= total
        self._write(zip(slots, row, strict=True))

    def _write(self, changes: Any) -> None:
        writes = self.view.writes
        for slot, value in changes:
            if value is not KEEP:
                writes[slot] = changed(writes.get(slot, KEEP), value)

    def _inside(self, begun: Begun | None, context: Context) -> None:
        """Go through an effect."""
        if begun is None:
            raise Undecided
        view = self.view
        self._write(begun.start.items())
        view.begin_frame(begun.context.depth, begun.context.facts)
        self._walk(begun.block, begun.context)
        view.begin_frame(context.depth, context.facts)

    def _call(self, s: ir.CallProcedure, step: Step, context: Context) -> None:
        begun = self._here(context, lambda level: self.called(s, step, context, level))
        if begun is None:
            raise Undecided
        writes, depth = self.view.writes, begun.context.depth
        for slot in [slot for slot in writes if self.slots.names[slot][:2] == ("local", depth)]:
            # What an earlier call left behind is no output of this one.
            del writes[slot]
        try:
            self._inside(begun, context)
        except Stopped:
            self.view.begin_frame(context.depth, context.facts)
        if s.local is not None:
            slot = self.slots.number("local", context.depth, s.local)
            self.view.writes[slot] = self.outputs_of(begun.outputs, depth)

    def _results(self, s: ir.ApplyResults, step: Step, context: Context) -> None:
        found = self._here(context, lambda level: self.hits(s, context, level))
        if found is None:
            raise Undecided
        view, results = self.view, self.program.results[s.chart]
        inner = self.inner(context, ("results", s.chart), context.static, context.given, context.end)
        reader = self.slots.number("local", inner.depth, "reader")
        for index, hit in found:
            plan = self.planner.entry(results, index, step.live, inner.end)
            view.writes.update(self.scope(results, hit, inner))
            view.begin_frame(inner.depth, inner.facts)
            for line, block in zip(results.entries[index].lines, plan.blocks, strict=True):
                if line.how != "each":
                    self._walk(block, inner)
                    continue
                for ref, _ in hit:
                    view.writes[reader] = ref
                    if line.where is None or self.worth(line.where, view.frame(inner.depth)):
                        self._walk(block, inner)
            view.begin_frame(context.depth, context.facts)

    def _at_once(self, s: ir.Together, step: Step, context: Context) -> None:
        view, names = self.view, self.slots.names
        before = {slot: value for slot, value in view.writes.items() if names[slot][0] in ("field", "deck")}
        ends, stops = [], False
        for block in step.blocks:
            try:
                self._walk(block, context)
            except Stopped:
                stops = True
                view.begin_frame(context.depth, context.facts)
            writes = view.writes
            changed = {slot: value for slot, value in writes.items() if names[slot][0] in ("field", "deck")}
            ends.append((stops, tuple(item for item in changed.items() if before.get(item[0], KEEP) is not item[1])))
            for slot in changed:
                del writes[slot]
            writes.update(before)
        changes = self._here(context, lambda level: self.joined_changes(tuple(ends), s, level))
        view.writes.update({slot: frozen_value(value) for slot, value in changes.items()})
        if stops:
            raise Stopped


def _worlds(found: Found) -> Worlds:
    if not found:
        return no_worlds()
    slots = tuple(dict.fromkeys(slot for changes, _, _ in found for slot in changes))
    every = lcm(*{total for _, _, total in found})
    rows: dict[Row, int] = {}
    for changes, weight, total in found:
        row = tuple([changes.get(slot, KEEP) for slot in slots])
        rows[row] = rows.get(row, 0) + weight * (every // total)
    return Worlds(slots, rows, every)


def _maybe(found: Found) -> Worlds | None:
    return _worlds(found) if found else None
