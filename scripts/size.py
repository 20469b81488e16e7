"""How big the house is: the files and statements of each folder, as the table in ``docs/architecture.md`` states them.

``python -m scripts.size`` prints the table. Statements are counted in the syntax tree without docstrings, so neither packed
lines nor comments change them.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGES: Final = ("dsl/enfilade", "repl/enfilade_repl", "tests")
LEVELS: Final = 2
"""How many folders below a package count by themselves; deeper ones count with theirs."""


def statements_in(source: str) -> int:
    """The statements of a module, docstrings left out."""
    nodes = list(ast.walk(ast.parse(source)))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = sum(isinstance(node, documented) and ast.get_docstring(node) is not None for node in nodes)
    return sum(isinstance(node, ast.stmt) for node in nodes) - docstrings


def sizes(root: Path = ROOT) -> dict[str, tuple[int, int]]:
    """The number of files and statements of each folder, by its path from the root."""
    files, statements = Counter[str](), Counter[str]()
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            inner = path.relative_to(root / package).parent.parts[:LEVELS]
            folder = "/".join((package, *inner))
            files[folder] += 1
            statements[folder] += statements_in(path.read_text(encoding="utf-8"))
    return {folder: (files[folder], statements[folder]) for folder in sorted(files)}


def table(found: dict[str, tuple[int, int]]) -> str:
    """The sizes as a Markdown table, with the sums of the product and of its tests at the end."""
    rows = [f"| `{folder}/` | {count:,} | {size:,} |" for folder, (count, size) in found.items()]
    for name, tests in (("the product", False), ("the tests", True)):
        counted = [size for folder, size in found.items() if folder.startswith("tests") is tests]
        count, size = (sum(column) for column in zip(*counted, strict=True))
        rows.append(f"| **{name}** | {count:,} | {size:,} |")
    return "\n".join(["| folder | files | statements |", "|---|---:|---:|", *rows])


if __name__ == "__main__":
    print(table(sizes()))
