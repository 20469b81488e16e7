"""Loops until a condition holds, as an absorbing Markov chain solved by linear equations.

The states at the beginning of a round are the states of the chain, and a round is a transition between them. A round may
lead back to an earlier state: a tie is rolled again, both sides miss. The expected number of visits to each state solves
linear equations (see ``linear_equations``); the distribution after the loop follows from the visits.

If rounds are counted and the count is read, the chain has infinitely many states, unless the count ends the loop (see
``own_end``). When the chance of another round is negligible, numbers that still rise are widened (abstract interpretation):
those above the highest number so far become one tail (see ``dice.tails``), which makes the chain finite. If it stays
infinite, the remaining weight is the remainder. The means of the tails solve the same equations (first moments): each
transition adds a known number to a tail, or begins it.

If hardly any play ends while the number of rounds doubles, a copy of the chain is widened at once and searched for states
that are never left: a loop that may go on forever is refused, with its place.
"""

from __future__ import annotations

from copy import copy
from fractions import Fraction
from typing import Any, Final, TypeVar

from enfilade.core import ir
from enfilade.core.run import Refused
from enfilade.engines.odds.analysis.plan import Step
from enfilade.engines.odds.dice.tails import Tail, low_of, tail
from enfilade.engines.odds.states.causes import endless
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import (
    UNCHANGED,
    Distribution,
    Flow,
    Row,
    in_lowest_terms,
    merged,
    no_states,
    one_state,
    projected,
)
from enfilade.engines.odds.states.expressions import grouped, split
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.kernels import Kernel
from enfilade.engines.odds.states.live_slots import LiveSlots, SlotSet
from enfilade.engines.odds.states.slots import Name, Origin
from enfilade.engines.odds.states.transitions import apply, joined
from enfilade.engines.odds.steps.linear_equations import expected_visits, may_never_end
from enfilade.engines.odds.steps.loops import filled
from enfilade.engines.odds.steps.own_end import OwnEnd
from enfilade.errors import LimitError

ROUNDS: Final = 1_000
"""The highest number of rounds of a loop that states no limit."""
N = TypeVar("N", float, Fraction)
_FAINT: Final = Fraction(1, 10**15)
_STALLED: Final = 0.999
"""A loop is searched for states that it never leaves if more than this share of the plays in it stay while the rounds double."""
_CLOSING: Final = 64
"""The rounds in which a chain must become finite after its numbers were capped."""
_NUMBERS: Final = (int, Fraction)


def repeat_until(
    ctx: Context, states: Distribution, step: Step, s: ir.Repeat, frame: CallFrame, origin: Origin
) -> Flow:
    """Repeat steps until a condition holds; it is tested after each round."""
    live = ctx.live_slots(step.blocks[0].live, frame.depth)
    start = ctx.live_slots(step.round_start, frame.depth)
    key = (id(step), id(frame))
    kernel = ctx.kernel(key, frame, step.facts, lambda round_origin: _round(ctx, step, s, frame, round_origin))
    chain = _Chain(ctx, s, kernel, live, start, origin, ctx.slots.number("again"))
    flow = chain.run(projected(states, start), ROUNDS if s.limit is None else s.limit)
    return joined([flow], ctx.live_slots(step.live, frame.depth))


def _round(ctx: Context, step: Step, s: ir.Repeat, frame: CallFrame, origin: Origin) -> Flow:
    """One round from one state, with a flag for whether another round follows."""
    assert s.until is not None
    again = ctx.slots.number("again")
    live = ctx.live_slots(step.blocks[0].live, frame.depth)
    flow = ctx.run(one_state(), step.blocks[0], frame, origin)
    over, on = split(grouped(ctx, (id(step), "until"), s.until, flow.done, frame, origin, step.kinds))
    parts = [_flagged(projected(over, live), again, False), _flagged(projected(on, live), again, True)]
    return Flow(merged(parts), flow.stopped, flow.refused, flow.refusal)


def _flagged(states: Distribution, slot: int, value: bool) -> Distribution:
    rows = {(*row, value): weight for row, weight in states.rows.items()}
    return Distribution((*states.slots, slot), rows, states.total)


