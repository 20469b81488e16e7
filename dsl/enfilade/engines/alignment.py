"""Alignment of given choices with the choices of a run: a depth-first search over what an answer may be meant for.

Answers are given before the run, so their author can't know every request. An answer to a choice with one legal answer may
be given or left out, and the answers of one assignment may come in any order that is legal. At each such place a run
takes the first way; if it then fails, it is repeated with the next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from enfilade.errors import InputError

T = TypeVar("T")

MOST_RUNS: Final = 200


class Ways:
    """The way taken at each place of one run."""

    def __init__(self) -> None:
        self._path: list[int] = []
        self._counts: list[int] = []
        self._at = 0

    def begin(self) -> None:
        """Begin a run."""
        self._at = 0
        del self._counts[:]

    def take(self, count: int) -> int:
        """The way to take at the next place, from 0."""
        if self._at == len(self._path):
            self._path.append(0)
        self._counts.append(count)
        self._at += 1
        return self._path[self._at - 1]

    def next(self) -> bool:
        """Go on to the next way; whether there is one."""
        del self._path[len(self._counts) :]
        while self._path:
            self._path[-1] += 1
            if self._path[-1] < self._counts[len(self._path) - 1]:
                return True
            self._path.pop()
        return False


def aligned(run: Callable[[Ways], T], left: Callable[[T], int] = lambda _: 0) -> T:
    """Run until the given choices fit.

    Args:
        run: Makes a run, and raises ``InputError`` if the choices don't fit.
        left: How many choices a run that waits for an answer has not used; of several runs, the one with the fewest is
            taken.

    Raises:
        InputError: No way fits; the error is that of the first run.
    """
    ways, first = Ways(), None
    best: list[T] = []
    for _ in range(MOST_RUNS):
        ways.begin()
        try:
            found = run(ways)
            if not best or left(found) < left(best[0]):
                best = [found]
            if not left(found):
                break
        except InputError as wrong:
            first = first or wrong
        if not ways.next():
            break
    if best:
        return best[0]
    assert first is not None
    raise first
