"""Changes and commands that an editor offers: the fix of each diagnostic, a missing result entry, runs and odds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from enfilade.diagnostics.diagnostic import Diagnostic, Edit
from enfilade.editor.answers import Action, Lens
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes


def actions_for(
    diagnostics: Iterable[Diagnostic],
    declarations: tuple[t.Declaration, ...],
    within: Span,
    place: Callable[[Span], Span],
) -> Iterator[Action]:
    """The changes that remove the diagnostics of a part of a text.

    Args:
        diagnostics: The diagnostics of the text.
        declarations: Its declarations.
        within: The part.
        place: Converts a place in a declaration to one in the text.
    """
    for each in diagnostics:
        if each.span.source is not within.source or each.span.end < within.start or within.end < each.span.start:
            continue
        if each.fix is not None:
            yield Action(each.fix.message, each.fix.edits, each.code, each.span)
        elif each.code == "code-without-result":
            yield from _result_entries(each, declarations, place)


def _result_entries(
    found: Diagnostic, declarations: tuple[t.Declaration, ...], place: Callable[[Span], Span]
) -> Iterator[Action]:
    """Add an entry to the results of a chart for a code that has none."""
    code = found.about.names[0] if found.about is not None else found.span.text.strip()
    for results in declarations:
        if not isinstance(results, t.Results) or not results.entries:
            continue
        charts = {each.name for each in (results.chart, *results.also)}
        if any(
            isinstance(each, t.Chart) and each.name.name in charts and _is_in(found.span, place(each.span))
            for each in declarations
        ) or _is_in(found.span, place(results.span)):
            last = place(results.entries[-1].span)
            end = last.start + len(last.text.rstrip())
            text = f'\n  {code}  "{code}"'
            yield Action(
                f"add an entry for `{code}`", (Edit(Span(last.source, end, end), text),), found.code, found.span
            )


def _is_in(inner: Span, outer: Span) -> bool:
    return inner.source is outer.source and outer.start <= inner.start < outer.end


def lenses_of(declarations: tuple[t.Declaration, ...], place: Callable[[Span], Span], *, plays: bool) -> Iterator[Lens]:
    """The commands above examples and charts; none for odds if the ruleset has errors (*plays* is false)."""
    for each in declarations:
        match each:
            case t.Example():
                span = place(each.span)
                yield Lens(span, "Run example", "run-example", span.source.line_column(span.start)[0])
            case t.Chart() if plays:
                for name in readers_of(each.name.name, declarations):
                    yield Lens(place(each.span), f"Odds of {name}", "odds", name)


def readers_of(chart: str, declarations: tuple[t.Declaration, ...]) -> Iterator[str]:
    """The procedures that read a chart in a step."""
    for each in declarations:
        reads = (node for node in nodes(each) if isinstance(node, t.Read)) if isinstance(each, t.Procedure) else ()
        if isinstance(each, t.Procedure) and any(read.chart.name == chart for read in reads):
            yield each.name.name
