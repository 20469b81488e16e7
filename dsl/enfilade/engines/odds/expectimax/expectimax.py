"""Expectimax: the best choices of players with an aim, from the end backward, with memoisation.

A player who maximises or minimises an aim must know the odds after each option. So steps that contain choices
run for one state at a time: at a roll, the answer for a state is the mixture of the answers for its outcomes; at a choice,
it is the best of the answers for the options. Steps without choices still run forward, by the same kernels. The
answer for a state is computed once, however many paths lead to it: it depends only on the remaining tasks (see
``continuations``) and on the variables that they read.

A choice without a policy does not matter if all its options have the same answer. Otherwise the question depends on it,
and the error names it.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final, assert_never

from enfilade.core import ir
from enfilade.core.legal_answers import check_choice
from enfilade.core.run import Refused
from enfilade.core.values import Ref
from enfilade.engines.odds.analysis.plan import Block, Step
from enfilade.engines.odds.expectimax.choice_nodes import best
from enfilade.engines.odds.expectimax.continuations import (
    Continuation,
    Continuations,
    EndPart,
    ForEach,
    Leave,
    Line,
    LineList,
    Place,
    RepeatTimes,
    RepeatUntil,
    Return,
    RunLines,
    RunPart,
    RunSteps,
    State,
    Task,
    TestUntil,
)
from enfilade.engines.odds.expectimax.mixture import Mixture, mixed
from enfilade.engines.odds.expectimax.trampoline import Solving, run
from enfilade.engines.odds.forward import run_step
from enfilade.engines.odds.interface import Decision, Weighted
from enfilade.engines.odds.question import Question
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import UNCHANGED, Distribution, Flow, frozen_value, projected, updated
from enfilade.engines.odds.states.expressions import grouped, split, value_kernel
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.known_answers import next_answer
from enfilade.engines.odds.states.slots import Origin, origin_in
from enfilade.engines.odds.steps.apply_results import entry_locals, matched_entries
from enfilade.engines.odds.steps.calls import begin_call, begin_effect, undone, with_outputs
from enfilade.engines.odds.steps.choices import choice_request, ways_to_choose
from enfilade.engines.odds.steps.markov_chain import ROUNDS
from enfilade.engines.odds.steps.simultaneous import joined_changes
from enfilade.errors import LimitError, RuleError

_MOST_DECISIONS: Final = 1_000


class Expectimax:
    """Answers a question for players who choose with an aim.

    Attributes:
        decisions: The decisions made. The first choice in play is decided last, so the earliest choices are kept.
    """

    def __init__(self, ctx: Context, question: Question) -> None:
        self.decisions: deque[Decision] = deque(maxlen=_MOST_DECISIONS)
        self._ctx = ctx
        self._question = question
        self._continuations = Continuations()
        self._then = self._continuations.then
        self._answers: dict[tuple[int, State], Mixture] = {}
        self._lines: dict[Any, LineList] = {}
        self._root = ctx.root()
        self._frame = ctx.root_frame(question.live)

    def answer(self) -> Weighted:
        """The answer from the start of the procedure."""
        block = self._ctx.planner.procedure(self._question.situation.procedure, self._question.live)
        found = run(self._solve(self._then(RunSteps(block, 0, self._frame, ()), None), ((), ())))
        lost = found.total - sum(found.weights.values())
        if lost and self._ctx.is_exact:
            raise AssertionError("weight was lost without notice")
        return Weighted(found.weights, found.total, lost, tuple(self.decisions))

    # -- states -----------------------------------------------------------------------------------------------

    def _origin(self, state: State) -> Origin:
        slots, row = state
        return origin_in(row, {slot: place for place, slot in enumerate(slots)}, self._root)

    def _written(self, state: State, writes: dict[int, Any]) -> State:
        held = dict(zip(*state, strict=True))
        for slot, value in writes.items():
            held[slot] = updated(held.get(slot, UNCHANGED), value)
        return tuple(held), tuple(held.values())

    def _projected(self, state: State, after: Step | Block, frame: CallFrame) -> State:
        """A state with only the slots that are live after a step or a block."""
        only = projected(_single(state), self._ctx.live_slots(after.live, frame.depth))
        return only.slots, next(iter(only.rows))

    def _given_up(self) -> Mixture:
        self._ctx.is_exact = False
        return Mixture({}, 1)

    # -- tasks ------------------------------------------------------------------------------------------------

    def _solve(self, cell: Continuation | None, state: State) -> Solving:
        key = (0 if cell is None else cell.number, state)
        found = self._answers.get(key)
        if found is None:
            self._ctx.meter.count(1)
            if len(self._answers) >= self._ctx.limits.worlds:
                raise LimitError("worlds", f"choices lead to more than {self._ctx.limits.worlds} worlds")
            found = self._ended(state) if cell is None else (yield self._task(cell, state))
            self._answers[key] = found
        return found

    def _ended(self, state: State) -> Mixture:
        ended = projected(_single(state), self._ctx.live_slots(self._question.live, 1))
        found = self._question.weighted(self._ctx, self._frame, ended, self._root)
        return Mixture(found.weights, found.total)

    def _task(self, cell: Continuation, state: State) -> Solving:
        rest = cell.rest
        match task := cell.task:
            case RunSteps():
                return self._steps(task, rest, state)
            case ForEach():
                return self._for_each(task, rest, state)
            case RepeatTimes():
                return self._times(task, rest, state)
            case RepeatUntil():
                return self._until(task, rest, state)
            case TestUntil():
                return self._test(task, rest, state)
            case Leave():
                return self._solve(rest, self._projected(state, task.step, task.frame))
            case Return():
                return self._return(task, rest, state)
            case RunLines():
                return self._run_lines(task, rest, state)
            case RunPart():
                return self._part(task, rest, state)
            case EndPart():
                return self._part_end(task, rest, state)
            case _:
                assert_never(task)

    def _steps(self, task: RunSteps, rest: Continuation | None, state: State) -> Solving:
        if task.at == len(task.block.steps):
            return (yield self._solve(rest, state))
        step = task.block.steps[task.at]
        after = self._then(RunSteps(task.block, task.at + 1, task.frame, task.place), rest)
        if not step.chooses:
            flow = run_step(self._ctx, _single(state), step, task.frame, self._root)
            return (yield from self._expected(flow, after))
        return (yield from self._choosing(step, state, after, task.frame, task.place))

    def _expected(self, flow: Flow, after: Continuation) -> Solving:
        """The chance node: the mixture of the answers for all states of a flow."""
        parts: list[tuple[int, int, Mixture]] = []
        for states, cell in ((flow.done, after), (flow.stopped, self._continuations.after_stop(after))):
            if states is not None:
                for row, weight in states.rows.items():
                    found = yield self._solve(cell, (states.slots, row))
                    parts.append((weight, states.total, found))
        if flow.refused is not None and flow.refused.rows:
            assert flow.refusal is not None
            found = yield self._solve(*self._after_refusal(after, flow.refusal))
            parts.append((sum(flow.refused.rows.values()), flow.refused.total, found))
        return mixed(parts)

    def _after_refusal(self, cell: Continuation | None, refusal: Refused) -> tuple[Continuation, State]:
        """The continuation after a refusal, in the caller that handles it, and its state.

        Raises:
            Refused: No caller handles it.
        """
        while cell is not None:
            match cell.task:
                case Return(step, frame, _, saved) if saved is not None:
                    state, place = saved
                    assert isinstance(step.statement, ir.CallProcedure)
                    state = self._written(state, undone(self._ctx, step.statement, frame))
                    return self._then(RunSteps(step.blocks[0], 0, frame, place), cell.rest), state
            cell = cell.rest
        raise refusal

    # -- steps with choices in them ---------------------------------------------------------------------------

    def _choosing(self, step: Step, state: State, after: Continuation, frame: CallFrame, place: Place) -> Solving:
        ctx = self._ctx
        match s := step.statement:
            case ir.Choose():
                return (yield from self._choose(s, step, state, after, frame, place))
            case ir.Branch():
                true, false = split(ctx, (id(step), "when"), s.condition, _single(state), frame, self._root)
                if not true.rows and not false.rows:
                    return self._given_up()
                body = RunSteps(step.blocks[0 if true.rows else 1], 0, frame, place)
                return (yield self._solve(self._then(body, self._then(Leave(step, frame), after)), state))
            case ir.Loop():
                elements = self._value((id(step), "over"), s.over, state, frame)
                if elements is None:
                    return self._given_up()
                return (yield self._solve(self._then(ForEach(step, elements, 0, frame, place), after), state))
            case ir.Repeat() if s.times is not None:
                times = self._value((id(step), "times"), s.times, state, frame)
                if times is None:
                    raise RuleError("none stands where a value is needed: the number of times")
                return (yield self._solve(self._then(RepeatTimes(step, times, 0, frame, place), after), state))
            case ir.Repeat():
                return (yield self._solve(self._then(RepeatUntil(step, 0, frame, place), after), state))
            case ir.Perform():
                begun = begin_effect(ctx, s, step, frame, self._origin(state))
                if begun is None:
                    return self._given_up()
                body = RunSteps(begun.block, 0, begun.frame, ())
                cell = self._then(body, self._then(Leave(step, frame), after))
                return (yield self._solve(cell, self._written(state, begun.start)))
            case ir.CallProcedure():
                begun = begin_call(ctx, s, step, frame, self._origin(state))
                if begun is None:
                    return self._given_up()
                back = Return(step, frame, begun.outputs, None if s.if_refused is None else (state, place))
                body = RunSteps(begun.block, 0, begun.frame, (*place, s.local or s.procedure))
                return (yield self._solve(self._then(body, self._then(back, after)), self._written(state, begun.start)))
            case ir.ApplyResults():
                return (yield from self._results(s, step, state, after, frame, place))
            case ir.Together():
                ends = ctx.slots.number("ends", id(step), frame.depth)
                first = self._then(RunPart(step, 0, self._changes(state), frame, place), after)
                return (yield self._solve(first, self._written(state, {ends: ()})))
            case (
                ir.Refuse() | ir.Must() | ir.RollDice() | ir.DrawCards() | ir.Reshuffle() | ir.SetLocal() | ir.SetField()
                | ir.Stop() | ir.Give()
            ):  # fmt: skip
                raise AssertionError("no player chooses in these")
            case _:
                assert_never(s)

    def _value(self, key: Any, e: ir.Expr, state: State, frame: CallFrame) -> Any:
        """The value of an expression in one state; ``None`` also if it is undecided."""
        groups = grouped(self._ctx, value_kernel(self._ctx, key, e, frame), _single(state), self._root)
        return next(iter(groups), None)

    def _return(self, task: Return, rest: Continuation | None, state: State) -> Solving:
        s, frame = task.step.statement, task.frame
        assert isinstance(s, ir.CallProcedure)
        live = self._ctx.live_slots(task.step.live, frame.depth)
        states = with_outputs(self._ctx, _single(state), s.local, task.outputs, frame, live)
        return (yield self._solve(rest, (states.slots, next(iter(states.rows)))))

    # -- loops ------------------------------------------------------------------------------------------------

    def _for_each(self, task: ForEach, rest: Continuation | None, state: State) -> Solving:
        step, frame = task.step, task.frame
        if task.at == len(task.elements):
            return (yield self._solve(self._then(Leave(step, frame), rest), state))
        assert isinstance(step.statement, ir.Loop)
        element = task.elements[task.at]
        piece = element.key if isinstance(element, Ref) else str(task.at + 1)
        following = self._then(ForEach(step, task.elements, task.at + 1, frame, task.place), rest)
        body = self._then(RunSteps(step.blocks[0], 0, frame, (*task.place, piece)), following)
        variable = self._ctx.local(frame, step.statement.local)
        return (
            yield self._solve(body, self._written(self._projected(state, step.blocks[0], frame), {variable: element}))
        )

    def _times(self, task: RepeatTimes, rest: Continuation | None, state: State) -> Solving:
        step, frame, done = task.step, task.frame, task.done
        if done >= task.times:
            return (yield self._solve(self._then(Leave(step, frame), rest), state))
        assert isinstance(step.statement, ir.Repeat)
        following = self._then(RepeatTimes(step, task.times, done + 1, frame, task.place), rest)
        if step.statement.until is not None:
            following = self._then(TestUntil(step, done + 1, frame, task.place, task.times), rest)
        body = self._then(RunSteps(step.blocks[0], 0, frame, (*task.place, str(done + 1))), following)
        return (yield self._solve(body, self._projected(state, step.blocks[0], frame)))

    def _until(self, task: RepeatUntil, rest: Continuation | None, state: State) -> Solving:
        step, frame, done = task.step, task.frame, task.done
        assert isinstance(step.statement, ir.Repeat)
        limit = step.statement.limit
        if done >= (ROUNDS if limit is None else limit):
            # States that are still in the loop after the maximum number of rounds become the remainder.
            return self._given_up()
        test = self._then(TestUntil(step, done + 1, frame, task.place), rest)
        body = self._then(RunSteps(step.blocks[0], 0, frame, (*task.place, str(done + 1))), test)
        return (yield self._solve(body, self._projected(state, step.blocks[0], frame)))

    def _test(self, task: TestUntil, rest: Continuation | None, state: State) -> Solving:
        step, frame = task.step, task.frame
        assert isinstance(step.statement, ir.Repeat)
        assert step.statement.until is not None
        over, on = split(self._ctx, (id(step), "until"), step.statement.until, _single(state), frame, self._root)
        if over.rows:
            return (yield self._solve(self._then(Leave(step, frame), rest), state))
        if not on.rows:
            return self._given_up()
        again: Task = RepeatUntil(step, task.done, frame, task.place)
        if task.times is not None:
            again = RepeatTimes(step, task.times, task.done, frame, task.place)
        return (yield self._solve(self._then(again, rest), state))

    # -- results ----------------------------------------------------------------------------------------------

    def _results(
        self, s: ir.ApplyResults, step: Step, state: State, after: Continuation, frame: CallFrame, place: Place
    ) -> Solving:
        ctx = self._ctx
        found = matched_entries(ctx, s, frame, self._origin(state))
        if found is None:
            return self._given_up()
        inner = ctx.inner_frame(frame, ("results", s.chart), frame.static, frame.given, frame.end)
        key = (id(step), tuple((index, tuple((ref, tuple(n.items())) for ref, n in hit)) for index, hit in found))
        lines = self._lines.get(key)
        if lines is None:
            lines = self._lines[key] = self._lines_of(ctx.program.results[s.chart], found, step, inner)
        leave = self._then(Leave(step, frame), after)
        return (yield self._solve(self._then(RunLines(lines, 0, inner, place), leave), state))

    def _lines_of(
        self, results: ir.Results, found: list[tuple[int, list[Any]]], step: Step, inner: CallFrame
    ) -> LineList:
        lines: list[Line] = []
        reader = self._ctx.local(inner, "reader")
        for index, hit in found:
            plan = self._ctx.planner.entry(results, index, step.live, inner.end)
            known = entry_locals(self._ctx, results, hit, inner)
            for line, block in zip(results.entries[index].lines, plan.blocks, strict=True):
                if line.how != "each":
                    lines.append(Line(line, block, known, None))
                else:
                    lines += [Line(line, block, {**known, reader: ref}, ref.key) for ref, _ in hit]
        return LineList(tuple(lines))

    def _run_lines(self, task: RunLines, rest: Continuation | None, state: State) -> Solving:
        lines, inner = task.lines.items, task.frame
        if task.at == len(lines):
            return (yield self._solve(rest, state))
        each = lines[task.at]
        following = self._then(RunLines(task.lines, task.at + 1, inner, task.place), rest)
        state = self._written(state, each.known)
        where = each.line.where
        if each.line.how == "each" and where is not None:
            true, _ = split(self._ctx, (id(each.line), "where"), where, _single(state), inner, self._root)
            if not true.rows:
                return (yield self._solve(following, state))
        place = task.place if each.reader is None else (*task.place, each.reader)
        return (yield self._solve(self._then(RunSteps(each.block, 0, inner, place), following), state))

    # -- simultaneous parts -----------------------------------------------------------------------------------

    def _changes(self, state: State) -> tuple[tuple[int, Any], ...]:
        """The fields and decks that have changed since the start of the procedure."""
        names = self._ctx.slots.names
        held = zip(*state, strict=True)
        return tuple(
            (slot, value) for slot, value in held if names[slot][0] in ("field", "deck") and value is not UNCHANGED
        )

    def _part(self, task: RunPart, rest: Continuation | None, state: State) -> Solving:
        step, frame = task.step, task.frame
        if task.number < len(step.blocks):
            ended = self._then(EndPart(task, stopped=False), rest)
            body = RunSteps(step.blocks[task.number], 0, frame, task.place)
            return (yield self._solve(self._then(body, ended), state))
        assert isinstance(step.statement, ir.Together)
        held = dict(zip(*state, strict=True))
        ends = held.pop(self._ctx.slots.number("ends", id(step), frame.depth))
        changes = joined_changes(self._ctx, ends, step.statement, self._origin(state))
        state = self._written((tuple(held), tuple(held.values())), changes)
        if any(stopped for stopped, _ in ends):
            return (yield self._solve(self._continuations.after_stop(rest), state))
        return (yield self._solve(rest, self._projected(state, step, frame)))

    def _part_end(self, task: EndPart, rest: Continuation | None, state: State) -> Solving:
        """Save the changes of a part, and restore the state in which all parts begin."""
        part = task.part
        ends = self._ctx.slots.number("ends", id(part.step), part.frame.depth)
        before, now = dict(part.start), self._changes(state)
        changed = tuple((slot, value) for slot, value in now if before.get(slot, UNCHANGED) != value)
        held = {slot: value for slot, value in zip(*state, strict=True) if slot not in dict(now)}
        held[ends] = (*held[ends], (task.stopped, changed))
        held.update(before)
        following = RunPart(part.step, part.number + 1, part.start, part.frame, part.place)
        return (yield self._solve(self._then(following, rest), (tuple(held), tuple(held.values()))))

    # -- choices ----------------------------------------------------------------------------------------------

    def _choose(
        self, s: ir.Choose, step: Step, state: State, after: Continuation, frame: CallFrame, place: Place
    ) -> Solving:
        ctx, origin = self._ctx, self._origin(state)
        request = choice_request(ctx, s, frame, origin, place)
        if request is None or next_answer(ctx, "choose", origin) is not None:
            flow = run_step(ctx, _single(state), step, frame, self._root)
            return (yield from self._expected(flow, after))

        def chosen(way: tuple[Any, ...]) -> Solving:
            value = frozen_value(way[0] if s.count is None else way)
            written = self._written(state, {ctx.local(frame, s.local): value})
            return self._solve(after, self._projected(written, step, frame))

        decided = None if ctx.policy.decide is None else ctx.policy.decide(request)
        if decided is not None:
            check_choice(request, decided)
            return (yield chosen(decided))
        weighted = ways_to_choose(request, ctx.limits.outcomes)
        ways = list(weighted)
        found: list[Mixture] = []
        for way in ways:
            found.append((yield chosen(way)))
        return best(self._ctx, request, weighted, found, state, self.decisions)


def _single(state: State) -> Distribution:
    slots, row = state
    return Distribution(slots, {row: 1}, 1)
