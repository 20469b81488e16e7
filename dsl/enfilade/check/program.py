"""A whole ruleset: every declaration is checked, and the results are put together as a program of the core."""

from __future__ import annotations

from functools import partial
from typing import Final

from attrs import define, evolve, field, frozen

from enfilade.bind.assembly import assemble
from enfilade.bind.chart_sharing import share_between_charts
from enfilade.bind.deck_sharing import share_between_decks
from enfilade.bind.symbols import Symbols, bind_names
from enfilade.bind.unread import Unread
from enfilade.check.charts.chart_rolls import ROLL, looks_at_roll
from enfilade.check.charts.charts import check_chart
from enfilade.check.charts.shared_columns import check_columns, check_columns_part
from enfilade.check.context import MAX_SUGGESTIONS, Context, Passes, note_of
from enfilade.check.declarations import check_inputs_of_ruleset
from enfilade.check.definitions import check_definition
from enfilade.check.demand import (
    attached_blocks,
    require_chart,
    require_definition,
    require_modifiers,
    require_outputs,
)
from enfilade.check.examples.examples import check_examples
from enfilade.check.expressions.decks import all_cards
from enfilade.check.expressions.expression_depth import report_deep_expressions
from enfilade.check.expressions.expressions import check_any_expression
from enfilade.check.foreign_forms import report_dashed_ranges, report_inch_marks, report_indices
from enfilade.check.modifiers import check_modifiers
from enfilade.check.procedures.procedures import check_effect, check_procedure, check_reaction
from enfilade.check.procedures.refusals import late_refusals
from enfilade.check.repetitions import said_once
from enfilade.check.results import check_results
from enfilade.check.reuse import Unsure, Version
from enfilade.check.unused import check_unused
from enfilade.check.used_facts import with_inputs, with_probes
from enfilade.check.value_names import check_value_names
from enfilade.core import ir
from enfilade.core.graph import graph_of
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.errors import LimitError
from enfilade.limits import in_force, one_call
from enfilade.source.finder import Finder
from enfilade.source.text import SourceFile, Span
from enfilade.syntax import tree as t
from enfilade.syntax.parser import parse_module

LANGUAGE_VERSIONS = ("1", "1.1")
PASSES = Passes(
    check_any_expression, check_definition, check_chart, check_modifiers, check_procedure, check_columns_part
)


@frozen
class Checked:
    """The outcome of a check.

    Attributes:
        program: The checked program; ``None`` if there is an error.
        diagnostics: Errors and warnings, in the order of the text.
        sources: All the texts, the main one first.
        context: The context of the check, for questions about the ruleset.
        declarations: The declarations of all texts, with variants applied.
        parsed: The declarations of each text, as in `Assembly`; empty if the check was stopped.
        version: What is known for the next version; ``None`` if places are in whole texts and not in parts.
        draft: The program as far as it could be checked, for editors; ``None`` if the check was stopped.
    """

    program: ir.Program | None
    diagnostics: tuple[Diagnostic, ...]
    sources: tuple[SourceFile, ...]
    context: Context | None = field(default=None, eq=False, repr=False)
    declarations: tuple[t.Declaration, ...] = field(default=(), eq=False, repr=False)
    parsed: tuple[tuple[t.Declaration, ...], ...] = field(default=(), eq=False, repr=False)
    version: Version | None = field(default=None, eq=False, repr=False)
    draft: ir.Program | None = field(default=None, eq=False, repr=False)


_DEPTH: Final = "name the inner parts; or call the check from a place in your program with fewer nested calls"
_TIME: Final = "make the ruleset smaller, or raise the limits: `Limits(play_seconds=..., play_megabytes=...)`"


def check_source(source: SourceFile, finder: Finder, version: Version | None = None, *, advise: bool = True) -> Checked:
    """Check a ruleset with all the modules that it uses.

    Args:
        source: The main text.
        finder: Where modules are found.
        version: What is known from an earlier check, and notes what this one finds. Then the trees and the program have
            their places in parts of the text (`Parts`), and the diagnostics as always in the text.

    Returns:
        The program, unless there is an error, and all diagnostics.
    """
    try:
        with one_call():
            checked = _checked_again(source, finder, version)
            if not advise or checked.program is not None:
                return checked
            # A text without mistakes pays nothing for the patterns.
            from enfilade.advice.trial import advise as advice

            return evolve(checked, diagnostics=advice(source, checked.diagnostics, _Again(source, finder, version)))
    except LimitError as limit:
        text, start = f"the check was stopped: {limit}", source.span(0, 0)
        if limit.limit == "depth":
            return _stopped(source, Diagnostic("nesting-too-deep", text, start, helps=(_DEPTH,)))
        return _stopped(source, Diagnostic("check-too-long", text, start, helps=(_TIME,)))


