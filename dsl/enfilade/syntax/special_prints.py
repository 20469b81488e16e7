"""How the nodes are printed that no single rule of the grammar prints: the other side of ``special_rules.py``.

Each function gives the pieces of a node: texts, parts that are still to be printed, ``\\n`` for the end of a line, and a
number for an indentation of the lines that follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from attrs import frozen

from enfilade.syntax import tree as t
from enfilade.syntax.phrases import options
from enfilade.syntax.unexpected import KEYWORDS

GLUE: Final = "\0"
"""No blank stands between the pieces before and after it."""
GAP: Final = "\0\0"
"""Two blanks stand between the pieces before and after it."""
STEP: Final = 2

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_CODE: Final = re.compile(r"[^\s,\"<\[\]|:]+|[0-9]+:[0-9]+")
_CONSTANTS: Final = ("yes", "no", "none")
_WORDS: Final = re.compile(r"\s[^\W\d_]{2}")
_EDGES: Final = {"shift left": "shift off left", "shift right": "shift off right"}

Pieces = Iterable[Any]


@frozen
class Part:
    """A value that is still to be printed where the grammar has a symbol."""

    value: Any
    symbol: str = ""


def is_plain_name(text: str) -> bool:
    """Whether a word of a type or a value needs no quotes; a keyword needs none there."""
    return _NAME.fullmatch(text) is not None and text not in _CONSTANTS


def as_word(word: t.Ident) -> str:
    """A word, in quotes unless it is a plain name."""
    return word.name if is_plain_name(word.name) else f'"{word.name}"'


def as_code(code: t.Code) -> str:
    """A code, in quotes if it would be parsed as something else."""
    if code.text == '"':
        return code.text
    plain = _CODE.fullmatch(code.text) and code.text not in KEYWORDS and not code.text.startswith("--")
    return code.text if plain else f'"{code.text}"'


def as_number(value: int | Fraction) -> str:
    """A number as an integer or a decimal, or as a fraction if it has no finite decimal."""
    if value.denominator == 1:
        return str(value.numerator)
    digits = 0
    while (value * 10**digits).denominator != 1:
        if digits == 18:
            return f"{value.numerator}/{value.denominator}"
        digits += 1
    scaled = str(abs(value * 10**digits)).rjust(digits + 1, "0")
    return f"{'-' if value < 0 else ''}{scaled[:-digits]}.{scaled[-digits:]}"


def align_rows(rows: Sequence[Sequence[str]]) -> list[str]:
    """Print rows between bars. Each column is as wide as its widest cell, and cells are centred.

    Labels of more than one word are aligned on the left.

    Examples:
        >>> align_rows([["Roll", "1"], ["2", "M1"]])
        ['| Roll |  1 |', '|   2  | M1 |']
        >>> align_rows([["Range", "1"], ["3 close", "7"], ["25 long", "3"]])
        ['| Range   | 1 |', '| 3 close | 7 |', '| 25 long | 3 |']
    """
    has_words = any(row and _WORDS.search(row[0]) for row in rows[1:])
    widths: list[int] = []
    for row in rows:
        widths += [0] * (len(row) - len(widths))
        widths = [max(width, len(row[at])) if at < len(row) else width for at, width in enumerate(widths)]
    return ["| " + " | ".join(_cells(row, widths, has_words)) + " |" for row in rows]


def _cells(row: Sequence[str], widths: Sequence[int], has_words: bool) -> list[str]:
    cells = list(map(_centred, row, widths))
    return [row[0].ljust(widths[0]), *cells[1:]] if has_words and row else cells


def _centred(cell: str, width: int) -> str:
    spare = width - len(cell)
    return " " * (spare - spare // 2) + cell + " " * (spare // 2)


def as_row(cells: Sequence[t.Code]) -> str:
    """The cells of a header line between bars."""
    return align_rows([[cell.text for cell in cells]])[0]


def as_rows(rows: Sequence[t.Row]) -> Iterator[str]:
    """Rows with bars; a pasted row keeps its tabs if one of its cells contains a bar."""
    tabbed = [row.by_tabs and any("|" in cell.text for cell in row.cells) for row in rows]
    cells = [[cell.text for cell in row.cells] for row in rows]
    aligned = iter(align_rows([row for row, keeps in zip(cells, tabbed, strict=True) if not keeps]))
    return ("\t".join(row) if keeps else next(aligned) for row, keeps in zip(cells, tabbed, strict=True))


def _joined(items: Iterable[Any], between: str = ",", symbol: str = "") -> Iterator[Any]:
    for number, item in enumerate(items):
        if number:
            yield between
        yield item if isinstance(item, str) else Part(item, symbol)


def _tail(tail: t.Tail) -> Pieces:
    if tail.label is not None:
        yield f'"{tail.label}"'
    if tail.cites:
        yield f"[{', '.join(tail.cites)}]"
    if tail.assumed is not None:
        yield f'assumed "{tail.assumed}"'


# ------------------------------------------------------------------------------------------------- expressions


def _band(band: t.Band) -> Pieces:
    """``3..5``; with blanks around the dots if an end is not a plain number."""
    glue = (GLUE,) if _is_literal(band.low) and _is_literal(band.high) else ()
    low = () if band.low is None else (Part(band.low), *glue)
    high = () if band.high is None else (*glue, Part(band.high))
    return *low, "..", *high


def _is_literal(end: t.Expr | None) -> bool:
    if isinstance(end, t.Negative):
        # `-0..5` would be parsed as a range from 0.
        return isinstance(end.of, t.Number) and isinstance(end.of.value, int) and end.of.value != 0
    return end is None or (isinstance(end, t.Number) and isinstance(end.value, int))


def _held(held: t.Held) -> Pieces:
    if held.low is not None and held.high is not None:
        return Part(held.of), "but within", Part(t.Band(held.low, held.high))
    at, end = ("least", held.low) if held.low is not None else ("most", held.high)
    return Part(held.of), f"but at {at}", Part(end)


def _chain(chain: t.Chain) -> Pieces:
    return Part(chain.first), *(piece for sign, operand in chain.rest for piece in (sign, Part(operand)))


def _dice_term(term: t.DiceTerm) -> Pieces:
    sized = isinstance(term.die, t.DieOfSize)
    die = ("d", GLUE, "(", Part(term.die.size), ")") if isinstance(term.die, t.DieOfSize) else (Part(term.die),)
    glued = isinstance(term.count, t.Number) and not sized and re.fullmatch(r"d[0-9]+", getattr(term.die, "name", ""))
    return Part(term.count), *((GLUE,) if glued else ()), *die


# ------------------------------------------------------------------------------------------------- types, dice


def _range_type(type_: t.RangeType) -> Pieces:
    if not type_.whole:
        yield "number"
    if type_.low is not None or type_.high is not None:
        yield "..".join("" if end is None else str(end) for end in (type_.low, type_.high))
    if type_.optional:
        yield "or none"


def _words_type(type_: t.WordsType, between: str = ",") -> Pieces:
    yield "set of" if type_.many else "one of"
    yield from _joined(map(as_word, type_.words), "<" if type_.ordered else between)
    if type_.optional:
        yield "or none"


def _numbers_type(type_: t.NumbersType, between: str = ",") -> Pieces:
    yield "one of"
    yield from _joined(type_.values, between)
    if type_.optional:
        yield "or none"


def _param(param: t.Param) -> Pieces:
    """The words of a parameter's type are joined by ``or``: a comma ends the parameter."""
    match param.type:
        case t.WordsType():
            return param.name.name, *_words_type(param.type, "or")
        case t.NumbersType():
            return param.name.name, *_numbers_type(param.type, "or")
    return param.name.name, Part(param.type)


