"""Runs one example with the reference evaluator, and reports how it ended.

For testing examples and for measuring their coverage. It must not compare the result with the example.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field

from enfilade.api.describe import inputs_of
from enfilade.core import ir
from enfilade.core.answers import LogEntry
from enfilade.core.evaluate import Machine
from enfilade.core.events import Called, Event, Observer
from enfilade.core.inputs import convert_facts, convert_options, declared_input
from enfilade.core.needed_facts import certain_facts
from enfilade.core.requests import Asker
from enfilade.core.run import Frame, Refused
from enfilade.engines.alignment import MOST_RUNS, Ways
from enfilade.engines.askers import FactsFirst, Recording, ScriptAsker
from enfilade.errors import InputError, InputFault, LimitError, MissingAnswer, RuleError
from enfilade.limits import go_on
from enfilade.values.data import Performed


@define
class Ending:
    """How an example ended.

    Attributes:
        outputs: The named outputs.
        effects: The effects, in order.
        refusal: The slug and the label, if the rules refused.
        faults: The input errors, if any.
        broken: The reason why the run stopped early, if there was no refusal or input error.
        lacks_dice: Whether the reason is that dice are missing.
        left_over: Dice and choices of the example that the run did not ask for.
        starts: For an event, each procedure that started, or ``""`` with the reason why none started.
        log: The answers to all questions.
        machine: The evaluator, for conditions over the end of the run; ``None`` if the run never began.
    """

    outputs: dict[str, Any] = field(factory=dict)
    effects: tuple[Performed, ...] = ()
    refusal: tuple[str, str | None] | None = None
    faults: tuple[InputFault, ...] = ()
    broken: str | None = None
    lacks_dice: bool = False
    left_over: tuple[InputFault, ...] = ()
    starts: list[tuple[str, str | None]] = field(factory=list)
    log: tuple[LogEntry, ...] = ()
    machine: Machine | None = None


def play(program: ir.Program, example: ir.Example, observer: Observer | None = None) -> Ending:
    """Play an example with the dice and choices that it lists.

    Args:
        program: The ruleset.
        example: One of its examples.
        observer: Receives the events of the run.

    Returns:
        The ending of the run.
    """
    ways = Ways()
    ways.begin()
    first, told = _observed(program, example, ways, observer)
    ending = first
    for _ in range(MOST_RUNS):
        if _fits(ending) or not ways.next():
            break
        ways.begin()
        ending, events = _observed(program, example, ways, observer)
        if _fits(ending):
            first, told = ending, events
    for event in told:
        assert observer is not None
        observer(event)
    return first


def _fits(ending: Ending) -> bool:
    """Whether the dice and choices of the example fit the run."""
    return not ending.faults and not ending.left_over and ending.broken is None


def _observed(
    program: ir.Program, example: ir.Example, ways: Ways, observer: Observer | None
) -> tuple[Ending, list[Event]]:
    events: list[Event] = []
    return _played(program, example, ways, None if observer is None else events.append), events


def _played(program: ir.Program, example: ir.Example, ways: Ways, observer: Observer | None) -> Ending:
    """Play an example once."""
    go_on()
    ending = Ending()
    script = ScriptAsker(list(example.faces), list(example.choices), ways=ways)
    recording = Recording(script)
    try:
        ending.machine = _machine(program, example, recording, observer)
        _run(ending.machine, example, ending)
    except Refused as refused:
        ending.refusal = (refused.slug, refused.note.label)
    except MissingAnswer as missing:
        _note_missing(missing, ending)
    except InputError as wrong:
        ending.faults = wrong.errors
    except (RuleError, LimitError) as error:
        ending.broken = str(error)
    ending.log = recording.log
    if ending.machine is not None:
        ending.effects = tuple(ending.machine.effects)
    if not ending.faults and ending.broken is None:
        ending.left_over = _left_over(script)
    return ending


def _note_missing(missing: MissingAnswer, ending: Ending) -> None:
    # A missing required fact is an input error; missing dice are a mistake in the example.
    if missing.kind == "fact":
        ending.faults = missing.errors
    else:
        ending.broken, ending.lacks_dice = str(missing), missing.kind == "roll"


def _left_over(script: ScriptAsker) -> tuple[InputFault, ...]:
    try:
        script.check_finished()
    except InputError as wrong:
        return wrong.errors
    return ()


def _machine(program: ir.Program, example: ir.Example, asker: Asker, observer: Observer | None) -> Machine:
    options = convert_options(program, example.options)
    facts, state = convert_facts(program, inputs_of(program, example.procedure), example.facts)
    return Machine(
        program, options, facts, state, _asking_needed_facts_first(program, example.procedure, facts, asker), observer
    )


def _asking_needed_facts_first(program: ir.Program, name: str, facts: Mapping[str, Any], asker: Asker) -> Asker:
    """Ask for the required facts of every run before any dice are rolled, as in play."""
    certain = certain_facts(program, name) if name in program.procedures else ()
    declared = [declared_input(program, fact) for fact in certain if fact not in facts]
    missing = [each for each in declared if not each.has_default]
    return FactsFirst(asker, missing, program.records) if missing else asker


def _run(machine: Machine, example: ir.Example, ending: Ending) -> None:
    if example.procedure in machine.program.procedures:
        ending.outputs = machine.run(example.procedure)
        return
    for reaction in machine.program.reactions:
        if reaction.event == example.procedure:
            _run_reaction(machine, reaction, example, ending)


def _run_reaction(machine: Machine, reaction: ir.Reaction, example: ir.Example, ending: Ending) -> None:
    frame = Frame()
    for line in reaction.lines:
        if isinstance(line, ir.Unless):
            if machine.value(line.condition, frame):
                ending.starts.append(("", line.slug))
                return
            continue
        given = {name: machine.value(arg, frame) for name, arg in line.args}
        ending.starts.append((line.procedure, None))
        if _states_results(example):
            if machine.observer is not None:
                machine.observer(Called(line.procedure, given, line.note))
            outside, machine.facts = machine.facts, {**machine.facts, **given}
            ending.outputs |= machine.run(line.procedure)
            machine.facts = outside


def _states_results(example: ir.Example) -> bool:
    """Whether the example of an event states results or answers of the started procedures, so they must run too."""
    answers = example.faces or example.choices
    results = example.gives or example.effects or example.no_effects or example.expect or example.refused
    return bool(answers or results)
