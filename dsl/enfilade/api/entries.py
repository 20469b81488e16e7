"""Parsing of typed facts and values: at a prompt, on a command line, in a chat.

The syntax is that of ``given`` in an example, with optional commas. The result is plain data for ``resolve`` and
``begin``, which validate it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Protocol, TypeVar

from attrs import evolve, field, frozen

from enfilade.api.describe import InputField
from enfilade.api.prepared import PreparedRules, check_known
from enfilade.bind.names import NameRecord
from enfilade.check.entries.entries import group_facts
from enfilade.check.entries.entry_names import Names, is_comma, text_of, unknown_name
from enfilade.check.entries.entry_values import group_records, group_value
from enfilade.check.types.literals import GivenReader
from enfilade.check.types.type_relations import record_in
from enfilade.core import ir
from enfilade.door import door, with_doors
from enfilade.errors import AmbiguousEntry, EntryError
from enfilade.frozen import FrozenMap
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.entries import parse_answers, parse_given
from enfilade.syntax.fault import SyntaxFault
from enfilade.values.records import key_names
from enfilade.values.types import CodeOf, Type, Word

T = TypeVar("T")
_BEFORE_DICE: Final = re.compile(r"\b(?:an?|the|and)\s+(?=\d)", re.IGNORECASE)
_PLUS: Final = re.compile(r"(?<=\d)\+(?=\d)")
_SIGNS: Final = re.compile(r'(?<=\d)"|"[^"]*"|;(?=\s|$)')


class KnownRecord(Protocol):
    """A known record with a name, such as a piece on a table."""

    @property
    def kind(self) -> str:
        """The kind of record."""

    @property
    def fields(self) -> Mapping[str, Any]:
        """The given fields, as plain data."""


@with_doors
@frozen(slots=False)
class EntryReader:
    """Reads entries for one ruleset.

    Attributes:
        rules: The ruleset.
        pieces: The known records by name. In an entry, the name of a known record means the whole record.
        asks: Whether the caller can ask for missing fields: a name may then have no fields yet.
        keys: Whether names of records stay names, for records that are given elsewhere.
    """

    rules: PreparedRules
    pieces: Mapping[str, KnownRecord] = field(factory=FrozenMap, converter=FrozenMap)
    asks: bool = False
    keys: bool = False

    def facts(self, inputs: Mapping[str, InputField], text: str) -> dict[str, Any]:
        """Read facts in any order: ``fire_value 16, terrain town, not night, unit gun (kind mg)``.

        Args:
            inputs: The facts by name: the result of ``Ruleset.inputs``.
            text: The typed text.

        Returns:
            The facts by name, as ``resolve`` takes them.

        Raises:
            EntryError: A fact is unknown, is given twice, or can't be read.
            AmbiguousEntry: The text can be read in several ways.
        """
        types = {name: each.domain for name, each in inputs.items()}
        return self._converted(types, self._grouped(text, self._of_inputs(inputs)))

    def split(self, text: str) -> tuple[str, list[Any] | None, list[Any] | None]:
        """Split an entry into the text of its facts, the dice after ``on`` and the options after ``choosing``.

        The dice end at a word that no die and no card shows; with it, other facts begin. An ``on`` before such a word is
        one of the facts: ``guard on hill on 4 3 at night``.

        Args:
            text: The typed text.

        Raises:
            EntryError: A bracket or a quote is not closed.
        """
        text = _as_parsed(text)
        parts = _parsed(parse_given, text)
        said: dict[str, list[str]] = {"": [], "on": [], "choosing": []}
        now, start = "", 0
        for at, part in enumerate(parts):
            then = self._clause_at(parts, at, now)
            if then is not None:
                said[now].append(text[start : part.span.start])
                now, start = then, part.span.start if then == "" else part.span.end
        said[now].append(text[start:])
        dice = _PLUS.sub(" ", _BEFORE_DICE.sub(" ", " ".join(said["on"])))
        facts = ", ".join(filter(None, (each.strip(", ") for each in said[""])))
        choices = read_answers(" ".join(said["choosing"])) if said["choosing"] else None
        return facts, read_answers(dice) if said["on"] else None, choices

    def _clause_at(self, parts: Sequence[t.EntryPart], at: int, now: str) -> str | None:
        """The clause that begins with a part: dice, options or other facts; ``None`` if this one goes on."""
        word = text_of(parts[at]).casefold()
        if word == "choosing" or (word == "on" and self._shows_dice(parts, at + 1)):
            return word
        return "" if now == "on" and not is_comma(parts[at]) and not self._shows_dice(parts, at) else None

    def _shows_dice(self, parts: Sequence[t.EntryPart], at: int) -> bool:
        """Whether dice or cards stand at a place, perhaps behind an article or `and`."""
        return self._is_shown(
            parts, at + (at < len(parts) and text_of(parts[at]).casefold() in ("a", "an", "the", "and"))
        )

    def _is_shown(self, parts: Sequence[t.EntryPart], at: int) -> bool:
        """Whether a part may be what a die or a card shows."""
        part = parts[at] if at < len(parts) else None
        if not isinstance(part, t.Value):
            return isinstance(part, t.Group) and part.opening == "["
        text = part.span.text
        return text[0] in '"-' or text[0].isdigit() or text_of(part) in self._shown

    @cached_property
    def _shown(self) -> set[str]:
        """The words on dice and cards."""
        program = self.rules.program
        faces = {face.printed for die in program.dice.values() for face in die.faces or ()}
        return set(map(str, faces.union(*(deck.cards for deck in program.decks.values()))))

    def value(self, type_: Type | None, text: str, name: str) -> Any:
        """Read one value.

        Args:
            type_: The expected type; ``None`` if it is unknown.
            text: The typed text.
            name: The name of the fact, for messages and as the name of a record without one.

        Raises:
            EntryError: The text is empty, or it is not a record.
        """
        parts = _parsed(parse_given, _as_parsed(text))
        if type_ is None:
            only = parts[0] if len(parts) == 1 else None
            return _Converter(self, {}, []).scalar(only) if isinstance(only, t.Value) else text.strip()
        fact = self.rules.program.facts.get(name)
        names = evolve(self._names({name: type_}), labels={name: (fact.note.label if fact else None) or ""})
        if record_in(type_) is not None and (self.keys or self.asks):
            value = group_records(parts, type_, names, name, only_names=self.keys)
        elif isinstance(type_, (Word, CodeOf)) and text.strip() in type_.words:
            # A word may have any characters.
            return text.strip()
        else:
            value = group_value(parts, type_, names, name)
        return self._converted({name: type_}, [t.GivenItem(t.Ident(name), value)])[name]

    def changes(
        self, inputs: Mapping[str, InputField], fields: Mapping[str, Type], text: str
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Read facts together with fields of records: ``terrain woods, gun.steps 1``.

        Args:
            inputs: The facts by name: the result of ``Ruleset.inputs``.
            fields: The types of the fields, by the names used in the entry.
            text: The typed text.

        Returns:
            The facts, and the fields.

        Raises:
            EntryError: A fact or a field is unknown, is given twice, or can't be read.
        """
        types = {name: each.domain for name, each in inputs.items()}
        others = fields.keys() - types.keys()
        names = evolve(self._of_inputs(inputs), types={**types, **fields, **types}, is_change=True, last=others)
        items = self._grouped(text, names)
        converter = _Converter(self, types, [item for item in items if item.name.name in types])
        given = ((item.name.name, item.value) for item in items if item.name.name in others)
        return converter.facts, {name: converter.value(value, fields[name], name, within="") for name, value in given}

    def fields(self, record: str, text: str) -> dict[str, Any]:
        """Read the fields of a record: ``kind artillery, steps 2, dug_in``.

        Args:
            record: The kind of record.
            text: The typed text.

        Raises:
            InputError: There is no such record.
            EntryError: There is no such field, or it is given twice.
        """
        self._record(record)
        items = self._grouped(text, self._names({}).in_record(record))
        return _Converter(self, {}, []).fields(record, tuple(items))

    def required(self, record: str) -> list[str]:
        """Return the names of the fields of a record that have no default.

        Raises:
            InputError: There is no such record.
        """
        return [name for name, each in self._record(record).fields.items() if not each.has_default]

    def key_field(self, record: str) -> str:
        """Return the name of the field with a record's name.

        Raises:
            InputError: There is no such record.
        """
        return next(iter(key_names(self._record(record))), "name")

    def _record(self, record: str) -> ir.RecordDecl:
        check_known("record", record, self.rules.program.records)
        return self.rules.program.records[record]

    def _grouped(self, text: str, names: Names) -> list[t.GivenItem]:
        try:
            return group_facts(_parsed(parse_given, _as_parsed(text)), names)
        except AmbiguousEntry as wrong:
            wrong.text = text
            raise

    def _names(self, types: Mapping[str, Type]) -> Names:
        kinds = {name: piece.kind for name, piece in self.pieces.items()}
        return Names(types, self.rules.program.records, kinds, takes_new=self.asks)

    def _of_inputs(self, inputs: Mapping[str, InputField]) -> Names:
        names = self._names({name: each.domain for name, each in inputs.items()})
        required = tuple(name for name, each in inputs.items() if each.required)
        return evolve(names, first=required, labels={name: each.label or "" for name, each in inputs.items()})

    def _converted(self, types: Mapping[str, Type], items: list[t.GivenItem]) -> dict[str, Any]:
        return _Converter(self, types, items).facts


