"""Changes and commands that an editor offers: the fix of each diagnostic, what is missing in a chart, runs and odds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from enfilade.diagnostics.diagnostic import Diagnostic, Edit
from enfilade.editor.answers import Action, Lens
from enfilade.editor.new_facts import new_facts
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes
from enfilade.syntax.unparse import unparse


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
            yield Action(each.fix.message, each.fix.edits, each.code, each.span, preferred=True)
        elif each.code == "unknown-name":
            yield from new_facts(each, declarations, place)
        elif each.code == "code-without-result":
            yield from _result_entries(each, declarations, place)
        elif each.about is not None and each.code in _MISSING_LINES:
            for chart in _charts_at(each, declarations, place):
                yield from _MISSING_LINES[each.code](each, chart, place)


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
            edits = (Edit(Span(last.source, end, end), text),)
            yield Action(f"add an entry for `{code}`", edits, found.code, found.span, preferred=True)


def _charts_at(
    found: Diagnostic, declarations: tuple[t.Declaration, ...], place: Callable[[Span], Span]
) -> Iterator[t.Chart]:
    for each in declarations:
        chart = each.declaration if isinstance(each, (t.Replace, t.AddTo)) else each
        if isinstance(chart, t.Chart) and _is_in(found.span, place(each.span)):
            yield chart


def _edges(found: Diagnostic, chart: t.Chart, place: Callable[[Span], Span]) -> Iterator[Action]:
    """Add the line for an edge: with the value of the last row or column, or the mildest code."""
    assert found.about is not None
    (edge,) = found.about.names
    heads = [item.line.span for item in chart.items if item.line is not None]
    rows = [row.span for item in chart.items for row in item.rows]
    above = [each for each in heads if not rows or each.start < rows[0].start]
    at = _end_of_line(place((above or [chart.name.span])[-1]))
    order = next((item.line for item in chart.items if isinstance(item.line, t.SeverityOrder)), None)
    rules = ["stays", *([] if order is None else [f"gives {unparse(order.codes[0])}"])]
    for rule in rules:
        yield Action(f"add `{edge} {rule}`", (Edit(at, f"\n  {edge}  {rule}"),), found.code, found.span)


def _rows(found: Diagnostic, chart: t.Chart, place: Callable[[Span], Span]) -> Iterator[Action]:
    """Add a row with empty cells for each missing label, below the row before the gap."""
    assert found.about is not None
    rows = [row for item in chart.items for row in item.rows]
    if len(rows) < 2 or len(rows[0].cells) < 2:
        return
    inside = (row for row in rows if _is_in(found.span, place(row.span)))
    above = place(next(inside, rows[-1]).span)
    line = above.source.line_text(above.line)
    text = "".join(f"\n{_empty_row(line, label)}" for label in found.about.names)
    shown = ", ".join(f"`{label}`" for label in found.about.names)
    yield Action(f"add a row for {shown}", (Edit(_end_of_line(above), text),), found.code, found.span, preferred=True)


def _empty_row(like: str, label: str) -> str:
    """A row with a label and empty cells, laid out like another one.

    Examples:
        >>> _empty_row("  |  2 | M1 | X |", "7")
        '  | 7  |    |   |'
    """
    if "|" not in like:
        return label + "\t" * like.strip().count("\t")
    before, first, *cells = like.rstrip().split("|")
    return "|".join([before, f" {label} ".ljust(len(first)), *(" " * len(cell) for cell in cells)])


def _end_of_line(span: Span) -> Span:
    """The end of the line in which a place begins, without blanks."""
    line = span.source.line_span(span.line)
    end = line.start + len(line.text.rstrip())
    return Span(span.source, end, end)


_MISSING_LINES: Final = {"edge-unsaid": _edges, "table-gap": _rows}


def _is_in(inner: Span, outer: Span) -> bool:
    return inner.source is outer.source and outer.start <= inner.start < outer.end


def overlap(one: Span, other: Span) -> bool:
    """Whether two edits at these places can't both be made."""
    same = one.source is other.source
    return same and ((one.start < other.end and other.start < one.end) or one.start == other.start)


def lenses_of(declarations: tuple[t.Declaration, ...], place: Callable[[Span], Span], *, plays: bool) -> Iterator[Lens]:
    """The commands above examples and procedures; none for odds if the ruleset has errors (*plays* is false)."""
    played = {each.procedure.name for each in declarations if isinstance(each, t.Example) and each.procedure}
    for each in declarations:
        match each:
            case t.Example():
                span = place(each.span)
                yield Lens(span, "Run example", "run-example", span.line)
            case t.Procedure() if plays and (each.name.name in played or any(map(_is_read, nodes(each)))):
                yield Lens(place(each.span), "Odds", "odds", each.name.name)


def _is_read(node: object) -> bool:
    return isinstance(node, t.Read)


def readers_of(chart: str, declarations: tuple[t.Declaration, ...]) -> Iterator[str]:
    """The procedures that read a chart in a step."""
    for each in declarations:
        reads = (node for node in nodes(each) if isinstance(node, t.Read)) if isinstance(each, t.Procedure) else ()
        if isinstance(each, t.Procedure) and any(read.chart.name == chart for read in reads):
            yield each.name.name
