"""Draws of cards without replacement: hands (multisets) or orders (permutations), with their number of ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import comb, perm
from typing import Any

from enfilade.core import ir
from enfilade.core.legal_answers import cards_left
from enfilade.core.requests import DrawRequest
from enfilade.core.run import Frame
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import Distribution, Flow, Row
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.known_answers import Asked, FirstRequest, FromLog, answers_slot, has_answers
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.states.transitions import written
from enfilade.errors import LimitError


def draw(ctx: Context, s: ir.DrawCards, unordered: bool, frame: CallFrame, live: LiveSlots, origin: Origin) -> Flow:
    """Draw cards from one state; *unordered* if their order is never read."""
    evaluator = ctx.evaluator
    evaluator.begin(origin, frame.depth, frame.facts)
    env = evaluator.frame(frame.depth)
    asker: Any = FirstRequest()
    if has_answers(ctx, origin):
        asker = FromLog(ctx.situation.log, origin.base(answers_slot(ctx)))
    evaluator.asker = asker
    try:
        env.locals[s.local] = evaluator._draw(s, env)
    except Asked:
        return Flow(_drawn(ctx, s, asker.draw_request, unordered, live, env))
    finally:
        evaluator.asker = evaluator.no_answers
    extra = {answers_slot(ctx): asker.at} if isinstance(asker, FromLog) else None
    return Flow(written(ctx, live, extra))


def _drawn(
    ctx: Context, s: ir.DrawCards, request: DrawRequest, unordered: bool, live: LiveSlots, env: Frame
) -> Distribution:
    hand = ctx.evaluator.locals(ctx.evaluator.depth).slot(s.local)
    deck = ctx.slots.number("deck", s.deck)
    slots = tuple(slot for slot in (hand, deck) if live[slot])
    ways = _hands if unordered or not live[hand] else _orders
    rows: dict[Row, int] = {}
    for cards, weight in ways(request.left, request.count, ctx.limits.outcomes):
        left = cards_left(request.name, s.deck, request.left, cards) if live[deck] else ()
        key = tuple(value for slot, value in ((hand, cards), (deck, left)) if slot in slots)
        rows[key] = rows.get(key, 0) + weight
    ctx.meter.count(len(rows))
    every = (comb if ways is _hands else perm)(len(request.left), request.count)
    return Distribution(slots, rows, every)


def _hands(left: tuple[Any, ...], count: int, most: int) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Each hand as a multiset, in the order of the deck, with the number of ways to draw it."""
    kinds = list(Counter(left).items())
    _check_ways(_number_of_hands([there for _, there in kinds], count), most)

    def draw(at: int, wanted: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        if at == len(kinds):
            if not wanted:
                yield (), 1
            return
        card, there = kinds[at]
        for taken in range(min(there, wanted) + 1):
            for rest, weight in draw(at + 1, wanted - taken):
                yield (card,) * taken + rest, weight * comb(there, taken)

    yield from draw(0, count)


def _orders(left: tuple[Any, ...], count: int, most: int) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Each sequence of cards, with the number of ways to draw it."""
    counts = Counter(left)
    _check_ways(_number_of_orders(list(counts.values()), count), most)

    def draw(wanted: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        if not wanted:
            yield (), 1
            return
        for card in list(counts):
            there = counts[card]
            if there:
                counts[card] -= 1
                for rest, weight in draw(wanted - 1):
                    yield (card, *rest), weight * there
                counts[card] += 1

    yield from draw(count)


def _number_of_hands(kinds: list[int], count: int) -> int:
    """The number of different hands."""
    ways = [1] + [0] * count
    for there in kinds:
        ways = [sum(ways[size - taken] for taken in range(min(there, size) + 1)) for size in range(count + 1)]
    return ways[count]


def _number_of_orders(kinds: list[int], count: int) -> int:
    """The number of different sequences."""
    ways = [1] + [0] * count
    for there in kinds:
        ways = [
            sum(ways[size - taken] * comb(size, taken) for taken in range(min(there, size) + 1))
            for size in range(count + 1)
        ]
    return ways[count]


def _check_ways(ways: int, most: int) -> None:
    if ways > most:
        raise LimitError("outcomes", f"a draw has {ways} outcomes; at most {most} are told apart")
