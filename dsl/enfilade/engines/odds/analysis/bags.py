"""Rolls whose order never matters: their faces are a bag (a multiset), which has far fewer values than a sequence.

A backward analysis over expressions. A list is read in order unless what reads it gives the same value for every order
of its elements: a count, a sum, `has`, sorting by the elements themselves. Operations that make a list of a list pass
the question on, and so does a local that holds the list.
"""

from __future__ import annotations

from typing import Any, Final

from enfilade.core import ir
from enfilade.core.walk import children, nodes

_COUNTED: Final = frozenset(("count", "sum", "any", "all", "none", "highest", "lowest"))
_PASSING: Final = frozenset(("followed", "without"))


def rolls_without_order(bodies: Any) -> frozenset[str]:
    """The rolls whose dice are never read in order.

    Args:
        bodies: Steps; every use of their locals is in them.
    """
    rolls = {node.local for node in nodes(bodies) if isinstance(node, ir.RollDice)}
    if not rolls:
        return frozenset()
    values: dict[str, list[ir.Expr]] = {}
    ordered: set[str] = set()
    for node in nodes(bodies):
        match node:
            case ir.SetLocal():
                values.setdefault(node.local, []).append(node.value)
                _visit(node.value, ordered, is_bag=True)
            case _ if not _is_expression(node):
                for part in children(node):
                    if _is_expression(part):
                        _visit(part, ordered, is_bag=False)
    waiting = list(ordered)
    while waiting:
        found: set[str] = set()
        for value in values.get(waiting.pop(), ()):
            _visit(value, found, is_bag=False)
        waiting += found - ordered
        ordered |= found
    return frozenset(rolls - ordered)


def _is_expression(node: Any) -> bool:
    return isinstance(node, ir.Expr)


def _visit(e: ir.Expr, ordered: set[str], *, is_bag: bool) -> None:
    """Collect the locals whose lists are read in order.

    Args:
        e: An expression.
        ordered: Takes the locals.
        is_bag: Whether only the elements of its value are read, and not their order.
    """
    match e:
        case ir.Local(name):
            if not is_bag:
                ordered.add(name)
        case ir.Part(ir.Local(), "total"):
            pass
        case ir.Part(ir.Local() as of, "values" | "faces"):
            _visit(of, ordered, is_bag=is_bag)
        case ir.Over(how, _, over):
            _visit(over, ordered, is_bag=is_bag or how in _COUNTED)
            _visit_all((e.body, e.where, e.default), ordered)
        case ir.Sort(var, over, key):
            _visit(over, ordered, is_bag=(is_bag and e.take is None) or key == ir.Local(var))
            _visit_all((key, e.take), ordered)
        case ir.Op("has", (over, other)):
            _visit(over, ordered, is_bag=True)
            _visit(other, ordered, is_bag=True)
        case ir.Op("doubles", (of,)):
            _visit(of, ordered, is_bag=True)
        case ir.Op(name, args) if name in _PASSING:
            for arg in args:
                _visit(arg, ordered, is_bag=is_bag)
        case ir.If(condition, value, otherwise):
            _visit(condition, ordered, is_bag=False)
            _visit(value, ordered, is_bag=is_bag)
            _visit(otherwise, ordered, is_bag=is_bag)
        case _:
            _visit_all(children(e), ordered)


def _visit_all(parts: Any, ordered: set[str]) -> None:
    for part in parts:
        if part is not None:
            _visit(part, ordered, is_bag=False)
