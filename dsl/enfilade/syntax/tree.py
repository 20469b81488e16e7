"""The abstract syntax tree.

Nodes are frozen. Equality ignores their ``span``, so ``parse(unparse(tree)) == tree``. The docstring of each class
shows the source it stands for. Names are not resolved here.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final, TypeAlias

from attrs import field

from enfilade.node import node
from enfilade.source.text import SourceFile, Span

# The span of nodes that are made by a program and not parsed from a text.
NOWHERE: Final = Span(SourceFile("<made>", ""), 0, 0)
# The place of a node does not affect equality.
_place = field(default=NOWHERE, eq=False, repr=False, hash=False)


# ------------------------------------------------------------------------------------------------ shared parts


@node
class Ident:
    """A name in its declaration or in a reference: ``direct_fire_table``."""

    name: str
    span: Span = _place


@node
class Tail:
    """The end of a line: ``"label" [16.3] assumed "why"``."""

    label: str | None = None
    cites: tuple[str, ...] = ()
    assumed: str | None = None
    span: Span | None = field(default=None, eq=False, repr=False)


NO_TAIL = Tail()


@node
class Code:
    """A result code or a label as printed: ``2X``, ``-``, ``"A1 D2"``."""

    text: str
    span: Span = _place


# ------------------------------------------------------------------------------------------------- expressions


@node
class Number:
    """``3`` or ``7.5``."""

    value: int | Fraction
    span: Span = _place


@node
class Text:
    """``"2X"``: a word or a code in quotes."""

    value: str
    span: Span = _place


@node
class Constant:
    """``yes``, ``no`` or ``none``."""

    word: str
    span: Span = _place


@node
class Each:
    """``each``: the current element."""

    span: Span = _place


@node
class Nth:
    """``nth``: in an `assigns` step, the number of the current assignment, from 1."""

    span: Span = _place


@node
class Hash:
    """``#`` or ``#a``: a number in a result code."""

    letter: str
    span: Span = _place


@node
class Name:
    """``fire_value``: a fact, a local, a definition, a word; the binder finds out which."""

    name: str
    span: Span = _place


@node
class OptionRef:
    """``option fog``."""

    name: str
    span: Span = _place


@node
class Invoke:
    """``dice_thrown(formation, lives)``."""

    name: Ident
    args: tuple[Expr, ...]
    span: Span = _place


@node
class FieldOf:
    """``unit.steps``."""

    of: Expr
    name: Ident
    span: Span = _place


@node
class OfEntry:
    """``steps of gun``: an entry of a map, or a field."""

    name: Ident
    of: Expr
    span: Span = _place


@node
class ListOf:
    """``[1, 2]``."""

    items: tuple[Expr, ...]
    span: Span = _place


@node
class MapEntry:
    """``hull 3`` in a map."""

    key: Ident
    value: Expr
    span: Span = _place


@node
class MapLiteral:
    """``(hull 3, warp 4)``: a value for each word."""

    entries: tuple[MapEntry, ...]
    span: Span = _place


@node
class PartOf:
    """``target.boxes of hull``: an entry of a map that is a field or an output."""

    map: FieldOf
    of: Expr
    span: Span = _place


@node
class WordsRef:
    """``words month``: the list of all words that `words month` declares."""

    name: Ident
    span: Span = _place


@node
class Named:
    """``box in ship.boxes``: a list whose elements have a name in the expressions about them."""

    name: Ident
    of: Expr
    span: Span = _place


@node
class Band:
    """``3..5``, ``3..``, ``..5``: both ends included."""

    low: Expr | None
    high: Expr | None
    span: Span = _place


@node
class Chain:
    """``a + b - c``: operators of the same precedence, flat."""

    first: Expr
    rest: tuple[tuple[str, Expr], ...]
    span: Span = _place


@node
class Negative:
    """``-a``."""

    of: Expr
    span: Span = _place


@node
class Rounded:
    """``a / 2 rounded down``; ``how`` is down, up, nearest, half down or half even."""

    of: Expr
    how: str
    span: Span = _place


@node
class Held:
    """``a but at least 0``, ``a but within 0..9``."""

    of: Expr
    low: Expr | None
    high: Expr | None
    span: Span = _place


