"""The program graph: the call graph of a ruleset's declarations, reachability, and summaries of side effects.

Made once per program (:func:`graph_of`) from the table of :mod:`enfilade.core.traits`. Summaries of side effects are a
may-analysis: the least fixpoint over the strongly connected components of the call graph, callees first. A
must-analysis, such as :mod:`enfilade.core.needed_facts`, uses the same graph with its own lattice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, reduce
from operator import or_
from typing import Any, Final, TypeVar

from enfilade.core import ir
from enfilade.core.traits import Action, Node, Traits, Unit, Use, traits_of
from enfilade.core.walk import nodes

T = TypeVar("T")
V = TypeVar("V", Unit, int)

COUNTED: Final = ("procedure", "effect", "define")
"""The kinds of declarations whose nesting counts towards the limit of depth."""


def analysis(program: ir.Program, make: Callable[[ir.Program], T]) -> T:
    """The result of an analysis of a program, calculated once and cached with the program.

    Args:
        program: The ruleset.
        make: The analysis: a class or a function of the program alone.
    """
    known: dict[Any, Any] = program.analyses
    found: T = known[make] if make in known else known.setdefault(make, make(program))
    return found


def graph_of(program: ir.Program) -> ProgramGraph:
    """The graph of a program."""
    return analysis(program, ProgramGraph)


class ProgramGraph:
    """The declarations of a program, and the uses between them."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._declared: dict[Unit, Node] = {
            (kind, name): declared
            for kind, table in (
                ("procedure", program.procedures), ("effect", program.effects), ("results", program.results),
                ("define", program.definitions), ("chart", program.charts), ("modifiers", program.modifiers),
            )
            for name, declared in table.items()
        }  # fmt: skip
        self._nodes: dict[Unit, tuple[Node, ...]] = {}
        self._traits: dict[Unit, tuple[Traits, ...]] = {}
        self._edges: dict[Unit, tuple[Use, ...]] = {}
        self._reached: dict[Unit, frozenset[Unit]] = {}

    def take_over(self, other: ProgramGraph) -> None:
        """Take over what another graph found in declarations that are the same objects in both programs."""
        same_units = self._declared.keys() == other._declared.keys()
        same_charts = self.program.charts.keys() == other.program.charts.keys()
        for unit, declared in self._declared.items():
            if other._declared.get(unit) is not declared or unit not in other._nodes:
                continue
            self._nodes[unit] = other._nodes[unit]
            # Cells may name any chart of the ruleset.
            if same_charts and unit in other._traits:
                self._traits[unit] = other._traits[unit]
            # A use of a declaration that only one of the programs has is an edge in only one of them.
            if same_units and unit in other._edges:
                self._edges[unit] = other._edges[unit]

    @property
    def units(self) -> Iterable[Unit]:
        """Every declaration, in order of kind and of the text."""
        return self._declared

    def declared(self, unit: Unit) -> Any:
        """The declaration itself."""
        return self._declared[unit]

    def nodes(self, unit: Unit) -> tuple[Node, ...]:
        """Every node within a declaration, in the order of the text."""
        if unit not in self._nodes:
            self._nodes[unit] = tuple(nodes(self._declared[unit]))
        return self._nodes[unit]

    def _traits_of(self, unit: Unit) -> tuple[Traits, ...]:
        if unit not in self._traits:
            self._traits[unit] = tuple(traits_of(node, self.program) for node in self.nodes(unit))
        return self._traits[unit]

    # -- edges ------------------------------------------------------------------------------------------------

    def edges(self, unit: Unit) -> tuple[Use, ...]:
        """The uses of other declarations within a declaration, in the order of the text, each once."""
        if unit not in self._edges:
            self._edges[unit] = self._declared_uses(self._traits_of(unit))
        return self._edges[unit]

    def edges_from(self, root: Any) -> tuple[Use, ...]:
        """The uses of declarations within some nodes.

        Args:
            root: A node, or a tuple of nodes.
        """
        return self._edges_of(nodes(root))

    def own_edges(self, node: Node) -> tuple[Use, ...]:
        """The uses of declarations by one node, without the uses by its children."""
        return self._edges_of((node,))

    def _edges_of(self, found: Iterable[Node]) -> tuple[Use, ...]:
        return self._declared_uses(traits_of(node, self.program) for node in found)

    def _declared_uses(self, found: Iterable[Traits]) -> tuple[Use, ...]:
        # A step may apply results that no chart declares.
        uses = (use for traits in found for use in traits.uses)
        return tuple(dict.fromkeys(use for use in uses if use.unit in self._declared))

    def uses(self, unit: Unit) -> frozenset[Unit]:
        """The declarations that a declaration uses itself."""
        return frozenset(use.unit for use in self.edges(unit))

    # -- reachability -----------------------------------------------------------------------------------------

    def reached(self, unit: Unit) -> frozenset[Unit]:
        """A declaration and all declarations that it uses, directly or through others."""
        if unit not in self._reached:
            self._reached[unit] = self._closure([unit])
        return self._reached[unit]

    def reached_from(self, root: Any) -> frozenset[Unit]:
        """The declarations that some nodes use, directly or through others."""
        return self._closure(use.unit for use in self.edges_from(root))

    def _closure(self, units: Iterable[Unit]) -> frozenset[Unit]:
        found: set[Unit] = set()
        waiting = list(units)
        while waiting:
            unit = waiting.pop()
            if unit not in found:
                found.add(unit)
                waiting += self.uses(unit)
        return frozenset(found)

    @cached_property
    def components(self) -> tuple[tuple[Unit, ...], ...]:
        """The strongly connected components, callees before their callers."""
        return tuple(strongly_connected(self._declared, self.uses))

    @cached_property
    def depth(self) -> int | None:
        """How deep procedures, effects and definitions can nest in a run; ``None`` if they are recursive."""
        played = self._closure(("procedure", name) for name in self.program.procedures)
        depths: dict[Unit, int] = {}
        for component in self.components:
            if component[0] not in played:
                continue
            (unit, *others) = component
            if others or unit in self.uses(unit):
                return None
            depths[unit] = max((depths[used] for used in self.uses(unit)), default=0) + (unit[0] in COUNTED)
        return max(depths.values(), default=0)

    # -- side effects -----------------------------------------------------------------------------------------

    def own_actions(self, root: Any) -> Action:
        """The side effects of the nodes themselves, without those of the declarations they use."""
        return _union(traits_of(node, self.program).actions for node in nodes(root))

    def may(self, root: Any) -> Action:
        """The side effects that nodes may have, directly or through the declarations they use.

        Args:
            root: A node, or a tuple of nodes.
        """
        return self.own_actions(root) | self.used_may(root)

    def used_may(self, root: Any) -> Action:
        """The side effects that some nodes inherit from the declarations they use (see ``Use.passes``)."""
        return self._through(self.edges_from(root), self._summaries)

    def unit_may(self, unit: Unit) -> Action:
        """The side effects that a declaration may have; none for an undeclared name."""
        return self._summaries.get(unit, Action.NONE)

    def does(self, root: Any, actions: Action, but: tuple[str, ...] = ()) -> bool:
        """Whether nodes, or declarations reachable from them, have any of the given side effects.

        Args:
            root: A node, or a tuple of nodes.
            actions: The side effects to look for.
            but: Kinds of declarations whose own side effects are ignored.
        """
        if not but:
            return bool(self.may(root) & actions)
        units = (unit for unit in self.reached_from(root) if unit[0] not in but)
        return bool(_union([self.own_actions(root), *(self._own[unit] for unit in units)]) & actions)

    @cached_property
    def _own(self) -> dict[Unit, Action]:
        return {unit: _union(traits.actions for traits in self._traits_of(unit)) for unit in self._declared}

    @cached_property
    def _summaries(self) -> dict[Unit, Action]:
        summaries = dict(self._own)
        for component in self.components:
            # Within a component each vertex may reach every other: repeat until nothing is added.
            before = None
            while before != (now := [summaries[unit] for unit in component]):
                before = now
                for unit in component:
                    summaries[unit] |= self._through(self.edges(unit), summaries)
        return summaries

    @staticmethod
    def _through(edges: Iterable[Use], summaries: dict[Unit, Action]) -> Action:
        return _union(summaries[use.unit] & use.passes for use in edges)


