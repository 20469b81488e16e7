"""The live variables at the end of a call."""

from __future__ import annotations

from enfilade.core import ir
from enfilade.core.traits import LOCAL
from enfilade.engines.odds.analysis.uses import Uses
from enfilade.engines.odds.analysis.variables import ALL, NONE, Variables, of_local, output, parts_of, shared


def outputs_read(s: ir.CallProcedure, live: Variables, program: ir.Program) -> tuple[str, ...]:
    """The outputs of a call that are read after it."""
    wanted = frozenset() if s.local is None else parts_of(live, s.local)
    outputs = program.procedures[s.procedure].outputs
    return tuple(name for name in outputs if ALL in wanted or name in wanted)


def at_end_of_call(s: ir.CallProcedure, live: Variables, end: Variables, uses: Uses) -> Variables:
    """The live variables at the end of a call: the outputs that are read, and the shared variables of the caller."""
    read = NONE if s.local is None else uses.tests.elsewhere(of_local(live, s.local))
    given = frozenset(
        (LOCAL, output(name), part)
        for name in outputs_read(s, live, uses.program)
        for part in _parts_of_output(read, name)
    )
    return shared(live) | shared(end) | given


def _parts_of_output(read: Variables, name: str) -> frozenset[str]:
    """The parts of an output that the caller reads of the local of a call."""
    parts = frozenset(each[-1] if len(each) > 3 else ALL for each in read if each[2] in (name, ALL))
    return frozenset({ALL}) if ALL in parts else parts
