"""From a question to its answer: what is read at the end, the run, and the values asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from enfilade.core import ir
from enfilade.core.run import Frame
from enfilade.engines.odds.answer import Ask, NeedsPolicy, OddsLimits, Policy, Progress, Situation, Weighted, Whole
from enfilade.engines.odds.engine import NOT_GIVEN, Context, Engine
from enfilade.engines.odds.kernels import Kernel
from enfilade.engines.odds.needs import ALL, DECK, EFFECT, FIELD, LOCAL, NONE, Tokens
from enfilade.engines.odds.plan import Planner
from enfilade.engines.odds.settling import RUNNING
from enfilade.engines.odds.tails import Tail, Undecided
from enfilade.engines.odds.view import Level, View
from enfilade.engines.odds.worlds import KEEP, Row, Worlds, frozen_value, merged, one_world, projected
from enfilade.errors import LimitError

_MOST_PLANNERS: Final = 8
_MANY: Final = 100
_planners: dict[int, tuple[ir.Program, Planner]] = {}


def planner_of(program: ir.Program) -> Planner:
    """The plans of a ruleset, kept from question to question."""
    found = _planners.get(id(program))
    if found is None or found[0] is not program:
        if len(_planners) >= _MOST_PLANNERS:
            _planners.pop(next(iter(_planners)), None)
        found = _planners[id(program)] = program, Planner(program)
    return found[1]


def answer(
    situation: Situation, asks: tuple[Ask, ...], policy: Policy, limits: OddsLimits, progress: Progress | None
) -> Weighted:
    """Work out what some questions come to; see ``exact_odds``."""
    try:
        return _answered(situation, asks, policy, limits, progress)
    except RecursionError:
        raise LimitError("depth", "the rules stand too deep in each other") from None


def _answered(
    situation: Situation, asks: tuple[Ask, ...], policy: Policy, limits: OddsLimits, progress: Progress | None
) -> Weighted:
    planner = planner_of(situation.program)
    question = Question(situation, asks, planner)
    engine = Engine(situation, planner, policy, limits, question.effects, progress)
    try:
        return _forward(engine, question)
    except NeedsPolicy:
        # Somebody chooses in view of what comes later, or it may not matter what is chosen.
        from enfilade.engines.odds.choices import Chooser

        engine = Engine(situation, planner, policy, limits, question.effects, progress)
        return Chooser(engine, question).answer()


def _forward(engine: Engine, question: Question) -> Weighted:
    context, level = engine.context(question.live), engine.root()
    block = engine.planner.procedure(engine.situation.procedure, question.live)
    flow = engine.run(one_world(), block, context, level)
    if flow.refusal is not None:
        raise flow.refusal
    ended = projected(merged([flow.done, flow.stopped]), engine.keeper(question.live, 1))
    return question.answered(engine, context, ended, level)


class Question:
    """What is asked of the end of a run."""

    def __init__(self, situation: Situation, asks: tuple[Ask, ...], planner: Planner) -> None:
        self.situation = situation
        self.asks = tuple(ask if isinstance(ask, Whole) else planner.with_sums(ask) for ask in asks)
        self.many = False
        self.outputs = tuple(situation.program.procedures[situation.procedure].outputs)
        self._records = dict.fromkeys(ref.record for ref in situation.state.records)
        read = self._read(planner)
        self.live = planner.live(read)
        self.effects = planner.effects_read | {token[1] for token in read if token[0] == EFFECT}

    def _read(self, planner: Planner) -> Tokens:
        found = NONE
        for ask in self.asks:
            found |= self._read_by(ask, planner)
        return found

    def _read_by(self, ask: Ask, planner: Planner) -> Tokens:
        if not isinstance(ask, Whole):
            return frozenset(self._of_end(token) for token in planner.needs.of(ask))
        program = self.situation.program
        match ask.what:
            case "outputs":
                return frozenset((LOCAL, f"give {name}", ALL) for name in self.outputs)
            case "effects":
                return frozenset({(EFFECT, "*")})
        fields = {(FIELD, name) for record in self._records for name in program.records[record].fields}
        return frozenset({*fields, *((DECK, name) for name in program.decks)})

    def _of_end(self, token: tuple[str, ...]) -> tuple[str, ...]:
        return (LOCAL, f"give {token[1]}", *token[2:]) if token[0] == LOCAL else token

    def values(self, engine: Engine) -> tuple[Any, ...]:
        """The values at the end of a run at which the evaluator looks."""
        frame = Frame(_Outputs(engine.view))
        return tuple(frozen_value(self._value(ask, engine, frame)) for ask in self.asks)

    def _value(self, ask: Ask, engine: Engine, frame: Frame) -> Any:
        view = engine.view
        if not isinstance(ask, Whole):
            return engine.worth(ask, frame) if self.many else view.value(ask, frame)
        match ask.what:
            case "outputs":
                slots = {name: view.slots.number("local", 1, f"give {name}") for name in self.outputs}
                found = {name: view.read_slot(slot) for name, slot in slots.items()}
                return {name: value for name, value in found.items() if value is not NOT_GIVEN}
            case "effects":
                return view.read_slot(view.slots.number("effect", "*"))
        state = self.situation.state
        fields = {ref: {name: view.state.records[ref][name] for name in of} for ref, of in state.records.items()}
        decks = {name: view.state.decks[name] for name in state.decks}
        return {**fields, **decks}

    def kernel(self, engine: Engine, context: Context) -> Kernel:
        """What finds the values; nothing where they can't be decided."""

        def run(level: Level) -> tuple[Any, ...]:
            engine.view.begin(level, context.depth, context.facts)
            try:
                return self.values(engine)
            except Undecided:
                return ()

        return engine.kernel(("asks",), run)

    def answered(self, engine: Engine, context: Context, ended: Worlds, level: Level) -> Weighted:
        """The weights of the values."""
        plain = self._columns(engine, ended)
        if plain is not None:
            return self._weighted(engine, ended, plain)
        # To compile what is asked once costs more than to ask it.
        self.many = len(ended.rows) > _MANY
        kernel = self.kernel(engine, context)
        index = {slot: place for place, slot in enumerate(ended.slots)}
        return self._weighted(engine, ended, lambda row: kernel.find(row, index, level))

    def _columns(self, engine: Engine, ended: Worlds) -> Callable[[Row], tuple[Any, ...]] | None:
        """What takes the values out of a row, where they stand in it as they are."""
        places = []
        for ask in self.asks:
            slot = engine.slots.number("local", 1, f"give {ask.name}") if isinstance(ask, ir.Local) else -1
            if slot not in ended.slots:
                return None
            places.append(ended.slots.index(slot))
        if any(row[place] is KEEP for row in ended.rows for place in places):
            return None
        return lambda row: tuple([row[place] for place in places])

    def _weighted(self, engine: Engine, ended: Worlds, values_of: Callable[[Row], tuple[Any, ...]]) -> Weighted:
        weights: dict[tuple[Any, ...], int] = {}
        for row, weight in ended.rows.items():
            values = values_of(row)
            if (not values and self.asks) or any(_has_tail(value) for value in values):
                engine.is_exact = False
            else:
                weights[values] = weights.get(values, 0) + weight
        engine.count(len(ended.rows))
        if len(weights) > engine.limits.outcomes:
            raise LimitError("outcomes", f"the answer has {len(weights)} outcomes; at most {engine.limits.outcomes}")
        remainder = ended.total - sum(weights.values())
        assert engine.is_exact == (remainder == 0) or not engine.is_exact, "no weight is lost unseen"
        return Weighted(weights, ended.total, remainder)


def _has_tail(value: Any) -> bool:
    if isinstance(value, Tail):
        return True
    if isinstance(value, tuple):
        return any(_has_tail(item) for item in value)
    return isinstance(value, Mapping) and any(_has_tail(item) for item in value.values())


class _Outputs(dict[str, Any]):
    """The outputs as locals; one that was not given is none."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self._view = view

    def __missing__(self, name: str) -> Any:
        if name.startswith(RUNNING):
            return self._view.read_slot(self._view.slots.number("run", name))
        value = self._view.read_slot(self._view.slots.number("local", 1, f"give {name}"))
        return None if value is NOT_GIVEN else value
