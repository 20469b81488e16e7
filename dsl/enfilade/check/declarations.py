"""Facts, records, options, words, dice and decks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from enfilade.check.base import Base, list_of
from enfilade.check.context import MAX_FACES, note_of, similar
from enfilade.check.scope import Scope
from enfilade.core import ir
from enfilade.core.types import (
    Bool,
    ListOf,
    Maybe,
    Num,
    RecordOf,
    Type,
    Unknown,
    Word,
    WordSet,
    describe,
)
from enfilade.core.typing import allowed_text, belongs
from enfilade.core.values import exact
from enfilade.source.text import Span
from enfilade.syntax import tree as t

NO_VALUE = object()


class Declarations(Base):
    """Elaborates what a ruleset declares about its inputs."""

    def types_first(self) -> None:
        """Words, then records, then all that uses their types."""
        symbols = self.ctx.symbols
        for words in symbols.words.values():
            type_ = self.type(words.type)
            if isinstance(type_, (Word, WordSet)):
                self.ctx.words[words.name.name] = type_.words
        for name in symbols.records:
            self.ctx.records[name] = ir.RecordDecl(name, {}, ir.NO_NOTE)
        for name, record in symbols.records.items():
            fields = {f.name.name: self.input(f) for f in self._once(record.fields)}
            self.ctx.records[name] = ir.RecordDecl(name, fields, note_of(record.tail, record.name.span))
        for die in symbols.dice.values():
            self._die(die)
        for deck in symbols.decks.values():
            cards = tuple(face.printed for face in self._all_faces(deck.cards, deck.name.span))
            self.ctx.decks[deck.name.name] = ir.Deck(deck.name.name, cards, note_of(deck.tail, deck.span))
        for option in symbols.options.values():
            self._option(option)
        for fact in symbols.facts.values():
            self.ctx.facts[fact.name.name] = self.input(fact)

    def _once(self, fields: tuple[t.FieldDecl, ...]) -> list[t.FieldDecl]:
        seen: dict[str, t.FieldDecl] = {}
        for field in fields:
            if field.name.name in seen:
                self.ctx.report("duplicate-name", f"`{field.name.name}` is declared twice", field.name.span)
            else:
                seen[field.name.name] = field
        return list(seen.values())

    # -- types ------------------------------------------------------------------------------------------------

    def type(self, tree: t.TypeExpr) -> Type:
        """A type as written."""
        match tree:
            case t.RangeType(low, high, whole, optional):
                if low is not None and high is not None and low > high:
                    self.ctx.report(
                        "empty-range", f"there is no number from {low} to {high}", tree.span, f"write {high}..{low}"
                    )
                    return Unknown()
                return _perhaps(Num(low, high, whole), optional)
            case t.FlagType():
                return Bool()
            case t.WordsType(words, many):
                names = self._distinct(words)
                return WordSet(names) if many else Word(names)
            case t.ListType(of, least):
                return list_of(self.type(of), least)
            case t.NamedType():
                return self._named(tree)

    def _distinct(self, words: tuple[t.Ident, ...]) -> tuple[str, ...]:
        seen: list[str] = []
        for word in words:
            if word.name in seen:
                self.ctx.report("duplicate-name", f"the word `{word.name}` stands here twice", word.span)
            else:
                seen.append(word.name)
        return tuple(seen)

    def _named(self, tree: t.NamedType) -> Type:
        name = tree.name.name
        if name in self.ctx.words:
            words = self.ctx.words[name]
            return WordSet(words, name) if tree.many else _perhaps(Word(words, name), tree.optional)
        if name in self.ctx.symbols.records and not tree.many:
            return RecordOf(name, tree.optional)
        self._unknown_type(tree.name)
        return Unknown()

    def _unknown_type(self, name: t.Ident) -> None:
        known = [*self.ctx.symbols.words, *self.ctx.symbols.records]
        close = similar(name.name, known)
        help_ = f"did you mean `{close}`?" if close else "a type is `0..2`, `yes/no`, `one of a, b`, a record, or words"
        self.ctx.report("unknown-type", f"there is no type `{name.name}`", name.span, help_)

    def param(self, tree: t.Param) -> Type:
        """The type of a parameter: as written, or that of the record, words or fact of its name."""
        name = tree.name.name
        if tree.type is not None:
            return self.type(tree.type)
        if name in self.ctx.records:
            return RecordOf(name)
        if name in self.ctx.facts:
            return self.ctx.facts[name].type
        if name in self.ctx.words:
            return Word(self.ctx.words[name], name)
        known = [*self.ctx.records, *self.ctx.facts]
        self.ctx.unknown("record or fact", tree.name, known)
        return Unknown()

    def input(self, tree: t.FieldDecl) -> ir.Input:
        """A fact or a field, with its default."""
        type_ = self.type(tree.type)
        default: Any = NO_VALUE
        if tree.default is not None:
            default = self.constant(tree.default, type_)
        elif not tree.required:
            default = _neutral(type_)
        has = default is not NO_VALUE
        return ir.Input(tree.name.name, type_, has, default if has else None, note_of(tree.tail, tree.span))

    def constant(self, tree: t.Expr, type_: Type) -> Any:
        """The value of a default.

        Returns:
            The value, or ``NO_VALUE`` where it is none of the type; then it is reported.
        """
        typed = self.expr(tree, Scope("a default"), type_)
        value = constant_of(typed.node)
        if isinstance(type_, WordSet) and isinstance(value, str):
            value = (value,)
        if isinstance(typed.type, Unknown) or isinstance(type_, Unknown):
            return NO_VALUE
        if value is NO_VALUE:
            self.ctx.report("not-constant", "a default is a plain value", tree.span)
        elif not _may_be(type_, value) or not belongs(type_, value):
            self.ctx.report("out-of-range", f"this default is not {allowed_text(type_)}", tree.span)
            return NO_VALUE
        return value

    def _option(self, tree: t.OptionDecl) -> None:
        type_: Type = Bool() if tree.type is None else self.type(tree.type)
        default = _neutral(type_) if tree.default is None else self.constant(tree.default, type_)
        if default is NO_VALUE:
            default = type_.words[0] if isinstance(type_, Word) else None
            if tree.default is None:
                self.ctx.report(
                    "missing-default",
                    f"the option `{tree.name.name}` needs a default",
                    tree.name.span,
                    f"write `= {default or '...'}`",
                )
        if not isinstance(type_, (Bool, Word, Num, Unknown)):
            self.ctx.report(
                "type", f"an option is yes/no, one of some words, or a number, not {describe(type_)}", tree.span
            )
        self.ctx.options[tree.name.name] = ir.OptionDecl(tree.name.name, type_, default, note_of(tree.tail, tree.span))

    # -- dice -------------------------------------------------------------------------------------------------

    def _die(self, tree: t.Die) -> None:
        faces = self._all_faces(tree.faces, tree.name.span)
        kinds = {isinstance(face.value, str) for face in faces}
        if len(kinds) > 1:
            self.ctx.report(
                "mixed-faces",
                f"`{tree.name.name}` shows numbers and symbols alike",
                tree.name.span,
                "write `blank as 0` to count a symbol, or use symbols throughout",
            )
        name = tree.name.name
        self.ctx.dice[name] = ir.Die(name, len(faces), faces, note_of(tree.tail, tree.span))

    def _all_faces(self, items: tuple[t.FaceItem, ...], span: Span) -> tuple[ir.Face, ...]:
        """All sides, unless there are too many."""
        faces: list[ir.Face] = []
        for item in items:
            faces += self._faces(item, span)
            if len(faces) > MAX_FACES:
                self.ctx.report("die-too-large", f"a die has 1 to {MAX_FACES} faces", item.span)
                return ()
        return tuple(faces)

    def _faces(self, item: t.FaceItem, span: Span) -> list[ir.Face]:
        low, dots, high = item.face.partition("..")
        if dots and not item.quoted and _whole(low) and _whole(high):
            if abs(int(high) - int(low)) >= MAX_FACES:
                self.ctx.report("die-too-large", f"a die has 1 to {MAX_FACES} faces", item.span)
                return []
            numbers = range(int(low), int(high) + 1)
            return [ir.Face(number, number) for number in numbers] * item.times
        printed: Any = int(item.face) if _whole(item.face) and not item.quoted else item.face
        if item.times > MAX_FACES:
            self.ctx.report("die-too-large", f"a die has 1 to {MAX_FACES} faces", item.span)
            return []
        return [ir.Face(printed, printed if item.value is None else item.value)] * item.times


def _perhaps(type_: Type, optional: bool) -> Type:
    """A type, or one that may be absent too."""
    return Maybe(type_) if optional else type_


def _may_be(type_: Type, value: Any) -> bool:
    """Whether a value is of the kind at all: only what may be absent is ``none``, only lists and sets hold several."""
    return isinstance(value, tuple) == isinstance(type_, (WordSet, ListOf)) and (
        value is not None or isinstance(type_, (RecordOf, Maybe))
    )


def _whole(text: str) -> bool:
    return text.removeprefix("-").isdigit()


def _neutral(type_: Type) -> Any:
    """What a fact is unless given: no, nothing in it, none; other facts must be given."""
    match type_:
        case Bool():
            return False
        case ListOf(least=0) | WordSet():
            return ()
        case RecordOf(optional=True) | Maybe():
            return None
    return NO_VALUE


def constant_of(node: ir.Expr) -> Any:
    """The value of a node that needs nothing else, or ``NO_VALUE``."""
    if isinstance(node, ir.Const):
        return node.value
    if isinstance(node, ir.Op) and node.name == "divide":
        parts = [constant_of(arg) for arg in node.args]
        return NO_VALUE if NO_VALUE in parts or parts[1] == 0 else exact(Fraction(parts[0]) / parts[1])
    if isinstance(node, ir.Items):
        items = tuple(constant_of(item) for item in node.items)
        return NO_VALUE if NO_VALUE in items else items
    return NO_VALUE
