"""Mutation testing: put one small mistake into a function, run the tests that should notice, and count who survives.

It takes long, about an hour for 200 mutants::

    python -m scripts.mutate 200 --seed 1 dsl/enfilade/core/evaluate.py dsl/enfilade/check

Mutants are drawn at random from all that the functions of the files allow. The tests are collected once and run once
without a mistake, to see which of them come to which mistake. Each mutant is then tried in a child process, in which the
code of its function is replaced: no file is written, and what the tests computed while they were collected is from
before the mistake. Only the tests that come to the mistake run, the quickest first and the thorough ones last: the
outcome says whether one of the default tests noticed (``killed``), only a thorough one (``thorough``), or none.
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
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final, TypeAlias

import pytest
from attrs import frozen

ROOT: Final = Path(__file__).resolve().parents[1]

TESTS: Final = ("tests",)
"""The tests that run, unless others are named: those that no mutant of a file can reach cost time."""
_HIT: Final = "__mutation_hit__"
_NOTICED: Final = ("killed", "thorough", "hangs")
"""The outcomes in which the tests noticed."""
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
        statement: The file and the line of the innermost statement around it.
    """

    path: str
    line: int
    what: str
    code: CodeType
    statement: tuple[str, int]

    @property
    def module(self) -> str:
        """The dotted name of the module."""
        return _module_of(self.path)


def _module_of(path: str) -> str:
    return ".".join(Path(path).with_suffix("").parts[1:])


def places_of(path: Path) -> list[tuple[Path, int]]:
    """Every place of a file where a mistake can be made."""
    return [(path, index) for index, _ in enumerate(_sites(ast.parse(path.read_text(encoding="utf-8"))))]


def mutant_at(path: Path, index: int) -> Mutant:
    """The mutant of a place."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    site, field, position, mutated, what = list(_sites(tree))[index]
    if position is None:
        setattr(site, field, mutated)
    else:
        getattr(site, field)[position] = mutated
    line, name = getattr(site, "lineno", 0), str(path.relative_to(ROOT))
    code = compile(ast.fix_missing_locations(tree), str(path), "exec")
    return Mutant(name, line, what, code, (name, _statement_at(tree, line)))


def _statement_at(tree: ast.Module, line: int) -> int:
    """The first line of the innermost statement of a function around a line: the function's own first statement at least."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    inside = [each for function in functions for each in _statements(function)]
    return max(each.lineno for each in inside if each.lineno <= line <= (each.end_lineno or each.lineno))


