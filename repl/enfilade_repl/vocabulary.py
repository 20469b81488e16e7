"""The names and words of a ruleset, gathered once: for what completes and colours what is typed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from attrs import frozen

from enfilade.api.describe import InputField, describe_input
from enfilade.api.ruleset import Ruleset
from enfilade.core import ir
from enfilade.core.types import Bool, ChartOf, CodeOf, ListOf, Maybe, Num, RecordOf, Type, Word, WordSet
from enfilade_repl.entry import types_of
from enfilade_repl.table import Ground

_MOST_NUMBERS: Final = 40


@frozen
class Named:
    """Something that can be given a value.

    Attributes:
        name: What it is called.
        type: What it may be.
        told: The same in words, after its label.
        required: Whether it must be given.
    """

    name: str
    type: Type
    told: str
    required: bool = False


@frozen(eq=False)
class Vocabulary:
    """What can be said of one ruleset.

    Attributes:
        facts: The facts of each procedure and each event.
        fields: The fields of each kind of record.
        options: The options.
        labels: The labels of procedures, events, charts, records, modifiers, effects, definitions and outputs.
        modifiers: The names of the modifiers.
        words: Every word that a fact, a field or an option may be, and every code of a chart.
        names: Every name that can stand in a rule.
    """

    facts: Mapping[str, Mapping[str, Named]]
    fields: Mapping[str, Mapping[str, Named]]
    options: Mapping[str, Named]
    labels: Mapping[str, str]
    modifiers: tuple[str, ...]
    words: frozenset[str]
    names: frozenset[str]

    @property
    def facts_and_fields(self) -> frozenset[str]:
        """The names of all facts and fields."""
        return frozenset(name for group in (self.facts, self.fields) for each in group.values() for name in each)


def vocabulary_of(ground: Ground) -> Vocabulary:
    """Gather what can be said of the ruleset in use."""
    return _gathered(ground.rules)


@lru_cache(maxsize=4)
def _gathered(rules: Ruleset) -> Vocabulary:
    program = rules.program
    called = {each.name: each.inputs for each in rules.procedures}
    called |= {each.name: each.inputs for each in rules.events}
    facts = {name: _named(types_of(program, name), inputs) for name, inputs in called.items()}
    fields = {kind: _fields(record) for kind, record in program.records.items()}
    options = _named({name: each.type for name, each in program.options.items()}, rules.option_fields)
    labels = dict(_labels(program))
    modifiers = tuple(dict.fromkeys(name for name, _ in _modifiers(program)))
    given = [named for group in (facts, fields) for each in group.values() for named in each.values()]
    types = [
        *(named.type for named in (*given, *options.values())),
        *(each.code_type for each in program.charts.values()),
    ]
    words = {word for type_ in types for word, _ in values_of(type_) if not word.removeprefix("-").isdigit()}
    kinds = (program.facts, program.charts, program.records, program.procedures, program.events, program.definitions)
    names = {name for kind in kinds for name in kind} | {name for each in fields.values() for name in each}
    names |= {*program.effects, *program.dice, *program.decks, *program.players}
    return Vocabulary(facts, fields, options, labels, modifiers, frozenset(words), frozenset(names))


def _named(types: Mapping[str, Type], inputs: tuple[InputField, ...]) -> dict[str, Named]:
    return {each.name: Named(each.name, types[each.name], _told(each), each.required) for each in inputs}


def _fields(record: ir.RecordDecl) -> dict[str, Named]:
    described = tuple(describe_input(each, name) for name, each in record.fields.items())
    return _named({name: each.type for name, each in record.fields.items()}, described)


def _told(field: InputField) -> str:
    """A fact in a few words: its label, and what it may be."""
    kind = field.type.removeprefix("one of ")
    return f"{field.label}: {kind}" if field.label else kind


def _modifiers(program: ir.Program) -> Iterator[tuple[str, str]]:
    from enfilade.core.modifiers import modifiers_in

    for block in program.modifiers.values():
        yield from ((each.name, each.note.label or "") for each in modifiers_in(block.items))


def _labels(program: ir.Program) -> Iterator[tuple[str, str]]:
    for group in (program.charts, program.records, program.effects, program.definitions, program.procedures):
        yield from ((name, each.note.label or "") for name, each in group.items())
    yield from ((name, note.label or "") for name, note in program.events.items())
    yield from _modifiers(program)


# ------------------------------------------------------------------------------------------------------------- values


def values_of(type_: Type) -> Iterator[tuple[str, str]]:
    """The values that can be listed of a type, each with a remark; of a number without end its bounds.

    Examples:
        >>> [text for text, _ in values_of(Num(0, 2))], list(values_of(Num(1, None)))
        (['0', '1', '2'], [('1', '1..')])
    """
    match type_:
        case Bool():
            yield from (("yes", ""), ("no", ""))
        case Word(words) | WordSet(words):
            yield from ((word, "") for word in words)
        case CodeOf(codes):
            yield from ((code, "") for code in codes)
        case ChartOf(charts):
            yield from ((chart, "") for chart in charts)
        case Num():
            yield from _numbers(type_)
        case Maybe(of):
            yield from values_of(of)
            yield "none", ""
        case ListOf(of):
            yield from values_of(of)
        case RecordOf(_, True):
            yield "none", ""


def _numbers(num: Num) -> Iterator[tuple[str, str]]:
    low, high = num.low, num.high
    if num.whole and low is not None and high is not None and high - low < _MOST_NUMBERS:
        yield from ((str(number), "") for number in range(int(low), int(high) + 1))
        return
    if low is not None:
        yield str(low), f"{low}.." if high is None else f"{low}..{high}"
    if high is not None:
        yield str(high), f"{'' if low is None else low}..{high}"
