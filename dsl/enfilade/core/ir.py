"""The intermediate representation (IR): the nodes of a checked ruleset.

Names are resolved, types agree, bare words are constants, and syntactic sugar is gone. The docstring of each node shows
the source it is lowered from.

``span`` is the place in the source, for explanations. ``type`` is the type that the checker inferred for an
expression. Neither takes part in equality or hashing. The ranges of
numbers are declared ranges: an argument of a definition, a chart or a called procedure may lie outside the range of
its parameter, and so may a number computed from it. Engines may rely on a range only if the run tests it. A node that
an engine makes has the type ``Unknown``, unless the engine gives one.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, TypeAlias

from attrs import Factory, field

from enfilade.node import node
from enfilade.source.text import Span
from enfilade.values.types import Bool, Type, Unknown, type_of

_place: Any = field(default=None, eq=False, repr=False)
_unknown: Any = field(default=Unknown(), eq=False, repr=False)
_yes_no: Any = field(default=Bool(), eq=False, repr=False)
_of_value: Any = field(default=Factory(lambda const: type_of(const.value), takes_self=True), eq=False, repr=False)


@node
class Note:
    """The end of a line: label, citations, the reason for an assumption; and the place of the line."""

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
    """A fact; a run requests it here if the caller did not give it."""

    name: str
    span: Span | None = _place
    type: Type = _unknown


@node
class Local:
    """A local: a roll, a ``let``, a parameter, the element of an enclosing list expression."""

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
    """``fire_roll.total``, ``shot.column``: a part of a value that is not a record."""

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
    """``a and b``: evaluation stops at the first that is false."""

    items: tuple[Expr, ...]
    span: Span | None = _place
    type: Type = _yes_no


@node
class Any_:
    """``a or b``: evaluation stops at the first that is true."""

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
    """A list comprehension, quantifier or aggregate: *body* for each element of a list, in local *var*.

    ``how`` is filter, list, count, sum, product, highest, lowest, any, all or none. Only elements for which ``where`` is true take
    part. ``default`` is the highest or lowest value of an empty list.
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
    """A list sorted by *key* (a stable sort). ``take`` keeps that many elements from the front."""

    var: str
    over: Expr
    key: Expr
    descending: bool
    take: Expr | None = None
    span: Span | None = _place
    type: Type = _unknown


@node
class Define:
    """A call of a definition."""

    name: str
    args: tuple[Expr, ...]
    span: Span | None = _place
    type: Type = _unknown


@node
class SumModifiers:
    """The sum of a block of modifiers, for a reader or for none."""

    block: str
    args: tuple[Expr, ...]
    reader: Expr | None = None
    span: Span | None = _place
    type: Type = _unknown


@node
class Look:
    """A reading of a chart: its arguments, a roll if it has dice, and a reader."""

    chart: str
    args: tuple[Expr, ...]
    roll: Expr | None = None
    reader: Expr | None = None
    span: Span | None = _place
    type: Type = _unknown


@node
class LookIn:
    """A reading of a chart that a cell of another chart names."""

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
    """``define``; its parameters are locals with those names.

    ``body`` of a definition by cases is an ``If`` for each line except the last. ``cases`` are the notes of the lines.
    """

    name: str
    params: tuple[str, ...]
    body: Expr
    type: Type
    note: Note
    cases: tuple[Note, ...] = ()


@node
class Face:
    """One face of a die, or one card: as printed, and the value it counts."""

    printed: Any
    value: Any


@node
class Die:
    """A die with ``count`` faces. ``faces`` is ``None`` if they are 1 to ``count``, as for ``d6``."""

    name: str
    count: int
    faces: tuple[Face, ...] | None
    note: Note = NO_NOTE

    def face(self, printed: Any) -> Face | None:
        """The face that shows *printed*, or ``None`` if the die has none."""
        if self.faces is None:
            whole = type(printed) is int and 1 <= printed <= self.count
            return Face(printed, printed) if whole else None
        return next(
            (face for face in self.faces if face.printed == printed and type(face.printed) is type(printed)), None
        )

    def face_at(self, index: int) -> Face:
        """The face with that index, from 0."""
        return Face(index + 1, index + 1) if self.faces is None else self.faces[index]


@node
class Deck:
    """Cards drawn without replacement. ``labels`` are the notes of cards that have one.

    ``contents`` is the definition of the cards if their numbers depend on facts; ``cards`` then has each of these once.
    """

    name: str
    cards: tuple[Any, ...]
    note: Note
    labels: Mapping[str, Note] = field(factory=dict)
    contents: str | None = None


# ------------------------------------------------------------------------------------------------------ charts


@node
class Band:
    """Numbers from *low* to *high*, both included; ``None`` is an open end."""

    low: int | Fraction | None
    high: int | Fraction | None


@node
class Match:
    """The values that a label matches: numbers in any of its bands, or any of its words."""

    bands: tuple[Band, ...] = ()
    words: tuple[str, ...] = ()


