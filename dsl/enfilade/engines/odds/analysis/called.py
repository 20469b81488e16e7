"""Reads of declarations: the variables that an effect, results or a call reads, given the variables live after it.

``Uses.declared`` has everything that a declaration may read. Often a field is read only to change it: an effect that
counts lost speed keeps a count that no later step and no question reads. Such a step is dead, and what it alone reads is
dead before the effect, too. This module analyses the body of the declaration instead, for each set of live variables.
A declaration for which that leaves out a field must run without its dead steps, from its plan.

Declarations that use each other (strongly connected components of the call graph) are analysed together, until nothing
is added (a fixpoint).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from attrs import define, field

from enfilade.core import ir
from enfilade.core.traits import FIELD, LOCAL, Unit
from enfilade.core.walk import locals_in
from enfilade.engines.odds.analysis.liveness import Liveness
from enfilade.engines.odds.analysis.thresholds import is_threshold
from enfilade.engines.odds.analysis.uses import Uses
from enfilade.engines.odds.analysis.variables import ALL, NONE, Variables, has_field, shared

Bodies: TypeAlias = tuple[ir.Body, ...]


class Called:
    """The reads of the declarations of a ruleset.

    Args:
        uses: The uses of the ruleset.
        bodies: The bodies of a declaration as they are planned: one, or for results one for each line.
        always_fits: Whether the new value of a field always belongs to the type of the field.
    """

    def __init__(
        self, uses: Uses, bodies: Callable[[Unit], Bodies], always_fits: Callable[[ir.SetField], bool]
    ) -> None:
        self._uses = uses
        self._bodies = bodies
        self.always_fits = always_fits
        # The fields of a sum are read: another declaration may run as it is written, without running totals.
        self._fields = uses.without_totals()
        self._liveness = Liveness(self._fields, self)
        self._components = {unit: component for component in uses.graph.components for unit in component}
        self._known: dict[tuple[Unit, Variables, Variables], Variables] = {}
        self._solving: list[_Solving] = []

    def read_by(self, unit: Unit, live: Variables, end: Variables) -> Variables:
        """The shared variables that a declaration reads, and the fields that it changes.

        Args:
            unit: The declaration.
            live: The variables that are live after it: shared ones, and the outputs of a call.
            end: Those that are live at the end of the procedure, where a ``stop`` leads.

        Returns:
            The variables; the very object of ``Uses.declared`` if the declaration may run as it is written.
        """
        every = self._uses.declared(*unit)
        if not any(self._is_dropped(variable, live | end) for variable in every):
            return every
        found = self._before(unit, live, end)
        if not any(self._is_dropped(variable, found) for variable in every):
            return every
        return found | (every - shared(every))

    def is_narrowed(self, unit: Unit, live: Variables, end: Variables) -> bool:
        """Whether a declaration reads fewer fields than its text does, so it must run from its plan."""
        return self.read_by(unit, live, end) is not self._uses.declared(*unit)

    def _is_dropped(self, variable: tuple[str, ...], live: Variables) -> bool:
        if variable[0] != FIELD or variable[1] not in self._uses.written:
            return False
        # A number that is only compared is capped by the plan.
        return not has_field(frozenset(each for each in live if not is_threshold(each[-1])), variable[1])

    # -- bodies -----------------------------------------------------------------------------------------------

    def _before(self, unit: Unit, after: Variables, end: Variables) -> Variables:
        """The shared variables that are live before a declaration."""
        if self._solving and unit in self._solving[-1].before:
            return self._solving[-1].met(unit, after, end)
        key = (unit, after, end)
        if key not in self._known:
            component = self._components[unit]
            alone = len(component) == 1 and unit not in self._uses.graph.uses(unit)
            self._known[key] = self._through(*key) if alone else self._solved(component, *key)
        return self._known[key]

    def _solved(self, component: Iterable[Unit], unit: Unit, after: Variables, end: Variables) -> Variables:
        """The variables before a declaration that may use itself: a fixpoint over its component."""
        solving = _Solving(dict.fromkeys(component, NONE))
        solving.met(unit, after, end)
        self._solving.append(solving)
        outer = self._liveness.remembered
        while solving.has_changed:
            solving.has_changed = False
            # What was found with fewer variables does not count.
            self._liveness.remembered = {}
            for each, (live, ending) in [*solving.after.items()]:
                solving.add(each, self._through(each, live, ending))
        self._liveness.remembered = outer
        self._solving.pop()
        return solving.before[unit]

    def _through(self, unit: Unit, after: Variables, end: Variables) -> Variables:
        """The shared variables that are live before the body of a declaration."""
        bodies = self._bodies(unit)
        if unit[0] != "results":
            return shared(self._liveness.before_body(bodies[0], after, end))
        # A line runs once for each reader in turn, so the later runs and lines see its changes.
        lines = [line for entry in self._uses.program.results[unit[1]].entries for line in entry.lines]
        found = after | end | shared(self._fields.of(*(line.where for line in lines)))
        kept = frozenset((LOCAL, name, ALL) for name in locals_in(bodies))
        while True:
            before = (shared(self._liveness.before_body(body, found | kept, end)) for body in bodies)
            more = found.union(*before)
            if more == found:
                return found
            found = more


@define
class _Solving:
    """Declarations that use each other, while their reads are computed.

    Attributes:
        before: The variables live before each declaration, as far as they are known.
        after: The variables live after each declaration that has been met, and at the end of its procedure.
        has_changed: Whether something was added.
    """

    before: dict[Unit, Variables]
    after: dict[Unit, tuple[Variables, Variables]] = field(factory=dict)
    has_changed: bool = True

    def met(self, unit: Unit, after: Variables, end: Variables) -> Variables:
        """Note the live variables after one use of a declaration, and return those before it."""
        known = self.after.get(unit, (NONE, NONE))
        more = known[0] | after, known[1] | end
        if unit not in self.after or more != known:
            self.after[unit] = more
            self.has_changed = True
        return self.before[unit]

    def add(self, unit: Unit, before: Variables) -> None:
        """Add variables that are live before a declaration."""
        if not before <= self.before[unit]:
            self.before[unit] |= before
            self.has_changed = True
