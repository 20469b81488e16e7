"""Play: each procedure compiled once to Python, from the nodes of the core, with names of our own.

The reference evaluator says what rules mean; this runs them fast, and is held to it by tests that compare the two over
every throw. What is asked, and in which order, what comes out, and how a run fails are the same. Only steps are
counted more coarsely, so that ``LimitError("steps")`` may come a little earlier or later.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from enfilade.core import ir
from enfilade.core.limits import DEFAULT_LIMITS, Limits
from enfilade.core.requests import Asker
from enfilade.core.values import Performed, State
from enfilade.engines.compile.engine import Engine, Entry, Scripted
from enfilade.engines.compile.specialised_types import SpecialisedTypes

__all__ = ["Compiled", "CompiledResult", "compile_program"]

_MOST_LIMITS: Final = 8


class CompiledResult:
    """What a run came to.

    Attributes:
        outputs: What the procedure gave.
        effects: The effects that were performed, in order.
        state: The records and decks at the end.
    """

    __slots__ = ("effects", "outputs", "state")

    def __init__(self, outputs: dict[str, Any], effects: tuple[Performed, ...], state: State) -> None:
        self.outputs = outputs
        self.effects = effects
        self.state = state


class Compiled:
    """A ruleset whose procedures are compiled when they are first run."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._types = SpecialisedTypes(program)
        self._engines: dict[Limits, Engine] = {}
        self._entries: dict[str, Entry] = {}

    def run(
        self, procedure: str, options: Mapping[str, Any], facts: Mapping[str, Any], state: State, asker: Asker,
        limits: Limits = DEFAULT_LIMITS,
    ) -> CompiledResult:  # fmt: skip
        """Run a procedure to its end.

        Args:
            procedure: Its name.
            options: The value of every option.
            facts: The facts that were given, converted.
            state: The records and decks at the start.
            asker: Who answers.
            limits: How far the run may go.

        Returns:
            What came of it.

        Raises:
            Refused: The rules do not allow it.
            InputError: What was answered is not among the answers, or two facts exclude each other.
            RuleError: The rules ran into something that they do not provide for.
            LimitError: A limit was reached.
        """
        entry = self._entries.get(procedure) if limits is DEFAULT_LIMITS else None
        if entry is None:
            entry = self.entry(procedure, limits)
        return CompiledResult(*entry(options, facts, state, asker))

    def entry(self, procedure: str, limits: Limits = DEFAULT_LIMITS) -> Entry:
        """The function that runs a procedure, for a host that runs it often."""
        entry = self._engine(limits).entry(procedure)
        if limits is DEFAULT_LIMITS:
            self._entries[procedure] = entry
        return entry

    def scripted(self, procedure: str) -> Scripted:
        """The fast path for facts as a caller gives them and dice that were rolled already.

        Returns:
            A function of options, facts and a list of faces. It returns the names of the outputs, their values, the
            effects, the state at the end, the converted facts and the state at the start; or ``None`` if anything is
            unusual: a value that is not in canonical form, a choice, a refusal, too few dice or too many. Then nothing
            has happened, and ``entry`` says what is wrong. The dictionary of facts may be changed to canonical form.
        """
        return self._engine(DEFAULT_LIMITS).scripted(procedure)

    def source(self, procedure: str, kind: str = "entry") -> str:
        """The Python text of a procedure, to be looked at."""
        return Engine(self.program, DEFAULT_LIMITS, self._types).source(kind, procedure, "run")

    def _engine(self, limits: Limits) -> Engine:
        if limits not in self._engines:
            if len(self._engines) >= _MOST_LIMITS:
                self._engines.pop(next(iter(self._engines)))
            self._engines[limits] = Engine(self.program, limits, self._types)
        return self._engines[limits]


def compile_program(program: ir.Program) -> Compiled:
    """Make a checked ruleset ready to be played."""
    return Compiled(program)
