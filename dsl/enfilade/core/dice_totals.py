"""Totals of dice: the rolls of which the rules read only the total, and the faces that add up to a total.

A player may type "nine" instead of the faces, if only the total matters. The analysis is conservative: in doubt, it
reports that the faces matter. That mistake only asks for more input; the opposite mistake would change the game.

Dynamic programming over the dice finds the possible totals, one die at a time (as for subset sums). Each set of totals
is a bitset in one large integer: bit *n* is set if some faces add up to *n*. A second bitset holds the totals that two
sequences of faces add up to. Sets and dictionaries would be simpler, but hundreds of times slower for 100 dice, and
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
from enfilade.core.walk import nodes, only_read_through
from enfilade.source.text import Span

_MOST_BITS: Final = 200_000_000
_Place = tuple[str, Span | None]


class TotalOnlyRolls:
    """The rolls of a ruleset of which the rules read only the total.

    Args:
        program: The ruleset.
    """

    def __init__(self, program: ir.Program) -> None:
        scopes: list[Any] = [each.body for each in program.procedures.values()]
        scopes += [each.body for each in program.effects.values()]
        # The lines of a chart's results share their locals, so they form one scope.
        scopes += [each.entries for each in program.results.values()]
        self._by_total: dict[_Place, bool] = {}
        for scope in scopes:
            for roll, by_total in _rolls_of(scope, program):
                place = roll.name, roll.note.span
                # One source line may be lowered to several statements: all of them must read only the total.
                self._by_total[place] = by_total and self._by_total.get(place, True)

    def reads_total(self, request: RollRequest) -> bool:
        """Whether the rules read only the total of a roll, so its faces make no difference."""
        name = request.name.partition("[")[0]
        return self._by_total.get((name, request.note.span), False)


def pools(program: ir.Program) -> frozenset[_Place]:
    """The rolls of which the rules read each die, and never the total: their sum means nothing."""
    found: set[_Place] = set()
    bodies: list[Any] = [
        *(each.body for each in program.procedures.values()),
        *(each.body for each in program.effects.values()),
    ]
    for body in bodies:
        rolls = [node for node in nodes(body) if isinstance(node, ir.RollDice)]
        names = {roll.local for roll in rolls}
        apart = only_read_through(body, names, _read_apart) & {
            looked_at.name for node in nodes(body) if isinstance(looked_at := _read_apart(node), ir.Local)
        }
        found |= {(roll.name, roll.note.span) for roll in rolls if roll.local in apart}
    return frozenset(found)


def _read_apart(node: Any) -> Any:
    return node.of if isinstance(node, ir.Part) and node.name != "total" else None


def _rolls_of(scope: Any, program: ir.Program) -> Iterator[tuple[ir.RollDice, bool]]:
    rolls = [node for node in nodes(scope) if isinstance(node, ir.RollDice)]
    by_total = only_read_through(scope, {roll.local for roll in rolls}, _totalled)
    for roll in rolls:
        # A rule that rerolls or explodes tests each die.
        plain = not roll.rules and all(_is_numeric(program.dice[group.die]) for group in roll.groups)
        yield roll, plain and roll.local in by_total


def _totalled(node: Any) -> Any:
    return node.of if isinstance(node, ir.Part) and node.name == "total" else None


def _is_numeric(die: ir.Die) -> bool:
    return die.faces is None or not any(isinstance(face.value, str) for face in die.faces)


# -------------------------------------------------------------------------------------------------- faces of totals


@frozen
class _Sums:
    """Two bitsets: the sums of at least one sequence of faces, and the sums of at least two."""

    once: int
    twice: int

    def shifted(self, by: int) -> _Sums:
        return _Sums(self.once << by, self.twice << by)

    def union(self, other: _Sums) -> _Sums:
        return _Sums(self.once | other.once, self.twice | other.twice | (self.once & other.once))

    def has(self, number: int) -> bool:
        return number >= 0 and bool(self.once >> number & 1)


_NOTHING: Final = _Sums(0, 0)


@frozen
class _Sides:
    """One die: its faces, each with its distance in steps from the lowest; ``None`` for plain dice such as ``d6``."""

    count: int
    faces: tuple[tuple[Any, int], ...] | None
    high: int

    def plus(self, rest: _Sums) -> _Sums:
        """Add this die to the sums of some others (a convolution)."""
        if self.faces is None:
            return _plus_range(rest, self.count)
        found = _NOTHING
        for _, step in self.faces:
            found = found.union(rest.shifted(step))
        return found

    def feasible_faces(self, left: int, rest: _Sums) -> Iterator[tuple[Any, int]]:
        """The faces for which the other dice can reach the rest of the sum, highest first."""
        if self.faces is not None:
            yield from (pair for pair in self.faces if rest.has(left - pair[1]))
            return
        step = min(self.count - 1, left)
        while step >= 0:
            # Skip to the next sum that the other dice can reach.
            above = rest.once >> (left - step)
            if not above:
                return
            step -= (above & -above).bit_length() - 1
            if step >= 0:
                yield step + 1, step
            step -= 1


def _plus_range(rest: _Sums, count: int) -> _Sums:
    """Add each of 0 to *count* - 1 to some sums, by repeated doubling."""
    found, block, size, done = _NOTHING, rest, 1, 0
    while count:
        if count & 1:
            found, done = found.union(block.shifted(done)), done + size
        block, size, count = block.union(block.shifted(size)), size * 2, count >> 1
    return found


class DiceSums:
    """The possible totals of some dice, and the faces that add up to each.

    Args:
        groups: The number of each die, in order.

    Attributes:
        low: The lowest total.
        high: The highest total.

    Raises:
        ValueError: The dice show words, or there are too many of them.
    """

    def __init__(self, groups: Sequence[tuple[int, ir.Die]]) -> None:
        if not all(_is_numeric(die) for _, die in groups):
            raise ValueError("these dice show words")
        self._unit = _unit_of(die for _, die in groups)
        kinds = {die.name: _sides_of(die, self._unit) for _, die in groups}
        self._dice = [kinds[die.name] for count, die in groups for _ in range(count)]
        steps = sum(sides.high for sides in self._dice)
        self.low: int = sum(count * _lowest(die) for count, die in groups)
        self.high = self.low + steps * self._unit
        if (steps + 1) * len(self._dice) > _MOST_BITS:
            raise ValueError("there are too many dice to find their faces from the total")
        self._rests = [_Sums(1, 0)]
        for sides in reversed(self._dice):
            self._rests.append(sides.plus(self._rests[-1]))
        self._rests.reverse()

    @property
    def is_whole(self) -> bool:
        """Whether every number from the lowest to the highest total is possible."""
        once = self._rests[0].once
        return self._unit == 1 and once == (1 << once.bit_length()) - 1

    def totals(self) -> Iterator[int]:
        """All possible totals, lowest first."""
        once = self._rests[0].once
        while once:
            number = (once & -once).bit_length() - 1
            yield self.low + number * self._unit
            once ^= 1 << number

    def is_possible(self, total: int) -> bool:
        """Whether some faces add up to a total."""
        return self._rests[0].has(self._number(total))

    def has_one_sequence(self, total: int) -> bool:
        """Whether exactly one sequence of faces adds up to a total."""
        return self.is_possible(total) and not self._rests[0].twice >> self._number(total) & 1

    def faces(self, total: int, most: int) -> list[tuple[Any, ...]]:
        """At most *most* sequences of faces that add up to a total; the same sequences on every call."""
        return list(islice(self._sequences(self._number(total)), most))

    def _number(self, total: int) -> int:
        steps, rest = divmod(total - self.low, self._unit)
        return -1 if rest else steps

    def _sequences(self, number: int) -> Iterator[tuple[Any, ...]]:
        """All sequences of faces with a sum, by backtracking; high faces of the first dice come first."""
        if not self._rests[0].has(number):
            return
        # An explicit stack of generators, one per die: there may be more dice than Python's recursion limit.
        faces: list[Any] = []
        lefts = [number]
        waiting = [self._feasible_faces(0, number)]
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
                waiting.append(self._feasible_faces(len(faces), lefts[-1]))

    def _feasible_faces(self, at: int, left: int) -> Iterator[tuple[Any, int]]:
        return self._dice[at].feasible_faces(left, self._rests[at + 1])


def _lowest(die: ir.Die) -> int:
    return 1 if die.faces is None else min(face.value for face in die.faces)


def _unit_of(dice: Iterable[ir.Die]) -> int:
    """The greatest common divisor of the differences between faces, over all dice."""
    found = 0
    for die in dice:
        low = _lowest(die)
        found = gcd(found, *((1,) if die.faces is None else (face.value - low for face in die.faces)))
    return found or 1


def _sides_of(die: ir.Die, unit: int) -> _Sides:
    if die.faces is None:
        return _Sides(die.count, None, die.count - 1)
    low = _lowest(die)
    # If two faces have the same print, the value of the first is used.
    shown = {face.printed: (face.value - low) // unit for face in reversed(die.faces)}
    ranked = sorted(shown.items(), key=lambda pair: -pair[1])
    return _Sides(len(ranked), tuple(ranked), max(shown.values()))
