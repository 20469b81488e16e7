"""Index from the names in a ledger to lines of the rules: ``chart fire_table row 7``, ``modifier night``.

The name of a declaration is its keyword and name; parts of it have further words. A ledger uses names instead of line
numbers, so it stays valid when the rules are reformatted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from attrs import fields as attributes
from attrs import frozen, has

from enfilade.check.charts.labels import without_caption
from enfilade.diagnostics.suggest import nearest
from enfilade.source.text import SourceFile, Span
from enfilade.syntax import tree as t
from enfilade.syntax.parser import parse_module

Index: TypeAlias = dict[str, tuple["RuleLines", ...]]

_NAMED: Final = {
    t.OptionDecl: "option", t.Words: "words", t.Record: "record", t.Define: "define", t.Die: "die", t.Deck: "deck",
    t.Chart: "chart", t.Columns: "columns", t.Modifiers: "modifiers", t.Effect: "effect", t.Procedure: "procedure",
    t.Event: "event",
}  # fmt: skip


@frozen
class RuleLines:
    """Lines of one file of a ruleset.

    Attributes:
        source: The file.
        first: Its first line, from 1.
        last: Its last line.
    """

    source: str
    first: int
    last: int

    def __str__(self) -> str:
        """Write the lines as editors do: ``fire.rules:12-15``."""
        name = self.source.rpartition("/")[2]
        return f"{name}:{self.first}" if self.first == self.last else f"{name}:{self.first}-{self.last}"


def rule_lines(sources: Sequence[SourceFile]) -> Index:
    """Index all names that a ledger can use, each with its lines.

    Args:
        sources: The texts of a ruleset. A name that occurs in several texts has several places.
    """
    index: dict[str, list[RuleLines]] = {}
    for source in sources:
        for declaration in parse_module(source).module.declarations:
            for name, span in _names(_inner(declaration)):
                places = index.setdefault(name, [])
                lines = _lines(span)
                if lines not in places:
                    places.append(lines)
    return {name: tuple(places) for name, places in index.items()}


def suggest(name: str, index: Index) -> str | None:
    """The known name closest to an unknown one."""
    return nearest(name, index)


def _inner(declaration: Any) -> Any:
    while isinstance(declaration, (t.Replace, t.AddTo)):
        declaration = declaration.declaration
    return declaration


def _lines(span: Span) -> RuleLines:
    text = span.source.text
    end = span.end
    while end > span.start and text[end - 1].isspace():
        end -= 1
    first, _ = span.source.line_column(span.start)
    last, _ = span.source.line_column(max(end - 1, span.start))
    return RuleLines(span.source.name, first, last)


def _names(d: Any) -> Iterator[tuple[str, Span]]:
    """The names of a declaration and of its parts."""
    if type(d) in _NAMED:
        yield f"{_NAMED[type(d)]} {d.name.name}", d.span
    match d:
        case t.RulesetHead():
            yield "ruleset", d.span
        case t.Source():
            yield "source", d.span
        case t.Players():
            yield from ((f"player {name.name}", d.span) for name in d.names)
        case t.Facts():
            yield from ((f"fact {each.name.name}", each.span) for each in d.fields)
        case t.Record():
            yield from ((f"field {d.name.name}.{each.name.name}", each.span) for each in d.fields)
        case t.Define() if d.by_cases:
            yield from ((f"define {d.name.name} case {n}", each.span) for n, each in enumerate(d.cases, start=1))
        case t.Chart():
            yield from _chart_names(d)
        case t.Columns():
            yield from _columns_names(d)
        case t.Modifiers():
            yield from _modifier_names(d.name.name, d.items)
        case t.Results():
            for chart in (d.chart, *d.also):
                yield f"results {chart.name}", d.span
                for entry in d.entries:
                    yield f"results {chart.name} code {'then ' if entry.then else ''}{entry.pattern.text}", entry.span
        case t.Procedure():
            yield from _procedure_names(d)
        case t.Example():
            of = "" if d.procedure is None else f" {d.procedure.name}"
            yield f'example{of} "{d.label}"', d.span
        case t.OnEvent():
            yield f"on {d.event.name}", d.span
            yield from ((f"reason {line.slug.name}", line.span) for line in d.lines if isinstance(line, t.Unless))


def _chart_names(chart: t.Chart) -> Iterator[tuple[str, Span]]:
    name = f"chart {chart.name.name}"
    page = ""
    is_header = True
    for item in chart.items:
        match item.line:
            case t.PageLine():
                page = f" page {', '.join(label.text for label in item.line.labels)}"
                is_header = True
            case t.Edge():
                yield f"{name} {item.line.where}", item.line.span
            case t.Erratum():
                place = item.line.place
                yield f"{name} erratum row {place.row.text}, column {place.column.text}", item.line.span
            case t.CellMark():
                yield f"{name} mark {item.line.name.name}", item.line.span
            case t.ChartNote():
                labels = ", ".join(label.text for label in item.line.labels)
                yield f"{name} note {item.line.what} {labels}", item.line.span
            case t.Surplus():
                yield f"{name} surplus", item.line.span
            case t.AxisLine():
                yield f"{name} {item.line.way}", item.line.span
        for row in item.rows:
            label = without_caption(row.cells[0].text)
            yield (f"{name}{page} header" if is_header else f"{name}{page} row {label}"), row.span
            is_header = False


def _columns_names(columns: t.Columns) -> Iterator[tuple[str, Span]]:
    name = f"columns {columns.name.name}"
    for line in columns.headers:
        yield f"{name} row {line.tail.label or ''}".rstrip(), line.span
    yield from ((f"{name} beside {each.name.name}", each.span) for each in columns.besides)
    yield from ((f"{name} {each.where}", each.span) for each in columns.edges)
    yield from ((f"{name} surplus", each.span) for each in columns.surplus)


def _modifier_names(block: str, items: Sequence[t.ModItem]) -> Iterator[tuple[str, Span]]:
    for item in items:
        match item:
            case t.ModLine():
                yield f"modifier {item.name.name}", item.span
                yield f"modifier {block}.{item.name.name}", item.span
                for n, but in enumerate(item.buts, start=1):
                    yield f"modifier {block}.{item.name.name} but {n}", but.span
            case t.ModSection():
                yield f"modifiers {block} {f'only the {item.which}' if item.which else item.kind}", item.span
                yield from _modifier_names(block, item.items)
            case t.ModNet():
                yield f"modifiers {block} net at {item.way}", item.span


def _procedure_names(procedure: t.Procedure) -> Iterator[tuple[str, Span]]:
    name = procedure.name.name
    number = 0
    if procedure.facts is not None:
        yield from ((f"fact {name}.{each.name.name}", each.span) for each in procedure.facts.fields)
    for step in procedure.steps:
        # A line without a number belongs to the step above it.
        number = number if step.number is None else step.number
        yield f"procedure {name} step {number}", step.span
    for statement in _within(procedure.steps):
        match statement:
            case t.Refuse():
                yield f"refusal {statement.slug.name}", statement.span
                yield f"refusal {name}.{statement.slug.name}", statement.span
            case t.Give():
                yield f"output {name}.{statement.name.name}", statement.span


def _within(node: Any) -> Iterator[Any]:
    """All nodes of a tree."""
    if isinstance(node, Span):
        return
    if isinstance(node, tuple):
        for each in node:
            yield from _within(each)
    elif has(type(node)):
        yield node
        for attribute in attributes(type(node)):
            yield from _within(getattr(node, attribute.name))
