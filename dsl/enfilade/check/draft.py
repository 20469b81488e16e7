"""The lines of a chart sorted by what they say, before anything is made of them."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from enfilade.source.text import Span
from enfilade.syntax import tree as t


@define
class Page:
    """The rows of one page as printed: the first is the header."""

    labels: tuple[t.Code, ...]
    rows: list[t.Row] = field(factory=list)

    @property
    def width(self) -> int:
        """How many columns the header has."""
        return len(self.rows[0].cells) - 1 if self.rows else 0


@define
class Draft:
    """What the lines of a chart say; ``lacks_rows`` is noted when the rows are held against the dice."""

    axes: dict[str, t.AxisLine] = field(factory=dict)
    pages: list[t.AxisLine] = field(factory=list)
    kind: str = "codes"
    order: t.SeverityOrder | None = None
    rules: list[t.SeverityRule] = field(factory=list)
    edges: list[t.Edge] = field(factory=list)
    headers: list[t.HeaderLine] = field(factory=list)
    errata: list[t.Erratum] = field(factory=list)
    tables: list[Page] = field(factory=list)
    lacks_rows: bool = False

    @property
    def width(self) -> int:
        """How many columns the chart has."""
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
    def is_ragged(self) -> bool:
        """Whether some row is shorter or longer than the header."""
        return any(len(row.cells) - 1 != self.width for page in self.tables for row in page.rows)

    @property
    def has_wrong_header(self) -> bool:
        """Whether all rows agree with one another, and the header does not."""
        widths = {len(row.cells) - 1 for row in self.tables[0].rows[1:]}
        return len(widths) == 1 and len(self.tables[0].rows) > 2 and self.width not in widths

    def pieces(self, text: str) -> list[str]:
        """The values in one cell."""
        return text.replace("/", " ").split() if "inside" in self.axes else [text]


def draft_of(tree: t.Chart, twice: Callable[[str, Span], None]) -> Draft:
    """Sort the lines of a chart.

    Args:
        tree: The chart.
        twice: Called with a keyword and a place where a line stands twice of which one can be.
    """
    draft = Draft()
    kinds: list[t.CellsLine] = []
    for item in tree.items:
        match item.line:
            case t.AxisLine():
                _take_axis(draft, item.line, twice)
            case t.CellsLine():
                kinds.append(item.line)
            case t.SeverityOrder():
                if draft.order is not None:
                    twice("severity", item.line.span)
                draft.order = item.line
            case t.SeverityRule():
                draft.rules.append(item.line)
            case t.Edge():
                draft.edges.append(item.line)
            case t.HeaderLine():
                draft.headers.append(item.line)
            case t.Erratum():
                draft.errata.append(item.line)
            case t.PageLine():
                draft.tables.append(Page(item.line.labels))
        if item.rows:
            if not draft.tables:
                draft.tables.append(Page(()))
            draft.tables[-1].rows += item.rows
    for line in kinds[:1]:
        draft.kind = line.kind
    for line in kinds[1:]:
        twice("cells", line.span)
    return draft


def _take_axis(draft: Draft, line: t.AxisLine, twice: Callable[[str, Span], None]) -> None:
    if line.way == "pages":
        draft.pages.append(line)
    elif line.way in draft.axes:
        twice(line.way, line.span)
    else:
        draft.axes[line.way] = line
