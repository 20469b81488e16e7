"""Type-directed recursive descent parser of entries: groups their words into facts, without commas.

In ``fire_value 16 terrain town woods night`` the declared types tell where one fact ends and the next begins. The result
is the syntax tree of the same facts in an example. The library validates the values, not this module, and quotes
what was typed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NoReturn

from attrs import evolve

from enfilade.check.entry_fillers import VERSUS, without_fillers
from enfilade.check.entry_names import Names, takes_number, unknown_name
from enfilade.check.entry_parts import is_comma, is_number, is_text, key_text, may_be_item, name_of, span_of, typed_text
from enfilade.check.type_relations import record_in, words_of
from enfilade.core.types import Bool, ListOf, MapOf, Maybe, Num, RecordOf, Type, Word, WordSet
from enfilade.diagnostics.suggest import in_any_case, nearest
from enfilade.errors import EntryError
from enfilade.source.text import Span
from enfilade.syntax import tree as t

_YES_NO: Final = {
    "yes": "yes", "y": "yes", "true": "yes", "on": "yes", "no": "no", "n": "no", "false": "no", "off": "no",
}  # fmt: skip
NO: Final = t.Value("constant", "no", (), ())
_NOT: Final = frozenset({"not", "no", "without"})
# Words that rulebooks use for the same thing.
_SYNONYMS: Final = {"range": "distance", "ranges": "distance", "distance": "range", "losses": "lives", "men": "lives"}
_MOST_MEANT: Final = 3


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
            raise EntryError(f"{name} has two values", span=item.span)
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
    if names.asked and isinstance(type_, Num) and is_number(parts[0]) and all(map(name_of, parts[1:])):
        # `8 fire factors`: whatever is counted, the question says what.
        return value
    return t.Value("bare", typed_text(parts), (), (), span_of(parts))


class _Entry:
    """A cursor over the parts of an entry or of a group in brackets.

    Attributes:
        at: The number of the next part.
    """

    def __init__(self, parts: Sequence[t.EntryPart], names: Names) -> None:
        self.parts, self.units = without_fillers(parts, names)
        self.has_sides = bool(names.sides()) and any(name_of(part) in VERSUS for part in parts)
        self.names = names
        self.at = 0
        self.given: set[str] = set()
        self.named = {names.fact(name) for part in self.parts if (name := name_of(part)) is not None}

    @property
    def part(self) -> t.EntryPart | None:
        """The next part."""
        return self._ahead(0)

    def _ahead(self, by: int) -> t.EntryPart | None:
        return self.parts[self.at + by] if self.at + by < len(self.parts) else None

    def _value_ends(self, by: int = 0) -> bool:
        """Whether a comma, the end of the entry, or `and` with a fact after it comes next."""
        part = self._ahead(by)
        return part is None or is_comma(part) or (name_of(part) == "and" and self._fact_follows(by=by + 1))

    def _fact_follows(self, words: Collection[str] = (), by: int = 0) -> bool:
        """Whether the next word is the name of a fact, perhaps negated, and not one of *words*."""
        while name_of(self._ahead(by)) == "not":
            by, words = by + 1, ()
        name = name_of(self._ahead(by))
        return name is not None and name not in words and self.names.fact(name) is not None

    def _value_follows(self, words: Collection[str] = ()) -> bool:
        """Whether the next word is the value of a fact that is not named, and not one of *words*."""
        part = self.part
        return isinstance(part, t.Value) and str(part.scalar) not in words and len(self._takers()) == 1

    def _takers(self) -> list[str]:
        """The facts, not given so far, that can take the next word as their value."""
        assert self.part is not None
        if self.has_sides and isinstance(self.part, t.Value):
            # `guard vs uhlans`, `6 infantry vs 2 cavalry`: the first fact takes the first value.
            sides = [fact for fact in self.names.sides() if fact not in self.given and self._is_side(fact)]
            if sides:
                return sides[:1]
        found = [fact for fact in self.names.taking(self.part) if fact not in self.given]
        counted = self.names.counted_in(self.units.get(self.part.span.start, ""))
        ungiven = [fact for fact in counted if fact in self.names.types and fact not in self.given]
        found = [fact for fact in ungiven if self._takes(fact, self.part)] or found
        if not found and self.names.is_new(self.part):
            found = [fact for fact, type_ in self.names.types.items() if record_in(type_) and fact not in self.given]
        # A fact that is named elsewhere in the entry has its value there.
        for preferred in (self.names.first, {*self.names.types} - self.named):
            found = [fact for fact in found if fact in preferred] or found
        return found

    def _is_side(self, fact: str) -> bool:
        """Whether the next part is a known record of the kind that a fact takes, or describes one."""
        part, record = self.part, record_in(self.names.types[fact])
        assert isinstance(part, t.Value)
        assert record is not None
        is_record = self.names.pieces.get(str(part.scalar)) == record or self.names.is_new(part)
        return is_record or self.names.describes(part, record)

    # -- facts --------------------------------------------------------------------------------------------------

    def facts(self) -> Iterator[t.GivenItem]:
        """The facts, in the order in which they are given."""
        while self.part is not None:
            if is_comma(self.part) or (name_of(self.part) == "and" and self.given):
                self.at += 1
            else:
                yield self._fact()

    def _fact(self) -> t.GivenItem:
        first = self.part
        assert first is not None
        negated = self._is_negated()
        self.at += negated
        part = self.part
        assert part is not None
        fact = self.names.fact(name_of(part) or "") or self._field_of_piece() or self._fact_in_part()
        if fact is None:
            return self._value_before_name() or self._unnamed()
        self.given.add(fact)
        self.at += 1
        if isinstance(self.part, t.Mark) and not is_comma(self.part):
            self.at += 1
        value = NO if negated else self.value(self.names.types[fact], fact)
        if not negated:
            self._check_next(fact)
        return t.GivenItem(t.Ident(fact, part.span), value, first.span)

    def _is_negated(self) -> bool:
        """Whether a word for `not` and another word come next."""
        part = self.part
        return part is not None and part.span.text in _NOT and name_of(self._ahead(1)) is not None

    def _check_next(self, fact: str) -> None:
        """Report a word after a single value that is neither a fact nor the value of one: it must be a misspelt fact."""
        after = self.part
        if self._value_ends() or after is None or not _is_single(self.names.types[fact]) or self._fact_follows():
            return
        if not self._takers() and self._fact_in_part() is None and not self._is_negated():
            self._raise_unknown(after)

    def _raise_unknown(self, part: t.EntryPart) -> NoReturn:
        """Report a word that is neither a fact nor a value, and suggest the nearest one of either."""
        names = self.names
        words = {word for type_ in names.types.values() if not record_in(type_) for word in names.words(type_)}
        close = nearest(part.span.text, names.types) or nearest(part.span.text, words)
        if close is None and name_of(part) is not None:
            alike = names.with_word(part.span.text) or names.with_word(_SYNONYMS.get(part.span.text.casefold(), ""))
            close = " or ".join(alike[:_MOST_MEANT]) or None
        # For a field, the name of its record alone is no help.
        if close is not None and ("." in close or "." not in part.span.text):
            raise EntryError(f"{names.there_is_no} {part.span.text}", f"did you mean {close}?", part.span)
        unknown_name(part.span.text, names.types, names.there_is_no, part.span)

    def _field_of_piece(self) -> str | None:
        """A field after the name of its record, with a blank for the dot: ``gun steps 2``. The cursor moves to the field."""
        name, field = name_of(self.part), name_of(self._ahead(1))
        dotted = f"{name}.{field}"
        found = name is not None and field is not None and dotted in self.names.types
        self.at += found
        return dotted if found else None

    def _fact_in_part(self) -> str | None:
        """A fact of which only one word is typed: ``class 2`` for ``target_class 2``, ``cover`` for ``target_cover``."""
        word, after = name_of(self.part), self._ahead(1)
        if word is None or self._takers():
            return None
        counted = (fact for fact in self.names.counted_in(word) if fact in self.names.types)
        named = self.names.with_word(word) or list(counted)
        if self.names.completes and len(named) == 1 and isinstance(self.names.types[named[0]], Bool):
            return named[0]
        if not is_number(after):
            return None
        assert after is not None
        taking = self.names.taking(after)
        found = [fact for fact in named if fact in taking]
        if len(found) > 1:
            assert self.part is not None
            raise EntryError(f"`{word}` may mean {_either(found)}", "write the whole name", self.part.span)
        return found[0] if found else None

    def _value_before_name(self) -> t.GivenItem | None:
        """A value with the name of its fact after it: ``3 steps``, ``town terrain``."""
        part, name, after = self.part, self._ahead(1), self._ahead(2)
        fact = self.names.fact(name_of(name) or "")
        if name is None or fact is None or not isinstance(part, t.Value) or not self._takes(fact, part):
            return None
        if isinstance(after, t.Value) and self._takes(fact, after):
            return None
        self.at += 2
        self.given.add(fact)
        type_ = self.names.types[fact]
        listed = isinstance(type_, (ListOf, WordSet))
        value = t.Value("list", None, (part,), (), part.span) if listed else part
        return t.GivenItem(t.Ident(fact, name.span), value, part.span)

    def _takes(self, fact: str, value: t.EntryPart) -> bool:
        """Whether a number or a word can be the value of a fact, or an element of its list."""
        if not isinstance(value, t.Value):
            return False
        type_ = self.names.types[fact]
        if value.kind == "number":
            return takes_number(type_.of if isinstance(type_, ListOf) else type_, value.scalar)
        return not record_in(type_) and in_any_case(str(value.scalar), self.names.words(type_)) is not None

    def _unnamed(self) -> t.GivenItem:
        """A value without the name of its fact: ``16``, ``town``. Only one fact may take it."""
        part = self.part
        assert part is not None
        takers = self._takers()
        if len(takers) > 1:
            text = part.span.text
            said = text if is_number(part) else f"`{text}`"
            ways = _either([f"{fact} {text}" for fact in takers])
            raise EntryError(f"{said} may mean {_either(takers)}", f"write {ways}", part.span)
        if not takers:
            self._raise_unknown(part)
        self.given.add(takers[0])
        value = self.value(self.names.types[takers[0]], takers[0])
        self._check_next(takers[0])
        return t.GivenItem(t.Ident(takers[0], part.span), value, part.span)

    # -- values -------------------------------------------------------------------------------------------------

    def value(self, type_: Type | None, name: str) -> t.Value | None:
        """The value of a fact; ``None`` is yes."""
        match type_:
            case Bool() if self._value_ends() or self._fact_follows() or self._value_follows(_YES_NO):
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
        text = span_of(self.parts[start:])
        words = () if type_ is None else self.names.words(type_)
        spaced = [word for word in words if " " in word and text.text.startswith(word)]
        end = text.start + len(max(spaced, key=len, default=""))
        self.at += 1
        while not self._value_ends() and (self._glued() or self.parts[self.at].span.start < end):
            self.at += 1
        taken = self.parts[start : self.at]
        only = taken[0]
        if len(taken) > 1 or not isinstance(only, t.Value):
            only = t.Value("bare", typed_text(taken), (), (), span_of(taken))
        return self._complete_word(type_, words, only)

    def _glued(self) -> bool:
        return self.parts[self.at - 1].span.end == self.parts[self.at].span.start

    def _complete_word(self, type_: Type | None, words: Collection[str], value: t.Value) -> t.Value:
        """Replace an abbreviation, or a word in another case, by the full word of the type; keep any other value."""
        text = str(value.scalar) if value.kind == "text" else value.span.text
        if isinstance(type_, Bool) and text in _YES_NO:
            return evolve(value, kind="constant", scalar=_YES_NO[text])
        if isinstance(type_, Maybe) and text == "none":
            return value
        begun = [word for word in words if word.startswith(text)] if self.names.completes else []
        spelt = in_any_case(text, words) if self.names.completes else text if text in words else None
        meant = spelt or (begun[0] if len(begun) == 1 else None)
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
            if is_comma(part):
                if not self._list_continues(words) or (begun and self._is_foreign(of, self._ahead(1))):
                    return
                self.at += 1
            elif begun and name_of(part) == "and" and "and" not in words:
                self.at += 1
            elif ((begun or name_of(part) == "not") and self._fact_follows(words)) or (
                begun and not may_be_item(of, part) and (self._value_follows(words) or self._is_foreign(of, part))
            ):
                return
            else:
                begun = True
                yield self._item(of, name)

    def _is_foreign(self, of: Type, part: t.EntryPart | None) -> bool:
        """Whether a part among facts can't be an item of a list of numbers or of words, not even abbreviated."""
        if not self.names.types or not isinstance(of, (Num, Word, WordSet)) or not isinstance(part, t.Value):
            return False
        if isinstance(of, Num):
            return part.kind == "name" and bool(self.names.taking(part))
        text = str(part.scalar).casefold()
        return part.kind == "number" or not any(
            text in word.casefold().split() or word.casefold().startswith(text) for word in of.words
        )

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
        if is_comma(part) or isinstance(part, t.Group) or isinstance(after, t.Group):
            return True
        if name_of(after) == "and" or self.names.is_new(part):
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
        return t.Value("record", None, (), tuple(group_facts(parts, inner)), span_of(parts))

    # -- records ------------------------------------------------------------------------------------------------

    def _record(self, type_: RecordOf, name: str) -> t.Value:
        """A record: its name, its name with fields, or its fields alone."""
        begins = isinstance(self._ahead(1), t.Group) or name_of(self._ahead(1)) is not None
        self.at += name_of(self.part) == type_.record and begins and not self._fact_follows((), 1)
        start = self.at
        part = self.part
        if isinstance(part, t.Value) and part.scalar == "none" and part.kind == "constant":
            self.at += 1
            if type_.optional:
                return part
            raise EntryError(f"{name} can't be none", f"it is a {type_.record}", part.span)
        if self.names.describes(part, type_.record) and not isinstance(self._ahead(1), t.Group):
            return self._described(type_.record)
        self._take_key(type_.record)
        key = key_text(self.parts[start : self.at]) if self.at > start else None
        if key is not None and self._fields_follow(type_.record):
            # `Rifles dug_in`: the fields of a record without brackets.
            described_as = self._described(type_.record)
            return evolve(described_as, scalar=key, span=span_of(self.parts[start : self.at]))
        group = self.part
        described = isinstance(group, t.Group) and group.opening == "("
        self.at += described
        is_whole = described or key in self.names.pieces or self.names.is_new(self.parts[start])
        if (key is None and not described) or not self._ends_record(is_whole):
            self._raise_no_record(start, type_.record, key)
        place = span_of(self.parts[start : self.at])
        if not isinstance(group, t.Group) or not described:
            return t.Value("name", key, (), (), place)
        fields = group_facts(group.parts, self.names.in_record(type_.record))
        return t.Value("record", key, (), tuple(fields), place)

    def _described(self, record: str) -> t.Value:
        """A record without a name, by its fields alone: ``6 infantry, ...``. It ends at a comma or at the next fact."""
        start = self.at
        fields = self.names.records[record].fields
        while not self._value_ends() and not self._fact_follows(fields) and not self._leaves_record(record):
            self.at += 1
        parts = self.parts[start : self.at]
        given = group_facts(parts, self.names.in_record(record))
        return t.Value("record", None, (), tuple(given), span_of(parts))

    def _leaves_record(self, record: str) -> bool:
        """Whether the next word is the value of a fact, and no field of the record, or joins another record."""
        after = self._ahead(1)
        if name_of(self.part) == "and" and after is not None:
            return self.names.is_new(after) or str(getattr(after, "scalar", "")) in self.names.pieces
        return name_of(self.part) is not None and bool(self._takers()) and not self.names.describes(self.part, record)

    def _take_key(self, record: str) -> None:
        if self.names.keys:
            while not self._value_ends() and not isinstance(self.part, t.Group):
                self.at += 1
            return
        start = self.at
        self.at += name_of(self.part) is not None or is_text(self.part)
        if self.at == start or is_text(self.parts[start]) or name_of(self.parts[start]) in self.names.pieces:
            return
        # A new name may have several words: `1st Rifle Company`.
        end = self.at
        while self._continues_name(record):
            self.at += 1
        if not self._ends_record(described=False) and not self._fields_follow(record):
            self.at = end

    def _continues_name(self, record: str) -> bool:
        """Whether the next word can only be part of a name: it is neither a fact, a field, a value nor a known record."""
        part = self.part
        if self._value_ends() or not (is_number(part) or name_of(part) not in (None, "and")) or self._fact_follows():
            return False
        assert isinstance(part, t.Value)
        between = Span(part.span.source, self.parts[self.at - 1].span.end, part.span.start)
        if between.text.strip() or self._fact_in_part() is not None:
            return False
        inner = self.names.in_record(record)
        if str(part.scalar) in self.names.pieces or self._takers() or self.names.describes(part, record):
            return False
        return is_number(part) or nearest(part.span.text, {*self.names.types, *inner.types}) is None

    def _fields_follow(self, record: str) -> bool:
        """Whether a field of a record comes next, and not a fact or the value of one."""
        part = self.part
        if not self.names.completes or not isinstance(part, t.Value) or self._fact_follows() or self._takers():
            return False
        return self._fact_in_part() is None and self.names.describes(part, record)

    def _ends_record(self, described: bool) -> bool:
        """Whether the record ends here. No comma is needed after a record that is known or has fields."""
        part = self.part
        if self._value_ends() or self._fact_follows() or name_of(part) == "and":
            return True
        if not described:
            return False
        if isinstance(part, t.Group) or isinstance(self._ahead(1), t.Group) or name_of(part) in self.names.pieces:
            return True
        return is_number(part) or self._value_follows() or self._fact_in_part() is not None

    def _raise_no_record(self, start: int, record: str, key: str | None) -> NoReturn:
        self.at = max(self.at, start + 1)
        while not self._value_ends() and not self._fact_follows():
            self.at += 1
        parts = self.parts[start : self.at]
        first = next(iter(self.names.records[record].fields), "field")
        hint = f"type the name of a piece, or describe it: `{key or 'NAME'} ({first} ...)`"
        raise EntryError(f"`{typed_text(parts)}` is not a {record}", hint, span_of(parts))


def _either(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _is_single(type_: Type) -> bool:
    """Whether a value of a type is one word."""
    inner = type_.of if isinstance(type_, Maybe) else type_
    return not isinstance(inner, (ListOf, WordSet, RecordOf))
