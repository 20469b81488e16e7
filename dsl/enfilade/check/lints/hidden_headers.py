"""Header rows of a chart that never apply, because one above them always does."""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.check.reports import warn_of_covered_cases
from enfilade.core import ir
from enfilade.core.walk import nodes

_ALWAYS = ir.Const(True)


def check_hidden_headers(ctx: Context, program: ir.Program) -> None:
    """Warn of header rows behind one whose condition is true whenever theirs is."""
    for chart in program.charts.values():
        headers = [each for each in nodes(chart) if isinstance(each, ir.Header)]
        rows = [(each.condition or _ALWAYS, span) for each in headers if (span := each.note.span) is not None]
        warn_of_covered_cases(ctx, rows)
