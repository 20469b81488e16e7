"""Pretty-printer of expressions, types and line tails. Used by ``unparse``."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final, assert_never

from enfilade.syntax import tree as t
from enfilade.syntax.unexpected import KEYWORDS

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_CODE: Final = re.compile(r"[^\s,\"<\[\]|:]+|[0-9]+:[0-9]+")
_CONSTANTS: Final = ("yes", "no", "none")
_ROUNDINGS: Final = {
    "down": "down", "up": "up", "nearest": "to nearest", "half down": "half down", "half even": "half even",
}  # fmt: skip


def join(*parts: str) -> str:
    """Join the parts that are not empty with blanks."""
    return " ".join(part for part in parts if part)


def unparse_tail(tail: t.Tail) -> str:
    """``"label" [16.3] assumed "why"``."""
    return join(
        f'"{tail.label}"' if tail.label is not None else "",
        f"[{', '.join(tail.cites)}]" if tail.cites else "",
        f'assumed "{tail.assumed}"' if tail.assumed is not None else "",
    )


def is_plain_name(text: str) -> bool:
    """Whether a word of a type or a value needs no quotes; a keyword needs none there."""
    return _NAME.fullmatch(text) is not None and text not in _CONSTANTS


def unparse_word(word: t.Ident) -> str:
    """Print a word of a type, in quotes unless it is a plain name."""
    return word.name if is_plain_name(word.name) else f'"{word.name}"'


def unparse_code(code: t.Code) -> str:
    """Print a code, in quotes if it would be parsed as something else."""
    plain = _CODE.fullmatch(code.text) and code.text not in KEYWORDS and not code.text.startswith("--")
    return code.text if plain else f'"{code.text}"'


def unparse_number(value: int | Fraction) -> str:
    """Print a number as an integer or a decimal, or as a fraction if it has no finite decimal."""
    if value.denominator == 1:
        return str(value.numerator)
    digits = 0
    while (value * 10**digits).denominator != 1:
        if digits == 18:
            return f"{value.numerator}/{value.denominator}"
        digits += 1
    scaled = str(abs(value * 10**digits)).rjust(digits + 1, "0")
    return f"{'-' if value < 0 else ''}{scaled[:-digits]}.{scaled[-digits:]}"


def unparse_type(type_: t.TypeExpr, between: str = ", ") -> str:
    """Print a type; the words of a parameter's type are joined by ``or``."""
    match type_:
        case t.RangeType(low=low, high=high, whole=whole, optional=optional):
            bounds = "" if low is None and high is None else f"{_shown(low)}..{_shown(high)}"
            return join("" if whole else "number", bounds, "or none" if optional else "")
        case t.FlagType():
            return "yes/no"
        case t.WordsType(words=words, many=many, ordered=ordered):
            between = " < " if ordered else between
            or_none = " or none" if type_.optional else ""
            return ("set of " if many else "one of ") + between.join(map(unparse_word, words)) + or_none
        case t.ListType(of=of, least=least):
            return f"list of {unparse_type(of, between)}" + (f", at least {least}" if least else "")
        case t.MapType(key=key, of=of):
            return f"map of {key.name} to {unparse_type(of, between)}"
        case t.NamedType(name=name, optional=optional, many=many):
            return f"{'set of ' if many else ''}{name.name}{' or none' if optional else ''}"
        case _:
            assert_never(type_)


def _shown(bound: int | None) -> str:
    return "" if bound is None else str(bound)


def unparse_params(params: tuple[t.Param, ...]) -> str:
    """``(unit, amount 1..)``, or nothing."""
    shown = [join(p.name.name, unparse_type(p.type, " or ") if p.type else "") for p in params]
    return f"({', '.join(shown)})" if shown else ""


def unparse_dice(dice: t.Dice) -> str:
    """``2d6 + d8``."""
    return " + ".join(map(_dice_term, dice.terms))


def _dice_term(term: t.DiceTerm) -> str:
    match term.die:
        case t.DieOfSize(size=size):
            die = f"d({unparse_expr(size)})"
        case t.FieldOf():
            die = unparse_expr(term.die)
        case _:
            die = term.die.name
    if term.count is None:
        return die
    glued = isinstance(term.count, t.Number) and re.fullmatch(r"d[0-9]+", die)
    return f"{unparse_expr(term.count)}{die}" if glued else f"{unparse_expr(term.count)} {die}"


def unparse_withs(args: tuple[t.With, ...]) -> str:
    """``with amount 1, fields of a``, or nothing."""
    shown = [f"{a.name.name} {unparse_expr(a.value)}" if a.name else f"fields of {unparse_expr(a.value)}" for a in args]
    return f"with {', '.join(shown)}" if shown else ""


def unparse_relation(relation: t.Relation) -> str:
    """``is not gun``."""
    return f"{relation.op} {unparse_expr(relation.target)}"


def unparse_band(low: t.Expr | None, high: t.Expr | None) -> str:
    """``3..5``; with blanks around the dots if an end is not a plain number."""
    if _is_literal(low) and _is_literal(high):
        return f"{_end(low)}..{_end(high)}"
    return f"{_end(low)} .. {_end(high)}"


def _is_literal(end: t.Expr | None) -> bool:
    if isinstance(end, t.Negative):
        # `-0..5` would be parsed as a range from 0.
        return isinstance(end.of, t.Number) and isinstance(end.of.value, int) and end.of.value != 0
    return end is None or (isinstance(end, t.Number) and isinstance(end.value, int))


