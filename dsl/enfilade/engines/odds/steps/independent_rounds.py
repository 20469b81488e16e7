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
from typing import Any, Final, NamedTuple, TypeAlias

from enfilade.core import ir
from enfilade.engines.odds.analysis.plan import Step
from enfilade.engines.odds.dice.keep_highest import sums_of
from enfilade.engines.odds.dice.pool import Group, Side, Sum
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import (
    UNCHANGED,
    Distribution,
    Flow,
    Increment,
    Row,
    Slots,
    one_state,
    updated,
)
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.states.symmetry import Exchange
from enfilade.engines.odds.steps.fold_records import fold
from enfilade.engines.odds.steps.tasks import RunSteps
from enfilade.values.data import Ref

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
_MOST: Final = 8
"""How many rounds that are not alike are kept for comparison."""


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


class _Round(NamedTuple):
    """A round that was run: its record, its steps, what they read and changed, and its outcomes with their total weight."""

    ref: Ref
    round: RunSteps
    reads: dict[int, Any]
    changed: Slots
    die: _Die
    total: int


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
        self._known: list[_Round] = []

    def add(self, ref: Any, round_: RunSteps, body: Body) -> bool:
        """Add a round; return whether it is independent of those before it, and only adds to totals."""
        alike = self._alike(ref, round_)
        if alike is not None:
            known, exchange = alike
            if not self._changed.isdisjoint(map(exchange.slot, known.reads)):
                return False
            self._changed.update(map(exchange.slot, known.changed))
            self.throws *= known.total
            self._dice[known.die] += 1
            return True
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
        if type(ref) is Ref and self._relative.issuperset(folded.slots) and len(self._known) < _MOST:
            # A share in a sum over records may depend on more than the round, so those are not exchanged.
            self._known.append(_Round(ref, round_, dict(at.reads), done.slots, tuple(die.items()), done.total))
        return True

    def _alike(self, ref: Any, round_: RunSteps) -> tuple[_Round, Exchange] | None:
        """A round before this one that is the same with their two records exchanged."""
        if type(ref) is not Ref:
            return None
        for known in self._known:
            if round_.block is known.round.block and round_.where is known.round.where:
                bound = dict(round_.bindings)
                alike = self._ctx.alike(round_.block, round_.where, round_.frame, bound)
                exchange = alike.exchange(known.ref, dict(known.round.bindings), ref, bound)
                if exchange is not None and all(
                    exchange.is_other(value, self._start.base(exchange.slot(slot)))
                    for slot, value in known.reads.items()
                ):
                    return known, exchange
        return None

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
