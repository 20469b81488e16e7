"""Event handling: the host reports an event, and the rules start procedures in reaction or give a reason not to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from attrs import frozen

from enfilade.api.describe import event_inputs
from enfilade.api.prepared import PreparedRules
from enfilade.api.runs import Run, Seed, Start, advance, derived_seed
from enfilade.core import ir
from enfilade.core.evaluate import Machine
from enfilade.core.inputs import facts_to_data
from enfilade.core.run import Frame
from enfilade.door import with_doors
from enfilade.engines.askers import ScriptAsker


@with_doors
@frozen
class Started:
    """A reaction that starts a procedure.

    Attributes:
        procedure: The name of the procedure.
        run: The run, at its first question or its end.
        cites: The citations of the reaction.
    """

    procedure: str
    run: Run
    cites: tuple[str, ...]

    @property
    def starts(self) -> Literal[True]:
        """Always true: the reaction starts a procedure."""
        return True

    def to_json(self) -> dict[str, Any]:
        """Return the reaction as plain data, with the question or the outcome of its run."""
        question, outcome = self.run.question, self.run.outcome
        return {
            "starts": True,
            "procedure": self.procedure,
            "cites": list(self.cites),
            "question": None if question is None else question.to_json(),
            "outcome": None if outcome is None else outcome.to_json(),
        }


@with_doors
@frozen
class NotStarted:
    """A reaction that does not take place.

    Attributes:
        reason: The name of the reason.
        message: The sentence of the reason.
        cites: The citations of its line.
    """

    reason: str
    message: str
    cites: tuple[str, ...]

    @property
    def starts(self) -> Literal[False]:
        """Always false: the reaction starts nothing."""
        return False

    def to_json(self) -> dict[str, Any]:
        """Return the reason as plain data."""
        return {"starts": False, "reason": self.reason, "message": self.message, "cites": list(self.cites)}


def deliver(
    rules: PreparedRules, event: str, facts: Mapping[str, Any], options: Mapping[str, Any], seed: Seed
) -> tuple[Started | NotStarted, ...]:
    """Report an event to the rules.

    Args:
        rules: The ruleset.
        event: The name of a declared event.
        facts: The facts by the caller's names.
        options: The value of every option.
        seed: The seed of the dice of the first run; the seeds of later runs are derived from it.
    """
    program = rules.program
    converted, state = rules.reader(event_inputs(program, event)).read({**facts})
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
    """Return the seed of a run that an event starts, counted from 0; each run gets different dice."""
    return seed if seed is None or number == 0 else derived_seed(seed, f"start {number + 1}")


def _lines(machine: Machine, reaction: ir.Reaction) -> Iterator[tuple[ir.Unless | ir.Start, dict[str, Any]]]:
    """Yield the lines of a reaction with their own facts, up to the first reason that is true."""
    for line in reaction.lines:
        if isinstance(line, ir.Start):
            yield line, {name: machine.value(arg, Frame()) for name, arg in line.args}
        elif machine.value(line.condition, Frame()):
            yield line, {}
            return
