"""The types of facts and expressions.

A numeric type carries an interval, which tells the checker which edges of a chart can be reached.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from attrs import field

from enfilade.node import node

Bound: TypeAlias = int | Fraction | None


@node
class Num:
    """A number from *low* to *high*, both included; ``None`` means no bound."""

    low: Bound = None
    high: Bound = None
    whole: bool = True


@node
class Bool:
    """Yes or no."""


@node
class Word:
    """One word of an enumeration; *words* are in the order of declaration.

    ``order`` is the order in which words of a list can be compared, low to high; empty if they can't.
    ``open`` says that the words are those met so far: no declaration lists them, and others may join them.
    """

    words: tuple[str, ...]
    name: str | None = field(default=None, eq=False)
    open: bool = field(default=False, eq=False)
    order: tuple[str, ...] = field(default=(), eq=False)


@node
class WordSet:
    """A set of words of an enumeration."""

    words: tuple[str, ...]
    name: str | None = field(default=None, eq=False)


@node
class CodeOf:
    """A result code of a chart; ``order`` is the severity order, from mild to severe."""

    codes: tuple[str, ...]
    order: tuple[str, ...] = ()


@node
class Label:
    """A printed label, such as the label of a column."""

    optional: bool = True


@node
class ListOf:
    """A list; ``least`` is the minimum number of items."""

    of: Type
    least: int = 0


@node
class RecordOf:
    """A reference to a record."""

    record: str
    optional: bool = False


@node
class RollOf:
    """A roll of dice; *value* is the type of a single die, numbers or symbols.

    ``low`` and ``high`` bound the number of dice; ``total`` is the range of their sum, if they show numbers.
    """

    value: Type
    low: int
    high: int | None
    total: Num | None = None


@node
class ReadingOf:
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
class TallyOf:
    """The sum of a block of modifiers; ``names`` are the modifiers of the block."""

    total: Num
    names: tuple[str, ...] = field(default=(), eq=False)


@node
class MapOf:
    """A map from keys to values. In a fact or a field the keys are all words of a list of words."""

    key: Type
    value: Type


@node
class EffectOf:
    """An effect that was performed."""

    effect: str


@node
class OutputsOf:
    """The outputs of a called procedure; after a refusal that the caller handled, there are none."""

    procedure: str
    handles_refusal: bool = field(default=False, eq=False)


@node
class ChartOf:
    """A reference to a chart, as the cell of another chart."""

    charts: tuple[str, ...]


@node
class Maybe:
    """A value or ``none``: a number that may be absent, or a choice that may have no options."""

    of: Type


@node
class Either:
    """A number on some ways and a word or a code on others: an output that is given in both forms."""

    number: Num
    word: Word | CodeOf


@node
class Nothing:
    """``none``."""


@node
class Unknown:
    """The type of an expression with an error that is already reported: it causes no further message."""


Type: TypeAlias = (
    Num | Bool | Word | WordSet | CodeOf | Label | ListOf | RecordOf | RollOf | ReadingOf | TallyOf | MapOf
    | EffectOf | OutputsOf | ChartOf | Maybe | Either | Nothing | Unknown
)  # fmt: skip


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