def _union(actions: Iterable[Action]) -> Action:
    return reduce(or_, filter(None, actions), Action.NONE)


def strongly_connected(units: Iterable[V], uses: Callable[[V], Iterable[V]]) -> Iterator[tuple[V, ...]]:
    """The strongly connected components of a graph, by Tarjan's algorithm without recursion.

    Args:
        units: The vertices.
        uses: The successors of each vertex.

    Yields:
        The vertices of each component; a component comes after its successors.
    """
    index: dict[V, int] = {}
    low: dict[V, int] = {}
    stack: list[V] = []
    on_stack: set[V] = set()
    for start in units:
        work = [] if start in index else [(start, iter(sorted(uses(start))))]
        while work:
            unit, rest = work[-1]
            if unit not in index:
                index[unit] = low[unit] = len(index)
                stack.append(unit)
                on_stack.add(unit)
            for used in rest:
                if used not in index:
                    work.append((used, iter(sorted(uses(used)))))
                    break
                if used in on_stack:
                    low[unit] = min(low[unit], index[used])
            else:
                work.pop()
                if work:
                    caller = work[-1][0]
                    low[caller] = min(low[caller], low[unit])
                if low[unit] == index[unit]:
                    # Searching from the top keeps long chains of single vertices linear.
                    size = next(size for size in range(1, len(stack) + 1) if stack[-size] == unit)
                    component = tuple(stack[-size:])
                    del stack[-size:]
                    on_stack.difference_update(component)
                    yield component
