"""The quick way through the door: facts that are plainly right, converted without a list of faults.

Whatever gives a moment's doubt is left to ``convert_facts``, which says what is wrong with it, if anything
is. So this may be as narrow as it likes, but what it does convert must come to the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from enfilade.core import ir
from enfilade.core.inputs import declared_input, external_names
from enfilade.core.records import key_names
from enfilade.core.types import Bool, ListOf, Maybe, Num, RecordOf, Type, Word, WordSet
from enfilade.core.values import Ref, State

DOUBT: Final = object()
_MOST_SETS: Final = 1_024

Reader: TypeAlias = Callable[[Any], Any]
Quick: TypeAlias = Callable[[dict[str, Any]], tuple[dict[str, Any], State] | None]


def quick_reader(program: ir.Program, inputs: tuple[str, ...]) -> Quick:
    """Make a function that converts facts, or gives ``None`` where it is in doubt.

    The dictionary that it is given becomes the facts. Where it is in doubt some of them may be converted already, but
    those are converted to themselves by ``convert_facts``.

    Args:
        program: The ruleset.
        inputs: The facts that may be given, by their names in the core.
    """
    names = external_names(inputs)
    renamed = {external: name for external, name in names.items() if external != name}
    known = {external: _kind(program, declared_input(program, name).type) for external, name in names.items()}
    empty = State({}, {deck.name: deck.cards for deck in program.decks.values()})

    def read(given: dict[str, Any]) -> tuple[dict[str, Any], State] | None:
        listed: tuple[str, Any, State] | None = None
        try:
            for name, value in given.items():
                kind, low, high, reader, records = known[name]
                if kind is not None:
                    if type(value) is not kind or value < low or value > high:
                        return None
                elif records is None:
                    value = reader(value)
                    if value is DOUBT:
                        return None
                    given[name] = value
                elif listed is not None or (found := records.read(value, empty)) is None:
                    return None
                else:
                    listed = (name, *found)
        except (KeyError, TypeError):
            return None
        if listed is not None:
            given[listed[0]] = listed[1]
        if renamed:
            given = {renamed.get(name, name): value for name, value in given.items()}
        return given, empty if listed is None else listed[2]

    return read


_Kind: TypeAlias = tuple[type | None, Any, Any, Reader, Any]
"""How a fact is read: a number or a yes or no by its class and bounds, a list of records, or all else by a reader."""


def _kind(program: ir.Program, type_: Type) -> _Kind:
    match type_:
        case Num():
            # An `int` of its own class is none: a truth value is one too.
            return int, *_span(type_), _doubt, None
        case Bool():
            return bool, False, True, _doubt, None
        case ListOf(RecordOf() as of, least):
            return None, None, None, _doubt, _Records(program, of, least)
        case _ if _of_records(type_):
            return None, None, None, _doubt, None
        case _:
            return None, None, None, _reader(type_), None


def _doubt(value: Any) -> Any:
    return DOUBT


def _of_records(type_: Type) -> bool:
    return isinstance(type_, RecordOf) or (isinstance(type_, ListOf) and _of_records(type_.of))


# ------------------------------------------------------------------------------------------------ simple values


def _reader(type_: Type) -> Reader:
    match type_:
        case Num():
            return _number(type_)
        case Bool():
            return _yes_no
        case Word(words):
            return _word(words)
        case WordSet(words):
            return _words(words)
        case ListOf(Num() as of, least):
            return _numbers(of, least)
        case ListOf(of, least):
            return _list(_reader(of), least)
        case Maybe(of):
            return _perhaps(_reader(of))
        case _:
            return _doubt


def _perhaps(reader: Reader) -> Reader:
    return lambda value: None if value is None else reader(value)


_LARGE: Final = 1 << 60


def _span(type_: Num) -> tuple[Any, Any]:
    return -_LARGE if type_.low is None else type_.low, _LARGE if type_.high is None else type_.high


def _number(type_: Num) -> Reader:
    low, high = _span(type_)
    # An `int` of its own class is none: a truth value is one too.
    return lambda value: value if type(value) is int and low <= value <= high else DOUBT


def _numbers(type_: Num, least: int) -> Reader:
    low, high = _span(type_)

    def read(value: Any) -> Any:
        if (type(value) is not list and type(value) is not tuple) or not least <= len(value) <= _LONG:
            return DOUBT
        for item in value:
            if type(item) is not int or not low <= item <= high:
                return DOUBT
        return tuple(value)

    return read


def _yes_no(value: Any) -> Any:
    return value if value is True or value is False else DOUBT


def _word(words: tuple[str, ...]) -> Reader:
    known = {word: word for word in words}
    return lambda value: known.get(value, DOUBT) if type(value) is str else DOUBT


def _words(words: tuple[str, ...]) -> Reader:
    order = {word: index for index, word in enumerate(words)}
    alone = {word: (word,) for word in words}
    kept: dict[frozenset[Any], Any] = {}

    def read(value: Any) -> Any:
        if type(value) is not set and type(value) is not list and type(value) is not tuple:
            return DOUBT
        if len(value) == 1:
            (word,) = value
            return alone[word] if type(word) is str else DOUBT
        key = frozenset(value)
        return kept[key] if key in kept else first(key)

    def first(key: frozenset[Any]) -> Any:
        if not all(type(word) is str and word in order for word in key):
            return DOUBT
        found = tuple(sorted(key, key=order.__getitem__))
        if len(kept) < _MOST_SETS:
            kept[key] = found
        return found

    return read


def _list(reader: Reader, least: int) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is not list and type(value) is not tuple:
            return DOUBT
        items = tuple([reader(item) for item in value])
        return DOUBT if DOUBT in items or not least <= len(items) <= _LONG else items

    return read


_LONG: Final = 1_000

# ------------------------------------------------------------------------------------------------------- records


class _Records:
    """Reads a list of records that are dictionaries, each with a name of its own."""

    def __init__(self, program: ir.Program, of: RecordOf, least: int) -> None:
        declared = program.records[of.record]
        self.record = of.record
        self.least = least
        self.key_names = key_names(declared)
        self.readers = {n: _reader(f.type) for n, f in declared.fields.items() if not _of_records(f.type)}
        self.references = {n: f.type for n, f in declared.fields.items() if isinstance(f.type, RecordOf)}
        self.defaults = {n: f.default if f.has_default else DOUBT for n, f in declared.fields.items()}
        self.checked = tuple(n for n, t in self.references.items() if t.record == of.record)

    def read(self, value: Any, empty: State) -> tuple[Any, State] | None:
        """Read all, or be in doubt."""
        if (type(value) is not list and type(value) is not tuple) or len(value) < self.least:
            return None
        records: dict[Ref, dict[str, Any]] = {}
        pointing = False
        for item in value:
            read = self._record(item) if type(item) is dict else None
            if read is None or read[0] in records:
                return None
            ref, fields, points = read
            records[ref] = fields
            pointing = pointing or points
        if pointing and not self._is_sound(records):
            return None
        return tuple(records), State(records, empty.decks)

    def _record(self, item: dict[str, Any]) -> tuple[Ref, dict[str, Any], bool] | None:
        fields = dict(self.defaults)
        key = None
        points = False
        for name, value in item.items():
            reader = self.readers.get(name)
            if reader is not None:
                fields[name] = reader(value)
            elif name in self.references:
                fields[name] = self._reference(name, value)
                points = points or fields[name] is not None
            elif name in self.key_names and key is None:
                key = value
            else:
                return None
        if type(key) is not str or not key or len(key) > _LONGEST or not key.isprintable() or key == "none":
            return None
        return None if DOUBT in fields.values() else (Ref(self.record, key), fields, points)

    def _reference(self, name: str, value: Any) -> Any:
        type_ = self.references[name]
        if value is None and type_.optional:
            return None
        return Ref(type_.record, value) if type(value) is str and value != "none" else DOUBT

    def _is_sound(self, records: dict[Ref, dict[str, Any]]) -> bool:
        """Whether everybody who is named is there, and no chain of names comes back to where it began."""
        for fields in records.values():
            for name in self.references:
                at = fields[name]
                if at is not None and at not in records:
                    return False
                steps = 0
                while name in self.checked and at is not None:
                    at = records[at][name] if at in records else None
                    steps += 1
                    if steps > len(records):
                        return False
        return True


_LONGEST: Final = 128
