"""Demands: what later steps read of a list, if they never read its order.

A list with a demand is a multiset. The liveness analysis carries the demand backward, from the reads of a list through
the steps that keep, join and filter it to the roll or draw that its elements come from. A demand is a set of:

- ``NUMBER``: how many elements there are;
- a test, by its number: the value of an expression for each element. Faces of a die for which every test has the same
  value are one face;
- ``ELEMENTS``: the elements themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, TypeAlias

from enfilade.core import ir
from enfilade.core.rewrite import replaced
from enfilade.core.walk import bound_in, locals_in, nodes
from enfilade.engines.odds.analysis.variables import Variables

NUMBER: Final = "count"
ELEMENTS: Final = "elements"
ELEMENT: Final = "an element"
"""The local that stands for the element in a test; no local of the rules has a blank in its name."""

Demand: TypeAlias = frozenset[str] | None
"""``None`` if the list is read in order."""
WHOLE: Final = frozenset({ELEMENTS})
_TEST: Final = f"{ELEMENTS}#"
_CHANGES_UNSEEN: Final = frozenset(("reader", "readers"))


def is_demand(part: str) -> bool:
    """Whether a part of a local is a demand for a list."""
    return part == NUMBER or part.startswith(ELEMENTS)


def is_unordered(parts: Collection[str]) -> bool:
    """Whether only a multiset is read of a list, given the live parts of the local that holds it."""
    return all(map(is_demand, parts))


class Tests:
    """The tests of a ruleset by number."""

    def __init__(self) -> None:
        self._numbers: dict[ir.Expr, str] = {}
        self._tests: dict[str, tuple[ir.Expr, frozenset[str]]] = {}

    def number(self, e: ir.Expr, var: str) -> str:
        """The number of a test of the element in a local; ``ELEMENTS`` if it can't be told in advance."""
        read = locals_in(e) - {var}
        if e == ir.Local(var) or bound_in(e) or read & _CHANGES_UNSEEN or not all(map(str.isidentifier, read)):
            return ELEMENTS
        test = replaced(e, lambda node: ir.Local(ELEMENT) if type(node) is ir.Local and node.name == var else None)
        if test not in self._numbers:
            number = self._numbers[test] = f"{_TEST}{len(self._numbers)}"
            self._tests[number] = test, frozenset(read)
        return self._numbers[test]

    def of(self, parts: Collection[str]) -> tuple[ir.Expr, ...] | None:
        """The tests that replace the elements; ``None`` if more is read of the list."""
        if not all(part == NUMBER or part in self._tests for part in parts):
            return None
        return tuple(self._tests[part][0] for part in sorted(parts) if part != NUMBER)

    def without_local(self, variables: Variables, name: str) -> Variables:
        """Variables at a place where a local has another value: tests that read it become demands for the elements."""
        return self._as_elements(variables, lambda number: name in self._tests[number][1])

    def elsewhere(self, variables: Variables) -> Variables:
        """Variables in another frame: tests of locals and facts become demands for the elements."""
        return self._as_elements(variables, lambda number: not self._is_closed(number))

    def _is_closed(self, number: str) -> bool:
        test, read = self._tests[number]
        return not read and not any(isinstance(node, ir.Fact) for node in nodes(test))

    @staticmethod
    def _as_elements(variables: Variables, changes: Callable[[str], bool]) -> Variables:
        tested = {each for each in variables if each[-1].startswith(_TEST) and changes(each[-1])}
        return variables - tested | {(*each[:-1], ELEMENTS) for each in tested} if tested else variables
