"""Mixtures: the distribution of the values of a question, combined with weights."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd, lcm
from typing import Any

from attrs import frozen


@frozen(eq=False)
class Mixture:
    """The weights of the values of a question, over a total."""

    weights: dict[tuple[Any, ...], int]
    total: int

    def same_as(self, other: Mixture) -> bool:
        """Whether two mixtures have the same chances."""
        return self._reduced() == other._reduced()

    def _reduced(self) -> tuple[int, dict[tuple[Any, ...], int]]:
        common = gcd(self.total, *self.weights.values())
        return self.total // common, {key: weight // common for key, weight in self.weights.items()}


def mixed(parts: Iterable[tuple[int, int, Mixture]]) -> Mixture:
    """Several mixtures as one, each with its weight over a total."""
    present = list(parts)
    every = lcm(*(total * each.total for _, total, each in present)) if present else 1
    weights: dict[tuple[Any, ...], int] = {}
    for weight, total, each in present:
        scale = weight * (every // (total * each.total))
        for key, times in each.weights.items():
            weights[key] = weights.get(key, 0) + times * scale
    return Mixture(weights, every)
