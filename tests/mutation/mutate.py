"""Mutation testing: put one small mistake into a function, run the tests that should notice, and count who survives.

Run it as a command; it is no test itself, since it takes long::

    python -m tests.mutation.mutate 200 --seed 1 dsl/enfilade/core/evaluate.py dsl/enfilade/check

Mutants are drawn at random from all that the functions of the files allow. The tests are collected once and run once
without a mistake, to see which of them call which function. Each mutant is then tried in a child process, in which the
code of its function is replaced: no file is written, and what the tests computed while they were collected is from
before the mistake. Only the tests that call the function run, the quickest first: no other test can notice.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import gc
import os
import pickle
import random
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final, TypeAlias

import pytest
from attrs import frozen

ROOT: Final = Path(__file__).resolve().parents[2]

TESTS: Final = ("tests/golden", "tests/unit", "tests/generality", "tests/tried_forms", "tests/repl", "tests/properties")
"""The tests that run, unless others are named. For the odds engine, name ``tests/odds`` and ``tests/unit/test_odds.py``."""
_HIT: Final = "__mutation_hit__"
_SECONDS: Final = 1500
"""How long one mutant may take. A mutant that takes longer hangs: it is reported as such, and counts as killed."""

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
        line: The line of the mistake.
        what: The mistake in words.
        code: The compiled module with the mistake.
        function: The file and the line of the function.
    """

    path: str
    line: int
    what: str
    code: CodeType
    function: tuple[str, int]

    @property
    def module(self) -> str:
        """The dotted name of the module."""
        return _module_of(self.path)


def _module_of(path: str) -> str:
    return ".".join(Path(path).with_suffix("").parts[1:])


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
        line, name = getattr(site, "lineno", 0), str(path.relative_to(ROOT))
        code = compile(ast.fix_missing_locations(tree), str(path), "exec")
        yield Mutant(name, line, what, code, (name, _function_at(tree, line)))


