"""Luck: the dice of a session compared with their exact expectation, by convolution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Final

from attrs import frozen

from enfilade import DiceToRoll
from enfilade.language import Line, decimal, in_columns, line, percent

_MOST: Final = 5_000


@frozen
class Thrown:
    """All dice of one kind.

    Attributes:
        die: The die.
        sides: The numbers on its sides.
        faces: The faces rolled.
    """

    die: str
    sides: tuple[int, ...]
    faces: tuple[int, ...]

    @property
    def expected(self) -> Fraction:
        """The expected total."""
        return Fraction(sum(self.sides) * len(self.faces), len(self.sides))

    def chance_beyond(self) -> tuple[str, Fraction]:
        """The tail probability: the chance of this total or more if it is high, of this total or less if it is low."""
        total = sum(self.faces)
        weights = _sums(self.sides, len(self.faces))
        high = total >= self.expected
        beyond = sum(weight for value, weight in weights.items() if (value >= total if high else value <= total))
        return ("high" if high else "low"), Fraction(beyond, len(self.sides) ** len(self.faces))


def _sums(sides: tuple[int, ...], count: int) -> dict[int, int]:
    """The distribution of the total of several dice, by repeated squaring."""
    if count == 0:
        return {0: 1}
    half = _sums(sides, count // 2)
    whole = _product(half, half)
    single: dict[int, int] = {}
    for side in sides:
        single[side] = single.get(side, 0) + 1
    return _product(whole, single) if count % 2 else whole


def _product(a: dict[int, int], b: dict[int, int]) -> dict[int, int]:
    result: dict[int, int] = {}
    for left, ways in a.items():
        for right, more in b.items():
            result[left + right] = result.get(left + right, 0) + ways * more
    return result


def thrown(rolls: Iterable[tuple[tuple[DiceToRoll, ...], tuple[Any, ...]]]) -> tuple[Thrown, ...]:
    """Group the dice of rolls by kind; dice without numbers on their sides are left out.

    Args:
        rolls: The dice of each roll, with the faces rolled.
    """
    found: dict[tuple[str, tuple[int, ...]], list[int]] = {}
    for dice, faces in rolls:
        at = 0
        for each in dice:
            shown = faces[at : at + each.count]
            at += each.count
            sides = each.faces or tuple(range(1, each.sides + 1))
            # Equal sides of a die are not distinguished here.
            if len(sides) == each.sides and all(type(side) is int for side in (*sides, *shown)):
                found.setdefault((each.die, tuple(sides)), []).extend(shown)
    return tuple(Thrown(die, sides, tuple(faces)) for (die, sides), faces in found.items())


def luck_lines(all_thrown: Iterable[Thrown]) -> Iterator[Line]:
    """The table of expected and actual totals of the dice of a session."""
    rows: list[list[str | tuple[str, str]]] = [
        [("label", each) for each in ("dice", "rolled", "total", "expected", "mean", "chance")]
    ]
    for each in all_thrown:
        count, total = len(each.faces), sum(each.faces)
        row: list[str | tuple[str, str]] = [
            ("dice", each.die), str(count), str(total), decimal(each.expected, 1), decimal(Fraction(total, count), 2),
        ]  # fmt: skip
        rows.append([*row, ("hint", _unusual(each))])
    if len(rows) == 1:
        yield line(("hint", "No dice with numbers have been rolled yet."))
        return
    yield from in_columns(rows)


def _unusual(each: Thrown) -> str:
    if len(each.faces) > _MOST:
        return ""
    side, chance = each.chance_beyond()
    return f"this total or {'more' if side == 'high' else 'less'}: {percent(chance)}"
