"""The imports of every module, read from its text: those inside functions and under TYPE_CHECKING too."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]


def modules() -> dict[str, Path]:
    """Every module of the library and the REPL, by its dotted name."""
    found = {}
    for root, package in ((ROOT / "dsl", "enfilade"), (ROOT / "repl", "enfilade_repl")):
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES: Final = modules()
OURS: Final = ("enfilade", "enfilade_repl")


def import_statements(module: str, tree: ast.Module, path: Path) -> Iterator[tuple[int, str, str]]:
    """The line, the module and the name of each import; the name is empty for ``import module``."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, package)
            yield from ((node.lineno, base, alias.name) for alias in node.names)


def _base(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parents = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*parents, *([node.module] if node.module else [])])


def target(base: str, name: str) -> str:
    """The module that ``from base import name`` imports: a submodule, or the module that gives the name."""
    full = f"{base}.{name}"
    return full if full in MODULES or base.split(".")[0] not in OURS else base


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a module, which nobody may change."""
    return ast.parse(path.read_text(encoding="utf-8"))
