"""The planner: from the rules and the live variables at the end to a plan, made once for each combination of both.

A plan is made in this order: sums become running totals, lists taken from pools are inlined, dead steps are removed,
rolls are replaced by the values that the rules read from them, and each step gets its live variables. Plain steps that
read the same variables are fused into one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from threading import RLock
from typing import Any, Final, TypeVar

from attrs import evolve

from enfilade.core import ir
from enfilade.core.rewrite import replaced
from enfilade.core.traits import FACT, FIELD, LOCAL, Unit
from enfilade.core.walk import locals_in, nodes
from enfilade.engines.compile.calls import fits
from enfilade.engines.compile.frames import plan_of
from enfilade.engines.compile.step_compiler import StepCompiler
from enfilade.engines.odds.analysis.aggregates import PoolPlan
from enfilade.engines.odds.analysis.called import Called
from enfilade.engines.odds.analysis.dead_code import without_dead_steps
from enfilade.engines.odds.analysis.demands import is_unordered
from enfilade.engines.odds.analysis.endings import at_end_of_call
from enfilade.engines.odds.analysis.liveness import Liveness, RunsDeclaration
from enfilade.engines.odds.analysis.plan import Block, EntryPlan, Step
from enfilade.engines.odds.analysis.pool_plan import Rewritten, inline_lists, plan_pools
from enfilade.engines.odds.analysis.running_totals import OwnRecord
from enfilade.engines.odds.analysis.steady import assigned
from enfilade.engines.odds.analysis.thresholds import capped
from enfilade.engines.odds.analysis.uses import Uses
from enfilade.engines.odds.analysis.variables import (
    ALL,
    DEMANDED,
    NONE,
    RUNNING,
    SUMMED,
    TOUCHED,
    Variable,
    Variables,
    demands_of_field,
    output,
    parts_of,
    shared,
)
from enfilade.engines.odds.dice.pool import Side
from enfilade.engines.odds.dice.tails import belongs, highest, lowest
from enfilade.limits import DEFAULT_LIMITS, check_time
from enfilade.values.types import Bool, RecordOf, Type

T = TypeVar("T")
_MOST_CODES: Final = 5_000
_TIMED: Final = evolve(DEFAULT_LIMITS, play_seconds=0)
"""Compiled steps check the time of the question that they run for."""


class Planner:
    """The plans of a ruleset, and its compiled steps and expressions.

    Attributes:
        uses: The uses of the ruleset.
        sides: The sides of each die that has been rolled.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.uses = Uses(program)
        self.sides: dict[str, tuple[Side, ...]] = {}
        self._fitting: dict[int, ir.SetField] = {}
        self._called = Called(self.uses, self._bodies, lambda s: id(s) in self._fitting)
        self._liveness = Liveness(self.uses, self._called)
        # What steps read and change, whatever is live after them.
        self._reads = Liveness(self.uses)
        self._prepared: dict[Unit, tuple[ir.Body, ...]] = {}
        self._compiler = StepCompiler(program, _TIMED, {"max": highest, "min": lowest, "belongs": belongs})
        self._lock = RLock()
        self._codes: dict[int, tuple[ir.Expr, Any]] = {}
        self._locals_in: dict[int, tuple[Block, frozenset[str]]] = {}
        self._facts_in: dict[int, tuple[Any, tuple[str, ...]]] = {}
        self._read_by: dict[int, tuple[Any, Variables]] = {}
        self._kinds: Mapping[str, Type] = {}
        self._lives: dict[Variables, Variables] = {}
        self._endings: dict[tuple[str, str | None, Variables, Variables], Variables] = {}
        self._plans: dict[tuple[str, str, Variables, Variables], Block] = {}
        self._entries: dict[tuple[str, int, Variables, Variables], EntryPlan] = {}
        # Every sum must be known before the first effect is performed.
        self.with_running_totals(tuple(each.body for each in program.procedures.values()))
        self.with_running_totals(tuple(each.body for each in program.effects.values()))
        self.with_running_totals(tuple(each.entries for each in program.results.values()))

    def with_running_totals(self, node: T) -> T:
        """Nodes in which each replaceable sum has its running total added."""

        def replace(inner: Any) -> Any:
            of_effects = self.uses.sums.of_effects(inner)
            if of_effects is not None:
                return ir.Local(f"{RUNNING}{of_effects}", inner.span)
            number = self.uses.sums.number(inner)
            return None if number is None else ir.Op("add", (inner, ir.Local(f"{RUNNING}{number}")), inner.span)

        return replaced(node, replace)

    # -- live variables ---------------------------------------------------------------------------------------

    def live(self, variables: Variables) -> Variables:
        """The unique object for a set of live variables; caches compare it by identity."""
        return self._lives.setdefault(variables, variables)

    def at_end_of_call(self, s: ir.CallProcedure, live: Variables, end: Variables) -> Variables:
        """The live variables at the end of a call."""
        key = (s.procedure, s.local, live, end)
        if key not in self._endings:
            self._endings[key] = self.live(at_end_of_call(s, live, end, self.uses))
        return self._endings[key]

    # -- plans ------------------------------------------------------------------------------------------------

    def procedure(self, name: str, live: Variables) -> Block:
        """The plan of a procedure."""
        with self._lock:
            return self._planned("procedure", name, live, live)

    def effect(self, name: str, live: Variables, end: Variables) -> Block:
        """The plan of an effect; *end* is live if the effect stops the procedure."""
        with self._lock:
            return self._planned("effect", name, shared(live), shared(end))

    def entry(self, results: ir.Results, index: int, live: Variables, end: Variables) -> EntryPlan:
        """The plan of one entry of results."""
        key = (results.chart, index, shared(live), shared(end))
        with self._lock:
            if key not in self._entries:
                self._entries[key] = self._planned_entry(results, index, live, end)
            return self._entries[key]

    def _bodies(self, unit: Unit) -> tuple[ir.Body, ...]:
        """The bodies of a declaration as they are planned: one, or for results one for each line."""
        if unit not in self._prepared:
            lists = (inline_lists(self.with_running_totals(bodies), self.uses) for bodies in self._written(unit))
            self._prepared[unit] = tuple(body for bodies in lists for body in bodies)
            self._learn(self._prepared[unit], self._kinds_of(unit))
        return self._prepared[unit]

    def _learn(self, bodies: tuple[ir.Body, ...], kinds: Mapping[str, Type]) -> None:
        """Learn what the types of locals say of assignments: whether a value fits its field, or only raises a number."""
        for node in nodes(bodies):
            if isinstance(node, ir.SetField) and self._always_fits(node, kinds):
                self._fitting[id(node)] = node
            if isinstance(node, (ir.SetField, ir.SetLocal)):
                self.uses.thresholds.learn(node, kinds)

    def _written(self, unit: Unit) -> list[tuple[ir.Body, ...]]:
        """The bodies of a declaration as they are written, in groups with the same locals."""
        kind, name = unit
        match kind:
            case "results":
                return [tuple(line.body for line in entry.lines) for entry in self.program.results[name].entries]
            case "effect":
                return [(self.program.effects[name].body,)]
        return [(self.program.procedures[name].body,)]

    def _always_fits(self, s: ir.SetField, kinds: Mapping[str, Type]) -> bool:
        """Whether the new value of a field always belongs to the type of the field."""
        of, value = (self._compiler.types.of(e, kinds) for e in (s.of, s.value))
        is_record = isinstance(of, RecordOf) and not of.optional
        return is_record and fits(value, self.program.records[s.record].fields[s.field].type)

    def _planned(self, kind: str, name: str, live: Variables, end: Variables) -> Block:
        key = (kind, name, live, end)
        if key not in self._plans:
            (body,) = self._bodies((kind, name))
            pruned = without_dead_steps(self._liveness, body, live, end)
            kinds = self._kinds_of((kind, name))
            rewritten = plan_pools((pruned,), self.uses, kinds)
            self._kinds = self._with_pools(kinds, rewritten.pools)
            self._know(rewritten, self._kinds)
            pruned = without_dead_steps(self._liveness, rewritten.bodies[0], live, end)
            self._plans[key] = self._block(pruned, live, end, rewritten.pools)
        return self._plans[key]

    def _planned_entry(self, results: ir.Results, index: int, live: Variables, end: Variables) -> EntryPlan:
        unit, live, end = ("results", results.chart), shared(live), shared(end)
        first = sum(len(entry.lines) for entry in results.entries[:index])
        bodies = self._bodies(unit)[first : first + len(results.entries[index].lines)]
        # A line runs once for each reader in turn, so the later runs and lines see its changes.
        within = live | end | self._called.read_by(unit, live, end)
        within |= frozenset((LOCAL, name, ALL) for name in locals_in(bodies))
        bodies = tuple(without_dead_steps(self._liveness, body, within, end) for body in bodies)
        kinds = self._kinds_of(unit)
        rewritten = plan_pools(bodies, self.uses, kinds)
        self._know(rewritten, kinds)
        within |= frozenset((LOCAL, name, ALL) for name in locals_in(rewritten.bodies))
        self._kinds = kinds
        blocks = [self._block(body, within, end, rewritten.pools) for body in rewritten.bodies]
        for block, line in zip(blocks, results.entries[index].lines, strict=True):
            block.facts = _in_order(block.facts, () if line.where is None else self.facts_read_by(line.where))
        return EntryPlan(tuple(blocks), live | end)

    def _know(self, rewritten: Rewritten, kinds: Mapping[str, Type]) -> None:
        self._learn(rewritten.bodies, kinds)
        rolls = (node for node in nodes(rewritten.bodies) if id(node) in rewritten.pools)
        self._liveness.learn((roll, rewritten.pools[id(roll)]) for roll in rolls)

    def _kinds_of(self, unit: Unit) -> Mapping[str, Type]:
        """The types of the locals of a declaration, as far as they are known."""
        kind, name = unit
        if kind == "results":
            record = self.program.results[name].record
            return {"reader": RecordOf(record)} if record else {}
        params = self.program.effects[name].params if kind == "effect" else ()
        ((source,),) = self._written(unit)
        return plan_of(self._compiler.types, source, {param.name: param.type for param in params}).kinds

    def _with_pools(self, known: Mapping[str, Type], pools: Mapping[int, PoolPlan]) -> Mapping[str, Type]:
        """The types of the locals, including the values that replace rolls."""
        kinds = dict(known)
        for pool in pools.values():
            for each in pool.aggregates or ():
                kinds[each.local] = self._compiler.types.of(each.expression, kinds)
            kinds |= {name: Bool() for name, _ in pool.derived}
        return kinds

    # -- steps ------------------------------------------------------------------------------------------------

    def _block(self, body: ir.Body, live: Variables, end: Variables, pools: dict[int, PoolPlan]) -> Block:
        steps: list[Step] = []
        after = live
        for statement in reversed(body):
            check_time()
            steps.append(self._step(self._capped(statement, after), after, end, pools))
            after = self._liveness.before(statement, after, end)
        steps.reverse()
        chooses, facts = any(step.chooses for step in steps), _in_order(*(step.facts for step in steps))
        return Block(self._fused(steps), live, chooses, facts)

    def _capped(self, s: ir.Statement, live: Variables) -> ir.Statement:
        """An assignment that keeps no more of a number than later comparisons read."""
        match s:
            case ir.SetLocal():
                caps = self.uses.thresholds.caps(parts_of(live, s.local))
            case ir.SetField() if id(s) in self._fitting and not {(FIELD, s.field), (SUMMED, s.field)} & live:
                caps = self.uses.thresholds.caps(demands_of_field(live, s.field), s.of)
            case _:
                return s
        return evolve(s, value=capped(s.value, caps)) if caps else s

    def _step(self, s: ir.Statement, live: Variables, end: Variables, pools: dict[int, PoolPlan]) -> Step:
        pool = pools.get(id(s))
        if isinstance(s, ir.RollDice) and pool is not None and pool.aggregates is None:
            parts = parts_of(live, s.local)
            pool = evolve(pool, is_bag=is_unordered(parts - {"total"}), tests=self.uses.tests.of(parts))
        blocks = tuple(self._block(body, after, end, pools) for body, after in self._liveness.blocks(s, live, end))
        foldable = self._foldable(s, live)
        # A record that is folded adds its share to the sums over records.
        sums = self._sums(of_effects=False) if foldable else ()
        return Step(
            s,
            live,
            blocks=blocks,
            pool=pool,
            plain=self._is_plain(s, live, end, blocks),
            chooses=self.uses.chooses(s),
            unordered=isinstance(s, ir.DrawCards) and is_unordered(parts_of(live, s.local)),
            kinds=self._kinds,
            foldable=foldable,
            round_start=self.live(self._liveness.before_body(s.body, blocks[0].live, end))
            if isinstance(s, ir.Repeat)
            else NONE,
            facts=_in_order(
                self.facts_read_by(s),
                *(map(self.facts_read_by, pool.expressions) if pool else ()),
                *(block.facts for block in blocks),
                *map(self.facts_read_by, sums),
            ),
        )

    def _is_plain(self, s: ir.Statement, live: Variables, end: Variables, blocks: tuple[Block, ...]) -> bool:
        """Whether the evaluator alone can run a step: no declaration that it uses must run without its dead steps."""
        if not self.uses.is_plain(s):
            return False
        if isinstance(s, RunsDeclaration) and self._called.is_narrowed(*self._liveness.declaration(s, live, end)):
            return False
        return all(step.plain or isinstance(step.statement, ir.Stop) for block in blocks for step in block.steps)

    def _fused(self, steps: list[Step]) -> tuple[Step, ...]:
        """Plain steps that read the same variables, fused into one."""
        fused: list[Step] = []
        bodies: list[list[ir.Statement]] = []
        read: set[Variable] = set()
        done: set[str] = set()
        for step in steps:
            mine = self._reads.before(step.statement, NONE, NONE) if step.plain else NONE
            # A step joins the last one if it reads only facts and variables that those before it read or assign.
            joins = step.plain and bool(fused) and fused[-1].plain
            if joins and all(
                each[0] == FACT or each in read or (each[0] == LOCAL and each[1] in done) for each in mine
            ):
                fused[-1].live = step.live
                fused[-1].facts = _in_order(fused[-1].facts, step.facts)
                bodies[-1].append(step.statement)
            else:
                fused.append(step)
                bodies.append([step.statement] if step.plain else [])
                read.clear()
                done.clear()
            read |= mine
            done.update(name for node in nodes(step.statement) for name in assigned(node, self.program))
        for step, body in zip(fused, bodies, strict=True):
            step.body = tuple(body) or step.body
            step.copies = _copies(step.body)
        return tuple(fused)

    def _foldable(self, s: ir.Statement, live: Variables) -> frozenset[str]:
        """The fields that a step changes, if only sums read them later and each round touches only its own record."""
        own = OwnRecord(self.program, self.uses.written)
        match s:
            case ir.Loop():
                keeps = own.keeps(s.body, {s.local})
            case ir.ApplyResults():
                lines = [line for entry in self.program.results[s.chart].entries for line in entry.lines]
                parts = tuple(part for line in lines for part in (line.where, line.body) if part is not None)
                keeps = all(line.how == "each" for line in lines) and own.keeps(parts, {"reader"})
            case _:
                return frozenset()
        touched = frozenset(each[1] for each in self._reads.before(s, NONE, NONE) if each[0] == TOUCHED)
        seen = any((kind, name) in live for name in touched for kind in (FIELD, TOUCHED)) or any(
            each[0] == DEMANDED and each[1] in touched for each in live
        )
        return touched if keeps and not seen else frozenset()

    def facts_read_by(self, part: ir.Expr | ir.Statement) -> tuple[str, ...]:
        """The facts that a step or an expression, and all that it uses, may read, in order."""
        # Whatever performs an effect may add to a sum over effects.
        return self._once(
            self._facts_in, part, lambda: _in_order(self.uses.facts_in((part, *self._sums(of_effects=True))))
        )

    def read_by(self, e: ir.Expr) -> Variables:
        """What an expression may read."""
        return self._once(self._read_by, e, lambda: self.live(self.uses.all_in((e,))))

    def _once(self, memo: dict[int, tuple[Any, T]], part: Any, make: Callable[[], T]) -> T:
        """What is found out once for a step or an expression, by its identity."""
        found = memo.get(id(part))
        if found is None or found[0] is not part:
            with self._lock:
                if len(memo) >= _MOST_CODES:
                    memo.clear()
                found = memo[id(part)] = part, make()
        return found[1]

    def _sums(self, *, of_effects: bool) -> tuple[ir.Over, ...]:
        """The sums over effects that have running totals, or those over records."""
        return tuple(e for e in self.uses.sums.expressions if isinstance(e.over, ir.EffectsSoFar) == of_effects)

    def locals_in(self, block: Block, where: ir.Expr | None) -> frozenset[str]:
        """The names of the locals in a block and in the condition under which it runs."""
        with self._lock:
            found = self._locals_in.get(id(block))
            if found is None or found[0] is not block:
                steps = tuple(part for step in block.steps for part in (step.statement, *step.body))
                parts = steps if where is None else (*steps, where)
                names = frozenset(node.name for node in nodes(parts) if isinstance(node, ir.Local))
                found = self._locals_in[id(block)] = block, names
            return found[1]

    # -- compiled code ----------------------------------------------------------------------------------------

    def code(self, step: Step) -> Any:
        """A plain step as compiled code; ``False`` if it can't be compiled."""
        if step.code is None:
            with self._lock:
                # The code comes last: once it is there, other threads use the rest.
                step.reads = self.live(self.uses.all_in((step.body, self._sums(of_effects=True))))
                step.assigns = frozenset(name for node in nodes(step.body) for name in assigned(node, self.program))
                live = {each[1] for each in step.live if each[0] == LOCAL}
                step.code = self._compiler.steps(step.body, step.kinds, live) or False
        return step.code

    def expression(self, e: ir.Expr, kinds: Mapping[str, Type]) -> Any:
        """An expression as compiled code; ``False`` if it can't be compiled."""
        found = self._codes.get(id(e))
        if found is None or found[0] is not e:
            with self._lock:
                if len(self._codes) >= _MOST_CODES:
                    self._codes.clear()
                found = self._codes[id(e)] = e, self._compiler.expression(e, kinds) or False
        return found[1]


def _in_order(*facts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({name for each in facts for name in each}))


def _copies(body: ir.Body) -> tuple[str, str] | None:
    """The source and the target local of a body that only copies a local."""
    match body:
        case (ir.SetLocal(local, _, ir.Local(source)),):
            return source, local
        case (ir.Give(name, ir.Local(source)),):
            return source, output(name)
    return None
