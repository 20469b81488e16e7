"""The events of a run, sent to an observer. An explanation comes from the same run, with an observer attached."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from enfilade.core.ir import Note
from enfilade.node import node
from enfilade.values.data import Performed, Reading, Ref, Roll, Tally


@node
class FactUsed:
    """A fact was read for the first time; ``given`` is false for a default."""

    name: str
    value: Any
    given: bool
    note: Note


@node
class Rolled:
    """Dice were rolled."""

    name: str
    roll: Roll
    player: str | None
    note: Note


@node
class Drew:
    """Cards were drawn."""

    name: str
    deck: str
    cards: tuple[Any, ...]
    note: Note


@node
class Chose:
    """A player chose; ``forced`` if there was only one option."""

    name: str
    player: str
    options: tuple[Any, ...]
    chosen: tuple[Any, ...]
    forced: bool
    note: Note


@node
class Computed:
    """A local got a value."""

    name: str
    value: Any
    note: Note


@node
class Defined:
    """A definition was evaluated; ``line`` is the note of the line whose value was used."""

    name: str
    value: Any
    note: Note
    line: Note


@node
class ModifierLine:
    """One modifier of a block: its amount if it applied, otherwise the reason."""

    name: str
    amount: Any
    applied: bool
    because: str | None
    note: Note


@node
class Tallied:
    """A block of modifiers was added up."""

    block: str
    tally: Tally
    reader: Ref | None
    lines: tuple[ModifierLine, ...]
    note: Note
    args: tuple[tuple[str, Any], ...] = ()


@node
class Place:
    """The position of a chart lookup, as indices from 0; ``None`` for axes that the chart does not have.

    Attributes:
        page: The page.
        row: The row.
        column: The column.
        inside: The value inside the cell.
        header: The header row in force.
        edges: The edges that the lookup passed, each with the index of the action taken.
    """

    page: int
    row: int | None
    column: int | None
    inside: int | None
    header: int | None
    edges: tuple[tuple[str, int], ...]


@node
class ReadChart:
    """A chart was read.

    Attributes:
        reading: The result of the lookup.
        note: The note of the chart.
        notes: The notes of its axes, and of the edges and errata used.
        column_value: The value that found the column; ``None`` if there are no columns.
        place: The position on the chart.
        in_row: The number that was found in the row, modifiers included, if the chart is searched along its rows.
        args: The parameters of the chart, with their values.
    """

    reading: Reading
    note: Note
    notes: tuple[Note, ...]
    column_value: Any
    place: Place
    in_row: Any = None
    args: tuple[tuple[str, Any], ...] = ()


@node
class ResultApplied:
    """The results of a code are about to be applied."""

    chart: str
    code: Any
    readers: tuple[Ref, ...]
    note: Note


@node
class Did:
    """An effect was performed."""

    effect: Performed
    note: Note


@node
class Changed:
    """A field of a record changed."""

    ref: Ref
    field: str
    before: Any
    after: Any
    note: Note


@node
class Called:
    """A procedure call starts."""

    procedure: str
    facts: Mapping[str, Any]
    note: Note


@node
class Returned:
    """A procedure call ended or was refused."""

    procedure: str


@node
class Gave:
    """An output was set."""

    name: str
    value: Any
    note: Note


@node
class WasRefused:
    """The rules refuse."""

    slug: str
    note: Note


Event: TypeAlias = (
    FactUsed | Rolled | Drew | Chose | Computed | Defined | Tallied | ReadChart | ResultApplied | Did | Changed | Called | Returned | Gave
    | WasRefused
)  # fmt: skip
Observer: TypeAlias = Callable[[Event], None]
