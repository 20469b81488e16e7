"""Type-directed recursive descent parser of entries: groups their words into facts, without commas.

In ``fire_value 16 terrain town woods night`` the declared types tell where one fact ends and the next begins. The result
is the syntax tree of the same facts in an example. The library validates the values, not this module, and quotes
what was typed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NoReturn

from attrs import evolve, frozen

from enfilade.check.type_relations import record_in, words_of
from enfilade.core import ir
from enfilade.core.types import Bool, ListOf, MapOf, Maybe, RecordOf, Type, Word, WordSet
from enfilade.diagnostics.suggest import nearest
from enfilade.errors import EntryError
from enfilade.source.text import Span
from enfilade.syntax import tree as t

_YES_NO: Final = {
    "yes": "yes", "y": "yes", "true": "yes", "on": "yes", "no": "no", "n": "no", "false": "no", "off": "no",
}  # fmt: skip
NO: Final = t.Value("constant", "no", (), ())


@frozen
class Names:
    """The names that an entry may use.

    Attributes:
        types: The types of the facts, or of the fields, by name.
        records: The kinds of records.
        pieces: The names of known records.
        completes: Whether words may be abbreviated.
        keys: Whether records are given by name alone; such a name may contain blanks.
        there_is_no: The first words of the message about an unknown name.
    """

    types: Mapping[str, Type]
    records: Mapping[str, ir.RecordDecl]
    pieces: Collection[str] = ()
    completes: bool = False
    keys: bool = False
    there_is_no: str = "there is no fact"

    def fact(self, name: str) -> str | None:
        """The fact with the name, or the only fact whose kind of record has the name, as in ``unit gun (steps 2)``."""
        if name in self.types:
            return name
        facts = [fact for fact, type_ in self.types.items() if record_in(type_) == name]
        return facts[0] if len(facts) == 1 else None

    def words(self, type_: Type) -> Collection[str]:
        """The words that a type allows; for records, the names of known records."""
        inner = type_.of if isinstance(type_, (Maybe, ListOf)) else type_
        return inner.words if isinstance(inner, (Word, WordSet)) else self.pieces if record_in(type_) else ()

    def in_record(self, record: str) -> Names:
        """The names that the fields of a record may use."""
        types = {name: field.type for name, field in self.records[record].fields.items()}
        return evolve(self, types=types, there_is_no=f"a {record} has no")


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
    close = nearest(name, known)
    hint = f"did you mean {close}?" if close else f"there are {', '.join(known) or 'none'}"
    raise EntryError(f"{there_is_no} {name}", hint, span)


def group_facts(parts: Sequence[t.EntryPart], names: Names) -> list[t.GivenItem]:
    """Group the parts of an entry into facts, or into the fields of a record.

    Args:
        parts: The entry.
        names: The names that it may use.

    Returns:
        An item for each fact. Records that are given one by one for the same list are joined in one item.

    Raises:
        EntryError: A fact is unknown, is given twice, or lacks its value.
    """
    found: dict[str, t.GivenItem] = {}
    for item in _Entry(parts, names).facts():
        name = item.name.name
        before = found.get(name)
        if before is None:
            found[name] = item
        elif before.value is not None and item.value is not None and _is_list_of_records(names.types[name]):
            value = evolve(before.value, items=(*before.value.items, *item.value.items))
            found[name] = evolve(before, value=value)
        else:
            raise EntryError(f"{name} is given twice", span=item.span)
    return list(found.values())


def _is_list_of_records(type_: Type) -> bool:
    return isinstance(type_, ListOf) and isinstance(type_.of, RecordOf)


def group_value(parts: Sequence[t.EntryPart], type_: Type | None, names: Names, name: str) -> t.Value | None:
    """Group the parts of an entry into one value.

    Args:
        parts: The entry.
        type_: The expected type; ``None`` if it is unknown.
        names: The names that it may use.
        name: The name of the fact, for messages.

    Returns:
        The value; ``None`` is yes.

    Raises:
        EntryError: The value is missing, or a record was expected.
    """
    entry = _Entry(parts, names)
    value = entry.value(type_, name)
    if entry.part is None:
        return value
    return t.Value("bare", _typed_text(parts), (), (), _span_of(parts))


def _typed_text(parts: Sequence[t.EntryPart]) -> str:
    """The parts as they were typed."""
    return _span_of(parts).text


def _span_of(parts: Sequence[t.EntryPart]) -> Span:
    return Span(parts[0].span.source, parts[0].span.start, parts[-1].span.end)


class _Entry:
    """A cursor over the parts of an entry or of a group in brackets.

    Attributes:
        at: The number of the next part.
    """

    def __init__(self, parts: Sequence[t.EntryPart], names: Names) -> None:
        self.parts = parts
        self.names = names
        self.at = 0

    @property
    def part(self) -> t.EntryPart | None:
        """The next part."""
        return self._ahead(0)

    def _ahead(self, by: int) -> t.EntryPart | None:
        return self.parts[self.at + by] if self.at + by < len(self.parts) else None

    def _value_ends(self, by: int = 0) -> bool:
        """Whether a comma or the end of the entry comes next."""
        part = self._ahead(by)
        return part is None or _is_comma(part)

    def _fact_follows(self, words: Collection[str] = (), by: int = 0) -> bool:
        """Whether the next word is the name of a fact, perhaps negated, and not one of *words*."""
        while _name_of(self._ahead(by)) == "not":
            by, words = by + 1, ()
        name = _name_of(self._ahead(by))
        return name is not None and name not in words and self.names.fact(name) is not None

    # -- facts --------------------------------------------------------------------------------------------------

    def facts(self) -> Iterator[t.GivenItem]:
        """The facts, in the order in which they are given."""
        while self.part is not None:
            if _is_comma(self.part):
                self.at += 1
            else:
                yield self._fact()

    def _fact(self) -> t.GivenItem:
        first = self.part
        assert first is not None
        negated = _name_of(first) == "not" and _name_of(self._ahead(1)) is not None
        self.at += negated
        part = self.part
        assert part is not None
        self.at += 1
        fact = self.names.fact(_name_of(part) or "")
        if fact is None:
            unknown_name(part.span.text, self.names.types, self.names.there_is_no, part.span)
        if isinstance(self.part, t.Mark) and not _is_comma(self.part):
            self.at += 1
        value = NO if negated else self.value(self.names.types[fact], fact)
        after = self.part
        if after is not None and not negated and _is_single(self.names.types[fact]) and not (
            _is_comma(after) or self._fact_follows()
        ):  # fmt: skip
            # The fact takes one value, so the next word must be a misspelt fact.
            unknown_name(after.span.text, self.names.types, self.names.there_is_no, after.span)
        return t.GivenItem(t.Ident(fact, part.span), value, first.span)

    # -- values -------------------------------------------------------------------------------------------------

    def value(self, type_: Type | None, name: str) -> t.Value | None:
        """The value of a fact; ``None`` is yes."""
        match type_:
            case Bool() if self._value_ends() or self._fact_follows():
                return None
            case ListOf() | WordSet():
                return t.Value("list", None, tuple(self._items(type_, name)), ())
            case RecordOf() if self._value_ends():
                return None
            case RecordOf():
                return self._record(type_, name)
            case MapOf() if not self._value_ends():
                return self._map(type_, name)
        if self._value_ends():
            raise EntryError(f"{name} needs a value")
        return self._single(type_)

    def _single(self, type_: Type | None) -> t.Value:
        """A single value: one word, a word of the type that contains blanks, or parts without blanks between them."""
        start = self.at
        text = _span_of(self.parts[start:])
        words = () if type_ is None else self.names.words(type_)
        spaced = [word for word in words if " " in word and text.text.startswith(word)]
        end = text.start + len(max(spaced, key=len, default=""))
        self.at += 1
        while not self._value_ends() and (self._glued() or self.parts[self.at].span.start < end):
            self.at += 1
        taken = self.parts[start : self.at]
        only = taken[0]
        if len(taken) > 1 or not isinstance(only, t.Value):
            only = t.Value("bare", _typed_text(taken), (), (), _span_of(taken))
        return self._complete_word(type_, words, only)

    def _glued(self) -> bool:
        return self.parts[self.at - 1].span.end == self.parts[self.at].span.start

    def _complete_word(self, type_: Type | None, words: Collection[str], value: t.Value) -> t.Value:
        """Replace an abbreviation by the full word of the type; keep any other value."""
        text = str(value.scalar) if value.kind == "text" else value.span.text
        if isinstance(type_, Bool) and text in _YES_NO:
            return evolve(value, kind="constant", scalar=_YES_NO[text])
        if isinstance(type_, Maybe) and text == "none":
            return value
        begun = [word for word in words if word.startswith(text)] if self.names.completes else []
        meant = text if text in words else begun[0] if len(begun) == 1 else None
        return value if meant is None else evolve(value, kind="text", scalar=meant)

    def _items(self, type_: ListOf | WordSet, name: str) -> Iterator[t.Value]:
        """The items of a list, in brackets or up to the next fact."""
        words = self.names.words(type_)
        part = self.part
        if isinstance(part, t.Group) and part.opening == "[":
            self.at += 1
            inside = _Entry(part.parts, evolve(self.names, types={}))
            yield from inside._listed(type_, words, name)
        elif not self._take_nothing(type_, words):
            yield from self._listed(type_, words, name)

    def _take_nothing(self, type_: Type, words: Collection[str]) -> bool:
        """Take a word that means the empty list, if it comes next."""
        said = ("nothing", "none") if record_in(type_) else ("nothing",)
        text = "" if self.part is None else self.part.span.text
        found = text in said and text not in words and (self._value_ends(1) or self._fact_follows(by=1))
        self.at += found
        return found

    def _listed(self, type_: ListOf | WordSet, words: Collection[str], name: str) -> Iterator[t.Value]:
        of = type_.of if isinstance(type_, ListOf) else type_
        begun = False
        while (part := self.part) is not None:
            if _is_comma(part):
                if not self._list_continues(words):
                    return
                self.at += 1
            elif begun and _name_of(part) == "and" and "and" not in words:
                self.at += 1
            elif (begun or _name_of(part) == "not") and self._fact_follows(words):
                return
            else:
                begun = True
                yield self._item(of, name)

    def _item(self, of: Type, name: str) -> t.Value:
        match of:
            case ListOf():
                return t.Value("list", None, tuple(self._items(of, name)), ())
            case RecordOf():
                return self._record(of, name)
        return self._single(of)

    def _list_continues(self, words: Collection[str]) -> bool:
        """Whether another item of the list follows the comma, not a fact or a misspelt fact."""
        if not self.names.types:
            return True
        if self._ahead(1) is None or self._fact_follows(words, 1):
            return False
        part, after = self._ahead(1), self._ahead(2)
        if _is_comma(part) or isinstance(part, t.Group) or isinstance(after, t.Group):
            return True
        known = isinstance(part, t.Value) and (part.kind in ("number", "text") or part.span.text in words)
        return known or self._value_ends(2) or self._fact_follows(words, 2)

    def _map(self, type_: MapOf, name: str) -> t.Value:
        """A map, in brackets or up to the next fact: ``hull 3, engine 1``."""
        inner = evolve(self.names, types=dict.fromkeys(words_of(type_.key), type_.value), there_is_no=f"{name} has no")
        group = self.part
        if isinstance(group, t.Group) and group.opening == "(":
            self.at += 1
            return t.Value("record", None, (), tuple(group_facts(group.parts, inner)), group.span)
        start = self.at
        while self.part is not None and not self._fact_follows(words_of(type_.key)):
            self.at += 1
        parts = self.parts[start : self.at]
        return t.Value("record", None, (), tuple(group_facts(parts, inner)), _span_of(parts))

    # -- records ------------------------------------------------------------------------------------------------

    def _record(self, type_: RecordOf, name: str) -> t.Value:
        """A record: its name, its name with fields, or its fields alone."""
        begins = isinstance(self._ahead(1), t.Group) or _name_of(self._ahead(1)) is not None
        self.at += _name_of(self.part) == type_.record and begins and not self._fact_follows((), 1)
        start = self.at
        part = self.part
        if isinstance(part, t.Value) and part.scalar == "none" and part.kind == "constant":
            self.at += 1
            if type_.optional:
                return part
            raise EntryError(f"{name} can't be none", f"it is a {type_.record}", part.span)
        self._take_key()
        key = _typed_text(self.parts[start : self.at]) if self.at > start else None
        group = self.part
        described = isinstance(group, t.Group) and group.opening == "("
        self.at += described
        if (key is None and not described) or not self._ends_record(described or key in self.names.pieces):
            self._raise_no_record(start, type_.record, key)
        place = _span_of(self.parts[start : self.at])
        if not isinstance(group, t.Group) or not described:
            return t.Value("name", key, (), (), place)
        fields = group_facts(group.parts, self.names.in_record(type_.record))
        return t.Value("record", key, (), tuple(fields), place)

    def _take_key(self) -> None:
        if not self.names.keys:
            self.at += _name_of(self.part) is not None
            return
        while not self._value_ends() and not isinstance(self.part, t.Group):
            self.at += 1

    def _ends_record(self, described: bool) -> bool:
        """Whether the record ends here. The comma between two records is optional if each is known or has fields."""
        part = self.part
        if self._value_ends() or self._fact_follows() or _name_of(part) == "and":
            return True
        next_described = isinstance(part, t.Group) or isinstance(self._ahead(1), t.Group)
        return described and (next_described or _name_of(part) in self.names.pieces)

    def _raise_no_record(self, start: int, record: str, key: str | None) -> NoReturn:
        self.at = max(self.at, start + 1)
        while not self._value_ends() and not self._fact_follows():
            self.at += 1
        parts = self.parts[start : self.at]
        hint = f"write a piece, or {key or 'name'} (field value, ...)"
        raise EntryError(f"`{_typed_text(parts)}` is no {record}", hint, _span_of(parts))


def _is_comma(part: t.EntryPart | None) -> bool:
    return isinstance(part, t.Mark) and part.text == ","


def _name_of(part: t.EntryPart | None) -> str | None:
    """The text of a part that may be a name."""
    return str(part.scalar) if isinstance(part, t.Value) and part.kind in ("name", "bare") else None


def _is_single(type_: Type) -> bool:
    """Whether a value of a type is one word."""
    inner = type_.of if isinstance(type_, Maybe) else type_
    return not isinstance(inner, (ListOf, WordSet, RecordOf))
