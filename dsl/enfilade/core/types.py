"""The types of values: what a fact may be, and what an expression gives.

Numbers carry the range that they can have, so that the checker knows which edges of a chart can be reached.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from attrs import field

from enfilade.node import node

Bound: TypeAlias = int | Fraction | None


@node
class Num:
    """A number from *low* to *high*, both included; no bound is ``None``."""

    low: Bound = None
    high: Bound = None
    whole: bool = True


@node
class Bool:
    """Yes or no."""


@node
class Word:
    """One of some words, in the order of their declaration."""

    words: tuple[str, ...]
    name: str | None = field(default=None, eq=False)


@node
class WordSet:
    """Any of some words."""

    words: tuple[str, ...]
    name: str | None = field(default=None, eq=False)


@node
class CodeOf:
    """A result code of a chart; ``order`` is its severity, mild to severe."""

    codes: tuple[str, ...]
    order: tuple[str, ...] = ()


@node
class Label:
    """A printed label, such as that of the column that was read."""

    optional: bool = True


@node
class ListOf:
    """A list; ``least`` is how many items it has at least."""

    of: Type
    least: int = 0


@node
class RecordOf:
    """A record by its key."""

    record: str
    optional: bool = False


@node
class RollOf:
    """What dice showed: numbers within the bounds of a die, or symbols.

    ``low`` and ``high`` are how many dice; ``total`` is the range of their sum, where they show numbers.
    """

    value: Type
    low: int
    high: int | None
    total: Num | None = None


@node
class ReadingOf:
    """What was read on a chart, by nobody or by a record."""

    chart: str
    code: Type
    reader: str | None = None
    among: tuple[str, ...] = field(default=(), eq=False)

    @property
    def charts(self) -> tuple[str, ...]:
        """The charts that it may have been read on: the one, or those that a cell of another may name."""
        return self.among or (self.chart,)


@node
class TallyOf:
    """What a block of modifiers came to; ``names`` are those of its modifiers."""

    total: Num
    names: tuple[str, ...] = field(default=(), eq=False)


@node
class MapOf:
    """From each key to a value."""

    key: Type
    value: Type


@node
class EffectOf:
    """An effect that was performed."""

    effect: str


@node
class OutputsOf:
    """The outputs of a procedure that was called."""

    procedure: str


@node
class ChartOf:
    """A chart, as a cell of another."""

    charts: tuple[str, ...]


@node
class Maybe:
    """A value, or ``none``: a number that may be absent, a choice that may find nothing to choose."""

    of: Type


@node
class Nothing:
    """``none``."""


@node
class Unknown:
    """The type of what was already reported: it causes no further message."""


Type: TypeAlias = (
    Num | Bool | Word | WordSet | CodeOf | Label | ListOf | RecordOf | RollOf | ReadingOf | TallyOf | MapOf
    | EffectOf | OutputsOf | ChartOf | Maybe | Nothing | Unknown
)  # fmt: skip


def describe(type_: Type) -> str:
    """What an author calls a type.

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
            return "one of " + ", ".join(words)
        case WordSet(words):
            return "set of " + ", ".join(words)
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
            return f"map of {describe(key)} to {describe(value)}"
        case EffectOf(effect):
            return f"an effect {effect}"
        case OutputsOf(procedure):
            return f"the outputs of {procedure}"
        case ChartOf():
            return "a chart"
        case Maybe(of):
            return describe(of) + " or none"
        case Nothing():
            return "none"
        case Unknown():
            return "unknown"


def _describe_number(num: Num) -> str:
    if num.low is None and num.high is None:
        return "a whole number" if num.whole else "a number"
    low = "" if num.low is None else str(num.low)
    high = "" if num.high is None else str(num.high)
    span = low if low == high else f"{low}..{high}"
    return span if num.whole else f"number {span}"
