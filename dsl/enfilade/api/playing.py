"""Runs a procedure: the one place where the API meets an engine.

``Player`` is the seam. Today it is the reference evaluator; a faster engine that comes to the same may take
its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from attrs import frozen

from enfilade.core import ir
from enfilade.core.answers import LogEntry
from enfilade.core.asking import Asker
from enfilade.core.demands import certain_facts
from enfilade.core.evaluate import Machine, Refused
from enfilade.core.events import Observer
from enfilade.core.inputs import declared_input
from enfilade.core.values import Performed, State
from enfilade.engines.replay import ReplayAsker, SuspendAsker
from enfilade.engines.sample import FactsFirst
from enfilade.engines.trace import Explanation, Tracer


class Ending(NamedTuple):
    """How a procedure ended.

    Attributes:
        outputs: What it gave.
        effects: What it performed.
        state: What became of the records and decks.
        refused: Whether the rules refused it; then nothing is given, performed or changed.
    """

    outputs: Mapping[str, Any]
    effects: tuple[Performed, ...]
    state: State
    refused: Refused | None = None


Player: TypeAlias = Callable[[Mapping[str, Any], Mapping[str, Any], State, Asker], Ending]
"""Plays one procedure with options, facts and a state; whoever answers is the last argument."""


def reference_player(program: ir.Program, procedure: str, observer: Observer | None = None) -> Player:
    """Play a procedure with the reference evaluator.

    Args:
        program: The ruleset.
        procedure: Its name.
        observer: Who is told what happens.
    """

    certain = [(name, declared_input(program, name)) for name in certain_facts(program, procedure)]
    demanded = [(name, declared) for name, declared in certain if not declared.has_default]

    def play(options: Mapping[str, Any], facts: Mapping[str, Any], state: State, asker: Asker) -> Ending:
        missing = [declared for name, declared in demanded if name not in facts]
        if missing:
            asker = FactsFirst(asker, missing)
        machine = Machine(program, options, facts, state, asker, observer)
        try:
            outputs = machine.run(procedure)
        except Refused as refused:
            return Ending({}, (), state, refused)
        return Ending(outputs, tuple(machine.effects), machine.state)

    return play


@frozen(eq=False)
class Play:
    """A procedure that was played, with all that it takes to play it again.

    Attributes:
        program: The ruleset.
        procedure: The procedure's name.
        options: The value of every option.
        facts: The facts that were given, by their names in the core.
        start: The state at the start.
        ending: How it ended.
        log: Every answer.
    """

    program: ir.Program
    procedure: str
    options: Mapping[str, Any]
    facts: Mapping[str, Any]
    start: State
    ending: Ending
    log: tuple[LogEntry, ...]


def explain(play: Play) -> Explanation:
    """Play the same again with somebody listening; nothing is asked or rolled."""
    tracer = Tracer(play.program)
    tracer.begin(play.procedure, play.facts)
    player = reference_player(play.program, play.procedure, tracer)
    player(play.options, play.facts, play.start, ReplayAsker(play.log, SuspendAsker()))
    return tracer.explanation()
