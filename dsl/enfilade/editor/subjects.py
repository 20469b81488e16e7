"""What a place of a text is about, for what an editor shows beside it: a chart, a procedure, the facts of an example."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from enfilade.core import ir
from enfilade.editor.actions import readers_of
from enfilade.editor.answers import Subject
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes


def subject_at(
    declarations: tuple[t.Declaration, ...], program: ir.Program | None, offset: int, place: Callable[[Span], Span]
) -> Subject:
    """Find what a place is about.

    Args:
        declarations: The declarations of the text.
        program: The checked ruleset; ``None`` if it has errors.
        offset: The place.
        place: Converts a place in a declaration to one in the text.
    """
    before = [each for each in declarations if place(each.span).start <= offset]
    chart = procedure = example = None
    if before:
        found = before[-1].declaration if isinstance(before[-1], (t.Replace, t.AddTo)) else before[-1]
        chart = _chart(found, offset, declarations, place)
        procedure = _procedure(found) or next(iter(readers_of(chart or "", declarations)), None)
        example = found.span if isinstance(found, t.Example) else None
    return _subject(program, chart, procedure, example)


def subject_of(program: ir.Program | None, procedure: str) -> Subject:
    """A procedure, with the facts of the first example that plays it to its end."""
    return _subject(program, None, procedure, None)


def _subject(program: ir.Program | None, chart: str | None, procedure: str | None, example: Span | None) -> Subject:
    known = None if program is None else _example(program, procedure, example)
    if known is None:
        return Subject(chart, procedure)
    return Subject(chart, procedure, dict(known.facts), dict(known.options), known.label)


def _chart(
    declaration: t.Declaration, offset: int, declarations: tuple[t.Declaration, ...], place: Callable[[Span], Span]
) -> str | None:
    match declaration:
        case (
            t.Chart(name=name)
            | t.Results(chart=name)
            | t.Modifiers(charts=(name, *_))
            | t.Example(kind="chart", procedure=t.Ident() as name)
        ):
            return name.name
        case t.Example(kind="", procedure=t.Ident(name=played)):
            own = (each for each in declarations if isinstance(each, t.Procedure) and each.name.name == played)
            return next((_chart_read(each, offset, place) for each in own), None)
        case t.Procedure():
            return _chart_read(declaration, offset, place)
    return None


def _chart_read(procedure: t.Procedure, offset: int, place: Callable[[Span], Span]) -> str | None:
    """The chart that a procedure reads at a place or last before it, otherwise the first that it reads."""
    reads: Iterator[t.Read] = (node for node in nodes(procedure) if isinstance(node, t.Read))
    names = [(place(each.span).start, each.chart.name) for each in reads]
    whole = place(procedure.span)
    before = (name for start, name in reversed(names) if whole.start <= start <= offset < whole.end)
    return next(before, names[0][1] if names else None)


def _procedure(declaration: t.Declaration) -> str | None:
    match declaration:
        case t.Procedure(name=name) | t.Example(kind="", procedure=t.Ident() as name):
            return name.name
    return None


def _example(program: ir.Program, procedure: str | None, at: Span | None) -> ir.Example | None:
    """The example at a place; outside examples, the first one that plays the procedure to its end."""
    if at is not None:
        return next((each for each in program.examples if each.note.span == at), None)
    played = (each for each in program.examples if each.procedure == procedure)
    return next((each for each in played if each.refused is None and each.input_error is None), None)
