"""Dead code elimination: removes steps that only compute values that no later step reads."""

from __future__ import annotations

from attrs import evolve

from enfilade.core import ir
from enfilade.engines.odds.analysis.liveness import Liveness
from enfilade.engines.odds.analysis.variables import Variables


def without_dead_steps(liveness: Liveness, body: ir.Body, live: Variables, end: Variables) -> ir.Body:
    """Remove dead steps, also within other steps.

    Args:
        liveness: The liveness analysis.
        body: The steps.
        live: The variables that are live after them.
        end: The variables that are live at the end of the procedure.
    """
    kept: list[ir.Statement] = []
    for statement in reversed(body):
        if liveness.is_dead(statement, live):
            continue
        lighter = _within(liveness, statement, live, end)
        kept.append(lighter)
        live = liveness.before(lighter, live, end)
    kept.reverse()
    same = len(kept) == len(body) and all(a is b for a, b in zip(kept, body, strict=True))
    return body if same else tuple(kept)


def _within(liveness: Liveness, s: ir.Statement, live: Variables, end: Variables) -> ir.Statement:
    """A step without the dead steps in its blocks."""
    bodies = [without_dead_steps(liveness, body, after, end) for body, after in liveness.blocks(s, live, end)]
    match s:
        case ir.Branch():
            return s if bodies == [s.body, s.otherwise] else evolve(s, body=bodies[0], otherwise=bodies[1])
        case ir.Loop() | ir.Repeat():
            return s if bodies[0] is s.body else evolve(s, body=bodies[0])
        case ir.Together():
            same = all(a is b for a, b in zip(bodies, s.parts, strict=True))
            return s if same else evolve(s, parts=tuple(bodies))
        case ir.CallProcedure() if s.if_refused is not None:
            return s if bodies[0] is s.if_refused else evolve(s, if_refused=bodies[0])
    return s
