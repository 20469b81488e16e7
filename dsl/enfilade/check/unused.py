"""Unused declarations: facts that no procedure uses, results that no step applies."""

from __future__ import annotations

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.core.graph import ProgramGraph
from enfilade.diagnostics.diagnostic import Severity
from enfilade.source.text import Span


def check_unused(ctx: Context, program: ir.Program, graph: ProgramGraph) -> None:
    """Warn of unused facts and results, in a program without errors."""
    used = {fact for p in program.procedures.values() for fact in p.inputs} | {
        f for r in program.reactions for f in r.inputs
    }
    if not program.procedures or any(d.severity is Severity.ERROR for d in ctx.diagnostics):
        return
    # The declarations of a used module are for other rulesets too.
    main = ctx.main
    for name, fact in ctx.facts.items():
        if name not in used and fact.note.span is not None and fact.note.span.source is main:
            ctx.warn("unused-fact", f"no procedure uses the fact `{name}`", ctx.symbols.facts[name].name.span)
    _check_unapplied(ctx, graph)


def _check_unapplied(ctx: Context, graph: ProgramGraph) -> None:
    """Warn of results in the main text that no step applies."""
    used = (use.unit for unit in graph.units for use in graph.edges(unit))
    applied = {_results_span(ctx, name) for kind, name in used if kind == "results"}
    for name, results in ctx.symbols.results.items():
        if results.span not in applied and results.span.source is ctx.main and results.chart.name == name:
            applied.add(results.span)
            ctx.warn(
                "results-unapplied",
                f"nothing applies the results of `{name}`",
                results.chart.span,
                "a chart that is read changes nothing by itself: write a step `apply NAME` after `read ... as NAME`",
            )


def _results_span(ctx: Context, chart: str) -> Span | None:
    results = ctx.symbols.results.get(chart)
    return None if results is None else results.span
