"""Independent rounds: each adds to running totals and reads nothing that another round changes, so all are rolled at once.

Each of forty units checks morale, and the rules count the units that failed. The rounds are then dice of a pool: the
outcomes of a round are the sides of a die, and the amounts that they add to the totals are its values. The totals after all
rounds are sums over the pool (see ``dice.convolution``), a power of one polynomial if the units are equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final, TypeAlias

from enfilade.core import ir
from enfilade.engines.odds.analysis.plan import Step
from enfilade.engines.odds.dice.keep_highest import sums_of
from enfilade.engines.odds.dice.pool import Group, Side, Sum
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import UNCHANGED, Distribution, Flow, Increment, Row, one_state, updated
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.steps.fold_records import fold
from enfilade.engines.odds.steps.tasks import RunSteps

Rounds: TypeAlias = Sequence[tuple[Any, RunSteps]]
"""The record of each round, and its steps."""
Body: TypeAlias = Callable[[Context, RunSteps, Distribution, Origin], Flow]
"""Runs the steps of a round."""
_Amounts: TypeAlias = tuple[tuple[int, Any], ...]
"""What an outcome of a round adds to each total, by slot."""
_Die: TypeAlias = tuple[tuple[_Amounts, int], ...]
"""The outcomes of a round with their weights."""

_FACE: Final = ir.Face(0, 0)
_NUMBERS: Final = (int, Fraction)


def all_at_once(
    ctx: Context, rounds: Rounds, step: Step, frame: CallFrame, states: Distribution, origin: Origin, body: Body
) -> Distribution | None:
    """The states after independent rounds.

    Args:
        ctx: The context.
        rounds: The rounds, each for another record.
        step: The step that runs them.
        frame: Its frame.
        states: The states before them.
        origin: The origin of the states.
        body: Runs the steps of a round.

    Returns:
        The states; ``None`` if a round reads what another one changes, or changes more than totals.
    """
    index = {slot: place for place, slot in enumerate(states.slots)}
    parts: list[tuple[Row, int, _Pool]] = []
    for row, weight in states.rows.items():
        pool = _Pool(ctx, step, frame, Origin(row, index, origin))
        if not all(pool.add(ref, round_, body) for ref, round_ in rounds):
            return None
        parts.append((row, weight, pool))
    more = tuple(dict.fromkeys(slot for _, _, pool in parts for slot in pool.totals if slot not in index))
    layout, fill = (*states.slots, *more), (UNCHANGED,) * len(more)
    every = lcm(*(pool.throws for _, _, pool in parts))
    rows: dict[Row, int] = {}
    for row, weight, pool in parts:
        before = dict(zip(layout, (*row, *fill), strict=True))
        scaled = weight * (every // pool.throws)
        for changes, times in pool.outcomes():
            key = tuple([updated(value, changes.get(slot, UNCHANGED)) for slot, value in before.items()])
            rows[key] = rows.get(key, 0) + scaled * times
    return Distribution(layout, rows, states.total * every)


class _Pool:
    """Independent rounds from one state as a pool of dice.

    Attributes:
        totals: The slots of the totals that they add to.
        throws: The total weight of the outcomes.
    """

    def __init__(self, ctx: Context, step: Step, frame: CallFrame, start: Origin) -> None:
        self.totals: dict[int, None] = {}
        self.throws = 1
        self._ctx = ctx
        self._step = step
        self._frame = frame
        self._start = start
        self._dice: Counter[_Die] = Counter()
        self._changed: set[int] = set()
        self._relative: set[int] = set()

    def add(self, ref: Any, round_: RunSteps, body: Body) -> bool:
        """Add a round; return whether it is independent of those before it, and only adds to totals."""
        at = Origin((), {}, self._start)
        flow = body(self._ctx, round_, one_state(), at)
        done = flow.done
        if flow.stopped is not None or flow.refused is not None or sum(done.rows.values()) != done.total:
            return False
        if not self._changed.isdisjoint(at.reads):
            return False
        self._changed.update(done.slots)
        folded = fold(self._ctx, done, ref, self._step, self._frame, at)
        names = self._ctx.slots.names
        if any(names[slot][0] != "run" for slot in folded.slots):
            return False
        die: dict[_Amounts, int] = {}
        for row, weight in folded.rows.items():
            amounts = tuple([(slot, self._added(slot, value)) for slot, value in zip(folded.slots, row, strict=True)])
            if any(type(amount) not in _NUMBERS for _, amount in amounts):
                return False
            die[amounts] = die.get(amounts, 0) + weight
        self.totals.update(dict.fromkeys(folded.slots))
        self.throws *= done.total
        self._dice[tuple(die.items())] += 1
        return True

    def _added(self, slot: int, value: Any) -> Any:
        """What a round adds to a total."""
        if value is UNCHANGED:
            return 0
        if type(value) is Increment:
            self._relative.add(slot)
            return value.amount
        return value - self._start.base(slot)

    def outcomes(self) -> Iterator[tuple[dict[int, Any], int]]:
        """The changes of the totals by all rounds together, each with its weight."""
        groups = [Group(count, tuple(Side(_FACE, weight) for _, weight in die)) for die, count in self._dice.items()]
        sums = [
            Sum(tuple(tuple(dict(amounts).get(slot, 0) for amounts, _ in die) for die in self._dice))
            for slot in self.totals
        ]
        for added, weight in sums_of(groups, sums, self._ctx.meter).items():
            yield {slot: self._change(slot, amount) for slot, amount in zip(self.totals, added, strict=True)}, weight

    def _change(self, slot: int, amount: Any) -> Any:
        if slot in self._relative:
            return Increment(amount) if amount else UNCHANGED
        return self._start.base(slot) + amount
