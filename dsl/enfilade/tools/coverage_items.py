"""Lists the items that coverage counts: the cells, labels, edges, modifiers, codes and refusals of a ruleset.

Each item has a key that ``coverage`` derives from events too. This module must not look at runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from math import ceil, floor
from typing import Any, TypeAlias

from attrs import field, frozen

from enfilade.api.charts import cell_text, table_of
from enfilade.api.describe import is_own
from enfilade.core import ir
from enfilade.core.graph import graph_of
from enfilade.core.modifiers import modifiers_in, text_of
from enfilade.core.walk import nodes
from enfilade.source.text import Span
from enfilade.values.types import CodeOf, Num, TallyOf

Key: TypeAlias = tuple[Any, ...]


@frozen
class Item:
    """A part of a ruleset that an example can use.

    Attributes:
        kind: rows, columns, cells, modifiers and so on.
        key: The key that matches it with events of runs.
        of: The chart, block or procedure that it belongs to.
        name: Its name.
        parts: For a cell: its page, row, column and the value inside.
        refused: For an edge that refuses: the refusal.
    """

    kind: str
    key: Key
    of: str
    name: str
    parts: Mapping[str, str] = field(factory=dict)
    refused: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the item as plain data."""
        return {"of": self.of, "name": self.name, **self.parts}


def place_of(span: Span | None) -> Key | None:
    """A place in the source as a key, for lines without a name."""
    return None if span is None else (span.source.name, span.start)


def names_in_use(program: ir.Program) -> frozenset[str]:
    """The procedures, definitions and effects that the ruleset declares, and those of the library that they use."""
    graph = graph_of(program)
    own = [unit for unit in graph.units if unit[0] == "results" or is_own(program, graph.declared(unit).note)]
    columns = [each for each in program.columns.values() if is_own(program, each.note)]
    reached = graph.reached_from((*columns, *program.reactions, *map(graph.declared, own))).union(own)
    return frozenset(name for kind, name in reached if kind in ("procedure", "define", "effect"))


def items_of(program: ir.Program) -> Iterator[Item]:
    """All items of the ruleset's own declarations, in order; library modules have examples of their own."""
    own = partial(is_own, program)
    procedures = [each for each in program.procedures.values() if own(each.note)]
    for procedure in procedures:
        yield Item("procedures", ("procedures", procedure.name), procedure.name, procedure.name)
    for chart in program.charts.values():
        yield from _chart_items(program, chart) if own(chart.note) else ()
    for results in program.results.values():
        for entry in results.entries:
            if not entry.then:
                key = ("results", place_of(entry.note.span))
                yield Item("results", key, results.chart, entry.pattern.text)
    for block in program.modifiers.values():
        yield from _modifier_items(block) if own(block.note) else ()
    for name, effect in program.effects.items():
        if own(effect.note):
            yield Item("effects", ("effects", name), name, name)
    for procedure in procedures:
        yield from _refusal_items(procedure)


def _chart_items(program: ir.Program, chart: ir.Chart) -> Iterator[Item]:
    name = chart.name
    for label in chart.down.labels:
        yield Item("rows", ("rows", name, label), name, label)
    if chart.across is not None:
        for index in reached_columns(program, chart):
            label = chart.across.labels[index]
            yield Item("columns", ("columns", name, label), name, label)
        if len(chart.across.headers) > 1:
            for header in chart.across.headers:
                when = "otherwise" if header.condition is None else text_of(header.condition)
                yield Item("headers", ("headers", place_of(header.note.span)), name, header.note.label or when)
    yield from _cell_items(chart, reached_columns(program, chart))
    yield from _edge_items(chart)
    for erratum in chart.errata:
        yield Item("errata", ("errata", place_of(erratum.note.span)), name, _place_text(chart, erratum))
    if isinstance(chart.code_type, CodeOf):
        for code in codes_in(chart, reached_columns(program, chart)):
            yield Item("codes", ("codes", name, code), name, code)


