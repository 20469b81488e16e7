"""Execution of procedures: the only place where the API calls an engine for play.

The compiled engine runs procedures. For explanations the reference evaluator replays a run with an observer; its results
are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from attrs import evolve, frozen

from enfilade.core import ir
from enfilade.core.answers import LogEntry
from enfilade.core.evaluate import Machine
from enfilade.core.events import Observer
from enfilade.core.inputs import declared_input
from enfilade.core.needed_facts import needed_facts_of
from enfilade.core.requests import Asker
from enfilade.core.run import Refused
from enfilade.engines.askers import FactsFirst, Recording, ScriptAsker
from enfilade.engines.compile import Compiled
from enfilade.engines.compile.engine import Scripted
from enfilade.engines.explanation import Explanation
from enfilade.engines.fact_reader import FactReader
from enfilade.engines.failed_place import failed_place
from enfilade.engines.replay import ReplayAsker, Suspend, SuspendAsker
from enfilade.engines.trace import Tracer
from enfilade.errors import RunError
from enfilade.limits import DEFAULT_LIMITS, Limits, one_call, within
from enfilade.values.data import Performed, State

Log: TypeAlias = tuple[LogEntry, ...]
"""The answers of a run, in the order of the questions."""

Ending: TypeAlias = tuple[Mapping[str, Any], tuple[Performed, ...], State]
"""The result of a procedure: its outputs, the performed effects, and the final records and decks."""

Player: TypeAlias = Callable[[Mapping[str, Any], Mapping[str, Any], State, Asker], Ending]
"""Runs one procedure with options, facts, a state and an asker; raises ``Refused`` if the rules refuse."""


def reference_player(
    program: ir.Program, procedure: str, observer: Observer | None = None, limits: Limits = DEFAULT_LIMITS
) -> Player:
    """Return a function that runs a procedure with the reference evaluator.

    Args:
        program: The ruleset.
        procedure: The name of the procedure.
        observer: Called with each event.
        limits: The limits of the run.
    """

    def play(options: Mapping[str, Any], facts: Mapping[str, Any], state: State, asker: Asker) -> Ending:
        machine = Machine(program, options, facts, state, asker, observer, limits)
        with one_call(limits):
            outputs = machine.run(procedure)
        return outputs, tuple(machine.effects), machine.state

    return play


class HasLog(Protocol):
    """An object with the log of a run."""

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """The logged answers."""


@frozen
class KeptLog:
    """The log of a run that is already known."""

    log: tuple[LogEntry, ...]


class Play(NamedTuple):
    """A finished run of a procedure, with everything needed to replay it.

    Attributes:
        program: The ruleset.
        procedure: The name of the procedure.
        options: The value of every option.
        facts: The given facts, by their names in the core.
        start: The state at the start.
        ending: The result; empty, with the initial state, if the rules refused.
        refused: The refusal, if the rules refused.
        record: The object with the log.
        limits: The limits of the run, and of its explanation.
    """

    program: ir.Program
    procedure: str
    options: Mapping[str, Any]
    facts: Mapping[str, Any]
    start: State
    ending: Ending
    refused: Refused | None
    record: HasLog
    limits: Limits = DEFAULT_LIMITS

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """All answers."""
        return self.record.log


class ScriptedLog:
    """The log of a run with given dice, found on demand by a replay.

    Args:
        play: The run; its own log is ignored.
        dice: The faces, in the order of the rolls.
    """

    def __init__(self, play: Play, dice: tuple[Any, ...]) -> None:
        self._play = play
        self._dice = dice

    @cached_property
    def log(self) -> tuple[LogEntry, ...]:
        """The logged answers."""
        record = Recording(ScriptAsker(self._dice))
        play = self._play
        reference_player(play.program, play.procedure, None, play.limits)(play.options, play.facts, play.start, record)
        return record.log


ScriptedPlay: TypeAlias = tuple["CompiledProcedure", Mapping[str, Any], tuple[Any, ...], tuple[Any, ...]]
"""A run on the fast path: the procedure, the options, the result of its function ``scripted``, and the dice."""


_SCRIPTED_PARTS: Final = 4
_FINER: Final = 10

PlayParts: TypeAlias = tuple[Any, ...]
"""The attributes of a ``Play``, or a ``ScriptedPlay``: plain tuples, because they are faster to make."""


def play_of(parts: PlayParts) -> Play:
    """Return the ``Play`` of an outcome, converted from a run on the fast path if needed (lazy evaluation).

    A run with plain facts and plain dice is kept as the compiled engine returned it, because most callers read only a
    few attributes of an outcome.
    """
    if len(parts) > _SCRIPTED_PARTS:
        return Play(*parts)
    compiled, options, found, dice = parts
    names, values, effects, end, facts, start = found
    ending = dict(zip(names, values, strict=True)), effects, end
    play = Play(compiled.program, compiled.procedure, options, facts, start, ending, None, KeptLog(()), compiled.limits)
    return play._replace(record=ScriptedLog(play, dice))


class CompiledProcedure:
    """A procedure prepared for play, with everything that is computed only once; it is compiled on first use.

    Args:
        program: The ruleset.
        procedure: The name of the procedure.
        compiled: The compiled ruleset.
        reader: Reads the facts of the procedure.
        limits: The limits of its runs.

    Attributes:
        reader: Reads the facts of the procedure.
        demanded: The facts without a default that every run needs.
    """

    def __init__(
        self, program: ir.Program, procedure: str, compiled: Compiled, reader: FactReader, limits: Limits
    ) -> None:
        self.program = program
        self.procedure = procedure
        self._needed_facts = needed_facts_of(program)
        certain = {name: declared_input(program, name) for name in self._needed_facts.certain(procedure)}
        self._compiled = compiled
        self.limits = limits
        self.reader = reader
        self.demanded = {name: found for name, found in certain.items() if not found.has_default}

    @cached_property
    def play(self) -> Player:
        """Run the procedure."""
        return within(self.limits, self._compiled.entry(self.procedure, self.limits))

    @cached_property
    def scripted(self) -> Scripted:
        """Run the procedure with plain facts and given dice, or return ``None`` in unusual cases."""
        return within(self.limits, self._compiled.scripted(self.procedure, self.limits))

    def locate(
        self, error: RunError, options: Mapping[str, Any], facts: Mapping[str, Any], state: State, log: Log
    ) -> None:
        """Note in an error where in the rules a run failed.

        Args:
            error: The error.
            options: The value of every option.
            facts: The given facts, by their names in the core.
            state: The state at the start.
            log: The answers up to the failure.
        """
        asker = ReplayAsker(log, SuspendAsker())
        # What was wrong with an answer is met nowhere when the answers are played again.
        with suppress(Suspend):
            error.place = failed_place(self.program, self.procedure, options, facts, state, asker, error, self.limits)

    def facts_first(self, facts: Mapping[str, Any], asker: Asker) -> Asker:
        """Return an asker that requests missing facts before any dice, if every run needs them."""
        missing = [found for name, found in self.demanded.items() if name not in facts]
        return FactsFirst(asker, missing, self.program.records) if missing else asker

    def facts_known(self, options: Mapping[str, Any], facts: Mapping[str, Any], asker: Asker) -> Asker:
        """Return an asker that requests missing facts before any dice, if every run with the known facts needs them."""
        certain = self._needed_facts.certain(self.procedure, options, facts)
        declared = {name: declared_input(self.program, name) for name in certain if name not in facts}
        missing = [found for found in declared.values() if not found.has_default]
        return FactsFirst(asker, missing, self.program.records) if missing else asker


def explain(play: Play) -> Explanation:
    """Replay a run with an observer, to its end or its open question, and return the explanation; nothing is rolled."""
    return traced(play, replayed(play)).explanation()


def replayed(play: Play) -> Asker:
    """Return an asker that repeats the answers of a run."""
    return ReplayAsker(play.log, SuspendAsker())


def traced(play: Play, asker: Asker) -> Tracer:
    """Replay a run with an observer.

    Args:
        play: The run.
        asker: The asker with the answers.

    Returns:
        The observer, with the steps of the run.
    """
    tracer = Tracer(play.program)
    tracer.begin(play.procedure, play.facts, play.start)
    # The run has ended, so its replay ends too; the reference evaluator counts steps more finely.
    limits = evolve(play.limits, steps=_FINER * play.limits.steps)
    player = reference_player(play.program, play.procedure, tracer, limits)
    with suppress(Refused, Suspend):
        player(play.options, play.facts, play.start, asker)
    return tracer
