"""Unused declarations: facts that no procedure uses, results that no step applies."""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.check.context import Context
from enfilade.check.lints import LINTS
from enfilade.core import ir
from enfilade.core.graph import ProgramGraph
from enfilade.core.traits import Unit
from enfilade.core.walk import nodes
from enfilade.diagnostics.diagnostic import Diagnostic, Label, Severity
from enfilade.source.text import Span
from enfilade.values.types import ReadingOf

MAX_LISTED = 8


def check_unused(ctx: Context, program: ir.Program, graph: ProgramGraph) -> None:
    """Warn of unused facts and results, in a program without errors."""
    used = {fact for p in program.procedures.values() for fact in p.inputs} | {
        f for r in program.reactions for f in r.inputs
    }
    if any(d.severity is Severity.ERROR for d in ctx.diagnostics):
        return
    if not program.procedures:
        _check_playable(ctx)
        return
    for lint in LINTS:
        lint(ctx, program)
    # The declarations of a used module are for other rulesets too.
    main = _main(ctx)
    unused = [
        name
        for name, fact in ctx.facts.items()
        if name not in used and fact.note.span is not None and fact.note.span.source.name == main
    ]
    missed = _check_unapplied(ctx, graph)
    _report_unused(ctx, [name for name in unused if name not in missed])
    _check_hidden(ctx, program, graph)


def _main(ctx: Context) -> str | None:
    """The name of the main text; a span's source may be a part of it."""
    return None if ctx.main is None else ctx.main.name


def _report_unused(ctx: Context, names: Sequence[str]) -> None:
    """Warn of unused facts: once, however many a half-written text has."""
    if not names:
        return
    first, *others = (ctx.symbols.facts[name].name.span for name in names)
    shown = ", ".join(f"`{name}`" for name in names[:MAX_LISTED])
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    what, it = ("facts", "them") if others else ("fact", "it")
    ctx.warn(
        "unused-fact",
        f"no procedure uses the {what} {shown}{more}",
        first,
        f"use {it} in a step or a modifier, or delete {it}",
        labels=tuple(Label(span, "also here") for span in others),
    )


def _check_hidden(ctx: Context, program: ir.Program, graph: ProgramGraph) -> None:
    """Warn of a procedure's own fact if the procedure also reads the fact of that name that it hides."""
    main = _main(ctx)
    for procedure in program.procedures.values():
        for name in procedure.facts:
            if name not in procedure.inputs or procedure.note.span is None or procedure.note.span.source.name != main:
                continue
            span = procedure.facts[name].note.span
            readers = [
                unit for unit in sorted(graph.reached(("procedure", procedure.name))) if _reads(graph, unit, name)
            ]
            kind, reader = next(iter(readers), ("procedure", procedure.name))
            what = {"define": "definition"}.get(kind, kind)
            ctx.warn(
                "hidden-fact",
                f"`{name}` of `{procedure.name}` hides the fact `{name}`, which the {what} `{reader}` uses",
                procedure.note.span if span is None else span,
                "to use the fact of the game, delete the fact of the procedure; otherwise rename one of them",
            )


def _reads(graph: ProgramGraph, unit: Unit, fact: str) -> bool:
    return any(isinstance(node, ir.Fact) and node.name == fact for node in graph.nodes(unit))


def _check_playable(ctx: Context) -> None:
    """Warn of a ruleset without procedures; a text without a `ruleset` line may be a module."""
    head = ctx.symbols.head
    if head is not None and head.span.source.name == _main(ctx):
        ctx.diagnostics.append(nothing_to_play(head.span))


def nothing_to_play(place: Span) -> Diagnostic:
    """The warning of a text that declares no procedure."""
    help_ = "add `procedure fire`, and below it steps such as `roll 2d6 as dice` and `read CHART with dice as result`"
    message = "there is no procedure, so nothing can be played"
    return Diagnostic("nothing-to-play", message, place, Severity.WARNING, helps=(help_,))


def _check_unapplied(ctx: Context, graph: ProgramGraph) -> set[str]:
    """Warn of results in the main text that no step applies, unless they only take apart codes that are read.

    Returns:
        The facts that the unapplied results read.
    """
    missed = set()
    used = (use.unit for unit in graph.units for use in graph.edges(unit))
    applied = {_results_span(ctx, name) for kind, name in used if kind == "results"}
    applied |= {_results_span(ctx, chart) for chart in _taken_apart(ctx)}
    for name, results in ctx.symbols.results.items():
        if results.span not in applied and results.span.source.name == _main(ctx) and results.chart.name == name:
            applied.add(results.span)
            missed |= {each.name for each in nodes(ctx.results.get(name, ())) if isinstance(each, ir.Fact)}
            ctx.warn(
                "results-unapplied",
                f"no step applies the results of `{name}`",
                results.chart.span,
                "the step `read` only looks up a code: to apply its effects, add a step `apply NAME` after `read ... as NAME`",
            )
    return missed


def _taken_apart(ctx: Context) -> set[str]:
    """The charts of which a part of a code is read, and whose results have no steps."""
    readings = [each for each in ctx.names.places.values() if isinstance(each.of, ReadingOf)]
    read = {chart for part in readings for chart in part.of.charts if part.key.name in ctx.code_parts.get(chart, ())}
    return {chart for chart in read if not _has_steps(ctx, chart)}


def _has_steps(ctx: Context, chart: str) -> bool:
    results = ctx.symbols.results.get(chart)
    return results is not None and any(entry.lines for entry in results.entries)


def _results_span(ctx: Context, chart: str) -> Span | None:
    results = ctx.symbols.results.get(chart)
    return None if results is None else results.span