def _place_text(chart: ir.Chart, erratum: ir.Erratum) -> str:
    column = "" if chart.across is None else f", column {chart.across.labels[erratum.column]}"
    return f"row {chart.down.labels[erratum.row]}{column}"


def reached_columns(program: ir.Program, chart: ir.Chart) -> list[int]:
    """The columns that have a label in some header row, or that a shift can reach from one."""
    if chart.across is None:
        return []
    width = len(chart.across.labels)
    if not chart.across.headers:
        return list(range(width))
    starts = {n for header in chart.across.headers for n, match in enumerate(header.matches) if match is not None}
    low, high = 0, 0
    for total in (program.modifiers[name].type for name in chart.shifts):
        ends = total.total if isinstance(total, TallyOf) else Num()
        low = -width if ends.low is None else low + floor(ends.low)
        high = width if ends.high is None else high + ceil(ends.high)
    return [n for n in range(width) if any(low <= n - start <= high for start in starts)]


def codes_in(chart: ir.Chart, columns: list[int]) -> list[Any]:
    """The codes in the cells of some columns, and the codes that edges and errata give."""
    if chart.find is not None or chart.across is None:
        return list(chart.code_type.codes) if isinstance(chart.code_type, CodeOf) else []
    cells = [row[column] for page in chart.cells for row in page for column in columns]
    cells += [erratum.value for erratum in chart.errata if erratum.column in columns]
    found = [code for cell in cells for code in (cell if isinstance(cell, tuple) else (cell,))]
    gives = [action.value for edge in chart.edges.values() for action in edge.actions if action.act == "gives"]
    return list(dict.fromkeys([*found, *gives]))


def _cell_items(chart: ir.Chart, reached: list[int]) -> Iterator[Item]:
    table = table_of(chart)
    pages, columns = [", ".join(page.labels) for page in table.pages], table.columns
    insides: tuple[str | None, ...] = (None,) if chart.inside is None else chart.inside.labels
    for page, rows in enumerate(chart.printed):
        for row, cells in enumerate(rows):
            for column in reached if chart.across is not None else range(len(cells)):
                # A chart with `find` looks for a value in the row: an empty cell can never match.
                if chart.finders and chart.finders[page][row][column] is None:
                    continue
                for inside, label in enumerate(insides):
                    key = ("cells", chart.name, page, row, column, None if label is None else inside)
                    where = {"page": pages[page], "row": chart.down.labels[row], "column": columns[column]}
                    parts = {what: text for what, text in where.items() if text}
                    named = {} if label is None else {"inside": label}
                    yield Item("cells", key, chart.name, cells[column], {**parts, **named})


def _edge_items(chart: ir.Chart) -> Iterator[Item]:
    for name, edge in chart.edges.items():
        for index, action in enumerate(edge.actions):
            does = action.act if action.act == "stays" else f"{action.act} {cell_text(action.value)}"
            when = "" if action.condition is None else f" when {text_of(action.condition)}"
            refused = action.value if action.act == "refuse" else None
            key = ("edges", place_of(edge.note.span), index)
            yield Item("edges", key, chart.name, f"{name} {does}{when}", refused=refused)


def _modifier_items(block: ir.ModBlock) -> Iterator[Item]:
    for modifier in modifiers_in(block.items):
        yield Item("modifiers", ("modifiers", block.name, modifier.name), block.name, modifier.name)
        for but in modifier.buts:
            does = "but not when" if but.amount is None else f"but {text_of(but.amount)} when"
            name = f"{modifier.name}: {does} {text_of(but.condition)}"
            yield Item("exceptions", ("exceptions", place_of(but.note.span)), block.name, name)


def _refusal_items(procedure: ir.Procedure) -> Iterator[Item]:
    for node in nodes(procedure.body):
        if isinstance(node, ir.Refuse):
            key = ("refusals", node.slug, place_of(node.note.span))
            yield Item("refusals", key, procedure.name, node.slug)
