"""Reaching definitions: expressions whose value at a roll is still the same when they are read later."""

from __future__ import annotations

from typing import Final, get_args

from enfilade.core import ir, traits
from enfilade.core.rewrite import replaced
from enfilade.core.traits import FACT, FIELD, LOCAL, Node
from enfilade.core.walk import bound_in, locals_in, nodes
from enfilade.engines.odds.analysis.aggregates import Aggregate
from enfilade.engines.odds.analysis.uses import Uses
from enfilade.engines.odds.analysis.variables import Variable, output

_ROUNDS: Final = 8
_STATEMENTS: Final = get_args(ir.Statement)


class Steady:
    """Compares the place of a roll with the places of the assignments around it.

    Args:
        bodies: The steps.
        roll: The local of the roll.
        uses: The uses of the ruleset.
    """

    def __init__(self, bodies: tuple[ir.Body, ...], roll: str, uses: Uses) -> None:
        self._roll = roll
        self._uses = uses
        self._assigned = assignments(bodies, uses.program)
        self._bound = bound_in(bodies)
        self._place = min(self._assigned[roll])
        self._values: dict[str, ir.Expr] = {}
        for node in nodes(bodies):
            match node:
                case ir.SetLocal():
                    self._values[node.local] = node.value
                case ir.Give():
                    self._values[output(node.name)] = node.value

    def is_steady(self, aggregate: Aggregate) -> bool:
        """Whether an aggregate may be computed with the roll."""
        e = aggregate.expression
        free = locals_in(e) - bound_in(e) - {self._roll}
        pools = sum(isinstance(node, ir.Local) and node.name == self._roll for node in nodes(e))
        if pools != 1 or self._is_bound_later(free) or may_change(e, self._uses):
            return False
        return all(self._last(name) <= self._place for name in free)

    def is_known_at_roll(self, e: ir.Expr, known: set[str]) -> bool:
        """Whether an expression can be computed at the roll; the roll itself provides the locals *known*."""
        free = locals_in(e) - known
        if self._is_bound_later(free) or self._roll in free or may_change(e, self._uses):
            return False
        return all(self._last(name) < self._place for name in free)

    def inlined(self, e: ir.Expr) -> ir.Expr:
        """An expression with the values of later locals inlined, if they do not depend on the roll."""
        for _ in range(_ROUNDS):
            before = e
            e = replaced(e, lambda node: self._value(node.name) if type(node) is ir.Local else None)
            if e is before:
                break
        return e

    def _value(self, name: str) -> ir.Expr | None:
        value = self._values.get(name)
        if value is None or len(self._assigned[name]) != 1 or self._last(name) < self._place:
            return None
        return None if may_change(value, self._uses) or self._roll in locals_in(value) else value

    def _last(self, name: str) -> int:
        return max(self._assigned.get(name, [-1]))

    def _is_bound_later(self, free: set[str]) -> bool:
        return "reader" in free or bool(free & self._bound)


def may_change(e: ir.Expr, uses: Uses) -> bool:
    """Whether an expression reads a variable, other than a local, that steps may change."""
    return not all(_is_constant(variable, uses) for variable in uses.of(e))


def _is_constant(variable: Variable, uses: Uses) -> bool:
    return variable[0] in (LOCAL, FACT) or (variable[0] == FIELD and variable[1] not in uses.written)


def assignments(bodies: tuple[ir.Body, ...], program: ir.Program) -> dict[str, list[int]]:
    """The places where each local is assigned, by the number of the node in the text."""
    found: dict[str, list[int]] = {}
    for place, node in enumerate(nodes(bodies)):
        for name in assigned(node, program):
            found.setdefault(name, []).append(place)
    return found


def assigned(node: Node, program: ir.Program) -> tuple[str, ...]:
    """The locals that a node assigns; none if it is not a statement."""
    if not isinstance(node, _STATEMENTS):
        return ()
    return tuple(name for kind, name in traits.traits_of(node, program).writes if kind == LOCAL)


def is_kept_of(local: str, roll: str) -> bool:
    """Whether a local is a roll, or a value that replaces its faces."""
    return local == roll or local.startswith((f"{roll}#", f"{roll}?"))
