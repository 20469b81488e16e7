"""A limit on the depth of lowered expressions.

A line of text that is not nested can become a deep tree: each term of a sum nests the terms before it, and each case
of a definition nests the cases after it. Later passes and engines recurse on that depth. Every declaration is measured
here once, with an explicit stack instead of recursion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final, get_args

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.walk import children
from enfilade.source.text import Span

MAX_TERMS: Final = 150
MAX_CASES: Final = 500

# A term costs the recursive passes as much of the stack as four cases. Together they have this much room.
_CASES_FOR_A_TERM: Final = 4
_ROOM: Final = 640

_EXPRESSIONS: Final = get_args(ir.Expr)


def report_deep_expressions(ctx: Context, program: ir.Program) -> bool:
    """Report the first expression of each declaration that is too deep; return whether there is one."""
    found = [span for root in _declarations(program) if (span := _kept_place(ctx, root)) is not None]
    for span in found:
        ctx.report(
            "nesting-too-deep",
            f"this expression is nested too deep: it may have at most {MAX_TERMS} terms in a row, and {MAX_CASES} cases",
            span,
            "name some of the terms with `define` or `let`, or make a chart of the cases",
        )
    return bool(found)


def _declarations(program: ir.Program) -> Iterator[Any]:
    tables: tuple[Mapping[str, Any], ...] = (
        program.definitions, program.charts, program.modifiers, program.effects, program.results, program.procedures,
    )  # fmt: skip
    for table in tables:
        yield from table.values()
    yield from program.reactions


def _kept_place(ctx: Context, root: Any) -> Span | None:
    return ctx.kept("depth", (root,), partial(_place_too_deep, root))


def _place_too_deep(root: Any) -> Span | None:
    """The place of the first expression that is too deep, or of the nearest one around it that has a place."""
    waiting: list[tuple[Any, int, int, Span | None]] = [(root, 0, 0, root.note.span)]
    while waiting:
        node, terms, cases, around = waiting.pop()
        place = getattr(node, "span", None) or around
        if terms >= MAX_TERMS or cases >= MAX_CASES or terms * _CASES_FOR_A_TERM + cases > _ROOM:
            return place
        inner = isinstance(node, _EXPRESSIONS)
        for part in reversed(list(children(node))):
            case = isinstance(node, ir.If) and part is node.otherwise
            waiting.append((part, terms + (inner and not case), cases + case, place))
    return None
