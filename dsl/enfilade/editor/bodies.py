"""The names that a declaration binds for itself: parameters, locals, outputs, and its own facts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import frozen

from enfilade.bind.symbols import Symbols
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes

# A part of a result code: `"{side} L{steps}"`.
_CAPTURED: Final = re.compile(r"\{([A-Za-z]\w*)\}")
_NAMED: dict[type, str] = {
    t.Procedure: "procedure",
    t.Effect: "effect",
    t.Define: "define",
    t.Chart: "chart",
    t.Columns: "columns",
    t.Modifiers: "modifiers",
    t.Deck: "deck",
    t.Record: "record",
}


@frozen
class Body:
    """A declaration as the place where a name is looked up.

    Attributes:
        owner: The kind and the name of the declaration, as in `Key.owner`; that of the procedure for an example.
        bound: The names that it binds.
        facts: The own facts of a procedure.
        pieces: The records that an example names.
        is_example: Whether it is an example.
        piece_owner: The owner of the records that an example names, which no other example knows.
    """

    owner: str = ""
    bound: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()
    pieces: frozenset[str] = frozenset()
    is_example: bool = False
    piece_owner: str = ""


def body_of(declaration: Any, symbols: Symbols) -> Body:
    """Describe a top-level declaration; ``replace`` and ``add to`` stand for the declaration that they change."""
    if isinstance(declaration, (t.Replace, t.AddTo)):
        declaration = declaration.declaration
    match declaration:
        case t.Example():
            return _body_of_example(declaration, symbols)
        case t.Results():
            names = {name for entry in declaration.entries for name in _CAPTURED.findall(entry.pattern.text)}
            return Body(f"results of {declaration.chart.name}", _bound(declaration, symbols) | names)
        case t.OnEvent():
            return Body(f"on {declaration.event.name}", _bound(declaration, symbols))
        case t.ReplaceStep():
            return _joined(symbols.procedures.get(declaration.procedure.name), declaration, "procedure", symbols)
        case t.ReplaceModifier():
            return _joined(symbols.modifiers.get(declaration.block.name), declaration, "modifiers", symbols)
        case t.Procedure():
            whole = _joined(symbols.procedures.get(declaration.name.name), declaration, "procedure", symbols)
            return Body(f"procedure {declaration.name.name}", whole.bound, whole.facts)
    kind = _NAMED.get(type(declaration))
    return Body() if kind is None else Body(f"{kind} {declaration.name.name}", _bound(declaration, symbols))


def _joined(whole: t.Procedure | t.Modifiers | None, part: Any, kind: str, symbols: Symbols) -> Body:
    """The body of a declaration together with a part that a variant adds or replaces."""
    if whole is None:
        return Body("", _bound(part, symbols))
    return Body(f"{kind} {whole.name.name}", _bound(whole, symbols) | _bound(part, symbols), _own_facts(whole))


def _own_facts(declaration: Any) -> frozenset[str]:
    facts = declaration.facts if isinstance(declaration, t.Procedure) else None
    return frozenset() if facts is None else frozenset(each.name.name for each in facts.fields)


def _bound(declaration: Any, symbols: Symbols) -> frozenset[str]:
    return frozenset(binder.name for node in nodes(declaration) for binder in binders(node, symbols))


def binders(node: Any, symbols: Symbols) -> Iterator[t.Ident]:
    """The names that a node binds for the declaration around it."""
    match node:
        case t.Let() | t.Roll() | t.Draw() | t.Choose() | t.ChooseWhether() | t.ChooseWord() | t.ForEach() | t.Named():
            yield node.name
        case t.Param() if not is_named_by_type(node, symbols):
            yield node.name
        case t.Give() if node.value is not None:
            yield node.name
        case t.Read(name=t.Ident() as name) | t.Assign(name=t.Ident() as name) | t.Call(name=t.Ident() as name):
            yield name


def is_named_by_type(param: t.Param, symbols: Symbols) -> bool:
    """Whether a parameter has no name of its own, as in ``(unit)`` and ``(leader or none)``."""
    if param.type is None:
        name = param.name.name
        return any(name in table for table in (symbols.words, symbols.records, symbols.decks, symbols.dice))
    return isinstance(param.type, t.NamedType) and param.type.name.span == param.name.span


def _body_of_example(example: t.Example, symbols: Symbols) -> Body:
    owner = example_target(example, symbols)
    kind, _, name = owner.partition(" ")
    tables: dict[str, Mapping[str, Any]] = {
        "procedure": symbols.procedures,
        "define": symbols.definitions,
        "chart": symbols.charts,
        "modifiers": symbols.modifiers,
    }
    played = tables.get(kind, {}).get(name)
    bound = frozenset() if played is None else _bound(played, symbols)
    return Body(owner, bound, _own_facts(played), frozenset(_pieces(example, symbols)), True,
                f"example at {example.span.start} of {id(example.span.source)}")  # fmt: skip


def example_target(example: t.Example, symbols: Symbols) -> str:
    """What an example plays, as in `Key.owner`."""
    if example.procedure is not None:
        kind = example.kind or ("event" if example.procedure.name in symbols.events else "procedure")
        return f"{kind} {example.procedure.name}"
    names = symbols.played_in(example.span.source.name)
    return f"procedure {names[0]}" if len(names) == 1 else ""


def _pieces(example: t.Example, symbols: Symbols) -> Iterator[str]:
    """The names of records in the ``given`` lines: every name that is no word."""
    for line in example.lines:
        for value in nodes(line) if isinstance(line, t.Given) else ():
            if isinstance(value, t.Value) and value.kind in ("name", "record") and value.scalar is not None:
                name = str(value.scalar)
                if value.kind == "record" or not (name in symbols.bare_words or name in symbols.players):
                    yield name
