"""Questions of one shape share a context: its slots, frames and memoised steps last from one question to the next.

Two questions have the same shape if they ask the same of the same procedure, with the same options, policy and records.
Their facts may differ: the memoised results of a step hold for all situations that agree in the facts that it reads. The
values of records are part of the states anyway. A question about a situation that was met has its answer already.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from attrs import evolve, field, frozen

from enfilade.core import ir
from enfilade.engines.odds.interface import Ask, Policy, Progress, Situation, Weighted
from enfilade.engines.odds.question import Question
from enfilade.engines.odds.states.context import Context
from enfilade.limits import Limits

_MOST_SHAPES: Final = 32
_MOST_WORK: Final = 100_000
"""The memoised results of one shape are dropped after this many products."""

_Key: TypeAlias = tuple[object, ...]


@frozen
class Shape:
    """The context and the question of one shape.

    Attributes:
        ctx: The context.
        question: The question.
        asks: The asks as they were given: while they are alive, no other object has their identity.
        work: The products of all questions that the context has answered.
        answers: The answer for each situation.
    """

    ctx: Context
    question: Question
    asks: tuple[Ask, ...]
    work: int = 0
    answers: dict[_Key, Weighted] = field(factory=dict)


class Shapes:
    """The idle contexts of a ruleset. A context is taken out while it is in use, so threads never share one."""

    def __init__(self, program: ir.Program) -> None:
        self._idle: dict[_Key, Shape] = {}

    def known_answer(self, situation: Situation, asks: tuple[Ask, ...], policy: Policy) -> Weighted | None:
        """The answer to a question about a situation that was met; ``None`` if there is none."""
        found = self._idle.get(_key(situation, asks))
        if found is None or not _is_alike(found.ctx, situation, policy):
            return None
        return found.answers.get(_values_of(situation))

    def taken(
        self, situation: Situation, asks: tuple[Ask, ...], policy: Policy, limits: Limits, progress: Progress | None
    ) -> Shape | None:
        """Take out the context for a question, and give it the situation; ``None`` if there is none."""
        found = self._idle.pop(_key(situation, asks), None)
        if found is None or not _is_alike(found.ctx, situation, policy):
            return None
        found.ctx.reopen(situation, limits, progress)
        return found

    def keep(self, shape: Shape, answer: Weighted) -> None:
        """Keep the context of a question that has been answered, and the answer."""
        ctx = shape.ctx
        work = shape.work + ctx.meter.products
        if work > _MOST_WORK or ctx.situation.log or ctx.cuts:
            return
        while len(self._idle) >= _MOST_SHAPES:
            self._idle.pop(next(iter(self._idle)), None)
        shape.answers[_values_of(ctx.situation)] = answer
        self._idle[_key(ctx.situation, shape.asks)] = evolve(shape, work=work)

    def forget(self) -> None:
        """Drop every memoised result; slots and frames stay."""
        for shape in [*self._idle.values()]:
            shape.ctx.forget()
            shape.answers.clear()


def _key(situation: Situation, asks: tuple[Ask, ...]) -> _Key:
    return situation.procedure, *map(id, asks)


def _values_of(situation: Situation) -> _Key:
    state = situation.state
    records = tuple([(ref, *fields.values()) for ref, fields in state.records.items()])
    return tuple(situation.facts.items()), records, tuple(state.decks.values())


def _is_alike(ctx: Context, situation: Situation, policy: Policy) -> bool:
    known = ctx.situation
    return (
        not situation.log
        and known.options == situation.options
        and known.state.records.keys() == situation.state.records.keys()
        and ctx.policy == policy
    )
