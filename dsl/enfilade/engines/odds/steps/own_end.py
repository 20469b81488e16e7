"""Loops that end by a counter of their own: ``repeat until hits is 2 or n >= most``, where each round counts ``n``.

Such a loop has an end even if the chance of another round becomes negligible long before. A counter is a number that is
higher in the new states of each round than in those of the round before, or lower. Whether the loop ends by it is tried: a
round is played from a new state in which the counter is further on. A wrong guess costs some rounds, and changes no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from attrs import frozen

from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.engines.odds.states.distribution import Row
from enfilade.errors import LimitError, RunError

_FARTHEST: Final = 40
"""The counter is tried as far on as this power of 2 of rounds."""
_MORE: Final = 2
"""The rounds played after the one in which a loop should end."""
_MOST_STATES: Final = 20_000
"""The most states that are explored although the chance of them is negligible."""
_NUMBERS: Final = (int, Fraction)


@frozen
class Counter:
    """A number that each round of a loop moves in one direction.

    Attributes:
        place: Its place in the states.
        value: Its value in the state from which rounds are tried.
        by: By how much a round moves it.
    """

    place: int
    value: Any
    by: Any

    def after(self, row: Row, rounds: int) -> Row:
        """A state in which the counter is so many rounds further on."""
        return (*row[: self.place], self.value + self.by * rounds, *row[self.place + 1 :])


def counters(before: Sequence[Row], fresh: Sequence[Row]) -> Iterator[Counter]:
    """The counters of a loop.

    Args:
        before: The states that were new one round earlier.
        fresh: The states that are new now.
    """
    for place in range(len(fresh[0])) if before else ():
        old, new = ([row[place] for row in rows] for rows in (before, fresh))
        if not all(type(value) in _NUMBERS for value in (*old, *new)):
            continue
        if min(new) > min(old):
            yield Counter(place, fresh[0][place], min(new) - min(old))
        elif max(new) < max(old):
            yield Counter(place, fresh[0][place], max(new) - max(old))


class OwnEnd:
    """Tells whether the rounds of a loop go on to the end that a counter sets, although they have become unlikely.

    Args:
        s: The loop.
        ends: Whether no play goes on after a round from a state.
        most: The highest number of rounds of the loop.

    Attributes:
        is_found: Whether a counter ends the loop, after however many rounds.
    """

    def __init__(self, s: ir.Repeat, ends: Callable[[Row], bool], most: int) -> None:
        self.is_found = False
        self._statement = s
        self._ends = ends
        self._most = most
        self._round: int | None = None
        self._room = _MOST_STATES

    def is_ahead(self, number_of_round: int, before: Sequence[Row], fresh: Sequence[Row]) -> bool:
        """Whether the loop should go on because its end is near.

        Args:
            number_of_round: The round.
            before: The states that were new in it.
            fresh: The states that are new after it.
        """
        if self._round is None or number_of_round == self._round:
            # Where states have different ends, the first end is not the last.
            self._round = number_of_round + self._rounds(before, fresh, self._most - number_of_round)
        self._room -= len(fresh)
        return number_of_round < self._round and self._room > 0

    def _rounds(self, before: Sequence[Row], fresh: Sequence[Row], left: int) -> int:
        found = (_rounds(self._statement, counter, fresh[0], self._ends, left) for counter in counters(before, fresh))
        rounds = min((rounds for rounds in found if rounds is not None), default=None)
        self.is_found = self.is_found or rounds is not None
        return 0 if rounds is None or rounds > left or rounds * len(fresh) > self._room else rounds + _MORE


def _rounds(s: ir.Repeat, counter: Counter, row: Row, ends: Callable[[Row], bool], most: int) -> int | None:
    failed = False
    for power in range(_FARTHEST):
        ended = _tried(ends, counter.after(row, 2**power))
        if ended:
            return _first(lambda rounds: bool(_tried(ends, counter.after(row, rounds))), 2**power)
        failed = failed or ended is None
    if not failed and not _may_compare_equal(s):
        return None
    return next((rounds for rounds in range(most) if _tried(ends, counter.after(row, rounds))), None)


def _first(holds: Callable[[int], bool], high: int) -> int:
    """The first number for which something holds, by bisection; it holds for *high*, and for all after the first."""
    low = high // 2
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _tried(ends: Callable[[Row], bool], row: Row) -> bool | None:
    """Whether the loop ends after a round from a state; ``None`` if there can be no such state."""
    try:
        return ends(row)
    except LimitError:
        raise
    except RunError:
        return None


def _may_compare_equal(s: ir.Repeat) -> bool:
    """Whether a loop may ask whether a number has one value: it may be passed over."""
    return any(
        isinstance(node, (ir.Define, ir.Perform, ir.CallProcedure))
        or (isinstance(node, ir.Op) and node.name in ("is", "is not") and _are_numbers(node.args))
        for node in nodes((s.until, s.body))
    )


def _are_numbers(args: tuple[ir.Expr, ...]) -> bool:
    return not any(isinstance(each, ir.Const) and type(each.value) not in _NUMBERS for each in args)
