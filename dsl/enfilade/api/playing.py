"""Runs a procedure: the one place where the API meets an engine.

``Player`` is the seam. The reference evaluator plays like that, and so may a faster engine that comes to the
same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, Protocol, TypeAlias

from attrs import frozen

from enfilade.core import ir
from enfilade.core.answers import LogEntry
from enfilade.core.asking import Asker
from enfilade.core.demands import certain_facts
from enfilade.core.evaluate import Machine
from enfilade.core.events import Observer
from enfilade.core.ground import Refused
from enfilade.core.inputs import declared_input
from enfilade.core.quick import Quick, quick_reader
from enfilade.core.values import Performed, State
from enfilade.engines.replay import ReplayAsker, SuspendAsker
from enfilade.engines.sample import FactsFirst
from enfilade.engines.trace import Explanation, Tracer

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


@frozen(eq=False)
class Way:
    """What it takes to play one procedure, made once.

    Attributes:
        play: Plays it.
        quick: Converts facts that are plainly right.
        certain: The facts without a default that it is sure to look at.
        declared: Their declarations.
    """

    play: Player
    quick: Quick
    certain: frozenset[str]
    declared: Mapping[str, ir.Input]

    def asker(self, facts: Mapping[str, Any], asker: Asker) -> Asker:
        """Who answers: facts that are sure to be needed come before dice."""
        if self.certain <= facts.keys():
            return asker
        missing = [declared for name, declared in self.declared.items() if name not in facts]
        return FactsFirst(asker, missing)


def way_of(program: ir.Program, procedure: str, play: Player) -> Way:
    """Make ready to play a procedure.

    Args:
        program: The ruleset.
        procedure: Its name.
        play: What plays it.
    """
    certain = {name: declared_input(program, name) for name in certain_facts(program, procedure)}
    declared = {name: found for name, found in certain.items() if not found.has_default}
    quick = quick_reader(program, program.procedures[procedure].inputs)
    return Way(play, quick, frozenset(declared), declared)


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


def played(
    way: Way, program: ir.Program, procedure: str, options: Mapping[str, Any], facts: Mapping[str, Any], start: State,
    asker: Asker, record: HasLog,
) -> Play:  # fmt: skip
    """Play a procedure, to its end or to a refusal.

    Args:
        way: What plays it.
        program: The ruleset.
        procedure: Its name.
        options: The value of every option.
        facts: The facts that were given, by their names in the core.
        start: The state at the start.
        asker: Who answers.
        record: What holds every answer.
    """
    try:
        ending = way.play(options, facts, start, way.asker(facts, asker))
    except Refused as refused:
        return Play(program, procedure, options, facts, start, ({}, (), start), refused, record)
    # The way round the argument names: this is made for every combat.
    return tuple.__new__(Play, (program, procedure, options, facts, start, ending, None, record))


def explain(play: Play) -> Explanation:
    """Play the same again with somebody listening; nothing is asked or rolled."""
    tracer = Tracer(play.program)
    tracer.begin(play.procedure, play.facts)
    player = reference_player(play.program, play.procedure, tracer)
    with suppress(Refused):
        player(play.options, play.facts, play.start, ReplayAsker(play.log, SuspendAsker()))
    return tracer.explanation()
