"""Dice that explode: each die is a small Markov chain over what the rules read of the pool so far.

What the rules read is a state: the face of the first die, some sums, and the best dice kept so far ("highest 3 of").
Each throw moves the state. A die that shows an exploding side is thrown again. Sums that never decrease stop at a cap, so
there are finitely many states, and each throw moves up or changes nothing: the states are visited from low to high, and
throws that change nothing are a geometric series. So nothing is cut off, however long the dice explode.

If a sum may decrease, or the explosions are limited, the throws are followed one after the other instead.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import count
from math import lcm
from typing import Any, Final, TypeAlias

from attrs import frozen

from enfilade.engines.odds.dice.pool import Budget

NOT_YET: Final = object()
"""The face of the first die before it is thrown."""
Kept: TypeAlias = tuple[tuple[int, int, int], ...]
State: TypeAlias = tuple[Any, tuple[Any, ...], Kept]
"""The face of the first die, the sums, and the kept dice: their rank, group and side."""
Chances: TypeAlias = dict[State, tuple[int, int]]
"""For each state a numerator, and the power of the base that is its denominator."""

_NEGLIGIBLE: Final = Fraction(1, 10**15)


@frozen
class Throw:
    """A side of a die, or several sides of which the rules read the same.

    Attributes:
        weight: How many sides.
        explodes: Whether the die is thrown again.
        face: What is read of it if it is the first die.
        amounts: What it adds to each sum.
        kept: Its rank, group and side, if dice are kept.
    """

    weight: int
    explodes: bool
    face: Any
    amounts: tuple[Any, ...]
    kept: tuple[int, int, int] = (0, 0, 0)


@frozen
class Exploding:
    """A pool of exploding dice.

    Attributes:
        dice: For each group, the number of dice and their sides.
        times: How often a die explodes at most; ``None`` for no limit.
        caps: For each sum, the number that stands for itself and all higher ones; ``None`` if no sum has a cap.
        keep: How many dice are kept.
        reads_first: Whether the face of the first die is read.
    """

    dice: Sequence[tuple[int, tuple[Throw, ...]]]
    times: int | None
    caps: tuple[Any, ...] | None
    keep: int = 0
    reads_first: bool = False

    def weights(self, budget: Budget) -> tuple[dict[State, int], int]:
        """The weight of each state after all dice, and their total; the weights are less if some throws are left out."""
        base = lcm(*(divisor for _, throws in self.dice for divisor in _divisors(throws)))
        sums = len(self.dice[0][1][0].amounts) if self.dice else 0
        chances: Chances = {(NOT_YET if self.reads_first else None, (0,) * sums, ()): (1, 0)}
        is_monotone = self.times is None and self.caps is not None
        for number, throws in self.dice:
            for _ in range(number):
                one = self._monotone if is_monotone else self._limited
                chances = one(chances, throws, base, budget)
        power = max((power for _, power in chances.values()), default=0)
        return {state: number * base ** (power - own) for state, (number, own) in chances.items()}, base**power

    def _monotone(self, start: Chances, throws: tuple[Throw, ...], base: int, budget: Budget) -> Chances:
        """One more die, which explodes without a limit; the states never go down."""
        every = sum(each.weight for each in throws)
        waiting = dict(start)
        order = [(_height(state), number, state) for number, state in enumerate(waiting)]
        heapify(order)
        numbers = count(len(order))
        done: Chances = {}
        while order:
            state = heappop(order)[2]
            weight, power = waiting.pop(state)
            budget.count(len(throws))
            moves = [(each, self._after(state, each)) for each in throws]
            still = sum(each.weight for each, after in moves if each.explodes and after == state)
            share = weight * (base // (every - still))
            for each, after in moves:
                if not each.explodes:
                    _add(done, after, share * each.weight, power + 1, base)
                elif after != state:
                    if after not in waiting:
                        heappush(order, (_height(after), next(numbers), after))
                    _add(waiting, after, share * each.weight, power + 1, base)
        return done

    def _limited(self, start: Chances, throws: tuple[Throw, ...], base: int, budget: Budget) -> Chances:
        """One more die, throw by throw, up to the limit of explosions or until another throw is negligible."""
        every = sum(each.weight for each in throws)
        done: Chances = {}
        waiting, left = start, self.times
        chance, again = Fraction(1), Fraction(sum(each.weight for each in throws if each.explodes), every)
        while waiting and chance > _NEGLIGIBLE:
            following: Chances = {}
            for state, (weight, power) in waiting.items():
                budget.count(len(throws))
                share = weight * (base // every)
                for each in throws:
                    into = following if each.explodes and left != 0 else done
                    _add(into, self._after(state, each), share * each.weight, power + 1, base)
            waiting = following
            if left is None:
                chance *= again
            else:
                left -= 1
        return done

    def _after(self, state: State, throw: Throw) -> State:
        first, sums, kept = state
        if throw.amounts:
            sums = tuple([a + b for a, b in zip(sums, throw.amounts, strict=True)])
            if self.caps is not None:
                sums = tuple([min(amount, cap) for amount, cap in zip(sums, self.caps, strict=True)])
        if self.keep and (len(kept) < self.keep or throw.kept[0] < kept[-1][0]):
            listed = [*kept]
            insort(listed, throw.kept)
            kept = tuple(listed[: self.keep])
        return throw.face if first is NOT_YET else first, sums, kept


def _divisors(throws: tuple[Throw, ...]) -> set[int]:
    """The numbers that may divide a chance at one throw: all sides, or those that change something."""
    every = sum(each.weight for each in throws)
    again = [each.weight for each in throws if each.explodes]
    reachable = {0}
    for weight in again:
        reachable |= {some + weight for some in reachable}
    return {every - some for some in reachable if some < every}


def _height(state: State) -> Any:
    """Rises with each throw that changes a state."""
    first, sums, kept = state
    return (first is not NOT_YET) + sum(sums) + sum(_HIGH - rank for rank, _, _ in kept) + len(kept)


_HIGH: Final = 10**6


def _add(chances: Chances, state: State, weight: int, power: int, base: int) -> None:
    found = chances.get(state)
    if found is None:
        chances[state] = weight, power
        return
    number, own = found
    if own < power:
        number, own = number * base ** (power - own), power
    elif power < own:
        weight *= base ** (own - power)
    chances[state] = number + weight, own
