"""``leave`` in the core: a local says that the loop was left, and the steps after it run only while it is no."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from enfilade.core import ir
from enfilade.core.given_outputs import falls_through
from enfilade.values.types import Bool

_NO: Final = ir.Const(False)


def mark_left(left: str, note: ir.Note) -> ir.Statement:
    """The statement for ``leave``."""
    return ir.SetLocal(left, "", ir.Const(True), note)


def not_left(left: str) -> ir.Statement:
    """The statement before the loop."""
    return ir.SetLocal(left, "", _NO, ir.NO_NOTE)


def has_left(left: str) -> ir.Expr:
    """Whether the loop was left."""
    return ir.Local(left, type=Bool())


def goes_on(body: ir.Body) -> bool:
    """Whether a body may run to its end, instead of stopping or leaving its loop."""
    last = body[-1] if body else None
    return falls_through(body) and not (isinstance(last, ir.SetLocal) and last.local.startswith(LEFT + "@"))


def guarded(body: ir.Body, left: str) -> ir.Body:
    """A body in which the statements after a ``leave`` are skipped."""
    for at, statement in enumerate(body):
        if _may_leave(statement, left):
            rest = guarded(body[at + 1 :], left)
            after = (unless_left(rest, left),) if rest else ()
            return (*body[:at], _with_guarded_blocks(statement, left), *after)
    return body


def unless_left(body: ir.Body, left: str) -> ir.Branch:
    """Statements that run only if the loop was not left."""
    return ir.Branch(ir.Not(has_left(left)), body, ())


def is_guard(statement: ir.Statement) -> bool:
    """Whether a branch was made by :func:`unless_left`."""
    match statement:
        case ir.Branch(ir.Not(ir.Local(name))):
            return name.startswith(LEFT + "@")
    return False


def while_loop(statement: ir.Statement) -> ir.Repeat | None:
    """The loop of ``repeat while``, which is lowered to a condition around a loop until it is false."""
    match statement:
        case ir.Branch(condition, (*_, ir.Repeat(until=ir.Not(of) | ir.Any_((_, ir.Not(of)))) as loop)):
            return loop if of is condition else None
    return None


LEFT: Final = "left"
"""The name of the local, without its number; no local of the rules has an ``@`` in its name."""


def _may_leave(s: ir.Statement, left: str) -> bool:
    if isinstance(s, ir.SetLocal):
        return s.local == left
    return any(_may_leave(inner, left) for block in _blocks(s) for inner in block)


def _blocks(s: ir.Statement) -> tuple[ir.Body, ...]:
    """The blocks in which ``leave`` ends the loop around the statement."""
    match s:
        case ir.Branch():
            return s.body, s.otherwise
        case ir.Together():
            return s.parts
        case ir.CallProcedure() if s.if_refused is not None:
            return (s.if_refused,)
    return ()


def _with_guarded_blocks(s: ir.Statement, left: str) -> ir.Statement:
    blocks = tuple(guarded(block, left) for block in _blocks(s))
    match s:
        case ir.Branch():
            return evolve(s, body=blocks[0], otherwise=blocks[1])
        case ir.Together():
            return evolve(s, parts=blocks)
        case ir.CallProcedure():
            return evolve(s, if_refused=blocks[0])
    return s
