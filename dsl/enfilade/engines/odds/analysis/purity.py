"""Purity: whether an expression can be left out without a visible effect.

An expression that may refuse or reject the facts (modifiers that never go together) must stay. An error of the
rules does not count: it concerns only questions that need the value.
"""

from __future__ import annotations

from enfilade.core import ir
from enfilade.core.graph import ProgramGraph
from enfilade.core.traits import REFUSES, Unit


class Purity:
    """The purity of expressions, worked out over the program graph."""

    def __init__(self, graph: ProgramGraph) -> None:
        self._graph = graph
        self._finds_fault: dict[Unit, bool] = {}

    def is_pure(self, e: ir.Expr) -> bool:
        """Whether an expression only computes a value."""
        if self._graph.does(e, REFUSES):
            return False
        return not any(self._may_find_fault(unit) for unit in self._graph.reached_from(e))

    def _may_find_fault(self, unit: Unit) -> bool:
        if unit not in self._finds_fault:
            self._finds_fault[unit] = any(
                isinstance(node, ir.Section) and node.kind == "never together" for node in self._graph.nodes(unit)
            )
        return self._finds_fault[unit]