class _Chain:
    """The Markov chain of a loop: its states, the transitions of one round, and the flows that leave it."""

    def __init__(
        self,
        ctx: Context,
        s: ir.Repeat,
        kernel: Kernel,
        live: LiveSlots,
        start: LiveSlots,
        origin: Origin,
        again: int,
    ) -> None:
        self._ctx = ctx
        self._statement = s
        self._kernel = kernel
        self._live = _WithFlag(live)
        self._start = start
        self._origin = origin
        self._again = again
        self._restart((), {})

    def _restart(self, layout: tuple[int, ...], caps: dict[int, Any]) -> None:
        """Begin with no states, in a layout and with caps."""
        self._layout = layout
        self._index: dict[int, int] = {}
        self._numbers: dict[Row, int] = {}
        self._transitions: list[list[tuple[int, Fraction]]] = []
        self._roughly: list[list[tuple[int, float]]] = []
        self._exits: list[Flow] = []
        self._caps = caps
        self._added: list[tuple[int, int, Fraction, Row]] = []

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
                self._restart(wider.layout, {})
            except LimitError as error:
                if error.limit == "rounds" and error.place is None:
                    raise endless(self._statement) from error
                self._ctx.meter.met(Distribution(self._layout, dict(self._numbers), 1))
                raise

    def _run(self, states: Distribution, most: int) -> Flow:
        self._index = {slot: place for place, slot in enumerate(self._layout)}
        more = (UNCHANGED,) * (len(self._layout) - len(states.slots))
        coming: dict[int, Fraction] = {}
        for row, weight in states.rows.items():
            number = self._number_of(self._filled((*row, *more)))
            coming[number] = coming.get(number, Fraction(0)) + Fraction(weight, states.total)
        # Only the size of what is left matters here, so floats will do.
        closing, done, current = 0, 0, {number: float(weight) for number, weight in coming.items()}
        left: list[float] = []
        own_end = OwnEnd(self._ctx.situation.program, self._statement, self._name_of, self._ends, most)
        for number_of_round in range(most):
            fresh = range(done, len(self._numbers))
            if not fresh:
                return self._left(expected_visits(coming, self._transitions))
            done = len(self._numbers)
            rows = list(self._numbers)
            for number in fresh:
                self._explore(rows[number])
                self._roughly.append([(other, float(chance)) for other, chance in self._transitions[-1]])
            current = self._following(current, self._roughly)
            left.append(sum(current.values()))
            if self._is_stalled(left):
                self._check_end(current, done)
            is_late = self._statement.limit is None and number_of_round >= ROUNDS - 2 * _CLOSING
            is_faint = left[-1] < _FAINT
            if (is_late or is_faint) and done < len(self._numbers):
                if own_end.is_ahead(number_of_round, rows[fresh.start :], list(self._numbers)[done:]):
                    continue
                if own_end.is_found:
                    self._ctx.ending.add(id(self._statement))
                # New states appear in every round, with a negligible chance or without end.
                closing += 1
                if (closing > _CLOSING or not self._widen(done)) and is_faint:
                    return self._cut_off(coming, number_of_round + 1)
        if done == len(self._numbers):
            return self._left(expected_visits(coming, self._transitions))
        return self._cut_off(coming, most)

    def _name_of(self, place: int) -> Name:
        """The variable at a place of the states."""
        return self._ctx.slots.names[self._layout[place]]

    def _ends(self, row: Row) -> bool:
        """Whether no play goes on after a round from a state."""
        flow = apply(self._ctx, self._kernel, Distribution(self._layout, {row: 1}, 1), self._live, self._origin)
        at = flow.done.slots.index(self._again) if flow.done.rows else 0
        return not any(found[at] for found in flow.done.rows)

    @property
    def _states_limit(self) -> bool:
        """Whether the rules limit the rounds; the turns of ``until``, which no rules contain, have a limit of the engine."""
        return self._statement.limit is not None and self._statement.note.span is not None

    def _is_stalled(self, left: list[float]) -> bool:
        """Whether the second half of the rounds so far has ended hardly any play; looked at after 128, 256, 512 rounds.

        Args:
            left: The chance of another round after each round.
        """
        rounds = len(left)
        is_time = rounds >= 2 * _CLOSING and rounds & (rounds - 1) == 0
        return not self._states_limit and is_time and not self._caps and left[-1] > _STALLED * left[rounds // 2 - 1]

    def _check_end(self, current: dict[int, float], done: int) -> None:
        """Check that the loop can end from the states of one round: a copy of the chain has its numbers widened.

        Args:
            current: The states of the round.
            done: How many states were explored.

        Raises:
            LimitError: The copy may never end, so the loop may not end either.
        """
        caps, rows = self._rising(done), list(self._numbers)
        if not caps:
            return
        trial = copy(self)
        trial._restart(self._layout, caps)
        for number in current:
            trial._number_of(rows[number])
        if trial._explore_all() and may_never_end(trial._transitions):
            raise endless(self._statement)

    def _explore_all(self) -> bool:
        """Explore all states; return whether there is an end to them within some rounds."""
        self._index = {slot: place for place, slot in enumerate(self._layout)}
        for _ in range(_CLOSING):
            rows = list(self._numbers)
            if len(self._transitions) == len(rows):
                return True
            for row in rows[len(self._transitions) :]:
                self._explore(row)
        return False

    def _widen(self, done: int) -> bool:
        """Cap the numbers that still rise after some states were explored; return whether there are any."""
        self._caps = self._caps or self._rising(done)
        return bool(self._caps)

    def _rising(self, done: int) -> dict[int, Any]:
        """The places of the numbers that are higher in new states, each with its highest value in explored states."""
        found: dict[int, Any] = {}
        rows = list(self._numbers)
        for place in range(len(self._layout)) if done < len(rows) else ():
            before, after = ([low_of(row[place]) for row in part] for part in (rows[:done], rows[done:]))
            if all(type(value) in _NUMBERS for value in (*before, *after)) and max(after) > max(before):
                found[place] = max(before)
        return found

    def _widened(self, row: Row) -> Row:
        """A state in which numbers above their cap are a tail."""
        if not self._caps:
            return row
        values = list(row)
        for place, cap in self._caps.items():
            value = row[place]
            if value.low >= cap if type(value) is Tail else type(value) in _NUMBERS and value > cap:
                values[place] = tail(cap, self._statement, 0, (id(self), self._layout[place]))
        return tuple(values)

    def _number_of(self, row: Row) -> int:
        found = self._numbers.get(row)
        if found is None:
            found = self._numbers[row] = len(self._numbers)
            self._ctx.meter.count(1)
        return found

    def _filled(self, row: Row) -> Row:
        """A state with the values of unchanged fields written out."""
        if UNCHANGED not in row:
            return row
        return next(iter(filled(self._ctx, Distribution(self._layout, {row: 1}, 1), self._origin).rows))

    def _explore(self, row: Row) -> None:
        """Run one round from one state; a state that is widened goes on as another one."""
        widened = self._widened(row)
        if any(a is not b for a, b in zip(row, widened, strict=True)):
            number = self._number_of(widened)
            self._added.append((len(self._transitions), number, Fraction(1), row))
            self._transitions.append([(number, Fraction(1))])
            self._exits.append(Flow(no_states()))
            return
        flow = apply(self._ctx, self._kernel, Distribution(self._layout, {row: 1}, 1), self._live, self._origin)
        onward: list[tuple[int, Fraction]] = []
        out: list[Distribution] = []
        done = flow.done
        if done.rows:
            at = done.slots.index(self._again)
            layout = (*done.slots[:at], *done.slots[at + 1 :])
            more = tuple(slot for slot in layout if self._start[slot] and slot not in self._index)
            if more:
                raise _Wider((*self._layout, *more))
            places = [layout.index(slot) if slot in layout else -1 for slot in self._layout]
            rows: dict[Row, int] = {}
            for found, weight in done.rows.items():
                rest = (*found[:at], *found[at + 1 :])
                if found[at]:
                    state = tuple([UNCHANGED if place < 0 else rest[place] for place in places])
                    filled_state = self._filled(state)
                    number = self._number_of(self._widened(filled_state))
                    chance = Fraction(weight, done.total)
                    onward.append((number, chance))
                    if self._caps:
                        self._added.append((len(self._transitions), number, chance, filled_state))
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
        means = self._means(visits) if self._caps else None
        for number, visit in visits.items():
            leaving = self._exits[number]
            for part, into in ((leaving.done, done), (leaving.stopped, stopped), (leaving.refused, refused)):
                if part is not None and part.rows:
                    rows: dict[Row, int] = {}
                    for row, weight in part.rows.items():
                        left = row if means is None else self._with_means(row, number, means)
                        rows[left] = rows.get(left, 0) + weight * visit.numerator
                    into.append(Distribution(part.slots, rows, part.total * visit.denominator))
            refusal = refusal or leaving.refusal
        # The visits have denominators of their own, so the totals have factors that mean nothing.
        onward, halted, denied = (in_lowest_terms(merged(parts)) for parts in (done, stopped, refused))
        return Flow(onward, halted if stopped else None, denied if refused else None, refusal)

    # -- means ------------------------------------------------------------------------------------------------

    def _means(self, visits: dict[int, Fraction]) -> dict[int, dict[int, Fraction]]:
        """For each capped variable the mean of its tail in each state; variables that only a known number is added to."""
        found = {}
        for place in self._caps:
            moments = self._moments(place, visits)
            if moments is not None:
                found[self._layout[place]] = {number: moment / visits[number] for number, moment in moments.items()}
        return found

    def _moments(self, place: int, visits: dict[int, Fraction]) -> dict[int, Fraction] | None:
        """The visits to each state with a tail times its mean there: linear equations; ``None`` if they are unknown."""
        slot, rows = self._layout[place], list(self._numbers)
        coming: dict[int, Fraction] = {}
        onward: list[list[tuple[int, Fraction]]] = [[] for _ in rows]
        for number, other, chance, row in self._added:
            if number not in visits or type(rows[other][place]) is not Tail:
                continue
            value = row[place]
            amount = value.mean if type(value) is Tail else value
            if amount is None:
                return None
            coming[other] = coming.get(other, Fraction(0)) + visits[number] * chance * amount
            if type(value) is Tail and value.base is not None:
                if value.base != (id(self), slot):
                    return None
                onward[number].append((other, chance))
        return expected_visits(coming, onward)

    def _with_means(self, row: Row, number: int, means: dict[int, dict[int, Fraction]]) -> Row:
        """A state that leaves the loop, in which tails know their means."""
        return tuple([self._with_mean(value, number, means) if type(value) is Tail else value for value in row])

    def _with_mean(self, value: Tail, number: int, means: dict[int, dict[int, Fraction]]) -> Tail:
        if value.base is None or value.base[0] != id(self):
            return value
        mean = means.get(value.base[1], {}).get(number)
        return tail(value.low, value.source, None if mean is None or value.mean is None else value.mean + mean)

    def _following(self, current: dict[int, N], transitions: list[list[tuple[int, N]]]) -> dict[int, N]:
        """The distribution after one more round."""
        self._ctx.meter.count(len(current))
        following: dict[int, N] = {}
        for number, weight in current.items():
            if number < len(transitions):
                for other, chance in transitions[number]:
                    more = weight * chance
                    following[other] = following[other] + more if other in following else more
        return following

    def _cut_off(self, coming: dict[int, Fraction], most: int) -> Flow:
        """Simulate a limited number of rounds; the states that are still in the loop then are the remainder."""
        self._ctx.cut(self._statement)
        visits: dict[int, Fraction] = {}
        current = coming
        for _ in range(most):
            for number, weight in current.items():
                visits[number] = visits.get(number, Fraction(0)) + weight
            current = self._following(current, self._transitions)
            if sum(current.values()) < _FAINT:
                break
        return self._left({number: visit for number, visit in visits.items() if number < len(self._exits)})


class _WithFlag(SlotSet):
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
