"""What each declaration can come to do, itself or through those that it uses.

Worked out once for a ruleset, so that a function is written with no more than it needs: no state where nothing
changes, no count of the depth where it can't be exceeded.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Any, TypeAlias

from enfilade.core import ir
from enfilade.core.walk import nodes

Unit: TypeAlias = tuple[str, str]
"""A declaration by its kind and its name: procedure, effect, results, define, chart, modifiers."""

CHANGES = (ir.SetField, ir.DrawCards, ir.Reshuffle)
ASKS = (ir.RollDice, ir.DrawCards, ir.Choose)
STATEFUL = (ir.Field, ir.EffectsSoFar, ir.CardsLeft)
COUNTED = ("procedure", "effect", "define")


class Reach:
    """What the declarations of a program reach."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._uses: dict[Unit, frozenset[Unit]] = {}
        self._reached: dict[Unit, frozenset[Unit]] = {}

    def declared(self, unit: Unit) -> Any:
        """The declaration itself."""
        kind, name = unit
        found = {
            "procedure": self.program.procedures, "effect": self.program.effects, "results": self.program.results,
            "define": self.program.definitions, "chart": self.program.charts, "modifiers": self.program.modifiers,
        }  # fmt: skip
        return found[kind][name]

    def uses(self, unit: Unit) -> frozenset[Unit]:
        """What a declaration names."""
        if unit not in self._uses:
            self._uses[unit] = frozenset(self.used_by(self.declared(unit)))
        return self._uses[unit]

    def used_by(self, root: Any) -> Iterator[Unit]:
        """What nodes name."""
        for node in nodes(root):
            match node:
                case ir.CallProcedure():
                    yield "procedure", node.procedure
                case ir.Perform():
                    yield "effect", node.effect
                case ir.ApplyResults():
                    yield "results", node.chart
                case ir.Define():
                    yield "define", node.name
                case ir.SumModifiers():
                    yield "modifiers", node.block
                case ir.Look():
                    yield "chart", node.chart
                case ir.LookIn():
                    yield from (("chart", name) for name in self.program.charts)
                case ir.Chart():
                    yield from (("modifiers", name) for name in (*node.shifts, *node.roll_modifiers))

    def reached(self, unit: Unit) -> frozenset[Unit]:
        """A declaration and all that it uses, through others too."""
        if unit not in self._reached:
            self._reached[unit] = self._closure(self.uses(unit)) | {unit}
        return self._reached[unit]

    def _closure(self, units: frozenset[Unit]) -> frozenset[Unit]:
        found: set[Unit] = set()
        waiting = list(units)
        while waiting:
            unit = waiting.pop()
            if unit not in found:
                found.add(unit)
                waiting += self.uses(unit)
        return frozenset(found)

    def does(self, root: Any, kinds: tuple[type[Any], ...], but: tuple[str, ...] = ()) -> bool:
        """Whether nodes, or what they use, hold one of some kinds; *but* leaves out some kinds of declarations."""
        if any(isinstance(node, kinds) for node in nodes(root)):
            return True
        units = (unit for unit in self._closure(frozenset(self.used_by(root))) if unit[0] not in but)
        return any(isinstance(node, kinds) for unit in units for node in nodes(self.declared(unit)))

    def stops(self, root: Any) -> bool:
        """Whether an effect or a result that nodes reach says ``stop``."""
        units = (unit for unit in self._closure(frozenset(self.used_by(root))) if unit[0] in ("effect", "results"))
        return any(isinstance(node, ir.Stop) for unit in units for node in nodes(self.declared(unit)))

    def may_stop(self, root: Any) -> bool:
        """Whether nodes, or an effect or a result that they reach, say ``stop``."""
        return any(isinstance(node, ir.Stop) for node in nodes(root)) or self.stops(root)

    @cached_property
    def depth(self) -> int | None:
        """How deep procedures, effects and definitions can stand in each other; ``None`` where there is no bound."""
        units = {unit for name in self.program.procedures for unit in self.reached(("procedure", name))}
        try:
            order = list(TopologicalSorter({unit: self.uses(unit) for unit in units}).static_order())
        except CycleError:
            return None
        depths: dict[Unit, int] = {}
        for unit in order:
            inner = max((depths[used] for used in self.uses(unit)), default=0)
            depths[unit] = inner + (unit[0] in COUNTED)
        return max(depths.values(), default=0)
