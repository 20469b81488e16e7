"""Mixtures: the distribution of the values of a question, combined with weights; and the decisions on the way to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any, Final

from attrs import define, evolve, field, frozen

from enfilade.engines.odds.interface import Decision

_LONG: Final = 4_096
"""A total with more bits than this is long."""
_SHORT: Final = 1_024
"""The number of bits to which weights are rounded."""


@define(eq=False)
class Vertex:
    """A place in play whose answer is not known yet (see ``markov_decisions``).

    Attributes:
        options: The answer for each option.
        at: The option that is taken.
        value: The expected aim.
        lost: The chance of play that was cut off.
        reach: The highest such chance, however the players choose.
    """

    options: list[Mixture] = field(factory=list)
    at: int = 0
    value: Fraction = Fraction(0)
    lost: Fraction = Fraction(0)
    reach: Fraction = Fraction(0)


@frozen(eq=False)
class Mixture:
    """The weights of the values of a question, over a total.

    Attributes:
        weights: The weights: of values, and of vertices within a loop that is being solved.
        total: Their total.
        decision: The decision that it begins with, if it does.
        parts: The mixtures with decisions that play goes on with.
        cut: The highest chance that play was cut off, however the players choose; without what lies behind vertices.
    """

    weights: dict[Any, int]
    total: int
    decision: Decision | None = None
    parts: Sequence[Mixture] = ()
    cut: Fraction = Fraction(0)

    @property
    def vertices(self) -> list[Vertex]:
        """The vertices in it."""
        return [key for key in self.weights if isinstance(key, Vertex)]

    @property
    def lost(self) -> Fraction:
        """The chance that is left open: play was cut off, or another choice could be better because of what was cut off."""
        here = self.total - sum(self.weights.values())
        return Fraction(here, self.total) + self._behind({key: key.lost for key in self.vertices})

    @property
    def reach(self) -> Fraction:
        """The highest chance that play was cut off, however the players choose."""
        return self.cut + self._behind({key: key.reach for key in self.vertices})

    def _behind(self, after: dict[Vertex, Fraction]) -> Fraction:
        return sum((chance * self.weights[key] for key, chance in after.items()), Fraction(0)) / self.total

    def shortened(self) -> Mixture:
        """This mixture with its weights rounded, if they are long numbers and some chance is left open anyway.

        Weights are rounded down, so slightly more is left open. Without rounding, each mixed strategy in a loop
        that is cut off doubles the length of the weights.
        """
        if self.total.bit_length() <= _LONG or sum(self.weights.values()) == self.total or self.vertices:
            return self
        weights = {key: (weight << _SHORT) // self.total for key, weight in self.weights.items()}
        cut = Fraction(-((-self.cut.numerator << _SHORT) // self.cut.denominator), 1 << _SHORT)
        return evolve(self, weights={key: each for key, each in weights.items() if each}, total=1 << _SHORT, cut=cut)

    @property
    def decides(self) -> bool:
        """Whether play comes to a decision."""
        return self.decision is not None or bool(self.parts)

    def decisions(self, most: int) -> tuple[Decision, ...]:
        """The decisions that play comes to, at most so many; each comes before those that it leads to."""
        found: list[Mixture] = []
        met: set[int] = set()
        # Depth-first search: a mixture is finished after its parts, so the reverse order is topological.
        waiting = [(self, False)]
        while waiting:
            mixture, finished = waiting.pop()
            if finished:
                found.append(mixture)
            elif id(mixture) not in met:
                met.add(id(mixture))
                waiting.append((mixture, True))
                waiting.extend((part, False) for part in mixture.parts)
        return tuple(each.decision for each in reversed(found) if each.decision is not None)[:most]

    def same_as(self, other: Mixture) -> bool:
        """Whether two mixtures have the same chances."""
        return self._reduced() == other._reduced()

    def _reduced(self) -> tuple[int, dict[Any, int]]:
        common = gcd(self.total, *self.weights.values())
        return self.total // common, {key: weight // common for key, weight in self.weights.items()}


def mixed(mixtures: Iterable[tuple[int, int, Mixture]]) -> Mixture:
    """Several mixtures as one, each with its weight over a total."""
    present = list(mixtures)
    every = lcm(*(total * each.total for _, total, each in present)) if present else 1
    weights: dict[Any, int] = {}
    for weight, total, each in present:
        scale = weight * (every // (total * each.total))
        for key, times in each.weights.items():
            weights[key] = weights.get(key, 0) + times * scale
    parts = {id(each): each for _, _, each in present if each.decides}
    cut = Fraction(0)
    if sum(weights.values()) != every or any(each.cut for _, _, each in present):
        cut = 1 - sum((Fraction(weight, total) * (1 - each.cut) for weight, total, each in present), Fraction(0))
    return Mixture(weights, every, None, tuple(parts.values()), cut)


def cut_off() -> Mixture:
    """Play that was cut off."""
    return Mixture({}, 1, cut=Fraction(1))


def with_doubt(mixture: Mixture, doubt: Fraction) -> Mixture:
    """A mixture of which a part is not known, because a better choice may lie beyond what was cut off."""
    if not doubt:
        return mixture
    known = doubt.denominator - doubt.numerator
    weights = {key: weight * known for key, weight in mixture.weights.items()}
    return evolve(mixture, weights=weights, total=mixture.total * doubt.denominator)
