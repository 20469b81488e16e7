"""Grammar rules whose nodes are not made of their children one by one.

Each function has the name of its rule or alias. It gets all children, with those of the parts of the rule.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, get_args

from attrs import evolve
from lark import Token

from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.build import (
    CURRENT,
    MAX_DIGITS,
    Children,
    Group,
    check_digits,
    code_of,
    ident,
    joined_tails,
    number_of,
    place_of,
    said_twice,
    text_of,
)
from enfilade.syntax.chart_rows import parse_row
from enfilade.syntax.fault import SyntaxFault


def _of(children: Children, *classes: type) -> list[Any]:
    return [c for c in children if isinstance(c, classes)]


def _first(children: Children, *classes: type) -> Any:
    return next(iter(_of(children, *classes)), None)


def _tokens(children: Children, *types: str) -> list[Token]:
    return [c for c in children if isinstance(c, Token) and c.type in types]


def _idents(children: Children) -> list[t.Ident]:
    return [ident(c) for c in _tokens(children, "NAME")]


def _words(children: Children) -> list[str]:
    return [str(c) for c in children if isinstance(c, Token)]


def _expr(children: Children) -> Any:
    """The only expression among the children."""
    return _first(children, *get_args(t.Expr))


# ------------------------------------------------------------------------------------------------ shared parts


def tail(c: Children) -> t.Tail:
    if not c:
        return t.NO_TAIL
    label = assumed = None
    cites: list[str] = []
    for item in c:
        if isinstance(item, Group):
            if assumed is not None:
                raise said_twice(place_of([item]))
            assumed = text_of(item.items[0])
        elif item.type == "CITATION":
            cites += [cite.strip() for cite in item[1:-1].split(",")]
        elif label is None:
            label = text_of(item)
        else:
            raise said_twice(place_of([item]))
    return t.Tail(label, tuple(cites), assumed, place_of(c))


def word(c: Children) -> t.Ident:
    return ident(c[0])


def code(c: Children) -> t.Code:
    return code_of(c[0])


def whole(c: Children) -> Group:
    number = number_of(c[-1])
    return Group((-number if len(c) > 1 else number,), place_of(c))


def _bounds(token: Token) -> tuple[int | None, int | None]:
    low, _, high = token.partition("..")
    check_digits(low.lstrip("-"), token)
    check_digits(high.lstrip("-"), token)
    return int(low) if low else None, int(high) if high else None


# ------------------------------------------------------------------------------------------------------- types


def range_type(c: Children) -> t.RangeType:
    bounds = _tokens(c, "RANGE")
    low, high = _bounds(bounds[0]) if bounds else (None, None)
    if c[0].type == "INT":
        low = high = number_of(c[0])
    return t.RangeType(low, high, c[0] != "number", bool(_tokens(c, "OR_NONE")), place_of(c))


def type_with_more_words(c: Children) -> t.TypeExpr:
    """The words after a comma belong to the word before it: `list of one of a` and `, b`."""
    of: t.ListType | t.MapType | t.WordsType = c[0]
    if isinstance(of, t.WordsType):
        return evolve(of, words=(*of.words, *c[1].items), optional=len(c) > 2, span=place_of(c))
    inner: Any = type_with_more_words([of.of, *c[1:]])
    return evolve(of, of=inner, span=place_of(c))


def param_or_none(c: Children) -> t.Param:
    """`(unit or none)` is short for `(unit unit or none)`."""
    name = ident(c[0])
    return t.Param(name, t.NamedType(name, True, False, place_of(c)), place_of(c))


# ------------------------------------------------------------------------------------------------------- dice


def deck_of_lines(c: Children) -> t.Deck:
    lines = tuple(_of(c, t.CardProduct, t.CardLine))
    return t.Deck(ident(c[1]), (), c[2], place_of(c), tuple(_of(c, t.FieldDecl)), lines)


def card_axis(c: Children) -> t.CardAxis:
    low, high = _bounds(c[1]) if len(c) > 1 else (None, None)
    return t.CardAxis(ident(c[0]), low, high, place_of(c))


def dice_of_sides(c: Children) -> t.DiceTerm:
    span = place_of(c)
    count, _, sides = c[0].partition("d")
    check_digits(count, c[0])
    check_digits(sides, c[0])
    return t.DiceTerm(t.Number(int(count), span) if count else None, t.Ident(f"d{sides}", span), span)


def die_name(c: Children) -> t.Ident | t.FieldOf | t.DieOfSize:
    if c[0].__class__ is Token:
        return t.DieOfSize(c[2], place_of(c)) if c[0].type == "D_OF" else ident(c[0])
    return t.FieldOf(c[0], ident(c[2]), place_of(c))


# ------------------------------------------------------------------------------------------------------ charts


def chart(c: Children) -> t.Chart:
    rows = tuple(_of(c, t.Row))
    items = tuple(_of(c, t.ChartItem))
    if rows:
        items = (t.ChartItem(None, rows, place_of(rows)), *items)
    like = _idents(c)[1:]
    params = _first(c, Group).items
    return t.Chart(ident(c[1]), params, joined_tails(c), like[0] if like else None, items, place_of(c))


def row(c: Children) -> t.Row:
    return parse_row(CURRENT.get(), c[1])


def axis(c: Children) -> t.Axis:
    stated = value = None
    first = c[0]
    if isinstance(first, Token) and first.type == "RANGE":
        stated = band([first])
        value = _expr(c[1:])
    elif isinstance(first, Token):
        value = t.Dice((dice_of_sides([first]),), place_of([first]))
    else:
        value = first
    modes = [(str(each.items[0]), each.items[-1]) for each in _of(c, Group)]
    mode = next((word for word, _ in modes if word in ("below", "above", "nearest")), "contains")
    printed = next((ident(name) for word, name in modes if word == "printed"), None)
    parts = tuple(ident(name) for word, name in modes if word == "part")
    return t.Axis(value, stated, mode, printed, place_of(c), parts)


def axis_mode(c: Children) -> Group:
    first = "part" if len(c) == 1 and c[0].type == "NAME" else "printed" if c[0] == "printed" else str(c[-1])
    return Group((first, c[-1]), place_of(c))


def severity_dip(c: Children) -> t.SeverityRule:
    words = _words(c)
    way = "right" if words[4] == "to" else "down"
    return t.SeverityRule(" ".join(words[1:4]), way, _first(c, t.Code), joined_tails(c), place_of(c))


def edge(c: Children) -> t.Edge:
    where, at, included = c[0].items
    actions: list[t.EdgeAction] = []
    for number, each in enumerate(c):
        if isinstance(each, t.EdgeAction):
            actions.append(evolve(each, condition=c[number + 2]) if actions else each)
    return t.Edge(where, tuple(actions), joined_tails(c), place_of(c), at, included)


def edge_name(c: Children) -> Group:
    words, at = _words(c), _first(c, t.Code)
    first = "row" if words[0] == "roll" else words[0]
    is_open = _tokens(c, "OR_MORE", "OR_LESS")
    side = {"OR_MORE": "above", "OR_LESS": "below"}[is_open[0].type] if is_open else words[-1]
    return Group((f"{first} {side}", at, bool(is_open)), place_of(c))


def place(c: Children) -> t.Place:
    row_, column, *rest = _of(c, t.Code)
    words = [word for word in _words(c) if word in ("page", "inside")]
    return t.Place(row_, column, tuple(zip(words, rest, strict=True)), place_of(c))


def columns(c: Children) -> t.Columns:
    headers, besides = tuple(_of(c, t.HeaderLine)), tuple(_of(c, t.Beside))
    edges, surplus = tuple(_of(c, t.Edge)), tuple(_of(c, t.Surplus))
    return t.Columns(ident(c[1]), _first(c, t.Axis), headers, besides, edges, surplus, joined_tails(c), place_of(c))


# --------------------------------------------------------------------------------------------------- modifiers


def modifiers(c: Children) -> t.Modifiers:
    params, *others = _of(c, Group)
    *rules, items = others
    purpose: tuple[str, tuple[t.Ident, ...]] = ("sum", ())
    which = "cumulative"
    for each in rules:
        kind, value = each.items
        if kind == "rule":
            which = str(value)
        else:
            purpose = kind, tuple(map(ident, value.items))
    return t.Modifiers(ident(c[1]), params.items, *purpose, which, items.items, joined_tails(c), place_of(c))


def purpose(c: Children) -> Group:
    return Group(("shift" if c[0] == "shift" else "roll", c[-1]), place_of(c))


def mod_rule(c: Children) -> Group:
    return Group(("rule", c[-1].items[0] if isinstance(c[-1], Group) else c[-1]), place_of(c))


def which(c: Children) -> Group:
    return Group((c[0],), place_of(c))


def amount(c: Children) -> t.Expr:
    span = place_of(c)
    if len(c) == 1:
        return _signed(number_of(c[0]), span)
    inner = t.Paren(_expr(c), span)
    return t.Negative(inner, span) if c[0] == "-" else inner


def _signed(value: int, span: Span) -> t.Expr:
    return t.Number(value, span) if value >= 0 else t.Negative(t.Number(-value, span), span)


# ----------------------------------------------------------------------------------------- results, procedures


def entry(c: Children) -> t.Entry:
    codes = _of(c, t.Code)
    bare, bare_is = next((each.items for each in _of(c, Group)), (None, None))
    if not codes:
        at = place_of(c)
        raise SyntaxFault("syntax", "an entry must begin with a code", at.start, at.end, "write `X, A is B`")
    lines: Any = tuple(_of(c, *get_args(t.EntryLine)))
    return t.Entry(codes[0], tuple(codes[1:]), bare, bare_is, c[0] == "then", lines, joined_tails(c), place_of(c))


def once_only(c: Children) -> t.Number:
    return t.Number(1, place_of(c))


# ---------------------------------------------------------------------------------------------------- examples


def example(c: Children) -> t.Example:
    *kind, name = c[1].items or (None,)
    lines: Any = tuple(_of(c, *get_args(t.ExampleLine)))
    label = text_of(_tokens(c, "STRING")[0])
    of = None if name is None else ident(name)
    return t.Example(of, label, lines, joined_tails(c), str(*kind), tuple(_of(c, t.Row)), place_of(c))


def played(c: Children) -> Group:
    return Group(tuple(c), place_of(c) if c else None)


def value_number(c: Children) -> t.Value:
    number = number_of(c[-1])
    return t.Value("number", -number if len(c) > 1 else number, (), (), place_of(c))


def value_fraction(c: Children) -> t.Value:
    below = number_of(c[2])
    if below == 0:
        raise SyntaxFault("division-by-zero", "a fraction can't have the denominator 0", c[2].start_pos, c[2].end_pos,
                          "write the total number of cases as the denominator, as in `5/36`")  # fmt: skip
    return t.Value("number", Fraction(number_of(c[0]), below), (), (), place_of(c))


def value_text(c: Children) -> t.Value:
    return t.Value("text", text_of(c[0]), (), (), place_of(c))


def value_constant(c: Children) -> t.Value:
    return t.Value("constant", str(c[0]), (), (), place_of(c))


def value_name(c: Children) -> t.Value:
    return t.Value("name", str(c[0]), (), (), place_of(c))


def value_list(c: Children) -> t.Value:
    return t.Value("list", None, tuple(_of(c, t.Value)), (), place_of(c))


def value_record(c: Children) -> t.Value:
    names = _idents(c)
    return t.Value("record", names[0].name if names else None, (), tuple(_of(c, t.GivenItem)), place_of(c))


def gives(c: Children) -> t.Gives:
    codes = tuple(_of(c, t.Code))
    if isinstance(c[1], t.Code):
        return t.Gives(c[1], None, place_of(c))
    listed = ", ".join(code.text for code in codes) or "nothing"
    return t.Gives(t.Code(listed, place_of(c[1:])), codes, place_of(c))


# ----------------------------------------------------------------------------------------------------- entries


def given_entry(c: Children) -> tuple[t.EntryPart, ...]:
    return tuple(_of(c, t.Value, t.Mark, t.Group))


def given_word(c: Children) -> t.Value:
    token, at = c[0], place_of(c)
    text = str(token)
    if token.type == "STRING":
        return t.Value("text", text[1:-1], (), (), at)
    if token.type == "GIVEN_NUMBER" and len(text) <= MAX_DIGITS:
        return t.Value("number", Fraction(text) if "." in text or "/" in text else int(text), (), (), at)
    if token.type == "GIVEN_NAME":
        return t.Value("constant" if text in ("yes", "no", "none") else "name", text, (), (), at)
    return t.Value("bare", text, (), (), at)


def given_group(c: Children) -> t.Group:
    return t.Group(str(c[0]), given_entry(c), place_of(c))


def answers_entry(c: Children) -> tuple[t.Value, ...]:
    return tuple(map(_answer, _tokens(c, "ANSWER", "STRING")))


def _answer(token: Token) -> t.Value:
    text, at = str(token), place_of([token])
    if token.type == "STRING":
        return t.Value("text", text[1:-1], (), (), at)
    if text in ("yes", "no", "none"):
        return t.Value("constant", text, (), (), at)
    is_whole = text.removeprefix("-").isdecimal() and text.isascii() and len(text) <= MAX_DIGITS
    return t.Value("number", int(text), (), (), at) if is_whole else t.Value("bare", text, (), (), at)


# ------------------------------------------------------------------------------------------------- expressions


def band(c: Children) -> t.Band:
    span = place_of(c)
    if not isinstance(c[0], Token):
        return t.Band(c[0], c[2], span)
    low, high = (None if each is None else _signed(each, span) for each in _bounds(c[0]))
    return t.Band(low, high, span)


def held_within(c: Children) -> t.Held:
    return t.Held(c[0], c[3].low, c[3].high, place_of(c))


def or_more(c: Children) -> t.OrMore:
    way = {"OR_MORE": "more", "OR_LESS": "less", "OR_WORSE": "worse", "OR_BETTER": "better"}[c[1].type]
    return t.OrMore(c[0], way, place_of(c))


def chain(c: Children) -> t.Chain:
    return t.Chain(c[0], tuple((str(sign), of) for sign, of in zip(c[1::2], c[2::2], strict=True)), place_of(c))


def hash(c: Children) -> t.Hash:  # the name of the rule
    return t.Hash(c[0][1:], place_of(c))


def part_of(c: Children) -> t.PartOf:
    return t.PartOf(t.FieldOf(c[0], ident(c[2]), place_of(c[:3])), c[4], place_of(c))
