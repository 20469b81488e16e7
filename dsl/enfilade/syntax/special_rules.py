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


ditto = code


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
    of: t.ListType | t.MapType | t.WordsType | t.NumbersType = c[0]
    if isinstance(of, t.WordsType | t.NumbersType):
        more, optional = c[1].items, len(c) > 2
        kind = t.Ident if isinstance(of, t.WordsType) else t.Number
        for other in more:
            if not isinstance(other, kind):
                raise _mixed(other)
        if isinstance(of, t.WordsType):
            return evolve(of, words=(*of.words, *more), optional=optional, span=place_of(c))
        return evolve(of, values=(*of.values, *more), optional=optional, span=place_of(c))
    inner: Any = type_with_more_words([of.of, *c[1:]])
    return evolve(of, of=inner, span=place_of(c))


def _mixed(value: t.Ident | t.Number) -> SyntaxFault:
    """Return the error for `one of` with words and numbers in one list."""
    return SyntaxFault("syntax", "a type lists either words or numbers", value.span.start, value.span.end,
                       'quote the numbers to make them words: `one of "4", none_left`')  # fmt: skip


def param_or_none(c: Children) -> t.Param:
    """`(unit or none)` is short for `(unit unit or none)`."""
    name = ident(c[0])
    return t.Param(name, t.NamedType(name, True, False, place_of(c)), place_of(c))


# ------------------------------------------------------------------------------------------------------- dice


def face_item(c: Children) -> t.FaceItem:
    face, value = (each.items for each in _of(c, Group))
    number = None
    if value:
        number = -number_of(value[-1]) if len(value) > 1 else number_of(value[0])
    times = None if isinstance(c[0], Group) else c[0]
    return t.FaceItem(times, text_of(face[0]), face[0].type == "STRING", number, place_of(c))


def as_whole(c: Children) -> Group:
    return Group(tuple(c[1:]), place_of(c) if c else None)


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


def named_dice(c: Children) -> t.DiceTerm:
    return t.DiceTerm(t.Number(number_of(c[0]), place_of(c[:1])), ident(c[1]), place_of(c))


def die_name(c: Children) -> t.Ident | t.FieldOf | t.DieOfSize:
    if c[0].__class__ is Token:
        return t.DieOfSize(c[2], place_of(c)) if c[0].type == "D_OF" else ident(c[0])
    return t.FieldOf(c[0], ident(c[2]), place_of(c))


# ------------------------------------------------------------------------------------------------------ charts


def chart(c: Children) -> t.Chart:
    params, like, rows, items = (each.items for each in _of(c, Group))
    if rows:
        items = (t.ChartItem(None, rows, place_of(rows)), *items)
    name = ident(like[0]) if like else None
    return t.Chart(ident(c[1]), params, joined_tails([*c, *like]), name, items, place_of(c))


def row(c: Children) -> t.Row:
    return parse_row(CURRENT.get(), c[1])


def axis(c: Children) -> t.Axis:
    stated: t.Band | t.NumbersType | None = None
    value = None
    first, *others = c[0].items
    numbers = [each for each in c[1].items if isinstance(each.items[0], t.Number)]
    is_list = isinstance(first, Token) and first.type == "ONE_OF"
    if numbers and not (is_list and not any(of.items for _, of in [others, *(each.items for each in numbers[:-1])])):
        at = place_of(numbers[-1:])
        raise SyntaxFault("syntax", f"`{at.text}` is not expected here", at.start, at.end,
                          "to list the only values that can come, write `one of 4, 6, 8 of VALUE`")  # fmt: skip
    if isinstance(first, Token) and first.type == "RANGE":
        stated, value = band([first]), others[-1] if others else None
    elif is_list:
        listed = [others, *(each.items for each in numbers)]
        stated = _stated_numbers([number for number, _ in listed])
        value = next((each for _, of in listed for each in of.items), None)
    else:
        value = first
    modes = {
        each.items[0 if "PRINTED" in each.items[0].type else -1].type: each.items
        for each in c[1].items
        if each not in numbers
    }
    mode = text_of(modes["AT_OR"][-1]) if "AT_OR" in modes else "contains"
    printed = ident(modes["PRINTED_ON"][1]) if "PRINTED_ON" in modes else None
    parts = tuple(ident(each.items[0]) for each in c[1].items if getattr(each.items[0], "type", "") == "NAME")
    return t.Axis(value, stated, mode, printed, place_of(c), parts)


def _stated_numbers(values: list[t.Number]) -> t.NumbersType:
    return t.NumbersType(tuple(values), place_of(values))


def axis_value(c: Children) -> Group:
    return Group(tuple(c), place_of(c))


def axis_mode(c: Children) -> Group:
    return Group(tuple(c), place_of(c))


def severity_rule(c: Children) -> t.SeverityRule:
    shape, way, turn = text_of(c[1]), text_of(c[2]), next(iter(c[3].items), None)
    if "then" in shape and way not in ("down", "right"):
        at = place_of(c[2:3])
        raise SyntaxFault("syntax", f"`{shape}` is read downwards or to the right", at.start, at.end,
                          "write `down` or `to the right`")  # fmt: skip
    return t.SeverityRule(shape, way, turn, c[-1], place_of(c))


def edge(c: Children) -> t.Edge:
    where, at, included = c[0].items
    later = [evolve(action, condition=condition) for action, condition in zip(*[iter(c[2].items)] * 2, strict=True)]
    return t.Edge(where, (c[1], *later), joined_tails(c), place_of(c), at, included)


