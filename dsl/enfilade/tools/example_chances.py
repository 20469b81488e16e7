"""Checks the ``chance of`` lines of an example against exact odds.

The dice of the example play no part. Its choices do: if the odds depend on a choice, the first legal choice of the
example is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from enfilade.api.exact_numbers import over, written
from enfilade.core import ir
from enfilade.core.answers import read_choice
from enfilade.core.inputs import convert_facts, convert_options
from enfilade.core.legal_answers import taken_in_order
from enfilade.core.requests import ChoiceRequest
from enfilade.core.run import Refused
from enfilade.engines.odds import Policy, Situation, exact_odds
from enfilade.errors import EnfiladeError
from enfilade.limits import go_on
from enfilade.tools.example_failures import Failure, line_of_example

_STATED: Final = re.compile(r"=\s*(\d+)\s*/\s*(\d+)\s*(?:under\b.*)?$")


def is_about_chances_alone(example: ir.Example) -> bool:
    """Whether an example states only chances, so there is no run to play."""
    of_a_run = (example.faces, example.gives, example.effects, example.expect, example.refused, example.input_error)
    return bool(example.chances) and not any(of_a_run) and not example.no_effects and not example.starts


def compare_chances(program: ir.Program, example: ir.Example) -> Iterator[Failure]:
    """Compare the chances that an example states with exact odds.

    Args:
        program: The ruleset.
        example: One of its examples.

    Yields:
        A failure for each wrong chance.
    """
    if not example.chances or example.procedure not in program.procedures:
        return
    try:
        situation = _situation(program, example)
    except EnfiladeError:
        # The facts are invalid; playing the example reports that.
        return
    counts = {True: 0, False: 0}
    for chance in example.chances:
        span = line_of_example(example, "mean of" if chance.is_mean else "chance of", counts[chance.is_mean])
        counts[chance.is_mean] += 1
        wrong = _wrong(situation, example, chance, "" if span is None else span.text)
        if wrong is not None:
            yield Failure(wrong, span)


def _situation(program: ir.Program, example: ir.Example) -> Situation:
    options = convert_options(program, example.options)
    facts, state = convert_facts(program, program.procedures[example.procedure].inputs, example.facts)
    return Situation(program, example.procedure, options, facts, state)


def _wrong(situation: Situation, example: ir.Example, chance: ir.Chance, line: str) -> str | None:
    """The failure message of one line, or ``None`` if its chance or mean is right."""
    go_on()
    what = "mean" if chance.is_mean else "chance"
    players = {
        player: way for name, way in chance.players for player in ([name] if name else situation.program.players)
    }
    try:
        found = exact_odds(situation, (chance.of,), Policy(_preferring(example.choices, players), players))
    except Refused as refused:
        return f"expected a {what}, but the rules refuse {refused.slug}"
    except EnfiladeError as error:
        return f"expected a {what}, but the value can't be computed: {error}"
    if chance.is_mean and (found.remainder or any(value is None for (value,) in found.weights)):
        return "expected a mean, but " + (
            "it is not known exactly" if found.remainder else "there is not always a number"
        )
    held = sum((value if chance.is_mean else bool(value)) * weight for (value,), weight in found.weights.items())
    least, most = Fraction(held, found.total), Fraction(held + found.remainder, found.total)
    if least == most == chance.wanted:
        return None
    stated = _STATED.search(line)
    below = int(stated[2]) if stated else chance.wanted.denominator
    expected = over(int(stated[1]), below) if stated else written(chance.wanted)
    if least == most:
        return f"expected {expected}, but the {what} is {_over(least, below)}"
    return f"expected {expected}, but the {what} is known only to lie between {written(least)} and {written(most)}"


def _over(chance: Fraction, below: int) -> str:
    """Write a chance with the author's denominator, if that is exact."""
    return over(int(chance * below), below) if below % chance.denominator == 0 else written(chance)


def _preferring(
    choices: tuple[Any, ...], players: Mapping[str, str]
) -> Callable[[ChoiceRequest], tuple[Any, ...] | None] | None:
    """The choices of an example, for the players whose way of play is not stated."""

    def decide(request: ChoiceRequest) -> tuple[Any, ...] | None:
        if request.player in players:
            return None
        wanted = 1 if request.count is None else request.count
        read = [read_choice(request, each)[0] for each in choices]
        legal = taken_in_order(request.options, read)
        return legal[:wanted] if len(legal) >= wanted else None

    return decide if choices else None
