"""Conversion of facts that hold records: assigns keys to records and resolves references between them.

One ``FactReader`` reads all facts of a call and collects every fault instead of stopping at the first.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from numbers import Number as NumberLike
from typing import Any, Final, Protocol

import attrs
from attrs import define, field, frozen

from enfilade.diagnostics.suggest import nearest
from enfilade.errors import InputError, InputFault
from enfilade.values.data import FrozenMap, Ref
from enfilade.values.numbers import Unfit, shorten
from enfilade.values.types import ListOf, MapOf, RecordOf, Type, elements_of

_BAD: Final = object()
MAX_KEY: Final = 128
_NOTHING: Final[Mapping[Any, Any]] = {}


class Field(Protocol):
    """A field of a record, as the rules declare it."""

    @property
    def type(self) -> Type:
        """Its type."""

    @property
    def has_default(self) -> bool:
        """Whether it may be left out."""

    @property
    def default(self) -> Any:
        """Its value if it is left out."""


class RecordKind(Protocol):
    """A kind of record, as the rules declare it."""

    @property
    def name(self) -> str:
        """The name of the kind."""

    @property
    def fields(self) -> Mapping[str, Field]:
        """Its fields."""


@frozen
class _Mention:
    """A reference to a record by its key, resolved when all records are read.

    ``in_field`` is true for a field of a record, false for a fact.
    """

    order: int
    parameter: str
    ref: Ref
    in_field: bool


@define
class FactReader:
    """Reads the facts of one call; each call makes its own reader.

    Attributes:
        kinds: The kinds of records that the ruleset declares.
        created: After ``finish``, the records given by their keys alone, by the fact or element that names them first.
    """

    kinds: Mapping[str, RecordKind]
    created: dict[str, Ref] = field(factory=dict, init=False)
    _records: dict[Ref, dict[str, Any]] = field(factory=dict)
    _where: dict[Ref, str] = field(factory=dict)
    _orders: dict[Ref, int] = field(factory=dict)
    _faults: list[tuple[int, InputFault]] = field(factory=list)
    _mentions: list[_Mention] = field(factory=list)
    _numbers: dict[str, int] = field(factory=dict)
    _order: int = 0

    def read(self, type_: Type, given: Any, parameter: str, default: Any = None) -> Any:
        """Read one fact; ``finish`` reports its faults.

        Args:
            type_: The type of the fact.
            given: The caller's value.
            parameter: The name of the fact.
            default: Its default; the entries that the caller leaves out of a map have those of the default.
        """
        if isinstance(type_, MapOf):
            return self._map(type_, given, parameter, default)
        return self._value(type_, given, parameter, parameter)

    def add_fault(self, fault: InputFault) -> None:
        """Record a fault for ``finish``."""
        self._faults.append((self._next(), fault))

    def finish(self) -> dict[Ref, Mapping[str, Any]]:
        """Resolve references and report all faults.

        Returns:
            All records.

        Raises:
            InputError: A fact has a fault; all faults are listed.
        """
        self._create_records_from_keys()
        self._check_mentions()
        self._check_cycles()
        if self._faults:
            raise InputError([fault for _, fault in sorted(self._faults, key=lambda pair: pair[0])])
        return dict(self._records)

    def _next(self) -> int:
        self._order += 1
        return self._order

    def _unfit(self, parameter: str, type_: Type, unfit: Unfit) -> Any:
        self.add_fault(fault_of(parameter, type_, unfit))
        return _BAD

    # -- values ---------------------------------------------------------------------------------------------

    def _value(self, type_: Type, given: Any, parameter: str, alone: str | None) -> Any:
        """Read a value; *alone* is the key of a single record without a key of its own."""
        try:
            match type_:
                case ListOf(RecordOf() as of, least):
                    return _at_least(self._record_list(of, given, parameter), least, given)
                case ListOf(of, least):
                    return _at_least(self._list(of, given, parameter), least, given)
                case RecordOf():
                    return self._record_or_key(type_, given, parameter, alone)
                case _:
                    return type_.read(given)
        except Unfit as unfit:
            return self._unfit(parameter, type_, unfit)

    def _list(self, of: Type, given: Any, parameter: str) -> tuple[Any, ...]:
        # A number alone is a list of one, as a word alone is a set of one.
        is_number = isinstance(given, NumberLike) and not isinstance(given, bool)
        items = [given] if is_number else _items(given)
        return tuple(self._value(of, item, f"{parameter}[{n}]", None) for n, item in enumerate(items, 1))

    def _map(self, type_: MapOf, given: Any, parameter: str, default: Any) -> Any:
        """Read a map from words to values; *default* has the entries that are not given."""
        if not isinstance(given, Mapping):
            return self._unfit(parameter, type_, Unfit(f"is {shorten(given)}", given))
        words = type_.entries
        for name in given:
            if name not in words:
                self._unknown_entry(words, name, given[name], parameter)
        entries = FrozenMap(default or {})
        missing = [word for word in words if word not in given and word not in entries]
        if missing:
            allowed = type_.value.allowed
            message = f"{parameter} needs its {', '.join(missing)}; allowed: {allowed}"
            self.add_fault(InputFault(f"{parameter}.{missing[0]}", None, type_.value.notation, message))
            return _BAD
        return FrozenMap({word: self._entry(type_.value, given, word, entries, parameter) for word in words})

    def _entry(self, of: Type, given: Mapping[Any, Any], word: str, default: FrozenMap, parameter: str) -> Any:
        return self._value(of, given[word], f"{parameter}.{word}", None) if word in given else default[word]

    def _unknown_entry(self, words: tuple[str, ...], name: Any, given: Any, parameter: str) -> None:
        close = nearest(str(name), words)
        meant = f"; did you mean {close}?" if close else f"; it has {', '.join(words)}"
        message = f"{parameter} has no {shorten(name)}{meant}"
        self.add_fault(InputFault(f"{parameter}.{name}", given, ", ".join(words), message))

    def _record_list(self, of: RecordOf, given: Any, parameter: str) -> tuple[Any, ...]:
        if isinstance(given, Mapping):
            named = given.items()
            return tuple(self._record(of, fields, parameter, None, called=key) for key, fields in named)
        items = _items(given)
        return tuple(
            self._record_or_key(of, item, f"{parameter}[{n}]", None, inside=parameter)
            for n, item in enumerate(items, 1)
        )

    def _record_or_key(
        self, type_: RecordOf, given: Any, parameter: str, alone: str | None, *, inside: str | None = None
    ) -> Any:
        if type_.optional and (given is None or given == "none"):
            return None
        if isinstance(given, (str, int)) and not isinstance(given, bool):
            return self._mention(type_, given, parameter, in_field=False)
        in_list = inside is not None
        return self._record(type_, given, inside or parameter, alone, in_list=in_list, place=parameter)

    def _mention(self, type_: RecordOf, given: Any, parameter: str, *, in_field: bool) -> Ref:
        ref = Ref(type_.record, str(given))
        self._mentions.append(_Mention(self._next(), parameter, ref, in_field))
        return ref

    # -- records --------------------------------------------------------------------------------------------

    def _record(
        self, type_: RecordOf, given: Any, parameter: str, alone: str | None, *,
        in_list: bool = True, place: str = "", called: Any = None,
    ) -> Any:  # fmt: skip
        """Read a record; *called* is its key in a mapping, *alone* its key if it has none."""
        declared = self.kinds[type_.record]
        try:
            fields = _fields_of(given, declared)
            own = _single_key(fields.pop(_KEY, None), called)
            ref = Ref(type_.record, _checked_key(alone or self._generated_key(type_.record) if own is None else own))
        except Unfit as unfit:
            return self._unfit(place or parameter, type_, unfit)
        where = f"{parameter}[{ref.key}]" if in_list else parameter
        said = dict(fields)
        values = {name: self._field(declared, name, fields, where, said) for name in declared.fields}
        for name in fields:
            self._unknown_field(declared, name, fields[name], where)
        return self._keep(ref, values, where)

    def _generated_key(self, record: str) -> str:
        number = self._numbers[record] = self._numbers.get(record, 0) + 1
        return f"{record}{number}"

    def _field(
        self, declared: RecordKind, name: str, fields: dict[Any, Any], where: str, said: Mapping[Any, Any]
    ) -> Any:
        field_ = declared.fields[name]
        if name in fields:
            given = fields.pop(name)
            return self._field_value(field_, given, f"{where}.{name}")
        if field_.has_default:
            return field_.default
        allowed = field_.type.allowed
        later = list(declared.fields)[list(declared.fields).index(name) + 1 :]
        # The message for the last missing field shows all of them.
        is_last = all(each in fields or declared.fields[each].has_default for each in later)
        hint = f"; write `{_own_key(where)} {described(declared, said)}`" if is_last else ""
        message = f"{where} needs its {name}; allowed: {allowed}{hint}"
        self.add_fault(InputFault(f"{where}.{name}", None, field_.type.notation, message))
        return _BAD

    def _field_value(self, declared: Field, given: Any, parameter: str) -> Any:
        """Read the value of a field: it refers to other records by key, or describes them."""
        type_ = declared.type
        try:
            match type_:
                case RecordOf():
                    return self._reference(type_, given, parameter)
                case ListOf(RecordOf() as of, least):
                    named = enumerate(_items(given), 1)
                    refs = tuple(self._reference(of, each, f"{parameter}[{n}]") for n, each in named)
                    return _at_least(refs, least, given)
                case MapOf():
                    return self._map(type_, given, parameter, declared.default)
                case _:
                    return self._value(type_, given, parameter, None)
        except Unfit as unfit:
            return self._unfit(parameter, type_, unfit)

    def _reference(self, type_: RecordOf, given: Any, parameter: str) -> Any:
        if isinstance(given, Mapping):
            return self._record(type_, given, parameter, None, in_list=False)
        named = _key_of(given)
        if type_.optional and (named is None or named == "none"):
            return None
        if isinstance(named, bool) or not isinstance(named, (str, int)):
            raise Unfit(f"is {shorten(given)}, which is not the name of a {type_.record}", given)
        return self._mention(type_, named, parameter, in_field=True)

    def _unknown_field(self, declared: RecordKind, name: Any, given: Any, where: str) -> None:
        close = nearest(str(name), declared.fields)
        meant = f"; did you mean {close}?" if close else ""
        allowed = ", ".join(declared.fields)
        message = f"a {declared.name} has no {shorten(name)}{meant}"
        self.add_fault(InputFault(f"{where}.{name}", given, allowed, message))

    def _keep(self, ref: Ref, values: dict[str, Any], where: str) -> Any:
        if ref not in self._records:
            self._records[ref] = values
            self._where[ref] = where
            self._orders[ref] = self._next()
        elif self._records[ref] != values or self._where[ref] == where:
            message = f"{where}: two records are called {ref.key}; give each {ref.record} a different name"
            self.add_fault(InputFault(where, ref.key, f"a different name for each {ref.record}", message))
            return _BAD
        return ref

    # -- references -----------------------------------------------------------------------------------------

    def _create_records_from_keys(self) -> None:
        """Create records from their keys alone, if all fields have defaults and no record of the kind is described.

        If the caller describes any record of the kind, an unknown key may be a slip and is an error. A number is no key
        of a new record, nor is the name of the list.
        """
        described = {ref.record for ref in self._records}
        for mention in self._mentions:
            fields = self.kinds[mention.ref.record].fields
            is_name = any(map(str.isalpha, mention.ref.key)) and not mention.parameter.startswith(f"{mention.ref.key}[")
            plain = (
                is_name
                and mention.ref.record not in described
                and all(field_.has_default for field_ in fields.values())
            )
            if plain and not mention.in_field and mention.ref not in self._records:
                try:
                    _checked_key(mention.ref.key)
                except Unfit as unfit:
                    self._unfit(mention.parameter, RecordOf(mention.ref.record), unfit)
                self._records[mention.ref] = {name: field_.default for name, field_ in fields.items()}
                self._where[mention.ref] = mention.parameter
                self.created[mention.parameter] = mention.ref
                self._orders[mention.ref] = mention.order

    def _check_mentions(self) -> None:
        for mention in self._mentions:
            if mention.ref not in self._records:
                self._faults.append((mention.order, self._dangling(mention)))

    def _dangling(self, mention: _Mention) -> InputFault:
        record, key = mention.ref.record, mention.ref.key
        known = [ref.key for ref in self._records if ref.record == record]
        allowed = f"the name of a {record} that is given" + (f": {', '.join(known[:20])}" if known else "")
        close = nearest(key, known)
        fields = self.kinds[record].fields
        needed = next((name for name, field_ in fields.items() if not field_.has_default), None)
        described = f"; describe it: {key} ({needed} ...)" if needed else ""
        meant = f"; did you mean {close}?" if close else described
        message = f"{mention.parameter} is {shorten(key)}, and no {record} of that name is given{meant}"
        if key.isdigit():
            field = needed or next(iter(fields), None)
            form = f"{record}1 ({field} {key})" if field else f"{record}1"
            message = f"{mention.parameter} is a {record}, not a number: give it a name, and its values in brackets, such as {form}"
        return InputFault(mention.parameter, key, allowed, message)

    def _check_cycles(self) -> None:
        """Reject cycles of records through one field, such as a wagon loaded on its own load."""
        for declared in self.kinds.values():
            for name, field_ in declared.fields.items():
                if isinstance(field_.type, RecordOf) and field_.type.record == declared.name:
                    self._check_chain(declared.name, name)

    def _check_chain(self, record: str, name: str) -> None:
        done: set[Ref] = set()
        for start in [ref for ref in self._records if ref.record == record]:
            chain: dict[Ref, None] = {}
            at: Any = start
            while isinstance(at, Ref) and at in self._records and at not in done and at not in chain:
                chain[at] = None
                at = self._records[at][name]
            if at in chain:
                self._cycle(name, list(chain)[list(chain).index(at) :])
            done |= set(chain)

    def _cycle(self, name: str, cycle: list[Ref]) -> None:
        first = cycle[0]
        parameter = f"{self._where[first]}.{name}"
        text = " to ".join(ref.key for ref in [*cycle[:10], first])
        message = f"{parameter} refers back to itself: {text}"
        fault = InputFault(parameter, self._records[first][name].key, "no circle", message)
        self._faults.append((self._orders[first], fault))


# ------------------------------------------------------------------------------------------- what is to be written


def fault_of(parameter: str, type_: Type, unfit: Unfit) -> InputFault:
    """Describe the fault of a parameter in one sentence."""
    allowed = type_.allowed
    helps = f"; {unfit.helps}" if unfit.helps else ""
    message = f"{parameter} {unfit.reason}; allowed: {allowed}{helps}"
    return InputFault(parameter, unfit.value, type_.notation, message)


def record_hint(name: str, type_: Type, records: Mapping[str, RecordKind]) -> str | None:
    """How to give a missing fact that is a record or a list of records; ``None`` for any other fact.

    The hint shows a value alone, because each surface has its own way to write a fact with a value.
    """
    of = type_.of if isinstance(type_, ListOf) else type_
    if not isinstance(of, RecordOf) or of.record not in records:
        return None
    fields = described(records[of.record])
    # The name comes from the fact: facts with one name for their records would share a record.
    if isinstance(type_, ListOf):
        return f"give a list, such as `[{name}1 {fields or '()'}]`"
    if not fields:
        return f"every field of a {of.record} has a default, so a name is enough, such as `{name}1`"
    return f"give a {of.record}, such as `{fields}`"


def described(record: RecordKind, given: Mapping[Any, Any] = _NOTHING) -> str:
    """The required fields of a record, with the given value or an allowed one: `(ranks 1, kind pike)`; empty if none.

    Args:
        record: The kind of record.
        given: The fields that were given; only words and numbers among them are shown as they are.
    """
    needed = [
        f"{name} {given[name] if type(given.get(name)) in (int, str) else field.type.sample}"
        for name, field in record.fields.items()
        if not field.has_default
    ]
    return f"({', '.join(needed)})" if needed else ""


# ------------------------------------------------------------------------------------- values from the caller


# The key of a record among its fields: not a string, so no field can have this name.
_KEY: Final = ("key",)
_KEY_NAMES: Final = ("name", "key")


def _items(given: Any) -> list[Any]:
    # A set has no order, and a named tuple is a record.
    if isinstance(given, AbstractSet) or hasattr(given, "_fields"):
        raise Unfit(f"is {shorten(given)}", given)
    return elements_of(given)


def key_names(declared: RecordKind) -> tuple[str, ...]:
    """The names under which a caller may give a record's key: ``name`` and ``key``, unless they are fields."""
    return tuple(name for name in _KEY_NAMES if name not in declared.fields)


