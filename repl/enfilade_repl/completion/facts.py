"""Completes facts, fields and their values at the end of an unfinished line, by their types.

It reads as much of an unfinished line as it understands, and never reports an error.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from enfilade.language import Named, entry_tokens, vocabulary_of
from enfilade.types import Bool, ListOf, Type, WordSet, record_kind
from enfilade_repl.session import Session
from enfilade_repl.state import Piece

_ANSWERS: Final = ("yes", "no", "none")
_OPENING: Final = "([{"
_CLOSING: Final = ")]}"
_LAST_WORD: Final = re.compile(r"[^\s,]*$")


@frozen
class Candidate:
    """A completion at the cursor.

    Attributes:
        text: The text to insert.
        start: The number of characters before the cursor to replace.
        meta: The remark shown beside it.
    """

    text: str
    start: int
    meta: str = ""


Offer = tuple[str, str]
"""A text, and the remark shown beside it."""


def matching(typed: str, offers: Iterable[Offer]) -> Iterator[Candidate]:
    """The offers that begin with the typed text, then those with a later word that does; each once.

    Examples:
        >>> [each.text for each in matching("fi", [("direct_fire", ""), ("fire_value", ""), ("night", "")])]
        ['fire_value', 'direct_fire']
    """
    small = typed.lower()
    known: dict[str, str] = {}
    for text, meta in offers:
        known.setdefault(text, meta)
    begins = [each for each in known.items() if each[0].lower().startswith(small)]
    contains = [each for each in known.items() if small and f"_{small}" in each[0].lower()]
    yield from (Candidate(text, len(typed), meta) for text, meta in dict((*begins, *contains)).items() if text != typed)


# -------------------------------------------------------------------------------------------------- unfinished text


@frozen
class Level:
    """The text in one bracket that is still open, or outside all brackets.

    Attributes:
        opening: The bracket; empty outside all brackets.
        pieces: The parts between commas; the last is unfinished.
    """

    opening: str
    pieces: tuple[str, ...]


def open_levels(text: str) -> tuple[Level, ...]:
    """Split an unfinished text at its open brackets, and at the commas in each.

    Examples:
        >>> [level.pieces for level in open_levels("night, units gun (kind mg, st")]
        [('night', ' units gun '), ('kind mg', ' st')]
    """
    levels: list[tuple[str, list[str]]] = [("", [""])]
    for token in entry_tokens(text):
        pieces = levels[-1][1]
        if token.text in _OPENING:
            levels.append((token.text, [""]))
        elif token.text in _CLOSING and len(levels) > 1:
            opening, inner = levels.pop()
            levels[-1][1][-1] += f"{opening}{','.join(inner)}{token.text}"
        elif token.text == ",":
            pieces.append("")
        else:
            pieces[-1] += token.text
    return tuple(Level(opening, tuple(pieces)) for opening, pieces in levels)


def begun(text: str) -> tuple[str, str | None]:
    """Split a text into its first word and the rest; the rest is ``None`` while the first word is unfinished."""
    found = re.match(r"(\w*)(.*)", text, re.DOTALL)
    assert found is not None
    return found[1], found[2].lstrip() if found[2] else None


def last_word(text: str) -> str:
    """The unfinished word at the end of a text; empty after a blank or a comma."""
    found = _LAST_WORD.search(text)
    return found[0] if found else ""


# ------------------------------------------------------------------------------------------------------------- offers


@frozen
class Sheet:
    """The names and words that can be completed in one kind of entry.

    Attributes:
        named: The facts or fields by name.
        fields: The fields of each kind of record.
        pieces: The pieces on the table.
        after: Words that can follow the facts, with a remark: ``on``, ``of``.
    """

    named: Mapping[str, Named]
    fields: Mapping[str, Mapping[str, Named]]
    pieces: Mapping[str, Piece]
    after: tuple[Offer, ...] = ()

    def offers(self, text: str) -> Iterator[Candidate]:
        """Complete unfinished facts.

        Args:
            text: The facts up to the cursor.
        """
        levels = open_levels(text)
        inner = levels[-1]
        typed = last_word(inner.pieces[-1])
        yield from matching(typed, self._offered(levels, inner, typed))

    def _offered(self, levels: Sequence[Level], inner: Level, typed: str) -> Iterator[Offer]:
        if len(levels) == 1:
            yield from self._in_pieces(inner.pieces, typed)
            return
        fact = self._last_fact(levels[0].pieces[-1].split())
        kind = record_kind(fact.domain) if fact is not None else None
        if inner.opening == "(" and kind is not None:
            yield from Sheet(self.fields[kind], self.fields, self.pieces)._in_pieces(inner.pieces, typed)
            return
        around = levels[-2]
        if around.opening == "(" and kind is not None:
            fact = Sheet(self.fields[kind], self.fields, self.pieces)._last_fact(around.pieces[-1].split())
        if fact is not None:
            yield from self.values(fact.domain, {word for piece in inner.pieces for word in piece.split()})

    def _in_pieces(self, pieces: Sequence[str], typed: str) -> Iterator[Offer]:
        """Complete the last part: a name, a value of the name before it, or another item of the list before it."""
        words = pieces[-1].removesuffix(typed).split()
        said = [piece.split() for piece in pieces[:-1]]
        given = {named.name for each in (*said, words) for word in each if (named := self._find(word)) is not None}
        fact = self._last_fact(words)
        if fact is None:
            earlier = next((found for each in reversed(said) if (found := self._last_fact(each)) is not None), None)
            yield from self._names(given, typed, bare=words[-1:] != ["not"])
            if earlier is not None and isinstance(earlier.domain, (ListOf, WordSet)) and not words:
                yield from self.values(earlier.domain, {word for each in said for word in each})
            return
        values = words[_place_of(words, fact, self) + 1 :]
        if not values or isinstance(fact.domain, (ListOf, WordSet)):
            yield from self.values(fact.domain, {*values, *(word for each in said for word in each)})
        if values or isinstance(fact.domain, Bool):
            yield from self._names(given, typed)
            yield from self.after

    def _names(self, given: Collection[str], typed: str, *, bare: bool = True) -> Iterator[Offer]:
        """The words of facts that begin as what is typed, then the facts that must be given, then the others."""
        left = [each for each in self.named.values() if each.name not in given]
        if bare and typed:
            for named in left:
                yield from (
                    (word, named.name)
                    for word, _ in named.domain.offers()
                    if word[:1].isalpha() and word not in _ANSWERS
                )
        for named in sorted(left, key=lambda named: not named.required):
            if bare or isinstance(named.domain, Bool):
                yield named.name, named.text
        if bare and self.after and given:
            yield from self.after

    def values(self, type_: Type, said: Collection[str] = ()) -> Iterator[Offer]:
        """The values of a type that are not yet in the text; for records, the pieces on the table."""
        kind = record_kind(type_)
        if kind is not None:
            for piece in self.pieces.values():
                if piece.kind == kind and piece.name not in said:
                    yield piece.name, piece.described()
        yield from ((text, meta) for text, meta in type_.offers() if text not in said)

    def _find(self, word: str) -> Named | None:
        """The fact with this name, or the only fact that takes records of this kind."""
        name = re.split(r"[=:(\[]", word, maxsplit=1)[0]
        found = self.named.get(name)
        if found is None and name in self.fields:
            taking = [each for each in self.named.values() if record_kind(each.domain) == name]
            found = taking[0] if len(taking) == 1 else None
        return found

    def _last_fact(self, words: Sequence[str]) -> Named | None:
        return next((found for word in reversed(words) if (found := self._find(word)) is not None), None)


def _place_of(words: Sequence[str], fact: Named, sheet: Sheet) -> int:
    """The position of the last mention of a fact."""
    return max(at for at, word in enumerate(words) if sheet._find(word) is fact)


def sheet_of(session: Session, named: Mapping[str, Named], after: tuple[Offer, ...] = ()) -> Sheet:
    """The completions in a session, from its ruleset and pieces."""
    ruleset = session.state.ruleset
    fields = vocabulary_of(ruleset.rules).fields if ruleset is not None else {}
    return Sheet(named, fields, session.state.pieces, after)