@node
class Sorted:
    """``units sorted by steps high to low``."""

    of: Expr
    key: Expr | None
    descending: bool
    span: Span = _place


@node
class ListChange:
    """``hand followed by drawn``, ``hand without played``; ``how`` is followed or without."""

    how: str
    of: Expr
    items: Expr
    span: Span = _place


@node
class Spread:
    """``kills spread evenly over lives``."""

    amount: Expr
    over: Expr
    span: Span = _place


@node
class OrMore:
    """``3 or more``, ``M or worse``; ``way`` is more, less, worse or better."""

    of: Expr
    way: str
    span: Span = _place


@node
class Property:
    """``even``, ``odd`` or ``doubles`` after ``is``."""

    name: str
    span: Span = _place


@node
class Relation:
    """``is not gun``, ``>= 3``, ``has town``; ``op`` is one of is, is not, has, <, <=, > or >=."""

    op: str
    target: Expr
    span: Span = _place


@node
class Compared:
    """``kind is gun``."""

    left: Expr
    relation: Relation
    span: Span = _place


@node
class Quantified:
    """``any of ranges >= 3``; ``how`` is any, all or none."""

    how: str
    over: Expr
    relation: Relation
    span: Span = _place


@node
class QuantifiedWhere:
    """``any of units where kind is gun``."""

    how: str
    over: Expr
    where: Expr
    span: Span = _place


@node
class Not:
    """``not night``."""

    of: Expr
    span: Span = _place


@node
class And:
    """``a and b and c``, flat."""

    items: tuple[Expr, ...]
    span: Span = _place


@node
class Or:
    """``a or b``, flat; a bare word after ``or`` belongs to the comparison before it."""

    items: tuple[Expr, ...]
    span: Span = _place


@node
class Conditional:
    """``1 when lives is 1 otherwise 2``."""

    value: Expr
    condition: Expr
    otherwise: Expr
    span: Span = _place


@node
class Filtered:
    """``units where steps > 0``."""

    of: Expr
    where: Expr
    span: Span = _place


@node
class Aggregate:
    """``sum of steps over units where kind is gun``; ``how`` is count, sum, highest or lowest."""

    how: str
    item: Expr
    over: Expr | None
    where: Expr | None
    span: Span = _place


@node
class Extreme:
    """``lowest 2 of dice by (...)``; ``how`` is highest, lowest, first or last. Without a count, it is one element."""

    how: str
    count: Expr | None
    of: Expr
    key: Expr | None
    span: Span = _place


@node
class Item:
    """``item 1 of ranges``, counted from 1."""

    index: Expr
    of: Expr
    span: Span = _place


@node
class ListOver:
    """``list of (each * 10) over ranges where each > 1``."""

    item: Expr
    over: Expr
    where: Expr | None
    span: Span = _place


@node
class Quota:
    """``as much as possible of hits from units by steps`` and ``just enough for hits from units by steps``."""

    how: str
    amount: Expr
    of: Expr
    key: Expr | None
    span: Span = _place


@node
class MapOver:
    """``map of unit to steps over units``."""

    key: Expr
    value: Expr
    over: Expr
    where: Expr | None
    span: Span = _place


@node
class EffectsSoFar:
    """``effects step_loss``: the effects performed so far in this run."""

    name: Ident
    span: Span = _place


@node
class CardsLeft:
    """``cards left in chits``."""

    deck: Expr
    span: Span = _place


@node
class Paren:
    """``(a + b)``: kept in the tree, so unparsing reproduces the author's brackets."""

    of: Expr
    span: Span = _place


Expr: TypeAlias = (
    Number | Text | Constant | Each | Nth | Hash | Name | OptionRef | Invoke | FieldOf | OfEntry | PartOf | ListOf
    | MapLiteral | WordsRef | Named | Band
    | Chain | Negative | Rounded | Held | Sorted | ListChange | Spread | OrMore | Property | Compared | Quantified | QuantifiedWhere | Not
    | And | Or | Conditional | Filtered | Aggregate | Extreme | Item | ListOver | Quota | MapOver | EffectsSoFar | CardsLeft
    | Paren
)  # fmt: skip

# ------------------------------------------------------------------------------------------------------- types


