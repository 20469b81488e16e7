"""Records that are done with, and only counted later.

Each of forty units checks morale, and then the rules count those that failed. To keep what became of every unit would make
more worlds than there are atoms; what is read of them is one number. So where the steps of a loop look at no record but
their own, and what they change is later only counted or added up over a list, each record's share in the sum is added to
a running total as soon as its turn is over, and what became of it is forgotten.

Here is which sums can be kept so, and which steps keep to their own record.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from enfilade.core import ir
from enfilade.core.walk import nodes

RUNNING: Final = "sum so far "


class Sums:
    """The sums over lists of records that can be kept as running totals, each by a number."""

    def __init__(self, program: ir.Program, written: frozenset[str]) -> None:
        self.program = program
        self.written = written
        self.known: dict[ir.Over, int] = {}
        self.expressions: list[ir.Over] = []

    def number(self, e: Any) -> int | None:
        """The number of a sum; nothing where an expression is none that can be kept."""
        if not isinstance(e, ir.Over) or e.how not in ("count", "sum") or not isinstance(e.over, ir.Fact):
            return None
        found = self.known.get(e)
        if found is None:
            parts = tuple(part for part in (e.where, e.body) if part is not None)
            if not self.fields(e) or not Own(self.program, self.written).keeps(parts, {e.var}):
                return None
            if any(isinstance(node, ir.Local) and node.name != e.var for node in nodes(parts)):
                return None
            found = self.known[e] = len(self.expressions)
            self.expressions.append(e)
        return found

    def of_effects(self, e: Any) -> int | None:
        """The number of a sum over the effects so far; nothing where an expression is none that can be kept."""
        if not isinstance(e, ir.Over) or e.how not in ("count", "sum") or not isinstance(e.over, ir.EffectsSoFar):
            return None
        found = self.known.get(e)
        if found is None:
            parts = tuple(part for part in (e.where, e.body) if part is not None)
            if not all(self._is_settled(node, e.var) for node in nodes(parts)):
                return None
            found = self.known[e] = len(self.expressions)
            self.expressions.append(e)
        return found

    def _is_settled(self, node: Any, var: str) -> bool:
        """Whether a part of a sum over effects comes to the same when the effect is performed and later."""
        match node:
            case ir.Local():
                return node.name == var
            case ir.Field():
                return node.name not in self.written
            case ir.Const() | ir.Part() | ir.Op() | ir.All() | ir.Any_() | ir.Not() | ir.If() | ir.Option():
                return True
        return False

    def fields(self, e: ir.Over) -> frozenset[str]:
        """The fields that a sum reads and the rules change."""
        return frozenset(
            node.name for node in nodes((e.where, e.body)) if isinstance(node, ir.Field) and node.name in self.written
        )


class Own:
    """Says whether steps look at no changing field but those of some locals.

    Args:
        program: The ruleset.
        written: The fields that the rules change.
    """

    def __init__(self, program: ir.Program, written: frozenset[str]) -> None:
        self.program = program
        self.written = written
        self._open: set[Any] = set()

    def keeps(self, root: Any, own: Iterable[str]) -> bool:
        """Whether nodes keep to the records that some locals hold."""
        mine = frozenset(own)
        return all(self._keeps(node, mine) for node in nodes(root))

    def _keeps(self, node: Any, own: frozenset[str]) -> bool:
        match node:
            case ir.Field():
                return node.name not in self.written or _is_one_of(node.of, own)
            case ir.SetField():
                return _is_one_of(node.of, own)
            case ir.SetLocal():
                # A local that holds the record must not come to hold another.
                return node.local not in own
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
                chart = self.program.charts[node.chart]
                read = self._declared(("chart", node.chart), parts_of_chart(chart), _reader(node.reader, own))
                return read and all(
                    self._block(block, node.reader, own) for block in (*chart.shifts, *chart.roll_modifiers)
                )
            case ir.LookIn() | ir.CallProcedure() | ir.ApplyResults() | ir.Together() | ir.Choose() | ir.Stop():
                return False
        return True

    def _block(self, name: str, reader: ir.Expr | None, own: frozenset[str]) -> bool:
        return self._declared(("modifiers", name), self.program.modifiers[name].items, _reader(reader, own))

    def _declared(self, key: tuple[str, str], body: Any, own: frozenset[str]) -> bool:
        if (key, own) in self._open:
            return True
        self._open.add((key, own))
        return self.keeps(body, own)


def parts_of_chart(chart: ir.Chart) -> tuple[Any, ...]:
    """What a chart is made of that looks at anything, its modifiers left out."""
    return (chart.pages, chart.down, chart.across, chart.inside, chart.find, chart.edges, chart.errata)


def _is_one_of(e: ir.Expr, own: frozenset[str]) -> bool:
    return isinstance(e, ir.Local) and e.name in own


def _given(args: Iterable[tuple[str, ir.Expr]], own: frozenset[str]) -> frozenset[str]:
    return frozenset(name for name, arg in args if _is_one_of(arg, own))


def _reader(reader: ir.Expr | None, own: frozenset[str]) -> frozenset[str]:
    return frozenset({"reader"}) if reader is not None and _is_one_of(reader, own) else frozenset()
