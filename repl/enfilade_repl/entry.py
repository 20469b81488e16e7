"""Reads what is typed: facts, records and their fields, as they stand after ``given`` in an example.

The types of the ruleset tell a list from a word, a piece on the table from a new one. It must not judge a value: what is
not of its type is passed on as it is, and the library says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn

from attrs import frozen

from enfilade import Ruleset, UsageError
from enfilade.cli.values import read_value
from enfilade.language import nearest
from enfilade.types import Bool, ListOf, Maybe, Num, RecordOf, Type, Word, WordSet, record_kind
from enfilade_repl.pieces import Piece

_RECORDS: Final = re.compile(r"\w+\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?|\([^()]*\)")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OPENING: Final = {"(": ")", "[": "]", "{": "}"}


class EntryError(Exception):
    """What was typed can't be done as it stands.

    Attributes:
        hint: What to type instead; empty where that is not known.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


# ----------------------------------------------------------------------------------------------------- cutting up


def split(text: str, mark: str = ",") -> list[str]:
    """Cut a text at a mark, where it does not stand in brackets or quotes.

    Raises:
        EntryError: A bracket or a quote is not closed.

    Examples:
        >>> split("unit gun (kind mg, steps 2), night")
        ['unit gun (kind mg, steps 2)', 'night']
    """
    pieces, start = [], 0
    for at in _outside(text):
        if text.startswith(mark, at):
            pieces.append(text[start:at].strip())
            start = at + len(mark)
    pieces.append(text[start:].strip())
    return pieces


def split_at_words(text: str, words: tuple[str, ...]) -> list[tuple[str, str]]:
    """Cut a text before each of some words, where it does not stand in brackets or quotes.

    Returns:
        The words with what follows them; what stands before the first follows an empty word.

    Examples:
        >>> split_at_words("fire_value 16 on 4 3 choosing gun", ("on", "choosing"))
        [('', 'fire_value 16'), ('on', '4 3'), ('choosing', 'gun')]
    """
    found: list[tuple[str, str]] = []
    word, start = "", 0
    outside = set(_outside(text))
    for match in re.finditer(r"(?<!\S)[a-z]+(?!\S)", text):
        if match[0] in words and match.start() in outside:
            found.append((word, text[start : match.start()].strip()))
            word, start = match[0], match.end()
    found.append((word, text[start:].strip()))
    return found


def _outside(text: str) -> Iterator[int]:
    """The places of a text that stand in no bracket and no quote."""
    open_: list[str] = []
    quoted = False
    for at, char in enumerate(text):
        if quoted:
            quoted = char != '"'
        elif char == '"':
            quoted = True
        elif char in _OPENING:
            open_.append(_OPENING[char])
        elif char in _OPENING.values():
            if not open_ or open_.pop() != char:
                raise EntryError(f"`{char}` closes nothing in `{text}`")
        elif not open_:
            yield at
    if quoted:
        raise EntryError(f"a quote is not closed in `{text}`")
    if open_:
        raise EntryError(f"`{open_[-1]}` is missing in `{text}`")


def first_word(text: str) -> tuple[str, str]:
    """The name that a text begins with, and the rest of it.

    Examples:
        >>> first_word("fire_value 16"), first_word("night"), first_word("+ 2")
        (('fire_value', '16'), ('night', ''), ('', '+ 2'))
    """
    found = _NAME.match(text)
    return (found[0], text[found.end() :].strip()) if found else ("", text.strip())


def named(piece: str) -> str:
    """The fact that a piece of an entry is about.

    Examples:
        >>> named("not night"), named("fire_value 16")
        ('night', 'fire_value')
    """
    return first_word(piece.removeprefix("not ").strip())[0]


# ---------------------------------------------------------------------------------------------------------- types


def types_of(rules: Ruleset, name: str) -> dict[str, Type]:
    """The types of the facts that a procedure or an event takes, by name."""
    return {fact: field.domain for fact, field in rules.inputs(name).items()}


# ---------------------------------------------------------------------------------------------------------- facts