@node
class RangeType:
    """``0..2``; ``number 0..`` allows fractions; ``0.. or none`` may be absent."""

    low: int | None
    high: int | None
    whole: bool
    optional: bool
    span: Span = _place


@node
class FlagType:
    """``yes/no``."""

    span: Span = _place


@node
class WordsType:
    """``one of a, b``, ``one of a, b or none``, ``one of low < high`` or ``set of a, b``."""

    words: tuple[Ident, ...]
    many: bool
    span: Span = _place
    ordered: bool = False
    optional: bool = False


@node
class NumbersType:
    """``one of 4, 6, 8``."""

    values: tuple[Number, ...]
    span: Span = _place
    optional: bool = False


@node
class ListType:
    """``list of 1..``, ``list of 1.., at least 1``."""

    of: TypeExpr
    least: int
    span: Span = _place


@node
class NamedType:
    """``unit``, ``unit or none``, ``arm or none``, or ``set of arm``."""

    name: Ident
    optional: bool
    many: bool
    span: Span = _place


@node
class MapType:
    """``map of system to 0..``: a value for each word of a list of words."""

    key: Ident
    of: TypeExpr
    span: Span = _place


TypeExpr: TypeAlias = RangeType | FlagType | WordsType | NumbersType | ListType | NamedType | MapType


@node
class FieldDecl:
    """``companies  0..2 = 0  "companies in the hex" [4.2]``."""

    name: Ident
    type: TypeExpr
    required: bool
    default: Expr | None
    tail: Tail
    span: Span = _place


@node
class Param:
    """``amount 1..`` in ``(unit, amount 1..)``."""

    name: Ident
    type: TypeExpr | None
    span: Span = _place


# ------------------------------------------------------------------------------------------------- simple heads


@node
class Language:
    """``enfilade 1.1``."""

    version: str
    span: Span = _place


@node
class RulesetHead:
    """``ruleset late_war "Late War" extends infantry_attacks``, or ``extends "house/base.rules"``."""

    name: Ident
    tail: Tail
    extends: Ident | None
    extends_path: bool = False
    span: Span = _place


@node
class Source:
    """``source "the rulebook"``."""

    tail: Tail
    span: Span = _place


@node
class Players:
    """``players attacker, defender``."""

    names: tuple[Ident, ...]
    tail: Tail
    span: Span = _place


@node
class OptionDecl:
    """``option low_edge one of stays, misses = stays``."""

    name: Ident
    type: TypeExpr | None
    default: Expr | None
    tail: Tail
    span: Span = _place


@node
class Renaming:
    """``battalion for unit``: the game's name, and the module's."""

    new: Ident
    old: Ident
    span: Span = _place


@node
class Use:
    """``use steps``, ``use "house/rally.rules"``, ``use steps with battalion for unit``."""

    name: str
    is_path: bool
    renamings: tuple[Renaming, ...] = ()
    span: Span = _place


@node
class Words:
    """``words arm one of infantry, cavalry``."""

    name: Ident
    type: TypeExpr
    tail: Tail
    span: Span = _place


@node
class Record:
    """``record unit`` with its fields."""

    name: Ident
    tail: Tail
    fields: tuple[FieldDecl, ...]
    span: Span = _place


@node
class Facts:
    """``facts`` with its fields."""

    tail: Tail
    fields: tuple[FieldDecl, ...]
    span: Span = _place


@node
class Case:
    """``lives - 1 when formation is column``; without a condition: ``otherwise``."""

    value: Expr
    condition: Expr | None
    tail: Tail
    span: Span = _place


@node
class Define:
    """``define fire = drill + experience``: one case without condition, or cases."""

    name: Ident
    params: tuple[Param, ...]
    cases: tuple[Case, ...]
    by_cases: bool
    tail: Tail
    span: Span = _place


@node
class FaceItem:
    """``3 x blank``, ``n x red``, ``0 as 10``, ``1..9``."""

    times: Expr | None
    face: str
    quoted: bool
    value: int | None
    span: Span = _place


@node
class Die:
    """``die bones faces 1..9, 0 as 10``."""

    name: Ident
    faces: tuple[FaceItem, ...]
    tail: Tail
    span: Span = _place


@node
class CardAxis:
    """``each value 1..13``: a field of a product of cards."""

    name: Ident
    low: int | None
    high: int | None
    span: Span = _place


