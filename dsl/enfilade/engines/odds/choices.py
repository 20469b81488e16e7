"""Choices: what a way to go on is worth, from the end backward.

Where a player chooses in view of an aim, the chances of all that comes later must be known before the choice. So the steps
that hold choices are not run forward over all worlds, but one world at a time: what a world comes to is the mixture of what
the worlds come to that a roll makes of it, and where a player chooses, it is what the best of the ways comes to. Steps
without choices are still moved as a whole, by the same kernels. What a world comes to is worked out once, however many ways
lead to it: it hangs on the steps that are still to be done, and on what they read.

What is to be done is a chain of tasks, the next one first: the rest of a block, the rest of a loop, the end of a call.
A choice that is nobody's to make, for want of a policy, is no matter where all its ways come to the same. Else the question
hangs on it, and its name is told.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Generator, Iterable
from fractions import Fraction
from math import gcd, lcm
from typing import Any, Final, TypeAlias

from attrs import frozen

from enfilade.core import ir
from enfilade.core.legal_answers import check_choice
from enfilade.core.requests import ChoiceRequest
from enfilade.core.run import Refused
from enfilade.core.values import Ref
from enfilade.engines.odds.answer import Decision, NeedsPolicy, Weighted
from enfilade.engines.odds.engine import Context, Engine, ways_to_choose
from enfilade.engines.odds.loops import ROUNDS
from enfilade.engines.odds.plan import Block, Step
from enfilade.engines.odds.questions import Question
from enfilade.engines.odds.view import Level, over_row
from enfilade.engines.odds.worlds import KEEP, Flow, Row, Slots, Worlds, changed, frozen_value, projected
from enfilade.errors import LimitError, RuleError

Place: TypeAlias = tuple[str, ...]
Solving: TypeAlias = Generator[Any, Any, Any]
"""Works out a mixture; what it yields are others to be worked out first."""

_MOST_DECISIONS: Final = 1_000


@frozen(eq=False)
class Mixture:
    """What a world comes to: the weights of what is asked, over a total."""

    weights: dict[tuple[Any, ...], int]
    total: int

    def same_as(self, other: Mixture) -> bool:
        """Whether two have the same chances."""
        return _reduced(self) == _reduced(other)


def _reduced(mixture: Mixture) -> tuple[int, dict[tuple[Any, ...], int]]:
    common = gcd(mixture.total, *mixture.weights.values())
    return mixture.total // common, {key: weight // common for key, weight in mixture.weights.items()}


def mixed(parts: Iterable[tuple[int, int, Mixture]]) -> Mixture:
    """Several mixtures, each with a weight over a total."""
    present = list(parts)
    every = lcm(*(total * each.total for _, total, each in present)) if present else 1
    weights: dict[tuple[Any, ...], int] = {}
    for weight, total, each in present:
        scale = weight * (every // (total * each.total))
        for key, times in each.weights.items():
            weights[key] = weights.get(key, 0) + times * scale
    return Mixture(weights, every)


class Cell:
    """A task, and those after it."""

    __slots__ = ("number", "rest", "task")

    def __init__(self, task: tuple[Any, ...], rest: Cell | None, number: int) -> None:
        self.task = task
        self.rest = rest
        self.number = number


class Jobs(tuple[Any, ...]):
    """The lines of results that are to be done, each with who reads and what the line knows."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


