"""Matrix games: two opponents choose at the same time, and each cell of a matrix is what the row player gains.

The value and the optimal mixed strategies are exact. They solve a pair of dual linear programs: the simplex method over
fractions, with Bland's rule, so it always ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from attrs import frozen

Matrix: TypeAlias = Sequence[Sequence[Fraction]]
Tableau: TypeAlias = list[list[Fraction]]


@frozen
class Game:
    """A solved game.

    Attributes:
        value: What the row player gains on average if both play optimally.
        rows: The chance with which the row player plays each row.
        columns: The chance with which the column player plays each column.
    """

    value: Fraction
    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]


def solve(gains: Matrix) -> Game:
    """Solve a game: without chance if a cell is a saddle point, else by mixed strategies.

    Args:
        gains: What the row player gains, by row and column; at least one of each.

    Examples:
        >>> solve([[Fraction(0), Fraction(-1)], [Fraction(-1), Fraction(1)]])
        Game(value=Fraction(-1, 3), rows=(Fraction(2, 3), Fraction(1, 3)), columns=(Fraction(2, 3), Fraction(1, 3)))
    """
    lowest = [min(row) for row in gains]
    highest = [max(column) for column in zip(*gains, strict=True)]
    if max(lowest) == min(highest):
        row, column = lowest.index(max(lowest)), highest.index(min(highest))
        return Game(max(lowest), _always(row, len(lowest)), _always(column, len(highest)))
    return _mixed(gains)


def _always(at: int, count: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(place == at) for place in range(count))


def _mixed(gains: Matrix) -> Game:
    """Solve a game as a linear program.

    All gains are made positive by adding a constant. The column player maximises the sum of *y* with ``gains · y <= 1``; the
    dual of that program is the row player's. The value is 1 over the sum, and the strategies are in proportion to the solutions.
    """
    added = 1 - min(map(min, gains))
    count, width = len(gains), len(gains[0])
    tableau: Tableau = [
        [each + added for each in row] + [Fraction(place == at) for place in range(count)] + [Fraction(1)]
        for at, row in enumerate(gains)
    ]
    tableau.append([Fraction(-1)] * width + [Fraction(0)] * (count + 1))
    basis = _simplex(tableau, list(range(width, width + count)))
    total = tableau[-1][-1]
    solution = {variable: row[-1] for variable, row in zip(basis, tableau, strict=False)}
    columns = tuple(solution.get(at, Fraction(0)) / total for at in range(width))
    rows = tuple(each / total for each in tableau[-1][width:-1])
    return Game(1 / total - added, rows, columns)


def _simplex(tableau: Tableau, basis: list[int]) -> list[int]:
    """Maximise by the simplex method, in place, from a feasible basis; return the basis of the solution.

    Bland's rule: among the variables that may enter or leave the basis, take the one with the lowest number.
    """
    while True:
        entering = next((at for at, cost in enumerate(tableau[-1][:-1]) if cost < 0), None)
        if entering is None:
            return basis
        ratios = [
            (row[-1] / row[entering], variable, at)
            for at, (variable, row) in enumerate(zip(basis, tableau, strict=False))
            if row[entering] > 0
        ]
        _, _, leaving = min(ratios)
        _pivot(tableau, leaving, entering)
        basis[leaving] = entering


def _pivot(tableau: Tableau, at: int, column: int) -> None:
    pivot = tableau[at][column]
    tableau[at] = [each / pivot for each in tableau[at]]
    for other, row in enumerate(tableau):
        factor = row[column]
        if other != at and factor:
            tableau[other] = [each - factor * mine for each, mine in zip(row, tableau[at], strict=True)]