@node
class CardProduct:
    """``cards each suit, each value 1..13``."""

    axes: tuple[CardAxis, ...]
    tail: Tail
    span: Span = _place


@node
class CardLine:
    """``card 2 x omen (value 14)``."""

    times: Expr | None
    name: Ident
    fields: tuple[GivenItem, ...]
    tail: Tail
    span: Span = _place


@node
class Deck:
    """``deck chits of 3 x red, 2 x blue``, a deck with fields and lines of cards, or ``deck theirs like ours``."""

    name: Ident
    cards: tuple[FaceItem, ...]
    tail: Tail
    span: Span = _place
    fields: tuple[FieldDecl, ...] = ()
    lines: tuple[CardProduct | CardLine, ...] = ()
    like: Ident | None = None


@node
class DieOfSize:
    """``d(size)``: a die with as many sides as a number."""

    size: Expr
    span: Span = _place


@node
class DiceTerm:
    """``2d6``, ``lives d10``, ``musket``, ``2 d(size)``, ``unit.trait``."""

    count: Expr | None
    die: Ident | FieldOf | DieOfSize
    span: Span = _place


@node
class Dice:
    """``2d6 + d8``."""

    terms: tuple[DiceTerm, ...]
    span: Span = _place


# ------------------------------------------------------------------------------------------------------ charts


@node
class Row:
    """``| 2 | M | M1 |``, or a row split by tabs; the cells are stripped."""

    cells: tuple[Code, ...]
    by_tabs: bool = field(eq=False)
    span: Span = _place


@node
class Axis:
    """``fire_value, column at or below``; ``mode`` is contains, below or above.

    ``value`` is ``None`` if only the values are stated: ``down 0..14``, ``down one of 4, 6``. ``parts`` are the names after the first in
    ``inside side, degree, loss``.
    """

    value: Expr | Dice | None
    stated: Band | NumbersType | None
    mode: str
    printed_on: Ident | None
    span: Span = _place
    parts: tuple[Ident, ...] = ()


@node
class AxisLine:
    """``across fire_value, column at or below``; ``way`` is down, across, inside, pages or find."""

    way: str
    axis: Axis
    tail: Tail
    span: Span = _place


@node
class CellsLine:
    """``cells numbers``."""

    kind: str
    tail: Tail
    span: Span = _place


@node
class SeverityOrder:
    """``severity - < M < X``."""

    codes: tuple[Code, ...]
    tail: Tail
    span: Span = _place


@node
class SeverityRule:
    """``severity never falls to the right``, or ``falls then rises down, lowest at 7``."""

    shape: str
    way: str
    at: Code | None
    tail: Tail
    span: Span = _place


@node
class EdgeAction:
    """``stays``, ``gives -``, ``refuse out_of_range``; ``name`` is the code or slug."""

    act: str
    name: str | None
    condition: Expr | None
    span: Span = _place


@node
class Edge:
    """``shift off left stays, or gives - when low_edge is misses``.

    ``at`` is the label after which the edge begins, as in ``column 6:1 or more gives DE``; it lies beyond the edge itself
    if it is ``included``.
    """

    where: str
    actions: tuple[EdgeAction, ...]
    tail: Tail
    span: Span = _place
    at: Code | None = None
    included: bool = False


@node
class HeaderLine:
    """``header "Mud" when weather is mud | • | 1..9 |``."""

    condition: Expr | None
    cells: tuple[Code, ...]
    tail: Tail
    span: Span = _place


@node
class PageLine:
    """``page mud``: the rows below belong to this page."""

    labels: tuple[Code, ...]
    tail: Tail
    span: Span = _place


@node
class Place:
    """``row 7, column 11, page mud``: a cell by its labels."""

    row: Code
    column: Code
    rest: tuple[tuple[str, Code], ...]
    span: Span = _place


@node
class Erratum:
    """``erratum row 0, column 5 reads M "why" when option e1``."""

    place: Place
    reads: Code
    condition: Expr | None
    tail: Tail
    span: Span = _place


@node
class CellMark:
    """``mark * captured when capture "a capture mark"``: a sign behind codes that is no part of them."""

    sign: Code
    name: Ident
    condition: Expr | None
    tail: Tail
    span: Span = _place


