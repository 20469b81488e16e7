"""Choices without look-ahead: a fixed policy, known answers, even chances. For other choices see ``expectimax``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import comb
from typing import Any, Final

from enfilade.core import ir
from enfilade.core.answers import missing_fact
from enfilade.core.legal_answers import check_choice
from enfilade.core.requests import ChoiceRequest, FactRequest
from enfilade.engines.odds.dice.pool import Budget
from enfilade.engines.odds.interface import NeedsPolicy
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import Distribution, Flow, merged
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.known_answers import Asked, answers_slot, next_answer
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.states.transitions import written

_WAY_SECONDS: Final = 1e-6
"""The least time that it takes to list one combination and to play on from it."""
_WAY_BYTES, _ELEMENT_BYTES = 100, 8
"""The least memory of one combination, and of each of its elements."""


def choice_request(
    ctx: Context, s: ir.Choose, frame: CallFrame, origin: Origin, place: tuple[str, ...] = ()
) -> ChoiceRequest | None:
    """The request that the evaluator would make, or ``None`` if there is nothing to choose."""
    evaluator = ctx.evaluator
    evaluator.begin(origin, frame.depth, frame.facts)
    asker: Any = _KeepsRequest()
    evaluator.asker = asker
    try:
        evaluator._choose(s, evaluator.frame(frame.depth, place))
    except Asked:
        found: ChoiceRequest = asker.request
        return found
    finally:
        evaluator.asker = evaluator.no_answers
    return None


def choose(ctx: Context, s: ir.Choose, frame: CallFrame, live: LiveSlots, origin: Origin) -> Flow:
    """Make a choice in one state.

    Raises:
        NeedsPolicy: No policy or known answer decides the choice.
    """
    slot = ctx.local(frame, s.local)
    request = choice_request(ctx, s, frame, origin)
    if request is None:
        # Without a request, the evaluator knows the value.
        ctx.evaluator.begin(origin, frame.depth, frame.facts)
        ctx.evaluator.writes[slot] = ctx.evaluator._choose(s, ctx.evaluator.frame(frame.depth))
        return Flow(written(ctx, live))
    known = next_answer(ctx, "choose", origin)
    if known is not None:
        check_choice(request, known)
        return Flow(_chosen(ctx, slot, s, known, live, {answers_slot(ctx): origin.base(answers_slot(ctx)) + 1}))
    return Flow(_decided(ctx, slot, s, request, live))


def _chosen(
    ctx: Context,
    slot: int,
    s: ir.Choose,
    chosen: tuple[Any, ...],
    live: LiveSlots,
    extra: Mapping[int, Any] | None = None,
) -> Distribution:
    ctx.evaluator.writes = {slot: chosen[0] if s.count is None else chosen}
    return written(ctx, live, extra)


def _decided(ctx: Context, slot: int, s: ir.Choose, request: ChoiceRequest, live: LiveSlots) -> Distribution:
    chosen = None if ctx.policy.decide is None else ctx.policy.decide(request)
    if chosen is not None:
        check_choice(request, chosen)
        return _chosen(ctx, slot, s, chosen, live)
    if ctx.policy.players.get(request.player) == "random":
        ways = ways_to_choose(request, ctx.meter)
        total, every = sum(ways.values()), []
        for way, times in ways.items():
            part = _chosen(ctx, slot, s, way, live)
            every.append(Distribution(part.slots, dict.fromkeys(part.rows, times), total))
        return merged(every)
    raise NeedsPolicy(request.name, request.player, request.options)


def ways_to_choose(request: ChoiceRequest, budget: Budget) -> dict[tuple[Any, ...], int]:
    """Every different combination of options that a player may choose, with the number of combinations equal to it."""
    wanted = 1 if request.count is None else request.count
    copies = Counter(request.options)
    number = number_of_ways(copies.values(), wanted)
    budget.expect(seconds=number * _WAY_SECONDS, size=number * (_WAY_BYTES + _ELEMENT_BYTES * wanted))
    found: dict[tuple[Any, ...], int] = {(): 1}
    left = len(request.options)
    for option, times in copies.items():
        left -= times
        longer: dict[tuple[Any, ...], int] = {}
        for way, weight in found.items():
            missing = wanted - len(way)
            for taken in range(min(times, missing), max(missing - left, 0) - 1, -1):
                longer[(*way, *(option,) * taken)] = weight * comb(times, taken)
            budget.count(1)
        found = longer
    return found


def number_of_ways(copies: Iterable[int], wanted: int) -> int:
    """The number of different combinations of so many elements of a multiset.

    Examples:
        >>> number_of_ways([1, 1, 1, 1], 2), number_of_ways([3, 1], 2)
        (6, 2)
    """
    ways = [1, *[0] * wanted]
    for times in copies:
        ways = [sum(ways[max(size - times, 0) : size + 1]) for size in range(wanted + 1)]
    return ways[wanted]


class _KeepsRequest:
    """An asker that keeps the request for a choice and stops the evaluator."""

    request: ChoiceRequest | None = None

    def fact(self, request: FactRequest) -> Any:
        """Report a fact that the list of a choice reads and nobody gave."""
        missing_fact(request)

    def choose(self, request: ChoiceRequest) -> Any:
        self.request = request
        raise Asked

    def forced(self, request: ChoiceRequest) -> None:
        """A choice with one option is made by the evaluator."""
