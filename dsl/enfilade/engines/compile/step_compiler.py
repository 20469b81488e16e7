"""Code generation for single steps and expressions, for the odds engine, which runs them on its own states.

A generated function takes the shared state of the run, the call depth and the locals; ``L[name]`` reads or sets a
local, so the caller can observe each read. Steps that roll, draw, choose or loop are not compiled here, nor are calls
that may be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from typing import Any, TypeAlias

from enfilade.core import ir
from enfilade.core.rewrite import replaced
from enfilade.core.traits import CHANGES, Action
from enfilade.core.walk import bound_in, locals_in, nodes
from enfilade.engines.compile import expressions, functions, statements
from enfilade.engines.compile.engine import Engine
from enfilade.engines.compile.frames import Frame, Plan
from enfilade.engines.compile.function_writer import Writer
from enfilade.engines.compile.python_text import SAVE_STEPS
from enfilade.engines.compile.specialised_types import SpecialisedTypes
from enfilade.limits import Limits
from enfilade.values.types import Type

Code: TypeAlias = Callable[[Any, int, Any], Any]


class StepCompiler:
    """Compiles steps and expressions of one ruleset.

    Args:
        program: The ruleset.
        limits: The limits of a run.
        names: Replacements for Python's built-in functions ``max`` and ``min``, for values that are not plain numbers.
    """

    def __init__(self, program: ir.Program, limits: Limits, names: Mapping[str, Any]) -> None:
        self.types = SpecialisedTypes(program)
        self._engine = Engine(program, limits, self.types)
        self._engine.context.pool.names.update(names)
        self._made = 0

    def steps(self, body: ir.Body, kinds: Mapping[str, Type], live: Set[str]) -> Code | None:
        """Compile steps to a function; ``None`` if they are nested too deeply for Python's compiler.

        Args:
            body: The steps.
            kinds: The known types of the locals.
            live: The locals that are live (read) after the steps.
        """
        plain = tuple(_as_local(s) for s in body)

        # If the steps may stop midway, the caller must see the locals that were set before.
        own = () if Action.STOP in self._engine.context.graph.may(plain) else _own(plain)

        def write(w: Writer) -> str:
            statements.body(w, plain)
            for name in own:
                if name in live:
                    w.line(f"L[{w.context.pool.constant(name)}] = {w.local(name)}")
            return "None"

        return self._function(plain, kinds, write, own)

    def expression(self, e: ir.Expr, kinds: Mapping[str, Type]) -> Code | None:
        """Compile an expression to a function that returns its value."""
        return self._function(e, kinds, lambda w: w.named(w.value(e)))

    def _function(
        self, node: Any, kinds: Mapping[str, Type], write: Callable[[Writer], str], own: tuple[str, ...] = ()
    ) -> Code | None:
        context = self._engine.context
        names = locals_in(node) - bound_in(node)
        names |= _assigned(node)
        names -= set(own)
        w = Writer(context, expressions.value, statements.execute, context.graph.does(node, CHANGES), is_entry=False,
                   is_procedure=False)  # fmt: skip
        w.frame = Frame(Plan(kinds), {name: f"L[{context.pool.constant(name)}]" for name in names}, dict(kinds))
        self._made += 1
        name = f"s{self._made}"
        before = dict(context.functions)
        try:
            text = write(w)
            w.line(f"return_ = {text}")
            ending = [SAVE_STEPS, "return return_"]
            w.lines += [(1, line) for line in ending]
            source = functions.assembled(w, name, ["m", "depth", "L"], functions.setup_lines(w), [])
            while context.waiting:
                source += "\n\n" + functions.function(context, context.waiting.pop())
            exec(compile(source, "<compiled rules>", "exec"), context.pool.names)
        except (SyntaxError, RecursionError, MemoryError):
            context.functions = before
            context.waiting.clear()
            return None
        code: Code = context.pool.names[name]
        return code


def _as_local(s: ir.Statement) -> ir.Statement:
    """Replace each output by the local that holds it."""

    def replace(node: Any) -> Any:
        return ir.SetLocal(f"give {node.name}", node.name, node.value, node.note) if isinstance(node, ir.Give) else None

    return replaced(s, replace)


def _own(body: ir.Body) -> tuple[str, ...]:
    """Return the locals that are assigned here before any read; they can be Python variables."""
    seen: set[str] = set()
    own: list[str] = []
    for s in body:
        mentioned = locals_in(s)
        if isinstance(s, ir.SetLocal) and s.local not in seen | mentioned:
            own.append(s.local)
            seen.add(s.local)
        seen |= mentioned | _assigned(s)
    return tuple(own)


def _assigned(node: Any) -> set[str]:
    """Return the locals that statements assign: values, and the outputs of calls."""
    locals_ = (each.local for each in nodes(node) if isinstance(each, (ir.SetLocal, ir.CallProcedure)))
    return {local for local in locals_ if local is not None}
