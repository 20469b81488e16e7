"""The pages of the API: one for each public module, with its names in the order of the alphabet, from the docstrings."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final

from docs.site.links import ROOT
from sphinx.pycode import ModuleAnalyzer

_ROW: Final = re.compile(r"^\| `(enfilade[\w.]*)` \|", re.M)
_LONG_VALUE: Final = 60
_GROUPS: Final = {
    "Functions": "autofunction",
    "Classes": "autoclass",
    "Exceptions": "autoexception",
    "Constants and types": "autodata",
}


def api_pages() -> Mapping[str, str]:
    """The pages as reStructuredText, by path from ``docs``."""
    modules = "\n".join(f"   {module}" for module in public_modules())
    index = (
        "API\n===\n\nThe public modules of the library. :doc:`/embedding` shows how to use them.\n\n"
        f".. toctree::\n   :maxdepth: 1\n\n{modules}\n"
    )
    return {"api/index.rst": index} | {f"api/{module}.rst": _module_page(module) for module in public_modules()}


@cache
def public_modules() -> tuple[str, ...]:
    """The modules in the table of the page about embedding, which a test compares with the code."""
    return tuple(_ROW.findall((ROOT / "docs/embedding.md").read_text(encoding="utf-8")))


def public_name(name: str) -> str | None:
    """The public name of what is known by the name of the module that defines it, or ``None``."""
    return _public_names().get(name) or _public_names().get(name.rpartition(".")[2])


def text_of_constant(name: str) -> list[str]:
    """The lines of the docstring below a public constant, in the module that defines it; autodoc knows the type's alone."""
    module, _, constant = name.rpartition(".")
    tree = ast.parse(inspect.getsource(import_module(module)))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    origin = next((node.module for node in imports if any(found.name == constant for found in node.names)), None)
    return ModuleAnalyzer.for_module(origin or module).find_attr_docs().get(("", constant), [])


@cache
def _public_names() -> Mapping[str, str]:
    """Public names by the place of the definition, and by the bare name as annotations have it."""
    found: dict[str, str] = {}
    for module in public_modules():
        for name, value in _names(module):
            place = f"{value.__module__}.{name}" if inspect.isclass(value) or inspect.isfunction(value) else name
            found[place] = f"{module}.{name}"
            found.setdefault(name, f"{module}.{name}")
    return found


def _names(module: str) -> Iterator[tuple[str, Any]]:
    found = import_module(module)
    return ((name, getattr(found, name)) for name in found.__all__ if not name.startswith("__"))


def _module_page(module: str) -> str:
    groups: dict[str, list[str]] = {title: [] for title in _GROUPS}
    for name, value in sorted(_names(module), key=lambda pair: pair[0].lower()):
        groups[_group(value)].append(name)
    parts = [f"{module}\n{'=' * len(module)}\n\n.. automodule:: {module}\n   :no-members:\n"]
    for title, names in groups.items():
        if names:
            parts.append(f"{title}\n{'-' * len(title)}\n")
            parts += [_entry(module, name, _GROUPS[title]) for name in names]
    return "\n".join(parts)


def _entry(module: str, name: str, directive: str) -> str:
    options = "   :members:\n" if directive == "autoclass" else ""
    if directive == "autodata" and len(repr(getattr(import_module(module), name))) > _LONG_VALUE:
        options = "   :no-value:\n"
    return f".. {directive}:: {module}.{name}\n{options}"


def _group(value: object) -> str:
    if inspect.isclass(value):
        return "Exceptions" if issubclass(value, BaseException) else "Classes"
    return "Functions" if callable(value) and hasattr(value, "__name__") else "Constants and types"