def _function_at(tree: ast.Module, line: int) -> int:
    """The line of the innermost function around a line."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return max(each.lineno for each in functions if each.lineno <= line <= (each.end_lineno or each.lineno))


def watch(paths: Sequence[str]) -> set[tuple[str, int]]:
    """Make every function of some files note that it was called.

    Returns:
        The set that receives the file and the line of each function.
    """
    called: set[tuple[str, int]] = set()
    setattr(builtins, _HIT, called.add)
    for path in paths:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                node.body.insert(0, ast.parse(f"{_HIT}({(path, node.lineno)!r})").body[0])
        _install(_module_of(path), compile(ast.fix_missing_locations(tree), path, "exec"))
    return called


def _sites(tree: ast.Module) -> Iterator[tuple[Any, str, int | None, Any, str]]:
    """Each place that can be changed: the node, its field, the index in the field, the new value, and in words."""
    for node in _in_functions(tree):
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
                    # A function that calls `super` has a cell, so its code can't be replaced by code without one.
                    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                        text = ast.unparse(statement)
                        if "super()" not in text:
                            yield node, "body", n, ast.Pass(), f"`{text[:60]}` is left out"


def _in_functions(tree: ast.AST, inside: bool = False) -> Iterator[ast.AST]:
    """The nodes that run when a function is called: no decorators, defaults or annotations."""
    match tree:
        case ast.FunctionDef():
            parts: list[ast.AST] = [*tree.body]
            inside = True
            yield tree
        case ast.keyword(arg="strict"):
            # `zip(..., strict=True)` only makes an assumption explicit.
            parts = []
        case ast.AnnAssign():
            parts = [] if tree.value is None else [tree.value]
        case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.arguments():
            parts = []
        case _:
            parts = [*ast.iter_child_nodes(tree)]
            if inside:
                yield tree
    for part in parts:
        yield from _in_functions(part, inside)


def install(mutant: Mutant) -> None:
    """Give the functions of the running module the code of the mutant.

    Raises:
        LookupError: No function has changed.
    """
    _install(mutant.module, mutant.code)


def _install(name: str, compiled: CodeType) -> None:
    module = import_module(name)
    fresh = {_key(code): code for code in _codes(compiled)}
    changed = 0
    for function in [each for each in gc.get_objects() if isinstance(each, FunctionType)]:
        if function.__module__ == module.__name__:
            code = fresh.get(_key(function.__code__))
            if code is not None and code != function.__code__ and code.co_freevars == function.__code__.co_freevars:
                function.__code__ = code
                changed += 1
    if not changed:
        raise LookupError(name)


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


Callers: TypeAlias = dict[tuple[str, int], dict[int, float]]
"""For each function the tests that call it, by number, and how long each takes in seconds."""


class Trials:
    """A pytest plugin: runs the collected tests once for each mutant, until one fails.

    Args:
        mutants: What is tried.
        output: Where the outcome of each is written: the tests capture the ordinary output.
    """

    def __init__(self, mutants: Sequence[Mutant], output: int) -> None:
        self._mutants = mutants
        self._output = output

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try every mutant, once the tests have passed without a mistake."""
        callers, failing = self._callers(session) if self._mutants else ({}, ())
        for name in failing:
            os.write(self._output, f"left out: {name} fails without any mistake\n".encode())
        for mutant in self._mutants:
            outcome = self._outcome(session, mutant, callers)
            os.write(self._output, f"{outcome:8} {mutant.path}:{mutant.line}: {mutant.what}\n".encode())
        return True

    def _callers(self, session: pytest.Session) -> tuple[Callers, tuple[str, ...]]:
        """Run all tests without a mistake, and see who calls what; and the tests that fail, as watching takes time."""
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)
            called = watch(sorted({each.path for each in self._mutants}))
            found: Callers = {}
            failing: list[str] = []
            for index, (item, following) in enumerate(_with_next(session.items)):
                called.clear()
                start = time.perf_counter()
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.testsfailed > len(failing):
                    failing.append(item.nodeid)
                    continue
                for function in called:
                    found.setdefault(function, {})[index] = time.perf_counter() - start
            with os.fdopen(writing, "wb") as pipe:
                pickle.dump((found, failing), pipe)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            callers, failing = pickle.load(pipe)
        os.waitpid(child, 0)
        return callers, tuple(failing)

    def _outcome(self, session: pytest.Session, mutant: Mutant, callers: Callers) -> str:
        child = os.fork()
        if not child:
            code = 3
            try:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(_SECONDS)
                install(mutant)
                code = 1 if _fails(session, callers.get(mutant.function, {})) else 0
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) in (0, 3):
            return "SURVIVED" if not os.WEXITSTATUS(status) else "skipped"
        return "hangs" if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM else "killed"


def _fails(session: pytest.Session, seconds: Mapping[int, float]) -> bool:
    """Whether a test fails.

    Args:
        session: The collected tests.
        seconds: The tests that call the function of the mutant, by number, and how long each takes.
    """
    items = [session.items[index] for index in sorted(seconds, key=lambda index: seconds[index])]
    for item, following in _with_next(items):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return True
    return False


def _with_next(items: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    """Each test with the one that follows it, which may share what it set up."""
    return zip(items, [*items[1:], None], strict=True)


def try_all(mutants: Sequence[Mutant], tests: Sequence[str], output: int) -> None:
    """Try mutants in this process."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.chdir(ROOT)
    pytest.main(["-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-m", "not slow", *tests], [Trials(mutants, output)])


def main() -> None:
    """Draw mutants, try each, and print the outcome."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, help="how many mutants")
    parser.add_argument("paths", nargs="+", help="files and folders")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tests", nargs="+", default=TESTS, help="files and folders of tests")
    arguments = parser.parse_args()
    files = [file for each in map(Path, arguments.paths) for file in (sorted(each.rglob("*.py")) or [each])]
    every = [mutant for file in files for mutant in mutants_of(file.resolve())]
    drawn = random.Random(arguments.seed).sample(every, min(arguments.count, len(every)))
    print(f"{len(drawn)} of {len(every)} mutants", flush=True)
    output, workers = os.dup(1), []
    for job in range(arguments.jobs):
        worker = os.fork()
        if not worker:
            try_all(drawn[job :: arguments.jobs], arguments.tests, output)
            sys.stdout.flush()
            os._exit(0)
        workers.append(worker)
    for worker in workers:
        os.waitpid(worker, 0)


if __name__ == "__main__":
    main()
