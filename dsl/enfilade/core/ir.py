"""The nodes of the core: what a checked ruleset is made of.

An intermediate representation (IR): names are resolved, types agree, bare words are constants, and syntactic sugar
is gone. The docstring of each node shows the source it stands for.

``span`` is the place in the source, for explanations. ``type`` is the type that the checker inferred for an
expression. Neither takes part in equality or hashing. A type is as wide as the declarations are: an argument of a
definition, a chart or a called procedure may lie outside the range of its parameter, and so may a number that the
parameter flows into. Engines that need a range may rely on it only where the run tests it. Nodes that an engine makes
for itself have the type ``Unknown``, unless it gives one.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from attrs import Factory, field

from enfilade.core.types import Bool, Type, Unknown
from enfilade.core.values import type_of
from enfilade.node import node
from enfilade.source.text import Span

_place: Any = field(default=None, eq=False, repr=False)
_unknown: Any = field(default=Unknown(), eq=False, repr=False)
_yes_no: Any = field(default=Bool(), eq=False, repr=False)
_of_value: Any = field(default=Factory(lambda const: type_of(const.value), takes_self=True), eq=False, repr=False)


@node
class Note:
    """What a line says about itself: label, citations, the reason of an assumption, and its place."""

    label: str | None = None
    cites: tuple[str, ...] = ()
    assumed: str | None = None
    span: Span | None = field(default=None, eq=False, repr=False)


NO_NOTE = Note()

# ------------------------------------------------------------------------------------------------- expressions


@node
class Const:
    """``3``, ``gun``, ``yes``, ``none``."""

    value: Any
    span: Span | None = _place
    type: Type = _of_value


@node
class Fact:
    """A fact; demanded here if it was not given."""

    name: str
    span: Span | None = _place
    type: Type = _unknown


@node
class Local:
    """A roll, a let, a parameter, the element of a list at hand."""

    name: str
    span: Span | None = _place
    type: Type = _unknown


@node
class Option:
    """``option fog``."""

    name: str
    span: Span | None = _place
    type: Type = _unknown


@node
class Field:
    """``unit.steps``: read from the state."""

    of: Expr
    name: str
    span: Span | None = _place
    type: Type = _unknown


@node
class Part:
    """``fire_roll.total``, ``shot.column``: a part of a value that is no record."""

    of: Expr
    name: str
    span: Span | None = _place
    type: Type = _unknown


@node
class Op:
    """An operator on values, by its name in ``operators.OPERATORS``."""

    name: str
    args: tuple[Expr, ...]
    span: Span | None = _place
    type: Type = _unknown


@node
class All:
    """``a and b``: stops at the first that does not hold."""

    items: tuple[Expr, ...]
    span: Span | None = _place
    type: Type = _yes_no


@node
class Any_:
    """``a or b``: stops at the first that holds."""

    items: tuple[Expr, ...]
    span: Span | None = _place
    type: Type = _yes_no


@node
class Not:
    """``not a``."""

    of: Expr
    span: Span | None = _place
    type: Type = _yes_no


@node
class If:
    """``a when c otherwise b``."""

    condition: Expr
    value: Expr
    otherwise: Expr
    span: Span | None = _place
    type: Type = _unknown


@node
class Items:
    """``[a, b]``."""

    items: tuple[Expr, ...]
    span: Span | None = _place
    type: Type = _unknown


@node
class Over:
    """Something done for each element of a list, the element being local *var*.

    ``how`` is filter, list, count, sum, highest, lowest, any, all or none. ``where`` leaves elements out first.
    ``default`` is what the highest or lowest of nothing is, where the rules say so.
    """

    how: str
    var: str
    over: Expr
    body: Expr
    where: Expr | None = None
    default: Expr | None = None
    span: Span | None = _place
    type: Type = _unknown


@node
class MapOver:
    """``map of unit to steps over units``."""

    var: str
    over: Expr
    key: Expr
    value: Expr
    where: Expr | None = None
    span: Span | None = _place
    type: Type = _unknown


@node
class Sort:
    """A list in order of *key*; equal elements keep their order. ``take`` keeps that many from the front."""

    var: str
    over: Expr
    key: Expr
    descending: bool
    take: Expr | None = None
    span: Span | None = _place
    type: Type = _unknown


@node
class Define:
    """A definition with its arguments."""

    name: str
    args: tuple[Expr, ...]
    span: Span | None = _place
    type: Type = _unknown


@node
class SumModifiers:
    """What a block of modifiers comes to, for a reader or for none."""

    block: str
    args: tuple[Expr, ...]
    reader: Expr | None = None
    span: Span | None = _place
    type: Type = _unknown


@node
class Look:
    """A chart read: with its arguments, a roll where it has dice, and a reader."""

    chart: str
    args: tuple[Expr, ...]
    roll: Expr | None = None
    reader: Expr | None = None
    span: Span | None = _place
    type: Type = _unknown


@node
class LookIn:
    """A chart read that a cell of another chart names."""

    chart: Expr
    roll: Expr | None = None
    reader: Expr | None = None
    span: Span | None = _place
    type: Type = _unknown


@node
class EffectsSoFar:
    """``effects step_loss``."""

    effect: str
    span: Span | None = _place
    type: Type = _unknown


@node
class CardsLeft:
    """``cards left in chits``."""

    deck: str
    span: Span | None = _place
    type: Type = _unknown


Expr: TypeAlias = (
    Const
    | Fact
    | Local
    | Option
    | Field
    | Part
    | Op
    | All
    | Any_
    | Not
    | If
    | Items
    | Over
    | MapOver
    | Sort
    | Define
    | SumModifiers
    | Look
    | LookIn
    | EffectsSoFar
    | CardsLeft
)

# ------------------------------------------------------------------------------------------------ declarations


@node
class Input:
    """A fact, or a field of a record."""

    name: str
    type: Type
    has_default: bool
    default: Any
    note: Note


@node
class RecordDecl:
    """A record and its fields."""

    name: str
    fields: Mapping[str, Input]
    note: Note


@node
class OptionDecl:
    """An option of the ruleset."""

    name: str
    type: Type
    default: Any
    note: Note


@node
class Definition:
    """``define``: its parameters are locals of those names.

    ``body`` is what it means: by cases, an ``If`` for each line but the last. ``cases`` is what each line says of itself.
    """

    name: str
    params: tuple[str, ...]
    body: Expr
    type: Type
    note: Note
    cases: tuple[Note, ...] = ()


@node
class Face:
    """One side of a die, or one card: as printed, and what it counts."""

    printed: Any
    value: Any


@node
class Die:
    """A die. ``count`` faces in all when they are 1 to *count*: those of ``d6`` are not listed."""

    name: str
    count: int
    faces: tuple[Face, ...] | None
    note: Note = NO_NOTE

    def face(self, printed: Any) -> Face | None:
        """The side that shows *printed*, or ``None`` where the die has no such side."""
        if self.faces is None:
            whole = type(printed) is int and 1 <= printed <= self.count
            return Face(printed, printed) if whole else None
        return next(
            (face for face in self.faces if face.printed == printed and type(face.printed) is type(printed)), None
        )

    def face_at(self, index: int) -> Face:
        """The side of that index, from 0."""
        return Face(index + 1, index + 1) if self.faces is None else self.faces[index]


@node
class Deck:
    """Cards drawn without replacement."""

    name: str
    cards: tuple[Any, ...]
    note: Note


# ------------------------------------------------------------------------------------------------------ charts


@node
class Band:
    """Numbers from *low* to *high*, both included; no bound is ``None``."""

    low: int | Fraction | None
    high: int | Fraction | None


@node
class Match:
    """What a label stands for: numbers in any of some bands, or any of some words."""

    bands: tuple[Band, ...] = ()
    words: tuple[str, ...] = ()


@node
class Header:
    """One row of labels, in force when its condition holds; ``None`` is a column in which nothing starts.

    ``printed`` is what stands on the page, where it is not the header of the chart itself.
    """

    matches: tuple[Match | None, ...]
    condition: Expr | None = None
    note: Note = NO_NOTE
    printed: tuple[str | None, ...] = ()


@node
class Axis:
    """One way through a chart.

    ``mode`` is contains, below, above or nearest. ``value`` is ``None`` where dice find the place.
    """

    value: Expr | None
    mode: str
    labels: tuple[str, ...]
    headers: tuple[Header, ...]
    note: Note = NO_NOTE


@node
class EdgeAction:
    """``stays``, ``gives -`` or ``refuse slug``, with its condition."""

    act: str
    value: Any
    condition: Expr | None = None


@node
class Edge:
    """What happens off one edge; the last action whose condition holds counts, the first has none."""

    name: str
    actions: tuple[EdgeAction, ...]
    note: Note


@node
class Erratum:
    """A cell that reads otherwise than printed; ``inside`` is ``None`` where the whole cell is meant."""

    page: int
    row: int
    column: int
    inside: int | None
    value: Any
    condition: Expr | None
    note: Note


@node
class Chart:
    """A chart.

    ``cells[page][row][column]`` is a value, or a tuple of values where there is an inside axis. ``pages`` are the axes
    that choose the page, and ``page_index`` finds it from their labels' indices. With ``find``, ``finders[page][row]``
    holds for each column what it matches, and the column's label is the result. ``corner`` and ``columns`` are the
    header as printed. ``restored`` are the cells (page, row, column) that can't be read and are given as ruled.
    """

    name: str
    params: tuple[str, ...]
    pages: tuple[Axis, ...]
    page_index: Mapping[tuple[int, ...], int]
    down: Axis
    across: Axis | None
    inside: Axis | None
    find: Axis | None
    finders: tuple[tuple[tuple[Match | None, ...], ...], ...]
    cells: tuple[tuple[tuple[Any, ...], ...], ...]
    printed: tuple[tuple[tuple[str, ...], ...], ...]
    cell_kind: str
    code_type: Type
    severity: tuple[str, ...]
    severity_rules: tuple[tuple[str, str, str | None], ...]
    edges: Mapping[str, Edge]
    errata: tuple[Erratum, ...]
    shifts: tuple[str, ...]
    roll_modifiers: tuple[str, ...]
    corner: str
    dice: tuple[DiceGroup, ...]
    note: Note
    columns: tuple[str, ...] = ()
    restored: frozenset[tuple[int, int, int]] = frozenset()
    surplus: tuple[Surplus, ...] = ()


@node
class Surplus:
    """The columns of one page that are printed and never looked up: their labels, the cells of each row, and why."""

    labels: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    note: Note


@node
class HeaderLine:
    """A row of bands under a condition, and what is printed beside it; ``None`` is a column where nothing starts."""

    bands: tuple[str | None, ...]
    condition: Expr | None
    beside: tuple[str, ...]
    surplus: tuple[str, ...]
    note: Note


@node
class Columns:
    """Header rows that charts share, for print: what they mean stands in each chart, and where they are used.

    ``beside`` has a name and a note for each value beside the bands; ``surplus`` are the columns never looked up.
    """

    name: str
    labels: tuple[str, ...]
    lines: tuple[HeaderLine, ...]
    beside: tuple[tuple[str, Note], ...]
    surplus: tuple[str, ...]
    surplus_note: Note
    note: Note


# --------------------------------------------------------------------------------------------------- modifiers


@node
class But:
    """``but -1 when ...``; no amount is ``but not when``."""

    amount: Expr | None
    condition: Expr
    note: Note


@node
class Modifier:
    """``-2 entrenched entrenched``."""

    name: str
    amount: Expr
    condition: Expr
    buts: tuple[But, ...]
    note: Note


@node
class Section:
    """``never together``, ``only one``, ``for each``, ``when``; for each reads fields of local ``reader``."""

    kind: str
    which: str | None
    record: str | None
    condition: Expr | None
    items: tuple[ModItem, ...]
    note: Note


@node
class Net:
    """``net at most 2``."""

    way: str
    amount: Expr
    note: Note


ModItem: TypeAlias = Modifier | Section | Net


@node
class ModBlock:
    """A block of modifiers. ``purpose`` is shift, roll or sum; ``rule`` cumulative, first, highest or lowest."""

    name: str
    params: tuple[str, ...]
    purpose: str
    charts: tuple[str, ...]
    rule: str
    items: tuple[ModItem, ...]
    type: Type
    note: Note


# -------------------------------------------------------------------------------------------------- statements


@node
class DiceGroup:
    """``2d6``: how many of which die."""

    count: Expr
    die: str


@node
class RollRule:
    """``explode on 6``, ``reroll 1 once``: the test is of local *var*; no times is without bound."""

    act: str
    var: str
    test: Expr
    times: int | None


@node
class Refuse:
    """``refuse slug "why" when c``."""

    slug: str
    condition: Expr
    note: Note


@node
class RollDice:
    """``roll 2d6 as fire_roll``."""

    local: str
    name: str
    groups: tuple[DiceGroup, ...]
    rules: tuple[RollRule, ...]
    player: str | None
    note: Note


@node
class DrawCards:
    """``draw 2 from chits as hand``."""

    local: str
    name: str
    deck: str
    count: Expr
    player: str | None
    note: Note


@node
class Reshuffle:
    """``reshuffle chits``."""

    deck: str
    note: Note


@node
class SetLocal:
    """``let x = e`` and ``x becomes e``; a read is one too."""

    local: str
    name: str
    value: Expr
    note: Note


@node
class SetField:
    """``unit.steps becomes e``."""

    of: Expr
    record: str
    field: str
    value: Expr
    note: Note


@node
class Perform:
    """``step_loss on gun with amount 1``."""

    effect: str
    args: tuple[tuple[str, Expr], ...]
    note: Note


@node
class Choose:
    """A choice by a player among the elements of a list; ``count`` is how many, ``None`` for one that stands alone.

    Where nothing can be chosen the local becomes ``none`` if ``if_any``, else it is an error.
    """

    local: str
    name: str
    player: str
    among: Expr
    count: Expr | None
    if_any: bool
    note: Note


@node
class Branch:
    """``when c`` ... ``otherwise``."""

    condition: Expr
    body: Body
    otherwise: Body
    note: Note = NO_NOTE


@node
class Loop:
    """``for each x in list``."""

    local: str
    over: Expr
    body: Body
    note: Note = NO_NOTE


@node
class Repeat:
    """``repeat until c`` (tested after each round) or ``repeat n times``; at most *limit* rounds."""

    local: str
    until: Expr | None
    times: Expr | None
    limit: int | None
    body: Body
    note: Note = NO_NOTE


@node
class Together:
    """Each part starts from the same state; what they change is joined."""

    parts: tuple[Body, ...]
    note: Note = NO_NOTE


@node
class Stop:
    """The procedure ends."""

    note: Note


@node
class CallProcedure:
    """``call volley with lives 3 as shot``; its outputs become a local."""

    procedure: str
    args: tuple[tuple[str, Expr], ...]
    local: str | None
    if_refused: Body | None
    note: Note


@node
class Give:
    """``give column = shot.column``."""

    name: str
    value: Expr
    note: Note


@node
class ApplyResults:
    """``apply shots``: the results of the chart, for what each reader read.

    ``readers`` is given where one reading is applied to several.
    """

    chart: str
    reading: Expr
    readers: Expr | None
    note: Note


Statement: TypeAlias = (
    Refuse
    | RollDice
    | DrawCards
    | Reshuffle
    | SetLocal
    | SetField
    | Perform
    | Choose
    | Branch
    | Loop
    | Repeat
    | Together
    | Stop
    | CallProcedure
    | Give
    | ApplyResults
)
Body: TypeAlias = tuple[Statement, ...]


@node
class Effect:
    """An effect: its parameters are locals of those names; without a body it is only reported."""

    name: str
    params: tuple[Input, ...]
    body: Body
    note: Note


@node
class Pattern:
    """A result code with ``#`` for its numbers: ``M#``. ``bare`` is a code that stands for ``bare_is``."""

    text: str
    bare: str | None = None
    bare_is: str | None = None


