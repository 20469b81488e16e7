"""Prints syntax trees by the rules of the grammar, for programs that write rules.

``parse(unparse(tree)) == tree`` for every tree made by the parser. Comments and the author's own layout are not in
the tree and so are not in the text; ``tools/format`` keeps them. ``special_prints.py`` prints the nodes that
``special_rules.py`` makes. A tree may be deep, so what is still to be printed is on a list and not on Python's stack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, Final

from attrs import fields, frozen

from enfilade.syntax import special_rules
from enfilade.syntax import tree as t
from enfilade.syntax.build import class_named
from enfilade.syntax.phrases import options
from enfilade.syntax.special_prints import GAP, GLUE, SPECIAL, STEP, Part, as_number, as_row, as_rows, as_word
from enfilade.syntax.tables import stored_tables

_CLOSING: Final = (GLUE, ")", "]", ":", ".")
_OPENING: Final = (GLUE, "(", "[", ".")
_LAYOUT: Final[dict[str, Any]] = {"_NL": "\n", "_INDENT": STEP, "_DEDENT": -STEP}


@frozen
class _Child:
    """A part of a rule: a symbol of the grammar, and the field that it shows."""

    symbol: str
    is_terminal: bool
    field: str

    @property
    def is_kept(self) -> bool:
        """Whether it is an item of a list."""
        return self.symbol[:2] != "__" and not (
            self.is_terminal and (self.symbol in options() or self.symbol[0] == "_")
        )


@frozen
class _Form:
    """A rule as a way to print a node of a class, or a list."""

    origin: str
    made: str
    flag: str
    in_place: bool
    has_labels: bool
    children: tuple[_Child, ...]

    @property
    def child(self) -> _Child:
        """The only child that is not a word."""
        return next(each for each in self.children if each.is_kept)


def unparse(node: Any) -> str:
    """Write a syntax tree.

    Args:
        node: Any node, or a whole module.

    Returns:
        For a module its text with a line end at its end, and with a blank line around each declaration of several
        lines; else the text without a line end.
    """
    if isinstance(node, t.Module):
        return "".join(f"{line}\n" for line in _module(node))
    return "\n".join(_lines(_pieces(Part(node))))


def unparse_lines(node: Any) -> list[str]:
    """Write a node as lines."""
    return unparse(node).split("\n")


def _module(module: t.Module) -> Iterator[str]:
    was_long = None
    for declaration in module.declarations:
        lines = unparse_lines(declaration)
        is_long = len(lines) > 1
        if was_long is not None and (is_long or was_long):
            yield ""
        yield from lines
        was_long = is_long


def _lines(pieces: Iterable[Any]) -> Iterator[str]:
    """Join pieces to lines: a blank between two words, none before a comma or within brackets."""
    indent, line, last = 0, "", ""
    for piece in pieces:
        if isinstance(piece, int):
            indent += piece
        elif piece == "\n":
            if line:
                yield line
            line = last = ""
        elif piece == GAP:
            line, last = line + "  ", GLUE
        elif piece:
            joined = not line or piece in _CLOSING or piece[0] == "," or last in _OPENING
            line = (line or " " * indent) + ("" if joined else " ") + piece.replace(GLUE, "")
            last = piece
    if line:
        yield line


def _pieces(root: Part) -> Iterator[Any]:
    rest: list[Any] = [root]
    while rest:
        item = rest.pop()
        if isinstance(item, Part):
            rest += reversed(list(_expanded(item)))
        else:
            yield item


def _expanded(part: Part) -> Iterable[Any]:
    """The pieces and parts that a value consists of."""
    value, symbol = part.value, part.symbol
    if isinstance(value, tuple) or symbol in _lists():
        return _of_list(value if isinstance(value, tuple) else () if value is None else (value,), symbol)
    if value is None:
        return ()
    if isinstance(value, int | Fraction):
        return (as_number(value),)
    if isinstance(value, t.Ident):
        return (as_word(value) if symbol == "word" else value.name,)
    kind = value.__class__
    for form in _in_place(symbol):
        if kind in _makes(form.child.symbol):
            return [Part(value, each.symbol) if each is form.child else _word(each.symbol) for each in form.children]
    if special := SPECIAL.get(kind):
        return special(value)
    for form in sorted(_forms(kind), key=lambda form: form.origin != symbol):
        if _fits(value, form):
            return _by_form(value, form)
    first, *others = fields(kind)
    return _of_list(getattr(value, first.name) if others else (), _list_named(kind))


def _by_form(node: Any, form: _Form) -> Iterator[Any]:
    # Lines of charts have wide gaps between their parts.
    gap = (GAP,) if isinstance(node, t.ChartLine) else ()
    shown = {""}
    for child in form.children:
        value = getattr(node, child.field) if child.field else None
        at_start = len(shown) == 1 and child.field != "place"
        if child.field and (at_start or child.field == "tail") and value != t.NO_TAIL:
            yield from gap
        if child.field and child.is_terminal:
            yield _terminal(child.symbol, value)
        elif child.field and child.field not in shown:
            yield Part(value, child.symbol)
        elif child.is_terminal:
            yield _word(child.symbol)
        shown.add(child.field)


def _word(symbol: str) -> Any:
    return _LAYOUT.get(symbol) or next(iter(options().get(symbol, {"": ""}).values()))


def _terminal(symbol: str, value: Any) -> str:
    if symbol in options():
        texts = options()[symbol]
        return texts[value] if value in texts else [*texts.values()][len(texts) > 1 and value is True]
    if symbol == "ROW_TEXT":
        return as_row(value)
    text = str(value.name if isinstance(value, t.Ident) else value)
    return f'"{text}"' if symbol == "STRING" else f"{text}." if symbol == "STEP" else text


def _fits(node: Any, form: _Form) -> bool:
    """Whether a rule has a place for each field of a node that has a value, and no other ones."""
    for field in fields(node.__class__):
        value = getattr(node, field.name)
        shown = [each for each in form.children if each.field == field.name]
        words = [options().get(each.symbol) for each in shown]
        if field.name == "span":
            continue
        if not shown:
            fits = value is True if field.name == form.flag else value in (None, False, (), "", 0, t.NO_TAIL)
        elif None in words:
            fits = value is not None or shown[0].symbol in _empty()
        elif isinstance(value, bool):
            fits = value or len(words[0] or ()) > 1
        else:
            fits = (
                value in (words[0] or ())
                if len(words) == 1
                else value == " ".join(next(iter(each or "")) for each in words)
            )
        if not fits:
            return False
    return True


def _of_list(values: Sequence[Any], symbol: str) -> Iterator[Any]:
    """Print the values of a list by the rule that makes it: with its words, its separators and its brackets."""
    if symbol == "path":
        yield ".".join(each.name for each in values)
        return
    if symbol == "rows":
        yield from (piece for row in as_rows(values) for piece in ("\n", row))
        return
    rest = list(values)
    form = _list_form(symbol, len(rest))
    for child in () if form is None else form.children:
        if symbol in ("arguments", "read_arguments") and child.symbol == "LPAR":
            yield GLUE
        units = (child,) if child.symbol[:2] != "__" else _unit(child.symbol) * len(rest)
        for each in units:
            yield Part(rest.pop(0), each.symbol) if each.is_kept else _word(each.symbol)


@cache
def _rules() -> tuple[_Form, ...]:
    tables = stored_tables()
    found = []
    for origin, expansion, made, in_place, labels in tables.rules:
        symbols = [tables.symbols[each] for each in expansion]
        children = tuple(_Child(*symbol, labels[at] if labels else "") for at, symbol in enumerate(symbols))
        name, _, flag = made.partition("__") if made[0] != "_" else (made, "", "")
        found.append(_Form(tables.symbols[origin][0], name, flag, in_place, bool(labels), children))
    return tuple(sorted(found, key=lambda form: len(form.children)))


@cache
def _forms(kind: Any) -> tuple[_Form, ...]:
    return tuple(form for form in _rules() if form.has_labels and class_named(form.made) is kind)


@cache
def _list_named(kind: Any) -> str:
    made = [form.made for form in _rules() if not form.has_labels and class_named(form.made) is kind]
    assert made, f"no rule of the grammar prints a {kind.__name__}"
    return made[0]


def _list_form(name: str, count: int) -> _Form | None:
    """The rule that makes a list with so many items; none if a text has no such list, as one without items."""
    for form in _rules():
        kept = sum(each.is_kept for each in form.children)
        repeats = any(each.symbol[:2] == "__" for each in form.children)
        if form.made == name and not form.in_place and (kept < count if repeats else kept == count):
            return form
    return None


@cache
def _unit(helper: str) -> tuple[_Child, ...]:
    """What a rule that Lark has made repeats."""
    forms = [form for form in _rules() if form.made == helper and all(each.symbol != helper for each in form.children)]
    return forms[-1].children


@cache
def _lists() -> frozenset[str]:
    """The rules that make a list, and so may be empty or hold one value."""
    return frozenset(
        form.origin for form in _rules()
        if form.made == form.origin and not form.in_place and not form.has_labels and form.made[0] != "_"
        and class_named(form.made) is None and not hasattr(special_rules, form.made)
    )  # fmt: skip


@cache
def _empty() -> frozenset[str]:
    return frozenset(form.origin for form in _rules() if not form.children)


@cache
def _in_place(symbol: str) -> tuple[_Form, ...]:
    """The rules that add words to a single child."""
    return tuple(form for form in _rules() if form.origin == symbol and form.in_place and len(form.children) > 1
                 and sum(each.is_kept for each in form.children) == 1)  # fmt: skip


@cache
def _makes(symbol: str) -> frozenset[Any]:
    """The classes of the nodes that a symbol can stand for."""
    seen, rest, found = {symbol}, [symbol], set()
    while rest:
        origin = rest.pop()
        for form in _rules():
            if form.origin == origin:
                found.add(class_named(form.made))
                more = [
                    each.symbol for each in form.children if form.in_place and each.is_kept and each.symbol not in seen
                ]
                seen.update(more)
                rest += more
    return frozenset(found)
