"""Relations between types: assignability, comparability, and the least upper bound (join) of two types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve

from enfilade.check.context import Context
from enfilade.core import ir
from enfilade.source.text import SourceFile, Span
from enfilade.values import intervals
from enfilade.values.types import (
    Bool,
    CodeOf,
    Either,
    Label,
    ListOf,
    MapOf,
    Maybe,
    Nothing,
    Num,
    OutputsOf,
    ReadingOf,
    RecordOf,
    RollOf,
    Type,
    Unknown,
    Word,
    WordSet,
    with_article,
)


def is_known(type_: Type) -> bool:
    """Whether a type is known: no part of it is ``Unknown`` because of a mistake already reported.

    The type of the empty list is known: its elements may have any type."""
    match type_:
        case Unknown():
            return False
        case Maybe(of) | RollOf(of):
            return is_known(of)
        case MapOf(key, value):
            return is_known(key) and is_known(value)
        case ReadingOf(_, code):
            return is_known(code)
    return True


def is_pending(type_: Type) -> bool:
    """Whether a later check of a recursive procedure finds a type: it adds nothing to a join."""
    return isinstance(type_, Unknown) and type_.is_pending


def list_of(type_: Type, least: int = 0) -> Type:
    """The type of a list; ``Unknown`` if the type of its elements is unknown."""
    return ListOf(type_, least) if is_known(type_) else Unknown()


def is_list_of(type_: Type, record: str) -> bool:
    """Whether a type is a list of the given kind of record."""
    return isinstance(type_, ListOf) and type_.of == RecordOf(record)


def unclear_list_text(record: str, lists: Sequence[str]) -> str:
    """What is wrong if a step or an example needs the only list of a kind of record."""
    if not lists:
        return f"no fact of this game is a list of {record}"
    return f"it is unclear which list of {record} is meant: {len(lists)} facts match"


def record_in(type_: Type) -> str | None:
    """The record type of a value, or of the elements of nested lists."""
    while isinstance(type_, ListOf):
        type_ = type_.of
    return type_.record if isinstance(type_, RecordOf) else None


def has_unknown(facts: Mapping[str, ir.Input]) -> bool:
    """Whether any fact has an unknown type because of a mistake already reported."""
    return not all(is_known(fact.type) for fact in facts.values())


def common_type(ctx: Context, a: Type, b: Type, span: Span) -> Type:
    """The join of two types; reports a type error if there is none."""
    if is_pending(a) or is_pending(b):
        return b if is_pending(a) else a
    if not is_known(a) or not is_known(b):
        return Unknown()
    if a == b:
        return a
    match a, b:
        case (ListOf(Unknown()), ListOf()) | (ListOf(), ListOf(Unknown())):
            # The elements of the empty list may have any type.
            of = b.of if isinstance(a.of, Unknown) else a.of
            # Other words may be put into it later.
            of = evolve(of, open=True) if isinstance(of, Word) else of
            return ListOf(of, min(a.least, b.least))
        case Num(), Num():
            return intervals.join(a, b)
        case Word(), Word():
            return _common_words(a, b)
        case CodeOf(), CodeOf():
            return CodeOf(tuple(dict.fromkeys(a.codes + b.codes)), a.order or b.order)
        case RecordOf(x), RecordOf(y) if x == y:
            return RecordOf(x, a.optional or b.optional)
        case (RecordOf(x), Nothing()) | (Nothing(), RecordOf(x)):
            return RecordOf(x, True)
        case (Num() | Bool() | Word() | CodeOf() as of, Nothing()) | (
            Nothing(),
            Num() | Bool() | Word() | CodeOf() as of,
        ):
            return Maybe(of)
        case (Maybe(), Nothing()):
            return a
        case (Nothing(), Maybe()):
            return b
        case (Maybe(), _) | (_, Maybe()):
            both = common_type(ctx, without_none(a), without_none(b), span)
            return Maybe(both) if is_known(both) else both
        case (Word(), CodeOf()) | (CodeOf(), Word()):
            words, codes = (a, b) if isinstance(a, Word) else (b, a)
            assert isinstance(words, Word)
            assert isinstance(codes, CodeOf)
            return CodeOf(tuple(dict.fromkeys(codes.codes + words.words)), codes.order)
        case ReadingOf(), ReadingOf() if a.reader == b.reader:
            code = common_type(ctx, a.code, b.code, span)
            return read_on_one_of(ctx, (*a.charts, *b.charts), code, a.reader) if is_known(code) else code
        case RollOf(), RollOf():
            return _common_roll(ctx, a, b, span)
        case OutputsOf(x), OutputsOf(y) if x == y:
            return OutputsOf(x, "sometimes")
        case MapOf(key, x), MapOf(other, y) if key == other:
            value = common_type(ctx, x, y, span)
            return MapOf(key, value) if is_known(value) else value
        case ListOf(x), ListOf(y):
            return ListOf(common_type(ctx, x, y, span), min(a.least, b.least))
    ctx.report("type", f"these values have different types: {with_article(a)}, and {with_article(b)}", span)
    return Unknown()


def read_on_one_of(ctx: Context, charts: Sequence[str], code: Type, reader: str | None, name: str = "") -> ReadingOf:
    """A reading of one of several charts. If all share one block of results, it is applied under the name of the first.

    Args:
        ctx: The context.
        charts: The charts.
        code: What their codes have in common.
        reader: The record that reads.
        name: Stands for the charts if they share no results.
    """
    among = tuple(dict.fromkeys(charts))
    shared = {(results := ctx.symbols.results.get(chart)) and results.span for chart in among}
    is_shared = len(shared) == 1 and None not in shared
    return ReadingOf(among[0] if is_shared or len(among) == 1 else name or " or ".join(among), code, reader, among)


def _common_words(a: Word, b: Word) -> Word:
    """A declared list of words that has all words of the other; otherwise a list of the words of both."""
    for one, other in ((a, b), (b, a)):
        if not one.open and set(other.words) <= set(one.words):
            return one
    words = tuple(dict.fromkeys(a.words + b.words))
    order = next((order for order in (a.order, b.order) if set(words) <= set(order)), ())
    return Word(words, open=True, order=order)


def _common_roll(ctx: Context, a: RollOf, b: RollOf, span: Span) -> Type:
    high = None if a.high is None or b.high is None else max(a.high, b.high)
    total = None if a.total is None or b.total is None else intervals.join(a.total, b.total)
    return RollOf(common_type(ctx, a.value, b.value, span), min(a.low, b.low), high, total)


def without_ranges(type_: Type) -> Type:
    """Widening: a type whose numbers have no known range, and whose lists no known length."""
    match type_:
        case Num():
            return Num(None, None, type_.whole)
        case Maybe(of):
            return Maybe(without_ranges(of))
        case ListOf(of):
            return ListOf(without_ranges(of))
        case MapOf(key, value):
            return MapOf(key, without_ranges(value))
    return type_


def widened(before: Type, after: Type) -> Type:
    """Widening: a type that became wider, without those of its bounds that changed, since they may go on to change."""
    match before, after:
        case Num(), Num():
            return intervals.widened(before, after)
        case Maybe(a), Maybe(b):
            return Maybe(widened(a, b))
        case _, Maybe(b):
            return Maybe(widened(before, b))
        case ListOf(a, least), ListOf(b, other):
            return ListOf(widened(a, b), other if other >= least else 0)
        case MapOf(_, a), MapOf(key, b):
            return MapOf(key, widened(a, b))
        case Either(number), Either(other_number, word):
            return Either(intervals.widened(number, other_number), word)
        case Num(), Either(number, word):
            return Either(intervals.widened(before, number), word)
    return after


def without_none(type_: Type) -> Type:
    """A type without ``or none``."""
    return type_.of if isinstance(type_, Maybe) else type_


def or_none(type_: Type) -> Type:
    """A type with ``or none``."""
    match type_:
        case RecordOf(record):
            return RecordOf(record, True)
        case Maybe() | Label() | Nothing() | Unknown():
            return type_
    return Maybe(type_)


def is_assignable(got: Type, wanted: Type) -> bool:
    """Whether a value of type *got* may be used as a *wanted*; ranges of numbers are tested at run time."""
    match got, wanted:
        case _ if not is_known(got) or not is_known(wanted):
            return True
        case Num(), Num():
            return got.whole or not wanted.whole
        case Word(), Word():
            return bool(set(got.words) & set(wanted.words))
        case RecordOf(a), RecordOf(b):
            return a == b
        case ListOf(Word() as a), WordSet(b):
            return set(a.words) <= set(b)
        case MapOf(a, x), MapOf(b, y):
            return is_assignable(a, b) and is_assignable(x, y)
        case ListOf(a), ListOf(b):
            # The empty list is assignable to every list.
            return is_assignable(a, b)
        case CodeOf(), CodeOf():
            return True
    if isinstance(wanted, Maybe):
        return isinstance(got, Nothing) or is_assignable(got.of if isinstance(got, Maybe) else got, wanted.of)
    if isinstance(wanted, RecordOf) and wanted.optional:
        return isinstance(got, Nothing)
    return type(got) is type(wanted)


def is_comparable(a: Type, b: Type) -> bool:
    """Whether values of two types can be equal."""
    match a, b:
        case _ if not is_known(a) or not is_known(b):
            return True
        case (RecordOf(optional=True) | Label(), Nothing()) | (Nothing(), RecordOf(optional=True) | Label()):
            return True
        case (Label(), CodeOf() | Word()) | (CodeOf() | Word(), Label()):
            return True
        case Word(), Word():
            return bool(set(a.words) & set(b.words))
        case RecordOf(x), RecordOf(y):
            return x == y
        case (CodeOf(), CodeOf()) | (Num(), Num()) | (Bool(), Bool()) | (ListOf(), ListOf()) | (Label(), Label()):
            return True
    return False


def common_output(ctx: Context, a: Type, b: Type) -> Type | None:
    """The join of the types of an output, which may be a number on some ways and a word on others."""
    both = find_common_type(ctx, a, b)
    if both is not None:
        return both
    numbers = [part for type_ in (a, b) for part in _parts(type_) if isinstance(part, Num)]
    words = [part for type_ in (a, b) for part in _parts(type_) if isinstance(part, (Word, CodeOf))]
    number, word = _join_all(ctx, numbers), _join_all(ctx, words)
    if not isinstance(number, Num) or not isinstance(word, (Word, CodeOf)):
        return None
    either = Either(number, word)
    return Maybe(either) if Maybe in (type(a), type(b)) else either


def _parts(type_: Type) -> tuple[Type, ...]:
    type_ = without_none(type_)
    return (type_.number, type_.word) if isinstance(type_, Either) else (type_,)


def _join_all(ctx: Context, types: Sequence[Type]) -> Type | None:
    joined: Type | None = types[0] if types else None
    for type_ in types[1:]:
        joined = None if joined is None else find_common_type(ctx, joined, type_)
    return joined


def find_common_type(ctx: Context, a: Type, b: Type) -> Type | None:
    """The join of two types, or ``None`` if there is none."""
    with ctx.silently():
        type_ = common_type(ctx, a, b, Span(SourceFile("<none>", ""), 0, 0))
        return None if ctx.diagnostics else type_
