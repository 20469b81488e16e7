"""The record of names: where each name is written, and what it refers to there.

Binding and the checker note a name when they find out what it means; editors, and questions about a whole ruleset, read
the record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from attrs import define, field

from enfilade.bind.symbols import Symbols
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes

CALLED: Final = ("define", "chart", "modifiers")
TYPES: Final = ("words", "record", "deck", "die")


class Key(NamedTuple):
    """What a name refers to: all places that name one thing have the same key.

    Attributes:
        kind: A kind of the symbol table; or field, card field, local, modifier, word, refusal, piece (a record that an
            example names), part (a value beside a band, a mark or a part of a code), file, ruleset, built-in, or
            unknown.
        name: The name.
        owner: The declaration that the name belongs to: the procedure of an own fact or a local
            (``procedure direct_fire``), the record of a field, the block of a modifier; empty for global names.
    """

    kind: str
    name: str
    owner: str = ""


class Occurrence(NamedTuple):
    """A place where a name is written.

    Attributes:
        span: The place of the name alone.
        key: What it refers to.
        declares: Whether the name is declared here.
        type: The type that it has here, if the checker knows one.
        of: The type of the value before the dot of a field.
        tail: The label and the citations behind a name that is declared here.
    """

    span: Span
    key: Key
    declares: bool = False
    type: Any = None
    of: Any = None
    tail: t.Tail = t.NO_TAIL


@define
class NameRecord:
    """What a check notes of names.

    Attributes:
        places: The name at each place.
        types: The type of what is declared at a place.
        same: Pairs of keys that mean the same, as what a procedure hands on from another one.
    """

    places: dict[Span, Occurrence] = field(factory=dict)
    types: dict[Span, Any] = field(factory=dict)
    same: dict[tuple[Key, Key], None] = field(factory=dict)

    def note(self, span: Span, key: Key, type_: Any = None, of: Any = None) -> None:
        """Note what the name at a place refers to; a later visit knows better."""
        self.places[span] = Occurrence(span, key, False, type_, of)

    def update(self, other: NameRecord) -> None:
        """Take over what was noted elsewhere."""
        self.places.update(other.places)
        self.types.update(other.types)
        self.same.update(other.same)

    def joined(self) -> dict[Key, Key]:
        """For each key that means the same as others: the one that stands for all of them, a local only if all are."""
        groups: dict[Key, list[Key]] = {}
        for pair in self.same:
            here, there = (groups.setdefault(key, [key]) for key in pair)
            if here is not there:
                here += there
                groups.update(dict.fromkeys(there, here))
        return {key: min(group, key=lambda each: (each.kind == "local", each)) for key, group in groups.items()}


def declared(symbols: Symbols, name: str, kinds: tuple[str, ...]) -> Key | None:
    """The first of some kinds of declarations that has a name; ``None`` if none has it."""
    return next((Key(kind, name) for kind in kinds if name in symbols.table(kind)), None)


def pieces_in(example: t.Example) -> Iterator[tuple[t.Value, Key]]:
    """The names in the ``given`` lines of an example that may be those of records; no other example knows them."""
    owner = f"example at {example.span.start} of {id(example.span.source)}"
    for node in nodes(tuple(line for line in example.lines if isinstance(line, t.Given))):
        if isinstance(node, t.Value) and node.kind in ("name", "record") and node.scalar is not None:
            yield node, Key("piece", str(node.scalar), owner)


def key_of_parameter(symbols: Symbols, param: t.Param, owner: str) -> Key:
    """A parameter; without a name of its own, as in ``(unit)`` and ``(leader or none)``, it is its type."""
    name = param.name.name
    is_type = param.type is None or (isinstance(param.type, t.NamedType) and param.type.name.span == param.name.span)
    return (declared(symbols, name, TYPES) if is_type else None) or Key("local", name, owner)


def keys_of_parameters(symbols: Symbols, params: tuple[t.Param, ...], owner: str) -> Mapping[str, Key]:
    """The parameters of a declaration, by name."""
    return {each.name.name: key_of_parameter(symbols, each, owner) for each in params}


def place_of(span: Span, name: str, at: int = 0) -> Span:
    """The first place of a whole name in a span, or the last one if *at* is -1."""
    found = list(re.finditer(rf"\b{re.escape(name)}\b", span.text))
    return span.at(*found[at].span()) if found else span