@node
class ChartNote:
    """``note column 3 "..."``: told when one of these columns or rows is read."""

    what: str
    labels: tuple[Code, ...]
    tail: Tail
    span: Span = _place


@node
class Surplus:
    """``surplus column 9, 10``: columns that are printed and never looked up."""

    labels: tuple[Code, ...]
    tail: Tail
    span: Span = _place


ChartLine: TypeAlias = (
    AxisLine | CellsLine | SeverityOrder | SeverityRule | Edge | HeaderLine | PageLine | Erratum | Surplus
    | CellMark | ChartNote
)  # fmt: skip


@node
class ChartItem:
    """A line of a chart with the rows that follow it; the first item may have no line."""

    line: ChartLine | None
    rows: tuple[Row, ...]
    span: Span = _place


@node
class Chart:
    """``chart fire_table "Fire Table"`` with its lines and rows; ``like`` names the chart whose lines it shares."""

    name: Ident
    params: tuple[Param, ...]
    tail: Tail
    like: Ident | None
    items: tuple[ChartItem, ...]
    span: Span = _place


@node
class Beside:
    """``beside disorder_shift 0..3 where NA is none``: a value printed beside the bands of each header line."""

    name: Ident
    type: TypeExpr
    nothing: Code | None
    tail: Tail
    span: Span = _place


@node
class Columns:
    """``columns strength of attack`` with header lines, the values beside their bands, and the edges."""

    name: Ident
    axis: Axis
    headers: tuple[HeaderLine, ...]
    besides: tuple[Beside, ...]
    edges: tuple[Edge, ...]
    surplus: tuple[Surplus, ...]
    tail: Tail
    span: Span = _place


# --------------------------------------------------------------------------------------------------- modifiers


@node
class But:
    """``but -1 when terrain has town``; without an amount: ``but not when``."""

    amount: Expr | None
    condition: Expr
    tail: Tail
    span: Span = _place


@node
class ModLine:
    """``-2 entrenched entrenched [16.3]``."""

    amount: Expr
    name: Ident
    condition: Expr
    buts: tuple[But, ...]
    tail: Tail
    span: Span = _place


@node
class ModSection:
    """``never together``, ``only the highest``, ``for each unit``, ``when option fog`` with lines."""

    kind: str
    which: str | None
    record: Ident | None
    condition: Expr | None
    items: tuple[ModItem, ...]
    tail: Tail
    span: Span = _place


@node
class ModNet:
    """``net at most 2``."""

    way: str
    amount: Expr
    tail: Tail
    span: Span = _place


ModItem: TypeAlias = ModLine | ModSection | ModNet


@node
class Modifiers:
    """``modifiers drm "Modifiers" add to roll of fire_table``; ``purpose`` is shift, roll or sum."""

    name: Ident
    params: tuple[Param, ...]
    purpose: str
    charts: tuple[Ident, ...]
    rule: str
    items: tuple[ModItem, ...]
    tail: Tail
    span: Span = _place


# -------------------------------------------------------------------------------------------------- statements


@node
class Refuse:
    """``refuse no_ammo "no ammunition" when ammo is 0``."""

    slug: Ident
    condition: Expr
    tail: Tail
    span: Span = _place


@node
class RollRule:
    """``explode on 6 at most 2 times, added to the die``, ``reroll 1 once``; without ``times`` there is no limit."""

    act: str
    target: Expr
    times: Expr | None
    adds: bool
    span: Span = _place


@node
class Roll:
    """``roll 2d6 as fire_roll``."""

    dice: Dice
    name: Ident
    rules: tuple[RollRule, ...]
    player: Expr | None
    tail: Tail
    span: Span = _place


@node
class Draw:
    """``draw 2 from chits as hand``."""

    count: Expr
    deck: Expr
    name: Ident
    player: Expr | None
    tail: Tail
    span: Span = _place


@node
class MoveCards:
    """``remove card from fate``, ``return hand to fate``."""

    act: str
    cards: Expr
    deck: Expr
    tail: Tail
    span: Span = _place


@node
class Reshuffle:
    """``reshuffle chits``."""

    deck: Expr
    tail: Tail
    span: Span = _place


@node
class Let:
    """``let rounds = 0``."""

    name: Ident
    value: Expr
    tail: Tail
    span: Span = _place


