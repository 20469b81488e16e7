"""The question: the variables it reads at the end of a run, and the weights of its values over the final states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from enfilade.core import ir
from enfilade.core.run import Frame
from enfilade.core.traits import DECK, EFFECT, FIELD, LOCAL
from enfilade.engines.odds.analysis.planner import Planner
from enfilade.engines.odds.analysis.variables import ALL, NONE, RUNNING, Variable, Variables, output
from enfilade.engines.odds.dice.tails import Tail, Undecided
from enfilade.engines.odds.interface import Ask, Situation, Weighted, Whole
from enfilade.engines.odds.states.context import NOT_GIVEN, Context
from enfilade.engines.odds.states.distribution import PLAIN, UNCHANGED, Distribution, Row, frozen_value, taking
from enfilade.engines.odds.states.expressions import value_of
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.states.state_evaluator import StateEvaluator

_MANY: Final = 100


class Question:
    """Several questions (asks) about the end of a run, answered together.

    Attributes:
        situation: The situation.
        asks: The asks.
        live: The variables that they read.
        effects: The effects that they or the rules read.
    """

    def __init__(self, situation: Situation, asks: tuple[Ask, ...], planner: Planner) -> None:
        self.situation = situation
        self.asks = tuple(ask if isinstance(ask, Whole) else planner.with_running_totals(ask) for ask in asks)
        self._outputs = tuple(situation.program.procedures[situation.procedure].outputs)
        self._compiles = False
        read = NONE.union(*(self._read_by(ask, planner) for ask in self.asks))
        self.live = planner.live(read)
        self._facts = tuple(dict.fromkeys(name for ask in self.asks for name in _facts_in(ask, planner)))
        self.effects = planner.uses.effects | {variable[1] for variable in read if variable[0] == EFFECT}

    def _read_by(self, ask: Ask, planner: Planner) -> Variables:
        if not isinstance(ask, Whole):
            return frozenset(map(_at_end, planner.uses.tests.elsewhere(planner.uses.of(ask))))
        match ask.what:
            case "outputs":
                return frozenset((LOCAL, output(name), ALL) for name in self._outputs)
            case "effects":
                return frozenset({(EFFECT, "*")})
        program = self.situation.program
        records = {ref.record for ref in self.situation.state.records}
        fields = {(FIELD, name) for record in records for name in program.records[record].fields}
        return frozenset({*fields, *((DECK, name) for name in program.decks)})

    # -- values -----------------------------------------------------------------------------------------------

    def weighted(self, ctx: Context, frame: CallFrame, ended: Distribution, origin: Origin) -> Weighted:
        """The weights of the values over the final states."""
        columns = self._columns(ctx, ended)
        if columns is not None:
            return self._weights(ctx, ended, columns)
        # Compiling an expression costs more than evaluating it a few times.
        self._compiles = len(ended.rows) > _MANY
        kernel = ctx.kernel(("asks",), frame, self._facts, lambda at: self._values(ctx, frame, at))
        index = {slot: place for place, slot in enumerate(ended.slots)}
        return self._weights(ctx, ended, lambda row: kernel.find(row, index, origin))

    def _columns(self, ctx: Context, ended: Distribution) -> Callable[[Row], tuple[Any, ...]] | None:
        """A function that takes the values from a row, if every ask is an output in the row."""
        places = []
        for ask in self.asks:
            slot = ctx.slots.number("local", 1, output(ask.name)) if isinstance(ask, ir.Local) else -1
            if slot not in ended.slots:
                return None
            places.append(ended.slots.index(slot))
        if any(row[place] is UNCHANGED for row in ended.rows for place in places):
            return None
        return taking(places)

    def _values(self, ctx: Context, frame: CallFrame, origin: Origin) -> tuple[Any, ...]:
        """The values in one state; an empty tuple if they are undecided."""
        ctx.evaluator.begin(origin, frame.depth, frame.facts)
        env = Frame(_Outputs(ctx.evaluator))
        try:
            return tuple(frozen_value(self._value(ask, ctx, env)) for ask in self.asks)
        except Undecided as undecided:
            ctx.cut(undecided.source)
            return ()

    def _value(self, ask: Ask, ctx: Context, env: Frame) -> Any:
        evaluator = ctx.evaluator
        if not isinstance(ask, Whole):
            return value_of(ctx, ask, env) if self._compiles else evaluator.value(ask, env)
        match ask.what:
            case "outputs":
                slots = {name: ctx.slots.number("local", 1, output(name)) for name in self._outputs}
                found = {name: evaluator.read_slot(slot) for name, slot in slots.items()}
                return {name: value for name, value in found.items() if value is not NOT_GIVEN}
            case "effects":
                return evaluator.read_slot(ctx.slots.number("effect", "*"))
        state = ctx.situation.state
        fields = {ref: {name: evaluator.state.records[ref][name] for name in of} for ref, of in state.records.items()}
        decks = {name: evaluator.state.decks[name] for name in state.decks}
        return {**fields, **decks}

    def _weights(self, ctx: Context, ended: Distribution, values_of: Callable[[Row], tuple[Any, ...]]) -> Weighted:
        weights: dict[tuple[Any, ...], int] = {}
        open_ends: list[Any] = []
        open_sum: Any = 0
        remainder = ended.total
        for row, weight in ended.rows.items():
            values = values_of(row)
            tails = [*_tails(values)]
            for found in tails:
                ctx.cut(found.source)
            if tails or (self.asks and not values):
                is_number = len(values) == 1 and isinstance(values[0], Tail)
                open_ends.append(tails[0].low if is_number else None)
                remainder -= weight if is_number else 0
                mean = tails[0].mean if is_number else None
                open_sum = None if mean is None or open_sum is None else open_sum + mean * weight
            else:
                weights[values] = weights.get(values, 0) + weight
                remainder -= weight
        if remainder or not open_ends:
            return self._answer(ctx, ended, weights)
        return self._answer(ctx, ended, weights, min(open_ends), open_sum)

    def _answer(
        self,
        ctx: Context,
        ended: Distribution,
        weights: dict[tuple[Any, ...], int],
        open_from: Any = None,
        open_sum: Any = None,
    ) -> Weighted:
        ctx.meter.count(len(ended.rows))
        remainder = ended.total - sum(weights.values())
        assert remainder == 0 or ctx.cuts, "part of the probability was lost"
        return Weighted(weights, ended.total, remainder, open_from=open_from, open_sum=open_sum)


def _at_end(variable: Variable) -> Variable:
    """A variable of an ask: its locals are the outputs of the procedure."""
    return (LOCAL, output(variable[1]), *variable[2:]) if variable[0] == LOCAL else variable


def _facts_in(ask: Ask, planner: Planner) -> tuple[str, ...]:
    return () if isinstance(ask, Whole) else planner.facts_read_by(ask)


def _tails(value: Any) -> Iterator[Tail]:
    """The tails within a value."""
    if isinstance(value, Tail):
        yield value
    elif isinstance(value, (tuple, Mapping)):
        items = value.values() if isinstance(value, Mapping) else value
        # A list of plain values has no tail, so it is not searched.
        for item in () if PLAIN.issuperset(map(type, items)) else items:
            yield from _tails(item)


class _Outputs(dict[str, Any]):
    """The outputs as locals; an output that was not given is ``none``."""

    def __init__(self, evaluator: StateEvaluator) -> None:
        super().__init__()
        self._evaluator = evaluator

    def __missing__(self, name: str) -> Any:
        number, read = self._evaluator.slots.number, self._evaluator.read_slot
        if name.startswith(RUNNING):
            return read(number("run", name))
        value = read(number("local", 1, output(name)))
        return None if value is NOT_GIVEN else value
