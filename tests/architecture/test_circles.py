"""The import graph is a directed acyclic graph: among the files and subfolders of every folder.

An import inside a function or under TYPE_CHECKING counts like any other: two files that need each other in either way are
one unit of meaning in two places. One exemption: ``enfilade.errors`` names the classes of what an exception carries, for the
type checker alone, so the errors can stand below the whole library.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.architecture.imports import MODULES, OURS, import_statements, parsed, target

EXEMPT: Final = {
    ("enfilade.errors", "enfilade.diagnostics.diagnostic"),
    ("enfilade.errors", "enfilade.source.text"),
}


def imports() -> dict[str, set[str]]:
    """For every module the modules it imports."""
    found: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        statements = import_statements(module, parsed(path), path)
        targets = {target(base, name) if name else base for _, base, name in statements}
        found[module] = {each for each in targets & set(MODULES) if each != module and (module, each) not in EXEMPT}
    return found


def folders() -> list[str]:
    """Every folder with more than one file."""
    return sorted({module.rpartition(".")[0] for module in MODULES if "." in module})


def graph_of(folder: str, imports: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The files and subfolders of a folder, and which of them import which."""
    graph: dict[str, set[str]] = {}
    for module, targets in imports.items():
        child = child_of(folder, module)
        if child is not None:
            inside = {child_of(folder, each) for each in targets} - {None, child}
            graph.setdefault(child, set()).update(each for each in inside if each is not None)
    return graph


def child_of(folder: str, module: str) -> str | None:
    """The file or subfolder of a folder that a module belongs to; the folder's own ``__init__`` is a file too."""
    if module == folder:
        return "__init__"
    return module.removeprefix(f"{folder}.").partition(".")[0] if module.startswith(f"{folder}.") else None


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The strongly connected components of more than one node, by reachability: the graphs are small."""
    reached: dict[str, set[str]] = {}
    for node in graph:
        seen: set[str] = set()
        worklist = [node]
        while worklist:
            for following in graph[worklist.pop()] - seen:
                seen.add(following)
                worklist.append(following)
        reached[node] = seen
    components = {frozenset({node, *(each for each in reached[node] if node in reached[each])}) for node in graph}
    return sorted(sorted(component) for component in components if len(component) > 1)


IMPORTS: Final = imports()


def test_the_files_and_subfolders_of_each_folder_import_each_other_in_one_direction() -> None:
    assert {folder: found for folder in folders() if (found := circles(graph_of(folder, IMPORTS)))} == {}


def test_the_library_never_imports_the_repl() -> None:
    assert [module for module, targets in IMPORTS.items() if module.startswith("enfilade.") and any(
        each.startswith(OURS[1]) for each in targets
    )] == []  # fmt: skip


def test_a_circle_is_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set[str]()}
    assert circles(graph) == [["b", "c"]]
