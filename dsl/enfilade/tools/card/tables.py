"""Lays out charts as tables of a card, and header rows that charts share as one table above them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from enfilade.api.charts import NOTHING_STARTS, Page, erratum_place, erratum_reading, table_of, table_of_columns
from enfilade.core import ir
from enfilade.tools.card.data import Cell, Footnotes, Line, Table
from enfilade.tools.card.words import capital, named, shown, words_of

ERRATUM: Final = "¶"


def title_of(name: str, note: ir.Note, notes: Footnotes) -> Line:
    """The title of a declaration."""
    return Line(note.label or capital(named(name)), cites=note.cites, marks=notes.marks(note))


def chart_table(chart: ir.Chart, notes: Footnotes, when: tuple[str, ...], with_headers: bool) -> Table:
    """A chart as a table.

    Args:
        chart: The chart.
        notes: The footnotes of the card.
        when: When another chart chooses it.
        with_headers: Whether its header rows stand on it, and not above the family.
    """
    printed = table_of(chart)
    beyond = printed.surplus.columns if printed.surplus else ()
    surplus = notes.marks(*(page.note for page in chart.surplus[:1]))
    head = (
        Cell(shown(printed.corner)),
        *(Cell(shown(label)) for label in printed.columns),
        *(Cell(shown(f"({label})"), "surplus", marks=surplus) for label in beyond),
    )
    headers = tuple(_header(header, len(beyond), notes) for header in own_headers(chart)) if with_headers else ()
    pages = tuple(
        (", ".join(shown(*page.labels)), tuple(_rows(chart, number, page, notes)))
        for number, page in enumerate(printed.pages)
    )
    title = title_of(chart.name, chart.note, notes)
    return Table(chart.name, title, when, headers, head, pages, tuple(_notes(chart, beyond, surplus, notes)))


def own_headers(chart: ir.Chart) -> tuple[ir.Header, ...]:
    """The rows of bands above the column labels."""
    return () if chart.across is None else tuple(header for header in chart.across.headers if header.printed)


def _header(header: ir.Header, beyond: int, notes: Footnotes) -> tuple[Cell, ...]:
    bands = (*(_band(band) for band in header.printed), *(_band(None) for _ in range(beyond)))
    return (_condition(header.note, header.condition, notes), *bands)


def _condition(note: ir.Note, condition: ir.Expr | None, notes: Footnotes) -> Cell:
    """What stands before a row of bands: its label, or when it holds."""
    words = "otherwise" if condition is None else words_of(condition)
    return Cell((note.label or words,), cites=note.cites, marks=notes.marks(note))


def _band(band: str | None) -> Cell:
    return Cell((NOTHING_STARTS,), "nothing") if band is None else Cell(shown(band))


def _rows(chart: ir.Chart, number: int, page: Page, notes: Footnotes) -> Iterator[tuple[Cell, ...]]:
    errata = {(each.row, each.column): each for each in chart.errata if each.page == number}
    for row, (label, cells) in enumerate(zip(chart.down.labels, page.cells, strict=True)):
        beyond = chart.surplus[number].cells[row] if chart.surplus else ()
        yield (
            Cell(shown(label)),
            *(_cell(chart, (number, row, at), cell, errata.get((row, at)), notes) for at, cell in enumerate(cells)),
            *(Cell(shown(*text.split()), "surplus") for text in beyond),
        )


def _cell(
    chart: ir.Chart,
    place: tuple[int, int, int],
    cell: str | tuple[str, ...],
    erratum: ir.Erratum | None,
    notes: Footnotes,
) -> Cell:
    values = shown(*(cell if isinstance(cell, tuple) else (cell,)))
    if erratum is None:
        return Cell(values)
    kind = "restored" if place in chart.restored else "erratum"
    return Cell(values, kind, marks=notes.marks(erratum.note))


def _notes(chart: ir.Chart, beyond: tuple[str, ...], surplus: tuple[int, ...], notes: Footnotes) -> Iterator[Line]:
    for note, condition in dict.fromkeys((each.note, each.condition) for each in chart.errata):
        same = [each for each in chart.errata if (each.note, each.condition) == (note, condition)]
        text = "; ".join(f"{erratum_place(chart, each)} {erratum_reading(chart, each)}" for each in same)
        text += "" if condition is None else f" when {words_of(condition)}"
        yield Line(text, ERRATUM, note.label or "", note.cites, notes.marks(note))
    if beyond:
        note = chart.surplus[0].note
        yield Line("printed, and never looked up", _listed(beyond), note.label or "", note.cites, surplus)


def _listed(labels: tuple[str, ...]) -> str:
    return f"({', '.join(labels)})"


# ----------------------------------------------------------------------------------------- shared header rows


def shared_table(columns: ir.Columns, notes: Footnotes) -> Table:
    """Header rows that charts share as a table: a row for each, with what stands beside its bands."""
    surplus = notes.marks(columns.surplus_note) if columns.surplus else ()
    head = (
        Cell(("",)),
        *(Cell((label,)) for label in columns.labels[: _width(columns)]),
        *(Cell((f"({label})",), "surplus", marks=surplus) for label in columns.surplus),
        *(Cell((note.label or named(name),), "beside", note.cites, notes.marks(note)) for name, note in columns.beside),
    )
    rows = tuple(
        (
            _condition(line.note, line.condition, notes),
            *(_band(band) for band in line.bands),
            *(Cell(shown(text), "surplus") for text in line.surplus),
            *(Cell(shown(text), "beside") for text in line.beside),
        )
        for line in columns.lines
    )
    title = title_of(columns.name, columns.note, notes)
    said = columns.surplus_note
    below = (Line("printed, and never looked up", _listed(columns.surplus), said.label or "", said.cites, surplus),)
    return Table(columns.name, title, (), (), head, (("", rows),), below if columns.surplus else ())


def _width(columns: ir.Columns) -> int:
    return len(table_of_columns(columns).columns)


def headers_table(chart: ir.Chart, notes: Footnotes) -> Table:
    """The header rows of charts of one form, which each of them would print again."""
    head = (Cell(("",)), *(Cell(shown(label)) for label in chart.columns))
    value = words_of(chart.across.value) if chart.across is not None and chart.across.value is not None else ""
    rows = tuple(_header(header, 0, notes) for header in own_headers(chart))
    return Table(f"{chart.name}.columns", Line(capital(value)), (), (), head, (("", rows),))


def columns_of(program: ir.Program, chart: ir.Chart) -> ir.Columns | None:
    """The shared header rows that a chart uses."""
    own = [(header.printed, header.condition, header.note) for header in own_headers(chart)]
    for columns in program.columns.values():
        width = len(chart.columns)
        lines = [(_padded(line.bands, width), line.condition, line.note) for line in columns.lines]
        if own and lines == own:
            return columns
    return None


def _padded(bands: tuple[str | None, ...], width: int) -> tuple[str | None, ...]:
    return (*bands, *(None for _ in range(width - len(bands))))[:width]


# ---------------------------------------------------------------------------------------------- charts of charts


def choices(program: ir.Program) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """For each chart that a cell of another names: the names of those charts, and when they choose it."""
    found: dict[str, list[tuple[str, str]]] = {}
    for chart in program.charts.values():
        if chart.cell_kind != "charts":
            continue
        printed = table_of(chart)
        for page in printed.pages:
            for label, row in zip(printed.rows, page.cells, strict=True):
                for at, cell in enumerate(row):
                    words = [", ".join(page.labels), f"{printed.corner} {label}".strip(), _column(chart, at)]
                    found.setdefault(str(cell), []).append((chart.name, named(", ".join(filter(None, words)))))
    return {name: tuple(pairs) for name, pairs in found.items()}


def _column(chart: ir.Chart, at: int) -> str:
    if chart.across is None:
        return ""
    value = "" if chart.across.value is None else words_of(chart.across.value)
    return f"{value} {chart.columns[at]}".strip()