@node
class Becomes:
    """``unit.steps becomes unit.steps - 1``, ``target.boxes of hull becomes 0``, ``item 2 of boxes becomes 0``.

    *entry* is the word ``hull``, *index* the number of the item.
    """

    target: tuple[Ident, ...]
    value: Expr
    tail: Tail
    entry: Expr | None = None
    index: Expr | None = None
    span: Span = _place


@node
class Must:
    """``arm must be foot or horse when fire_type is reaction``."""

    subject: tuple[Ident, ...]
    targets: tuple[Expr, ...]
    condition: Expr | None
    tail: Tail
    entry: Expr | None = None
    span: Span = _place


@node
class Read:
    """``read fire_table with fire_roll for each unit in units as shots``."""

    chart: Ident
    args: tuple[Expr, ...]
    roll: Expr | None
    each: Ident | None
    readers: Expr | None
    name: Ident | None
    tail: Tail
    span: Span = _place


@node
class Apply:
    """``apply shots``, ``apply shot to units``."""

    reading: Expr
    readers: Expr | None
    tail: Tail
    span: Span = _place


@node
class With:
    """``amount 1``; without a name: ``fields of a``."""

    name: Ident | None
    value: Expr
    span: Span = _place


@node
class Perform:
    """``step_loss on gun with amount 1``."""

    effect: Ident
    on: Expr | None
    args: tuple[With, ...]
    tail: Tail
    span: Span = _place


@node
class Choose:
    """``owner chooses 2 victims among units where steps > 0, if any``; with *may*, ``owner may choose x among LIST``.

    *count* is a band in ``owner chooses 0..2 kept among dice.values``.
    """

    player: Expr
    count: Expr | Band | None
    name: Ident
    among: Expr
    if_any: bool
    may: bool
    tail: Tail
    span: Span = _place
    any_number: bool = False


@node
class ChooseWhether:
    """``owner chooses whether stands``."""

    player: Expr
    name: Ident
    tail: Tail
    span: Span = _place


@node
class ChooseWord:
    """``owner chooses fate from fall_back, disorder``."""

    player: Expr
    name: Ident
    words: tuple[Ident, ...]
    may: bool
    tail: Tail
    span: Span = _place


@node
class Assign:
    """``owner assigns 2 step_loss among units where steps > 0 as losses``; a *key* says how much of the number each takes."""

    player: Expr
    count: Expr
    effect: Ident
    args: tuple[With, ...]
    among: Expr
    key: Expr | None
    name: Ident | None
    tail: Tail
    span: Span = _place


@node
class Step:
    """``1. roll 2d6 as fire_roll``; the number may be absent."""

    number: int | None
    statement: Statement
    span: Span = _place


@node
class Block:
    """``: stop``, or steps on lines of their own."""

    steps: tuple[Step, ...]
    inline: bool
    tail: Tail
    span: Span = _place


@node
class When:
    """``when night`` with a block, and ``otherwise``."""

    condition: Expr
    block: Block
    otherwise: Block | When | None
    span: Span = _place


@node
class ForEach:
    """``for each load in units where loaded_on is unit``."""

    name: Ident
    over: Expr
    block: Block
    span: Span = _place


@node
class RepeatUntil:
    """``repeat until a.lives is 0, at most 3 times``, ``repeat while a.lives > 0, limit 100 times``.

    With ``is_while``, the condition is tested before each round, and the loop goes on while it is true.
    """

    condition: Expr
    is_while: bool
    most: Expr | None
    limit: int | None
    block: Block
    span: Span = _place


@node
class RepeatTimes:
    """``repeat hits times``."""

    times: Expr
    block: Block
    span: Span = _place


@node
class Together:
    """``together``: each step starts from the same state."""

    block: Block
    span: Span = _place


@node
class Leave:
    """``leave``: the innermost loop ends."""

    tail: Tail
    span: Span = _place


@node
class DoNothing:
    """``nothing``: a step without a consequence, for a block that must have one."""

    tail: Tail
    span: Span = _place


@node
class Stop:
    """``stop``: the procedure ends."""

    tail: Tail
    span: Span = _place


