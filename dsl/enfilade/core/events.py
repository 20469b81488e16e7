"""What happens in a run, told to an observer. Explaining is the same run with somebody listening."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from enfilade.core.ir import Note
from enfilade.core.values import Performed, Reading, Ref, Roll, Tally
from enfilade.node import node


@node
class FactUsed:
    """A fact was looked at for the first time; ``given`` is false for a default."""

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
    """A player chose; ``forced`` where there was one option only."""

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
    """A definition was used: which of its lines counted, by that line's own note."""

    name: str
    value: Any
    note: Note
    line: Note


@node
class ModifierLine:
    """One modifier of a block: its amount if it counted, and if not, why not."""

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


@node
class Place:
    """Where on a chart something was read, each counted from 0; ``None`` where the chart has no such thing.

    Attributes:
        page: The page.
        row: The row.
        column: The column.
        inside: The value inside the cell.
        header: The row of labels in force.
        edges: The edges that were met, each with the number of its action that counted.
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
        reading: What was read.
        note: That of the chart.
        notes: Those of its axes, and of the edges and errata that decided something.
        column_value: What found the column; ``None`` where there are no columns.
        place: Where it was read.
    """

    reading: Reading
    note: Note
    notes: tuple[Note, ...]
    column_value: Any
    place: Place


@node
class ResultApplied:
    """The results of a code begin."""

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
    """A procedure begins."""

    procedure: str
    facts: Mapping[str, Any]
    note: Note


@node
class Returned:
    """A procedure that was called has ended, or was refused."""

    procedure: str


@node
class Gave:
    """An output was given."""

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
