"""Plans: the steps of a procedure, an effect or some results, each with what is still read after it.

A plan is made for a question: what nobody reads later is not kept, and a step that only works out such a thing is left
out. It is made backward from the end, where the question reads what it asks for.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import RLock
from typing import Any, Final, TypeVar

from attrs import define, evolve, field

from enfilade.core import ir
from enfilade.core.limits import DEFAULT_LIMITS
from enfilade.core.rewrite import replaced
from enfilade.core.types import Bool, RecordOf, Type
from enfilade.core.walk import locals_in, nodes
from enfilade.engines.compile.frames import plan_of
from enfilade.engines.compile.steps import StepCompiler
from enfilade.engines.odds.needs import ALL, DECK, FACT, FIELD, LOCAL, NONE, TOUCHED, Needs, Tokens, outside
from enfilade.engines.odds.pool_plan import (
    PoolPlan,
    Rewritten,
    assigned,
    hands_without_order,
    is_kept_of,
    looked_through,
    plan_pools,
)
from enfilade.engines.odds.pools import Side
from enfilade.engines.odds.settling import RUNNING, Own
from enfilade.engines.odds.tails import highest, lowest

T = TypeVar("T")
_MOST_CODES: Final = 5_000


@define(eq=False)
class Step:
    """A step with what is read after it.

    Attributes:
        statement: The step; what is read of a pool may have become locals of its own.
        live: What is read after it.
        blocks: The steps within it, in the order in which the statement has them.
        pool: For a roll, what is kept of it.
        plain: Whether the evaluator runs it as one: nothing is rolled, chosen or repeated in it.
        chooses: Whether a choice is left to a player in it.
        unordered: For a draw, whether the order of the cards is never looked at.
        kinds: The types of the locals, as far as they are known.
        body: The steps that run as one, where it is plain: this one, and those after it that read what it reads or does.
        code: They compiled, once they have been run.
        copies: For a step that gives a local another name, both names.
        settles: The fields of a record that nobody looks at again once its turn in this loop, or in these results, is
            over, but to add them up.
        is_closed: For a roll, whether its outcomes hang on facts alone.
    """

    statement: ir.Statement
    live: Tokens
    blocks: tuple[Block, ...] = ()
    pool: PoolPlan | None = None
    plain: bool = False
    chooses: bool = False
    unordered: bool = False
    kinds: Mapping[str, Type] = field(factory=dict)
    body: ir.Body = ()
    code: Any = None
    copies: tuple[str, str] | None = None
    settles: frozenset[str] = frozenset()
    is_closed: bool = False

    def table(self, context: Any) -> Any:
        """The outcomes of a roll that are the same whatever the world is, if they are known."""
        return context.tables.get(id(self)) if self.is_closed else None

    def keep_table(self, context: Any, table: Any) -> None:
        """Keep them, if they are the same."""
        if self.is_closed and not context.given:
            context.tables[id(self)] = table


@define(eq=False)
class Block:
    """Steps one after the other.

    Attributes:
        steps: The steps.
        needs: What is read from the first step on.
        live: What is read after the last.
        chooses: Whether a choice is left to a player in them.
        many_ways: Whether there are too many ways through them to go one by one.
    """

    steps: tuple[Step, ...]
    needs: Tokens
    live: Tokens
    chooses: bool
    many_ways: bool = False


@define(eq=False)
class EntryPlan:
    """The lines of an entry of results, each with its steps, and what is read after all."""

    blocks: tuple[Block, ...]
    live: Tokens


class Planner:
    """Makes the plans of a ruleset, each once for each thing that may be read after it."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.needs = Needs(program)
        self.compiler = StepCompiler(program, DEFAULT_LIMITS, {"max": highest, "min": lowest})
        self.sides: dict[str, tuple[Side, ...]] = {}
        self._lock = RLock()
        self._befores: dict[tuple[int, Tokens, Tokens], tuple[ir.Body, Tokens]] = {}
        self._pools: dict[int, tuple[ir.RollDice, PoolPlan]] = {}
        self._codes: dict[int, tuple[ir.Expr, Any]] = {}
        self._kinds: Mapping[str, Type] = {}
        self._written = set(self.needs.written)
        self._state: Tokens = frozenset(
            {*((FIELD, name) for name in self._written), *((DECK, name) for name in program.decks)}
        )
        self.effects_read = frozenset(
            node.effect for node in nodes(_declared(program)) if isinstance(node, ir.EffectsSoFar)
        )
        # Which sums there are must be known before the first effect is performed.
        self.with_sums(tuple(each.body for each in program.procedures.values()))
        self.with_sums(tuple(each.body for each in program.effects.values()))
        self.with_sums(tuple(each.entries for each in program.results.values()))
        self._lives: dict[Tokens, Tokens] = {}
        self._plans: dict[tuple[str, str, Tokens, Tokens], Block] = {}
        self._endings: dict[tuple[Tokens, Tokens, tuple[str, ...]], Tokens] = {}
        self._unordered: frozenset[str] = frozenset()
        self._safe: dict[tuple[str, str], bool] = {}
        self._entries: dict[tuple[str, int, Tokens, Tokens], EntryPlan] = {}

    def with_sums(self, node: T) -> T:
        """Nodes in which sums that may be kept as running totals have those added."""

        def replace(inner: Any) -> Any:
            of_effects = self.needs.sums.of_effects(inner)
            if of_effects is not None:
                return ir.Local(f"{RUNNING}{of_effects}", inner.span)
            number = self.needs.sums.number(inner)
            return None if number is None else ir.Op("add", (inner, ir.Local(f"{RUNNING}{number}")), inner.span)

        return replaced(node, replace)

    def live(self, tokens: Tokens) -> Tokens:
        """The one object that stands for some tokens."""
        return self._lives.setdefault(tokens, tokens)

    def procedure(self, name: str, live: Tokens) -> Block:
        """The plan of a procedure, after which its end is read."""
        with self._lock:
            return self._frame("procedure", name, self.program.procedures[name].body, live, live)

    def effect(self, name: str, live: Tokens, end: Tokens) -> Block:
        """The plan of an effect; *end* is what is read where it stops the procedure."""
        with self._lock:
            return self._frame("effect", name, self.program.effects[name].body, outside(live), outside(end))

    def entry(self, results: ir.Results, index: int, live: Tokens, end: Tokens) -> EntryPlan:
        """The plan of one entry of results."""
        key = (results.chart, index, outside(live), outside(end))
        with self._lock:
            if key not in self._entries:
                self._entries[key] = self._planned_entry(results, index, live, end)
            return self._entries[key]

    def _planned_entry(self, results: ir.Results, index: int, live: Tokens, end: Tokens) -> EntryPlan:
        entry = results.entries[index]
        bodies = tuple(line.body for line in entry.lines)
        kinds = {"reader": RecordOf(results.record)} if results.record else {}
        rewritten = plan_pools(looked_through(self.with_sums(bodies), self.needs), self.needs, self._written, kinds)
        # A line runs for one reader after the other, and what it does is seen by the next line.
        within = outside(live) | outside(end) | self.needs.declared("results", results.chart)
        self._know(rewritten)
        locals_read = frozenset((LOCAL, name, ALL) for name in locals_in(rewritten.bodies))
        self._kinds = kinds
        blocks = [self._block(body, within | locals_read, outside(end), rewritten.pools) for body in rewritten.bodies]
        return EntryPlan(tuple(blocks), outside(live) | outside(end))

    def _know(self, rewritten: Rewritten) -> None:
        # What was worked out before did not know what rolls read.
        self._befores.clear()
        for node in nodes(rewritten.bodies):
            if id(node) in rewritten.pools:
                self._pools[id(node)] = node, rewritten.pools[id(node)]

    def _kinds_of(self, kind: str, name: str) -> Mapping[str, Type]:
        """The types of the locals of a procedure or an effect."""
        params = self.program.effects[name].params if kind == "effect" else ()
        source = self.program.effects[name].body if kind == "effect" else self.program.procedures[name].body
        return plan_of(self.compiler.types, source, {param.name: param.type for param in params}).kinds

    def _with_pools(self, known: Mapping[str, Type], pools: Mapping[int, PoolPlan]) -> Mapping[str, Type]:
        """The same with the locals that stand for what is read of a roll."""
        kinds = dict(known)
        for pool in pools.values():
            for each in pool.aggregates or ():
                kinds[each.local] = self.compiler.types.of(each.expression, kinds)
            kinds |= {name: Bool() for name, _ in pool.derived}
        return kinds

    def code(self, step: Step) -> Any:
        """A plain step compiled; nothing where that can't be done."""
        with self._lock:
            live = {token[1] for token in step.live if token[0] == LOCAL}
            step.code = step.code or self.compiler.steps(step.body, step.kinds, live) or False
            return step.code

    def expression(self, e: ir.Expr, kinds: Mapping[str, Type]) -> Any:
        """An expression compiled; nothing where that can't be done."""
        found = self._codes.get(id(e))
        if found is None or found[0] is not e:
            with self._lock:
                if len(self._codes) >= _MOST_CODES:
                    self._codes.clear()
                found = self._codes[id(e)] = e, self.compiler.expression(e, kinds) or False
        return found[1]

    def ending(self, live: Tokens, end: Tokens, outputs: tuple[str, ...]) -> Tokens:
        """What is read after a call: some outputs, and what the caller reads of the state."""
        key = (live, end, outputs)
        if key not in self._endings:
            given = {(LOCAL, f"give {name}", "") for name in outputs}
            self._endings[key] = outside(live) | outside(end) | given
        return self._endings[key]

    def _frame(self, kind: str, name: str, body: ir.Body, live: Tokens, end: Tokens) -> Block:
        key = (kind, name, live, end)
        if key not in self._plans:
            pruned = self._pruned(looked_through((self.with_sums(body),), self.needs)[0], live, end)[0]
            kinds = self._kinds_of(kind, name)
            rewritten = plan_pools((pruned,), self.needs, self._written, kinds)
            self._know(rewritten)
            pruned = self._pruned(rewritten.bodies[0], live, end)[0]
            self._unordered = hands_without_order(pruned)
            self._kinds = self._with_pools(kinds, rewritten.pools)
            self._plans[key] = self._block(pruned, live, end, rewritten.pools)
        return self._plans[key]

    # -- steps with what is read after them -------------------------------------------------------------------

    def _block(self, body: ir.Body, live: Tokens, end: Tokens, pools: dict[int, PoolPlan]) -> Block:
        steps: list[Step] = []
        after = live
        for statement in reversed(body):
            step = self._step(statement, after, end, pools)
            steps.append(step)
            after = self.before(statement, after, end)
        steps.reverse()
        return Block(self._fused(steps), after, live, any(step.chooses for step in steps))

    def _step(self, s: ir.Statement, live: Tokens, end: Tokens, pools: dict[int, PoolPlan]) -> Step:
        blocks = tuple(self._block(body, after, end, pools) for body, after in self._within(s, live, end))
        plain = not isinstance(s, ir.Stop) and not self.needs.rolls(s) and not self.needs.loops(s)
        unordered = isinstance(s, ir.DrawCards) and s.local in self._unordered
        step = Step(s, live, blocks, pools.get(id(s)), plain, self.needs.chooses(s), unordered, self._kinds)
        step.settles = self._settles(s, live)
        step.is_closed = isinstance(s, ir.RollDice) and self._is_closed(s, step.pool)
        return step

    def _fused(self, steps: list[Step]) -> tuple[Step, ...]:
        """Plain steps that hang on each other, or on nothing else, as one."""
        fused: list[Step] = []
        for step in steps:
            if step.plain:
                step.body = (step.statement,)
                if fused and fused[-1].plain and self._belongs(fused[-1], step):
                    last = fused[-1]
                    last.body, last.live = (*last.body, step.statement), step.live
                    continue
            fused.append(step)
        for step in fused:
            step.copies = _copies(step.body)
        return tuple(fused)

    def _belongs(self, last: Step, step: Step) -> bool:
        """Whether a step reads nothing but what those before it read or did."""
        mine = self.before(step.statement, NONE, NONE)
        theirs = NONE.union(*(self.before(s, NONE, NONE) for s in last.body))
        done = {name for node in nodes(last.body) if (name := assigned(node)) is not None}
        return all(token[0] == FACT or token in theirs or (token[0] == LOCAL and token[1] in done) for token in mine)

    def _settles(self, s: ir.Statement, live: Tokens) -> frozenset[str]:
        keeps: bool
        match s:
            case ir.Loop():
                keeps = Own(self.program, self.needs.written).keeps(s.body, {s.local})
            case ir.ApplyResults():
                lines = [line for entry in self.program.results[s.chart].entries for line in entry.lines]
                own = Own(self.program, self.needs.written)
                parts = tuple(part for line in lines for part in (line.where, line.body) if part is not None)
                keeps = all(line.how == "each" for line in lines) and own.keeps(parts, {"reader"})
            case _:
                return frozenset()
        touched = frozenset(token[1] for token in self.before(s, NONE, NONE) if token[0] == TOUCHED)
        seen = any((kind, name) in live for name in touched for kind in (FIELD, TOUCHED))
        return touched if keeps and not seen else frozenset()

    def _is_closed(self, s: ir.RollDice, pool: PoolPlan | None) -> bool:
        if s.rules or pool is None or pool.aggregates is None:
            return False
        own = {each.local for each in pool.aggregates} | {s.local}
        read = self.needs.of(*(group.count for group in s.groups), *(each.expression for each in pool.aggregates))
        read |= self.needs.of(*(e for _, e in pool.derived))
        return all(token[0] == FACT or (token[0] == LOCAL and token[1] in own) for token in read)

    def _within(self, s: ir.Statement, live: Tokens, end: Tokens) -> list[tuple[ir.Body, Tokens]]:
        """The bodies of a step, each with what is read after it."""
        match s:
            case ir.Branch():
                return [(s.body, live), (s.otherwise, live)]
            case ir.Loop():
                return [(s.body, self._around(s.body, live, NONE, end))]
            case ir.Repeat():
                return [(s.body, self._around(s.body, live, self.needs.of(s.until), end))]
            case ir.Together():
                return [(part, self._beside(s, live, end)) for part in s.parts]
            case ir.CallProcedure() if s.if_refused is not None:
                return [(s.if_refused, live)]
        return []

    def _around(self, body: ir.Body, live: Tokens, until: Tokens, end: Tokens) -> Tokens:
        """What is read after a round of a loop: after the loop, or in another round."""
        after = live | until
        while True:
            more = after | self._body_before(body, after, end)
            if more == after:
                return after
            after = more

    def _beside(self, s: ir.Together, live: Tokens, end: Tokens) -> Tokens:
        """What is read after a part of what happens together: in the other parts too."""
        found = live
        for part in s.parts:
            found |= self._body_before(part, live, end)
        # What both change is looked at when the parts are joined, whoever reads it later; and a part that stops goes on
        # to the end of the procedure, once the others are done.
        return found | self._state | end

    def _body_before(self, body: ir.Body, after: Tokens, end: Tokens) -> Tokens:
        key = (id(body), after, end)
        found = self._befores.get(key)
        if found is None or found[0] is not body:
            live = after
            for statement in reversed(body):
                live = self.before(statement, live, end)
            # Loops in loops ask for the same again and again.
            found = self._befores[key] = body, live
        return found[1]

    def before(self, s: ir.Statement, live: Tokens, end: Tokens) -> Tokens:
        """What is read from a step on."""
        needs = self.needs
        if self._is_idle(s, live):
            # What only works out what nobody reads reads nothing: a count that nobody asks for counts for nothing.
            return live
        match s:
            case ir.Refuse():
                return live | needs.of(s.condition)
            case ir.RollDice():
                tests = NONE.union(*(needs.of(rule.test) - _local(rule.var) for rule in s.rules))
                kept = frozenset(token for token in live if not (token[0] == LOCAL and is_kept_of(token[1], s.local)))
                kept |= self._read_by_roll(s)
                return kept | needs.of(*(group.count for group in s.groups)) | tests
            case ir.DrawCards():
                return (live - _tokens_of(live, s.local)) | needs.of(s.count) | {(DECK, s.deck)}
            case ir.Reshuffle():
                return live - {(DECK, s.deck)}
            case ir.SetLocal():
                return (live - _tokens_of(live, s.local)) | needs.of(s.value)
            case ir.Give():
                return (live - _tokens_of(live, f"give {s.name}")) | needs.of(s.value)
            case ir.SetField():
                return live | needs.of(s.of, s.value) | {(TOUCHED, s.field)}
            case ir.Choose():
                return (live - _tokens_of(live, s.local)) | needs.of(s.among, s.count)
            case ir.Stop():
                return end
            case ir.Perform():
                return live | end | needs.of(*(arg for _, arg in s.args)) | needs.declared("effect", s.effect)
            case ir.ApplyResults():
                return live | end | _applied(needs, s) | needs.declared("results", s.chart)
            case ir.CallProcedure():
                return self._before_call(s, live, end)
        found = self._body_of_compound(s, live, end)
        return found

    def _read_by_roll(self, s: ir.RollDice) -> Tokens:
        """What is read when dice are rolled, to work out what is kept of them."""
        found = self._pools.get(id(s))
        if found is None or found[0] is not s:
            return NONE
        pool = found[1]
        read = self.needs.of(*(each.expression for each in pool.aggregates or ()), *(e for _, e in pool.derived))
        return frozenset(token for token in read if not (token[0] == LOCAL and is_kept_of(token[1], s.local)))

    def _before_call(self, s: ir.CallProcedure, live: Tokens, end: Tokens) -> Tokens:
        given = {(FACT, name) for name, _ in s.args}
        called = self.needs.declared("procedure", s.procedure) - given
        refused = NONE if s.if_refused is None else self._body_before(s.if_refused, live, end)
        rest = live if s.local is None else live - _tokens_of(live, s.local)
        return rest | called | refused | self.needs.of(*(arg for _, arg in s.args))

    def _body_of_compound(self, s: ir.Statement, live: Tokens, end: Tokens) -> Tokens:
        bodies = self._within(s, live, end)
        found = NONE.union(*(self._body_before(body, after, end) for body, after in bodies))
        match s:
            case ir.Branch():
                return found | self.needs.of(s.condition)
            case ir.Loop():
                return (found | live | self.needs.of(s.over)) - _tokens_of(found | live, s.local)
            case ir.Repeat():
                return found | live | self.needs.of(s.times)
        return found | live

    # -- what nobody reads ------------------------------------------------------------------------------------

    def _pruned(self, body: ir.Body, live: Tokens, end: Tokens) -> tuple[ir.Body, Tokens]:
        """The steps without those that work out what nobody reads."""
        kept: list[ir.Statement] = []
        for statement in reversed(body):
            if self._is_idle(statement, live):
                continue
            lighter = self._lighter(statement, live, end)
            kept.append(lighter)
            live = self.before(lighter, live, end)
        kept.reverse()
        same = len(kept) == len(body) and all(a is b for a, b in zip(kept, body, strict=True))
        return (body if same else tuple(kept)), live

    def _is_idle(self, s: ir.Statement, live: Tokens) -> bool:
        match s:
            case ir.SetLocal():
                return not _tokens_of(live, s.local) and self._is_safe(s.value)
            case ir.Give():
                return not _tokens_of(live, f"give {s.name}") and self._is_safe(s.value)
            case ir.Branch():
                idle = all(self._is_idle(inner, live) for body in (s.body, s.otherwise) for inner in body)
                return idle and self._is_safe(s.condition)
        return False

    def _is_safe(self, e: ir.Expr) -> bool:
        """Whether an expression only works something out: leaving it out changes nothing that anybody sees.

        What refuses, or finds fault with what was given, must stay. A mistake in the rules that would end the run is not
        seen by a question that does not need what it would have worked out.
        """
        return all(self._is_safe_node(node) for node in nodes(e))

    def _is_safe_node(self, node: Any) -> bool:
        match node:
            case ir.Define():
                return self._is_safe_declared("define", node.name)
            case ir.SumModifiers():
                return self._is_safe_declared("modifiers", node.block)
            case ir.Look():
                return self._is_safe_declared("chart", node.chart)
            case ir.LookIn():
                return all(self._is_safe_declared("chart", chart) for chart in self.program.charts)
            case ir.EdgeAction():
                return node.act != "refuse"
            case ir.Section():
                return node.kind != "never together"
        return True

    def _is_safe_declared(self, kind: str, name: str) -> bool:
        key = (kind, name)
        if key not in self._safe:
            self._safe[key] = False
            self._safe[key] = all(self._is_safe_node(node) for node in nodes(self.needs.body_of(key)))
        return self._safe[key]

    def _lighter(self, s: ir.Statement, live: Tokens, end: Tokens) -> ir.Statement:
        bodies = [self._pruned(body, after, end)[0] for body, after in self._within(s, live, end)]
        match s:
            case ir.Branch():
                return s if bodies == [s.body, s.otherwise] else evolve(s, body=bodies[0], otherwise=bodies[1])
            case ir.Loop() | ir.Repeat():
                return s if bodies[0] is s.body else evolve(s, body=bodies[0])
            case ir.Together():
                same = all(a is b for a, b in zip(bodies, s.parts, strict=True))
                return s if same else evolve(s, parts=tuple(bodies))
            case ir.CallProcedure() if s.if_refused is not None:
                return s if bodies[0] is s.if_refused else evolve(s, if_refused=bodies[0])
        return s


def _copies(body: ir.Body) -> tuple[str, str] | None:
    match body:
        case (ir.SetLocal(local, _, ir.Local(source)),):
            return source, local
        case (ir.Give(name, ir.Local(source)),):
            return source, f"give {name}"
    return None


def _declared(program: ir.Program) -> tuple[Any, ...]:
    kinds: tuple[Any, ...] = (
        program.definitions,
        program.modifiers,
        program.charts,
        program.procedures,
        program.effects,
    )
    return tuple(each for kind in (*kinds, program.results) for each in kind.values())


def _tokens_of(tokens: Tokens, local: str) -> Tokens:
    return frozenset(token for token in tokens if token[0] == LOCAL and token[1] == local)


def _local(name: str) -> Tokens:
    return frozenset({(LOCAL, name, "")})


def _applied(needs: Needs, s: ir.ApplyResults) -> Tokens:
    if isinstance(s.reading, ir.Local):
        name = s.reading.name
        return needs.of(s.readers) | {(LOCAL, name, "code"), (LOCAL, name, "reader")}
    return needs.of(s.reading, s.readers)
