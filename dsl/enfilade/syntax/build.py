"""Makes syntax tree nodes of completed grammar rules, by the labels in the grammar.

The parser calls one of these for each rule that it completes, so there is no parse tree to build or walk. A callback
has no state: the text being parsed is in a context variable, which is separate for each thread. ``special_rules.py``
has the rules whose nodes are not made of their children one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from fractions import Fraction
from typing import Any, Final

from attrs import NOTHING, fields, frozen
from lark import Token

from enfilade.source.text import SourceFile, Span
from enfilade.syntax import tree as t
from enfilade.syntax.chart_rows import parse_row
from enfilade.syntax.fault import SyntaxFault
from enfilade.syntax.phrases import options, value_of

CURRENT: ContextVar[SourceFile] = ContextVar("the text being parsed")
MAX_DIGITS: Final = 18

Children = Sequence[Any]
Callback = Callable[[Children], Any]
_ABSENT: Final = {"bool": False, "int": 0, "str": "", "tuple": (), "Tail": t.NO_TAIL}


@frozen
class Group:
    """The children of a rule that makes no node, with their place."""

    items: tuple[Any, ...]
    span: Span | None


class Spliced(list[Any]):
    """The children of a rule that is a part of the rules that use it."""


def place_of(children: Children) -> Span:
    """From the first to the last child that stands in the text."""
    start = end = None
    for child in children:
        if (found := _span(child)) is not None:
            start = found[0]
            break
    for child in reversed(children):
        if (found := _span(child)) is not None:
            end = found[1]
            break
    return Span(CURRENT.get(), start or 0, end or 0)


def _span(child: Any) -> tuple[int, int] | None:
    if child.__class__ is Token:
        return None if child.type[0] == "_" else (child.start_pos or 0, child.end_pos or 0)
    if child.__class__ is Spliced:
        found = place_of(child)
        return found.start, found.end
    span = child.span
    return None if span is None else (span.start, span.end)


def class_named(name: str) -> Any:
    """The class of a rule or an alias, ``None`` if it has none: ``field_of__flag`` is a ``FieldOf``."""
    return getattr(t, "".join(word.capitalize() for word in name.partition("__")[0].split("_")), None)


def callback(rule: str, symbols: Sequence[tuple[str, bool]], labels: Sequence[str], in_place: bool) -> Callback:
    """What the parser calls when it has completed a rule.

    Args:
        rule: The name of the rule or alias.
        symbols: Name of each child, and whether it is a terminal. Fixed words are left out unless they have a label.
        labels: The field that each child goes into, or nothing.
        in_place: Whether a single child takes the place of the rule.
    """
    if rule[0] == "_":
        return _spliced

    def is_left_out(name: str) -> bool:
        return name[0] == "_" or name in options()

    kept = [at for at, (name, is_terminal) in enumerate(symbols) if not (is_terminal and is_left_out(name))]
    if in_place and len(kept) == 1:
        only = kept[0]
        return lambda children: children[only]
    made = class_named(rule)
    if labels:
        return _by_labels(made, rule.partition("__")[2], labels)

    def items(children: Children) -> tuple[Any, ...]:
        return tuple(each for each in flat(children) if not (isinstance(each, Token) and is_left_out(each.type)))

    if made is None:
        return lambda children: Group(items(children), place_of(children) if children else None)
    if len(fields(made)) == 1:
        return lambda children: made(place_of(children))
    return lambda children: made(items(children), span=place_of(children))


def _spliced(children: Children) -> Spliced:
    """The children of a part; a repetition adds one more to those that it has."""
    found = children[0] if children and isinstance(children[0], Spliced) else Spliced(children[:1])
    for each in children[1:]:
        found += each if isinstance(each, Spliced) else [each]
    return found


def flat(children: Children) -> list[Any]:
    """The children, with those of the parts of the rule among them."""
    found: list[Any] = []
    for each in children:
        if isinstance(each, Spliced):
            found += each
        else:
            found.append(each)
    return found


def _by_labels(made: Any, flag: str, labels: Sequence[str]) -> Callback:
    """A callback that fills the fields of a node by the labels of the children."""
    names = [field.name for field in fields(made)]
    assert not {*labels} - {*names, ""}, f"{made.__name__} has no field {set(labels) - set(names)}"
    defaults: list[Any] = []
    read: list[tuple[int, list[int], Callable[[Any], Any]]] = []
    for number, field in enumerate(fields(made)):
        kind = str(field.type)
        absent = field.default if field.default is not NOTHING else _ABSENT.get(kind.partition("[")[0])
        defaults.append(True if field.name == flag else absent)
        at = [child for child, label in enumerate(labels) if label == field.name]
        if at:
            read.append((number, at, _reader(kind)))
    span_at = names.index("span")

    def build(children: Children) -> Any:
        values = [*defaults]
        for number, at, reader in read:
            values[number] = reader([children[each] for each in at])
        values[span_at] = place_of(children)
        return made(*values)

    return build


def _reader(kind: str) -> Callable[[list[Any]], Any]:
    """How the children that go into a field of a type become its value."""
    optional = kind.removesuffix(" | None")
    match optional:
        case "bool":
            return lambda found: is_second(found[0])
        case "str":
            return lambda found: " ".join(map(text_of, found))
        case "int" | "int | Fraction":
            return lambda found: _scalar(found[0], number_of)
        case "Ident":
            return lambda found: _scalar(found[0], ident)
        case "Tail":
            return lambda found: found[0] if len(found) == 1 else joined_tails(found)
        case "tuple[Ident, ...]":
            return lambda found: tuple(name for each in _items(found) for name in _names(each))
        case "tuple[Code, ...]":
            return lambda found: tuple(code_of(each) if each.__class__ is Token else each for each in _items(found))
        case _ if optional.startswith("tuple["):
            return lambda found: tuple(_items(found))
        case _:
            return lambda found: _scalar(found[0], _same)


def _same(found: Any) -> Any:
    return found


def _scalar(found: Any, read: Callable[[Any], Any]) -> Any:
    """The value of a child, or of the only item of a rule that may be empty."""
    if found.__class__ is Group:
        if not found.items:
            return None
        (found,) = found.items
    return read(found) if found.__class__ is Token else found


def _items(found: Iterable[Any]) -> Iterable[Any]:
    for each in found:
        match each:
            case Group(items=items):
                yield from _items(items)
            case Token(type="ROW_TEXT"):
                yield from parse_row(CURRENT.get(), each).cells
            case _:
                yield each


def _names(found: Any) -> Iterable[t.Ident]:
    """The names of a path."""
    match found:
        case t.Ident():
            yield found
        case t.Name(name=name, span=span):
            yield t.Ident(name, span)
        case t.FieldOf(of=of, name=name):
            yield from (*_names(of), name)
        case _:
            yield ident(found)


def ident(token: Token) -> t.Ident:
    """A name, or a text in quotes, as a name."""
    return t.Ident(text_of(token), Span(CURRENT.get(), token.start_pos or 0, token.end_pos or 0))


def code_of(token: Token) -> t.Code:
    """A code or a label, in quotes or not."""
    return t.Code(text_of(token), Span(CURRENT.get(), token.start_pos or 0, token.end_pos or 0))


def text_of(found: Any) -> str:
    """The text of a token without its quotes, or of a code."""
    if isinstance(found, t.Code):
        return found.text
    if found.type in ("INT", "RANGE"):
        for digits in re.findall(r"[0-9]+", found):
            check_digits(digits, found)
    return found[1:-1] if found.type == "STRING" else value_of(found.type, str(found))


def is_second(found: Token) -> bool:
    """Whether a yes/no field is yes: its word stands there, or of a choice the second one."""
    choices = [*options()[found.type]]
    return len(choices) == 1 or value_of(found.type, str(found)) == choices[1]


def number_of(found: Token) -> Any:
    """A whole number or a decimal, from its token."""
    check_digits(re.sub(r"[^0-9]", "", found), found)
    return Fraction(str(found)) if found.type == "DECIMAL" else int(found.rstrip("."))


def check_digits(digits: str, token: Token) -> None:
    """Refuse a number with too many digits."""
    if len(digits) > MAX_DIGITS:
        raise SyntaxFault("number-too-long", f"a number may have at most {MAX_DIGITS} digits", token.start_pos or 0,
                          token.end_pos or 0, "write a smaller number")  # fmt: skip


def joined_tails(tails: Iterable[Any]) -> t.Tail:
    """Join the tails of a line into one: some lines allow a label in two positions."""
    found = [each for each in tails if isinstance(each, t.Tail) and each.span is not None]
    if len(found) < 2:
        return found[0] if found else t.NO_TAIL
    labelled = [each for each in found if each.label is not None]
    assumed = [each for each in found if each.assumed is not None]
    for again in (labelled[1:], assumed[1:]):
        if again:
            raise said_twice(place_of(again))
    cites = tuple(cite for each in found for cite in each.cites)
    return t.Tail(
        labelled[0].label if labelled else None, cites, assumed[0].assumed if assumed else None, found[0].span
    )


def said_twice(span: Span) -> SyntaxFault:
    """The error of a line with two labels."""
    return SyntaxFault("two-labels", "a line can have only one label and one `assumed`", span.start, span.end,
                       "keep one text, and make the other a comment")  # fmt: skip
