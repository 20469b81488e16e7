"""Puts a card together: charts of one form become a family under their shared header rows, the rest follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs
from attrs import define, evolve, field

from enfilade.api.charts import NOTHING_STARTS
from enfilade.core import ir
from enfilade.tools.card import blocks, tables
from enfilade.tools.card.data import Block, Card, Footnotes, Line, Section, Table
from enfilade.tools.card.words import named
from enfilade.tools.coverage_items import names_in_use


def card_of(program: ir.Program, name: str | None = None) -> Card:
    """Lay out a ruleset as a reference card.

    Args:
        program: The ruleset.
        name: One chart, or the header rows that charts share; without it all charts, and what belongs to none.

    Returns:
        The card, as plain text in tables and lines.
    """
    return _Cards(program).card(name)


@define
class _Cards:
    """Builds one card; what is numbered is numbered in the order of the page."""

    program: ir.Program
    notes: Footnotes = field(factory=Footnotes)
    done: set[tuple[str, str]] = field(factory=set)

    def card(self, name: str | None) -> Card:
        families = [family for family in self.families() if name is None or self.is_about(family, name)]
        sections = tuple(self.section(self.only(family, name)) for family in families)
        lone = tuple(self.lone_columns(name))
        rest = self.closing(name)
        program = self.program
        title = Line(
            program.note.label or named(program.name), "", "", program.note.cites, self.notes.marks(program.note)
        )
        documents = tuple(Line(note.label or "", cites=note.cites) for note in program.documents)
        legend = tuple(_legend((*sections, *lone), rest))
        return Card(program.name, title, documents, (*sections, *lone), rest, legend, self.notes.all())

    # -- families ---------------------------------------------------------------------------------------------

    def families(self) -> list[list[ir.Chart]]:
        """The charts, those of one form together; charts of charts need no table, unless they name none."""
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
        named_by = {picker for chart in family for picker, _ in tables.choices(self.program).get(chart.name, ())}
        return name in {chart.name for chart in family} | named_by or (columns is not None and columns.name == name)

    def only(self, family: list[ir.Chart], name: str | None) -> list[ir.Chart]:
        """The one chart of a family that is asked for; or all, where what they share is."""
        picked = [chart for chart in family if chart.name == name]
        chosen = tables.choices(self.program)
        named_by = [chart for chart in family if any(picker == name for picker, _ in chosen.get(chart.name, ()))]
        return picked or named_by or family

    # -- a section --------------------------------------------------------------------------------------------

    def section(self, family: list[ir.Chart]) -> Section:
        first = family[0]
        columns = tables.columns_of(self.program, first)
        picker = self.picker_of(family)
        title = None if picker is None else tables.title_of(picker.name, picker.note, self.notes)
        shared = self.shared(family, columns)
        chosen = tables.choices(self.program)
        laid = tuple(tables.chart_table(chart, self.notes, _unsaid(chart, chosen), shared is None) for chart in family)
        found = [self.reading(first, family, columns, picker)]
        found += self.pickers({chart.name for chart in family}, picker)
        found += self.attached({chart.name for chart in family})
        return Section(title, shared, laid, tuple(found))

    def picker_of(self, family: list[ir.Chart]) -> ir.Chart | None:
        """The chart of charts that chooses among just these."""
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
        self, first: ir.Chart, family: list[ir.Chart], columns: ir.Columns | None, picker: ir.Chart | None
    ) -> Block:
        block = blocks.reading_block(self.program, first, columns, self.notes)
        title = Line("Reading the tables" if len(family) > 1 else "Reading the table")
        if picker is None:
            return evolve(block, title=title)
        return evolve(block, title=title, lines=(*self.picking(picker), *block.lines))

    def picking(self, picker: ir.Chart) -> Iterator[Line]:
        """How a chart of charts is read."""
        for line in blocks.reading_block(self.program, picker, None, self.notes).lines:
            by = line.lead in ("Row", "Column", "Page")
            yield evolve(line, lead="Table", text=f"by {line.text}") if by else line

    def pickers(self, names: set[str], picker: ir.Chart | None) -> Iterator[Block]:
        """The other charts of charts of which the first table is here."""
        for chart in self.program.charts.values():
            targets = _cells(chart) if chart.cell_kind == "charts" else []
            if chart is picker or not targets or targets[0] not in names or ("charts", chart.name) in self.done:
                continue
            self.done.add(("charts", chart.name))
            yield Block("charts", chart.name, tables.title_of(chart.name, chart.note, self.notes),
                        (*self.picking(chart), *self.chosen(chart)))  # fmt: skip

    def chosen(self, picker: ir.Chart) -> Iterator[Line]:
        for target, pairs in tables.choices(self.program).items():
            for name, when in pairs:
                if name == picker.name:
                    yield Line(self.title(target), when)

    def title(self, chart: str) -> str:
        note = self.program.charts[chart].note
        return tables.title_of(chart, note, Footnotes()).text

    # -- modifiers and results --------------------------------------------------------------------------------

    def attached(self, names: set[str], everywhere: bool = False) -> Iterator[Block]:
        """The modifiers and results of charts; those that others have too wait for the end."""
        for block in self.program.modifiers.values():
            if block.purpose != "sum" and self.take(("modifiers", block.name), set(block.charts), names, everywhere):
                charts = self.for_charts(set(block.charts), names, everywhere)
                yield blocks.modifiers_block(self.program, block, charts, self.notes)
        for first, of in self.results():
            if self.take(("results", first.chart), of, names, everywhere):
                yield blocks.results_block(self.program, first, self.for_charts(of, names, everywhere), self.notes)

    def take(self, key: tuple[str, str], of: set[str], names: set[str], everywhere: bool) -> bool:
        fits = bool(of & names) if everywhere else of <= names
        if key in self.done or not fits:
            return False
        self.done.add(key)
        return True

    def results(self) -> Iterator[tuple[ir.Results, set[str]]]:
        """The results, one for all the charts that share them."""
        found: list[tuple[ir.Results, set[str]]] = []
        for results in self.program.results.values():
            same = [of for first, of in found if (first.entries, first.record) == (results.entries, results.record)]
            if same:
                same[0].add(results.chart)
            else:
                found.append((results, {results.chart}))
        yield from found

    def for_charts(self, of: set[str], names: set[str], everywhere: bool) -> str:
        """Which charts a block is for, where its place does not say it."""
        tabled = {chart.name for chart in self.program.charts.values() if chart.cell_kind != "charts"}
        if (not everywhere and of == names) or (of == tabled and len(of) == 1):
            return ""
        if of == tabled:
            return "for all tables"
        return "for " + ", ".join(self.title(chart) for chart in self.program.charts if chart in of)

    # -- the end ----------------------------------------------------------------------------------------------

    def lone_columns(self, name: str | None) -> Iterator[Section]:
        """Header rows that no chart uses: they are looked up as values."""
        for columns in self.program.columns.values():
            if ("columns", columns.name) not in self.done and name in (None, columns.name):
                yield Section(None, None, (tables.shared_table(columns, self.notes),), ())

    def closing(self, name: str | None) -> tuple[Block, ...]:
        program, notes = self.program, self.notes
        if name is not None:
            return tuple(self.attached({name}, everywhere=True))
        found = list(self.attached(set(program.charts), everywhere=True))
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
        unsaid = {
            note.assumed: note for note in notes_in(program) if note.assumed and note.assumed not in notes.numbers
        }
        found += [blocks.assumed_block(list(unsaid.values()), notes)]
        return tuple(block for block in found if block.lines)


def _form(chart: ir.Chart) -> Any:
    """What charts of one family have in common: all but their title and cells."""
    if chart.across is None:
        return chart.name
    axes = (chart.down.value, chart.down.mode, chart.dice, chart.inside and (chart.inside.value, chart.inside.labels))
    across = (chart.across.value, chart.across.mode, chart.across.headers, chart.across.note)
    edges = tuple(chart.edges.items())
    blocks_of = (chart.shifts, chart.roll_modifiers)
    pages = tuple((axis.value, axis.labels) for axis in chart.pages)
    return (chart.params, axes, across, chart.find, chart.cell_kind, chart.severity, edges, blocks_of, pages)


def _legend(sections: tuple[Section, ...], rest: tuple[Block, ...]) -> Iterator[Line]:
    """What the signs on a card mean, those that stand on it."""
    laid = [table for section in sections for table in (section.shared, *section.tables) if table is not None]
    rows = [
        row for table in laid for row in (*table.headers, table.head, *(r for _, page in table.pages for r in page))
    ]
    kinds = {cell.kind for row in rows for cell in row}
    results = [block for blocks_of in (rest, *(s.blocks for s in sections)) for block in blocks_of]
    if "nothing" in kinds:
        yield Line("no column starts here", NOTHING_STARTS)
    if "surplus" in kinds:
        yield Line("printed, and never looked up", "(n)")
    if kinds & {"restored", "erratum"}:
        yield Line("see the note below the table", tables.ERRATUM)
    if any("#" in line.lead for block in results if block.kind == "results" for line in block.lines):
        yield Line("the number in a code", "#")


def _cells(chart: ir.Chart) -> list[str]:
    return [cell for page in chart.printed for row in page for cell in row]


def _unsaid(chart: ir.Chart, chosen: Mapping[str, tuple[tuple[str, str], ...]]) -> tuple[str, ...]:
    """When another chart chooses a chart, unless its title begins with just that."""
    title = (chart.note.label or "").casefold()
    return tuple(when for _, when in chosen.get(chart.name, ()) if not title.startswith(when.casefold()))


def notes_in(root: Any) -> Iterable[ir.Note]:
    """Every note within a node of the core, examples left out."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ir.Note):
            yield node
        elif isinstance(node, Mapping):
            waiting += reversed(list(node.values()))
        elif isinstance(node, (tuple, list)):
            waiting += reversed(node)
        elif attrs.has(type(node)) and type(node).__module__ == ir.__name__ and not isinstance(node, ir.Example):
            waiting += [getattr(node, each.name) for each in reversed(attrs.fields(type(node)))]
