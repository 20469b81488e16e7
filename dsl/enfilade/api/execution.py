"""Runs a procedure: the one place where the API meets an engine.

The compiled engine plays; the reference evaluator, which comes to the same, plays again for whoever wants to know why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeAlias

from attrs import frozen

from enfilade.core import ir
from enfilade.core.answers import LogEntry
from enfilade.core.evaluate import Machine
from enfilade.core.events import Observer
from enfilade.core.inputs import declared_input
from enfilade.core.needed_facts import needed_facts_of
from enfilade.core.requests import Asker
from enfilade.core.run import Refused
from enfilade.core.values import Performed, State
from enfilade.engines.askers import FactsFirst, Recording, ScriptAsker
from enfilade.engines.compile import Compiled
from enfilade.engines.compile.engine import Scripted
from enfilade.engines.explanation import Explanation
from enfilade.engines.fact_reader import FactReader
from enfilade.engines.replay import ReplayAsker, Suspend, SuspendAsker
from enfilade.engines.trace import Tracer

Ending: TypeAlias = tuple[Mapping[str, Any], tuple[Performed, ...], State]
"""What a procedure came to: its outputs, the effects performed, and what became of records and decks."""

Player: TypeAlias = Callable[[Mapping[str, Any], Mapping[str, Any], State, Asker], Ending]
"""Plays one procedure with options, facts, a state, and whoever answers; raises ``Refused`` if the rules refuse."""


def reference_player(program: ir.Program, procedure: str, observer: Observer | None = None) -> Player:
    """Play a procedure with the reference evaluator.

    Args:
        program: The ruleset.
        procedure: Its name.
        observer: Who is told what happens.
    """

    def play(options: Mapping[str, Any], facts: Mapping[str, Any], state: State, asker: Asker) -> Ending:
        machine = Machine(program, options, facts, state, asker, observer)
        outputs = machine.run(procedure)
        return outputs, tuple(machine.effects), machine.state

    return play


class HasLog(Protocol):
    """Whatever holds the answers of a run."""

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """The answers."""


@frozen
class KeptLog:
    """The answers of a run that are known already."""

    log: tuple[LogEntry, ...]


class Play(NamedTuple):
    """A procedure that was played, with all that it takes to play it again.

    Attributes:
        program: The ruleset.
        procedure: The procedure's name.
        options: The value of every option.
        facts: The facts that were given, by their names in the core.
        start: The state at the start.
        ending: What it came to; nothing, and the state as it was, if the rules refused.
        refused: The refusal, if the rules refused.
        record: What holds every answer.
    """

    program: ir.Program
    procedure: str
    options: Mapping[str, Any]
    facts: Mapping[str, Any]
    start: State
    ending: Ending
    refused: Refused | None
    record: HasLog

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """Every answer."""
        return self.record.log


class ScriptedLog:
    """The answers of a run with dice that fell already, found by playing them once more when somebody looks.

    Args:
        play: The run; its own record is not looked at.
        dice: The faces, in the order of the rolls.
    """

    def __init__(self, play: Play, dice: tuple[Any, ...]) -> None:
        self._play = play
        self._dice = dice

    @cached_property
    def log(self) -> tuple[LogEntry, ...]:
        """The answers."""
        record = Recording(ScriptAsker(self._dice))
        play = self._play
        reference_player(play.program, play.procedure)(play.options, play.facts, play.start, record)
        return record.log


ScriptedPlay: TypeAlias = tuple["CompiledProcedure", Mapping[str, Any], tuple[Any, ...], tuple[Any, ...]]
"""A run on the fast path: the procedure, the options, what its function ``scripted`` returned, and the dice."""


def play_of(parts: Play | ScriptedPlay) -> Play:
    """Make the play of an outcome.

    A run with plain facts and plain dice is kept as the compiled engine returned it: most outcomes are asked for little.
    """
    if isinstance(parts, Play):
        return parts
    compiled, options, found, dice = parts
    names, values, effects, end, facts, start = found
    ending = dict(zip(names, values, strict=True)), effects, end
    play = Play(compiled.program, compiled.procedure, options, facts, start, ending, None, KeptLog(()))
    return play._replace(record=ScriptedLog(play, dice))


class CompiledProcedure:
    """A procedure that is ready to be played; made once.

    Args:
        program: The ruleset.
        procedure: The procedure's name.
        compiled: What plays it.
        reader: Reads its facts.

    Attributes:
        play: Plays it.
        scripted: Plays it with plain facts and dice that were rolled already, or gives up with ``None``.
        reader: Reads its facts.
        demanded: The facts without a default that it is sure to look at.
    """

    __slots__ = ("_needed_facts", "demanded", "play", "procedure", "program", "reader", "scripted")

    def __init__(self, program: ir.Program, procedure: str, compiled: Compiled, reader: FactReader) -> None:
        self.program = program
        self.procedure = procedure
        self._needed_facts = needed_facts_of(program)
        certain = {name: declared_input(program, name) for name in self._needed_facts.certain(procedure)}
        self.play: Player = compiled.entry(procedure)
        self.scripted: Scripted = compiled.scripted(procedure)
        self.reader = reader
        self.demanded = {name: found for name, found in certain.items() if not found.has_default}

    def facts_first(self, facts: Mapping[str, Any], asker: Asker) -> Asker:
        """Have the facts that are missing, and sure to be needed, demanded before any dice."""
        missing = [found for name, found in self.demanded.items() if name not in facts]
        return FactsFirst(asker, missing) if missing else asker

    def facts_known(self, options: Mapping[str, Any], facts: Mapping[str, Any], asker: Asker) -> Asker:
        """The same for one who is asked fact by fact: those too that are sure to be needed with what is known so far."""
        certain = self._needed_facts.certain(self.procedure, options, facts)
        declared = {name: declared_input(self.program, name) for name in certain if name not in facts}
        missing = [found for found in declared.values() if not found.has_default]
        return FactsFirst(asker, missing) if missing else asker


def explain(play: Play) -> Explanation:
    """Play the same again with somebody listening, up to its end or where it waits; nothing is asked or rolled."""
    return traced(play, replayed(play)).explanation()


def replayed(play: Play) -> Asker:
    """Who gives the same answers once more."""
    return ReplayAsker(play.log, SuspendAsker())


def traced(play: Play, asker: Asker) -> Tracer:
    """Play again with somebody listening, who is given back.

    Args:
        play: The run.
        asker: Who gives the answers.
    """
    tracer = Tracer(play.program)
    tracer.begin(play.procedure, play.facts, play.start)
    player = reference_player(play.program, play.procedure, tracer)
    with suppress(Refused, Suspend):
        player(play.options, play.facts, play.start, asker)
    return tracer
