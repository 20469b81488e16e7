"""The symbol table: every declared name and its declaration, by kind."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, TypeAlias

from attrs import define, field

from enfilade.bind.declared_words import declared_words
from enfilade.diagnostics.diagnostic import Diagnostic, Label
from enfilade.syntax import tree as t

# Namespaces: names in one namespace must differ. All kinds that an expression can use share one namespace.
_SPACES: dict[type, str] = {
    t.FieldDecl: "value",
    t.Define: "value",
    t.Chart: "value",
    t.Modifiers: "value",
    t.Words: "type",
    t.Record: "type",
    t.Die: "die",
    t.Deck: "deck",
    t.Columns: "columns",
    t.Effect: "effect",
    t.Procedure: "procedure",
    t.Event: "event",
}
_LABELS: dict[type, str] = {
    t.Define: "a definition",
    t.Chart: "a chart",
    t.Modifiers: "a block of modifiers",
    t.Words: "a set of words",
    t.Record: "a record",
    t.Die: "a die",
    t.Deck: "a deck",
    t.Columns: "columns",
    t.Effect: "an effect",
    t.Procedure: "a procedure",
    t.Event: "an event",
    t.FieldDecl: "a fact",
    t.OptionDecl: "an option",
}
# The kinds of names that are known in the whole ruleset: the table that has them, and the kind in words.
KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "fact": ("facts", "a fact"),
    "define": ("definitions", "a definition"),
    "chart": ("charts", "a chart"),
    "modifiers": ("modifiers", "a block of modifiers"),
    "option": ("options", "an option"),
    "record": ("records", "a record"),
    "words": ("words", "a set of words"),
    "die": ("dice", "a die"),
    "deck": ("decks", "a deck"),
    "columns": ("columns", "columns"),
    "effect": ("effects", "an effect"),
    "procedure": ("procedures", "a procedure"),
    "event": ("events", "an event"),
    "player": ("players", "a player"),
}


@define
class Symbols:
    """The symbol table of a ruleset: declarations by kind and name, in the order of the file."""

    words: dict[str, t.Words] = field(factory=dict)
    records: dict[str, t.Record] = field(factory=dict)
    facts: dict[str, t.FieldDecl] = field(factory=dict)
    options: dict[str, t.OptionDecl] = field(factory=dict)
    definitions: dict[str, t.Define] = field(factory=dict)
    dice: dict[str, t.Die] = field(factory=dict)
    decks: dict[str, t.Deck] = field(factory=dict)
    charts: dict[str, t.Chart] = field(factory=dict)
    columns: dict[str, t.Columns] = field(factory=dict)
    modifiers: dict[str, t.Modifiers] = field(factory=dict)
    effects: dict[str, t.Effect] = field(factory=dict)
    results: dict[str, t.Results] = field(factory=dict)
    procedures: dict[str, t.Procedure] = field(factory=dict)
    events: dict[str, t.Event] = field(factory=dict)
    players: dict[str, t.Ident] = field(factory=dict)
    reactions: list[t.OnEvent] = field(factory=list)
    examples: list[t.Example] = field(factory=list)
    repeated: set[str] = field(factory=set)
    head: t.RulesetHead | None = None
    diagnostics: list[Diagnostic] = field(factory=list)
    declarations: tuple[t.Declaration, ...] = ()
    _bare_words: Collection[str] | None = field(default=None, init=False, repr=False)

    @property
    def bare_words(self) -> Collection[str]:
        """The words that some list of words, die, deck or chart declares; found when they are first needed."""
        if self._bare_words is None:
            self._bare_words = frozenset(declared_words(self.declarations))
        return self._bare_words

    def take_words(self, words: Collection[str]) -> None:
        """Keep the words in another collection."""
        self._bare_words = words

    def order_of_word(self, word: str) -> tuple[str, ...]:
        """The order of the declared list that has *word*; empty if no list with an order has it, or two have."""
        lists = (each.type for each in self.words.values())
        orders = {
            tuple(one.name for one in type_.words)
            for type_ in lists
            if isinstance(type_, t.WordsType) and type_.ordered and any(one.name == word for one in type_.words)
        }
        return orders.pop() if len(orders) == 1 else ()

    def played_in(self, source: str) -> list[str]:
        """The procedures that an example without a name may mean; a single one is meant.

        Used modules may add procedures. If the file itself declares a single procedure, its examples play that one.
        """
        own = [name for name, found in self.procedures.items() if found.span.source.name == source]
        played = [name for name in own if not self.procedures[name].helper]
        return next((each for each in (own, played) if len(each) == 1), list(self.procedures))

    @property
    def size(self) -> int:
        """The number of declared names."""
        return sum(len(self.table(kind)) for kind in KINDS)

    def table(self, kind: str) -> Mapping[str, Any]:
        """The declarations of a kind, by name."""
        found: Mapping[str, Any] = getattr(self, KINDS[kind][0])
        return found

    def kind_of(self, name: str) -> str | None:
        """The kind of a declared name, in words; ``None`` if it is not declared."""
        return next((what for kind, (_, what) in KINDS.items() if name in self.table(kind)), None)


Claims: TypeAlias = dict[tuple[str, str], tuple[type, t.Ident]]


def bind_names(declarations: tuple[t.Declaration, ...]) -> Symbols:
    """Make the symbol table.

    Args:
        declarations: All declarations of a ruleset.

    Returns:
        The table, with a diagnostic for each name declared twice.
    """
    symbols = Symbols(declarations=tuple(declarations))
    claims: Claims = {}
    tables = _tables_by_class(symbols)
    for d in declarations:
        if type(d) in _SPACES:
            name: t.Ident = d.name  # type: ignore[union-attr,assignment]  # all these kinds are named
            if _declare(symbols, claims, name, type(d)):
                tables[type(d)][name.name] = d
        else:
            _add_declaration(symbols, claims, d)
    return symbols


def _tables_by_class(symbols: Symbols) -> dict[type, dict[str, Any]]:
    return {
        t.Words: symbols.words,
        t.Record: symbols.records,
        t.Define: symbols.definitions,
        t.Die: symbols.dice,
        t.Deck: symbols.decks,
        t.Chart: symbols.charts,
        t.Columns: symbols.columns,
        t.Modifiers: symbols.modifiers,
        t.Effect: symbols.effects,
        t.Procedure: symbols.procedures,
        t.Event: symbols.events,
    }


def _declare(symbols: Symbols, claims: Claims, name: t.Ident, kind: type) -> bool:
    before = claims.setdefault((_SPACES[kind], name.name), (kind, name))
    if before[1] is name:
        return True
    message = f"`{name.name}` is declared twice"
    if before[0] is not kind:
        message = f"`{name.name}` is already {_LABELS[before[0]]}"
    symbols.repeated.add(name.name)
    is_variant = symbols.head is not None and symbols.head.extends is not None
    help_ = "choose another name" + (", or write `replace` before the declaration" if is_variant else "")
    if before[1].span.source.name != name.span.source.name:
        help_ = _help_elsewhere(before[1], kind if before[0] is kind else None)
    symbols.diagnostics.append(
        Diagnostic(
            "duplicate-name", message, name.span, labels=(Label(before[1].span, "first declared here"),), helps=(help_,)
        )
    )
    return False


_REPLACED: dict[type, str] = {
    t.Define: "define",
    t.Chart: "chart",
    t.Modifiers: "modifiers",
    t.Words: "words",
    t.Record: "record",
    t.Die: "die",
    t.Deck: "deck",
    t.Effect: "effect",
    t.Procedure: "procedure",
}


def _help_elsewhere(before: t.Ident, kind: type | None) -> str:
    """The help for a name that another file declares: a used module, or the extended ruleset."""
    source = before.span.source.name.replace("\\", "/").rsplit("/", 1)[-1]
    ways = ["choose another name"]
    if kind in _REPLACED:
        ways.insert(0, f"replace that declaration with `replace {_REPLACED[kind]} {before.name}`")
    if kind in (t.Record, t.Effect, t.Modifiers):
        ways.insert(0, f"add lines to that declaration with `add to {_REPLACED[kind]} {before.name}`")
    return f"the first declaration is in {source}: {', or '.join(ways)}"


def _add_declaration(symbols: Symbols, claims: Claims, d: t.Declaration) -> None:
    match d:
        case t.Facts():
            for fact in d.fields:
                if _declare(symbols, claims, fact.name, t.FieldDecl):
                    symbols.facts[fact.name.name] = fact
        case t.OptionDecl():
            _add_once(symbols, symbols.options, d.name, d, "option")
        case t.Results():
            _add_once(symbols, symbols.results, d.chart, d, "results of")
        case t.Players():
            for name in d.names:
                _add_once(symbols, symbols.players, name, name, "player")
        case t.OnEvent():
            symbols.reactions.append(d)
        case t.Example():
            symbols.examples.append(d)
        case t.RulesetHead():
            symbols.head = d
        case _:
            pass


def _add_once(symbols: Symbols, table: dict[str, Any], name: t.Ident, d: Any, what: str) -> None:
    if name.name not in table:
        table[name.name] = d
        return
    message = f"{what} `{name.name}` is declared twice"
    symbols.diagnostics.append(Diagnostic("duplicate-name", message, name.span))
