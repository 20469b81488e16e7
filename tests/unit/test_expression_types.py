"""The checker leaves its type inference on the nodes of the core, so that no engine has to repeat it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args

import pytest
from attrs import evolve

from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.core.types import Bool, ListOf, Num, RecordOf, Type, Unknown, Word
from enfilade.core.values import Ref, type_of
from enfilade.core.walk import nodes
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile

ROOT: Final = Path(__file__).parents[2]
FOLDERS: Final = ("rulesets", "tests/generality", "stdlib", "tests/odds", "tests/differential")
FILES: Final = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.rules"))

each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def program_of(path: Path) -> ir.Program:
    program = check_source(SourceFile.from_path(path), Folders()).program
    assert program is not None
    return program


def expressions_in(root: Any) -> Iterator[ir.Expr]:
    return (node for node in nodes(root) if isinstance(node, get_args(ir.Expr)))


@each_file
def test_every_expression_of_a_checked_ruleset_has_a_type(path: Path) -> None:
    untyped = [node for node in expressions_in(program_of(path)) if isinstance(node.type, Unknown)]
    assert untyped == []


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
