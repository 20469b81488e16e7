"""Loops that end by a counter of their own: ``repeat until hits is 2 or n >= most``, where each round counts ``n``.

Such a loop has an end even if the chance of another round becomes negligible long before. A counter is a number that is
higher in the new states of each round than in those of the round before, or lower. If the loop reads it for more than to
count, whether the loop ends by it is tried: a round is played from a new state in which the counter is further on. A wrong
guess costs some rounds, and changes no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from attrs import frozen

from enfilade.core import ir
from enfilade.core.graph import graph_of
from enfilade.core.walk import children, nodes
from enfilade.engines.odds.states.distribution import Row
from enfilade.engines.odds.states.slots import Name
from enfilade.errors import LimitError, RunError

_FARTHEST: Final = 40
"""The counter is tried as far on as this power of 2 of rounds."""
_MORE: Final = 2
"""The rounds played after the one in which a loop should end."""
_MOST_STATES: Final = 5_000
"""The most states that are explored although the chance of them is negligible."""
_NUMBERS: Final = (int, Fraction)
_ORDER: Final = frozenset((">=", ">", "<", "<="))


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
        program: The ruleset.
        s: The loop.
        name_of: The variable at a place of the states.
        ends: Whether no play goes on after a round from a state.
        most: The highest number of rounds of the loop.

    Attributes:
        is_found: Whether a counter ends the loop, after however many rounds.
    """

    def __init__(
        self,
        program: ir.Program,
        s: ir.Repeat,
        name_of: Callable[[int], Name],
        ends: Callable[[Row], bool],
        most: int,
    ) -> None:
        self.is_found = False
        self._program = program
        self._statement = s
        self._name_of = name_of
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
        found = (self._rounds_by(counter, fresh[0], left) for counter in counters(before, fresh))
        rounds = min((rounds for rounds in found if rounds is not None), default=None)
        self.is_found = self.is_found or rounds is not None
        return 0 if rounds is None or rounds > left or rounds * len(fresh) > self._room else rounds + _MORE

    def _rounds_by(self, counter: Counter, row: Row, left: int) -> int | None:
        """How many more rounds a loop takes until a counter ends it; ``None`` if it does not seem to."""
        reads = _reads(self._program, self._statement, self._name_of(counter.place))
        if not reads:
            return None
        failed = False
        for power in range(_FARTHEST):
            ended = _tried(self._ends, counter.after(row, 2**power))
            if ended:
                return _first(lambda rounds: bool(_tried(self._ends, counter.after(row, rounds))), 2**power)
            failed = failed or ended is None
        if not failed and not any(map(_may_hold_once, reads)):
            return None
        return next((rounds for rounds in range(left) if _tried(self._ends, counter.after(row, rounds))), None)


def _reads(program: ir.Program, s: ir.Repeat, name: Name) -> list[ir.Expr]:
    """The expressions directly around a counter that a loop reads for more than to move it."""
    kind, _, counter = name if len(name) == 3 else ("", "", "")
    graph = graph_of(program)
    parts: list[Any] = [s.until, s.body]
    if kind == "field":
        # Only fields are changed and read outside the loop itself.
        parts += [graph.nodes(unit) for unit in graph.reached_from((s.until, s.body))]
    around = {id(node): node for node in nodes(tuple(parts))}
    moved = {id(inner) for node in around.values() if _moves(node, kind, counter) for inner in nodes(node)}
    return [
        node
        for number, node in around.items()
        if number not in moved and any(_is_counter(part, kind, counter) for part in children(node))
    ]


def _moves(node: Any, kind: str, counter: str) -> bool:
    match node:
        case ir.SetLocal(local):
            return kind == "local" and local == counter
        case ir.SetField(field=field):
            return kind == "field" and field == counter
    return False


def _is_counter(node: Any, kind: str, counter: str) -> bool:
    match node:
        case ir.Local(name):
            return kind == "local" and name == counter
        case ir.Field(_, name):
            return kind == "field" and name == counter
    return False


def _may_hold_once(read: ir.Expr) -> bool:
    """Whether what reads a number may hold for one value alone, which larger steps pass over."""
    return not isinstance(read, ir.Op) or read.name not in _ORDER


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
