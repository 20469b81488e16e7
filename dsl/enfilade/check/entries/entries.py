"""All readings of an entry: which facts its words can be, with or without their names and commas.

A chart parser: from each place, each item that can begin there leads to the place behind it, together with the facts
given so far. An item is a fact's name and its value, a value and what is counted (``3 hexes``), or a value alone. What
reaches the end is a reading. Nothing is dropped: a word that no item takes ends a reading.

A reading gives way to a better one (``Chart._is_better``). If one is left, it is the meaning; if several are left, the
entry is ambiguous.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import Final, NoReturn

from attrs import evolve, frozen

from enfilade.check.entries.entry_names import (
    LINKS,
    VERSUS,
    WITHIN_NAMES,
    Names,
    Phrase,
    Phrases,
    is_comma,
    is_list_of_records,
    is_listed,
    is_yes_no,
    phrase_of,
    span_of,
    text_of,
    unknown_name,
)
from enfilade.check.types.type_relations import record_in
from enfilade.diagnostics.suggest import MIN_BEGINNING, nearest
from enfilade.errors import AmbiguousEntry, EntryError, LimitError
from enfilade.limits import check_time
from enfilade.source.text import Span
from enfilade.syntax import tree as t
from enfilade.syntax.unparse import unparse
from enfilade.values.data import exact
from enfilade.values.numbers import Unfit
from enfilade.values.types import Bool, ListOf, MapOf, Maybe, Num, RecordOf, Type, WordSet

NOT: Final = frozenset({"not", "no", "without"})
_YES_NO: Final = {
    "yes": "yes", "y": "yes", "true": "yes", "on": "yes", "no": "no", "n": "no", "false": "no", "off": "no",
}  # fmt: skip
_DECIMAL_COMMA: Final = re.compile(r"\d{1,9},\d{1,9}")
_SUM: Final = re.compile(r"\d{1,9}(?:\+\d{1,9})+")
_MOST_PATHS: Final = 9
_MOST_SHOWN: Final = 80
_MOST_WAYS: Final = 4
_MOST_WORK: Final = 200_000
NO: Final = t.Value("constant", "no", (), ())

Make = Callable[[], "t.Value | None"]


@frozen
class _Unnamed:
    """A value without a name.

    Attributes:
        at: Its place.
        fact: The fact that takes it.
        is_first: Whether the fact must be given.
        is_part: Whether a part of the name of a yes/no fact stands there: `cover` for `target_cover`.
        is_listed: Whether it is one of a list, which another number or a noun names.
    """

    at: int
    fact: str
    is_first: bool
    is_part: bool = False
    is_listed: bool = False


_NAMED: Final = frozenset[_Unnamed]()


@frozen
class _Typed:
    """A value that begins at some place.

    Attributes:
        end: The place behind it.
        unnamed: Its fields that are given without their names.
        make: Makes the value.
    """

    end: int
    unnamed: frozenset[_Unnamed]
    make: Make


@frozen
class _Item:
    """One or more facts at some place; ``part_of_name`` is the place behind a part of the name of one."""

    facts: tuple[str, ...]
    start: int
    end: int
    unnamed: frozenset[_Unnamed]
    make: Callable[[], tuple[t.GivenItem, ...]]
    part_of_name: int | None = None


@frozen
class _Path:
    """A way to a place: the items so far, the last first."""

    unnamed: frozenset[_Unnamed]
    item: _Item | None = None
    before: _Path | None = None

    def items(self) -> list[_Item]:
        """The items, the last first."""
        found: list[_Item] = []
        path: _Path | None = self
        while path is not None and path.item is not None:
            found.append(path.item)
            path = path.before
        return found

    def made(self) -> list[t.GivenItem]:
        """A value for each fact."""
        return _joined(each for item in reversed(self.items()) for each in item.make())


_States = dict[frozenset[str], list[_Path]]


@frozen
class _Listed:
    """The elements of a list up to some place, the last first."""

    unnamed: frozenset[_Unnamed]
    element: _Typed | None = None
    before: _Listed | None = None

    def made(self) -> t.Value:
        values: list[t.Value] = []
        listed: _Listed | None = self
        while listed is not None and listed.element is not None:
            value = listed.element.make()
            values += [value] if value is not None else []
            listed = listed.before
        return t.Value("list", None, tuple(reversed(values)), ())


def group_facts(parts: Sequence[t.EntryPart], names: Names) -> list[t.GivenItem]:
    """Group the parts of an entry into facts, or into the fields of a record.

    Args:
        parts: The entry.
        names: The names that it may use.

    Returns:
        An item for each fact, in the order of the entry. Records that are given one by one for the same list are joined
        in one item.

    Raises:
        EntryError: The entry has no reading.
        AmbiguousEntry: It has several.
    """
    chart = Chart(parts, names)
    states = chart.reached().get(len(parts), {})
    if states and chart.passed_over and names.first:
        # Numbers alone may be dice, so a list of numbers doesn't take them; but nothing else takes them unasked, either.
        wider = Chart(parts, names, takes_lists=True)
        wider.meaning(wider.reached().get(len(parts), {}))
    return chart.meaning(states)


class Chart:
    """The readings of the parts of an entry, or of a group in brackets.

    Attributes:
        fault: The place where every reading ends, and the error that says so.
        passed_over: Whether some number alone could be one of a list of numbers.
    """

    def __init__(self, parts: Sequence[t.EntryPart], names: Names, *, takes_lists: bool = False) -> None:
        self.parts, self.names = parts, names
        self.takes_lists = takes_lists
        self.passed_over = False
        self.fault: tuple[int, EntryError] | None = None
        self._values: dict[tuple[Type, int, str], list[_Typed]] = {}
        self._records: dict[str, Chart] = {}
        self._work = 0

    # -- readings -----------------------------------------------------------------------------------------------

    def reached(self, start: int = 0, *, is_record: bool = False) -> dict[int, _States]:
        """The states at each place that items lead to. The fields of a record without brackets end at a comma."""
        table: dict[int, _States] = {start: {frozenset(): [_Path(_NAMED)]}}
        for at in range(start, len(self.parts)):
            states = table.get(at)
            if states is None:
                continue
            if self._is_between(at) and not (is_record and (is_comma(self.parts[at]) or at == start)):
                self._join(table, at + 1, states)
            if not is_comma(self.parts[at]):
                self._go_on(table, at, states)
        return table

    def _is_between(self, at: int) -> bool:
        return is_comma(self.parts[at]) or (at > 0 and text_of(self.parts[at]).casefold() == "and")

    def _go_on(self, table: dict[int, _States], at: int, states: _States) -> None:
        items = list(self._items_at(at, frozenset.intersection(*states)))
        # What stands behind `vs` is another side than what stands before it.
        is_other_side = self._follows(at, *VERSUS)
        for given, paths in states.items():
            goes_on = False
            for item in items:
                if any(
                    fact in given and (is_other_side or not is_list_of_records(self.names.types[fact]))
                    for fact in item.facts
                ):
                    continue
                goes_on = True
                longer = [_Path(path.unnamed | item.unnamed, item, path) for path in paths]
                self._join(table, item.end, {given | frozenset(item.facts): longer})
            if not goes_on and not self._is_between(at):
                self._is_stuck(at, given)

    def _join(self, table: dict[int, _States], at: int, states: _States) -> None:
        self._work += len(states)
        check_time()
        if self._work > _MOST_WORK:
            message = "this entry can be read in too many ways; write the names, and commas between the facts"
            raise LimitError("steps", message)
        into = table.setdefault(at, {})
        for given, paths in states.items():
            both = [*into.get(given, ()), *paths]
            left = (
                both
                if len(both) == 1
                else [each for each in both if not any(other.unnamed < each.unnamed for other in both)]
            )
            into[given] = left[:_MOST_PATHS]

    def meaning(self, states: _States) -> list[t.GivenItem]:
        """The only reading among some that reach the same place."""
        if not states:
            self.fail()
        found: dict[frozenset[str], list[t.GivenItem]] = {}
        best = self._best(states)
        for path in best:
            items = path.made()
            found.setdefault(frozenset(map(unparse, items)), items)
        readings = list(found.values())
        if len(readings) > 1:
            self._raise_ambiguous(readings)
        if all(map(self._is_in_doubt, best)):
            meant = ", ".join(map(unparse, readings[0]))
            raise AmbiguousEntry(f"`{span_of(self.parts).text}` names a fact in part", f"write {meant}", (meant,))
        return readings[0]

    def _is_in_doubt(self, path: _Path) -> bool:
        """Whether a reading may not be meant, though it is the only one, as a part of a name stands for a fact.

        `light` is said of more than `russian_light`, and `range 2` may be the distance that must be given rather than a
        `max_range`.
        """
        given = {fact for item in path.items() for fact in item.facts}
        open_ = [fact for fact in self.names.first if fact not in given]
        return any(each.is_part for each in path.unnamed) or any(
            item.part_of_name is not None and not given.issuperset(self.names.first) and self._fits(open_, item)
            for item in path.items()
        )

    def _fits(self, facts: Iterable[str], item: _Item) -> bool:
        """Whether what is given with a part of the name of a fact that may be left out is a value of another fact."""
        at = item.part_of_name
        if at is None or item.facts[0] in self.names.first:
            return False
        return any(self.values(self.names.types[fact], at, "") for fact in facts)

    def _best(self, states: _States) -> list[_Path]:
        ranked = [(given, path) for given, paths in states.items() for path in paths]
        return [path for given, path in ranked if not any(self._is_better(*other, given, path) for other in ranked)]

    def _is_better(self, given: frozenset[str], path: _Path, than_given: frozenset[str], than: _Path) -> bool:
        """Whether a reading is preferred to another.

        It gives all the required facts that the other gives, and leaves out the names of no more values; the same value
        may go to a fact that must be given, and which the other does not give. A name in part is no worse than another.
        """
        first, others = frozenset(self.names.first), {each.at: each for each in than.unnamed}
        more = path.unnamed - than.unnamed
        if all(each.is_part for each in path.unnamed ^ than.unnamed) or not given & first >= than_given & first:
            return False
        return all(
            (other := others.get(each.at)) is not None
            and not other.is_listed
            and each.is_first > other.is_first
            and each.fact not in than_given
            for each in more
        )

    def _raise_ambiguous(self, readings: list[list[t.GivenItem]]) -> NoReturn:
        texts = [[unparse(each) for each in items] for items in readings]
        common = set(texts[0]).intersection(*texts[1:])
        differing = [each for items in readings for each in items if unparse(each) not in common]
        start = min(each.span.start for each in differing)
        end = max(each.span.end for each in differing)
        source = differing[0].span.source.text
        ways = [", ".join(text for text in each if text not in common) for each in texts]
        raise_ambiguous(source[start:end], ways, [", ".join(each) for each in texts])

    # -- what ends a reading -------------------------------------------------------------------------------------

    def note(self, at: int, message: str, hint: str = "") -> None:
        """Keep a fault, if no reading came further."""
        if self.fault is None or at > self.fault[0]:
            place = self.parts[min(at, len(self.parts) - 1)].span if self.parts else None
            self.fault = (at, EntryError(message, hint, place))

    def fail(self) -> NoReturn:
        """Raise the error of the place where every reading ends."""
        if self.fault is not None:
            raise self.fault[1]
        raise EntryError(f"`{span_of(self.parts).text}` can't be read", span=span_of(self.parts))

    def _is_stuck(self, at: int, given: frozenset[str]) -> None:
        if self.fault is not None and at <= self.fault[0]:
            return
        while at + 1 < len(self.parts) and self._is_link(at):
            at += 1
        part, names = self.parts[at], self.names
        text = part.span.text
        again = [fact for fact, _ in self._phrases(names.named, at) if fact in given]
        if again:
            self.note(at, f"{again[0]} has two values")
        elif self._follows(at, *NOT) and (denied := [fact for fact, type_ in names.types.items() if is_yes_no(type_)]):
            self.note(at, f"`{text}` stands only before what is yes or no", f"for example, `{text} {denied[0]}`")
        elif isinstance(part, t.Group):
            self.note(at, f"`{text}` belongs to no name", "brackets stand behind the name of a record or a list")
        elif (kind := names.pieces.get(text)) is not None and kind not in map(record_in, names.types.values()):
            self.note(at, f"{text} is a {kind}, and no fact here is a {kind}")
        elif (kinds := self._wanted_piece(at)) is not None:
            hint = f"type `{kinds} {text}: ...` first, or quote the name of a new {kinds}"
            self.note(at, f"there is no piece {text}", hint)
        else:
            try:
                self._raise_unknown(part, text)
            except EntryError as wrong:
                self.fault = (at, wrong)

    def _wanted_piece(self, at: int) -> str | None:
        """The kind of record that a word after ``vs`` must be, if it is not known."""
        kinds = {kind for type_ in self.names.types.values() if (kind := record_in(type_)) is not None}
        is_word = isinstance(self.parts[at], t.Value) and text_of(self.parts[at])[:1].isalpha()
        if len(kinds) != 1 or not is_word or at == 0 or text_of(self.parts[at - 1]).casefold() not in VERSUS:
            return None
        return next(iter(kinds))

    def _raise_unknown(self, part: t.EntryPart, text: str) -> NoReturn:
        """Report a part that is neither a fact nor a value, and suggest the nearest of either."""
        names = self.names
        words = {*names.all_words(), *names.pieces}
        facts = [fact for fact in names.types if fact not in names.last]
        close = nearest(text, names.types) or nearest(text, words)
        if close is None:
            known = (names.counted, names.in_part)
            alike = [*dict.fromkeys(name for each in known for name in each.meanings.get(phrase_of(text), ()))]
            begins = text.casefold() if len(text) >= MIN_BEGINNING else " "
            alike = alike or [fact for fact in facts if any(word.startswith(begins) for word in phrase_of(fact))]
            close = " or ".join(alike[:3]) or None
        if close is not None and ("." in close or "." not in text):
            raise EntryError(f"{names.there_is_no} {text}", f"did you mean {close}?", part.span)
        unknown_name(text, facts, names.there_is_no, part.span)

    # -- words --------------------------------------------------------------------------------------------------

    def _phrases(self, known: Phrases, at: int) -> Iterator[tuple[str, int]]:
        """The names that some parts can stand for, each with the place behind it."""
        phrase: Phrase = ()
        for end in range(at, len(self.parts)):
            text = text_of(self.parts[end])
            phrase = (*phrase, *phrase_of(text))
            if not text or len(phrase) > known.longest:
                return
            yield from ((name, end + 1) for name in known.meanings.get(phrase, ()))

    def _follows(self, at: int, *texts: str) -> bool:
        part = self.parts[at] if at < len(self.parts) else None
        return (part.text if isinstance(part, t.Mark) else text_of(part).casefold()) in texts

    def _is_link(self, at: int) -> bool:
        """Whether a part only links what stands around it: `a`, but not a piece called A."""
        return self._follows(at, *LINKS) and self.parts[at].span.text not in self.names.pieces

    def counts(self, fact: str, at: int) -> int:
        """The place behind what a value of a fact counts, if that stands there."""
        named = list(self._phrases(self.names.named, at))
        others = {end for name, end in named if (fact, end) not in named}
        ends = [end for name, end in self._phrases(self.names.counted, at) if name == fact and end not in others]
        end = max(ends, default=at)
        return at if (fact, end) in named and self._belongs_to_next(fact, at, end) else end

    def _belongs_to_next(self, fact: str, at: int, end: int) -> bool:
        """Whether a name between two numbers is the name of the second: `4 distance 2`, but not `4 stands 2` or `1 hex 2`."""
        between = are_number(self.parts[at - 1 : at]) and are_number(self.parts[end : end + 1])
        is_one = self.parts[at - 1].span.text == "1" and fact.endswith("s")
        return between and not is_one and not text_of(self.parts[end - 1]).endswith("s")

    # -- items --------------------------------------------------------------------------------------------------

    def _items_at(self, at: int, given: frozenset[str]) -> Iterable[_Item]:
        """The items at a place, behind words that link. What is given already is not tried again."""
        while True:
            found = [
                item
                for item in self._items_from(at, given)
                if not any(fact in given and not is_list_of_records(self.names.types[fact]) for fact in item.facts)
            ]
            yield from found
            if not self._is_link(at) or at + 1 >= len(self.parts) or is_comma(self.parts[at + 1]):
                return
            if self.names.refers and self._follows(at, *VERSUS):
                return
            at += 1

    def _items_from(self, at: int, given: frozenset[str]) -> Iterator[_Item]:
        yield from self._negated(at)
        for fact, end, is_whole in self._named(at):
            yield from self._after_name(fact, at, end, is_whole=is_whole)
        if isinstance(self.parts[at], t.Value):
            yield from self._without_name(at, given)
            yield from self._sides(at)

    def _named(self, at: int) -> Iterator[tuple[str, int, bool]]:
        """The facts whose names stand at a place: the longest whole name, else words of names."""
        names = self.names
        whole = list(self._phrases(names.named, at))
        longest = max((end for _, end in whole), default=at)
        yield from ((fact, end, True) for fact, end in whole if end == longest)
        for fact, end in self._phrases(names.in_part, at):
            if end > longest and not isinstance(names.types[fact], Bool):
                yield fact, end, False
        yield from ((fact, end, False) for fact, end in self._phrases(names.affirmed, at) if end > longest)

    def behind_name(self, fact: str) -> list[int]:
        """The places behind the name of a fact at the beginning, where its value may begin."""
        ends = {end for name, end, _ in self._named(0) if name == fact and end < len(self.parts)}
        return sorted(end + self._follows(end, "=", ":", "is") for end in ends)

    def _negated(self, at: int) -> Iterator[_Item]:
        if self._follows(at, *NOT):
            behind = at + 1
            while self._follows(behind, "not", "the", "a", "an"):
                behind += 1
            for fact, end, is_whole in self._named(behind) if behind < len(self.parts) else ():
                if is_yes_no(self.names.types[fact]):
                    part = _NAMED if is_whole else frozenset({_Unnamed(at, fact, is_first=False, is_part=True)})
                    yield self._item(fact, at, end, part, lambda: NO)

    def _after_name(self, fact: str, at: int, end: int, *, is_whole: bool) -> Iterator[_Item]:
        type_ = self.names.types[fact]
        is_yes = isinstance(type_, Bool)
        part = frozenset({_Unnamed(at, fact, is_first=False, is_part=True)}) if is_yes and not is_whole else _NAMED
        if is_yes or (isinstance(type_, RecordOf) and is_whole and self._ends(end)):
            yield self._item(fact, at, end, part, lambda: None)
        starts = [end, end + 1] if self._follows(end, "=", ":", "is", "of") else [end]
        for start in starts:
            for each in self.values(type_, start, fact if is_whole and start == starts[-1] else ""):
                for behind in {each.end, self.counts(fact, each.end)}:
                    item = self._item(fact, at, behind, each.unnamed | part, each.make)
                    yield item if is_whole else evolve(item, part_of_name=start)

    def _ends(self, at: int) -> bool:
        return at >= len(self.parts) or is_comma(self.parts[at]) or self._follows(at, *VERSUS)

    def _without_name(self, at: int, given: frozenset[str]) -> Iterator[_Item]:
        """Values with what they count behind them, and values alone, which a fact that is preferred takes before others."""
        alone: list[_Item] = []
        counted: set[int] = set()
        for fact, type_ in self.names.types.items():
            is_given = fact in given and not is_list_of_records(type_)
            # A record in a field of another needs the name of the field: `loaded_on wagon`.
            refers = self.names.refers and isinstance(type_, RecordOf)
            if is_given or refers or is_yes_no(type_) or isinstance(type_, MapOf) or fact in self.names.last:
                continue
            for each in self.values(type_, at, ""):
                behind = self.counts(fact, each.end)
                if behind > each.end:
                    counted |= set() if any(self._phrases(self.names.named, each.end)) else {each.end}
                    # In `2, 18 hexes` the 2 may be of another fact.
                    others = self._listed_numbers(fact, at, each.end - 1)
                    yield self._item(fact, at, behind, each.unnamed | others, each.make)
                yield from self._counted_apart(fact, at, each, given)
                # Numbers alone may be dice: a list of numbers needs its name, what it counts, or `at` before a number.
                if isinstance(type_, ListOf) and are_number(self.parts[at : at + 1]) and not self._says_at:
                    self.passed_over = True
                    if not self.takes_lists:
                        continue
                is_first = fact in self.names.first and not self.names.is_change
                others = self._listed_numbers(fact, at + 1, each.end)
                unnamed = each.unnamed | others | {_Unnamed(at, fact, is_first)}
                alone.append(self._item(fact, at, each.end, unnamed, each.make))
        # What a number counts stands behind it: `1 company` is neither 1 of anything else nor yes to a company.
        yield from (each for each in alone if each.end not in counted)
        if not alone and not any(self._named(at)):
            yield from self._begun(at)

    def _listed_numbers(self, fact: str, start: int, end: int) -> frozenset[_Unnamed]:
        """The numbers of a list that no name or noun stands at."""
        places = range(start, end) if isinstance(self.names.types[fact], ListOf) else ()
        numbers = (place for place in places if are_number(self.parts[place : place + 1]))
        return frozenset(_Unnamed(place, fact, is_first=False, is_listed=True) for place in numbers)

    def _counted_apart(self, fact: str, at: int, value: _Typed, given: frozenset[str]) -> Iterator[_Item]:
        """A number and what it counts, with another fact between them: `8 French guns`, `6 class 1 guns`."""
        if not are_number(self.parts[at : at + 1]) or not isinstance(self.part_at(value.end), t.Value):
            return
        if are_number(self.parts[value.end : value.end + 1]):
            return
        for item in self._items_from(value.end, given):
            behind = self.counts(fact, item.end)
            if fact in item.facts or behind == item.end or are_number(self.parts[behind : behind + 1]):
                continue
            # `1 drill 3 experience` may give the 1 to the drill.
            if any(self.values(self.names.types[each], at, "") for each in item.facts):
                continue
            own = self._item(fact, at, behind, value.unnamed, value.make)
            yield _Item(
                (*item.facts, fact),
                at,
                behind,
                item.unnamed | value.unnamed,
                partial(_made_of, item, own),
                item.part_of_name,
            )

    def part_at(self, at: int) -> t.EntryPart | None:
        return self.parts[at] if at < len(self.parts) else None

    @cached_property
    def _says_at(self) -> bool:
        """Whether `at` stands before some number, which may then be one of a list."""
        places = range(len(self.parts))
        return any(self._follows(at, "at") and are_number(self.parts[at + 1 : at + 2]) for at in places)

    def _begun(self, at: int) -> Iterator[_Item]:
        """The only word that begins as a part does: ``max`` for ``maximum``."""
        text = text_of(self.parts[at]).casefold()
        if len(text) < MIN_BEGINNING or self.parts[at].span.text[:1] == '"':
            return
        begun = [
            (fact, word)
            for fact, type_ in self.names.types.items()
            for word in type_.words
            if word.casefold().startswith(text) and fact not in self.names.last
        ]
        if len({word for _, word in begun}) == 1:
            for fact, word in begun:
                make = partial(self._listed, fact, self._word(word, at, at + 1))
                behind = self.counts(fact, at + 1)
                unnamed = _NAMED if behind > at + 1 else frozenset({_Unnamed(at, fact, is_first=False)})
                yield self._item(fact, at, behind, unnamed, make)

    def _listed(self, fact: str, value: t.Value) -> t.Value:
        is_one = not is_listed(self.names.types[fact])
        return value if is_one else t.Value("list", None, (value,), (), value.span)

    def _sides(self, at: int) -> Iterator[_Item]:
        """``guard vs uhlans``: the first value for the first fact of its kind, the second for the second."""
        sides = self.names.sides()
        if len(sides) != 2 or not any(self._follows(place, *VERSUS) for place in range(at + 1, len(self.parts))):
            return
        first, second = sides
        for one in self.values(self.names.types[first], at, first):
            if not self._follows(one.end, *VERSUS):
                continue
            for other in self.values(self.names.types[second], one.end + 1, second):
                yield _Item(
                    (first, second),
                    at,
                    other.end,
                    one.unnamed | other.unnamed,
                    partial(self._both, first, at, one, second, other),
                )

    def _both(self, first: str, at: int, one: _Typed, second: str, other: _Typed) -> tuple[t.GivenItem, ...]:
        begins = self._item(first, at, one.end, _NAMED, one.make)
        return (*begins.make(), *self._item(second, one.end + 1, other.end, _NAMED, other.make).make())

    def _item(self, fact: str, at: int, end: int, unnamed: frozenset[_Unnamed], make: Make) -> _Item:
        place = span_of(self.parts[at:end])

        def made() -> tuple[t.GivenItem, ...]:
            return (t.GivenItem(t.Ident(fact, place), make(), place),)

        return _Item((fact,), at, end, unnamed, made)

    # -- values -------------------------------------------------------------------------------------------------

    def values(self, type_: Type, at: int, fact: str) -> list[_Typed]:
        """The values of a type that can begin at a place.

        Args:
            type_: The type.
            at: The place.
            fact: The fact whose name stands before the place; empty if none does. A word may then be abbreviated, and
                what is no value is reported.
        """
        key = (type_, at, fact)
        if key not in self._values:
            found = list(self._values_from(type_, at, fact)) if at < len(self.parts) else []
            self._values[key] = found
            if fact and not found and not is_yes_no(type_):
                self._note_missing(type_, at, fact)
        return self._values[key]

    def _note_missing(self, type_: Type, at: int, fact: str) -> None:
        number = self._number_before(fact, at)
        inner = type_.of if isinstance(type_, Maybe) else type_
        if number is not None and isinstance(inner, Num):
            if not inner.has(exact(number)):
                self.note(at, f"{fact} is {number}", f"allowed: {type_.allowed}")
            elif self._ends(at):
                self.note(at, f"{fact} needs a value", f"write `{fact} {number}`")
        if self._ends(at):
            self.note(at, f"{fact} needs a value", f"type {type_.allowed}")
            return
        text = self.parts[at].span.text
        kind = record_in(type_)
        if kind is not None and text == "none":
            self.note(at, f"{fact} can't be none", f"it is a {kind}")
        other = self.names.pieces.get(text_of(self.parts[at]))
        if kind is not None and other not in (None, kind):
            fields = ", ".join(f"{name} ..." for name in self.names.in_record(kind).first) or "its fields"
            hint = f"describe the {kind} here: NAME ({fields})"
            self.note(at, f"{text} is a {other}, and {fact} takes a {kind}", hint)
        elif kind is not None and any(map(str.isalpha, text)):
            required = [name for name, each in self.names.records[kind].fields.items() if not each.has_default]
            close = nearest(text, [name for name, each in self.names.pieces.items() if each == kind])
            if close is not None and not self._is_group(at + 1):
                hint = f"did you mean {close}? To add a new piece, type `{kind} {text}:` first"
                self.note(at, f"there is no piece {text}", hint)
            described = f"{text} ({(required or list(self.names.records[kind].fields) or ['field'])[0]} ...)"
            self.note(at, f"there is no piece {text}", f"describe it here, `{described}`, or put it on the table first")
        else:
            reason, helps = self._unfit(type_, text)
            self.note(at, f"{fact} {reason}", helps or f"allowed: {type_.allowed}")

    def _number_before(self, fact: str, at: int) -> int | Fraction | None:
        """The number before the name of a fact that ends at a place: `5 stands`."""
        for start in range(1, at):
            if (fact, at) in self._phrases(self.names.named, start) and are_number(self.parts[start - 1 : start]):
                scalar = getattr(self.parts[start - 1], "scalar", None)
                return scalar if isinstance(scalar, (int, Fraction)) else None
        return None

    def _unfit(self, type_: Type, text: str) -> tuple[str, str]:
        """Why a text is no value of a type, as the type says it."""
        if not isinstance(type_, (ListOf, MapOf, RecordOf)):
            try:
                type_.read(text)
            except Unfit as unfit:
                return unfit.reason, unfit.helps
        return f"is {text}", ""

    def _values_from(self, type_: Type, at: int, fact: str) -> Iterator[_Typed]:
        part = self.parts[at]
        match type_:
            case Num():
                yield from self._number(type_, at)
            case Bool():
                if text_of(part).casefold() in _YES_NO:
                    said = _YES_NO[text_of(part).casefold()]
                    yield _Typed(at + 1, _NAMED, lambda: t.Value("constant", said, (), (), part.span))
            case Maybe(of):
                if fact and self._follows(at, "none") and not of.words.count("none"):
                    yield _Typed(at + 1, _NAMED, lambda: t.Value("constant", "none", (), (), part.span))
                yield from self._values_from(of, at, fact)
            case ListOf(of):
                yield from self._list(type_, of, at, fact)
            case WordSet():
                yield from self._list(type_, type_, at, fact)
            case RecordOf():
                yield from self._record(type_, at, fact)
            case MapOf():
                yield from self._map(type_, at, fact)
            case _:
                yield from self._single(type_, at, fact)

    def _number(self, type_: Num, at: int) -> Iterator[_Typed]:
        part = self.parts[at]
        if isinstance(part, t.Value) and part.kind == "bare" and _SUM.fullmatch(part.span.text):
            part = evolve(part, kind="number", scalar=sum(map(int, part.span.text.split("+"))))
        number = part.scalar if isinstance(part, t.Value) and part.kind == "number" else None
        if isinstance(part, t.Value) and isinstance(number, (int, Fraction)) and type_.has(exact(number)):
            yield _Typed(at + 1, _NAMED, partial(_same, part))
        yield from self._with_decimal_comma(type_, at)

    def _with_decimal_comma(self, type_: Num, at: int) -> Iterator[_Typed]:
        """`0,5` for a number that need not be whole."""
        text = span_of(self.parts[at : at + 3]).text
        if (
            not type_.whole
            and _DECIMAL_COMMA.fullmatch(text)
            and type_.has(exact(found := Fraction(text.replace(",", "."))))
        ):
            value = t.Value("number", found, (), (), span_of(self.parts[at : at + 3]))
            yield _Typed(at + 3, _NAMED, lambda: evolve(value, kind="bare", scalar=text.replace(",", ".")))

    def _single(self, type_: Type, at: int, fact: str) -> Iterator[_Typed]:
        """A word of the type; after the name of its fact, its beginning."""
        found = list(self._phrases(self.names.words(type_), at))
        exact = [each for each in found if span_of(self.parts[at : each[1]]).text in (each[0], f'"{each[0]}"')]
        for word, end in exact or found:
            yield _Typed(end, _NAMED, partial(self._word, word, at, end))
        text = text_of(self.parts[at])
        if not found and fact:
            yield from self._begun_word(type_, at)
        if not found and fact and text and not type_.words:
            yield _Typed(at + 1, _NAMED, lambda: t.Value("bare", text, (), (), self.parts[at].span))

    def _word(self, word: str, at: int, end: int) -> t.Value:
        is_plain = word.isidentifier() and word not in ("yes", "no", "none")
        return t.Value("name" if is_plain else "text", word, (), (), span_of(self.parts[at:end]))

    def _list(self, type_: Type, of: Type, at: int, fact: str) -> Iterator[_Typed]:
        """A list: in brackets, ``nothing``, or items with commas, ``and`` or blanks between them."""
        part = self.parts[at]
        if isinstance(part, t.Group) and part.opening == "[":
            if not part.parts:
                yield _Typed(at + 1, _NAMED, lambda: _NOTHING)
            inside = Chart(part.parts, self.names)
            for each in inside._listed_from(of, 0, fact or "this list"):
                if each.end == len(part.parts):
                    yield _Typed(at + 1, each.unnamed, each.make)
            if inside.fault is not None:
                self.note(at, str(inside.fault[1]), inside.fault[1].hint)
            return
        if fact and self._follows(at, "nothing", "none") and not any(w in of.words for w in ("nothing", "none")):
            yield _Typed(at + 1, _NAMED, lambda: _NOTHING)
        yield from self._listed_from(of, at, fact)

    def _listed_from(self, of: Type, at: int, fact: str) -> Iterator[_Typed]:
        """Lists of one, two and more elements, each with every place at which it can end."""
        table: dict[int, list[_Listed]] = {at: [_Listed(_NAMED)]}
        places = [at]
        for place in places:
            is_first = place == at
            for each in self._elements(of, place if is_first else self._after_comma(place), fact, is_first=is_first):
                longer = [_Listed(before.unnamed | each.unnamed, each, before) for before in table[place]]
                if each.end in table:
                    table[each.end] += longer
                    continue
                check_time()
                table[each.end] = longer
                insort(places, each.end)
        for place in places[1:]:
            for found in table[place][:_MOST_PATHS]:
                yield _Typed(place, found.unnamed, found.made)

    def _after_comma(self, at: int) -> int:
        """The place behind a comma, an `and` or both."""
        at += is_comma(self.parts[at]) if at < len(self.parts) else 0
        return at + self._follows(at, "and")

    def _elements(self, of: Type, at: int, fact: str, *, is_first: bool) -> list[_Typed]:
        """What can be an element of a list at a place; behind the name of the list, words may be abbreviated."""
        if at >= len(self.parts):
            return []
        if isinstance(of, WordSet):
            return list(self._single(of, at, "")) or (self._begun_word(of, at) if fact else [])
        found = self.values(of, at, "")
        if not found and fact and is_first:
            return self.values(of, at, fact)
        if not found and fact and isinstance(of, RecordOf) and self._parted(at):
            keys = self._keys(of.record, at, fact)
            return [each for name, end in keys for each in self._named_record(of.record, name, at, end)]
        return found or (self._begun_word(of, at) if fact else [])

    def _parted(self, at: int) -> bool:
        """Whether a comma or `and` stands before a place."""
        return at > 0 and (is_comma(self.parts[at - 1]) or self._follows(at - 1, "and"))

    def _begun_word(self, of: Type, at: int) -> list[_Typed]:
        """The only word that begins as a part does."""
        text = text_of(self.parts[at]).casefold()
        begun = [word for word in of.words if len(text) >= MIN_BEGINNING and word.casefold().startswith(text)]
        return [_Typed(at + 1, _NAMED, lambda: self._word(begun[0], at, at + 1))] if len(begun) == 1 else []

    def _map(self, type_: MapOf, at: int, fact: str) -> Iterator[_Typed]:
        """A map, in brackets or as it is: ``hull 3, engine 1``."""
        names = self.names.in_map(type_, fact or "this map")
        if self._is_group(at):
            yield from self._in_brackets(names, None, at, at)
            return
        chart = Chart(self.parts, names)
        for end, states in chart.reached(at).items():
            if end > at and any(states):
                place = span_of(self.parts[at:end])
                yield from (_Typed(end, _NAMED, partial(_described, each, None, place)) for each in chart._best(states))

    # -- records ------------------------------------------------------------------------------------------------

    def _record(self, type_: RecordOf, at: int, fact: str) -> Iterator[_Typed]:
        """A record: its name, its name with fields; behind the name of its fact, its fields alone."""
        if fact and type_.optional and self._follows(at, "none"):
            yield _Typed(at + 1, _NAMED, lambda: t.Value("constant", "none", (), (), self.parts[at].span))
        kind = Phrases.of([(phrase_of(type_.record), type_.record)] if fact else [])
        behind = [end for _, end in self._phrases(kind, at) if end < len(self.parts)]
        for start in [*([] if any(map(self._is_group, behind)) else [at]), *behind]:
            for name, end in self._keys(type_.record, start, fact):
                yield from self._named_record(type_.record, name, start, end)
            if self._is_group(start):
                yield from self._in_brackets(self.names.in_record(type_.record), None, start, start)
            elif fact:
                yield from self._fields(type_.record, None, start, start)

    def _keys(self, record: str, at: int, fact: str) -> Iterator[tuple[str, int]]:
        """The names of records that can begin at a place, each with the place behind it.

        A new record is described in brackets, or quoted. Behind the name of its fact, a word alone names a record that
        needs no field.
        """
        known = [(name, end) for name, end in self._phrases(self.names.known, at) if self.names.pieces[name] == record]
        exact = [each for each in known if span_of(self.parts[at : each[1]]).text.strip('"') == each[0]]
        yield from exact or known
        part = self.parts[at]
        if self.names.refers and fact and not known and text_of(part):
            yield text_of(part), at + 1
        if known or self.names.refers or not isinstance(part, t.Value):
            return
        if part.kind == "text" and self.names.takes_new:
            yield text_of(part), at + 1
            return
        end = at
        if fact and part.kind == "name" and (self._is_group(at + 1) or not self._needs_fields(record, part)):
            yield text_of(part), at + 1
            return
        while end < len(self.parts) and isinstance(self.parts[end], t.Value):
            end += 1
            if self._is_group(end) and not self._is_name(at, end):
                yield span_of(self.parts[at:end]).text.strip('"'), end

    def _is_group(self, at: int) -> bool:
        return at < len(self.parts) and isinstance(part := self.parts[at], t.Group) and part.opening == "("

    def _needs_fields(self, record: str, part: t.Value) -> bool:
        """Whether a word alone can't name a new record: its kind has fields that must be given, or the word is one of the
        rules."""
        fields = self.names.records[record].fields
        words = {word for each in fields.values() for word in each.type.words}
        has_required = any(not each.has_default for each in fields.values())
        return has_required or text_of(part) in {*fields, *words, *self.names.types}

    def _is_name(self, at: int, end: int) -> bool:
        """Whether some of these parts are no part of a record's name: the name of a fact, a value, or words that link."""
        numbers = [part for part in self.parts[at:end] if isinstance(part, t.Value) and part.kind == "number"]
        taken = any(True for place in range(at, end) for _ in self._phrases(self.names.named, place))
        # `16 at gun (steps 2)` describes `gun`; but a duke of York is one piece.
        links = end > at + 1 and (self._is_link(at) or self._link_in(at, end))
        return taken or links or (end == at + 1 and bool(numbers))

    def _link_in(self, at: int, end: int) -> bool:
        return any(self._follows(place, "and", *(LINKS - WITHIN_NAMES)) for place in range(at, end))

    def _named_record(self, record: str, name: str, start: int, end: int) -> Iterator[_Typed]:
        if self._is_group(end):
            yield from self._in_brackets(self.names.in_record(record), name, start, end)
            return
        yield _Typed(end, _NAMED, lambda: t.Value("name", name, (), (), span_of(self.parts[start:end])))
        yield from self._fields(record, name, start, end)

    def _fields(self, record: str, name: str | None, start: int, at: int) -> Iterator[_Typed]:
        """The fields of a record without brackets, up to a comma."""
        if at >= len(self.parts) or is_comma(self.parts[at]):
            return
        if record not in self._records:
            self._records[record] = Chart(self.parts, self.names.in_record(record))
        inner = self._records[record]
        for end, states in inner.reached(at, is_record=True).items():
            is_more = any(not str(part.span.text).replace("/", "").isdigit() for part in self.parts[at:end])
            if end > at and any(states) and is_more:
                place = span_of(self.parts[start:end])
                yield from (
                    _Typed(end, each.unnamed, partial(_described, each, name, place)) for each in inner._best(states)
                )

    def _in_brackets(self, names: Names, name: str | None, start: int, at: int) -> Iterator[_Typed]:
        """A record or a map in brackets, with or without its name before them."""
        group = self.parts[at]
        assert isinstance(group, t.Group)
        inner, place = Chart(group.parts, names), span_of(self.parts[start : at + 1])
        states = inner.reached().get(len(group.parts), {})
        if not states:
            inner.fail()
        yield from (_Typed(at + 1, _NAMED, partial(_described, each, name, place)) for each in inner._best(states))


