"""The public face of the library: what it is, that it is documented, and that our own doors use nothing else.

The REPL and the command line import public names alone, as a program of somebody else would. So a page, an editor or a
bot can do what they do.
"""

from __future__ import annotations

import ast
import inspect
import re
import types
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

import attrs
import pytest
from tests.architecture.imports import MODULES, ROOT, import_statements, parsed

PUBLIC: Final = (
    "enfilade",
    "enfilade.editor",
    "enfilade.files",
    "enfilade.language",
    "enfilade.notebook",
    "enfilade.server",
    "enfilade.service",
    "enfilade.terminal",
    "enfilade.tools",
    "enfilade.types",
)
"""The public modules; each says its names in ``__all__``."""

DOORS: Final = [name for name in MODULES if name.startswith(("enfilade_repl", "enfilade.cli"))]
NAMES: Final = [(module, name) for module in PUBLIC for name in import_module(module).__all__]


def foreign_imports(module: str) -> Iterator[str]:
    """The imports of a door that are neither public nor its own."""
    path = MODULES[module]
    for line, base, name in import_statements(module, parsed(path), path):
        own = ".".join(module.split(".")[: 1 if module.startswith("enfilade_repl") else 2])
        is_own = base == own or base.startswith(f"{own}.")
        is_public = (base in PUBLIC and (not name or name in import_module(base).__all__)) or f"{base}.{name}" in PUBLIC
        if base.split(".")[0] in ("enfilade", "enfilade_repl") and not (is_own or is_public):
            yield f"{module}:{line} imports {base} {name}".rstrip()


def test_the_doors_import_public_names_alone() -> None:
    assert [each for module in DOORS for each in foreign_imports(module)] == []


def test_the_doors_read_no_core_node() -> None:
    """``Ruleset.program`` is the core, for engines and tools; a door asks the ruleset."""
    attributes = {
        module: (n for n in ast.walk(parsed(MODULES[module])) if isinstance(n, ast.Attribute)) for module in DOORS
    }
    assert [f"{module}:{n.lineno}" for module, read in attributes.items() for n in read if n.attr == "program"] == []


# -------------------------------------------------------------------------------------------------------- the names


@pytest.mark.parametrize("module", PUBLIC)
def test_the_names_of_a_public_module_are_those_that_type_checkers_see(module: str) -> None:
    found = import_module(module)
    assert list(found.__all__) == sorted(set(found.__all__), key=found.__all__.index)
    imported = {alias for _, _, alias in import_statements(module, parsed(MODULES[module]), MODULES[module])}
    defined = {name for name, value in vars(found).items() if getattr(value, "__module__", None) == module}
    constants = {name for name in found.__all__ if name.isupper() or name == "__version__"}
    assert set(found.__all__) <= imported | defined | constants
    assert [name for name in found.__all__ if not hasattr(found, name)] == []


def test_no_public_name_is_a_submodule() -> None:
    assert [each for each in NAMES if isinstance(getattr(import_module(each[0]), each[1]), types.ModuleType)] == []


def test_public_names_are_documented_with_their_shape() -> None:
    assert [each for module, name in NAMES for each in undocumented(name, getattr(import_module(module), name))] == []


def undocumented(name: str, value: Any) -> Iterator[str]:
    """What a docstring leaves out: attributes, or the arguments where there are several."""
    if isinstance(value, type):
        yield from _undocumented_class(name, value)
    elif inspect.isfunction(value):
        yield from _undocumented_function(name, value)


def _undocumented_class(name: str, value: type) -> Iterator[str]:
    text = inspect.getdoc(value) or ""
    if not text or text.startswith(f"{name}("):
        yield f"{name} has no docstring"
    # A type of values is as short as its docstring: the fields are named in the one sentence.
    if attrs.has(value) and value.__module__ != "enfilade.values.types":
        fields = [each.name for each in attrs.fields(value) if not each.name.startswith("_")]
        yield from (f"{name}.{each}" for each in fields if not re.search(rf"\b{each}\b", text))
    for attribute, member in vars(value).items():
        function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if not attribute.startswith("_") and inspect.isfunction(function):
            yield from _undocumented_function(f"{name}.{attribute}", function)


def _undocumented_function(name: str, function: types.FunctionType) -> Iterator[str]:
    text = inspect.getdoc(function) or ""
    if not text:
        yield f"{name} has no docstring"
    parameters = [each for each in inspect.signature(function).parameters if each not in ("self", "cls")]
    if len(parameters) > 1:
        yield from (f"{name}: {each}" for each in parameters if not re.search(rf"\b{each}\b", text))


def test_the_embedding_page_presents_every_public_module() -> None:
    page = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
    assert [module for module in PUBLIC if f"`{module}`" not in page] == []
