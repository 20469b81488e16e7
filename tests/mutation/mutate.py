"""Mutation testing: put one small mistake into a module, run the tests that should notice, and count who survives.

Run it as a command; it is no test itself, since it takes long::

    python -m tests.mutation.mutate 200 --seed 1 dsl/enfilade/core/evaluate.py dsl/enfilade/check

Mutants are drawn at random from all that the files allow. The tests run in a copy of the tracked files, never here.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import Any, Final

from attrs import frozen

ROOT: Final = Path(__file__).resolve().parents[2]

FIRST: Final = {
    "dsl/enfilade/check": ("tests/golden", *(f"tests/unit/test_check_{name}.py" for name in (
        "mistakes", "declarations", "names", "charts", "modifiers", "results", "refusals", "examples", "variants",
        "intervals",
    ))),
    "dsl/enfilade/core": (
        "tests/unit/test_graph.py", "tests/unit/test_evaluate_values.py", "tests/unit/test_evaluate_steps.py",
        "tests/unit/test_needed_facts.py", "tests/unit/test_check_refusals.py",
    ),
}  # fmt: skip
"""The tests that are likely to notice a mistake in a folder: they run first."""

THEN: Final = (
    ("tests/golden", "tests/unit"),
    ("tests/generality", "tests/rulesets", "tests/properties", "tests/differential"),
)
"""What runs next, until something fails: first what is quick, then what is thorough."""

_SECONDS: Final = 600

_COMPARED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_OPERATED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
}  # fmt: skip


@frozen
class Mutant:
    """A module with one mistake.

    Attributes:
        path: The file, relative to the root.
        line: Where the mistake is.
        what: What it is.
        text: The file with the mistake.
    """

    path: str
    line: int
    what: str
    text: str


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file."""
    source = path.read_text(encoding="utf-8")
    for index in range(len(list(_sites(ast.parse(source))))):
        tree = ast.parse(source)
        site, field, position, mutated, what = list(_sites(tree))[index]
        old = getattr(site, field)
        if position is None:
            setattr(site, field, mutated)
        else:
            old[position] = mutated
        line = getattr(site, "lineno", 0) or getattr(old, "lineno", 0)
        yield Mutant(str(path.relative_to(ROOT)), line, what, ast.unparse(ast.fix_missing_locations(tree)))


def _sites(tree: ast.Module) -> Iterator[tuple[Any, str, int | None, Any, str]]:
    """Each place that can be changed: the node, its field, the index in the field, the new value, and in words."""
    for node in _code(tree):
        match node:
            case ast.Compare(ops=ops):
                for n, op in enumerate(ops):
                    new = _COMPARED[type(op)]()
                    yield node, "ops", n, new, f"{type(op).__name__} becomes {type(new).__name__}"
            case ast.BoolOp(op=op):
                other = ast.Or() if isinstance(op, ast.And) else ast.And()
                yield node, "op", None, other, f"{type(op).__name__} becomes {type(other).__name__}"
            case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in _OPERATED:
                new_op = _OPERATED[type(op)]()
                yield node, "op", None, new_op, f"{type(op).__name__} becomes {type(new_op).__name__}"
            case ast.UnaryOp(op=ast.Not()):
                yield node, "op", None, ast.UAdd(), "`not` is dropped"
            case ast.Constant(value=bool() as value):
                yield node, "value", None, not value, f"{value} becomes {not value}"
            case ast.Constant(value=int() as value):
                yield node, "value", None, value + 1, f"{value} becomes {value + 1}"
            case ast.IfExp() | ast.If():
                yield node, "test", None, ast.UnaryOp(ast.Not(), node.test), "the condition is negated"
            case ast.FunctionDef(body=body) | ast.For(body=body):
                for n, statement in enumerate(body):
                    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                        yield node, "body", n, ast.Pass(), f"`{ast.unparse(statement)[:60]}` is left out"


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run: no annotations, and nothing that is there for the type checker alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.Assert, ast.arguments)):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.AnnAssign):
            yield from () if node.value is None else _code(ast.Expr(node.value))
            continue
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            node.decorator_list = []
            if isinstance(node, ast.FunctionDef):
                node.returns = None
        yield node
        yield from _code(node)


def _fails(copy: Path, mutant: Mutant) -> bool:
    """Whether some test notices a mutant, in a copy of the tree."""
    path = copy / mutant.path
    kept = path.read_text(encoding="utf-8")
    path.write_text(mutant.text, encoding="utf-8")
    try:
        first = next((tests for folder, tests in FIRST.items() if mutant.path.startswith(folder)), ())
        return any(_tests_fail(copy, tests) for tests in (first, *THEN) if tests)
    finally:
        path.write_text(kept, encoding="utf-8")


def _tests_fail(copy: Path, tests: Sequence[str]) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", *tests]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": f"{copy / 'dsl'}:{copy / 'repl'}"}
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def _copy() -> Path:
    place = Path(tempfile.mkdtemp())
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        target = place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    return place


def main() -> None:
    """Draw mutants, try each, and print those that survive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, help="how many mutants")
    parser.add_argument("paths", nargs="+", help="files and folders")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    files = [file for each in map(Path, arguments.paths) for file in (sorted(each.rglob("*.py")) or [each])]
    drawn = [mutant for file in files for mutant in mutants_of(file.resolve())]
    total = len(drawn)
    drawn = random.Random(arguments.seed).sample(drawn, min(arguments.count, total))
    copies: Queue[Path] = Queue()
    for _ in range(arguments.jobs):
        copies.put(_copy())

    def tried(mutant: Mutant) -> bool:
        copy = copies.get()
        try:
            failed = _fails(copy, mutant)
        finally:
            copies.put(copy)
        print(f"{'killed  ' if failed else 'SURVIVED'} {mutant.path}:{mutant.line}: {mutant.what}", flush=True)
        return failed

    with ThreadPoolExecutor(arguments.jobs) as pool:
        killed = sum(pool.map(tried, drawn))
    print(f"{killed} of {len(drawn)} mutants killed (drawn from {total})")
    while not copies.empty():
        shutil.rmtree(copies.get())


if __name__ == "__main__":
    main()
