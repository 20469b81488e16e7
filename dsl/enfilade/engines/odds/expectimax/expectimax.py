"""Expectimax: the best choices of players with an aim, from the end backward, with memoisation.

A player who maximises or minimises an aim must know the odds after each option. So steps that contain choices
run for one state at a time: at a roll, the answer for a state is the mixture of the answers for its outcomes; at a choice,
it is the best of the answers for the options. Steps without choices still run forward, by the same kernels. The
answer for a state is computed once, however many paths lead to it: it depends only on the remaining tasks (see
``continuations``) and on the variables that they read.

In a loop until a condition holds, play may come back to a state, and so to a decision: see ``markov_decisions``. Such a
loop is followed round by round only if a policy tells its rounds apart, or if players choose at the same time in it.

A choice without a policy does not matter if all its options have the same answer. Otherwise the question depends on it,
and the error names it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

from attrs import evolve

from enfilade.core import ir
from enfilade.core.legal_answers import check_choice
from enfilade.core.requests import ChoiceRequest
from enfilade.engines.odds.analysis.plan import Step
from enfilade.engines.odds.expectimax.choice_nodes import best
from enfilade.engines.odds.expectimax.hidden_choices import (
    Hidden,
    Plan,
    are_hidden,
    chosen_by,
    equilibrium,
    hidden_choices,
    plans_of,
)
from enfilade.engines.odds.expectimax.markov_decisions import DecisionProcess, Round
from enfilade.engines.odds.expectimax.mixture import Mixture, cut_off, mixed
from enfilade.engines.odds.expectimax.trampoline import Solving, run
from enfilade.engines.odds.forward import run_step
from enfilade.engines.odds.interface import MOST_DECISIONS, NeedsPolicy, Weighted
from enfilade.engines.odds.question import Question
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import Distribution, frozen_value, projected, with_changes
from enfilade.engines.odds.states.expressions import grouped, split
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.known_answers import next_answer
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.steps.choices import choice_request, ways_to_choose
from enfilade.engines.odds.steps.composite import Composites, Move
from enfilade.engines.odds.steps.loops import filled
from enfilade.engines.odds.steps.markov_chain import ROUNDS
from enfilade.engines.odds.steps.tasks import Continuation, End, Place, RepeatUntil, RunSteps, State

_SECRET_ROUNDS: Final = 100
"""The highest number of rounds of a loop that states no limit and comes back to choices made at the same time."""
_SECONDS_OF_REDUCTION: Final = 2e-12
"""Reducing a fraction of n bits takes n x n times this."""


class ComesBackToHiddenChoices(Exception):
    """A loop may come back to choices that players make at the same time: it must be followed round by round."""


class Expectimax:
    """Answers a question for players who choose with an aim."""

    def __init__(self, ctx: Context, question: Question, *, comes_back: bool = True) -> None:
        self._ctx = ctx
        self._question = question
        self._root = ctx.root()
        self._composites = Composites(ctx, self._root)
        self._continuations = self._composites.continuations
        self._then = self._continuations.then
        self._answers: dict[tuple[int, State], Mixture] = {}
        self._frame = ctx.root_frame(question.live)
        self._comes_back = comes_back and not ctx.policy.by_place
        self._most_rounds = ROUNDS if comes_back else _SECRET_ROUNDS
        self._process = DecisionProcess(ctx)
        self._rounds: dict[tuple[int, State], Round] = {}
        self._waiting: deque[tuple[Round, Continuation, State]] = deque()
        self._depth: int | None = None

    def answer(self) -> Weighted:
        """The answer from the start of the procedure."""
        block = self._ctx.planner.procedure(self._question.situation.procedure, self._question.live)
        found = run(self._solve(self._then(RunSteps(block, 0, self._frame, ()), self._continuations.end), ((), ())))
        lost = found.total - sum(found.weights.values())
        if lost and not self._ctx.cuts:
            raise AssertionError("part of the probability was lost")
        return Weighted(found.weights, found.total, lost, found.decisions(MOST_DECISIONS))

    # -- tasks ------------------------------------------------------------------------------------------------

    def _solve(self, cell: Continuation | None, state: State) -> Solving:
        """The answer for a state at a continuation; ``None`` is the end, too."""
        cell = cell or self._continuations.end
        key = (cell.number, state)
        found = self._answers.get(key)
        if found is None:
            self._ctx.meter.count(1)
            found = self._ended(state) if isinstance(cell.task, End) else (yield self._task(cell, state)).shortened()
            self._ctx.meter.expect(seconds=found.total.bit_length() ** 2 * _SECONDS_OF_REDUCTION)
            self._answers[key] = found
        if self._rounds and self._depth is None and found.vertices:
            found = self._answers[key] = self._process.resolved(found)
        return found

    def _task(self, cell: Continuation, state: State) -> Solving:
        match task := cell.task:
            case RunSteps():
                return self._steps(task, cell.following(), state)
            case RepeatUntil():
                return self._until(task, cell.following(), state)
            case _:
                return self._expected(self._composites.advance(cell, _single(state)))

    def _ended(self, state: State) -> Mixture:
        ended = projected(_single(state), self._ctx.live_slots(self._question.live, 1))
        found = self._question.weighted(self._ctx, self._frame, ended, self._root)
        return Mixture(found.weights, found.total, cut=Fraction(found.remainder, found.total))

    def _expected(self, moves: list[Move]) -> Solving:
        """The chance node: the mixture of the answers for all states of some moves."""
        parts: list[tuple[int, int, Mixture]] = []
        for cell, states in moves:
            for row, weight in states.rows.items():
                found = yield self._solve(cell, (states.slots, row))
                parts.append((weight, states.total, found))
        return mixed(parts)

    def _steps(self, task: RunSteps, rest: Continuation, state: State) -> Solving:
        if task.bindings or task.where is not None:
            return (yield from self._bound(task, rest, state))
        if task.at == len(task.block.steps):
            return (yield self._solve(rest, state))
        step, frame = task.block.steps[task.at], task.frame
        after = self._then(evolve(task, at=task.at + 1), rest)
        if isinstance(step.statement, ir.Choose) and step.chooses:
            return (yield from self._choose(step.statement, step, state, after, frame, task.place))
        if step.chooses and are_hidden(step):
            return (yield from self._hidden(step, state, after, frame, task.place))
        if step.chooses:
            return (yield from self._expected(self._composites.enter(step, _single(state), frame, task.place, after)))
        return (yield from self._run(step, state, after, frame))

    def _run(self, step: Step, state: State, after: Continuation, frame: CallFrame) -> Solving:
        """Run a step forward."""
        flow = run_step(self._ctx, _single(state), step, frame, self._root)
        moves, refused = self._composites.after(flow, after)
        if refused is not None:
            assert flow.refusal is not None
            raise flow.refusal
        return (yield from self._expected(moves))

    def _bound(self, task: RunSteps, rest: Continuation, state: State) -> Solving:
        """Bind the locals of a block, and test its condition."""
        states = with_changes(_single(state), dict(task.bindings))
        moves = [Move(self._then(evolve(task, bindings=(), where=None), rest), states)]
        if task.where is not None:
            key = (id(task.block), "where")
            true, false = split(grouped(self._ctx, key, task.where, states, task.frame, self._root))
            moves = [Move(moves[0].cell, true), Move(rest, false)]
        return (yield from self._expected(moves))

    def _until(self, task: RepeatUntil, rest: Continuation, state: State) -> Solving:
        assert isinstance(task.step.statement, ir.Repeat)
        limit = task.step.statement.limit
        if limit is None and self._comes_back:
            return (yield from self._round(task, rest, state))
        if task.done >= (self._most_rounds if limit is None else limit):
            # States that are still in the loop after the maximum number of rounds become the remainder.
            self._ctx.cut(task.step.statement)
            return cut_off()
        return (yield self._solve(self._composites.round_of(task, rest), state))

    def _round(self, task: RepeatUntil, rest: Continuation, state: State) -> Solving:
        """The answer at the beginning of a round, as a vertex; if no loop is being solved, the loop is."""
        assert isinstance(task.step.statement, ir.Repeat)
        at_start = self._ctx.live_slots(task.step.round_start, task.frame.depth)
        states = filled(self._ctx, projected(_single(state), at_start), self._root)
        start = states.slots, next(iter(states.rows))
        cell = self._composites.round_of(task, rest, counted=False)
        vertex = self._rounds.get((cell.number, start))
        if vertex is None:
            vertex = self._rounds[cell.number, start] = self._process.round(self._depth or 0, task.step.statement)
            self._waiting.append((vertex, cell, start))
        if self._depth is None:
            while self._waiting:
                each, cell, start = self._waiting.popleft()
                self._depth = each.depth + 1
                if self._depth > ROUNDS:
                    self._ctx.cut(task.step.statement)
                    each.options = [cut_off()]
                else:
                    each.options = [(yield self._solve(cell, start))]
            self._depth = None
            self._process.solve()
        return Mixture({vertex: 1}, 1)

    # -- choices ----------------------------------------------------------------------------------------------

    def _choose(
        self, s: ir.Choose, step: Step, state: State, after: Continuation, frame: CallFrame, place: Place
    ) -> Solving:
        ctx, origin = self._ctx, self._origin_of(state)
        request = choice_request(ctx, s, frame, origin, place)
        if request is None or next_answer(ctx, "choose", origin) is not None:
            return (yield from self._run(step, state, after, frame))

        def chosen(way: tuple[Any, ...]) -> Solving:
            value = frozen_value(way[0] if s.count is None else way)
            return self._after_choices(step, state, {ctx.local(frame, s.local): value}, after, frame)

        decided = None if ctx.policy.decide is None else ctx.policy.decide(request)
        if decided is not None:
            check_choice(request, decided)
            return (yield chosen(decided))
        weighted = ways_to_choose(request, ctx.meter)
        ways = list(weighted)
        found: list[Mixture] = []
        for way in ways:
            found.append((yield chosen(way)))
        return self._chosen(request, weighted, found, state)

    def _chosen(
        self, request: ChoiceRequest, weighted: Mapping[tuple[Any, ...], int], found: list[Mixture], state: State
    ) -> Mixture:
        """The answer at a choice with these answers for its options."""
        if self._is_open(found) and self._ctx.policy.players.get(request.player) != "random":
            return self._process.choice(request, weighted, found, state)
        return best(self._ctx, request, weighted, found, state)

    def _hidden(self, step: Step, state: State, after: Continuation, frame: CallFrame, place: Place) -> Solving:
        """Choices at the same time; one after the other if the order does not matter."""
        choices = hidden_choices(self._ctx, step, frame, self._origin_of(state), place)
        if choices is None:
            return (yield from self._expected(self._composites.enter(step, _single(state), frame, place, after)))
        found: list[list[list[Mixture]]] = []
        for plan in plans_of(choices, "open"):
            found.append((yield from self._matrix(choices, plan, step, state, after, frame)))
        cells = [[each for row in matrix for each in row] for matrix in found]
        if not all(each.same_as(one) for others in cells[1:] for each, one in zip(others, cells[0], strict=True)):
            undecided = next(each for each in choices if each.side == "open")
            raise NeedsPolicy(undecided.name, undecided.player)
        aimed = [each for each in choices if each.is_aimed]
        if len(aimed) == 1 and aimed[0].request is not None:
            return self._chosen(aimed[0].request, aimed[0].ways, cells[0], state)
        if self._is_open(cells[0]):
            raise ComesBackToHiddenChoices
        return equilibrium(self._ctx, choices, found[0], state)

    def _matrix(
        self,
        choices: tuple[Hidden, ...],
        undecided: Plan,
        step: Step,
        state: State,
        after: Continuation,
        frame: CallFrame,
    ) -> Solving:
        """The answer for each plan of the side that maximises the aim, and each plan of the other side."""
        columns, chance = plans_of(choices, "worst"), plans_of(choices, "random")
        found: list[list[Mixture]] = []
        for row in plans_of(choices, "best"):
            found.append([])
            for column in columns:
                parts = []
                for plan in chance:
                    plans = {"best": row, "worst": column, "random": plan, "open": undecided}
                    chosen = {self._ctx.local(frame, s.local): value for s, value in chosen_by(choices, plans)}
                    parts.append(
                        (plan.weight, plan.total, (yield self._after_choices(step, state, chosen, after, frame)))
                    )
                found[-1].append(mixed(parts))
        return found

    def _is_open(self, found: Iterable[Mixture]) -> bool:
        """Whether answers depend on a loop that is being solved."""
        return self._depth is not None and any(each.vertices for each in found)

    def _after_choices(
        self, step: Step, state: State, chosen: Mapping[int, Any], after: Continuation, frame: CallFrame
    ) -> Solving:
        written = with_changes(_single(state), chosen)
        only = projected(written, self._ctx.live_slots(step.live, frame.depth))
        return self._solve(after, (only.slots, next(iter(only.rows))))

    def _origin_of(self, state: State) -> Origin:
        slots, row = state
        return Origin(row, {slot: place for place, slot in enumerate(slots)}, self._root)


def _single(state: State) -> Distribution:
    slots, row = state
    return Distribution(slots, {row: 1}, 1)
