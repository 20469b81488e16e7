"""All names of a declaration: those that its form explains, those that the checker noted, and the rest by their scope.

The form of a declaration says what most names are: ``perform`` is followed by an effect, ``let`` by a new local. What
the others mean depends on types, and the checker notes it. A mistake, or a change by a variant, may keep it from doing
so; then the declarations and the names around such a name tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar

from attrs import frozen

from enfilade.bind.names import (
    CALLED,
    TYPES,
    Key,
    NameRecord,
    Occurrence,
    declared,
    key_of_parameter,
    pieces_in,
    place_of,
)
from enfilade.bind.symbols import Symbols
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes

T = TypeVar("T")

# Kinds whose names are declared by a line of their own, and are known in the whole ruleset.
GLOBAL: Final = (
    "fact", "define", "chart", "modifiers", "option", "columns", "die", "player", "procedure", "event", "record",
    "effect", "deck", "words",
)  # fmt: skip
# The names that a node declares, with their kinds.
_DECLARED: Final[dict[type, dict[str, str]]] = {
    t.RulesetHead: {"name": "ruleset"},
    t.Players: {"names": "player"},
    t.OptionDecl: {"name": "option"},
    t.Words: {"name": "words"},
    t.Record: {"name": "record", "fields": "field"},
    t.Facts: {"fields": "fact"},
    t.Define: {"name": "define"},
    t.Die: {"name": "die"},
    t.Deck: {"name": "deck", "fields": "card field"},
    t.Chart: {"name": "chart"},
    t.Axis: {"parts": "part"},
    t.CellMark: {"name": "part"},
    t.Columns: {"name": "columns"},
    t.Beside: {"name": "part"},
    t.Modifiers: {"name": "modifiers"},
    t.ModLine: {"name": "modifier"},
    t.Effect: {"name": "effect"},
    t.Procedure: {"name": "procedure"},
    t.Event: {"name": "event"},
    t.WordsType: {"words": "word"},
    t.Refuse: {"slug": "refusal"},
    t.Unless: {"slug": "refusal"},
    t.Let: {"name": "local"},
    t.Roll: {"name": "local"},
    t.Draw: {"name": "local"},
    t.Choose: {"name": "local"},
    t.ChooseWhether: {"name": "local"},
    t.ChooseWord: {"name": "local", "words": "word"},
    t.ForEach: {"name": "local"},
    t.Named: {"name": "local"},
    t.Read: {"name": "local"},
    t.Assign: {"name": "local"},
    t.Call: {"name": "local"},
}
# The names that a node refers to, with their kinds: the kind of the declaration around it, if that is empty.
_REFERS: Final[dict[type, dict[str, str]]] = {
    t.RulesetHead: {"extends": "file"},
    t.WordsRef: {"name": "words"},
    t.EffectsSoFar: {"name": "effect"},
    t.MapType: {"key": "words"},
    t.Deck: {"like": "deck"},
    t.CardProduct: {"axes": "card field"},
    t.CardLine: {"fields": "card field"},
    t.Chart: {"like": "chart"},
    t.Axis: {"printed_on": "die"},
    t.Modifiers: {"charts": "chart"},
    t.ModSection: {"record": "record"},
    t.ReplaceModifier: {"block": "", "name": "modifier"},
    t.ReplaceCell: {"chart": "chart"},
    t.ReplaceStep: {"procedure": ""},
    t.RemovePart: {"block": "", "name": "modifier"},
    t.Remove: {"name": ""},
    t.Read: {"each": "record"},
    t.Perform: {"effect": "effect"},
    t.Assign: {"effect": "effect"},
    t.Call: {"procedure": "procedure"},
    t.StartLine: {"procedure": "procedure"},
    t.Results: {"chart": "chart", "also": "chart", "record": "record"},
    t.OnEvent: {"event": "event"},
    t.Example: {"procedure": ""},
    t.ExOption: {"item": "option"},
    t.WayOfPlay: {"player": "player"},
    t.ExEffect: {"effect": "effect"},
    t.Refused: {"slug": "refusal"},
    t.Starts: {"reason": "refusal"},
}
# The names that refer to one of some kinds, if there is such a declaration; what the checker noted comes after it.
_ONE_OF: Final[dict[type, dict[str, tuple[str, ...]]]] = {
    t.Invoke: {"name": CALLED},
    t.NamedType: {"name": TYPES},
    t.DiceTerm: {"die": ("die",)},
    t.Starts: {"procedure": ("procedure",)},
    t.Renaming: {"new": ()},
    t.FieldOf: {"name": ()},
    t.OfEntry: {"name": ()},
    t.MapEntry: {"key": ()},
    t.Give: {"name": ()},
    t.Read: {"chart": ("chart",)},
    t.Becomes: {"target": ()},
    t.Must: {"subject": ()},
    t.With: {"name": ()},
    t.GivenItem: {"name": ()},
    t.ExpectInputError: {"parameter": ()},
}
# The kind of the declaration that another one belongs to, and the attribute that names it.
_OWNERS: Final[dict[type, tuple[str, str]]] = {
    t.Example: ("procedure", "procedure"),
    t.Results: ("results of", "chart"),
    t.OnEvent: ("on", "event"),
    t.ReplaceStep: ("procedure", "procedure"),
    t.ReplaceModifier: ("modifiers", "block"),
    t.RemovePart: ("modifiers", "block"),
}
# What such a name may be, if not any name.
_HOW: Final[dict[type, str]] = {
    t.FieldOf: "member",
    t.OfEntry: "member",
    t.DiceTerm: "noted",
    t.MapEntry: "value",
    t.ExpectInputError: "input",
}
# Names that the language itself declares.
_BUILT_IN: Final = frozenset((
    "above", "absolute", "below", "code", "column", "dice", "each", "header", "name", "nothing", "player", "players",
    "reader", "readers", "result", "roll", "row",
))  # fmt: skip
_NAME: Final = re.compile(r"[A-Za-z]\w*")
_CAPTURED: Final = re.compile(r"\{([A-Za-z]\w*)\}")


def owner_of(declaration: Any, symbols: Symbols) -> str:
    """The kind and the name of a declaration, or of the one that it changes; those of the procedure for an example."""
    if isinstance(declaration, (t.Replace, t.AddTo)):
        return owner_of(declaration.declaration, symbols)
    if isinstance(declaration, t.Example) and declaration.procedure is None:
        names = symbols.played_in(declaration.span.source.name)
        return f"procedure {names[0]}" if len(names) == 1 else ""
    kind, attribute = _OWNERS.get(type(declaration)) or (_DECLARED.get(type(declaration), {}).get("name", ""), "name")
    match declaration:
        case t.Example(procedure=t.Ident(name)):
            kind = declaration.kind or ("event" if name in symbols.events else "procedure")
        case t.RemovePart(name=None):
            kind = "procedure"
        case t.Remove():
            kind = "chart" if declaration.kind == "results" else declaration.kind
    return f"{kind} {getattr(declaration, attribute).name}" if kind else ""


def explained(declaration: t.Declaration, symbols: Symbols) -> Iterator[Occurrence]:
    """The names in a declaration that its form explains."""
    owner = owner_of(declaration, symbols)
    added = getattr(declaration.declaration, "name", None) if isinstance(declaration, t.AddTo) else None
    for node in nodes(declaration):
        for kind, name, tail in _named(_DECLARED, node):
            yield Occurrence(name.span, _key(kind, name.name, owner), name is not added, tail=tail)
        for kind, name, _ in _named(_REFERS, node):
            if kind or owner.partition(" ")[0] in GLOBAL:
                yield Occurrence(name.span, _key(kind, name.name, owner))
        for kinds, name, _ in _named(_ONE_OF, node):
            key = declared(symbols, name.name, kinds)
            yield from () if key is None else (Occurrence(name.span, key),)
        yield from _in_text(node, symbols, owner)


def _named(table: Mapping[type, Mapping[str, T]], node: Any) -> Iterator[tuple[T, t.Ident, t.Tail]]:
    """The names in a node that a table lists, each with what the table says of it, and with the end of its line."""
    for attribute, found in table.get(type(node), {}).items():
        value = getattr(node, attribute)
        for each in value if isinstance(value, tuple) else (value,):
            name = each if isinstance(each, t.Ident) else getattr(each, "name", None)
            if isinstance(name, t.Ident):
                yield found, name, getattr(each if isinstance(value, tuple) else node, "tail", t.NO_TAIL)


def _key(kind: str, name: str, owner: str) -> Key:
    """What a name of some kind refers to in a declaration; without a kind, it is of the kind of the declaration."""
    around, _, of = owner.partition(" ")
    owners = {"local": owner, "fact": owner, "field": of, "modifier": of, "file": "ruleset"}
    return Key(kind or around, name, owners.get(kind, ""))


def _in_text(node: Any, symbols: Symbols, owner: str) -> Iterator[Occurrence]:
    """Names that a node declares or refers to under some condition, or that have no node of their own."""
    match node:
        case t.Param():
            key = key_of_parameter(symbols, node, owner)
            yield Occurrence(node.name.span, key, key.kind == "local")
        case t.Give() if node.value is not None:
            yield Occurrence(node.name.span, Key("local", node.name.name, owner), True, tail=node.tail)
        case t.Axis(value=t.Name(first, span)) if node.parts:
            yield Occurrence(span, Key("part", first), True)
        case t.Use():
            yield Occurrence(place_of(node.span, node.name), Key("file", node.name, "module"))
        case t.OptionRef():
            yield Occurrence(place_of(node.span, node.name), Key("option", node.name))
        case t.EdgeAction(act="refuse", name=str(slug)):
            yield Occurrence(place_of(node.span, slug), Key("refusal", slug), True)
        case t.CardLine() if not node.name.name.isdigit():
            yield Occurrence(node.name.span, Key("word", node.name.name), True)
        case t.FaceItem() if _NAME.match(node.face):
            yield Occurrence(place_of(node.span, node.face, -1), Key("word", node.face), True)
        case t.Code() if node.text.strip('"') in symbols.charts:
            name = node.text.strip('"')
            yield Occurrence(place_of(node.span, name), Key("chart", name))
        case t.Code():
            for part in _CAPTURED.finditer(node.span.text):
                yield Occurrence(node.span.at(*part.span(1)), Key("local", part[1], owner), True)


def declared_keys(declaration: t.Declaration, symbols: Symbols) -> tuple[Key, ...]:
    """What a declaration declares, with all that is in it."""
    return tuple(each.key for each in explained(declaration, symbols) if each.declares)


class _Open(NamedTuple):
    """A name that the form of its declaration does not explain.

    Attributes:
        span: Its place.
        name: The name.
        how: What it may be: any name; a member, a value, a word, a heading, what an input error is
            about, or only what the checker noted.
        owner: The declaration whose parameter or fact it may be, if that is another one.
    """

    span: Span
    name: str
    how: str = "name"
    owner: str = ""


@frozen
class Reader:
    """Finds the names in declarations.

    Attributes:
        symbols: The symbol table.
        noted: What the checker noted.
        types: The types of what is declared.
        same: For each key that means the same as others: the one that stands for all of them.
        bound: The locals and the own facts of all declarations, by owner and name.
        members: The fields, the parts and the fields of cards, by name.
        locals: A local of each name.
        words: All words, those with blanks too.
    """

    symbols: Symbols
    noted: Mapping[Span, Occurrence]
    types: Mapping[Span, Any]
    same: Mapping[Key, Key]
    bound: Mapping[tuple[str, str], Key]
    members: Mapping[str, Key]
    locals: Mapping[str, Key]
    words: Mapping[str, Key]

    def names_in(self, declaration: t.Declaration) -> tuple[Occurrence, ...]:
        """The names in a declaration, in the order of the text; each place once."""
        clear = [each._replace(type=self.types.get(each.span)) for each in explained(declaration, self.symbols)]
        found = {each.span: each for each in reversed(clear)}
        left = [each for each in self.open_in(declaration) if each.span not in found]
        found |= {each.span: self.noted[each.span] for each in left if self.is_noted(each.span, each.name)}
        if isinstance(declaration, t.Example):
            for value, piece in pieces_in(declaration):
                if value.kind == "record" or piece.name not in self.words:
                    span = place_of(value.span, piece.name)
                    found.setdefault(span, Occurrence(span, piece, True))
        owner = owner_of(declaration, self.symbols)
        own = {each.key.name: each.key for each in found.values() if each.declares and is_own(each.key)}
        for span, name, how, other in left:
            if span in found:
                continue
            key = self.key_of(name, how, own.get(name) or self.bound.get((other or owner, name)))
            if key is not None:
                found[span] = Occurrence(span, key)
        names = [
            each._replace(span=_inside_quotes(each.span), key=self.same.get(each.key, each.key))
            for each in found.values()
        ]
        return tuple(sorted((each for each in names if each.span.text), key=lambda each: each.span.start))

    def open_in(self, declaration: t.Declaration) -> Iterator[_Open]:
        """The names in a declaration that its form may not explain."""
        inside = list(nodes(declaration))
        has_parts = any(isinstance(node, t.Axis) and node.parts for node in inside)
        for node in inside:
            how = _HOW.get(type(node), "name")
            yield from (_Open(each.span, each.name, how) for _, each, _ in _named(_ONE_OF, node))
            if isinstance(node, t.Value):
                yield from (_Open(each.name.span, each.name.name, "member") for each in node.fields)
            match node:
                case t.Name():
                    yield _Open(node.span, node.name)
                case (
                    t.Perform(effect=of, args=args) | t.Assign(effect=of, args=args) | t.ExEffect(effect=of, args=args)
                ):
                    yield from _arguments(args, f"effect {of.name}")
                case t.Call(procedure=of, args=args) | t.StartLine(procedure=of, args=args):
                    yield from _arguments(args, f"procedure {of.name}")
                case t.Text():
                    yield _Open(node.span, node.value, "word")
                case t.Value(kind="text" | "name" | "record", scalar=str(name)):
                    yield _Open(place_of(node.span, name), name, "word" if node.kind == "text" else "value")
                case t.Example() if node.rows:
                    for cell in node.rows[0].cells:
                        yield from (_Open(*each, "heading") for each in _words_of(cell))
                case t.Code():
                    yield from self.open_in_code(node, has_parts)

    def open_in_code(self, code: t.Code, has_parts: bool) -> Iterator[_Open]:
        """The words and the names in a printed label or cell, if it has nothing else, or if its codes have parts."""
        text = code.text.strip('"')
        if text in self.words and not (text.isdigit() and code.span.text[:1].isdigit()):
            yield _Open(place_of(code.span, text), text, "word")
            return
        found = _words_of(code)
        known = [each for each in found if each[1] in self.words or self.is_noted(*each)]
        if has_parts or len(known) == len(found) or any(self.is_noted(*each) for each in found):
            yield from (_Open(*each, "word") for each in known)

    def is_noted(self, span: Span, name: str) -> bool:
        """Whether the checker noted a name at a place."""
        return span in self.noted and self.noted[span].key.name == name

    def key_of(self, name: str, how: str, own: Key | None) -> Key | None:
        """What a name refers to, as far as its scope tells; *own* is what it means in the declaration alone."""
        if how == "noted":
            return None
        word = self.words.get(name)
        if how == "word" or (how == "value" and word is not None and (own is None or own.kind != "piece")):
            return word
        member = self.members.get(name)
        found = (member if how == "member" else None) or own or declared(self.symbols, name, GLOBAL) or member or word
        if found is None and how == "input":
            found = self.locals.get(name)
        if found is None and how != "heading":
            found = Key("built-in" if name in _BUILT_IN else "unknown", name)
        return found


def _arguments(args: Iterable[t.With | t.GivenItem], owner: str) -> Iterator[_Open]:
    """The names of the parameters that some arguments give."""
    yield from (_Open(each.name.span, each.name.name, owner=owner) for each in args if each.name is not None)


def is_own(key: Key) -> bool:
    """Whether a name is known in one declaration only."""
    return key.kind in ("local", "piece") or (key.kind == "fact" and key.owner != "")


def reader_of(
    symbols: Symbols,
    names: NameRecord,
    keys: Iterable[Key],
    table: Callable[[str, Mapping[Any, Any]], Mapping[Any, Any]],
) -> Reader:
    """Make a reader.

    Args:
        symbols: The symbol table.
        names: What the checker noted.
        keys: What all declarations declare.
        table: Makes a table that notes how it is used.
    """
    every = tuple(keys)
    members = [each for kind in ("part", "card field", "field") for each in reversed(every) if each.kind == kind]
    words = [*symbols.bare_words, *(each.name for each in every if each.kind in ("word", "player"))]
    return Reader(
        symbols,
        names.places,
        names.types,
        table(
            "same names", names.joined() | {Key("word", player): Key("player", player) for player in symbols.players}
        ),
        table("bound names", {(each.owner, each.name): each for each in every if is_own(each)}),
        table("members", {each.name: each for each in members}),
        table("locals", {each.name: each for each in reversed(every) if each.kind == "local"}),
        table("all words", {word: Key("word", word) for word in words}),
    )


def _words_of(code: t.Code) -> list[tuple[Span, str]]:
    return [(code.span.at(*each.span()), each[0]) for each in _NAME.finditer(code.span.text)]


def _inside_quotes(span: Span) -> Span:
    return span.at(1, len(span.text) - 1) if span.text.startswith('"') else span
