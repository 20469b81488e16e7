"""Loops over a list in which the order of the rounds does not matter, so the list is read as a multiset.

Every round only adds to numbers, appends to lists that are not read in order, or sets a local to a constant; it reads
none of these. Its other locals are its own: no other round reads them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from enfilade.core import ir
from enfilade.core.traits import LOCAL
from enfilade.core.walk import nodes
from enfilade.engines.odds.analysis.demands import is_unordered
from enfilade.engines.odds.analysis.steady import assigned, is_kept_of
from enfilade.engines.odds.analysis.uses import Uses
from enfilade.engines.odds.analysis.variables import Variables, parts_of

_STATEMENTS: Final = (ir.SetLocal, ir.Branch, ir.RollDice, ir.Loop)


def read_of_list(loop: ir.Loop, first: Variables, live: Variables, uses: Uses) -> Variables | None:
    """The variables that a loop reads of its list.

    Args:
        loop: The loop.
        first: The variables that are live before a round.
        live: The variables that are live after the loop.
        uses: The uses of the ruleset.

    Returns:
        The variables; ``None`` if the order of the rounds may matter.
    """
    steps = [node for node in nodes(loop.body) if isinstance(node, ir.Statement)]
    names = {name for step in steps for name in assigned(step, uses.program)}
    shared = {name for name in names if _is_live(name, first | live)}
    added = {id(step): part for step in steps for part in [_added(step, shared, live)] if part is not None}
    if not all(isinstance(step, _STATEMENTS) and _is_own(step, shared, added, uses) for step in steps):
        return None
    reads = [node.name for node in nodes(loop.body) if isinstance(node, ir.Local) and node.name in shared]
    sums = [
        step for step in steps if isinstance(step, ir.SetLocal) and added.get(id(step), step.value) is not step.value
    ]
    if len(reads) != len(sums) or not _sets_one_value(steps, shared, added):
        return None
    element = ir.Items((ir.Local(loop.local),))
    collected = [
        parts_of(live, step.local) for step in steps if isinstance(step, ir.SetLocal) and added.get(id(step)) == element
    ]
    tests = [e for step in steps for e in _tests(step, added) if e != element or id(step) not in added]
    demand = uses.tested(loop.local, *tests).union(*collected)
    found = uses.of_list(loop.over, demand)
    for name in (*names, loop.local):
        found = uses.tests.without_local(found, name)
    return found


def _is_live(name: str, live: Variables) -> bool:
    return any(each[0] == LOCAL and is_kept_of(each[1], name) for each in live)


def _added(step: ir.Statement, shared: set[str], live: Variables) -> ir.Expr | None:
    """What a step adds to a local that other rounds change too, or the constant that it sets."""
    match step:
        case ir.SetLocal(name, _, ir.Op("add" | "subtract", (ir.Local(of), e))) if name == of and name in shared:
            return e
        case ir.SetLocal(name, _, ir.Op("add", (e, ir.Local(of)))) if name == of and name in shared:
            return e
        case ir.SetLocal(name, _, ir.Op("followed", (ir.Local(of), e))) if name == of and name in shared:
            return e if is_unordered(parts_of(live, name)) else None
        case ir.SetLocal(name, _, ir.Const() as e) if name in shared:
            return e
    return None


def _is_own(step: ir.Statement, shared: set[str], added: dict[int, ir.Expr], uses: Uses) -> bool:
    return id(step) in added or not shared & set(assigned(step, uses.program))


def _sets_one_value(steps: list[ir.Statement], shared: set[str], added: dict[int, ir.Expr]) -> bool:
    """Whether each shared local is only added to, only appended to, or only set to one constant."""
    kinds: dict[str, set[object]] = {name: set() for name in shared}
    for step in steps:
        if isinstance(step, ir.SetLocal) and id(step) in added:
            e = added[id(step)]
            is_list = isinstance(step.value, ir.Op) and step.value.name == "followed"
            kinds[step.local].add(e if step.value is e else is_list)
    return all(len(found) <= 1 for found in kinds.values())


def _tests(step: ir.Statement, added: dict[int, ir.Expr]) -> Iterator[ir.Expr]:
    """The expressions of a step whose values tell elements apart."""
    match step:
        case ir.SetLocal():
            yield added.get(id(step), step.value)
        case ir.Branch():
            yield step.condition
        case ir.Loop():
            yield step.over
        case _:
            yield from (node for node in nodes(step) if isinstance(node, ir.Local))
