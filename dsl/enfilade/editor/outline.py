"""The structure of a text: its outline, what can be folded, and ever larger selections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from attrs import evolve

from enfilade.editor.answers import Fold, Outline
from enfilade.source.text import SourceFile, Span
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes
from enfilade.syntax.trivia import scan_lines


def outline_of(declarations: Iterable[t.Declaration]) -> tuple[Outline, ...]:
    """The outline of a text: its declarations, with fields, modifiers, result entries, parameters and locals."""
    return tuple(found for declaration in declarations for found in _outline(declaration))


def _outline(d: Any) -> Iterator[Outline]:
    d = d.declaration if isinstance(d, (t.Replace, t.AddTo)) else d
    kind = type(d).__name__.lower()
    match d:
        case t.Facts():
            label = d.tail.label or "facts"
            yield Outline(label, kind, "", d.span, _head(d.span), tuple(_part("fact", each) for each in d.fields))
        case t.Results():
            name = f"results of {d.chart.name}"
            entries = (each for each in d.entries)
            children = tuple(
                Outline(each.pattern.text, "code", each.tail.label or "", each.span, each.pattern.span)
                for each in entries
            )
            yield Outline(name, kind, d.tail.label or "", d.span, d.chart.span, children)
        case t.Example():
            yield Outline(d.label, kind, "" if d.procedure is None else d.procedure.name, d.span, _head(d.span))
        case t.Players():
            yield from (Outline(each.name, "player", "", d.span, each.span) for each in d.names)
        case t.OnEvent():
            yield Outline(f"on {d.event.name}", kind, d.tail.label or "", d.span, d.event.span)
        case (
            t.RulesetHead()
            | t.OptionDecl()
            | t.Words()
            | t.Record()
            | t.Define()
            | t.Die()
            | t.Deck()
            | t.Chart()
            | (t.Columns() | t.Modifiers() | t.Effect() | t.Procedure() | t.Event())
        ):
            yield Outline(d.name.name, _KINDS.get(kind, kind), d.tail.label or "", d.span, d.name.span, _children(d))


_KINDS = {"rulesethead": "ruleset", "optiondecl": "option"}


def _children(d: Any) -> tuple[Outline, ...]:
    match d:
        case t.Record() | t.Deck():
            return tuple(_part("field", each) for each in d.fields)
        case t.Modifiers():
            return tuple(_part("modifier", each) for each in nodes(d.items) if isinstance(each, t.ModLine))
        case t.Procedure() if d.facts is not None:
            return tuple(_part("fact", each) for each in d.facts.fields)
    return ()


def _part(kind: str, node: t.FieldDecl | t.ModLine) -> Outline:
    return Outline(node.name.name, kind, node.tail.label or "", node.span, node.name.span)


def _head(span: Span) -> Span:
    """The first line of a declaration."""
    return span.at(0, len(span.text.partition("\n")[0].rstrip()))


def placed_outline(outline: Outline, place: Callable[[Span], Span]) -> Outline:
    """An outline with other places."""
    children = tuple(evolve(each, span=place(each.span), name_span=place(each.name_span)) for each in outline.children)
    return evolve(outline, span=place(outline.span), name_span=place(outline.name_span), children=children)


def folds_of(source: SourceFile, declarations: Iterable[t.Declaration]) -> tuple[Fold, ...]:
    """What can be folded: declarations, blocks of steps, sections of modifiers, and runs of comments."""
    found: dict[tuple[int, int], Fold] = {}
    for node in nodes(tuple(declarations)):
        span = getattr(node, "span", None)
        if isinstance(node, _FOLDED) and span is not None and span.source is source:
            first, last = _lines_of(span)
            if last > first:
                found.setdefault((first, last), Fold(first, last, "region"))
    for fold in _comments(source):
        found.setdefault((fold.first, fold.last), fold)
    return tuple(sorted(found.values(), key=lambda each: (each.first, -each.last)))


_FOLDED = (
    t.Facts, t.Record, t.Words, t.Define, t.Die, t.Deck, t.Chart, t.Columns, t.Modifiers, t.Effect, t.Results, t.Procedure,
    t.OnEvent, t.Example, t.Replace, t.AddTo, t.ReplaceModifier, t.ReplaceStep, t.ModSection, t.When, t.ForEach,
    t.RepeatUntil, t.RepeatTimes, t.Together, t.Entry, t.Step,
)  # fmt: skip


def _lines_of(span: Span) -> tuple[int, int]:
    end = span.start + len(span.text.rstrip())
    return span.line, span.source.line_column(max(span.start, end))[0]


def _comments(source: SourceFile) -> Iterator[Fold]:
    """Runs of two or more lines of comment."""
    first = None
    for number, line in enumerate((*scan_lines(source.text), None), start=1):
        if line is not None and line.comment and not line.code:
            first = first or number
        elif first is not None:
            if number - 1 > first:
                yield Fold(first, number - 1, "comment")
            first = None


def selections_at(source: SourceFile, declarations: Iterable[t.Declaration], offset: int) -> tuple[Span, ...]:
    """The spans around a place, from the smallest to the whole text."""
    spans = {source.span(0, len(source.text))}
    for declaration in declarations:
        span = getattr(declaration, "span", None)
        if span is None or not span.start <= offset <= span.end:
            continue
        for node in nodes(declaration):
            inner = getattr(node, "span", None)
            if inner is not None and inner.source is source and inner.start <= offset <= inner.end > inner.start:
                spans.add(inner)
    nested: list[Span] = []
    for span in sorted(spans, key=lambda each: (each.end - each.start, -each.start)):
        if not nested or (span.start <= nested[-1].start and nested[-1].end <= span.end):
            nested.append(span)
    return tuple(nested)