def _deck(deck: t.Deck) -> Pieces:
    if deck.like is not None:
        return "deck", deck.name.name, Part(deck.tail), "like", deck.like.name, "\n"
    if deck.cards:
        return "deck", deck.name.name, Part(deck.tail), "of", Part(deck.cards, "face_items"), "\n"
    lines = (*deck.fields, *deck.lines)
    return "deck", deck.name.name, Part(deck.tail), "\n", STEP, *map(Part, lines), -STEP


def _face_item(item: t.FaceItem) -> Pieces:
    value = () if item.value is None else ("as", str(item.value))
    return Part(item.times, "copies"), f'"{item.face}"' if item.quoted else item.face, *value


def _card_axis(axis: t.CardAxis) -> Pieces:
    yield axis.name.name
    if axis.low is not None or axis.high is not None:
        yield "..".join("" if end is None else str(end) for end in (axis.low, axis.high))


# ------------------------------------------------------------------------------------------ charts, modifiers


def _chart(chart: t.Chart) -> Pieces:
    like = () if chart.like is None else ("like", chart.like.name)
    yield from ("chart", chart.name.name, Part(chart.params, "params"), Part(chart.tail), *like, STEP)
    for item in chart.items:
        yield from ("\n", Part(item.line), Part(item.rows, "rows"))
    yield from ("\n", -STEP)


