"""The types of values, and what a value of each type is: one table, a class for each kind of type.

A class says what the rules write (``describe``), which values belong to it (``has``), what a player may give and how
that is said (``read``, ``allowed``, ``notation``, ``several``), its JSON Schema (``schema``), the words it takes
(``words``), what to offer and what to show (``offers``, ``sample``), the values that a study tries (``to_try``), and the
value of a fact that nobody gives (``default``). Lists, records and maps are read in ``values/records.py``, which knows
what records there are.

A numeric type carries an interval, which tells the checker which edges of a chart can be reached.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import Any, Final, TypeAlias, cast

from attrs import field, frozen

from enfilade.diagnostics.suggest import nearest
from enfilade.frozen import FrozenMap
from enfilade.limits import check_time, in_force
from enfilade.node import node
from enfilade.values.data import ChartRef, Ref
from enfilade.values.numbers import Number, Unfit, shorten, to_number

Bound: TypeAlias = int | Fraction | None
JsonSchema: TypeAlias = Mapping[str, Any]
Ends: TypeAlias = Callable[[], Collection[int]]
"""The whole numbers at which a result may change."""

NO_VALUE: Final = object()
"""The default of a fact that must be given."""
MOST_TRIED: Final = 100
"""How many values of a number without an upper bound are tried."""
_MOST_OFFERED: Final = 40
_LONG: Final = 1_000
"""The time is checked before so long a list: it takes as long as hundreds of steps."""
_EXACT: Final = "^[+-]?[0-9]+(/[0-9]+|\\.[0-9]+)?$"
_COUNTS: Final = {0: "any number of", 1: "one or more", 2: "two or more"}
_YES_NO: Final = {"yes": True, "no": False}


@frozen
class Values:
    """The values of a type that a study tries.

    Attributes:
        values: The values, in order.
        open_end: Whether the type has larger values that are not tried.
    """

    values: tuple[Any, ...]
    open_end: bool = False


class Kind:
    """What every type answers; a type that no caller gives has these answers."""

    __slots__ = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words that a bare name may mean if this type is expected."""
        return ()

    @property
    def default(self) -> Any:
        """The default of a fact that declares none; ``NO_VALUE`` if it must be given."""
        return NO_VALUE

    @property
    def notation(self) -> str:
        """The allowed values in the notation of the rules, as the data of a fault has them."""
        return describe(cast("Type", self))

    @property
    def allowed(self) -> str:
        """The allowed values in a player's words, as questions and messages show them."""
        return self.notation

    @property
    def several(self) -> str:
        """The elements of a list, in the plural."""
        return f"values, each {self.allowed}"

    @property
    def sample(self) -> str:
        """One allowed value, as it is typed."""
        return "..."

    def has(self, value: Any) -> bool:
        """Whether a value of the core belongs to the type."""
        return True

    def read(self, given: Any) -> Any:
        """Read what a caller gives: a Python value, one of NumPy, JSON, or a text. Nothing is guessed.

        Raises:
            Unfit: It does not belong to the type.
        """
        raise Unfit(f"can't be given, because it is {self.allowed}", given)

    def schema(self) -> JsonSchema:
        """The values as JSON Schema, with references to ``$defs`` for records."""
        return {}

    def offers(self) -> Iterator[tuple[str, str]]:
        """The values to offer a person who types, each with a remark."""
        yield from ((word, "") for word in self.words)

    def to_try(self, ends: Ends) -> Values | None:
        """All values, or those worth trying; ``None`` if they can't be listed."""
        return None


def _suggestion(given: Any, words: Iterable[str]) -> str:
    close = nearest(given, words) if isinstance(given, str) else None
    return f"did you mean {close}?" if close else ""


