"""The compiled engine comes to exactly what the reference evaluator comes to: outputs, effects, state, questions, errors."""

from __future__ import annotations

import random
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

import pytest
from attrs import define, field
from tests.differential.enumerate import Answers, Path, paths
from tests.differential.programs import SOURCES, Situations, program_of

from enfilade.core import ir
from enfilade.core.evaluate import Machine
from enfilade.core.ground import Refused
from enfilade.core.limits import DEFAULT_LIMITS, Limits
from enfilade.core.values import State
from enfilade.engines.compile import Compiled, compile_program
from enfilade.errors import EnfiladeError, InputError, LimitError, RuleError

SITUATIONS: Final = 12
PATHS: Final = 40


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


def by_reference(
    program: ir.Program, name: str, options: Mapping[str, Any], facts: Mapping[str, Any], state: State, path: Path,
    limits: Limits,
) -> Run:  # fmt: skip
    answers = Answers(path)
    machine = Machine(program, options, facts, state, answers, limits=limits)
    try:
        outputs = machine.run(name)
    except Exception as error:
        return Run(failure(error), answers.log)
    return Run(("done", list(outputs.items()), tuple(machine.effects), machine.state), answers.log)


def by_compiled(
    compiled: Compiled, name: str, options: Mapping[str, Any], facts: Mapping[str, Any], state: State, path: Path,
    limits: Limits,
) -> Run:  # fmt: skip
    answers = Answers(Path(list(path.taken)))
    try:
        result = compiled.run(name, options, facts, state, answers, limits)
    except Exception as error:
        return Run(failure(error), answers.log)
    return Run(("done", list(result.outputs.items()), tuple(result.effects), result.state), answers.log)


def compare(
    compiled: Compiled, name: str, options: Mapping[str, Any], facts: Mapping[str, Any], state: State, path: Path,
    limits: Limits = DEFAULT_LIMITS,
) -> Run:  # fmt: skip
    """Run both ways along a path, and hold one to the other."""
    before = deepcopy((dict(facts), state))
    wanted = by_reference(compiled.program, name, options, facts, state, path, limits)
    found = by_compiled(compiled, name, options, facts, state, path, limits)
    assert found.log == wanted.log
    assert typed(found.outcome) == typed(wanted.outcome)
    assert (dict(facts), state) == before
    return wanted


def typed(value: Any) -> Any:
    """A value with its type, so that ``True`` is not 1."""
    if isinstance(value, (tuple, list)):
        return type(value), [typed(item) for item in value]
    if isinstance(value, Mapping):
        return "map", [(typed(key), typed(item)) for key, item in value.items()]
    return type(value), value


@pytest.mark.parametrize("name", SOURCES)
def test_every_ruleset_runs_the_same(name: str) -> None:
    program, compiled = program_of(name), compile_program(program_of(name))
    rng = random.Random(name)
    for procedure in program.procedures:
        for _ in range(SITUATIONS):
            situations = Situations(program, rng)
            options, (facts, state) = situations.options(), situations.facts(procedure)
            for path in paths(PATHS, rng):
                compare(compiled, procedure, options, facts, state, path)


@pytest.mark.parametrize("name", SOURCES)
def test_nothing_is_left_to_the_reference_evaluator(name: str) -> None:
    compiled = compile_program(program_of(name))
    for procedure in compiled.program.procedures:
        assert compiled.entry(procedure).__name__ != "run"


def test_errors_are_those_of_the_library() -> None:
    assert issubclass(LimitError, EnfiladeError)
