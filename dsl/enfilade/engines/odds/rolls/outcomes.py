"""The outcomes of one roll as states: the faces, or only the values that the rules read from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from enfilade.core import ir
from enfilade.core.run import Frame
from enfilade.engines.odds.analysis.aggregates import PoolPlan
from enfilade.engines.odds.dice.pool import Table
from enfilade.engines.odds.dice.tails import Undecided
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import Distribution, Row, frozen_value, taking
from enfilade.engines.odds.states.expressions import value_of
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.state_evaluator import failed
from enfilade.errors import RuleError
from enfilade.values.data import Roll


@frozen(eq=False)
class PendingRoll:
    """A roll in one state, before its dice are known.

    Attributes:
        ctx: The context.
        statement: The roll.
        plan: The values that replace its faces.
        env: The locals.
        live: The live slots after it.
    """

    ctx: Context
    statement: ir.RollDice
    plan: PoolPlan
    env: Frame
    live: LiveSlots

    def states(self, table: Table, extra: Mapping[int, Any] | None = None, total: int | None = None) -> Distribution:
        """The outcomes as states.

        Args:
            table: The weight of each tuple of kept values.
            extra: Further changes, by slot.
            total: The total of the weights, if some are missing.
        """
        evaluator = self.ctx.evaluator
        locals_ = evaluator.locals(evaluator.depth)
        slots = [locals_.slot(name) for name in self._names()]
        kept = [place for place, slot in enumerate(slots) if self.live[slot]]
        more, take = tuple((extra or {}).values()), taking(kept)
        rows: dict[Row, int] = {}
        for values, weight in table.items():
            key = take(values) + more
            rows[key] = rows.get(key, 0) + weight
        every = sum(table.values()) if total is None else total
        return Distribution(take(tuple(slots)) + tuple(extra or ()), rows, every)

    def _names(self) -> tuple[str, ...]:
        return (self.statement.local,) if self.plan.aggregates is None else self.plan.locals

    def states_of(self, rolls: Iterable[tuple[Roll, int]], extra: Mapping[int, Any] | None = None) -> Distribution:
        """Convert rolls and their weights to states."""
        table: Table = {}
        total = 0
        for roll, weight in rolls:
            total += weight
            try:
                key = self.read_of(roll)
            except Undecided as undecided:
                self.ctx.cut(undecided.source)
                continue
            table[key] = table.get(key, 0) + weight
        return self.states(table, extra, total)

    def read_of(self, roll: Roll) -> Row:
        """The kept values of one roll, computed by the evaluator."""
        aggregates = self.plan.aggregates
        if aggregates is None:
            return (roll,)
        self.env.locals[self.statement.local] = roll
        self.ctx.evaluator.shared.steps = 0
        return self._derived(tuple(self.value_or_failed(each.expression) for each in aggregates))

    def value_or_failed(self, e: ir.Expr) -> Any:
        """A value of a roll, or its error, which is raised only if a step reads the value."""
        try:
            return frozen_value(value_of(self.ctx, e, self.env))
        except RuleError as error:
            return failed(error)

    def _derived(self, values: Row) -> Row:
        """The truth values of the derived conditions if only those are kept, else the values themselves."""
        if not self.plan.derived or self.plan.aggregates is None:
            return values
        for each, value in zip(self.plan.aggregates, values, strict=True):
            self.env.locals[each.local] = value
        return tuple(bool(value_of(self.ctx, e, self.env)) for _, e in self.plan.derived)

    def derived(self, table: Table) -> Table:
        """Convert a table of values to a table of the kept values or conditions."""
        if not self.plan.derived:
            return table
        found: Table = {}
        for values, weight in table.items():
            try:
                key = self._derived(values)
            except Undecided as undecided:
                self.ctx.cut(undecided.source)
                continue
            found[key] = found.get(key, 0) + weight
        return found


def roll_of(faces: tuple[ir.Face, ...]) -> Roll:
    """The roll that shows some faces."""
    return Roll(tuple(face.printed for face in faces), tuple(face.value for face in faces))
