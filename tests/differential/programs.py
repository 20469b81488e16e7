"""What the engines are compared on: every ruleset there is, and situations that their facts allow."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.differential.enumerate import typical

from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.core.types import ListOf, RecordOf, Type
from enfilade.core.values import Ref, State
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile

ROOT: Final = Path(__file__).resolve().parents[2]
_BLOCK: Final = re.compile(r"```rules\n(.*?)```", re.DOTALL)


def texts() -> Iterator[tuple[str, SourceFile]]:
    """The blocks of the manual, the trial mechanics, the shipped rulesets and the standard library."""
    manual = ROOT / "docs" / "language.md"
    for number, text in enumerate(_BLOCK.findall(manual.read_text(encoding="utf-8")), 1):
        yield f"manual-{number}", SourceFile.from_text(text, f"manual-{number}")
    for path in sorted([*ROOT.glob("tests/generality/*.rules"), *ROOT.glob("rulesets/*/*.rules"), *ROOT.glob("stdlib/*.rules")]):
        yield path.stem, SourceFile.from_path(path)


SOURCES: Final = dict(texts())


@cache
def program_of(name: str) -> ir.Program:
    """A ruleset by its name in ``SOURCES``."""
    return checked(SOURCES[name])


def checked(source: SourceFile) -> ir.Program:
    """The program of a text that has no mistake."""
    found = check_source(source, Folders())
    assert found.program is not None, [d.message for d in found.diagnostics]
    return found.program


def program(text: str) -> ir.Program:
    """The program of a text."""
    return checked(SourceFile.from_text(text))


class Situations:
    """Makes options, facts and states that the types of a program allow.

    Args:
        program: The program.
        rng: Who decides.
    """

    def __init__(self, program: ir.Program, rng: random.Random) -> None:
        self.program = program
        self.rng = rng

    def options(self) -> dict[str, Any]:
        """Some value for every option."""
        options = self.program.options.values()
        return {o.name: self.rng.choice([o.default, self.rng.choice(typical(o.type))]) for o in options}

    def facts(self, procedure: str) -> tuple[dict[str, Any], State]:
        """Some of the facts of a procedure, and the state that belongs to them."""
        self.refs: dict[str, list[Ref]] = {}
        inputs = [(name, self.declared(name)) for name in self.program.procedures[procedure].inputs]
        facts = {name: self.value(fact.type) for name, fact in inputs if self.is_given(fact)}
        records: dict[Ref, dict[str, Any]] = {}
        while fresh := [ref for refs in self.refs.values() for ref in refs if ref not in records]:
            records |= {ref: self.fields(ref) for ref in fresh}
        return facts, State(records, {deck.name: deck.cards for deck in self.program.decks.values()})

    def declared(self, name: str) -> ir.Input:
        """The declaration of a fact, a procedure's own included."""
        procedure, dot, own = name.partition(".")
        return self.program.procedures[procedure].facts[own] if dot else self.program.facts[name]

    def is_given(self, fact: ir.Input) -> bool:
        """Records are always given; of the others some are left to their default, or to be asked for."""
        inner = fact.type.of if isinstance(fact.type, ListOf) else fact.type
        return isinstance(inner, RecordOf) or self.rng.random() < 0.7

    def value(self, type_: Type) -> Any:
        """Some value of a type; a record is made for it."""
        match type_:
            case RecordOf(record, optional):
                return None if optional and self.rng.random() < 0.5 else self.ref(record)
            case ListOf(of, least):
                return tuple(self.value(of) for _ in range(self.rng.randint(least, max(least, 3))))
        return self.rng.choice(typical(type_))

    def ref(self, record: str) -> Ref:
        """A new record."""
        refs = self.refs.setdefault(record, [])
        refs.append(Ref(record, f"{record}{len(refs) + 1}"))
        return refs[-1]

    def fields(self, ref: Ref) -> dict[str, Any]:
        """Values for the fields of a record; what refers to another refers to one before it."""
        return {name: self.field(ref, field.type) for name, field in self.program.records[ref.record].fields.items()}

    def field(self, ref: Ref, type_: Type) -> Any:
        """Some value of a field."""
        match type_:
            case RecordOf(record, optional):
                before = [other for other in self.refs.get(record, []) if other != ref and other.key < ref.key]
                if optional:
                    return self.rng.choice([None, *before])
                return self.rng.choice(before) if before else self.ref(record)
            case ListOf(RecordOf(record)):
                others = self.refs.get(record, [])
                return tuple(self.rng.sample(others, min(len(others), self.rng.randint(0, 2))))
        return self.value(type_)