@node
class Header:
    """One header row, used if its condition is true; ``None`` is a column in which no band starts.

    ``printed`` are the printed bands of a row that is not the header of the chart itself.
    """

    matches: tuple[Match | None, ...]
    condition: Expr | None = None
    note: Note = NO_NOTE
    printed: tuple[str | None, ...] = ()


@node
class Limit:
    """A number from which on a value is off the chart, whatever the labels say: ``column 6:1 or more gives DE``.

    ``side`` is above or below. The number itself is off the chart if it is ``included``.
    """

    side: str
    at: int | Fraction
    included: bool


@node
class Axis:
    """One axis of a chart.

    ``mode`` is contains, below or above. ``value`` is ``None`` if dice are looked up, or if the value is given
    where the chart is read.

    ``notes`` are the notes on single labels, each with the index of its label.
    """

    value: Expr | None
    mode: str
    labels: tuple[str, ...]
    headers: tuple[Header, ...]
    note: Note = NO_NOTE
    limits: tuple[Limit, ...] = ()
    notes: tuple[tuple[int, Note], ...] = ()


@node
class EdgeAction:
    """``stays``, ``gives -`` or ``refuse slug``, with its condition."""

    act: str
    value: Any
    condition: Expr | None = None


@node
class Edge:
    """One edge. The last action whose condition is true applies; the first has no condition."""

    name: str
    actions: tuple[EdgeAction, ...]
    note: Note


@node
class Erratum:
    """A cell whose value differs from the printed one; ``inside`` is ``None`` for the whole cell."""

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

    If its modifiers look at the roll, its last parameter is ``roll``, the roll that it is read with.

    ``cells[page][row][column]`` is a value, or a tuple of values if there is an inside axis. ``pages`` are the axes that
    choose the page; ``page_index`` maps the indices of their labels to a page. With ``find``, ``finders[page][row]``
    has the match of each column, and the label of the matching column is the result. ``corner`` and ``columns`` are
    the header as printed. ``restored`` are the illegible cells (page, row, column) that an erratum restores.
    ``marks`` are the signs behind cells with their notes, only for printing: steps that ask for a mark contain a test.
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
    marks: tuple[tuple[str, Note], ...] = ()

    @property
    def takes_roll(self) -> bool:
        """Whether the row, or the number to find in the row, is given where the chart is read."""
        return self.down.value is None or (self.find is not None and self.find.value is None)

    @property
    def finds_roll(self) -> bool:
        """Whether the number to find in the row is rolled, or has die roll modifiers added to it."""
        if self.find is None or self.down.value is None:
            return False
        return self.find.value is None or bool(self.roll_modifiers)


@node
class Surplus:
    """The surplus columns of one page, printed and never looked up: labels, the cells of each row, and the reason."""

    labels: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    note: Note


@node
class HeaderLine:
    """One row of bands with its condition and the values beside it; ``None`` is a column in which no band starts."""

    bands: tuple[str | None, ...]
    condition: Expr | None
    beside: tuple[str, ...]
    surplus: tuple[str, ...]
    note: Note