def _end(end: t.Expr | None) -> str:
    return "" if end is None else unparse_expr(end)


def _clause(word: str, expr: t.Expr | None) -> str:
    return f"{word} {unparse_expr(expr)}" if expr is not None else ""


def unparse_exprs(items: tuple[t.Expr, ...], between: str = ", ") -> str:
    """Print expressions with a separator between them."""
    return between.join(map(unparse_expr, items))


def unparse_expr(expr: t.Expr) -> str:
    """Print an expression on one line, with the brackets of the tree and no others."""
    match expr:
        case t.Number(value=value):
            return unparse_number(value)
        case t.Text(value=value):
            return f'"{value}"'
        case t.Constant(word=word):
            return word
        case t.Each():
            return "each"
        case t.Nth():
            return "nth"
        case t.Hash(letter=letter):
            return f"#{letter}"
        case t.Name(name=name) | t.Property(name=name):
            return name
        case t.OptionRef(name=name):
            return f"option {name}"
        case t.Invoke(name=ident, args=args):
            return f"{ident.name}({unparse_exprs(args)})"
        case t.FieldOf(of=of, name=ident):
            return f"{unparse_expr(of)}.{ident.name}"
        case t.OfEntry(name=ident, of=of):
            return f"{ident.name} of {unparse_expr(of)}"
        case t.PartOf(map=map_, of=of):
            return f"{unparse_expr(map_)} of {unparse_expr(of)}"
        case t.MapLiteral(entries=entries):
            return f"({', '.join(f'{unparse_word(e.key)} {unparse_expr(e.value)}' for e in entries)})"
        case t.ListOf(items=items):
            return f"[{unparse_exprs(items)}]"
        case t.Paren(of=of):
            return f"({unparse_expr(of)})"
        case t.WordsRef(name=ident):
            return f"words {ident.name}"
        case t.Named(name=ident, of=of):
            return f"{ident.name} in {unparse_expr(of)}"
        case t.Band(low=low, high=high):
            return unparse_band(low, high)
        case t.Negative(of=of):
            return f"-{unparse_expr(of)}"
        case t.Not(of=of):
            return f"not {unparse_expr(of)}"
        case t.Chain(first=first, rest=rest):
            return join(unparse_expr(first), *(f"{sign} {unparse_expr(operand)}" for sign, operand in rest))
        case t.And(items=items):
            return unparse_exprs(items, " and ")
        case t.Or(items=items):
            return unparse_exprs(items, " or ")
        case t.Rounded(of=of, how=how):
            return f"{unparse_expr(of)} rounded {_ROUNDINGS[how]}"
        case t.Held(of=of, low=low, high=high):
            return f"{unparse_expr(of)} but {_held(low, high)}"
        case t.Sorted(of=of, key=key, descending=descending):
            return join(unparse_expr(of), "sorted", _clause("by", key), "high to low" if descending else "")
        case t.Spread(amount=amount, over=over):
            return f"{unparse_expr(amount)} spread evenly over {unparse_expr(over)}"
        case t.ListChange(how=how, of=of, items=changed):
            return f"{unparse_expr(of)} {'followed by' if how == 'followed' else how} {unparse_expr(changed)}"
        case t.OrMore(of=of, way=way):
            return f"{unparse_expr(of)} or {way}"
        case t.Compared(left=left, relation=relation):
            return f"{unparse_expr(left)} {unparse_relation(relation)}"
        case t.Quantified(how=how, over=over, relation=relation):
            return f"{how} of {unparse_expr(over)} {unparse_relation(relation)}"
        case t.QuantifiedWhere(how=how, over=over, where=where):
            return f"{how} of {unparse_expr(over)} where {unparse_expr(where)}"
        case t.Conditional(value=value, condition=condition, otherwise=otherwise):
            return f"{unparse_expr(value)} when {unparse_expr(condition)} otherwise {unparse_expr(otherwise)}"
        case t.Filtered(of=of, where=where):
            return f"{unparse_expr(of)} where {unparse_expr(where)}"
        case t.Aggregate(how=how, item=item, over=of_what, where=filter_):
            return join(f"{how} of", unparse_expr(item), _clause("over", of_what), _clause("where", filter_))
        case t.Extreme(how=how, count=count, of=of, key=key):
            return join(
                how, unparse_expr(count) if count is not None else "", "of", unparse_expr(of), _clause("by", key)
            )
        case t.Item(index=index, of=of):
            return f"item {unparse_expr(index)} of {unparse_expr(of)}"
        case t.ListOver(item=item, over=over, where=filter_):
            return join("list of", unparse_expr(item), "over", unparse_expr(over), _clause("where", filter_))
        case t.MapOver(key=key, value=value, over=over, where=filter_):
            head = f"map of {unparse_expr(key)} to {unparse_expr(value)} over {unparse_expr(over)}"
            return join(head, _clause("where", filter_))
        case t.EffectsSoFar(name=ident):
            return f"effects {ident.name}"
        case t.CardsLeft(deck=ident):
            return f"cards left in {ident.name}"
        case _:
            assert_never(expr)


def _held(low: t.Expr | None, high: t.Expr | None) -> str:
    if low is not None and high is not None:
        return f"within {unparse_band(low, high)}"
    return _clause("at least", low) or _clause("at most", high)
