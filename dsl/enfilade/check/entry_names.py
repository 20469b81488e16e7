"""The names that an entry may use: facts, fields, records and words, and which of them a typed value can mean."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Final, NoReturn

from attrs import evolve, field, frozen

from enfilade.check.entry_parts import is_text, name_of
from enfilade.check.type_relations import record_in
from enfilade.core import ir
from enfilade.core.types import ListOf, Maybe, Num, RecordOf, Type, Word, WordSet
from enfilade.diagnostics.suggest import MIN_BEGINNING, in_any_case, nearest, only_beginning
from enfilade.door import door
from enfilade.errors import EntryError
from enfilade.source.text import Span
from enfilade.syntax import tree as t

_MOST_LISTED: Final = 16
_WORD: Final = re.compile(r"[^\W\d_]+")


@frozen
class Names:
    """The names that an entry may use.

    Attributes:
        types: The types of the facts, or of the fields, by name.
        records: The kinds of records.
        pieces: The kind of each known record, by its name.
        completes: Whether words may be abbreviated.
        keys: Whether records are given by name alone; such a name may contain blanks.
        there_is_no: The first words of the message about an unknown name.
        first: The names that a value without a name means if it may mean others too.
        labels: The labels of facts and fields, by name.
        asked: The fact whose value is read alone; empty if the entry names its facts.
        asked_words: The words that this fact may be.
        takes_new: Whether a capitalised word that means nothing else is the name of a new record.
    """

    types: Mapping[str, Type]
    records: Mapping[str, ir.RecordDecl]
    pieces: Mapping[str, str] = field(factory=dict)
    completes: bool = False
    keys: bool = False
    there_is_no: str = "there is no fact"
    first: Collection[str] = ()
    labels: Mapping[str, str] = field(factory=dict)
    asked: str = ""
    asked_words: Collection[str] = ()
    takes_new: bool = False

    def fact(self, name: str) -> str | None:
        """The fact with the name; or the list with its plural; or the only fact that takes a record of this kind.

        So ``range 1`` gives ``ranges``, and ``unit gun (steps 2)`` gives ``units``.
        """
        if name in self.types:
            return name
        if self.completes and isinstance(self.types.get(f"{name}s"), ListOf):
            return f"{name}s"
        records = {fact: record for fact, type_ in self.types.items() if (record := record_in(type_)) is not None}
        facts = [fact for fact, record in records.items() if record == name]
        if not facts and self.completes and name in ("unit", "units"):
            # For a `target_unit`.
            facts = [fact for fact, record in records.items() if "unit" in record.split("_")]
        return facts[0] if len(facts) == 1 else None

    def words(self, type_: Type) -> Collection[str]:
        """The words that a type allows; for records, the names of known records."""
        inner = type_.of if isinstance(type_, (Maybe, ListOf)) else type_
        return inner.words if isinstance(inner, (Word, WordSet)) else self.pieces if record_in(type_) else ()

    def taking(self, value: t.EntryPart) -> list[str]:
        """The facts that can take a value that is typed without a name."""
        if not isinstance(value, t.Value):
            return []
        if value.kind == "number":
            return [fact for fact, type_ in self.types.items() if takes_number(type_, value.scalar)]
        word = str(value.scalar)
        kind = self.pieces.get(word)
        records = [fact for fact, type_ in self.types.items() if kind is not None and record_in(type_) == kind]
        words = {fact: self.words(type_) for fact, type_ in self.types.items() if not record_in(type_)}
        exact = [fact for fact, listed in words.items() if word in listed] or records
        spelt = exact or [fact for fact, listed in words.items() if in_any_case(word, listed) is not None]
        if spelt or not self.completes or len(word) < MIN_BEGINNING:
            return spelt
        return [fact for fact, listed in words.items() if only_beginning(word, listed) is not None]

    def is_new(self, part: t.EntryPart | None) -> bool:
        """Whether a part names a new record: it is quoted, or capitalised and near no name or word of the rules."""
        quoted = is_text(part)
        word = str(part.scalar) if isinstance(part, t.Value) and quoted else name_of(part) or ""
        if not self.takes_new or word in ("", "I", *self.pieces) or not (quoted or word[:1].isupper()):
            return False
        records = {record for type_ in self.types.values() if (record := record_in(type_)) is not None}
        types = [
            *self.types.values(),
            *(each.type for record in records for each in self.records[record].fields.values()),
        ]
        words = {word for type_ in types if not record_in(type_) for word in self.words(type_)}
        if quoted:
            return word not in words
        return nearest(word.casefold(), {*words, *self.types}) is None and word.casefold() not in words

    def labelled(self, word: str, after: str) -> bool:
        """Whether the label of a fact contains a word, and the fact can have the value before it: `light cover`."""
        facts = [*(fact for fact in self.types if in_any_case(after, self.words(self.types[fact])) is not None)]
        facts += [self.asked] if in_any_case(after, self.asked_words) is not None else []
        return any(word.casefold() in _WORD.findall(self.labels.get(fact, "").casefold()) for fact in facts)

    def with_word(self, word: str) -> list[str]:
        """The facts whose names contain some words between underscores, as ``class`` in ``target_class``."""
        return [fact for fact in self.types if f"_{word}_" in f"_{fact}_"]

    def counted_in(self, word: str) -> list[str]:
        """The numbers that are counted in a word: it is part of their names, or stands in their labels."""
        numbers = [fact for fact, type_ in self.types.items() if _is_of_numbers(type_)]
        said = {
            fact: {*fact.casefold().split("_"), *_WORD.findall(self.labels.get(fact, "").casefold())}
            for fact in (*numbers, *filter(None, [self.asked]))
        }
        exact = [fact for fact, words in said.items() if word.casefold() in words]
        return exact or [fact for fact, words in said.items() if _forms(word) & words]

    def in_record(self, record: str) -> Names:
        """The names that the fields of a record may use."""
        fields = self.records[record].fields
        types = {name: field.type for name, field in fields.items()}
        required = [name for name, field in fields.items() if not field.has_default]
        labels = {name: field.note.label or "" for name, field in fields.items()}
        return evolve(self, types=types, there_is_no=f"a {record} has no", first=required, labels=labels)

    def describes(self, part: t.EntryPart | None, record: str) -> bool:
        """Whether a part can begin the fields of a record: a field, or the value of one."""
        if not isinstance(part, t.Value) or str(part.scalar) in self.pieces:
            return False
        inner, word = self.in_record(record), str(part.scalar)
        if name_of(part) in inner.types:
            return True
        # `MG` is the name of a unit, `mg` a kind of unit.
        is_name = (
            word.isupper() and len(word) > 1 and not any(word in self.words(each) for each in inner.types.values())
        )
        return not is_name and bool(inner.taking(part))

    def sides(self) -> list[str]:
        """The facts that take a record of the same kind as another fact: an attacker and a defender.

        Fields of records are never sides, although several records may have the same field.
        """
        facts = {fact: type_ for fact, type_ in self.types.items() if not self.first or fact in self.first}
        kinds = {fact: type_.record for fact, type_ in facts.items() if isinstance(type_, RecordOf)}
        return [fact for fact, kind in kinds.items() if list(kinds.values()).count(kind) > 1]


def takes_number(type_: Type, number: object) -> bool:
    inner = type_.of if isinstance(type_, Maybe) else type_
    if not isinstance(inner, Num) or not isinstance(number, (int, Fraction)):
        return False
    fits = (inner.low is None or inner.low <= number) and (inner.high is None or number <= inner.high)
    return fits and (not inner.whole or number == int(number))


def _is_of_numbers(type_: Type) -> bool:
    inner = type_.of if isinstance(type_, (Maybe, ListOf)) else type_
    return isinstance(inner, Num)


def _forms(word: str) -> set[str]:
    """A word, its plural and its singular."""
    word = word.casefold()
    ending_in_y = {word.removesuffix("y") + "ies"} if word.endswith("y") else set[str]()
    return {word, f"{word}s", f"{word}es", word.removesuffix("s"), word.removesuffix("es"), *ending_in_y} - {""}


@door
def unknown_name(name: str, known: Collection[str], there_is_no: str, span: Span | None = None) -> NoReturn:
    """Report an unknown name, and suggest the nearest known one.

    Args:
        name: The name as typed.
        known: The names that exist.
        there_is_no: How the message begins: ``there is no fact``.
        span: The place of the name in the typed text.

    Raises:
        EntryError: Always.
    """
    close, (owner, _, field) = nearest(name, known), name.partition(".")
    if field and owner in known and "." not in (close or ""):
        hint = f"write fields in brackets: {owner} ({field} ...)"
    elif close:
        hint = f"did you mean {close}?"
    else:
        hint = f"the names are {_first_names(known)}" if known else "there are none"
    raise EntryError(f"{there_is_no} {name}", hint, span)


def _first_names(known: Collection[str]) -> str:
    """The first names of a list, and the number of names that are left out."""
    first = ", ".join(list(known)[:_MOST_LISTED])
    return first if len(known) <= _MOST_LISTED else f"{first} and {len(known) - _MOST_LISTED} more"