@node
class Call:
    """``call volley with fields of a as shot_a``, ``if refused`` below."""

    procedure: Ident
    args: tuple[With, ...]
    name: Ident | None
    if_refused: Block | None
    tail: Tail
    span: Span = _place


@node
class Give:
    """``give column = shot.column``."""

    name: Ident
    value: Expr | None
    tail: Tail
    span: Span = _place


@node
class GiveFields:
    """``give fields of fight``: every output of a call."""

    of: Expr
    tail: Tail
    span: Span = _place


Statement: TypeAlias = (
    Refuse | Must | Roll | Draw | Reshuffle | MoveCards | Let | Becomes | Read | Apply | Perform | Choose | ChooseWhether | ChooseWord
    | Assign | When | ForEach | RepeatUntil | RepeatTimes | Together | Leave | DoNothing | Stop | Call
    | Give | GiveFields
)  # fmt: skip


@node
class Effect:
    """``effect step_loss "lose a step" (unit, amount 1..)`` with or without a body."""

    name: Ident
    params: tuple[Param, ...]
    steps: tuple[Step, ...]
    tail: Tail
    span: Span = _place


@node
class EachReader:
    """``each reader where not eliminated: morale_check with modifier 2``."""

    where: Expr | None
    block: Block
    span: Span = _place


@node
class Once:
    """``once: ...``."""

    block: Block
    span: Span = _place


@node
class ThenCode:
    """``then DRL`` within an entry: the lines of another code follow."""

    code: Code
    tail: Tail
    span: Span = _place


EntryLine: TypeAlias = EachReader | Once | ThenCode | Statement


@node
class Entry:
    """``M#, M is M0 "Morale check"`` with its lines; ``also`` are further codes with the same lines: ``DRL, EX``."""

    pattern: Code
    also: tuple[Code, ...]
    bare: Code | None
    bare_is: Code | None
    then: bool
    lines: tuple[EntryLine, ...]
    tail: Tail
    span: Span = _place


@node
class Results:
    """``results of fire_table for each unit`` with its entries; ``also`` lists further charts with the same results."""

    chart: Ident
    also: tuple[Ident, ...]
    record: Ident | None
    entries: tuple[Entry, ...]
    tail: Tail
    span: Span = _place


@node
class Procedure:
    """``procedure direct_fire "Direct fire" [7.5]`` with its steps; a helper is not listed."""

    name: Ident
    facts: Facts | None
    steps: tuple[Step, ...]
    tail: Tail
    helper: bool = False
    span: Span = _place


# ------------------------------------------------------------------------------------------ events and examples


@node
class Event:
    """``event moved_into_contact "an enemy moves into contact"``."""

    name: Ident
    tail: Tail
    span: Span = _place


@node
class Unless:
    """``unless advanced advance_after_combat "no trigger"``."""

    condition: Expr
    slug: Ident
    tail: Tail
    span: Span = _place


@node
class StartLine:
    """``start reaction_fire with distance 1``."""

    procedure: Ident
    args: tuple[With, ...]
    tail: Tail
    span: Span = _place


@node
class OnEvent:
    """``on moved_into_contact`` with its lines."""

    event: Ident
    lines: tuple[Unless | StartLine, ...]
    tail: Tail
    span: Span = _place


@node
class Value:
    """A value written in an example; ``kind`` is number, text, constant, name, list or record."""

    kind: str
    scalar: int | Fraction | str | None
    items: tuple[Value, ...]
    fields: tuple[GivenItem, ...]
    span: Span = _place


@node
class GivenItem:
    """``fire_value 13``, ``night``, ``unit gun (steps 2)``."""

    name: Ident
    value: Value | None
    span: Span = _place


@node
class Given:
    """``given fire_value 13, terrain woods``."""

    items: tuple[GivenItem, ...]
    span: Span = _place


@node
class ExOption:
    """``option low_edge misses``."""

    item: GivenItem
    span: Span = _place


@node
class ExOn:
    """``on 1 3``."""

    faces: tuple[Code, ...]
    span: Span = _place


@node
class Choosing:
    """``choosing gun, wagon``."""

    values: tuple[Value, ...]
    span: Span = _place


@node
class Gives:
    """``gives M2``; ``gives [hull, warp]`` has the codes as *items*."""

    code: Code
    items: tuple[Code, ...] | None = None
    span: Span = _place


