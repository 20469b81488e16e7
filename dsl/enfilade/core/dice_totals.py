"""Totals of dice: which rolls the rules read by their total alone, and which faces add up to a total.

A player may then type "nine" instead of the faces. For a roll whose faces might matter, the answer is always that they
do: a wrong "only the total matters" would change the game, a wrong "the faces matter" only asks for more.

Which totals are possible is dynamic programming over the dice, one at a time (as for subset sums). Each set of totals
is a bitset in one large integer: bit *n* is set if some faces add up to *n*. A second bitset holds the totals that two
sequences of faces add up to. Sets and dictionaries would be plainer, but take 60 times as long for 100 dice, and
rolls of thousands of dice are allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import gcd
from typing import Any, Final

from attrs import frozen

from enfilade.core import ir
from enfilade.core.requests import RollRequest
from enfilade.core.walk import nodes, seen_only_through
from enfilade.source.text import Span

_MOST_BITS: Final = 200_000_000
_Place = tuple[str, Span | None]


class Totals:
    """The rolls of a ruleset that are read by their total alone.

    Args:
        program: The ruleset.
    """

    def __init__(self, program: ir.Program) -> None:
        scopes: list[Any] = [each.body for each in program.procedures.values()]
        scopes += [each.body for each in program.effects.values()]
        # What the lines of results have at hand is shared by them.
        scopes += [each.entries for each in program.results.values()]
        self._by_total: dict[_Place, bool] = {}
        for scope in scopes:
            for roll, by_total in _rolls_of(scope, program):
                place = roll.name, roll.note.span
                # One line of the text may stand for several steps.
                self._by_total[place] = by_total and self._by_total.get(place, True)

    def reads_total(self, request: RollRequest) -> bool:
        """Whether nothing but the total is read of a roll: its faces make no difference."""
        name = request.name.partition("[")[0]
        return self._by_total.get((name, request.note.span), False)


def _rolls_of(scope: Any, program: ir.Program) -> Iterator[tuple[ir.RollDice, bool]]:
    rolls = [node for node in nodes(scope) if isinstance(node, ir.RollDice)]
    by_total = seen_only_through(scope, {roll.local for roll in rolls}, _totalled)
    for roll in rolls:
        # A rule that rolls again looks at each die.
        plain = not roll.rules and all(_is_numeric(program.dice[group.die]) for group in roll.groups)
        yield roll, plain and roll.local in by_total


def _totalled(node: Any) -> Any:
    return node.of if isinstance(node, ir.Part) and node.name == "total" else None


def _is_numeric(die: ir.Die) -> bool:
    return die.faces is None or not any(isinstance(face.value, str) for face in die.faces)


# -------------------------------------------------------------------------------------------------- faces of totals


@frozen
class _Ways:
    """Sums that come in one way at least, and in two at least, each by a bit."""

    once: int
    twice: int

    def later(self, by: int) -> _Ways:
        return _Ways(self.once << by, self.twice << by)

    def beside(self, other: _Ways) -> _Ways:
        return _Ways(self.once | other.once, self.twice | other.twice | (self.once & other.once))

    def has(self, number: int) -> bool:
        return number >= 0 and bool(self.once >> number & 1)


_NOTHING: Final = _Ways(0, 0)


@frozen
class _Sides:
    """One die: its faces, with how many steps each counts above the lowest; those of ``d6`` are not listed."""

    count: int
    faces: tuple[tuple[Any, int], ...] | None
    high: int

    def before(self, rest: _Ways) -> _Ways:
        """What this die and some others come to."""
        if self.faces is None:
            return _spread(rest, self.count)
        found = _NOTHING
        for _, step in self.faces:
            found = found.beside(rest.later(step))
        return found

    def fitting(self, left: int, rest: _Ways) -> Iterator[tuple[Any, int]]:
        """The faces that leave what the others can come to, the highest first."""
        if self.faces is not None:
            yield from (pair for pair in self.faces if rest.has(left - pair[1]))
            return
        step = min(self.count - 1, left)
        while step >= 0:
            # The lowest sum of the others from here on.
            above = rest.once >> (left - step)
            if not above:
                return
            step -= (above & -above).bit_length() - 1
            if step >= 0:
                yield step + 1, step
            step -= 1


def _spread(rest: _Ways, count: int) -> _Ways:
    """What comes of adding 0, 1, and so on up to *count* less 1."""
    found, block, size, done = _NOTHING, rest, 1, 0
    while count:
        if count & 1:
            found, done = found.beside(block.later(done)), done + size
        block, size, count = block.beside(block.later(size)), size * 2, count >> 1
    return found


class Throws:
    """What some dice can come to.

    Args:
        groups: How many of which die, in order.

    Attributes:
        low: The lowest total.
        high: The highest total.

    Raises:
        ValueError: They show words, or are too many.
    """

    def __init__(self, groups: Sequence[tuple[int, ir.Die]]) -> None:
        if not all(_is_numeric(die) for _, die in groups):
            raise ValueError("these dice show words")
        self._unit = _unit_of(die for _, die in groups)
        kinds = {die.name: _sides(die, self._unit) for _, die in groups}
        self._dice = [kinds[die.name] for count, die in groups for _ in range(count)]
        steps = sum(sides.high for sides in self._dice)
        self.low: int = sum(count * _lowest(die) for count, die in groups)
        self.high = self.low + steps * self._unit
        if (steps + 1) * len(self._dice) > _MOST_BITS:
            raise ValueError("these dice are too many to tell from their total")
        self._rests = [_Ways(1, 0)]
        for sides in reversed(self._dice):
            self._rests.append(sides.before(self._rests[-1]))
        self._rests.reverse()

    @property
    def is_whole(self) -> bool:
        """Whether every number from the lowest to the highest total can come."""
        once = self._rests[0].once
        return self._unit == 1 and once == (1 << once.bit_length()) - 1

    def totals(self) -> Iterator[int]:
        """All totals, the lowest first."""
        once = self._rests[0].once
        while once:
            number = (once & -once).bit_length() - 1
            yield self.low + number * self._unit
            once ^= 1 << number

    def can_come_to(self, total: int) -> bool:
        """Whether some faces come to a total."""
        return self._rests[0].has(self._number(total))

    def is_plain(self, total: int) -> bool:
        """Whether just one sequence of faces comes to a total."""
        return self.can_come_to(total) and not self._rests[0].twice >> self._number(total) & 1

    def faces(self, total: int, most: int) -> list[tuple[Any, ...]]:
        """Sequences of faces that come to a total, at most so many; always the same ones."""
        return list(islice(self._sequences(self._number(total)), most))

    def _number(self, total: int) -> int:
        steps, rest = divmod(total - self.low, self._unit)
        return -1 if rest else steps

    def _sequences(self, number: int) -> Iterator[tuple[Any, ...]]:
        """Every way to come to a sum, the first dice as high as they can be first."""
        if not self._rests[0].has(number):
            return
        # One generator for each die: there may be more dice than Python lets calls nest.
        faces: list[Any] = []
        lefts = [number]
        waiting = [self._fitting(0, number)]
        while waiting:
            if len(faces) == len(waiting):
                faces.pop()
                lefts.pop()
            found = next(waiting[-1], None)
            if found is None:
                waiting.pop()
                continue
            faces.append(found[0])
            lefts.append(lefts[-1] - found[1])
            if len(faces) == len(self._dice):
                yield tuple(faces)
            else:
                waiting.append(self._fitting(len(faces), lefts[-1]))

    def _fitting(self, at: int, left: int) -> Iterator[tuple[Any, int]]:
        return self._dice[at].fitting(left, self._rests[at + 1])


def _lowest(die: ir.Die) -> int:
    return 1 if die.faces is None else min(face.value for face in die.faces)


def _unit_of(dice: Iterable[ir.Die]) -> int:
    """The largest number of which all differences between the faces of a die are multiples."""
    found = 0
    for die in dice:
        low = _lowest(die)
        found = gcd(found, *((1,) if die.faces is None else (face.value - low for face in die.faces)))
    return found or 1


def _sides(die: ir.Die, unit: int) -> _Sides:
    if die.faces is None:
        return _Sides(die.count, None, die.count - 1)
    low = _lowest(die)
    # Of faces that look alike the first says what they count.
    shown = {face.printed: (face.value - low) // unit for face in reversed(die.faces)}
    ranked = sorted(shown.items(), key=lambda pair: -pair[1])
    return _Sides(len(ranked), tuple(ranked), max(shown.values()))
