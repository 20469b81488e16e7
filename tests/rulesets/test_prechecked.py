"""A stored program is the checked one: the same nodes, types and places, and the same explanations."""

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import frozen

from enfilade.api.prechecked import Prechecked, find_prechecked, prechecked_data, shipped_files
from enfilade.check.program import Checked, check_source
from enfilade.core import ir
from enfilade.core.serialisation import Mismatch, Unstorable, restore, store
from enfilade.engines.trace import Tracer
from enfilade.source.finder import Folders, shipped_names
from enfilade.source.text import SourceFile, Span
from enfilade.tools.playing import play

MODULE: Final = "define twice(n 0..9) = n * 2\n"
MAIN: Final = 'enfilade 1\nruleset mine\nuse "module.rules"\nprocedure go\n  1. give result = twice(2)\n'


def source_of(name: str) -> SourceFile:
    source = Folders().find_named(name)
    assert source is not None
    return source


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prechecked")
    for name, text in shipped_files():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def found(name: str, folder: Path) -> Prechecked:
    prechecked = find_prechecked(source_of(name), Folders(), folder)
    assert prechecked is not None
    return prechecked


def whole(checked: Checked | Prechecked) -> dict[str, Any]:
    """Everything, with what equality leaves out: places and types."""
    return store((checked.program, checked.diagnostics), checked.sources)


@pytest.mark.thorough
@pytest.mark.parametrize("name", shipped_names())
def test_a_stored_program_is_the_checked_one_and_explains_its_examples_in_the_same_words(
    name: str, stored: Path
) -> None:
    fresh, prechecked = check_source(source_of(name), Folders()), found(name, stored)
    assert prechecked.program == fresh.program
    assert whole(prechecked) == whole(fresh)
    assert [source.name for source in prechecked.sources] == [source.name for source in fresh.sources]
    for one, other in zip(prechecked.program.examples, fresh.program.examples, strict=True):
        assert explained(prechecked.program, one) == explained(fresh.program, other)


def explained(program: ir.Program, example: ir.Example) -> list[dict[str, Any]]:
    tracer = Tracer(program)
    play(program, example, tracer)
    return tracer.explanation().to_json()


@pytest.mark.thorough
def test_the_checker_of_a_stored_program_runs_when_it_is_needed(stored: Path) -> None:
    prechecked = found("franco_prussian", stored)
    assert prechecked.context is not None
    assert prechecked.declarations == check_source(source_of("franco_prussian"), Folders()).declarations


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.rules").write_text(MAIN, encoding="utf-8")
    (tmp_path / "module.rules").write_text(MODULE, encoding="utf-8")
    data = prechecked_data(SourceFile.from_path(tmp_path / "mine.rules"), Folders())
    (tmp_path / "mine.json").write_text(json.dumps(data), encoding="utf-8")
    return tmp_path


def is_found(folder: Path) -> bool:
    return find_prechecked(SourceFile.from_path(folder / "mine.rules"), Folders(), folder) is not None


@pytest.mark.parametrize(
    ("name", "text"), [("mine.rules", f"{MAIN}-- a remark\n"), ("module.rules", f"{MODULE}\n"), ("mine.json", "{")]
)
def test_a_file_is_not_used_after_a_text_changed_or_it_was_damaged(folder: Path, name: str, text: str) -> None:
    assert is_found(folder)
    (folder / name).write_text(text, encoding="utf-8")
    assert not is_found(folder)


def test_a_file_is_not_used_after_a_module_is_gone(folder: Path) -> None:
    (folder / "module.rules").unlink()
    assert not is_found(folder)


@pytest.mark.parametrize(
    "change", [{"version": "0"}, {"checked": {"classes": [["ir.Gone", []]], "shared": [], "value": 0}}]
)
def test_a_file_of_another_version_is_not_used(folder: Path, change: Mapping[str, Any]) -> None:
    path = folder / "mine.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **change}), encoding="utf-8")
    assert not is_found(folder)


def test_a_text_from_memory_and_a_ruleset_with_errors_have_no_file() -> None:
    assert find_prechecked(SourceFile("mine.rules", MAIN), Folders()) is None
    assert prechecked_data(SourceFile("mine.rules", "procedure\n"), Folders()) is None


# -- the form


VALUES: Final = (
    None,
    True,
    1,
    -(10**30),
    "word",
    Fraction(1, 3),
    (1, (2,)),
    [1],
    {"a": {2: ()}},
    frozenset({(1, 2), (0, 3)}),
)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_comes_back_as_it_was(value: object) -> None:
    again = restore(json.loads(json.dumps(store(value, ()))), ())
    assert (again, type(again)) == (value, type(value))


@frozen
class Stranger:
    """A class that the core does not know."""


@pytest.mark.parametrize(
    "value",
    [Stranger(), 0.5, {1, 2}, object(), Span(SourceFile("other", ""), 0, 0)],
    ids=lambda value: type(value).__name__,
)
def test_what_the_core_does_not_know_is_refused(value: object) -> None:
    with pytest.raises(Unstorable):
        store(value, ())


def test_stored_fields_that_are_not_those_of_the_class_are_refused() -> None:
    data = store(ir.NO_NOTE, ())
    data["classes"][0][1].append("colour")
    with pytest.raises(Mismatch, match="Note"):
        restore(data, ())
