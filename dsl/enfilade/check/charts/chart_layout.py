"""The layout of a chart: its lines grouped by kind, before any check."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, evolve, field

from enfilade.check.charts.labels import index_of
from enfilade.source.text import Span
from enfilade.syntax import tree as t

UNREADABLE = "??"


@define
class Page:
    """The rows of one page as printed; the first is the header."""

    labels: tuple[t.Code, ...]
    rows: list[t.Row] = field(factory=list)

    @property
    def width(self) -> int:
        """The number of columns in the header."""
        return len(self.rows[0].cells) - 1 if self.rows else 0


@define
class ChartLayout:
    """The lines of a chart, by kind.

    ``lacks_rows`` is set when the row labels turn out not to cover the dice. ``beyond`` holds the surplus columns of
    each page, removed from the tables: first the labels, then the cells of each row. ``restored`` holds the illegible
    cells that an erratum restores; the tables contain them as restored. ``parts`` are the names of the parts of a cell.
    ``marked`` holds the page, row and column of the cells with each sign, removed from the tables.
    """

    axes: dict[str, t.AxisLine] = field(factory=dict)
    pages: list[t.AxisLine] = field(factory=list)
    kind: str = "codes"
    order: t.SeverityOrder | None = None
    rules: list[t.SeverityRule] = field(factory=list)
    edges: list[t.Edge] = field(factory=list)
    headers: list[t.HeaderLine] = field(factory=list)
    errata: list[t.Erratum] = field(factory=list)
    tables: list[Page] = field(factory=list)
    surplus: list[t.Surplus] = field(factory=list)
    parts: list[t.Ident] = field(factory=list)
    marks: list[t.CellMark] = field(factory=list)
    notes: list[t.ChartNote] = field(factory=list)
    marked: dict[str, set[tuple[int, int, int]]] = field(factory=dict)
    beyond: list[Page] = field(factory=list)
    restored: list[t.Code] = field(factory=list)
    lacks_rows: bool = False

    @property
    def width(self) -> int:
        """The number of columns in the chart."""
        return self.tables[0].width

    @property
    def columns(self) -> tuple[t.Code, ...]:
        """The labels of the columns."""
        return self.tables[0].rows[0].cells[1:]

    @property
    def severity(self) -> tuple[str, ...]:
        """The codes from mild to severe."""
        return () if self.order is None else tuple(dict.fromkeys(code.text for code in self.order.codes))

    @property
    def is_one_row(self) -> bool:
        """Whether the columns alone find a cell: each page has one row below its header."""
        return bool({"across", "find"} & set(self.axes)) and all(len(page.rows) == 2 for page in self.tables)

    @property
    def is_ragged(self) -> bool:
        """Whether some row is shorter or longer than the header."""
        return any(len(row.cells) - 1 != self.width for page in self.tables for row in page.rows)

    def lost_bars(self, row: t.Row) -> list[t.Code]:
        """The cells of a short row in which a bar seems to be missing: ``| P 1 |``."""
        if len(row.cells) - 1 >= self.width or "inside" in self.axes:
            return []
        known = {cell.text for page in self.tables for other in page.rows[1:]
                 for cell in other.cells[1:] if len(other.cells) - 1 == self.width}  # fmt: skip
        return [
            cell
            for at, cell in enumerate(row.cells)
            if len(cell.text.split()) > 1 or (at and cell.text not in known and codes_run_together(cell.text, known))
        ]

    @property
    def has_wrong_header(self) -> bool:
        """Whether all rows have the same width but the header has a different one."""
        widths = {len(row.cells) - 1 for row in self.tables[0].rows[1:]}
        return len(widths) == 1 and len(self.tables[0].rows) > 2 and self.width not in widths

    def pieces(self, text: str) -> list[str]:
        """The values in one cell."""
        return text.replace("/", " ").split() if "inside" in self.axes else [text]


def codes_run_together(text: str, known: set[str]) -> list[str]:
    """The two codes that stand in one cell, if a bar between them is missing: ``DRDE``.

    Examples:
        >>> codes_run_together("DRDE", {"DR", "DE"}), codes_run_together("DR1", {"DR", "DE"})
        (['DR', 'DE'], [])
    """
    cuts = [(text[:at].strip(), text[at:].strip()) for at in range(1, len(text))]
    return next(([a, b] for a, b in cuts if a in known and b in known), [])


def transpose(layout: ChartLayout) -> None:
    """Turn a chart of one row into a chart of one column, because its dice are printed across."""
    layout.axes["down"] = evolve(layout.axes.pop("across"), way="down")
    for page in layout.tables:
        header, row = page.rows
        pairs = zip(header.cells, row.cells, strict=False)
        page.rows = [evolve(header, cells=pair) for pair in pairs]


def layout_of(tree: t.Chart, twice: Callable[[str, Span], None]) -> ChartLayout:
    """Sort the lines of a chart.

    Args:
        tree: The chart.
        twice: Called with a keyword and its place if a line occurs twice and only one is allowed.
    """
    layout = ChartLayout()
    kinds: list[t.CellsLine] = []
    for item in tree.items:
        match item.line:
            case t.AxisLine():
                _add_axis(layout, item.line, twice)
            case t.CellsLine():
                kinds.append(item.line)
            case t.SeverityOrder():
                if layout.order is not None:
                    twice("severity", item.line.span)
                layout.order = item.line
            case t.SeverityRule():
                layout.rules.append(item.line)
            case t.Edge():
                layout.edges.append(item.line)
            case t.HeaderLine():
                layout.headers.append(item.line)
            case t.Erratum():
                layout.errata.append(item.line)
            case t.CellMark():
                layout.marks.append(item.line)
            case t.ChartNote():
                layout.notes.append(item.line)
            case t.Surplus():
                layout.surplus.append(item.line)
            case t.PageLine():
                layout.tables.append(Page(item.line.labels))
        if item.rows:
            if not layout.tables:
                layout.tables.append(Page(()))
            layout.tables[-1].rows += item.rows
    for line in kinds[:1]:
        layout.kind = line.kind
    for line in kinds[1:]:
        twice("cells", line.span)
    _set_surplus_aside(layout)
    _remove_marks(layout)
    _restore_cells(layout)
    return layout


def _remove_marks(layout: ChartLayout) -> None:
    """Remove the signs of marks from the cells, and note where they stood."""
    signs = [mark.sign.text for mark in layout.marks if mark.sign.text]
    layout.marked = {sign: set() for sign in signs}
    for number, page in enumerate(layout.tables if signs else ()):
        for row, line in enumerate(page.rows[1:]):
            cells = list(line.cells)
            for column, cell in enumerate(cells[1:]):
                text, found = _without_signs(cell.text, signs)
                for sign in found:
                    layout.marked[sign].add((number, row, column))
                cells[column + 1] = evolve(cell, text=text)
            page.rows[row + 1] = evolve(line, cells=tuple(cells))
    if signs:
        layout.errata = [_without_mark(erratum, signs) for erratum in layout.errata]


def _without_signs(text: str, signs: list[str]) -> tuple[str, list[str]]:
    found: list[str] = []
    while (sign := next((each for each in signs if text.endswith(each) and text != each), None)) is not None:
        found.append(sign)
        text = text.removesuffix(sign).rstrip()
    return text, found


def _without_mark(erratum: t.Erratum, signs: list[str]) -> t.Erratum:
    return evolve(erratum, reads=evolve(erratum.reads, text=_without_signs(erratum.reads.text, signs)[0]))


def _set_surplus_aside(layout: ChartLayout) -> None:
    """Move the surplus columns out of the tables."""
    names = {label.text for line in layout.surplus for label in line.labels}
    for page in layout.tables if names else ():
        width = page.width
        at = [n for n, cell in enumerate(page.rows[0].cells) if n and cell.text in names] if page.rows else []
        rows = [row for row in page.rows if len(row.cells) - 1 == width]
        layout.beyond.append(Page(page.labels, [_cells_at(row, at) for row in rows]))
        page.rows = [_cells_except(row, at) if len(row.cells) - 1 == width else row for row in page.rows]


def _cells_at(row: t.Row, at: list[int]) -> t.Row:
    return evolve(row, cells=tuple(row.cells[n] for n in at))


def _cells_except(row: t.Row, at: list[int]) -> t.Row:
    return evolve(row, cells=tuple(cell for n, cell in enumerate(row.cells) if n not in at))


def _restore_cells(layout: ChartLayout) -> None:
    """Replace illegible cells by the values of their errata."""
    for erratum in layout.errata:
        inside = any(what == "inside" for what, _ in erratum.place.rest)
        if erratum.condition is not None or inside:
            continue
        labels = [code.text for what, code in erratum.place.rest if what == "page"]
        for page in layout.tables:
            if not labels or [label.text for label in page.labels] == labels:
                _restore_cell(layout, page, erratum)


def _restore_cell(layout: ChartLayout, page: Page, erratum: t.Erratum) -> None:
    header, rows = (page.rows[0], page.rows[1:]) if page.rows else (None, [])
    column = None if header is None else index_of(erratum.place.column.text, [cell.text for cell in header.cells[1:]])
    row = index_of(erratum.place.row.text, [line.cells[0].text for line in rows])
    if column is None or row is None:
        return
    line = page.rows[row + 1]
    if column + 1 < len(line.cells) and line.cells[column + 1].text == UNREADABLE:
        cell = t.Code(erratum.reads.text, line.cells[column + 1].span)
        layout.restored.append(cell)
        page.rows[row + 1] = evolve(line, cells=(*line.cells[: column + 1], cell, *line.cells[column + 2 :]))


def _add_axis(layout: ChartLayout, line: t.AxisLine, twice: Callable[[str, Span], None]) -> None:
    value = line.axis.value
    if line.way == "pages":
        layout.pages.append(line)
    elif line.way == "inside" and line.axis.parts and isinstance(value, t.Name):
        if layout.parts:
            twice(line.way, line.span)
        layout.parts = [t.Ident(value.name, value.span), *line.axis.parts]
    elif line.way in layout.axes:
        twice(line.way, line.span)
    else:
        layout.axes[line.way] = line
