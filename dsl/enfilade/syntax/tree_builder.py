"""The semantic actions of the LALR parser: each makes one syntax tree node when its grammar rule is reduced.

There is no parse tree to build or walk. The builder has no state: the text being parsed is in a context
variable, which is separate for each thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from fractions import Fraction
from typing import Any, get_args

from attrs import evolve, frozen
from lark import Token

from enfilade.source.text import SourceFile, Span
from enfilade.syntax import tree as t
from enfilade.syntax.chart_rows import parse_row
from enfilade.syntax.fault import SyntaxFault

CURRENT: ContextVar[SourceFile] = ContextVar("the text being parsed")

Children = Sequence[Any]
MAX_DIGITS = 18


@frozen
class _Part:
    """A part of a rule that does not become a node of its own."""

    kind: str
    value: Any
    span: Span


def _place(children: Children) -> Span:
    source = CURRENT.get()
    start = end = None
    for child in children:
        if isinstance(child, Token):
            if child.type[0] != "_":
                start = child.start_pos
                break
        elif child.span is not None:
            start = child.span.start
            break
    for child in reversed(children):
        if isinstance(child, Token):
            if child.type[0] != "_":
                end = child.end_pos
                break
        elif child.span is not None:
            end = child.span.end
            break
    return Span(source, start or 0, end or 0)


def _ident(token: Token) -> t.Ident:
    text = token[1:-1] if token.type == "STRING" else str(token)
    return t.Ident(text, Span(CURRENT.get(), token.start_pos or 0, token.end_pos or 0))


def _idents(children: Children) -> list[t.Ident]:
    return [_ident(c) for c in children if isinstance(c, Token) and c.type == "NAME"]


def _tokens(children: Children, type_: str) -> list[Token]:
    return [c for c in children if isinstance(c, Token) and c.type == type_]


def _has(children: Children, word: str) -> bool:
    return any(isinstance(c, Token) and c == word for c in children)


def _words(children: Children) -> list[str]:
    return [str(c) for c in children if isinstance(c, Token)]


_NOT_EXPR = (t.Tail, t.Ident, _Part, t.Block, t.Dice, t.With, t.Relation, t.Place, t.Code, t.Row, t.RangeType,
             t.FlagType, t.WordsType, t.ListType, t.NamedType, t.MapType, t.MapEntry)  # fmt: skip


def _exprs(children: Children) -> list[t.Expr]:
    return [c for c in children if not isinstance(c, Token) and not isinstance(c, _NOT_EXPR)]


def _of(children: Children, *classes: type) -> list[Any]:
    return [c for c in children if isinstance(c, classes)]


def _part(children: Children, kind: str) -> Any:
    for c in children:
        if isinstance(c, _Part) and c.kind == kind:
            return c.value
    return None


def _tail(children: Children) -> t.Tail:
    """Join the tails of a rule into one: some rules allow a label in two positions."""
    tails = [c for c in children if isinstance(c, t.Tail) and c.span is not None]
    if not tails:
        return t.NO_TAIL
    if len(tails) == 1:
        return tails[0]
    labelled = [c for c in tails if c.label is not None]
    assumed = [c for c in tails if c.assumed is not None]
    for again in (labelled[1:], assumed[1:]):
        if again:
            raise _said_twice(_place(again))
    cites = tuple(cite for c in tails for cite in c.cites)
    return t.Tail(
        labelled[0].label if labelled else None, cites, assumed[0].assumed if assumed else None, tails[0].span
    )


def _said_twice(span: Span) -> SyntaxFault:
    return SyntaxFault("two-labels", "a line can have only one label and one `assumed`", span.start, span.end,
                       "keep one text, and make the other a comment")  # fmt: skip


def _whole(token: Token) -> int:
    _check_digits(token.lstrip("+-").rstrip("."), token)
    return int(token.rstrip("."))


def _decimal(token: Token) -> Fraction:
    _check_digits(token.replace(".", ""), token)
    return Fraction(str(token))


def _bounds(token: Token) -> tuple[int | None, int | None]:
    low, _, high = token.partition("..")
    _check_digits(low.lstrip("-"), token)
    _check_digits(high.lstrip("-"), token)
    return int(low) if low else None, int(high) if high else None


def _check_digits(digits: str, token: Token) -> None:
    if len(digits) > MAX_DIGITS:
        raise SyntaxFault("number-too-long", f"a number may have at most {MAX_DIGITS} digits", token.start_pos or 0,
                          token.end_pos or 0, "write a smaller number")  # fmt: skip


def _literal(value: int | None, span: Span) -> t.Expr | None:
    if value is None:
        return None
    return t.Number(value, span) if value >= 0 else t.Negative(t.Number(-value, span), span)


def _relation_word(children: Children) -> str:
    return "is not" if _has(children, "not") else "is"


class TreeBuilder:
    """Has a method for each rule of the grammar, with the name of the rule."""

    # -- parts ------------------------------------------------------------------------------------------------

    def tail(self, c: Children) -> t.Tail:
        if not c:
            return t.NO_TAIL
        label = assumed = None
        cites: list[str] = []
        for item in c:
            if isinstance(item, _Part) and assumed is None:
                assumed = item.value
            elif isinstance(item, _Part):
                raise _said_twice(item.span)
            elif item.type == "CITATION":
                cites += [cite.strip() for cite in item[1:-1].split(",")]
            elif label is None:
                label = item[1:-1]
            else:
                raise _said_twice(_place([item]))
        return t.Tail(label, tuple(cites), assumed, _place(c))

    def assumed(self, c: Children) -> _Part:
        return _Part("assumed", c[1][1:-1], _place(c))

    def word(self, c: Children) -> t.Ident:
        return _ident(c[0])

    def code(self, c: Children) -> t.Code:
        text = c[0][1:-1] if c[0].type == "STRING" else str(c[0])
        return t.Code(text, _place(c))

    # -- headings ---------------------------------------------------------------------------------------------

    def language(self, c: Children) -> t.Language:
        return t.Language(str(c[1]), _place(c))

    def ruleset(self, c: Children) -> t.RulesetHead:
        base = next((x for x in c[2:] if isinstance(x, Token) and x.type in ("NAME", "STRING")), None)
        is_path = base is not None and base.type == "STRING"
        return t.RulesetHead(_ident(c[1]), _tail(c), None if base is None else _ident(base), is_path, _place(c))

    def source(self, c: Children) -> t.Source:
        return t.Source(_tail(c), _place(c))

    def players(self, c: Children) -> t.Players:
        return t.Players(tuple(_idents(c)), _tail(c), _place(c))

    def option(self, c: Children) -> t.OptionDecl:
        types = [x for x in c if isinstance(x, _TYPES)]
        defaults = _exprs(c)
        return t.OptionDecl(_idents(c)[0], types[0] if types else None, defaults[0] if defaults else None,
                            _tail(c), _place(c))  # fmt: skip

    def use(self, c: Children) -> t.Use:
        return t.Use(_ident(c[1]).name, c[1].type == "STRING", tuple(_of(c, t.Renaming)), _place(c))

    def renaming(self, c: Children) -> t.Renaming:
        return t.Renaming(_ident(c[0]), _ident(c[2]), _place(c))

    # -- types and facts --------------------------------------------------------------------------------------

    def type_range(self, c: Children) -> t.RangeType:
        low, high = (_whole(c[0]), _whole(c[0])) if c[0].type == "INT" else _bounds(c[0])
        return t.RangeType(low, high, True, bool(_tokens(c, "OR_NONE")), _place(c))

    def type_number(self, c: Children) -> t.RangeType:
        ranges = _tokens(c, "RANGE")
        low, high = _bounds(ranges[0]) if ranges else (None, None)
        return t.RangeType(low, high, False, bool(_tokens(c, "OR_NONE")), _place(c))

    def type_flag(self, c: Children) -> t.FlagType:
        return t.FlagType(_place(c))

    def type_one_of(self, c: Children) -> t.WordsType:
        return t.WordsType(tuple(_of(c, t.Ident)), False, _place(c), False, bool(_tokens(c, "OR_NONE")))

    def type_ordered(self, c: Children) -> t.WordsType:
        return t.WordsType(tuple(_of(c, t.Ident)), False, _place(c), True)

    def type_set(self, c: Children) -> t.TypeExpr:
        return t.WordsType(tuple(_of(c, t.Ident)), True, _place(c))

    def type_list(self, c: Children) -> t.ListType:
        least = _tokens(c, "INT")
        return t.ListType(c[2], _whole(least[0]) if least else 0, _place(c))

    def type_map(self, c: Children) -> t.MapType:
        return t.MapType(_ident(c[2]), c[4], _place(c))

    def type_name(self, c: Children) -> t.NamedType:
        return t.NamedType(_ident(c[0]), False, False, _place(c))

    def type_set_named(self, c: Children) -> t.NamedType:
        return t.NamedType(_ident(c[2]), False, True, _place(c))

    def type_optional(self, c: Children) -> t.NamedType:
        return t.NamedType(_ident(c[0]), True, False, _place(c))

    def params(self, c: Children) -> _Part:
        return _Part("params", tuple(_of(c, t.Param)), _place(c))

    def param(self, c: Children) -> t.Param:
        if _tokens(c, "OR_NONE"):
            # `(unit or none)` is short for `(unit unit or none)`.
            return t.Param(_ident(c[0]), t.NamedType(_ident(c[0]), True, False, _place(c)), _place(c))
        return t.Param(_ident(c[0]), c[1] if len(c) > 1 else None, _place(c))

    def field(self, c: Children) -> t.FieldDecl:
        defaults = _exprs(c[2:])
        return t.FieldDecl(_ident(c[0]), c[1], bool(_tokens(c, "REQUIRED")), defaults[0] if defaults else None,
                           _tail(c), _place(c))  # fmt: skip

    def words(self, c: Children) -> t.Words:
        return t.Words(_ident(c[1]), c[2], _tail(c), _place(c))

    def record(self, c: Children) -> t.Record:
        return t.Record(_ident(c[1]), _tail(c), tuple(_of(c, t.FieldDecl)), _place(c))

    def facts(self, c: Children) -> t.Facts:
        return t.Facts(_tail(c), tuple(_of(c, t.FieldDecl)), _place(c))

    own_facts = facts

    def define_expr(self, c: Children) -> t.Define:
        value = _exprs(c)[0]
        case = t.Case(value, None, t.NO_TAIL, value.span)
        return t.Define(_ident(c[1]), _part(c, "params") or (), (case,), False, _tail(c), _place(c))

    def define_cases(self, c: Children) -> t.Define:
        return t.Define(_ident(c[1]), _part(c, "params") or (), tuple(_of(c, t.Case)), True, _tail(c), _place(c))

    def case_when(self, c: Children) -> t.Case:
        return t.Case(c[0], c[2], _tail(c), _place(c))

    def case_otherwise(self, c: Children) -> t.Case:
        return t.Case(c[0], None, _tail(c), _place(c))

    # -- dice -------------------------------------------------------------------------------------------------

    def die(self, c: Children) -> t.Die:
        return t.Die(_ident(c[1]), tuple(_of(c, t.FaceItem)), _tail(c), _place(c))

    def deck(self, c: Children) -> t.Deck:
        lines = tuple(_of(c, t.CardProduct, t.CardLine))
        fields = tuple(_of(c, t.FieldDecl))
        return t.Deck(_ident(c[1]), tuple(_of(c, t.FaceItem)), _tail(c), _place(c), fields, lines)

    def card_product(self, c: Children) -> t.CardProduct:
        return t.CardProduct(tuple(_of(c, t.CardAxis)), _tail(c), _place(c))

    def card_axis(self, c: Children) -> t.CardAxis:
        low, high = _bounds(c[1]) if len(c) > 1 else (None, None)
        return t.CardAxis(_ident(c[0]), low, high, _place(c))

    def card_line(self, c: Children) -> t.CardLine:
        return t.CardLine(_part(c, "copies"), _of(c, t.Ident)[0], tuple(_of(c, t.GivenItem)), _tail(c), _place(c))

    def face_item(self, c: Children) -> t.FaceItem:
        rest = [each for each in c if not isinstance(each, _Part)]
        face = rest[0]
        value = _whole(rest[-1]) if len(rest) > 2 else None
        if value is not None and rest[2] == "-":
            value = -value
        if face.type in ("INT", "RANGE"):
            _bounds(face)
        return t.FaceItem(_part(c, "copies"), _ident(face).name, face.type == "STRING", value, _place(c))

    def copies(self, c: Children) -> _Part:
        return _Part("copies", self.dice_count(c[:-1]), _place(c))

    def dice(self, c: Children) -> t.Dice:
        return t.Dice(tuple(_of(c, t.DiceTerm)), _place(c))

    def dice_term(self, c: Children) -> t.DiceTerm:
        if isinstance(c[0], Token):
            return _ndice(c[0])
        die: _Part = c[-1]
        return t.DiceTerm(c[0] if len(c) > 1 else None, die.value, _place(c))

    def die_name(self, c: Children) -> _Part:
        if c[0].type == "D_OF":
            return _Part("die", t.DieOfSize(c[2], _place(c)), _place(c))
        return _Part("die", _ident(c[0]) if len(c) == 1 else _dotted(c), _place(c))

    def dice_count(self, c: Children) -> t.Expr:
        if isinstance(c[0], t.Invoke):
            return c[0]
        if len(c) > 1:
            return t.Paren(c[1], _place(c)) if c[0] == "(" else _dotted(c)
        if c[0].type == "HASH":
            return self.hash(c)
        return t.Number(_whole(c[0]), _place(c)) if c[0].type == "INT" else t.Name(str(c[0]), _place(c))

    # -- charts -----------------------------------------------------------------------------------------------

    def chart(self, c: Children) -> t.Chart:
        rows = tuple(_of(c, t.Row))
        items = tuple(_of(c, t.ChartItem))
        if rows:
            items = (t.ChartItem(None, rows, _place(rows)), *items)
        like = _idents(c)[1:]
        return t.Chart(_ident(c[1]), _part(c, "params") or (), _tail(c), like[0] if like else None, items, _place(c))

    def chart_item(self, c: Children) -> t.ChartItem:
        return t.ChartItem(c[0], tuple(_of(c, t.Row)), _place(c))

    def row(self, c: Children) -> t.Row:
        return parse_row(CURRENT.get(), c[1])

    def axis_line(self, c: Children) -> t.AxisLine:
        return t.AxisLine(str(c[0]), c[1], _tail(c), _place(c))

    find_line = axis_line

    def axis(self, c: Children) -> t.Axis:
        mode = _part(c, "mode") or "contains"
        stated = None
        value: t.Expr | t.Dice | None
        if isinstance(c[0], Token) and c[0].type in ("NDICE", "DIE"):
            value = t.Dice((_ndice(c[0]),), _place(c[:1]))
        else:
            value = next(iter(_exprs(c)), None)
            if isinstance(c[0], Token) and c[0].type == "RANGE":
                stated = self.band(c[:1])
        parts = tuple(part.value for part in _of(c, _Part) if part.kind == "part")
        return t.Axis(value, stated, mode, _part(c, "printed"), _place(c), parts)

    def mode_part(self, c: Children) -> _Part:
        return _Part("part", _ident(c[0]), _place(c))

    def mode_below(self, c: Children) -> _Part:
        return _Part("mode", "below", _place(c))

    def mode_above(self, c: Children) -> _Part:
        return _Part("mode", "above", _place(c))

    def mode_nearest(self, c: Children) -> _Part:
        return _Part("mode", "nearest", _place(c))

    def mode_printed(self, c: Children) -> _Part:
        return _Part("printed", _ident(c[2]), _place(c))

    def cells_line(self, c: Children) -> t.CellsLine:
        return t.CellsLine(str(c[1]), _tail(c), _place(c))

    def severity_order(self, c: Children) -> t.SeverityOrder:
        return t.SeverityOrder(tuple(_of(c, t.Code)), _tail(c), _place(c))

    def severity_never(self, c: Children) -> t.SeverityRule:
        words = _words(c)
        return t.SeverityRule(f"never {words[2]}", words[-1], None, _tail(c), _place(c))

    def severity_dip(self, c: Children) -> t.SeverityRule:
        words = _words(c)
        shape = " ".join(words[1:4])
        at = _of(c, t.Code)
        way = "right" if words[4] == "to" else "down"
        return t.SeverityRule(shape, way, at[0] if at else None, _tail(c), _place(c))

    def edge(self, c: Children) -> t.Edge:
        actions: list[t.EdgeAction] = []
        conditions = _exprs([x for x in c if not isinstance(x, t.EdgeAction)])
        for action in _of(c, t.EdgeAction):
            condition = conditions[len(actions) - 1] if actions else None
            actions.append(t.EdgeAction(action.act, action.name, condition, action.span))
        where, at, included = _part(c, "edge")
        return t.Edge(where, tuple(actions), _tail(c), _place(c), at, included)

    def edge_name(self, c: Children) -> _Part:
        words, codes = _words(c), _of(c, t.Code)
        first = "row" if words[0] == "roll" else words[0]
        is_open = [token.type for token in c if isinstance(token, Token) and token.type in ("OR_MORE", "OR_LESS")]
        side = {"OR_MORE": "above", "OR_LESS": "below"}[is_open[0]] if is_open else words[-1]
        return _Part("edge", (f"{first} {side}", codes[0] if codes else None, bool(is_open)), _place(c))

    def mark_line(self, c: Children) -> t.CellMark:
        conditions = _exprs(c)
        return t.CellMark(c[1], _ident(c[2]), conditions[0] if conditions else None, _tail(c), _place(c))

    def note_line(self, c: Children) -> t.ChartNote:
        return t.ChartNote(str(c[1]), tuple(_of(c, t.Code)), _tail(c), _place(c))

    def column_reads(self, c: Children) -> t.ColumnReads:
        *labels, reads = _of(c, t.Code)
        return t.ColumnReads(tuple(labels), reads, _tail(c), _place(c))

    def edge_action(self, c: Children) -> t.EdgeAction:
        act = str(c[0])
        name = None
        if act == "gives":
            name = c[1].text
        elif act == "refuse":
            name = str(c[1])
        return t.EdgeAction(act, name, None, _place(c))

    def header_line(self, c: Children) -> t.HeaderLine:
        conditions = _exprs(c)
        row = parse_row(CURRENT.get(), _tokens(c, "ROW_TEXT")[0])
        return t.HeaderLine(conditions[0] if conditions else None, row.cells, _tail(c), _place(c))

    def page_line(self, c: Children) -> t.PageLine:
        return t.PageLine(tuple(_of(c, t.Code)), _tail(c), _place(c))

    def place(self, c: Children) -> t.Place:
        codes = _of(c, t.Code)
        words = [w for w in _words(c) if w in ("page", "inside")]
        return t.Place(codes[0], codes[1], tuple(zip(words, codes[2:], strict=True)), _place(c))

    def erratum(self, c: Children) -> t.Erratum:
        conditions = _exprs(c)
        return t.Erratum(_of(c, t.Place)[0], _of(c, t.Code)[0], conditions[0] if conditions else None, _tail(c),
                         _place(c))  # fmt: skip

    def columns(self, c: Children) -> t.Columns:
        axis = _of(c, t.Axis)[0]
        headers, besides = tuple(_of(c, t.HeaderLine)), tuple(_of(c, t.Beside))
        edges, surplus = tuple(_of(c, t.Edge)), tuple(_of(c, t.Surplus))
        return t.Columns(_ident(c[1]), axis, headers, besides, edges, surplus, _tail(c), _place(c))

    def beside(self, c: Children) -> t.Beside:
        codes = _of(c, t.Code)
        return t.Beside(_ident(c[1]), c[2], codes[0] if codes else None, _tail(c), _place(c))

    def surplus(self, c: Children) -> t.Surplus:
        return t.Surplus(tuple(_of(c, t.Code)), _tail(c), _place(c))

    # -- modifiers --------------------------------------------------------------------------------------------

    def modifiers(self, c: Children) -> t.Modifiers:
        purpose, charts = _part(c, "purpose") or ("sum", ())
        items = tuple(_of(c, t.ModLine, t.ModSection, t.ModNet))
        rule = _part(c, "rule") or "cumulative"
        return t.Modifiers(_ident(c[1]), _part(c, "params") or (), purpose, charts, rule, items, _tail(c), _place(c))

    def shift_columns(self, c: Children) -> _Part:
        return _Part("purpose", ("shift", tuple(_idents(c))), _place(c))

    def add_to_roll(self, c: Children) -> _Part:
        return _Part("purpose", ("roll", tuple(_idents(c))), _place(c))

    def mod_rule(self, c: Children) -> _Part:
        return _Part("rule", _part(c, "which") or "cumulative", _place(c))

    def which(self, c: Children) -> _Part:
        return _Part("which", str(c[0]), _place(c))

    def mod_line(self, c: Children) -> t.ModLine:
        amount, condition = _exprs([x for x in c if not isinstance(x, t.But)])
        return t.ModLine(amount, _idents(c)[0], condition, tuple(_of(c, t.But)), _tail(c), _place(c))

    def amount(self, c: Children) -> t.Expr:
        span = _place(c)
        if c[0].type == "AMOUNT":
            value = _whole(c[0])
            return t.Number(value, span) if value >= 0 else t.Negative(t.Number(-value, span), span)
        if c[0].type == "INT":
            return t.Number(_whole(c[0]), span)
        inner = t.Paren(_exprs(c)[0], span)
        return t.Negative(inner, span) if c[0] == "-" else inner

    def but_amount(self, c: Children) -> t.But:
        return t.But(c[1], c[3], _tail(c), _place(c))

    def but_not(self, c: Children) -> t.But:
        return t.But(None, c[3], _tail(c), _place(c))

    def never_together(self, c: Children) -> t.ModSection:
        return self._section("never together", c)

    def only_one(self, c: Children) -> t.ModSection:
        return self._section("only one", c)

    def for_each_reader(self, c: Children) -> t.ModSection:
        return self._section("for each", c)

    def mods_when(self, c: Children) -> t.ModSection:
        return self._section("when", c)

    def _section(self, kind: str, c: Children) -> t.ModSection:
        items = tuple(_of(c, t.ModLine, t.ModSection, t.ModNet))
        conditions = _exprs([x for x in c if x not in items]) if kind == "when" else []
        record = _idents(c)[0] if kind == "for each" else None
        condition = conditions[0] if conditions else None
        return t.ModSection(kind, _part(c, "which"), record, condition, items, _tail(c), _place(c))

    def mod_net(self, c: Children) -> t.ModNet:
        return t.ModNet(str(c[2]), _exprs(c)[0], _tail(c), _place(c))

    # -- effects and results ----------------------------------------------------------------------------------

    def effect(self, c: Children) -> t.Effect:
        steps = tuple(t.Step(None, s, s.span) for s in c if isinstance(s, _STATEMENTS))
        return t.Effect(_ident(c[1]), _part(c, "params") or (), steps, _tail(c), _place(c))

    def results(self, c: Children) -> t.Results:
        names = _idents(c)
        record = names.pop() if "for" in _words(c) else None
        return t.Results(names[0], tuple(names[1:]), record, tuple(_of(c, t.Entry)), _tail(c), _place(c))

    def entry(self, c: Children) -> t.Entry:
        codes = _of(c, t.Code)
        bare, bare_is = _part(c, "bare") or (None, None)
        if not codes:
            at = _place(c)
            raise SyntaxFault("syntax", "an entry must begin with a code", at.start, at.end, "write `X, A is B`")
        lines: tuple[t.EntryLine, ...] = tuple(_of(c, t.EachReader, t.Once, t.ThenCode, *_STATEMENTS))
        return t.Entry(codes[0], tuple(codes[1:]), bare, bare_is, c[0] == "then", lines, _tail(c), _place(c))

    def bare_code(self, c: Children) -> _Part:
        return _Part("bare", (c[0], c[2]), _place(c))

    def then_code(self, c: Children) -> t.ThenCode:
        return t.ThenCode(c[1], _tail(c), _place(c))

    def each_reader(self, c: Children) -> t.EachReader:
        where = _exprs(c)
        return t.EachReader(where[0] if where else None, c[-1], _place(c))

    def once(self, c: Children) -> t.Once:
        return t.Once(c[-1], _place(c))

    # -- steps ------------------------------------------------------------------------------------------------

    def procedure(self, c: Children) -> t.Procedure:
        facts = _of(c, t.Facts)
        helper = c[0] == "helper"
        name = _ident(c[2] if helper else c[1])
        return t.Procedure(name, facts[0] if facts else None, tuple(_of(c, t.Step)), _tail(c), helper, _place(c))

    def step(self, c: Children) -> t.Step:
        number = _whole(c[0]) if isinstance(c[0], Token) else None
        return t.Step(number, c[-1], _place(c))

    def block_inline(self, c: Children) -> t.Block:
        return t.Block((t.Step(None, c[1], c[1].span),), True, t.NO_TAIL, _place(c))

    def block_indented(self, c: Children) -> t.Block:
        return t.Block(tuple(_of(c, t.Step)), False, _tail(c), _place(c))

    def refuse(self, c: Children) -> t.Refuse:
        return t.Refuse(_ident(c[1]), _exprs(c)[0], _tail(c), _place(c))

    def roll(self, c: Children) -> t.Roll:
        names = _idents(c)
        return t.Roll(_of(c, t.Dice)[0], names[0], _roll_rules(c), _part(c, "who"), _tail(c), _place(c))

    def explode(self, c: Children) -> t.RollRule:
        return t.RollRule("explode", c[2], _bound(c[3:]), False, _place(c))

    def added_to_the_die(self, c: Children) -> _Part:
        return _Part("adds", True, _place(c))

    def reroll(self, c: Children) -> t.RollRule:
        times = t.Number(1, _place(c[2:])) if _has(c, "once") else _bound(c[2:])
        return t.RollRule("reroll", c[1], times, False, _place(c))

    def draw(self, c: Children) -> t.Draw:
        names = _idents(c)
        return t.Draw(_exprs(c)[0], names[0], names[1], _part(c, "who"), _tail(c), _place(c))

    def remove_cards(self, c: Children) -> t.MoveCards:
        return t.MoveCards("remove", c[1], _ident(c[3]), _tail(c), _place(c))

    def return_cards(self, c: Children) -> t.MoveCards:
        return t.MoveCards("return", c[1], _ident(c[3]), _tail(c), _place(c))

    def reshuffle(self, c: Children) -> t.Reshuffle:
        return t.Reshuffle(_ident(c[1]), _tail(c), _place(c))

    def let(self, c: Children) -> t.Let:
        return t.Let(_ident(c[1]), _exprs(c)[0], _tail(c), _place(c))

    def lvalue(self, c: Children) -> _Part:
        return _Part("lvalue", (tuple(_idents(c)), _after(c, "of")), _place(c))

    def becomes(self, c: Children) -> t.Becomes:
        target, entry = c[0].value
        return t.Becomes(target, _exprs(c)[0], _tail(c), entry, _place(c))

    def must(self, c: Children) -> t.Must:
        subject, entry = c[0].value
        has_condition = _has(c, "when")
        values = tuple(_exprs(c))
        targets, condition = (values[:-1], values[-1]) if has_condition else (values, None)
        return t.Must(subject, targets, condition, _tail(c), entry, _place(c))

    def read(self, c: Children) -> t.Read:
        names = _idents(c)
        each, readers = _part(c, "read_for") or (None, None)
        roll = _exprs(c)
        return t.Read(names[0], _part(c, "arguments") or (), roll[0] if roll else None, each, readers,
                      names[1] if len(names) > 1 else None, _tail(c), _place(c))  # fmt: skip

    def for_each_of(self, c: Children) -> _Part:
        readers = _exprs(c)
        return _Part("read_for", (_idents(c)[0], readers[0] if readers else None), _place(c))

    def for_one(self, c: Children) -> _Part:
        return _Part("read_for", (None, c[1]), _place(c))

    def apply(self, c: Children) -> t.Apply:
        parts = _exprs(c)
        return t.Apply(parts[0], parts[1] if len(parts) > 1 else None, _tail(c), _place(c))

    def with_item(self, c: Children) -> t.With:
        name = _ident(c[0]) if c[0].type == "NAME" else None
        return t.With(name, c[-1], _place(c))

    def perform(self, c: Children) -> t.Perform:
        on = _exprs(c)
        return t.Perform(_ident(c[0]), on[0] if on else None, tuple(_of(c, t.With)), _tail(c), _place(c))

    def who(self, c: Children) -> _Part:
        names = _idents(c)
        player: t.Expr = t.Name(names[0].name, names[0].span)
        for name in names[1:]:
            player = t.FieldOf(player, name, names[0].span.to(name.span))
        return _Part("who", player, _place(c))

    def choose(self, c: Children) -> t.Choose:
        parts = _exprs(c)
        count, among = (parts[0], parts[1]) if len(parts) > 1 else (None, parts[0])
        tails = _tail([*c, *(_part(c, "if_any") or ())])
        if_any = _part(c, "if_any") is not None
        return t.Choose(_part(c, "who"), count, _idents(c)[0], among, if_any, _has(c, "may"), tails, _place(c))

    def if_any(self, c: Children) -> _Part:
        return _Part("if_any", tuple(_of(c, t.Tail)), _place(c))

    def choose_whether(self, c: Children) -> t.ChooseWhether:
        return t.ChooseWhether(_part(c, "who"), _idents(c)[0], _tail(c), _place(c))

    def choose_word(self, c: Children) -> t.ChooseWord:
        words = tuple(_of(c, t.Ident))
        return t.ChooseWord(_part(c, "who"), _idents(c)[0], words, _has(c, "may"), _tail(c), _place(c))

    def assign(self, c: Children) -> t.Assign:
        names, parts = _idents(c), _exprs(c)
        name = names[1] if len(names) > 1 else None
        withs = tuple(_of(c, t.With))
        return t.Assign(_part(c, "who"), parts[0], names[0], withs, parts[1], name, _tail(c), _place(c))

    def when(self, c: Children) -> t.When:
        return t.When(c[1], c[2], _part(c, "otherwise"), _place(c))

    def otherwise(self, c: Children) -> _Part:
        return _Part("otherwise", c[-1], _place(c))

    def for_each(self, c: Children) -> t.ForEach:
        return t.ForEach(_ident(c[2]), c[4], c[-1], _place(c))

    def repeat_until(self, c: Children) -> t.RepeatUntil:
        is_while = c[1].type == "WHILE"
        return t.RepeatUntil(c[2], is_while, _part(c, "most"), _part(c, "limit"), c[-1], _place(c))

    def at_most_times(self, c: Children) -> _Part:
        return _Part("most", c[3], _place(c))

    def limit_times(self, c: Children) -> _Part:
        return _Part("limit", _whole(c[2]), _place(c))

    def repeat_times(self, c: Children) -> t.RepeatTimes:
        return t.RepeatTimes(c[1], c[-1], _place(c))

    def together(self, c: Children) -> t.Together:
        return t.Together(c[-1], _place(c))

    def leave(self, c: Children) -> t.Leave:
        return t.Leave(_tail(c), _place(c))

    def stop(self, c: Children) -> t.Stop:
        return t.Stop(_tail(c), _place(c))

    def call(self, c: Children) -> t.Call:
        names = _idents(c)
        name = names[1] if len(names) > 1 else None
        return t.Call(names[0], tuple(_of(c, t.With)), name, _part(c, "if_refused"), _tail(c), _place(c))

    def if_refused(self, c: Children) -> _Part:
        return _Part("if_refused", c[-1], _place(c))

    def give(self, c: Children) -> t.Give:
        value = _exprs(c)
        return t.Give(_ident(c[1]), value[0] if value else None, _tail(c), _place(c))

    def give_fields(self, c: Children) -> t.GiveFields:
        return t.GiveFields(_exprs(c)[0], _tail(c), _place(c))

    # -- events and examples ----------------------------------------------------------------------------------

    def event(self, c: Children) -> t.Event:
        return t.Event(_ident(c[1]), _tail(c), _place(c))

    def on_event(self, c: Children) -> t.OnEvent:
        return t.OnEvent(_ident(c[1]), tuple(_of(c, t.Unless, t.StartLine)), _tail(c), _place(c))

    def unless(self, c: Children) -> t.Unless:
        return t.Unless(c[1], _ident(c[2]), _tail(c), _place(c))

    def start_line(self, c: Children) -> t.StartLine:
        return t.StartLine(_ident(c[1]), tuple(_of(c, t.With)), _tail(c), _place(c))

    def example(self, c: Children) -> t.Example:
        names = _idents(c)
        lines = tuple(x for x in c if isinstance(x, _EXAMPLE_LINES))
        label = _tokens(c, "STRING")[0][1:-1]
        kind = next((word for word in _words(c[1:2]) if word in ("chart", "define", "modifiers")), "")
        rows = tuple(_of(c, t.Row))
        return t.Example(names[0] if names else None, label, lines, _tail(c), kind, rows, _place(c))

    def case_entry(self, c: Children) -> t.ExampleLine:
        line: t.ExampleLine = c[0]
        return line

    def given(self, c: Children) -> t.Given:
        return t.Given(tuple(_of(c, t.GivenItem)), _place(c))

    def given_item(self, c: Children) -> t.GivenItem:
        return t.GivenItem(_ident(c[0]), c[1] if len(c) > 1 else None, _place(c))

    def value_number(self, c: Children) -> t.Value:
        token = c[-1]
        number = _decimal(token) if token.type == "DECIMAL" else _whole(token)
        return t.Value("number", -number if len(c) > 1 else number, (), (), _place(c))

    def value_fraction(self, c: Children) -> t.Value:
        if _whole(c[2]) == 0:
            message, help_ = (
                "a fraction can't have the denominator 0",
                "write the total number of cases as the denominator, as in `5/36`",
            )
            raise SyntaxFault("division-by-zero", message, c[2].start_pos, c[2].end_pos, help_)
        return t.Value("number", Fraction(_whole(c[0]), _whole(c[2])), (), (), _place(c))

    def value_text(self, c: Children) -> t.Value:
        return t.Value("text", c[0][1:-1], (), (), _place(c))

    def value_constant(self, c: Children) -> t.Value:
        return t.Value("constant", str(c[0]), (), (), _place(c))

    def value_name(self, c: Children) -> t.Value:
        return t.Value("name", str(c[0]), (), (), _place(c))

    def value_list(self, c: Children) -> t.Value:
        return t.Value("list", None, tuple(_of(c, t.Value)), (), _place(c))

    def value_record(self, c: Children) -> t.Value:
        names = _idents(c)
        return t.Value("record", names[0].name if names else None, (), tuple(_of(c, t.GivenItem)), _place(c))

    def ex_option(self, c: Children) -> t.ExOption:
        value = _of(c, t.Value)
        return t.ExOption(t.GivenItem(_ident(c[1]), value[0] if value else None, _place(c)), _place(c))

    def ex_on(self, c: Children) -> t.ExOn:
        codes = [
            t.Code(_ident(x).name, _place([x]))
            for x in c
            if isinstance(x, Token) and x.type in ("CODE", "RATIO", "STRING")
        ]
        return t.ExOn(tuple(codes), _place(c))

    def choosing(self, c: Children) -> t.Choosing:
        return t.Choosing(tuple(_of(c, t.Value)), _place(c))

    def gives(self, c: Children) -> t.Gives:
        codes = tuple(_of(c, t.Code))
        if isinstance(c[1], t.Code):
            return t.Gives(c[1], None, _place(c))
        listed = ", ".join(code.text for code in codes) or "nothing"
        return t.Gives(t.Code(listed, _place(c[1:])), codes, _place(c))

    def ex_effect(self, c: Children) -> t.ExEffect:
        on = _of(c, t.Value)
        return t.ExEffect(_ident(c[1]), on[0] if on else None, tuple(_of(c, t.GivenItem)), _place(c))

    def no_effects(self, c: Children) -> t.NoEffects:
        return t.NoEffects(_place(c))

    def expect(self, c: Children) -> t.Expect:
        return t.Expect(c[1], _place(c))

    def refused(self, c: Children) -> t.Refused:
        return t.Refused(_ident(c[1]), _place(c))

    def input_error(self, c: Children) -> t.ExpectInputError:
        return t.ExpectInputError(_ident(c[2]), _place(c))

    def chance(self, c: Children) -> t.Chance:
        return t.Chance(c[2], c[4], _place(c))

    def starts(self, c: Children) -> t.Starts:
        names = _idents(c)
        return t.Starts(names[0], names[1] if len(names) > 1 else None, _place(c))

    # -- entries ----------------------------------------------------------------------------------------------

    def given_entry(self, c: Children) -> tuple[t.EntryPart, ...]:
        return tuple(_of(c, t.Value, t.Mark, t.Group))

    def given_word(self, c: Children) -> t.Value:
        token, place = c[0], _place(c)
        text = str(token)
        if token.type == "STRING":
            return t.Value("text", text[1:-1], (), (), place)
        if token.type == "GIVEN_NUMBER" and len(text) <= MAX_DIGITS:
            return t.Value("number", Fraction(text) if "." in text or "/" in text else int(text), (), (), place)
        if token.type == "GIVEN_NAME":
            return t.Value("constant" if text in ("yes", "no", "none") else "name", text, (), (), place)
        return t.Value("bare", text, (), (), place)

    def given_mark(self, c: Children) -> t.Mark:
        return t.Mark(str(c[0]), _place(c))

    def given_group(self, c: Children) -> t.Group:
        return t.Group(str(c[0]), tuple(_of(c, t.Value, t.Mark, t.Group)), _place(c))

    def answers_entry(self, c: Children) -> tuple[t.Value, ...]:
        answers = (x for x in c if isinstance(x, Token) and x.type in ("ANSWER", "STRING"))
        return tuple(_answer(token, _place([token])) for token in answers)

    # -- variants ---------------------------------------------------------------------------------------------

    def replace_all(self, c: Children) -> t.Replace:
        return t.Replace(c[1], _place(c))

    def replace_modifier(self, c: Children) -> t.ReplaceModifier:
        names = _idents(c)
        return t.ReplaceModifier(names[0], names[1], tuple(_of(c, t.ModLine)), _place(c))

    def replace_step(self, c: Children) -> t.ReplaceStep:
        return t.ReplaceStep(_whole(c[2]), _idents(c)[0], tuple(_of(c, t.Step)), _place(c))

    def replace_cell(self, c: Children) -> t.ReplaceCell:
        return t.ReplaceCell(_idents(c)[0], _of(c, t.Place)[0], _of(c, t.Code)[0], _tail(c), _place(c))

    def add_to(self, c: Children) -> t.AddTo:
        return t.AddTo(c[2], _place(c))

    def remove_part(self, c: Children) -> t.RemovePart:
        names = _idents(c)
        steps = _tokens(c, "INT")
        if steps:
            return t.RemovePart(None, _whole(steps[0]), names[0], _place(c))
        return t.RemovePart(names[0], None, names[1], _place(c))

    def remove_all(self, c: Children) -> t.Remove:
        return t.Remove(c[1].value, _ident(c[2]), _place(c))

    def remove_results(self, c: Children) -> t.Remove:
        return t.Remove("results", _ident(c[3]), _place(c))

    def kind(self, c: Children) -> _Part:
        return _Part("kind", str(c[0]), _place(c))

    # -- expressions ------------------------------------------------------------------------------------------

    def conditional(self, c: Children) -> t.Expr:
        return t.Conditional(c[0], c[2], c[4], _place(c))

    def filtered(self, c: Children) -> t.Expr:
        return t.Filtered(c[0], c[2], _place(c))

    def expr_or(self, c: Children) -> t.Expr:
        return t.Or(tuple(c[::2]), _place(c))

    def expr_and(self, c: Children) -> t.Expr:
        return t.And(tuple(c[::2]), _place(c))

    def negation(self, c: Children) -> t.Expr:
        return t.Not(c[1], _place(c))

    def compared(self, c: Children) -> t.Expr:
        return t.Compared(c[0], c[1], _place(c))

    def quantified(self, c: Children) -> t.Expr:
        return t.Quantified(str(c[0]), c[2], c[3], _place(c))

    def quantified_where(self, c: Children) -> t.Expr:
        return t.QuantifiedWhere(str(c[0]), c[2], c[4], _place(c))

    def relation_is(self, c: Children) -> t.Relation:
        return t.Relation(_relation_word(c), c[-1], _place(c))

    def relation_order(self, c: Children) -> t.Relation:
        return t.Relation(str(c[0]), c[1], _place(c))

    def relation_has(self, c: Children) -> t.Relation:
        return t.Relation("has", c[1], _place(c))

    def target_or(self, c: Children) -> t.Expr:
        way = {"OR_MORE": "more", "OR_LESS": "less", "OR_WORSE": "worse", "OR_BETTER": "better"}[c[1].type]
        return t.OrMore(c[0], way, _place(c))

    def target_property(self, c: Children) -> t.Expr:
        return t.Property(str(c[0]), _place(c))

    def band(self, c: Children) -> t.Band:
        span = _place(c)
        if isinstance(c[0], Token):
            low, high = _bounds(c[0])
            return t.Band(_literal(low, span), _literal(high, span), span)
        return t.Band(c[0], c[2], span)

    def rounded(self, c: Children) -> t.Expr:
        how = " ".join(w for w in _words(c)[1:] if w != "to")
        return t.Rounded(c[0], how, _place(c))

    def at_least(self, c: Children) -> t.Expr:
        return t.Held(c[0], c[4], None, _place(c))

    def at_most(self, c: Children) -> t.Expr:
        return t.Held(c[0], None, c[4], _place(c))

    def within(self, c: Children) -> t.Expr:
        return t.Held(c[0], c[3].low, c[3].high, _place(c))

    def sorted(self, c: Children) -> t.Expr:
        key = c[3] if len(c) > 3 and c[2] == "by" else None
        return t.Sorted(c[0], key, _has(c, "high"), _place(c))

    def spread(self, c: Children) -> t.Expr:
        return t.Spread(c[0], c[-1], _place(c))

    def list_change(self, c: Children) -> t.Expr:
        return t.ListChange(str(c[1]), c[0], c[-1], _place(c))

    def sum(self, c: Children) -> t.Expr:
        rest = tuple((str(c[i]), c[i + 1]) for i in range(1, len(c), 2))
        return t.Chain(c[0], rest, _place(c))

    product = sum

    def negative(self, c: Children) -> t.Expr:
        return t.Negative(c[1], _place(c))

    def field_of(self, c: Children) -> t.Expr:
        return t.FieldOf(c[0], _ident(c[2]), _place(c))

    def number(self, c: Children) -> t.Expr:
        value = _decimal(c[0]) if c[0].type == "DECIMAL" else _whole(c[0])
        return t.Number(value, _place(c))

    def text(self, c: Children) -> t.Expr:
        return t.Text(c[0][1:-1], _place(c))

    def constant(self, c: Children) -> t.Expr:
        return t.Constant(str(c[0]), _place(c))

    def each(self, c: Children) -> t.Expr:
        return t.Each(_place(c))

    def nth(self, c: Children) -> t.Expr:
        return t.Nth(_place(c))

    def hash(self, c: Children) -> t.Expr:
        return t.Hash(c[0][1:], _place(c))

    def name(self, c: Children) -> t.Expr:
        return t.Name(str(c[0]), _place(c))

    def arguments(self, c: Children) -> _Part:
        return _Part("arguments", tuple(_exprs(c)), _place(c))

    def invoke(self, c: Children) -> t.Expr:
        return t.Invoke(_ident(c[0]), c[1].value, _place(c))

    def of_entry(self, c: Children) -> t.Expr:
        return t.OfEntry(_ident(c[0]), c[2], _place(c))

    def option_ref(self, c: Children) -> t.Expr:
        return t.OptionRef(str(c[1]), _place(c))

    def paren(self, c: Children) -> t.Expr:
        return t.Paren(c[1], _place(c))

    def part_of(self, c: Children) -> t.Expr:
        return t.PartOf(t.FieldOf(c[0], _ident(c[2]), _place(c[:3])), c[4], _place(c))

    def map_literal(self, c: Children) -> t.Expr:
        return t.MapLiteral(tuple(_of(c, t.MapEntry)), _place(c))

    def map_entry(self, c: Children) -> t.MapEntry:
        return t.MapEntry(c[0], c[1], _place(c))

    def words_ref(self, c: Children) -> t.Expr:
        return t.WordsRef(_ident(c[1]), _place(c))

    def named(self, c: Children) -> t.Expr:
        return t.Named(_ident(c[0]), c[2], _place(c))

    def list_literal(self, c: Children) -> t.Expr:
        return t.ListOf(tuple(_exprs(c)), _place(c))

    def aggregate(self, c: Children) -> t.Expr:
        return t.Aggregate(str(c[0]), c[2], _after(c, "over"), _after(c, "where"), _place(c))

    def extreme(self, c: Children) -> t.Expr:
        return t.Extreme(str(c[0]), c[1], c[3], _after(c, "by"), _place(c))

    def best(self, c: Children) -> t.Expr:
        return t.Extreme(str(c[0]), None, c[2], c[4], _place(c))

    def item(self, c: Children) -> t.Expr:
        return t.Item(c[1], c[3], _place(c))

    def list_over(self, c: Children) -> t.Expr:
        return t.ListOver(c[2], c[4], _after(c, "where"), _place(c))

    def map_over(self, c: Children) -> t.Expr:
        return t.MapOver(c[2], c[4], c[6], _after(c, "where"), _place(c))

    def effects_so_far(self, c: Children) -> t.Expr:
        return t.EffectsSoFar(_ident(c[1]), _place(c))

    def cards_left(self, c: Children) -> t.Expr:
        return t.CardsLeft(_ident(c[3]), _place(c))


def _after(children: Children, word: str) -> Any:
    """The node after an optional keyword, or ``None``."""
    for index, child in enumerate(children[:-1]):
        if isinstance(child, Token) and child == word:
            return children[index + 1]
    return None


def _roll_rules(c: Children) -> tuple[t.RollRule, ...]:
    """The rules of a roll; `added to the die` belongs to the rule before it."""
    rules: list[t.RollRule] = []
    for each in c:
        if isinstance(each, t.RollRule):
            rules.append(each)
        elif isinstance(each, _Part) and each.kind == "adds":
            if not rules or rules[-1].act != "explode":
                message = "`added to the die` is possible only after `explode`"
                help_ = "write `explode on ..., added to the die`"
                raise SyntaxFault("syntax", message, each.span.start, each.span.end, help_)
            rules[-1] = evolve(rules[-1], adds=True)
    return tuple(rules)


def _bound(c: Children) -> t.Expr | None:
    """The number in `at most N times`."""
    return next((c[at + 1] for at, each in enumerate(c) if each == "most"), None)


def _dotted(c: Children) -> t.Expr:
    """``unit.trait``."""
    found: t.Expr = t.Name(str(c[0]), _place(c[:1]))
    for at in range(2, len(c), 2):
        found = t.FieldOf(found, _ident(c[at]), _place(c[: at + 1]))
    return found


def _ndice(token: Token) -> t.DiceTerm:
    span = _place([token])
    count, _, faces = token.partition("d")
    die = t.Ident(f"d{faces}", span)
    _check_digits(count, token)
    _check_digits(faces, token)
    if not count:
        return t.DiceTerm(None, die, span)
    return t.DiceTerm(t.Number(int(count), span), die, span)


_TYPES = (t.RangeType, t.FlagType, t.WordsType, t.ListType, t.NamedType, t.MapType)
_STATEMENTS = get_args(t.Statement)
_EXAMPLE_LINES = get_args(t.ExampleLine)

Callback = Callable[[Children], Any]


def _answer(token: Token, place: Span) -> t.Value:
    text = str(token)
    if token.type == "STRING":
        return t.Value("text", text[1:-1], (), (), place)
    if text in ("yes", "no", "none"):
        return t.Value("constant", text, (), (), place)
    is_whole = text.removeprefix("-").isdecimal() and text.isascii() and len(text) <= MAX_DIGITS
    return t.Value("number", int(text), (), (), place) if is_whole else t.Value("bare", text, (), (), place)
