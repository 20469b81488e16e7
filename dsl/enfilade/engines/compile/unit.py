"""One function that is being written: its lines, its locals, and what is already at hand at the current line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

from attrs import define, field

from enfilade.core import ir
from enfilade.core.traits import Unit as Declared
from enfilade.core.types import Type
from enfilade.engines.compile.context import Context
from enfilade.engines.compile.frames import WHOLE, Frame
from enfilade.engines.compile.specialised_types import is_something
from enfilade.engines.compile.writer import (
    LOAD_DECKS,
    LOAD_RECORDS,
    LOAD_STEPS,
    MACHINE,
    SAVE_STEPS,
    Line,
    fixed,
    is_name,
)

T = TypeVar("T")
Key: TypeAlias = tuple[str, ...]

# What something at hand was worked out from, the first part of its key.
FROM_FACTS = "facts"
FROM_LOCALS = "locals"
FROM_STATE = "state"

INLINED_NODES = 3_000
INLINED_DEPTH = 10


@define(eq=False)
class Writer:
    """A function in the making.

    Attributes:
        context: What all functions of the ruleset share.
        translate: Turns an expression into text; given from outside, for the modules that write the kinds of nodes
            need each other.
        execute: Writes a statement.
        changes: Whether it, or what it calls, changes the state.
        is_entry: Whether it is what a host calls, not what other functions call.
        is_procedure: Whether it is a procedure, which ``stop`` ends.
        script: How it takes dice that are given beforehand: "one" where there is a single roll, "many", or not at all.
        inputs: The facts that a host can give it, where it takes them as they are given.
        frame: The locals at hand.
        lines: What is written so far.
        indent: Of the current line.
        place: The text of where the run is in its loops, for the names of rolls.
        depth: How deep procedures, effects and definitions stand in each other, beyond the function's own depth.
        counting: Whether statements count as steps here.
        at_hand: What was worked out on every way to the current line: the text under which it is kept.
        needs: The variables that the function has to begin with.
        facts: The facts with a default that it uses, and their variables.
        budget: How many more nodes of other declarations may be written in place.
        open: The declarations that are being written in place.
        tallied: The parts that are used of each block of modifiers.
        outputs: The texts of what was given so far, where all is given in one way; else it goes into a variable.
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
    at_hand: dict[Key, str] = field(factory=dict)
    needs: set[str] = field(factory=set)
    facts: dict[str, str] = field(factory=dict)
    budget: int = INLINED_NODES
    open: tuple[Declared, ...] = ()
    tallied: dict[str, set[str]] = field(factory=dict)
    outputs: dict[str, str] | None = None
    _fresh: int = 0

    # -- lines ------------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append((self.indent, text))

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Write a line and what stands below it; what is worked out there is not at hand after it."""
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
        """What is worked out within may not have been worked out after it."""
        saved = dict(self.at_hand)
        yield
        self.at_hand = {key: text for key, text in saved.items() if self.at_hand.get(key) == text}

    def captured(self, write: Callable[[], T]) -> tuple[list[Line], T]:
        """The lines that something writes, one level deeper, instead of writing them."""
        outside, self.lines = self.lines, []
        self.indent += 1
        result = write()
        self.indent -= 1
        captured, self.lines = self.lines, outside
        return captured, result

    def fresh(self, letter: str = "t") -> str:
        """A name that this function does not have yet."""
        self._fresh += 1
        return f"{letter}{self._fresh}"

    def need(self, name: str) -> str:
        """A variable that the function begins with."""
        self.needs.add(name)
        return name

    def constant(self, value: Any) -> str:
        """The text of a constant."""
        return self.context.pool.constant(value)

    # -- values -----------------------------------------------------------------------------------------------

    def value(self, e: ir.Expr) -> str:
        """The text of an expression, to be evaluated once and now."""
        return self.translate(self, e)

    def needed(self, e: ir.Expr) -> str:
        """The text of an expression where ``none`` can't stand."""
        text = self.value(e)
        return text if is_something(self.kind(e)) else f"needed({text}, {self.context.pool.shared(e)})"

    def kind(self, e: ir.Expr) -> Type:
        """The type of an expression."""
        return self.context.types.of(e, self.frame.kinds)

    def kept(self, text: str) -> str:
        """A text that may stand in several places: a name or a constant, set now if need be."""
        if is_name(text):
            return text
        return self.set(text)

    def stable(self, text: str) -> str:
        """A text that may stand where locals have changed since."""
        return text if fixed(text) else self.set(text)

    def set(self, text: str) -> str:
        """Keep what a text comes to now under a name of its own."""
        name = self.fresh()
        self.line(f"{name} = {text}")
        return name

    def atom(self, e: ir.Expr) -> str:
        """An expression as a name or a constant."""
        return self.kept(self.value(e))

    def values(self, items: Sequence[ir.Expr]) -> list[str]:
        """Several expressions, in order: what an earlier one gives is kept where a later one needs lines."""
        return self.in_order([lambda item=item: self.value(item) for item in items])  # type: ignore[misc]

    def in_order(self, writers: Sequence[Callable[[], str]]) -> list[str]:
        """Several texts that are evaluated one after the other."""
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
        """Several texts as names or constants, evaluated one after the other."""
        return [self.kept(text) for text in self.in_order(writers)]

    def atoms(self, items: Sequence[ir.Expr]) -> list[str]:
        """Several expressions as names or constants, evaluated in order."""
        return [self.kept(text) for text in self.values(items)]

    # -- locals -----------------------------------------------------------------------------------------------

    def local(self, name: str) -> str:
        """What a local is called."""
        if name not in self.frame.texts:
            self.frame.texts[name] = self.fresh("v")
        return self.frame.texts[name]

    def part(self, name: str, part: str) -> str | None:
        """The variable of a part of a local, where it is kept in parts."""
        parts = self.frame.plan.parts.get(name)
        return None if parts is None else f"{self.local(name)}_{part}"

    def parts(self, name: str) -> frozenset[str]:
        """The parts that are to be kept of a local."""
        return self.frame.plan.parts.get(name, frozenset([WHOLE]))

    def assign(self, name: str, text: str) -> None:
        """Give a local a value."""
        self.line(f"{self.variable(name)} = {text}")

    def variable(self, name: str) -> str:
        """A local that gets a value now: nothing that was worked out from it is at hand any more."""
        variable = self.local(name)
        parts = f"{variable}_"
        self.at_hand = {
            key: text
            for key, text in self.at_hand.items()
            if not any(piece == variable or piece.startswith(parts) for piece in key)
        }
        return variable

    @contextmanager
    def each(self, variable: str, items: str, over: ir.Expr) -> Iterator[None]:
        """Write a loop over a list, with what goes beside its elements."""
        beside = self.frame.beside.get(over.name, {}) if isinstance(over, ir.Local) else {}
        names = {name: self.fresh() for name in beside}
        lists = ", ".join([items, *beside.values()])
        head = f"{', '.join([variable, *names.values()])} in {f'zip({lists})' if beside else items}"
        with self.block(f"for {head}:"):
            self.at_hand |= {(FROM_LOCALS, self.local(name), variable): text for name, text in names.items()}
            yield

    def forget_state(self) -> None:
        """The state changes: nothing that was read from it is at hand any more."""
        self.at_hand = {key: text for key, text in self.at_hand.items() if key[0] != FROM_STATE}

    def forget_but_facts(self) -> None:
        """A loop begins or ends: what was worked out before it may have changed within."""
        self.at_hand = {key: text for key, text in self.at_hand.items() if key[0] == FROM_FACTS}

    @contextmanager
    def framed(self, frame: Frame, declared: Declared | None = None) -> Iterator[None]:
        """Write with other locals at hand."""
        outside, self.frame = self.frame, frame
        opened = self.open
        if declared is not None:
            self.open = (*opened, declared)
        yield
        self.frame, self.open = outside, opened

    @property
    def records(self) -> str:
        """The fields of all records, as they are now."""
        return self.need("records")

    @property
    def decks(self) -> str:
        """What is left in all decks."""
        return self.need("decks")

    def machine(self) -> str:
        """What the functions of the run share; a host's function makes it when it is first needed."""
        key = FROM_FACTS, "m"
        if self.is_entry and key not in self.at_hand:
            for name in ("options", "facts", "state", "asker", "effects"):
                self.need(name)
            self.line(MACHINE)
            self.at_hand[key] = "m"
        return self.need("m")

    def changed(self) -> None:
        """The state has changed: nothing that was read from it is at hand any more."""
        self.line(LOAD_RECORDS)
        self.line(LOAD_DECKS)
        self.forget_state()

    # -- other declarations -----------------------------------------------------------------------------------

    def writes_in_place(self, declared: Declared, nodes: int) -> bool:
        """Whether a declaration is written here, instead of calling a function for it."""
        if declared in self.open or len(self.open) >= INLINED_DEPTH or nodes > self.budget:
            return False
        self.budget -= nodes
        return True

    def call(self, function: str, args: Sequence[str], result: bool = True) -> str:
        """Call a generated function, and keep what it gives."""
        name = self.fresh() if result else ""
        self.machine()
        self.line(SAVE_STEPS)
        self.line(f"{name + ' = ' if result else ''}{function}({', '.join(['m', *args])})")
        self.line(LOAD_STEPS)
        return name

    def depth_text(self, deeper: int = 0) -> str:
        """How deep the run is here."""
        inner = self.depth + deeper
        return str(inner) if self.is_entry else "depth" if not inner else f"depth + {inner}"

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Within a procedure, an effect or a definition that is written in place or called."""
        self.depth += 1
        limit = self.context.limits.depth
        if self.is_entry and self.depth > limit:
            self.line(f"too_deep({limit})")
        elif not self.is_entry and self.context.counts_depth:
            self.line(f"if {self.depth_text()} > {limit}: too_deep({limit})")
        yield
        self.depth -= 1

    def tick(self, count: int = 1) -> None:
        """Count steps, where counting is called for."""
        if self.counting and count:
            self.need("steps")
            self.line(f"steps += {count}")

    def check_steps(self) -> None:
        """Stop where the run took too many steps."""
        self.need("steps")
        limit = self.context.limits.steps
        self.line(f"if steps > {limit}: too_many_steps({limit})")
