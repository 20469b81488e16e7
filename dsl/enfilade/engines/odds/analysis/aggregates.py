"""Aggregates: the values that the rules read of a dice pool, recognised in expressions.

``roll.total``, ``roll.natural``, ``count of die in roll where die >= 4``, ``lowest 2 of roll.values``, ``doubles of roll``: each
is an aggregate of the pool, and its kind decides how it is computed (see ``rolls``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from attrs import frozen

from enfilade.core import ir
from enfilade.core.walk import nodes

SUM: Final = "sum"
FIRST: Final = "first"
UNORDERED: Final = "unordered"

Op: TypeAlias = ir.Over | ir.Sort


@frozen
class Stream:
    """The values of a pool with a pipeline of operations: filter, map, sort.

    Attributes:
        part: ``values`` or ``faces``.
        operations: The operations in order; at most one is a sort.
    """

    part: str
    operations: tuple[Op, ...] = ()

    @property
    def sort(self) -> ir.Sort | None:
        """The sort, if there is one."""
        return next((op for op in self.operations if isinstance(op, ir.Sort)), None)


@frozen
class Aggregate:
    """A value that the rules read from a pool.

    Attributes:
        local: The local that holds it.
        kind: ``SUM`` for a sum over the dice, ``FIRST`` for the first die, ``UNORDERED`` for a value of the multiset.
        expression: The expression in the rules.
        stream: The values that it aggregates; ``None`` for the total.
        how: The kind of sum: total, count, sum, any, all, none, has.
        last: The outermost expression of a sum, with the amount that each element adds.
    """

    local: str
    kind: str
    expression: ir.Expr
    stream: Stream | None = None
    how: str = "total"
    last: ir.Expr | None = None


@frozen
class PoolPlan:
    """The values that replace the faces of a roll.

    Attributes:
        aggregates: The values; ``None`` if the rules read the faces themselves.
        is_bag: Whether the order of the faces is never read, if the rules read the faces themselves.
        tests: The values read of each face, if the rules read no more of the faces.
        derived: The conditions that replace even the values if the rules read only these: locals and conditions.
    """

    aggregates: tuple[Aggregate, ...] | None = None
    derived: tuple[tuple[str, ir.Expr], ...] = ()
    is_bag: bool = False
    tests: tuple[ir.Expr, ...] | None = None

    @property
    def locals(self) -> tuple[str, ...]:
        """The locals that hold the values or conditions."""
        if self.derived:
            return tuple(name for name, _ in self.derived)
        return tuple(each.local for each in self.aggregates or ())

    def texts(self) -> Iterator[tuple[str, str]]:
        """The locals that hold the values or conditions, each with its text in the rules; the total has the roll's name."""
        derived = dict(self.derived)
        for name, e in (derived or {each.local: each.expression for each in self.aggregates or ()}).items():
            match e:
                case ir.Part(ir.Local(roll), "total"):
                    yield name, roll.partition("@")[0]
                case _ if e.span is not None:
                    yield name, _without_brackets(" ".join(e.span.text.split()))

    @property
    def expressions(self) -> tuple[ir.Expr, ...]:
        """The expressions of the values, the conditions and the tests."""
        values = tuple(each.expression for each in self.aggregates or ())
        return (*values, *(e for _, e in self.derived), *(self.tests or ()))


def _without_brackets(text: str) -> str:
    """A text without brackets around all of it."""
    return text[1:-1] if re.fullmatch(r"\([^()]*\)", text) else text


def aggregate_of(e: Any, roll: str) -> Aggregate | None:
    """Recognise an expression as an aggregate of a roll; ``None`` if it is not one."""
    match e:
        case ir.Part(ir.Local(name), "total") if name == roll:
            return Aggregate("", SUM, e)
        case ir.Part(ir.Local(name), "natural") if name == roll:
            return Aggregate("", FIRST, e)
        case ir.Op("doubles", (ir.Local(name),)) if name == roll:
            return Aggregate("", UNORDERED, e)
        case ir.Over("count" | "sum" | "any" | "all" | "none"):
            stream = stream_of(e.over, roll)
            return None if stream is None else Aggregate("", SUM, e, stream, e.how, e)
        case ir.Over("product"):
            return None if stream_of(e.over, roll) is None else Aggregate("", UNORDERED, e)
        case ir.Over("highest" | "lowest"):
            stream = stream_of(e.over, roll)
            return None if stream is None else Aggregate("", UNORDERED, e, _to_the_first(stream, e))
        case ir.Op("has", (over, _)):
            stream = stream_of(over, roll)
            return None if stream is None else Aggregate("", SUM, e, stream, "has", e)
        case ir.Op("item", (_, over)) | ir.Op("first" | "last", (_, over)):
            stream = stream_of(over, roll)
            return None if stream is None or stream.sort is None else Aggregate("", UNORDERED, e, stream)
        case ir.Over("filter" | "list") | ir.Sort():
            stream = stream_of(e, roll)
            return None if stream is None or stream.sort is None else Aggregate("", UNORDERED, e, stream)
    return None


def _to_the_first(stream: Stream, e: ir.Over) -> Stream | None:
    """Rewrite the highest or lowest element of a stream as the first element after a sort."""
    if stream.sort is not None:
        return None
    kept = () if e.where is None else (ir.Over("filter", e.var, e.over, e.where),)
    first = ir.Sort(e.var, e.over, e.body, e.how == "highest", ir.Const(1))
    return Stream(stream.part, (*stream.operations, *kept, first))


def stream_of(e: ir.Expr, roll: str) -> Stream | None:
    """Recognise an expression as a stream of a roll's values; ``None`` if it is not one."""
    operations: list[Op] = []
    while isinstance(e, (ir.Over, ir.Sort)):
        if isinstance(e, ir.Over) and e.how not in ("filter", "list"):
            return None
        operations.insert(0, e)
        e = e.over
    if sum(isinstance(op, ir.Sort) for op in operations) > 1:
        return None
    match e:
        case ir.Part(ir.Local(name), "values" | "faces" as part) if name == roll:
            # An operation on each die must not read the pool as a whole.
            inside = [node for op in operations for node in _beside_over(op)]
            if any(isinstance(node, ir.Local) and node.name == roll for node in inside):
                return None
            return Stream(part, tuple(operations))
    return None


def _beside_over(op: Op) -> Iterator[Any]:
    parts = (op.key, op.take) if isinstance(op, ir.Sort) else (op.body, op.where, op.default)
    return nodes(tuple(part for part in parts if part is not None))
