"""Draws of cards without replacement: hands (multisets) or orders (permutations), with their number of ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate
from math import comb, perm
from typing import Any

from enfilade.core import ir
from enfilade.core.legal_answers import cards_left
from enfilade.core.requests import DrawRequest
from enfilade.core.run import Frame
from enfilade.engines.odds.dice.pool import Budget
from enfilade.engines.odds.states.causes import blame
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.states.distribution import Distribution, Flow, Row
from enfilade.engines.odds.states.frames import CallFrame
from enfilade.engines.odds.states.known_answers import Asked, FirstRequest, FromLog, answers_slot, has_answers
from enfilade.engines.odds.states.live_slots import LiveSlots
from enfilade.engines.odds.states.slots import Origin
from enfilade.engines.odds.states.transitions import written
from enfilade.errors import LimitError
from enfilade.limits import check_time


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
        try:
            return Flow(_drawn(ctx, s, asker.draw_request, unordered, live, env))
        except LimitError as error:
            blame(error, s.name, s.note)
            raise
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
    for cards, weight in ways(request.left, request.count, ctx.meter):
        left = cards_left(request.name, s.deck, request.left, cards) if live[deck] else ()
        key = tuple(value for slot, value in ((hand, cards), (deck, left)) if slot in slots)
        rows[key] = rows.get(key, 0) + weight
        ctx.meter.count(1)
    every = (comb if ways is _hands else perm)(len(request.left), request.count)
    return Distribution(slots, rows, every)


def _hands(left: tuple[Any, ...], count: int, budget: Budget) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Each hand as a multiset, in the order of the deck, with the number of ways to draw it."""
    kinds = list(Counter(left).items())
    number = number_of_hands([there for _, there in kinds], count)
    yield from budget.paced(_hands_of(kinds, count), number)


def _hands_of(kinds: list[tuple[Any, int]], count: int) -> Iterator[tuple[tuple[Any, ...], int]]:
    # A stack of its own, because there may be more kinds than Python's stack has room for: a hand so far, with its
    # ways, the next kind, and how many cards that kind and the later ones have.
    later = [*accumulate((there for _, there in reversed(kinds)), initial=0)][::-1]
    waiting: list[tuple[tuple[Any, ...], int, int]] = [((), 1, 0)]
    while waiting:
        hand, ways, at = waiting.pop()
        wanted = count - len(hand)
        if not wanted:
            yield hand, ways
        elif wanted <= later[at]:
            card, there = kinds[at]
            for taken in range(min(there, wanted), -1, -1):
                waiting.append((hand + (card,) * taken, ways * comb(there, taken), at + 1))


def _orders(left: tuple[Any, ...], count: int, budget: Budget) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Each sequence of cards, with the number of ways to draw it."""
    kinds = Counter(left)
    number = _number_of_orders(list(kinds.values()), count)
    yield from budget.paced(_orders_of(kinds, count), number)


def _orders_of(kinds: Counter[Any], count: int) -> Iterator[tuple[tuple[Any, ...], int]]:
    # A stack of its own, as above: the cards so far, and for each the kinds that are still to be tried in its place.
    drawn: list[Any] = []
    ways = [1]
    rest = [iter(kinds)]
    left = dict(kinds)
    while rest:
        if len(drawn) == count:
            yield tuple(drawn), ways[-1]
            card = None
        else:
            card = next((each for each in rest[-1] if left[each]), None)
        if card is not None:
            drawn.append(card)
            ways.append(ways[-1] * left[card])
            left[card] -= 1
            rest.append(iter(kinds))
            continue
        rest.pop()
        ways.pop()
        if drawn:
            left[drawn.pop()] += 1


def number_of_hands(kinds: list[int], count: int) -> int:
    """The number of different hands."""
    ways = [1] + [0] * count
    for there in kinds:
        ways = [_sum(ways[size - taken] for taken in range(min(there, size) + 1)) for size in range(count + 1)]
    return ways[count]


def _number_of_orders(kinds: list[int], count: int) -> int:
    """The number of different sequences."""
    ways = [1] + [0] * count
    for there in kinds:
        ways = [
            _sum(ways[size - taken] * comb(size, taken) for taken in range(min(there, size) + 1))
            for size in range(count + 1)
        ]
    return ways[count]


def _sum(numbers: Iterable[int]) -> int:
    check_time()
    return sum(numbers)
