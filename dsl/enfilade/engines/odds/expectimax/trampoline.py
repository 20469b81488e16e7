"""A trampoline: computations that wait for each other's results, without a limit on recursion depth."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias

from enfilade.engines.odds.expectimax.mixture import Mixture

Solving: TypeAlias = Generator[Any, Any, Any]
"""Computes a mixture, and yields the computations whose results it needs."""


def run(solving: Solving) -> Mixture:
    """Run a computation and all computations that it waits for."""
    waiting: list[Solving] = [solving]
    found: Mixture | None = None
    while waiting:
        try:
            following = waiting[-1].send(found)
        except StopIteration as ended:
            waiting.pop()
            found = ended.value
        else:
            waiting.append(following)
            found = None
    assert found is not None
    return found