def _axis(axis: t.Axis) -> Pieces:
    if axis.stated is not None:
        yield Part(axis.stated)
    if axis.stated is not None and axis.value is not None:
        yield "of"
    yield Part(axis.value)
    for part in axis.parts:
        yield from (",", part.name)
    if axis.mode != "contains":
        yield f", column at or {axis.mode}"
    if axis.printed_on is not None:
        yield f", printed on {axis.printed_on.name}"


def _axis_line(line: t.AxisLine) -> Pieces:
    shown: Pieces = _axis(line.axis)
    if line.way == "down":
        shown = (piece.replace(", column ", ", row ") if isinstance(piece, str) else piece for piece in shown)
    return line.way, GAP, *shown, *_far_tail(line.tail)


def _far_tail(tail: t.Tail) -> Pieces:
    return () if tail == t.NO_TAIL else (GAP, Part(tail))


def _severity_rule(rule: t.SeverityRule) -> Pieces:
    turn = "lowest" if rule.shape.startswith("falls") else "highest"
    at = () if rule.at is None else (f", {turn} at", Part(rule.at))
    return "severity", GAP, rule.shape, options()["WAY"][rule.way], *at, *_far_tail(rule.tail)


def _edge(edge: t.Edge) -> Pieces:
    what, _, side = edge.where.partition(" ")
    if edge.included:
        yield from (what, Part(edge.at), "or more" if side == "above" else "or less")
    else:
        yield from (_EDGES.get(edge.where, edge.where), Part(edge.at))
    yield GAP
    for number, action in enumerate(edge.actions):
        if number:
            yield ", or"
        yield action.act
        if action.name is not None:
            yield as_code(t.Code(action.name)) if action.act == "gives" else action.name
        if action.condition is not None:
            yield from ("when", Part(action.condition))
    yield from _far_tail(edge.tail)


def _place(place: t.Place) -> Pieces:
    rest = (piece for word, code in place.rest for piece in (",", word, Part(code)))
    return "row", Part(place.row), ",", "column", Part(place.column), *rest


def _columns(columns: t.Columns) -> Pieces:
    lines = (*columns.besides, *columns.edges, *columns.surplus, *columns.headers)
    yield from ("columns", columns.name.name, "of", Part(columns.axis), Part(columns.tail), "\n", STEP)
    for line in lines:
        yield from (Part(line), "\n")
    yield -STEP


def _modifiers(block: t.Modifiers) -> Pieces:
    purpose = {"shift": "shift columns of", "roll": "add to roll of", "sum": ""}[block.purpose]
    rule = () if block.rule == "cumulative" else (f", only the {block.rule}",)
    head = ("modifiers", block.name.name, Part(block.params, "params"), Part(block.tail), purpose)
    return *head, *_joined((name.name for name in block.charts), "and"), *rule, Part(block.items, "mod_block")


def _mod_line(line: t.ModLine) -> Pieces:
    head = (*_amount(line.amount), line.name.name, Part(line.condition), Part(line.tail), "\n")
    return *head, Part(line.buts, "buts")


def _but(but: t.But) -> Pieces:
    amount = ("not",) if but.amount is None else _amount(but.amount)
    return "but", *amount, "when", Part(but.condition), Part(but.tail), "\n"


