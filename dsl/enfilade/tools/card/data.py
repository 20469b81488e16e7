"""What a reference card holds: sections with tables, blocks of lines, and numbered footnotes. All of it is plain text."""

from __future__ import annotations

from attrs import define, field, frozen

from enfilade.core import ir


@frozen
class Line:
    """One line of text.

    Attributes:
        text: What it says.
        lead: What stands before it: an amount, a code, an edge.
        more: What stands behind it in smaller print, such as a condition.
        cites: Its citations.
        marks: The numbers of its footnotes.
        depth: How far it is indented.
        is_group: Whether it heads the deeper lines below it.
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
        kind: reading, modifiers, results, charts, options, definitions, procedure or assumed.
        name: The declaration that it shows, where it is one.
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
        values: What is printed in it: several values, or one.
        kind: ``surplus`` (never looked up), ``restored`` (can't be read, given as ruled), ``erratum``, ``nothing``
            (no column starts here), ``beside`` (stands beside the bands), or empty.
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
        title: What is printed above it.
        when: Where another chart chooses this one: when it does.
        headers: The rows of bands above the column labels; the first cell says when they hold.
        head: The corner and the column labels.
        pages: For each page its label, empty where there is one only, and its rows; the first cell is the row's label.
        notes: What is said below it: errata, surplus columns.
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
        """About how many letters wide it is."""
        rows = [*self.headers, self.head, *(row for _, page in self.pages for row in page)]
        columns = zip(*rows, strict=False)
        return sum(3 + max(sum(len(value) + 1 for value in cell.values) for cell in column) for column in columns)


@frozen
class Section:
    """A chart, or a family of charts that are read in the same way.

    Attributes:
        title: The title of the family, if it has one.
        shared: The header rows that its charts share.
        tables: Its charts.
        blocks: How they are read, what is added to them, and what their codes mean.
    """

    title: Line | None
    shared: Table | None
    tables: tuple[Table, ...]
    blocks: tuple[Block, ...]


@frozen
class Footnote:
    """An assumption: its number and its reason."""

    number: int
    text: str

    @property
    def sign(self) -> str:
        """What stands where it counts: a bare number would be read as part of a code."""
        return mark_sign(self.number)


def mark_sign(number: int) -> str:
    """What stands beside a line that rests on an assumption.

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
        documents: What it was made from.
        sections: Its charts.
        blocks: What belongs to no single section.
        legend: What its signs mean, those that it has.
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
    """Numbers assumptions in the order in which the card comes to them; one reason has one number."""

    numbers: dict[str, int] = field(factory=dict)

    def marks(self, *notes: ir.Note) -> tuple[int, ...]:
        """The numbers of what some lines assume."""
        reasons = dict.fromkeys(note.assumed for note in notes if note.assumed)
        return tuple(self.numbers.setdefault(reason, len(self.numbers) + 1) for reason in reasons)

    def all(self) -> tuple[Footnote, ...]:
        """The footnotes so far."""
        return tuple(Footnote(number, reason) for reason, number in self.numbers.items())
