"""The vocabulary of a ruleset: the names and words a person may type, for completion and highlighting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from attrs import field, frozen

from enfilade.api.describe import InputField
from enfilade.api.ruleset import Ruleset
from enfilade.core import ir
from enfilade.core.graph import graph_of
from enfilade.door import door
from enfilade.frozen import FrozenMap, frozen_json
from enfilade.values.data import ChartRef
from enfilade.values.types import Type


@frozen
class Named:
    """A fact, field or option that takes a value.

    Attributes:
        name: Its name.
        domain: Its type.
        text: Its label and its type, in words.
        required: Whether its value is required.
    """

    name: str
    domain: Type
    text: str
    required: bool = False


@frozen(eq=False)
class Vocabulary:
    """The names and words of one ruleset.

    Attributes:
        facts: The facts of each procedure and each event.
        fields: The fields of each kind of record.
        options: The options.
        labels: The labels of procedures, events, charts, records, modifiers, effects, definitions and outputs.
        modifiers: The names of the modifiers.
        words: Every word that is a value of a fact, field or option, and every code of a chart.
        names: Every name that a rule can use.
    """

    facts: Mapping[str, Mapping[str, Named]] = field(converter=frozen_json)
    fields: Mapping[str, Mapping[str, Named]] = field(converter=frozen_json)
    options: Mapping[str, Named] = field(converter=FrozenMap)
    labels: Mapping[str, str] = field(converter=FrozenMap)
    modifiers: tuple[str, ...]
    words: frozenset[str]
    names: frozenset[str]

    @property
    def facts_and_fields(self) -> frozenset[str]:
        """The names of all facts and fields."""
        return frozenset(name for group in (self.facts, self.fields) for each in group.values() for name in each)


@door
@lru_cache(maxsize=4)
def vocabulary_of(rules: Ruleset) -> Vocabulary:
    """Collect the names and words of a ruleset; the results for the last few rulesets are cached."""
    facts = {each.name: _named(each.inputs) for each in rules.procedures}
    facts |= {each.name: _named(each.inputs) for each in rules.events}
    fields = {kind: _named(record.fields.values()) for kind, record in rules.records.items()}
    options = _named(rules.option_fields)
    given = [named.domain for group in (facts, fields) for each in group.values() for named in each.values()]
    codes = [each.domain for each in rules.symbols if each.kind == "chart" and each.domain is not None]
    domains = (*given, *(named.domain for named in options.values()), *codes)
    words = {word for domain in domains for word, _ in domain.offers() if not word.removeprefix("-").isdigit()}
    labels = {each.name: each.label or "" for kind in _LABELLED for each in rules.symbols if each.kind == kind}
    return Vocabulary(
        facts, fields, options, labels, rules.names("modifier"), frozenset(words), frozenset(rules.names(*_NAMES))
    )


# If declarations of two kinds have the same name, the label of the later kind is shown.
_LABELLED: Final = ("chart", "record", "effect", "definition", "procedure", "event", "modifier")
_NAMES: Final = (
    "fact", "chart", "record", "procedure", "event", "definition", "field", "effect", "die", "deck", "player",
)  # fmt: skip


def _named(inputs: Iterable[InputField]) -> dict[str, Named]:
    return {each.name: Named(each.name, each.domain, _described(each), each.required) for each in inputs}


def _described(field: InputField) -> str:
    """A short description of a fact: its label and its type."""
    kind = field.domain.allowed
    return f"{field.label}: {kind}" if field.label else kind


# ------------------------------------------------------------------------------------------------------------- values


@door
def value_titles(rules: Ruleset, procedure: str, fact: str) -> dict[str, str]:
    """The titles of a fact's values: for a fact that chooses one of several charts, the title of each chart.

    Args:
        rules: The ruleset.
        procedure: The procedure that asks for the fact.
        fact: The name of the fact.

    Raises:
        InputError: The ruleset has no such procedure.

    Examples:
        >>> import enfilade
        >>> value_titles(enfilade.load("fire_combat"), "artillery_fire", "target_class")["5"]
        'Target Class 5: Hard Cover Target'
    """
    rules.check_procedure(procedure)
    program = rules.program
    reached = graph_of(program).reached(("procedure", procedure))
    for name, chart in program.charts.items():
        value = chart.down.value
        if ("chart", name) in reached and isinstance(value, ir.Fact) and value.name == fact and len(chart.columns) == 1:
            cells = (row[0] for row in chart.cells[0])
            named = [program.charts[cell.name].note.label for cell in cells if isinstance(cell, ChartRef)]
            if len(named) == len(chart.down.labels):
                return {label: title for label, title in zip(chart.down.labels, named, strict=True) if title}
    return {}
