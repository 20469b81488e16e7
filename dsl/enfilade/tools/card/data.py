"""Data model of a reference card: sections with tables, blocks of lines, and numbered footnotes, all as plain text."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field, frozen

from enfilade.core import ir


@frozen
class Line:
    """One line of text.

    Attributes:
        text: The text.
        lead: A prefix: an amount, a code or an edge.
        more: A suffix in smaller print, such as a condition.
        cites: Its citations.
        marks: The numbers of its footnotes.
        depth: Its level of indentation.
        is_group: Whether it is the heading of the deeper lines below it.
    """

    text: str
    lead: str = ""
    more: str = ""
    cites: tuple[str, ...] = ()
    marks: tuple[int, ...] = ()
    depth: int = 0
    is_group: bool = False


@frozen
class Block:
    """Lines under a title.

    Attributes:
        kind: reading, modifiers, results, charts, options, definitions or procedure.
        name: The declaration that it shows; empty if there is no single one.
        title: Its title.
        lines: Its lines.
    """

    kind: str
    name: str
    title: Line
    lines: tuple[Line, ...]


@frozen
class Cell:
    """A cell of a table.

    Attributes:
        values: The printed value or values.
        kind: ``surplus`` (never looked up), ``restored`` (illegible, restored by the author), ``erratum``,
            ``nothing`` (no column starts here), ``beside`` (printed next to the bands), or empty.
        cites: Its citations.
        marks: The numbers of its footnotes.
    """

    values: tuple[str, ...]
    kind: str = ""
    cites: tuple[str, ...] = ()
    marks: tuple[int, ...] = ()


@frozen
class Table:
    """A table.

    Attributes:
        name: The chart, or the header rows.
        title: The title above the table.
        when: If another chart selects this one: the conditions in words.
        headers: The rows of bands above the column labels; the first cell is the condition.
        head: The corner and the column labels.
        pages: For each page its label (empty for a single page) and its rows; the first cell is the row's label.
        notes: The notes below the table: errata and surplus columns.
    """

    name: str
    title: Line
    when: tuple[str, ...]
    headers: tuple[tuple[Cell, ...], ...]
    head: tuple[Cell, ...]
    pages: tuple[tuple[str, tuple[tuple[Cell, ...], ...]], ...]
    notes: tuple[Line, ...] = ()

    @property
    def width(self) -> int:
        """The approximate width in letters."""
        rows = [*self.headers, self.head, *(row for _, page in self.pages for row in page)]
        columns = zip(*rows, strict=False)
        return sum(3 + max(sum(len(value) + 1 for value in cell.values) for cell in column) for column in columns)


@frozen
class Section:
    """A chart, or a family of charts that differ only in title and cells.

    Attributes:
        title: The title of the family, if it has one.
        shared: The header rows that its charts share.
        tables: Its charts.
        blocks: Lookup rules, modifiers and results of the charts.
    """

    title: Line | None
    shared: Table | None
    tables: tuple[Table, ...]
    blocks: tuple[Block, ...]


@frozen
class Footnote:
    """An assumption.

    Attributes:
        number: Its number.
        text: Its reason.
        about: What it is about, if no line of the card refers to it: the label of its line.
        cites: The citations of that line.
        is_marked: Whether a line of the card refers to it.
    """

    number: int
    text: str
    about: str = ""
    cites: tuple[str, ...] = ()
    is_marked: bool = True

    @property
    def sign(self) -> str:
        """The mark of the footnote in the text."""
        return mark_sign(self.number)


def mark_sign(number: int) -> str:
    """The mark of a footnote. It has a letter, because a bare number could be read as part of a code.

    Examples:
        >>> mark_sign(3)
        'A3'
    """
    return f"A{number}"


@frozen
class Card:
    """A reference card.

    Attributes:
        name: The ruleset.
        title: Its title.
        documents: The publications that the rules come from.
        sections: Its charts.
        blocks: The blocks that belong to no single section.
        legend: The meaning of the signs that occur on it.
        footnotes: Its assumptions.
    """

    name: str
    title: Line
    documents: tuple[Line, ...]
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    legend: tuple[Line, ...]
    footnotes: tuple[Footnote, ...]


@define
class Footnotes:
    """Numbers assumptions in the order of first use; equal reasons share a number."""

    numbers: dict[str, int] = field(factory=dict)

    def marks(self, *notes: ir.Note) -> tuple[int, ...]:
        """The numbers of the assumptions in some notes."""
        reasons = dict.fromkeys(note.assumed for note in notes if note.assumed)
        return tuple(self.numbers.setdefault(reason, len(self.numbers) + 1) for reason in reasons)

    def all(self, others: Iterable[ir.Note] = ()) -> tuple[Footnote, ...]:
        """The footnotes so far, then those of notes that no line of the card refers to."""
        marked = [Footnote(number, reason) for reason, number in self.numbers.items()]
        rest = {note.assumed: note for note in others if note.assumed and note.assumed not in self.numbers}
        more = [
            Footnote(number, reason, note.label or "", note.cites, is_marked=False)
            for number, (reason, note) in enumerate(rest.items(), len(marked) + 1)
        ]
        return (*marked, *more)
