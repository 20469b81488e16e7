"""Answers made up at random: values of facts, records, and how they are typed."""

from __future__ import annotations

import random
from typing import Any

from enfilade.api.ruleset import Ruleset
from enfilade.values.types import Bool, ListOf, MapOf, Maybe, Num, RecordOf, Type, Word, WordSet


def some_value(rules: Ruleset, type_: Type, dice: random.Random, name: str) -> Any:
    """A value of a type, small numbers and all words being likely."""
    match type_:
        case Bool():
            return dice.random() < 0.5
        case Num(low, high):
            first = 0 if low is None else int(-(-low // 1))
            last = first + dice.choice((1, 3, 8, 20, 50)) if high is None else int(high // 1)
            return dice.randint(first, max(first, last))
        case Word(words):
            return dice.choice(words)
        case WordSet(words):
            return sorted(dice.sample(words, dice.randint(1, 2)))
        case MapOf(Word(words), of):
            return {word: some_value(rules, of, dice, name) for word in words}
        case Maybe(of):
            return None if dice.random() < 0.3 else some_value(rules, of, dice, name)
        case RecordOf(_, optional):
            return (
                None
                if optional and dice.random() < 0.3
                else some_record(rules, type_.record, dice, "a" if optional else name)
            )
        case ListOf(RecordOf() as of):
            # Names that other facts may give too: some rules ask whether two are the same.
            return [some_record(rules, of.record, dice, key) for key in dice.choice((["a"], ["b"], ["a", "b"]))]
        case ListOf(of, least):
            return [some_value(rules, of, dice, name) for _ in range(dice.randint(max(least, 1), 3))]
    raise AssertionError(type_)


def some_record(rules: Ruleset, record: str, dice: random.Random, name: str) -> dict[str, Any]:
    fields: dict[str, Any] = {"name": name}
    for field, declared in rules.program.records[record].fields.items():
        refers = isinstance(declared.type, RecordOf) or (
            isinstance(declared.type, ListOf) and isinstance(declared.type.of, RecordOf)
        )
        if not refers and (not declared.has_default or dice.random() < 0.5):
            fields[field] = some_value(rules, declared.type, dice, field)
    return fields