@frozen
class Reader:
    """Reads facts for one ruleset and the pieces on the table.

    Attributes:
        rules: The ruleset.
        pieces: The pieces by name.
        asks: Whether somebody can be asked for the fields of a record that is only named.
    """

    rules: Ruleset
    pieces: Mapping[str, Piece]
    asks: bool = False

    def facts(self, types: Mapping[str, Type], text: str) -> dict[str, Any]:
        """Read facts in any order: ``fire_value 16, terrain town, not night, unit gun (kind mg)``.

        Args:
            types: What the facts are, by name.
            text: What was typed.

        Returns:
            The facts by name, as the library takes them.

        Raises:
            EntryError: A fact is unknown, or given twice.
        """
        given: dict[str, Any] = {}
        for name, value in self._named(types, text):
            self._put(types, given, name, value)
        return given

    def _put(self, types: Mapping[str, Type], given: dict[str, Any], name: str, value: str) -> None:
        fact = name if name in types else self._fact_of_record(types, name)
        if fact is None:
            unknown_fact(name or value, types)
        type_ = types[fact]
        if isinstance(type_, ListOf) and isinstance(type_.of, RecordOf):
            read: Any = [self._record(type_.of, item, fact) for item in self._records(value)]
            given[fact] = [*given.get(fact, []), *read]
        elif fact in given:
            raise EntryError(f"{fact} is given twice")
        else:
            _, _, rest = value.partition(" ")
            if rest and _is_single(type_) and value not in _words_of(type_) and not value.startswith('"'):
                # One value was wanted: the next word is a fact that is misspelt.
                unknown_fact(first_word(rest.strip())[0] or rest.strip(), types)
            given[fact] = self.value(type_, value, fact)

    def _fact_of_record(self, types: Mapping[str, Type], kind: str) -> str | None:
        """The one fact that takes a record of this kind, as in `unit gun (steps 2)`."""
        facts = [fact for fact, type_ in types.items() if record_kind(type_) == kind]
        return facts[0] if len(facts) == 1 else None

    def value(self, type_: Type, text: str, name: str) -> Any:
        """Read one value.

        Args:
            type_: What it should be.
            text: What stands after the name of the fact; nothing is yes.
            name: The fact, which is the key of a record that says none.
        """
        match type_:
            case ListOf(RecordOf() as of):
                return [self._record(of, item, name) for item in self._records(text)]
            case RecordOf():
                return self._record(type_, text, name)
            case Bool() if not text:
                return True
            case Bool() if text in ("y", "n"):
                return text == "y"
            case Word(words) if self.asks and text not in words:
                begun = [word for word in words if word.startswith(text)]
                return begun[0] if len(begun) == 1 and text else plain_value(type_, text)
            case WordSet() if '"' not in text and "[" not in text:
                return [word for word in re.split(r"[,\s]+", text) if word and word != "and"]
            case ListOf(Num()) if "," not in text:
                return plain_value(type_, ", ".join(re.sub(r"\sand\s", " ", text).split()))
            case WordSet() | ListOf():
                return plain_value(type_, re.sub(r"\s+and\s+", ", ", text))
        if not text:
            raise EntryError(f"{name} needs a value")
        return plain_value(type_, text)

    def _records(self, text: str) -> list[str]:
        """The records of a list; between pieces that are known, and those that are described, a blank will do."""
        found: list[str] = []
        for item in _items(text):
            parts = _RECORDS.findall(item)
            clear = all(part.endswith(")") or part.strip() in self.pieces for part in parts)
            found += parts if len(parts) > 1 and clear else [item]
        return found

    def _record(self, type_: RecordOf, text: str, fact: str) -> Any:
        """Read a record: a piece, a piece with other fields, a new one, or none."""
        if text == "none":
            if type_.optional:
                return None
            raise EntryError(f"{fact} can't be none", f"it is a {type_.record}")
        name, rest = first_word(text.removeprefix(f"{type_.record} ") if text.startswith(f"{type_.record} ") else text)
        piece = self.pieces.get(name)
        if rest and not (rest.startswith("(") and rest.endswith(")")):
            raise EntryError(f"`{text}` is no {type_.record}", f"write a piece, or {name or 'name'} (field value, ...)")
        fields = self.fields(type_.record, rest[1:-1]) if rest else {}
        if piece is not None and piece.kind != type_.record:
            raise EntryError(f"{name} is a {piece.kind}, and {fact} takes a {type_.record}")
        if piece is None and name in self.rules.records[type_.record].fields:
            raise EntryError(f"{name} is a field of a {type_.record}", f"fields stand in brackets: NAME ({name} ...)")
        if piece is None and not rest and not self.asks and self.required(type_.record):
            hint = f"describe it here, {name} ({self.required(type_.record)[0]} ...), or put it on the table first"
            raise EntryError(f"there is no piece {name}", hint)
        known = {} if piece is None else dict(piece.fields)
        return {self.key_field(type_.record): name or fact, **known, **fields}

    def fields(self, record: str, text: str) -> dict[str, Any]:
        """Read the fields of a record: ``kind artillery, steps 2, dug_in``.

        Raises:
            EntryError: There is no such field, or it is given twice.
        """
        types = {name: each.domain for name, each in self.rules.records[record].fields.items()}
        given: dict[str, Any] = {}
        for name, value in self._named(types, text):
            if name not in types:
                unknown_fact(name, types, f"a {record} has no")
            if name in given:
                raise EntryError(f"{name} is given twice")
            given[name] = self._field(types[name], value, name)
        return given

    def _field(self, type_: Type, text: str, name: str) -> Any:
        """A field names other records, and never describes one."""
        if isinstance(type_, RecordOf):
            return None if text == "none" and type_.optional else text
        if isinstance(type_, ListOf) and isinstance(type_.of, RecordOf):
            return _items(text)
        return self.value(type_, text, name)

    def required(self, record: str) -> list[str]:
        """The fields of a record that must be said."""
        return [name for name, each in self.rules.records[record].fields.items() if each.required]

    def key_field(self, record: str) -> str:
        """What the field is called that holds the name of a record."""
        return self.rules.records[record].key

    def _named(self, types: Mapping[str, Type], text: str) -> Iterator[tuple[str, str]]:
        """The facts with the text of their values; a comma within a list belongs to its fact."""
        current: tuple[str, str] | None = None
        for piece in split(text) if text.strip() else ():
            if not piece:
                continue
            name, rest = _name_and_value(piece)
            if (
                current is not None
                and not self._is_fact(types, name)
                and self._goes_on(types, current[0], name and rest)
            ):
                current = current[0], f"{current[1]}, {piece}"
                continue
            if current is not None:
                yield current
            *earlier, current = self._without_commas(types, name, rest)
            yield from earlier
        if current is not None:
            yield current

    def _is_fact(self, types: Mapping[str, Type], name: str) -> bool:
        return name in types or self._fact_of_record(types, name) is not None

    def _goes_on(self, types: Mapping[str, Type], name: str, rest: str) -> bool:
        """Whether what has no name of a fact is one more item of the fact before: a number, a word, a record."""
        fact = name if name in types else self._fact_of_record(types, name)
        return isinstance(types.get(fact or ""), (ListOf, WordSet)) and (not rest or rest.startswith("("))

    def _without_commas(self, types: Mapping[str, Type], name: str, value: str) -> list[tuple[str, str]]:
        """Facts between which the comma was left out: ``fire_value 16 terrain town``."""
        found: list[tuple[str, str]] = []
        while True:
            words = _words_of(types.get(name))
            at = self._next_fact(types, value, words, 0 if isinstance(types.get(name), Bool) else 1)
            if at is None:
                return [*found, (name, value)]
            found.append((name, value[:at].strip()))
            name, value = _name_and_value(value[at:].strip())

    def _next_fact(self, types: Mapping[str, Type], text: str, words: tuple[str, ...], first: int) -> int | None:
        """Where in the text of a value the next fact begins: at a name of one that is none of the value's own words."""
        outside = set(_outside(text))
        starts = [found for found in re.finditer(r"(?<!\S)[A-Za-z_]\w*", text) if found.start() in outside]
        for found in starts:
            before = text[: found.start()].split()
            if len(before) < first or found[0] in words or not self._is_fact(types, found[0]):
                continue
            negated = before[-1:] == ["not"]
            return text.rindex("not", 0, found.start()) if negated else found.start()
        return None


