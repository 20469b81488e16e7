"""Expected visits to the states of an absorbing Markov chain: linear equations, solved exactly.

The visits to a state are the chance of starting there, plus the visits to each predecessor times the chance of that
transition. Strongly connected components (Tarjan's algorithm) are solved one after the other, each by Gaussian elimination
over fractions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from enfilade.core.graph import strongly_connected
from enfilade.errors import LimitError
from enfilade.limits import check_time

_MOST_EQUATIONS: Final = 400


def expected_visits(coming: dict[int, Fraction], onward: list[list[tuple[int, Fraction]]]) -> dict[int, Fraction]:
    """The expected number of visits to each state.

    Args:
        coming: The chance with which the chain starts in each state.
        onward: The transitions of each state: the next states with their chances.

    Raises:
        LimitError: The chain never ends, or a strongly connected component has too many states.
    """
    visits: dict[int, Fraction] = {}
    inflow = dict(coming)
    for group in _in_order(onward):
        entering = {number: inflow[number] for number in group if inflow.get(number)}
        if not entering:
            continue
        solved = _solved(group, entering, onward)
        inside = set(group)
        for number, visit in solved.items():
            visits[number] = visit
            for other, chance in onward[number]:
                if other not in inside:
                    inflow[other] = inflow.get(other, Fraction(0)) + visit * chance
    return visits


def may_never_end(onward: list[list[tuple[int, Fraction]]]) -> bool:
    """Whether some states of a chain are never left: a strongly connected component without an exit."""
    return any(_has_no_exit(set(group), onward) for group in _in_order(onward))


def _has_no_exit(group: set[int], onward: list[list[tuple[int, Fraction]]]) -> bool:
    return all(sum(chance for other, chance in onward[number] if other in group) == 1 for number in group)


def _solved(
    group: tuple[int, ...], entering: dict[int, Fraction], onward: list[list[tuple[int, Fraction]]]
) -> dict[int, Fraction]:
    """The visits to the states of one strongly connected component."""
    if len(group) == 1:
        (number,) = group
        back = sum((chance for other, chance in onward[number] if other == number), Fraction(0))
        if back == 1:
            raise LimitError("rounds", "a loop can go on forever")
        return {number: entering[number] / (1 - back)}
    place = {number: at for at, number in enumerate(group)}
    size = len(group)
    rows = [[Fraction(int(at == column)) for column in range(size)] for at in range(size)]
    for number in group:
        for other, chance in onward[number]:
            if other in place:
                rows[place[other]][place[number]] -= chance
    known = [entering.get(number, Fraction(0)) for number in group]
    return dict(zip(group, eliminated(rows, known), strict=True))


def eliminated(rows: list[list[Fraction]], known: list[Fraction]) -> list[Fraction]:
    """The solution of linear equations, by Gaussian elimination.

    Args:
        rows: The coefficients, which are changed.
        known: The right-hand side, which is changed.

    Raises:
        LimitError: There is no single solution, or there are too many equations.
    """
    size = len(rows)
    if size > _MOST_EQUATIONS:
        raise LimitError("worlds", f"a loop has more than {_MOST_EQUATIONS} states")
    for at in range(size):
        check_time()
        pivot = next((row for row in range(at, size) if rows[row][at]), None)
        if pivot is None:
            raise LimitError("rounds", "a loop can go on forever")
        rows[at], rows[pivot] = rows[pivot], rows[at]
        known[at], known[pivot] = known[pivot], known[at]
        scale = rows[at][at]
        filled = [column for column in range(at, size) if rows[at][column]]
        for column in filled:
            rows[at][column] /= scale
        known[at] /= scale
        for row in range(size):
            factor = rows[row][at]
            if row != at and factor:
                for column in filled:
                    rows[row][column] -= factor * rows[at][column]
                known[row] -= factor * known[at]
    return known


def _in_order(onward: list[list[tuple[int, Fraction]]]) -> list[tuple[int, ...]]:
    """The strongly connected components in topological order."""
    found = strongly_connected(range(len(onward)), lambda number: {other for other, _ in onward[number]})
    return [*found][::-1]