def _as_parsed(text: str) -> str:
    """The text with the word `inches` for a quote sign after a number, which opens no quotation, and commas for `;`.

    Examples:
        >>> _as_parsed('at 8", units "Battery; 8"; night')
        'at 8 inches, units "Battery; 8", night'
    """
    plain = {'"': " inches", ";": ","}
    return _SIGNS.sub(lambda found: plain.get(found[0], found[0]), text)


@door
def read_answers(text: str) -> list[Any]:
    """Read dice, cards or choices; an answer of several words needs quotes.

    Raises:
        EntryError: A quote is not closed.

    Examples:
        >>> read_answers('gun, 3 "very good" yes')
        ['gun', 3, 'very good', True]
        >>> read_answers("[6 6] []")
        [[6, 6], []]
    """
    return list(map(_answer, _parsed(parse_answers, text)))


def _answer(value: t.Value) -> Any:
    if value.kind == "list":
        return list(map(_answer, value.items))
    return _CONSTANTS[str(value.scalar)] if value.kind == "constant" else value.scalar


_CONSTANTS: Final = {"yes": True, "no": False, "none": None}


def _parsed(parse: Callable[[str], T], text: str) -> T:
    try:
        return parse(text)
    except SyntaxFault as fault:
        raise EntryError(fault.message, fault.help or "") from fault