_NOTHING: Final = t.Value("list", None, (), ())


def _described(path: _Path, name: str | None, place: Span) -> t.Value:
    """A record or a map with the fields of a reading."""
    return t.Value("record", name, (), tuple(path.made()), place)


def _made_of(*items: _Item) -> tuple[t.GivenItem, ...]:
    return tuple(made for item in items for made in item.make())


def _same(value: t.Value) -> t.Value:
    return value


def are_number(parts: Sequence[t.EntryPart]) -> bool:
    return any(isinstance(part, t.Value) and part.kind == "number" for part in parts)


def _joined(items: Iterable[t.GivenItem]) -> list[t.GivenItem]:
    """One item for each fact: records that are given one by one for the same list are joined."""
    found: dict[str, t.GivenItem] = {}
    for item in items:
        before = found.get(item.name.name)
        if before is None or before.value is None or item.value is None:
            found[item.name.name] = item
        else:
            value = evolve(before.value, items=(*before.value.items, *item.value.items))
            found[item.name.name] = evolve(before, value=value)
    return list(found.values())


def raise_ambiguous(text: str, ways: Sequence[str], readings: Sequence[str] = ()) -> NoReturn:
    text, *shown = (each if len(each) <= _MOST_SHOWN else f"{each[:_MOST_SHOWN]} ..." for each in (text, *ways))
    more = len(shown) - _MOST_WAYS
    first, others = (shown[:_MOST_WAYS], f"{more} others") if more > 1 else (shown[:-1], shown[-1])
    raise AmbiguousEntry(
        f"`{text}` may mean {', '.join(first)} or {others}", "write one of them", (readings or ways)[:_MOST_PATHS]
    )