def _checked_again(source: SourceFile, finder: Finder, version: Version | None, *, suggests: bool = True) -> Checked:
    """Check with what is known from an earlier check, if that is sure, and else without."""
    try:
        return _checked(source, finder, version, suggests=suggests)
    except Unsure:
        return _checked(source, finder, suggests=suggests)


@define
class _Again:
    """Checks changed texts, each with what is known of the first."""

    source: SourceFile
    finder: Finder
    version: Version | None

    def __call__(self, changed: SourceFile) -> tuple[Diagnostic, ...]:
        if self.version is None:
            self.version = Version()
            _checked_again(self.source, self.finder, self.version)
        # What is near to a name that stays unknown takes long to find, and is not asked.
        version = Version(self.version, is_trial=True)
        return _checked_again(changed, self.finder, version, suggests=False).diagnostics


def _stopped(source: SourceFile, found: Diagnostic) -> Checked:
    return Checked(None, (found,), (source,))


def _checked(source: SourceFile, finder: Finder, version: Version | None = None, *, suggests: bool = True) -> Checked:
    assembly = assemble(source, finder, parse_module if version is None else version.parse)
    symbols = bind_names(assembly.declarations)
    most = in_force().names
    if symbols.size > most:
        help_ = "split the ruleset into several, or put similar declarations in a chart or a list"
        return _stopped(
            source,
            Diagnostic("too-large", f"a ruleset may declare at most {most} names", source.span(0, 0), helps=(help_,)),
        )
    share_between_charts(symbols, assembly.unread)
    share_between_decks(symbols, assembly.unread)
    reported = [*assembly.diagnostics, *symbols.diagnostics]
    context = Context(symbols, PASSES, reported, assembly.unread, source)
    if not suggests:
        context.suggestions = MAX_SUGGESTIONS
    if version is not None:
        version.begin(context)
    program = check_declarations(context, assembly.declarations, tuple(s.text for s in assembly.sources))
    if version is not None:
        version.end(context)
    place = _as_is if version is None else version.parts.place
    lost = tuple(evolve(each, span=place(each.span)) for each in assembly.unread.lost)
    unread = Unread(lost, assembly.unread.is_whole)
    placed = context.diagnostics if version is None else [version.placed(d) for d in context.diagnostics]
    errors = any(d.severity is Severity.ERROR and d.code != "look-alike" for d in placed)
    first = len(assembly.diagnostics)
    clear = [*placed[:first], *(d for d in placed[first:] if not unread.explains(d))]
    diagnostics = said_once(_distinct(clear, assembly.sources))
    return Checked(
        None if errors else program, diagnostics, assembly.sources, context, assembly.declarations, assembly.parsed,
        version, program,
    )  # fmt: skip


def _as_is(span: Span) -> Span:
    return span


def _distinct(diagnostics: list[Diagnostic], sources: tuple[SourceFile, ...]) -> tuple[Diagnostic, ...]:
    """The diagnostics without repetitions, in the order of the text; modules come after the main text."""
    order = {source.name: index for index, source in enumerate(sources)}
    for d in diagnostics:
        order.setdefault(d.span.source.name, len(order))
    seen = {(d.span.source.name, d.span.start, d.code, d.message): d for d in reversed(diagnostics)}
    return tuple(sorted(seen.values(), key=lambda d: (order[d.span.source.name], d.span.start, d.span.end, d.code)))