def _amount(amount: t.Expr) -> Pieces:
    """An amount with its sign."""
    is_negative = isinstance(amount, t.Negative) or (isinstance(amount, t.Number) and amount.value < 0)
    return (Part(amount),) if is_negative else ("+", GLUE, Part(amount))


# ------------------------------------------------------------------------------------- statements and examples


def _step(step: t.Step) -> Pieces:
    if step.number is None:
        return (Part(step.statement),)
    number = f"{step.number}."
    return number, len(number) + 1, Part(step.statement), -len(number) - 1


def _move_cards(move: t.MoveCards) -> Pieces:
    way = "from" if move.act == "remove" else "to"
    return move.act, Part(move.cards), way, Part(move.deck), Part(move.tail), "\n"


def _roll_rule(rule: t.RollRule) -> Pieces:
    yield from ("explode on" if rule.act == "explode" else "reroll", Part(rule.target))
    if rule.times is not None:
        once = rule.act == "reroll" and rule.times == t.Number(1)
        yield from ("once",) if once else ("at most", Part(rule.times), "times")
    if rule.adds:
        yield ", added to the die"


def _entry(entry: t.Entry) -> Pieces:
    if entry.then:
        yield "then"
    yield from _joined((entry.pattern, *entry.also))
    if entry.bare is not None:
        yield from (",", Part(entry.bare), "is", Part(entry.bare_is))
    yield from (Part(entry.tail), "\n", STEP, *map(Part, entry.lines), -STEP)


def _example(example: t.Example) -> Pieces:
    name = "" if example.procedure is None else example.procedure.name
    head = ("examples" if example.rows else "example", example.kind, name, f'"{example.label}"', Part(example.tail))
    yield from (*head, STEP)
    for line in example.lines:
        yield from ("\n", Part(line))
    yield from (Part(example.rows, "rows"), "\n", -STEP)


def _given_item(item: t.GivenItem) -> Pieces:
    return as_word(item.name), Part(item.value)


def _value(value: t.Value) -> Pieces:
    scalar = value.scalar
    if value.kind == "list":
        return "[", *_joined(value.items), "]"
    if value.kind == "record":
        return str(scalar or ""), "(", *_joined(value.fields), ")"
    if isinstance(scalar, str):
        return (f'"{scalar}"' if value.kind == "text" else scalar,)
    return (as_number(scalar) if scalar is not None else "none",)


def _gives(gives: t.Gives) -> Pieces:
    return ("gives", Part(gives.code)) if gives.items is None else ("gives", "[", *_joined(gives.items), "]")


SPECIAL: Final[dict[Any, Callable[[Any], Pieces]]] = {
    t.Tail: _tail, t.Code: lambda code: (as_code(code),), t.Number: lambda number: (as_number(number.value),),
    t.FaceItem: _face_item, t.Hash: lambda hash_: (f"#{hash_.letter}",), t.Negative: lambda negative: ("-", GLUE, Part(negative.of)),
    t.Band: _band, t.Held: _held, t.Chain: _chain,
    t.PartOf: lambda part: (Part(part.map), "of", Part(part.of)), t.DiceTerm: _dice_term, t.RangeType: _range_type,
    t.WordsType: _words_type, t.NumbersType: _numbers_type, t.Param: _param, t.CardAxis: _card_axis, t.Deck: _deck, t.Chart: _chart, t.Axis: _axis,
    t.AxisLine: _axis_line, t.SeverityRule: _severity_rule, t.Edge: _edge, t.Place: _place, t.Columns: _columns,
    t.Modifiers: _modifiers, t.ModLine: _mod_line, t.But: _but, t.Step: _step, t.MoveCards: _move_cards, t.RollRule: _roll_rule, t.Entry: _entry,
    t.Example: _example, t.GivenItem: _given_item, t.Value: _value, t.Gives: _gives,
    t.ExOn: lambda on: ("on", *map(Part, on.faces)), t.FieldOf: lambda field: (Part(field.of), ".", field.name.name),
}  # fmt: skip
