"""Loops over worlds: so many times, or until something holds.

*So many times.* What a round does hangs on the world alone, not on the number of the round. Worlds that are to go round
three more times are together, wherever their count began: so a loop whose count is itself rolled costs as many rounds as
its highest count.

*Until something holds.* The rounds lead from world to world, and may come back to one that was there before: a tie is
rolled again, both sides miss. The worlds at the beginning of a round are states, and a round is a step between them, with
chances. How often each state is visited follows from linear equations: the visits of a state are what comes into the loop
there, and for each state the visits of that state times the chance to go from there. Those are solved exactly, one group of
states that lead to each other after the other (Tarjan's strongly connected components, Gauss's elimination within each).
Where the states have no end, as when rounds are counted and the count is asked for, as many rounds are done as play allows, or
until what goes on is next to nothing; it is the remainder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, Final

from enfilade.core import ir
from enfilade.core.run import Refused
from enfilade.engines.odds.kernels import Kernel
from enfilade.engines.odds.view import Level
from enfilade.engines.odds.worlds import KEEP, Flow, Row, Worlds, merged, no_worlds, one_world, projected
from enfilade.errors import LimitError, RuleError

if TYPE_CHECKING:
    from enfilade.core.types import Type
    from enfilade.engines.odds.answer import OddsLimits
    from enfilade.engines.odds.engine import Context, Keeper
    from enfilade.engines.odds.needs import Tokens
    from enfilade.engines.odds.plan import Block, Step
    from enfilade.engines.odds.view import Slots, View

ROUNDS: Final = 1_000
_ROUND: Final = 40
_MOST_EQUATIONS: Final = 400
_FAINT: Final = Fraction(1, 10**15)


class Rounds:
    """How loops move worlds."""

    limits: OddsLimits
    slots: Slots
    is_exact: bool

    if TYPE_CHECKING:

        def count(self, worlds: int) -> None: ...

        view: View

        def run(self, worlds: Worlds, block: Block, context: Context, level: Level) -> Flow: ...
        def stretch(
            self, start: dict[int, Any], block: Block, context: Context, keep: Keeper, level: Level
        ) -> Flow: ...
        def through(
            self,
            start: dict[int, Any],
            block: Block,
            context: Context,
            keep: Keeper,
            level: Level,
            after: Callable[[], None] | None = None,
        ) -> Flow | None: ...
        def worth(self, e: ir.Expr, frame: Any, kinds: Any = ...) -> Any: ...
        def apply(self, kernel: Kernel, worlds: Worlds, keep: Keeper, level: Level) -> Flow: ...
        def kernel(self, key: Any, run: Any, fixed: Mapping[int, Any] | None = None) -> Kernel: ...
        def keeper(self, live: Tokens, depth: int) -> Keeper: ...
        def value(self, key: Any, e: ir.Expr, context: Context) -> Kernel: ...
        def grouped(self, kernel: Kernel, worlds: Worlds, level: Level) -> dict[Any, Worlds]: ...
        def truth(
            self, key: Any, e: ir.Expr, worlds: Worlds, context: Context, level: Level, kinds: Mapping[str, Type] = ...
        ) -> tuple[Worlds, Worlds]: ...
        def joined(self, flows: list[Flow], keep: Mapping[int, bool]) -> Flow: ...

    def repeat(self, worlds: Worlds, step: Step, s: ir.Repeat, context: Context, level: Level) -> Flow:
        """Repeat steps."""
        keep = self.keeper(step.blocks[0].live, context.depth)
        if s.times is not None:
            flow = self._so_many_times(worlds, step, s.times, context, keep, level)
        else:
            flow = self._until(worlds, step, s, context, keep, level)
        return self.joined([flow], self.keeper(step.live, context.depth))

    # -- so many times ----------------------------------------------------------------------------------------

    def _so_many_times(
        self, worlds: Worlds, step: Step, times: ir.Expr, context: Context, keep: Keeper, level: Level
    ) -> Flow:
        counts = self.value((id(step), "times"), times, context)
        waiting = self.grouped(counts, worlds, level)
        if None in waiting:
            raise RuleError("none stands where a value is needed: the number of times")
        kernel = self.kernel(
            (id(step), id(context)), lambda inner: self.stretch({}, step.blocks[0], context, keep, inner)
        )
        # Only what a round reads, or somebody after the loop, tells worlds apart.
        reached: dict[int, list[Worlds]] = {max(left, 0): [] for left in waiting}
        for left, group in waiting.items():
            reached[max(left, 0)].append(projected(group, keep))
        flows: list[Flow] = []
        current = no_worlds()
        for left in range(max(reached, default=0), 0, -1):
            current = merged([current, *reached.get(left, [])])
            flow = self._straight(kernel, current, keep, level)
            if flow.stopped is not None or flow.refused is not None:
                flows.append(flow.aside())
            current = flow.done
            if not current.rows and left - 1 not in reached and not any(other < left for other in reached):
                break
        flows.append(Flow(merged([current, *reached.get(0, [])])))
        return self.joined(flows, keep)

    def filled(self, worlds: Worlds, level: Level) -> Worlds:
        """Worlds in which fields that did not change stand too: so that what has become alike is the same row."""
        if not worlds.rows:
            return worlds
        names = self.slots.names
        fill = [level.base(slot) if names[slot][0] in ("field", "deck") else KEEP for slot in worlds.slots]
        rows: dict[Row, int] = {}
        for row, weight in worlds.rows.items():
            key = row
            if KEEP in row:
                key = tuple([before if value is KEEP else value for value, before in zip(row, fill, strict=True)])
            rows[key] = rows.get(key, 0) + weight
        return Worlds(worlds.slots, rows, worlds.total)

    def _straight(self, kernel: Kernel, worlds: Worlds, keep: Keeper, level: Level) -> Flow:
        """A round, for worlds most of which were there in a round before: from row to row, without a search."""
        key = (id(kernel), worlds.slots)
        known = level.straight.get(key)
        if known is None:
            flow = self.apply(kernel, worlds, keep, level)
            flow.done = self.filled(flow.done, level)
            if flow.stopped is None and flow.refused is None and flow.done.slots == worlds.slots:
                level.straight[key] = {}
            return flow
        fresh = [row for row in worlds.rows if row not in known]
        for row in fresh:
            single = self.apply(kernel, Worlds(worlds.slots, {row: 1}, 1), keep, level)
            if single.stopped is not None or single.refused is not None or single.done.slots != worlds.slots:
                del level.straight[key]
                return self.apply(kernel, worlds, keep, level)
            done = self.filled(single.done, level)
            known[row] = done.total, list(done.rows.items())
        moves = [(weight, known[row]) for row, weight in worlds.rows.items()]
        every = lcm(*{total for _, (total, _) in moves}) if moves else 1
        rows: dict[Row, int] = {}
        get = rows.get
        size = 0
        for weight, (total, onward) in moves:
            scaled = weight if total == every else weight * (every // total)
            size += len(onward)
            for row, times in onward:
                rows[row] = get(row, 0) + scaled * times
        self.count(size + _ROUND)
        return Flow(Worlds(worlds.slots, rows, worlds.total * every))

    # -- until something holds --------------------------------------------------------------------------------

    def _until(self, worlds: Worlds, step: Step, s: ir.Repeat, context: Context, keep: Keeper, level: Level) -> Flow:
        assert s.until is not None
        kernel = self.kernel((id(step), id(context)), lambda inner: self._round(step, s, context, inner))
        walk = _Walk(self, kernel, keep, level, self.slots.number("again"))
        return walk.walked(projected(worlds, keep), ROUNDS if s.limit is None else s.limit)

    def _round(self, step: Step, s: ir.Repeat, context: Context, level: Level) -> Flow:
        """One round, and whether there is another."""
        assert s.until is not None
        until = s.until
        again = self.slots.number("again")
        keep = self.keeper(step.blocks[0].live, context.depth)

        def after() -> None:
            self.view.writes[again] = not self.worth(until, self.view.frame(context.depth), step.kinds)

        found = self.through({}, step.blocks[0], context, keep, level, after)
        if found is not None:
            return found
        flow = self.run(one_world(), step.blocks[0], context, level)
        over, on = self.truth((id(step), "until"), s.until, flow.done, context, level, step.kinds)
        parts = [_flagged(projected(over, keep), again, False), _flagged(projected(on, keep), again, True)]
        return Flow(merged(parts), flow.stopped, flow.refused, flow.refusal)


def _flagged(worlds: Worlds, slot: int, value: bool) -> Worlds:
    rows = {(*row, value): weight for row, weight in worlds.rows.items()}
    return Worlds((*worlds.slots, slot), rows, worlds.total)


class _Walk:
    """The states of a loop and the rounds between them."""

    def __init__(self, rounds: Rounds, kernel: Kernel, keep: Keeper, level: Level, again: int) -> None:
        self._rounds = rounds
        self._kernel = kernel
        self._keep = keep
        self._level = level
        self._again = again
        self._layout: tuple[int, ...] = ()
        self._index: dict[int, int] = {}
        self._states: dict[Row, int] = {}
        self._onward: list[list[tuple[int, Fraction]]] = []
        self._leaving: list[Flow] = []

    def walked(self, worlds: Worlds, most: int) -> Flow:
        """Where worlds are when the loop ends."""
        self._layout = worlds.slots
        while True:
            try:
                return self._walked(worlds, most)
            except _Wider as wider:
                # A round writes slots that the worlds did not have: they get them, and all begins again.
                self._layout = wider.layout
                self._states, self._onward, self._leaving = {}, [], []

    def _walked(self, worlds: Worlds, most: int) -> Flow:
        self._index = {slot: place for place, slot in enumerate(self._layout)}
        more = (KEEP,) * (len(self._layout) - len(worlds.slots))
        coming: dict[int, Fraction] = {}
        for row, weight in worlds.rows.items():
            number = self._state(self._filled((*row, *more)))
            coming[number] = coming.get(number, Fraction(0)) + Fraction(weight, worlds.total)
        done, current = 0, coming
        for number_of_round in range(most):
            fresh = range(done, len(self._states))
            if not fresh:
                return self._ended(_visits(coming, self._onward))
            done = len(self._states)
            rows = list(self._states)
            for number in fresh:
                self._explore(rows[number])
            current = self._following(current)
            if sum(current.values()) < _FAINT and done < len(self._states):
                # There is always another world, and next to nothing left in it.
                return self._cut_off(coming, number_of_round + 1)
        if done == len(self._states):
            return self._ended(_visits(coming, self._onward))
        return self._cut_off(coming, most)

    def _state(self, row: Row) -> int:
        found = self._states.get(row)
        if found is None:
            found = self._states[row] = len(self._states)
            self._rounds.count(1)
            if found >= self._rounds.limits.worlds:
                raise LimitError("worlds", f"a loop has more than {self._rounds.limits.worlds} worlds")
        return found

    def _filled(self, row: Row) -> Row:
        """A state in which the fields that did not change stand too."""
        if KEEP not in row:
            return row
        return next(iter(self._rounds.filled(Worlds(self._layout, {row: 1}, 1), self._level).rows))

    def _explore(self, row: Row) -> None:
        """What a round makes of one state."""
        flow = self._rounds.apply(self._kernel, Worlds(self._layout, {row: 1}, 1), _And(self._keep), self._level)  # type: ignore[arg-type]
        onward: list[tuple[int, Fraction]] = []
        out: list[Worlds] = []
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
                    state = tuple([KEEP if place < 0 else rest[place] for place in places])
                    state = self._filled(state)
                    onward.append((self._state(state), Fraction(weight, done.total)))
                else:
                    rows[rest] = rows.get(rest, 0) + weight
            out.append(Worlds(layout, rows, done.total))
        self._onward.append(onward)
        self._leaving.append(Flow(merged(out), flow.stopped, flow.refused, flow.refusal))

    def _ended(self, visits: dict[int, Fraction]) -> Flow:
        done: list[Worlds] = []
        stopped: list[Worlds] = []
        refused: list[Worlds] = []
        refusal: Refused | None = None
        for number, visit in visits.items():
            leaving = self._leaving[number]
            for part, into in ((leaving.done, done), (leaving.stopped, stopped), (leaving.refused, refused)):
                if part is not None and part.rows:
                    rows = {row: weight * visit.numerator for row, weight in part.rows.items()}
                    into.append(Worlds(part.slots, rows, part.total * visit.denominator))
            refusal = refusal or leaving.refusal
        return Flow(merged(done), merged(stopped) if stopped else None, merged(refused) if refused else None, refusal)

    def _following(self, current: dict[int, Fraction]) -> dict[int, Fraction]:
        """Where worlds are after another round."""
        following: dict[int, Fraction] = {}
        for number, weight in current.items():
            if number < len(self._onward):
                for other, chance in self._onward[number]:
                    following[other] = following.get(other, Fraction(0)) + weight * chance
        return following

    def _cut_off(self, coming: dict[int, Fraction], most: int) -> Flow:
        """As many rounds as play allows; what goes on then is the remainder."""
        self._rounds.is_exact = False
        visits: dict[int, Fraction] = {}
        current = coming
        for _ in range(most):
            for number, weight in current.items():
                visits[number] = visits.get(number, Fraction(0)) + weight
            self._rounds.count(len(current))
            current = self._following(current)
            if sum(current.values()) < _FAINT:
                break
        return self._ended({number: visit for number, visit in visits.items() if number < len(self._leaving)})


class _And(dict[int, bool]):
    """What a keeper keeps, and the flag of the round."""

    def __init__(self, keep: Keeper) -> None:
        super().__init__()
        self._keeper = keep

    def __missing__(self, slot: int) -> bool:
        return self._keeper[slot]


class _Wider(Exception):
    """The layout must be wider."""

    def __init__(self, layout: tuple[int, ...]) -> None:
        super().__init__()
        self.layout = layout


# ----------------------------------------------------------------------------------------------------- equations


def _visits(coming: dict[int, Fraction], onward: list[list[tuple[int, Fraction]]]) -> dict[int, Fraction]:
    """How often each state is visited, on average.

    Args:
        coming: What comes into the loop at each state.
        onward: For each state, where a round leads, with the chance.
    """
    visits: dict[int, Fraction] = {}
    inflow = dict(coming)
    for group in _components(onward):
        entering = {number: inflow[number] for number in group if inflow.get(number)}
        if not entering:
            continue
        solved = _solved(group, entering, onward)
        inside = set(group)
        for number, visit in solved.items():
            visits[number] = visit
            for other, chance in onward[number]:
                if other not in inside:
                    inflow[other] = inflow.get(other, Fraction(0)) + visit * chance
    return visits


def _solved(
    group: list[int], entering: dict[int, Fraction], onward: list[list[tuple[int, Fraction]]]
) -> dict[int, Fraction]:
    """The visits of some states that lead to each other."""
    if len(group) == 1:
        (number,) = group
        back = sum((chance for other, chance in onward[number] if other == number), Fraction(0))
        if back == 1:
            raise LimitError("rounds", "a loop can go on for ever")
        return {number: entering[number] / (1 - back)}
    if len(group) > _MOST_EQUATIONS:
        raise LimitError("worlds", f"a loop leads back and forth between more than {_MOST_EQUATIONS} worlds")
    place = {number: at for at, number in enumerate(group)}
    size = len(group)
    rows = [[Fraction(int(at == column)) for column in range(size)] for at in range(size)]
    for number in group:
        for other, chance in onward[number]:
            if other in place:
                rows[place[other]][place[number]] -= chance
    known = [entering.get(number, Fraction(0)) for number in group]
    return dict(zip(group, _eliminated(rows, known), strict=True))


def _eliminated(rows: list[list[Fraction]], known: list[Fraction]) -> list[Fraction]:
    """The solution of linear equations."""
    size = len(rows)
    for at in range(size):
        pivot = next((row for row in range(at, size) if rows[row][at]), None)
        if pivot is None:
            raise LimitError("rounds", "a loop can go on for ever")
        rows[at], rows[pivot] = rows[pivot], rows[at]
        known[at], known[pivot] = known[pivot], known[at]
        scale = rows[at][at]
        filled = [column for column in range(at, size) if rows[at][column]]
        for column in filled:
            rows[at][column] /= scale
        known[at] /= scale
        for row in range(size):
            factor = rows[row][at]
            if row != at and factor:
                for column in filled:
                    rows[row][column] -= factor * rows[at][column]
                known[row] -= factor * known[at]
    return known


def _components(onward: list[list[tuple[int, Fraction]]]) -> list[list[int]]:
    """Groups of states that lead to each other, each before those that it leads to."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    path: list[int] = []
    on_path: set[int] = set()
    found: list[list[int]] = []
    for start in range(len(onward)):
        if start in order:
            continue
        work = [(start, iter(onward[start]))]
        order[start] = low[start] = len(order)
        path.append(start)
        on_path.add(start)
        while work:
            number, rest = work[-1]
            for other, _ in rest:
                if other not in order:
                    order[other] = low[other] = len(order)
                    path.append(other)
                    on_path.add(other)
                    work.append((other, iter(onward[other])))
                    break
                if other in on_path:
                    low[number] = min(low[number], order[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[number])
                if low[number] == order[number]:
                    group = []
                    while True:
                        member = path.pop()
                        on_path.discard(member)
                        group.append(member)
                        if member == number:
                            break
                    found.append(group)
    found.reverse()
    return found
