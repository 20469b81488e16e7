"""The checker leaves its type inference on the nodes of the core, so that no engine has to repeat it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args

import pytest
from attrs import evolve

from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.core.expressions import Evaluator
from enfilade.core.run import Frame
from enfilade.core.walk import nodes
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.tools.examples import run_examples
from enfilade.values.data import ChartRef, Performed, Reading, Ref, Roll, Tally
from enfilade.values.types import (
    Bool,
    ChartOf,
    CodeOf,
    EffectOf,
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
    TallyOf,
    Type,
    Unknown,
    Word,
    type_of,
)

ROOT: Final = Path(__file__).parents[2]
FOLDERS: Final = ("rulesets", "tests/generality", "stdlib", "tests/odds", "tests/differential")
FILES: Final = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.rules"))

DEFAULT: Final = 6
"""One of so many files is tried by default."""


def expressions_in(root: Any) -> Iterator[ir.Expr]:
    return (node for node in nodes(root) if isinstance(node, get_args(ir.Expr)))


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.thorough] if number % DEFAULT else [])
        for number, path in enumerate(FILES)
    ],
)
def test_every_expression_has_a_type_that_the_values_of_the_examples_have(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = check_source(SourceFile.from_path(path), Folders()).program
    assert program is not None
    assert [node for node in expressions_in(program) if isinstance(node.type, Unknown)] == []

    wrong: list[tuple[ir.Expr, Type, Any]] = []
    evaluate = Evaluator.value

    def checked_value(self: Evaluator, e: ir.Expr, frame: Frame) -> Any:
        value = evaluate(self, e, frame)
        if not is_member(e.type, value):
            wrong.append((e, e.type, value))
        return value

    monkeypatch.setattr(Evaluator, "value", checked_value)
    # Chances are computed from many runs at once, and with values that stand for several.
    examples = tuple(evolve(example, chances=()) for example in program.examples)
    list(run_examples(evolve(program, examples=examples)))
    assert wrong == []


def is_member(type_: Type, value: Any) -> bool:
    """Whether a value has a type: inputs are tested by the library, and what rules compute is tested here."""
    match type_:
        case CodeOf(codes):
            return value in codes
        case Label():
            return value is None or isinstance(value, str)
        case RollOf(of):
            return isinstance(value, Roll) and all(is_member(of, each) for each in value.values)
        case ReadingOf(_, code, reader):
            is_readers = isinstance(value, Reading) and (value.reader and value.reader.record) == reader
            return is_readers and is_member(code, value.code)
        case TallyOf(total):
            return isinstance(value, Tally) and is_member(total, value.total)
        case MapOf(key, of):
            return all(is_member(key, each) and is_member(of, value[each]) for each in value)
        case EffectOf(effect):
            return isinstance(value, Performed) and value.effect == effect
        case ListOf(of, least):
            return len(value) >= least and all(is_member(of, each) for each in value)
        case Maybe(of):
            return value is None or is_member(of, value)
        case Nothing():
            return value is None
        case ChartOf(charts):
            return isinstance(value, ChartRef) and value.name in charts
        case OutputsOf():
            return isinstance(value, dict)
    return type_.has(value)


def test_the_type_takes_no_part_in_equality_hash_and_text() -> None:
    one, other = ir.Local("x", type=Num(1, 6)), ir.Local("x")
    assert (one, hash(one), repr(one)) == (other, hash(other), repr(other))


def test_a_condition_is_yes_or_no_whoever_makes_it() -> None:
    assert ir.Not(ir.Const(True)).type == ir.All(()).type == ir.Any_(()).type == Bool()


@pytest.mark.parametrize(
    ("value", "type_"),
    [
        (3, Num(3, 3)),
        (True, Bool()),
        ("gun", Word(("gun",))),
        ((2, 5), ListOf(Num(2, 5), 2)),
        (("a", "b", "a"), ListOf(Word(("a", "b")), 3)),
        ((True, 1), ListOf(Unknown(), 2)),
        (Ref("unit", "gun"), RecordOf("unit")),
    ],
)
def test_a_constant_has_the_narrowest_type_of_its_value(value: Any, type_: Type) -> None:
    assert ir.Const(value).type == type_


def test_a_constant_that_replaces_another_has_the_type_it_is_given() -> None:
    assert evolve(ir.Const(1), value=2, type=type_of(2)).type == Num(2, 2)