class _Complaints:
    """A reporter for the checker that raises each diagnostic as an error."""

    def __init__(self, records: Mapping[str, ir.RecordDecl]) -> None:
        self.records = records
        self.names = NameRecord()

    def report(self, code: str, message: str, span: Span, *helps: str) -> None:
        """Raise a diagnostic."""
        raise EntryError(message, "; ".join(helps), span)

    def unknown(self, what: str, name: t.Ident, known: list[str]) -> None:
        """Raise the error for an unknown name."""
        unknown_name(name.name, known, f"there is no {what}", name.span)


class _Converter(GivenReader):
    """Converts the facts of one entry; the name of a known record becomes the record."""

    def __init__(self, reader: EntryReader, types: Mapping[str, Type], items: list[t.GivenItem]) -> None:
        self.reader = reader
        super().__init__(_Complaints(reader.rules.program.records), types, items)

    def scalar(self, value: t.Value) -> Any:
        # The typed text of a number, for exact quotes in messages and because 7.5 is exact as text.
        return value.span.text if isinstance(value.scalar, Fraction) else super().scalar(value)

    def named(self, value: t.Value, record: str, fact: str) -> Any:
        key = str(value.scalar)
        if self.reader.keys:
            return key
        piece = self.reader.pieces.get(key)
        if piece is None:
            self._check_new(key, record, value.span)
        return self._begun(key, record, fact)

    def _check_new(self, key: str, record: str, span: Span) -> None:
        if key in self.declared.records[record].fields:
            raise EntryError(f"{key} is a field of a {record}", f"put the fields in brackets: NAME ({key} ...)", span)
        required = self.reader.required(record)
        if required and not self.reader.asks:
            hint = f"describe the piece here, as in `{key} ({required[0]} ...)`, or put the piece on the table first"
            raise EntryError(f"there is no piece {key}", hint, span)

    def record(self, value: t.Value, record: str, fact: str, *, listed: bool) -> Any:
        key = fact if value.scalar is None else str(value.scalar)
        if value.scalar is not None and key not in self.reader.pieces and key in self.declared.records[record].fields:
            self._check_new(key, record, value.span)
        return {**self._begun(key, record, fact), **self.fields(record, value.fields)}

    def _begun(self, key: str, record: str, fact: str) -> dict[str, Any]:
        """Return a record with its name and its known fields."""
        piece = self.reader.pieces.get(key)
        if piece is not None and piece.kind != record:
            fields = ", ".join(f"{name} ..." for name in self.reader.required(record)) or "its fields"
            raise EntryError(
                f"{key} is a {piece.kind}, and {fact} takes a {record}", f"describe the {record} here: NAME ({fields})"
            )
        return {self.reader.key_field(record): key, **({} if piece is None else piece.fields)}