def check_declarations(ctx: Context, declarations: tuple[t.Declaration, ...], sources: tuple[str, ...]) -> ir.Program:
    """Check all declarations and put the results together as a program."""
    symbols = ctx.symbols
    _check_version(ctx, declarations)
    for each in declarations:
        ctx.unit("forms", each, partial(_check_forms, ctx, each))
    check_inputs_of_ruleset(ctx)
    for name, definition in symbols.definitions.items():
        require_definition(ctx, name, definition.name.span)
    for deck in ctx.decks.values():
        all_cards(ctx, deck, symbols.decks[deck.name].name.span)
    for name, block in symbols.modifiers.items():
        require_modifiers(ctx, name, block.name.span)
    for name, chart in symbols.charts.items():
        require_chart(ctx, name, chart.name.span)
    for name, columns in symbols.columns.items():
        shared = ctx.unit("columns", columns, partial(check_columns, ctx, columns))
        if shared is not None:
            ctx.columns[name] = shared
    for name, effect in symbols.effects.items():
        built = ctx.unit("effect", effect, partial(check_effect, ctx, effect))
        if built is not None:
            ctx.effects[name] = built
    for name, tree in symbols.results.items():
        results = ctx.unit("results", tree, partial(check_results, ctx, tree))
        if results is not None:
            ctx.results[name] = results
    for name, procedure in symbols.procedures.items():
        require_outputs(ctx, name, procedure.name.span)
    found = [ctx.unit("reaction", on, partial(check_reaction, ctx, on)) for on in symbols.reactions]
    played = [ctx.unit("example", each, partial(check_examples, ctx, each)) for each in symbols.examples]
    reactions = [reaction for reaction in found if reaction is not None]
    examples = [example for found_in in played for example in found_in or ()]
    documents = tuple(note_of(each.tail, each.span) for each in declarations if isinstance(each, t.Source))
    return _lower_program(ctx, symbols, reactions, examples, sources, documents)


def _check_forms(ctx: Context, declaration: t.Declaration) -> None:
    """Check what concerns the syntax of a declaration alone."""
    check_value_names(ctx, (declaration,))
    report_indices(ctx, (declaration,))
    report_dashed_ranges(ctx, (declaration,))
    report_inch_marks(ctx, (declaration,))


def _check_version(ctx: Context, declarations: tuple[t.Declaration, ...]) -> None:
    for d in declarations:
        if not isinstance(d, t.Language):
            continue
        if d.version == LANGUAGE_VERSIONS[0]:
            ctx.first_versions.append(d.span.source)
        elif d.version not in LANGUAGE_VERSIONS:
            known = " and ".join(LANGUAGE_VERSIONS)
            ctx.report(
                "language-version",
                f"this file needs version {d.version} of the language, but this program knows only {known}",
                d.span,
            )


def _lower_program(
    ctx: Context,
    symbols: Symbols,
    reactions: list[ir.Reaction],
    examples: list[ir.Example],
    sources: tuple[str, ...],
    documents: tuple[ir.Note, ...],
) -> ir.Program:
    charts = {name: ctx.unit("blocks", chart, partial(_with_blocks, ctx, chart)) for name, chart in ctx.charts.items()}
    head = symbols.head
    tail = t.NO_TAIL if head is None else head.tail
    program = ir.Program(
        name=head.name.name if head else "scratch",
        note=ir.Note(tail.label, tail.cites, tail.assumed),
        players=tuple(symbols.players),
        options=ctx.options,
        facts=ctx.facts,
        records=ctx.records,
        definitions=ctx.definitions,
        dice=ctx.dice,
        decks=ctx.decks,
        charts=charts,
        columns=ctx.columns,
        modifiers=ctx.modifiers,
        effects=ctx.effects,
        results=ctx.results,
        procedures=ctx.procedures,
        events={
            name: ir.Note(e.tail.label, e.tail.cites, e.tail.assumed, e.span) for name, e in symbols.events.items()
        },
        reactions=tuple(reactions),
        examples=tuple(examples),
        sources=sources,
        documents=documents,
    )
    if report_deep_expressions(ctx, program):
        return program
    graph = graph_of(program) if ctx.reuse is None else ctx.reuse.graph_of(program)
    ctx.diagnostics += late_refusals(ctx, program, graph)
    complete = with_inputs(program)
    check_unused(ctx, complete, graph)
    return with_probes(complete, ctx.probes)


def _with_blocks(ctx: Context, chart: ir.Chart) -> ir.Chart:
    shifts = tuple(block.name for block in attached_blocks(ctx, chart.name, "shift"))
    rolls = tuple(block.name for block in attached_blocks(ctx, chart.name, "roll"))
    params = (*chart.params, ROLL) if looks_at_roll(ctx, chart.name) else chart.params
    return evolve(chart, shifts=shifts, roll_modifiers=rolls, params=params)
