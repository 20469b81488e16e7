"""The planner: from the rules and the live variables at the end to a plan, made once for each combination of both.

A plan is made in this order: sums become running totals, lists taken from pools are inlined, dead steps are removed,
rolls are replaced by the values that the rules read from them, and each step gets its live variables. Plain steps that
read the same variables are fused into one.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import RLock
from typing import Any, Final, TypeVar

from attrs import evolve

from enfilade.core import ir
from enfilade.core.limits import DEFAULT_LIMITS
from enfilade.core.rewrite import replaced
from enfilade.core.traits import FACT, FIELD, LOCAL
from enfilade.core.types import Bool, RecordOf, Type
from enfilade.core.walk import locals_in, nodes
from enfilade.engines.compile.frames import plan_of
from enfilade.engines.compile.step_compiler import StepCompiler
from enfilade.engines.odds.analysis.aggregates import PoolPlan
from enfilade.engines.odds.analysis.dead_code import without_dead_steps
from enfilade.engines.odds.analysis.demands import is_unordered
from enfilade.engines.odds.analysis.liveness import Liveness
from enfilade.engines.odds.analysis.plan import Block, EntryPlan, Step
from enfilade.engines.odds.analysis.pool_plan import Rewritten, inline_lists, plan_pools
from enfilade.engines.odds.analysis.running_totals import OwnRecord
from enfilade.engines.odds.analysis.steady import assigned
from enfilade.engines.odds.analysis.uses import Uses
from enfilade.engines.odds.analysis.variables import (
    ALL,
    LIST,
    NONE,
    RUNNING,
    TOUCHED,
    Variables,
    of_local,
    output,
    parts_of,
    shared,
)
from enfilade.engines.odds.dice.pool import Side
from enfilade.engines.odds.dice.tails import highest, lowest

T = TypeVar("T")
_MOST_CODES: Final = 5_000


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
        self._liveness = Liveness(self.uses)
        self._compiler = StepCompiler(program, DEFAULT_LIMITS, {"max": highest, "min": lowest})
        self._lock = RLock()
        self._codes: dict[int, tuple[ir.Expr, Any]] = {}
        self._kinds: Mapping[str, Type] = {}
        self._lives: dict[Variables, Variables] = {}
        self._endings: dict[tuple[Variables, Variables, str | None, tuple[str, ...]], Variables] = {}
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

    def ending(self, live: Variables, end: Variables, local: str | None, outputs: tuple[str, ...]) -> Variables:
        """The live variables at the end of a call: some outputs, and the shared variables of the caller."""
        key = (live, end, local, outputs)
        if key not in self._endings:
            read = NONE if local is None else self.uses.tests.elsewhere(of_local(live, local))
            given = frozenset((LOCAL, output(name), part) for name in outputs for part in _parts_of_output(read, name))
            self._endings[key] = self.live(shared(live) | shared(end) | given)
        return self._endings[key]

    # -- plans ------------------------------------------------------------------------------------------------

    def procedure(self, name: str, live: Variables) -> Block:
        """The plan of a procedure."""
        with self._lock:
            return self._planned("procedure", name, self.program.procedures[name].body, live, live)

    def effect(self, name: str, live: Variables, end: Variables) -> Block:
        """The plan of an effect; *end* is live if the effect stops the procedure."""
        with self._lock:
            return self._planned("effect", name, self.program.effects[name].body, shared(live), shared(end))

    def entry(self, results: ir.Results, index: int, live: Variables, end: Variables) -> EntryPlan:
        """The plan of one entry of results."""
        key = (results.chart, index, shared(live), shared(end))
        with self._lock:
            if key not in self._entries:
                self._entries[key] = self._planned_entry(results, index, live, end)
            return self._entries[key]

    def _planned(self, kind: str, name: str, body: ir.Body, live: Variables, end: Variables) -> Block:
        key = (kind, name, live, end)
        if key not in self._plans:
            inlined = inline_lists((self.with_running_totals(body),), self.uses)[0]
            pruned = without_dead_steps(self._liveness, inlined, live, end)
            kinds = self._kinds_of(kind, name)
            rewritten = plan_pools((pruned,), self.uses, kinds)
            self._know(rewritten)
            pruned = without_dead_steps(self._liveness, rewritten.bodies[0], live, end)
            self._kinds = self._with_pools(kinds, rewritten.pools)
            self._plans[key] = self._block(pruned, live, end, rewritten.pools)
        return self._plans[key]

    def _planned_entry(self, results: ir.Results, index: int, live: Variables, end: Variables) -> EntryPlan:
        bodies = tuple(line.body for line in results.entries[index].lines)
        kinds = {"reader": RecordOf(results.record)} if results.record else {}
        rewritten = plan_pools(inline_lists(self.with_running_totals(bodies), self.uses), self.uses, kinds)
        self._know(rewritten)
        # A line runs once for each reader in turn, so the later runs and lines see its changes.
        within = shared(live) | shared(end) | self.uses.declared("results", results.chart)
        within |= frozenset((LOCAL, name, ALL) for name in locals_in(rewritten.bodies))
        self._kinds = kinds
        blocks = [self._block(body, within, shared(end), rewritten.pools) for body in rewritten.bodies]
        return EntryPlan(tuple(blocks), shared(live) | shared(end))

    def _know(self, rewritten: Rewritten) -> None:
        rolls = (node for node in nodes(rewritten.bodies) if id(node) in rewritten.pools)
        self._liveness.learn((roll, rewritten.pools[id(roll)]) for roll in rolls)

    def _kinds_of(self, kind: str, name: str) -> Mapping[str, Type]:
        """The types of the locals of a procedure or an effect."""
        params = self.program.effects[name].params if kind == "effect" else ()
        source = self.program.effects[name].body if kind == "effect" else self.program.procedures[name].body
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
            steps.append(self._step(statement, after, end, pools))
            after = self._liveness.before(statement, after, end)
        steps.reverse()
        return Block(self._fused(steps), live, any(step.chooses for step in steps))

    def _step(self, s: ir.Statement, live: Variables, end: Variables, pools: dict[int, PoolPlan]) -> Step:
        pool = pools.get(id(s))
        if isinstance(s, ir.RollDice) and pool is not None and pool.aggregates is None:
            parts = parts_of(live, s.local)
            pool = evolve(pool, is_bag=is_unordered(parts - {"total"}), tests=self.uses.tests.of(parts))
        return Step(
            s,
            live,
            blocks=tuple(self._block(body, after, end, pools) for body, after in self._liveness.blocks(s, live, end)),
            pool=pool,
            plain=self.uses.is_plain(s),
            chooses=self.uses.chooses(s),
            unordered=isinstance(s, ir.DrawCards) and is_unordered(parts_of(live, s.local)),
            kinds=self._kinds,
            foldable=self._foldable(s, live),
            is_constant=isinstance(s, ir.RollDice) and self._is_constant(s, pool),
            reads_facts=self.uses.reads_facts((s, *pool.expressions) if pool else s),
        )

    def _fused(self, steps: list[Step]) -> tuple[Step, ...]:
        """Plain steps that read the same variables, fused into one."""
        fused: list[Step] = []
        for step in steps:
            if step.plain:
                step.body = (step.statement,)
                if fused and fused[-1].plain and self._belongs(fused[-1], step):
                    last = fused[-1]
                    last.body, last.live = (*last.body, step.statement), step.live
                    last.reads_facts |= step.reads_facts
                    continue
            fused.append(step)
        for step in fused:
            step.copies = _copies(step.body)
        return tuple(fused)

    def _belongs(self, last: Step, step: Step) -> bool:
        """Whether a step reads only facts and variables that the steps before it read or assign."""
        mine = self._liveness.before(step.statement, NONE, NONE)
        theirs = NONE.union(*(self._liveness.before(s, NONE, NONE) for s in last.body))
        done = {name for node in nodes(last.body) for name in assigned(node, self.program)}
        return all(each[0] == FACT or each in theirs or (each[0] == LOCAL and each[1] in done) for each in mine)

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
        touched = frozenset(each[1] for each in self._liveness.before(s, NONE, NONE) if each[0] == TOUCHED)
        seen = any((kind, name) in live for name in touched for kind in (FIELD, TOUCHED)) or any(
            each[0] == LIST and each[1] in touched for each in live
        )
        return touched if keeps and not seen else frozenset()

    def _is_constant(self, s: ir.RollDice, pool: PoolPlan | None) -> bool:
        """Whether the outcomes of a roll depend only on facts."""
        if s.rules or pool is None or pool.aggregates is None:
            return False
        own = {each.local for each in pool.aggregates} | {s.local}
        read = self.uses.of(*(group.count for group in s.groups), *(each.expression for each in pool.aggregates))
        read |= self.uses.of(*(e for _, e in pool.derived))
        return all(each[0] == FACT or (each[0] == LOCAL and each[1] in own) for each in read)

    # -- compiled code ----------------------------------------------------------------------------------------

    def code(self, step: Step) -> Any:
        """A plain step as compiled code; ``False`` if it can't be compiled."""
        with self._lock:
            live = {each[1] for each in step.live if each[0] == LOCAL}
            step.code = step.code or self._compiler.steps(step.body, step.kinds, live) or False
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


def _copies(body: ir.Body) -> tuple[str, str] | None:
    """The source and the target local of a body that only copies a local."""
    match body:
        case (ir.SetLocal(local, _, ir.Local(source)),):
            return source, local
        case (ir.Give(name, ir.Local(source)),):
            return source, output(name)
    return None


def _parts_of_output(read: Variables, name: str) -> frozenset[str]:
    """The parts of an output that the caller reads of the local of a call."""
    parts = frozenset(each[-1] if len(each) > 3 else ALL for each in read if each[2] in (name, ALL))
    return frozenset({ALL}) if ALL in parts else parts
