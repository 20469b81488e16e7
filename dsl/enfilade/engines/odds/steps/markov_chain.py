"""Loops until a condition holds, as an absorbing Markov chain solved by linear equations.

The states at the beginning of a round are the states of the chain, and a round is a transition between them. A round may
lead back to an earlier state: a tie is rolled again, both sides miss. The expected number of visits to each state solves
linear equations (see ``linear_equations``); the distribution after the loop follows from the visits.

If the chain has infinitely many states, as when rounds are counted and the count is read, the loop is simulated for as
many rounds as play allows, or until the chance of another round is negligible. The remaining weight is the remainder.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final, TypeVar

from enfilade.core import ir
from enfilade.core.run import Refused
from enfilade.engines.odds.analysis.plan import Step
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import UNCHANGED, Distribution, Flow, Row, merged, one_state, projected
from enfilade.engines.odds.states.expressions import split, value_of
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.kernels import Kernel
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.states.transitions import apply, joined
from enfilade.engines.odds.steps.linear_equations import expected_visits
from enfilade.engines.odds.steps.loops import filled
from enfilade.engines.odds.steps.path_enumeration import enumerate_paths
from enfilade.errors import LimitError

ROUNDS: Final = 1_000
"""The highest number of rounds of a loop that states no limit."""
N = TypeVar("N", float, Fraction)
_FAINT: Final = Fraction(1, 10**15)


def repeat_until(
    ctx: Context, states: Distribution, step: Step, s: ir.Repeat, frame: CallFrame, origin: Origin
) -> Flow:
    """Repeat steps until a condition holds; it is tested after each round."""
    live = ctx.live_slots(step.blocks[0].live, frame.depth)
    kernel = ctx.kernel((id(step), id(frame)), lambda round_origin: _round(ctx, step, s, frame, round_origin))
    chain = _Chain(ctx, kernel, live, origin, ctx.slots.number("again"))
    flow = chain.run(projected(states, live), ROUNDS if s.limit is None else s.limit)
    return joined([flow], ctx.live_slots(step.live, frame.depth))


def _round(ctx: Context, step: Step, s: ir.Repeat, frame: CallFrame, origin: Origin) -> Flow:
    """One round from one state, with a flag for whether another round follows."""
    assert s.until is not None
    until = s.until
    again = ctx.slots.number("again")
    live = ctx.live_slots(step.blocks[0].live, frame.depth)

    def after() -> None:
        ctx.evaluator.writes[again] = not value_of(ctx, until, ctx.evaluator.frame(frame.depth), step.kinds)

    found = enumerate_paths(ctx, {}, step.blocks[0], frame, live, origin, after)
    if found is not None:
        return found
    flow = ctx.run(one_state(), step.blocks[0], frame, origin)
    over, on = split(ctx, (id(step), "until"), s.until, flow.done, frame, origin, step.kinds)
    parts = [_flagged(projected(over, live), again, False), _flagged(projected(on, live), again, True)]
    return Flow(merged(parts), flow.stopped, flow.refused, flow.refusal)


def _flagged(states: Distribution, slot: int, value: bool) -> Distribution:
    rows = {(*row, value): weight for row, weight in states.rows.items()}
    return Distribution((*states.slots, slot), rows, states.total)


class _Chain:
    """The Markov chain of a loop: its states, the transitions of one round, and the flows that leave it."""

    def __init__(self, ctx: Context, kernel: Kernel, live: LiveSlots, origin: Origin, again: int) -> None:
        self._ctx = ctx
        self._kernel = kernel
        self._live = _WithFlag(live)
        self._origin = origin
        self._again = again
        self._layout: tuple[int, ...] = ()
        self._index: dict[int, int] = {}
        self._numbers: dict[Row, int] = {}
        self._transitions: list[list[tuple[int, Fraction]]] = []
        self._exits: list[Flow] = []

    def run(self, states: Distribution, most: int) -> Flow:
        """The states after the loop.

        Args:
            states: The states before it.
            most: The highest number of rounds.
        """
        self._layout = states.slots
        while True:
            try:
                return self._run(states, most)
            except _Wider as wider:
                # A round writes slots that are not in the layout, so start again with a wider layout.
                self._layout = wider.layout
                self._numbers, self._transitions, self._exits = {}, [], []

    def _run(self, states: Distribution, most: int) -> Flow:
        self._index = {slot: place for place, slot in enumerate(self._layout)}
        more = (UNCHANGED,) * (len(self._layout) - len(states.slots))
        coming: dict[int, Fraction] = {}
        for row, weight in states.rows.items():
            number = self._number_of(self._filled((*row, *more)))
            coming[number] = coming.get(number, Fraction(0)) + Fraction(weight, states.total)
        # Only the size of what is left matters here, so floats will do.
        done, current = 0, {number: float(weight) for number, weight in coming.items()}
        for number_of_round in range(most):
            fresh = range(done, len(self._numbers))
            if not fresh:
                return self._left(expected_visits(coming, self._transitions))
            done = len(self._numbers)
            rows = list(self._numbers)
            for number in fresh:
                self._explore(rows[number])
            current = self._following(current)
            if sum(current.values()) < _FAINT and done < len(self._numbers):
                # New states appear in every round, with a negligible chance.
                return self._cut_off(coming, number_of_round + 1)
        if done == len(self._numbers):
            return self._left(expected_visits(coming, self._transitions))
        return self._cut_off(coming, most)

    def _number_of(self, row: Row) -> int:
        found = self._numbers.get(row)
        if found is None:
            found = self._numbers[row] = len(self._numbers)
            self._ctx.meter.count(1)
            if found >= self._ctx.limits.worlds:
                raise LimitError("worlds", f"a loop has more than {self._ctx.limits.worlds} worlds")
        return found

    def _filled(self, row: Row) -> Row:
        """A state with the values of unchanged fields written out."""
        if UNCHANGED not in row:
            return row
        return next(iter(filled(self._ctx, Distribution(self._layout, {row: 1}, 1), self._origin).rows))

    def _explore(self, row: Row) -> None:
        """Run one round from one state."""
        flow = apply(self._ctx, self._kernel, Distribution(self._layout, {row: 1}, 1), self._live, self._origin)
        onward: list[tuple[int, Fraction]] = []
        out: list[Distribution] = []
        done = flow.done
        if done.rows:
            at = done.slots.index(self._again)
            layout = (*done.slots[:at], *done.slots[at + 1 :])
            if set(layout) - set(self._layout):
                raise _Wider((*self._layout, *(slot for slot in layout if slot not in self._index)))
            places = [layout.index(slot) if slot in layout else -1 for slot in self._layout]
            rows: dict[Row, int] = {}
            for found, weight in done.rows.items():
                rest = (*found[:at], *found[at + 1 :])
                if found[at]:
                    state = tuple([UNCHANGED if place < 0 else rest[place] for place in places])
                    state = self._filled(state)
                    onward.append((self._number_of(state), Fraction(weight, done.total)))
                else:
                    rows[rest] = rows.get(rest, 0) + weight
            out.append(Distribution(layout, rows, done.total))
        self._transitions.append(onward)
        self._exits.append(Flow(merged(out), flow.stopped, flow.refused, flow.refusal))

    def _left(self, visits: dict[int, Fraction]) -> Flow:
        done: list[Distribution] = []
        stopped: list[Distribution] = []
        refused: list[Distribution] = []
        refusal: Refused | None = None
        for number, visit in visits.items():
            leaving = self._exits[number]
            for part, into in ((leaving.done, done), (leaving.stopped, stopped), (leaving.refused, refused)):
                if part is not None and part.rows:
                    rows = {row: weight * visit.numerator for row, weight in part.rows.items()}
                    into.append(Distribution(part.slots, rows, part.total * visit.denominator))
            refusal = refusal or leaving.refusal
        return Flow(merged(done), merged(stopped) if stopped else None, merged(refused) if refused else None, refusal)

    def _following(self, current: dict[int, N]) -> dict[int, N]:
        """The distribution after one more round."""
        following: dict[int, N] = {}
        for number, weight in current.items():
            if number < len(self._transitions):
                for other, chance in self._transitions[number]:
                    more = weight * chance
                    following[other] = following[other] + more if other in following else more
        return following

    def _cut_off(self, coming: dict[int, Fraction], most: int) -> Flow:
        """Simulate a limited number of rounds; the states that are still in the loop then are the remainder."""
        self._ctx.is_exact = False
        visits: dict[int, Fraction] = {}
        current = coming
        for _ in range(most):
            for number, weight in current.items():
                visits[number] = visits.get(number, Fraction(0)) + weight
            self._ctx.meter.count(len(current))
            current = self._following(current)
            if sum(current.values()) < _FAINT:
                break
        return self._left({number: visit for number, visit in visits.items() if number < len(self._exits)})


class _WithFlag(dict[int, bool]):
    """The live slots, and the flag of the round."""

    def __init__(self, live: LiveSlots) -> None:
        super().__init__()
        self._live = live

    def __missing__(self, slot: int) -> bool:
        return self._live[slot]


class _Wider(Exception):
    """A state has slots outside the layout."""

    def __init__(self, layout: tuple[int, ...]) -> None:
        super().__init__()
        self.layout = layout
