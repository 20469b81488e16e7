"""Events that a host reports: what the rules start in reaction, or why they start nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from attrs import frozen

from enfilade.api.describe import event_inputs
from enfilade.api.prepared import PreparedRules
from enfilade.api.runs import Run, Seed, Start, advance
from enfilade.core import ir
from enfilade.core.evaluate import Machine
from enfilade.core.inputs import facts_to_data
from enfilade.core.run import Frame
from enfilade.engines.askers import ScriptAsker


@frozen
class Started:
    """A reaction has begun.

    Attributes:
        procedure: What was started.
        run: The run, at its first question or its end.
        cites: The citations of the reaction.
    """

    procedure: str
    run: Run
    cites: tuple[str, ...]

    @property
    def starts(self) -> Literal[True]:
        """Something was started."""
        return True

    def to_json(self) -> dict[str, Any]:
        """Give the reaction as plain data: what it asks, or how it ended."""
        question, outcome = self.run.question, self.run.outcome
        return {
            "starts": True,
            "procedure": self.procedure,
            "cites": list(self.cites),
            "question": None if question is None else question.to_json(),
            "outcome": None if outcome is None else outcome.to_json(),
        }


@frozen
class NotStarted:
    """A reaction does not take place.

    Attributes:
        reason: The name of the reason.
        message: Its sentence.
        cites: The citations of its line.
    """

    reason: str
    message: str
    cites: tuple[str, ...]

    @property
    def starts(self) -> Literal[False]:
        """Nothing was started."""
        return False

    def to_json(self) -> dict[str, Any]:
        """Give the reason as plain data."""
        return {"starts": False, "reason": self.reason, "message": self.message, "cites": list(self.cites)}


def deliver(
    rules: PreparedRules, event: str, facts: Mapping[str, Any], options: Mapping[str, Any], seed: Seed
) -> tuple[Started | NotStarted, ...]:
    """Tell the rules of an event.

    Args:
        rules: The ruleset.
        event: The event, which it knows.
        facts: The facts by the caller's names.
        options: The value of every option.
        seed: What the dice of what is started come from: those of the first run from the seed itself.
    """
    program = rules.program
    converted, state = rules.reader(event_inputs(program, event)).read(facts)
    machine = Machine(program, options, converted, state, ScriptAsker())
    reactions = [reaction for reaction in program.reactions if reaction.event == event]
    starts: list[Started | NotStarted] = []
    begun = 0
    for reaction in reactions:
        for line, given in _lines(machine, reaction):
            if isinstance(line, ir.Unless):
                starts.append(NotStarted(line.slug, line.note.label or "", line.note.cites))
            else:
                data = facts_to_data(program, {**converted, **given}, state)
                start = Start(line.procedure, options, data, event=event, seed=_seed_of(seed, begun))
                begun += 1
                cites = line.note.cites or reaction.note.cites
                starts.append(Started(line.procedure, advance(rules, start, ()), cites))
    return tuple(starts)


def _seed_of(seed: Seed, number: int) -> Seed:
    """The seed of one of the runs that an event starts, counted from 0: two of them don't roll the same dice."""
    return seed if seed is None or number == 0 else f"{seed} start {number + 1}"


def _lines(machine: Machine, reaction: ir.Reaction) -> Iterator[tuple[ir.Unless | ir.Start, dict[str, Any]]]:
    """The lines that count: what is started with its own facts, up to a reason that holds."""
    for line in reaction.lines:
        if isinstance(line, ir.Start):
            yield line, {name: machine.value(arg, Frame()) for name, arg in line.args}
        elif machine.value(line.condition, Frame()):
            yield line, {}
            return