@node
class Columns:
    """Header rows shared by charts, only for printing: charts and expressions that use them contain their lowered form.

    ``beside`` has the name and the note of each value beside the bands; ``surplus`` are the columns never looked up.
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
    """``but -1 when ...``; ``amount`` is ``None`` for ``but not when``."""

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
    """``never together``, ``only one``, ``for each`` or ``when``; the record of ``for each`` is in local ``reader``."""

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
    """A block of modifiers. ``purpose`` is shift, roll or sum; ``rule`` is cumulative, first, highest or lowest.

    The parameters of a block that belongs to charts are those parameters of the charts that it uses.
    """

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
    """``2d6``: a number of dice of one kind."""

    count: Expr
    die: str


@node
class RollRule:
    """``explode on 6``, ``reroll 1 once``. The face is in local *var*; ``times`` is ``None`` for no limit.

    With ``adds``, the value of an extra die is added to the die that exploded, so a roll keeps one value for each die.
    """

    act: str
    var: str
    test: Expr
    times: Expr | None
    adds: bool = False


@node
class Refuse:
    """``refuse slug "why" when c``."""

    slug: str
    condition: Expr
    note: Note


@node
class Must:
    """``distance must be 1 when fire_type is reaction``: an input error if *condition* is false.

    Attributes:
        condition: What must be true.
        given: The value that is wrong otherwise.
        parameter: Its name.
        allowed: What it must be, in the words of the rules.
        note: The label of the line says why.
    """

    condition: Expr
    given: Expr
    parameter: str
    allowed: str
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
    """``reshuffle chits``; with ``cards``, the deck has these cards afterwards: ``remove red from chits``."""

    deck: str
    note: Note
    cards: Expr | None = None


@node
class SetLocal:
    """``let x = e``, ``x becomes e``, and steps that read a chart.

    Without a name, explanations leave it out: the checker made it.
    """

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
class Ahead:
    """The assignment that a choice belongs to: choice *nth* (a local), what is *left* for it, and the effect on who is chosen.

    Each choice takes one, or with a *cost* (of who is chosen) as much as that from *left*, which is then a local.
    """

    nth: str
    left: Expr
    effect: str
    args: tuple[tuple[str, Expr], ...]
    cost: Expr | None = None


SELECTING: Final = ("selections", "as much as possible", "just enough")
"""The operators that give selections from a list, whose order has no meaning."""


@node
class Choose:
    """A choice by a player among the elements of a list: ``count`` elements, or a single element if it is ``None``.

    If nothing can be chosen, the local becomes ``none`` with ``if_any``; otherwise it is an error. With ``ahead``, only
    the elements with which most of the assignment can be taken are offered. *policy* is the answer of a question
    of odds; rules have none.
    """

    local: str
    name: str
    player: str
    among: Expr
    count: Expr | None
    if_any: bool
    note: Note
    ahead: Ahead | None = None
    policy: Expr | None = None

    @property
    def any_order(self) -> bool:
        """Whether the options are selections from a list, whose order has no meaning."""
        return isinstance(self.among, Op) and self.among.name in SELECTING


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
    """``repeat n times``, ``repeat until c`` (tested after each round), or whichever ends first.

    More than *limit* rounds are an error.
    """

    local: str
    until: Expr | None
    times: Expr | None
    limit: int | None
    body: Body
    note: Note = NO_NOTE


@node
class Together:
    """``together``: each part starts from the same state, and their changes are merged."""

    parts: tuple[Body, ...]
    note: Note = NO_NOTE


@node
class Stop:
    """``stop``: the procedure ends."""

    note: Note


@node
class CallProcedure:
    """``call volley with lives 3 as shot``; the outputs are in a local."""

    procedure: str
    args: tuple[tuple[str, Expr], ...]
    local: str | None
    if_refused: Body | None
    note: Note


@node
class Give:
    """``give column = shot.column``.

    Attributes:
        name: The output.
        value: Its value.
        note: Its label and citations.
        told: Whether the explanation tells it; the call has told what ``give fields of`` passes on.
    """

    name: str
    value: Expr
    note: Note
    told: bool = True


@node
class ApplyResults:
    """``apply shots``: run the results of the chart for the reading of each reader.

    ``readers`` is given if one reading is applied to several readers.
    """

    chart: str
    reading: Expr
    readers: Expr | None
    note: Note


Statement: TypeAlias = (
    Refuse
    | Must
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
    """An effect; its parameters are locals with those names. Without a body it is only reported."""

    name: str
    params: tuple[Input, ...]
    body: Body
    note: Note


@node
class Pattern:
    """A result code with ``#`` for its numbers: ``M#``. The code ``bare`` is read as ``bare_is``.

    ``also`` are further codes of the same entry, with the same numbers. A pattern may name its parts: ``D{loss}R{hexes}``.
    ``forms`` are the text and the further codes with ``{#}`` for each plain number, if a letter behind ``#`` is literal.
    """

    text: str
    bare: str | None = None
    bare_is: str | None = None
    also: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()


@node
class ResultLine:
    """Steps to run: for each reader (local ``reader``), once for all (local ``readers``), or plainly."""

    how: str
    where: Expr | None
    body: Body


@node
class Entry:
    """The lines of one pattern; with ``then``, the entry continues an entry above it."""

    pattern: Pattern
    then: bool
    lines: tuple[ResultLine, ...]
    note: Note


@node
class Results:
    """The results of a chart, for readers of one record type or for none."""

    chart: str
    record: str | None
    entries: tuple[Entry, ...]
    note: Note


@node
class Procedure:
    """A procedure. ``inputs`` are the facts that it can use, its own first, in the order of declaration.

    A helper is for other procedures to call: it is played like any other, but not listed.
    """

    name: str
    facts: Mapping[str, Input]
    inputs: tuple[str, ...]
    body: Body
    outputs: Mapping[str, Type]
    note: Note
    helper: bool = False


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
    """What an event starts, unless an ``unless`` line forbids it."""

    event: str
    lines: tuple[Unless | Start, ...]
    inputs: tuple[str, ...]
    note: Note


@node
class Chance:
    """``chance of M or worse = 30/36 under best owner``, ``mean of losses = 7/2``.

    ``players`` says how each player chooses, as pairs; a pair without a name is about all of them.
    """

    of: Expr
    wanted: Fraction
    is_mean: bool
    players: tuple[tuple[str | None, str], ...]


@node
class Example:
    """An example: the facts, dice and choices that are given, and the expected outcome."""

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
    chances: tuple[Chance, ...]
    starts: tuple[tuple[str, str | None], ...]
    note: Note
    origin: str


@node
class Program:
    """A checked ruleset, which every engine runs. ``documents`` are the ``source`` lines: the documents it is based on.

    ``probes`` are the procedures that examples play to test a chart, a definition or a block of modifiers alone.

    ``analyses`` caches results that depend on the program alone: see :func:`enfilade.core.graph.analysis`.
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
    probes: Mapping[str, Procedure] = field(factory=dict)
    analyses: dict[Any, Any] = field(factory=dict, init=False, eq=False, repr=False)
