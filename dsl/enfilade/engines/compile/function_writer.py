"""Code generation: the function being written, with its lines, its locals and its available expressions.

Common subexpression elimination: ``available`` maps each expression that was computed on every path to the current line
to the variable that holds its value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

from attrs import define, field

from enfilade.core import ir
from enfilade.core.traits import Unit as Declared
from enfilade.engines.compile.context import Context
from enfilade.engines.compile.frames import WHOLE, Frame
from enfilade.engines.compile.python_text import (
    LOAD_DECKS,
    LOAD_RECORDS,
    LOAD_STEPS,
    MACHINE,
    SAVE_STEPS,
    Line,
    fixed,
    is_name,
)
from enfilade.engines.compile.specialised_types import is_something
from enfilade.values.types import Type

T = TypeVar("T")
Key: TypeAlias = tuple[str, ...]

# The first part of an available expression's key: the kind of values that the expression depends on.
FROM_FACTS = "facts"
FROM_LOCALS = "locals"
FROM_STATE = "state"

INLINED_NODES = 3_000
INLINED_DEPTH = 10


@define(eq=False)
class Writer:
    """The function being written.

    Attributes:
        context: The state shared by all functions of the ruleset.
        translate: Generates the source of an expression. It is passed in because the modules for the kinds of nodes
            need each other.
        execute: Writes a statement.
        changes: Whether the function or its callees change the state.
        is_entry: Whether the function is an entry point for hosts, not a callee of other generated functions.
        is_procedure: Whether the function is a procedure, which ``stop`` ends.
        script: How given dice are used: "one" for a single roll, "many" for several, empty if dice are asked for.
        inputs: The facts that the entry point takes unconverted.
        frame: The locals in scope.
        lines: The lines written so far.
        indent: The indentation of the current line.
        place: The source of the run's position in its loops, which is part of the names of rolls.
        depth: The depth of inlined calls, in addition to the depth at which the function is called.
        counting: Whether statements count as steps at this line.
        available: The available expressions: the variable of each value computed on every path to the current line.
        needs: The variables that the first lines of the function must set up.
        facts: The used facts with a default, and their variables.
        budget: The number of nodes of other declarations that may still be inlined.
        inlining: The declarations that are being inlined, outermost first.
        used_parts: The used parts of each block of modifiers.
        outputs: The source of each output so far, if the procedure has a single path; else ``None``, and the outputs
            are in a variable.
    """

    context: Context
    translate: Callable[[Writer, ir.Expr], str]
    execute: Callable[[Writer, ir.Statement], None]
    changes: bool
    is_entry: bool
    is_procedure: bool
    script: str = ""
    inputs: tuple[str, ...] = ()
    frame: Frame = field(factory=Frame)
    lines: list[Line] = field(factory=list)
    indent: int = 1
    place: str = "''"
    depth: int = 0
    counting: bool = True
    available: dict[Key, str] = field(factory=dict)
    needs: set[str] = field(factory=set)
    facts: dict[str, str] = field(factory=dict)
    budget: int = INLINED_NODES
    inlining: tuple[Declared, ...] = ()
    used_parts: dict[str, set[str]] = field(factory=dict)
    outputs: dict[str, str] | None = None
    _fresh: int = 0

    # -- lines ------------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append((self.indent, text))

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Write a line and a block below it; expressions computed in the block are not available after it."""
        self.line(head)
        with self.branch():
            self.indent += 1
            before = len(self.lines)
            yield
            if len(self.lines) == before:
                self.line("pass")
            self.indent -= 1

    @contextmanager
    def branch(self) -> Iterator[None]:
        """Enter a branch; expressions computed in it are not available after it."""
        saved = dict(self.available)
        yield
        self.available = {key: text for key, text in saved.items() if self.available.get(key) == text}

    def captured(self, write: Callable[[], T]) -> tuple[list[Line], T]:
        """Return the lines that *write* produces, one level deeper, without adding them to the function."""
        outside, self.lines = self.lines, []
        self.indent += 1
        result = write()
        self.indent -= 1
        captured, self.lines = self.lines, outside
        return captured, result

    def fresh(self, letter: str = "t") -> str:
        """Return a new name."""
        self._fresh += 1
        return f"{letter}{self._fresh}"

    def need(self, name: str) -> str:
        """Return a variable, to be set up by the first lines of the function."""
        self.needs.add(name)
        return name

    def constant(self, value: Any) -> str:
        """Return the source of a constant."""
        return self.context.pool.constant(value)

    # -- values -----------------------------------------------------------------------------------------------

    def value(self, e: ir.Expr) -> str:
        """Return the source of an expression, to be evaluated once, at this point."""
        return self.translate(self, e)

    def needed(self, e: ir.Expr) -> str:
        """Return the source of an expression with a check that it is not ``none``."""
        text = self.value(e)
        return text if is_something(self.kind(e)) else f"needed({text}, {self.context.pool.shared(e)})"

    def kind(self, e: ir.Expr) -> Type:
        """Return the type of an expression."""
        return self.context.types.of(e, self.frame.kinds)

    def named(self, text: str) -> str:
        """Return a name or a constant for source that is used several times; assign a temporary if needed."""
        if is_name(text):
            return text
        return self.temporary(text)

    def stable(self, text: str) -> str:
        """Return source whose value does not change when locals change; assign a temporary if needed."""
        return text if fixed(text) else self.temporary(text)

    def temporary(self, text: str) -> str:
        """Assign source to a new temporary and return its name."""
        name = self.fresh()
        self.line(f"{name} = {text}")
        return name

    def atom(self, e: ir.Expr) -> str:
        """Return a name or a constant for an expression."""
        return self.named(self.value(e))

    def values(self, items: Sequence[ir.Expr]) -> list[str]:
        """Return the source of several expressions, evaluated in order.

        If a later expression needs statements, the values of the earlier ones are assigned to temporaries first.
        """
        return self.in_order([lambda item=item: self.value(item) for item in items])  # type: ignore[misc]

    def in_order(self, writers: Sequence[Callable[[], str]]) -> list[str]:
        """Return several pieces of source that are evaluated in order."""
        texts: list[str] = []
        for write in writers:
            before = len(self.lines)
            text = write()
            if len(self.lines) > before:
                texts = self._kept_before(before, texts)
            texts.append(text)
        return texts

    def _kept_before(self, index: int, texts: list[str]) -> list[str]:
        kept, fresh = [], []
        for text in texts:
            name = text if fixed(text) else self.fresh()
            if name != text:
                fresh.append((self.indent, f"{name} = {text}"))
            kept.append(name)
        self.lines[index:index] = fresh
        return kept

    def atoms_of(self, writers: Sequence[Callable[[], str]]) -> list[str]:
        """Return names or constants for several pieces of source, evaluated in order."""
        return [self.named(text) for text in self.in_order(writers)]

    def atoms(self, items: Sequence[ir.Expr]) -> list[str]:
        """Return names or constants for several expressions, evaluated in order."""
        return [self.named(text) for text in self.values(items)]

    # -- locals -----------------------------------------------------------------------------------------------

    def local(self, name: str) -> str:
        """Return the Python source of a local."""
        if name not in self.frame.texts:
            self.frame.texts[name] = self.fresh("v")
        return self.frame.texts[name]

    def part(self, name: str, part: str) -> str | None:
        """Return the variable of a part of a local, or ``None`` if the local is not split into parts."""
        parts = self.frame.plan.parts.get(name)
        return None if parts is None else f"{self.local(name)}_{part}"

    def parts(self, name: str) -> frozenset[str]:
        """Return the parts of a local that need a variable."""
        return self.frame.plan.parts.get(name, frozenset([WHOLE]))

    def assign(self, name: str, text: str) -> None:
        """Write an assignment to a local."""
        self.line(f"{self.variable(name)} = {text}")

    def variable(self, name: str) -> str:
        """Return the variable of a local for an assignment; expressions computed from the old value become stale."""
        variable = self.local(name)
        parts = f"{variable}_"
        self.available = {
            key: text
            for key, text in self.available.items()
            if not any(piece == variable or piece.startswith(parts) for piece in key)
        }
        return variable

    @contextmanager
    def each(self, variable: str, items: str, over: ir.Expr) -> Iterator[None]:
        """Write a loop over a list and the lists parallel to it."""
        parallel = self.frame.parallel.get(over.name, {}) if isinstance(over, ir.Local) else {}
        names = {name: self.fresh() for name in parallel}
        lists = ", ".join([items, *parallel.values()])
        head = f"{', '.join([variable, *names.values()])} in {f'zip({lists})' if parallel else items}"
        with self.block(f"for {head}:"):
            self.available |= {(FROM_LOCALS, self.local(name), variable): text for name, text in names.items()}
            yield

    def drop_state_expressions(self) -> None:
        """Drop the available expressions that read the state, because the state changes."""
        self.available = {key: text for key, text in self.available.items() if key[0] != FROM_STATE}

    def keep_fact_expressions(self) -> None:
        """Drop all available expressions except those of facts alone, at the start or end of a loop."""
        self.available = {key: text for key, text in self.available.items() if key[0] == FROM_FACTS}

    @contextmanager
    def framed(self, frame: Frame, declared: Declared | None = None) -> Iterator[None]:
        """Write with other locals in scope."""
        outside, self.frame = self.frame, frame
        outer = self.inlining
        if declared is not None:
            self.inlining = (*outer, declared)
        yield
        self.frame, self.inlining = outside, outer

    @property
    def records(self) -> str:
        """The variable with the current fields of all records."""
        return self.need("records")

    @property
    def decks(self) -> str:
        """The variable with the remaining cards of all decks."""
        return self.need("decks")

    def machine(self) -> str:
        """Return the variable with the shared state of the run; an entry point creates it on first use."""
        key = FROM_FACTS, "m"
        if self.is_entry and key not in self.available:
            for name in ("options", "facts", "state", "asker", "effects"):
                self.need(name)
            self.line(MACHINE)
            self.available[key] = "m"
        return self.need("m")

    def changed(self) -> None:
        """Reload records and decks after a change of the state, and drop the expressions that read the old state."""
        self.line(LOAD_RECORDS)
        self.line(LOAD_DECKS)
        self.drop_state_expressions()

    # -- other declarations -----------------------------------------------------------------------------------

    def should_inline(self, declared: Declared, nodes: int) -> bool:
        """Decide whether to inline a declaration instead of calling its function."""
        if declared in self.inlining or len(self.inlining) >= INLINED_DEPTH or nodes > self.budget:
            return False
        self.budget -= nodes
        return True

    def call(self, function: str, args: Sequence[str], result: bool = True) -> str:
        """Write a call of a generated function, and return the name of its result."""
        name = self.fresh() if result else ""
        self.machine()
        self.line(SAVE_STEPS)
        self.line(f"{name + ' = ' if result else ''}{function}({', '.join(['m', *args])})")
        self.line(LOAD_STEPS)
        return name

    def depth_text(self, deeper: int = 0) -> str:
        """Return the source of the call depth at this line."""
        inner = self.depth + deeper
        return str(inner) if self.is_entry else "depth" if not inner else f"depth + {inner}"

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Write the body or the call of a procedure, an effect or a definition, one level deeper."""
        self.depth += 1
        limit = self.context.limits.depth
        if self.is_entry and self.depth > limit:
            self.line(f"too_deep({limit})")
        elif not self.is_entry and self.context.counts_depth:
            self.line(f"if {self.depth_text()} > {limit}: too_deep({limit})")
        yield
        self.depth -= 1

    def tick(self, count: int = 1) -> None:
        """Count steps, if steps count at this line."""
        if self.counting and count:
            self.need("steps")
            self.line(f"steps += {count}")

    def check_steps(self) -> None:
        """Write the check of the step limit."""
        self.need("steps")
        limit = self.context.limits.steps
        self.line(f"if steps > {limit}: too_many_steps({limit})")
        if self.context.limits.is_timed:
            self.line("check_time()")
