"""The names that an entry may use: what each word, or each few words, of an entry can stand for.

Names and words are compared without regard to case; blanks, underscores, hyphens and points within them are alike.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NoReturn

from attrs import evolve, field, frozen

from enfilade.check.types.type_relations import record_in
from enfilade.core import ir
from enfilade.diagnostics.suggest import nearest
from enfilade.door import door
from enfilade.errors import EntryError
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.values.types import Bool, ListOf, MapOf, Maybe, RecordOf, Type, WordSet

Phrase = tuple[str, ...]
"""The words of a name, in small letters."""
VERSUS: Final = frozenset({"vs", "versus", "against"})
WITHIN_NAMES: Final = frozenset({"the", "a", "an", "of"})
LINKS: Final = VERSUS | WITHIN_NAMES | {"at", "in", "on", "with", "is"}
"""The words that may stand before an item: ``16 at 3 hexes in the woods``."""
_DENYING: Final = frozenset({"no", "not", "non", "without", "never", "un"})
_MOST_LISTED: Final = 16
_APART: Final = re.compile(r"[\s_]+|(?<=\w)-(?=\w)|\.(?=[^\W\d])")
_COUNTS: Final = re.compile(r"(?:(?:the|an?) )?([^\W\d_]+)(?: in ([^\W\d_]+)$)?")


def phrase_of(text: str) -> Phrase:
    """The words of a name.

    Examples:
        >>> phrase_of("target_class"), phrase_of("Old Guard"), phrase_of("1/5")
        (('target', 'class'), ('old', 'guard'), ('1/5',))
    """
    return tuple(filter(None, _APART.split(text.casefold()))) or (text.casefold(),)


@frozen
class Phrases:
    """What some phrases stand for.

    Attributes:
        meanings: The names or words, by their phrases.
        longest: The number of words of the longest phrase.
    """

    meanings: Mapping[Phrase, tuple[str, ...]]
    longest: int

    @classmethod
    def of(cls, pairs: Iterable[tuple[Phrase, str]]) -> Phrases:
        """Collect names by their phrases."""
        found: dict[Phrase, dict[str, None]] = {}
        for phrase, name in pairs:
            found.setdefault(phrase, {})[name] = None
        return cls({phrase: tuple(names) for phrase, names in found.items()}, max(map(len, found), default=0))


@frozen(slots=False)
class Names:
    """The names that an entry may use.

    Attributes:
        types: The types of the facts, or of the fields, by name.
        records: The kinds of records.
        pieces: The kind of each known record, by its name.
        there_is_no: The first words of the message about an unknown name.
        first: The facts that must be given; a value without a name goes to them before others.
        is_change: Whether every fact has a value already, so that a value without a name goes to none before others.
        last: The names that are not facts: they stand whole, and before their values.
        labels: The labels of facts and fields, by name.
        takes_new: Whether a quoted name may be the name of a new record.
        refers: Whether records are known ones, as in the fields of a record.
    """

    types: Mapping[str, Type]
    records: Mapping[str, ir.RecordDecl]
    pieces: Mapping[str, str] = field(factory=dict)
    there_is_no: str = "there is no fact"
    first: Collection[str] = ()
    is_change: bool = False
    last: Collection[str] = ()
    labels: Mapping[str, str] = field(factory=dict)
    takes_new: bool = False
    refers: bool = False

    @cached_property
    def named(self) -> Phrases:
        """The facts by their names, a list by its singular too, and by the kind of records that only one fact takes."""
        pairs: list[tuple[Phrase, str]] = []
        kinds: dict[Phrase, list[str]] = {}
        for fact, type_ in self.types.items():
            phrase = phrase_of(fact)
            pairs.append((phrase, fact))
            if isinstance(type_, ListOf) and phrase[-1].endswith("s"):
                pairs.append(((*phrase[:-1], phrase[-1][:-1]), fact))
            for part in _parts(phrase_of(record_in(type_) or "")):
                kinds.setdefault(part, []).append(fact)
        named = {phrase for phrase, _ in pairs}
        pairs += [(part, facts[0]) for part, facts in kinds.items() if len(facts) == 1 and part not in {*named, ("",)}]
        return Phrases.of(pairs)

    @cached_property
    def in_part(self) -> Phrases:
        """The facts by some words of their names: ``class`` for ``target_class``."""
        plain = (fact for fact in self.types if fact not in self.last)
        pairs = ((part, fact) for fact in plain for part in _parts(phrase_of(fact)))
        return Phrases.of(
            pair for pair in pairs if pair[0] not in self.named.meanings and not LINKS.issuperset(pair[0])
        )

    @cached_property
    def counted(self) -> Phrases:
        """The facts by what is counted in them: words of their names, or the noun with which their labels begin.

        ``hexes`` and ``hex`` stand for facts with the labels ``hexes to the target`` and ``range in hexes``.
        """
        pairs: list[tuple[Phrase, str]] = []
        for fact, type_ in self.types.items():
            if is_yes_no(type_) or record_in(type_) is not None or fact in self.last:
                continue
            nouns = _COUNTS.match(self.labels.get(fact, "").casefold())
            phrases = [*_parts(phrase_of(fact)), *((noun,) for noun in (nouns.groups() if nouns else ()) if noun)]
            pairs += [((*phrase[:-1], form), fact) for phrase in phrases for form in _forms(phrase[-1])]
        words = {fact: {*map(phrase_of, type_.words)} for fact, type_ in self.types.items()}
        return Phrases.of(
            (phrase, fact)
            for phrase, fact in pairs
            if not LINKS.issuperset(phrase) and not any(phrase in words[other] for other in words if other != fact)
        )

    @cached_property
    def affirmed(self) -> Phrases:
        """The yes/no facts by some words of their names that count nothing: ``cover`` for ``target_cover``."""
        return Phrases.of(
            (part, fact)
            for part, facts in self.in_part.meanings.items()
            for fact in facts
            if is_yes_no(self.types[fact]) and part not in self.counted.meanings
        )

    @cached_property
    def known(self) -> Phrases:
        """The known records by their names."""
        return Phrases.of((phrase_of(name), name) for name in self.pieces)

    @cached_property
    def _words(self) -> dict[Type, Phrases]:
        return {}

    def words(self, type_: Type) -> Phrases:
        """The words that a value of a type may be."""
        if type_ not in self._words:
            self._words[type_] = Phrases.of((phrase_of(word), word) for word in type_.words)
        return self._words[type_]

    def in_record(self, record: str) -> Names:
        """The names that the fields of a record may use."""
        fields = self.records[record].fields
        return evolve(
            self,
            types={name: each.type for name, each in fields.items()},
            there_is_no=f"a {record} has no",
            first=[name for name, each in fields.items() if not each.has_default],
            labels={name: each.note.label or "" for name, each in fields.items()},
            is_change=False,
            takes_new=False,
            refers=True,
        )

    def in_map(self, type_: MapOf, name: str) -> Names:
        """The names of the entries of a map."""
        types = dict.fromkeys(type_.key.words, type_.value)
        return evolve(self, types=types, there_is_no=f"{name} has no", first=(), labels={})

    def sides(self) -> list[str]:
        """The facts that take a record of the same kind as another fact: an attacker and a defender."""
        kinds = {fact: type_.record for fact, type_ in self.types.items() if isinstance(type_, RecordOf)}
        return [fact for fact, kind in kinds.items() if list(kinds.values()).count(kind) > 1 and fact in self.first]

    def all_words(self) -> set[str]:
        """Every word that is a value of a fact."""
        return {word for type_ in self.types.values() for word in type_.words}


def _parts(phrase: Phrase) -> Iterator[Phrase]:
    """Each run of words of a name. No run begins behind a ``no``: ``morale`` is not a name for ``no_morale``."""
    for start in range(len(phrase)):
        if _DENYING.intersection(phrase[:start]):
            return
        for end in range(start + 1, len(phrase) + 1):
            yield phrase[start:end]


def _forms(word: str) -> set[str]:
    """A word, its plural and its singular."""
    ending_in_y = (
        {f"{word[:-1]}ies"} if word.endswith("y") else {f"{word[:-3]}y"} if word.endswith("ies") else set[str]()
    )
    return {word, f"{word}s", f"{word}es", word.removesuffix("s"), word.removesuffix("es"), *ending_in_y} - {""}


def is_list_of_records(type_: Type) -> bool:
    return isinstance(type_, ListOf) and isinstance(type_.of, RecordOf)


def is_listed(type_: Type) -> bool:
    return isinstance(type_, (ListOf, WordSet))


def is_yes_no(type_: Type) -> bool:
    return isinstance(type_.of if isinstance(type_, Maybe) else type_, Bool)


# -------------------------------------------------------------------------------------------- the parts of an entry


def span_of(parts: Sequence[t.EntryPart]) -> Span:
    """The place of several parts."""
    return Span(parts[0].span.source, parts[0].span.start, parts[-1].span.end)


def is_comma(part: t.EntryPart | None) -> bool:
    return isinstance(part, t.Mark) and part.text == ","


def text_of(part: t.EntryPart | None) -> str:
    """A word or number as it was typed, without quotes; empty for a mark or brackets."""
    if not isinstance(part, t.Value):
        return ""
    return str(part.scalar) if part.kind in ("text", "name", "bare", "constant") else part.span.text


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
    close, (owner, _, field_name) = nearest(name, known), name.partition(".")
    if field_name and owner in known and "." not in (close or ""):
        hint = f"write fields in brackets: {owner} ({field_name} ...)"
    elif close:
        hint = f"did you mean {close}?"
    else:
        hint = f"the names are {_first_names(known)}" if known else "there are none"
    raise EntryError(f"{there_is_no} {name}", hint, span)


def _first_names(known: Collection[str]) -> str:
    """The first names of a list, and the number of names that are left out."""
    first = ", ".join(list(known)[:_MOST_LISTED])
    return first if len(known) <= _MOST_LISTED else f"{first} and {len(known) - _MOST_LISTED} more"
