"""Every function that may recurse has a guard that bounds its depth.

The recursive functions are those in circles of the call graph. ``recursion_guards.txt`` names the guard of each; the tests of
``tests/syntax/test_deep_stack.py`` go to the limit of each guard and beyond it, also from a deep stack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.architecture.call_graph import CallGraph, Function, Module, call_graph, read_text
from tests.syntax.test_deep_stack import GUARDS

from enfilade.core.graph import strongly_connected

LISTED: Final = Path(__file__).with_name("recursion_guards.txt")
_GUARD: Final = re.compile(r"\[(\w+)\] \S.*\.")


def recursive(edges: dict[Function, set[Function]]) -> set[str]:
    """The functions that may call themselves, directly or through others."""
    found = set()
    for component in strongly_connected(edges, lambda function: edges.get(function, set())):
        if len(component) > 1 or component[0] in edges[component[0]]:
            found |= {f"{module.removeprefix('enfilade.')}:{path}" for module, path in component}
    return found


def listed(text: str) -> Iterator[tuple[str, str]]:
    """The guards, and the functions below each."""
    guard = module = ""
    for line in text.splitlines():
        if match := _GUARD.fullmatch(line):
            guard, module = match[1], ""
        elif line and not line.startswith("--"):
            if not line.startswith(" "):
                module, _, line = line.partition(": ")
            yield from ((guard, f"{module}:{name}") for name in line.split())


def test_each_recursive_function_has_one_guard_and_no_entry_is_stale() -> None:
    functions = [function for _, function in listed(LISTED.read_text(encoding="utf-8"))]
    assert sorted(functions) == sorted(recursive(call_graph()))


def test_each_guard_has_a_test() -> None:
    guards = {guard for guard, _ in listed(LISTED.read_text(encoding="utf-8"))}
    assert guards == {*GUARDS, "objects"}


def found_in(**modules: str) -> set[str]:
    """The recursive functions of a small program."""
    read: dict[str, Module] = {name: read_text(name, text) for name, text in modules.items()}
    return recursive(CallGraph(read).edges)


def test_a_function_that_calls_itself_through_another_module_is_found() -> None:
    assert found_in(
        a="from b import g\ndef f(x):\n    return g(x)\ndef alone(): return f(1)\n",
        b="import a\ndef g(x):\n    return [a.f(y) for y in x]\n",
    ) == {"a:f", "b:g"}


def test_methods_of_heirs_tables_and_functions_that_are_held_are_followed() -> None:
    assert found_in(
        a=(
            "class Base:\n    def visit(self, x): return [self.leaf(y) for y in x]\n    def leaf(self, x): ...\n"
            "class Heir(Base):\n    def leaf(self, x): return self.visit(x)\n"
            "def walk(x): return TABLE[x](x)\ndef inner(x): return walk(x)\nTABLE = {1: inner}\n"
            "class Passes:\n    do: Callable\ndef run(passes: Passes, x): return passes.do(x)\n"
            "def again(x): return run(ALL, x)\nALL = Passes(again)\n"
        )
    ) == {"a:Base.visit", "a:Heir.leaf", "a:walk", "a:inner", "a:run", "a:again"}


def test_an_overriding_method_that_calls_the_one_above_it_is_not_recursive() -> None:
    text = "class A:\n    def f(self): ...\nclass B(A):\n    def f(self): return super().f()\n"
    assert found_in(a=text) == set()
