"""Builds the tables of a card, from charts and from header rows that charts share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from enfilade.api.charts import NOTHING_STARTS, Page, erratum_place, erratum_reading, table_of, table_of_columns
from enfilade.core import ir
from enfilade.tools.card.data import Cell, Footnotes, Line, Table
from enfilade.tools.card.words import capitalised, expression_words, name_words, printed_words

ERRATUM: Final = "¶"


def title_of(name: str, note: ir.Note, notes: Footnotes) -> Line:
    """The title of a declaration."""
    return Line(note.label or capitalised(name_words(name)), cites=note.cites, marks=notes.marks(note))


def chart_table(chart: ir.Chart, notes: Footnotes, when: tuple[str, ...], with_headers: bool) -> Table:
    """A chart as a table.

    Args:
        chart: The chart.
        notes: The footnotes of the card.
        when: The conditions, in words, under which another chart selects it.
        with_headers: Whether the table includes its header rows; otherwise they are above the family.
    """
    printed = table_of(chart)
    beyond = printed.surplus.columns if printed.surplus else ()
    surplus = notes.marks(*(page.note for page in chart.surplus[:1]))
    head = (
        Cell(printed_words(printed.corner)),
        *(Cell(printed_words(label)) for label in printed.columns),
        *(Cell(printed_words(f"({label})"), "surplus", marks=surplus) for label in beyond),
    )
    headers = tuple(_header(header, len(beyond), notes) for header in own_headers(chart)) if with_headers else ()
    pages = tuple(
        (", ".join(printed_words(*page.labels)), tuple(_rows(chart, number, page, notes)))
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
    """The first cell of a row of bands: its label or its condition."""
    words = "otherwise" if condition is None else expression_words(condition)
    return Cell((note.label or words,), cites=note.cites, marks=notes.marks(note))


def _band(band: str | None) -> Cell:
    return Cell((NOTHING_STARTS,), "nothing") if band is None else Cell(printed_words(band))


def _rows(chart: ir.Chart, number: int, page: Page, notes: Footnotes) -> Iterator[tuple[Cell, ...]]:
    errata = {(each.row, each.column): each for each in chart.errata if each.page == number}
    for row, (label, cells) in enumerate(zip(chart.down.labels, page.cells, strict=True)):
        beyond = chart.surplus[number].cells[row] if chart.surplus else ()
        yield (
            Cell(printed_words(label)),
            *(_cell(chart, (number, row, at), cell, errata.get((row, at)), notes) for at, cell in enumerate(cells)),
            *(Cell(printed_words(*text.split()), "surplus") for text in beyond),
        )


def _cell(
    chart: ir.Chart,
    place: tuple[int, int, int],
    cell: str | tuple[str, ...],
    erratum: ir.Erratum | None,
    notes: Footnotes,
) -> Cell:
    values = printed_words(*(cell if isinstance(cell, tuple) else (cell,)))
    if erratum is None:
        return Cell(values)
    kind = "restored" if place in chart.restored else "erratum"
    return Cell(values, kind, marks=notes.marks(erratum.note))


def _notes(chart: ir.Chart, beyond: tuple[str, ...], surplus: tuple[int, ...], notes: Footnotes) -> Iterator[Line]:
    for note, condition in dict.fromkeys((each.note, each.condition) for each in chart.errata):
        same = [each for each in chart.errata if (each.note, each.condition) == (note, condition)]
        text = "; ".join(f"{erratum_place(chart, each)} {erratum_reading(chart, each)}" for each in same)
        text += "" if condition is None else f" when {expression_words(condition)}"
        yield Line(text, ERRATUM, note.label or "", note.cites, notes.marks(note))
    if beyond:
        note = chart.surplus[0].note
        yield Line("printed but never used", _listed(beyond), note.label or "", note.cites, surplus)


def _listed(labels: tuple[str, ...]) -> str:
    return f"({', '.join(labels)})"


# ----------------------------------------------------------------------------------------- shared header rows


def shared_table(columns: ir.Columns, notes: Footnotes) -> Table:
    """Build a table of the header rows that charts share, with the values printed next to the bands."""
    surplus = notes.marks(columns.surplus_note) if columns.surplus else ()
    head = (
        Cell(("",)),
        *(Cell((label,)) for label in columns.labels[: _width(columns)]),
        *(Cell((f"({label})",), "surplus", marks=surplus) for label in columns.surplus),
        *(
            Cell((note.label or name_words(name),), "beside", note.cites, notes.marks(note))
            for name, note in columns.beside
        ),
    )
    rows = tuple(
        (
            _condition(line.note, line.condition, notes),
            *(_band(band) for band in line.bands),
            *(Cell(printed_words(text), "surplus") for text in line.surplus),
            *(Cell(printed_words(text), "beside") for text in line.beside),
        )
        for line in columns.lines
    )
    title = title_of(columns.name, columns.note, notes)
    said = columns.surplus_note
    below = (Line("printed but never used", _listed(columns.surplus), said.label or "", said.cites, surplus),)
    return Table(columns.name, title, (), (), head, (("", rows),), below if columns.surplus else ())


def _width(columns: ir.Columns) -> int:
    return len(table_of_columns(columns).columns)


def headers_table(chart: ir.Chart, notes: Footnotes) -> Table:
    """Build one table of header rows for charts of one form, instead of repeating them in each chart."""
    head = (Cell(("",)), *(Cell(printed_words(label)) for label in chart.columns))
    value = expression_words(chart.across.value) if chart.across is not None and chart.across.value is not None else ""
    rows = tuple(_header(header, 0, notes) for header in own_headers(chart))
    return Table(f"{chart.name}.columns", Line(capitalised(value)), (), (), head, (("", rows),))


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


# ------------------------------------------------------------------------------- charts whose cells name charts


def selecting_charts(program: ir.Program) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Map each chart that cells of other charts name to the names of those charts and the conditions in words."""
    found: dict[str, list[tuple[str, str]]] = {}
    for chart in program.charts.values():
        if chart.cell_kind != "charts":
            continue
        printed = table_of(chart)
        for page in printed.pages:
            for label, row in zip(printed.rows, page.cells, strict=True):
                for at, cell in enumerate(row):
                    words = [", ".join(page.labels), f"{printed.corner} {label}".strip(), _column(chart, at)]
                    found.setdefault(str(cell), []).append((chart.name, name_words(", ".join(filter(None, words)))))
    return {name: tuple(pairs) for name, pairs in found.items()}


def _column(chart: ir.Chart, at: int) -> str:
    if chart.across is None:
        return ""
    value = "" if chart.across.value is None else expression_words(chart.across.value)
    return f"{value} {chart.columns[at]}".strip()
