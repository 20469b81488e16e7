"""Runs a procedure by the reference evaluator and by the compiled engine, and holds one to the other."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from attrs import define, field, frozen
from tests.differential.enumerate import Answers, Path

from enfilade.core import ir
from enfilade.core.evaluate import Machine
from enfilade.core.requests import Asker
from enfilade.core.run import Refused
from enfilade.engines.compile import Compiled
from enfilade.errors import InputError, LimitError, RuleError
from enfilade.limits import DEFAULT_LIMITS, Limits
from enfilade.values.data import State


@frozen
class Start:
    """What a run begins with."""

    procedure: str
    options: Mapping[str, Any]
    facts: Mapping[str, Any]
    state: State
    limits: Limits = DEFAULT_LIMITS


@define
class Run:
    """What a run came to: its outcome or its failure, and what was asked."""

    outcome: Any
    log: list[tuple[Any, Any]] = field(factory=list)


def failure(error: Exception) -> Any:
    """What of a failure must be the same."""
    match error:
        case Refused():
            return "refused", error.slug, error.note
        case InputError():
            return "input", error.errors
        case RuleError():
            return "rule", str(error), error.cites
        case LimitError():
            return "limit", error.limit
    return "crash", type(error).__name__


def by_reference(program: ir.Program, start: Start, asker: Asker) -> Any:
    """What the reference evaluator comes to."""
    machine = Machine(program, start.options, start.facts, start.state, asker, limits=start.limits)
    try:
        outputs = machine.run(start.procedure)
    except Exception as error:
        return failure(error)
    return "done", list(outputs.items()), tuple(machine.effects), machine.state


def by_compiled(compiled: Compiled, start: Start, asker: Asker) -> Any:
    """What the compiled engine comes to."""
    try:
        result = compiled.run(start.procedure, start.options, start.facts, start.state, asker, start.limits)
    except Exception as error:
        return failure(error)
    return "done", list(result.outputs.items()), tuple(result.effects), result.state


def compare(compiled: Compiled, start: Start, path: Path, answers: Callable[[Path], Answers] = Answers) -> Run:
    """Run both ways along a path."""
    before = deepcopy((dict(start.facts), start.state))
    wanted, found = answers(path), answers(path.again())
    outcome = by_reference(compiled.program, start, wanted)
    came_to = by_compiled(compiled, start, found)
    assert found.log == wanted.log
    assert typed(came_to) == typed(outcome)
    assert (dict(start.facts), start.state) == before
    return Run(outcome, wanted.log)


def typed(value: Any) -> Any:
    """A value with its type, so that ``True`` is not 1, and a map with its order."""
    if isinstance(value, (tuple, list)):
        return type(value), [typed(item) for item in value]
    if isinstance(value, Mapping):
        return "map", [(typed(key), typed(item)) for key, item in value.items()]
    return type(value), value
