"""Holds the odds engine to brute force, fraction for fraction, or between its bounds where some was left open."""

from collections import defaultdict
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from typing import Any, Final
from unittest.mock import patch

from attrs import evolve
from tests.odds.brute_force import Decide, Failure, Found, brute_force, failure, failures_by_chance, first, told

from enfilade.core import ir
from enfilade.core.inputs import convert_facts, convert_options, decks_at_start
from enfilade.core.run import Refused
from enfilade.engines.odds import Ask, Policy, Situation, Weighted, exact_odds
from enfilade.engines.odds.states.rows import RowRun
from enfilade.errors import EnfiladeError
from enfilade.limits import Limits
from enfilade.values.data import State

SMALL: Final = Limits(work=100_000, seconds=None)
"""Limits that are reached soon, for questions that nobody chose."""
Chances = dict[tuple[Any, ...], Fraction]


def situation(program: ir.Program, procedure: str, options: dict[str, Any] | None = None, **facts: Any) -> Situation:
    """A situation from facts as a caller gives them."""
    known, state = convert_facts(program, program.procedures[procedure].inputs, facts)
    return Situation(program, procedure, convert_options(program, options or {}), known, state)


def decks(program: ir.Program) -> State:
    """A state without records."""
    return State({}, decks_at_start(program))


def asked(
    case: Situation, asks: tuple[Ask, ...], decide: Decide = first, limits: Limits | None = None
) -> Weighted | Failure:
    """What the engine answers, or why it does not."""
    try:
        # The time is no limit here: a slow machine must not change an answer.
        return exact_odds(case, asks, Policy(decide=decide), limits or Limits(seconds=None))
    except (EnfiladeError, Refused) as error:
        return failure(error)


def chances(answer: Weighted) -> Chances:
    """An answer as fractions, after a look at its weights."""
    assert all(type(weight) is int and weight > 0 for weight in answer.weights.values())
    assert type(answer.total) is int
    assert type(answer.remainder) is int
    assert answer.remainder >= 0
    assert sum(answer.weights.values()) + answer.remainder == answer.total
    found: Chances = defaultdict(Fraction)
    for values, weight in answer.weights.items():
        found[tuple(map(told, values))] += Fraction(weight, answer.total)
    return dict(found)


def check(
    case: Situation,
    asks: tuple[Ask, ...],
    questions: Iterable[tuple[int, ...]],
    most: int,
    decide: Decide = first,
    limits: Limits | None = None,
) -> Found:
    """Ask some questions, each of one or more of the asks, and hold every answer to brute force.

    For every other question the engine takes few states for many, so that each way to run a step meets every kind of rules.
    Where limits are set, a question that is too large for brute force may be too large for them as well.

    Returns:
        What brute force found.
    """
    found = brute_force(case, asks, decide, most)
    for number, which in enumerate(questions):
        with few_are_many() if number % 2 else nullcontext():
            answer = asked(case, tuple(asks[index] for index in which), decide, limits)
        # A budget of time may be too short on a slow machine; other limits are only met where brute force is too.
        timed = limits is not None and limits.seconds is not None
        if limits is not None and (found.open or timed) and is_limit(answer):
            continue
        if found.open and not isinstance(answer, Weighted) and answer not in found.failures:
            # What goes wrong may do so only after a row of dice longer than those that were tried.
            found = evolve(found, failures=found.failures | failures_by_chance(case, asks, decide, 50))
        agree(found, which, answer)
    return found


def few_are_many() -> AbstractContextManager[object]:
    """Run each plain step and condition as in many states (see ``engines.odds.states.rows``)."""
    return patch.object(RowRun, "pays", lambda self, states: True)


def is_limit(answer: Weighted | Failure) -> bool:
    """Whether a limit was reached."""
    return not isinstance(answer, Weighted) and answer[0] == "limit"


def agree(found: Found, which: tuple[int, ...], answer: Weighted | Failure) -> None:
    """Hold one answer to what brute force found.

    Raises:
        AssertionError: It differs.
    """
    if found.failures:
        is_told = isinstance(answer, Weighted) or answer[0] in ("input", "refused")
        if is_told and {kind for kind, _ in found.failures} == {"input"}:
            # The missing fact may be one that play reads, and the question or a refusal does not.
            return
        assert not isinstance(answer, Weighted), f"an answer, and brute force: {set(found.failures)}"
        assert answer in found.failures, f"{answer}, and brute force: {set(found.failures)}"
        return
    if not isinstance(answer, Weighted):
        # What goes wrong may do so only after a row of dice longer than any that was tried.
        assert found.open, f"{answer}, and brute force answers: {found.of(*which)}"
        assert answer[0] == "rule", f"no answer: {answer}"
        return
    wanted, came, rest = found.of(*which), chances(answer), Fraction(answer.remainder, answer.total)
    if not found.open:
        assert not rest, f"a remainder of {rest}, and brute force left nothing open"
        assert came == wanted
        return
    for outcome in wanted.keys() | came.keys():
        low, chance = wanted.get(outcome, Fraction(0)), came.get(outcome, Fraction(0))
        assert low <= chance + rest, f"{outcome}: {chance} and a remainder of {rest}, and brute force has {low} already"
        assert chance <= low + found.open, f"{outcome}: {chance}, and brute force at most {low + found.open}"