@node
class ExEffect:
    """``effect step_loss on gun with amount 1``."""

    effect: Ident
    on: Value | None
    args: tuple[GivenItem, ...]
    span: Span = _place


@node
class NoEffects:
    """``no effects``."""

    span: Span = _place


@node
class Expect:
    """``expect column is "16"``."""

    condition: Expr
    span: Span = _place


@node
class Refused:
    """``refused out_of_range``."""

    slug: Ident
    span: Span = _place


@node
class ExpectInputError:
    """``input error companies``."""

    parameter: Ident
    span: Span = _place


@node
class WayOfPlay:
    """``best attacker`` after ``under``; without a player it is how all of them play."""

    way: str
    player: Ident | None
    span: Span = _place


@node
class Chance:
    """``chance of M or worse = 30/36``, ``mean of losses = 7/2``, ``chance of won = 5/18 under best attacker``."""

    of: Expr
    is_: Expr
    players: tuple[WayOfPlay, ...] = ()
    mean: bool = False
    span: Span = _place


@node
class Starts:
    """``starts reaction_fire``, or ``starts nothing, already_reacted``."""

    procedure: Ident
    reason: Ident | None
    span: Span = _place


ExampleLine: TypeAlias = (
    Given | ExOption | ExOn | Choosing | Gives | ExEffect | NoEffects | Expect | Refused | ExpectInputError | Chance
    | Starts
)  # fmt: skip


@node
class Example:
    """``example direct_fire "label"`` with its lines, or ``examples`` with a row for each case.

    Attributes:
        procedure: What is played: a procedure or an event; a chart, a definition or a block of modifiers if ``kind`` says so.
        kind: chart, define or modifiers; empty for procedures and events.
        rows: The header and the cases of a table.
    """

    procedure: Ident | None
    label: str
    lines: tuple[ExampleLine, ...]
    tail: Tail
    kind: str = ""
    rows: tuple[Row, ...] = ()
    span: Span = _place


# ----------------------------------------------------------------------------------------------------- entries


@node
class Mark:
    """``,``, ``=`` or ``:`` between the words of an entry."""

    text: str
    span: Span = _place


@node
class Group:
    """``(kind mg, steps 2)`` or ``[town, woods]`` in an entry; ``opening`` is the bracket."""

    opening: str
    parts: tuple[EntryPart, ...]
    span: Span = _place


EntryPart: TypeAlias = Value | Mark | Group
"""A part of an entry: what somebody typed outside a file. A value of kind ``bare`` has characters that names lack."""


# ---------------------------------------------------------------------------------------------------- variants


@node
class Replace:
    """``replace chart ...``: replaces the declaration of that name."""

    declaration: Declaration
    span: Span = _place


@node
class ReplaceModifier:
    """``replace night in column_modifiers`` with the new line below."""

    name: Ident
    block: Ident
    lines: tuple[ModLine, ...]
    span: Span = _place


@node
class ReplaceStep:
    """``replace step 3 in direct_fire`` with the new steps below."""

    number: int
    procedure: Ident
    steps: tuple[Step, ...]
    span: Span = _place


@node
class ReplaceCell:
    """``replace cell of fire_table row 7, column 11 with M``."""

    chart: Ident
    place: Place
    code: Code
    tail: Tail
    span: Span = _place


@node
class AddTo:
    """``add to modifiers column_modifiers`` with the new lines below."""

    declaration: Declaration
    span: Span = _place


@node
class RemovePart:
    """``remove night from column_modifiers``, ``remove step 3 from direct_fire``."""

    name: Ident | None
    step: int | None
    block: Ident
    span: Span = _place


@node
class Remove:
    """``remove chart fire_table``."""

    kind: str
    name: Ident
    span: Span = _place


Declaration: TypeAlias = (
    Language | RulesetHead | Source | Players | OptionDecl | Use | Words | Record | Facts | Define | Die | Deck
    | Chart | Columns | Modifiers | Effect | Results | Procedure | Event | OnEvent | Example | Replace
    | ReplaceModifier | ReplaceStep | ReplaceCell | AddTo | RemovePart | Remove
)  # fmt: skip


@node
class Module:
    """One file: its declarations in order."""

    declarations: tuple[Declaration, ...]