@node
class Num(Kind):
    """A number from *low* to *high*, both included; ``None`` means no bound."""

    low: Bound = None
    high: Bound = None
    whole: bool = True

    @property
    def allowed(self) -> str:
        """``1 or more``, ``0 to 2``."""
        low, high, kind = self.low, self.high, "" if self.whole else "a number, "
        if low is None and high is None:
            return "a whole number" if self.whole else "a number"
        if low is None or high is None:
            return kind + (f"{low} or more" if high is None else f"{high} or less")
        return kind + (str(low) if low == high else f"{low} to {high}")

    @property
    def several(self) -> str:
        """``whole numbers from 1``."""
        start = "" if self.low is None else f" from {self.low}"
        kind = "whole numbers" if self.whole else "numbers"
        return kind + start + ("" if self.high is None else f" to {self.high}")

    @property
    def sample(self) -> str:
        """The lowest number, or the highest if there is no lowest."""
        return str(next((end for end in (self.low, self.high) if end is not None), 1))

    def has(self, value: Any) -> bool:
        """Whether a value is such a number; yes is not 1."""
        if type(value) is not int and (self.whole or type(value) is not Fraction):
            return False
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)

    def read(self, given: Any) -> Number:
        """Read a number exactly; a float is read as its shortest decimal.

        Examples:
            >>> Num(0, None, whole=False).read("15/2")
            Fraction(15, 2)
        """
        number = to_number(given)
        if not self.has(number):
            raise Unfit(f"is {shorten(given)}", given)
        return number

    def schema(self) -> JsonSchema:
        """An integer, or an exact number as a number or a text."""
        bounds = {"minimum": self.low, "maximum": self.high}
        kept = {
            name: bound if isinstance(bound, int) else float(bound)
            for name, bound in bounds.items()
            if bound is not None
        }
        if self.whole:
            return {"type": "integer", **kept}
        return {"anyOf": [{"type": "number", **kept}, {"type": "string", "pattern": _EXACT}]}

    def offers(self) -> Iterator[tuple[str, str]]:
        """Each number of a short range; else its ends, with the range.

        Examples:
            >>> [text for text, _ in Num(0, 2).offers()], list(Num(1, None).offers())
            (['0', '1', '2'], [('1', '1..')])
        """
        low, high = self.low, self.high
        if self.whole and low is not None and high is not None and high - low < _MOST_OFFERED:
            yield from ((str(number), "") for number in range(int(low), int(high) + 1))
            return
        if low is not None:
            yield str(low), f"{low}.." if high is None else f"{low}..{high}"
        if high is not None:
            yield str(high), f"{'' if low is None else low}..{high}"

    def to_try(self, ends: Ends) -> Values:
        """The whole numbers of a range; without an upper bound the first, and the *ends* above them."""
        first = 0 if self.low is None else -int(-self.low // 1)
        last = None if self.high is None else int(self.high // 1)
        if last is not None and last - first < MOST_TRIED * 10:
            return Values(tuple(range(first, last + 1)))
        near = range(first, first + MOST_TRIED)
        beyond = {each for each in ends() if each >= near.stop and (last is None or each <= last)}
        return Values((*near, *sorted(beyond)), open_end=True)


@node
class Listed(Num):
    """One of some numbers, from low to high: the sizes of dice."""

    values: tuple[int, ...] = ()

    @property
    def allowed(self) -> str:
        """``4, 6 or 8``."""
        *first, last = map(str, self.values)
        return f"{', '.join(first)} or {last}" if first else last

    @property
    def several(self) -> str:
        """``numbers from 4, 6, 8``."""
        return f"numbers from {', '.join(map(str, self.values))}"

    def has(self, value: Any) -> bool:
        """Whether a value is one of the numbers; yes is not 1."""
        return type(value) is int and value in self.values

    def schema(self) -> JsonSchema:
        """One of the numbers."""
        return {"enum": list(self.values)}

    def offers(self) -> Iterator[tuple[str, str]]:
        """The numbers."""
        yield from ((str(value), "") for value in self.values)

    def to_try(self, ends: Ends) -> Values:
        """The numbers."""
        return Values(self.values)


def listed(values: Iterable[int]) -> Listed:
    """The type of numbers that lists its values."""
    ordered = tuple(sorted(set(values)))
    return Listed(ordered[0], ordered[-1], values=ordered)


@node
class Bool(Kind):
    """Yes or no."""

    default = False
    notation = "yes or no"
    sample = "yes"

    def has(self, value: Any) -> bool:
        """Whether a value is yes or no; 1 is not yes."""
        return type(value) is bool

    def read(self, given: Any) -> bool:
        """Read yes or no.

        Examples:
            >>> Bool().read("yes")
            True
        """
        if isinstance(given, str) and given in _YES_NO:
            return _YES_NO[given]
        # `bool_` is the yes and no of NumPy before its version 2.
        if type(given).__name__ in ("bool", "bool_"):
            return bool(given)
        raise Unfit(f"is {shorten(given)}", given)

    def schema(self) -> JsonSchema:
        """A boolean."""
        return {"type": "boolean"}

    def offers(self) -> Iterator[tuple[str, str]]:
        """Yes and no."""
        yield from (("yes", ""), ("no", ""))

    def to_try(self, ends: Ends) -> Values:
        """No and yes."""
        return Values((False, True))


@node
class Word(Kind):
    """One word of an enumeration; *words* are in the order of declaration.

    ``order`` is the order in which words of a list can be compared, low to high; empty if they can't.
    ``open`` says that the words are those met so far: no declaration lists them, and others may join them.
    """

    words: tuple[str, ...]
    name: str | None = field(default=None, eq=False)
    open: bool = field(default=False, eq=False)
    order: tuple[str, ...] = field(default=(), eq=False)

    @property
    def notation(self) -> str:
        """The words."""
        return ", ".join(self.words)

    @property
    def several(self) -> str:
        """``words from town, woods``."""
        return f"words from {', '.join(self.words)}"

    @property
    def sample(self) -> str:
        """The first word."""
        return _first(self.words)

    def has(self, value: Any) -> bool:
        """Whether a value is one of the words."""
        return value in self.words

    def read(self, given: Any) -> str:
        """Read a word; a number may be one of the words, the name of a card."""
        if type(given) is int and str(given) in self.words:
            return str(given)
        if isinstance(given, str) and given in self.words:
            return str.__str__(given)
        raise Unfit(f"is {shorten(given)}", given, _suggestion(given, self.words))

    def schema(self) -> JsonSchema:
        """One of the words."""
        return {"enum": list(self.words)}

    def to_try(self, ends: Ends) -> Values:
        """The words."""
        return Values(self.words)


@node
class WordSet(Kind):
    """A set of words of an enumeration."""

    words: tuple[str, ...]
    name: str | None = field(default=None, eq=False)

    default = ()

    @property
    def notation(self) -> str:
        """The words."""
        return "any of " + ", ".join(self.words)

    @property
    def sample(self) -> str:
        """The first word."""
        return _first(self.words)

    def has(self, value: Any) -> bool:
        """Whether a value is a set of some of the words."""
        return isinstance(value, (tuple, frozenset)) and all(word in self.words for word in value)

    def read(self, given: Any) -> tuple[str, ...]:
        """Read a word, or words in any order."""
        if isinstance(given, str):
            given = (given,)
        listed = elements_of(given)
        # Sets have no fixed order: sort, so the message names the same word on every run.
        wrong = sorted((each for each in listed if not isinstance(each, str) or each not in self.words), key=shorten)
        if wrong:
            raise Unfit(f"has {shorten(wrong[0])}", wrong[0], _suggestion(wrong[0], self.words))
        return tuple(word for word in self.words if word in listed)

    def schema(self) -> JsonSchema:
        """An array of some of the words."""
        return {"type": "array", "items": {"enum": list(self.words)}, "uniqueItems": True}

    def to_try(self, ends: Ends) -> Values:
        """The empty set, and each word alone."""
        return Values(((), *((word,) for word in self.words)))


@node
class CodeOf(Kind):
    """A result code of a chart; ``order`` is the severity order, from mild to severe."""

    codes: tuple[str, ...]
    order: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The codes."""
        return self.codes


@node
class Label(Kind):
    """A printed label, such as the label of a column."""

    optional: bool = True


@node
class ListOf(Kind):
    """A list; ``least`` is the minimum number of items."""

    of: Type
    least: int = 0

    @property
    def words(self) -> tuple[str, ...]:
        """The words of an element."""
        return self.of.words

    @property
    def default(self) -> Any:
        """No elements, if none are needed."""
        return NO_VALUE if self.least else ()

    @property
    def allowed(self) -> str:
        """``one or more whole numbers from 1``."""
        return f"{_COUNTS.get(self.least, f'{self.least} or more')} {self.of.several}"

    @property
    def sample(self) -> str:
        """A list of one."""
        return f"[{self.of.sample}]"

    def has(self, value: Any) -> bool:
        """Whether a value is such a list."""
        if not isinstance(value, tuple) or len(value) < self.least:
            return False
        if len(value) >= _LONG:
            check_time()
        return all(self.of.has(item) for item in value)

    def schema(self) -> JsonSchema:
        """An array."""
        return {"type": "array", "items": self.of.schema(), **({"minItems": self.least} if self.least else {})}

    def offers(self) -> Iterator[tuple[str, str]]:
        """The values of an element."""
        yield from self.of.offers()


@node
class RecordOf(Kind):
    """A reference to a record."""

    record: str
    optional: bool = False

    @property
    def default(self) -> Any:
        """None, if that is allowed."""
        return None if self.optional else NO_VALUE

    @property
    def allowed(self) -> str:
        """``unit``, ``unit, or none``."""
        return f"{self.record}, or none" if self.optional else self.record

    @property
    def several(self) -> str:
        """``units``."""
        return f"{self.record.removesuffix('y')}ies" if self.record.endswith("y") else f"{self.record}s"

    @property
    def sample(self) -> str:
        """A name."""
        return f"{self.record}1"

    def has(self, value: Any) -> bool:
        """Whether a value is a reference to such a record."""
        return (value is None and self.optional) or (isinstance(value, Ref) and value.record == self.record)

    def schema(self) -> JsonSchema:
        """A description of a record, or its name."""
        none: list[JsonSchema] = [{"type": "null"}] if self.optional else []
        return {"anyOf": [{"$ref": f"#/$defs/{self.record}"}, {"type": "string"}, *none]}

    def offers(self) -> Iterator[tuple[str, str]]:
        """``none``, if that is allowed."""
        yield from [("none", "")] if self.optional else []


@node
class RollOf(Kind):
    """A roll of dice; *value* is the type of a single die, numbers or symbols.

    ``low`` and ``high`` bound the number of dice; ``total`` is the range of their sum, if they show numbers.
    """

    value: Type
    low: int
    high: int | None
    total: Num | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The symbols of a die."""
        return self.value.words


@node
class ReadingOf(Kind):
    """The result of a chart lookup, made for a record or for none."""

    chart: str
    code: Type
    reader: str | None = None
    among: tuple[str, ...] = field(default=(), eq=False)

    @property
    def charts(self) -> tuple[str, ...]:
        """The charts that may have been read: the chart itself, or the charts that its cells name."""
        return self.among or (self.chart,)


@node
class TallyOf(Kind):
    """The sum of a block of modifiers; ``names`` are the modifiers of the block."""

    total: Num
    names: tuple[str, ...] = field(default=(), eq=False)


@node
class MapOf(Kind):
    """A map from keys to values. In a fact or a field the keys are all words of a list of words."""

    key: Type
    value: Type

    @property
    def entries(self) -> tuple[str, ...]:
        """The words that are the keys of a fact or a field that is a map."""
        return self.key.words if isinstance(self.key, Word) else ()

    @property
    def default(self) -> Any:
        """A map with the default of each entry, if the entries have a default."""
        each = self.value.default
        return NO_VALUE if each is NO_VALUE else FrozenMap(dict.fromkeys(self.entries, each))

    @property
    def allowed(self) -> str:
        """``0 to 4, for each of hull, engine``."""
        return f"{self.value.allowed}, for each of {', '.join(self.entries)}" if self.entries else self.notation

    @property
    def sample(self) -> str:
        """All entries."""
        shown = ", ".join(f"{word} {self.value.sample}" for word in self.entries)
        return f"({shown})" if shown else "..."

    def has(self, value: Any) -> bool:
        """Whether a value has an entry for each word."""
        if not isinstance(self.key, Word):
            return True
        is_whole = isinstance(value, Mapping) and value.keys() == set(self.entries)
        return is_whole and all(map(self.value.has, value.values()))

    def schema(self) -> JsonSchema:
        """An object."""
        if not isinstance(self.key, Word):
            return {}
        entries = {word: self.value.schema() for word in self.entries}
        return {"type": "object", "properties": entries, "additionalProperties": False}

    def offers(self) -> Iterator[tuple[str, str]]:
        """The words of the entries."""
        yield from ((word, "") for word in self.entries)


@node
class EffectOf(Kind):
    """An effect that was performed."""

    effect: str


@node
class OutputsOf(Kind):
    """The outputs of a called procedure; after a refusal that the caller handled, there are none.

    Attributes:
        procedure: The procedure.
        refused: Whether the call was refused at this place: never, sometimes or always.
    """

    procedure: str
    refused: str = "never"


@node
class ChartOf(Kind):
    """A reference to a chart, as the cell of another chart."""

    charts: tuple[str, ...]

    def offers(self) -> Iterator[tuple[str, str]]:
        """The charts."""
        yield from ((chart, "") for chart in self.charts)


@node
class Maybe(Kind):
    """A value or ``none``: a number that may be absent, or a choice that may have no options."""

    of: Type

    default = None

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the value."""
        return self.of.words

    @property
    def notation(self) -> str:
        """``0..2 or none``."""
        return f"{self.of.notation} or none"

    @property
    def allowed(self) -> str:
        """``0 to 2, or none``."""
        return f"{self.of.allowed}, or none"

    @property
    def sample(self) -> str:
        """A value."""
        return self.of.sample

    def has(self, value: Any) -> bool:
        """Whether a value is absent, or belongs to the type."""
        return value is None or self.of.has(value)

    def read(self, given: Any) -> Any:
        """Read a value or ``none``."""
        return None if given is None or given == "none" else self.of.read(given)

    def schema(self) -> JsonSchema:
        """A value or null."""
        return {"anyOf": [self.of.schema(), {"type": "null"}]}

    def offers(self) -> Iterator[tuple[str, str]]:
        """The values, and ``none``."""
        yield from self.of.offers()
        yield "none", ""

    def to_try(self, ends: Ends) -> Values | None:
        """The values without ``none``."""
        return self.of.to_try(ends)


@node
class Either(Kind):
    """A number on some ways and a word or a code on others: an output that is given in both forms."""

    number: Num
    word: Word | CodeOf

    @property
    def words(self) -> tuple[str, ...]:
        """The words."""
        return self.word.words


@node
class Nothing(Kind):
    """``none``."""


@node
class Unknown(Kind):
    """The type of an expression with an error that is already reported: it causes no further message.

    Attributes:
        is_pending: Whether there is no error, and a later check of a recursive procedure finds the type.
    """

    is_pending: bool = False


Type: TypeAlias = (
    Num | Bool | Word | WordSet | CodeOf | Label | ListOf | RecordOf | RollOf | ReadingOf | TallyOf | MapOf
    | EffectOf | OutputsOf | ChartOf | Maybe | Either | Nothing | Unknown
)  # fmt: skip


def elements_of(given: Any) -> list[Any]:
    """The elements of what a caller gives as a list or a set.

    Raises:
        Unfit: It has no elements, or too many.
    """
    most = in_force().length
    try:
        found = None if isinstance(given, (str, bytes, Mapping)) else list(islice(given, most + 1))
    except TypeError:
        found = None
    if found is None:
        raise Unfit(f"is {shorten(given)}", given)
    if len(found) > most:
        raise Unfit(f"has more than {most} elements", None)
    return found


def _first(words: Iterable[str]) -> str:
    """The first word as it is typed."""
    return next((word if word.isidentifier() else f'"{word}"' for word in words), "...")


def takes_records(type_: Type) -> bool:
    """Whether a value of a fact is a record or a list of records."""
    return isinstance(type_, RecordOf) or (isinstance(type_, ListOf) and isinstance(type_.of, RecordOf))


def spelled(word: str) -> str:
    """A word as it stands in a list of words: in quotes if a comma in it could be taken for one between words."""
    return f'"{word}"' if "," in word else word


def describe(type_: Type) -> str:
    """Write a type as an author would.

    Examples:
        >>> describe(Num(0, 2))
        '0..2'
        >>> describe(ListOf(Num(1, None)))
        'list of 1..'
    """
    match type_:
        case Listed(values=values):
            return "one of " + ", ".join(map(str, values))
        case Num():
            return _describe_number(type_)
        case Bool():
            return "yes/no"
        case Word(words):
            if type_.open and len(words) == 1:
                return f"the word {words[0]}"
            return "one of " + (" < " if words == type_.order else ", ").join(map(spelled, words))
        case WordSet(words):
            return "set of " + ", ".join(map(spelled, words))
        case CodeOf():
            return "a result code"
        case Label():
            return "a printed label"
        case ListOf(of, least):
            return "list of " + describe(of) + (f", at least {least}" if least else "")
        case RecordOf(record, optional):
            return record + (" or none" if optional else "")
        case RollOf():
            return "a roll"
        case ReadingOf(chart):
            return f"a reading of {chart}"
        case TallyOf():
            return "a sum of modifiers"
        case MapOf(key, value):
            keys = key.name if isinstance(key, Word) and key.name is not None else describe(key)
            return f"map of {keys} to {describe(value)}"
        case EffectOf(effect):
            return f"an effect {effect}"
        case OutputsOf(procedure):
            return f"the outputs of {procedure}"
        case ChartOf():
            return "a chart"
        case Maybe(of):
            return describe(of) + " or none"
        case Either(number, word):
            return f"{describe(number)} or {describe(word)}"
        case Nothing():
            return "none"
        case Unknown():
            return "unknown"


def with_article(type_: Type) -> str:
    """Describe a value of a type, for the middle of a sentence.

    Examples:
        >>> with_article(ListOf(Num(1, None))), with_article(Num(1, None))
        ('a list of 1..', '1..')
    """
    text = describe(type_)
    return f"a {text}" if text.startswith(("list of ", "set of ", "map of ", "number ")) else text


def _describe_number(num: Num) -> str:
    if num.low is None and num.high is None:
        return "a whole number" if num.whole else "a number"
    low = "" if num.low is None else str(num.low)
    high = "" if num.high is None else str(num.high)
    span = low if low == high else f"{low}..{high}"
    return span if num.whole else f"number {span}"


def type_of(value: Any) -> Type:
    """The narrowest type of a constant; ``Unknown`` for other values and for lists of mixed types.

    Examples:
        >>> type_of((1, 4))
        ListOf(of=Num(low=1, high=4, whole=True), least=2)
    """
    if isinstance(value, bool):
        return Bool()
    if isinstance(value, (int, Fraction)):
        return Num(value, value, type(value) is int)
    if isinstance(value, str):
        return Word((value,))
    if isinstance(value, tuple):
        return ListOf(_type_of_each(value), len(value))
    if isinstance(value, Ref):
        return RecordOf(value.record)
    if isinstance(value, ChartRef):
        return ChartOf((value.name,))
    return Nothing() if value is None else Unknown()


def _type_of_each(values: tuple[Any, ...]) -> Type:
    types = [type_of(value) for value in values]
    numbers = [each for each in values if isinstance(each, (int, Fraction)) and not isinstance(each, bool)]
    if numbers and len(numbers) == len(values):
        return Num(min(numbers), max(numbers), all(type(each) is int for each in numbers))
    if values and all(isinstance(each, str) for each in values):
        return Word(tuple(dict.fromkeys(values)))
    return types[0] if len(set(types)) == 1 else Unknown()


def belongs(type_: Type, value: Any) -> bool:
    """Whether a value belongs to a type: ``has`` as a function, which an engine with values of its own replaces."""
    return type_.has(value)


def misfit_text(name: str, key: str, type_: Type, value: Any) -> str:
    """Say why a field can't become a value: the value, or the first wrong entry of a map, and what is allowed.

    Args:
        name: The name of the field.
        key: The key of the record.
        type_: The type of the field.
        value: The value, which does not belong to the type.
    """
    if isinstance(type_, MapOf) and isinstance(value, Mapping):
        for word in type_.entries:
            if word not in value:
                return f"{name} of {key} would have no entry for {word}"
            if not type_.value.has(value[word]):
                return misfit_text(f"{word} in {name}", key, type_.value, value[word])
    return f"{name} of {key} would become {value}, but must be {type_.allowed}"
