"""What the engines are compared on: every ruleset there is, and situations that their facts allow."""

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import evolve
from tests.differential.enumerate import typical
from tests.differential.mechanics import TEXTS

from enfilade.check.charts.chart_rolls import ROLL
from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.core.inputs import decks_at_start
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.values.data import Ref, State
from enfilade.values.types import ListOf, RecordOf, Type

ROOT: Final = Path(__file__).resolve().parents[2]
_BLOCK: Final = re.compile(r"```rules\n(.*?)```", re.DOTALL)


def texts() -> Iterator[tuple[str, SourceFile]]:
    """The blocks of the manual, the trial mechanics, the shipped rulesets, the standard library, and awkward ones."""
    manual = ROOT / "docs" / "language.md"
    for number, text in enumerate(_BLOCK.findall(manual.read_text(encoding="utf-8")), 1):
        yield f"manual-{number}", SourceFile.from_text(text, f"manual-{number}")
    for path in sorted(
        [*ROOT.glob("tests/generality/*.rules"), *ROOT.glob("rulesets/*/*.rules"), *ROOT.glob("stdlib/*.rules")]
    ):
        yield path.stem, SourceFile.from_path(path)
    for name, text in TEXTS.items():
        yield f"mechanics-{name}", SourceFile.from_text(text, name)


SOURCES: Final = dict(texts())


LIGHT: Final = (
    "bombardment", "fate_stress", "hits", "manual-1", "manual-19", "mechanics-charts",
    "mechanics-dice", "mechanics-families", "mechanics-modifiers", "mechanics-order", "mechanics-state",
)  # fmt: skip
"""Rulesets of many kinds that take little time."""


def each_source(words: str = "", but: tuple[str, ...] = ()) -> Any:
    """A test for each ruleset that has some words, the light ones by default; none is parsed before its test."""
    marks = {
        name: [] if name in LIGHT else [pytest.mark.thorough]
        for name in SOURCES
        if words in SOURCES[name].text and name not in but
    }
    return pytest.mark.parametrize("name", [pytest.param(name, marks=marks[name]) for name in marks])


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
        return facts, State(records, decks_at_start(self.program))

    def declared(self, name: str) -> ir.Input:
        """The declaration of a fact, a procedure's own included."""
        procedure, dot, own = name.partition(".")
        return self.program.procedures[procedure].facts[own] if dot else self.program.facts[name]

    def is_given(self, fact: ir.Input) -> bool:
        """Records are always given; of the others some are left to their default, or to be asked for."""
        inner = fact.type.of if isinstance(fact.type, ListOf) else fact.type
        return isinstance(inner, RecordOf) or self.rng.random() < 0.6

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


def probed(program: ir.Program) -> ir.Program:
    """The program with a procedure for each definition, chart and block of modifiers, which gives what it comes to."""
    makers = [
        *((f"define {name}", _defined(program, d)) for name, d in program.definitions.items() if _has_args(program, d)),
        *((f"chart {name}", _read(program, c)) for name, c in program.charts.items() if _has_args(program, c)),
        *((f"modifiers {name}", _summed(program, b)) for name, b in program.modifiers.items() if _has_args(program, b)),
    ]
    inputs = tuple(program.facts)
    probes = {name: ir.Procedure(name, {}, inputs, body, {}, ir.NO_NOTE) for name, body in makers}
    return evolve(program, procedures={**program.procedures, **probes})


def _has_args(program: ir.Program, declared: ir.Definition | ir.Chart | ir.ModBlock) -> bool:
    """Whether there is a record for each parameter that is one: a procedure's own facts are not at hand here."""
    names = [param.partition("@")[0] for param in declared.params]
    if isinstance(declared, ir.ModBlock) and ROLL in names and ROLL not in program.facts:
        # Modifiers that look at the roll have no sum without it.
        return False
    return not any(name in program.records and isinstance(_arg(program, name, 0), ir.Const) for name in names)


def _args(program: ir.Program, params: tuple[str, ...]) -> tuple[ir.Expr, ...]:
    """Something for each parameter: the fact of that name, the first record of that kind, else a number."""
    return tuple(_arg(program, param.partition("@")[0], index) for index, param in enumerate(params))


def _arg(program: ir.Program, name: str, index: int) -> ir.Expr:
    if name in program.facts:
        return ir.Fact(name)
    for fact in program.facts.values():
        if fact.type == RecordOf(name):
            return ir.Fact(fact.name)
        if fact.type == ListOf(RecordOf(name)):
            return ir.Op("item", (ir.Const(1), ir.Fact(fact.name)))
    return ir.Const(index + 2)


def _defined(program: ir.Program, definition: ir.Definition) -> ir.Body:
    call = ir.Define(definition.name, _args(program, definition.params))
    return (ir.Give("result", call, ir.NO_NOTE), ir.Give("again", ir.Items((call, call)), ir.NO_NOTE))


def _read(program: ir.Program, chart: ir.Chart) -> ir.Body:
    """Read for nobody, and for each record of the lists that there are."""
    rolled = ir.Part(ir.Local("dice"), "total" if _counts(program, chart) else "natural")
    roll = rolled if chart.dice else None
    args = tuple(
        ir.Local("dice") if name == ROLL and name not in program.facts else arg
        for name, arg in zip(chart.params, _args(program, chart.params), strict=True)
    )
    rolls = (ir.RollDice("dice", "dice", chart.dice, (), None, ir.NO_NOTE),) if chart.dice else ()
    return (
        *rolls,
        ir.Give("whole", ir.Look(chart.name, args, roll), ir.NO_NOTE),
        ir.SetLocal("read", "read", ir.Look(chart.name, args, roll), ir.NO_NOTE),
        *(ir.Give(part, ir.Part(ir.Local("read"), part), ir.NO_NOTE) for part in ("code", "row", "column", "shift")),
        *(_each(name, ir.Look(chart.name, args, roll, ir.Local("each"))) for name in _lists(program)),
    )


def _counts(program: ir.Program, chart: ir.Chart) -> bool:
    faces = [face for group in chart.dice for face in program.dice[group.die].faces or ()]
    return not any(isinstance(face.value, str) for face in faces)


def _summed(program: ir.Program, block: ir.ModBlock) -> ir.Body:
    tally = ir.SumModifiers(block.name, _args(program, block.params))
    return (
        ir.Give("names", ir.Part(tally, "names"), ir.NO_NOTE),
        ir.Give("total", ir.Part(tally, "total"), ir.NO_NOTE),
        ir.Give("whole", tally, ir.NO_NOTE),
        *(_each(name, evolve(tally, reader=ir.Local("each"))) for name in _lists(program)),
    )


def _lists(program: ir.Program) -> list[str]:
    return [f.name for f in program.facts.values() if isinstance(f.type, ListOf) and isinstance(f.type.of, RecordOf)]


def _each(name: str, body: ir.Expr) -> ir.Statement:
    return ir.Give(f"each of {name}", ir.Over("list", "each", ir.Fact(name), body), ir.NO_NOTE)