@node
class ResultLine:
    """What is done: for each reader (local ``reader``), once with all (local ``readers``), or plainly."""

    how: str
    where: Expr | None
    body: Body


@node
class Entry:
    """The lines of one pattern; ``then`` goes on with codes that an entry above it has."""

    pattern: Pattern
    then: bool
    lines: tuple[ResultLine, ...]
    note: Note


@node
class Results:
    """The results of a chart, for readers of one kind of record or for none."""

    chart: str
    record: str | None
    entries: tuple[Entry, ...]
    note: Note


@node
class Procedure:
    """A procedure. ``inputs`` are the facts that it can use, its own included, in the order of declaration."""

    name: str
    facts: Mapping[str, Input]
    inputs: tuple[str, ...]
    body: Body
    outputs: Mapping[str, Type]
    note: Note


@node
class Unless:
    """``unless reacted already_reacted "once a turn"``."""

    condition: Expr
    slug: str
    note: Note


@node
class Start:
    """``start reaction_fire with distance 1``."""

    procedure: str
    args: tuple[tuple[str, Expr], ...]
    note: Note


@node
class Reaction:
    """What an event starts, unless something stands against it."""

    event: str
    lines: tuple[Unless | Start, ...]
    inputs: tuple[str, ...]
    note: Note


@node
class Example:
    """An example: what is given, what is rolled and chosen, and what must come of it."""

    procedure: str
    label: str
    facts: Mapping[str, Any]
    options: Mapping[str, Any]
    faces: tuple[Any, ...]
    choices: tuple[Any, ...]
    gives: str | None
    effects: tuple[tuple[str, Mapping[str, Any]], ...]
    no_effects: bool
    expect: tuple[Expr, ...]
    refused: str | None
    input_error: str | None
    chances: tuple[tuple[Expr, Fraction], ...]
    starts: tuple[tuple[str, str | None], ...]
    note: Note
    origin: str


@node
class Program:
    """A whole checked ruleset: what every engine runs. ``documents`` is what it was made from, as ``source`` says.

    ``analyses`` are results that depend on the program alone, kept by :func:`enfilade.core.graph.analysis`.
    """

    name: str
    note: Note
    players: tuple[str, ...]
    options: Mapping[str, OptionDecl]
    facts: Mapping[str, Input]
    records: Mapping[str, RecordDecl]
    definitions: Mapping[str, Definition]
    dice: Mapping[str, Die]
    decks: Mapping[str, Deck]
    charts: Mapping[str, Chart]
    columns: Mapping[str, Columns]
    modifiers: Mapping[str, ModBlock]
    effects: Mapping[str, Effect]
    results: Mapping[str, Results]
    procedures: Mapping[str, Procedure]
    events: Mapping[str, Note]
    reactions: tuple[Reaction, ...]
    examples: tuple[Example, ...]
    sources: tuple[str, ...]
    documents: tuple[Note, ...] = ()
    analyses: dict[Any, Any] = field(factory=dict, init=False, eq=False, repr=False)
