"""Resolves every name of a text: finds each occurrence with the key of what it refers to.

The checker has noted what the names in expressions mean (`Context.meanings`), so words, fields of elements and locals
need no second set of rules. Names outside expressions, and those that a mistake kept from being checked, are looked up
in the declaration around them and then in the symbol table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any, Final, TypeAlias

from attrs import evolve, frozen

from enfilade.bind.symbols import Symbols
from enfilade.check.context import Context
from enfilade.check.reuse import Version
from enfilade.check.scope import Typed
from enfilade.core import ir
from enfilade.editor.bodies import Body, binders, body_of, is_named_by_type
from enfilade.editor.keys import Key, Occurrence
from enfilade.source.text import SourceFile, Span
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes
from enfilade.values.data import Ref
from enfilade.values.types import (
    EffectOf,
    ListOf,
    Maybe,
    OutputsOf,
    ReadingOf,
    RecordOf,
    RollOf,
    TallyOf,
    Type,
    Word,
    WordSet,
)

_TABLES: Final = {
    "fact": "facts", "define": "definitions", "chart": "charts", "modifiers": "modifiers", "option": "options",
    "columns": "columns", "die": "dice", "deck": "decks", "words": "words", "record": "records", "effect": "effects",
    "procedure": "procedures", "event": "events", "player": "players",
}  # fmt: skip
_VALUES: Final = (
    "fact",
    "define",
    "chart",
    "modifiers",
    "option",
    "columns",
    "die",
    "player",
    "procedure",
    "event",
    "record",
    "effect",
    "deck",
    "words",
)
_GIVEN: Final = ("fact", "define", "chart", "modifiers", "option")
_CALLED: Final = ("define", "chart", "modifiers")
_TYPES: Final = ("words", "record", "deck", "die")
_DECLARATIONS: Final[dict[type, str]] = {
    t.OptionDecl: "option", t.Words: "words", t.Record: "record", t.Define: "define", t.Die: "die", t.Deck: "deck",
    t.Chart: "chart", t.Columns: "columns", t.Modifiers: "modifiers", t.Effect: "effect", t.Procedure: "procedure",
    t.Event: "event",
}  # fmt: skip
_REMOVED: Final = frozenset(_TABLES)
_CAPTURED: Final = re.compile(r"\{([A-Za-z]\w*)\}")
_NAME: Final = re.compile(r"[A-Za-z]\w*")


Found: TypeAlias = dict[SourceFile, tuple[Occurrence, ...]]


def table_of(symbols: Symbols, kind: str) -> Mapping[str, Any]:
    """The declarations of a kind, by name."""
    table: Mapping[str, Any] = getattr(symbols, _TABLES[kind])
    return table


def occurrences(ctx: Context, trees: Mapping[SourceFile, Iterable[t.Declaration]], version: Version | None) -> Found:
    """Find the names in all declarations.

    Args:
        ctx: The context of the check of the whole ruleset.
        trees: The declarations of each text or part of a text, as parsed.
        version: What is known from an earlier version of the ruleset.

    Returns:
        The names of each text, in its order; each place once.
    """
    noted: Callable[[str, Mapping[Any, Any]], Mapping[Any, Any]] = _as_is if version is None else version.table
    resolver = _Resolver(
        ctx,
        noted("names of modifiers", _words_of_modifiers(ctx)),
        noted("names of parts", _parts(ctx)),
        noted("owners of locals", _owners_of_locals(ctx)),
        noted("owners of outputs", _owners_of_outputs(ctx)),
        noted("all words", dict.fromkeys(_words(ctx))),
        version,
    )
    found = {
        source: [ctx.unit("names", d, partial(resolver.all_in, d)) for d in declarations]
        for source, declarations in trees.items()
    }
    return {source: names[0] if len(names) == 1 else tuple(chain(*names)) for source, names in found.items()}


def _as_is(name: str, values: Mapping[Any, Any]) -> Mapping[Any, Any]:
    del name
    return values


def _words_of_modifiers(ctx: Context) -> dict[frozenset[str], str]:
    """The block that has modifiers of just these names."""
    return {
        ctx.kept("modifier names", (tree,), partial(_modifier_names, tree)): block
        for block, tree in ctx.symbols.modifiers.items()
    }


def _modifier_names(tree: t.Modifiers) -> frozenset[str]:
    return frozenset(line.name.name for line in nodes(tree.items) if isinstance(line, t.ModLine))


def _parts(ctx: Context) -> dict[str, None]:
    """The names of values beside bands, of marks, and of the parts of codes."""
    found = (ctx.kept("parts", (d,), partial(_parts_in, d)) for d in ctx.symbols.declarations)
    return dict.fromkeys(name for names in found for name in names)


def _parts_in(declaration: t.Declaration) -> set[str]:
    found: set[str] = set()
    for node in nodes(declaration):
        match node:
            case t.Beside() | t.CellMark():
                found.add(node.name.name)
            case t.Axis(value=t.Name(first), parts=parts) if parts:
                found.update([first, *(each.name for each in parts)])
    return found


def _words(ctx: Context) -> set[str]:
    """All words, those with blanks too."""
    listed = (ctx.kept("words", (d,), partial(_words_in, d)) for d in ctx.symbols.declarations)
    return {*ctx.symbols.bare_words}.union(*listed)


def _words_in(declaration: t.Declaration) -> set[str]:
    listed = (node.words for node in nodes(declaration) if isinstance(node, t.WordsType))
    return {word.name for words in listed for word in words}


def _owners_of_locals(ctx: Context) -> dict[str, str]:
    """A declaration that binds each local, for the names of rolls and choices in `input error`."""
    found: dict[str, str] = {}
    symbols = ctx.symbols
    for declaration in symbols.declarations:
        body = ctx.unit("body", declaration, partial(body_of, declaration, symbols))
        for name in () if body.is_example else body.bound:
            found.setdefault(name, body.owner)
    return found


def _owners_of_outputs(ctx: Context) -> dict[tuple[str, str], str]:
    """For each output that ``give fields of`` hands on: the one procedure that stands for all that share it.

    An output without a value, as in ``give column``, has the name of what it gives and is none of these.
    """
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    bare: set[tuple[str, str]] = set()
    for name, tree in ctx.symbols.procedures.items():
        calls, without_value = ctx.kept("handed on", (tree,), partial(_handed_on, tree))
        bare.update((name, output) for output in without_value)
        for called, output in ((each, output) for each in calls for output in ctx.outputs.get(each, {})):
            here, there = (groups.setdefault((each, output), [(each, output)]) for each in (name, called))
            if here is not there:
                here += there
                groups.update(dict.fromkeys(there, here))
    return {
        (f"procedure {name}", output): f"procedure {group[0][0]}"
        for (name, output), group in groups.items()
        if bare.isdisjoint(group)
    }


def _handed_on(procedure: t.Procedure) -> tuple[frozenset[str], frozenset[str]]:
    """The procedures whose outputs a procedure hands on, and the outputs that it gives without a value."""
    inside = list(nodes(procedure))
    handed = {each.of.name for each in inside if isinstance(each, t.GiveFields) and isinstance(each.of, t.Name)}
    calls = (each for each in inside if isinstance(each, t.Call) and each.name is not None and each.name.name in handed)
    bare = (each.name.name for each in inside if isinstance(each, t.Give) and each.value is None)
    return frozenset(each.procedure.name for each in calls), frozenset(bare)


@frozen
class _Resolver:
    ctx: Context
    blocks: Mapping[frozenset[str], str]
    parts: Mapping[str, None]
    locals: Mapping[str, str]
    outputs: Mapping[tuple[str, str], str]
    words: Mapping[str, None]
    version: Version | None

    @property
    def symbols(self) -> Symbols:
        return self.ctx.symbols

    def all_in(self, declaration: t.Declaration) -> tuple[Occurrence, ...]:
        """The names in a declaration, in the order of the text; each place once."""
        if self.version is not None:
            self.version.uses_meanings(declaration.span.source)
        found: dict[Span, Occurrence] = {}
        for each in self.of_declaration(declaration):
            span = _inside_quotes(each.span)
            if span.start < span.end:
                found.setdefault(span, evolve(each, span=span))
        return tuple(sorted(found.values(), key=lambda each: each.span.start))

    def of_declaration(self, declaration: t.Declaration) -> Iterator[Occurrence]:
        body = body_of(declaration, self.symbols)
        declares = not isinstance(declaration, t.AddTo)
        for node in nodes(declaration):
            if type(node) in _DECLARATIONS:
                yield Occurrence(node.name.span, Key(_DECLARATIONS[type(node)], node.name.name), declares)
            for binder in binders(node, self.symbols):
                yield Occurrence(binder.span, self.key_of_local(binder.name, body), True)
            yield from self.of_node(node, body)

    # -- nodes ------------------------------------------------------------------------------------------------

    def of_node(self, node: Any, body: Body) -> Iterator[Occurrence]:
        """The names that belong to a node itself; the nodes within it come by themselves."""
        match node:
            case t.Name():
                yield Occurrence(node.span, self.key_of_name(node.name, node.span, body))
            case t.FieldOf(t.Name(event)) if event in self.symbols.events and event not in body.bound:
                yield Occurrence(node.name.span, Key("built-in", node.name.name))
            case t.FieldOf(t.Name(columns)) if columns in self.symbols.columns and columns not in body.bound:
                yield Occurrence(node.name.span, self.part(node.name.name))
            case t.FieldOf() | t.OfEntry():
                yield Occurrence(node.name.span, self.member(node.name, body))
            case t.Invoke():
                yield Occurrence(node.name.span, self.declared(node.name.name, Body(), _CALLED))
            case t.OptionRef():
                yield Occurrence(_end_of(node.span, node.name), Key("option", node.name))
            case t.WordsRef():
                yield self.global_("words", node.name)
            case t.EffectsSoFar():
                yield self.global_("effect", node.name)
            case t.CardsLeft() | t.Draw() | t.MoveCards() | t.Reshuffle():
                is_value = node.deck.name not in self.symbols.decks and self.is_bound(node.deck, body)
                key = (
                    self.key_of_name(node.deck.name, node.deck.span, body) if is_value else Key("deck", node.deck.name)
                )
                yield Occurrence(node.deck.span, key)
            case t.DiceTerm(die=t.Ident() as die) if die.name in self.symbols.dice or self.is_bound(die, body):
                yield Occurrence(die.span, self.key_of_name(die.name, die.span, body))
            case t.MapEntry():
                yield self.word(node.key)
            case t.Text() if node.value in self.words:
                yield Occurrence(node.span, self.word_key(node.value))
            case _:
                yield from self.of_declared(node, body)

    def of_declared(self, node: Any, body: Body) -> Iterator[Occurrence]:
        """Names in declarations and types."""
        match node:
            case t.RulesetHead():
                yield Occurrence(node.name.span, Key("ruleset", node.name.name), True)
                if node.extends is not None:
                    yield Occurrence(_inside_quotes(node.extends.span), Key("file", node.extends.name, "ruleset"))
            case t.Use():
                yield Occurrence(_end_of(node.span, node.name, 0, first=True), Key("file", node.name, "module"))
            case t.Renaming():
                yield Occurrence(node.new.span, self.declared(node.new.name, body, _VALUES))
            case t.Players():
                yield from (Occurrence(name.span, Key("player", name.name), True) for name in node.names)
            case t.WordsType() | t.ChooseWord():
                yield from (self.word(word, declares=True) for word in node.words)
            case t.NamedType():
                yield Occurrence(node.name.span, self.declared(node.name.name, Body(), _TYPES))
            case t.MapType():
                yield self.global_("words", node.key)
            case t.Deck(like=t.Ident() as like):
                yield self.global_("deck", like)
            case t.Facts() | t.Record() | t.Deck():
                yield from self.of_fields(node, body)
            case t.CardProduct():
                yield from (Occurrence(axis.name.span, Key("card field", axis.name.name)) for axis in node.axes)
            case t.CardLine():
                if not node.name.name.isdigit():
                    yield self.word(node.name, declares=True)
                yield from (Occurrence(each.name.span, Key("card field", each.name.name)) for each in node.fields)
                yield from self.of_values(node.fields, body)
            case t.FaceItem() if _NAME.match(node.face):
                yield Occurrence(_piece(node.span, node.face), self.word_key(node.face), True)
            case t.Param() if is_named_by_type(node, self.symbols):
                yield Occurrence(node.name.span, self.declared(node.name.name, Body(), _TYPES))
            case _:
                yield from self.of_chart_part(node, body)

    def of_chart_part(self, node: Any, body: Body) -> Iterator[Occurrence]:
        """Names in charts and modifiers."""
        match node:
            case t.Chart(like=t.Ident() as like):
                yield self.global_("chart", like)
            case t.Axis():
                first = (node.value,) if node.parts and isinstance(node.value, t.Name) else ()
                yield from (Occurrence(each.span, Key("part", each.name), True) for each in (*first, *node.parts))
                if node.printed_on is not None:
                    yield self.global_("die", node.printed_on)
            case t.CellMark() | t.Beside():
                yield Occurrence(node.name.span, Key("part", node.name.name), True)
            case t.EdgeAction(act="refuse", name=str(slug)):
                yield Occurrence(_piece(node.span, slug), Key("refusal", slug), True)
            case t.Code():
                yield from self.words_in(node, body)
            case t.Modifiers():
                yield from (self.global_("chart", chart) for chart in node.charts)
                names = [line for line in nodes(node.items) if isinstance(line, t.ModLine)]
                yield from (
                    Occurrence(line.name.span, self.modifier(line.name, node.name.name), True) for line in names
                )
            case t.ModSection(record=t.Ident() as record):
                yield self.global_("record", record)
            case t.ReplaceModifier():
                yield Occurrence(node.name.span, self.modifier(node.name, node.block.name))
                yield self.global_("modifiers", node.block)
                yield from (Occurrence(line.name.span, self.modifier(line.name, node.block.name), True)
                            for line in node.lines)  # fmt: skip
            case t.ReplaceCell():
                yield self.global_("chart", node.chart)
            case t.ReplaceStep():
                yield self.global_("procedure", node.procedure)
            case t.RemovePart():
                kind = "modifiers" if node.name is not None else "procedure"
                yield self.global_(kind, node.block)
                if node.name is not None:
                    yield Occurrence(node.name.span, self.modifier(node.name, node.block.name))
            case t.Remove():
                kind = "chart" if node.kind == "results" else node.kind
                if kind in _REMOVED:
                    yield self.global_(kind, node.name)
            case _:
                yield from self.of_step(node, body)

    def of_step(self, node: Any, body: Body) -> Iterator[Occurrence]:
        """Names in steps."""
        match node:
            case t.Refuse() | t.Unless():
                yield Occurrence(node.slug.span, Key("refusal", node.slug.name), True)
            case t.Give(value=None):
                yield Occurrence(node.name.span, self.key_of_name(node.name.name, node.name.span, body))
            case t.Becomes():
                yield from self.path(node.target, body)
            case t.Must():
                yield from self.path(node.subject, body)
            case t.Read():
                yield Occurrence(node.chart.span, self.declared(node.chart.name, body, ("chart", *_VALUES)))
                if node.each is not None:
                    yield self.global_("record", node.each)
            case t.Perform():
                yield self.global_("effect", node.effect)
                yield from self.arguments(node.args, f"effect {node.effect.name}")
            case t.Assign():
                yield self.global_("effect", node.effect)
                yield from self.arguments(node.args, f"effect {node.effect.name}")
            case t.Call() | t.StartLine():
                yield self.global_("procedure", node.procedure)
                yield from self.arguments(node.args, f"procedure {node.procedure.name}")
            case t.Results():
                yield from (self.global_("chart", chart) for chart in (node.chart, *node.also))
                if node.record is not None:
                    yield self.global_("record", node.record)
            case t.OnEvent():
                yield self.global_("event", node.event)
            case _:
                yield from self.of_example(node, body)

    def of_example(self, node: Any, body: Body) -> Iterator[Occurrence]:
        """Names in examples."""
        match node:
            case t.Example(procedure=t.Ident() as procedure):
                kind = body.owner.partition(" ")[0]
                yield self.global_(kind, procedure)
                yield from self.of_table(node, body)
            case t.Given():
                for item in node.items:
                    yield Occurrence(item.name.span, self.key_of_given(item.name.name, body))
                yield from self.of_values(node.items, body, declares=True)
            case t.ExOption():
                yield self.global_("option", node.item.name)
                yield from self.of_values((node.item,), body)
            case t.Choosing():
                yield from self.of_values(node.values, body)
            case t.WayOfPlay(player=t.Ident() as player):
                yield Occurrence(player.span, Key("player", player.name))
            case t.ExEffect():
                yield self.global_("effect", node.effect)
                owner = f"effect {node.effect.name}"
                yield from (Occurrence(each.name.span, self.parameter(each.name.name, owner)) for each in node.args)
                yield from self.of_values((node.on, node.args), body)
            case t.Refused():
                yield Occurrence(node.slug.span, Key("refusal", node.slug.name))
            case t.ExpectInputError():
                yield Occurrence(node.parameter.span, self.wrong_input(node.parameter.name, body))
            case t.Starts():
                yield self.global_("procedure" if node.reason is None else "built-in", node.procedure)
                if node.reason is not None:
                    yield Occurrence(node.reason.span, Key("refusal", node.reason.name))

    def of_table(self, node: t.Example, body: Body) -> Iterator[Occurrence]:
        """Names in the headers of a table of examples, and the fields in its cells."""
        for column, cell in enumerate(node.rows[0].cells if node.rows else ()):
            record = None
            for found in _NAME.finditer(cell.span.text):
                name = found[0]
                if record is not None and name in body.pieces and name not in self.ctx.records[record].fields:
                    # A record in a list: its name stands between the list and the field.
                    yield Occurrence(cell.span.at(found.start(), found.end()), Key("piece", name, body.piece_owner))
                    continue
                key = self.heading(name, body) if record is None else self.field_in(name, record)
                record = self.record_of(name, record, body)
                if record is None and key is not None and key.kind == "piece":
                    record = self.record_of_piece(node, name, body)
                if key is not None:
                    yield Occurrence(cell.span.at(found.start(), found.end()), key)
            if record is not None:
                yield from self.of_described([row.cells[column] for row in node.rows[1:] if row.cells[column:]], record)

    def of_described(self, cells: Iterable[t.Code], record: str) -> Iterator[Occurrence]:
        """Names in cells that describe records, as in ``hussars (kind cavalry)``."""
        fields = self.ctx.records[record].fields
        for cell in cells:
            for found in _NAME.finditer(cell.span.text):
                if found[0] in fields or found[0] in self.words:
                    key = self.field_in(found[0], record) if found[0] in fields else self.word_key(found[0])
                    yield Occurrence(cell.span.at(*found.span()), key)

    def record_of_piece(self, example: t.Example, name: str, body: Body) -> str | None:
        """The kind of a record that the lines above a table name."""
        for item in nodes(example.lines):
            if isinstance(item, t.GivenItem) and item.value is not None:
                named = (item.value, *item.value.items)
                if any(each.scalar == name for each in named):
                    return self.record_of(item.name.name, None, body)
        return None

    def of_fields(self, node: t.Facts | t.Record | t.Deck, body: Body) -> Iterator[Occurrence]:
        for field in node.fields:
            name = field.name.name
            match node:
                case t.Facts():
                    key = Key("fact", name, body.owner if body.owner.startswith("procedure ") else "")
                case t.Record():
                    key = Key("field", name, node.name.name)
                case t.Deck():
                    key = Key("card field", name)
            yield Occurrence(field.name.span, key, True)
            record = self.record_of(name, node.name.name if isinstance(node, t.Record) else None, body)
            entries = field.default.entries if record and isinstance(field.default, t.MapLiteral) else ()
            yield from (Occurrence(each.key.span, self.field_in(each.key.name, record)) for each in entries)

    def of_values(self, values: Any, body: Body, *, declares: bool = False) -> Iterator[Occurrence]:
        """Names in values that examples state; maps and records name words and fields."""
        waiting: list[tuple[Any, str | None]] = [(each, None) for each in reversed(_flat(values))]
        while waiting:
            value, record = waiting.pop()
            if isinstance(value, t.GivenItem):
                waiting.append((value.value, self.record_of(value.name.name, record, body)))
            elif isinstance(value, t.Value):
                if value.kind == "text" and value.scalar in self.words:
                    yield Occurrence(value.span, self.word_key(str(value.scalar)))
                elif value.kind in ("name", "record") and value.scalar is not None:
                    key = self.stated(str(value.scalar), body)
                    yield Occurrence(_start_of(value.span, key.name), key, declares and key.kind == "piece")
                for item in value.fields:
                    yield Occurrence(item.name.span, self.field_in(item.name.name, record))
                waiting += [(each, record) for each in reversed((*value.items, *value.fields))]

    def record_of(self, name: str, within: str | None, body: Body) -> str | None:
        """The kind of record that the value of a fact, or of a field of *within*, describes."""
        if within is None and name in self.ctx.records and name not in self.ctx.facts:
            return name
        own = self.ctx.own_inputs.get(body.owner.partition(" ")[2], self.ctx.own_inputs.get(body.owner, {}))
        known: Mapping[str, ir.Input] = {**self.ctx.facts, **own}
        if within is not None:
            # A record of a module may have another name in the game.
            known = self.ctx.records[within].fields if within in self.ctx.records else {}
        type_ = known[name].type if name in known else None
        while isinstance(type_, (ListOf, Maybe)):
            type_ = type_.of
        return type_.record if isinstance(type_, RecordOf) and type_.record in self.ctx.records else None

    def field_in(self, name: str, record: str | None) -> Key:
        if record is not None and name in self.ctx.records[record].fields:
            return Key("field", name, record)
        return self.word_key(name) if record is None and name in self.words else self.field_or_word(name)

    # -- what a name refers to --------------------------------------------------------------------------------

    def key_of_name(self, name: str, span: Span, body: Body) -> Key:
        """A bare name: as the checker understood it, else by its scope."""
        meaning = self.ctx.meanings.get(span)
        found = None if meaning is None else self.meant(meaning, name, body)
        return found or self.declared(name, body, _VALUES)

    def meant(self, meaning: Typed, name: str, body: Body) -> Key | None:
        match meaning.node:
            case ir.Const(Ref(_, key)):
                return Key("piece", key, body.piece_owner) if name in body.pieces else self.key_of_given(name, body)
            case ir.Const(str()):
                return self.word_of_type(name, meaning.type)
            case ir.Const():
                return Key("built-in", name)
            case ir.Local(slot):
                if (slot.startswith("each@") or slot == "reader") and meaning.type == RecordOf(name):
                    return Key("record", name)
                return self.key_of_local(name, body)
            case ir.Fact(inner):
                owner, _, own = inner.rpartition(".")
                return self.own_fact(own, owner)
            case ir.Field(of, field) if field == name:
                return self.field_of(of.type, name)
            case ir.Part(of, part) if part == name:
                return self.field_of(of.type, name)
            case ir.Define():
                return Key("define", name)
            case ir.Option():
                return Key("option", name)
            case ir.SumModifiers():
                return Key("modifiers", name)
            case ir.Look() | ir.LookIn():
                return Key("chart", name)
        found = self.field_or_word(name)
        return found if found.kind in ("card field", "part") and name not in self.symbols.charts else None

    def member(self, name: t.Ident, body: Body) -> Key:
        """The name behind a dot, or before `of`."""
        of = self.ctx.owners.get(name.span)
        if of is None:
            meaning = self.ctx.meanings.get(name.span)
            found = None if meaning is None else self.meant(meaning, name.name, body)
            return found or self.field_or_other(name.name, body)
        return self.field_of(of.type, name.name)

    def field_of(self, of: Type, name: str) -> Key:
        match of:
            case RecordOf(record) if name in self.ctx.records[record].fields:
                return Key("field", name, record)
            case EffectOf(effect):
                return self.parameter(name, f"effect {effect}")
            case OutputsOf(procedure):
                return self.output(name, procedure)
            case RollOf() | TallyOf():
                return Key("built-in", name)
            case ReadingOf():
                return self.part(name)
        return Key("card field", name) if self.is_card_field(name) else Key("built-in", name)

    def part(self, name: str) -> Key:
        """A value of a reading: a declared one, or the code, column or row."""
        return Key("part" if name in self.parts else "built-in", name)

    def output(self, name: str, procedure: str) -> Key:
        """An output: a local of its procedure, or what ``give NAME`` gives."""
        called = self.symbols.procedures.get(procedure)
        return Key("built-in", name) if called is None else self.declared(name, body_of(called, self.symbols), _VALUES)

    def path(self, names: tuple[t.Ident, ...], body: Body) -> Iterator[Occurrence]:
        """``unit.steps`` before `becomes`: each field belongs to the record before it."""
        first, *others = names
        meaning = self.ctx.meanings.get(first.span)
        yield Occurrence(first.span, self.key_of_name(first.name, first.span, body))
        type_: Type | None = None if meaning is None else meaning.type
        for part in others:
            if isinstance(type_, RecordOf) and part.name in (fields := self.ctx.records[type_.record].fields):
                yield Occurrence(part.span, Key("field", part.name, type_.record))
                type_ = fields[part.name].type
            else:
                yield Occurrence(part.span, self.member(part, body))
                type_ = None

    def key_of_local(self, name: str, body: Body) -> Key:
        """A local; an element or a parameter without a name of its own has that of its type."""
        if name in body.bound:
            return self.local(name, body)
        kind, _, block = body.owner.partition(" ")
        for chart in self.symbols.modifiers[block].charts if kind == "modifiers" else ():
            tree = self.symbols.charts.get(chart.name)
            if tree is not None and name in (of_chart := body_of(tree, self.symbols)).bound:
                return Key("local", name, of_chart.owner)
        kinds = (*_GIVEN, *_TYPES) if body.is_example else (*_TYPES, *_GIVEN)
        found = self.declared(name, evolve(body, bound=frozenset(), pieces=frozenset()), kinds)
        # An output without a value that ``give fields of`` hands on.
        is_handed_on = found.kind in ("unknown", "word") and name in self.locals
        return Key("local", name, self.locals[name]) if is_handed_on else found

    def local(self, name: str, body: Body) -> Key:
        """A local; an output that several procedures share is the same local in all of them."""
        return Key("local", name, self.outputs.get((body.owner, name), body.owner))

    def is_bound(self, name: t.Ident, body: Body) -> bool:
        return name.span in self.ctx.meanings or name.name in body.bound

    def declared(self, name: str, body: Body, kinds: tuple[str, ...]) -> Key:
        """A name by its scope alone."""
        if name in body.pieces:
            return Key("piece", name, body.piece_owner)
        if name in body.bound or (body.owner, name) in self.outputs:
            return self.local(name, body)
        if name in body.facts:
            return Key("fact", name, body.owner)
        for kind in kinds:
            if name in table_of(self.symbols, kind):
                return Key(kind, name)
        return self.field_or_word(name)

    def field_or_other(self, name: str, body: Body) -> Key:
        field = self.field_or_word(name)
        return field if field.kind in ("field", "card field", "part") else self.declared(name, body, _VALUES)

    def field_or_word(self, name: str) -> Key:
        """A field of any record, or a word."""
        for record, tree in self.symbols.records.items():
            if any(each.name.name == name for each in tree.fields):
                return Key("field", name, record)
        if self.is_card_field(name):
            return Key("card field", name)
        if name in self.parts:
            return Key("part", name)
        if name in self.symbols.bare_words:
            return Key("word", name)
        return Key("built-in" if name in _BUILT_IN else "unknown", name)

    def is_card_field(self, name: str) -> bool:
        return any(name in fields for fields in self.ctx.card_fields.values())

    def own_fact(self, name: str, owner: str) -> Key:
        if not owner:
            return Key("fact", name)
        return (
            Key("fact", name, f"procedure {owner}") if owner in self.symbols.procedures else Key("local", name, owner)
        )

    def key_of_given(self, name: str, body: Body) -> Key:
        """What an example or a call gives: an own fact, a parameter, a fact or a record."""
        chart = self.chart_with(name, body)
        if chart is not None:
            return Key("local", name, f"chart {chart}")
        return self.declared(name, body if not body.pieces else _without_pieces(body), ("fact", "record", *_VALUES))

    def chart_with(self, name: str, body: Body) -> str | None:
        """The chart whose parameter an example of modifiers gives."""
        kind, _, block = body.owner.partition(" ")
        modifiers = self.symbols.modifiers.get(block) if kind == "modifiers" and body.is_example else None
        for chart in () if modifiers is None else modifiers.charts:
            declared = self.symbols.charts.get(chart.name)
            if declared is not None and any(each.name.name == name for each in declared.params):
                return chart.name
        return None

    def parameter(self, name: str, owner: str) -> Key:
        effect = self.symbols.effects.get(owner.removeprefix("effect "))
        untyped = effect is not None and any(
            each.name.name == name and is_named_by_type(each, self.symbols) for each in effect.params
        )
        return self.declared(name, Body(), _TYPES) if untyped else Key("local", name, owner)

    def arguments(self, args: tuple[t.With, ...], owner: str) -> Iterator[Occurrence]:
        kind, _, name = owner.partition(" ")
        for each in args:
            if each.name is None:
                continue
            if kind == "effect":
                yield Occurrence(each.name.span, self.parameter(each.name.name, owner))
            else:
                called = self.symbols.procedures.get(name)
                body = Body() if called is None else body_of(called, self.symbols)
                own = each.name.name in body.facts
                yield Occurrence(each.name.span, Key("fact", each.name.name, owner if own else ""))

    def wrong_input(self, name: str, body: Body) -> Key:
        """What an `input error` is about: a fact, a field, a roll, a choice or an option."""
        key = self.key_of_given(name, body)
        is_known = key.kind not in ("unknown", "built-in", "word")
        return Key("local", name, self.locals[name]) if not is_known and name in self.locals else key

    def heading(self, name: str, body: Body) -> Key | None:
        key = self.key_of_given(name, body)
        return None if key.kind in ("unknown", "built-in") else key

    def stated(self, name: str, body: Body) -> Key:
        """A name as a value in an example."""
        if name in body.pieces:
            return Key("piece", name, body.piece_owner)
        is_word = name in self.words or name in self.symbols.players
        return self.word_key(name) if is_word else self.key_of_given(name, body)

    def word_of_type(self, name: str, type_: Type) -> Key:
        """A word: a player, a modifier, or one that a list of words declares."""
        words = type_.words if isinstance(type_, (Word, WordSet)) else ()
        block = self.blocks.get(frozenset(words))
        if block is not None:
            return Key("modifier", name, block)
        return self.word_key(name)

    def word(self, name: t.Ident, *, declares: bool = False) -> Occurrence:
        return Occurrence(name.span, self.word_key(name.name), declares)

    def word_key(self, word: str) -> Key:
        """A word; the name of a player, wherever it is listed, is the player."""
        return Key("player" if word in self.symbols.players else "word", word)

    def words_in(self, code: t.Code, body: Body) -> Iterator[Occurrence]:
        """The words in a printed label or cell, if it has nothing else; or the chart that it names."""
        text = code.text.strip('"')
        for part in _CAPTURED.finditer(code.span.text):
            yield Occurrence(code.span.at(*part.span(1)), Key("local", part[1], body.owner), True)
        if text in self.symbols.charts:
            yield Occurrence(_start_of(code.span, text), Key("chart", text))
        elif text in self.words and not (text.isdigit() and code.span.text[:1].isdigit()):
            yield Occurrence(_start_of(code.span, text), self.word_key(text))
        else:
            found = list(_NAME.finditer(code.span.text))
            known = [each for each in found if each[0] in self.words]
            # A code of several parts may have others; any other cell has words alone, as in `town, woods`.
            for each in known if len(known) == len(found) or self.has_parts(body) else ():
                yield Occurrence(code.span.at(*each.span()), self.word_key(each[0]))

    def has_parts(self, body: Body) -> bool:
        """Whether the codes of a chart have named parts."""
        chart = self.symbols.charts.get(body.owner.removeprefix("chart "))
        lines = () if chart is None else (item.line for item in chart.items)
        return any(isinstance(line, t.AxisLine) and bool(line.axis.parts) for line in lines)

    def modifier(self, name: t.Ident, block: str) -> Key:
        return Key("modifier", name.name, block)

    def global_(self, kind: str, name: t.Ident) -> Occurrence:
        return Occurrence(name.span, Key(kind, name.name))


# Names that the language itself declares.
_BUILT_IN: Final = frozenset(
    {
        "above",
        "absolute",
        "below",
        "dice",
        "each",
        "header",
        "name",
        "player",
        "players",
        "reader",
        "readers",
        "result",
        "roll",
    }
)


def _without_pieces(body: Body) -> Body:
    return evolve(body, pieces=frozenset())


def _flat(values: Any) -> list[Any]:
    """Values and items in nested tuples, in order."""
    flat: list[Any] = []
    waiting = [values]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            waiting += reversed(each)
        else:
            flat.append(each)
    return flat


def _end_of(span: Span, name: str, quotes: int = 0, *, first: bool = False) -> Span:
    """The place of a name at the end of a span, or of the first one of that name."""
    at = span.text.find(name) if first else span.text.rfind(name)
    return span if at < 0 else span.at(at, at + len(name))


def _start_of(span: Span, name: str) -> Span:
    at = span.text.find(name)
    return span if at < 0 else span.at(at, at + len(name))


def _piece(span: Span, name: str) -> Span:
    """The last place of a whole word in a span."""
    found = list(re.finditer(rf"\b{re.escape(name)}\b", span.text))
    return span.at(*found[-1].span()) if found else span.at(0, 0)


def _inside_quotes(span: Span) -> Span:
    return span.at(1, len(span.text) - 1) if span.text.startswith('"') else span
