"""Questions of one shape share a context: its slots, frames and memoised steps last from one question to the next.

Two questions have the same shape if they ask the same of the same procedure, with the same options, policy and records.
Their facts may differ: a step that reads no fact keeps its memoised results then, all other results are dropped. The
values of records are part of the states anyway.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from attrs import frozen

from enfilade.core import ir
from enfilade.engines.odds.interface import Ask, OddsLimits, Policy, Progress, Situation
from enfilade.engines.odds.question import Question
from enfilade.engines.odds.states.context import Context

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
    """

    ctx: Context
    question: Question
    asks: tuple[Ask, ...]
    work: int = 0


class Shapes:
    """The idle contexts of a ruleset. A context is taken out while it is in use, so threads never share one."""

    def __init__(self, program: ir.Program) -> None:
        self._idle: dict[_Key, Shape] = {}

    def taken(
        self, situation: Situation, asks: tuple[Ask, ...], policy: Policy, limits: OddsLimits, progress: Progress | None
    ) -> Shape | None:
        """Take out the context for a question, and give it the situation; ``None`` if there is none."""
        found = self._idle.pop(_key(situation, asks), None)
        if found is None or not _is_alike(found.ctx, situation, policy):
            return None
        found.ctx.reopen(situation, limits, progress)
        return found

    def keep(self, shape: Shape) -> None:
        """Keep the context of a question that has been answered."""
        ctx = shape.ctx
        work = shape.work + ctx.meter.products
        if work > _MOST_WORK or ctx.situation.log:
            return
        while len(self._idle) >= _MOST_SHAPES:
            self._idle.pop(next(iter(self._idle)), None)
        self._idle[_key(ctx.situation, shape.asks)] = Shape(ctx, shape.question, shape.asks, work)

    def forget(self) -> None:
        """Drop every memoised result; slots and frames stay."""
        for shape in [*self._idle.values()]:
            shape.ctx.forget()


def _key(situation: Situation, asks: tuple[Ask, ...]) -> _Key:
    return situation.procedure, *map(id, asks)


def _is_alike(ctx: Context, situation: Situation, policy: Policy) -> bool:
    known = ctx.situation
    return (
        not situation.log
        and known.options == situation.options
        and known.state.records.keys() == situation.state.records.keys()
        and ctx.policy == policy
    )