def _fields_of(given: Any, declared: RecordKind) -> dict[Any, Any]:
    """The fields that a caller gives, and the key under ``_KEY``.

    All items of a mapping are read, so a wrong name is an error. An object of the host program may have more
    attributes than the rules declare, so only the declared fields are read from it.
    """
    if isinstance(given, Mapping):
        fields = dict(given)
        for name in key_names(declared):
            if name in fields and _KEY not in fields:
                fields[_KEY] = fields.pop(name)
        return fields
    if not _is_record_like(given):
        raise Unfit(f"is {shorten(given)}, which is not a {declared.name}", given)
    return dict(_attributes(given, declared))


def _attributes(given: Any, declared: RecordKind) -> Iterator[tuple[Any, Any]]:
    for name in declared.fields:
        if hasattr(given, name):
            yield name, getattr(given, name)
    key = next((getattr(given, name) for name in key_names(declared) if hasattr(given, name)), None)
    if key is not None:
        yield _KEY, key


def _is_record_like(given: Any) -> bool:
    if isinstance(given, type):
        return False
    return attrs.has(type(given)) or dataclasses.is_dataclass(given) or hasattr(given, "_fields")


def _key_of(given: Any) -> Any:
    """The key of a host program's object that is used as a reference to a record."""
    if isinstance(given, Mapping) or not _is_record_like(given):
        return given
    key = next((getattr(given, name) for name in _KEY_NAMES if hasattr(given, name)), None)
    return given if key is None else key


def _single_key(own: Any, called: Any) -> Any:
    if own is not None and called is not None and str(own) != str(called):
        raise Unfit(f"has two names, {shorten(called)} and {shorten(own)}", own)
    return called if own is None else own


def _checked_key(given: Any) -> str:
    if isinstance(given, bool) or not isinstance(given, (str, int)):
        raise Unfit(f"has the name {shorten(given)}, which is not text", given)
    key = str.__str__(given) if isinstance(given, str) else str(given)
    if not key or len(key) > MAX_KEY or not key.isprintable() or key == "none":
        raise Unfit(f"has the name {shorten(key)!r}, which can't be a name", given)
    return key


def _at_least(items: tuple[Any, ...], least: int, given: Any) -> tuple[Any, ...]:
    if len(items) < least:
        raise Unfit(f"has {len(items)} elements but needs at least {least}", given)
    return items


def _own_key(where: str) -> str:
    """The last name in the place of a record: `gun` of `units[gun]`."""
    return where.removesuffix("]").rpartition("[")[2].rpartition(".")[2]
