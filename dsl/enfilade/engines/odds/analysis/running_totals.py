"""Running totals: sums over records or effects that need only one number in each state.

Each of forty units checks morale, and then the rules count the units that failed. A state for each combination of forty
results would be too many, but the sum is one number. So if each round of a loop reads no record but its own, and
the changed fields are later only counted or added up, the share of each record is added to a running total as soon as
its round is over, and its fields are dropped.

This module finds the sums that can be running totals, and the steps that touch only their own record (an escape
analysis over the locals that hold the record).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from attrs import evolve

from enfilade.core import ir, traits
from enfilade.core.traits import Action, Name, Node, Structure, traits_of
from enfilade.core.walk import nodes
from enfilade.engines.odds.analysis.variables import RUNNING

MEMBERS: Final = f"{RUNNING}members"
"""The local that holds some members of the list of a sum."""
_ESCAPES: Final = Action.JOIN | Action.CHOOSE | Action.STOP
"""What may reach the records of others: simultaneous parts, a choice among records, an early end."""


class Sums:
    """The sums that running totals can replace, each with a number.

    Args:
        program: The ruleset.
        written: The fields that the rules change.
    """

    def __init__(self, program: ir.Program, written: frozenset[str]) -> None:
        self.program = program
        self.written = written
        self.known: dict[ir.Over, int] = {}
        self.expressions: list[ir.Over] = []
        self._over_local: dict[int, ir.Over] = {}

    def number(self, e: Any) -> int | None:
        """The number of a sum over a list of records; ``None`` if no running total can replace the expression."""
        if not isinstance(e, ir.Over) or e.how not in ("count", "sum") or not isinstance(e.over, ir.Fact):
            return None
        if e not in self.known:
            parts = _parts(e)
            if not self.fields(e) or not OwnRecord(self.program, self.written).keeps(parts, {e.var}):
                return None
            if any(isinstance(node, ir.Local) and node.name != e.var for node in nodes(parts)):
                return None
        return self._numbered(e)

    def of_effects(self, e: Any) -> int | None:
        """The number of a sum over the effects so far; ``None`` if no running total can replace the expression."""
        if not isinstance(e, ir.Over) or e.how not in ("count", "sum") or not isinstance(e.over, ir.EffectsSoFar):
            return None
        if e not in self.known and not all(self._is_constant(node, e.var) for node in nodes(_parts(e))):
            return None
        return self._numbered(e)

    def _numbered(self, e: ir.Over) -> int:
        found = self.known.get(e)
        if found is None:
            found = self.known[e] = len(self.expressions)
            self.expressions.append(e)
        return found

    def over_local(self, number: int) -> ir.Over:
        """The sum over the list in the local ``MEMBERS``; always the same object, so it is compiled once."""
        return self._over_local.setdefault(number, evolve(self.expressions[number], over=ir.Local(MEMBERS)))

    def _is_constant(self, node: Node, var: str) -> bool:
        """Whether a node has the same value when the effect is performed and later."""
        own = traits_of(node, self.program)
        return not own.uses and not own.writes and all(self._is_constant_name(name, var) for name in own.reads)

    def _is_constant_name(self, name: Name, var: str) -> bool:
        match name:
            case (traits.LOCAL, local):
                return local == var
            case (traits.FIELD, field):
                return field not in self.written
            case (kind, _):
                return kind == traits.OPTION

    def fields(self, e: ir.Over) -> frozenset[str]:
        """The fields that a sum reads and the rules change."""
        read = (node.name for node in nodes((e.where, e.body)) if isinstance(node, ir.Field))
        return frozenset(name for name in read if name in self.written)


def _parts(e: ir.Over) -> tuple[ir.Expr, ...]:
    return tuple(part for part in (e.where, e.body) if part is not None)


class OwnRecord:
    """Checks that nodes read and change mutable fields only of the records in some locals.

    Args:
        program: The ruleset.
        written: The fields that the rules change.
    """

    def __init__(self, program: ir.Program, written: frozenset[str]) -> None:
        self.program = program
        self.written = written
        self._open: set[Any] = set()

    def keeps(self, root: Any, own: Iterable[str]) -> bool:
        """Whether all nodes touch only the records in the locals *own*."""
        mine = frozenset(own)
        return all(self._keeps(node, mine) for node in nodes(root))

    def _keeps(self, node: Node, own: frozenset[str]) -> bool:
        if isinstance(node, Structure):
            # The expressions within it are nodes of their own.
            return True
        does = traits_of(node, self.program)
        # A local that holds the record must not change to another record.
        if does.actions & _ESCAPES or any(kind == traits.LOCAL and name in own for kind, name in does.writes):
            return False
        match node:
            case ir.Field():
                return node.name not in self.written or _is_one_of(node.of, own)
            case ir.SetField():
                return _is_one_of(node.of, own)
            case ir.Perform():
                effect = self.program.effects[node.effect]
                return self._declared(("effect", node.effect), effect.body, _given(node.args, own))
            case ir.Define():
                definition = self.program.definitions[node.name]
                args = zip(definition.params, node.args, strict=True)
                return self._declared(("define", node.name), definition.body, _given(args, own))
            case ir.SumModifiers():
                return self._block(node.block, node.reader, own)
            case ir.Look():
                return self._chart(self.program.charts[node.chart], node.reader, own)
        return not does.uses

    def _chart(self, chart: ir.Chart, reader: ir.Expr | None, own: frozenset[str]) -> bool:
        blocks = (*chart.shifts, *chart.roll_modifiers)
        return self._declared(("chart", chart.name), chart, _reader(reader, own)) and all(
            self._block(block, reader, own) for block in blocks
        )

    def _block(self, name: str, reader: ir.Expr | None, own: frozenset[str]) -> bool:
        return self._declared(("modifiers", name), self.program.modifiers[name].items, _reader(reader, own))

    def _declared(self, key: tuple[str, str], body: Any, own: frozenset[str]) -> bool:
        if (key, own) in self._open:
            return True
        self._open.add((key, own))
        return self.keeps(body, own)


def _is_one_of(e: ir.Expr, own: frozenset[str]) -> bool:
    return isinstance(e, ir.Local) and e.name in own


def _given(args: Iterable[tuple[str, ir.Expr]], own: frozenset[str]) -> frozenset[str]:
    return frozenset(name for name, arg in args if _is_one_of(arg, own))


def _reader(reader: ir.Expr | None, own: frozenset[str]) -> frozenset[str]:
    return frozenset({"reader"}) if reader is not None and _is_one_of(reader, own) else frozenset()
