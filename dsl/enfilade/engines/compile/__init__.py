"""Code generation: the compiler from the core to Python, used for play.

Each procedure is compiled once, on first use. All names in the generated code are ours, never the author's.

The reference evaluator defines the meaning of rules, and tests compare the compiled code with it for every dice
sequence of small rules. Questions, their order, results and errors are the same. Only steps are counted more coarsely,
so ``LimitError("steps")`` may be raised a little earlier or later.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from enfilade.core import ir
from enfilade.core.requests import Asker
from enfilade.engines.compile.engine import Engine, Entry, Scripted
from enfilade.engines.compile.specialised_types import SpecialisedTypes
from enfilade.limits import DEFAULT_LIMITS, Limits
from enfilade.values.data import Performed, State

__all__ = ["Compiled", "CompiledResult", "compile_program"]

_MOST_LIMITS: Final = 8


class CompiledResult:
    """The result of a run.

    Attributes:
        outputs: The outputs of the procedure, by name.
        effects: The performed effects, in order.
        state: The records and decks at the end.
    """

    __slots__ = ("effects", "outputs", "state")

    def __init__(self, outputs: dict[str, Any], effects: tuple[Performed, ...], state: State) -> None:
        self.outputs = outputs
        self.effects = effects
        self.state = state


class Compiled:
    """A ruleset with procedures that are compiled on their first run."""

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
            procedure: The name of the procedure.
            options: The value of every option.
            facts: The given facts, converted to values of the core.
            state: The records and decks at the start.
            asker: Answers rolls, draws, choices and requests for facts.
            limits: The limits on steps, depth, dice and rerolls.

        Returns:
            The outputs, the effects and the state at the end.

        Raises:
            Refused: A rule refuses the action.
            InputError: An answer is not allowed, or two facts exclude each other.
            RuleError: The rules reach a case that they do not cover, such as an empty deck.
            LimitError: The run exceeds a limit.
        """
        entry = self._entries.get(procedure) if limits is DEFAULT_LIMITS else None
        if entry is None:
            entry = self.entry(procedure, limits)
        return CompiledResult(*entry(options, facts, state, asker))

    def entry(self, procedure: str, limits: Limits = DEFAULT_LIMITS) -> Entry:
        """Return the function that runs a procedure, for callers that run it often."""
        entry = self._engine(limits).entry(procedure)
        if limits is DEFAULT_LIMITS:
            self._entries[procedure] = entry
        return entry

    def scripted(self, procedure: str, limits: Limits = DEFAULT_LIMITS) -> Scripted:
        """Return the fast path of a procedure, for unconverted facts and dice that are already rolled.

        Returns:
            A function of options, facts and a list of faces. It returns the names of the outputs, their values, the
            effects, the state at the end, the converted facts and the state at the start. In an
            unusual case (a value that is not in canonical form, a choice, a refusal, too few or too many dice) it
            returns ``None``. The run then has no effect, and the caller runs ``entry`` for the error. The function may
            replace values in the dictionary of facts by their canonical form.
        """
        return self._engine(limits).scripted(procedure)

    def source(self, procedure: str, kind: str = "entry") -> str:
        """Return the generated Python source of a procedure, for inspection."""
        return "\n\n".join(Engine(self.program, DEFAULT_LIMITS, self._types).sources(kind, procedure, "run"))

    def _engine(self, limits: Limits) -> Engine:
        if limits not in self._engines:
            if len(self._engines) >= _MOST_LIMITS:
                self._engines.pop(next(iter(self._engines)))
            self._engines[limits] = Engine(self.program, limits, self._types)
        return self._engines[limits]


def compile_program(program: ir.Program) -> Compiled:
    """Prepare a checked ruleset for play."""
    return Compiled(program)