def plain_value(type_: Type | None, text: str) -> Any:
    """Read a value that is no record, as the command line does."""
    try:
        return read_value(type_, _unquoted(text) if _is_single(type_) else text)
    except UsageError as wrong:
        raise EntryError(str(wrong)) from None


def _words_of(type_: Type | None) -> tuple[str, ...]:
    """The words that a value of a type may have."""
    inner = type_.of if isinstance(type_, (Maybe, ListOf)) else type_
    return tuple(inner.words) if isinstance(inner, (Word, WordSet)) else ()


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _is_single(type_: Type | None) -> bool:
    """Whether a value of a type is one word."""
    inner = type_.of if isinstance(type_, Maybe) else type_
    return isinstance(inner, (Num, Word, Bool))


def _name_and_value(piece: str) -> tuple[str, str]:
    """The fact that a piece is about, and the text of its value."""
    if piece.startswith("not "):
        name, rest = first_word(piece.removeprefix("not ").strip())
        if name and not rest.startswith(("=", ":")):
            return name, f"no {rest}".strip()
    name, rest = first_word(piece)
    return name, (rest[1:].strip() if rest.startswith(("=", ":")) else rest) if name else piece


def _items(text: str) -> list[str]:
    """The items of a list, with commas between them."""
    inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    return [] if inner.strip() in ("", "nothing", "none") else [item for item in split(inner) if item]


def unknown_fact(name: str, known: Mapping[str, Any], there_is_no: str = "there is no fact") -> NoReturn:
    """Complain of a name that nothing has, with the nearest that something has."""
    close = nearest(name, known)
    raise EntryError(
        f"{there_is_no} {name}",
        f"did you mean {close}?" if close else f"there are {', '.join(known) or 'none'}",
    )