class Chooser:
    """Works out what the worlds of one situation come to, with players who choose."""

    def __init__(self, engine: Engine, question: Question) -> None:
        self.engine = engine
        self.question = question
        # The first choice is weighed last: where there are too many, the first are told.
        self.decisions: deque[Decision] = deque(maxlen=_MOST_DECISIONS)
        self._cells: dict[Any, Cell] = {}
        self._known: dict[Any, Mixture] = {}
        self._jobs: dict[Any, Jobs] = {}
        self._root = engine.root()
        self._context = engine.context(question.live)

    def answer(self) -> Weighted:
        """What the procedure comes to from its start."""
        engine, question = self.engine, self.question
        block = engine.planner.procedure(question.situation.procedure, question.live)
        start = self._cell(("block", block, 0, self._context, ()), None)
        found = _run(self._solve(start, (), ()))
        lost = found.total - sum(found.weights.values())
        if lost and engine.is_exact:
            raise AssertionError("no weight is lost unseen")
        return Weighted(found.weights, found.total, lost, tuple(self.decisions))

    # -- worlds -----------------------------------------------------------------------------------------------

    def _cell(self, task: tuple[Any, ...], rest: Cell | None) -> Cell:
        key = (task, 0 if rest is None else rest.number)
        found = self._cells.get(key)
        if found is None:
            found = self._cells[key] = Cell(task, rest, len(self._cells) + 1)
        return found

    def _level(self, slots: Slots, row: Row) -> Level:
        return over_row(row, {slot: place for place, slot in enumerate(slots)}, self._root)

    def _written(self, slots: Slots, row: Row, writes: dict[int, Any]) -> tuple[Slots, Row]:
        held = dict(zip(slots, row, strict=True))
        for slot, value in writes.items():
            held[slot] = changed(held.get(slot, KEEP), value)
        return tuple(held), tuple(held.values())

    def _projected(self, slots: Slots, row: Row, keep: Any) -> tuple[Slots, Row]:
        only = projected(Worlds(slots, {row: 1}, 1), keep)
        return only.slots, next(iter(only.rows))

    def _lost(self) -> Mixture:
        self.engine.is_exact = False
        return Mixture({}, 1)

    # -- tasks ------------------------------------------------------------------------------------------------

    def _solve(self, cell: Cell | None, slots: Slots, row: Row) -> Solving:
        key = (0 if cell is None else cell.number, slots, row)
        found = self._known.get(key)
        if found is None:
            self.engine.count(1)
            if len(self._known) >= self.engine.limits.worlds:
                raise LimitError("worlds", f"choices lead to more than {self.engine.limits.worlds} worlds")
            found = self._ended(slots, row) if cell is None else (yield self._task(cell, slots, row))
            self._known[key] = found
        return found

    def _ended(self, slots: Slots, row: Row) -> Mixture:
        engine = self.engine
        ended = projected(Worlds(slots, {row: 1}, 1), engine.keeper(self.question.live, 1))
        found = self.question.answered(engine, self._context, ended, self._root)
        return Mixture(found.weights, found.total)

    def _task(self, cell: Cell, slots: Slots, row: Row) -> Solving:
        match cell.task[0]:
            case "block":
                return self._block(cell, slots, row)
            case "loop":
                return self._loop(cell, slots, row)
            case "times":
                return self._times(cell, slots, row)
            case "until":
                return self._until(cell, slots, row)
            case "test":
                return self._test(cell, slots, row)
            case "leave":
                return self._leave(cell, slots, row)
            case "return":
                return self._return(cell, slots, row)
            case "lines":
                return self._lines(cell, slots, row)
            case "part":
                return self._part(cell, slots, row)
        return self._part_end(cell, slots, row)

    def _block(self, cell: Cell, slots: Slots, row: Row) -> Solving:
        _, block, number, context, place = cell.task
        if number == len(block.steps):
            return (yield self._solve(cell.rest, slots, row))
        step: Step = block.steps[number]
        after = self._cell(("block", block, number + 1, context, place), cell.rest)
        worlds = Worlds(slots, {row: 1}, 1)
        if not step.chooses:
            flow = self.engine.step(worlds, step, context, self._root)
            return (yield from self._spread(flow, after))
        return (yield from self._choosing(step, worlds, after, context, place))

    def _spread(self, flow: Flow, after: Cell) -> Solving:
        """What comes of a flow: each world goes on where it went."""
        parts: list[tuple[int, int, Mixture]] = []
        for worlds, cell in ((flow.done, after), (flow.stopped, self._unwound(after))):
            if worlds is not None:
                for row, weight in worlds.rows.items():
                    found = yield self._solve(cell, worlds.slots, row)
                    parts.append((weight, worlds.total, found))
        if flow.refused is not None and flow.refused.rows:
            assert flow.refusal is not None
            cell, slots, back = self._refused(after, flow.refusal)
            found = yield self._solve(cell, slots, back)
            parts.append((sum(flow.refused.rows.values()), flow.refused.total, found))
        return mixed(parts)

    def _unwound(self, cell: Cell | None) -> Cell | None:
        """Where a run goes on whose procedure stops."""
        while cell is not None and cell.task[0] not in ("return", "part end"):
            cell = cell.rest
        if cell is not None and cell.task[0] == "part end":
            return self._cell((*cell.task[:-1], True), cell.rest)
        return cell

    def _refused(self, cell: Cell | None, refusal: Refused) -> tuple[Cell, Slots, Row]:
        """Where a run goes on that was refused: in the caller who has an answer to that."""
        while cell is not None:
            if cell.task[0] == "return" and cell.task[4] is not None:
                _, step, context, _, (slots, row, place) = cell.task
                slots, row = self._written(slots, row, self.engine.undone(step.statement, context))
                return self._cell(("block", step.blocks[0], 0, context, place), cell.rest), slots, row
            cell = cell.rest
        raise refusal

    # -- steps with choices in them ---------------------------------------------------------------------------

    def _choosing(self, step: Step, worlds: Worlds, after: Cell, context: Context, place: Place) -> Solving:
        slots, engine = worlds.slots, self.engine
        (row,) = worlds.rows
        level = self._level(slots, row)
        match s := step.statement:
            case ir.Choose():
                return (yield from self._choose(s, step, slots, row, after, context, place))
            case ir.Branch():
                held, other = engine.truth((id(step), "when"), s.condition, worlds, context, self._root)
                if not held.rows and not other.rows:
                    return self._lost()
                body = step.blocks[0 if held.rows else 1]
                leave = self._cell(("leave", step, context), after)
                return (yield self._solve(self._cell(("block", body, 0, context, place), leave), slots, row))
            case ir.Loop():
                elements = self._value((id(step), "over"), s.over, worlds, context)
                task: tuple[Any, ...] = ("loop", step, elements, 0, context, place)
                return (
                    (yield self._solve(self._cell(task, after), slots, row)) if elements is not None else self._lost()
                )
            case ir.Repeat() if s.times is not None:
                times = self._value((id(step), "times"), s.times, worlds, context)
                if times is None:
                    raise RuleError("none stands where a value is needed: the number of times")
                return (yield self._solve(self._cell(("times", step, times, 0, context, place), after), slots, row))
            case ir.Repeat():
                return (yield self._solve(self._cell(("until", step, 0, context, place), after), slots, row))
            case ir.Perform():
                begun = engine.performed(s, step, context, level)
                if begun is None:
                    return self._lost()
                leave = self._cell(("leave", step, context), after)
                task = ("block", begun.block, 0, begun.context, ())
                return (yield self._solve(self._cell(task, leave), *self._written(slots, row, begun.start)))
            case ir.CallProcedure():
                begun = engine.called(s, step, context, level)
                if begun is None:
                    return self._lost()
                saved = None if s.if_refused is None else (slots, row, place)
                back = self._cell(("return", step, context, begun.outputs, saved), after)
                inner = (*place, s.procedure if s.local is None else s.local)
                task = ("block", begun.block, 0, begun.context, inner)
                return (yield self._solve(self._cell(task, back), *self._written(slots, row, begun.start)))
            case ir.ApplyResults():
                return (yield from self._results(s, step, slots, row, after, context, place))
            case ir.Together():
                return (yield from self._together(step, slots, row, after, context, place))
        raise AssertionError(s)

    def _value(self, key: Any, e: ir.Expr, worlds: Worlds, context: Context) -> Any:
        """What an expression comes to in a single world; ``None`` too where it can't be decided."""
        groups = self.engine.grouped(self.engine.value(key, e, context), worlds, self._root)
        return next(iter(groups), None)

    def _leave(self, cell: Cell, slots: Slots, row: Row) -> Solving:
        _, step, context = cell.task
        keep = self.engine.keeper(step.live, context.depth)
        return (yield self._solve(cell.rest, *self._projected(slots, row, keep)))

    def _return(self, cell: Cell, slots: Slots, row: Row) -> Solving:
        _, step, context, outputs, _ = cell.task
        keep = self.engine.keeper(step.live, context.depth)
        worlds = self.engine.with_outputs(Worlds(slots, {row: 1}, 1), step.statement.local, outputs, context, keep)
        return (yield self._solve(cell.rest, worlds.slots, next(iter(worlds.rows))))

    def _loop(self, cell: Cell, slots: Slots, row: Row) -> Solving:
        _, step, elements, number, context, place = cell.task
        leave = self._cell(("leave", step, context), cell.rest)
        if number == len(elements):
            return (yield self._solve(leave, slots, row))
        element = elements[number]
        piece = element.key if isinstance(element, Ref) else str(number + 1)
        following = self._cell(("loop", step, elements, number + 1, context, place), cell.rest)
        task = ("block", step.blocks[0], 0, context, (*place, piece))
        variable = self.engine.slots.number("local", context.depth, step.statement.local)
        slots, row = self._projected(slots, row, self.engine.keeper(step.blocks[0].live, context.depth))
        return (yield self._solve(self._cell(task, following), *self._written(slots, row, {variable: element})))

    def _times(self, cell: Cell, slots: Slots, row: Row) -> Solving:
        _, step, times, done, context, place = cell.task
        leave = self._cell(("leave", step, context), cell.rest)
        if done >= times:
            return (yield self._solve(leave, slots, row))
        following = self._cell(("times", step, times, done + 1, context, place), cell.rest)
        task = ("block", step.blocks[0], 0, context, (*place, str(done + 1)))
        return (yield self._solve(self._cell(task, following), *self._around(step, context, slots, row)))

    def _around(self, step: Step, context: Context, slots: Slots, row: Row) -> tuple[Slots, Row]:
        return self._projected(slots, row, self.engine.keeper(step.blocks[0].live, context.depth))

    def _until(self, cell: Cell, slots: Slots, row: Row) -> Solving:
        _, step, done, context, place = cell.task
        limit = step.statement.limit
        if done >= (ROUNDS if limit is None else limit):
            # What goes on beyond the limit of play is the remainder.
            return self._lost()
        test = self._cell(("test", step, done + 1, context, place), cell.rest)
        task = ("block", step.blocks[0], 0, context, (*place, str(done + 1)))
        return (yield self._solve(self._cell(task, test), *self._around(step, context, slots, row)))

    def _test(self, cell: Cell, slots: Slots, row: Row) -> Solving:
        _, step, done, context, place = cell.task
        worlds = Worlds(slots, {row: 1}, 1)
        over, on = self.engine.truth((id(step), "until"), step.statement.until, worlds, context, self._root)
        if over.rows:
            return (yield self._solve(self._cell(("leave", step, context), cell.rest), slots, row))
        if not on.rows:
            return self._lost()
        return (yield self._solve(self._cell(("until", step, done, context, place), cell.rest), slots, row))

    # -- results ----------------------------------------------------------------------------------------------

    def _results(
        self, s: ir.ApplyResults, step: Step, slots: Slots, row: Row, after: Cell, context: Context, place: Place
    ) -> Solving:
        engine = self.engine
        found = engine.hits(s, context, self._level(slots, row))
        if found is None:
            return self._lost()
        results = engine.program.results[s.chart]
        inner = engine.inner(context, ("results", s.chart), context.static, context.given, context.end)
        key = (id(step), tuple((index, tuple((ref, tuple(n.items())) for ref, n in hit)) for index, hit in found))
        jobs = self._jobs.get(key)
        if jobs is None:
            jobs = self._jobs[key] = Jobs(self._lines_of(results, found, step, inner))
        leave = self._cell(("leave", step, context), after)
        return (yield self._solve(self._cell(("lines", jobs, 0, inner, place), leave), slots, row))

    def _lines_of(
        self, results: ir.Results, found: list[tuple[int, list[Any]]], step: Step, inner: Context
    ) -> list[tuple[ir.ResultLine, Block, dict[int, Any], str | None]]:
        jobs: list[tuple[ir.ResultLine, Block, dict[int, Any], str | None]] = []
        reader = self.engine.slots.number("local", inner.depth, "reader")
        for index, hit in found:
            plan = self.engine.planner.entry(results, index, step.live, inner.end)
            scope = self.engine.scope(results, hit, inner)
            for line, block in zip(results.entries[index].lines, plan.blocks, strict=True):
                if line.how != "each":
                    jobs.append((line, block, scope, None))
                else:
                    jobs += [(line, block, {**scope, reader: ref}, ref.key) for ref, _ in hit]
        return jobs

    def _lines(self, cell: Cell, slots: Slots, row: Row) -> Solving:
        _, jobs, number, inner, place = cell.task
        if number == len(jobs):
            return (yield self._solve(cell.rest, slots, row))
        line, block, scope, piece = jobs[number]
        following = self._cell(("lines", jobs, number + 1, inner, place), cell.rest)
        slots, row = self._written(slots, row, scope)
        if line.how == "each" and line.where is not None:
            worlds = Worlds(slots, {row: 1}, 1)
            held, _ = self.engine.truth((id(line), "where"), line.where, worlds, inner, self._root)
            if not held.rows:
                return (yield self._solve(following, slots, row))
        within = place if piece is None else (*place, piece)
        return (yield self._solve(self._cell(("block", block, 0, inner, within), following), slots, row))

    # -- at the same time -------------------------------------------------------------------------------------

    def _together(self, step: Step, slots: Slots, row: Row, after: Cell, context: Context, place: Place) -> Solving:
        """Begin what happens together: each part starts from the state as it is now."""
        ends = self.engine.slots.number("ends", id(step), context.depth)
        task = ("part", step, 0, self._state_of(slots, row), context, place)
        return (yield self._solve(self._cell(task, after), *self._written(slots, row, {ends: ()})))

    def _state_of(self, slots: Slots, row: Row) -> tuple[tuple[int, Any], ...]:
        """What of the state has changed since the start of the procedure."""
        names = self.engine.slots.names
        held = zip(slots, row, strict=True)
        return tuple((slot, value) for slot, value in held if names[slot][0] in ("field", "deck") and value is not KEEP)

    def _part(self, cell: Cell, slots: Slots, row: Row) -> Solving:
        _, step, number, start, context, place = cell.task
        if number < len(step.blocks):
            ended = self._cell(("part end", step, number, start, context, place, False), cell.rest)
            task = ("block", step.blocks[number], 0, context, place)
            return (yield self._solve(self._cell(task, ended), slots, row))
        held = dict(zip(slots, row, strict=True))
        ends = held.pop(self.engine.slots.number("ends", id(step), context.depth))
        changes = self.engine.joined_changes(ends, step.statement, self._level(slots, row))
        slots, row = self._written(tuple(held), tuple(held.values()), changes)
        if any(stopped for stopped, _ in ends):
            return (yield self._solve(self._unwound(cell.rest), slots, row))
        keep = self.engine.keeper(step.live, context.depth)
        return (yield self._solve(cell.rest, *self._projected(slots, row, keep)))

    def _part_end(self, cell: Cell, slots: Slots, row: Row) -> Solving:
        """Put what a part changed aside, and go back to the state in which all parts begin."""
        _, step, number, start, context, place, stopped = cell.task
        ends = self.engine.slots.number("ends", id(step), context.depth)
        before = dict(start)
        state = self._state_of(slots, row)
        changed = tuple((slot, value) for slot, value in state if before.get(slot, KEEP) != value)
        held = {slot: value for slot, value in zip(slots, row, strict=True) if slot not in dict(state)}
        held[ends] = (*held[ends], (stopped, changed))
        held.update(before)
        following = self._cell(("part", step, number + 1, start, context, place), cell.rest)
        return (yield self._solve(following, tuple(held), tuple(held.values())))

    # -- choices ----------------------------------------------------------------------------------------------

    def _choose(
        self, s: ir.Choose, step: Step, slots: Slots, row: Row, after: Cell, context: Context, place: Place
    ) -> Solving:
        engine = self.engine
        level = self._level(slots, row)
        request = engine.request(s, context, level, place)
        if request is None or engine.answered("choose", level) is not None:
            flow = engine.step(Worlds(slots, {row: 1}, 1), step, context, self._root)
            return (yield from self._spread(flow, after))
        chosen = None if engine.policy.decide is None else engine.policy.decide(request)
        if chosen is not None:
            check_choice(request, chosen)
            return (yield self._after_choice(s, step, chosen, slots, row, after, context))
        ways = ways_to_choose(request, engine.limits.outcomes)
        found: list[Mixture] = []
        for way in ways:
            found.append((yield self._after_choice(s, step, way, slots, row, after, context)))
        return self._weighed(request, ways, found, slots, row)

    def _after_choice(
        self, s: ir.Choose, step: Step, way: tuple[Any, ...], slots: Slots, row: Row, after: Cell, context: Context
    ) -> Solving:
        slot = self.engine.slots.number("local", context.depth, s.local)
        value = frozen_value(way[0] if s.count is None else way)
        written = self._written(slots, row, {slot: value})
        keep = self.engine.keeper(step.live, context.depth)
        return self._solve(after, *self._projected(*written, keep))

    def _weighed(
        self, request: ChoiceRequest, ways: list[tuple[Any, ...]], found: list[Mixture], slots: Slots, row: Row
    ) -> Mixture:
        mode = self.engine.policy.players.get(request.player)
        if mode == "random":
            return mixed((1, len(ways), each) for each in found)
        if mode is None:
            if all(each.same_as(found[0]) for each in found[1:]):
                return found[0]
            raise NeedsPolicy(request.name, request.player, request.options)
        values = [self._aim(each) for each in found]
        best = (max if mode == "best" else min)(values)
        at = values.index(best)
        weighed = tuple(zip(ways, values, strict=True))
        self.decisions.append(Decision(request.name, request.player, weighed, ways[at], self._told(slots, row)))
        return found[at]

    def _aim(self, mixture: Mixture) -> Fraction:
        """The expected aim; yes counts 1."""
        at, total = self.engine.policy.aim, Fraction(0)
        for values, weight in mixture.weights.items():
            value = values[at]
            if not isinstance(value, (int, Fraction)):
                raise RuleError("the aim of a choice is a number, or yes or no, and this is neither")
            total += Fraction(value) * weight
        return total / mixture.total

    def _told(self, slots: Slots, row: Row) -> tuple[tuple[str, Any], ...]:
        """What of a world can be told: its locals and fields by name."""
        told = []
        for slot, value in zip(slots, row, strict=True):
            name = self.engine.slots.names[slot]
            if value is not KEEP and name[0] == "local" and not re.search("[@#?]", name[2]):
                told.append((str(name[2]).removeprefix("give "), value))
            elif value is not KEEP and name[0] == "field":
                told.append((f"{name[1].key}.{name[2]}", value))
        return tuple(told)


def _run(solving: Solving) -> Mixture:
    """Work something out that waits for other things, without standing in each other too deep."""
    waiting: list[Solving] = [solving]
    found: Mixture | None = None
    while waiting:
        try:
            following = waiting[-1].send(found)
        except StopIteration as ended:
            waiting.pop()
            found = ended.value
        else:
            waiting.append(following)
            found = None
    assert found is not None
    return found
