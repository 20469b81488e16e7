"""Builds a card from a ruleset: groups charts of one form into families, then adds modifiers, results and the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs
from attrs import define, evolve, field

from enfilade.api.charts import NOTHING_STARTS
from enfilade.core import ir
from enfilade.tools.card import blocks, tables
from enfilade.tools.card.data import Block, Card, Footnotes, Line, Section, Table
from enfilade.tools.card.words import name_words
from enfilade.tools.coverage_items import names_in_use


def card_of(program: ir.Program, name: str | None = None) -> Card:
    """Lay out a ruleset as a reference card.

    Args:
        program: The ruleset.
        name: One chart, or header rows that charts share; ``None`` for the whole ruleset.

    Returns:
        The card, as plain text in tables and lines.
    """
    return _CardBuilder(program).card(name)


@define
class _CardBuilder:
    """Builds one card. Methods run in the order of the page, because footnotes are numbered on first use."""

    program: ir.Program
    notes: Footnotes = field(factory=Footnotes)
    done: set[tuple[str, str]] = field(factory=set)

    def card(self, name: str | None) -> Card:
        families = [family for family in self.families() if name is None or self.is_about(family, name)]
        sections = tuple(self.section(self.wanted(family, name)) for family in families)
        lone = tuple(self.unused_columns(name))
        rest = self.closing_blocks(name)
        program = self.program
        title = Line(
            program.note.label or name_words(program.name), "", "", program.note.cites, self.notes.marks(program.note)
        )
        documents = tuple(Line(note.label or "", cites=note.cites) for note in program.documents)
        legend = tuple(_legend((*sections, *lone), rest))
        footnotes = self.notes.all(notes_in(program) if name is None else ())
        return Card(program.name, title, documents, (*sections, *lone), rest, legend, footnotes)

    # -- families ---------------------------------------------------------------------------------------------

    def families(self) -> list[list[ir.Chart]]:
        """Group the charts by form. Charts whose cells name charts are left out: they get no table."""
        found: dict[Any, list[ir.Chart]] = {}
        for chart in sorted(self.program.charts.values(), key=self._place):
            if chart.cell_kind != "charts":
                found.setdefault(_form(chart), []).append(chart)
        return list(found.values())

    def _place(self, chart: ir.Chart) -> tuple[int, int]:
        span = chart.note.span
        if span is None:
            return 0, 0
        texts = self.program.sources
        return (texts.index(span.source.text) if span.source.text in texts else len(texts)), span.start

    def is_about(self, family: list[ir.Chart], name: str) -> bool:
        columns = tables.columns_of(self.program, family[0])
        named_by = {
            selector for chart in family for selector, _ in tables.selecting_charts(self.program).get(chart.name, ())
        }
        return name in {chart.name for chart in family} | named_by or (columns is not None and columns.name == name)

    def wanted(self, family: list[ir.Chart], name: str | None) -> list[ir.Chart]:
        """The charts of a family that *name* selects: the chart itself, the charts that it names, or the family."""
        picked = [chart for chart in family if chart.name == name]
        chosen = tables.selecting_charts(self.program)
        named_by = [chart for chart in family if any(selector == name for selector, _ in chosen.get(chart.name, ()))]
        return picked or named_by or family

    # -- a section --------------------------------------------------------------------------------------------

    def section(self, family: list[ir.Chart]) -> Section:
        first = family[0]
        columns = tables.columns_of(self.program, first)
        selector = self.selector_of(family)
        title = None if selector is None else tables.title_of(selector.name, selector.note, self.notes)
        shared = self.shared(family, columns)
        chosen = tables.selecting_charts(self.program)
        laid = tuple(
            tables.chart_table(chart, self.notes, _selection_texts(chart, chosen), shared is None) for chart in family
        )
        found = [self.reading(first, family, columns, selector)]
        found += self.other_selectors({chart.name for chart in family}, selector)
        found += self.modifiers_and_results({chart.name for chart in family})
        return Section(title, shared, laid, tuple(found))

    def selector_of(self, family: list[ir.Chart]) -> ir.Chart | None:
        """The chart whose cells name exactly the charts of a family."""
        names = {chart.name for chart in family}
        if len(names) < 2:
            return None
        for chart in self.program.charts.values():
            if chart.cell_kind == "charts" and set(_cells(chart)) == names:
                return chart
        return None

    def shared(self, family: list[ir.Chart], columns: ir.Columns | None) -> Table | None:
        if columns is not None:
            self.done.add(("columns", columns.name))
            return tables.shared_table(columns, self.notes)
        if len(family) > 1 and tables.own_headers(family[0]):
            return tables.headers_table(family[0], self.notes)
        return None

    def reading(
        self, first: ir.Chart, family: list[ir.Chart], columns: ir.Columns | None, selector: ir.Chart | None
    ) -> Block:
        block = blocks.reading_block(self.program, first, columns, self.notes)
        title = Line("Reading the tables" if len(family) > 1 else "Reading the table")
        if selector is None:
            return evolve(block, title=title)
        return evolve(block, title=title, lines=(*self.selector_lines(selector), *block.lines))

    def selector_lines(self, selector: ir.Chart) -> Iterator[Line]:
        """The lookup rules of a chart whose cells name charts."""
        for line in blocks.reading_block(self.program, selector, None, self.notes).lines:
            by = line.lead in ("Row", "Column", "Page")
            yield evolve(line, lead="Table", text=f"by {line.text}") if by else line

    def other_selectors(self, names: set[str], selector: ir.Chart | None) -> Iterator[Block]:
        """Blocks for the other charts whose cells name charts, if their first target is in this section."""
        for chart in self.program.charts.values():
            targets = _cells(chart) if chart.cell_kind == "charts" else []
            if chart is selector or not targets or targets[0] not in names or ("charts", chart.name) in self.done:
                continue
            self.done.add(("charts", chart.name))
            yield Block("charts", chart.name, tables.title_of(chart.name, chart.note, self.notes),
                        (*self.selector_lines(chart), *self.selected_lines(chart)))  # fmt: skip

    def selected_lines(self, selector: ir.Chart) -> Iterator[Line]:
        for target, pairs in tables.selecting_charts(self.program).items():
            for name, when in pairs:
                if name == selector.name:
                    yield Line(self.title(target), when)

    def title(self, chart: str) -> str:
        note = self.program.charts[chart].note
        return tables.title_of(chart, note, Footnotes()).text

    # -- modifiers and results --------------------------------------------------------------------------------

    def modifiers_and_results(self, names: set[str], everywhere: bool = False) -> Iterator[Block]:
        """The modifiers and results of some charts; blocks shared with other charts are left for the end of the card."""
        for block in self.program.modifiers.values():
            if block.purpose != "sum" and self.claim(("modifiers", block.name), set(block.charts), names, everywhere):
                charts = self.for_charts(set(block.charts), names, everywhere)
                yield blocks.modifiers_block(self.program, block, charts, self.notes)
        for first, of in distinct_results(self.program):
            if self.claim(("results", first.chart), of, names, everywhere):
                yield blocks.results_block(self.program, first, self.for_charts(of, names, everywhere), self.notes)

    def claim(self, key: tuple[str, str], of: set[str], names: set[str], everywhere: bool) -> bool:
        fits = bool(of & names) if everywhere else of <= names
        if key in self.done or not fits:
            return False
        self.done.add(key)
        return True

    def for_charts(self, of: set[str], names: set[str], everywhere: bool) -> str:
        """The charts that a block is for, in words; empty if its place on the card shows it."""
        tabled = {chart.name for chart in self.program.charts.values() if chart.cell_kind != "charts"}
        if (not everywhere and of == names) or (of == tabled and len(of) == 1):
            return ""
        if of == tabled:
            return "for all tables"
        return "for " + ", ".join(self.titles(of))

    def titles(self, of: set[str]) -> Iterator[str]:
        """The titles of some charts; charts that another one selects have its title in common."""
        named: set[str] = set()
        for chart in self.program.charts.values():
            targets = set(_cells(chart)) if chart.cell_kind == "charts" else set()
            if targets and targets <= of - named:
                named |= targets
                yield self.title(chart.name)
        yield from (self.title(chart) for chart in self.program.charts if chart in of - named)

    # -- the end ----------------------------------------------------------------------------------------------

    def unused_columns(self, name: str | None) -> Iterator[Section]:
        """Sections for shared header rows that no chart uses; rules read them as values."""
        for columns in self.program.columns.values():
            if ("columns", columns.name) not in self.done and name in (None, columns.name):
                yield Section(None, None, (tables.shared_table(columns, self.notes),), ())

    def closing_blocks(self, name: str | None) -> tuple[Block, ...]:
        program, notes = self.program, self.notes
        if name is not None:
            return tuple(self.modifiers_and_results({name}, everywhere=True))
        found = list(self.modifiers_and_results(set(program.charts), everywhere=True))
        found += [
            blocks.modifiers_block(program, block, "", notes)
            for block in program.modifiers.values()
            if block.purpose == "sum"
        ]
        played = names_in_use(program)
        found += [blocks.definitions_block(program, played, notes)]
        procedures = [each for each in program.procedures.values() if each.name in played]
        found += [blocks.procedure_block(procedure, notes) for procedure in procedures]
        found += [blocks.options_block(program, notes)]
        return tuple(block for block in found if block.lines)


def distinct_results(program: ir.Program) -> Iterator[tuple[ir.Results, set[str]]]:
    """The results of a ruleset, each with all charts that share them."""
    found: list[tuple[ir.Results, set[str]]] = []
    for results in program.results.values():
        same = [of for first, of in found if (first.entries, first.record) == (results.entries, results.record)]
        if same:
            same[0].add(results.chart)
        else:
            found.append((results, {results.chart}))
    yield from found


def _form(chart: ir.Chart) -> Any:
    """The key of a family: everything about a chart but its title and cells."""
    if chart.across is None:
        return chart.name
    axes = (chart.down.value, chart.down.mode, chart.dice, chart.inside and (chart.inside.value, chart.inside.labels))
    across = (chart.across.value, chart.across.mode, chart.across.headers, chart.across.note)
    edges = tuple(chart.edges.items())
    blocks_of = (chart.shifts, chart.roll_modifiers)
    pages = tuple((axis.value, axis.labels) for axis in chart.pages)
    return (chart.params, axes, across, chart.find, chart.cell_kind, chart.severity, edges, blocks_of, pages)


def _legend(sections: tuple[Section, ...], rest: tuple[Block, ...]) -> Iterator[Line]:
    """The meaning of the signs that occur on a card."""
    laid = [table for section in sections for table in (section.shared, *section.tables) if table is not None]
    rows = [
        row for table in laid for row in (*table.headers, table.head, *(r for _, page in table.pages for r in page))
    ]
    kinds = {cell.kind for row in rows for cell in row}
    results = [block for blocks_of in (rest, *(s.blocks for s in sections)) for block in blocks_of]
    if "nothing" in kinds:
        yield Line("no column starts here", NOTHING_STARTS)
    if "surplus" in kinds:
        yield Line("printed but never used", "(n)")
    if kinds & {"restored", "erratum"}:
        yield Line("see the note below the table", tables.ERRATUM)
    if any("#" in line.lead for block in results if block.kind == "results" for line in block.lines):
        yield Line("the number in a code", "#")


def _cells(chart: ir.Chart) -> list[str]:
    return [cell for page in chart.printed for row in page for cell in row]


def _selection_texts(chart: ir.Chart, chosen: Mapping[str, tuple[tuple[str, str], ...]]) -> tuple[str, ...]:
    """The conditions under which other charts select a chart, except those that its title begins with."""
    title = (chart.note.label or "").casefold()
    return tuple(when for _, when in chosen.get(chart.name, ()) if not title.startswith(when.casefold()))


def notes_in(root: Any) -> Iterable[ir.Note]:
    """Every note within a node of the core, except in examples."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ir.Note):
            yield node
        elif isinstance(node, Mapping):
            waiting += reversed(list(node.values()))
        elif isinstance(node, (tuple, list)):
            waiting += reversed(node)
        elif (
            attrs.has(type(node))
            and type(node).__module__ == ir.__name__
            and not isinstance(node, (ir.Example, ir.Const))
        ):
            waiting += [getattr(node, each.name) for each in reversed(attrs.fields(type(node)))]