def edge_name(c: Children) -> Group:
    if len(c) == 1:
        return Group((f"shift {text_of(c[0])}", None, False), place_of(c))
    line = "row" if c[0] == "roll" else str(c[0])
    at, is_open = _first(c, t.Code), c[-1].__class__ is Token and c[-1].type == "OR_WAY"
    side = {"more": "above", "less": "below"}.get(text_of(c[-1]), "") if is_open else str(c[1])
    if not side:
        last = place_of(c[-1:])
        raise SyntaxFault("syntax", f"`{c[-1]}` is not expected here", last.start, last.end,
                          "write `or more` or `or less`")  # fmt: skip
    return Group((f"{line} {side}", at, is_open), place_of(c))


def place(c: Children) -> t.Place:
    if [str(each) for each in _tokens(c, "LINE")] != ["row", "column"]:
        at = place_of(c)
        raise SyntaxFault("syntax", "a cell is named by its row and its column", at.start, at.end,
                          "write `row 7, column 11`")  # fmt: skip
    row_, column = _of(c, t.Code)
    parts = c[-1].items
    return t.Place(row_, column, tuple(zip(map(str, parts[::2]), parts[1::2], strict=True)), place_of(c))


def place_parts(c: Children) -> Group:
    return Group(tuple(each for each in c if each != ","), place_of(c) if c else None)


def columns(c: Children) -> t.Columns:
    lines = c[-2].items
    headers, besides = tuple(_of(lines, t.HeaderLine)), tuple(_of(lines, t.Beside))
    edges, surplus = tuple(_of(lines, t.Edge)), tuple(_of(lines, t.Surplus))
    return t.Columns(ident(c[1]), _first(c, t.Axis), headers, besides, edges, surplus, joined_tails(c), place_of(c))


# --------------------------------------------------------------------------------------------------- modifiers


def modifiers(c: Children) -> t.Modifiers:
    params, (purpose, charts), (rule,), items = (each.items for each in _of(c, Group))
    return t.Modifiers(ident(c[1]), params, purpose, charts, rule, items, joined_tails(c), place_of(c))


def purpose(c: Children) -> Group:
    if not c:
        return Group(("sum", ()), None)
    kind = {"shift columns": "shift", "add to roll": "roll"}[text_of(c[0])]
    return Group((kind, tuple(map(ident, c[1].items))), place_of(c))


def mod_rule(c: Children) -> Group:
    return Group((text_of(c[-1]) if c else "cumulative",), place_of(c) if c else None)


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
    shown, lines = (each.items for each in _of(c, Group))
    codes = _of(shown, t.Code)
    bare, bare_is = next((each.items for each in _of(shown, Group)), (None, None))
    if not codes:
        at = place_of(c)
        raise SyntaxFault("syntax", "an entry must begin with a code", at.start, at.end, "write `X, A is B`")
    return t.Entry(
        codes[0], tuple(codes[1:]), bare, bare_is, c[0].__class__ is Token, lines, joined_tails(c), place_of(c)
    )


def once_only(c: Children) -> t.Number:
    return t.Number(1, place_of(c))


# ---------------------------------------------------------------------------------------------------- examples


def example(c: Children) -> t.Example:
    word, played, label, _, rows, _, below = c
    *kind, name = played.items or (None,)
    lines = tuple(_of(below.items, *get_args(t.ExampleLine)))
    every_row = (*rows.items, *(row for each in _of(below.items, Group) for row in each.items))
    if (word == "example" and every_row) or (word == "examples" and not every_row) or not (lines or every_row):
        raise _wrong_example(str(word), every_row, place_of(c))
    of = None if name is None else ident(name)
    return t.Example(of, text_of(label), lines, joined_tails(c), str(*kind), every_row, place_of(c))


def _wrong_example(word: str, rows: Children, at: Span) -> SyntaxFault:
    if word == "example" and rows:
        first = place_of(rows[:1])
        return SyntaxFault(
            "syntax", "an example has no rows", first.start, first.end, "write `examples` above the rows"
        )
    what = (
        "a table of examples needs rows below it"
        if word == "examples"
        else "this line needs an indented block below it"
    )
    return SyntaxFault(
        "missing-block", what, at.start, at.end, "indent the lines that belong to this line by two blanks"
    )


def played(c: Children) -> Group:
    return Group(tuple(c), place_of(c) if c else None)


def value_number(c: Children) -> t.Value:
    number = number_of(c[-1].items[0])
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
    return tuple(each if isinstance(each, t.Value) else _answer(each) for each in c if _is_answer(each))


def answer_list(c: Children) -> t.Value:
    return t.Value("list", None, answers_entry(c), (), place_of(c))


def _is_answer(child: Any) -> bool:
    return isinstance(child, t.Value) or (isinstance(child, Token) and child.type in ("ANSWER", "STRING"))


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
    return t.Held(c[0], c[2].low, c[2].high, place_of(c))


def chain(c: Children) -> t.Chain:
    return t.Chain(c[0], tuple((str(sign), of) for sign, of in zip(c[1::2], c[2::2], strict=True)), place_of(c))


def hash(c: Children) -> t.Hash:  # the name of the rule
    return t.Hash(c[0][1:], place_of(c))


def part_of(c: Children) -> t.PartOf:
    return t.PartOf(t.FieldOf(c[0], ident(c[2]), place_of(c[:3])), c[4], place_of(c))
