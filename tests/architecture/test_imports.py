"""Imports point one way, and each outside library is met in one place only.

Read from the text of the modules, so a module that can't be imported is judged too.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from tests.architecture.imports import MODULES, OURS, ROOT, import_statements, parsed, target

# A stage may import from its own rank and from lower ones. Values come before the core, whose nodes
# have their types, and core before check, which elaborates into it.
RANKS: Final = {
    "door": 0,
    "errors": 0,
    "frozen": 0,
    "limits": 0,
    "memory": 0,
    "node": 0,
    "version": 0,
    "source": 0,
    "diagnostics": 1,
    "syntax": 2,
    "advice": 3,
    "bind": 3,
    "values": 4,
    "core": 5,
    "check": 6,
    "engines": 7,
    "api": 8,
    "lazy": 0,
    # Public modules: for whoever embeds the library or builds a program on it.
    "terminal": 2,
    "types": 6,
    "editor": 9,
    "files": 9,
    "language": 9,
    "tools": 9,
    "service": 9,
    "notebook": 10,
    "server": 10,
    "cli": 11,
    "__main__": 11,
    # The front door shows what lies behind it; only those outside the library come in by it.
    "__init__": 11,
    "enfilade_repl": 12,
}

# Whoever may import a library: the stages named, or nobody.
OUTSIDE: Final[dict[str, set[str]]] = {
    "lark": {"syntax"},
    "prompt_toolkit": {"enfilade_repl"},
    # The page over HTTP, an extra.
    "starlette": {"server"},
    "uvicorn": {"server"},
    "h11": {"server"},
    # The language server, an extra.
    "lsprotocol": {"cli"},
    "pygls": {"cli"},
    # The lexer for documentation, an extra that only its entry point imports.
    "pygments": {"editor"},
    # The cell magic of notebooks, an extra that is imported when a cell needs it.
    "IPython": {"notebook"},
    # Arrays of rolls, an extra: the engine draws them, and the API has their types.
    "numpy": {"api", "engines"},
}


def stage_of(module: str) -> str:
    parts = module.split(".")
    if parts[0] != "enfilade":
        return parts[0]
    return parts[1] if len(parts) > 1 else "__init__"


def imported_by(module: str, path: Path, text: str | None = None) -> Iterator[tuple[int, str]]:
    """The line and the full dotted name of each import, those within functions too."""
    tree = parsed(path) if text is None else ast.parse(text)
    statements = import_statements(module, _without_annotations_of_errors(tree, module), path)
    yield from ((line, target(base, name) if name else base) for line, base, name in statements)


def _without_annotations_of_errors(tree: ast.Module, module: str) -> ast.Module:
    # An exception may name the type of what it carries, as long as nothing is imported when it runs.
    if module != "enfilade.errors":
        return tree
    kept = [node for node in tree.body if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test))]
    return ast.Module(kept, [])


def upward_imports(module: str, path: Path, text: str | None = None) -> list[str]:
    own = stage_of(module)
    return [
        f"{module}:{line} imports {imported}"
        for line, imported in imported_by(module, path, text)
        if imported.split(".")[0] in OURS and stage_of(imported) != own and RANKS[stage_of(imported)] > RANKS[own]
    ]


def misplaced_imports(module: str, path: Path, text: str | None = None) -> list[str]:
    return [
        f"{module}:{line} imports {imported}"
        for line, imported in imported_by(module, path, text)
        if stage_of(module) not in OUTSIDE.get(imported.split(".")[0], {stage_of(module)})
    ]


def test_every_module_belongs_to_a_stage() -> None:
    assert {stage_of(module) for module in MODULES} <= set(RANKS)


def test_each_module_imports_from_its_own_stage_and_earlier_ones() -> None:
    assert [each for module, path in MODULES.items() for each in upward_imports(module, path)] == []


def test_a_library_from_outside_is_imported_in_its_place_only() -> None:
    assert [each for module, path in MODULES.items() for each in misplaced_imports(module, path)] == []


@pytest.mark.parametrize(
    "text",
    [
        "import enfilade.cli",
        "import enfilade",
        "from enfilade import load",
        "from enfilade.check import types",
        "from ..engines import exact",
        "from .. import engines",
        "def late():\n    from enfilade.api import load",
        "import enfilade_repl.app",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from enfilade.api import Ruleset",
    ],
)
def test_an_import_against_the_direction_is_found(text: str) -> None:
    assert len(upward_imports("enfilade.core.evaluate", ROOT / "dsl/enfilade/core/evaluate.py", text)) == 1


@pytest.mark.parametrize("text", ["import enfilade.source", "from .ir import Node", "from ..syntax import tree"])
def test_an_import_along_the_direction_is_allowed(text: str) -> None:
    assert upward_imports("enfilade.core.evaluate", ROOT / "dsl/enfilade/core/evaluate.py", text) == []


@pytest.mark.parametrize(
    "text", ["import lark.exceptions", "from lark import Lark", "import numpy as np", "import prompt_toolkit"]
)
def test_a_library_in_the_wrong_place_is_found(text: str) -> None:
    assert len(misplaced_imports("enfilade.bind.names", ROOT / "dsl/enfilade/bind/names.py", text)) == 1