def _statements(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    """The statements of a function, those of its branches and loops among them."""
    yield function
    yield from (node for node in ast.walk(function) if isinstance(node, ast.stmt))


def watch(statements: Iterable[tuple[str, int]]) -> set[tuple[str, int]]:
    """Make some statements note that a test came to them.

    Returns:
        The set that receives the file and the line of each statement.
    """
    reached: set[tuple[str, int]] = set()
    setattr(builtins, _HIT, reached.add)
    wanted = set(statements)
    for path in sorted({path for path, _ in wanted}):
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        _note_hits(tree, path, {line for each, line in wanted if each == path})
        _install(_module_of(path), compile(ast.fix_missing_locations(tree), path, "exec"))
    return reached


def _note_hits(tree: ast.Module, path: str, lines: set[int]) -> None:
    """Put a note before each statement that begins at one of the lines, or at the start of a function that does."""
    for node in [each for each in ast.walk(tree) if isinstance(each, ast.stmt | ast.ExceptHandler | ast.match_case)]:
        if isinstance(node, ast.FunctionDef) and node.lineno in lines:
            node.body.insert(0, _note(path, node.lineno))
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and not isinstance(node, ast.ClassDef):
                noted = [(_note(path, each.lineno), each) if each.lineno in lines else (each,) for each in block]
                setattr(node, field, [each for pair in noted for each in pair])


def _note(path: str, line: int) -> ast.stmt:
    return ast.parse(f"{_HIT}({(path, line)!r})").body[0]


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


Reached: TypeAlias = dict[tuple[str, int], dict[str, float]]
"""For each statement the tests that come to it, by name, and how long each takes in seconds."""


class Trials:
    """A pytest plugin: runs the collected tests once for each mutant, until one fails.

    Args:
        mutants: All that are tried, by all jobs.
        job: Which of the jobs this is, and how many there are.
        shared: A folder in which each job tells the others which tests come to which statement.
        queue: A pipe with the numbers of the mutants that no job has taken yet.
        output: Where the outcome of each is written: the tests capture the ordinary output.
    """

    def __init__(self, mutants: Sequence[Mutant], job: tuple[int, int], shared: Path, queue: int, output: int) -> None:
        self._mutants = mutants
        self._job = job
        self._shared = shared
        self._queue = queue
        self._output = output

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try mutants as long as there are some, once the tests have passed without a mistake."""
        number, jobs = self._job
        self._in_child(lambda: self._see_what_is_reached(session, number, jobs))
        reached = self._reached(jobs)
        while taken := os.read(self._queue, 4):
            mutant = self._mutants[int.from_bytes(taken, "big")]
            outcome = self._outcome(session, mutant, reached.get(mutant.statement, {}))
            self._say(f"{outcome:8} {mutant.path}:{mutant.line}: {mutant.what}")
        return True

    def _say(self, text: str) -> None:
        os.write(self._output, f"{text}\n".encode())

    def _in_child(self, do: Callable[[], int | None], seconds: int = 0) -> int:
        """Do something in a child process.

        Returns:
            What it returned, 3 if it raised an error, and 4 if it took too long.
        """
        child = os.fork()
        if not child:
            code = 3
            try:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(seconds)
                code = do() or 0
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            return os.WEXITSTATUS(status)
        return 4 if os.WTERMSIG(status) == signal.SIGALRM else 1

    def _see_what_is_reached(self, session: pytest.Session, number: int, jobs: int) -> None:
        """Run this job's share of the test files without a mistake; a test that fails, as watching takes time, is left out."""
        reached_now = watch({each.statement for each in self._mutants})
        files = {path: n for n, path in enumerate(dict.fromkeys(item.path for item in session.items))}
        items = [item for item in session.items if files[item.path] % jobs == number]
        found: Reached = {}
        failed = 0
        for item, following in _with_next(items):
            reached_now.clear()
            start = time.perf_counter()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.testsfailed > failed:
                failed = session.testsfailed
                self._say(f"left out: {item.nodeid} fails without any mistake")
                continue
            for statement in reached_now:
                found.setdefault(statement, {})[item.nodeid] = time.perf_counter() - start
        part = self._shared / f"{number}.part"
        part.write_bytes(pickle.dumps(found))
        part.rename(self._shared / f"{number}.reached")

    def _reached(self, jobs: int) -> Reached:
        """What all jobs have seen; waits for them."""
        found: Reached = {}
        for number in range(jobs):
            while not (file := self._shared / f"{number}.reached").exists():
                time.sleep(0.5)
            for statement, tests in pickle.loads(file.read_bytes()).items():
                found.setdefault(statement, {}).update(tests)
        return found

    def _outcome(self, session: pytest.Session, mutant: Mutant, seconds: Mapping[str, float]) -> str:
        """Who notices a mutant.

        Args:
            session: The collected tests.
            mutant: The mistake.
            seconds: The tests that come to it, by name, and how long each takes.
        """
        tests: dict[bool, list[pytest.Item]] = {False: [], True: []}
        for item in sorted(
            (each for each in session.items if each.nodeid in seconds), key=lambda each: seconds[each.nodeid]
        ):
            tests[item.get_closest_marker("thorough") is not None].append(item)

        def attempt() -> int:
            install(mutant)
            return 1 if _fails(session, tests[False]) else 2 if _fails(session, tests[True]) else 0

        return {0: "SURVIVED", 1: "killed", 2: "thorough", 3: "skipped", 4: "hangs"}[self._in_child(attempt, _SECONDS)]


def _fails(session: pytest.Session, items: Sequence[pytest.Item]) -> bool:
    """Whether one of some tests fails; those after it don't run."""
    for item, following in _with_next(items):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return True
    return False


def _with_next(items: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    """Each test with the one that follows it, which may share what it set up."""
    return zip(items, [*items[1:], None], strict=True) if items else iter(())


def run_tests(trials: Trials, tests: Sequence[str]) -> None:
    """Collect the tests in this process, and try mutants on them."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.chdir(ROOT)
    pytest.main(["-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-m", "", *tests], [trials])


def main() -> None:
    """Draw mutants, try each, and print the outcome."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, help="how many mutants")
    parser.add_argument("paths", nargs="+", help="files and folders")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tests", nargs="+", default=TESTS, help="files and folders of tests")
    parser.add_argument("--again", type=Path, help="a printed outcome: try only those of its mutants that were killed")
    arguments = parser.parse_args()
    files = [file for each in map(Path, arguments.paths) for file in (sorted(each.rglob("*.py")) or [each])]
    every = [place for file in files for place in places_of(file.resolve())]
    places = random.Random(arguments.seed).sample(every, min(arguments.count, len(every)))
    drawn = [mutant_at(path, index) for path, index in places]
    if arguments.again:
        killed = {line[9:] for line in arguments.again.read_text().splitlines() if line[:8].strip() in _NOTICED}
        drawn = [each for each in drawn if f"{each.path}:{each.line}: {each.what}" in killed]
    print(f"{len(drawn)} of {len(every)} mutants", flush=True)
    output, workers = os.dup(1), []
    queue, filling = os.pipe()
    os.write(filling, b"".join(number.to_bytes(4, "big") for number in range(len(drawn))))
    os.close(filling)
    with tempfile.TemporaryDirectory() as shared:
        for job in range(arguments.jobs):
            worker = os.fork()
            if not worker:
                run_tests(Trials(drawn, (job, arguments.jobs), Path(shared), queue, output), arguments.tests)
                sys.stdout.flush()
                os._exit(0)
            workers.append(worker)
        for worker in workers:
            os.waitpid(worker, 0)


if __name__ == "__main__":
    main()
